"""The file of a policy: its text, its table, and the lines of mistakes in it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from polars_fairness.errors import FairnessError, did_you_mean, listed
from polars_fairness.question.toml_lines import line_of

GATE: Final = ("fail_on", "allow_undefined")
"""The arguments of a policy that stand in the table of the gate."""

_IN_PYPROJECT: Final = ("tool", "polars-fairness")


class PolicyError(FairnessError):
    """A mistake in a policy, with the keys that lead to it."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


@contextmanager
def at(*path: str | int) -> Iterator[None]:
    """Add the keys that lead to a value to the error about this value."""
    try:
        yield
    except FairnessError as error:
        raise PolicyError(str(error), *path) from error


@contextmanager
def located(file: Path, text: str) -> Iterator[None]:
    """Add the file and the line to the error about a policy."""
    try:
        yield
    except PolicyError as error:
        line = line_of(text, (*_outer_keys(file), *error.path)) if error.path else None
        place = file.name if line is None else f"{file.name}, line {line}"
        msg = f"{place}: {error}"
        raise FairnessError(msg) from error


def text_of(path: str | Path) -> str:
    """The text of a file, byte for byte."""
    try:
        return Path(path).read_bytes().decode()
    except UnicodeDecodeError as error:
        msg = f"policy: {str(path)!r} is not text in UTF-8; save it as UTF-8"
        raise FairnessError(msg) from error
    except OSError as error:
        msg = f"policy: cannot read {str(path)!r}: {error.strerror}; name a TOML file"
        raise FairnessError(msg) from error


def arguments_in(file: Path, text: str, known: Collection[str]) -> dict[str, Any]:
    """The arguments of a policy that a file gives, each key one of the known ones."""
    table = _table_of(file, text)
    _refuse_unknown_keys(table, [*(key for key in known if key not in GATE), "gate"])
    gate = table.get("gate", {})
    if not isinstance(gate, Mapping):
        msg = f"gate: takes a table with the keys {listed(GATE)}, got {gate!r}"
        raise PolicyError(msg, "gate")
    _refuse_unknown_keys(gate, GATE, "gate")
    if "name" not in table:
        msg = 'name: a policy needs a name; write name = "..." before its tables'
        raise PolicyError(msg)
    return {key: value for key, value in table.items() if key != "gate"} | {**gate}


def _outer_keys(file: Path) -> tuple[str, ...]:
    return _IN_PYPROJECT if file.name == "pyproject.toml" else ()


def _table_of(file: Path, text: str) -> Mapping[str, Any]:
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        msg = f"this is not TOML: {error}"
        raise PolicyError(msg) from error
    except RecursionError as error:
        msg = "this is nested too deeply; no key takes more than a list in a table"
        raise PolicyError(msg) from error
    for key in _outer_keys(file):
        table = table.get(key) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping):
        msg = f"there is no table [{'.'.join(_IN_PYPROJECT)}]; add it, or name another file"
        raise PolicyError(msg)
    return table


def _refuse_unknown_keys(table: Mapping[str, Any], known: Sequence[str], *path: str) -> None:
    for key in table:
        if key not in known:
            where = f" in {'.'.join(path)}" if path else ""
            msg = f"there is no key {key!r}{where}; {did_you_mean(key, known, most=len(known))}"
            raise PolicyError(msg, *path, key)

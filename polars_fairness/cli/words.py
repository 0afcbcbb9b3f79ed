"""Words of a command line to the values of columns: a shell knows no types, a schema does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, listed
from polars_fairness.roles.sides import fits

_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}

_READERS: Final[Mapping[Any, Callable[[str], object]]] = {
    pl.Boolean: lambda word: _BOOLEANS[word.lower()],
    pl.Decimal: Decimal,
    pl.Date: date.fromisoformat,
    pl.Datetime: datetime.fromisoformat,
    pl.Time: time.fromisoformat,
}


def value_of(word: str, dtype: pl.DataType) -> object:
    """Read a word as a value of this type; what is none stays a word, and is refused as such."""
    try:
        return _reader_of(dtype)(word)
    except (ValueError, KeyError, ArithmeticError):
        return word


def sides(
    argument: str, words: Sequence[str], facets: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[str]:
    """Give the values named to their facets.

    ``sex=F`` is F of sex, split at the first ``=`` behind the name of a facet. With one facet its
    name may be left out; a value that begins with it is then written in full, ``sex=sex=F``.
    """
    if not facets:
        return list(words)
    values: dict[str, list[object]] = {}
    for word in words:
        facet, value = _addressed(word, facets)
        if facet is None and len(facets) > 1:
            msg = (
                f"{argument}: {word!r} does not say of which facet; with several, write "
                f"{facets[0]}={word}, or another of {listed(facets)}"
            )
            raise FairnessError(msg)
        name = facet or facets[0]
        values.setdefault(name, []).append(value_of(value, schema.get(name, pl.String())))
    return values


def positives(words: Sequence[str], outcomes: Sequence[str], schema: pl.Schema) -> list[object]:
    """Read every word as a value of the outcome it names, or of each that could hold it.

    Text could hold any word: what is a number or a truth elsewhere is not meant as text.
    """
    values: list[object] = []
    for word in words:
        outcome, rest = _addressed(word, outcomes)
        types = [schema[name] for name in ([outcome] if outcome else outcomes) if name in schema]
        held = [value for dtype in types if fits(value := value_of(rest, dtype), dtype)]
        no_text = [value for value in held if not isinstance(value, str)]
        values += no_text or held or [rest]
    return values


def _reader_of(dtype: pl.DataType) -> Callable[[str], object]:
    if dtype.is_integer():
        return int
    if dtype.is_float():
        return float
    return _READERS.get(dtype.base_type(), str)


def _addressed(word: str, names: Iterable[str]) -> tuple[str | None, str]:
    """Split ``name=value``; of names that begin alike, the longest is meant."""
    for name in sorted(names, key=len, reverse=True):
        if word.startswith(f"{name}="):
            return name, word.removeprefix(f"{name}=")
    return None, word

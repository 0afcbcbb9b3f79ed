"""Scripts by which a shell completes commands, options, metrics and files at a TAB."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import require_extra
from polars_fairness.question.arguments import METRICS, NAMES

SHELLS: Final = ("bash", "zsh", "fish")

_OF_FILES: Final = {"PATH", "FILE"}


def completion_script(program: ArgumentParser, shell: str) -> str:
    """The script of a shell for all commands and options of a parser.

    The shell itself completes, from the names in the script: to start the program at each TAB would
    take 0.4 s.
    """
    require_extra("completion", "completion", "shtab")
    import shtab

    for action in _actions(program):
        complete = _complete(action, shtab.FILE)
        if complete:
            action.complete = complete  # type: ignore[attr-defined]
    return shtab.complete(program, shell)


def _actions(program: ArgumentParser) -> Iterator[Action]:
    for action in program._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        yield action


def _complete(action: Action, of_files: dict[str, Any]) -> dict[str, Any] | None:
    """What completes the words of an option or argument; None for its choices, or nothing."""
    if action.metavar in _OF_FILES:
        return of_files
    if action.metavar == NAMES.word:
        return _of_lists() if action.dest == METRICS.name else _of_names()
    return None


def _of_names() -> dict[str, Any]:
    """One name of a metric."""
    names = " ".join(CATALOGUE.names)
    return {
        "bash": "_polars_fairness_metric",
        "zsh": f"({names})",
        "fish": names,
        "preamble": {"bash": f'_polars_fairness_metric() {{ compgen -W "{names}" -- "$1"; }}'},
    }


def _of_lists() -> dict[str, Any]:
    """Names of metrics with commas between them: what comes after the last comma is completed."""
    names = " ".join(CATALOGUE.names)
    in_bash = f"""\
_polars_fairness_metrics() {{
  local before=""
  [[ "$1" == *,* ]] && before="${{1%,*}},"
  compgen -P "$before" -W "{names}" -- "${{1##*,}}"
}}"""
    return {
        "bash": "_polars_fairness_metrics",
        "zsh": f"_values -s , metric {names}",
        "fish": f"(__fish_append , {names})",
        "preamble": {"bash": in_bash},
    }

"""Scripts by which a shell completes commands, options, metrics and files at a TAB."""

from __future__ import annotations

import re
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.typed import REFERENCE, REFERENCES
from polars_fairness.errors import require_extra
from polars_fairness.formula.rates import RATES
from polars_fairness.question.arguments import METRICS, NAMES
from polars_fairness.question.audit_arguments import HARM, MAXIMISE, RULE, Harm
from polars_fairness.question.judging import RULES_KNOWN
from polars_fairness.question.policy import FailOn
from polars_fairness.question.scores import EVERY

SHELLS: Final = ("bash", "zsh", "fish")

_OF_FILES: Final = ("PATH", "FILE", "BASELINE")

# The words of options that take other text as well, such as METRIC=RULE or a number.
_WORDS: Final[Mapping[str, Sequence[str]]] = {
    RULE.name: RULES_KNOWN,
    HARM.name: get_args(Harm),
    REFERENCE.name: tuple(REFERENCES),
    "threshold": (EVERY,),
    "fail_on": get_args(FailOn),
    MAXIMISE.name: (*RATES, "utility"),
}


def completion_script(program: ArgumentParser, shell: str) -> str:
    """The script of a shell for all commands and options of a parser, which then parses no more.

    The shell itself completes, from the names in the script: to start the program at each TAB would
    take 0.4 s.
    """
    require_extra("completion", "completion", "shtab")
    import shtab

    for action in _actions(program):
        if action.metavar in _OF_FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest == METRICS.name:
            action.complete = _of_lists()  # type: ignore[attr-defined]
        elif action.choices is None and action.dest in _WORDS:
            action.choices = _WORDS[action.dest]
        elif action.metavar == NAMES.word:
            action.choices = CATALOGUE.names
    script = shtab.complete(program, shell)
    # By "(*)", as shtab writes it, zsh 5.9 completes the first PATH and no other.
    return re.sub(r'^( +")\(\*\)::?', r"\1*:", script, flags=re.MULTILINE)


def _actions(program: ArgumentParser) -> Iterator[Action]:
    for action in program._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        yield action


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

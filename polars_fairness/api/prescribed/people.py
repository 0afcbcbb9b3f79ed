"""Questions about people, who are counted one by one, and the reasons for what they refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.question.arguments import Question
from polars_fairness.question.prescribed_arguments import OF_PEOPLE
from polars_fairness.question.references import Reference

_PEOPLE: Final = "this table counts people one by one, and a weight makes parts of people"

NOT_OF_PEOPLE: Final = {
    "weight": f"{_PEOPLE}; leave it out, or give count= if each row stands for several people",
    "resolution": "the median needs the score of each person; leave it out",
}
"""Why tables of people do not take some arguments of other functions."""

_OPTIONS: Final = ("confidence", "replicates", "seed")


def options_of(given: Mapping[str, Any], p_values: str | None = "exact") -> AuditOptions:
    """The options of intervals and p-values of a call."""
    options = {name: given[name] for name in _OPTIONS if name in given}
    return options_and_question(cast("Any", {**options, "p_values": p_values}))[0]


def question_of(given: Mapping[str, Any], facet: object, favored: Reference) -> Question:
    """The question about selections that a call for a table of people puts."""
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    question = {"facet": facet, "favored": favored, "predicted": given.get("selected"), **shared}
    return cast("Question", question)

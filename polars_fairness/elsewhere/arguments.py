"""The argument of `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict

from polars_fairness.question.arguments import Argument, Kind, Option, Question, arguments_of


class Reporting(TypedDict, total=False):
    """The reported number."""

    reported: Annotated[
        float | str | Mapping[str, float | str | Mapping[str, float | str]], Argument(
        Kind("a reported number", "NUMBER"),
        "the reported number, with its digits",
        'As text, trailing zeros count: "0.1300" has four digits, 0.13 two. "13%" is 0.13. For '
        "several comparisons, ``{group: number}`` with the groups of side d. For several metrics, "
        "``{metric: number}``, each a number or numbers by group.", is_required=True,
        option=Option("certainty", note="or a file with columns metric, reported and, for "
                      "several groups, disfavored"),
    )]  # fmt: skip


class ReportedQuestion(Question, Reporting, total=False):
    """The arguments of `compare`."""


(REPORTED,) = arguments_of(Reporting)

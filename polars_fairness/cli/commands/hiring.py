"""The command `hiring`: impact ratios, and the four-fifths rule with significance."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.options import FILES
from polars_fairness.cli.prescribed import (
    Table,
    Tables,
    answered,
)
from polars_fairness.cli.typed import positives
from polars_fairness.errors import FairnessError
from polars_fairness.hiring.arguments import (
    OF_ADVERSE_IMPACT,
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    OF_PUBLICATION,
)
from polars_fairness.hiring.page import Publication
from polars_fairness.question.arguments import Question

_RATIOS, _ADVERSE = "impact_ratios", "adverse_impact"
_OF_IMPACT: Final = {row.name for row in (*OF_ADVERSE_IMPACT, *OF_PEOPLE)}


def run(typed: Namespace) -> int:
    """Print impact ratios, and the four-fifths rule, and check the gate."""
    arguments = vars(typed)
    if "fail_on" in arguments and "selected" not in arguments:
        raise FairnessError(
            "--fail-on: groups are flagged by the rates at which they are selected, and --selected "
            "was not given; give it"
        )
    published = {row.name: arguments[row.name] for row in OF_PUBLICATION if row.name in arguments}
    if FILES.keys() & arguments.keys():
        Publication(**published)
    return answered(typed, partial(_tables, arguments, published), OF_PUBLICATION)


def _tables(
    arguments: Mapping[str, Any], published: Mapping[str, Any], rows: pl.LazyFrame
) -> Tables:
    given = _given(arguments, rows.collect_schema())
    of_impact = {name: value for name, value in given.items() if name in _OF_IMPACT}
    of_impact["minimum_share"] = given.get("exclude_below", 0.0)
    facets = [given["sex"], given["race"]]
    return Tables(
        by_name={
            _RATIOS: Table(lambda: pf.hiring.impact_ratios(rows, **given), "impact_ratios"),
            _ADVERSE: Table(
                lambda: pf.hiring.adverse_impact(rows, facet=facets, **of_impact),
                "adverse_impact",
            ),
        },
        shown=[_RATIOS, _ADVERSE] if "selected" in given else [_RATIOS],
        judged=_ADVERSE,
        ratio="impact_ratio",
        notes=partial(_notes, given),
        question=_outcome_of(given),
        report=lambda: pf.hiring.report(rows, **given, **published),
    )


def _given(arguments: Mapping[str, Any], schema: pl.Schema) -> dict[str, Any]:
    """The typed arguments, with positive values of the type of their column."""
    names = [row.name for row in (*OF_IMPACT_RATIOS, *OF_PEOPLE)]
    given = {name: arguments[name] for name in names if name in arguments}
    if "positive" in given and "selected" in given:
        given["positive"] = positives(given["positive"], [given["selected"]], schema)
    return given


def _outcome_of(given: Mapping[str, Any]) -> Question:
    """The question about the selections, as the rates of all rows are computed; of scores none."""
    if "selected" not in given:
        return Question()
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    return cast("Question", {"predicted": given["selected"], **shared})


def _notes(given: Mapping[str, Any], answer: pl.DataFrame) -> Iterator[str]:
    """Why categories are left out of the ratios."""
    if "is_excluded" in answer.columns and answer["is_excluded"].any():
        below, reason = given["exclude_below"], given["justification"]
        yield f"excluded: less than {100 * below:g} % of the people; {reason}"

"""The question of tables about people, and the categories that are unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import polars as pl

from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_unknown_positive
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, keyword, listed
from polars_fairness.hiring.arguments import OF_PEOPLE
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Column, GivenAs, Probabilities
from polars_fairness.question.facets import Reference
from polars_fairness.question.roles import Roles

_UNKNOWN: Final = ("", "unknown")


def refuse_unknown_categories(groups: pl.DataFrame, roles: Roles) -> None:
    """Raise for a category such as "Unknown" or a blank text, with its number of people, ``n``.

    If it had the highest rate, all others would be compared with it.
    """
    means_unknown = pl.col("value").str.strip_chars().str.to_lowercase().is_in(_UNKNOWN)
    for facet in roles.facets:
        found = groups.filter(means_unknown, facet=facet.name)
        if found.height:
            names = found["value"].unique(maintain_order=True).to_list()
            raise FairnessError(
                f"{facet.column.argument}: {facet.name!r} is {listed(names, 'or')} for "
                f"{found['n'].sum():,} of the people, which would be a category of its own; give "
                f"{keyword('unknown', names)}, or make it null"
            )


_PEOPLE: Final = "this table counts people one by one, and a weight makes parts of people"
_HIGHEST: Final = "each group is compared with the one that has the highest rate; leave it out"

NOT_OF_PEOPLE: Final = {
    "weight": f"{_PEOPLE}; leave it out, or give {keyword('count')} if each row stands for "
    "several people",
    "predicted": f"who was selected is given as {keyword('selected')}",
    "label": "the tables are about who was selected, whatever the outcome; leave it out",
    "threshold": f"decisions are given as {keyword('selected')}, such as "
    "selected=pl.col('score') >= 0.5",
    "favored": _HIGHEST,
    "disfavored": _HIGHEST,
    "favorable": "the rules count selections as good for a person; leave it out",
    "subgroup": f"for a table of each stratum, give it as {keyword('by')}",
}
"""Why tables of people do not take some arguments of other functions."""

_OPTIONS: Final = ("confidence", "replicates", "seed")


def options_of(given: Mapping[str, Any], p_values: str | None = "exact") -> AuditOptions:
    """The options of intervals and p-values of a call."""
    options = {name: given[name] for name in _OPTIONS if name in given}
    return options_and_question(cast("Any", {**options, "p_values": p_values}))[0]


def call_of(
    frame: AnyFrame,
    given: Mapping[str, Any],
    function: str,
    *,
    facet: object,
    favored: Reference,
    **others: object,
) -> Call:
    """The call about selections, or about scores, for a table of people."""
    for argument in ("selected", "score"):
        _refuse_several_tools(argument, given.get(argument))
    shared = {row.name: given[row.name] for row in OF_PEOPLE if row.name in given}
    question = {"facet": facet, "favored": favored, **shared, **others}
    if given.get("selected") is not None:
        question["predicted"] = GivenAs("selected", given["selected"])
    call = Call.of(frame, cast("Question", question), function, given)
    predicted, score = call.roles.predicted, call.roles.score
    if predicted is not None:
        refuse_unknown_positive(call.roles, function, predicted)
    elif score is not None:
        _refuse_scores(score.column)
    return call


def category(argument: str, given: Any) -> GivenAs:
    """The column that has the category of each person."""
    is_several = isinstance(given, list | tuple) and len(given) != 1
    if isinstance(given, Probabilities):
        _refuse_imputed(argument, f"got probabilities of {given.name!r}")
    if isinstance(given, Mapping) or is_several:
        _refuse_imputed(argument, "got several columns")
    return GivenAs(argument, given, check=_refuse_no_category)


def _refuse_no_category(column: Column) -> None:
    dtype = column.dtype
    if dtype.is_float() or dtype.is_decimal() or dtype.is_nested():
        _refuse_imputed(column.argument, f"{column.name!r} is {dtype}")


def _refuse_imputed(argument: str, found: str) -> None:
    raise FairnessError(
        f"{argument}: {found}, as imputed probabilities are; the rule counts people whose category "
        "is known, and a category that is imputed or inferred is not; name one column with the "
        "category of each person, null where it is unknown, and cast codes to whole numbers"
    )


def _refuse_several_tools(argument: str, given: object) -> None:
    if isinstance(given, Mapping):
        raise FairnessError(
            f"{argument}: takes one column, got a dictionary; the table is about one tool, so call "
            f"it for each, or give the tool of each row as {keyword('by')}"
        )


def _refuse_scores(column: Column) -> None:
    """Raise for scores where it has to be known who was selected."""
    raise FairnessError(
        f"{column.argument}: {column.name!r} is {column.dtype}, a score; name a column that says "
        f"who was selected, or give {keyword('positive')} if its values do"
    )

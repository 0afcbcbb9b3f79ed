"""Checks of the cells: every error that only the data show, raised when the query runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

import polars as pl

from polars_fairness.counting.missing import refuse_missing_values
from polars_fairness.counting.polars_rows import with_facet_value
from polars_fairness.counting.scores import refuse_impossible_scores
from polars_fairness.errors import FairnessError, did_you_mean, listed, nearest
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import SEPARATOR, Facet, written
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL
from polars_fairness.question.roles import Roles

_TOO_MANY_ROWS: Final = 2.0**63
"""The smallest number of rows that does not fit into an Int64."""

# A day in the year 262,071. polars panics, without an error, when it writes a date after 262,142.
# The infinite date of an engine such as DuckDB arrives as the last day that fits the type.
_LAST_DAY: Final = 95_000_000
_TICKS_OF_DAY: Final = {"ms": 86_400_000, "us": 86_400_000_000}


def refuse_impossible_cells(roles: Roles, cells: pl.DataFrame) -> None:
    """Raise for missing, impossible and unexpected values of the rows that joint cells count."""
    counted = (facet for facet in roles.facets if {*facet.keys} <= {*cells.columns})
    by_facet = (with_facet_value(cells.lazy(), roles, facet).collect() for facet in counted)
    _refuse_impossible_values(roles, cells, by_facet)


def _refuse_impossible_values(
    roles: Roles, cells: pl.DataFrame, by_facet: Iterable[pl.DataFrame]
) -> None:
    if cells.is_empty():
        return
    _refuse_bad_weights(cells, roles)
    _refuse_bad_counts(cells, roles)
    if roles.nulls == "raise":
        refuse_missing_values(cells, by_facet, roles)
    if roles.points:
        _refuse_infinite_features(cells, roles)
    if roles.score is not None:
        refuse_impossible_scores(cells, roles)
    _refuse_other_numbers_than_0_and_1(cells, roles)
    _refuse_positive_values_that_never_occur(cells, roles)


def have_dates(roles: Roles) -> bool:
    """Whether a column that cells are counted by holds dates, alone or in a struct."""
    types = [dtype for facet in roles.facets for _, dtype in facet.fields]
    types += [column.dtype for column in roles.key_columns]
    return any(dtype in (pl.Date, pl.Datetime) for dtype in types)


def refuse_endless_dates(roles: Roles, cells: pl.DataFrame) -> None:
    """Raise for dates that cannot be written; to be called before anything writes them."""
    for key, column in _columns_of_keys(roles).items():
        dtype = cells.schema.get(key)
        # Nanoseconds in 64 bits end in the year 2262.
        if dtype == pl.Date or (isinstance(dtype, pl.Datetime) and dtype.time_unit != "ns"):
            ticks = _TICKS_OF_DAY[dtype.time_unit] if isinstance(dtype, pl.Datetime) else 1
            last = _LAST_DAY * ticks
            if not cells[key].to_physical().is_between(-last, last).all():
                msg = (
                    f"{column.argument}: {column.name!r} has infinite dates, or dates beyond the "
                    "year 262,000, which cannot be written; replace them, or leave these rows out "
                    "with .filter()"
                )
                raise FairnessError(msg)


def refuse_impossible_comparisons(roles: Roles, cells: pl.DataFrame) -> None:
    """Raise as `refuse_impossible_cells` does, and for sides without rows."""
    if cells.is_empty():
        return
    # Every facet counts the same rows, so the cells of one are enough for most checks.
    same_rows = pl.col("facet").eq_missing(cells["facet"][0])
    by_facet = (cells.filter(facet=facet.name) for facet in roles.facets)
    _refuse_impossible_values(roles, cells.filter(same_rows), by_facet)
    if roles.are_apart:
        _refuse_sides_that_never_occur(cells, roles.facets)


def refuse_mixed_labels(roles: Roles, cells: pl.DataFrame) -> None:
    """Raise where several label values would be merged into True or into False.

    Metrics over label values would differ between these cells and the rows, without any notice.
    """
    label = roles.label
    if label is None or not label.positive:
        return
    values = _values(cells, label)
    for kept in (True, False):
        mixed = [value for value in values if (value in label.positive) is kept]
        if len(mixed) > 1:
            msg = (
                f"positive: cells would merge {listed(mixed)} of {label.column.name!r} into "
                f"{kept}, and kl, js, lp, tvd and ks need them apart; leave positive= out for this "
                "column here and give it when you ask about the cells, or give a Boolean as label="
            )
            raise FairnessError(msg)


def refuse_too_few_neighbours(
    k: int, rows: int, roles: Roles, window: Sequence[object], facet: str = "", disfavored: str = ""
) -> None:
    """Raise where there are fewer than k rows to search for neighbours."""
    if rows >= k:
        return
    side = f" on side a of {facet!r}, with {written(disfavored)!r} as side d" if facet else ""
    where = "".join(
        f", where {name!r} is {value!r}"
        for name, value in zip(roles.windows.names, window, strict=True)
    )
    msg = (
        f"k: {k} neighbours were requested, but there are only {rows} rows{side}{where}; "
        "lower k, or name the metrics you want, without this one"
    )
    raise FairnessError(msg)


def _refuse_bad_weights(cells: pl.DataFrame, roles: Roles) -> None:
    if roles.weight is None:
        return
    name = roles.weight.name
    if not cells["weight"].is_finite().all():
        msg = f"weight: {name!r} has NaN or infinite values; a weight is finite and at least 0"
        raise FairnessError(msg)
    lowest = cells["lowest_weight"].min()
    if isinstance(lowest, float) and lowest < 0:
        msg = (
            f"weight: {name!r} has negative values, down to {lowest:g}; "
            "a weight is finite and at least 0"
        )
        raise FairnessError(msg)


def _refuse_bad_counts(cells: pl.DataFrame, roles: Roles) -> None:
    if roles.count is None:
        return
    name = roles.count.name
    broken = cells["broken_counts"].sum()
    if broken:
        msg = (
            f"count: {name!r} has {broken:,} values that are not whole numbers; "
            "a count is a number of rows (for anything else use weight=)"
        )
        raise FairnessError(msg)
    lowest = cells["lowest_count"].drop_nulls()
    if (lowest < 0).any():
        msg = (
            f"count: {name!r} has negative values, down to {lowest.min()!r}; a count is at least 0"
        )
        raise FairnessError(msg)
    total = cells["total_count"].sum()
    if total >= _TOO_MANY_ROWS:
        msg = (
            f"count: {name!r} adds up to {total:.3g} rows, and {_TOO_MANY_ROWS:.3g} are too many "
            "to be counted; correct the column, or use weight= if it is not a number of rows"
        )
        raise FairnessError(msg)


def _refuse_infinite_features(cells: pl.DataFrame, roles: Roles) -> None:
    needed = roles.needing({"predicted", "features"}).outcomes
    outcomes = (pl.col(outcome.key).is_not_null() for outcome in needed)
    counted = cells.filter(pl.col("n") > 0, *outcomes)
    for name, feature in roles.points.by_key.items():
        if counted[name].cast(pl.Float64).is_infinite().any():
            msg = (
                f"features: {feature.name!r} has infinite values, which have no distance "
                "to others; replace them, or leave these rows out with .filter()"
            )
            raise FairnessError(msg)


def _refuse_other_numbers_than_0_and_1(cells: pl.DataFrame, roles: Roles) -> None:
    for outcome in roles.outcomes:
        if not outcome.assumed:
            continue
        others = [value for value in _values(cells, outcome) if value not in (0, 1)]
        if others:
            thresholds = {"label": " or label_threshold=", "predicted": " or threshold="}
            msg = (
                f"{outcome.argument}: {outcome.column.name!r} has values other than 0 and 1: "
                f"{listed(others)}; say which are positive with positive="
                f"{thresholds.get(outcome.argument, '')}"
            )
            raise FairnessError(msg)


def _refuse_positive_values_that_never_occur(cells: pl.DataFrame, roles: Roles) -> None:
    chosen = [outcome for outcome in roles.outcomes if outcome.positive and not outcome.assumed]
    occurring = [_values(cells, outcome) for outcome in chosen]
    absent = list(map(_absent, chosen, occurring))
    found = [
        value
        for outcome, unseen in zip(chosen, absent, strict=True)
        for value in outcome.positive or ()
        if value not in unseen
    ]
    for outcome, values, unseen in zip(chosen, occurring, absent, strict=True):
        # In a list for both outcomes, a value may be one of the other outcome, as long as one of
        # the list occurs in this outcome.
        has_some = len(unseen) < len(outcome.positive or ())
        of_other = found if outcome.shares_positive and has_some else []
        missing = [value for value in unseen if value not in of_other]
        if missing and values:
            msg = (
                f"positive: {_never_occur(missing)} in {outcome.column.name!r}, which has "
                f"{listed(values)}; name one of these"
            )
            if outcome.shares_positive:
                each = ", ".join(f"{other.column.name!r}: ..." for other in chosen)
                msg += f", or give the values of each outcome, positive={{{each}}}"
            raise FairnessError(msg)


def _absent(outcome: Outcome, occurring: Sequence[object]) -> list[object]:
    return [
        value
        for value in outcome.positive or ()
        if value not in occurring and not outcome.may_lack(value, occurring)
    ]


def _refuse_sides_that_never_occur(cells: pl.DataFrame, facets: Sequence[Facet]) -> None:
    occurring = {
        facet: cells.filter(facet=facet.name)["value"].drop_nulls().unique().sort().to_list()
        for facet in facets
    }
    for facet in facets:
        if facet.has_all_values:
            continue
        for argument, side in (("disfavored", facet.disfavored), ("favored", facet.favored)):
            absent = [written(key) for key in side if key not in occurring[facet]]
            if absent:
                known = [written(key) for key in occurring[facet]]
                elsewhere = _by_facet(side, occurring)
                near = _near(argument, absent[0], known)
                hint = f"give {argument}={elsewhere}" if elsewhere else near
                msg = (
                    f"{argument}: {_never_occur(absent)} in {facet.name!r}, which has "
                    f"{listed(known) or 'no known value at all'}; {hint}"
                )
                raise FairnessError(msg)


def _near(argument: str, absent: str, known: Sequence[str]) -> str:
    for reference in (HIGHEST, LARGEST, OVERALL):
        if argument == "favored" and absent.upper() == reference.name:
            return f"give favored={reference}"
    return did_you_mean(absent, known) if nearest(absent, known) else "name one of these"


def _never_occur(absent: Sequence[object]) -> str:
    return f"{listed(absent)} never {'occurs' if len(absent) == 1 else 'occur'}"


def _by_facet(side: Sequence[str], occurring: Mapping[Facet, Sequence[str]]) -> str:
    """The keys of a side as a dictionary, each with the facets that have it; empty if none has."""
    pairs = []
    for facet, keys in occurring.items():
        values = [_in_python(key, facet) for key in side if key in keys]
        if values:
            several = f"[{', '.join(values)}]"
            pairs.append(f"{facet.name!r}: {several if len(values) > 1 else values[0]}")
    has_all = {*side}.issubset(chain.from_iterable(occurring.values()))
    return f"{{{', '.join(pairs)}}}" if has_all else ""


def _in_python(key: str, facet: Facet) -> str:
    """A key as the value that the caller would give."""
    parts = [
        repr(text) if dtype in (pl.String, pl.Categorical, pl.Enum) else text
        for text, (_, dtype) in zip(key.split(SEPARATOR), facet.fields, strict=True)
    ]
    return f"({', '.join(parts)})" if facet.is_intersection else parts[0]


def _columns_of_keys(roles: Roles) -> dict[str, Column]:
    """The keys of cells, with the column of each."""
    return {
        **roles.windows.by_key,
        **roles.strata.by_key,
        **{outcome.key: outcome.column for outcome in roles.outcomes},
        **{key: facet.column for facet in roles.facets for key in facet.keys},
    }


def _values(cells: pl.DataFrame, outcome: Outcome) -> list[object]:
    return cells[outcome.key].drop_nulls().unique().sort().to_list()

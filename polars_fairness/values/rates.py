"""Cells to the counts and rates of each group, and of all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.complete_rows import complete_cells, row_counts, whole_rows
from polars_fairness.counting.counts import added_up, with_finest_counts, with_terms
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.polars_rows import SPREAD
from polars_fairness.counting.sides import ALL, written_key
from polars_fairness.formula.arithmetic import or_undefined
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.rates import COUNTS, RATES, outcomes_of
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import Side
from polars_fairness.question.roles import Roles
from polars_fairness.values.score_comparisons import measures_by_group

_CONFUSION: Final = ("tp", "fp", "fn", "tn")

COLUMNS: Final = ("n", *RATES, "rows_dropped", *_CONFUSION)
"""The numbers of each group that every result has."""


ROWS: Final = "rows\x1f"
"""The number of rows of a group, whatever their weight; no column of a caller has such a name."""


SEPARATION: Final = "separation"
"""How well probabilities tell a group apart: 1 where it is known, 0 where they say nothing."""


def effective_rows(rate: str) -> str:
    """The column with the effective number of rows that a proportion is a share of."""
    return f"{rate}.rows\x1f"


def types_of_rates(roles: Roles, *, has_rows: bool = False) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    names = dict.fromkeys(("facet", "value"), pl.String())
    rows = _types_of_rows(roles) if has_rows else {}
    return {**names, **_types(roles), **rows}


def _types(roles: Roles) -> dict[str, pl.DataType]:
    """The numbers of each group in order, with their types; polars prints the first of them."""
    measures = [*(MEASURES if roles.is_about_scores else ()), *_numbers_of(roles)]
    return {
        "n": roles.size,
        **dict.fromkeys((*RATES, *measures), pl.Float64()),
        **({SEPARATION: pl.Float64()} if roles.windows.has_estimators else {}),
        "rows_dropped": pl.Int64(),
        **dict.fromkeys(_CONFUSION, pl.Float64() if roles.best else roles.size),
    }


def _numbers_of(roles: Roles) -> list[str]:
    return [name for name, each in NUMBERS_OF_GROUPS.items() if each.needs <= roles.given]


def _types_of_rows(roles: Roles) -> dict[str, pl.DataType]:
    # Of groups known in probability, the sum of shares is the number of rows.
    rows = {ROWS: pl.Int64()} if roles.weight else {}
    proportions = (name for name, rate in RATES.items() if rate.is_proportion)
    return {**rows, **dict.fromkeys(map(effective_rows, proportions), pl.Float64())}


def rated(seen: pl.LazyFrame, roles: Roles, *, has_rows: bool = False) -> pl.LazyFrame:
    """The counts and rates of each group of each facet, and of all rows, from cells of all rows.

    Counts, rates and measures that need an outcome which the call does not name are null. A group
    whose rows are all dropped is shown, with counts of 0. Each rate has the rows that have what it
    needs; counts are of the rows that have all. ``has_rows`` adds the effective number of rows
    behind each proportion and, with weights, the number of rows of each group.
    """
    scored, seen = seen, with_all_rows(decided(seen, roles), roles)
    keys = [*roles.windows.keys, "facet", "value"]
    table = row_counts(seen, keys, roles)
    if roles.counts_in_part:
        table = table.with_columns(whole_rows("rows_used", "rows_dropped"))
    numbers = {"rows_dropped": pl.col("rows_dropped"), ROWS: pl.col("rows_used")}
    if roles.windows.has_estimators:
        table = table.join(_separations(seen, keys), on=keys, how="left", nulls_equal=True)
        numbers[SEPARATION] = pl.col(SEPARATION)

    def counted(counting: Roles, group: str) -> pl.LazyFrame:
        cells = with_finest_counts(complete_cells(seen, counting), counting)
        counts = added_up(cells, keys, group, counting)
        return table.join(counts, on=keys, how="left", nulls_equal=True)

    for i, (counting, words) in enumerate(_group_rates_by_needs(roles)):
        group = f"group{i}"
        of_group = pl.col(f"^{group}\\..*$").fill_null(0.0)
        groups = counted(counting, group).with_columns(of_group)
        needed = {word: word for word in words}
        if has_rows:
            proportions = [word for word in words if word in RATES and RATES[word].is_proportion]
            needed |= {effective_rows(word): RATES[word].rows for word in proportions}
        table = with_terms(groups, [f"{group}.{term}" for term in needed.values()], counting)
        numbers |= {column: pl.col(f"{group}.{term}") for column, term in needed.items()}
    for i, needs in enumerate(
        dict.fromkeys(NUMBERS_OF_GROUPS[n].needs for n in _numbers_of(roles))
    ):
        counting, side = roles.needing(needs), Side(f"numbers{i}")
        terms = [f"{side.name}.n", f"{side.name}.effective_n"]
        table = with_terms(counted(counting, side.name), terms, counting)
        numbers |= {
            name: rendered(or_undefined(NUMBERS_OF_GROUPS[name].of(side)), counting.zero_division)
            for name in _numbers_of(roles)
            if NUMBERS_OF_GROUPS[name].needs == needs
        }
    if roles.is_about_scores:
        measures = [each for each in MEASURES.values() if each.needs <= roles.given]
        numbers |= {each.name: pl.col(each.column) for each in measures}
        of_all = with_all_rows(scored, roles)
        apart = {each: each.needs if roles.nulls == "drop" else roles.given for each in measures}
        for alike in dict.fromkeys(apart.values()):
            same = [each for each in measures if apart[each] == alike]
            counting = roles.needing({"score", *alike})
            of_groups, on = measures_by_group(of_all, counting, same)
            table = table.join(of_groups, on=on, how="left", nulls_equal=True)
    if "n" in numbers:
        numbers["n"] = roles.sized(numbers["n"])
    types = _types(roles) | (_types_of_rows(roles) if has_rows else {})
    shown = {name: numbers.get(name, pl.lit(None)).cast(dtype) for name, dtype in types.items()}
    return groups_shown(table, roles, shown)


def groups_shown(
    table: pl.LazyFrame, roles: Roles, columns: Mapping[str, pl.Expr], order: Sequence[str] = ()
) -> pl.LazyFrame:
    """The rows of groups as results show them, those of a group in this order."""
    value = written_key(pl.col("value"), roles)
    # Two groups that are written in the same way stay apart.
    keys = [*roles.windows.keys, "facet", value.alias("written\x1f"), "value", *order]
    return table.sort(keys, nulls_last=True).select(
        *roles.windows.as_named(), pl.col("facet").fill_null(ALL), value.alias("value"), **columns
    )


def _separations(seen: pl.LazyFrame, keys: list[str]) -> pl.LazyFrame:
    """The variance of each group's probability, over the variance if it were known, p(1 − p)."""
    squares = pl.when(pl.col(SPREAD).is_not_null().any()).then(pl.col(SPREAD).sum())
    sums = seen.group_by(keys).agg(squares.alias("squares"), pl.col("weight").sum())
    total = pl.col("weight").sum().over(keys[:-1])
    mean = pl.col("weight") / total
    variance = pl.col("squares") / total - mean**2
    known = pl.col("value").is_not_null() & (mean > 0) & (mean < 1)
    return sums.select(*keys, pl.when(known).then(variance / (mean * (1 - mean))).alias(SEPARATION))


def _group_rates_by_needs(roles: Roles) -> list[tuple[Roles, list[str]]]:
    """The counts, and the rates that have the same rows, each with the question about their rows.

    Without the outcomes that they need, there are none of them.
    """
    counts = [word for word in COLUMNS if word in COUNTS and outcomes_of(word) <= roles.given]
    rates = [name for name, rate in RATES.items() if rate.needs <= roles.given]
    if roles.nulls != "drop":
        return [(roles, [*counts, *rates])]
    parts: dict[frozenset[str], list[str]] = {}
    for rate in rates:
        parts.setdefault(RATES[rate].needs, []).append(rate)
    return [(roles, counts), *((roles.needing(needs), alike) for needs, alike in parts.items())]

"""Cells to the counts and rates of each group, and of all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.complete_rows import of_complete_rows, row_counts
from polars_fairness.counting.counts import added_up, with_finest_counts, with_terms
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.sides import ALL, written_key
from polars_fairness.formula.measures import MEASURES, Measure
from polars_fairness.formula.rates import COUNTS, RATES, outcomes_of
from polars_fairness.formula.sides import g_s
from polars_fairness.question.roles import Roles
from polars_fairness.values.scores.tables import measured, with_facts_of_scores

_CONFUSION: Final = ("tp", "fp", "fn", "tn")

COLUMNS: Final = ("n", *RATES, "n_dropped", *_CONFUSION)
"""The numbers of each group that every result has."""


def schema(roles: Roles) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    names = dict.fromkeys(("facet", "value"), pl.String())
    return pl.Schema({**roles.windows.types, **names, **_types(roles)})


def _types(roles: Roles) -> dict[str, pl.DataType]:
    """The numbers of each group in order, with their types; polars prints the first of them."""
    measures = MEASURES if roles.is_about_scores else ()
    return {
        "n": roles.size,
        **dict.fromkeys((*RATES, *measures), pl.Float64()),
        "n_dropped": pl.Int64(),
        **dict.fromkeys(_CONFUSION, roles.size),
    }


def rated(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The counts and rates of each group of each facet, and of all rows, from cells of all rows.

    Counts, rates and measures that need an outcome which the call does not name are null. A group
    whose rows are all dropped is shown, with counts of 0.
    """
    scored, seen = seen, with_all_rows(decided(seen, roles), roles)
    keys = [*roles.windows.keys, "facet", "value"]
    used = with_finest_counts(of_complete_rows(seen, roles), roles)
    groups = (
        row_counts(seen, keys, roles)
        .join(added_up(used, keys, "g", roles), on=keys, how="left", nulls_equal=True)
        .with_columns(pl.col("^g\\..*$").fill_null(0.0))
    )
    needs = {word: outcomes_of(word) for word in COLUMNS if word in COUNTS or word in RATES}
    known = [word for word, outcomes in needs.items() if outcomes <= roles.given]
    table = with_terms(groups, [f"g.{word}" for word in known], roles)
    if roles.is_about_scores:
        measures = [each for each in MEASURES.values() if each.needs <= roles.given]
        known += [measure.name for measure in measures]
        of_groups, on = _measured(with_all_rows(scored, roles), roles, measures)
        table = table.join(of_groups, on=on, how="left", nulls_equal=True)
    numbers = {word: pl.col(f"g.{word}") for word in known} | {"n_dropped": pl.col("rows_dropped")}
    value = written_key(pl.col("value"), roles).alias("value")
    return table.sort(*roles.windows.keys, "facet", value, nulls_last=True).select(
        *roles.windows.as_named(),
        pl.col("facet").fill_null(ALL),
        value,
        *(
            numbers.get(column, pl.lit(None)).cast(dtype).alias(column)
            for column, dtype in _types(roles).items()
        ),
    )


def _measured(
    scored: pl.LazyFrame, roles: Roles, measures: Sequence[Measure]
) -> tuple[pl.LazyFrame, list[str]]:
    """The measures of the scores of each group, from cells by score, with the key columns."""
    of_scores = roles.of_scores
    keys = [*of_scores.windows.keys, "facet", "value"]
    cells = with_finest_counts(of_complete_rows(scored, roles.undecided), of_scores)
    counts = added_up(cells, [*keys, "score"], g_s.name, of_scores).sort("score")
    table = with_facts_of_scores(counts, of_scores, [g_s], keys)
    names = (measure.term.meta.output_name() for measure in measures)
    return measured(table, of_scores, measures, keys).select(*keys, *names), keys

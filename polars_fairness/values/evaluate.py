"""Cells to the values of metrics: a row for each comparison."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import polars as pl

from polars_fairness.catalogue.strata import COMMON_DIFFERENCE
from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.collected import (
    WORTH_OPTIMISING,
    collected,
    collected_together,
)
from polars_fairness.counting.complete_rows import (
    are_complete,
    complete_cells,
    row_counts,
    whole_rows,
)
from polars_fairness.counting.counts import (
    added_up,
    with_columns_of,
    with_finest_counts,
    with_terms,
)
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.polars_rows import SPREAD, is_tally
from polars_fairness.counting.rows import PolarsFrame
from polars_fairness.counting.sides import (
    ALL,
    COMPARISON_KEY,
    PAIR,
    favored,
    sides_decided,
    with_sides,
    written_key,
)
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.in_polars import rendered
from polars_fairness.formula.levels import ACROSS_STRATA, COMPARISON, GROUP, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import COUNTS, RATES, Side, a_i, both_i, d_i, outcomes_of
from polars_fairness.formula.tree import choose, or_undefined, term
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.intersections import groups_of, joint_tables
from polars_fairness.values.levels import computed, counted, keys_of, valued
from polars_fairness.values.score_comparisons import measures_by_group, values_by_score
from polars_fairness.values.unlabelled import (
    known_rates,
    labelled_counts,
    with_groups_lacking,
    with_known_values,
)

SLOPE: Final = "slope\x1f"

_HARDLY: Final = 1e-9  # of a stratum: a smaller part is what sums of floats leave
SUMS_OF_SLOPES: Final = ("all\x1f", "rest\x1f", "together\x1f")
_ALL, _REST, _TOGETHER = SUMS_OF_SLOPES


SIDES: Final = ("facet", "disfavored", "favored")
SIZES: Final = ("n_disfavored", "n_favored", "n_unknown")

COLUMNS: Final = (*SIDES, *SIZES, "rows_dropped")
"""The columns of the result, between those of ``by`` and the metrics."""


def prepared(seen: pl.LazyFrame, roles: Roles) -> tuple[pl.LazyFrame, pl.LazyFrame, Roles]:
    """The cells with decisions and sides, those by score, and the question about both.

    Both have the groups that were found as side a: at each threshold there may be another one,
    which then has comparisons of its own.
    """
    cells, roles = sides_decided(decided(seen, roles), roles)
    if not roles.reference_keys:
        return cells, seen, roles
    places = [*roles.windows.without_thresholds.keys, "facet"]
    names = cells.collect_schema().names()
    sides = [name for name in (PAIR, *roles.reference_keys) if name in names]
    present = cells.select(*places, *sides).unique(maintain_order=True)
    scored = seen.join(
        present, on=places, how="left", nulls_equal=True, maintain_order="left_right"
    )
    return cells, scored, roles


def compared(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], scored: pl.LazyFrame
) -> pl.LazyFrame:
    """The values of metrics as results show them, from the cells of all rows.

    Metrics of scores are computed from ``scored``, the cells of all rows by score. Each metric has
    the rows that have what it needs; the sizes are those of the rows that all metrics have.
    """
    parts = group_by_needs(metrics, roles)
    if len(parts) == 1:
        [(counting, alike)] = parts
        places = row_counts(seen, place_keys(roles), counting)
        known = evaluated(complete_cells(seen, counting), places, counting, alike, scored)
        return presented(with_known_values(known, seen, roles, alike), counting, alike)
    of_all = roles.needing({need for metric in metrics.values() for need in metric.needs})
    values: PolarsFrame = comparisons(seen, of_all, [counting for counting, _ in parts])
    for counting, alike in parts:
        places = row_counts(seen, place_keys(roles), counting).select(place_keys(roles))
        own_values = evaluated(complete_cells(seen, counting), places, counting, alike, scored)
        own_values = with_known_values(own_values, seen, roles, alike)
        if counting.zero_division != roles.zero_division:
            own_values = own_values.with_columns(pl.col("^metric\\..*$").fill_nan(None))
        # The values of metrics without sides repeat in a place.
        own = place_keys(roles)
        for keys, has_sides in (([*own, COMPARISON_KEY], True), (own, False)):
            names = [f"metric.{each}" for each in alike if alike[each].has_sides == has_sides]
            if names:
                once = own_values.select(*keys, *names).unique(
                    keys, keep="first", maintain_order=True
                )
                values = _joined(values, once, keys)
    return presented(values.lazy(), roles, metrics)


def group_by_needs(
    metrics: Mapping[str, Metric], roles: Roles
) -> list[tuple[Roles, dict[str, Metric]]]:
    """The metrics that count the same rows, each time with the question about these rows.

    Metrics that say themselves what 0/0 is are apart from those for which the call says it.
    """
    if not metrics:
        return [(roles, {})]
    parts: dict[tuple[frozenset[str], bool], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        needs = roles.rows_needed_by(metric.needs) if roles.nulls == "drop" else frozenset[str]()
        settled = metric.settles_zero_division and roles.zero_division is not None
        parts.setdefault((needs, settled), {})[name] = metric
    return [
        (replace(counting, zero_division=None) if settled else counting, alike)
        for (needs, settled), alike in parts.items()
        for counting in [roles.needing(needs)]
    ]


def comparisons(seen: pl.LazyFrame, roles: Roles, counting: Iterable[Roles]) -> pl.LazyFrame:
    """Every place with the comparisons that have rows for some metric, and their sizes in `roles`.

    ``counting`` has the questions about the rows of each metric.
    """
    mass = pl.col(roles.mass).cast(pl.Float64)
    sizes = {
        count: pl.when(are_complete(roles)).then(mass).otherwise(0.0) for count in ("n", "n_sq")
    }
    cells = seen.filter(pl.any_horizontal(are_complete(each) for each in counting))
    if roles.are_joint:
        cells = cells.filter(pl.col("facet") != roles.joint_facet)
    bare = roles.without_outcomes
    sided = with_sides(cells.with_columns(**sizes), bare)
    keys = place_keys(roles)
    return _joined(row_counts(seen, keys, roles), counted(sided, bare, COMPARISON), keys).lazy()


def place_keys(roles: Roles) -> list[str]:
    """The keys of a *place*: one facet in one window."""
    return [*roles.windows.keys, "facet"]


def evaluated(
    cells: pl.LazyFrame,
    places: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    scored: pl.LazyFrame | None = None,
) -> pl.LazyFrame:
    """The values of metrics, in columns ``metric.<name>``, with the keys of each comparison.

    ``cells`` are those of complete rows, ``scored`` those of all rows by score. Beside the values
    are the columns of places. A place without a comparison has a row without sides, and so have
    metrics of all facets jointly.
    """
    values = _compared_all(with_finest_counts(cells, roles), places, roles, metrics, scored)
    return as_windows_mean(values, cells, roles, metrics)


def as_windows_mean(
    values: pl.LazyFrame, cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """The values as windows of estimators and of classes mean them, null where they mean none."""
    if roles.windows.has_estimators:
        values = _replace_strata(values, cells, roles, metrics)
    if roles.windows.has_classes:
        values = values.with_columns(
            pl.when(is_meant(metric, roles)).then(f"metric.{name}").alias(f"metric.{name}")
            for name, metric in metrics.items()
        )
    return values


def is_meant(metric: Metric, roles: Roles) -> pl.Expr:
    """Whether a window of classes is one that a metric is about: of one class, or of all."""
    is_of_all = pl.col(roles.windows.class_key).is_null()
    if metric.parsed.level.divides_values:
        return is_of_all
    return pl.lit(metric.compares_classes) | ~is_of_all


def _compared_all(
    cells: pl.LazyFrame,
    places: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    scored: pl.LazyFrame | None,
) -> pl.LazyFrame:
    apart = {name: metric for name, metric in metrics.items() if not metric.is_joint}
    if not roles.are_joint:
        return _compared_apart(cells, scored, places, roles, apart)
    jointly = {name: metric for name, metric in metrics.items() if metric.is_joint}
    # The row of all facets jointly has no sides, and so no value of metrics that have sides.
    nulls = (pl.lit(None, pl.Float64).alias(f"metric.{name}") for name in apart)
    is_joint = pl.col("facet") == roles.joint_facet
    found: PolarsFrame = places.filter(is_joint)
    for joint in values_jointly(cells, roles, jointly):
        found = _joined(found, joint, roles.windows.keys)
    no_size = pl.lit(None, pl.Float64)
    of_all = found.lazy().with_columns(
        pl.lit(None, pl.String).alias(COMPARISON_KEY), no_size.alias("d.n"), no_size.alias("a.n")
    )
    values = [of_all.with_columns(nulls)]
    if roles.are_apart:
        values.append(
            _compared_apart(
                cells.filter(~is_joint),
                None if scored is None else scored.filter(~is_joint),
                places.filter(~is_joint),
                roles,
                apart,
            )
        )
    return pl.concat(values, how="diagonal")


def _compared_apart(
    cells: pl.LazyFrame,
    scored: pl.LazyFrame | None,
    places: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
) -> pl.LazyFrame:
    cells = with_sides(cells, roles)
    together: dict[Level, dict[str, Metric]] = {COMPARISON: {}}
    for name, metric in metrics.items():
        together.setdefault(metric.parsed.level, {})[name] = metric
    is_cheap = True
    if len(together) > 1 and not roles.in_plan:
        # Once, and not again for the table of each level.
        at_hand = collected(cells)
        cells, is_cheap = at_hand.lazy(), at_hand.height < WORTH_OPTIMISING
    added_up = [(level, own) for level, own in together.items() if adds_up(level)]
    plans = [places, *[counted(cells, roles, level) for level, _ in added_up]]
    tables: Sequence[PolarsFrame] = plans
    if not roles.in_plan:
        tables = collected_together(plans, is_cheap=is_cheap)
    (_, comparisons), *others = [
        (keys_of(level, roles), _valued(table, roles, level, own))
        for (level, own), table in zip(added_up, tables[1:], strict=True)
    ]
    values = _joined(tables[0], comparisons, place_keys(roles))
    others += _not_added_up(cells, scored, roles, together)
    for keys, of_level in others:
        values = _joined(values, of_level, keys)
    if roles.zero_division is not None:
        return values.lazy()
    # Where a side has no rows, nothing is compared. Formulas of shares would have a number: all of
    # the rejected and all of the accepted are of the other side, so that `ddpl` would be at its
    # ideal. A caller who gives 0/0 a value asks for it. What a regression gives a side may be below
    # 0, and is shown.
    sizes = ("d.n", "a.n")
    if isinstance(comparisons, pl.DataFrame) and all((comparisons[n] != 0).all() for n in sizes):
        return values.lazy()
    has_both = pl.all_horizontal(pl.col(sizes) != 0)
    return values.lazy().with_columns(
        pl.when(has_both).then(f"metric.{name}").alias(f"metric.{name}")
        for name, metric in metrics.items()
        if metric.has_sides
    )


def adds_up(level: Level) -> bool:
    """Whether the table of a level has sums of cells as they stand."""
    return not (level.is_by_score or level.divided_by == "controls")


def _not_added_up(
    cells: pl.LazyFrame,
    scored: pl.LazyFrame | None,
    roles: Roles,
    metrics: Mapping[Level, Mapping[str, Metric]],
) -> Iterator[tuple[list[str], PolarsFrame]]:
    """The values at levels whose tables need more than sums of cells, with their keys."""
    by_score = {level: each for level, each in metrics.items() if level.is_by_score}
    if by_score:
        assert scored is not None
        yield from values_by_scores(scored, roles, by_score)
    for level, of_level in metrics.items():
        if level.divided_by == "controls":
            from polars_fairness.values.controls import regressed  # it needs numpy

            keys = keys_of(level, roles)
            yield from ((keys, each.values) for each in regressed(cells, roles, of_level, keys))


def values_by_scores(
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[Level, Mapping[str, Metric]],
    bounds: Container[str] = (),
) -> Iterator[tuple[list[str], PolarsFrame]]:
    """The values at levels by score, or by the values of a number, with their keys."""
    for number in dict.fromkeys(level.number for level in metrics):
        complete = complete_cells(scored, roles.counting_scores)
        alike = {level: each for level, each in metrics.items() if level.number == number}
        yield from values_by_score(*scores_of_number(complete, roles, number), alike, bounds)


def scores_of_number(
    scored: pl.LazyFrame, roles: Roles, number: str | None
) -> tuple[pl.LazyFrame, Roles]:
    """The cells by score and their question; with a number, its values stand as scores."""
    if number is None:
        return scored, roles.counting_scores
    return scored.with_columns(score=number), roles.counting_number(number)


def _valued(
    parts: PolarsFrame, roles: Roles, level: Level, metrics: Mapping[str, Metric]
) -> PolarsFrame:
    """Values at one level: columns of the plan, or, ten times as fast for few cells, numbers."""
    keys = keys_of(level, roles)
    if isinstance(parts, pl.LazyFrame):
        return valued(parts, roles, level, metrics, keys)
    return computed(parts, roles, level, metrics, keys)


def _replace_strata(
    values: pl.LazyFrame, cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """The values, those of strata as regressions inside the strata give them, or null.

    A regression over all rows is not read in each stratum. Only the difference of rates that all
    strata have in common is known of regressions: the slope that they share.
    """
    conditional = {name: each for name, each in metrics.items() if "subgroup" in each.needs}
    is_linear = pl.col(ESTIMATOR).eq_missing(LINEAR)
    values = values.with_columns(
        pl.when(~is_linear).then(f"metric.{name}").alias(f"metric.{name}") for name in conditional
    )
    common = [name for name, each in conditional.items() if is_common_difference(each)]
    if not common:
        return values
    keys = keys_of(ACROSS_STRATA, roles)
    counts = counts_of_slopes(cells.filter(is_linear), roles)
    slopes = valued(counts, roles, ACROSS_STRATA, {SLOPE: COMMON_SLOPE}, keys)
    slopes = slopes.rename({f"metric.{SLOPE}": SLOPE})
    return (
        _joined(values, slopes, keys)
        .lazy()
        .with_columns(
            pl.when(is_linear).then(SLOPE).otherwise(f"metric.{name}").alias(f"metric.{name}")
            for name in common
        )
    )


def values_jointly(
    cells: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> Iterator[pl.DataFrame]:
    """The values of metrics over groups of all facets jointly, by window."""
    jointly, known = joint_tables(cells, roles)
    for groups in dict.fromkeys(metric.parsed.groups for metric in metrics.values()):
        alike = {name: each for name, each in metrics.items() if each.parsed.groups == groups}
        counts = groups_of(jointly.lazy(), known, roles, groups, roles.windows.keys)
        yield computed(counts, roles, GROUP, alike, roles.windows.keys)


def types_of_values(roles: Roles, metrics: Iterable[str]) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    sides = dict.fromkeys(SIDES, pl.String())
    sizes = {**dict.fromkeys(SIZES, roles.size), "rows_dropped": pl.Int64()}
    values = dict.fromkeys(metrics, pl.Float64())
    return {**sides, **sizes, **values}


def presented(
    values: pl.LazyFrame, roles: Roles, metrics: Iterable[str], more: Sequence[str | pl.Expr] = ()
) -> pl.LazyFrame:
    """Sort rows, and give columns the names and types of results; keep more columns as they are."""
    written = written_key(pl.col(COMPARISON_KEY), roles)
    described = (
        pl.col("facet"),
        written,
        pl.when(pl.col(COMPARISON_KEY).is_not_null()).then(favored(roles)),
        *[roles.sized(pl.col(each)) for each in ("d.n", "a.n", "unknown")],
        pl.col("rows_dropped"),
    )
    # Two intersections may be shown by the same text.
    order = [
        *roles.place_order,
        written.alias("written\x1f"),
        COMPARISON_KEY,
    ]
    return values.sort(order, nulls_last=True).select(
        *roles.windows.as_named(),
        *[column.alias(name) for name, column in zip(COLUMNS, described, strict=True)],
        *_columns_of_metrics(tuple(metrics), roles.zero_division),
        *more,
    )


@lru_cache(maxsize=256)
def _columns_of_metrics(names: tuple[str, ...], zero_division: float | None) -> list[pl.Expr]:
    # Infinity minus infinity is the only NaN that a formula gives.
    values = {name: pl.col(f"metric.{name}") for name in names}
    if zero_division is not None:
        return [value.fill_nan(zero_division).alias(name) for name, value in values.items()]
    # For hundreds of columns half of what `fill_nan` takes, which looks for nulls too.
    return [pl.when(value.is_not_nan()).then(value).alias(name) for name, value in values.items()]


def _joined(values: PolarsFrame, summary: PolarsFrame, keys: Sequence[str]) -> PolarsFrame:
    if isinstance(values, pl.DataFrame) and isinstance(summary, pl.DataFrame) and keys:
        return with_columns_of(values, summary, keys)
    values, summary = values.lazy(), summary.lazy()
    if not keys:
        return values.join(summary, how="cross")
    return with_columns_of(values, summary, keys)


# The regression of the decision on the probability of a group, with a constant for each stratum,
# has one slope: that of each stratum, weighted by T·Var(p), its rows times the variance of the
# probability in it. Where groups are known, that is n_a·n_d/n, the weight by Mantel and Haenszel.
def is_common_difference(metric: Metric) -> bool:
    """Whether a metric is the difference of rates that all strata have in common."""
    formula = metric.parsed
    return formula.level == ACROSS_STRATA and formula.expression is COMMON_DIFFERENCE


def counts_of_slopes(linear: pl.LazyFrame, roles: Roles, more: Sequence[str] = ()) -> pl.LazyFrame:
    """The sums of each stratum that `COMMON_SLOPE` is made of, divided by more keys.

    ``linear`` has the cells by the linear estimator. Their counts of both groups add up to the rows
    of a cell, and Σp² of each group gives back Σp of a cell: Σp_d·p_a = (rows - Σp_d² - Σp_a²)/2.
    The covariance of decision and probability is that of these sums, and so is the variance if
    p were 0 or 1; Σp_d·p_a is what uncertain groups take from it.
    """
    pairs = [facet.name for facet in roles.uncertain_facets if len(facet.probabilities) == 2]
    cells = linear.filter(pl.col("facet").is_in(pairs))
    of_cell = [name for name in cells.collect_schema() if not is_tally(name) and name != "value"]
    is_known = pl.col("value").is_not_null()
    together = (pl.col("weight").sum() - pl.col(SPREAD).sum()) / 2
    stratum = [*place_keys(roles), *roles.strata.keys, *more]
    of_strata = cells.group_by(stratum).agg(
        pl.col("weight").sum().alias(_ALL),
        pl.col("weight").filter(~is_known).abs().sum().alias(_REST),
        together.alias(_TOGETHER),
    )
    sums = cells.filter(is_known).with_columns(weight=pl.col(SPREAD) + together.over(of_cell))
    sided = with_sides(with_finest_counts(sums, roles), roles)
    table = counted(sided, roles, ACROSS_STRATA, more)
    return with_columns_of(table, of_strata, stratum)


_if_known: Final = choose(both_i.n > 0, a_i.n * d_i.n / both_i.n, 0.0)
_variance: Final = _if_known - term(_TOGETHER)
_varies: Final = _variance > _HARDLY * _if_known
_others: Final = (both_i.n - term(_ALL)).abs().sum() + term(_REST).sum()
_is_of_two: Final = (_others <= _HARDLY * term(_ALL).sum()) & _varies.any()
COMMON_SLOPE: Final = Metric(
    SLOPE,
    "",
    across_strata(
        choose(
            _is_of_two,
            COMMON_DIFFERENCE * _if_known.sum() / choose(_varies, _variance).sum(),
        )
    ),
)
"""The slope of each comparison of two groups that are all rows; null for others."""


_CONFUSION: Final = ("tp", "fp", "fn", "tn")

RATE_COLUMNS: Final = ("n", *RATES, "rows_dropped", *_CONFUSION)
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
        **dict.fromkeys(labelled_counts(roles), roles.size),
        **dict.fromkeys(_CONFUSION, pl.Float64() if roles.best else roles.size),
    }


def _numbers_of(roles: Roles) -> list[str]:
    return [name for name, each in NUMBERS_OF_GROUPS.items() if each.needs <= roles.given]


def _types_of_rows(roles: Roles) -> dict[str, pl.DataType]:
    # For groups known only as probabilities, the sum of shares is the number of rows.
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
    table = with_groups_lacking(row_counts(seen, keys, roles), seen, roles, keys)
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
        rates = {column: pl.col(f"{group}.{term}") for column, term in needed.items()}
        numbers |= known_rates(rates, needed, roles)
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
    numbers |= {name: roles.sized(pl.col(name).fill_null(0)) for name in labelled_counts(roles)}
    types = _types(roles) | (_types_of_rows(roles) if has_rows else {})
    shown = {name: numbers.get(name, pl.lit(None)).cast(dtype) for name, dtype in types.items()}
    return groups_shown(table, roles, shown)


def groups_shown(
    table: pl.LazyFrame, roles: Roles, columns: Mapping[str, pl.Expr], order: Sequence[str] = ()
) -> pl.LazyFrame:
    """The rows of groups as results show them, those of a group in this order."""
    value = written_key(pl.col("value"), roles)
    # Two groups that are written in the same way stay apart.
    keys = [*roles.place_order, value.alias("written\x1f"), "value", *order]
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
    counts = [word for word in RATE_COLUMNS if word in COUNTS and outcomes_of(word) <= roles.given]
    rates = [name for name, rate in RATES.items() if rate.needs <= roles.given]
    if roles.nulls != "drop":
        return [(roles, [*counts, *rates])]
    parts: dict[frozenset[str], list[str]] = {}
    for rate in rates:
        parts.setdefault(RATES[rate].needs, []).append(rate)
    return [(roles, counts), *((roles.needing(needs), alike) for needs, alike in parts.items())]

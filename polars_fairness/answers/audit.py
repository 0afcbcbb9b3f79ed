"""Metrics to tidy rows, each with an interval and a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.answers.absences import Absences
from polars_fairness.answers.audit_values import (
    GROUP,
    LEAN,
    P_VALUE,
    ROWS,
    SMALLER,
    WIDENING,
    WORST,
    ends,
    is_estimated,
    values_and_bounds,
    with_all_comparisons,
)
from polars_fairness.answers.contrasts import (
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    CONTRAST,
    HAS_ROWS,
    OFFSET,
    with_contrasts,
)
from polars_fairness.answers.criteria import Criteria, closed_forms_of_audit
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.verdicts import by_significance, judged
from polars_fairness.counting.baselines import refuse_no_reference
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.decided_sides import (
    GROUPS_CHOSEN_FROM,
    find_choice,
    groups_of_facets,
    sides_decided,
)
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import CORRELATION, DIFFERENCE, SUM, bound_names
from polars_fairness.inference.significance import adjusted, families_of
from polars_fairness.question.judging import Band, Rule
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import IS_BASELINE
from polars_fairness.values.evaluate import SIDES, SIZES, by_needs, place_keys
from polars_fairness.values.scores.cells import cells_by_score

OF_SIDES: Final = (*SIDES[1:], *SIZES[:2])
STANDARD: Final = ("ideal", "band_lower", "band_upper")

# An inner column: no column of a caller and no metric has such a name.
METRIC: Final = "metric\x1f"

NO_VALUE: Final = pl.lit(None, pl.Float64)


def _types(size: pl.DataType) -> dict[str, pl.DataType]:
    """The columns that a result may have after those of ``by``, in order, with their types.

    The metric stands fourth, and its value, bounds and verdict last: polars prints the first and
    the last four columns of a wide frame.
    """
    return {
        **dict.fromkeys((*SIDES, "metric"), pl.String()),
        **dict.fromkeys(SIZES, size),
        **dict.fromkeys(ROWS, pl.Int64()),
        **dict.fromkeys(STANDARD, pl.Float64()),
        "is_small": pl.Boolean(),
        "p_value": pl.Float64(),
        **dict.fromkeys(CONTRAST[:-1], pl.Float64()),
        CONTRAST[-1]: pl.String(),
        **dict.fromkeys(("value", "lower", "upper"), pl.Float64()),
        "verdict": pl.String(),
    }


COLUMNS: Final = tuple(_types(pl.Int64()))
"""The columns that a result may have after the columns of ``by``."""


def schema(roles: Roles, options: AuditOptions) -> pl.Schema:
    """The columns of the result with their types, known before anything runs."""
    optional = {
        "is_small": options.minimum_count,
        "p_value": options.p_values,
        **dict.fromkeys(CONTRAST, options.contrast),
    }
    types = {
        name: dtype
        for name, dtype in _types(roles.size).items()
        if optional.get(name, "always") is not None
    }
    return pl.Schema({**roles.windows.of_frame.types, **types})


def audited(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """Evaluate metrics, each on a row of its own with its interval and verdict."""
    options = criteria.options
    # Inner names of windows and metrics: none is a pattern or the name of a column.
    inside = replace(roles, windows=roles.windows.named_by_keys())
    numbered = {
        f"\x1f{i:06}": replace(metric, sign=criteria.signs.get(name, 0))
        for i, (name, metric) in enumerate(metrics.items())
    }
    closed = partial(_closed_forms, [*numbered], metrics, roles, criteria)
    cells, sided = sides_decided(decided(seen, inside), inside)
    scored = cells_by_score(seen, cells, sided)
    counted = collected(cells)
    references = None
    if roles.windows.has_baseline:
        refuse_no_reference(counted, sided)
    if options.contrast is not None:
        windows = counted.select(inside.windows.keys).unique(maintain_order=True)
        references = options.contrast.references(windows, roles)
    parts = by_needs(numbered, sided)
    choice = find_choice(counted.lazy(), sided)
    names = dict(zip(numbered, metrics, strict=True))
    found = []
    for counting, alike in parts:
        table = values_and_bounds(counted, scored, counting, alike, closed, options, choice)
        whole = with_all_comparisons(table, counted, counting, [each for each, _ in parts])
        found += [
            _rows(
                whole if metric.has_sides else table,
                inside,
                number,
                metric,
                names[number],
                criteria,
            )
            for number, metric in alike.items()
        ]
    rows = pl.concat(found, how="diagonal")
    # Comparisons whose sides are written in the same way keep their order.
    order = [*place_keys(roles), "disfavored", METRIC]
    judged_rows = _tested(rows, criteria, place_keys(roles))
    if references is not None:
        judged_rows = with_contrasts(judged_rows, references, inside, METRIC, options.drift)
        judged_rows = _with_absences(judged_rows, counted, sided, parts, references, options)
    ordered = judged_rows.sort(order, nulls_last=True, maintain_order=True)
    named = ordered.rename(dict(zip(roles.windows.keys, roles.windows.names, strict=True)))
    return named[schema(roles, options).names()].lazy()


def _with_absences(
    rows: pl.DataFrame,
    cells: pl.DataFrame,
    roles: Roles,
    parts: Sequence[tuple[Roles, Mapping[str, Metric]]],
    references: pl.DataFrame,
    options: AuditOptions,
) -> pl.DataFrame:
    """The rows of the frame, and those of what only the frame or its reference has.

    ``parts`` has the metrics that count the same rows, with the question about these rows.
    """
    if options.champion is not None:
        # All models decide about the same rows.
        return rows
    is_joint = (pl.col("facet") == roles.joint_facet) & roles.are_joint
    single, least = cells.lazy().filter(~is_joint), options.minimum_count or 0
    found = []
    for counting, metrics in parts:
        groups = collected(groups_of_facets(of_complete_rows(single, counting), roles)).lazy()
        absences = Absences(roles, metrics, METRIC, references.lazy(), groups, least)
        found.append(absences.shown_in(rows.filter(pl.col(METRIC).is_in([*metrics]))))
    shown = pl.concat(found)
    return shown.filter(~pl.col(IS_BASELINE)) if roles.windows.has_baseline else shown


def rows_by_facet(
    audit: pl.DataFrame, windows: Sequence[str], counts: Sequence[str], time: str | None = None
) -> pl.DataFrame:
    """These row counts of an audit over all windows, a row for each facet.

    Where metrics of a facet count different rows, there is a row for each of these counts, with
    the metrics in a column ``metric``, which is null otherwise. An audit repeats the counts of a
    facet and window for each comparison. Of a sequential one, whose ``time`` is one of the windows,
    the last time has the counts of all.
    """
    of_metrics = [name for name in ("metric",) if name in audit.columns]
    once = audit[[*windows, "facet", *of_metrics, *counts]].unique(maintain_order=True)
    if time is not None:
        # By place: polars takes a name such as `^a$` or `*` for a pattern.
        *others, of_time = sorted(range(len(windows)), key=lambda i: windows[i] == time)
        last = pl.nth(of_time).max().over(*map(pl.nth, others), "facet")
        once = once.filter(pl.nth(of_time) == last)
    summed = once.group_by("facet", *of_metrics, maintain_order=True).agg(pl.col(counts).sum())
    alike = summed.group_by("facet", *counts, maintain_order=True).agg(of_metrics)
    are_several = pl.len().over("facet") > 1
    return alike.with_columns(pl.when(are_several).then(name).alias(name) for name in of_metrics)


def _closed_forms(
    numbers: Sequence[str],
    metrics: Mapping[str, Metric],
    roles: Roles,
    criteria: Criteria,
    confidence: float,
) -> dict[str, Metric]:
    """The bounds that are metrics themselves, at a confidence, by their inner names."""
    options, forms = criteria.options, criteria.closed_forms
    if confidence != options.confidence:
        forms = closed_forms_of_audit(metrics, roles, replace(options, confidence=confidence))
    return {
        bound: limit
        for number, name in zip(numbers, metrics, strict=True)
        if name in forms
        for bound, limit in zip(bound_names(number), forms[name], strict=True)
    }


def _tested(rows: pl.DataFrame, criteria: Criteria, places: Sequence[str]) -> pl.DataFrame:
    """The rows with p-values adjusted if requested, and verdicts by significance."""
    if (requested := criteria.options.p_values) is not None:
        # The tests of a baseline are those of another audit.
        sources = rows.partition_by(IS_BASELINE) if IS_BASELINE in rows.columns else [rows]
        rows = pl.concat(
            part.with_columns(
                adjusted(part["p_value"], requested, families_of(part, [*places, METRIC])).alias(
                    "p_value"
                )
            )
            for part in sources
        )
    is_settled = pl.col("metric").replace_strict(criteria.rules) != "significant"
    verdict, p_value = pl.col("verdict"), pl.col("p_value")
    return rows.with_columns(
        pl.when(is_settled)
        .then(verdict)
        .otherwise(by_significance(verdict, p_value))
        .alias("verdict")
    )


def _fewest_rows(name: str, metric: Metric) -> pl.Expr:
    """The number of rows of the smallest side or group that a metric compares."""
    if metric.has_sides:
        return pl.col(SMALLER)
    if metric.is_joint:
        return pl.col(f"{name}{WORST}").fill_null(0)
    return pl.col(GROUP if metric.parsed.level.keeps_groups_apart else "rows_used")


def _rows(
    table: pl.DataFrame,
    roles: Roles,
    name: str,
    metric: Metric,
    called: str,
    criteria: Criteria,
) -> pl.DataFrame:
    """The rows of one metric, by its inner name and the name by which it is called."""
    options, band, rule = criteria.options, criteria.bands[called], criteria.rules[called]
    if roles.are_joint:
        table = table.filter((pl.col("facet") == roles.joint_facet) == metric.is_joint)
    undefined = pl.lit(None if band is None else "undefined", pl.String)
    places = place_keys(roles)
    lean = _lean_of(metric, favorable=roles.favorable)
    lower, upper, verdict = _judgement(table, name, metric, lean, band, rule)
    p_value = f"{name}{P_VALUE}"
    standard = zip(STANDARD, (metric.ideal, *(band or (None, None))), strict=True)
    rows = table.select(
        *places,
        *SIDES[1:],
        *SIZES,
        *ROWS,
        pl.col(name).alias("value"),
        lower.alias("lower"),
        upper.alias("upper"),
        *(pl.lit(number, pl.Float64).alias(column) for column, number in standard),
        (_fewest_rows(name, metric) < (options.minimum_count or 0)).alias("is_small"),
        (pl.col(p_value) if p_value in table.columns else NO_VALUE).alias("p_value"),
        pl.when(is_estimated(name, metric)).then(verdict).otherwise(undefined).alias("verdict"),
        pl.lit(name).alias(METRIC),
        pl.lit(called).alias("metric"),
        COMPARISON_KEY,
        GROUPS_CHOSEN_FROM,
        ((pl.col(SMALLER) > 0) | (not metric.has_sides)).alias(HAS_ROWS),
        *_offsets(metric, pl.col(name), lower, upper),
        *_drawn_contrast(table, name),
    )
    if metric.has_sides:
        return rows
    sides = (*OF_SIDES, COMPARISON_KEY)
    absent = (pl.lit(None, rows.schema[column]).alias(column) for column in sides)
    return rows.with_columns(absent).unique(places, keep="first", maintain_order=True)


def _offsets(metric: Metric, *values: pl.Expr) -> Iterator[pl.Expr]:
    """By how much a value and its bounds are above the ideal."""
    for column, value in zip(OFFSET, values, strict=True):
        yield metric.offset(value).alias(column)


def _drawn_contrast(table: pl.DataFrame, name: str) -> Iterator[pl.Expr]:
    """What draws say of the difference from the champion; null where there are none."""
    drawn = {f"{name}{CORRELATION}": CORRELATION}
    for kind, columns in ((DIFFERENCE, BOUNDS_OF_DIFFERENCE), (SUM, BOUNDS_OF_SUM)):
        drawn |= zip(bound_names(f"{name}{kind}"), columns, strict=True)
    for found, column in drawn.items():
        yield (pl.col(found) if found in table.columns else NO_VALUE).alias(column)


def _judgement(
    table: pl.DataFrame, name: str, metric: Metric, lean: pl.Expr, band: Band, rule: Rule
) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """The bounds of a metric, and its verdict."""
    value, sign = pl.col(name), metric.sign or 0
    if not {*bound_names(name)} <= {*table.columns}:
        nearer = value
        if rule == "interval" and metric.has_sides and not metric.has_interval:
            # The value of a test is a number of standard errors: of all pairs it takes more.
            ideal = metric.ideal or 0.0
            nearer = ideal + (value - ideal) / pl.col(WIDENING)
        judged_ends = pl.min_horizontal(nearer, value), pl.max_horizontal(nearer, value)
        return NO_VALUE, NO_VALUE, judged(*judged_ends, band, sign, lean)
    lower, upper = ends(name, metric)
    judged_ends = (lower, upper) if rule == "interval" else (value, value)
    return lower, upper, judged(*judged_ends, band, sign, lean)


def _lean_of(metric: Metric, *, favorable: bool) -> pl.Expr:
    """Which side has the good outcome of the metric less often: d if above 0, a if below."""
    about = [role for role in ("predicted", "label") if role in metric.needs]
    # A distance between scores is about their order or their height, and not about a rate.
    has_lean = metric.has_sides and about and "score" not in metric.needs
    if not has_lean:
        return pl.lit(0)
    lean = pl.col(f"{LEAN}{about[0]}")
    return lean if favorable else -lean

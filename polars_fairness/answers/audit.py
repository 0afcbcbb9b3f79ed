"""The function `audit`: metrics with intervals and verdicts, computed in one pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import comb
from typing import Any, Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.answers.audit_rows import (
    EDGES,
    FEWEST,
    ROWS,
    SMALLER,
    WIDENING,
    against_on_range,
    has_e_value,
    noted,
    rows_of_metrics,
    verdict_on_range,
    verdict_over_unknown,
)
from polars_fairness.answers.contrasts import (
    CERTAINTY,
    CONTRAST,
    PART,
    with_absences,
    with_contrasts,
)
from polars_fairness.answers.hidden import hidden_rows
from polars_fairness.answers.options import (
    AuditOptions,
    Criteria,
    closed_forms_of_audit,
    find_criteria,
    options_and_question,
    refuse_other_than_sequences,
)
from polars_fairness.api.baselines import (
    find_baseline,
    refuse_impossible_window,
    refuse_no_reference,
)
from polars_fairness.api.bound import CheckedQuestion, read, under_policy
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import AUDIT, E_VALUES, UNMEASURED, names_of, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested, with_certainty
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import DEPENDS, OUTSIDE, significance_verdict
from polars_fairness.counting.cells import cells_of_all_rows, cells_up_to_each_time, without_key
from polars_fairness.counting.collected import (
    WORTH_OPTIMISING,
    collected,
    collected_together,
)
from polars_fairness.counting.complete_rows import complete_cells, row_counts, whole_rows
from polars_fairness.counting.counts import CLUSTER, with_columns_of
from polars_fairness.counting.polars_rows import SCALED_ROWS
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import (
    COMPARISON_KEY,
    GROUPS_CHOSEN_FROM,
    find_choice,
    groups_of_facets,
)
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS, COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.tree import choose, term
from polars_fairness.inference.allocations import ENDS, IS_DEFINED, LIMITS, WHY, ranged
from polars_fairness.inference.bootstrap import contrasted
from polars_fairness.inference.bounds import bounded, bounded_by_sums, bounded_over_clusters
from polars_fairness.inference.completions import (
    HOLDS_FROM,
    IS_COMPLETE,
    IS_POINT,
    completed_ranges,
    has_range,
)
from polars_fairness.inference.draws import Drawing
from polars_fairness.inference.influence import (
    compare_at_equal_controls,
    says_what_is_unmeasured,
)
from polars_fairness.inference.missing_labels import (
    PartlyLabelled,
    depend_on_missing_labels,
)
from polars_fairness.inference.order_statistics import quantile_bounds
from polars_fairness.inference.quantiles import confidence_of_a_pair, widening
from polars_fairness.inference.significance import (
    adjust_for_all_pairs,
    adjusted,
    families_of,
    find_tests,
)
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import OF_AUDIT, AuditQuestion
from polars_fairness.question.columns import GivenAs
from polars_fairness.question.completing import Assumption
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import (
    ESTIMATOR,
    IS_BASELINE,
    LINEAR,
    POSITIVE,
    WEIGHTED,
    time_of,
)
from polars_fairness.values.evaluate import (
    comparisons,
    group_by_needs,
    place_keys,
    prepared,
)
from polars_fairness.values.formula_checks import has_bounds
from polars_fairness.values.intersections import ROWS as ROWS_OF_GROUP
from polars_fairness.values.levels import keys_of
from polars_fairness.values.lines import (
    AT_RANDOM,
    BOUNDS,
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    LABELS,
    LOWER,
    METRIC,
    P_VALUE,
    UNLABELLED,
    VALUE,
    Found,
    Lines,
    lines_of,
    put_values,
    rows_of_smaller_sides,
)
from polars_fairness.values.replicated_counts import Tables
from polars_fairness.values.unlabelled import (
    ON_MISSING_LABELS,
    about_labelled_rows,
    how_known,
    needing_all_labels,
    why_unknown,
    with_reasons,
)


@answers(*OF_AUDIT, columns=AUDIT)
def audit(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[AuditQuestion]
) -> PolarsFrame:
    """Return one row for each metric of each comparison, with an interval and a verdict.

    Parameters
    ----------
    *metrics
        As in `metrics`. Without any, all metrics that the given columns allow.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric. A window without a comparison has one row for each
        metric, with null sides. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> audit = pf.audit(
    ...     applicants,
    ...     "di",
    ...     "mh_ratio",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     subgroup="department",
    ...     count="n",
    ... )
    >>> audit.select("metric", "verdict").rows()
    [('di', 'outside'), ('mh_ratio', 'within')]
    """
    answer = audit_with_certainty(frame, *metrics, **given)
    return answer.drop(CERTAINTY) if CERTAINTY in answer.collect_schema() else answer


def audit_with_certainty(
    frame: AnyFrame, *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[AuditQuestion]
) -> PolarsFrame:
    """Return an audit, with a reference also the column of changes that hold together."""
    named, given = under_policy(frame, metrics, given)
    options, question = options_and_question(given)
    bound = read(frame, question, "audit", vars(options))
    every_column = bound.roles
    if options.champion is not None:
        every_column = every_column.against(options.champion)
    named_metrics, roles = requested(named, every_column)
    bound, roles = completed_by(bound, roles, options)
    if options.confidence is not None:
        roles = with_certainty(named_metrics.values(), roles)
    baseline = None
    if options.has_baseline_frame:
        baseline = find_baseline(
            options.baseline, bound, named_metrics, roles, options.baseline_count
        )
    elif options.baseline is not None:
        refuse_impossible_window(options.baseline, roles)
    criteria = find_criteria(named_metrics, roles, options)
    if named:
        refuse_other_than_sequences(criteria, named_metrics, every_column)
    refuse_taken_names(roles, {"by"}, COLUMNS)
    cells_of = cells_of_all_rows
    if options.sequential:
        cells_of = partial(cells_up_to_each_time, time=time_of(roles.windows))
    return answer_of(
        bound,
        roles,
        partial(audited, metrics=named_metrics, criteria=criteria),
        types_of_audit(roles, options, named_metrics.values()),
        cells_of=cells_of,
        baseline=baseline,
        by_cluster=True,
    )


def completed_by(
    bound: CheckedQuestion, roles: Roles, options: AuditOptions
) -> tuple[CheckedQuestion, Roles]:
    """The question with the columns by which missing labels are completed as its strata."""
    if options.unlabelled_by is None:
        return bound, roles
    given: Any = options.unlabelled_by
    several = given if isinstance(given, list | tuple) else [given]
    strata = [GivenAs("unlabelled_by", each, may_be_several=True) for each in several]
    by = cast("Question", {**bound.given, "subgroup": strata})
    bound = read(bound.frame, by, "audit", vars(options) | {"unlabelled_by": None})
    return bound, replace(roles, strata=bound.roles.strata)


@dataclass(frozen=True)
class Counted:
    """The cells of all rows, and those by score, as an audit reads them.

    Where ``choice`` says among how many groups the data chose the sides, bounds and p-values hold
    for all pairs of these groups together. ``whole`` is the question about all rows; each
    metric reads the rows that have what it needs. ``by_cluster`` has the cells, and the cells by
    score, of each group of clusters.
    """

    cells: pl.DataFrame
    scored: pl.LazyFrame
    whole: Roles
    choice: pl.DataFrame | None = None
    by_cluster: tuple[pl.DataFrame, pl.LazyFrame] | None = None

    @classmethod
    def of(cls, seen: pl.LazyFrame, roles: Roles, *, as_if_named: bool = False) -> Counted:
        """The cells with decisions and sides, and those of each group of clusters beside them.

        With ``as_if_named``, it does not matter that the data chose the sides.
        """
        plan, scored, sided = prepared(seen, roles)
        cells = collected(plan)
        choice = None if as_if_named else find_choice(cells.lazy(), sided)
        if not sided.left_out:
            return cls(cells, scored, sided, choice)
        together = collected(without_key(cells.lazy(), CLUSTER))
        return cls(together, without_key(scored, CLUSTER), sided, choice, (cells, scored))

    @property
    def all_scored(self) -> pl.LazyFrame:
        """The cells by score, those of each group of clusters where there are any."""
        return self.scored if self.by_cluster is None else self.by_cluster[1]

    def drawing(self, options: AuditOptions) -> Drawing:
        """How counts are drawn for the intervals of these options."""
        return Drawing(options.replicates, options.seed, options.confidence or 0.0, self.choice)


def values_and_bounds(
    counted: Counted,
    roles: Roles,
    metrics: Mapping[str, Metric],
    options: AuditOptions,
    counting: Sequence[Roles] = (),
) -> Lines:
    """Each comparison with values, bounds, and the numbers that verdicts depend on.

    The metrics count the same rows. Where others count other rows, ``counting`` has the questions
    about all of these, whose comparisons are lines too.
    """
    seen, choice, by_cluster = counted.cells, counted.choice, counted.by_cluster
    is_cheap = seen.height < WORTH_OPTIMISING
    plans = [complete_cells(seen.lazy(), roles), _places(seen.lazy(), roles)]
    if len(counting) > 1:
        plans.append(comparisons(seen.lazy(), roles, counting).drop_nulls(COMPARISON_KEY))
    cells, places, *compared = collected_together(plans, is_cheap=is_cheap)
    is_drawn = options.confidence is not None and by_cluster is None and not options.sequential
    tables = Tables(cells, roles.paired if is_drawn else roles)
    more = [*ROWS[:2], _GROUP, *([SCALED_ROWS] if roles.windows.has_estimators else [])]
    lines = lines_of(places, tables, roles, more, *compared)
    lines = _with_choice(lines, choice, options)
    own: Mapping[tuple[str, str], Metric] = {}
    of_pairs: Mapping[int, Mapping[tuple[str, str], Metric]] = {}
    if options.confidence is not None and by_cluster is None:
        own = closed_bounds(metrics, roles, options)
        of_pairs = _bounds_of_pairs(choice, metrics, roles, options)
    wanted = {(VALUE, name): each for name, each in metrics.items()} | {**own}
    wanted |= noted(metrics, roles)
    wanted |= {(FEWEST, name): _rows_of_worst(m) for name, m in metrics.items() if m.is_joint}
    scored = counted.scored
    if roles.are_joint:
        scored = scored.filter(pl.col("facet") != roles.joint_facet)

    def put(named: Mapping[tuple[str, str], Metric], question: Roles = roles) -> None:
        known = {key: each for key, each in named.items() if not _is_at_equal_controls(each)}
        put_values(lines, tables, scored, question, known)

    put(wanted)
    for groups, bounds in of_pairs.items():
        of_one = {key: lines.array(*key) for key in bounds}
        put(bounds)
        are_of_these = (lines.table[GROUPS_CHOSEN_FROM] == groups).fill_null(value=False).to_numpy()
        for (column, name), each in of_one.items():
            chosen = np.where(are_of_these, lines.array(column, name), each)
            lines.columns[column][name] = chosen
    _put_rows(lines, tables, roles, metrics)
    _put_bounds(lines, tables, roles, metrics, options, counted)
    _put_unlabelled(lines, tables, roles, metrics, counted, options)
    if options.p_values is not None and not roles.left_out:
        # Two sides that share rows are equal where d equals the rest: only these are independent.
        apart, tests = roles.against_the_rest(), find_tests(metrics, roles)
        put({(P_VALUE, name): test for name, test in tests.items()}, apart)
        _leave_out_unknown_labels(lines, seen, apart, tests, [P_VALUE])
    for name, p_values in lines.columns.get(P_VALUE, {}).items():
        given = pl.Series(p_values, nan_to_null=True)
        of_all = adjust_for_all_pairs(given, lines.table[GROUPS_CHOSEN_FROM])
        lines.columns[P_VALUE][name] = of_all.fill_null(np.nan).to_numpy()
    return lines


def _put_unlabelled(
    lines: Lines,
    tables: Tables,
    roles: Roles,
    metrics: Mapping[str, Metric],
    counted: Counted,
    options: AuditOptions,
) -> None:
    """Leave out what needs labels that none has, and put why, and what depends on the others."""
    known = (VALUE, *BOUNDS, *BOUNDS_OF_DIFFERENCE, *BOUNDS_OF_SUM, P_VALUE)
    reasons, words = _leave_out_unknown_labels(lines, counted.cells, counted.whole, metrics, known)
    if reasons:
        # Comparisons that have rows for metrics of other rows only say nothing.
        places = tables.at(COMPARISON, roles).places
        has_none = lines.places(places, keys_of(COMPARISON, roles)) == places.height
        is_silent = has_none & lines.table[COMPARISON_KEY].is_not_null().to_numpy()
        for name in (name for name in reasons if metrics[name].has_sides):
            reasons[name][is_silent] = None
    lines.columns[UNLABELLED] = reasons
    single = {name: each for name, each in metrics.items() if not each.is_joint}
    needing = {name: single[name] for name in needing_all_labels(single, counted.whole)}
    if not needing or roles.uncertain_facets:
        return
    partly = PartlyLabelled.from_cells(counted.cells, counted.whole)
    if partly is None:
        return
    has_bounds = options.confidence is not None
    is_drawn = has_bounds and counted.by_cluster is None and not options.sequential
    drawing = counted.drawing(options) if is_drawn else None
    depend, at_random = depend_on_missing_labels(partly, needing, lines, drawing)
    if not has_bounds:
        lines.columns[AT_RANDOM] = at_random
    lines.columns[LABELS] = {
        name: np.where(are_so | (not has_bounds), words[name], None)
        for name, are_so in depend.items()
    }


def _put_rows(lines: Lines, tables: Tables, roles: Roles, metrics: Mapping[str, Metric]) -> None:
    """Put the number of rows by which each row is small."""
    smaller = rows_of_smaller_sides(lines, tables, roles)
    lines.columns[SMALLER] = {"": smaller}
    fewest = lines.columns.setdefault(FEWEST, {})
    for name, metric in metrics.items():
        if metric.has_sides:
            fewest[name] = smaller
        elif not metric.is_joint:
            column = _GROUP if metric.parsed.level.keeps_groups_apart else "rows_used"
            fewest[name] = lines.table[column].cast(pl.Float64).to_numpy()


def closed_bounds(
    metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions
) -> dict[tuple[str, str], Metric]:
    """The bounds that are metrics themselves, by column and name."""
    forms = closed_forms_of_audit(metrics, roles, options)
    return {
        (bound, name): limit
        for name, limits in forms.items()
        for bound, limit in zip(BOUNDS, limits, strict=True)
    }


def _bounds_of_pairs(
    choice: pl.DataFrame | None, metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions
) -> dict[int, dict[tuple[str, str], Metric]]:
    """The closed bounds of comparisons whose sides were chosen, by the number of groups."""
    if choice is None or (confidence := options.confidence) is None:
        return {}
    bounds_by_size = {}
    for groups in choice[GROUPS_CHOSEN_FROM].unique().sort():
        if groups > 2:
            of_pair = confidence_of_a_pair(groups, confidence)
            if options.sequential:
                # No two groups have one normal distribution at all looks: the chances add up.
                of_pair = 1 - (1 - confidence) / comb(groups, 2)
            bounds = closed_bounds(metrics, roles, replace(options, confidence=of_pair))
            bounds_by_size[groups] = {key: each for key, each in bounds.items() if each.has_sides}
    return bounds_by_size


def _leave_out_unknown_labels(
    lines: Lines,
    seen: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    columns: Iterable[str],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Leave out what needs labels that none has, in these columns.

    Return why, by metric, and how many labels are known.
    """
    reasons, words = dict[str, Any](), dict[str, Any]()
    needing = needing_all_labels(metrics, roles)
    if not (noted := [*needing, *about_labelled_rows(metrics, roles)]):
        return reasons, words
    plan = with_reasons(lines.table.lazy(), seen.lazy(), roles)
    table = collected(plan, is_cheap=seen.height < WORTH_OPTIMISING)
    for name in noted:
        why = table.select(why_unknown(metrics[name])).to_series()
        for column in columns:
            if name in needing and name in (of_column := lines.columns.get(column, {})):
                of_column[name] = np.where(why.is_null().to_numpy(), of_column[name], np.nan)
        reasons[name] = why.to_numpy()
        words[name] = table.select(how_known(metrics[name])).to_series().to_numpy()
    return reasons, words


def _with_choice(lines: Lines, choice: pl.DataFrame | None, options: AuditOptions) -> Lines:
    """The lines with the number of groups that sides were chosen from, and what widens bounds."""
    if choice is None:
        number = pl.lit(None, pl.Int64).alias(GROUPS_CHOSEN_FROM)
        return Lines(lines.table.with_columns(number, pl.lit(1.0).alias(WIDENING)))
    keys = [name for name in choice.columns if name != GROUPS_CHOSEN_FROM]
    table = with_columns_of(lines.table, choice, keys)
    confidence = options.confidence or 0.95
    wider = [widening(each or 2, confidence) for each in table[GROUPS_CHOSEN_FROM]]
    return Lines(table.with_columns(pl.Series(WIDENING, wider, pl.Float64)))


def _rows_of_worst(metric: Metric) -> Metric:
    """The number of rows of the worst group; of the smallest if the metric ranks no groups."""
    formula = metric.parsed
    rows = term(ROWS_OF_GROUP)
    if each := formula.each:
        # Two groups that make up all rows have equal distances, except for the last digits.
        product = (each.share * each.distance * 1e12).round()
        worst = product.min() if each.is_worst_where_small else product.max()
        rows = choose(product == worst, rows)
    return replace(metric, formula=replace(formula, expression=rows.min()))


def _put_bounds(
    lines: Lines,
    tables: Tables,
    roles: Roles,
    metrics: Mapping[str, Metric],
    options: AuditOptions,
    counted: Counted,
) -> None:
    """Put the bounds that have no closed form on the lines, and all about equal controls."""
    at_controls = {n: each for n, each in metrics.items() if _is_at_equal_controls(each)}
    # Draws and groups of rows hold at one look only.
    others = {} if options.confidence is None or options.sequential else metrics
    redrawn = {n: m for n, m in others.items() if m.has_interval and m.parsed.level.is_redrawn}
    by_number = {
        number: {name: each for name, each in others.items() if each.parsed.level.number == number}
        for number in dict.fromkeys(each.parsed.level.number for each in others.values())
        if number is not None
    }
    if not (at_controls or redrawn or by_number):
        return
    drawing, cells = counted.drawing(options), tables.cells
    scored = complete_cells(counted.all_scored, roles.counting_scores)
    if counted.by_cluster is not None:
        cells = collected(complete_cells(counted.by_cluster[0].lazy(), roles))
    if redrawn and counted.by_cluster is not None:
        by_outcome = collected(without_key(cells.lazy(), "score"))
        by_cluster = Tables(by_outcome, roles)
        bounded_over_clusters(by_cluster, scored, roles, redrawn, drawing, lines)
        redrawn = {}
    elif numbers := {name: each for name, each in redrawn.items() if each.adds_up_numbers}:
        bounded_by_sums(tables, roles, numbers, drawing, lines)
        redrawn = {name: each for name, each in redrawn.items() if name not in numbers}
    found = list[Iterable[Found]]()
    if redrawn:
        closed = lines.columns.get(LOWER, {})
        own = {name: each for name, each in redrawn.items() if name not in closed}
        found.append(bounded(tables, scored, roles, own, drawing, lines))
        if roles.champion is not None:
            # Without decisions both models are the same.
            found.append(contrasted(tables, scored, redrawn, drawing))
    if at_controls:
        are_tested = options.p_values is not None and not roles.left_out
        found.append(
            compare_at_equal_controls(cells, roles, at_controls, drawing, are_tested=are_tested)
        )
    found.append(quantile_bounds(scored, roles, alike, drawing) for alike in by_number.values())
    for each in chain.from_iterable(found):
        lines.put(each)


def _is_at_equal_controls(metric: Metric) -> bool:
    return metric.parsed.level == AT_EQUAL_CONTROLS


def _places(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The row counts of each facet in each window, and the rows of its smallest known group."""
    groups = row_counts(seen, [*place_keys(roles), "value"], roles)
    is_group = pl.col("value").is_not_null() & (pl.col("rows_used") > 0)
    smallest = pl.when(is_group).then("rows_used").min().fill_null(0)
    places = groups.group_by(place_keys(roles), maintain_order=True).agg(
        pl.col(*ROWS, "unknown").sum(), smallest.alias(_GROUP)
    )
    if not roles.counts_in_part:
        return places
    whole = [*ROWS]
    if roles.windows.has_estimators:
        scaled = seen.group_by(place_keys(roles)).agg(pl.col(SCALED_ROWS).sum())
        places = with_columns_of(places, scaled, place_keys(roles))
        whole.append(SCALED_ROWS)
    return places.with_columns(whole_rows(*whole), pl.col("unknown").round(9))


_GROUP: Final = "group\x1f"
"""The number of rows of the smallest group of each place; no metric has this name."""

COLUMNS: Final = names_of(AUDIT)
"""The columns that a result may have after the columns of ``by``."""


def types_of_audit(
    roles: Roles, options: AuditOptions, metrics: Collection[Metric]
) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types.

    Beside a reference, the last one is an inner column, by which changes are judged together.
    """
    optional = {
        "is_small": options.minimum_count,
        "p_value": options.p_values,
        "within_p_value": options.equivalence or None,
        **dict.fromkeys(CONTRAST, options.contrast),
        **dict.fromkeys(ENDS, options.bounds or options.unlabelled),
        HOLDS_FROM: options.unlabelled,
        **dict.fromkeys(UNMEASURED, any(map(says_what_is_unmeasured, metrics)) or None),
        **dict.fromkeys(E_VALUES, any(map(has_e_value, metrics)) or None),
    }
    without = {name for name, given in optional.items() if given is None}
    types = types_of(AUDIT, roles.size, without)
    certainty = {} if options.contrast is None else {CERTAINTY: pl.Float64()}
    return {**types, **certainty}


def audited(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], criteria: Criteria
) -> pl.LazyFrame:
    """Evaluate metrics, each on a row of its own with its interval and verdict."""
    options = criteria.options
    # Inner names of windows and metrics: none is a pattern or the name of a column.
    inside, numbered = roles.with_inner_names, number_metrics(metrics)
    counted = Counted.of(seen, inside)
    cells, sided, references = counted.cells, counted.whole, None
    if roles.windows.has_baseline:
        refuse_no_reference(cells, sided)
    if options.contrast is not None:
        # A weekend without rows is compared with no day, and Monday with Friday.
        with_rows = cells if roles.windows.has_baseline else cells.filter(pl.col("n") > 0)
        windows = with_rows.select(inside.windows.keys).unique(maintain_order=True)
        references = options.contrast.references(windows, roles)
    parts = [*_split_by_interval(group_by_needs(numbered, sided), options)]
    names = dict(zip(numbered, metrics, strict=True))
    options = _with_share(options, cells.lazy(), sided, parts, names, criteria)
    tables = []
    for counting, alike in parts:
        own_cells = replace(counted, by_cluster=None) if not counting.left_out else counted
        every = [each for each, _ in parts]
        lines = values_and_bounds(own_cells, counting, alike, options, every)
        for has_sides in (True, False):
            of_own = {number: each for number, each in alike.items() if each.has_sides == has_sides}
            if of_own:
                tables.append(rows_of_metrics(lines, inside, of_own, names, criteria))
    rows = pl.concat(tables, how="diagonal")
    if options.bounds:
        rows = with_ranges(rows, inside, [ranges_of(counted, *each) for each in parts])
    rows = _completed(rows, inside, counted, numbered, criteria)
    judged_rows = _tested(rows, criteria, place_keys(roles))
    if references is not None:
        judged_rows = with_contrasts(
            judged_rows, references, sided, options.drift, options.confidence
        )
        groups, least = _groups(counted.cells, sided, parts), options.minimum_count or 0
        of_parts = [alike for _, alike in parts]
        judged_rows = with_absences(judged_rows, references, groups, sided, of_parts, least)
    if options.bounds:
        judged_rows = judged_rows.with_columns(verdict=verdict_over_unknown())
    if options.hide_below is not None:
        judged_rows = hidden_rows(judged_rows, cells.lazy(), sided, metrics, options.hide_below)
    return as_shown(judged_rows, roles, types_of_audit(roles, options, metrics.values()))


def _with_share(
    options: AuditOptions,
    cells: pl.LazyFrame,
    roles: Roles,
    parts: Iterable[tuple[Roles, Mapping[str, Metric]]],
    names: Mapping[str, str],
    criteria: Criteria,
) -> AuditOptions:
    """The options of intervals that hold for all comparisons together, if sequences shall.

    Each sequence has an equal share of the probability of an error.
    """
    if options.sequential != "all" or options.confidence is None:
        return options
    time, number = time_of(roles.windows), 0
    for counting, alike in parts:
        keys = [*(key for key in place_keys(roles) if key != time), COMPARISON_KEY]
        pairs = collected(comparisons(cells, roles, [counting]), is_cheap=True)[keys].unique()
        sided = [m.has_sides for name, m in alike.items() if names[name] in criteria.sequences]
        number += sided.count(True) * len(pairs.drop_nulls(COMPARISON_KEY))
        number += sided.count(False) * len(pairs[keys[:-1]].unique())
    return replace(options, confidence=1 - (1 - options.confidence) / max(number, 1))


def ranges_of(
    counted: Counted,
    roles: Roles,
    metrics: Mapping[str, Metric],
    options: AuditOptions | None = None,
) -> pl.DataFrame:
    """The ranges of the metrics that have bounds over rows of unknown group, as `ranged` has them.

    Given options, their intervals are those of an audit.
    """
    known = {
        name: each
        for name, each in metrics.items()
        if has_bounds(each, is_weighted=roles.is_weighted)
    }
    cells, drawing = counted.cells, None
    if options is not None and options.confidence is not None:
        drawing = counted.drawing(options)
        if counted.by_cluster is not None:
            cells = collected(without_key(counted.by_cluster[0].lazy(), "score"))
    return ranged(collected(complete_cells(cells.lazy(), roles)), roles, known, drawing)


def with_ranges(rows: pl.DataFrame, roles: Roles, ranges: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The rows of metrics with the ranges of these, if the labels that they need are known."""
    keys = [*place_keys(roles), COMPARISON_KEY, METRIC]
    return with_columns_of(rows, pl.concat(ranges), keys).with_columns(
        pl.when(pl.col(UNLABELLED).is_null()).then(pl.col(*ENDS, *LIMITS)),
        pl.coalesce(UNLABELLED, WHY).alias(WHY),
    )


def _completed(
    rows: pl.DataFrame,
    roles: Roles,
    counted: Counted,
    metrics: Mapping[str, Metric],
    criteria: Criteria,
) -> pl.DataFrame:
    """The rows, with ranges and verdicts where missing labels are completed by an assumption."""
    options, keys = criteria.options, [*place_keys(roles), COMPARISON_KEY, METRIC]
    if options.unlabelled is None:
        return rows
    by_strata = options.unlabelled_by is not None
    of_range = {n: each for n, each in metrics.items() if has_range(each, by_strata=by_strata)}
    partly = PartlyLabelled.from_cells(counted.cells, counted.whole) if of_range else None
    if partly is None:
        return rows.with_columns(pl.lit(None, pl.Float64).alias(e) for e in (*ENDS, HOLDS_FROM))
    edges = {name: row for name, *row in rows[[METRIC, *EDGES]].drop_nulls().unique(METRIC).rows()}
    assumption = Assumption.of(options.unlabelled)
    drawing = counted.drawing(options) if options.confidence is not None else None
    found = completed_ranges(
        partly, of_range, edges, assumption, drawing, in_strata=by_strata
    ).select(
        *keys,
        *(*ENDS, *LIMITS, HOLDS_FROM, IS_DEFINED, IS_POINT, IS_COMPLETE),
        pl.col(VALUE).alias(AT_RANDOM),
    )
    rows = with_columns_of(rows, found, keys)
    by_interval = pl.col("metric").replace_strict(criteria.rules) != "point"
    by_interval &= pl.lit(options.confidence is not None)
    least, most = (
        pl.when(by_interval).then(limit).otherwise(end).alias(f"judged {end}")
        for end, limit in zip(ENDS, LIMITS, strict=True)
    )
    is_completed = pl.col("lowest").is_not_null() & ~pl.col(IS_COMPLETE)
    note = pl.lit(f"label: missing ones {assumption.in_words}; {ON_MISSING_LABELS}")
    rows = rows.with_columns(least, most)
    verdict = verdict_on_range("judged lowest", "judged highest", IS_DEFINED)
    # The interval of one value crosses an edge for want of rows, whatever the labels are.
    crosses = (verdict == DEPENDS) & pl.col(IS_POINT) & pl.col("judged lowest").is_not_null()
    verdict = pl.when(crosses).then(pl.lit("uncertain")).otherwise(verdict)
    changed = {
        VALUE: pl.col(AT_RANDOM),
        **{name: pl.col(limit) for name, limit in zip(BOUNDS, LIMITS, strict=True)},
        "verdict": verdict,
        "against": against_on_range("judged lowest"),
        "note": pl.when(verdict == DEPENDS).then(note),
    }
    return rows.with_columns(
        pl.when(is_completed).then(each).otherwise(name).alias(name)
        for name, each in changed.items()
    )


def number_metrics(metrics: Mapping[str, Metric]) -> dict[str, Metric]:
    """The metrics by inner names, which have their order."""
    return {f"\x1f{i:06}": metric for i, metric in enumerate(metrics.values())}


def as_shown(rows: pl.DataFrame, roles: Roles, columns: Iterable[str]) -> pl.LazyFrame:
    """The rows of metrics in order, with the names of the windows in place of their keys."""
    # Comparisons whose sides are written in the same way keep their order.
    order = [*roles.place_order, "disfavored", METRIC]
    ordered = rows.lazy().sort(order, nulls_last=True, maintain_order=True)
    # What makes a row undefined, hidden or dependent on unknown rows need not know of the side.
    ordered = ordered.with_columns(pl.when(pl.col("verdict") == OUTSIDE).then("against"))
    keys = dict(zip(roles.windows.names, roles.windows.keys, strict=True))
    names = [*roles.windows.without_baseline.types, *columns]
    return ordered.select([pl.col(keys.get(name, name)).alias(name) for name in names])


def _split_by_interval(
    parts: Iterable[tuple[Roles, dict[str, Metric]]], options: AuditOptions
) -> Iterator[tuple[Roles, dict[str, Metric]]]:
    """The metrics that count the same rows, those of numbers apart: others draw no sums of them."""
    for roles, alike in parts:
        has_keys = any(number.is_key for number in roles.numbers)
        if roles.left_out or not (has_keys or roles.numbers):
            yield roles, alike
            continue
        numbers = {name: each for name, each in alike.items() if each.adds_up_numbers}
        by_value = {name: each for name, each in alike.items() if each.parsed.level.number}
        others = {n: each for n, each in alike.items() if n not in (*numbers, *by_value)}
        kinds = ((roles, numbers), (roles, by_value), (replace(roles, numbers=()), others))
        yield from ((by, of) for by, of in kinds if of)


def _groups(
    cells: pl.DataFrame, roles: Roles, parts: Sequence[tuple[Roles, Mapping[str, Metric]]]
) -> pl.LazyFrame:
    """The groups of every window, for each part of the metrics, which count the same rows."""
    is_joint = (pl.col("facet") == roles.joint_facet) & roles.are_joint
    single = cells.lazy().filter(~is_joint)
    return pl.concat(
        groups_of_facets(complete_cells(single, counting), roles).with_columns(
            pl.lit(part).alias(PART)
        )
        for part, (counting, _) in enumerate(parts)
    )


def rows_by_facet(
    audit: pl.DataFrame, windows: Sequence[str], counts: Sequence[str], time: str | None = None
) -> pl.DataFrame:
    """These row counts of an audit over all windows, a row for each facet.

    Where metrics of a facet count different rows, there is a row for each of these counts, with
    the metrics in a column ``metric``, which is null otherwise. An audit repeats the counts of a
    facet and window for each comparison. A sum with a hidden count is null. For a sequential one,
    whose ``time`` is one of the windows, the last time has the counts of all.
    """
    of_metrics = [name for name in ("metric",) if name in audit.columns]
    if ESTIMATOR in windows and {*audit[ESTIMATOR]} - {None} == {WEIGHTED, LINEAR}:
        # Both estimators are about the same rows; the sums of one are those of the other, rounded.
        audit = audit.filter(pl.col(ESTIMATOR).fill_null(WEIGHTED) == WEIGHTED)
    if windows[-1:] == [POSITIVE]:
        audit = _keep_first_class(audit, windows, ["facet", *of_metrics, *counts])
    once = audit[[*windows, "facet", *of_metrics, *counts]].unique(maintain_order=True)
    if time is not None:
        # By place: polars takes a name such as `^a$` or `*` for a pattern.
        *others, of_time = sorted(range(len(windows)), key=lambda i: windows[i] == time)
        last = pl.nth(of_time).max().over(*map(pl.nth, others), "facet")
        once = once.filter(pl.nth(of_time) == last)
    is_known = pl.col(counts).is_not_null().all()
    summed = once.group_by("facet", *of_metrics, maintain_order=True).agg(
        pl.when(is_known).then(pl.col(counts).sum())
    )
    alike = summed.group_by("facet", *counts, maintain_order=True).agg(of_metrics)
    are_several = pl.len().over("facet") > 1
    return alike.with_columns(pl.when(are_several).then(name).alias(name) for name in of_metrics)


def _keep_first_class(
    audit: pl.DataFrame, windows: Sequence[str], others: Sequence[str]
) -> pl.DataFrame:
    """The rows of one class, if each class has as many rows in every window.

    Otherwise the last window is a column of the caller with the name of that of classes.
    """
    counts = [name for name in others if not audit.schema[name].is_float()]
    alike = [*windows[:-1], *counts]
    is_key = {"facet", "metric", *windows[:-1]}
    if audit[alike].n_unique() != audit[[name for name in alike if name in is_key]].n_unique():
        return audit
    return audit.unique(alike, keep="first", maintain_order=True)


def _tested(rows: pl.DataFrame, criteria: Criteria, places: Sequence[str]) -> pl.DataFrame:
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
    if "significant" not in criteria.rules.values():
        return rows
    of_rule = pl.col("metric").replace_strict(criteria.rules) == "significant"
    is_settled = ~of_rule | (pl.col("verdict") == DEPENDS).fill_null(value=False)
    verdict, p_value = pl.col("verdict"), pl.col("p_value")
    return rows.with_columns(
        pl.when(is_settled)
        .then(verdict)
        .otherwise(significance_verdict(verdict, p_value))
        .alias("verdict")
    )

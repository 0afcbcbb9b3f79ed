"""Bootstrapped bounds and contrasts: percentiles of the values of metrics on drawn counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import finest, tallied, unlisted
from polars_fairness.errors import FairnessError
from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.levels import ROC, SCORE, Level
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_s, d_s, g, g_s
from polars_fairness.inference.closed_forms import (
    LEAST_OUT_OF_ORDER,
    closed_form,
    numbers_of_area,
)
from polars_fairness.inference.deviations import LEAST_CLUSTERS, less
from polars_fairness.inference.draws import (
    Drawing,
    Draws,
    Evaluate,
    Tails,
    digests_of_sides,
    drawable,
    drawable_alike,
    joint_counts,
    joint_values,
    parts,
    percentiles,
    places_at_once,
    stream_names,
)
from polars_fairness.inference.progress import report_progress
from polars_fairness.inference.quantiles import confidence_of_a_pair
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import Rows, measures_of
from polars_fairness.values.folds import MOST_SPANS, Common, Fold, find_fold
from polars_fairness.values.levels import keys_of
from polars_fairness.values.lines import (
    BOUNDS,
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    CORRELATION,
    Found,
    Lines,
)
from polars_fairness.values.replicated_counts import (
    LevelCounts,
    Tables,
    level_values,
    with_counts,
)
from polars_fairness.values.score_comparisons import (
    cells_in_spans,
    counts_by_span,
    sums_of_scores,
    tables_by_score,
    with_sums,
)

# What a draw costs grows with its scores: 400 audits of 400 scores each did not end within three
# minutes, and take a quarter as long in 100 spans. Of 400 and of 1,600 scores, 100 spans gave
# intervals as wide as all scores did, but for 2 % that another seed changes as well; those of
# `score_ks` were 3 % narrower for 1,600 scores. In 50 spans they were 5 % narrower.
SPANS: Final = 100

# So the multiples of a hundredth between 0 and 1 are drawn one by one.
MOST_SCORES: Final = 150


def spans_by_score(
    cells: pl.LazyFrame, roles: Roles, level: Level, metrics: Mapping[str, Metric]
) -> tuple[pl.DataFrame, Roles]:
    """Counts by span in place of counts by score, with their keys, and the question about these.

    Comparisons and groups of few scores keep each of their scores. A span has the lowest of its
    scores, and their sums if formulas mention these; it lies in one bin, for each number of bins.
    """
    measures = measures_of(metrics)
    bins = sorted({each.bins for each in measures if each.bins is not None})
    own = [each.terms for each in metrics.values()] + [each.terms for each in measures]
    terms = frozenset[str]().union(*own)
    rounded = with_sums(roles, bins) if any(each.endswith("scores") for each in terms) else roles
    parts, is_any = [], False
    for table in tables_by_score(cells, roles.against_the_rest(), level):
        spans = counts_by_span(table, roles, rounded, level, bins, SPANS, MOST_SCORES)
        is_any |= spans.height < table.counts.height
        parts.append(table.with_keys(spans))
    counts = pl.concat(parts)
    if is_any or rounded is roles:
        return counts, rounded
    return counts.drop(
        each.meta.output_name() for each in sums_of_scores(roles, rounded, level)
    ), roles


# Over clusters, a count is kept for each of 200 groups: so many counts take some 0.1 GB.
_MOST_COUNTS: Final = 20_000
_LEAST_SPANS: Final = 10


_DISTANCES: Final = [CATALOGUE[name].parsed for name in ("abroca", "auc_gap")]

# For areas under curves that do not vary; sums of weights move the last digits.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class _Task:
    """Counts to draw, and the metrics to evaluate on each draw.

    ``alike`` gives the counts as they would be without a difference between sides or groups. For
    metrics of scores, ``exact`` has the values on the counts by score, by keys, since counts by
    span may be drawn in place of these, and ``between_areas`` the bounds of distances between AUCs
    in closed form. In a paired question, ``of_champion`` evaluates the champion's decisions on the
    same counts.
    """

    keys: list[str]
    draws: Draws
    metrics: Mapping[str, Metric]
    evaluate: Evaluate
    alike: Callable[[Common], Draws]
    exact: Lines | None = None
    between_areas: Callable[[Drawing], Floats] | None = None
    of_champion: Evaluate | None = None

    @property
    def counts(self) -> LevelCounts:
        return self.draws.counts


def _tasks_of(
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    values: Lines | None = None,
) -> list[_Task]:
    """The tasks for some metrics, which are drawn together where they need the same counts."""
    of_scores = {name: each for name, each in metrics.items() if each.parsed.level.is_by_score}
    of_cells = {name: each for name, each in metrics.items() if name not in of_scores}
    tasks = list(_tasks(tables, roles, of_cells))
    if of_scores:
        # Once for all thresholds, at which scores are the same.
        by_score = roles.counting_scores
        tasks += _tasks(Tables(collected(scored), by_score), by_score, of_scores, values)
    return tasks


def _tasks(
    tables: Tables,
    roles: Roles,
    metrics: Mapping[str, Metric],
    values: Lines | None = None,
) -> Iterator[_Task]:
    joint_metrics = {name: metric for name, metric in metrics.items() if metric.is_joint}
    cells, alone = tables.cells, roles.unpaired
    if joint_metrics:
        ranges = [each.parsed.groups for each in joint_metrics.values()]
        draws, members = joint_counts(cells, roles, ranges)
        evaluate = partial(joint_values, members=members, roles=alone, metrics=joint_metrics)

        def alike(common: Common) -> Draws:
            return joint_counts(cells, roles, (), common)[0]

        task = _Task([*roles.windows.keys, "facet"], draws, joint_metrics, evaluate, alike)
        yield _paired(task, [g.name], roles)
    parts = group_by_level(metrics)
    if tables.are_clustered or not all(level.is_by_score for level, _ in parts):
        tables.make([level for level, _ in parts])
    digests, digested = list[tuple[float, float]](), None
    for (level, outcomes), at_level in parts.items():
        # Whatever needs no decision is the same under two models.
        needed = (roles if "predicted" in outcomes else alone).with_outcomes(outcomes)
        is_exact = level.is_by_score and not tables.are_clustered
        if is_exact:
            table, needed = spans_by_score(cells.lazy(), needed, level, at_level)
            counts = LevelCounts.of_level(table, level, needed)
        else:
            counts = tables.at(level, needed)
        names = list[tuple[str, ...]]()
        if not tables.are_clustered:
            if level.has_sides and (digested is None or not digested.equals(counts.places)):
                digests, digested = digests_of_sides(counts, cells, roles), counts.places
            names = stream_names(level, roles, counts.places, digests)
        draws = drawable(counts, level, needed, names)
        unpaired = needed if is_exact else needed.unpaired
        task = _Task(
            keys_of(level, roles),
            draws,
            at_level,
            partial(level_values, roles=unpaired, level=level, metrics=at_level),
            partial(drawable_alike, draws, level=level, roles=needed),
            values if is_exact else None,
            partial(_bounds_between_areas, counts, level, unpaired) if is_exact else None,
        )
        yield _paired(task, [side.name for side in level.counted], needed)


def group_by_level(
    metrics: Mapping[str, Metric],
) -> dict[tuple[Level, frozenset[str]], dict[str, Metric]]:
    """Metrics that are drawn together: those of one level, and of the same outcomes.

    So other metrics do not change the draws of one.
    """
    drawn_together: dict[tuple[Level, frozenset[str]], dict[str, Metric]] = {}
    for name, metric in metrics.items():
        if not metric.is_joint:
            outcomes = frozenset(metric.needs) & {"label", "predicted"}
            drawn_together.setdefault((metric.parsed.level, outcomes), {})[name] = metric
    return drawn_together


def _paired(task: _Task, sides: Sequence[str], roles: Roles) -> _Task:
    """The task of a paired question: both models' decisions are evaluated on the same counts."""
    if not roles.is_paired:
        return task if roles.champion is None else replace(task, of_champion=task.evaluate)

    alone = roles.unpaired

    def evaluate(rows: Rows, *, of_champion: bool) -> dict[str, Floats]:
        of_model = {count: parts(count, of_champion=of_champion) for count in finest(alone)}
        columns = with_counts(rows.columns, sides, of_model, alone)
        return task.evaluate(replace(rows, columns=columns))

    here, there = (partial(evaluate, of_champion=each) for each in (False, True))
    return replace(task, evaluate=here, of_champion=there)


class Progress:
    """Reports how many rows of counts have been drawn, of all to be drawn."""

    def __init__(self, total: int) -> None:
        self._done, self._total = 0, total
        report_progress(0, total)

    def advance(self, rows: int) -> None:
        self._done += rows
        report_progress(self._done, self._total)


Numbers = dict[Any, Floats]
"""Numbers on draws by name: a line for each place, a column for each draw."""


def _read(
    draws: Draws,
    evaluate: Sequence[Evaluate],
    drawing: Drawing,
    read: Callable[..., tuple[Numbers, Mapping[Any, Metric | None]]],
    progress: Progress | None = None,
) -> Numbers:
    """What is read from the values on draws, some places at a time: a column for each place.

    ``read`` takes the values by each way to evaluate them. It returns numbers of each place, and
    numbers on draws to take percentiles of, each with the metric whose range these lie in.
    """
    counts = draws.counts
    factors, tails = drawing.factors(counts.places, draws.rows), drawing.tails(draws.rows)
    parts = []
    for places in [*places_at_once(counts.ends, drawing.replicates)] or [slice(0, 0)]:
        blocks = []
        for rows in draws.drawn(places, drawing):
            blocks.append([each(rows) for each in evaluate])
            if progress is not None:
                progress.advance(sum(rows.sizes) * rows.replicates)
        values = (
            {name: np.hstack([block[name] for block in way]) for name in way[0]}
            for way in zip(*blocks, strict=True)
        )
        found, ranges = read(*values)
        if ranges:
            drawn = np.concatenate([found[name] for name in ranges])
            of_metrics = Tails.of_metrics(tails[places], factors[places], [*ranges.values()])
            ends = percentiles(drawn, of_metrics).reshape(2, len(ranges), -1)
            found |= {name: ends[:, i] for i, name in enumerate(ranges)}
        parts.append(found)
    return {name: np.hstack([part[name] for part in parts]) for name in parts[0]}


# Those of 25,000 groups of five rows took 15 s.
_MOST_DRAWN: Final = 30_000


def bootstrapped(
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    values: Lines,
) -> Iterator[Found]:
    """Compute bounds by the bootstrap.

    ``values`` has the values of metrics on the cells.
    """
    tasks = _tasks_of(tables, scored, roles, metrics, values)
    comparisons = sum(task.counts.places.height for task in tasks)
    if comparisons > _MOST_DRAWN:
        raise FairnessError(
            f"confidence: {comparisons:,} comparisons have intervals by draws, and at most "
            f"{_MOST_DRAWN:,} are drawn; give confidence=None for the values alone, or ask "
            "worst_groups, which ranks groups with intervals of their own"
        )
    progress = Progress(drawing.replicates * sum(task.counts.ends[-1] for task in tasks))
    for task in tasks:
        yield Found(task.counts.places, task.keys, _bounds(task, drawing, progress))


def bootstrapped_over_clusters(
    tables: Tables,
    scored: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
) -> Iterator[Found]:
    """Compute bounds of distances over clusters.

    Each draw counts a group of clusters as often as a random number says, so that all sides move
    with the clusters that they share. ``tables`` and ``scored`` have the group as a key.
    """
    roles = roles.without_sums  # which no distance needs
    for (level, _), at_level in group_by_level(metrics).items():
        of_level, needed = tables, roles
        if level.is_by_score:
            by_score, needed = collected(unlisted(scored)), roles.counting_scores
            groups = by_score.select(*needed.windows.keys, "facet", "value").n_unique()
            spans = min(MOST_SPANS, max(_LEAST_SPANS, _MOST_COUNTS // max(1, groups)))
            bins = [each.bins for each in measures_of(at_level) if each.bins is not None]
            by_score, needed = cells_in_spans(by_score, needed, bins, spans)
            of_level = Tables(by_score, needed)
        [task] = _tasks(of_level, needed, at_level)
        progress = Progress(drawing.replicates * task.counts.ends[-1])
        are_many = task.draws.rows > LEAST_CLUSTERS * (1 - 1e-9)
        columns = {
            column: {name: np.where(are_many, each, np.nan) for name, each in of_column.items()}
            for column, of_column in _bounds(task, drawing, progress).items()
        }
        yield Found(task.counts.places, task.keys, columns)


def _bounds(task: _Task, drawing: Drawing, progress: Progress) -> dict[str, dict[str, Floats]]:
    """Draw the counts, evaluate the formulas on each draw, and take percentiles of the values."""
    drawn = drawn_bounds(task.draws, task.evaluate, task.metrics, drawing, progress)
    bounds = drawn
    folds = {name: fold for name, each in task.metrics.items() if (fold := find_fold(each))}
    if task.exact is not None or folds:
        by_metric = task.evaluate(task.counts.rows(task.counts.all_places))
        exact = values = {name: each[:, 0] for name, each in by_metric.items()}
        if task.exact is not None:
            places = task.counts.places
            exact = {name: task.exact.first_values(name, places, task.keys) for name in values}
        with np.errstate(invalid="ignore"):  # infinity less infinity
            # What spans of scores in place of scores change in the value.
            bounds = {
                name: each + np.nan_to_num(exact[name] - values[name], posinf=0.0, neginf=0.0)
                for name, each in drawn.items()
            }
        for name, chance in _moved_by_chance(task, folds, drawing).items():
            metric = task.metrics[name]
            bounds[name] = _reaching_ideal(bounds[name], exact[name], chance, metric, folds[name])
    closed: list[str] = []
    if task.between_areas is not None:
        closed = [name for name, each in task.metrics.items() if _is_between_areas(each)]
    if task.between_areas is not None and closed:
        low, high = task.between_areas(drawing)
        for name in closed:
            lower, upper = bounds[name]
            bounds[name] = np.array([np.fmin(lower, low), np.fmax(upper, high)])
    columns: dict[str, dict[str, Floats]] = {bound: {} for bound in BOUNDS}
    for name, of_metric in bounds.items():
        metric = task.metrics[name]
        within = np.clip(of_metric, *metric.range)
        if name not in closed and _may_never_vary(metric):
            lower, upper = drawn[name]
            never = upper - lower < _ROUNDING
            within = np.where(never, np.array(metric.range)[:, np.newaxis], within)
        for bound, each in zip(BOUNDS, within, strict=True):
            columns[bound][name] = each
    return columns


def drawn_bounds(
    draws: Draws,
    evaluate: Evaluate,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
    progress: Progress | None = None,
) -> dict[str, Floats]:
    """Lower and upper percentiles of the values on draws of some counts, for each place."""

    def read(values: Numbers) -> tuple[Numbers, Mapping[Any, Metric | None]]:
        return {name: values[name] for name in metrics}, metrics

    return _read(draws, [evaluate], drawing, read, progress)


def _moved_by_chance(task: _Task, folds: Mapping[str, Fold], drawing: Drawing) -> dict[str, Floats]:
    """How far from the ideal chance alone moves a distance, where there is no difference."""
    chance: dict[str, Floats] = {}
    for common in dict.fromkeys(fold.common for fold in folds.values()):
        metrics = {
            name: task.metrics[name] for name, fold in folds.items() if fold.common == common
        }
        alike = task.alike(common)
        for name, bounds in drawn_bounds(alike, task.evaluate, metrics, drawing).items():
            chance[name] = np.abs(_offset(metrics[name], bounds)).max(axis=0)
    return chance


@np.errstate(invalid="ignore")  # where chance alone makes distances infinite
def _reaching_ideal(
    bounds: Floats, value: Floats, chance: Floats, metric: Metric, fold: Fold
) -> Floats:
    """Bounds of a distance; the nearer is no farther from the ideal than chance alone explains.

    Chance moves a distance away from its ideal only: once in the data, and once more in each draw.
    Of 200 intervals of `tvd`, of 20 labels with one distribution in 400 rows, percentiles alone
    held the true 0 in 3. A distance is at most the true one and what chance alone makes of none, as
    two sides of a triangle; of squares, this holds for their roots.
    """
    nearest = np.abs(_offset(metric, bounds)).min(axis=0)
    # Where the value is infinite, the draws, which have half rows, begin at a number.
    distance = np.abs(_offset(metric, value))
    distance = np.where(np.isinf(distance), nearest, distance)
    root = 1 / fold.power
    least = np.clip(distance**root - chance**root, 0, None) ** fold.power
    reached = np.fmin(nearest, least)
    lower, upper = bounds
    offset = reached if fold.rises else -reached
    at_offset = np.exp(offset) if metric.is_ratio else metric.ideal + offset
    return np.array([at_offset, upper] if fold.rises else [lower, at_offset])


def _offset(metric: Metric, values: Floats) -> Floats:
    """By how much values are above the ideal; of a ratio, their logarithm."""
    if not metric.is_ratio:
        return values - (np.nan if metric.ideal is None else metric.ideal)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms: Floats = np.log(values)
    return logarithms


def _may_never_vary(metric: Metric) -> bool:
    """Whether a metric without a closed form may have the same value on all draws.

    So it is where the scores separate the labels, over clusters or beside rows of both sides, or
    where all predictions of both sides are right. How far another sample may be from that, these
    draws do not say.
    """
    formula = metric.parsed
    if formula.level.is_within_labels:
        return True
    is_of_aucs = formula.measure is not None and formula.measure.name == "auc"
    return is_of_aucs or formula.level == ROC or closed_form(metric, "areas", 0.5) is not None


def contrasted(
    tables: Tables,
    scored: pl.LazyFrame,
    metrics: Mapping[str, Metric],
    drawing: Drawing,
) -> Iterator[Found]:
    """Compare each model with the champion.

    The bounds are those of the difference, and of the sum of both offsets from the ideal. A metric
    whose interval is not made of draws has in their place the correlation of both values.
    """
    tasks = _tasks_of(tables, scored, tables.roles, metrics)
    progress = Progress(drawing.replicates * sum(each.counts.ends[-1] for each in tasks))
    for task in tasks:
        assert task.of_champion is not None
        both, read = (task.evaluate, task.of_champion), partial(_contrasts, task.metrics)
        numbers = _read(task.draws, both, drawing, read, progress)
        columns: dict[str, dict[str, Floats]] = {}
        for (names, metric), each in numbers.items():
            for column, of_column in zip(names, np.atleast_2d(each), strict=True):
                columns.setdefault(column, {})[metric] = of_column
        yield Found(task.counts.places, task.keys, columns)


def _contrasts(
    metrics: Mapping[str, Metric], values: Numbers, references: Numbers
) -> tuple[Numbers, Mapping[Any, Metric | None]]:
    numbers: Numbers = {}
    drawn: dict[Any, Metric | None] = {}
    for name, metric in metrics.items():
        one, other, formula = values[name], references[name], metric.parsed
        is_mean = formula.level.divided_by == "subgroup"
        if is_mean or formula.largest is not None or find_fold(metric) is not None:
            # Chance moves a distance, and the largest of several, away from the ideal in each
            # draw; draws of small strata vary too little.
            numbers[(CORRELATION,), name] = _correlation(one, other)
            continue
        with np.errstate(invalid="ignore"):  # infinity less infinity
            difference = np.where(one == other, 0.0, one - other)
            both = {
                BOUNDS_OF_DIFFERENCE: difference,
                BOUNDS_OF_SUM: _offset(metric, one) + _offset(metric, other),
            }
        numbers |= {(names, name): combined for names, combined in both.items()}
        drawn |= dict.fromkeys(((names, name) for names in both), None)
    return numbers, drawn


def _correlation(values: Floats, references: Floats) -> Floats:
    """The correlation of values and references over the draws of each place; 0 without any."""
    are_finite = np.isfinite(values) & np.isfinite(references)
    draws = np.maximum(are_finite.sum(axis=1, keepdims=True), 1)

    def centred(drawn: Floats) -> Floats:
        mean = np.where(are_finite, drawn, 0.0).sum(axis=1, keepdims=True) / draws
        return np.where(are_finite, drawn - mean, 0.0)

    with np.errstate(invalid="ignore"):  # infinity less infinity
        one, other = centred(values), centred(references)
    spread = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    product = (one * other).sum(axis=1)
    correlation = np.divide(product, spread, out=np.zeros(len(spread)), where=spread > 0)
    # What needs no decision is the same in both models, but for the last digits.
    rounded: Floats = np.round(correlation, 12)
    return rounded


def _is_between_areas(metric: Metric) -> bool:
    """Whether a metric is a distance between the ROC curves, or the AUCs, of sides or groups.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [_is_between_areas(pf.CATALOGUE[name]) for name in ("abroca", "auc_gap", "brier_gap")]
    [True, True, False]
    """
    formula = metric.parsed
    return any(
        formula.level == each.level
        and formula.measure == each.measure
        and formula.expression is each.expression
        for each in _DISTANCES
    )


def _bounds_between_areas(
    counts: LevelCounts, level: Level, roles: Roles, drawing: Drawing
) -> Floats:
    """The lower and the upper bound of the distance between AUCs, for each place.

    Draws say nothing where the scores separate the labels, since each of them has the same ROC
    curves: of 10, 20 and 40 rows a side without error, drawn intervals of `abroca` and `auc_gap`
    held a true distance in 41 to 70 of 100. A distance between two curves is at least that of their
    areas, and no narrower than what is known of it.

    Of several groups it is the largest of all pairs, whose bounds hold together. For these, and of
    sides that share rows, only AUCs with few rows out of order count: other draws vary enough.
    NaN where no two count.
    """
    bounds = np.full((2, counts.places.height), np.nan)
    are_apart = not roles.facets_against_all
    confidences = drawing.confidences(counts.places)
    areas_at = {each: _areas(counts, level, roles, each) for each in {*confidences}}
    for place, confidence in enumerate(confidences):
        areas = areas_at[confidence][place]
        if (groups := len(areas)) > 2:
            of_pair = confidence_of_a_pair(groups, confidence)
            if of_pair not in areas_at:
                areas_at[of_pair] = _areas(counts, level, roles, of_pair)
            areas = areas_at[of_pair][place]
        for (one, low, high, order), (other, other_low, other_high, other_order) in combinations(
            areas, 2
        ):
            is_alone = groups == 2 and (are_apart or not level.has_sides)
            if not is_alone and min(order, other_order) >= LEAST_OUT_OF_ORDER:
                continue
            lower, upper = less((low, one, high), (other_low, other, other_high), 0.0)
            folded = [max(0.0, lower, -upper), max(upper, -lower)]
            if (0.0, 1.0) in ((low, high), (other_low, other_high)):
                # For a single positive or negative row nothing is known.
                folded = [0.0, 1.0]
            bounds[:, place] = np.fmax(bounds[:, place], folded)
    return bounds


def _areas(
    counts: LevelCounts, level: Level, roles: Roles, confidence: float
) -> list[list[Sequence[float]]]:
    rows = counts.rows(counts.all_places)
    sides = level.counted if level.has_sides else (a_s,)
    numbers = [*numbers_of_area(a_s, confidence)]
    metrics = {
        f"{side.name}{word}": Metric("area", "", number)
        for side in sides
        for word, number in numbers_of_area(side, confidence).items()
    }
    place = np.arange(len(rows.sizes))
    if not level.has_sides:
        # Each group by itself, as side a.
        assert rows.parts is not None
        starts = np.flatnonzero(np.diff(rows.parts, prepend=-1))
        place = np.repeat(place, rows.sizes)[starts]
        columns = dict(rows.columns)
        for count in tallied(roles):
            columns[f"{a_s.name}.{count}"] = columns[f"{g_s.name}.{count}"]
            columns[f"{d_s.name}.{count}"] = np.zeros(len(rows.parts))
        rows = Rows(columns, np.diff(starts, append=len(rows.parts)).tolist())
    values = level_values(rows, roles, SCORE, metrics)
    known_areas: list[list[Sequence[float]]] = [[] for _ in range(counts.places.height)]
    for side in sides:
        areas = np.hstack([values[f"{side.name}{word}"] for word in numbers])
        for number, area in zip(place, areas, strict=True):
            if not np.isnan(area).any():
                known_areas[number].append(area.tolist())
    return known_areas

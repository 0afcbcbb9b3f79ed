"""Cells by score to cells by decision, at each threshold; and thresholds if none are given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isinf, log10
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import shared, unlisted
from polars_fairness.counting.faults import Faults, whole
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT, TALLIES_OF_CHECKS, is_tally
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.outcomes import Model
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, SMALLEST_STEP, SUMS, Multiples
from polars_fairness.question.windows import MODEL, THRESHOLD

ACCEPTED_SHARE: Final = "accepted_share"
LOWEST_ACCEPTED: Final = "lowest accepted\x1f"

# In fewer rows, the scores 1 and 2 are no sign of ranks.
_LEAST_RANKS: Final = 3

# So many cells take some 2 GB on their way.
MOST_CELLS: Final = 10_000_000

# Inner columns: no key of cells has such a name.
_GROUP, _PLACE, _FIRST, _LINE = "group\x1f", "place\x1f", "first\x1f", "line\x1f"
_NUMBER: Final = "number of thresholds\x1f"
ABOVE, AT, TOTAL, PART = "above\x1f", "at\x1f", "total\x1f", "part\x1f"
WINDOW, STEP = "window\x1f", "step\x1f"

# Sums of weights differ in their last digits, and so does the product with a share.
_ROUNDING: Final = 1e-12


def decided(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells with predictions in place of scores; for several thresholds, at each of them.

    The cost grows with groups × thresholds, not with scores × thresholds: in each group, cumulative
    sums give the rows below a threshold, and the rows from it on.
    """
    if not roles.decides_by_score:
        return cells
    counted = shared(unlisted(cells))
    if roles.best:
        return _among_best(counted, roles)
    every = _every(counted, roles) if roles.thresholds == EVERY else None
    parts = (
        _decided(
            counted.filter(pl.col(MODEL) == model.name) if roles.named_models else counted,
            model,
            every,
            roles,
        )
        for model in roles.models
    )
    return pl.concat(parts)


def decided_by_window(
    cells: pl.LazyFrame, roles: Roles, lines: pl.DataFrame
) -> tuple[pl.LazyFrame, Roles]:
    """The cells of each window with the decisions at the thresholds of this window.

    ``lines`` has the keys of windows and a column ``threshold``. The question is one about every
    threshold, and comes back as one whose rows are decided. A window without lines has no scores
    either, and keeps its rows.

    The thresholds of all windows would make a grid that grows with the square of their number. So
    cells find their place among all thresholds, and meet those of their own window alone.
    """
    counted, window = collected(unlisted(cells)), roles.windows.without_thresholds.keys
    keys, sums, _ = _columns_of(counted.lazy())
    thresholds = lines[THRESHOLD].unique().sort()
    place = thresholds.search_sorted(counted["score"], side="right")
    placed = counted.group_by(
        *keys, pl.when(pl.col("score").is_not_null()).then(place).alias(_PLACE), maintain_order=True
    ).agg(pl.col(sums).sum())
    at = lines.select(*window, THRESHOLD).with_columns(
        thresholds.search_sorted(lines[THRESHOLD], side="right").alias(_FIRST)
    )
    if window:
        joined = placed.join(
            at, on=window, how="left", nulls_equal=True, maintain_order="left_right"
        )
    else:
        joined = placed.join(at, how="cross", maintain_order="left_right")
    is_from_it = pl.col(_PLACE) >= pl.col(_FIRST)
    at_lines = joined.group_by(
        THRESHOLD, *keys, is_from_it.alias("predicted"), maintain_order=True
    ).agg(pl.col(sums).sum())
    return at_lines.lazy(), roles.with_scores(lambda _: None)


def best_cuts(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The lowest score that is accepted at each best cut of each window, and the share accepted."""
    keys = roles.windows.without_thresholds.keys
    accepted, is_accepted = pl.col(PART) * pl.col(mass_of_ranks(roles)), pl.col(PART) > 0
    return (
        parts_accepted(cells, roles)
        .group_by(*keys, THRESHOLD, maintain_order=True)
        .agg(
            pl.col("score").filter(is_accepted).min().alias(LOWEST_ACCEPTED),
            # By one number polars does not divide, but multiplies by its inverse.
            (accepted.sum() / pl.col(TOTAL).first()).alias(ACCEPTED_SHARE),
        )
    )


def _among_best(counted: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells decided at each best cut; rows that tie there are accepted in part."""
    keys, sums, lowest = _columns_of(counted)
    parts = shared(parts_accepted(counted, roles))
    amounts = parts.select(THRESHOLD).unique()
    unknown = counted.filter(pl.col("score").is_null()).join(amounts, how="cross")
    return pl.concat(
        each.group_by(THRESHOLD, *keys, maintain_order=True)
        .agg((pl.col(sums) * part).sum(), pl.when(part > 0).then(pl.col(lowest)).min())
        .filter(_counts_something(sums))
        .with_columns(pl.lit(decision, pl.Boolean).alias("predicted"))
        .select(THRESHOLD, *keys, "predicted", *sums, *lowest)
        for each, part, decision in (
            (parts, 1 - pl.col(PART), False),
            (parts, pl.col(PART), True),
            (unknown, pl.lit(1.0), None),
        )
    )


def mass_of_ranks(roles: Roles) -> str:
    """The column of cells by which the best are counted: a share is one of weights, if any."""
    is_of_weights = roles.weight and roles.best and roles.best.are_shares
    return "weight" if is_of_weights else "n"


def sort_by_score(cells: pl.LazyFrame, roles: Roles, mass: pl.Expr) -> pl.LazyFrame:
    """The cells with a score, from the highest of each window to the lowest.

    They have the numbers of their window and of their step, which is all cells of one score there,
    and the mass above and at the step.
    """
    keys = [*roles.windows.without_thresholds.keys, "facet"]
    ordered = cells.filter(pl.col("score").is_not_null()).sort("score", descending=True)
    # By one key after the other, polars sorts five million cells in a sixth of the time.
    for key in keys:
        ordered = ordered.sort(key, descending=True, nulls_last=True, maintain_order=True)
    ordered = ordered.with_columns(
        pl.struct(keys).rle_id().alias(WINDOW).set_sorted(),
        pl.struct(*keys, "score").rle_id().alias(STEP).set_sorted(),
    )
    ranked = with_mass(ordered, mass).filter(pl.col(AT) > 0)
    return _without_ranks(ranked, roles)


def with_mass(ordered: pl.LazyFrame, mass: pl.Expr) -> pl.LazyFrame:
    """The cells in the order of their scores with the mass above and at the step of each."""
    above = (mass.cum_sum().over(WINDOW) - mass).alias(ABOVE)
    return ordered.with_columns(above).with_columns(
        pl.col(ABOVE).first().over(STEP), mass.sum().over(STEP).alias(AT)
    )


def parts_accepted(counted: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of each window with the part of them that each best cut accepts."""
    assert roles.best is not None
    mass, at = pl.col(mass_of_ranks(roles)).cast(pl.Float64), pl.col(AT)
    of_window = mass.sum().over(WINDOW).alias(TOTAL)
    cells = shared(sort_by_score(counted, roles, mass).with_columns(of_window))
    parts = []
    for amount in roles.best:
        needed = pl.lit(float(amount))
        if roles.best.are_shares:
            needed = amount * pl.col(TOTAL)
            if roles.weight is None:
                needed = (needed * (1 - _ROUNDING)).ceil()
        left, rounding = needed - pl.col(ABOVE), _ROUNDING * pl.col(TOTAL)
        whole = pl.when(left < rounding).then(0.0).when(left > at - rounding).then(1.0)
        part = whole.otherwise(left / at).alias(PART)
        parts.append(cells.with_columns(part, pl.lit(float(amount)).alias(THRESHOLD)))
    return pl.concat(parts)


def _without_ranks(ordered: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Raise if scores are the ranks 1, 2, 3, … of each window: 1 may be the best of them."""
    if roles.score is None or not roles.score.column.dtype.is_integer():
        return ordered
    score, name, faults = pl.col("score"), roles.score.column.name, Faults(roles)
    steps = pl.col(STEP).n_unique().over(WINDOW)
    are_ranks = (score.min().over(WINDOW) == 1) & (score.max().over(WINDOW) == steps)
    faults.add(
        (are_ranks & (pl.col(AT) == 1)).all() & (steps.max() >= _LEAST_RANKS),
        f"score: {name!r} has the ranks 1, 2, 3, …, and the highest number counts as the "
        f"best; give -pl.col({name!r}).cast(float) if 1 is the best, else "
        f"pl.col({name!r}).cast(float)",
    )
    return faults.raised(ordered)


def _decided(
    counted: pl.LazyFrame, model: Model, every: pl.LazyFrame | None, roles: Roles
) -> pl.LazyFrame:
    score, predicted = model.score, model.predicted
    assert score is not None
    assert predicted is not None
    keys, sums, lowest = _columns_of(counted)
    if every is None:
        assert isinstance(predicted.thresholds, tuple)
        lines = [score.as_compared(each) for each in predicted.thresholds]
        every = pl.LazyFrame(
            {THRESHOLD: predicted.thresholds, _LINE: lines},
            {THRESHOLD: pl.Float64, _LINE: pl.Float64},
        )
    at = shared(every.with_row_index(_PLACE))
    known = shared(counted.filter(pl.col("score").is_not_null()).sort("score"))
    of_groups = known.select(keys).unique(maintain_order=True).with_row_index(_GROUP)
    number = at.select(pl.len().alias(_NUMBER))
    of_groups = shared(_few(of_groups.join(number, how="cross"), pl.len(), roles))
    placed = known.join_asof(
        at.select(pl.col(_LINE).set_sorted(), pl.col(_PLACE) + 1),
        left_on="score",
        right_on=_LINE,
    ).with_columns(pl.col(_PLACE).fill_null(0))
    placed = placed.join(of_groups, on=keys, nulls_equal=True, maintain_order="left")
    unknown = counted.filter(pl.col("score").is_null()).group_by(keys, maintain_order=True)
    below, from_it = _below_and_from(placed, of_groups, sums, lowest)
    both = (
        below.join(of_groups, on=_GROUP),
        from_it.join(of_groups, on=_GROUP),
        unknown.agg(pl.col(sums).sum(), pl.col(lowest).min()).join(at.select(_PLACE), how="cross"),
    )
    no_prediction = pl.lit(None, pl.Boolean).alias("predicted")
    decisions = (pl.lit(False).alias("predicted"), pl.lit(True).alias("predicted"), no_prediction)
    columns = [*keys, _PLACE, "predicted", *sums, *lowest]
    table = pl.concat(
        each.with_columns(decision).select(columns)
        for each, decision in zip(both, decisions, strict=True)
    ).filter(_counts_something(sums))
    window = [THRESHOLD] if roles.windows.has_thresholds else []
    # There is no threshold that all scores are at least equal to.
    joined = table.join(at, on=_PLACE, maintain_order="left")
    return joined.select(*window, *keys, "predicted", *sums, *lowest)


def _columns_of(cells: pl.LazyFrame) -> tuple[list[str], list[str], list[str]]:
    """The keys besides the score, the sums that decisions need, and the lowest weight, if any."""
    names = cells.collect_schema().names()
    keys = [name for name in names if name != "score" and not is_tally(name)]
    sums = [name for name in names if is_tally(name)]
    return (
        keys,
        [name for name in sums if name not in (*TALLIES_OF_CHECKS, *SUMS)],
        [name for name in sums if name == LOWEST_WEIGHT],
    )


def _counts_something(sums: Sequence[str]) -> pl.Expr:
    """Whether a cell has rows or a count: by a regression a group without rows may have one."""
    return pl.any_horizontal(pl.col(sums) != 0)


def _below_and_from(
    placed: pl.LazyFrame, of_groups: pl.LazyFrame, sums: Sequence[str], lowest: Sequence[str]
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """The sums of each group below each threshold, and from each threshold on.

    Both are sums, never differences: with weights 0 stays 0.
    """
    # In order, so that the sums of floats have the same last digits whatever the order of the rows.
    in_order = placed.group_by(_GROUP, _PLACE, maintain_order=True)
    by_place = in_order.agg(pl.col(sums).sum(), pl.col(lowest).min())
    places = pl.int_ranges(0, pl.col(_NUMBER) + 1, dtype=pl.get_index_type()).alias(_PLACE)
    grid = of_groups.select(_GROUP, places).explode(_PLACE, empty_as_null=False)
    filled = grid.join(by_place, on=[_GROUP, _PLACE], how="left").sort(_GROUP, _PLACE)
    filled = shared(filled.with_columns(pl.col(sums).fill_null(0)))
    below = filled.with_columns(
        pl.col(sums).cum_sum().over(_GROUP), pl.col(lowest).cum_min().forward_fill().over(_GROUP)
    )
    from_it = filled.with_columns(
        pl.col(sums).cum_sum(reverse=True).shift(-1, fill_value=0).over(_GROUP),
        pl.col(lowest).cum_min(reverse=True).backward_fill().shift(-1).over(_GROUP),
    )
    return below, from_it


def _every(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Each distinct score, or each multiple of the resolution from the lowest to the highest."""
    score = pl.col("score")
    scored = complete_cells(cells, roles.needing({"score"}).counting_scores)
    scored = scored.filter(score.is_not_null())
    multiples = roles.score.multiples if roles.score else None
    if multiples is None:
        thresholds = scored.select(score.unique().sort().alias(THRESHOLD))
        return thresholds.with_columns(pl.col(THRESHOLD).alias(_LINE))
    keys, *_ = _columns_of(cells)
    of_model = [key for key in keys if key == MODEL]
    groups = pl.struct(keys).n_unique()
    step = multiples.step
    place = (score * step.denominator / step.numerator).round().cast(pl.Int64)
    ends = scored.select(
        place.min().alias(_FIRST),
        (place.max() - place.min() + 1).alias(_NUMBER),
        (groups.over(of_model).max() if of_model else groups).alias(_GROUP),
    ).filter(pl.col(_FIRST).is_not_null())
    # Before there are any: six rows had 700 million multiples of a billionth.
    ends = _few(ends, pl.col(_GROUP).first(), roles)
    places = pl.int_ranges(_FIRST, pl.col(_FIRST) + pl.col(_NUMBER)).alias(_PLACE)
    threshold = multiples.score(pl.col(_PLACE).cast(pl.Float64))
    return (
        ends.select(places)
        .explode(_PLACE, empty_as_null=False)
        .select(threshold.alias(THRESHOLD), threshold.alias(_LINE))
    )


def _few(table: pl.LazyFrame, groups: pl.Expr, roles: Roles) -> pl.LazyFrame:
    """Raise if so many groups at the thresholds of a table would make too many cells."""
    thresholds, faults = pl.col(_NUMBER).first(), Faults(roles)
    has_resolution = roles.score is not None and roles.score.resolution
    faults.add(
        (groups * thresholds > MOST_CELLS).first(),
        "threshold: ",
        whole(thresholds, "all"),
        " thresholds of ",
        whole(groups, "all"),
        f" groups would make more than {MOST_CELLS:,} cells; give fewer thresholds, or "
        f"{'a coarser' if has_resolution else 'a'} resolution=",
    )
    return faults.raised(table)


def with_round_thresholds(question: Question, rows: pl.LazyFrame, about: int) -> Question:
    """The question with thresholds if it has none: about so many, at round numbers."""
    score = str(question.get("score", question.get("predicted", "")))
    resolution = question.get("resolution")
    is_number = rows.collect_schema().get(score, pl.String()).is_numeric()
    # Mistakes are left to the function that answers, which explains them.
    if "threshold" in question or not is_number or not (resolution is None or resolution > 0):
        return question
    thresholds = round_thresholds(rows.select(score), resolution, about)
    return {**question, "threshold": thresholds} if thresholds else question


def round_thresholds(scores: pl.LazyFrame, resolution: float | None, about: int) -> Sequence[float]:
    """Round numbers from the lowest score to the highest; none without known, finite scores.

    With a resolution, they are multiples of it. Whole scores have whole thresholds.

    Examples
    --------
    >>> round_thresholds(pl.LazyFrame({"decile": [1, 4, 6]}), None, about=20)
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> round_thresholds(pl.LazyFrame({"score": [0.29, 0.52]}), 0.1, about=20)
    [0.3, 0.4, 0.5]
    """
    [(column, dtype)] = scores.collect_schema().items()
    score = pl.col(column).cast(pl.Float64).fill_nan(None)
    ends = scores.select(lowest=score.min(), highest=score.max()).collect(engine="streaming")
    [(lowest, highest)] = ends.rows()
    if lowest is None or isinf(lowest) or isinf(highest):
        return []
    if resolution is None and dtype.is_integer():
        resolution = 1.0
    if resolution is None and lowest == highest:
        return [lowest]
    least = (highest - lowest) / about
    if isinf(least) or (resolution is None and least < SMALLEST_STEP):
        raise FairnessError(
            "threshold: no round numbers lie between the lowest and the highest score; give "
            "threshold=, or scores on another scale"
        )
    step = _step(least, resolution)
    last = floor(Fraction(repr(highest)) / step)
    first = min(ceil(Fraction(repr(lowest)) / step), last)
    return Multiples(step).between(float(first * step), float(last * step))


def _step(least: float, resolution: float | None) -> Fraction:
    """A round number, at least so large: 1, 2 or 5, ten times as much, and so on."""
    unit = Fraction(1) if resolution is None else Fraction(repr(resolution))
    size = max(least / float(unit), 0 if resolution is None else 1)
    power = Fraction(10) ** floor(log10(size))
    return next(unit * n * power for n in (1, 2, 5, 10) if float(n * power) >= size)

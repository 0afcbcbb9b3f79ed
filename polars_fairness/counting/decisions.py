"""Cells by score to cells by decision, at each threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.polars_rows import LOWEST_WEIGHT, TALLIES, TALLIES_OF_CHECKS
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, keyword
from polars_fairness.question.models import Model
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, SUMS
from polars_fairness.question.windows import MODEL, THRESHOLD

ACCEPTED_SHARE: Final = "accepted_share"
LOWEST_ACCEPTED: Final = "lowest accepted\x1f"

# In fewer rows, the scores 1 and 2 are no sign of ranks.
_LEAST_RANKS: Final = 3

# So many cells take some 2 GB on their way.
MOST_CELLS: Final = 10_000_000

# Inner columns: no key of cells has such a name.
_GROUP, _PLACE, _FIRST = "group\x1f", "place\x1f", "first\x1f"
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
    counted = collected(unlisted(cells))
    if roles.best:
        return _among_best(counted, roles).lazy()
    every = _every(counted, roles) if roles.thresholds == EVERY else []
    parts = (
        _decided(
            counted.filter(pl.col(MODEL) == model.name) if roles.named_models else counted,
            model,
            every,
            roles,
        )
        for model in roles.models
    )
    return pl.concat(parts).lazy()


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
    counted, window = collected(unlisted(cells)), roles.windows.of_scores.keys
    keys, sums = _keys_and_sums(counted)
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


def best_cuts(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The lowest score that is accepted at each best cut of each window, and the share accepted."""
    keys = roles.windows.of_scores.keys
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


def _among_best(counted: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells decided at each best cut; rows that tie there are accepted in part."""
    keys, sums = _keys_and_sums(counted)
    lowest = _lowest(counted)
    parts = parts_accepted(counted, roles)
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
    is_of_weights = roles.of_rows.weight and roles.best and roles.best.are_shares
    return "weight" if is_of_weights else "n"


def by_falling_score(cells: pl.DataFrame, roles: Roles, mass: pl.Expr) -> pl.DataFrame:
    """The cells with a score, from the highest of each window to the lowest.

    They have the numbers of their window and of their step, which is all cells of one score there,
    and the mass above and at the step.
    """
    keys = [*(key for key in roles.windows.of_scores.keys if key in cells.columns), "facet"]
    ordered = cells.filter(pl.col("score").is_not_null()).sort("score", descending=True)
    # By one key after the other, polars sorts five million cells in a sixth of the time.
    for key in keys:
        ordered = ordered.sort(key, descending=True, nulls_last=True, maintain_order=True)
    ordered = ordered.with_columns(
        pl.struct(keys).rle_id().alias(WINDOW).set_sorted(),
        pl.struct(*keys, "score").rle_id().alias(STEP).set_sorted(),
    )
    found = with_mass(ordered, mass).filter(pl.col(AT) > 0)
    _refuse_ranks(found, roles)
    return found


def with_mass(ordered: pl.DataFrame, mass: pl.Expr) -> pl.DataFrame:
    """The cells in the order of their scores with the mass above and at the step of each."""
    above = (mass.cum_sum().over(WINDOW) - mass).alias(ABOVE)
    return ordered.with_columns(above).with_columns(
        pl.col(ABOVE).first().over(STEP), mass.sum().over(STEP).alias(AT)
    )


def parts_accepted(counted: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells of each window with the part of them that each best cut accepts."""
    assert roles.best is not None
    mass, at = pl.col(mass_of_ranks(roles)).cast(pl.Float64), pl.col(AT)
    cells = by_falling_score(counted, roles, mass).with_columns(
        mass.sum().over(WINDOW).alias(TOTAL)
    )
    parts = []
    for amount in roles.best:
        needed = pl.lit(float(amount))
        if roles.best.are_shares:
            needed = amount * pl.col(TOTAL)
            if roles.of_rows.weight is None:
                needed = (needed * (1 - _ROUNDING)).ceil()
        left, rounding = needed - pl.col(ABOVE), _ROUNDING * pl.col(TOTAL)
        whole = pl.when(left < rounding).then(0.0).when(left > at - rounding).then(1.0)
        part = whole.otherwise(left / at).alias(PART)
        parts.append(cells.with_columns(part, pl.lit(float(amount)).alias(THRESHOLD)))
    return pl.concat(parts)


def _refuse_ranks(ordered: pl.DataFrame, roles: Roles) -> None:
    """Raise if scores are the ranks 1, 2, 3, … of each window: 1 may be the best of them."""
    if roles.score is None or not roles.score.column.dtype.is_integer() or ordered.is_empty():
        return
    score, steps = pl.col("score"), pl.col(STEP).n_unique()
    found = ordered.group_by(WINDOW).agg(
        is_rank=(score.min() == 1) & (score.max() == steps) & (pl.col(AT) == 1).all(), steps=steps
    )
    if found["is_rank"].all() and max(found["steps"]) >= _LEAST_RANKS:
        name = roles.score.column.name
        raise FairnessError(
            f"score: {name!r} has the ranks 1, 2, 3, …, and the highest number is taken for the "
            f"best; give -pl.col({name!r}).cast(float) if 1 is the best, else "
            f"pl.col({name!r}).cast(float)"
        )


def _decided(
    counted: pl.DataFrame, model: Model, every: Sequence[float], roles: Roles
) -> pl.DataFrame:
    score, predicted = model.score, model.predicted
    assert score is not None
    assert predicted is not None
    tried = predicted.thresholds
    numbers = every if isinstance(tried, str) else tried
    keys, sums = _keys_and_sums(counted)
    lowest = _lowest(counted)
    at = pl.DataFrame({THRESHOLD: numbers}, {THRESHOLD: pl.Float64}).with_row_index(_PLACE)
    known = counted.filter(pl.col("score").is_not_null())
    of_groups = known.select(keys).unique(maintain_order=True).with_row_index(_GROUP)
    _refuse_too_many(len(of_groups), len(at), roles)
    lines = pl.Series([score.as_compared(each) for each in numbers], dtype=pl.Float64)
    placed = known.with_columns(lines.search_sorted(known["score"], side="right").alias(_PLACE))
    placed = placed.join(of_groups, on=keys, nulls_equal=True, maintain_order="left")
    unknown = counted.filter(pl.col("score").is_null()).group_by(keys, maintain_order=True)
    both = (
        *(
            each.join(of_groups, on=_GROUP)
            for each in _below_and_from(placed, sums, lowest, len(at))
        ),
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
    joined = table.join(at, on=_PLACE, maintain_order="left")
    return joined.select(*window, *keys, "predicted", *sums, *lowest)


def _keys_and_sums(cells: pl.DataFrame) -> tuple[list[str], list[str]]:
    """The names of the keys besides the score, and of the sums that decisions need."""
    keys = [name for name in cells.columns if name not in ("score", *TALLIES)]
    sums = [name for name in TALLIES if name in cells.columns]
    return keys, [name for name in sums if name not in (*TALLIES_OF_CHECKS, *SUMS)]


def _lowest(cells: pl.DataFrame) -> list[str]:
    """The column of the lowest weight, if cells have it."""
    return [name for name in cells.columns if name == LOWEST_WEIGHT]


def _counts_something(sums: Sequence[str]) -> pl.Expr:
    """Whether a cell has rows or a count: by a regression a group without rows may have one."""
    return pl.any_horizontal(pl.col(sums) != 0)


def _below_and_from(
    placed: pl.DataFrame, sums: Sequence[str], lowest: Sequence[str], thresholds: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The sums of each group below each threshold, and from each threshold on.

    Both are sums, never differences: with weights 0 stays 0.
    """
    places = pl.DataFrame({_PLACE: range(thresholds + 1)}, {_PLACE: pl.UInt32})
    by_place = placed.group_by(_GROUP, _PLACE, maintain_order=True).agg(
        pl.col(sums).sum(), pl.col(lowest).min()
    )
    grid = placed.select(_GROUP).unique().join(places, how="cross").sort(_GROUP, _PLACE)
    filled = grid.join(by_place, on=[_GROUP, _PLACE], how="left", maintain_order="left")
    filled = filled.with_columns(pl.col(sums).fill_null(0))
    below = filled.with_columns(
        pl.col(sums).cum_sum().over(_GROUP), pl.col(lowest).cum_min().forward_fill().over(_GROUP)
    )
    from_it = filled.with_columns(
        pl.col(sums).cum_sum(reverse=True).shift(-1, fill_value=0).over(_GROUP),
        pl.col(lowest).cum_min(reverse=True).backward_fill().shift(-1).over(_GROUP),
    )
    is_threshold = pl.col(_PLACE) < thresholds
    return below.filter(is_threshold), from_it.filter(is_threshold)


def _every(cells: pl.DataFrame, roles: Roles) -> list[float]:
    """Each distinct score, or each multiple of the resolution from the lowest to the highest."""
    scored = of_complete_rows(cells.lazy(), roles.needing({"score"}), by_score=True)
    complete = collected(scored, is_cheap=True)
    distinct = complete["score"].drop_nulls().unique().sort()
    multiples = roles.score.multiples if roles.score else None
    if multiples is None or distinct.is_empty():
        return distinct.to_list()
    # Before there are any: six rows had 700 million multiples of a billionth.
    keys, _ = _keys_and_sums(complete)
    by_model = complete.select(keys).unique().group_by(MODEL if MODEL in keys else pl.lit(0)).len()
    groups = max(by_model["len"])
    _refuse_too_many(
        groups, multiples.steps(distinct[-1]) - multiples.steps(distinct[0]) + 1, roles
    )
    return list(multiples.between(distinct[0], distinct[-1]))


def _refuse_too_many(groups: int, thresholds: int, roles: Roles) -> None:
    if groups * thresholds <= MOST_CELLS:
        return
    raise FairnessError(
        f"threshold: {thresholds:,} thresholds of {groups:,} groups would make more than "
        f"{MOST_CELLS:,} cells; give fewer thresholds, or "
        f"{'a coarser' if roles.score and roles.score.resolution else 'a'} {keyword('resolution')}"
    )

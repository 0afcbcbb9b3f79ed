"""Cells to cells that numpy makes: estimated groups, and sums over ranks.

What a cell has of each group takes the place of its rows: the sum of their probabilities, or the
regression of the outcomes on them. All that follows reads these cells as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import log
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import have_rows
from polars_fairness.counting.counts import CLUSTER, GROUPS, REST, are_listed, unlisted
from polars_fairness.counting.decisions import (
    ABOVE,
    AT,
    STEP,
    TOTAL,
    WINDOW,
    sort_by_score,
    with_mass,
)
from polars_fairness.counting.polars_rows import (
    SCALED_ROWS,
    SPREAD,
    TALLIES_OF_CHECKS,
    WHOLE,
    is_tally,
    sums_of_tallies,
)
from polars_fairness.counting.probabilities import Parts
from polars_fairness.formula.arrays import Bools, Floats, Ints
from polars_fairness.question.facets import Facet
from polars_fairness.question.outcomes import sums_of_numbers
from polars_fairness.question.probabilities import ROUNDED, SQUARES, is_share, share
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.question.windows import ESTIMATOR, LINEAR, WEIGHTED

_HARDLY_OCCURS: Final = 1e-9  # the share of the rows up to which a group leaves the regression
_IS_SINGULAR: Final = 1e-9  # eigenvalues of the scaled products lie between 0 and 1
_IS_MIXED: Final = 1e-6  # squared part of a group in what the products leave open, by its share

_ROW: Final = "row\x1f"

# What cells have of their rows, as far as it was counted: in other cells each is their number.
_OF_ROWS: Final = ("rows", "counted", "weight", "weight_sq")


def estimated(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells with a row for each group and estimator in place of the sums of shares.

    ``n`` is the number of rows expected, ``weight`` the count by the estimator. The rows of groups
    that the probabilities do not tell apart are unknown to the linear estimator.
    """
    keys = [name for name in cells.columns if not is_tally(name)]
    if roles.left_out == "parts":
        # The order of cells decides which parts are left out together.
        cells = cells.sort(keys)
    windows = roles.windows.without_made.keys
    uncertain = {facet.name: facet for facet in roles.uncertain_facets}
    tables = [_known_group_cells(cells.clear(), roles)]
    for place in cells.partition_by("facet", *windows, maintain_order=True):
        if (facet := uncertain.get(place["facet"][0])) is None:
            tables.append(_known_group_cells(place, roles))
        else:
            tables += _estimated_cells(place, facet, roles, keys)
    columns = [
        name for name in tables[0].columns if not is_share(name) and name not in TALLIES_OF_CHECKS
    ]
    numbers = [pl.col(name).cast(pl.Float64) for name in columns if is_tally(name)]
    return pl.concat(each.select(columns).with_columns(numbers) for each in tables)


def _known_group_cells(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells of facets whose groups are known, with the columns that estimated cells have."""
    more = {name: pl.col("n").cast(pl.Float64) for name in _OF_ROWS if name not in cells.columns}
    known = cells.with_columns(
        pl.lit(None, pl.String).alias(ESTIMATOR),
        pl.lit(None, pl.Float64).alias(SPREAD),
        pl.lit(0.0).alias(SCALED_ROWS),
        **more,
    )
    if roles.left_out != "parts":
        return known
    numbers = {
        name: _column(known, name)[:, np.newaxis]
        for name in known.columns
        if is_tally(name) and name != SPREAD
    }
    parts = Parts.of_known(_column(known, "weight_sq"), _outcomes(known, roles))
    divided, numbers = _with_parts(known, parts, numbers)
    return divided.with_columns(pl.Series(name, each[:, 0]) for name, each in numbers.items())


def _outcomes(cells: pl.DataFrame, roles: Roles) -> Ints:
    """A number for all that cells have in common but scores, strata and controls."""
    finer = {"score", *roles.strata.keys, *roles.controls.keys}
    keys = [name for name in cells.columns if not is_tally(name) and name not in finer]
    return cells.select(pl.struct(keys).rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()


def _estimated_cells(
    cells: pl.DataFrame, facet: Facet, roles: Roles, keys: Sequence[str]
) -> Iterator[pl.DataFrame]:
    """The cells of each group in one window, by each estimator."""
    values = [*facet.probabilities, None]
    counts, beside = _counts(cells, facet, roles), _rows_expected(cells, facet, roles)
    grid, parts = cells.select(keys), None
    if roles.left_out == "parts":
        parts = Parts.of_estimated(cells, facet, roles, counts["weight"], _outcomes(cells, roles))
    if WEIGHTED in roles.estimators:
        divided, numbers = grid, counts | beside
        if parts is not None:
            divided, numbers = _with_parts(grid, parts, numbers)
        yield from _groups(divided, WEIGHTED, values, numbers)
    if LINEAR in roles.estimators:
        pairs = combinations_with_replacement(range(len(facet.probabilities)), 2)
        # At once: each column by itself takes 0.3 ms, and 150 groups have 11,325.
        shares = pl.col([share(facet, *pair) for pair in pairs]).fill_null(0.0)
        sums: Floats = cells.select(shares).to_numpy()
        products = _products(sums, counts["weight"])
        if parts is not None:
            grid, counts, beside, products = _split_by_parts(
                grid, parts.of_regression, counts, beside, products
            )
        elif CLUSTER in keys:
            grid, counts, beside, products = _split_by_cluster(
                cells, keys, counts, beside, products
            )
        known, linear = _linear(counts, products)
        linear |= {name: _unknown_last(each, known) for name, each in beside.items()}
        flat = {name: each.reshape(-1, len(values)) for name, each in linear.items()}
        yield from _groups(grid, LINEAR, values, flat)


def _column(cells: pl.DataFrame, name: str) -> Floats:
    floats: Floats = cells[name].cast(pl.Float64).fill_null(0.0).to_numpy()
    return floats


def _sums_by_group(cells: pl.DataFrame, facet: Facet, *of: int | str) -> Floats:
    """A sum of each group, in columns."""
    groups = range(len(facet.probabilities))
    return np.column_stack([_column(cells, share(facet, *of, group)) for group in groups])


def _with_rest(known: Floats, whole: Floats) -> Floats:
    """A sum of each group, and of the rest, whose group is unknown."""
    rest = whole - known.sum(axis=1)
    if rest.sum() <= _HARDLY_OCCURS * whole.sum():
        rest = np.zeros_like(rest)
    return np.column_stack([known, rest])


def _counts(cells: pl.DataFrame, facet: Facet, roles: Roles) -> dict[str, Floats]:
    """What an estimator counts of each group: rows or weights, and sums of scores and numbers."""
    mass = "n" if roles.weight is None else "weight"
    sums = [name for name in SUMS if name in cells.columns]
    rows = _column(cells, mass)
    whole = _with_rest(_sums_by_group(cells, facet), rows)
    counts: dict[str, Floats] = {
        "weight": whole,
        **{
            name: _with_rest(_sums_by_group(cells, facet, name), _column(cells, name))
            for name in sums
        },
    }
    for word in sums_of_numbers(roles.numbers):
        if word.endswith("_place"):
            place = _column(cells, word) / np.where(rows > 0, rows, 1.0)
            counts[word] = whole * place[:, np.newaxis]
        else:
            # Sums around a place may be 0 of all rows, and not of the rest.
            known = _sums_by_group(cells, facet, word)
            rest = np.where(whole[:, -1] > 0, _column(cells, word) - known.sum(axis=1), 0.0)
            counts[word] = np.column_stack([known, rest])
    return counts


def _rows_expected(cells: pl.DataFrame, facet: Facet, roles: Roles) -> dict[str, Floats]:
    """What cells have of each group beside its count: the rows expected, and their squares."""
    is_weighted = roles.weight is not None
    mass = _column(cells, "weight" if is_weighted else "n")
    groups = range(len(facet.probabilities))
    spread = np.column_stack([_column(cells, share(facet, each, each)) for each in groups])
    squares = spread
    if is_weighted:
        squares = np.column_stack(
            [_column(cells, share(facet, SQUARES, each, each)) for each in groups]
        )
    rest = _column(cells, "weight_sq" if is_weighted else "n") - squares.sum(axis=1)
    # Rows without weight are of no group.
    has_mass = mass > 0
    parts = _with_rest(_sums_by_group(cells, facet), mass)
    parts[has_mass] /= mass[has_mass, np.newaxis]
    parts[~has_mass] = np.append(np.zeros(len(groups)), 1.0)
    rows = {name: "n" for name in _OF_ROWS if not name.startswith("weight")}
    rows |= {name: name for name in WHOLE if name in cells.columns}
    # Cells that are read again do not say how many of their rows were scaled.
    scaled = share(facet, ROUNDED)
    of_cells = _column(cells, scaled) if scaled in cells.columns else np.zeros(cells.height)
    return {
        "weight_sq": np.column_stack([squares, np.clip(rest, 0, None)]),
        SPREAD: np.column_stack([spread, np.zeros(len(spread))]),
        SCALED_ROWS: parts * of_cells[:, np.newaxis],
        **{name: parts * _column(cells, of)[:, np.newaxis] for name, of in rows.items()},
    }


def _unknown_last(numbers: Floats, known: Bools) -> Floats:
    """The numbers; those of groups that are not identified join the last, which is unknown."""
    joined: Floats = np.where(known, numbers, 0.0)
    joined[..., -1] += numbers[..., ~known].sum(axis=-1)
    return joined


def _groups(
    cells: pl.DataFrame,
    estimator: str,
    values: Sequence[str | None],
    numbers: Mapping[str, Floats],
) -> Iterator[pl.DataFrame]:
    """The cells of each group that has rows or a count in them; of a window without rows, one."""
    is_empty = not numbers["rows"].any()
    # Squares of the rest are differences, and seldom 0 to the last digit.
    of_rows = [name for name in numbers if name not in ("weight_sq", SPREAD)]
    for group, value in enumerate(values):
        of_group = {name: pl.Series(name, each[:, group]) for name, each in numbers.items()}
        yield cells.with_columns(
            pl.lit(value, pl.String).alias("value"),
            pl.lit(estimator).alias(ESTIMATOR),
            **of_group,
        ).filter(pl.any_horizontal(pl.col(of_rows) != 0) | (is_empty and value is None))


def _products(sums: Floats, shares: Floats) -> Floats:
    """The sums of the products of each two groups, with the rest as the last, of each cell."""
    size = shares.shape[1] - 1
    products = np.zeros((len(shares), size + 1, size + 1))
    first, second = np.triu_indices(size)
    products[:, first, second] = products[:, second, first] = sums
    # The probabilities of a row add up to 1 with the rest.
    if shares[:, -1].any():
        products[:, :-1, -1] = shares[:, :-1] - products[:, :-1, :-1].sum(axis=2)
        products[:, -1, :-1] = products[:, :-1, -1]
        products[:, -1, -1] = shares[:, -1] - products[:, -1, :-1].sum(axis=1)
    return products


def _split_by_cluster(
    cells: pl.DataFrame,
    keys: Sequence[str],
    counts: Mapping[str, Floats],
    beside: Mapping[str, Floats],
    products: Floats,
) -> tuple[pl.DataFrame, dict[str, Floats], dict[str, Floats], Floats]:
    """The same numbers, for each cell of each group of clusters, and last of the `REST`."""
    others = [key for key in keys if key != CLUSTER]
    cell = cells.select(pl.struct(others).rank("dense") - 1).to_series().to_numpy()
    of_cells = cells.select(others).with_columns(pl.Series(_ROW, cell)).unique(_ROW).sort(_ROW)
    groups = cells[CLUSTER].unique().sort()
    at = groups.search_sorted(cells[CLUSTER]).to_numpy(), cell
    shape = (len(groups) + 1, of_cells.height)

    def placed(numbers: Floats) -> Floats:
        summed = np.zeros((*shape, *numbers.shape[1:]))
        np.add.at(summed, at, numbers)
        return summed

    rest = pl.Series(CLUSTER, [REST], groups.dtype)
    clusters = pl.concat([groups, rest]).to_frame()
    grid = clusters.join(of_cells.drop(_ROW), how="cross", maintain_order="left_right")
    return (
        grid.select(keys),
        {name: placed(each) for name, each in counts.items()},
        {name: placed(each) for name, each in beside.items()},
        placed(products),
    )


def _with_parts(
    cells: pl.DataFrame, parts: Parts, numbers: Mapping[str, Floats]
) -> tuple[pl.DataFrame, dict[str, Floats]]:
    """The cells and numbers without their parts, as the `REST`, and the parts below them."""
    moved = parts.moved(numbers)
    divided = {
        name: parts.beside(each, moved.get(name, np.zeros((parts.cell.size, each.shape[1]))))
        for name, each in numbers.items()
    }
    group = np.concatenate([np.full(cells.height, REST), parts.group])
    below = pl.concat([cells, cells[parts.cell]])
    return below.with_columns(pl.Series(CLUSTER, group, pl.UInt8)), divided


def _split_by_parts(
    cells: pl.DataFrame,
    parts: Parts,
    counts: Mapping[str, Floats],
    beside: Mapping[str, Floats],
    products: Floats,
) -> tuple[pl.DataFrame, dict[str, Floats], dict[str, Floats], Floats]:
    """The same numbers, for each cell of each group of parts, and last of the `REST`."""
    groups = pl.Series(CLUSTER, [*range(GROUPS), REST], pl.UInt8).to_frame()
    moved = parts.moved(counts)
    of_parts = _products(parts.products, parts.shares)
    moved[SPREAD] = np.diagonal(of_parts, axis1=1, axis2=2)
    numbers = {
        name: parts.placed(each, moved.get(name, np.zeros((len(parts.cell), each.shape[1]))))
        for name, each in {**counts, **beside}.items()
    }
    return (
        groups.join(cells, how="cross", maintain_order="left_right"),
        {name: numbers[name] for name in counts},
        {name: numbers[name] for name in beside},
        parts.placed(products, of_parts),
    )


def _linear(counts: Mapping[str, Floats], products: Floats) -> tuple[Bools, dict[str, Floats]]:
    """Whether each group is known, and its counts by the regression.

    By clusters, the cells of a group of clusters have what the counts lose without it, and the
    `REST` what is left of the counts: so cells without a group are those that the regression gives
    without its rows.
    """
    shares = counts["weight"]
    if shares.ndim == 2:
        known, matrix = _regression(shares, products)
        return known, {name: _applied(matrix, known, each) for name, each in counts.items()}
    groups = shares.shape[0] - 1
    whole = products.sum(axis=0)
    known, matrix = _regression(shares.sum(axis=0), whole)
    counted = {name: np.zeros_like(each) for name, each in counts.items()}
    totals = {name: each.sum(axis=0) for name, each in counts.items()}
    linear = {name: _applied(matrix, known, each) for name, each in totals.items()}
    for group in range(groups):
        left = totals["weight"] - shares[group]
        _, matrix = _regression(left, whole - products[group], known)
        for name, each in counts.items():
            without = _applied(matrix, known, totals[name] - each[group])
            counted[name][group] = linear[name] - without
    for name, each in counted.items():
        each[groups] = linear[name] - each[:groups].sum(axis=0)
    return known, counted


def _applied(matrix: Floats, known: Bools, sums: Floats) -> Floats:
    applied: Floats = sums @ matrix.T
    if not known.all():
        applied[..., -1] += sums.sum(axis=-1) - applied.sum(axis=-1)
    return applied


def _regression(
    shares: Floats, products: Floats, of_all: Bools | None = None
) -> tuple[Bools, Floats]:
    """Which groups the regression identifies, and the matrix diag(T)·G⁻¹ of these."""
    sizes = shares.sum(axis=0)
    added = products.sum(axis=0)
    occur = sizes > _HARDLY_OCCURS * max(sizes.sum(), 0.0)
    known = occur | (np.arange(len(sizes)) == len(sizes) - 1)  # the rest is known to be unknown
    matrix = np.zeros_like(added)
    if not occur.any():
        return known, matrix
    root = np.sqrt(sizes[occur])
    # Scaled by the sizes, known groups have the unit matrix, however small a group is.
    eigenvalues, vectors = np.linalg.eigh(added[np.ix_(occur, occur)] / np.outer(root, root))
    is_open = eigenvalues <= _IS_SINGULAR
    kept = vectors[:, ~is_open]
    inverse = (kept / eigenvalues[~is_open]) @ kept.T
    matrix[np.ix_(occur, occur)] = inverse * root[:, np.newaxis] / root
    if of_all is None:
        mixed = (vectors[:, is_open] ** 2).sum(axis=1) > _IS_MIXED * sizes[occur] / sizes.sum()
        known[np.flatnonzero(occur)[mixed]] = False
        known[-1] = True
        of_all = known
    matrix[~of_all] = 0.0
    if not of_all.all():
        matrix[-1] = 0.0  # what is left of all rows
    return known, matrix


# The ranks whose attention is added up one by one; that of ranks beyond is an integral, which
# differs from the sum by less than 1e-13 of it.
_ONE_BY_ONE: Final = 1_000_000

# Inner columns: no key of cells has such a name.
_CELL, _GROUP, _SHARE, _SO_FAR, _GIVEN, _A, _B = (
    f"{name}\x1f" for name in ("cell", "group", "share", "so far", "given", "a", "b")
)


def attention_up_to(ranks: Floats) -> Floats:
    """The sum of 1/log₂(1 + r) over the ranks up to each of these; between ranks it is a line.

    Examples
    --------
    >>> attention_up_to(np.array([0.0, 1.0, 3.0, 2.5])).round(4).tolist()
    [0.0, 1.0, 2.1309, 1.8809]
    """
    most = int(min(_ONE_BY_ONE, np.ceil(ranks.max(initial=1.0))))
    sums = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(2.0, most + 2)))])
    attention: Floats = np.interp(ranks, np.arange(most + 1.0), sums)
    if ranks.max(initial=0.0) > most:
        integral = log(2) * (_logarithmic_integral(ranks + 1.5) - _logarithmic_integral(most + 1.5))
        attention = np.where(ranks > most, sums[-1] + integral, attention)
    return attention


def _logarithmic_integral(x: Floats | float) -> Floats:
    """The integral of 1/ln, but for a constant, by its series."""
    u = np.log(x)
    term, integral = np.ones_like(u), np.log(u)
    for k in range(1, 200):
        term = term * u / k
        integral = integral + term / k
    return integral


def with_sums_of_ranks(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells with what their rows' ranks add up to."""
    if are_listed(cells):
        numbered = cells.with_row_index(_CELL)
        by_score = _ranked(unlisted(numbered), roles)
        sums = by_score.group_by(_CELL).agg(pl.col(roles.sums_ranks).sum())
        return numbered.join(sums, on=_CELL, how="left", maintain_order="left").drop(_CELL)
    if roles.left_out == "parts" and CLUSTER in cells.columns:
        # So all rows are ranked at once, and what they add up to stands with the `REST`.
        tallies = [name for name in cells.columns if is_tally(name)]
        keys = [name for name in cells.columns if name not in (*tallies, CLUSTER)]
        together = cells.group_by(keys, maintain_order=True).agg(**sums_of_tallies(tallies))
        of_rest = _ranked(together, roles).select(
            *keys, *roles.sums_ranks, pl.lit(REST, pl.UInt8).alias(CLUSTER)
        )
        table = cells.join(of_rest, on=[*keys, CLUSTER], how="left", nulls_equal=True)
        table = table.with_columns(pl.col(roles.sums_ranks).fill_null(0.0))
    else:
        table = _ranked(cells, roles)
    return _without_scores(table, roles) if roles.only_ranks else table


def _ranked(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    rows, size = pl.col("n"), pl.col(roles.mass).cast(pl.Float64)
    is_ranked = pl.col("score").is_not_null() & have_rows(roles)
    is_named = pl.col("value").is_not_null()
    ranked = collected(sort_by_score(cells.lazy().filter(is_ranked), roles, rows))
    ranked = ranked.with_columns(_attention_of_steps(ranked).alias("attention") / pl.col(AT) * size)
    parts = [ranked, cells.filter(~is_ranked)]
    if "divergence" in roles.sums_ranks:
        named = collected(with_mass(ranked.lazy().filter(is_named), rows))
        parts = [_with_divergence(named, size), ranked.filter(~is_named), *parts[1:]]
    return pl.concat(parts, how="diagonal").select(
        *cells.columns, pl.col(roles.sums_ranks).fill_null(0.0)
    )


def _without_scores(cells: pl.DataFrame, roles: Roles) -> pl.DataFrame:
    """The cells with one score in place of all of their group: it shows that these are known.

    A hundred thousand queries of fifty rows are 200,000 cells of two groups, not five million.
    """
    names = [name for name in cells.columns if name not in ("score", *roles.sums_ranks)]
    tallies = [name for name in names if is_tally(name) and name not in TALLIES_OF_CHECKS]
    keys = [name for name in names if not is_tally(name)]
    return (
        cells.group_by(*keys, pl.col("score").is_null().alias(_GROUP), maintain_order=True)
        .agg(pl.col("score").first(), pl.col(*tallies, *roles.sums_ranks).sum())
        .drop(_GROUP)
    )


def _attention_of_steps(ranked: pl.DataFrame) -> pl.Expr:
    """The attention that all rows of the score of each cell get together."""
    above = ranked[ABOVE].cast(pl.Float64)
    ends = (attention_up_to(each.to_numpy()) for each in (above + ranked[AT], above))
    return pl.lit(pl.Series(np.subtract(*ends), dtype=pl.Float64))


def _with_divergence(named: pl.DataFrame, size: pl.Expr) -> pl.DataFrame:
    """The cells with the part of each in the discounted mean of divergences.

    At a step with the shares c of the rows of a group, and R of all rows, up to it, the part of the
    group is its share of all rows times c/R·ln(c/R) times the attention w of the step. From one row
    of the group to the next c does not change, so that sums of w/R and of w·ln(R)/R over steps are
    enough, and no step is a row of each group.
    """
    so_far, given = pl.col(_SO_FAR), pl.col(_GIVEN)
    sums = pl.col(_A, _B)
    cells = (
        named.with_row_index(_GROUP)
        .with_columns(
            (_attention_of_steps(named) * pl.col("n") / pl.col(AT)).alias(_GIVEN),
            size.cum_sum().over(WINDOW).alias(_SO_FAR),
            size.sum().over(WINDOW).alias(TOTAL),
            pl.col(_GROUP).first().over(WINDOW, "value"),
        )
        # Shares are of the last sum so far: of equal scores they are 1, and no last digit differs.
        .with_columns(so_far.last().over(STEP) / so_far.last().over(WINDOW))
        .with_columns((given / so_far).alias(_A), (given / so_far * so_far.log()).alias(_B))
        # From the last step on, where they are small: sums from the first would lose digits.
        .with_columns(sums.cum_sum(reverse=True).over(WINDOW), given.sum().over(WINDOW))
        .with_columns(sums.first().over(STEP))
        .sort(_GROUP, maintain_order=True)
        .with_columns(
            sums - sums.shift(-1, fill_value=0).over(_GROUP),
            size.cum_sum().over(_GROUP).alias(_SO_FAR),
            (size.sum().over(_GROUP) / pl.col(TOTAL)).alias(_SHARE),
            pl.struct(_GROUP, STEP).rle_id().alias(STEP).set_sorted(),
        )
    )
    cells = cells.with_columns(so_far / so_far.last().over(_GROUP))
    part = pl.col(_SHARE) * so_far * (so_far.log() * pl.col(_A) - pl.col(_B)) / given
    # Cells of a group with one score share what stands at the last of them.
    return cells.with_columns(part.alias(_A)).with_columns(
        ((pl.col(_A).sum() / size.sum()).over(STEP) * size).alias("divergence")
    )

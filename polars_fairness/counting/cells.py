"""Rows to cells: the rows are counted once, and the counts checked.

A cell is one combination of window, facet value, stratum, label and prediction with its count.
What follows costs the same for a thousand rows and for a billion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from polars_fairness.counting.class_cells import cells_of_each_class
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.counting.counts import CLUSTER, in_python, shared, unlisted
from polars_fairness.counting.faults import Faults, Found, checked
from polars_fairness.counting.models import Count, counts_of
from polars_fairness.counting.polars_rows import (
    ALL_KNOWN,
    LOWEST,
    RESIDUAL,
    TALLIES_OF_CHECKS,
    Counted,
    columns_that_may_lack,
    is_tally,
    rows_of_cells,
    sums_of_tallies,
)
from polars_fairness.counting.rows import Rows
from polars_fairness.errors import FairnessError
from polars_fairness.formula.powers import Power
from polars_fairness.formula.sides import SUMS_OF_NUMBERS
from polars_fairness.question.outcomes import (
    CHAMPION,
    ESTIMATED,
    OBSERVED,
    Outcome,
    powers_of,
    returned_sums,
    sums_of_numbers,
)
from polars_fairness.question.probabilities import returned_name, share, sums_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.question.windows import MODEL, THRESHOLD, Period

# Days of 270 years, or minutes of 70 days.
_MOST = 100_000

_PERIOD = "period\x1f"


def cells_of_all_rows(rows: Rows, roles: Roles) -> pl.LazyFrame:
    """The cells of all rows, one facet after the other, rows that are dropped included.

    Where a score decides, the cells have the score in place of the prediction.
    """
    apart = [[facet] for facet in roles.facets] if roles.are_apart else []
    groupings = [*apart, *([roles.facets] if roles.are_joint else [])] if roles.facets else [[]]
    counts = counts_of(roles.as_counted)
    counted = rows.counted(groupings, counts)
    all_cells = pl.concat(
        _model_cells(
            _estimated(period_cells(checked(_faceted_cells(cells, roles), count), roles), roles),
            count,
        )
        for cells, count in zip(counted, counts, strict=True)
    )
    if roles.sums_ranks:
        from polars_fairness.counting.steps import with_sums_of_ranks  # needs numpy

        all_cells = in_python(all_cells, partial(with_sums_of_ranks, roles=roles))
    return cells_of_each_class(all_cells, roles)


def _estimated(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    if not roles.uncertain_facets:
        return cells
    from polars_fairness.counting.steps import estimated  # needs numpy

    return in_python(cells, partial(estimated, roles=roles))


def _faceted_cells(counted: Sequence[Counted], roles: Roles) -> pl.LazyFrame:
    """The cells of groupings below each other, with the columns ``facet`` and ``value``."""
    if not roles.facets:
        no_facet = pl.lit(None, pl.String)
        return counted[0].cells.select(no_facet.alias("facet"), no_facet.alias("value"), pl.all())
    apart = roles.facets if roles.are_apart else ()
    values = [(facet.name, facet.key) for facet in apart]
    if roles.are_joint:
        values.append((roles.joint_facet, partial(_joint_value, roles)))
    return pl.concat(
        (
            each.cells.select(
                pl.lit(name).alias("facet"),
                value([*map(pl.col, each.keys)]).alias("value"),
                pl.all().exclude(each.keys),
            )
            for each, (name, value) in zip(counted, values, strict=True)
        ),
        how="diagonal" if roles.uncertain_facets else "vertical",
    )


def _joint_value(roles: Roles, attributes: Sequence[pl.Expr]) -> pl.Expr:
    """The values of all facets as JSON with nulls."""
    texts = (
        facet.key([attribute]).alias(name)
        for facet, name, attribute in zip(roles.facets, roles.joint_keys, attributes, strict=True)
    )
    return pl.struct(texts).struct.json_encode()


def with_incomplete_rows(count: Count) -> Count:
    """The count in which rows that lack a number, a weight or a count are cells of their own."""
    masses = (count.roles.weight, count.roles.count)
    weight, number = (column and column.filled() for column in masses)
    roles = replace(count.roles, nulls="drop", weight=weight, count=number)
    return replace(count, roles=roles, may_lack=tuple(filter(None, masses)))


def joint_cells(rows: Rows, count: Count) -> pl.LazyFrame:
    """The cells of all facets jointly, with the caller's column names: the answer of `cells`.

    Nulls are keys, so that a question about the cells finds what the rows lack. Rows without a
    weight have their number, and rows without a count are a cell each: none could be added up.
    """
    count = with_incomplete_rows(count)
    roles = count.roles
    [[counted]] = rows.counted([roles.facets], [count])
    all_cells = checked(counted.cells, count, as_keys=True)
    cells = unlisted(all_cells.filter(pl.col("n") > 0))
    keys = [
        *map(pl.col, roles.windows.by_key),
        *(
            facet.column_of([*map(pl.col, facet.keys)])
            for facet in roles.facets
            if not facet.is_uncertain
        ),
        *map(pl.col, roles.strata.keys),
        *map(pl.col, roles.controls.keys),
        *([pl.col(CLUSTER)] if roles.cluster else []),
        *(outcome.as_cell(pl.col(outcome.key)) for outcome in count.outcomes),
        *([count.score.as_returned(pl.col("score"))] if count.score else []),
    ]
    names = {f"key.{i}": column.name for i, column in enumerate(count.key_columns)}
    # Whether numbers are known is a key too, which the answer shows by their means.
    known = columns_that_may_lack(count)
    sums: dict[str, str] = {}
    if roles.weight is not None:
        sums |= {"weight": roles.weight.name, "weight_sq": "weight_sq"}
    if count.score is not None and count.score.is_rounded:
        sums |= dict(zip(SUMS, SUMS, strict=True))
    for facet in roles.uncertain_facets:
        sums |= {share(facet, *of): returned_name(facet, of) for of in sums_of(facet, roles)}
    has_weight, has_count = (
        pl.col(key).is_not_null() if key in known else pl.lit(True)
        for key in ("known.weight", "known.count")
    )
    each, n = pl.when(has_count).then(1).otherwise("n"), pl.when(has_count).then("n")
    given: dict[str, pl.Expr] = {
        name: pl.when(has_weight & has_count).then(key) for key, name in sums.items()
    }
    if roles.weight is not None:
        given[roles.weight.name] = pl.when(has_weight).then("weight") / each
    answer = (
        cells.group_by(*(key.alias(name) for key, name in zip(keys, names, strict=True)), *known)
        .agg(pl.col(name).sum() for name in ("n", *sums, *sums_of_numbers(roles.numbers)))
        .sort(*names, *known, nulls_last=True)
        .select(
            *(pl.col(key).alias(name) for key, name in names.items()),
            n.repeat_by(each).alias("n") if roles.count else "n",
            *(value.alias(name) for name, value in given.items()),
            *_returned_numbers(roles, {*known}),
        )
    )
    return answer.explode("n", empty_as_null=False) if roles.count else answer


def _returned_numbers(roles: Roles, known: Collection[str]) -> Iterator[pl.Expr]:
    """The mean of each number in a cell, and the sums around it, by which cells add up."""
    mass = pl.col(roles.mass).cast(pl.Float64)

    def given(value: pl.Expr, *lacking: str) -> pl.Expr:
        has_all = [pl.col(role).is_not_null() for role in lacking if role in known]
        return pl.when(pl.all_horizontal(pl.lit(True), *has_all)).then(value)

    from_place = {number.role: pl.col(f"{number.role}_sum") / mass for number in roles.numbers}
    for number in roles.numbers:
        mean = pl.col(f"{number.role}_place") / mass + from_place[number.role]
        yield given(mean, number.role).alias(number.column.name)
    if len(roles.numbers) > 1:
        from_place[RESIDUAL] = from_place[ESTIMATED] - from_place[OBSERVED]

    def sums(power: Power) -> pl.Expr:
        [(number, _), *_] = power.exponents
        return mass * from_place[number] if power.is_mean else pl.col(power.name)

    around_mean = {number: -distance for number, distance in from_place.items()}
    rows = partial(rows_of_cells, mass=mass)
    of_powers = {each.name: each for each in powers_of(roles.numbers)}
    for word, name in returned_sums(roles.numbers).items():
        if (power := of_powers.get(word)) is not None:
            yield given(power.moved(sums, around_mean, rows), *power.needs).alias(name)
            continue
        value = pl.col(word)
        needed = [each for each in SUMS_OF_NUMBERS[word] if each != "controls"]
        if word.endswith("_squares"):
            first, *second = (pl.col(f"{role}_sum") for role in needed)
            value = (value - sum(second, -first) ** 2 / mass).clip(0)
        yield given(value, *needed).alias(name)


def cells_by_attributes(rows: Rows, roles: Roles) -> pl.LazyFrame:
    """The cells of all facets together, counted and checked, with their attributes as keys."""
    counts = counts_of(roles)
    return pl.concat(
        _model_cells(period_cells(checked(counted.cells, count), roles), count)
        for [counted], count in zip(rows.counted([roles.facets], counts), counts, strict=True)
    )


def _model_cells(cells: pl.LazyFrame, count: Count) -> pl.LazyFrame:
    """The cells of each model: those of a joint count, added up over the other models.

    A row that lacks the prediction of one model has none in the cells of each.
    """
    if not count.models:
        return cells
    return _folded(shared(cells), count)


def _folded(cells: pl.LazyFrame, count: Count) -> pl.LazyFrame:
    decisions, windows = count.decisions, count.roles.undecided.windows.made
    all_known = [ALL_KNOWN] if count.all_known else []
    columns_of_cells = cells.collect_schema().names()
    tallies = [name for name in columns_of_cells if is_tally(name)]
    folded = (*(each.key for each in decisions), *all_known, *tallies)
    keys = [name for name in columns_of_cells if name not in folded]
    known = pl.all_horizontal(
        pl.lit(True),
        *(pl.col(each.key).is_not_null() for each in decisions),
        *map(pl.col, all_known),
    )

    def decided(decision: Outcome) -> pl.Expr:
        return pl.when(known).then(decision.positive_of(pl.col(decision.key)))

    parts = []
    for number, model in enumerate(count.models):
        window = {MODEL: pl.lit(model.name), THRESHOLD: pl.lit(count.threshold, pl.Float64)}
        if decisions:
            outcome = {"predicted": decided(decisions[number])}
        else:
            of_model = "score" if model.estimated is None else model.estimated.role
            outcome = {of_model: pl.when(known).then(of_model)} if of_model in keys else {}
        if decisions and count.roles.champion is not None:
            outcome[CHAMPION] = decided(decisions[-1])
        columns = {key: window[key] for key in windows} | outcome
        # In the order of the cells of one model, so that they are sorted in the same way.
        names = [*windows, *(key for key in keys if key not in columns), *outcome]
        parts.append(
            cells.with_columns(**columns)
            .group_by(names, maintain_order=True)
            .agg(**sums_of_tallies(tallies))
        )
    return pl.concat(parts)


def one_facet_cells(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of the first facet; every facet counts the same rows."""
    name = roles.facets[0].name if roles.facets else None
    return cells.filter(pl.col("facet").eq_missing(name))


def with_all_rows(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of groups, and those of all rows, which have no facet."""
    no_group = pl.lit(None, pl.String)
    all_rows = one_facet_cells(cells, roles).with_columns(facet=no_group, value=no_group)
    return pl.concat([cells, all_rows] if roles.facets else [all_rows])


def period_cells(cells: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The cells of windows that reach back over their period, from those of single blocks.

    A block without rows between two others is a window too: it has the cells of the one before it,
    all of them empty.
    """
    period = roles.windows.period
    if period is None:
        return cells
    cells = shared(unlisted(cells))
    types = cells.collect_schema()
    time, tallies = period.key, [name for name in types if is_tally(name)]
    others = [key for key in roles.windows.without_made.keys if key != time]
    windows = shared(_windows_between(cells.select(time).unique(), roles, period))
    block, window, reached = map(pl.col, (_PERIOD, "window", "reached"))
    following = block.shift(-1).over(others, order_by=block) if others else block.shift(-1)
    # Where the date is unknown, the block is null, and so is the one window.
    held = (
        cells.select(time, *others)
        .unique()
        .join(windows.with_columns(pl.len().alias("number")), on=time, how="left")
        .rename({"window": _PERIOD})
        .sort(_PERIOD)
        .with_columns(
            reached=pl.min_horizontal(block + period.blocks, "number"), following=following
        )
        .select(
            *(time, *others, "reached"),
            window=pl.int_ranges(block, pl.max_horizontal("reached", "following")),
        )
        .explode("window", empty_as_null=False)
    )
    emptied = (
        pl.when(window >= reached)
        .then(pl.lit(None if name in LOWEST else 0))
        .otherwise(name)
        .cast(types[name])
        .alias(name)
        for name in tallies
    )
    return (
        cells.join(held, on=[time, *others], nulls_equal=True, maintain_order="left")
        .with_columns(emptied)
        .drop(time)
        .join(windows, on="window", how="left", maintain_order="left")
        .sort(time, maintain_order=True, nulls_last=True)
        .group_by((name for name in types if name not in tallies), maintain_order=True)
        .agg(**sums_of_tallies(tallies))
        .select(pl.col(name).cast(dtype) for name, dtype in types.items())
    )


def _windows_between(blocks: pl.LazyFrame, roles: Roles, period: Period) -> pl.LazyFrame:
    """The windows from the first block to the last, numbered in order."""
    key, block = period.key, pl.col(period.key)
    known = blocks.drop_nulls()
    dtype = roles.windows.by_key[key].dtype
    is_local = isinstance(dtype, pl.Datetime)
    # A day may have 23 hours, and the next one still begins at midnight.
    local = block.dt.replace_time_zone(None) if is_local else block
    ends = known.select(first=local.min(), last=local.max())
    ends = _without_too_many(ends, roles, period)
    between = (pl.datetime_ranges if is_local else pl.date_ranges)("first", "last", period.every)
    all_of_them = ends.select(between.alias(key)).explode(key, empty_as_null=False)
    if isinstance(dtype, pl.Datetime):
        all_of_them = all_of_them.select(
            block.dt.replace_time_zone(dtype.time_zone, ambiguous="earliest", non_existent="null")
        )
    return (
        pl.concat([known, all_of_them.drop_nulls()])
        .unique()
        .sort(key)
        .with_row_index("window")
        .select(key, pl.col("window").cast(pl.Int64))
    )


def _without_too_many(ends: pl.LazyFrame, roles: Roles, period: Period) -> pl.LazyFrame:
    first, last = (pl.col(end).cast(pl.Datetime("ms")) for end in ("first", "last"))
    faults, name = Faults(roles), roles.windows.by_key[period.key].name

    def ends_of(table: pl.DataFrame) -> str:
        start, end = table.select(pl.col("first", "last").cast(pl.String)).row(0)
        return f"from {start} to {end}, the first and the last of"

    faults.add(
        (last - first).dt.total_seconds() / period.seconds > _MOST,
        f"every: there are more than {_MOST:,} windows of {period.every} ",
        Found("from the first to the last of", ends_of),
        f" {name!r}; give a longer every=, or leave out rows of wrong dates",
    )
    return faults.raised(ends)


def cells_up_to_each_time(rows: Rows, roles: Roles, time: str) -> pl.LazyFrame:
    """The cells of all rows, added up over the windows up to each one, in the order of this key.

    A window that differs in another key, such as the branch, has looks of its own.
    """
    cells = unlisted(cells_of_all_rows(rows, roles))
    return in_python(cells, partial(_added_up, roles=roles, time=time))


def _added_up(cells: pl.DataFrame, roles: Roles, time: str) -> pl.DataFrame:
    column = roles.windows.by_key[time]
    value = pl.col(time)
    is_missing = value.is_null() | (value.is_nan() if column.dtype.is_float() else False)
    # Every facet counts the same rows.
    of_one_facet = pl.col("facet").eq_missing(pl.col("facet").first())
    missing = cells.filter(of_one_facet & is_missing).select(rows_seen(roles).sum()).item()
    if missing:
        raise FairnessError(
            f"by: {column.name!r} has {missing:,} rows without a value, and with sequential=True "
            "every row needs its time; fill it, or leave these rows out with .filter()"
        )
    tallies = [name for name in cells.columns if is_tally(name)]
    kept = [name for name in tallies if name not in TALLIES_OF_CHECKS]
    windows = roles.undecided.windows.keys
    kind = [name for name in cells.columns if name not in (time, *tallies)]
    others = [key for key in windows if key != time]
    looks, kinds = (cells[names].unique().lazy() for names in (windows, kind))
    # Every kind of cell at every look: one that has no row there still has its rows before.
    if others:
        pairs = looks.join(kinds, on=others, nulls_equal=True)
    else:
        pairs = looks.join(kinds, how="cross")
    so_far = (pl.col(name).fill_null(0).cum_sum().over(kind) for name in kept)
    return collected(
        pairs.join(cells.lazy(), on=[time, *kind], how="left", nulls_equal=True)
        .sort(time)
        .select(time, *kind, *so_far)
        .filter(pl.col("rows" if "rows" in kept else "n") > 0)
    )


def without_key(cells: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """The cells added up over a key, if they have it."""
    cells = unlisted(cells)
    names = cells.collect_schema().names()
    keys, tallies = [n for n in names if not is_tally(n)], [n for n in names if is_tally(n)]
    if key not in keys:
        return cells
    keys.remove(key)
    return cells.group_by(keys, maintain_order=True).agg(**sums_of_tallies(tallies))

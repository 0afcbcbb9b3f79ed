"""What only the data show to be wrong: a condition over cells, and what to say of it.

The checks are of missing values, scores, sides, weights and counts. A plan raises the first
condition that holds with one fixed sentence. For what is collected here, the sentence is written in
Python, from the cells: how many rows, in which groups, and which value was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from math import log
from typing import Final, NamedTuple

import polars as pl

from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.counting.counts import CLUSTER, are_listed, behind_barrier, in_python
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import INFINITE, LOWEST_N, LOWEST_WEIGHT, MISSING
from polars_fairness.errors import MOST_QUOTED, FairnessError, listed, quoted
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import (
    HIGHEST,
    LARGEST,
    OVERALL,
    SEPARATOR,
    Facet,
    is_among,
    written,
)
from polars_fairness.question.outcomes import NUMBERS, Outcome
from polars_fairness.question.own_cells import uncounted
from polars_fairness.question.probabilities import EXCESSIVE, IMPOSSIBLE, has_shares, share
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import Score

TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)

Words = Callable[[pl.DataFrame], str]


class Found(NamedTuple):
    """A part of a sentence that only the data show: what stands for it in a plan, and its words."""

    in_plan: str
    of: Words


class _Fault(NamedTuple):
    """A condition of one value, and the parts of what to say of it."""

    is_there: pl.Expr
    parts: Sequence[str | Found]

    @property
    def in_plan(self) -> str:
        return "".join(part if isinstance(part, str) else part.in_plan for part in self.parts)

    def of(self, table: pl.DataFrame) -> str:
        return "".join(part if isinstance(part, str) else part.of(table) for part in self.parts)


class Faults:
    """Errors that a table may have.

    Parameters
    ----------
    roles
        What the table was counted for: whether the caller gets a plan, which has no step in Python,
        and the argument that holds the rows, which errors name where it is not the frame.
    is_checked
        The rows of the table that most checks are about; all of them by default.
    """

    def __init__(self, roles: Roles, is_checked: pl.Expr | None = None) -> None:
        self._source = f"{roles.source}: " if roles.source else ""
        self._in_plan = roles.in_plan
        self._is_checked = is_checked
        self._faults: list[_Fault] = []

    def of(self, value: pl.Expr | str) -> pl.Expr:
        """A value of the rows that are checked."""
        value = pl.col(value) if isinstance(value, str) else value
        return value if self._is_checked is None else value.filter(self._is_checked)

    def add(self, is_there: pl.Expr, *parts: str | Found) -> None:
        """An error, where it is there."""
        self._faults.append(_Fault(is_there, [self._source, *parts]))

    def raised(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """The same table, in a plan that raises the first of these errors."""
        if not self._faults:
            return table
        if not self._in_plan:
            # polars 1 takes some sums for another type than they have.
            return in_python(
                table, self._raise, table.collect_schema(), validate_output_schema=False
            )
        chosen: pl.Expr = pl.lit(None, pl.String)
        for fault in reversed(self._faults):
            chosen = pl.when(fault.is_there).then(pl.lit(fault.in_plan)).otherwise(chosen)
        # Strict parsing of a text that is no number is the one error of polars with a text of ours.
        # A filter, and not `when`: of a frame in several chunks polars 2.1, in memory, takes what
        # is left of a choice for elementwise once the sums in it are columns, and loses rows.
        is_sound = chosen.str.to_integer(strict=True).is_null()
        # So no projection of the caller's takes the fault away, and no filter passes it.
        return behind_barrier(table.filter(is_sound))

    def _raise(self, table: pl.DataFrame) -> pl.DataFrame:
        """The same table; raise the first of these errors that it has."""
        conditions = (fault.is_there.first().alias(f"{i}") for i, fault in enumerate(self._faults))
        for fault, is_there in zip(self._faults, table.select(conditions).row(0), strict=True):
            if is_there:
                raise FairnessError(fault.of(table))
        return table


_RAISED: Final = re.compile(
    r'strict integer parsing failed for \d+ value\(s\): \["(.*?)"\]; ', re.S
)


@contextmanager
def errors_of_users() -> Iterator[None]:
    """Raise what a plan raises of `Faults` as the error of a user."""
    try:
        yield
    except pl.exceptions.ComputeError as error:
        match = _RAISED.match(str(error))
        if match is None:
            raise
        raise FairnessError(match[1]) from None


def whole(number: pl.Expr, in_plan: str) -> Found:
    """A whole number, as a part of a sentence."""
    return Found(in_plan, lambda table: f"{table.select(number.cast(pl.Int64).first()).item():,}")


def texts_of(values: pl.Series) -> list[str]:
    """Values as an error writes them: texts in quotation marks."""
    texts = values.cast(pl.String)
    if values.dtype in TEXTS:
        return [f"'{written(text)}'" for text in texts]
    return (texts.str.to_titlecase() if values.dtype == pl.Boolean else texts).to_list()


def _distinct(cells: pl.DataFrame, values: pl.Expr) -> pl.Series:
    return cells.select(values.drop_nulls().unique().sort()).to_series()


def _short(number: float) -> str:
    """A number with at most three digits that count."""
    [text] = pl.Series([number]).cast(pl.String)
    return re.sub(r"(\.0*\d{1,2})\d*", r"\1", text, count=1)


def _percent(part: float) -> str:
    """A share of all as so many of a hundred."""
    return "below 0.1 %" if 0 < part < 0.0005 else f"{100 * part:.1f} %"


def _never_occur(texts: Sequence[str]) -> str:
    return f"{listed(texts, write=str)} never occur{'s' if len(texts) == 1 else ''}"


# Beyond, memory grows to gigabytes, and no chart or metric shows a difference.
_MOST_MULTIPLES: Final = 10_000_000

# The sum of squared weights: formulas multiply three sums of weights, and floats end at 1e308.
_LEAST_SQUARES: Final = 1e-120
_MOST_SQUARES: Final = 1e120

# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9

# The smallest number of rows that does not fit into an Int64.
_TOO_MANY_ROWS: Final = 2.0**63

# The largest number of groups that the error names for a column.
_MOST_GROUPS: Final = 3

# The most facets whose values an error sorts out.
_MOST_FACETS: Final = 10

# The most values that have a condition each, by which a plan names the one that never occurs: with
# one for each of 2,000 values polars took a second, and the time grows by the square.
_MOST_NAMED: Final = 10

# The most values beside which an error names a known one that may be meant.
_MOST_MEANT: Final = 10

# The least odds against chance at which the error names a group of a facet.
_LEAST_ODDS: Final = 1_000

# The least share of letters that a value meant has in common with the one that was given.
_LEAST_IN_COMMON: Final = 0.7

# The label of people who were refused is often unknown; the others alone are no fair sample.
_ASSUMED: Final = "; in an audit, say what is assumed of them: nulls='drop' with unlabelled='any'"
_OTHER_METRICS: Final = "; metrics that need no label still count them"

_WITHOUT_THESE_ROWS: Final = "replace them, or leave these rows out with .filter()"


def checked(cells: pl.LazyFrame, count: Count, *, as_keys: bool = False) -> pl.LazyFrame:
    """The cells, in a plan that raises what is wrong with the rows that they count.

    Cells of comparisons have sides too. With ``as_keys`` nulls are keys like any other value, and
    no label values may be merged.
    """
    roles, schema, is_first = count.roles, cells.collect_schema(), None
    if "facet" in schema and (len(roles.facets) > 1 or roles.are_joint):
        # Every facet counts the same rows, so the cells of one are enough for most checks.
        name = roles.facets[0].name if roles.are_apart else roles.joint_facet
        is_first = pl.col("facet") == name
    faults = Faults(roles, is_first)
    _odd_probabilities(faults, roles, schema)
    _bad_weights(faults, roles)
    _bad_counts(faults, roles)
    if not as_keys:
        _missing_clusters(faults, roles)
        _missing_values(faults, count)
    _infinite_values(faults, count)
    if count.score is not None and not count.score.thresholds:
        _impossible_scores(faults, schema, count.score, roles)
    for outcome in count.outcomes:
        if outcome.assumed:
            _other_numbers(faults, outcome)
    _absent_positives(faults, count.outcomes)
    if "facet" in schema and roles.are_apart:
        _absent_sides(faults, roles.facets)
    if as_keys:
        _mixed_labels(faults, roles.label)
    if LOWEST_N in schema:
        _uncounted_cells(faults)
    return faults.raised(cells)


def _mixed_labels(faults: Faults, label: Outcome | None) -> None:
    """Add the fault of several label values that cells would merge into True or into False.

    Metrics over label values would differ between these cells and the rows, without any notice.
    """
    if label is None or not label.positive:
        return
    dtype, value = label.column.dtype, pl.col(label.key)

    def words(cells: pl.DataFrame, merged: pl.Expr) -> str:
        distinct = _distinct(cells, value).len()
        return quoted(texts_of(_distinct(cells, merged)), distinct, dtype, str)

    is_positive = value.is_in(pl.Series(label.positive, dtype=dtype).implode())
    for kept, are_kept in ((True, is_positive), (False, ~is_positive)):
        merged = value.filter(are_kept & value.is_not_null())
        faults.add(
            merged.n_unique() > 1,
            "positive: cells would merge ",
            Found("several values", partial(words, merged=merged)),
            f" of {label.column.name!r} into {kept}, and kl, js, lp, tvd and ks need them apart; "
            "leave positive= out for this column here and give it when you ask about "
            "the cells, or give a Boolean as label=",
        )


def _odd_probabilities(faults: Faults, roles: Roles, schema: pl.Schema) -> None:
    for facet in roles.uncertain_facets if not has_shares(roles) else ():
        own = pl.col("facet") == facet.name if "facet" in schema else pl.lit(True)
        impossible, excessive = (
            pl.col(share(facet, name)).filter(own).sum() for name in (IMPOSSIBLE, EXCESSIVE)
        )
        columns = listed(column.name for column in facet.probabilities.values())
        faults.add(
            impossible > 0,
            "facet: ",
            whole(impossible, "some"),
            f" rows have negative or NaN probabilities of {facet.name!r} ({columns}); correct "
            "them, or make them null where the group is unknown",
        )
        faults.add(
            excessive > 0,
            "facet: in ",
            whole(excessive, "some"),
            f" rows the probabilities of {facet.name!r} ({columns}) add up to more than 1.01; "
            "divide each by their sum, or correct them",
        )


def _bad_weights(faults: Faults, roles: Roles) -> None:
    if roles.weight is None:
        return
    name, lowest = roles.weight.name, faults.of(LOWEST_WEIGHT).min()
    squares = faults.of("weight_sq").sum()
    faults.add(
        ~faults.of("weight").is_finite().all(),
        f"weight: {name!r} has NaN or infinite values, or an infinite sum; a weight is finite and "
        "at least 0",
    )
    faults.add(
        lowest < 0, f"weight: {name!r} has negative values; a weight is finite and at least 0"
    )
    faults.add(
        # Without a lowest weight all are 0.
        lowest.is_not_null() & ~squares.is_between(_LEAST_SQUARES, _MOST_SQUARES),
        f"weight: {name!r} has values",
        Found("", lambda cells: f" such as {_short(cells.select(lowest).item())},"),
        " whose products are beyond the range of floats; only their ratios matter, so divide "
        "them by their mean",
    )


def _bad_counts(faults: Faults, roles: Roles) -> None:
    if roles.count is None:
        return
    name = roles.count.name
    broken, total = (faults.of(each).sum() for each in ("broken_counts", "total_count"))
    faults.add(
        broken > 0,
        f"count: {name!r} has ",
        whole(broken, "some"),
        " values that are not whole numbers; a count is a number of rows (for anything else use "
        "weight=)",
    )
    faults.add(
        (faults.of("lowest_count") < 0).any(),
        f"count: {name!r} has negative values; a count is at least 0",
    )
    faults.add(
        total >= _TOO_MANY_ROWS,
        f"count: {name!r} adds up to ",
        Found(f"{_TOO_MANY_ROWS:.3g} or more", lambda cells: _short(cells.select(total).item())),
        f" rows, and {_TOO_MANY_ROWS:.3g} are too many to be counted; correct the column, or use "
        f"weight= if it is not a number of rows",
    )


def _uncounted_cells(faults: Faults) -> None:
    """Add the fault of cells without a count: each would be a single row."""
    faults.add(
        faults.of(LOWEST_N).min() >= 0,
        uncounted("no two rows have the same values of all that the question names"),
    )


def _missing_clusters(faults: Faults, roles: Roles) -> None:
    cluster = roles.cluster
    if cluster is None:
        return
    rows = rows_seen(roles)
    missing = faults.of(pl.when(pl.col(CLUSTER).is_null()).then(rows)).sum()

    def words(cells: pl.DataFrame) -> str:
        number, of_all = cells.select(a=missing, b=faults.of(rows).sum()).row(0)
        return f"{number:,} nulls ({_percent(number / of_all)})"

    faults.add(
        missing > 0,
        f"cluster: {cluster.name!r} has ",
        Found("nulls", words),
        ", whose clusters are not known; give each row a cluster of its own, such as its number, "
        "or leave them out with .filter()",
    )


def _missing_values(faults: Faults, count: Count) -> None:
    """Add the fault of missing values, with the groups in which their share differs."""
    lacking, roles = [*_columns_that_may_lack(count)], count.roles
    has_others = any(argument != "label" for argument, *_ in lacking)

    def words(cells: pl.DataFrame) -> str:
        rows = cells.select(faults.of(rows_seen(roles)).sum()).item()
        arguments: dict[str, None] = {}
        columns: dict[str, str] = {}  # several models may have the same column
        for argument, column, missing in lacking:
            if number := cells.select(faults.of(missing).sum()).item():
                arguments[argument] = None
                null = ", null or NaN" if _may_be_nan(argument, column) else ""
                columns[column.name] = (
                    f"{column.name!r} has {number:,} ({_percent(number / rows)}){null}"
                    f"{_where_differing(cells, missing, (number, rows), roles, argument)}"
                )
        return f"{', '.join(arguments)}: missing values: {'; '.join(columns.values())}"

    for_all = ", for all models alike," if len(count.decisions) > 1 else ""
    remedy = f"; fill them, or leave these rows out{for_all} with nulls='drop'"
    # Labels last, so that a plan says of them alone that others do without.
    for argument, column, missing in sorted(lacking, key=lambda each: each[0] == "label"):
        nulls = "nulls or NaNs" if _may_be_nan(argument, column) else "nulls"
        faults.add(
            faults.of(missing).sum() > 0,
            Found(f"{argument}: missing values: {column.name!r} has {nulls}", words),
            remedy,
            _OTHER_METRICS if argument == "label" and has_others else "",
            _ASSUMED if argument == "label" and roles.predicted is not None else "",
        )


def _may_be_nan(argument: str, column: Column) -> bool:
    """Whether NaN is missing too: in a weight or a count it is an error of its own.

    Numbers of cells are means, and so floats.
    """
    return argument in NUMBERS or (column.dtype.is_float() and argument not in ("weight", "count"))


def _columns_that_may_lack(count: Count) -> Iterator[tuple[str, Column, pl.Expr]]:
    """Arguments with their column, and the rows of each cell in which it is missing."""
    roles = count.roles
    if roles.nulls == "drop":
        return
    keys = [(outcome.argument, outcome.key, outcome.column) for outcome in count.outcomes]
    if count.score is not None:
        keys.append((count.score.argument, "score", count.score.column))
    for argument, key, column in keys:
        yield argument, column, pl.when(pl.col(key).is_null()).then(rows_seen(roles)).otherwise(0)
    for each in roles.numbers:
        of_key = pl.when(pl.col(each.role).is_null()).then(rows_seen(roles))
        yield each.role, each.column, pl.col(f"{each.role}{MISSING}") if each.is_summed else of_key
    for role, number in (("weight", roles.weight), ("count", roles.count)):
        if number is not None:
            yield role, number, pl.col(f"null_{role}s")


def _where_differing(
    cells: pl.DataFrame, missing: pl.Expr, of_all: tuple[int, int], roles: Roles, argument: str
) -> str:
    """The groups whose share of missing values differs from that of all rows beyond chance.

    For a label, decisions are told apart like groups.

    Hoeffding (1963): if values are missing at random, a share as far away on the same side has at
    most the probability exp(-rows * divergence), however few rows the group has.
    """
    share_of_all = of_all[0] / of_all[1]
    differing = []
    decisions = _decisions_of(cells, roles) if argument == "label" else ()
    for facet, value in (*decisions, *_facets_of(cells, roles)):
        groups = cells.group_by(facet=facet, value=value).agg(
            missing=missing.sum(), rows=rows_seen(roles).sum()
        )
        sizes = dict(groups.group_by("facet").len().iter_rows())
        few = groups.filter(
            pl.col("facet").replace_strict(sizes) <= MOST_QUOTED, pl.col("rows") > 0
        )
        for name, key, number, rows in few.iter_rows():
            part = number / rows
            pairs = ((part, share_of_all), (1 - part, 1 - share_of_all))
            # A share of all that is 0 or 1 is that of each group.
            divergence = sum(one * log(one / other) for one, other in pairs if one and other)
            if rows * divergence > log(_LEAST_ODDS * sizes[name]):
                group = "unknown" if key is None else f"'{written(key)}'"
                distance = -round(abs(part - share_of_all), 12)
                is_exact = number == rows == of_all[0]
                differing.append((distance, -part, f"where '{name}' is {group}", is_exact))
    most = sorted(differing)[:_MOST_GROUPS]
    for _, _, where, is_exact in most:
        if is_exact:
            return f", exactly {where}"
    shares = ", ".join(f"{_percent(-part)} {where}" for _, part, where, _ in most)
    return f": {shares}" if shares else ""


def _decisions_of(cells: pl.DataFrame, roles: Roles) -> Iterator[tuple[pl.Expr, pl.Expr]]:
    """The decision about the rows of cells, as a facet."""
    predicted = roles.predicted
    if predicted is not None and not roles.named_models and predicted.key in cells.columns:
        decision = predicted.positive_of(pl.col(predicted.key)).cast(pl.String)
        yield pl.lit(predicted.column.name), decision


def _facets_of(cells: pl.DataFrame, roles: Roles) -> Iterator[tuple[pl.Expr, pl.Expr]]:
    """The facets of cells, and the values of each."""
    if "facet" in cells.columns:
        if roles.facets:
            yield pl.col("facet"), pl.col("value")
        return
    for facet in roles.facets:
        if facet.keys and {*facet.keys} <= {*cells.columns}:
            yield pl.lit(facet.name), facet.key([*map(pl.col, facet.keys)])


def _infinite_values(faults: Faults, count: Count) -> None:
    for number in count.roles.numbers:
        role = number.role
        infinite = pl.col(f"{role}{INFINITE}") > 0
        faults.add(
            faults.of(infinite if number.is_summed else pl.col(role).is_infinite()).any(),
            f"{role}: {number.column.name!r} has infinite values, which have no mean, or "
            f"values whose squares are infinite; {_WITHOUT_THESE_ROWS}",
        )


def _impossible_scores(faults: Faults, schema: pl.Schema, score: Score, roles: Roles) -> None:
    """Infinite scores, a resolution too fine for their range, and no probabilities."""
    name, multiples = score.column.name, score.multiples
    known = _scores(faults.of("score"), schema)
    if score.column.dtype.is_integer():
        rows = faults.of(pl.when(pl.col("score").is_nan()).then("n")).sum()
        faults.add(
            known.is_nan().any(),
            f"{score.argument}: ",
            whole(rows, "some"),
            f" values of {name!r} are whole numbers beyond 2^53, where different ones have the "
            "same float; give smaller numbers, or their ranks",
        )
    # An infinite score, divided into multiples, is NaN.
    faults.add(
        ~known.is_finite().all(),
        f"{score.argument}: {name!r} has infinite values, which have no mean and no distance to "
        f"others; {_WITHOUT_THESE_ROWS}",
    )
    if multiples is not None:
        step, extent = float(multiples.step), known.max() - known.min()
        coarser = (extent / 1_000).round_sig_figs(1).cast(pl.String)
        faults.add(
            extent / step >= _MOST_MULTIPLES,
            "resolution: between the lowest and the highest score are more than "
            f"{_MOST_MULTIPLES:,} multiples of {step:g}; give a coarser one, ",
            Found("", lambda cells: f"such as {cells.select(coarser).item()}, "),
            "or leave it out to count each distinct score",
        )
        if score.has_sums:
            most = pl.col("score") + step
            faults.add(
                faults.of(_mean(roles) > most + _ROUNDING * most.abs()).any(),
                f"resolution: scores of these cells have a mean more than {step:g} above the "
                f"multiple that they were rounded down to, so they were not rounded by {step:g}; "
                "give the resolution= with which they were counted, or a multiple of it",
            )
    if score.probabilities_for:
        value = _mean(roles) if score.is_rounded else pl.col("score")
        label = [pl.col("label").is_not_null()] if roles.label else []
        used = _scores(faults.of(pl.when(pl.col("n") > 0, *label).then(value)), schema)
        outside = used.filter((used < 0) | (used > 1 + _ROUNDING))

        def such(cells: pl.DataFrame) -> str:
            # The mean of a multiple may be the score of one row, and how many scores it has is
            # unknown.
            if score.is_rounded or _distinct(cells, used).len() > MOST_QUOTED:
                return ""
            lowest = outside.min().cast(pl.String).str.strip_suffix(".0")
            return f", such as {cells.select(lowest).item()}"

        faults.add(
            outside.count() > 0,
            f"{score.argument}: {name!r} has values outside 0 and 1",
            Found("", such),
            f", and {score.probabilities_for!r} compares probabilities with labels; rescale the "
            "scores, leave these rows out with .filter(), or leave out what compares probabilities",
        )


def _scores(value: pl.Expr, schema: pl.Schema) -> pl.Expr:
    """The scores of cells, each as often as cells have it; null where cells have none."""
    if are_listed(pl.DataFrame(schema=schema)):
        return value.explode(empty_as_null=False)
    return value.cast(pl.Float64)


def _mean(roles: Roles) -> pl.Expr:
    """The mean of the rounded scores of a cell."""
    mass = pl.col(roles.mass)
    return pl.when(mass > 0).then(pl.col("score_sum") / mass)


def _other_numbers(faults: Faults, outcome: Outcome) -> None:
    value = faults.of(outcome.key)
    is_other = (value != 0) & (value != 1)
    thresholds = {
        "label": " or label_threshold=",
        "predicted": " or threshold=",
    }

    def words(cells: pl.DataFrame) -> str:
        values, others = _distinct(cells, value), _distinct(cells, value.filter(is_other))
        return f": {quoted(texts_of(others), values.len(), values.dtype, str)}"

    faults.add(
        is_other.any(),
        f"{outcome.argument}: {outcome.column.name!r} has values other than 0 and 1",
        Found("", words),
        f"; say which are positive with positive={thresholds.get(outcome.argument, '')}",
    )


def _absent_positives(faults: Faults, outcomes: Sequence[Outcome]) -> None:
    chosen = [each for each in outcomes if each.positive and not each.assumed]
    chosen = [each for each in chosen if not isinstance(each.column.dtype, pl.Enum)]
    for outcome in chosen:
        shared = [each for each in chosen if outcome.shares_positive and each is not outcome]
        names = ", ".join(f"{each.column.name!r}: ..." for each in chosen)
        hint = f", or give the values of each outcome, positive={{{names}}}"
        _absent_positive(faults, outcome, shared, hint if outcome.shares_positive else "")


def _absent_positive(
    faults: Faults, outcome: Outcome, others: Sequence[Outcome], hint: str
) -> None:
    """Add the fault of positive values that never occur.

    In a list for both outcomes, a value may be one of the other outcome, as long as one of the list
    occurs in this outcome.
    """
    name, dtype, given = outcome.column.name, outcome.column.dtype, _positive_texts(outcome)

    def words(cells: pl.DataFrame) -> str:
        absent = _absent(faults, outcome, cells)
        if len(absent) < len(given):
            lacking = [(each, _absent(faults, each, cells)) for each in others]
            held = {
                text
                for each, lacks in lacking
                for text in _positive_texts(each)
                if text not in lacks
            }
            absent = [text for text in absent if text not in held]
        there = _distinct(cells, faults.of(outcome.key))
        texts = [f"'{written(text)}'" if dtype in TEXTS else text for text in absent]
        has = quoted(texts_of(there), there.len(), dtype, str)
        return f"{_never_occur(texts)} in {name!r}, which has {has}; name one of these{hint}"

    is_any = faults.of(outcome.key).is_not_null().any()
    for part in _named_apart(given):
        lacks = _number_of(faults, [outcome], part) < len(part)
        if others:
            beside = _number_of(faults, [outcome, *others], part) < len(part)
            lacks &= beside | (_number_of(faults, [outcome], given) == 0)
        some = _some_never_occur(part, is_text=dtype in TEXTS)
        in_plan = f"{some} in {name!r}; name values that it has{hint}"
        faults.add(is_any & lacks, "positive: ", Found(in_plan, words))


def _positive_texts(outcome: Outcome) -> list[str]:
    given = pl.Series(outcome.positive, dtype=outcome.column.dtype)
    return given.unique(maintain_order=True).cast(pl.String).to_list()


# 0 and 1 as texts of numbers of any type.
_TWO: Final = ("0", "1", "0.0", "1.0")


def _absent(faults: Faults, outcome: Outcome, cells: pl.DataFrame) -> list[str]:
    """The positive values of an outcome that lack rows; of 0 and 1, one may lack them."""
    there = _distinct(cells, faults.of(outcome.key))
    texts = {*there.cast(pl.String)}
    are_two = outcome.column.dtype.is_numeric() and {*there} <= {0, 1}
    return [
        text
        for text in _positive_texts(outcome)
        if text not in texts and not (are_two and text in _TWO)
    ]


def _number_of(faults: Faults, outcomes: Sequence[Outcome], texts: Sequence[str]) -> pl.Expr:
    """How many of these values have rows in one of the outcomes, or may lack them: 0 or 1."""
    there = reduce(pl.Expr.append, [faults.of(each.key).cast(pl.String) for each in outcomes])

    def number(texts: Sequence[str]) -> pl.Expr:
        return there.filter(is_among(there, texts)).n_unique()

    of_numbers = [faults.of(o.key) for o in outcomes if o.column.dtype.is_numeric()]
    of_others = [text for text in texts if not of_numbers or text not in _TWO]
    if len(of_others) == len(texts):
        return number(texts)
    are_two = pl.any_horizontal(((each == 0) | (each == 1)).all() for each in of_numbers)
    beside = number(of_others) if of_others else pl.lit(0)
    return pl.when(are_two).then(beside + len(texts) - len(of_others)).otherwise(number(texts))


def _named_apart(values: Sequence[str]) -> list[Sequence[str]]:
    """Values that have a condition each, if they are few, so that a plan can name one of them."""
    return [[each] for each in values] if len(values) <= _MOST_NAMED else [values]


def _some_never_occur(values: Sequence[str], *, is_text: bool) -> str:
    """What a plan says of values that never occur."""
    if len(values) > 1:
        return f"some of {len(values):,} values never occur"
    return _never_occur([f"'{written(each)}'" if is_text else each for each in values])


def _absent_sides(faults: Faults, facets: Sequence[Facet]) -> None:
    for facet in facets:
        for argument, side in (("disfavored", facet.disfavored), ("favored", facet.favored)):
            if side and not facet.has_all_values:
                _absent_side(faults, argument, [*dict.fromkeys(side)], facet, facets)


def _absent_side(
    faults: Faults, argument: str, side: Sequence[str], facet: Facet, facets: Sequence[Facet]
) -> None:
    """Add the fault of values of a side that never occur."""
    meant = [each for each in (HIGHEST, LARGEST, OVERALL) if side[0].upper() == each.name]
    give = f"give favored={meant[0]}" if argument == "favored" and meant else ""
    beside = facets if 1 < len(facets) <= _MOST_FACETS else [facet]

    def words(cells: pl.DataFrame) -> str:
        by_facet = {
            each: _distinct(cells, pl.col("value").filter(pl.col("facet") == each.name))
            for each in beside
        }
        known = by_facet[facet]
        there = {each: [key for key in side if key in values] for each, values in by_facet.items()}
        absent = [key for key in side if key not in there[facet]]
        has = quoted(texts_of(known), known.len(), facet.column.dtype, str)
        never = _never_occur([f"'{written(key)}'" for key in absent])
        remedy = _by_facet(argument, absent, there) or give or _values_meant(absent, known)
        return (
            f"{never} in {facet.name!r}, which has {has or 'no known value at all'}; "
            f"{remedy or 'name one of these'}"
        )

    value = pl.col("value").filter(pl.col("facet") == facet.name)
    for part in _named_apart(side):
        never = f"{_some_never_occur(part, is_text=True)} in {facet.name!r}"
        faults.add(
            # An empty table has no values.
            (value.filter(is_among(value, part)).n_unique() < len(part)) & (pl.len() > 0),
            f"{argument}: ",
            Found(f"{never}; {give or 'name a value that it has'}", words),
        )


def _by_facet(argument: str, absent: Sequence[str], there: Mapping[Facet, Sequence[str]]) -> str:
    """What to give where each value of a side is one of some facet, if of several."""
    if len(there) < 2 or not {*absent} <= {key for keys in there.values() for key in keys}:
        return ""
    pairs = []
    for facet, keys in there.items():
        if texts := [_python_literal(key, facet) for key in keys]:
            several = f"[{', '.join(texts)}]"
            pairs.append(f"{facet.name!r}: {several if len(texts) > 1 else texts[0]}")
    return f"give {argument}={{{', '.join(pairs)}}}"


def _values_meant(absent: Sequence[str], known: pl.Series) -> str:
    """A question about the values that have most letters in common with one that was given."""
    if known.len() > MOST_QUOTED:
        return ""
    for key in absent[:_MOST_MEANT]:
        typed, alike = {*key.lower()}, []
        for value in known:
            letters = {*value.lower()}
            if len(typed & letters) >= _LEAST_IN_COMMON * len(typed | letters):
                alike.append(f"'{written(value)}'")
        if alike:
            return f"did you mean {listed(alike, 'or', write=str)}?"
    return ""


def _python_literal(key: str, facet: Facet) -> str:
    """A key as the value that the caller would give."""
    texts = key.split(SEPARATOR)
    parts = [
        repr(text) if dtype in TEXTS else text
        for text, (_, dtype) in zip(texts, facet.fields, strict=True)
    ]
    return f"({', '.join(parts)})" if facet.is_intersection else parts[0]

"""What only the data show to be wrong, as expressions over cells: the plan itself raises it.

The checks are of missing values, scores, sides, weights and counts. Each is the text of an error
where the cells have the fault, and null where they have not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import reduce
from typing import Final, TypeVar

import polars as pl

from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.counting.counts import CLUSTER, are_listed
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import BLOCK, INFINITE, LOWEST_N, MISSING
from polars_fairness.errors import MOST_QUOTED, FairnessError, listed
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
from polars_fairness.question.probabilities import EXCESSIVE, IMPOSSIBLE, share
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import Score

TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)

Part = str | pl.Expr | Callable[[], pl.Expr]
"""A part of the text of an error."""

_Answer = TypeVar("_Answer")

# Whether faults have no texts yet, while an answer is computed at once, and what stands for one.
_ARE_BRIEF: Final[ContextVar[bool | None]] = ContextVar("are brief", default=None)
_BRIEF: Final = "without words\x1f"


class Faults:
    """Errors that a table may have, and the columns from which their texts are made.

    What is used several times is a column of its own: polars writes out an expression wherever it
    is used, and texts of groups whose shares differ had 20,000 nodes. Errors without texts use
    nearly everything once.

    Parameters
    ----------
    source
        The argument that holds the rows, which errors name, where it is not the frame.
    """

    def __init__(self, source: str = "") -> None:
        self._source = f"{source}: " if source else ""
        self.are_brief = bool(_ARE_BRIEF.get())
        self._texts: list[pl.Expr] = []
        self._layers: list[list[pl.Expr]] = []
        self._layer_of: dict[str, int] = {}

    def held(self, value: pl.Expr) -> pl.Expr:
        """An expression as a column of its own, where texts are made of it."""
        if self.are_brief:
            return value
        layers = [self._layer_of.get(name, -1) for name in value.meta.root_names()]
        layer, name = max(layers, default=-1) + 1, f"held.{len(self._layer_of)}\x1f"
        self._layer_of[name] = layer
        self._layers += [[]] * (layer == len(self._layers))
        self._layers[layer] = [*self._layers[layer], value.alias(name)]
        return pl.col(name)

    def one(self, value: pl.Expr) -> pl.Expr:
        """One value of the whole table."""
        return self.held(value).first()

    def listed(self, values: pl.Expr) -> pl.Expr:
        """Some values of the whole table, in a list.

        What is made of them is made of the list: where two columns have an expression of another
        length in common, sinks of polars 2.1 in memory take it for a column, and end.
        """
        return self.one(values.implode())

    def add(self, is_there: pl.Expr, *parts: Part) -> None:
        """An error, where it is there; some parts of its text only the table shows.

        Parts that are functions make what takes long, where texts are made.
        """
        if self.are_brief:
            self._texts.append(pl.when(is_there).then(pl.lit(_BRIEF)))
            return
        made = (each if isinstance(each, str | pl.Expr) else each() for each in parts)
        texts = (pl.lit(each) if isinstance(each, str) else each for each in made)
        self._texts.append(pl.when(is_there).then(pl.concat_str([pl.lit(self._source), *texts])))

    def raised(self, table: pl.LazyFrame) -> pl.LazyFrame:
        """The same table, in a plan that raises the first of these errors.

        All columns stand in one struct behind the fault. So no projection of the caller's can take
        the fault away from them, and no filter can pass the unnesting.
        """
        if not self._texts:
            return table
        # Strict parsing of a text that is no number is the one error of polars with a text of ours.
        fault = pl.coalesce(self._texts).str.to_integer(strict=True)
        # A filter, and not `when`: of a frame in several chunks polars 2.1, in memory, takes what
        # is left of a choice for elementwise once the sums in it are columns, and loses rows.
        packed = pl.struct(table.collect_schema().names()).alias("cell").filter(fault.is_null())
        for layer in self._layers:
            table = table.with_columns(layer)
        return table.select(packed).unnest("cell")

    def quoted(
        self,
        values: pl.Expr,
        dtype: pl.DataType,
        distinct: pl.Expr | None = None,
        kind: str = "",
    ) -> pl.Expr:
        """Values `listed` in words, if the column has few; else how many it has."""
        texts = self.one(values.list.eval(as_text(pl.element(), dtype)))
        number = values.list.len() if distinct is None else distinct
        many = pl.concat_str([whole(number), pl.lit(f" distinct values ({kind or dtype})")])
        return pl.when(number <= MOST_QUOTED).then(joined_in_words(texts)).otherwise(many)


_RAISED: Final = re.compile(
    r'strict integer parsing failed for \d+ value\(s\): \["(.*?)"\]; ', re.S
)


class _WithoutWordsError(Exception):
    """An error of a user, before it has its text."""


@contextmanager
def errors_of_users() -> Iterator[None]:
    """Raise what a plan raises of `Faults` as the error of a user."""
    try:
        yield
    except pl.exceptions.ComputeError as error:
        match = _RAISED.match(str(error))
        if match is None:
            raise
        raise _WithoutWordsError if match[1] == _BRIEF else FairnessError(match[1]) from None


def worded_if_raised(answer: Callable[[], _Answer]) -> _Answer:
    """Compute an answer; only if there is an error, once more with the texts of errors.

    To make these texts, and to compute them, took 16 of the 30 ms of `di` of ten rows. A plan that
    is returned has them, since nothing computes it once more.
    """
    if _ARE_BRIEF.get() is not None:
        return answer()
    with suppress(_WithoutWordsError):
        return _answered(answer, are_brief=True)
    return _answered(answer, are_brief=False)


def _answered(answer: Callable[[], _Answer], *, are_brief: bool) -> _Answer:
    before = _ARE_BRIEF.set(are_brief)
    try:
        with errors_of_users():
            return answer()
    finally:
        _ARE_BRIEF.reset(before)


def as_text(values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Values as an error writes them: texts in quotation marks."""
    text = values.cast(pl.String)
    if dtype in TEXTS:
        return pl.lit("'") + as_written(text) + "'"
    return text.str.to_titlecase() if dtype == pl.Boolean else text


def as_written(keys: pl.Expr) -> pl.Expr:
    """Keys as results show them."""
    return keys.str.replace_all(SEPARATOR, " & ", literal=True)


def joined_in_words(texts: pl.Expr, joined_by: str = "and") -> pl.Expr:
    """A list of texts as a list in a sentence, cut after the first few."""
    most = 10
    number = texts.list.len().cast(pl.Int64)
    first, last = texts.list.head((number - 1).clip(0)).list.join(", "), texts.list.last()
    more = pl.format("{} and {} more", texts.list.head(most).list.join(", "), number - most)
    several = pl.concat_str([first, pl.lit(f" {joined_by} "), last])
    return pl.when(number > most).then(more).when(number > 1).then(several).otherwise(last)


def whole(number: pl.Expr) -> pl.Expr:
    """A whole number with a comma before each three digits."""
    digits = number.cast(pl.Int64).cast(pl.String).str.reverse()
    return digits.str.replace_all(r"(\d{3})", "${1},").str.strip_chars_end(",").str.reverse()


def short(number: pl.Expr) -> pl.Expr:
    """A number with at most three digits that count."""
    return number.cast(pl.String).str.replace(r"(\.0*\d{1,2})\d*", "${1}")


def percent(part: pl.Expr) -> pl.Expr:
    """A share of all as so many of a hundred."""
    text = pl.format("{} %", (100 * part).round(1))
    return pl.when((part > 0) & (part < 0.0005)).then(pl.lit("below 0.1 %")).otherwise(text)


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

# The most facets whose values an error sorts out: for 49 facets it took 5 s to plan, and had 49
# parts for each of them.
_MOST_FACETS: Final = 10

# The most values beside which an error names a known one that may be meant.
_MOST_MEANT: Final = 10

# The least odds against chance at which the error names a group of a facet.
_LEAST_ODDS: Final = 1_000

# The least share of letters that a value meant has in common with the one that was given.
_LEAST_IN_COMMON: Final = 0.7

# The label of people who were refused is often unknown; the others alone are no fair sample.
_OTHER_METRICS: Final = "; metrics that need no label still count them"

_WITHOUT_THESE_ROWS: Final = "replace them, or leave these rows out with .filter()"


def checked(
    cells: pl.LazyFrame, count: Count, first: str = "", *, as_keys: bool = False
) -> pl.LazyFrame:
    """The cells, in a plan that raises what is wrong with the rows that they count.

    Cells of comparisons have sides too. ``first`` is the value of `BLOCK` whose cells are checked,
    where there are several. With ``as_keys`` nulls are keys like any other value, and no label
    values may be merged.
    """
    roles, schema, is_first = count.roles, cells.collect_schema(), pl.lit(value=True)
    if first:
        is_first = pl.col(BLOCK) == first
    elif "facet" in schema and (len(roles.facets) > 1 or roles.are_joint):
        # Every facet counts the same rows, so the cells of one are enough for most checks.
        name = roles.facets[0].name if roles.are_apart else roles.joint_facet
        is_first = pl.col("facet") == name
    faults = Faults(roles.source)
    _odd_probabilities(faults, roles, schema)
    _bad_weights(faults, roles, is_first)
    _bad_counts(faults, roles, is_first)
    if not as_keys:
        _missing_clusters(faults, roles, is_first)
        _missing_values(faults, count, schema, is_first)
    _infinite_values(faults, count, is_first)
    if count.score is not None and not count.score.thresholds:
        _impossible_scores(faults, schema, count.score, roles, is_first)
    for outcome in count.outcomes:
        if outcome.assumed:
            _other_numbers(faults, outcome, is_first)
    _absent_positives(faults, count.outcomes, is_first)
    if "facet" in schema and roles.are_apart:
        _absent_sides(faults, roles.facets)
    if as_keys:
        _mixed_labels(faults, roles.label)
    if LOWEST_N in schema:
        _uncounted_cells(faults, is_first)
    return faults.raised(cells)


def _mixed_labels(faults: Faults, label: Outcome | None) -> None:
    """Add the fault of several label values that cells would merge into True or into False.

    Metrics over label values would differ between these cells and the rows, without any notice.
    """
    if label is None or not label.positive:
        return
    dtype, value = label.column.dtype, pl.element()
    there = faults.listed(pl.col(label.key).drop_nulls().unique().sort())
    is_positive = value.is_in(pl.Series(label.positive, dtype=dtype).implode())
    for kept, are_kept in ((True, is_positive), (False, ~is_positive)):
        values = there.list.eval(value.filter(are_kept))
        faults.add(
            values.list.len() > 1,
            "positive: cells would merge ",
            faults.quoted(values, dtype, there.list.len()),
            f" of {label.column.name!r} into {kept}, and kl, js, lp, tvd and ks need them apart; "
            f"leave positive= out for this column here and give it when you ask about "
            f"the cells, or give a Boolean as label=",
        )


def _odd_probabilities(faults: Faults, roles: Roles, schema: pl.Schema) -> None:
    for facet in roles.uncertain_facets if not roles.has_shares else ():
        own = pl.col("facet") == facet.name if "facet" in schema else pl.lit(True)
        impossible, excessive = (
            pl.col(share(facet, name)).filter(own).sum() for name in (IMPOSSIBLE, EXCESSIVE)
        )
        columns = listed(column.name for column in facet.probabilities.values())
        faults.add(
            impossible > 0,
            "facet: ",
            whole(impossible),
            f" rows have negative or NaN probabilities of {facet.name!r} ({columns}); correct "
            "them, or make them null where the group is unknown",
        )
        faults.add(
            excessive > 0,
            "facet: in ",
            whole(excessive),
            f" rows the probabilities of {facet.name!r} ({columns}) add up to more than 1.01; "
            "divide each by their sum, or correct them",
        )


def _bad_weights(faults: Faults, roles: Roles, first: pl.Expr) -> None:
    if roles.weight is None:
        return
    name, lowest = roles.weight.name, pl.col("lowest_weight").filter(first).min()
    squares = pl.col("weight_sq").filter(first).sum()
    faults.add(
        ~pl.col("weight").filter(first).is_finite().all(),
        f"weight: {name!r} has NaN or infinite values, or values whose sum is; a weight is "
        "finite and at least 0",
    )
    faults.add(
        lowest < 0, f"weight: {name!r} has negative values; a weight is finite and at least 0"
    )
    faults.add(
        # Without a lowest weight all are 0.
        lowest.is_not_null() & ~squares.is_between(_LEAST_SQUARES, _MOST_SQUARES),
        f"weight: {name!r} has values such as ",
        short(lowest),
        ", whose products are beyond the range of floats; only their ratios matter, so divide "
        "them by their mean",
    )


def _bad_counts(faults: Faults, roles: Roles, first: pl.Expr) -> None:
    if roles.count is None:
        return
    name = roles.count.name
    broken, total = (pl.col(each).filter(first).sum() for each in ("broken_counts", "total_count"))
    faults.add(
        broken > 0,
        f"count: {name!r} has ",
        whole(broken),
        " values that are not whole numbers; a count is a number of rows (for anything else use "
        "weight=)",
    )
    faults.add(
        (pl.col("lowest_count").filter(first) < 0).any(),
        f"count: {name!r} has negative values; a count is at least 0",
    )
    faults.add(
        total >= _TOO_MANY_ROWS,
        f"count: {name!r} adds up to ",
        short(total),
        f" rows, and {_TOO_MANY_ROWS:.3g} are too many to be counted; correct the column, or use "
        f"weight= if it is not a number of rows",
    )


def _uncounted_cells(faults: Faults, first: pl.Expr) -> None:
    """Add the fault of cells without a count: each would be a single row."""
    faults.add(
        pl.col(LOWEST_N).filter(first).min() >= 0,
        uncounted("no two rows have the same values of all that the question names"),
    )


def _missing_clusters(faults: Faults, roles: Roles, first: pl.Expr) -> None:
    if roles.cluster is None or not roles.left_out:
        return
    rows = rows_seen(roles)
    missing = rows.filter(first & pl.col(CLUSTER).is_null()).sum()
    faults.add(
        missing > 0,
        f"cluster: {roles.cluster.name!r} has ",
        whole(missing),
        " nulls (",
        percent(missing / rows.filter(first).sum()),
        "), and with which rows these belong together is not known; give each a cluster of its "
        "own, such as a number of its row, or leave them out with .filter()",
    )


def _missing_values(faults: Faults, count: Count, schema: pl.Schema, first: pl.Expr) -> None:
    """Add the fault of missing values, with the groups in which their share differs."""
    lacking = [*_columns_that_may_lack(count)]
    if not lacking:
        return
    numbers = [faults.one(missing.filter(first).sum()) for *_, missing in lacking]

    faults.add(
        pl.any_horizontal([number > 0 for number in numbers]),
        lambda: _missing_in_words(faults, lacking, numbers, count, schema, first),
    )


def _missing_in_words(
    faults: Faults,
    lacking: Sequence[tuple[str, Column, pl.Expr]],
    numbers: Sequence[pl.Expr],
    count: Count,
    schema: pl.Schema,
    first: pl.Expr,
) -> pl.Expr:
    are_missing: dict[str, list[pl.Expr]] = {}
    words: dict[str, pl.Expr] = {}
    rows = rows_seen(count.roles)
    for (argument, column, missing), of_all in zip(lacking, numbers, strict=True):
        share_of_all = faults.one(missing.filter(first).sum() / rows.filter(first).sum())
        are_missing.setdefault(argument, []).append(of_all > 0)
        # In a weight or a count NaN is an error of its own. Numbers of cells are means: floats.
        is_float = column.dtype.is_float() and argument not in ("weight", "count")
        is_float |= argument in NUMBERS
        text = [
            pl.lit(f"{column.name!r} has "),
            whole(of_all),
            pl.lit(" ("),
            percent(share_of_all),
            pl.lit("), null or NaN" if is_float else ")"),
            _where_differing(
                faults, missing, rows, first, (of_all, share_of_all), count.roles, schema
            ),
        ]
        # Several models may have the same column.
        words[column.name] = pl.when(of_all > 0).then(pl.concat_str(text))
    lacks_any = {name: pl.any_horizontal(each) for name, each in are_missing.items()}
    arguments = [pl.when(each).then(pl.lit(name)) for name, each in lacks_any.items()]
    of_others = [each for name, each in lacks_any.items() if name != "label"]
    only_labels = pl.lit(bool(of_others)) & ~pl.any_horizontal(pl.lit(value=False), *of_others)
    for_all = ", for all models alike," if len(count.decisions) > 1 else ""
    return pl.concat_str(
        pl.concat_str(arguments, separator=", ", ignore_nulls=True),
        pl.lit(": missing values: "),
        pl.concat_str([*words.values()], separator="; ", ignore_nulls=True),
        pl.lit(f"; fill them, or leave these rows out{for_all} with nulls='drop'"),
        pl.when(only_labels).then(pl.lit(_OTHER_METRICS)).otherwise(pl.lit("")),
    )


def _columns_that_may_lack(
    count: Count,
) -> Iterator[tuple[str, Column, pl.Expr]]:
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
    faults: Faults,
    missing: pl.Expr,
    rows: pl.Expr,
    first: pl.Expr,
    known: tuple[pl.Expr, pl.Expr],
    roles: Roles,
    schema: pl.Schema,
) -> pl.Expr:
    """The groups whose share of missing values differs from that of all rows beyond chance.

    Hoeffding (1963): if values are missing at random, a share as far away on the same side has at
    most the probability exp(-rows * divergence), however few rows the group has.
    """
    if "facet" in schema:
        values = [(pl.col("facet"), pl.col("value"))] if roles.facets else []
    else:
        counted = (each for each in roles.facets if each.keys and {*each.keys} <= {*schema})
        values = [(pl.lit(each.name), each.key([*map(pl.col, each.keys)])) for each in counted]
    (of_all, share_of_all), differing = known, []
    is_any = missing.filter(first).sum() > 0
    for facet, value in values:
        # Where nothing is missing all cells are one group, whose sums take a tenth of the time.
        group = [pl.when(is_any).then(each) for each in (facet, value)]
        sums = [each.sum().over(group) for each in (missing, rows)]
        of_group, all_rows, part = map(faults.held, (*sums, sums[0] / sums[1]))
        divergence = pl.sum_horizontal(
            pl.when(one > 0).then(one * (one / other).log())
            for one, other in ((part, share_of_all), (1 - part, 1 - share_of_all))
        )
        groups = faults.held(value.n_unique().over(facet))
        differs = all_rows * divergence > (_LEAST_ODDS * groups).log()
        is_first = pl.struct(group).is_first_distinct() & (groups <= MOST_QUOTED)
        name = (pl.lit("'") + as_written(value) + "'").fill_null("unknown")
        differing.append(
            pl.struct(
                distance=-(part - share_of_all).abs().round(12),
                share=-part,
                where=pl.concat_str([pl.lit("where '"), facet, pl.lit("' is "), name]),
                of=percent(part),
                is_exact=(of_group == all_rows) & (of_group == of_all),
            ).filter(is_first & differs)
        )
    if not differing:
        return pl.lit("")
    most = faults.listed(reduce(pl.Expr.append, differing).sort().head(_MOST_GROUPS))
    words = pl.element().struct.field
    exactly = most.list.eval(words("where").filter(words("is_exact"))).list.first()
    shares = most.list.eval(pl.concat_str([words("of"), words("where")], separator=" "))
    return (
        pl.when(exactly.is_not_null())
        .then(pl.lit(", exactly ") + exactly)
        .when(shares.list.len() > 0)
        .then(pl.lit(": ") + shares.list.join(", "))
        .otherwise(pl.lit(""))
    )


def _infinite_values(faults: Faults, count: Count, first: pl.Expr) -> None:
    for number in count.roles.numbers:
        infinite = pl.col(f"{number.role}{INFINITE}") > 0
        faults.add(
            (infinite if number.is_summed else pl.col(number.role).is_infinite())
            .filter(first)
            .any(),
            f"{number.role}: {number.column.name!r} has infinite values, which have no mean, or "
            f"values whose squares are; {_WITHOUT_THESE_ROWS}",
        )


def _impossible_scores(
    faults: Faults, schema: pl.Schema, score: Score, roles: Roles, first: pl.Expr
) -> None:
    """Infinite scores, a resolution too fine for their range, and no probabilities."""
    name, multiples = score.column.name, score.multiples
    known = _scores(pl.when(first).then("score"), schema)
    if score.column.dtype.is_integer():
        rows = pl.col("n").filter(first & pl.col("score").is_nan()).sum()
        faults.add(
            known.is_nan().any(),
            f"{score.argument}: ",
            whole(rows),
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
        faults.add(
            extent / step >= _MOST_MULTIPLES,
            "resolution: between the lowest and the highest score are more than "
            f"{_MOST_MULTIPLES:,} multiples of {step:g}; give a coarser one, such as ",
            (extent / 1_000).round_sig_figs(1).cast(pl.String),
            ", or leave it out to count each distinct score",
        )
        if score.has_sums:
            most = pl.col("score") + step
            faults.add(
                (first & (_mean(roles) > most + _ROUNDING * most.abs())).any(),
                f"resolution: scores of these cells have a mean more than {step:g} above the "
                f"multiple that they were rounded down to, so they were not rounded by {step:g}; "
                "give the resolution= by which they were counted, or a multiple of it",
            )
    if score.probabilities_for:
        value = _mean(roles) if score.is_rounded else pl.col("score")
        label = [pl.col("label").is_not_null()] if roles.label else []
        used = _scores(pl.when(first, pl.col("n") > 0, *label).then(value), schema)
        outside = pl.when((used < 0) | (used > 1 + _ROUNDING)).then(used)
        # The mean of a multiple may be the score of one row, and how many scores it has is unknown.
        distinct = pl.lit(MOST_QUOTED + 1) if score.is_rounded else used.drop_nulls().n_unique()
        such = pl.lit(", such as ") + outside.min().cast(pl.String).str.strip_suffix(".0")
        faults.add(
            outside.count() > 0,
            f"{score.argument}: {name!r} has values outside 0 and 1",
            pl.when(distinct <= MOST_QUOTED).then(such).otherwise(pl.lit("")),
            f", and {score.probabilities_for!r} compares probabilities with labels; rescale the "
            "scores, leave these rows out with .filter(), or leave out what compares probabilities",
        )


def _scores(value: pl.Expr, schema: pl.Schema) -> pl.Expr:
    """The scores of cells, each as often as cells have it; null where cells have none."""
    return value.explode() if are_listed(pl.DataFrame(schema=schema)) else value.cast(pl.Float64)


def _mean(roles: Roles) -> pl.Expr:
    """The mean of the rounded scores of a cell."""
    mass = pl.col(roles.mass)
    return pl.when(mass > 0).then(pl.col("score_sum") / mass)


def _other_numbers(faults: Faults, outcome: Outcome, first: pl.Expr) -> None:
    value = _values_where(first, outcome.key)
    is_other = (value != 0) & (value != 1)
    thresholds = {
        "label": " or label_threshold=",
        "predicted": " or threshold=",
    }
    faults.add(
        is_other.any(),
        f"{outcome.argument}: {outcome.column.name!r} has values other than 0 and 1: ",
        lambda: faults.quoted(
            _few(faults, value.filter(is_other)), outcome.column.dtype, _distinct(faults, value)
        ),
        f"; say which are positive with positive={thresholds.get(outcome.argument, '')}",
    )


def _absent_positives(faults: Faults, outcomes: Sequence[Outcome], first: pl.Expr) -> None:
    chosen = [each for each in outcomes if each.positive and not each.assumed]
    chosen = [each for each in chosen if not isinstance(each.column.dtype, pl.Enum)]
    there = [_values_where(first, each.key) for each in chosen]
    absent = [faults.one(_are_absent(faults, *each)) for each in zip(chosen, there, strict=True)]
    given = [[*_texts_of(outcome)] for outcome in chosen]
    for number, (outcome, known) in enumerate(zip(chosen, there, strict=True)):
        missing, hint = absent[number], ""
        if outcome.shares_positive:
            each = ", ".join(f"{other.column.name!r}: ..." for other in chosen)
            each = f"positive={{{each}}}"
            hint = f", or give the values of each outcome, {each}"
            # In a list for both outcomes, a value may be one of the other outcome, as long as one
            # of the list occurs in this outcome.
            for other in (place for place in range(len(chosen)) if place != number):
                of_other = _as_list(given[other]).list.set_difference(absent[other])
                missing = missing.list.set_difference(of_other)
            has_some = absent[number].list.len() < len(given[number])
            missing = faults.one(pl.when(has_some).then(missing).otherwise(absent[number]))
        _absent_positive(faults, outcome, known, missing, hint)


def _absent_positive(
    faults: Faults, outcome: Outcome, there: pl.Expr, missing: pl.Expr, hint: str
) -> None:
    dtype, number = outcome.column.dtype, _distinct(faults, there)
    write = _quoted if dtype in TEXTS else str

    def never_occurring() -> pl.Expr:
        written_as = {text: write(text) for text in _texts_of(outcome)}
        return _never_occur(faults.one(_as_texts(missing, written_as)))

    faults.add(
        (missing.list.len() > 0) & (number > 0),
        "positive: ",
        never_occurring,
        f" in {outcome.column.name!r}, which has ",
        lambda: faults.quoted(_few(faults, there), dtype, number),
        f"; name one of these{hint}",
    )


def _texts_of(outcome: Outcome) -> pl.Series:
    """The positive values of an outcome, as texts."""
    return (
        pl.Series(outcome.positive, dtype=outcome.column.dtype)
        .cast(pl.String)
        .unique(maintain_order=True)
    )


def _are_absent(faults: Faults, outcome: Outcome, there: pl.Expr) -> pl.Expr:
    """The positive values, as texts, that lack rows; of 0 and 1, one may lack them."""
    texts, given = _texts_of(outcome), pl.Series(outcome.positive, dtype=outcome.column.dtype)
    occurring = faults.listed(
        there.filter(there.is_in(pl.lit(given.implode()).first())).unique().cast(pl.String)
    )
    absent = _as_list(texts).list.set_difference(occurring)
    if not outcome.column.dtype.is_numeric():
        return absent
    others = faults.one(((there != 0) & (there != 1)).any())
    of_two = texts.filter(texts.cast(pl.Float64).is_in([0.0, 1.0]))
    of_others = absent.list.set_difference(_as_list(of_two))
    return pl.when(others).then(absent).otherwise(of_others)


def _few(faults: Faults, values: pl.Expr) -> pl.Expr:
    """As many values as errors quote, in a list: one of all values would stand in every row."""
    return faults.listed(values.drop_nulls().unique().sort().head(MOST_QUOTED + 1))


def _distinct(faults: Faults, values: pl.Expr) -> pl.Expr:
    """The number of values. Expressions of another length must not be shared, as of `listed`."""
    return faults.one(values.n_unique() - values.is_null().any().cast(pl.UInt32))


def _as_list(texts: Sequence[str] | pl.Series) -> pl.Expr:
    """Texts as a list: with an expression for each, 2,000 values took a second, squared."""
    return pl.lit(pl.Series([[*texts]], dtype=pl.List(pl.String))).first()


def _as_texts(keys: pl.Expr, written_as: Mapping[str, str]) -> pl.Expr:
    """Some of these keys as their texts, in their order, which set operations do not keep."""
    key = pl.element()
    place = key.replace_strict([*written_as], range(len(written_as)), return_dtype=pl.UInt32)
    texts = key.replace_strict([*written_as], [*written_as.values()], return_dtype=pl.String)
    return keys.list.eval(texts.sort_by(place))


def _quoted(text: str) -> str:
    """A text as an error writes it."""
    return f"'{written(text)}'"


def _never_occur(texts: pl.Expr) -> pl.Expr:
    verb = pl.when(texts.list.len() == 1).then(pl.lit(" never occurs"))
    return pl.concat_str([joined_in_words(texts), verb.otherwise(pl.lit(" never occur"))])


def _absent_sides(faults: Faults, facets: Sequence[Facet]) -> None:
    for facet in facets:
        for argument, side in (("disfavored", facet.disfavored), ("favored", facet.favored)):
            if side and not facet.has_all_values:
                _absent_side(faults, argument, side, facet, facets)


def _absent_side(
    faults: Faults, argument: str, side: Sequence[str], facet: Facet, facets: Sequence[Facet]
) -> None:
    """Add the fault of values of a side that never occur."""
    values = _values_of(facet)

    def words() -> pl.Expr:
        here = _those_of(faults, values, side)
        absent = faults.one(_as_list(side).list.set_difference(here))
        few, number = _few(faults, values), _distinct(faults, values)
        beside = facets if 1 < len(facets) <= _MOST_FACETS else ()
        occurring = {
            each: here if each is facet else _those_of(faults, _values_of(each), side)
            for each in beside
        }
        texts = faults.one(_as_texts(absent, {key: _quoted(key) for key in side}))
        quoted = faults.quoted(few, pl.String(), number, kind=f"{facet.column.dtype}")
        return pl.concat_str(
            _never_occur(texts),
            pl.lit(f" in {facet.name!r}, which has "),
            pl.when(number > 0).then(quoted).otherwise(pl.lit("no known value at all")),
            pl.lit("; "),
            _hint(faults, argument, [*side], absent, few, occurring),
        )

    # Beside the lists of texts, a number takes a third of the time. An empty table has no values.
    there = values.filter(is_among(values, side)).n_unique()
    faults.add((there < len({*side})) & (pl.len() > 0), f"{argument}: ", words)


def _those_of(faults: Faults, values: pl.Expr, side: Sequence[str]) -> pl.Expr:
    """The values among those of a side, in a list."""
    return faults.listed(values.filter(values.is_in([*side])).unique())


def _values_of(facet: Facet) -> pl.Expr:
    return _values_where(pl.col("facet") == facet.name, "value")


def _values_where(is_there: pl.Expr, key: str) -> pl.Expr:
    """The values of some rows, null in others: of as many as there are rows, also where all are."""
    return pl.when(is_there & pl.col(key).is_not_null()).then(key)


def _hint(
    faults: Faults,
    argument: str,
    side: Sequence[str],
    absent: pl.Expr,
    known: pl.Expr,
    there: Mapping[Facet, pl.Expr],
) -> pl.Expr:
    """What to give in place of a value that never occurs."""
    near = pl.lit("name one of these")
    meant = [each for each in (HIGHEST, LARGEST, OVERALL) if side[0].upper() == each.name]
    if argument == "favored" and meant:
        near = pl.lit(f"give favored={meant[0]}")
    else:
        few = known.list.len() <= MOST_QUOTED
        near = pl.coalesce(
            *(
                pl.when(absent.list.contains(key) & few).then(_near(faults, key, known))
                for key in side[:_MOST_MEANT]
            ),
            near,
        )
    if len(there) < 2:
        return near
    pairs = []
    for facet, has in there.items():
        of_facet = _as_texts(has, {key: _python_literal(key, facet) for key in side})
        several = pl.concat_str([pl.lit("["), of_facet.list.join(", "), pl.lit("]")])
        one = pl.when(of_facet.list.len() > 1).then(several).otherwise(of_facet.list.first())
        pairs.append(pl.when(has.list.len() > 0).then(pl.lit(f"{facet.name!r}: ") + one))
    nowhere = reduce(lambda left, each: left.list.set_difference(each), there.values(), absent)
    everywhere = nowhere.list.len() == 0
    mapping = pl.concat_str(pairs, separator=", ", ignore_nulls=True)
    hint = pl.concat_str([pl.lit(f"give {argument}={{"), mapping, pl.lit("}")])
    return pl.when(everywhere).then(hint).otherwise(near)


def _near(faults: Faults, key: str, known: pl.Expr) -> pl.Expr:
    """The known values that have most letters in common with one that was given; else null."""
    value = pl.element()
    letters, typed = value.str.to_lowercase(), [*dict.fromkeys(key.lower())]
    in_common = pl.sum_horizontal(letters.str.contains(each, literal=True) for each in typed)
    of_either = letters.str.split("").list.n_unique() + len(typed) - in_common
    is_near = in_common >= _LEAST_IN_COMMON * of_either
    alike = faults.one(known.list.eval(as_text(value.filter(is_near), pl.String())))
    did_you_mean = pl.concat_str(
        [pl.lit("did you mean "), joined_in_words(alike, "or"), pl.lit("?")]
    )
    return pl.when(alike.list.len() > 0).then(did_you_mean)


def _python_literal(key: str, facet: Facet) -> str:
    """A key as the value that the caller would give."""
    texts = key.split(SEPARATOR)
    if len(texts) != len(facet.fields):
        return ""  # of another facet
    parts = [
        repr(text) if dtype in TEXTS else text
        for text, (_, dtype) in zip(texts, facet.fields, strict=True)
    ]
    return f"({', '.join(parts)})" if facet.is_intersection else parts[0]

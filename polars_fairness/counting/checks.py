"""Checks of rows that only the data can fail: missing values, scores, sides, weights and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log
from typing import Final

import polars as pl

from polars_fairness.counting.clusters import CLUSTER
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import rows_seen
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import INFINITE, MISSING, with_facet_value
from polars_fairness.counting.score_lists import are_listed, unlisted
from polars_fairness.counting.shares import EXCESSIVE, IMPOSSIBLE, share
from polars_fairness.errors import (
    MOST_QUOTED,
    FairnessError,
    did_you_mean,
    either,
    keyword,
    listed,
    nearest,
    quoted,
)
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import SEPARATOR, Facet, written
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import Score

# Beyond, memory grows to gigabytes, and no chart or metric shows a difference.
_MOST_MULTIPLES: Final = 10_000_000

# The sum of squared weights: formulas multiply three sums of weights, and floats end at 1e308.
_LEAST_SQUARES: Final = 1e-120
_MOST_SQUARES: Final = 1e120

# A mean of ones may differ from 1 in its last digits.
_ROUNDING: Final = 1e-9


def _refuse_impossible_scores(cells: pl.DataFrame, score: Score, roles: Roles) -> None:
    """Raise for infinite scores, a resolution too fine for their range, and no probabilities."""
    known = _scores(cells)
    # Rounded down to thresholds, scores below all of them are minus infinity.
    if known.is_empty() or score.thresholds:
        return
    lowest, highest = known.min(), known.max()
    assert isinstance(lowest, float)
    assert isinstance(highest, float)
    if score.column.dtype.is_integer() and known.is_nan().any():
        rows = unlisted(cells).filter(pl.col("score").is_nan())["n"].sum()
        raise FairnessError(
            f"{score.argument}: {rows:,} values of {score.column.name!r} are whole numbers beyond "
            "2^53, where different ones have the same float; give smaller numbers, or their ranks"
        )
    # An infinite score, divided into multiples, is NaN.
    if not known.is_finite().all():
        raise FairnessError(
            f"{score.argument}: {score.column.name!r} has infinite values, which have no mean and "
            "no distance to others; replace them, or leave these rows out "
            f"{either('with .filter()', 'with --where')}"
        )
    multiples = score.multiples
    if multiples is not None and (highest - lowest) / float(multiples.step) >= _MOST_MULTIPLES:
        coarser = (highest - lowest) / 1_000
        raise FairnessError(
            f"resolution: between the lowest and the highest score are more than "
            f"{_MOST_MULTIPLES:,} multiples of {float(multiples.step):g}; give a coarser one, such "
            f"as {coarser:.1g}, or leave it out to count each distinct score"
        )
    if multiples is not None and score.has_sums:
        _refuse_coarser_cells(cells, roles, float(multiples.step))
    if score.probabilities_for:
        _refuse_no_probabilities(cells, roles, score)


def _scores(cells: pl.DataFrame) -> pl.Series:
    """The known scores of cells, each as often as cells have it."""
    known = cells["score"].drop_nulls()
    return known.explode() if are_listed(cells) else known


def _refuse_coarser_cells(cells: pl.DataFrame, roles: Roles, step: float) -> None:
    """Raise if the mean of rounded scores is more than a step above the multiple that they have."""
    means = cells.select("score", mean=_mean(roles)).drop_nulls()
    most = pl.col("score") + step
    if not means.filter(pl.col("mean") > most + _ROUNDING * most.abs()).is_empty():
        raise FairnessError(
            f"resolution: scores of these cells have a mean more than {step:g} above the multiple "
            f"that they were rounded down to, so they were not rounded by {step:g}; give the "
            f"{keyword('resolution')} by which they were counted, or a multiple of it"
        )


def _mean(roles: Roles) -> pl.Expr:
    """The mean of the rounded scores of a cell."""
    mass = pl.col("weight" if roles.weight else "n")
    return pl.when(mass > 0).then(pl.col("score_sum") / mass)


def _refuse_no_probabilities(cells: pl.DataFrame, roles: Roles, score: Score) -> None:
    """Raise if a score lies outside 0 and 1; of rounded scores, if the mean of a multiple does."""
    value = _mean(roles) if score.is_rounded else pl.col("score")
    needed = (pl.col(name).is_not_null() for name in (["label"] if roles.label else []))
    used = cells.lazy().filter(pl.col("n") > 0, *needed).select(value.alias("score"))
    values = _scores(collected(used, is_cheap=True))
    outside = values.filter((values < 0) | (values > 1 + _ROUNDING)).unique().sort()
    if not outside.is_empty():
        # The mean of a multiple may be the score of one row, and how many scores it has is unknown.
        distinct = MOST_QUOTED + 1 if score.is_rounded else values.n_unique()
        such = f", such as {outside[0]:g}" if distinct <= MOST_QUOTED else ""
        raise FairnessError(
            f"{score.argument}: {score.column.name!r} has values outside 0 and 1{such}, "
            f"and {score.probabilities_for!r} compares probabilities with labels; "
            f"rescale the scores, leave these rows out {either('with .filter()', 'with --where')}, "
            "or leave out what compares probabilities"
        )


_MOST_GROUPS: Final = 3
"""The largest number of groups that the error names for a column."""

_LEAST_ODDS: Final = 1_000
"""The least odds against chance at which the error names a group of a facet."""

# The label of people who were refused is often unknown; the others alone are no fair sample.
_OTHER_METRICS: Final = "; metrics that need no label still count them"


@dataclass(frozen=True)
class _Missing:
    """A column with the number of rows of each cell, and of those rows in which it is missing."""

    argument: str
    column: Column
    rows: pl.Expr
    missing: pl.Expr


@dataclass(frozen=True)
class _Group:
    """The rows of a facet value, and how many values are missing in them."""

    facet: str
    value: str | None
    missing: int
    rows: int

    @property
    def share(self) -> float:
        return self.missing / self.rows

    @property
    def name(self) -> str:
        value = "unknown" if self.value is None else repr(written(self.value))
        return f"where {self.facet!r} is {value}"


def _refuse_missing_values(
    cells: pl.DataFrame, by_facet: Iterable[pl.DataFrame], count: Count
) -> None:
    """Raise if a column has missing values, and name groups in which their share differs.

    ``by_facet`` has the same rows, once for each facet, with the columns ``facet`` and ``value``.
    """
    columns = list(_columns(count))
    numbers = cells.select(each.missing.sum().alias(f"{i}") for i, each in enumerate(columns))
    found = [each for i, each in enumerate(columns) if numbers[f"{i}"].item()]
    if found:
        facets = list(by_facet)
        arguments = ", ".join(dict.fromkeys(each.argument for each in found))
        # Several models may have the same column.
        where = "; ".join(dict.fromkeys(_in_words(each, cells, facets) for each in found))
        for_all = ", for all models alike," if len(count.decisions) > 1 else ""
        only_labels = arguments == "label" and {each.argument for each in columns} > {"label"}
        apart = _OTHER_METRICS if only_labels else ""
        raise FairnessError(
            f"{arguments}: missing values: {where}; "
            f"fill them, or leave these rows out{for_all} with {keyword('nulls', 'drop')}{apart}"
        )


def _columns(count: Count) -> Iterator[_Missing]:
    roles = count.roles
    seen = rows_seen(roles)
    columns: list[tuple[str, str, Column]] = [
        (outcome.argument, outcome.key, outcome.column) for outcome in count.outcomes
    ]
    if (score := count.score) is not None:
        columns.append((score.argument, "score", score.column))
    features = [("features", key, feature) for key, feature in roles.points.by_key.items()]
    for argument, key, column in (*columns, *features):
        missing = pl.when(pl.col(key).is_null()).then(seen).otherwise(0)
        yield _Missing(argument, column, seen, missing)
    rows = pl.col("n" if roles.weight is None and roles.count is None else "rows")
    for each in roles.numbers:
        # As a weight, a number is missing in a row of the frame.
        yield _Missing(each.role, each.column, rows, pl.col(f"{each.role}{MISSING}"))
    for role, number in (("weight", roles.weight), ("count", roles.count)):
        if number is not None:
            # A weight or a count is missing in a row of the frame, however many that stands for.
            yield _Missing(role, number, pl.col("rows"), pl.col(f"null_{role}s"))


def _in_words(column: _Missing, cells: pl.DataFrame, facets: Iterable[pl.DataFrame]) -> str:
    missing, rows = cells.select(missing=column.missing.sum(), all=column.rows.sum()).row(0)
    text = f"{column.column.name!r} has {missing:,} ({_percent(missing / rows)})"
    # In a weight or a count NaN is an error of its own.
    if column.column.dtype.is_float() and column.argument not in ("weight", "count"):
        text += ", null or NaN"
    differing = [group for facet in facets for group in _differing(column, facet, missing / rows)]
    for group in differing:
        if group.missing == group.rows == missing:
            return f"{text}, exactly {group.name}"

    def most_different(group: _Group) -> tuple[float, float, str]:
        return -round(abs(group.share - missing / rows), 12), -group.share, group.name

    differing.sort(key=most_different)
    shares = (f"{_percent(group.share)} {group.name}" for group in differing[:_MOST_GROUPS])
    return ": ".join(filter(None, [text, ", ".join(shares)]))


def _differing(column: _Missing, facet: pl.DataFrame, share: float) -> list[_Group]:
    """The groups whose share of missing values differs from that of all rows beyond chance."""
    groups = [
        _Group(*each)
        for each in facet.group_by("facet", "value")
        .agg(missing=column.missing.sum(), all=column.rows.sum())
        .filter(pl.col("all") > 0)
        .rows()
    ]
    if len(groups) > MOST_QUOTED:
        return []
    # Hoeffding (1963): if values are missing at random, a share as far away on the same side has
    # at most the probability exp(-rows * divergence), however few rows the group has.
    least = log(_LEAST_ODDS * max(len(groups), 1))
    return [each for each in groups if each.rows * _divergence(each.share, share) > least]


def _divergence(share: float, of_all: float) -> float:
    """The Kullback-Leibler divergence of two shares; the share of all rows is 1 only if all are."""
    parts = ((share, of_all), (1 - share, 1 - of_all))
    return sum(one * log(one / other) for one, other in parts if one > 0)


def _percent(share: float) -> str:
    return "below 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


_TOO_MANY_ROWS: Final = 2.0**63
"""The smallest number of rows that does not fit into an Int64."""


def refuse_impossible_cells(count: Count, cells: pl.DataFrame) -> None:
    """Raise for missing, impossible and unexpected values of the rows that joint cells count."""
    roles = count.roles
    counted = (facet for facet in roles.facets if facet.keys and {*facet.keys} <= {*cells.columns})
    by_facet = (with_facet_value(cells.lazy(), facet).collect() for facet in counted)
    _refuse_odd_probabilities(cells, roles)
    _refuse_impossible_values(count, cells, by_facet)


def _refuse_impossible_values(
    count: Count, cells: pl.DataFrame, by_facet: Iterable[pl.DataFrame]
) -> None:
    if cells.is_empty():
        return
    roles = count.roles
    _refuse_bad_weights(cells, roles)
    _refuse_bad_counts(cells, roles)
    _refuse_no_cluster(cells, roles)
    if roles.nulls == "raise":
        _refuse_missing_values(cells, by_facet, count)
    if roles.points:
        _refuse_infinite_features(cells, count)
    _refuse_infinite_numbers(cells, roles)
    if count.score is not None:
        _refuse_impossible_scores(cells, count.score, roles)
    _refuse_other_numbers_than_0_and_1(cells, count.outcomes)
    _refuse_positive_values_that_never_occur(cells, count.outcomes)


def refuse_impossible_comparisons(count: Count, cells: pl.DataFrame) -> None:
    """Raise as `refuse_impossible_cells` does, and for sides without rows."""
    if cells.is_empty():
        return
    roles = count.roles
    _refuse_odd_probabilities(cells, roles)
    # Every facet counts the same rows, so the cells of one are enough for most checks.
    of_facets, of_one = dict.fromkeys(roles.facets, cells), cells
    if len(roles.facets) > 1 or roles.are_joint:
        # Of a single facet the two filters would take a tenth of a call on ten rows.
        parts = cells.partition_by("facet", as_dict=True, maintain_order=True)
        of_facets = {facet: parts.get((facet.name,), cells.clear()) for facet in roles.facets}
        of_one = cells.filter(pl.col("facet").eq_missing(cells["facet"][0]))
    _refuse_impossible_values(count, of_one, of_facets.values())
    if roles.are_apart:
        _refuse_sides_that_never_occur(of_facets)


def refuse_mixed_labels(count: Count, cells: pl.DataFrame) -> None:
    """Raise where several label values would be merged into True or into False.

    Metrics over label values would differ between these cells and the rows, without any notice.
    """
    label = count.roles.label
    if label is None or not label.positive:
        return
    values = _values(cells, label)
    for kept in (True, False):
        mixed = [value for value in values if (value in label.positive) is kept]
        if len(mixed) > 1:
            raise FairnessError(
                f"positive: cells would merge {quoted(mixed, len(values), label.column.dtype)} of "
                f"{label.column.name!r} into "
                f"{kept}, and kl, js, lp, tvd and ks need them apart; leave {keyword('positive')} "
                "out for this "
                "column here and give it when you ask about the cells, or give a Boolean as "
                f"{keyword('label')}"
            )


def refuse_too_few_neighbours(
    k: int,
    rows: int,
    points: pl.DataFrame,
    roles: Roles,
    window: Sequence[object],
    facet: str = "",
    disfavored: str = "",
) -> None:
    """Raise where there are fewer than k rows, of these points, to search for neighbours."""
    if rows >= k:
        return
    side = f" on side a of {facet!r}" if facet else ""
    if facet and points.filter(facet=facet)["value"].n_unique() <= MOST_QUOTED:
        side += f", with {written(disfavored)!r} as side d"
    where = "".join(
        f", where {column.name!r} is {quoted([value], points[key].n_unique(), column.dtype)}"
        for (key, column), value in zip(roles.windows.by_key.items(), window, strict=True)
    )
    raise FairnessError(
        f"k: {k} neighbours were requested, but there are only {rows} rows{side}{where}; "
        "lower k, or name the metrics you want, without this one"
    )


def _refuse_bad_weights(cells: pl.DataFrame, roles: Roles) -> None:
    if roles.weight is None:
        return
    name = roles.weight.name
    if not cells["weight"].is_finite().all():
        raise FairnessError(
            f"weight: {name!r} has NaN or infinite values, or values whose sum is; a weight is "
            "finite and at least 0"
        )
    lowest = cells["lowest_weight"].min()
    if not isinstance(lowest, float):
        return  # all are 0
    if lowest < 0:
        raise FairnessError(
            f"weight: {name!r} has negative values; a weight is finite and at least 0"
        )
    if not _LEAST_SQUARES <= cells["weight_sq"].sum() <= _MOST_SQUARES:
        raise FairnessError(
            f"weight: {name!r} has values such as {lowest:.1g}, whose products are "
            "beyond the range of floats; only their ratios matter, so divide them by their mean"
        )


def _refuse_odd_probabilities(cells: pl.DataFrame, roles: Roles) -> None:
    """Raise for rows whose probabilities are none, or add up to more than 1."""
    for facet in roles.uncertain_facets if not roles.has_shares else ():
        columns = listed(column.name for column in facet.probabilities.values())
        own = cells.filter(facet=facet.name) if "facet" in cells.columns else cells
        numbers = own.select(pl.col(share(facet, name)).sum() for name in (IMPOSSIBLE, EXCESSIVE))
        impossible, excessive = numbers.row(0)
        if impossible:
            raise FairnessError(
                f"facet: {impossible:,} rows have negative or NaN probabilities of {facet.name!r} "
                f"({columns}); correct them, or make them null where the group is unknown"
            )
        if excessive:
            raise FairnessError(
                f"facet: in {excessive:,} rows the probabilities of {facet.name!r} ({columns}) add "
                "up to more than 1.01; divide each by their sum, or correct them"
            )


def _refuse_infinite_numbers(cells: pl.DataFrame, roles: Roles) -> None:
    for number in roles.numbers:
        if cells[f"{number.role}{INFINITE}"].sum():
            raise FairnessError(
                f"{number.role}: {number.column.name!r} has infinite values, which have no mean, or"
                " values whose squares are; replace them, or leave these rows out "
                f"{either('with .filter()', 'with --where')}"
            )


def _refuse_no_cluster(cells: pl.DataFrame, roles: Roles) -> None:
    if roles.cluster is None:
        return
    rows = cells.select(rows_seen(roles).alias(CLUSTER), is_null=pl.col(CLUSTER).is_null())
    missing, every = int(rows.filter("is_null")[CLUSTER].sum()), int(rows[CLUSTER].sum())
    if missing:
        name = roles.cluster.name
        raise FairnessError(
            f"cluster: {name!r} has {missing:,} nulls ({_percent(missing / every)}), "
            "and with which rows these belong together is not known; give each a cluster of its "
            "own, such as a number of its row, or leave them out "
            f"{either('with .filter()', 'with --where')}"
        )


def _refuse_bad_counts(cells: pl.DataFrame, roles: Roles) -> None:
    if roles.count is None:
        return
    name = roles.count.name
    broken = cells["broken_counts"].sum()
    if broken:
        raise FairnessError(
            f"count: {name!r} has {broken:,} values that are not whole numbers; "
            f"a count is a number of rows (for anything else use {keyword('weight')})"
        )
    lowest = cells["lowest_count"].drop_nulls()
    if (lowest < 0).any():
        raise FairnessError(f"count: {name!r} has negative values; a count is at least 0")
    total = cells["total_count"].sum()
    if total >= _TOO_MANY_ROWS:
        raise FairnessError(
            f"count: {name!r} adds up to {total:.3g} rows, and {_TOO_MANY_ROWS:.3g} are too many "
            f"to be counted; correct the column, or use {keyword('weight')} if it is not a number "
            "of rows"
        )


def _refuse_infinite_features(cells: pl.DataFrame, count: Count) -> None:
    predicted = (outcome.key for outcome in count.outcomes if outcome.role == "predicted")
    counted = cells.filter(pl.col("n") > 0, *(pl.col(key).is_not_null() for key in predicted))
    for name, feature in count.roles.points.by_key.items():
        if counted[name].cast(pl.Float64).is_infinite().any():
            raise FairnessError(
                f"features: {feature.name!r} has infinite values, which have no distance "
                "to others; replace them, or leave these rows out "
                f"{either('with .filter()', 'with --where')}"
            )


def _refuse_other_numbers_than_0_and_1(cells: pl.DataFrame, outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        if not outcome.assumed:
            continue
        values = _values(cells, outcome)
        others = [value for value in values if value not in (0, 1)]
        if others:
            thresholds = {
                "label": f" or {keyword('label_threshold')}",
                "predicted": f" or {keyword('threshold')}",
            }
            raise FairnessError(
                f"{outcome.argument}: {outcome.column.name!r} has values other than 0 and 1: "
                f"{quoted(others, len(values), outcome.column.dtype)}; say which are positive with "
                f"{keyword('positive')}"
                f"{thresholds.get(outcome.argument, '')}"
            )


def _refuse_positive_values_that_never_occur(
    cells: pl.DataFrame, outcomes: Iterable[Outcome]
) -> None:
    chosen = [outcome for outcome in outcomes if outcome.positive and not outcome.assumed]
    occurring = [_values(cells, outcome) for outcome in chosen]
    absent = list(map(_absent, chosen, occurring))
    found = [
        value
        for outcome, unseen in zip(chosen, map(set, absent), strict=True)
        for value in outcome.positive or ()
        if value not in unseen
    ]
    for outcome, values, unseen in zip(chosen, occurring, absent, strict=True):
        # In a list for both outcomes, a value may be one of the other outcome, as long as one of
        # the list occurs in this outcome.
        has_some = len(unseen) < len(outcome.positive or ())
        of_other = {*found} if outcome.shares_positive and has_some else set()
        missing = [value for value in unseen if value not in of_other]
        if missing and values:
            msg = (
                f"positive: {_never_occur(missing)} in {outcome.column.name!r}, which has "
                f"{quoted(values, len(values), outcome.column.dtype)}; name one of these"
            )
            if outcome.shares_positive:
                each = ", ".join(f"{other.column.name!r}: ..." for other in chosen)
                each = either(f"positive={{{each}}}", "--positive COLUMN=VALUE")
                msg += f", or give the values of each outcome, {each}"
            raise FairnessError(msg)


def _absent(outcome: Outcome, occurring: Sequence[object]) -> list[object]:
    there = {*occurring}
    return [
        value
        for value in outcome.positive or ()
        if value not in there and not outcome.may_lack(value, there)
    ]


def _refuse_sides_that_never_occur(cells: Mapping[Facet, pl.DataFrame]) -> None:
    occurring = {
        facet: of_facet["value"].drop_nulls().unique().sort().to_list()
        for facet, of_facet in cells.items()
    }
    for facet in occurring:
        if facet.has_all_values:
            continue
        for argument, side in (("disfavored", facet.disfavored), ("favored", facet.favored)):
            there = {*occurring[facet]}
            absent = [written(key) for key in side if key not in there]
            if absent:
                known = [written(key) for key in occurring[facet]]
                kind = facet.column.dtype
                elsewhere = _by_facet(argument, side, occurring)
                near = _near(argument, absent[0], known)
                hint = f"give {elsewhere}" if elsewhere else near
                raise FairnessError(
                    f"{argument}: {_never_occur(absent)} in {facet.name!r}, which has "
                    f"{quoted(known, len(known), kind) or 'no known value at all'}; {hint}"
                )


def _near(argument: str, absent: str, known: Sequence[str]) -> str:
    for reference in (HIGHEST, LARGEST, OVERALL):
        if argument == "favored" and absent.upper() == reference.name:
            return f"give {either(f'favored={reference}', reference.in_a_shell)}"
    if len(known) > MOST_QUOTED or not nearest(absent, known):
        return "name one of these"
    return did_you_mean(absent, known)


def _never_occur(absent: Sequence[object]) -> str:
    return f"{listed(absent)} never {'occurs' if len(absent) == 1 else 'occur'}"


def _by_facet(argument: str, side: Sequence[str], occurring: Mapping[Facet, Sequence[str]]) -> str:
    """The keys of a side as a dictionary, each with the facets that have it; empty if none has."""
    if not {*side}.issubset(chain.from_iterable(occurring.values())):
        return ""
    found, pairs = {}, []
    for facet, keys in occurring.items():
        if of_facet := [key for key in side if key in keys]:
            values = [_in_python(key, facet) for key in of_facet]
            several = f"[{', '.join(values)}]"
            pairs.append(f"{facet.name!r}: {several if len(values) > 1 else values[0]}")
            found[facet.name] = [written(key) for key in of_facet]
    return keyword(argument, found, f"{{{', '.join(pairs)}}}")


def _in_python(key: str, facet: Facet) -> str:
    """A key as the value that the caller would give."""
    parts = [
        repr(text) if dtype in (pl.String, pl.Categorical, pl.Enum) else text
        for text, (_, dtype) in zip(key.split(SEPARATOR), facet.fields, strict=True)
    ]
    return f"({', '.join(parts)})" if facet.is_intersection else parts[0]


def _values(cells: pl.DataFrame, outcome: Outcome) -> list[object]:
    return cells[outcome.key].drop_nulls().unique().sort().to_list()

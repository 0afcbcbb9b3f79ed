"""The rows of an audit: each metric in each comparison, with its interval, verdict and note.

Each column is an array, a row for each metric and a column for each line: to judge one metric
after the other took a third of an audit of all metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.answers.contrasts import HAS_ROWS, IS_NUMBER, IS_RATIO
from polars_fairness.answers.options import Criteria
from polars_fairness.api.columns import E_VALUES
from polars_fairness.api.columns import UNMEASURED as UNMEASURED_COLUMNS
from polars_fairness.api.verdicts import (
    DEPENDS,
    OUTSIDE,
    WITHIN,
    disadvantaged,
    judged,
    widened,
)
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.polars_rows import SCALED_ROWS
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM
from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.formula.formulas import Formula, across, across_strata
from polars_fairness.formula.levels import ACROSS_STRATA, AT_EQUAL_CONTROLS, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import mean_distance
from polars_fairness.formula.sides import RATES, a, a_i, both_i, d, d_i, g
from polars_fairness.formula.tree import choose, known, least, term
from polars_fairness.inference.closed_forms import fewest_events
from polars_fairness.inference.deviations import DEVIATIONS
from polars_fairness.inference.influence import says_what_is_unmeasured
from polars_fairness.inference.significance import find_test, normal_p
from polars_fairness.inference.unmeasured import e_value
from polars_fairness.question.outcomes import NUMBERS
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.evaluate import SIDES, SIZES, is_common_difference, place_keys
from polars_fairness.values.lines import (
    AT_RANDOM,
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    CORRELATION,
    LABELS,
    LOWER,
    METRIC,
    NOTE,
    P_VALUE,
    REASON,
    UNLABELLED,
    UNMEASURED,
    UPPER,
    VALUE,
    Lines,
    are_meant,
    ends,
)

# Inner names: no column of a caller and no metric has such a name.
_RATES, _STRATA, _SKIPPED, _ROWS = (
    f"{name}\x1f" for name in ("rates", "strata", "skipped", "rows skipped")
)
SMALLER: Final = "smaller\x1f"
"""The number of rows of the smaller side of each line."""
FEWEST: Final = "fewest\x1f"
"""The number of rows by which a row is small: of the smaller side, a group, or all rows."""
WIDENING: Final = "widening\x1f"
"""By how much an interval of one pair is narrower than those of all pairs together."""
_LEAST: Final = "least\x1f"
_EVENTS: Final = "events\x1f"
_ROUNDING: Final = 1e-9
_RATE_OF: Final = {"predicted": "selection_rate", "label": "base_rate"}
_OF_OUTCOMES: Final[Mapping[str, Metric]] = {
    role: Metric(f"{_RATES}{role}", "", term(f"{a.name}.{rate}") + term(f"{d.name}.{rate}"))
    for role, rate in _RATE_OF.items()
}
"""The rates of both sides together: 0 if no row is positive, 2 if every one is."""
_LEAN: Final = "lean\x1f"
_LEANS: Final[Mapping[str, Metric]] = {
    role: Metric(f"{_LEAN}{role}", "", term(f"{a.name}.{rate}") - term(f"{d.name}.{rate}"))
    for role, rate in _RATE_OF.items()
}
"""By how much the rates of side a exceed those of side d."""
MOST_GROUPS: Final = 50
"""So many groups are compared one by one without a note."""


def noted(metrics: Mapping[str, Metric], roles: Roles) -> dict[tuple[str, str], Metric]:
    """What the notes on these metrics, and their verdicts, need, by column and name."""
    roles_known = roles.binary_roles if roles.facets else ()
    rates = [of[role] for of in (_OF_OUTCOMES, _LEANS) for role in roles_known]
    strata = {
        (kind, name): replace(metric, formula=formula)
        for name, metric in metrics.items()
        for kind, formula in _strata_counts(metric)
    }
    counts = {}
    if LINEAR in roles.estimators:
        counts = {
            (_LEAST, name): _least_count(metric, roles)
            for name, metric in metrics.items()
            if not metric.parsed.level.is_one_group and "subgroup" not in metric.needs
        }
    events = {
        (_EVENTS, name): each
        for name, metric in metrics.items()
        if (each := fewest_events(metric)) is not None
    }
    return {(each.name, ""): each for each in rates} | strata | counts | events


def _strata_counts(metric: Metric) -> Iterator[tuple[str, Formula]]:
    """How many strata there are, how many of them a metric leaves out, and the rows of these."""
    level = metric.parsed.level
    if level not in (STRATUM, ACROSS_STRATA):
        return
    # What is aggregated over strata takes nothing from a stratum with one side only.
    is_left_out = a_i.n * d_i.n == 0
    if level is STRATUM:
        is_left_out = known(metric.parsed.expression).is_null()
    for kind, value in (
        (_STRATA, both_i.n.count()),
        (_SKIPPED, is_left_out.sum()),
        (_ROWS, choose(is_left_out, both_i.n).sum()),
    ):
        yield kind, across_strata(value)


_NUMBERS, _BELOW, _UNDEFINED = ("numbers", "below", "undefined")


def _words_of_notes(metric: Metric) -> dict[str, str | None]:
    """What the notes on a metric say wherever they say it."""
    numbers = below = None
    says_why = metric.parsed.level == AT_EQUAL_CONTROLS
    if metric.is_about_numbers and metric.has_sides and not says_why:
        named = ", ".join(need for need in metric.needs if need in NUMBERS)
        words = "the numbers of a side are all equal"
        below = f"{named}: the regression gives a mean square that is not above 0"
        if metric.is_ratio:
            words, below = "a ratio needs numbers of 0 or more, and means above 0", None
            if metric.parsed.level.number:
                words = "a ratio needs quantiles above 0"
        elif "subgroup" in metric.needs:
            words, below = "no subgroup has rows of both sides", None
        numbers = f"{named}: {words}"
    undefined = None
    if is_common_difference(metric):
        undefined = (
            "subgroup: the linear estimator needs two groups that are all rows, and a stratum in "
            "which their probabilities vary"
        )
    elif "subgroup" in metric.needs:
        undefined = "subgroup: the linear estimator is one regression over all strata"
    elif not (metric.is_about_numbers or says_why):
        undefined = (
            "facet: of a count or rate that is not above 0, by the regression, it has no value"
        )
    return {
        _NUMBERS: numbers,
        _BELOW: below or numbers,
        _UNDEFINED: undefined,
    }


@dataclass(frozen=True)
class _Long:
    """Some lines of an audit, and metrics that all have sides, or none."""

    lines: Lines
    roles: Roles
    metrics: Mapping[str, Metric]
    criteria: Criteria
    called: Sequence[str]
    has_sides: bool

    @cached_property
    def shown(self) -> list[int]:
        """The numbers of the lines: without sides, the first of each place."""
        if self.has_sides:
            return [*range(len(self.lines))]
        places = self.lines.table[place_keys(self.roles)].with_row_index(METRIC)
        first = places.unique(place_keys(self.roles), keep="first", maintain_order=True)
        return first[METRIC].to_list()

    @cached_property
    def table(self) -> pl.DataFrame:
        """The keys, sides and numbers of rows of the lines."""
        keys = [*place_keys(self.roles), *SIDES[1:], *SIZES, *ROWS, COMPARISON_KEY]
        more = [name for name in (SCALED_ROWS,) if name in self.lines.table.columns]
        table = self.lines.table[[*keys, GROUPS_CHOSEN_FROM, WIDENING, *more]]
        if self.has_sides:
            return table
        of_sides = (*SIDES[1:], *SIZES[:2], COMPARISON_KEY)
        nulls = (pl.lit(None, table.schema[each]).alias(each) for each in of_sides)
        return (table[self.shown] if len(self.shown) < len(table) else table).with_columns(nulls)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.metrics), len(self.shown)

    def array(self, column: str) -> Floats:
        """The numbers of a column, NaN where there are none."""
        return np.stack([self.lines.array(column, name) for name in self.metrics])[:, self.shown]

    def of_outcome(self, kinds: Mapping[str, Metric], role: str) -> Floats:
        """What is known of both sides' rates of an outcome, for metrics that are about it."""
        of_role = self.lines.array(kinds[role].name, "")[self.shown]
        are_about = [self.has_sides and role in each.needs for each in self.metrics.values()]
        return np.where(np.array(are_about)[:, np.newaxis], of_role, np.nan)

    def texts(self, column: str) -> Any:
        """The texts of a column; None where there are none."""
        texts = np.full(self.shape, None, dtype=object)
        for i, name in enumerate(self.metrics):
            if (known := self.lines.columns.get(column, {}).get(name)) is not None:
                for j, line in enumerate(self.shown):
                    texts[i, j] = known[line]
        return texts

    def of_metrics(self, find: Callable[[str, Metric], Any], dtype: type = float) -> Any:
        """A number of each metric; NaN for None."""
        found = [
            find(name, each) for name, each in zip(self.called, self.metrics.values(), strict=True)
        ]
        return np.array([np.nan if x is None else x for x in found], dtype)[:, np.newaxis]

    def has(self, *columns: str) -> Bools:
        """Whether each metric has all of these columns."""
        known = (self.lines.columns.get(column, {}) for column in columns)
        of_all = {*self.metrics}.intersection(*known)
        return np.array([name in of_all for name in self.metrics])[:, np.newaxis]

    @cached_property
    def value(self) -> Floats:
        return self.array(VALUE)

    @cached_property
    def has_rows(self) -> Bools:
        """Whether both sides of a line have rows."""
        if not self.has_sides:
            return np.full(len(self.shown), True)
        has_rows: Bools = self.lines.array(SMALLER, "")[self.shown] > 0
        return has_rows

    @cached_property
    def is_estimated(self) -> Bools:
        """Whether a value has an interval and a verdict.

        Without rows on a side a formula may have a value, but it is no estimate.
        """
        estimated: Bools = ~np.isnan(self.value) & self.has_rows
        return estimated

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The bounds, which contain the value; NaN without both."""
        return ends(self.value, self.array(LOWER), self.array(UPPER), self.is_estimated)

    @cached_property
    def edges(self) -> list[Floats]:
        """The edges of bands, moved outwards by more than rounding errors; NaN without a band."""
        bands = [self.criteria.bands[name] for name in self.called]
        edges = np.array([widened(band) if band else (np.nan, np.nan) for band in bands])
        return [*edges.T[..., np.newaxis]]

    @cached_property
    def by_interval(self) -> Any:
        """Whether each metric is judged by its interval."""
        rules = self.criteria.rules
        return self.of_metrics(lambda name, _: rules[name] == "interval", bool)

    @cached_property
    def judged_ends(self) -> tuple[Floats, Floats]:
        """The ends that a verdict is about: of an interval, of a test, or the value twice."""
        # The value of a test is a number of standard errors: of all pairs it takes more.
        ideal = np.nan_to_num(self.of_metrics(lambda _, metric: metric.ideal))
        nearer = ideal + (self.value - ideal) / self.lines.table[WIDENING].to_numpy()[self.shown]
        has_bounds = self.has(LOWER, UPPER)
        has_interval = self.of_metrics(lambda _, metric: metric.has_interval, bool)
        by_test = self.by_interval & self.has_sides & ~(has_interval | has_bounds)
        low, high = (
            np.where(
                self.by_interval & has_bounds,
                bound,
                np.where(by_test, outer(nearer, self.value), self.value),
            )
            for bound, outer in zip(self.bounds, (np.fmin, np.fmax), strict=True)
        )
        return low, high

    @cached_property
    def is_linear(self) -> Bools:
        """Whether a line is that of a regression on probabilities."""
        if not self.roles.windows.has_estimators:
            return np.full(len(self.shown), False)
        is_linear: Bools = self.table[ESTIMATOR].eq_missing(LINEAR).to_numpy()
        return is_linear

    @cached_property
    def is_impossible(self) -> Bools:
        """Whether a regression gives a value that no rows can have, or counts that none have."""
        ranges = np.array([metric.range for metric in self.metrics.values()])
        low, high = ranges.T[..., np.newaxis]
        is_outside = (self.value < low - _ROUNDING) | (self.value > high + _ROUNDING)
        impossible: Bools = self.is_linear & (is_outside | (self.array(_LEAST) < -_ROUNDING))
        return impossible

    @cached_property
    def on_missing_labels(self) -> Any:
        """Which labels are known, where the others decide; None elsewhere.

        Without an interval, they do where labels missing at random give another verdict.
        """
        texts = self.texts(LABELS)
        if AT_RANDOM in self.lines.columns:
            least, most = self.edges
            value, at_random = self.value, self.array(AT_RANDOM)
            is_alike = [
                (value < least) == (at_random < least),
                (value > most) == (at_random > most),
            ]
            texts[np.isnan(at_random) | np.all(is_alike, axis=0)] = None
        return texts

    def verdicts(self) -> Any:
        """The verdict on each value; None without a band."""
        low, high = self.judged_ends
        least, most = self.edges
        is_judged = self.is_estimated & ~self.is_impossible
        if self.roles.left_out:
            # The value of a test is a number of standard errors of independent rows.
            is_judged &= self.of_metrics(lambda _, metric: metric.has_interval, bool)
        is_judged &= ~(self.by_interval & _are_known(self.texts(REASON)))
        is_within, is_outside = (low >= least) & (high <= most), (low > most) | (high < least)
        verdict = np.where(is_within, WITHIN, np.where(is_outside, OUTSIDE, "uncertain"))
        verdict = np.where(is_judged, verdict, "undefined").astype(object)
        verdict[is_judged & _are_known(self.on_missing_labels)] = DEPENDS
        verdict[np.broadcast_to(np.isnan(least), self.shape)] = None
        return verdict

    def against(self) -> Any:
        """The group that a value outside its band disadvantages; None where it shows none."""
        low, _ = self.judged_ends
        lean = np.full(self.shape, np.nan)
        for role in self.roles.binary_roles if self.has_sides else ():
            # A distance between scores is about their order or their height, and not about a rate.
            are_about = [_outcome_of(metric) == role for metric in self.metrics.values()]
            of_role = self.of_outcome(_LEANS, role)
            lean = np.where(np.array(are_about)[:, np.newaxis], of_role, lean)
        sign = self.of_metrics(lambda name, _: self.criteria.signs.get(name, 0))
        leaning = lean if self.roles.favorable else -lean
        points = np.where(sign == 0, leaning, np.where(low > self.edges[1], sign, -sign))
        against = np.full(self.shape, None, dtype=object)
        for side, is_this in zip(SIDES[1:], (points > 0, points < 0), strict=True):
            names = np.broadcast_to(self.table[side].to_numpy(), self.shape)
            against[is_this] = names[is_this]
        return against


def _are_known(texts: Any) -> Bools:
    known: Bools = np.array([[text is not None for text in row] for row in texts], np.bool_)
    return known.reshape(texts.shape)


def _outcome_of(metric: Metric) -> str | None:
    """The outcome whose rates a metric is about; None if it is about none."""
    about = (role for role in ("predicted", "label") if role in metric.needs)
    return next(about, None) if "score" not in metric.needs else None


class _Notes:
    """The notes on the rows of an audit, put together one after the other."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.texts = np.full(shape, None, dtype=object)

    def add(self, where: Any, words: Any) -> None:
        """Say something of these rows: a text, the text of each, or what a function makes of it."""
        for i, j in zip(*np.nonzero(np.broadcast_to(where, self.texts.shape)), strict=True):
            text = words(i, j) if callable(words) else words
            if isinstance(words, np.ndarray):
                text = words[i, j]
            if text is not None:
                before = self.texts[i, j]
                self.texts[i, j] = text if before is None else f"{before}; {text}"


def _notes(long: _Long, p_value: Floats, *, are_tested: bool) -> Any:
    """The note on each row; None where there is nothing to say."""
    notes, roles = _Notes(long.shape), long.roles
    words = [_words_of_notes(metric) for metric in long.metrics.values()]
    _note_counts(notes, long)
    if roles.best:
        at_best = long.of_metrics(lambda _, metric: "predicted" in metric.needs, bool)
        why = "threshold: rows that tie at the cut count in part, and a p-value is about whole rows"
        notes.add(at_best & np.isnan(p_value) & are_tested, why)
        why = "threshold: the interval takes the cut as it stands"
        notes.add(at_best & ~np.isnan(long.bounds[0]), why)
    if long.has_sides:
        _note_sides(notes, long, words)
    for column in (UNLABELLED, LABELS, NOTE, REASON):
        if column in long.lines.columns:
            texts = long.on_missing_labels if column == LABELS else long.texts(column)
            notes.add(_are_known(texts), texts)
    if roles.left_out:
        argument, _ = roles.words_of_clusters
        is_test = long.of_metrics(lambda _, m: not m.has_interval and bool(find_test(m)), bool)
        notes.add(is_test, f"{argument}: a test of independent rows has no verdict")
        notes.add(are_tested, f"{argument}: a p-value would be that of independent rows")
    if long.is_linear.any() or SCALED_ROWS in long.table.columns:
        _note_estimators(notes, long, words)
    return notes.texts


def _note_counts(notes: _Notes, long: _Long) -> None:
    """Outcomes of one kind, strata that are left out, and few events."""
    for role in _OF_OUTCOMES if long.has_sides else ():
        both = long.of_outcome(_OF_OUTCOMES, role)
        for rate, which in ((0, "no"), (2, "every")):
            notes.add(both == rate, f"{role}: {which} row of both sides is positive")
    if _SKIPPED in long.lines.columns:
        skipped, strata, rows = (np.round(long.array(kind)) for kind in (_SKIPPED, _STRATA, _ROWS))
        notes.add(
            skipped > 0,
            lambda i, j: (
                f"subgroup: {skipped[i, j]:.0f} of {strata[i, j]:.0f} strata, with "
                f"{rows[i, j]:.0f} rows, allow no comparison and are left out"
            ),
        )
    if _EVENTS in long.lines.columns:
        few = "subgroup: less than one row of an outcome is expected of a side"
        notes.add(long.array(_EVENTS) < 1, few)


def _note_sides(notes: _Notes, long: _Long, words: Sequence[Mapping[str, str | None]]) -> None:
    """Many groups, groups that mean unknown, and numbers without a value."""
    table, roles = long.table, long.roles
    if table[COMPARISON_KEY].n_unique() > MOST_GROUPS:
        of_places = pl.col(COMPARISON_KEY).n_unique().over(place_keys(roles))
        groups = table.select(of_places).to_series().to_numpy()
        notes.add(
            groups > MOST_GROUPS, lambda _, j: f"facet: {groups[j]} groups are compared one by one"
        )
    means_unknown = {str(each).lower() for facet in roles.facets for each in facet.unknown}
    for side in SIDES[1:] if means_unknown else ():
        is_alike = table[side].str.to_lowercase().is_in(means_unknown).fill_null(value=False)
        why = pl.format("unknown: {} is a group, as its case is another", side)
        of_lines = table.select(why).to_series().to_numpy()
        notes.add(is_alike.to_numpy(), np.broadcast_to(of_lines, long.shape))
    has_rows = ((table[SIZES[0]] > 0) & (table[SIZES[1]] > 0)).fill_null(value=False).to_numpy()
    is_about = np.array([each[_NUMBERS] is not None for each in words])[:, np.newaxis]
    notes.add(
        is_about & np.isnan(long.value) & has_rows,
        lambda i, j: words[i][_BELOW if long.is_linear[j] else _NUMBERS],
    )


def _note_estimators(notes: _Notes, long: _Long, words: Sequence[Mapping[str, str | None]]) -> None:
    """What a regression does not give, and what it gives that no rows can have."""
    table, is_empty = long.table, np.full(len(long.shown), False)
    if long.has_sides:
        is_empty = (
            ((table[SIZES[0]] == 0) | (table[SIZES[1]] == 0)).fill_null(value=False).to_numpy()
        )
    # For a side without rows, the counts say no more than that.
    of_strata = [(each[_UNDEFINED] or "").startswith("subgroup") for each in words]
    is_news = ~is_empty | np.array(of_strata)[:, np.newaxis]
    is_undefined = long.is_linear & np.isnan(long.value) & ~long.is_impossible
    notes.add(is_undefined & is_news, lambda i, _: words[i][_UNDEFINED])
    why = "a count below 0, an error below 0, or a rate outside 0 to 1"
    notes.add(long.is_impossible, f"facet: the regression gives {why}")
    why = "facet: the probabilities do not tell a side from other groups"
    notes.add(long.is_linear & is_empty, why)
    if SCALED_ROWS in table.columns:
        scaled = table[SCALED_ROWS].fill_null(0).to_numpy()
        notes.add(
            scaled > 0,
            lambda _, j: (
                f"facet: the probabilities of {scaled[j]} rows added up to 0.99 to 1.01, "
                "and were scaled to 1"
            ),
        )


def _least_count(metric: Metric, roles: Roles) -> Metric:
    """The smallest of a metric's rates, what they leave to 1, their counts, and mean errors."""
    words = {name.partition(".")[2] for name in metric.terms}
    rates = sorted(word for word in words if word in RATES and RATES[word].is_proportion)
    rates = rates or [_RATE_OF[role] for role in roles.binary_roles if role in metric.needs]
    sides = (d, a) if metric.has_sides else (g,)
    both = [term(f"{side.name}.{rate}") for side in sides for rate in rates]
    both += [1 - each for each in both]
    counts = {count for rate in rates for count in RATES[rate].counts} - {"n"}
    for side in sides:
        n = term(f"{side.name}.n")
        # In their last digits, counts of many rows may be below 0 by more than 1e-9.
        both += [n, *(choose(n > 0, term(f"{side.name}.{c}") / n) for c in sorted(counts))]
    if "residual_distance" in words:
        errors = [mean_distance(side) for side in sides]
        scale = sum(abs(each) for each in errors) if metric.has_sides else errors[0].abs().sum()
        both += [known(error / scale) for error in errors]
    smallest = least(*both, 1.0)
    return Metric(
        f"{metric.name}{_LEAST}", "", smallest if metric.has_sides else across(smallest.min())
    )


ROWS: Final = ("rows_seen", "rows_used", "rows_dropped")
STANDARD: Final = ("ideal", "band_lower", "band_upper")

# Inner columns: no column of a caller and no metric has such a name.
_SIGN: Final = "sign\x1f"
EDGES: Final = ("edge_lower\x1f", "edge_upper\x1f")


def rows_of_metrics(
    lines: Lines,
    roles: Roles,
    metrics: Mapping[str, Metric],
    names: Mapping[str, str],
    criteria: Criteria,
) -> pl.DataFrame:
    """The rows of metrics, by their inner names; all of them have sides, or none has.

    ``names`` are those by which metrics are called.
    """
    called, options = [names[name] for name in metrics], criteria.options
    has_sides = all(metric.has_sides for metric in metrics.values())
    long = _Long(lines, roles, metrics, criteria, called, has_sides)
    p_value, (lower, upper) = long.array(P_VALUE), long.bounds
    columns: dict[str, Any] = {
        VALUE: long.value,
        LOWER: lower,
        UPPER: upper,
        P_VALUE: p_value,
        "is_small": np.nan_to_num(long.array(FEWEST)) < (options.minimum_count or 0),
        "verdict": long.verdicts(),
        "against": long.against(),
        "note": _notes(long, p_value, are_tested=options.p_values is not None),
        "within_p_value": np.full(long.shape, np.nan),
        UNLABELLED: long.texts(UNLABELLED),
    }
    if options.equivalence and options.confidence is not None:
        columns["within_p_value"] = _within_p_values(long, columns["verdict"], options.confidence)
    if options.contrast is not None:
        names_of_both = (CORRELATION, *BOUNDS_OF_DIFFERENCE, *BOUNDS_OF_SUM)
        columns |= {name: long.array(name) for name in names_of_both}
        columns[HAS_ROWS] = np.broadcast_to(long.has_rows, long.shape)
        columns[DEVIATIONS] = long.texts(DEVIATIONS)
    if any(map(says_what_is_unmeasured, metrics.values())):
        columns |= _columns_of_unmeasured(long)
    if any(map(has_e_value, metrics.values())):
        columns |= _columns_of_e_values(long)
    kept = np.stack([are_meant(lines, metric, roles)[long.shown] for metric in metrics.values()])
    number = np.repeat(np.arange(len(metrics)), len(long.shown))
    rows = pl.concat([long.table] * len(metrics), rechunk=True)
    rows = rows.hstack(_table_of_metrics(metrics, called, criteria)[number])
    rows = rows.hstack([_as_series(name, each) for name, each in columns.items()])
    return rows if kept.all() else rows.filter(pl.Series(kept.ravel()))


def _as_series(name: str, values: Any) -> pl.Series:
    if values.dtype != object:
        return pl.Series(name, np.ascontiguousarray(values).ravel(), nan_to_null=True)
    held = values.ravel().tolist()
    if name == DEVIATIONS:
        moved = [None if each is None else [*each] for each in held]
        return pl.Series(name, moved, pl.List(pl.Float64))
    return pl.Series(name, held, pl.String())


def has_e_value(metric: Metric) -> bool:
    """Whether a metric is a ratio of selection rates at equal controls."""
    return metric.parsed.expression is CATALOGUE["adjusted_ratio"].parsed.expression


def _columns_of_unmeasured(long: _Long) -> dict[str, Any]:
    """How strong what was not measured would have to be to bring values to edges of bands."""
    robustness, times = (np.full(long.shape, np.nan) for _ in range(2))
    like, found = np.full(long.shape, None, dtype=object), long.texts(UNMEASURED)
    metrics = [*long.metrics.values()]
    for (i, j), each in np.ndenumerate(found):
        if each is None or not long.is_estimated[i, j]:
            continue
        ends = np.array(long.criteria.bands[long.called[i]] or (metrics[i].ideal,))
        value, *edges = np.append(long.value[i, j], ends)
        if metrics[i].is_ratio:
            # For d over a, the difference of logarithms is a less d.
            value, *edges = -np.log([value, *edges])
        edge = min(edges, key=lambda end: abs(end - value))
        distance = each.from_edge(value, edge)
        robustness[i, j] = each.robustness(distance)
        if (known := each.like(distance)) is not None:
            times[i, j], like[i, j] = known
    return dict(zip(UNMEASURED_COLUMNS, (robustness, times, like), strict=True))


def _columns_of_e_values(long: _Long) -> dict[str, Any]:
    """E-values of ratios, and of the limits of intervals that are nearer 1: 1 if it is inside."""
    has_one = long.of_metrics(lambda _, metric: has_e_value(metric), bool) & long.is_estimated
    lower, upper = long.bounds
    limit = np.where(lower > 1, lower, np.where(upper < 1, upper, np.minimum(1.0, upper)))
    return {
        name: np.where(has_one, [[*map(e_value, row)] for row in values.tolist()], np.nan)
        for name, values in zip(E_VALUES, (long.value, limit), strict=True)
    }


def _within_p_values(long: _Long, verdict: Any, confidence: float) -> Floats:
    """The p-values of the claims that values lie outside their bands: of two tests the larger.

    A value is as far within an edge as half widths of the interval toward that edge say.
    """
    value, (lower, upper), (least, most) = long.value, long.bounds, long.edges
    within = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for distance, is_most in ((value - least, False), (most - value, True)):
            half = np.where((distance >= 0) == is_most, upper - value, value - lower)
            # Where both are infinite, or nothing, the side of the edge is known.
            shares = distance / half
            within.append(np.where(np.isnan(shares), np.sign(distance), shares))
    z = NormalDist().inv_cdf((1 + confidence) / 2) * np.fmin(*within)
    is_judged = ~np.isin(verdict, ("undefined", DEPENDS)) & ~np.isnan(lower) & ~np.isnan(least)
    tail = normal_p(np.abs(np.where(is_judged, z, 0)).ravel()).to_numpy().reshape(z.shape) / 2
    return np.where(is_judged, np.where(z > 0, tail, 1 - tail), np.nan)


def against_on_range(least: str) -> pl.Expr:
    """The group that a whole range outside the band disadvantages, by its smaller end."""
    return disadvantaged(pl.col(least), pl.col(EDGES[1]), pl.col(_SIGN), pl.lit(0))


def verdict_over_unknown() -> pl.Expr:
    """The verdict, or "depends" where the groups of unknown rows could move the value over an edge.

    The ends hold without chance; `bounds` also judges their intervals.
    """
    verdict, edges = pl.col("verdict"), map(pl.col, EDGES)
    is_crossed = [(pl.col("lowest") < edge) & (edge < pl.col("highest")) for edge in edges]
    is_judged = (verdict != "undefined").fill_null(value=False)
    return (
        pl.when(is_judged & pl.any_horizontal(is_crossed)).then(pl.lit(DEPENDS)).otherwise(verdict)
    )


def verdict_on_range(least: str, most: str, is_defined: str) -> pl.Expr:
    """Where all between two ends lies, or "depends" where only some of it lies in the band."""
    low, high, is_known = pl.col(EDGES[0]), pl.col(EDGES[1]), pl.col(is_defined)
    verdict = judged(pl.col(least), pl.col(most), low, high)
    # A way without a value, or without an interval, is none that is within.
    depends = (
        ~is_known | pl.col(least).is_null() | pl.col(most).is_null() | (verdict == "uncertain")
    )
    judgement = pl.when(depends).then(pl.lit(DEPENDS)).otherwise(verdict)
    judgement = pl.when(pl.col("lowest").is_null()).then(pl.lit("undefined")).otherwise(judgement)
    return pl.when(low.is_not_null()).then(judgement)


def _table_of_metrics(
    metrics: Mapping[str, Metric], called: Iterable[str], criteria: Criteria
) -> pl.DataFrame:
    """What is the same in all rows of a metric, a row for each metric."""
    rows, none = [], (None, None)
    for (name, metric), known_as in zip(metrics.items(), called, strict=True):
        band = criteria.bands[known_as]
        rows.append(
            {
                METRIC: name,
                "metric": known_as,
                **dict(zip(STANDARD, (metric.ideal, *(band or none)), strict=True)),
                **dict(zip(EDGES, widened(band) if band else none, strict=True)),
                _SIGN: criteria.signs.get(known_as, 0),
                IS_RATIO: metric.is_ratio,
                IS_NUMBER: metric.is_about_numbers,
            }
        )
    return pl.DataFrame(rows, schema_overrides=dict.fromkeys((*STANDARD, *EDGES), pl.Float64()))

"""Notes of an audit: what a reader would not expect of a row, in words.

What notes need is evaluated as metrics of inner names, beside the metrics that they are about.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.polars_rows import SCALED_ROWS
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.formula.arithmetic import known, least
from polars_fairness.formula.formulas import Formula, across, across_strata
from polars_fairness.formula.levels import ACROSS_STRATA, AT_EQUAL_CONTROLS, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import mean_distance
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import a, a_i, both_i, d, d_i, g
from polars_fairness.formula.tree import choose, term
from polars_fairness.inference.bound_names import METRIC, NOTE, REASON
from polars_fairness.inference.closed_forms.strata import fewest_events
from polars_fairness.inference.significance import find_test
from polars_fairness.question.outcomes import NUMBERS
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.evaluate import is_common_difference, place_keys

# Inner names: no column of a caller and no metric has such a name.
_RATES, _STRATA, _SKIPPED, _ROWS = (
    f"{name}\x1f" for name in ("rates", "strata", "skipped", "rows skipped")
)
_LEAST: Final = "least\x1f"
_EVENTS: Final = "events\x1f"
_ROUNDING: Final = 1e-9
_OF_OUTCOMES: Final[Mapping[str, Metric]] = {
    role: Metric(f"{_RATES}{role}", "", term(f"{a.name}.{rate}") + term(f"{d.name}.{rate}"))
    for role, rate in (("predicted", "selection_rate"), ("label", "base_rate"))
}
"""The rates of both sides together: 0 if no row is positive, 2 if every one is."""
MOST_GROUPS: Final = 50
"""So many groups are compared one by one without a note."""


def noted(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, Metric]:
    """What the notes on these metrics need, by inner names."""
    rates = [_OF_OUTCOMES[role] for role in roles.binary_roles] if roles.facets else []
    strata = {
        f"{name}{kind}": replace(metric, formula=formula)
        for name, metric in metrics.items()
        for kind, formula in _strata_counts(metric)
    }
    counts = {}
    if LINEAR in roles.estimators:
        counts = {
            f"{name}{_LEAST}": _least_count(metric, roles)
            for name, metric in metrics.items()
            if not (metric.is_joint or metric.parsed.level.is_one_group)
            and "subgroup" not in metric.needs
        }
    events = {
        f"{name}{_EVENTS}": each
        for name, metric in metrics.items()
        if (each := fewest_events(metric)) is not None
    }
    return {each.name: each for each in rates} | strata | counts | events


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


# What the notes on a metric say wherever they say it: words, or whether they do.
_TIES, _IS_TEST = "ties\x1f", "is a test\x1f"
_NUMBERS, _BELOW, _UNDEFINED = WORDS = ("numbers\x1f", "below\x1f", "undefined\x1f")
RANGE: Final = ("range_lower\x1f", "range_upper\x1f")
"""The columns of the least and the largest value that a metric can have."""


def columns_of_notes(name: str, metric: Metric) -> dict[str, str]:
    """The columns in a table of values that notes need, by their names in rows; or ""."""
    rates = {
        each.name: each.name if metric.has_sides and role in metric.needs else ""
        for role, each in _OF_OUTCOMES.items()
    }
    return rates | {each: f"{name}{each}" for each in (_STRATA, _SKIPPED, _ROWS, _EVENTS, _LEAST)}


def words_of_notes(metric: Metric, roles: Roles) -> dict[str, bool | str | None]:
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
        _TIES: bool(roles.best) and "predicted" in metric.needs,
        _IS_TEST: bool(not metric.has_interval and find_test(metric)),
        _NUMBERS: numbers,
        _BELOW: below or numbers,
        _UNDEFINED: undefined,
    }


def note_of_rows(rows: pl.DataFrame, roles: Roles, *, has_sides: bool, are_tested: bool) -> pl.Expr:
    """The note on each row of metrics; null where there is nothing to say."""
    # Words that no row may have are left out: of one row, all words took 0.6 ms.
    about = [*(rates.name for rates in _OF_OUTCOMES.values()), _SKIPPED, _EVENTS, _NUMBERS]
    known = {name for name in (*about, NOTE, REASON) if rows[name].null_count() < rows.height}
    notes = [*_count_notes(known)]
    if roles.best and are_tested:
        why = "threshold: rows that tie at the cut count in part, and a p-value is about whole rows"
        notes.append(pl.when(pl.col(_TIES) & pl.col("p_value").is_null()).then(pl.lit(why)))
    if has_sides:
        if rows[COMPARISON_KEY].n_unique() > MOST_GROUPS:
            groups = pl.col(COMPARISON_KEY).n_unique().over(*place_keys(roles), METRIC)
            words = pl.format("facet: {} groups are compared one by one", groups)
            notes.append(pl.when(groups > MOST_GROUPS).then(words))
        means_unknown = {str(each).lower() for facet in roles.facets for each in facet.unknown}
        for side in ("disfavored", "favored") if means_unknown else ():
            words = pl.format("unknown: {} is a group, as its case is another", side)
            is_alike = pl.col(side).str.to_lowercase().is_in(means_unknown)
            notes.append(pl.when(is_alike).then(words))
        if _NUMBERS in known:
            notes.append(_undefined_number_reason(roles))
    notes += [pl.col(name) for name in (NOTE, REASON) if name in known]
    if roles.has_rows_together:
        argument, _ = roles.words_of_clusters
        no_verdict = pl.lit(f"{argument}: a test of independent rows has no verdict")
        notes.append(pl.when(_IS_TEST).then(no_verdict))
        if are_tested:
            notes.append(pl.lit(f"{argument}: a p-value would be that of independent rows"))
    if roles.windows.has_estimators:
        notes += _estimator_notes(rows, has_sides=has_sides)
    note = pl.concat_str(pl.lit(None, pl.String), *notes, separator="; ", ignore_nulls=True)
    return pl.when(note != "").then(note)


def _count_notes(known: Container[str]) -> Iterator[pl.Expr]:
    """Outcomes of one kind, strata that are left out, and few events, as far as rows know them."""
    for role, rates in _OF_OUTCOMES.items():
        if rates.name not in known:
            continue
        none, every = (
            pl.lit(f"{role}: {which} row of both sides is positive") for which in ("no", "every")
        )
        both = pl.col(rates.name)
        yield pl.when(both == 0).then(none).when(both == 2).then(every)
    skipped, strata, rows = (
        pl.col(kind).round().cast(pl.Int64) for kind in (_SKIPPED, _STRATA, _ROWS)
    )
    if _SKIPPED in known:
        words = "subgroup: {} of {} strata, with {} rows, allow no comparison and are left out"
        yield pl.when(skipped > 0).then(pl.format(words, skipped, strata, rows))
    if _EVENTS in known:
        few = pl.lit("subgroup: less than one row of an outcome is expected of a side")
        yield pl.when(pl.col(_EVENTS) < 1).then(few)


def _undefined_number_reason(roles: Roles) -> pl.Expr:
    """Why a value of numbers is null although both sides have rows."""
    reason = pl.col(_NUMBERS)
    if roles.windows.has_estimators:
        is_linear = pl.col(ESTIMATOR).eq_missing(LINEAR)
        reason = pl.when(is_linear).then(_BELOW).otherwise(reason)
    has_rows = (pl.col("n_disfavored") > 0) & (pl.col("n_favored") > 0)
    return pl.when(pl.col("value").is_null() & has_rows).then(reason)


def _estimator_notes(rows: pl.DataFrame, *, has_sides: bool) -> Iterator[pl.Expr]:
    is_linear = pl.col(ESTIMATOR).eq_missing(LINEAR)
    is_empty = pl.lit(value=False)
    if has_sides:
        is_empty = (pl.col("n_disfavored") == 0) | (pl.col("n_favored") == 0)
    is_undefined = is_linear & pl.col("value").is_null() & ~is_impossible()
    # Of a side without rows, the counts say no more than that.
    is_news = ~is_empty | pl.col(_UNDEFINED).str.starts_with("subgroup")
    yield pl.when(is_undefined & is_news).then(_UNDEFINED)
    words = "a count below 0, an error below 0, or a rate outside 0 to 1"
    yield pl.when(is_impossible()).then(pl.lit(f"facet: the regression gives {words}"))
    words = "facet: the probabilities do not tell a side from other groups"
    yield pl.when(is_linear & is_empty).then(pl.lit(words))
    if SCALED_ROWS in rows.columns:
        scaled = pl.col(SCALED_ROWS)
        words = "facet: the probabilities of {} rows added up to 0.99 to 1.01, and were scaled to 1"
        yield pl.when(scaled > 0).then(pl.format(words, scaled))


def is_impossible() -> pl.Expr:
    """Whether a regression gives a value that no rows can have, or counts for it that none have."""
    low, high = map(pl.col, RANGE)
    is_outside = ~pl.col("value").is_between(low - _ROUNDING, high + _ROUNDING)
    is_outside |= pl.col(_LEAST) < -_ROUNDING
    return (pl.col(ESTIMATOR).eq_missing(LINEAR) & is_outside).fill_null(value=False)


def _least_count(metric: Metric, roles: Roles) -> Metric:
    """The smallest of a metric's rates, what they leave to 1, their counts, and mean errors."""
    words = {name.partition(".")[2] for name in metric.terms}
    rates = sorted(word for word in words if word in RATES and RATES[word].is_proportion)
    by_default = {"label": "base_rate", "predicted": "selection_rate"}
    rates = rates or [by_default[role] for role in roles.binary_roles if role in metric.needs]
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

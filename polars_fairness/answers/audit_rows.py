"""The rows of an audit: each metric in each comparison, with its interval, verdict and note.

A table of values has a column for each metric. These are stacked, and judged all at once: to judge
one metric after the other took a third of an audit of all metrics.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import Final

import polars as pl

from polars_fairness.answers.contrasts import (
    BOUNDS_OF_DIFFERENCE,
    BOUNDS_OF_SUM,
    HAS_ROWS,
    OFFSET,
    SLOPE,
)
from polars_fairness.answers.options import Criteria
from polars_fairness.api.verdicts import DEPENDS, disadvantaged, judged, widened
from polars_fairness.counting.collected import WORTH_OPTIMISING, collected
from polars_fairness.counting.polars_rows import SCALED_ROWS
from polars_fairness.counting.sides import COMPARISON_KEY, GROUPS_CHOSEN_FROM
from polars_fairness.formula.formulas import Formula, across, across_strata
from polars_fairness.formula.levels import ACROSS_STRATA, AT_EQUAL_CONTROLS, STRATUM
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import mean_distance
from polars_fairness.formula.sides import RATES, a, a_i, both_i, d, d_i, g
from polars_fairness.formula.tree import choose, known, least, term
from polars_fairness.inference.bound_names import (
    CORRELATION,
    DEVIATIONS,
    DIFFERENCE,
    METRIC,
    NOTE,
    P_VALUE,
    REASON,
    SUM,
    UNLABELLED,
    bound_names,
)
from polars_fairness.inference.closed_forms import fewest_events
from polars_fairness.inference.significance import find_test, normal_p
from polars_fairness.question.outcomes import NUMBERS
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, LINEAR
from polars_fairness.values.evaluate import SIDES, SIZES, is_common_difference, is_meant, place_keys

# Inner names: no column of a caller and no metric has such a name.
_RATES, _STRATA, _SKIPPED, _ROWS = (
    f"{name}\x1f" for name in ("rates", "strata", "skipped", "rows skipped")
)
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


def noted(metrics: Mapping[str, Metric], roles: Roles) -> dict[str, Metric]:
    """What the notes on these metrics, and their verdicts, need, by inner names."""
    roles_known = roles.binary_roles if roles.facets else ()
    rates = [of[role] for of in (_OF_OUTCOMES, _LEANS) for role in roles_known]
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
_AT_BEST, _IS_TEST = "at a best cut\x1f", "is a test\x1f"
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
        _AT_BEST: bool(roles.best) and "predicted" in metric.needs,
        _IS_TEST: bool(not metric.has_interval and find_test(metric)),
        _NUMBERS: numbers,
        _BELOW: below or numbers,
        _UNDEFINED: undefined,
    }


def note_of_rows(rows: pl.DataFrame, roles: Roles, *, has_sides: bool, are_tested: bool) -> pl.Expr:
    """The note on each row of metrics; null where there is nothing to say."""
    # Words that no row may have are left out: of one row, all words took 0.6 ms.
    about = [*(rates.name for rates in _OF_OUTCOMES.values()), _SKIPPED, _EVENTS, _NUMBERS]
    reasons = (UNLABELLED, NOTE, REASON)
    known = {name for name in (*about, *reasons) if rows[name].null_count() < rows.height}
    notes = [*_count_notes(known)]
    if roles.best and are_tested:
        why = "threshold: rows that tie at the cut count in part, and a p-value is about whole rows"
        notes.append(pl.when(pl.col(_AT_BEST) & pl.col("p_value").is_null()).then(pl.lit(why)))
    if roles.best:
        why = "threshold: the interval takes the cut as it stands"
        notes.append(pl.when(pl.col(_AT_BEST) & pl.col("lower").is_not_null()).then(pl.lit(why)))
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
    notes += [pl.col(name) for name in reasons if name in known]
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
OF_SIDES: Final = (*SIDES[1:], *SIZES[:2])
STANDARD: Final = ("ideal", "band_lower", "band_upper")

# Inner columns: no column of a caller and no metric has such a name.
SMALLER, GROUP, WORST, WIDENING = (
    f"{name}\x1f" for name in ("smaller", "group", "worst", "widening")
)
_FEWEST, _SIGN, _IS_RATIO, _IS_JOINT, _IS_MEANT = (
    f"{name}\x1f" for name in ("fewest", "sign", "ratio", "joint", "meant")
)
_HAS_INTERVAL, _BY_INTERVAL, _BY_BOUNDS, _BY_TEST = (
    f"{name}\x1f" for name in ("interval", "by interval", "by bounds", "by test")
)
_EDGES: Final = ("edge_lower\x1f", "edge_upper\x1f")
_JUDGED: Final = ("judged_lower\x1f", "judged_upper\x1f")


def ends(value: str, lower: str, upper: str, *, has_sides: bool) -> tuple[pl.Expr, pl.Expr]:
    """The bounds in a table of values and bounds, which contain the value; null without both."""
    low, middle, high = map(pl.col, (lower, value, upper))
    has_both = _is_estimated(middle, has_sides=has_sides) & low.is_not_null() & high.is_not_null()
    return (
        pl.when(has_both).then(pl.min_horizontal(low, middle)),
        pl.when(has_both).then(pl.max_horizontal(high, middle)),
    )


def _is_estimated(value: pl.Expr, *, has_sides: bool) -> pl.Expr:
    """Whether a value has an interval and a verdict.

    Without rows on a side a formula may have a value, but it is no estimate.
    """
    return value.is_not_null() & ((pl.col(SMALLER) > 0) | (not has_sides))


def rows_of_metrics(
    table: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    names: Mapping[str, str],
    criteria: Criteria,
) -> pl.DataFrame:
    """The rows of metrics, by their inner names; all of them have sides, or none has.

    ``names`` are those by which metrics are called.
    """
    places, options = place_keys(roles), criteria.options
    has_sides = all(metric.has_sides for metric in metrics.values())
    if not has_sides:
        of_sides = (*OF_SIDES, COMPARISON_KEY)
        sides = (pl.lit(None, table.schema[each]).alias(each) for each in of_sides)
        table = table.unique(places, keep="first", maintain_order=True).with_columns(sides)
    if roles.windows.has_classes:
        table = table.with_columns(
            is_meant(metric, roles).alias(f"{name}{_IS_MEANT}") for name, metric in metrics.items()
        )
    rows = _stacked(table, roles, metrics, _metric_table(table, roles, metrics, names, criteria))
    if roles.are_joint:
        rows = rows.filter((pl.col("facet") == roles.joint_facet) == pl.col(_IS_JOINT))
    if roles.windows.has_classes:
        rows = rows.filter(_IS_MEANT)
    low, high = ends("value", "lower", "upper", has_sides=has_sides)
    are_tested = options.p_values is not None
    # One after the other: polars computes a part of an expression anew wherever it stands.
    judged_rows = rows.lazy().with_columns(lower=low, upper=high).with_columns(_judged_ends())
    judged_rows = judged_rows.with_columns(
        is_small=pl.col(_FEWEST).fill_null(0) < (options.minimum_count or 0),
        verdict=_verdict(roles, has_sides=has_sides),
        against=_against(roles),
        note=note_of_rows(rows, roles, has_sides=has_sides, are_tested=are_tested),
        within_p_value=pl.lit(None, pl.Float64),
        **(_contrast_columns(has_sides=has_sides) if options.contrast is not None else {}),
    )
    rows = collected(judged_rows, is_cheap=rows.height < WORTH_OPTIMISING)
    if not options.equivalence or options.confidence is None:
        return rows
    return rows.with_columns(_within_p_values(rows, options.confidence))


def _contrast_columns(*, has_sides: bool) -> dict[str, pl.Expr]:
    """What a contrast with a reference is made of."""
    value, ideal, lower, upper = map(pl.col, ("value", "ideal", "lower", "upper"))
    return {
        HAS_ROWS: (pl.col(SMALLER) > 0) | (not has_sides),
        SLOPE: pl.when(_IS_RATIO).then(value).otherwise(1.0),
        **{
            name: pl.when(_IS_RATIO).then(each.log()).otherwise(each - ideal)
            for name, each in zip(OFFSET, (value, lower, upper), strict=True)
        },
    }


def _within_p_values(rows: pl.DataFrame, confidence: float) -> pl.Series:
    """The p-values of the claims that values lie outside their bands: of two tests the larger.

    A value is as far within an edge as half widths of the interval toward that edge say.
    """
    value, lower, upper = map(pl.col, ("value", "lower", "upper"))
    least, most = map(pl.col, _EDGES)
    within = []
    for distance, is_most in ((value - least, False), (most - value, True)):
        above, below = upper - value, value - lower
        half = pl.when((distance >= 0) == is_most).then(above).otherwise(below)
        # Where both are infinite, or nothing, the side of the edge is known.
        within.append((distance / half).fill_nan(distance.sign()))
    z = NormalDist().inv_cdf((1 + confidence) / 2) * pl.min_horizontal(within)
    is_judged = pl.all_horizontal(
        pl.col("verdict") != "undefined", lower.is_not_null(), least.is_not_null()
    )
    z_scores = rows.select(pl.when(is_judged).then(z)).to_series()
    tail = normal_p(z_scores.abs()) / 2
    return rows.select(
        pl.when(z_scores > 0).then(tail).otherwise(1 - tail).alias("within_p_value")
    ).to_series()


def _judged_ends() -> Iterator[pl.Expr]:
    """The ends that a verdict is about: of an interval, of a test, or the value twice."""
    value, ideal = pl.col("value"), pl.col("ideal").fill_null(0.0)
    # The value of a test is a number of standard errors: of all pairs it takes more.
    nearer = ideal + (value - ideal) / pl.col(WIDENING)
    for name, bound, outer in (
        (_JUDGED[0], "lower", pl.min_horizontal),
        (_JUDGED[1], "upper", pl.max_horizontal),
    ):
        end = pl.when(_BY_BOUNDS).then(bound).when(_BY_TEST).then(outer(nearer, value))
        yield end.otherwise(value).alias(name)


def _verdict(roles: Roles, *, has_sides: bool) -> pl.Expr:
    verdict = judged(*map(pl.col, (*_JUDGED, *_EDGES)))
    is_judged = _is_estimated(pl.col("value"), has_sides=has_sides)
    if roles.has_rows_together:
        # The value of a test is a number of standard errors of independent rows.
        is_judged &= pl.col(_HAS_INTERVAL)
    is_judged &= pl.col(REASON).is_null() | ~pl.col(_BY_INTERVAL)
    if roles.windows.has_estimators:
        is_judged &= ~is_impossible()
    has_band = pl.col(_EDGES[0]).is_not_null()
    return pl.when(is_judged & has_band).then(verdict).when(has_band).then(pl.lit("undefined"))


def _against(roles: Roles) -> pl.Expr:
    lean = pl.col(_LEAN) if roles.favorable else -pl.col(_LEAN)
    return disadvantaged(pl.col(_JUDGED[0]), pl.col(_EDGES[1]), pl.col(_SIGN), lean)


def against_on_range(least: str) -> pl.Expr:
    """The group that a whole range outside the band disadvantages, by its smaller end."""
    return disadvantaged(pl.col(least), pl.col(_EDGES[1]), pl.col(_SIGN), pl.lit(0))


def verdict_over_unknown() -> pl.Expr:
    """The verdict, or "depends" where the groups of unknown rows could move the value over an edge.

    The ends hold without chance; `bounds` also judges their intervals.
    """
    verdict, edges = pl.col("verdict"), map(pl.col, _EDGES)
    is_crossed = [(pl.col("lowest") < edge) & (edge < pl.col("highest")) for edge in edges]
    is_judged = (verdict != "undefined").fill_null(value=False)
    return (
        pl.when(is_judged & pl.any_horizontal(is_crossed)).then(pl.lit(DEPENDS)).otherwise(verdict)
    )


def verdict_on_range(least: str, most: str, is_defined: str) -> pl.Expr:
    """Where all between two ends lies, or "depends" where only some of it lies in the band."""
    low, high, is_known = pl.col(_EDGES[0]), pl.col(_EDGES[1]), pl.col(is_defined)
    verdict = judged(pl.col(least), pl.col(most), low, high)
    # A way without a value, or without an interval, is none that is within.
    depends = (
        ~is_known | pl.col(least).is_null() | pl.col(most).is_null() | (verdict == "uncertain")
    )
    judgement = pl.when(depends).then(pl.lit(DEPENDS)).otherwise(verdict)
    judgement = pl.when(pl.col("lowest").is_null()).then(pl.lit("undefined")).otherwise(judgement)
    return pl.when(low.is_not_null()).then(judgement)


def _metric_table(
    table: pl.DataFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    names: Mapping[str, str],
    criteria: Criteria,
) -> pl.DataFrame:
    """What is the same in all rows of a metric, a row for each metric."""
    rows, known, none = [], {*table.columns}, (None, None)
    for name, metric in metrics.items():
        called = names[name]
        band, by_interval = criteria.bands[called], criteria.rules[called] == "interval"
        has_bounds = {*bound_names(name)} <= known
        is_test = metric.has_sides and not (metric.has_interval or has_bounds)
        rows.append(
            {
                METRIC: name,
                "metric": called,
                **dict(zip(STANDARD, (metric.ideal, *(band or none)), strict=True)),
                **dict(zip(_EDGES, widened(band) if band else none, strict=True)),
                **dict(zip(RANGE, metric.range, strict=True)),
                _SIGN: criteria.signs.get(called, 0),
                _IS_RATIO: metric.is_ratio,
                _IS_JOINT: metric.is_joint,
                _HAS_INTERVAL: metric.has_interval,
                _BY_INTERVAL: by_interval,
                _BY_BOUNDS: by_interval and has_bounds,
                _BY_TEST: by_interval and is_test,
                **words_of_notes(metric, roles),
            }
        )
    types = dict.fromkeys((*STANDARD, *_EDGES, *RANGE), pl.Float64())
    return pl.DataFrame(rows, schema_overrides=types | dict.fromkeys(WORDS, pl.String()))


def _columns_of(name: str, metric: Metric) -> dict[str, str]:
    """The columns in a table of values that a metric's rows have, by their names in these."""
    fewest = SMALLER
    if not metric.has_sides:
        apart = metric.parsed.level.keeps_groups_apart
        fewest = f"{name}{WORST}" if metric.is_joint else GROUP if apart else "rows_used"
    columns = {"value": name, "p_value": f"{name}{P_VALUE}", _FEWEST: fewest}
    about = [role for role in ("predicted", "label") if role in metric.needs]
    # A distance between scores is about their order or their height, and not about a rate.
    has_lean = metric.has_sides and about and "score" not in metric.needs
    columns[_LEAN] = f"{_LEAN}{about[0]}" if has_lean else ""
    for ending, bounds in (
        ("", ("lower", "upper")),
        (DIFFERENCE, BOUNDS_OF_DIFFERENCE),
        (SUM, BOUNDS_OF_SUM),
    ):
        columns |= zip(bounds, bound_names(f"{name}{ending}"), strict=True)
    columns |= {
        each: f"{name}{each}"
        for each in (CORRELATION, DEVIATIONS, UNLABELLED, NOTE, REASON, _IS_MEANT)
    }
    return columns | columns_of_notes(name, metric)


def _stacked(
    table: pl.DataFrame, roles: Roles, metrics: Mapping[str, Metric], by_metric: pl.DataFrame
) -> pl.DataFrame:
    """The rows of all metrics, one after the other: null is in place of what a table lacks."""
    known, height = {*table.columns}, table.height
    columns = [_columns_of(name, metric) for name, metric in metrics.items()]
    inner = (COMPARISON_KEY, GROUPS_CHOSEN_FROM, SMALLER, WIDENING)
    common = [*place_keys(roles), *SIDES[1:], *SIZES, *ROWS, *inner]
    common += [SCALED_ROWS] if SCALED_ROWS in known else []
    number = pl.int_range(len(metrics) * height, eager=True) // max(height, 1)
    nulls = {
        dtype: pl.Series([None], dtype=dtype).new_from_index(0, number.len())
        for dtype in (_VALUE, *_TYPES.values())
    }
    stacked = []
    by_word = zip(*map(dict.values, columns), strict=True)
    for word, names in zip(columns[0], by_word, strict=True):
        dtype = _TYPES.get(word, _VALUE)
        if known.isdisjoint(names):
            stacked.append(nulls[dtype].alias(word))
            continue
        none = nulls[dtype].head(height)
        of_metrics = [table[name] if name in known else none for name in names]
        # To cast a column, even to the type that it has, takes longer than to stack it.
        of_type = [each if each.dtype == dtype else each.cast(dtype) for each in of_metrics]
        stacked.append(pl.concat(of_type, rechunk=True).alias(word))
    of_places = pl.concat([table[common]] * len(metrics), rechunk=True)
    return of_places.hstack(by_metric[number]).hstack(stacked)


_VALUE: Final = pl.Float64()
_TYPES: Final[Mapping[str, pl.DataType]] = {
    _IS_MEANT: pl.Boolean(),
    UNLABELLED: pl.String(),
    NOTE: pl.String(),
    REASON: pl.String(),
    DEVIATIONS: pl.List(pl.Float64),
}

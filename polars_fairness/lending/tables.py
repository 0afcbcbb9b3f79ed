"""The tables of lending: groups and their reference, by share accepted, over segments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from types import MappingProxyType
from typing import Any, Final, Literal, Unpack, cast

import polars as pl

from polars_fairness.answers.comparisons import (
    FOUR_FIFTHS,
    ExactComparison,
    as_answer,
    comparisons_of,
    end_names,
    exactly,
    p_values_of_rates,
)
from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.columns import LENDING_TABLE, QUANTILES, SEGMENTS
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested, with_certainty
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import is_significant
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.strata import INFORMATIVE_STRATA
from polars_fairness.counting.cells import one_facet_cells
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import unlisted
from polars_fairness.counting.decisions import LOWEST_ACCEPTED, best_cuts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import GROUPS_CHOSEN_FROM
from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import Measure, deviation
from polars_fairness.formula.sides import g_s
from polars_fairness.inference.significance import (
    adjust_for_all_pairs,
    adjusted,
    families_of,
    find_test,
)
from polars_fairness.lending.arguments import (
    DEVIATION,
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
    P_VALUES_OF_RATES,
    SHARES_ACCEPTED,
    LendingQuestion,
    QuantilesQuestion,
    SegmentsQuestion,
)
from polars_fairness.question.arguments import OF_QUESTION, Argument, Question, named, parted
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.facets import HIGHEST, LARGEST
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import best
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.values.evaluate import place_keys
from polars_fairness.values.score_comparisons import measures_by_group

# Of these tables alone: an audit has options of the same names as others.
_OWN: Final = {each.name for each in (*OF_LENDING_TABLE, *OF_QUANTILES)} - {
    each.name for each in OF_AUDIT
}


def options_and_question_of(given: Mapping[str, Any]) -> tuple[AuditOptions, Question]:
    """The options of intervals and p-values, and the question, without these tables' arguments."""
    of_others = {name: value for name, value in given.items() if name not in _OWN}
    of_others.setdefault(P_VALUES_OF_RATES.name, P_VALUES_OF_RATES.default)
    P_VALUES_OF_RATES.refuse_other_values(of_others[P_VALUES_OF_RATES.name])
    options, question = options_and_question(cast("Any", of_others))
    if question.get("favored") is None:
        raise FairnessError(
            "favored: each group is compared with a reference; give one, such as favored='White', "
            f"{HIGHEST!r} or {LARGEST!r}"
        )
    return options, question


def about_decisions(
    frame: AnyFrame, question: Question, name: str, own: Mapping[str, Any] = MappingProxyType({})
) -> CheckedQuestion:
    """The question about decisions, checked for the function of this name."""
    bound = read(frame, question, name, own)
    without = [
        each.name for each in bound.roles.facets if not each.favored and each.reference is None
    ]
    if without:
        raise FairnessError(
            f"favored: there is no reference for {listed(without)}; add it to the dictionary, such "
            f"as {{{without[0]!r}: 'White'}}"
        )
    return bound


_Deviation = Literal["pooled", "population"]

# The name of each column with an interval, and the metric in it.
_OF_DECISIONS: Final = {"points": "dppl", "odds_ratio": "odds_ratio", "air": "di"}
_OF_SCORES: Final[dict[_Deviation, str]] = {"pooled": "smd", "population": "score_difference"}

_LEAST_COUNT: Final = 1e-9

_DEVIATION: Final = Measure(
    "deviation", deviation(g_s), "Standard deviation", "the standard deviation of the scores"
)


_MOST: Final = {"minimum_ratio": 1, "maximum_points": 100, "significance": 1}
"""The three limits that a flagged group is beyond, with the largest value of each."""


def metrics_of(roles: Roles, of_deviation: _Deviation) -> dict[str, Metric]:
    """The metrics behind the columns of the table, as far as the question allows them."""
    names = [*_OF_DECISIONS.values()]
    if roles.score is not None:
        names.append(_OF_SCORES[of_deviation])
    if roles.is_weighted and not roles.facets_against_all:
        names.append("two_sd")
    return {name: CATALOGUE[name] for name in names}


def lending_table(
    seen: pl.LazyFrame,
    roles: Roles,
    options: AuditOptions,
    limits: Mapping[str, float],
    of_deviation: _Deviation,
) -> pl.LazyFrame:
    """Every group and its reference, from the cells of all rows."""
    compared = comparisons_of(seen, roles, metrics_of(roles, of_deviation), options)
    if roles.score is not None and of_deviation == "population":
        compared = _divided_by_deviations(compared, seen, roles)
    p_values = p_values_of_rates(compared, roles, options)
    valued = compared.with_columns(p_values, *_valued(roles, of_deviation))
    table = exactly(valued, roles, _exact_columns(roles, limits))
    is_beyond = is_significant(pl.col("p_value"), limits["significance"])
    flagged = pl.col("is_below") & pl.col("is_lower") & is_beyond
    return as_answer(table.with_columns(is_flagged=flagged), roles.windows, LENDING_TABLE)


def _exact_columns(
    roles: Roles, limits: Mapping[str, float]
) -> dict[str, tuple[pl.DataType, Callable[[ExactComparison], Any]]]:
    """The columns from the counts of both sides: what is missing, and whether it is too much."""
    shortfall = ExactComparison.shortfall if roles.favorable else ExactComparison.excess
    ratio, points = limits["minimum_ratio"], limits["maximum_points"]

    def missing(pair: ExactComparison, *part: Fraction) -> float | int | None:
        people = shortfall(pair, *part)
        # Of groups known only as probabilities, rows expected are no whole numbers, and people are.
        is_expected = roles.windows.has_estimators and roles.weight is None
        return ceil(people - _LEAST_COUNT) if is_expected and people is not None else people

    def worse_off(pair: ExactComparison) -> ExactComparison:
        """The pair, swapped if a higher rate is worse."""
        return pair if roles.favorable else pair.turned

    return {
        "shortfall": (roles.size, missing),
        "shortfall_to_four_fifths": (roles.size, lambda pair: missing(pair, FOUR_FIFTHS)),
        "is_below": (pl.Boolean(), lambda pair: worse_off(pair).is_below(ratio)),
        "is_lower": (pl.Boolean(), lambda pair: worse_off(pair).is_lower_by_more(points)),
    }


def _divided_by_deviations(
    compared: pl.DataFrame, seen: pl.LazyFrame, roles: Roles
) -> pl.DataFrame:
    """The differences of mean scores and their bounds, in deviations of all rows of the window."""
    # Every facet counts the same rows.
    of_places = seen.with_columns(value=pl.lit(None, pl.String))
    measured, _ = measures_by_group(of_places, roles.needing({"score"}), [_DEVIATION])
    keys, spread = [*roles.windows.without_thresholds.keys, "facet"], pl.col(_DEVIATION.column)
    deviations = collected(measured.select(*keys, spread))
    joined = compared.join(deviations, on=keys, how="left", nulls_equal=True, maintain_order="left")
    # As in every formula, a quotient by 0 is undefined unless the call gives 0/0 a number.
    undefined = roles.zero_division
    in_place_of_0 = None if undefined is None else 0.0
    divisor = pl.when(spread > 0).then(spread).otherwise(in_place_of_0)
    name = _OF_SCORES["population"]
    return joined.with_columns(
        (pl.col(column) / divisor).fill_nan(undefined) for column in (name, *end_names(name))
    )


def _valued(roles: Roles, of_deviation: _Deviation) -> Iterator[pl.Expr]:
    """The columns with values and bounds, named as the table names them."""
    metrics: dict[str, str | None] = {**_OF_DECISIONS, "smd": None}
    if roles.score is not None:
        metrics["smd"] = _OF_SCORES[of_deviation]
    for name, metric in metrics.items():
        sources = (metric, *end_names(metric)) if metric else (None, None, None)
        # Those of the ratio are named as in an audit.
        ends = ("lower", "upper") if name == "air" else (f"{name}_lower", f"{name}_upper")
        for column, source in zip((name, *ends), sources, strict=True):
            value = pl.col(source) if source else pl.lit(None, pl.Float64)
            yield (100 * value if name == "points" else value).alias(column)


@answers(*OF_LENDING_TABLE, module="lending", columns=LENDING_TABLE)
def table(frame: AnyFrame, **given: Unpack[LendingQuestion]) -> PolarsFrame:
    """Compare each group with its reference by the numbers that are customary in fair lending.

    A group is flagged only if its ratio, its percentage points and its p-value are all beyond
    their limits. The limits are arguments, not those of a law. A number exactly at its limit is not
    beyond it: rates are compared in whole numbers; with weights, whose sums are rounded, a rate is
    beyond a limit if it exceeds it by more than 1e-12.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference. The columns are those of ``by``, with several
        models ``model``, with several thresholds ``threshold``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> table = pf.lending.table(
    ...     applicants, facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    >>> table.select("disfavored", "shortfall", pl.col("air").round(3), "is_flagged").rows()
    [('Female', 260, 0.682, True)]
    """
    limits: dict[str, Any] = parted(given, named(OF_LENDING_TABLE, *_MOST, DEVIATION.name))[0]
    of_deviation = limits.pop(DEVIATION.name)
    DEVIATION.refuse_other_values(of_deviation)
    for name, most in _MOST.items():
        takes = f"a number between 0 and {most}"
        require_number(name, limits[name], takes, least=0, most=most)
    options, question = options_and_question_of(given)
    own = {**vars(options), DEVIATION.name: of_deviation}
    bound = about_decisions(frame, question, "lending.table", own)
    metrics, roles = requested([*metrics_of(bound.roles, of_deviation).values()], bound.roles)
    if options.confidence is not None:
        roles = with_certainty(metrics.values(), roles)
    compute = partial(lending_table, options=options, limits=limits, of_deviation=of_deviation)
    return answer_of(bound, roles, compute, LENDING_TABLE, by_cluster=True)


def _metrics_of_quantiles(roles: Roles) -> dict[str, Metric]:
    names = ("di", "dppl") if not roles.is_weighted else ("di", "dppl", "two_sd")
    return {name: CATALOGUE[name] for name in names}


def _quantiles_of(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group and its reference at the cut of each share, from cells by score."""
    compared = comparisons_of(seen, roles, _metrics_of_quantiles(roles), options)
    tested = compared.with_columns(p_values_of_rates(compared, roles, options))
    cuts = collected(best_cuts(unlisted(one_facet_cells(seen, roles)), roles))
    table = tested.join(
        cuts, on=roles.windows.keys, how="left", nulls_equal=True, maintain_order="left"
    ).with_columns(
        pl.col(THRESHOLD).alias("share"),
        pl.col(LOWEST_ACCEPTED).alias(THRESHOLD),
        points=100 * pl.col("dppl"),
        air=pl.col("di"),
        **dict(zip(("lower", "upper"), map(pl.col, end_names("di")), strict=True)),
    )
    return as_answer(table, roles.windows.without_thresholds, QUANTILES)


_SHARED: Final = [argument for argument in OF_QUESTION if argument.name != "threshold"]

_REFUSED: Final = {
    "threshold": "the shares decide which scores are accepted; leave it out, or call lending.table",
}


@answers(*OF_QUANTILES, shared=_SHARED, module="lending", refused=_REFUSED, columns=QUANTILES)
def quantiles(frame: AnyFrame, **given: Unpack[QuantilesQuestion]) -> PolarsFrame:
    """Compare each group with its reference if a share of all rows, the best, is accepted.

    For each share, the rows with the highest scores are accepted, as by `best`: a share of all rows
    of the window, including those of unknown facet, rounded up to whole rows; with ``weight``, this
    share of their weight. Rows that tie at the threshold are accepted in part. With ``resolution``,
    scores that are rounded down to the same multiple tie.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per share and group other than the reference. The columns are those of ``by``, with
        several models ``model``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> scored = pl.DataFrame(
    ...     {"sex": ["F", "F", "M", "M", None], "score": [0.4, 0.6, 0.6, 0.9, 0.8]}
    ... )
    >>> best = pf.lending.quantiles(
    ...     scored, shares=[0.2, 0.5], facet="sex", favored="M", score="score"
    ... )
    >>> best.select("share", "threshold", "accepted_share", "rate", "reference_rate").rows()
    [(0.2, 0.9, 0.2, 0.0, 0.5), (0.5, 0.6, 0.6, 0.25, 0.75)]
    """
    takes = "shares above 0 and below 1, such as 0.1 for the best tenth"
    typed: Any = given.get(SHARES_ACCEPTED.name, SHARES_ACCEPTED.default)
    several = typed if hasattr(typed, "__iter__") and not isinstance(typed, str) else [typed]
    shares = {require_number("shares", each, takes) for each in several}
    if not shares:
        raise FairnessError(f"shares: got an empty list; give {takes}")
    if outside := sorted(share for share in shares if not 0 < share < 1):
        raise FairnessError(f"shares: takes {takes}, got {listed(outside)}")
    options, question = options_and_question_of(given)
    if question.get("score") is None and question.get("predicted") is None:
        raise FairnessError(
            "score: lending.quantiles accepts the rows with the highest scores; give score=, or "
            "predicted={model: score} for several models"
        )
    at_shares: Question = {**question, "threshold": best(*shares)}
    bound = about_decisions(frame, at_shares, "lending.quantiles", vars(options))
    _, roles = requested([*_metrics_of_quantiles(bound.roles).values()], bound.roles)
    compute = partial(_quantiles_of, options=options)
    shown = roles.counting_scores
    return answer_of(bound, roles, compute, QUANTILES, shown=shown, by_cluster=True)


METRICS: Final = {name: CATALOGUE[name] for name in ("cmh", "breslow_day", "mh_odds_ratio")}
"""The metrics that are columns."""

_P_VALUES: Final = {"p_value": "cmh", "breslow_day_p_value": "breslow_day"}

_SEGMENTS: Final = Metric(
    "segments", "", across_strata(INFORMATIVE_STRATA), ideal=None, has_interval=False
)


def _segments_of(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group and its reference over the segments, from the cells of all rows."""
    tests = [test for name in _P_VALUES.values() if (test := find_test(METRICS[name]))]
    metrics = {**METRICS, "segments": _SEGMENTS, **{test.name: test for test in tests}}
    # The tests of an audit are of rows; these are of the effective numbers of rows with weights.
    compared = comparisons_of(seen, roles, metrics, replace(options, p_values=None))
    families = families_of(compared, place_keys(roles))
    of_pairs = (
        adjust_for_all_pairs(compared[test.name], compared[GROUPS_CHOSEN_FROM]) for test in tests
    )
    p_values = [adjusted(p, options.p_values, families) for p in of_pairs]
    table = compared.with_columns(
        pl.col("segments").cast(pl.Int64),
        # The tests are of independent rows.
        *(
            (p if not roles.left_out else p.clear(len(p))).alias(name)
            for name, p in zip(_P_VALUES, p_values, strict=True)
        ),
        **dict(zip(("lower", "upper"), map(pl.col, end_names("mh_odds_ratio")), strict=True)),
    )
    return as_answer(table, roles.windows, SEGMENTS)


@answers(*OF_SEGMENTS, module="lending", columns=SEGMENTS)
def segments(frame: AnyFrame, **given: Unpack[SegmentsQuestion]) -> PolarsFrame:
    """Compare each group with its reference within every segment, such as a branch or a product.

    The columns of ``subgroup`` hold the segments. All rows together may show the opposite of each
    segment, if a group applies more often where few are accepted.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference; the rows of each segment are those of `table`
        with ``by``. The columns are those of ``by``, with several models ``model``, with several
        thresholds ``threshold``, then:
        {columns}

        Each column of p-values is adjusted separately. With ``weight``, each segment counts as its
        effective number of rows, and the p-value is normal with a continuity correction.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "favored": "Male", "predicted": "admitted", "count": "n"}
    >>> applicants.fairness.odds_ratio(**question)["odds_ratio"].round(2).item()
    0.54
    >>> inside = pf.lending.segments(applicants, subgroup="department", **question)
    >>> columns = ["segments", "mh_odds_ratio", "p_value", "breslow_day_p_value"]
    >>> inside.select(columns).with_columns(pl.selectors.float().round(3))
    shape: (1, 4)
    ┌──────────┬───────────────┬─────────┬─────────────────────┐
    │ segments ┆ mh_odds_ratio ┆ p_value ┆ breslow_day_p_value │
    │ ---      ┆ ---           ┆ ---     ┆ ---                 │
    │ i64      ┆ f64           ┆ f64     ┆ f64                 │
    ╞══════════╪═══════════════╪═════════╪═════════════════════╡
    │ 6        ┆ 1.105         ┆ 0.228   ┆ 0.002               │
    └──────────┴───────────────┴─────────┴─────────────────────┘
    """
    options, question = options_and_question_of(given)
    bound = about_decisions(frame, question, "lending.segments")
    _, roles = requested([*METRICS.values()], bound.roles)
    compute = partial(_segments_of, options=options)
    return answer_of(bound, roles, compute, SEGMENTS, by_cluster=True)


def table_of(name: str, frame: AnyFrame, given: Mapping[str, Any]) -> PolarsFrame:
    """One of the tables of a question that `lending.report` takes: those above, or in segments."""
    tables: Mapping[str, tuple[Callable[..., PolarsFrame], Collection[Argument]]] = {
        "table": (table, OF_LENDING_TABLE),
        "quantiles": (quantiles, OF_QUANTILES),
        "segments": (segments, OF_SEGMENTS),
        "in_segments": (table, OF_LENDING_TABLE),
    }
    function, own = tables[name]
    taken = {each.name for each in (*OF_QUESTION, *own)}
    question = {argument: value for argument, value in given.items() if argument in taken}
    if name != "segments":
        question.pop("subgroup", None)
    if name == "in_segments":
        several = (given.get(argument) for argument in ("by", "subgroup"))
        question["by"] = [
            column
            for each in several
            if each is not None
            for column in (each if isinstance(each, list | tuple) else [each])
        ]
    if name == "quantiles":
        # Shares decide by the score, in place of decisions.
        has_scores = question.get("score") is not None
        for argument in ("threshold", *(("predicted", "positive") if has_scores else ())):
            question.pop(argument, None)
    return function(frame, **question)

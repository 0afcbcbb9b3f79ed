"""The table of groups beside a reference group: rates, ratios, shortfalls and flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any, Final, Literal, Unpack, cast

import polars as pl

from polars_fairness.answers.columns import LENDING_TABLE
from polars_fairness.answers.comparisons import (
    FOUR_FIFTHS,
    ExactComparison,
    as_answer,
    bounds_of_audit,
    comparisons_of,
    exactly,
    p_values_of_rates,
)
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.verdicts import is_significant
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import Measure, deviation
from polars_fairness.formula.sides import g_s
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.lending.arguments import DEVIATION, OF_LENDING_TABLE, LendingQuestion
from polars_fairness.lending.references import (
    call_about_decisions,
    options_and_question_of,
)
from polars_fairness.question.arguments import defaults, named
from polars_fairness.question.roles import Roles
from polars_fairness.values.score_comparisons import measures_by_group

_Deviation = Literal["pooled", "population"]

# The name of each column with an interval, and the metric in it.
_OF_DECISIONS: Final = {"points": "dppl", "odds_ratio": "odds_ratio", "air": "di"}
_OF_SCORES: Final[dict[_Deviation, str]] = {"pooled": "smd", "population": "score_difference"}

_ROUNDING: Final = 1e-9

_DEVIATION: Final = Measure(
    "deviation", deviation(g_s), "Standard deviation", "the standard deviation of the scores"
)


@dataclass(frozen=True)
class Limits:
    """What a group has to be beyond, all three of them, to be flagged."""

    minimum_ratio: float
    maximum_points: float
    significance: float

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            most = 100 if name == "maximum_points" else 1
            takes = f"a number between 0 and {most}"
            if require_number(name, value, takes, least=0) > most:
                raise FairnessError(f"{name}: takes {takes}, got {value!r}")


def _columns_of(name: str) -> tuple[str, str, str]:
    """The columns of a value and its bounds; those of the ratio are named as in an audit."""
    return (name, "lower", "upper") if name == "air" else (name, f"{name}_lower", f"{name}_upper")


def metrics_of(roles: Roles, of_deviation: _Deviation) -> dict[str, Metric]:
    """The metrics behind the columns of the table, as far as the question allows them."""
    names = [*_OF_DECISIONS.values()]
    if roles.score is not None:
        names.append(_OF_SCORES[of_deviation])
    if roles.weight is not None and not roles.facets_against_all:
        names.append("two_sd")
    return {name: CATALOGUE[name] for name in names}


def lending_table(
    seen: pl.LazyFrame,
    roles: Roles,
    options: AuditOptions,
    limits: Limits,
    of_deviation: _Deviation,
) -> pl.LazyFrame:
    """Every group beside its reference, from the cells of all rows."""
    metrics = metrics_of(roles, of_deviation)
    closed = partial(bounds_of_audit, metrics, roles, options)
    compared = comparisons_of(seen, roles, metrics, options, closed)
    if roles.score is not None and of_deviation == "population":
        compared = _in_deviations(compared, seen, roles)
    p_values = p_values_of_rates(compared, roles, options)
    valued = compared.with_columns(p_values, *_valued(roles, of_deviation))
    table = exactly(valued, roles, _in_whole_numbers(roles, limits))
    is_beyond = is_significant(pl.col("p_value"), limits.significance)
    flagged = pl.col("is_below") & pl.col("is_lower") & is_beyond
    return as_answer(table.with_columns(is_flagged=flagged), roles, LENDING_TABLE)


def _in_whole_numbers(
    roles: Roles, limits: Limits
) -> dict[str, tuple[pl.DataType, Callable[[ExactComparison], Any]]]:
    """The columns from the counts of both sides: what is missing, and whether it is too much."""
    shortfall = ExactComparison.shortfall if roles.favorable else ExactComparison.excess
    ratio, points = limits.minimum_ratio, limits.maximum_points

    def missing(pair: ExactComparison, *part: Fraction) -> float | int | None:
        found = shortfall(pair, *part)
        # Of groups known in probability, rows expected are no whole numbers, and people are.
        is_expected = roles.windows.has_estimators and roles.of_rows.weight is None
        return ceil(found - _ROUNDING) if is_expected and found is not None else found

    def worse_off(pair: ExactComparison) -> ExactComparison:
        """The pair, whose first side has the lower rate where that is worse, else the higher."""
        return pair if roles.favorable else pair.turned

    return {
        "shortfall": (roles.size, missing),
        "shortfall_to_four_fifths": (roles.size, lambda pair: missing(pair, FOUR_FIFTHS)),
        "is_below": (pl.Boolean(), lambda pair: worse_off(pair).is_below(ratio)),
        "is_lower": (pl.Boolean(), lambda pair: worse_off(pair).is_lower_by_more(points)),
    }


def _in_deviations(compared: pl.DataFrame, seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The differences of mean scores and their bounds, in deviations of all rows of the window."""
    # Every facet counts the same rows.
    of_places = seen.with_columns(value=pl.lit(None, pl.String))
    measured, _ = measures_by_group(of_places, roles.needing({"score"}), [_DEVIATION])
    keys, spread = [*roles.windows.of_scores.keys, "facet"], pl.col(_DEVIATION.column)
    found = collected(measured.select(*keys, spread))
    joined = compared.join(found, on=keys, how="left", nulls_equal=True, maintain_order="left")
    # As in every formula, a quotient by 0 is undefined unless the call gives 0/0 a number.
    undefined = roles.zero_division
    in_place_of_0 = None if undefined is None else 0.0
    divisor = pl.when(spread > 0).then(spread).otherwise(in_place_of_0)
    name = _OF_SCORES["population"]
    return joined.with_columns(
        (pl.col(column) / divisor).fill_nan(undefined) for column in (name, *bound_names(name))
    )


def _valued(roles: Roles, of_deviation: _Deviation) -> Iterator[pl.Expr]:
    """The columns with values and bounds, named as the table names them."""
    metrics: dict[str, str | None] = {**_OF_DECISIONS, "smd": None}
    if roles.score is not None:
        metrics["smd"] = _OF_SCORES[of_deviation]
    for name, metric in metrics.items():
        sources = (metric, *bound_names(metric)) if metric else (None, None, None)
        for column, source in zip(_columns_of(name), sources, strict=True):
            found = pl.col(source) if source else pl.lit(None, pl.Float64)
            yield (100 * found if name == "points" else found).alias(column)


_OWN: Final = defaults(
    named(OF_LENDING_TABLE, "minimum_ratio", "maximum_points", "significance", DEVIATION.name)
)


@answers(*OF_LENDING_TABLE, module="lending")
def table(frame: AnyFrame, **given: Unpack[LendingQuestion]) -> PolarsFrame:
    """Compare each group with its reference by the numbers that fair lending looks at.

    A group is flagged only if its ratio, its percentage points and its p-value are all beyond
    their limits. The limits are arguments, and none is a law. A number that is exactly at its limit
    is not beyond it: rates are compared in whole numbers; with weights, whose sums differ in their
    last digits, a rate is beyond a limit if it is by more than 1e-12.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference. The columns are those of ``by``, with several
        models ``model``, with several thresholds ``threshold``, then:

        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``rows_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out, as far as
            decisions are known; the difference of mean scores has the rows with a score.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``, ``points_lower``, ``points_upper``
            The rate of the reference less the rate of the group, in percentage points: above 0, the
            group is accepted less often; and its bounds.
        ``odds_ratio``, ``odds_ratio_lower``, ``odds_ratio_upper``
            The odds of acceptance of the group over those of its reference, with bounds.
        ``smd``, ``smd_lower``, ``smd_upper``
            The mean score of the reference less the mean score of the group, in standard
            deviations, with bounds: above 0, the scores of the group are lower. Null if the call
            has no scores.
        ``shortfall``, ``shortfall_to_four_fifths``
            How many more rows of the group would have to be accepted to reach the rate of its
            reference, and to reach four fifths of it; with ``weight``, the sum of their weights.
            With ``favorable=False``, how many fewer would have to be affected, for the rate of the
            reference, and for five fourths of it.
        ``p_value``
            The p-value of Fisher's exact test; with ``weight``, that of the normal distribution of
            `two_sd`, from the effective number of rows. Null with ``cluster``, whose rows are not
            independent, and for groups known in probability, for which no test is known: bounds
            are then over clusters, and over groups of rows.
        ``air``, ``lower``, ``upper``
            The adverse impact ratio, the rate of the group over the rate of its reference.
        ``is_flagged``
            Whether the group is beyond all three limits. With ``favorable=False``, it is beyond
            those of the ratio and of the points if the reference is, beside the group. Null if it
            could not be judged, for want of rows on a side or of a p-value.

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
    own = {name: cast("Any", given.get(name, default)) for name, default in _OWN.items()}
    of_deviation = own.pop(DEVIATION.name)
    DEVIATION.refuse_other_choices(of_deviation)
    limits = Limits(**own)
    options, question = options_and_question_of(given, _OWN)
    own_too = {DEVIATION.name: of_deviation}
    call = call_about_decisions(frame, question, "lending.table", own_too)
    call = call.with_metrics([*metrics_of(call.roles, of_deviation).values()])
    if options.confidence is not None:
        call = call.with_rows_apart()
    compute = partial(lending_table, options=options, limits=limits, of_deviation=of_deviation)
    return call.answer(compute, LENDING_TABLE, by_cluster=True)

"""The function `worst_groups`: every group that several attributes define, worst first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Final, Unpack, cast

import polars as pl

from polars_fairness.answers.hidden import NOTE, note_of_hidden, nulled
from polars_fairness.answers.options import check_metric_names
from polars_fairness.api.bound import read
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import RANKED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_requested
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import cells_by_attributes
from polars_fairness.counting.class_cells import cells_of_each_class
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import (
    CLUSTER,
    added_up,
    unlisted,
    with_columns_of,
    with_finest_counts,
    with_terms,
)
from polars_fairness.counting.decisions import decided
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, Rows
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.in_polars import rendered, with_values
from polars_fairness.formula.levels import GROUP, Each, Groups
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.scores import MEASURES, Measure
from polars_fairness.formula.sides import RATES, Rate, Side, a, all_, d, g, g_s
from polars_fairness.formula.tree import choose, larger, literal, smaller, term
from polars_fairness.inference.closed_forms import student, wilson
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import (
    FEW_ROWS,
    HARM,
    OF_WORST_GROUPS,
    Harm,
    Harms,
    WorstGroupsQuestion,
    harm_given,
    refuse_invalid_harm,
)
from polars_fairness.question.outcomes import NUMBERS, ROLES, sums_of_numbers
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.values.by_key import measured, write_in_columns
from polars_fairness.values.formula_checks import if_unfavorable, sign_of
from polars_fairness.values.intersections import ROWS as ROWS_OF_GROUP
from polars_fairness.values.intersections import (
    Values,
    coded,
    groups_of,
    values_of,
)
from polars_fairness.values.unlabelled import (
    DECISION,
    by_known_label,
    lacks_labels,
    may_lack_labels,
)

_OF_SIGNS: Final[dict[Sign | None, Harm]] = {1: "below", -1: "above", 0: "both", None: "both"}


@answers(*OF_WORST_GROUPS, columns=RANKED)
def worst_groups(
    frame: AnyFrame, metric: str | Metric, **given: Unpack[WorstGroupsQuestion]
) -> PolarsFrame:
    """Rank every group that the attributes define, alone and combined, by its disparity.

    Groups on the side of the overall rate that fares worse come first, the worst group at the top.
    Groups of fewer than 30 rows come last unless ``minimum_count`` is given. With ``harm="both"``
    and ``minimum_count=0``, the ``weighted_gap`` of the first group equals the value of the metric
    with ``groups="conjunctions"``. Otherwise that value may belong to a group that fares best.

    Parameters
    ----------
    metric
        A metric across groups. It defines alpha, the weight of a group, and beta, its distance:

        - "fpsf", "fnsf" or "spsf": alpha is the share of all rows that the group's rate is
          about, beta the distance of this rate from the overall rate.
        - A gap, such as "tpr_gap": alpha is 1, beta the distance of the group's rate from the
          farthest rate of another group.
        - A ratio, such as "selection_rate_ratio": alpha is 1, beta the smallest ratio between the
          group's rate and the rate of another group.
        - A gap of numbers, such as "estimate_gap" or "mae_gap": the same, with the mean or the
          error of each group in place of a rate. The bounds of a mean are Student's; a root mean
          squared error has none.
        - A difference of two sides, such as "estimate_difference": the gap of the same rate, error
          or mean, where there is one.
        - "miscalibration": alpha is the share of all rows, beta the cumulative calibration error
          of the group's scores.
        - A metric of your own, made with ``across(..., each=...)``.
        - A metric that brings its groups, such as ``fpsf(groups="intersections")``.
    {own arguments}
    **question
        As in `metrics`. The columns of ``facet`` are the attributes. ``disfavored``, ``favored``
        and ``subgroup`` are for other answers.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group that has rows, in the order of ``rank``. The columns are those of
        ``by``, then:
        {columns}

        After ``group``, each attribute has its value in a column of its own type: null if it is
        unknown or open. The bounds are not adjusted for the rank, although the worst of many groups
        is worst partly by chance: for thirty groups with equal rates, 95 % intervals contained the
        rate of the worst in 4 of 10 cases; for groups with different rates, in 7 or 8.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "F", "M", "M", "M", "M"],
    ...         "race": ["b", "b", "w", "w", "b", "b", "w", "w"],
    ...         "hired": [0, 0, 1, 1, 1, 0, 0, 1],
    ...     }
    ... )
    >>> groups = pf.worst_groups(hired, "spsf", facet=["sex", "race"], predicted="hired")
    >>> groups.select("group", "n", "rate", "weighted_gap", "direction", "rank").head(3)
    shape: (3, 6)
    ┌───────┬─────┬──────┬──────────────┬───────────┬──────┐
    │ group ┆ n   ┆ rate ┆ weighted_gap ┆ direction ┆ rank │
    │ ---   ┆ --- ┆ ---  ┆ ---          ┆ ---       ┆ ---  │
    │ str   ┆ i64 ┆ f64  ┆ f64          ┆ str       ┆ i64  │
    ╞═══════╪═════╪══════╪══════════════╪═══════════╪══════╡
    │ b     ┆ 4   ┆ 0.25 ┆ 0.125        ┆ below     ┆ 1    │
    │ F & b ┆ 2   ┆ 0.0  ┆ 0.125        ┆ below     ┆ 1    │
    │ w     ┆ 4   ┆ 0.75 ┆ 0.125        ┆ above     ┆ 3    │
    └───────┴─────┴──────┴──────────────┴───────────┴──────┘
    """
    own, question = parted(given, OF_WORST_GROUPS)
    bound = read(frame, cast("Question", question), "worst_groups", own)
    chosen, roles = one_requested(ranking_metric(metric), bound.roles)
    groups = Groups("conjunctions", *map(own.pop, ("depth", "minimum_count", "include_unknown")))
    roles = roles.keeping((*ROLES, *NUMBERS, "score")).needing(chosen.needs)
    if chosen.is_joint:
        if groups != Groups("conjunctions"):
            raise FairnessError(
                f"depth, minimum_count, include_unknown: {chosen.name!r} has its own groups; "
                "give these arguments to the metric, or give the metric without groups="
            )
        groups = chosen.parsed.groups
    roles = roles.counting_scores if chosen.parsed.level.is_by_score else roles
    options = find_options(chosen, groups, favorable=roles.favorable, **own)
    if isinstance(own[HARM.name], Mapping):
        check_metric_names(HARM.name, own[HARM.name], {chosen.name: chosen})
    refuse_taken_names(roles, {"by", "facet"}, own_columns(roles, options))
    compute = partial(table_of_ranks, options=options)
    attributes = {facet.name: facet.column.dtype for facet in roles.facets}
    types = {"group": pl.String(), **attributes, **own_columns(roles, options)}
    by_cluster = options.confidence is not None
    return answer_of(
        bound, roles, compute, types, beside=(), cells_of=cells_of_groups, by_cluster=by_cluster
    )


def ranking_metric(metric: str | Metric) -> str | Metric:
    """The metric by which groups rank: in place of a difference of two sides, its gap."""
    if isinstance(metric, str) and metric in CATALOGUE and metric.endswith("_difference"):
        gap = f"{metric.removesuffix('_difference')}_gap"
        if gap in CATALOGUE and CATALOGUE[gap].parsed.each:
            return gap
    return metric


# Counting all attributes at once takes one pass and usually gives few cells. If it gives many, and
# groups fix fewer attributes or have a minimum count, blocks of attributes are counted in its
# place. Every group that is needed then lies within one block, as a sum of its cells.
#
# Rates of few rows shrink towards other groups by empirical Bayes, beta-binomial. The rates of all
# groups of one depth are taken as a sample from one Beta distribution. Its mean and its strength,
# in rows, are fitted by the method of moments (Kleinman 1973), with each group weighted by its
# rows. A group's own rows are then added to this distribution.
def harm_of(rate: Rate, *, favorable: bool = True) -> Harm:
    """The side of the overall rate on which groups fare worse, by what a positive outcome is.

    It is the sign of a comparison of two sides by this rate; both sides, if there is no sign.

    Examples
    --------
    >>> {name: harm_of(RATES[name]) for name in ("selection_rate", "fpr", "fnr", "accuracy")}
    {'selection_rate': 'below', 'fpr': 'below', 'fnr': 'above', 'accuracy': 'below'}
    >>> {name: harm_of(RATES[name], favorable=False) for name in ("selection_rate", "accuracy")}
    {'selection_rate': 'above', 'accuracy': 'below'}
    """
    of_a, of_d = (above / below for above, below in map(rate.sums, (a.name, d.name)))
    difference = Metric(name=rate.name, title=rate.title, formula=of_a - of_d)
    return _OF_SIGNS[sign_of(difference if favorable else if_unfavorable(difference))]


def _prior_mean(rate: pl.Expr, of: pl.Expr) -> pl.Expr:
    rows = pl.when(rate.is_not_null()).then(of).sum()
    return ((rate * of).sum() / rows).fill_nan(None)


def _prior_rows(rate: pl.Expr, of: pl.Expr, most: pl.Expr) -> pl.Expr:
    """The strength of the distribution of some groups' rates, as a number of rows.

    If the rates differ by no more than chance, they are one rate. This rate is known from all rows,
    so the strength is their number, ``most``.
    """
    known = pl.when(rate.is_not_null(), of > 0).then(of)
    n, of_all = known.sum(), _prior_mean(rate, of)
    within = of_all * (1 - of_all)
    spread = (known * (rate - of_all) ** 2).sum()
    others = known.count() - 1.0
    room = n - (known**2).sum() / n - others
    # The part of the variance of single outcomes that lies between groups: 1 / (strength + 1).
    between = (spread - within * others) / (within * room)
    is_known = (between > 0) & (room > 0) & (within > 0)
    return pl.when(is_known).then((1 / between - 1).clip(0, most)).otherwise(most)


def shrunken_rate(rate: pl.Expr, of: pl.Expr, mean: pl.Expr, strength: pl.Expr) -> pl.Expr:
    """The mean of a rate and the prior mean, weighted by the group's rows and the strength."""
    rows = of + strength
    return pl.when(rows > 0).then((rate * of + mean * strength) / rows).otherwise(mean)


def _with_more(
    groups: pl.DataFrame,
    cells: pl.LazyFrame,
    attributes: Sequence[str],
    roles: Roles,
    apart: str,
    added: Callable[..., pl.DataFrame],
    columns: Sequence[str],
) -> pl.DataFrame:
    """Add columns to groups, in which an attribute that is not fixed is null.

    They are made of the counts of each group by another key of the cells. The groups that fix the
    same attributes are counted together: the scores of each combination of attributes are in
    memory by themselves.
    """
    is_fixed = groups.select(pl.col(name).is_not_null() for name in attributes)
    parts = []
    for fixes in is_fixed.unique(maintain_order=True).rows(named=True):
        fixed = [name for name in attributes if fixes[name]]
        keys = [*roles.windows.keys, *fixed]
        alike = groups.filter(pl.col(name).is_not_null() == fixes[name] for name in attributes)
        kept = cells.join(alike.lazy().select(keys), on=keys, how="semi", nulls_equal=True)
        side = g_s.name if apart == "score" else g.name
        counts = added_up(kept, [*keys, apart], side, roles).sort(apart)
        measures = added(collected(counts), keys=keys).select(*keys, *columns).lazy()
        parts.append(alike.lazy().join(measures, on=keys, how="left", nulls_equal=True))
    if not parts:
        return groups.with_columns(pl.lit(None, pl.Float64).alias(name) for name in columns)
    return collected(pl.concat(parts))


def _count_over_clusters(
    counts: pl.DataFrame, keys: Sequence[str], roles: Roles, each: Each, confidence: float
) -> pl.DataFrame:
    """The rows that the interval of each group's rate counts, or how far that of a mean reaches."""
    from polars_fairness.inference.deviations import rows_over_clusters  # it needs numpy

    whole = "n" if each.number else RATES[each.rate].whole
    value, of, rows = (
        rendered(write_in_columns(GROUP, roles)(number), roles.zero_division)
        for number in (each.rate_of(g), term(f"{g.name}.{whole}"), term(_rows_term(each)))
    )
    table = rows_over_clusters(counts, keys, value, of, rows, confidence)
    return table.rename({"rows": SEEN, "reach": REACH})


def cells_of_groups(rows: Rows, roles: Roles) -> pl.LazyFrame:
    """The cells of all attributes together: each group is a sum of them."""
    of_rows = roles.as_counted
    sums = ["n", "weight", "weight_sq"] if roles.is_weighted else ["n"]
    if roles.score is not None and roles.score.is_rounded:
        sums += SUMS
    sums += sums_of_numbers(roles.numbers)
    cells = unlisted(cells_by_attributes(rows, of_rows)).select(
        *of_rows.undecided.windows.keys, *roles.joint_keys, *_outcomes(of_rows), *sums
    )
    return cells_of_each_class(cells, roles)


def _outcomes(roles: Roles) -> list[str]:
    """The keys of outcomes, of the score and of clusters, and whether numbers are known."""
    outcomes = (outcome.key for outcome in roles.undecided.outcomes)
    numbers = (number.role for number in roles.numbers if roles.nulls == "drop")
    apart = [*(["score"] if roles.score else []), *([CLUSTER] if roles.left_out else [])]
    return [*outcomes, *apart, *numbers]


# Inner columns: no window and no attribute has such a name.
FIXED, ROWS, SEEN, REACH, DEPTH, RATE, ALPHA, BETA, PRODUCT, DIRECTION, PART, RANK = (
    f"{name}\x1f"
    for name in (
        *("fixed", "rows", "seen", "reach", "depth", "rate"),
        *("alpha", "beta", "product", "direction", "part", "rank"),
    )
)

_UNKNOWN: Final = "(unknown)"

LACKS: Final = "lacks\x1f"
LACKING: Final = [f"{side.name}{LACKS}" for side in (g, all_)]
_UNLABELLED: Final = "label: one of the decisions has no labels"

# Numbers that are equal except for the last digits, as of two groups that make up all rows.
_DIGITS: Final = 12


@dataclass(frozen=True)
class _RankingOptions:
    each: Each
    groups: Groups
    shrink: bool
    confidence: float | None
    harm: Harm
    measure: Measure | None = None
    hide_below: int | None = None

    @property
    def few(self) -> int:
        """The number of rows below which a group is listed last; groups are not, if left out."""
        return FEW_ROWS if self.groups.minimum_count is None else 0

    @property
    def measures(self) -> list[Measure]:
        """The measures of scores in the table: that of the metric, and the mean score."""
        return [self.measure, MEASURES["mean_score"]] if self.measure else []


def find_options(
    metric: Metric,
    groups: Groups,
    *,
    shrink: bool,
    confidence: float | None,
    harm: Harms | None,
    favorable: bool,
    hide_below: int | None = None,
) -> _RankingOptions:
    """Check the options of a table of groups."""
    each = metric.parsed.each
    if each is None:
        known = [
            name
            for name, entry in CATALOGUE.items()
            if entry.parsed.each and entry.is_about_numbers == metric.is_about_numbers
        ]
        raise FairnessError(
            f"metric: {metric.name!r} does not rank groups; give a metric that does, "
            f"{listed(known, 'or', most=len(known))}"
        )
    refuse_invalid_harm(harm)
    is_whole = not groups.minimum_count and groups.include_unknown
    if hide_below is not None and not is_whole:
        raise FairnessError(
            "hide_below: groups that minimum_count or include_unknown leave out would follow "
            "from the others; give neither of the two"
        )
    measure = metric.parsed.measure
    # A measure such as the calibration error grows whichever side of it a group is on.
    usual: Harm = "both"
    if each.number is not None:
        usual = "above" if each.number.is_error or not favorable else "below"
        if shrink:
            raise FairnessError(
                f"shrink: moves rates towards the mean, and {metric.name!r} is about numbers; "
                f"leave shrink= out"
            )
    elif measure is None:
        usual = harm_of(RATES[each.rate], favorable=favorable)
    worse = harm_given(harm, metric.name) or usual
    return _RankingOptions(each, groups, shrink, confidence, worse, measure, hide_below)


def own_columns(roles: Roles, options: _RankingOptions) -> dict[str, pl.DataType]:
    """The columns of the result that the caller did not name.

    polars prints the first and the last four columns: the group and its rows, its rate and rank.
    """
    may_lack = {"shrunken_rate": options.shrink, "mean_score": options.measure}
    without = {name for name, is_given in may_lack.items() if not is_given}
    flags = {facet.name: pl.Boolean() for facet in roles.facets}
    return types_of(RANKED, roles.size, without) | {"fixed": pl.Struct(flags)}


def table_of_ranks(cells: pl.LazyFrame, roles: Roles, options: _RankingOptions) -> pl.LazyFrame:
    """A row for each group with its part in the metric, the worst group first."""
    all_cells = collected(decided(cells, roles))
    seen = collected(complete_cells(all_cells.lazy(), roles))
    values = values_of(all_cells, roles.joint_keys)
    finest = coded(with_finest_counts(seen.lazy(), roles), values)
    counts = groups_of(finest, values, roles, options.groups, roles.windows.keys)
    each, columns = options.each, [measure.column for measure in options.measures]
    if options.measure:
        of_scores = partial(measured, roles=roles, measures=options.measures)
        counts = _with_more(counts, finest, [*values], roles, "score", of_scores, columns)
    if is_clustered := bool(roles.left_out) and options.confidence is not None:
        over = partial(_count_over_clusters, roles=roles, each=each, confidence=options.confidence)
        counts = _with_more(counts, finest, [*values], roles, CLUSTER, over, [SEEN, REACH])
    counts = _with_lacking(counts, all_cells.lazy(), values, roles, options)
    rates = {_rate_of(side, each): each.rate_of(side) for side in (g, all_)}
    table = (
        with_values(
            with_terms(counts.lazy(), _terms(options), roles),
            {name: value for name, value in rates.items() if value is not term(name)},
            roles.zero_division,
        )
        .with_columns(
            pl.col(_rows_term(options.each)).alias(ROWS),
            # What a rate's interval counts is known already over clusters.
            pl.col(SEEN if is_clustered else _rows_term(options.each)).alias(SEEN),
            pl.sum_horizontal(pl.col(name).is_not_null() for name in values).alias(DEPTH),
            *(
                pl.when(~pl.col(f"{side.name}{LACKS}")).then(rate).alias(rate)
                for side in (g, all_)
                for rate in [_rate_of(side, each)]
            ),
        )
        .with_columns(_rate(each).alias(RATE))
    )
    # Always in the same order: in another, sums of floats would differ in their last digits.
    rated = collected(table).sort(*roles.windows.keys, *values, nulls_last=True)
    hidden = pl.lit(value=False)
    if options.hide_below is not None:
        # Groups that fix the same attributes as one with few people: one cell of a table follows
        # from sums over its attributes; that all cells of a table are moved up and down in turn,
        # these sums do not show.
        alike = [*roles.windows.keys, *(pl.col(name).is_null() for name in values)]
        is_small = pl.col(ROWS_OF_GROUP).is_between(1, options.hide_below - 1)
        hidden = is_small.any().over(alike)
    shown, others = rated.filter(~hidden), rated.filter(hidden)
    if options.shrink:
        shown = _with_shrunken(shown, roles, options.each)
    ranked = _presented(_ranked(shown, roles, options), values, roles, options)
    if others.is_empty():
        return ranked.lazy()
    listed_last = _ranked(others, roles, options).sort(DEPTH, *values, maintain_order=True)
    unranked = _presented(listed_last, values, roles, options)
    kept = own_columns(roles, options).keys() - {"group", "fixed", "depth", NOTE}
    note = note_of_hidden(options.hide_below or 0).alias(NOTE)
    unranked = unranked.with_columns(*nulled(unranked, pl.lit(value=True), kept), note)
    windows = [pl.nth(i) for i in range(len(roles.windows.keys))]
    together = pl.concat([ranked, unranked])
    return (
        together.sort(windows, nulls_last=True, maintain_order=True) if windows else together
    ).lazy()


def _with_lacking(
    counts: pl.DataFrame,
    cells: pl.LazyFrame,
    values: Values,
    roles: Roles,
    options: _RankingOptions,
) -> pl.DataFrame:
    """The groups, and whether each, and all rows, lack the labels that the rate needs."""
    rate = RATES.get(options.each.rate)
    if not (rate and rate.mixes_decisions and may_lack_labels(roles)):
        return counts.with_columns(pl.lit(value=False).alias(name) for name in LACKING)
    known, counting = by_known_label(cells, roles)
    keys = roles.windows.keys
    groups = replace(options.groups, minimum_count=None)
    by_decision = groups_of(coded(known, values), values, counting, groups, [*keys, DECISION])
    of_group, of_all = (lacks_labels(side.name) for side in (g, all_))
    lacking = by_decision.with_columns(
        of_group.over(*keys, *values).alias(LACKING[0]),
        (of_all.over(keys) if keys else of_all).alias(LACKING[1]),
    ).unique([*keys, *values])
    return with_columns_of(counts, lacking.select(*keys, *values, *LACKING), [*keys, *values])


def _terms(options: _RankingOptions) -> set[str]:
    each = options.each
    measured = {measure.column for measure in options.measures}
    expressions = (each.share, each.distance, *map(each.rate_of, (g, all_)))
    mentioned = {name for of in expressions for name in of.terms} - measured
    whole = "n" if each.number else RATES[each.rate].whole
    return {
        *(name for name in mentioned if "." in name),
        *(f"{side.name}.{word}" for side in (g, all_) for word in ("n", whole)),
        _rows_term(each),
    }


def _rows_term(each: Each) -> str:
    """The term for how many rows a group's rate is about; with weights, the effective number."""
    return f"{g.name}.{'effective_n' if each.number else RATES[each.rate].rows}"


def _rate_of(side: Side, each: Each) -> str:
    return f"{side.name}.{each.rate}"


def _rate(each: Each) -> pl.Expr:
    return pl.col(_rate_of(g, each))


def _with_shrunken(table: pl.DataFrame, roles: Roles, each: Each) -> pl.DataFrame:
    """Replace each rate by its shrunken rate, from the groups that fix as many attributes."""
    rate, of, same_depth = _rate(each), pl.col(ROWS), [*roles.windows.keys, DEPTH]
    below, below_of_all = (rendered(RATES[each.rate].sums(side)[1]) for side in (g.name, all_.name))
    # Groups of one depth overlap: their sum would count a row several times.
    most = below_of_all * (of.sum() / below.sum()).fill_nan(0.0)
    mean, strength = _prior_mean(rate, of), _prior_rows(rate, of, most.first())
    shrunken = shrunken_rate(rate, of, mean.over(same_depth), strength.over(same_depth))
    has_rate = pl.when(rate.is_not_null())
    return table.with_columns(has_rate.then(shrunken).alias(_rate_of(g, each)))


def _ranked(table: pl.DataFrame, roles: Roles, options: _RankingOptions) -> pl.DataFrame:
    """Rank groups: on the harmed side, then all others, then groups of few rows, alike.

    In each of these parts the worst is first.
    Of equal groups, those that fix fewer attributes come first.
    """
    each, harm = options.each, options.harm

    def per_window(value: pl.Expr) -> pl.Expr:
        return value.over(roles.windows.keys) if roles.windows.keys else value

    product = (pl.col(ALPHA) * pl.col(BETA)).alias(PRODUCT)
    is_beside = pl.lit(False) if harm == "both" else pl.col(DIRECTION).ne_missing(harm)
    part = is_beside.cast(pl.Int8) + 2 * (pl.col(ROWS_OF_GROUP) < options.few).cast(pl.Int8)
    in_part = pl.col(PRODUCT).round(_DIGITS).rank("min", descending=not each.is_worst_where_small)
    ranked_before = pl.sum_horizontal(
        pl.when(pl.col(PART) > i)
        .then(per_window(((pl.col(PART) == i) & pl.col(PRODUCT).is_not_null()).sum()))
        .otherwise(0)
        for i in range(3)
    )
    rank = in_part.over(*roles.windows.keys, PART) + ranked_before
    factors = {ALPHA: each.share, BETA: each.distance}
    # For a measure of scores, the rate is seen from the mean score of the group.
    beside = MEASURES["mean_score"].column if options.measure else _rate_of(all_, each)
    apart = (_rate(each) - pl.col(beside)).round(_DIGITS).fill_nan(None)
    direction = pl.when(apart < 0).then(pl.lit("below")).when(apart > 0).then(pl.lit("above"))
    return collected(
        with_values(table.lazy(), factors, roles.zero_division, roles.windows.keys)
        .with_columns(product)
        .with_columns(pl.col(ALPHA, BETA, PRODUCT).fill_nan(None), direction.alias(DIRECTION))
        .with_columns(pl.when(~pl.any_horizontal(LACKING)).then(ALPHA).alias(ALPHA))
        .with_columns(part.alias(PART))
        .with_columns(rank.alias(RANK))
        .sort(*roles.windows.keys, RANK, DEPTH, *roles.joint_keys, nulls_last=True)
    )


def _presented(
    table: pl.DataFrame, values: Values, roles: Roles, options: _RankingOptions
) -> pl.DataFrame:
    """The columns of the result: values in place of their codes, under the caller's names."""
    named = {inside: facet.name for inside, facet in zip(values, roles.facets, strict=True)}
    is_fixed = [pl.col(inside).is_not_null().alias(name) for inside, name in named.items()]
    attributes = [pl.col(inside).alias(name) for inside, name in named.items()]
    texts = (
        pl.when(f"{inside}{FIXED}").then(facet.key([pl.col(inside)]).fill_null(_UNKNOWN))
        for inside, facet in zip(values, roles.facets, strict=True)
    )
    lower, upper = _bounds(table, options)
    shown: dict[str, pl.Expr | pl.Series] = {
        "fixed": pl.col(FIXED),
        "depth": pl.col(DEPTH),
        "n": pl.col("g.n"),
        "share": pl.col("g.n") / pl.col("all.n"),
        "rate": pl.col(RATE),
        "shrunken_rate": _rate(options.each),
        "lower": lower,
        "upper": upper,
        "rate_of_all": pl.col(_rate_of(all_, options.each)),
        "mean_score": pl.col(MEASURES["mean_score"].column),
        "alpha": pl.col(ALPHA),
        "beta": pl.col(BETA),
        "weighted_gap": pl.col(PRODUCT),
        "direction": pl.col(DIRECTION),
        "rank": pl.col(RANK),
        NOTE: pl.when(pl.any_horizontal(LACKING))
        .then(pl.lit(_UNLABELLED))
        .when(pl.col(ROWS_OF_GROUP) < options.few)
        .then(pl.lit(f"fewer than {options.few} rows: listed last")),
    }
    types = own_columns(roles, options)
    return (
        table.with_columns(
            pl.struct(is_fixed).alias(FIXED),
            # `struct.field` would take a name such as `*` for a pattern.
            *(pl.col(inside).is_not_null().alias(f"{inside}{FIXED}") for inside in values),
        )
        .with_columns(known.gather(table[inside]).alias(inside) for inside, known in values.items())
        .select(
            *roles.windows.as_named(),
            pl.concat_str(texts, separator=" & ", ignore_nulls=True).alias("group"),
            *attributes,
            *(
                shown[name].cast(dtype).alias(name)
                for name, dtype in types.items()
                if name in shown
            ),
        )
    )


def _bounds(table: pl.DataFrame, options: _RankingOptions) -> tuple[pl.Series, pl.Series]:
    """The interval of each rate: Wilson's, also where rates are shrunken for their order.

    Those of shrunken rates held the true rate in 80 to 98 % of samples, of few groups and of many.
    Over clusters, a mean has Student's interval, and a rate that of so many rows as vary as much.
    """
    if options.confidence is None:
        nothing = pl.repeat(None, table.height, dtype=pl.Float64, eager=True)
        return nothing, nothing
    tail, rows = (1 - options.confidence) / 2, term(SEEN)
    if options.each.number is not None:
        rate = term(_rate_of(g, options.each))
        of_rows = options.each.number.variance
        variance = literal(None) if of_rows is None else of_rows(g)
        several = choose(rows > 1, rows - 1)
        z = NormalDist().inv_cdf(1 - tail)
        reach = student(z, several) * (variance.clip(0) / rows).sqrt()
        if REACH in table.columns:
            reach = choose(~variance.is_null(), term(REACH))
        lower, upper = rate - reach, rate + reach
    else:
        rate = term(RATE)
        lower, upper = wilson(rate, rows, NormalDist().inv_cdf(1 - tail))
        # An interval contains its rate, even if this is 0 or 1.
        lower, upper = smaller(lower, rate), larger(upper, rate)
    bounds = table.select(lower=rendered(lower), upper=rendered(upper))
    return bounds["lower"], bounds["upper"]

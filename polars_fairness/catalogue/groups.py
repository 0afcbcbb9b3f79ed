"""Differences between all groups of a facet: no sides, one value per facet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from polars_fairness.catalogue.wording import (
    AIF360,
    CLARIFY,
    DIFFER_ABOVE,
    DIFFER_BELOW,
    FAIRLEARN,
    sentences,
)
from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.formula.formulas import Formula, across
from polars_fairness.formula.levels import Each, GroupsOf, Largest
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import PROPORTIONS, RATES, Rate, all_, g
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    larger,
    literal,
    needing_several,
    ratio,
    smaller,
    term,
    total,
    unbounded_ratio,
)

_REJECTED_MORE: Final = "groups have a larger share of the {rejections} than of the {acceptances}"

_COMPARED: Final = [rate for rate in RATES.values() if rate.is_proportion and rate.has_gap]


# The rate of a group may be null, and polars' max and min leave nulls out, as they should here.
def _gap(rate: Expression) -> Expression:
    return needing_several(rate, rate.max() - rate.min())


def _smallest_ratio(rate: Expression) -> Expression:
    # The largest is 0 only if the smallest is 0 too. So `unbounded_ratio` has the same value as
    # `ratio`, and is planned faster.
    return needing_several(rate, unbounded_ratio(rate.min(), rate.max()))


def _gap_formula(rate: str) -> Formula:
    """The gap of a rate; a group's part is its distance from the group farthest away."""
    own = term(f"{g.name}.{rate}")
    farthest = larger(own.max() - own, own - own.min())
    each = Each(rate, literal(1.0), farthest)
    return across(_gap(own), each=each, largest=Largest("difference", (rate,)))


def _ratio_formula(rate: str) -> Formula:
    """The smallest ratio of a rate; a group's part is its smallest ratio with another group."""
    own = term(f"{g.name}.{rate}")
    to_highest, of_lowest = unbounded_ratio(own, own.max()), unbounded_ratio(own.min(), own)
    # There is no ratio of the lowest rate to a rate of 0.
    lowest = choose(of_lowest < to_highest, of_lowest, to_highest)
    each = Each(rate, literal(1.0), lowest, is_worst_where_small=True)
    return across(_smallest_ratio(own), each=each, largest=Largest("ratio", (rate,)))


def _share_times_distance(rate: str) -> Formula:
    """The largest distance of a group's rate from the overall rate, times the group's share."""
    share = ratio(term(f"{g.name}.{RATES[rate].whole}"), all_.n)
    distance = (term(f"{all_.name}.{rate}") - term(f"{g.name}.{rate}")).abs()
    each = Each(rate, share, distance)
    largest = Largest("distance from all", (rate,))
    value = needing_several(distance, (share * distance).max())
    return across(value, each=each, largest=largest)


def differential_fairness(
    concentration: float = 1,
    groups: GroupsOf = "values",
    *,
    depth: int | None = None,
    minimum_count: int | None = None,
    include_unknown: bool = True,
) -> Metric:
    """The largest log ratio of two groups' smoothed selection rates, or rejection rates.

    Parameters
    ----------
    concentration
        How many rows to add to each group, half accepted and half rejected; 0 does not smooth.
    groups, depth, minimum_count, include_unknown
        Which groups, as in `Metric.over`.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1]})
    >>> unsmoothed = pf.entry("differential_fairness", concentration=0)
    >>> pf.metrics(hired, unsmoothed, facet="sex", predicted="hired")[
    ...     "differential_fairness"
    ... ].item()
    inf
    """
    concentration = require_number(
        "concentration", concentration, "a number of at least 0", least=0
    )
    # With weights, counts are scaled so that all groups sum to the effective number of rows.
    rows_per_weight = all_.effective_n / all_.n
    accepted, rejected = (
        (
            (count * rows_per_weight + concentration / 2) / (g.n * rows_per_weight + concentration)
        ).log()
        for count in (g.accepted, g.rejected)
    )
    metric = Metric(name="differential_fairness", title="Differential fairness",
        formula=across(
            larger(_gap(accepted), _gap(rejected)),
            largest=Largest("log ratio", ("selection_rate",)),
        ),
        definition="max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|, "
        f"r_g = (accepted_g + c/2) / (n_g + c), c = {concentration:g}",
        range=(0, INFINITY), **DIFFER_ABOVE, source=f"{AIF360}, Foulds et al. 2018")  # fmt: skip
    return metric.over(
        groups, depth=depth, minimum_count=minimum_count, include_unknown=include_unknown
    )


def spread(
    rate: str = "selection_rate",
    groups: GroupsOf = "values",
    *,
    depth: int | None = None,
    minimum_count: int | None = None,
    include_unknown: bool = True,
) -> Metric:
    """The variance between the rates of groups, minus the variance expected by chance.

    The gap of many small groups is large even if all groups have the same true rate. This metric
    is then 0 on average, and often below 0. It is the variance between the groups' rates minus
    their mean sampling variance. Groups of a single row have no sampling variance and are left out.

    Parameters
    ----------
    rate
        Which rate, such as "selection_rate" or "tpr".
    groups, depth, minimum_count, include_unknown
        Which groups, as in `Metric.over`.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"team": ["a", "a", "b", "b"], "hired": [1, 0, 1, 0]})
    >>> hired.fairness.spread(facet="team", predicted="hired")["spread"].unique().item()
    -0.25
    """
    if rate not in PROPORTIONS:
        raise FairnessError(
            f"rate: takes {listed(PROPORTIONS, 'or', len(PROPORTIONS))}, got {rate!r}"
        )
    own, rows = term(f"{g.name}.{rate}"), term(f"{g.name}.{RATES[rate].rows}")
    chance = choose(rows > 1, own * (1 - own) / (rows - 1))
    metric = Metric(name="spread",
        title=f"Variance of the {RATES[rate].title.lower()} between groups, minus that by chance",
        formula=across(choose(rows > 1, own).var() - chance.mean(), may_overlap=False),
        definition="S² − mean(r(1−r)/(n−1)) over groups of two or more rows, S² the variance "
        f"of their rates, r = {rate}",
        range=(-0.5, 0.5), has_interval=False, above="the groups differ more than by chance alone",
        below="the groups differ less than by chance alone",
        source="DerSimonian and Laird 1986")  # fmt: skip
    return metric.over(
        groups, depth=depth, minimum_count=minimum_count, include_unknown=include_unknown
    )


def _aliases(rate: Rate, contrast: str) -> tuple[str, ...]:
    """The alias from the name for equal rates, if there is one."""
    return (f"{rate.parity.lower().replace(' ', '_')}_{contrast}",) if rate.parity else ()


METRICS: Final = (
    *(
        Metric(name=f"{rate.name}_gap", aliases=_aliases(rate, "difference"),
            title=f"{rate.parity or rate.title}, largest difference",
            formula=_gap_formula(rate.name),
            definition=f"max − min of {rate.symbol} over the groups", range=(0, 1), **DIFFER_ABOVE,
            source=FAIRLEARN)
        for rate in _COMPARED
    ),
    *(
        Metric(name=f"{rate.name}_ratio", aliases=_aliases(rate, "ratio"),
            title=f"{rate.parity or rate.title}, smallest ratio", formula=_ratio_formula(rate.name),
            definition=f"min / max of {rate.symbol} over the groups", range=(0, 1), ideal=1,
            **DIFFER_BELOW, source=FAIRLEARN)
        for rate in _COMPARED
    ),
    Metric(name="equalized_odds_gap", aliases=("equalized_odds_difference",),
        title="Equalized odds, largest difference",
        formula=across(
            larger(_gap(g.tpr), _gap(g.fpr)), largest=Largest("difference", ("tpr", "fpr"))
        ),
        definition="the larger of tpr_gap and fpr_gap", range=(0, 1), **DIFFER_ABOVE,
        source=FAIRLEARN),
    Metric(name="equalized_odds_ratio", title="Equalized odds, smallest ratio",
        formula=across(
            smaller(_smallest_ratio(g.tpr), _smallest_ratio(g.fpr)),
            largest=Largest("ratio", ("tpr", "fpr")),
        ),
        definition="the smaller of tpr_ratio and fpr_ratio", range=(0, 1), ideal=1, **DIFFER_BELOW,
        source=FAIRLEARN),
    *(
        Metric(name=name, title=f"{title} subgroup fairness",
            formula=_share_times_distance(rate.name),
            definition=f"max over g of ({rate.whole}_g / n_all)·"
            f"|{rate.symbol}_all − {rate.symbol}_g|",
            range=(0, 1), **DIFFER_ABOVE, source="Kearns et al. 2018")
        for name, title, rate in (
            ("fpsf", "False positive", RATES["fpr"]),
            ("fnsf", "False negative", RATES["fnr"]),
            ("spsf", "Statistical parity", RATES["selection_rate"]),
        )
    ),
    differential_fairness(),
    spread(),
    Metric(name="cdd_shares", title="Conditional demographic disparity of the groups' shares",
        formula=across(
            # If all groups are left out as too small, the sum is undefined, not 0.
            choose(
                g.n.count() > 0,
                total(
                    ratio(g.n, all_.n)
                    * (ratio(g.rejected, all_.rejected) - ratio(g.accepted, all_.accepted))
                ),
            ),
            may_overlap=False,
        ),
        definition="Σ_g (n_g/n)·(rejected_g/rejected_all − accepted_g/accepted_all)", range=(-1, 1),
        **sentences(above=f"large {_REJECTED_MORE}", below=f"small {_REJECTED_MORE}"),
        source=f"{CLARIFY}, {AIF360}"),
)  # fmt: skip


def _groups_factory(metric: Metric) -> Callable[..., Metric]:
    """A factory of the metric over other groups; its parameters are those of `Metric.over`."""

    def factory(
        groups: GroupsOf = "values",
        *,
        depth: int | None = None,
        minimum_count: int | None = None,
        include_unknown: bool = True,
    ) -> Metric:
        return metric.over(
            groups, depth=depth, minimum_count=minimum_count, include_unknown=include_unknown
        )

    factory.__name__ = metric.name
    return factory


_WITH_PARAMETERS: Final = (differential_fairness, spread)

PARAMETRISED: Final = (
    *_WITH_PARAMETERS,
    *(
        _groups_factory(metric)
        for metric in METRICS
        if metric.name not in {factory.__name__ for factory in _WITH_PARAMETERS}
    ),
)

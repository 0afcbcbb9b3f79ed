"""How far the groups of a facet are apart: no sides, one value per facet."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.catalogue.sources import AIF360, CLARIFY, FAIRLEARN
from polars_fairness.errors import require_number
from polars_fairness.metric import Metric
from polars_fairness.terms import (
    INFINITY,
    across,
    g,
    larger,
    ratio,
    smaller,
    total,
    unbounded_ratio,
)

APART: Final = "the groups are apart; the value does not say which is worse off"
CANNOT_BE: Final = "cannot be"

# name of the metric: the rate as an expression, how it is written, how it is called
_RATES: Final = {
    "selection_rate": (g.selection_rate, "q'", "Demographic parity"),
    "tpr": (g.tpr, "tpr", "True positive rate"),
    "fpr": (g.fpr, "fpr", "False positive rate"),
    "tnr": (g.tnr, "tnr", "True negative rate"),
    "fnr": (g.fnr, "fnr", "False negative rate"),
    "ppv": (g.ppv, "ppv", "Positive predictive value"),
    "npv": (g.npv, "npv", "Negative predictive value"),
    "accuracy": (g.accuracy, "accuracy", "Accuracy"),
}


# A rate that a group lacks is null, and polars' max and min leave nulls out, as they should here.
def _gap(rate: pl.Expr) -> pl.Expr:
    return rate.max() - rate.min()


def _smallest_ratio(rate: pl.Expr) -> pl.Expr:
    # The largest is 0 only where the smallest is: the plainer quotient, planned faster, will do.
    return unbounded_ratio(rate.min(), rate.max())


def _share_times_distance(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """Weigh each group's distance from the rate of all by the share of rows it concerns."""
    distance = (ratio(part.sum(), whole.sum()) - ratio(part, whole)).abs()
    return (ratio(whole, g.n.sum()) * distance).max()


def differential_fairness(concentration: float = 1) -> Metric:
    """Measure the largest log ratio of smoothed selection, or rejection, rates of two groups.

    Parameters
    ----------
    concentration
        The rows imagined in every group, half accepted and half rejected; 0 does not smooth.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1]})
    >>> unsmoothed = pf.differential_fairness(concentration=0)
    >>> pf.metrics(hired, unsmoothed, facet="sex", disfavored="F", predicted="hired")[
    ...     "differential_fairness"
    ... ].item()
    inf
    """
    concentration = require_number(
        "concentration", concentration, "a number of at least 0", least=0
    )
    accepted, rejected = (
        ((count + concentration / 2) / (g.n + concentration)).log()
        for count in (g.accepted, g.rejected)
    )
    return Metric(
        name="differential_fairness",
        title="Differential fairness",
        formula=across(larger(_gap(accepted), _gap(rejected))),
        definition="max over pairs of |ln r_g − ln r_h| and |ln(1−r_g) − ln(1−r_h)|, "
        f"r_g = (accepted_g + c/2) / (n_g + c), c = {concentration:g}",
        range=(0, INFINITY),
        above=APART,
        below=CANNOT_BE,
        source=f"{AIF360}, Foulds et al. 2018",
    )


METRICS: Final = (
    *(
        Metric(
            name=f"{rate}_gap",
            aliases=("demographic_parity_difference",) if rate == "selection_rate" else (),
            title=f"{title}, largest difference",
            formula=across(_gap(expression)),
            definition=f"max − min of {symbol} over the groups",
            range=(0, 1),
            above=APART,
            below=CANNOT_BE,
            source=FAIRLEARN,
        )
        for rate, (expression, symbol, title) in _RATES.items()
    ),
    *(
        Metric(
            name=f"{rate}_ratio",
            aliases=("demographic_parity_ratio",) if rate == "selection_rate" else (),
            title=f"{title}, smallest ratio",
            formula=across(_smallest_ratio(expression)),
            definition=f"min / max of {symbol} over the groups",
            range=(0, 1),
            ideal=1,
            above=CANNOT_BE,
            below=APART,
            source=FAIRLEARN,
        )
        for rate, (expression, symbol, title) in _RATES.items()
    ),
    Metric(
        name="equalized_odds_gap",
        aliases=("equalized_odds_difference",),
        title="Equalized odds, largest difference",
        formula=across(larger(_gap(g.tpr), _gap(g.fpr))),
        definition="the larger of tpr_gap and fpr_gap",
        range=(0, 1),
        above=APART,
        below=CANNOT_BE,
        source=FAIRLEARN,
    ),
    Metric(
        name="equalized_odds_ratio",
        title="Equalized odds, smallest ratio",
        formula=across(smaller(_smallest_ratio(g.tpr), _smallest_ratio(g.fpr))),
        definition="the smaller of tpr_ratio and fpr_ratio",
        range=(0, 1),
        ideal=1,
        above=CANNOT_BE,
        below=APART,
        source=FAIRLEARN,
    ),
    Metric(
        name="fpsf",
        title="False positive subgroup fairness",
        formula=across(_share_times_distance(g.fp, g.negative)),
        definition="max over g of (negative_g / n_all)·|fpr_all − fpr_g|",
        range=(0, 1),
        above=APART,
        below=CANNOT_BE,
        source="Kearns et al. 2018",
    ),
    Metric(
        name="fnsf",
        title="False negative subgroup fairness",
        formula=across(_share_times_distance(g.fn, g.positive)),
        definition="max over g of (positive_g / n_all)·|fnr_all − fnr_g|",
        range=(0, 1),
        above=APART,
        below=CANNOT_BE,
        source="Kearns et al. 2018",
    ),
    Metric(
        name="spsf",
        title="Statistical parity subgroup fairness",
        formula=across(_share_times_distance(g.accepted, g.n)),
        definition="max over g of (n_g / n_all)·|q'_all − q'_g|",
        range=(0, 1),
        above=APART,
        below=CANNOT_BE,
        source="Kearns et al. 2018",
    ),
    differential_fairness(),
    Metric(
        name="cdd_shares",
        title="Conditional demographic disparity of the groups' shares",
        formula=across(
            total(
                ratio(g.n, g.n.sum())
                * (ratio(g.rejected, g.rejected.sum()) - ratio(g.accepted, g.accepted.sum()))
            )
        ),
        definition="Σ_g (n_g/n)·(rejected_g/rejected_all − accepted_g/accepted_all)",
        range=(-1, 1),
        above="large groups have a larger share of the rejections than of the acceptances",
        below="small groups have a larger share of the rejections than of the acceptances",
        source=f"{CLARIFY}, {AIF360}",
    ),
)

PARAMETRISED: Final = (differential_fairness,)

"""The metrics of Clarify's reports: their names, their descriptions, and the metrics they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.formulas import over_labels
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import a_v, d_v


@dataclass(frozen=True)
class ReportedMetric:
    """A metric as Clarify reports it, and the name that it has here."""

    name: str
    description: str
    here: str


# Clarify writes them in this order, that of their names.
BEFORE_TRAINING: Final = (
    ReportedMetric("CDDL", "Conditional Demographic Disparity in Labels (CDDL)", "cddl"),
    ReportedMetric("CI", "Class Imbalance (CI)", "ci"),
    ReportedMetric("DPL", "Difference in Positive Proportions in Labels (DPL)", "dpl"),
    ReportedMetric("JS", "Jensen-Shannon Divergence (JS)", "js"),
    ReportedMetric("KL", "Kullback-Liebler Divergence (KL)", "kl"),
    ReportedMetric("KS", "Kolmogorov-Smirnov Distance (KS)", "ks"),
    ReportedMetric("LP", "L-p Norm (LP)", "lp"),
    ReportedMetric("TVD", "Total Variation Distance (TVD)", "tvd"),
)
AFTER_TRAINING: Final = (
    ReportedMetric("AD", "Accuracy Difference (AD)", "ad"),
    ReportedMetric(
        "CDDPL", "Conditional Demographic Disparity in Predicted Labels (CDDPL)", "cddpl"
    ),
    ReportedMetric("DAR", "Difference in Acceptance Rates (DAR)", "dar"),
    ReportedMetric("DCA", "Difference in Conditional Acceptance (DCA)", "dcacc"),
    ReportedMetric("DCR", "Difference in Conditional Rejection (DCR)", "dcr"),
    ReportedMetric("DI", "Disparate Impact (DI)", "di"),
    ReportedMetric("DPPL", "Difference in Positive Proportions in Predicted Labels (DPPL)", "dppl"),
    ReportedMetric("DRR", "Difference in Rejection Rates (DRR)", "drr"),
    ReportedMetric("FT", "Flip Test (FT)", "fliptest"),
    ReportedMetric("GE", "Generalized Entropy (GE)", "ge"),
    ReportedMetric("RD", "Recall Difference (RD)", "rd"),
    ReportedMetric("SD", "Specificity Difference (SD)", "sd"),
    ReportedMetric("TE", "Treatment Equality (TE)", "te"),
)

FLIPTEST: Final = "fliptest"

_is_common: Final = (a_v.share > 0) & (d_v.share > 0)
_distance: Final = (a_v.share - d_v.share).abs()
_mean: Final = (a_v.share + d_v.share) / 2


def _common(summand: pl.Expr) -> pl.Expr:
    """A summand over the labels, null for a label that one side lacks.

    Clarify drops these labels, and does not rescale the shares of the others.
    """
    return pl.when(_is_common).then(summand)


def _divergence(share: pl.Expr, reference: pl.Expr) -> pl.Expr:
    return _common(share * (share / reference).log()).sum()


_OVER_COMMON_LABELS: Final = {
    "js": (_divergence(a_v.share, _mean) + _divergence(d_v.share, _mean)) / 2,
    "kl": _divergence(a_v.share, d_v.share),
    "ks": _common(_distance).max(),
    "lp": _common(_distance**2).sum().sqrt(),
    "tvd": _common(_distance).sum() / 2,
}


def as_clarify_computes(name: str) -> Metric:
    """The metric by Clarify's arithmetic, where that is not ``zero_division=0.0`` alone."""
    metric = CATALOGUE[name]
    if name not in _OVER_COMMON_LABELS:
        return metric
    value = pl.when(_is_common.any()).then(_OVER_COMMON_LABELS[name])
    return replace(metric, formula=over_labels(value), aliases=())

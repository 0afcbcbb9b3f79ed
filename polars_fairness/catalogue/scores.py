"""Scores: their ranking, distribution and calibration; and who is ranked high."""

from __future__ import annotations

from typing import Final

from polars_fairness.catalogue.wording import (
    BORKAN,
    DIFFER_ABOVE,
    FAIRLEARN,
    HOLISTICAI,
    IMPOSSIBLE,
    sentences,
)
from polars_fairness.errors import require_whole
from polars_fairness.formula.formulas import Formula, across, across_measured, over_roc, over_scores
from polars_fairness.formula.levels import Each
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.scores import (
    BINS,
    MEASURES,
    Measure,
    area_between,
    auc,
    brier,
    calibration_error,
    kolmogorov_smirnov,
    mean_score,
    mean_score_of_negative,
    mean_score_of_positive,
    overshoot,
    variance,
    wasserstein,
)
from polars_fairness.formula.sides import Side, a, a_s, all_, both, d, d_s, g
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    logarithm,
    needing_several,
    ratio,
)

GEYIK: Final = "Geyik et al. 2019"
A_HIGHER: Final = "the scores of {a} are higher"
APART: Final = "the scores of the two sides are distributed differently"


def _rows(side: Side) -> Expression:
    """The number of rows of a side; with weights, its effective number."""
    squares = side.squared_weights.sum()
    return choose(squares > 0, side.n.sum() ** 2 / squares, 0.0)


# The sum of squares of a side is (n − 1) times its sample variance: n times its mean square.
_squares: Final = _rows(a_s) * variance(a_s) + _rows(d_s) * variance(d_s)
_freedom: Final = _rows(a_s) + _rows(d_s) - 2
_pooled_deviation: Final = choose(_freedom > 0, (_squares / _freedom).sqrt(), 0.0)


def _gap(measure: Measure) -> Formula:
    gap = needing_several(measure.term, measure.term.max() - measure.term.min())
    return across_measured(gap, measure)


def ece_gap(bins: int = BINS) -> Metric:
    """The range of the groups' expected calibration errors.

    Parameters
    ----------
    bins
        The number of bins of equal width, between 0 and 1, within which scores and labels are
        compared.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame(
    ...     {"sex": ["F", "F", "M", "M"], "repaid": [0, 1, 1, 1], "score": [0.25, 0.75, 0.25, 0.75]}
    ... )
    >>> pf.metrics(loans, pf.entry("ece_gap", bins=2), facet="sex", label="repaid", score="score")[
    ...     "ece_gap"
    ... ].item()
    0.25
    """
    return Metric(name="ece_gap", title="Gap in expected calibration error",
        formula=_gap(calibration_error(require_whole("bins", bins, 1, "a whole number of bins"))),
        definition=f"max − min of Σ_b (n_b/n)·|q_b − s̄_b| over {bins} bins b of scores",
        range=(0, 1), **DIFFER_ABOVE, source="Naeini et al. 2015")  # fmt: skip


_share: Final = ratio(g.n, all_.n)
_ecce: Final = MEASURES["ecce"]

OF_SCORES: Final = (
    Metric(name="auc_difference", title="Difference in AUC",
        formula=over_scores(auc(a_s, a_s) - auc(d_s, d_s)), definition="AUC_a − AUC_d",
        range=(-1, 1), **sentences("the scores rank the rows of {a} better than those of {d}"),
        source=BORKAN),
    Metric(name="xauc_difference", title="Difference in cross-group AUC",
        formula=over_scores(auc(a_s, d_s) - auc(d_s, a_s)),
        definition="Pr[s⁺_a > s⁻_d] − Pr[s⁺_d > s⁻_a], ties counting half", range=(-1, 1),
        **sentences(
            "positive rows of {a} are ranked above negative rows of {d} more often than the reverse"
        ),
        source="Kallus and Zhou 2019"),
    Metric(name="bpsn_auc", title="Background positive, subgroup negative AUC",
        formula=over_scores(auc(a_s, d_s)), definition="Pr[s⁺_a > s⁻_d], ties counting half",
        range=(0, 1), ideal=1, above=IMPOSSIBLE,
        below="negative rows of {d} are ranked above positive rows of {a}", source=BORKAN),
    Metric(name="bnsp_auc", title="Background negative, subgroup positive AUC",
        formula=over_scores(auc(d_s, a_s)), definition="Pr[s⁺_d > s⁻_a], ties counting half",
        range=(0, 1), ideal=1, above=IMPOSSIBLE,
        below="negative rows of {a} are ranked above positive rows of {d}", source=BORKAN),
    Metric(name="abroca", title="Absolute between-ROC area",
        formula=over_roc(area_between(a_s, d_s)), definition="∫₀¹ |ROC_a − ROC_d|", range=(0, 1),
        sign=0, above="the scores have different ROC curves on the two sides",
        below=IMPOSSIBLE, source="Gardner et al. 2019"),
    Metric(name="score_difference", title="Difference in mean score",
        formula=over_scores(mean_score(a_s) - mean_score(d_s)), definition="s̄_a − s̄_d",
        **sentences(A_HIGHER), source=HOLISTICAI),
    Metric(name="smd", title="Standardized mean difference of scores",
        formula=over_scores(ratio(mean_score(a_s) - mean_score(d_s), _pooled_deviation)),
        definition="(s̄_a − s̄_d) / s, s² = ((na−1)v_a + (nd−1)v_d) / (na+nd−2), v = Σ(s−s̄)² / (n−1)",
        **sentences(A_HIGHER), source="Cohen 1988"),
    Metric(name="score_ks", title="Kolmogorov–Smirnov distance of the scores",
        formula=over_scores(kolmogorov_smirnov(a_s.n, d_s.n)),
        definition="max over thresholds t of |F_a(t) − F_d(t)|", range=(0, 1), sign=0, above=APART,
        below=IMPOSSIBLE, source="Smirnov 1939"),
    Metric(name="score_wasserstein", title="Wasserstein distance of the scores",
        formula=over_scores(wasserstein(a_s.n, d_s.n)), definition="∫ |F_a − F_d| dt",
        range=(0, INFINITY), sign=0, above=APART, below=IMPOSSIBLE, source="Jiang et al. 2020"),
    *(
        Metric(name=f"score_wasserstein_{label}",
            title=f"Wasserstein distance of the scores of {label} rows",
            formula=over_scores(wasserstein(*counts)),
            definition=f"∫ |F_a|{value} − F_d|{value}| dt", range=(0, INFINITY), sign=0,
            above=f"among the rows whose label is {label}, {APART}", below=IMPOSSIBLE,
            source="Becker et al. 2024")
        for label, value, counts in (
            ("positive", 1, (a_s.positive, d_s.positive)),
            ("negative", 0, (a_s.negative, d_s.negative)),
        )
    ),
    *(
        Metric(name=f"balance_{label}", title=f"Balance for the {label} class",
            formula=over_scores(mean_of(a_s) - mean_of(d_s)),
            definition=f"s̄_a|{value} − s̄_d|{value}",
            **sentences(f"among the rows whose label is {label}, {A_HIGHER}"),
            source="Kleinberg et al. 2016")
        for label, value, mean_of in (
            ("positive", 1, mean_score_of_positive),
            ("negative", 0, mean_score_of_negative),
        )
    ),
    Metric(name="calibration_difference", title="Difference in calibration",
        formula=over_scores(overshoot(d_s) - overshoot(a_s), of_probabilities=True),
        definition="(q_d − s̄_d) − (q_a − s̄_a)", range=(-2, 2),
        **sentences("compared with {a}, {d} does {better} than its scores predict"),
        source="Pleiss et al. 2017"),
    Metric(name="brier_difference", title="Difference in Brier score",
        formula=over_scores(brier(d_s) - brier(a_s), of_probabilities=True),
        definition="mean (s − y)² of d − that of a", range=(-1, 1),
        **sentences("the scores of {d} are farther from its labels"), source="Brier 1950"),
    Metric(name="auc_gap", title="Gap in AUC", formula=_gap(MEASURES["auc"]),
        definition="max − min of AUC_g over the groups g", range=(0, 1), **DIFFER_ABOVE,
        source=FAIRLEARN),
    Metric(name="brier_gap", title="Gap in Brier score", formula=_gap(MEASURES["brier"]),
        definition="max − min of mean (s − y)² over the groups g", range=(0, 1), **DIFFER_ABOVE,
        source=f"Brier 1950, {FAIRLEARN}"),
    ece_gap(),
    Metric(name="miscalibration", title="Largest weighted miscalibration",
        formula=across_measured(
            (_share * _ecce.term).max(), _ecce, each=Each("base_rate", _share, _ecce.term)
        ),
        definition="max over g of (n_g / n_all)·ECCE_g", range=(0, 1),
        above="some group has more or fewer positive labels than its scores predict",
        below=IMPOSSIBLE,
        source="Arrieta-Ibarra et al. 2022"),
)  # fmt: skip

OF_RANKS: Final = (
    Metric(name="exposure_ratio", title="Exposure ratio",
        formula=ratio(ratio(d.attention, d.n), ratio(a.attention, a.n)),
        definition="mean of 1/log₂(1 + rank) of d / that of a", range=(0, INFINITY),
        ideal=1, only_named=True, has_interval=False, sign=-1,
        **sentences("rows of {d} get more of the exposure that falls with rank"),
        source="Singh and Joachims 2018"),
    Metric(name="skew_at", title="Skew among the accepted",
        formula=logarithm(ratio(d.selection_rate, both.selection_rate)),
        definition="ln(share of d among the accepted / share of d among all) of both sides",
        range=ANY, only_named=True,
        **sentences(
            above="{d} is {accepted} more often than both sides together",
            below="{d} is {accepted} less often than both sides together",
        ),
        source=GEYIK),
    Metric(name="ndkl", title="Normalized discounted divergence of a ranking",
        formula=across(needing_several(g.n, g.divergence.sum().clip(lower=0)), may_overlap=False),
        definition="Σ_r KL(shares among the best r ‖ shares among all)/log₂(1 + r) / "
        "Σ_r 1/log₂(1 + r)",
        range=(0, INFINITY), only_named=True, has_interval=False,
        above="some groups rank higher than others", below=IMPOSSIBLE,
        source=GEYIK),
)  # fmt: skip

METRICS: Final = (*OF_SCORES, *OF_RANKS)

PARAMETRISED: Final = (ece_gap,)

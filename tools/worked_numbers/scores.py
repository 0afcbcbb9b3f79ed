"""Worked numbers of the metrics of scores."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

_PAIRS: Final = (
    "$s^{+}_a$ is the score of a positive row of a drawn at random, $s^{-}_d$ that of a negative "
    "row of d; of equal scores, half count."
)
_BELOW: Final = "The factors 0.1 and 0.2 are the distances from one score to the next."

FAMILY: Final = Family(
    page="scores",
    introduction="""\
Whether the scores behind decisions rank the rows of each side equally well, are distributed alike,
and mean the same. No threshold is needed. A higher score means that the label is more likely
positive. $s$ is the score of a row, $\\bar{s}$ a mean; a number after a bar is the label of the
rows: $\\bar{s}_{a \\mid 1}$ is the mean score of the positive rows of a. $F(t)$ is the share of
scores below $t$. AUC is the probability that a positive row has a higher score than a negative row
of the same group, equal scores counting half.""",
    columns={
        "sex": ["M"] * 5 + ["F"] * 6,
        "repaid": [1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0],
        "score": [0.9, 0.8, 0.4, 0.6, 0.1, 0.5, 0.3, 0.4, 0.2, 0.2, 0.1],
    },
    question={"facet": "sex", "disfavored": "F", "label": "repaid", "score": "score"},
    worked={
        "auc_difference": Worked(
            "Use it to see whether scores rank one side better, before a threshold is chosen. It "
            "does not see whether one side is ranked below the other: `xauc_difference` does.",
            "5/6 - 7/8",
            "Of the six pairs of a positive and a negative man, five are in order; of the eight "
            "pairs of women, seven.",
        ),
        "xauc_difference": Worked(
            "Use it where rows of both sides compete. It does not see how well each side is "
            "ranked in itself.",
            "11.5/12 - 2/4",
            f"{_PAIRS} The two parts are `bpsn_auc` and `bnsp_auc`.",
        ),
        "bpsn_auc": Worked(
            "Use it to see whether negative rows of d are ranked above positive rows of a, the "
            "mistakes that favor d.",
            "(4 + 4 + 3.5) / (3 * 4)",
            f"{_PAIRS} Each of the three positive men is compared with the four negative women.",
        ),
        "bnsp_auc": Worked(
            "Use it to see whether positive rows of d are ranked below negative rows of a, the "
            "mistakes that harm d.",
            "(1 + 1) / (2 * 2)",
            f"{_PAIRS} Here the sides have changed places: each of the two positive women is "
            "compared with the two negative men.",
        ),
        "abroca": Worked(
            "Use it where ROC curves may cross, so that `auc_difference` hides differences in "
            "opposite directions, as here in part. It does not show a direction.",
            "(1/4 - 0) * abs(2/3 - 1/2) + (1/2 - 1/4) * abs(2/3 - 1) + (1 - 1/2) * abs(1 - 1)",
            "$\\mathrm{ROC}(x)$ is the true positive rate where the false positive rate is $x$. "
            "Below 1/2 that of a is 2/3, then 1; that of d is 1/2 below 1/4, then 1.",
        ),
        "score_difference": Worked(
            "Use it for a first look, in units of the score.",
            "2.8/5 - 1.7/6",
        ),
        "smd": Worked(
            "Use it to compare scores of different scales: it is in standard deviations.",
            "(2.8/5 - 1.7/6) / sqrt((1.98 - 2.8**2 / 5 + 0.59 - 1.7**2 / 6) / 9)",
            "$v$ is the sample variance of the scores of a side, so that $(n - 1) v$ is the sum of "
            "their squared distances from their mean. The squares add up to 1.98 for the men and "
            "0.59 for the women.",
        ),
        "score_ks": Worked(
            "Use it for the largest `dppl` that a threshold could give, without its sign.",
            "max(abs(1/5 - 1/6), abs(1/5 - 3/6), abs(1/5 - 4/6), abs(2/5 - 5/6), abs(2/5 - 6/6), "
            "abs(3/5 - 6/6), abs(4/5 - 6/6))",
        ),
        "score_wasserstein": Worked(
            "Use it for the size of `dppl` over all thresholds, in units of the score: for scores "
            "from 0 to 1 it is the mean. It shows no direction.",
            "0.1 * abs(1/5 - 1/6) + 0.1 * abs(1/5 - 3/6) + 0.1 * abs(1/5 - 4/6) + "
            "0.1 * abs(2/5 - 5/6) + 0.1 * abs(2/5 - 6/6) + 0.2 * abs(3/5 - 6/6) + "
            "0.1 * abs(4/5 - 6/6)",
            _BELOW,
        ),
        "score_wasserstein_positive": Worked(
            "Use it like `score_wasserstein`, for the size of `rd` over all thresholds.",
            "0.1 * abs(0 - 1/2) + 0.1 * abs(1/3 - 1/2) + 0.3 * abs(1/3 - 1) + 0.1 * abs(2/3 - 1)",
            "The factors 0.1 and 0.3 are the distances from one score to the next.",
        ),
        "score_wasserstein_negative": Worked(
            "Use it like `score_wasserstein`, for the size of `sd` over all thresholds.",
            "0.1 * abs(1/2 - 1/4) + 0.2 * abs(1/2 - 3/4) + 0.2 * abs(1/2 - 1)",
            _BELOW,
        ),
        "balance_positive": Worked(
            "Use it where the qualified of both sides should have equal scores.",
            "2.1/3 - 0.8/2",
        ),
        "balance_negative": Worked(
            "Use it where the unqualified of both sides should have equal scores.",
            "0.7/2 - 0.9/4",
        ),
        "calibration_difference": Worked(
            "Use it to see whether the scores of one side are too low on average. Scores too high "
            "in one range and too low in another cancel out: `miscalibration` sees them.",
            "(2/6 - 1.7/6) - (3/5 - 2.8/5)",
            "$q$ is the base rate, the share whose label is positive.",
        ),
        "brier_difference": Worked(
            "Use it for ranking and calibration in one number. It depends on base rates too: a "
            "side whose labels are mixed has larger errors.",
            "(0.5**2 + 0.7**2 + 0.4**2 + 0.2**2 + 0.2**2 + 0.1**2) / 6 - "
            "(0.1**2 + 0.2**2 + 0.6**2 + 0.6**2 + 0.1**2) / 5",
        ),
        "auc_gap": Worked(
            "Use it like `auc_difference`, for any number of groups. It does not show which group "
            "is ranked worst.",
            "7/8 - 5/6",
        ),
        "brier_gap": Worked(
            "Use it like `brier_difference`, for any number of groups. It does not show which "
            "group has the largest errors.",
            "0.99/6 - 0.78/5",
            "The squared distances add up to 0.99 for the women and 0.78 for the men.",
        ),
        "ece_gap": Worked(
            "Use it where scores are read as probabilities in ranges. It depends on the bins, and "
            "small groups have large errors by chance.",
            "(0.5 + 0.7 + 0.4 + 2 * 0.2 + 0.1) / 6 - (0.1 + 0.2 + 0.6 + 0.6 + 0.1) / 5",
            "$b$ runs over the bins of scores, of equal width. Here each score has a bin to "
            "itself.",
        ),
        "miscalibration": Worked(
            "Use it to see whether the scores of some group are wrong in some range, without "
            "bins. Small groups hardly count, and it does not show which group it is, nor in "
            "which direction its scores are wrong.",
            "max(5/11 * (0.5 - -0.1) / 5, 6/11 * (0.3 - -0.5) / 6)",
            "$C_{g,k}$ is about the $k$ rows with the lowest scores, $C_{g,0} = 0$. The sums of "
            "$y_j - s_j$ are 0, -0.1, 0.5, -0.1, 0.1, 0.2 for the men, and for the women, whose "
            "equal scores are one step, 0, -0.1, -0.5, 0.2, -0.2, 0.3.",
        ),
    },
)

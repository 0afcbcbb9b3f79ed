"""Worked numbers of the metrics of scores."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="scores",
    introduction="""\
Whether the scores behind decisions rank the rows of each side equally well, are distributed alike,
and mean the same. No threshold is needed. A higher score means that the label is more likely
positive. $s$ is the score of a row, $\\bar{s}$ a mean, and $\\bar{s}_{a \\mid 1}$ the mean of the
positive rows of a. $s^{+}_a$ is the score of a positive row of a drawn at random, $s^{-}_d$ that of
a negative row of d; equal scores count half. $F(t)$ is the share of scores below $t$. AUC is
the probability that a positive row of a group has a higher score than a negative row of it.""",
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
            # Of 6 pairs of a positive and a negative man, 5 are in order; of 8 pairs of women, 7.
            "5/6 - 7/8",
        ),
        "xauc_difference": Worked(
            "Use it where rows of both sides compete. It does not see how well each side is "
            "ranked in itself.",
            "11.5/12 - 2/4",
            "The two parts are `bpsn_auc` and `bnsp_auc`.",
        ),
        "bpsn_auc": Worked(
            "Use it to see whether negative rows of d are ranked above positive rows of a, the "
            "mistakes that favor d.",
            # Each of the 3 positive men is compared with the 4 negative women.
            "(4 + 4 + 3.5) / (3 * 4)",
        ),
        "bnsp_auc": Worked(
            "Use it to see whether positive rows of d are ranked below negative rows of a, the "
            "mistakes that harm d.",
            # Each of the 2 positive women is compared with the 2 negative men.
            "(1 + 1) / (2 * 2)",
        ),
        "abroca": Worked(
            "Use it where ROC curves may cross, so that `auc_difference` hides differences in "
            "opposite directions.",
            # The rate of a is 2/3 below 1/2, then 1; that of d is 1/2 below 1/4, then 1.
            "(1/4 - 0) * abs(2/3 - 1/2) + (1/2 - 1/4) * abs(2/3 - 1) + (1 - 1/2) * abs(1 - 1)",
            "$\\mathrm{ROC}(x)$ is the true positive rate where the false positive rate is $x$.",
        ),
        "score_difference": Worked(
            "Use it for a first look, in units of the score.",
            "2.8/5 - 1.7/6",
        ),
        "smd": Worked(
            "Use it to compare scores of different scales: it is in standard deviations.",
            # The squares of the scores add up to 1.98 for the men and 0.59 for the women.
            "(2.8/5 - 1.7/6) / sqrt((1.98 - 2.8**2 / 5 + 0.59 - 1.7**2 / 6) / 9)",
        ),
        "score_ks": Worked(
            "Use it for the largest `dppl` that a threshold could give, without its sign.",
            "max(abs(1/5 - 1/6), abs(1/5 - 3/6), abs(1/5 - 4/6), abs(2/5 - 5/6), abs(2/5 - 6/6), "
            "abs(3/5 - 6/6), abs(4/5 - 6/6))",
        ),
        "score_wasserstein": Worked(
            "Use it for the size of `dppl` over all thresholds, in units of the score: for scores "
            "from 0 to 1 it is the mean.",
            # The factors of this and of the next two are the distances from score to score.
            "0.1 * abs(1/5 - 1/6) + 0.1 * abs(1/5 - 3/6) + 0.1 * abs(1/5 - 4/6) + "
            "0.1 * abs(2/5 - 5/6) + 0.1 * abs(2/5 - 6/6) + 0.2 * abs(3/5 - 6/6) + "
            "0.1 * abs(4/5 - 6/6)",
        ),
        "score_wasserstein_positive": Worked(
            "Use it like `score_wasserstein`, for the size of `rd` over all thresholds.",
            "0.1 * abs(0 - 1/2) + 0.1 * abs(1/3 - 1/2) + 0.3 * abs(1/3 - 1) + 0.1 * abs(2/3 - 1)",
        ),
        "score_wasserstein_negative": Worked(
            "Use it like `score_wasserstein`, for the size of `sd` over all thresholds.",
            "0.1 * abs(1/2 - 1/4) + 0.2 * abs(1/2 - 3/4) + 0.2 * abs(1/2 - 1)",
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
        ),
        "brier_difference": Worked(
            "Use it for ranking and calibration in one number. It depends on base rates too: a "
            "side whose labels are mixed has larger errors.",
            "(0.5**2 + 0.7**2 + 0.4**2 + 0.2**2 + 0.2**2 + 0.1**2) / 6 - "
            "(0.1**2 + 0.2**2 + 0.6**2 + 0.6**2 + 0.1**2) / 5",
        ),
        "auc_gap": Worked(
            "Use it like `auc_difference`, for any number of groups.",
            "7/8 - 5/6",
        ),
        "brier_gap": Worked(
            "Use it like `brier_difference`, for any number of groups.",
            "0.99/6 - 0.78/5",
        ),
        "ece_gap": Worked(
            "Use it where scores are read as probabilities in ranges. It depends on the bins, and "
            "small groups have large errors by chance.",
            # Each score has a bin to itself.
            "(0.5 + 0.7 + 0.4 + 2 * 0.2 + 0.1) / 6 - (0.1 + 0.2 + 0.6 + 0.6 + 0.1) / 5",
            "$b$ runs over the bins of scores, of equal width.",
        ),
        "miscalibration": Worked(
            "Use it to see whether the scores of some group are wrong in some range, without "
            "bins. Small groups hardly count.",
            # The sums of y_j - s_j are 0, -0.1, 0.5, -0.1, 0.1, 0.2 for the men, and for the women,
            # whose equal scores are one step, 0, -0.1, -0.5, 0.2, -0.2, 0.3.
            "max(5/11 * (0.5 - -0.1) / 5, 6/11 * (0.3 - -0.5) / 6)",
            "$C_{g,k}$ is about the $k$ rows with the lowest scores, $C_{g,0} = 0$. Rows of equal "
            "scores are one step.",
        ),
    },
)

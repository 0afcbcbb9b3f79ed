"""Worked numbers of the metrics that need predictions only."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="acceptance",
    introduction="""\
How often each side is accepted. These metrics see decisions only: they do not know who was
qualified.""",
    columns={
        "team": ["field"] * 4 + ["office"] * 4,
        "sex": ["F", "F", "M", "M"] * 2,
        "hired": [1, 0] * 4,
        "n": [3, 1, 7, 7, 1, 9, 5, 11],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "predicted": "hired",
        "subgroup": "team",
        "count": "n",
    },
    worked={
        "dppl": Worked(
            "Use it to say by how many percentage points a is accepted more often. Beside `dpl` "
            "it shows whether decisions differ more than labels do.",
            "12/30 - 4/14",
        ),
        "statistical_parity": Worked(
            "Use it for `dppl` with the sign of AIF360.",
            "4/14 - 12/30",
        ),
        "di": Worked(
            "Use it where a rule is about a ratio, such as four fifths. Where few are accepted, a "
            "small difference of rates is far from a ratio of 1.",
            "(4/14) / (12/30)",
        ),
        "success_ratio": Worked(
            "Use it for readers who divide the rate of a by that of d.",
            "(12/30) / (4/14)",
        ),
        "four_fifths": Worked(
            "Use it where either side may be worse off.",
            "min(4/14, 12/30) / max(4/14, 12/30)",
        ),
        "cohens_d": Worked(
            "Use it to compare the size of differences between tasks with different acceptance "
            "rates: 0.2 is called small, 0.5 medium and 0.8 large.",
            "(12/30 - 4/14) / sqrt((29 * 12/30 * 18/30 + 13 * 4/14 * 10/14) / 42)",
        ),
        "two_sd": Worked(
            "Use it to see whether a difference of rates is beyond chance. It grows with the "
            "number of rows, so it does not say how large the difference is.",
            "(12/30 - 4/14) / sqrt(16/44 * 28/44 / (44 * 30/44 * 14/44))",
            "$q'$ is the selection rate of both sides together.",
        ),
        "z_ratio": Worked(
            "Use it like `two_sd`, for a ratio of rates.",
            "log((12/30) / (4/14)) / sqrt(28/44 / (16/44 * 44 * 30/44 * 14/44))",
        ),
        "ddpl": Worked(
            "Use it to compare d's share of the rejections with its share of the acceptances, as "
            "Clarify does. It is small wherever d is small, so it has no band. It does not see "
            "what the rows applied for: `cddpl` does.",
            "10/28 - 4/16",
        ),
        "odds_ratio": Worked(
            "Use it beside models of odds, such as logistic regression. Where many are accepted, "
            "it is much farther from 1 than `di`.",
            "(4 * 18) / (10 * 12)",
        ),
        "cddpl": Worked(
            "Use it where the sides apply for different things, so that totals mislead (Simpson's "
            "paradox). Where d is small it is near 0 even if none of d is accepted, so it has no "
            "band; `mh_ratio` and `mh_difference` have one. Strata with opposite signs cancel "
            "out.",
            "(18 * (1/8 - 3/10) + 26 * (9/20 - 1/6)) / 44",
        ),
        "mh_ratio": Worked(
            "Use it for a verdict on `di` within strata. `breslow_day` tests whether the "
            "strata agree.",
            "(3 * 14/18 + 1 * 16/26) / (7 * 4/18 + 5 * 10/26)",
            "$i$ runs over the strata, and $n_i$ is $n_{a,i} + n_{d,i}$.",
        ),
        "mh_difference": Worked(
            "Use it like `mh_ratio`, for percentage points: it is `dppl` within strata.",
            "((7 * 4 - 3 * 14) / 18 + (5 * 10 - 1 * 16) / 26) / (14 * 4/18 + 16 * 10/26)",
        ),
        "mh_odds_ratio": Worked(
            "Use it for one odds ratio within strata. It says little if the strata "
            "disagree: `breslow_day` tests this.",
            "(3 * 7/18 + 1 * 11/26) / (1 * 7/18 + 9 * 5/26)",
        ),
        "cmh": Worked(
            "Use it to see whether the sides differ within strata beyond chance. Opposite "
            "differences cancel out, and its size grows with the number of rows.",
            "(7 - 14 * 10/18 + 5 - 16 * 6/26) / "
            "sqrt(14 * 4 * 10 * 8 / (18**2 * 17) + 16 * 10 * 6 * 20 / (26**2 * 25))",
            "$A_i$ is the number of accepted rows of a in stratum $i$.",
        ),
        "breslow_day": Worked(
            "Use it beside `mh_odds_ratio`, to see whether all strata have this one odds "
            "ratio. It does not say which side is worse off, and has no p-value if strata have "
            "few rows.",
            # With the odds ratio 0.75, the counts are 2, 2, 8, 6 and 2, 8, 4, 12.
            "(3 - 2)**2 * (1/2 + 1/2 + 1/8 + 1/6) + (1 - 2)**2 * (1/2 + 1/8 + 1/4 + 1/12)",
            "$A_i$ is the number of accepted rows of d in stratum $i$. $E_i$ is the number at "
            "which the stratum, its totals unchanged, has the odds ratio `mh_odds_ratio`. $V_i$ "
            "is 1 over the sum of 1 over each of the four counts of the stratum then.",
        ),
    },
)

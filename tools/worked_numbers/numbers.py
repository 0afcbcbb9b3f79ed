"""Worked numbers of the metrics of numbers as outcomes."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="numbers",
    introduction="""\
Outcomes that are numbers: a price, a claim, a waiting time. $o$ is what was observed, $e$ what was
estimated or decided, $r = e - o$; $\\bar{e}$ is a mean over the rows of a side, and $\\sum$ adds
them up. Ratios need numbers of 0 or more, and means above 0. If a high number is bad for the
person, as a price is, give `favorable=False`.""",
    columns={
        "sex": ["M"] * 4 + ["F"] * 3,
        "region": ["north", "north", "south", "south", "north", "south", "south"],
        "price": [4, 6, 8, 6, 7, 9, 11],
        "claim": [2, 6, 7, 5, 6, 6, 9],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "estimated": "price",
        "observed": "claim",
        "subgroup": "region",
    },
    worked={
        "estimate_difference": Worked(
            "Use it to say how much more one side is quoted, in the unit of the column. It does "
            "not see whether the difference is justified: `residual_difference` does.",
            "(4 + 6 + 8 + 6)/4 - (7 + 9 + 11)/3",
        ),
        "conditional_estimate_difference": Worked(
            "Use it to compare like with like: quotes inside a region, a plan or a class of risk. "
            "Subgroups without rows of both sides are left out.",
            "(3 * ((4 + 6)/2 - 7) + 4 * ((8 + 6)/2 - (9 + 11)/2)) / (3 + 4)",
        ),
        "estimate_ratio": Worked(
            "Use it to compare prices in proportion. It has no value if a number is below 0.",
            "((7 + 9 + 11)/3) / ((4 + 6 + 8 + 6)/4)",
        ),
        "estimate_smd": Worked(
            "Use it to compare differences of columns in different units.",
            "(6 - 9) / sqrt(((4 + 0 + 4 + 0) + (4 + 0 + 4)) / 5)",
            "$v$ is the sample variance of a side.",
        ),
        "observed_difference": Worked(
            "Use it to see whether what happened differs between the sides.",
            "(2 + 6 + 7 + 5)/4 - (6 + 6 + 9)/3",
        ),
        "conditional_observed_difference": Worked(
            "Use it like `conditional_estimate_difference`, for observed numbers.",
            "(3 * ((2 + 6)/2 - 6) + 4 * ((7 + 5)/2 - (6 + 9)/2)) / (3 + 4)",
        ),
        "observed_ratio": Worked(
            "Use it like `estimate_ratio`, for observed numbers.",
            "((6 + 6 + 9)/3) / ((2 + 6 + 7 + 5)/4)",
        ),
        "observed_smd": Worked(
            "Use it like `estimate_smd`, for observed numbers.",
            "(5 - 7) / sqrt(((9 + 1 + 4 + 0) + (1 + 1 + 4)) / 5)",
        ),
        "residual_difference": Worked(
            "Use it to see whether one side is quoted more than its claims explain. It does not "
            "see errors that cancel out.",
            "(1 + 3 + 2)/3 - (2 + 0 + 1 + 1)/4",
        ),
        "actual_to_expected_ratio": Worked(
            "Use it as insurers do: the claims ratio of one side over that of the other.",
            "((6 + 6 + 9)/(7 + 9 + 11)) / ((2 + 6 + 7 + 5)/(4 + 6 + 8 + 6))",
        ),
        "mae_difference": Worked(
            "Use it to see whether estimates are equally accurate for both sides, in the unit of "
            "the column.",
            "(1 + 3 + 2)/3 - (2 + 0 + 1 + 1)/4",
        ),
        "mae_ratio": Worked(
            "Use it like `mae_difference`, in proportion.",
            "((1 + 3 + 2)/3) / ((2 + 0 + 1 + 1)/4)",
        ),
        "rmse_difference": Worked(
            "Use it where large errors hurt more than proportionally.",
            "sqrt((1 + 9 + 4)/3) - sqrt((4 + 0 + 1 + 1)/4)",
        ),
        "rmse_ratio": Worked(
            "Use it like `rmse_difference`, in proportion.",
            "sqrt((1 + 9 + 4)/3) / sqrt((4 + 0 + 1 + 1)/4)",
        ),
        "correlation_difference": Worked(
            "Use it to see whether estimates rank the rows of both sides equally well. It does "
            "not see whether they are too high for one of them.",
            # Products of distances from the means add up to 10 for the men and 6 for the women.
            "10/sqrt(8 * 14) - 6/sqrt(8 * 6)",
            "$\\rho$ is the correlation of $e$ and $o$.",
        ),
        "r2_difference": Worked(
            "Use it to see for which side estimates account for more of what happens.",
            "(1 - 6/14) - (1 - 14/6)",
            "$R^2$ is $1 - \\sum r^2 / \\sum (o - \\bar{o})^2$ on a side.",
        ),
        "estimate_gap": Worked(
            "Use it to find how far the mean prices of any two groups are apart.",
            "9 - 6",
        ),
        "mae_gap": Worked(
            "Use it to find how far the errors of any two groups are apart.",
            "2 - 1",
        ),
        "rmse_gap": Worked(
            "Use it like `mae_gap`, where large errors hurt more.",
            "sqrt(14/3) - sqrt(6/4)",
        ),
        "worst_mse": Worked(
            "Use it as the loss of the group that is served worst, as a bound in training.",
            "max((1 + 9 + 4)/3, (4 + 0 + 1 + 1)/4)",
        ),
        "explained_by_group": Worked(
            "Use it to see how much of the spread of prices the groups account for. It may be "
            "below 0, as it is adjusted for chance.",
            # Inside the groups squared distances add up to 8 + 8; the means of the groups are 9/7
            # and 12/7 from that of all.
            "1 - (16/(16 + 4 * 9/7 * 9/7 + 3 * 12/7 * 12/7)) * (7 - 1)/(7 - 2)",
            "$\\eta^2$ is the variance between the groups over that of all, and $K$ the number of "
            "groups.",
        ),
        "estimate_median_difference": Worked(
            "Use it where a few very large numbers would move the means, as with pay.",
            "6 - 9",
            "If exactly half of a side has a number or less, the mean of this number and the next "
            "counts.",
        ),
        "estimate_median_ratio": Worked(
            "Use it like `estimate_median_difference`, in proportion.",
            "9 / 6",
        ),
        "observed_median_difference": Worked(
            "Use it like `estimate_median_difference`, for observed numbers.",
            "(5 + 6)/2 - 6",
        ),
        "observed_median_ratio": Worked(
            "Use it like `estimate_median_ratio`, for observed numbers.",
            "6 / ((5 + 6)/2)",
        ),
        "estimate_quantile_difference": Worked(
            "Use it to see whether the sides differ at the top, or with `at=0.1` at the bottom.",
            "8 - 11",
            "$Q_{0.9}$ is the smallest number below which more than nine tenths of a side lie.",
        ),
        "estimate_quantile_ratio": Worked(
            "Use it like `estimate_quantile_difference`, in proportion.",
            "11 / 8",
        ),
        "observed_quantile_difference": Worked(
            "Use it like `estimate_quantile_difference`, for observed numbers.",
            "7 - 9",
        ),
        "observed_quantile_ratio": Worked(
            "Use it like `estimate_quantile_ratio`, for observed numbers.",
            "9 / 7",
        ),
    },
)

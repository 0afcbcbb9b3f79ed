"""Worked numbers of the metrics at equal controls."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="adjusted",
    introduction="""\
`controls=` names columns that may explain a difference, such as a score band or a purpose. A
regression on the side and the controls then says how large the difference is between members of d
and of a whose controls are equal ([what it can and cannot say](../../how-to/controls.md)). Text,
Booleans and categories count by level, numbers as they are, and all effects add up. $p(x_j, s)$ is
the fitted probability of row $j$, at its controls, as a member of the side $s$, and $N$ the number
of rows of both sides. Numbers are fitted by least squares: $e$ is what was estimated or decided,
$o$ what was observed.""",
    # In the low band 3 of 6 men and 2 of 6 women are accepted, in the high one 6 of 8 men and 3 of
    # 5 women: in both, women have half the odds. 1 of 6 men and 2 of 6 women of the low band
    # repaid, 3 of 8 and 3 of 5 of the high one: in both, women have 5/2 times the odds.
    data="""\
In both bands the odds of women are the same multiple of those of men, so the regression fits all
rates exactly.""",
    columns={
        "band": [*["low"] * 7, *["high"] * 7],
        "sex": [*"MMMFFFFMMMFFFF"],
        "repaid": [*(1, 0, 0, 1, 1, 0, 0), *(1, 0, 0, 1, 1, 0, 0)],
        "accepted": [*(1, 1, 0, 1, 0, 1, 0), *(1, 1, 0, 1, 0, 1, 0)],
        "paid": [*[10] * 3, *[8] * 4, *[20] * 3, *[16] * 4],
        "lost": [*[5] * 3, *[6] * 4, *[10] * 3, *[12] * 4],
        "n": [*(1, 2, 3, 1, 1, 1, 3), *(3, 3, 2, 2, 1, 1, 1)],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "label": "repaid",
        "predicted": "accepted",
        "estimated": "paid",
        "observed": "lost",
        "controls": "band",
        "count": "n",
    },
    worked={
        "adjusted_difference": Worked(
            "Use it to see what is left of `dppl` if the controls are equal: the average marginal "
            "effect. It does not see effects that differ by level, and controls that follow from "
            "the group hide their own effect.",
            "(12 * 3/6 + 13 * 6/8) / 25 - (12 * 2/6 + 13 * 3/5) / 25",
        ),
        "adjusted_ratio": Worked(
            "Use it like `di` at equal controls.",
            "(12 * 2/6 + 13 * 3/5) / (12 * 3/6 + 13 * 6/8)",
        ),
        "adjusted_odds_ratio": Worked(
            "Use it where a rule or a paper asks for the odds ratio of a logistic regression. "
            "Odds ratios of different controls are not comparable with each other: it moves even "
            "if a control has nothing to do with the group.",
            "(2/4) / (3/3)",
        ),
        "adjusted_base_rate_difference": Worked(
            "Use it like `dpl` at equal controls.",
            "(12 * 1/6 + 13 * 3/8) / 25 - (12 * 2/6 + 13 * 3/5) / 25",
        ),
        "adjusted_base_rate_ratio": Worked(
            "Use it for a ratio of base rates at equal controls.",
            "(12 * 2/6 + 13 * 3/5) / (12 * 1/6 + 13 * 3/8)",
        ),
        "adjusted_estimate_difference": Worked(
            "Use it like `estimate_difference` at equal controls: pay at equal grades, premiums "
            "at equal risks.",
            "(6*6/12 * (10 - 8) + 8*5/13 * (20 - 16)) / (6*6/12 + 8*5/13)",
        ),
        "adjusted_estimate_ratio": Worked(
            "Use it where amounts differ by shares, as pay and premiums do, and all are above 0. "
            "It compares geometric means, so it is not `estimate_ratio` at equal controls.",
            "16/20",
        ),
        "adjusted_observed_difference": Worked(
            "Use it like `observed_difference` at equal controls.",
            "(6*6/12 * (5 - 6) + 8*5/13 * (10 - 12)) / (6*6/12 + 8*5/13)",
        ),
        "adjusted_observed_ratio": Worked(
            "Use it like `adjusted_estimate_ratio`, for observed numbers.",
            "6/5",
        ),
    },
)

"""Worked numbers of the inequality of benefits."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="population",
    introduction="""\
How unequally errors spread benefits over all rows. The benefit of a row is $b = y' - y + 1$: 2
if it is accepted wrongly, 0 if it is rejected wrongly, else 1. With `favorable=False` it is
$b = y - y' + 1$. $\\mu$ is the mean of all benefits. There are no sides, so none of these metrics
shows who is worse off.""",
    # The benefits of the four women are 1, 1, 1 and 0, of the four men 1, 2, 2 and 2. Their mean is
    # 1.25, so that the quotients b/μ are 0.8 four times, 1.6 three times, and 0 once.
    columns={
        "sex": [*"FFFFMMMM"],
        "repaid": [1, 0, 0, 1, 1, 0, 0, 0],
        "approved": [1, 0, 0, 0, 1, 1, 1, 1],
    },
    question={"facet": "sex", "label": "repaid", "predicted": "approved"},
    worked={
        "ge": Worked(
            "Use it for fairness between individuals, whichever groups they belong to. It does "
            "not see groups, and a model that accepts all rows wrongly has the ideal value.",
            "(4 * (0.8**2 - 1) + 3 * (1.6**2 - 1) + (0 - 1)) / (8 * 2 * 1)",
        ),
        "theil": Worked(
            "Use it where large benefits should weigh less than in `ge`.",
            "(4 * 0.8 * log(0.8) + 3 * 1.6 * log(1.6) + 0) / 8",
            "A benefit of 0 adds 0.",
        ),
        "coefficient_of_variation": Worked(
            "Use it for `ge` in a known unit: the standard deviation of the benefits over their "
            "mean.",
            "sqrt((4 * (0.8 - 1)**2 + 3 * (1.6 - 1)**2 + (0 - 1)**2) / 8)",
            "$\\mathrm{GE}_2$ is `ge` of order 2.",
        ),
        "ge_between": Worked(
            "Use it beside `ge`, to see how much of the inequality lies between groups. It does "
            "not see differences within a group.",
            "(4 * ((3/4 / 1.25)**2 - 1) + 4 * ((7/4 / 1.25)**2 - 1)) / (2 * 8)",
            "$\\bar{b}_g$ is the mean benefit of group $g$.",
        ),
    },
)

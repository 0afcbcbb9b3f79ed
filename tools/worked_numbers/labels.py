"""Worked numbers of the metrics that need labels only."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="labels",
    introduction="""\
What is in the data before any model: how large the sides are, and how their labels are
distributed. A difference may be real or a bias in how labels came about; these metrics cannot
tell which. Each label value $v$ counts in `kl`, `js`, `lp`, `tvd` and `ks`; the
others use positive and negative. With `outcome="predicted"`, these five compare what was predicted:
see [several classes](../../how-to/classes.md). None of the five shows which side has the better
labels.""",
    columns={
        "branch": ["north"] * 5 + ["south"] * 8,
        "sex": [*"MMMFFMMMMFFFF"],
        "repaid": [
            *("on time", "late", "partly", "on time", "never"),
            *("on time", "late", "partly", "never") * 2,
        ],
        "n": [6, 1, 1, 1, 1, 2, 3, 1, 2, 1, 1, 2, 2],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "label": "repaid",
        "positive": "on time",
        "subgroup": "branch",
        "count": "n",
    },
    worked={
        "ci": Worked(
            "Use it first, since a model learns less about a small side.",
            "(16 - 8) / (16 + 8)",
        ),
        "dpl": Worked(
            "Use it to see what a model is taught, and beside `dppl` whether the model widens the "
            "difference. It does not see why labels differ.",
            "8/16 - 2/8",
        ),
        "ddl": Worked(
            "Use it to compare d's share of the negative labels with its share of the positive. "
            "It is small wherever d is small, so it has no band. It does not see strata: "
            "`cddl` does.",
            "6/14 - 2/10",
        ),
        "cddl": Worked(
            "Use it like `ddl`, where the sides are spread unevenly over branches or "
            "departments, so that totals mislead. Subgroups with opposite signs cancel out.",
            "(10 * (1/3 - 1/7) + 14 * (5/11 - 1/3)) / 24",
        ),
        "kl": Worked(
            "Use it for labels of many values, where values that are rare in d weigh most. It is "
            "infinite where a value is missing in d, and changes where the sides change places.",
            "8/16 * log((8/16) / (2/8)) + 4/16 * log((4/16) / (1/8)) + "
            "2/16 * log((2/16) / (2/8)) + 2/16 * log((2/16) / (3/8))",
        ),
        "js": Worked(
            "Use it instead of `kl` where a value may be missing in one side.",
            "(8/16 * log(8/16 / (6/16)) + 4/16 * log(4/16 / (3/16)) + "
            "2/16 * log(2/16 / (3/16)) + 2/16 * log(2/16 / (4/16)) + "
            "2/8 * log(2/8 / (6/16)) + 1/8 * log(1/8 / (3/16)) + "
            "2/8 * log(2/8 / (3/16)) + 3/8 * log(3/8 / (4/16))) / 2",
        ),
        "lp": Worked(
            "Use it where one large difference should weigh more than several small ones.",
            "((4/8 - 2/8)**2 + (2/8 - 1/8)**2 + (1/8 - 2/8)**2 + (1/8 - 3/8)**2) ** (1/2)",
        ),
        "tvd": Worked(
            "Use it for the share of labels of one side that would have to change for equal "
            "distributions.",
            "(abs(4/8 - 2/8) + abs(2/8 - 1/8) + abs(1/8 - 2/8) + abs(1/8 - 3/8)) / 2",
        ),
        "ks": Worked(
            "Use it for the largest difference in the share of one label value.",
            "max(abs(4/8 - 2/8), abs(2/8 - 1/8), abs(1/8 - 2/8), abs(1/8 - 3/8))",
        ),
    },
)

"""Worked numbers of the metrics that need labels and predictions."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="errors",
    introduction="""\
Whether decisions are right equally often for both sides, and wrong in the same way. These
metrics take the labels as the truth, and do not see bias in the labels themselves. A
row whose label is positive is called qualified.""",
    columns={
        "sex": ["M"] * 4 + ["F"] * 4,
        "repaid": [1, 1, 0, 0] * 2,
        "approved": [1, 0, 1, 0] * 2,
        "n": [6, 2, 4, 8, 2, 3, 2, 3],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "label": "repaid",
        "predicted": "approved",
        "count": "n",
    },
    worked={
        "dcacc": Worked(
            "Use it to see whether one side is accepted more sparingly than its labels suggest, "
            "for example after people have overruled a model. It compares totals: it does not "
            "see whether the right rows were accepted.",
            "8/10 - 5/4",
        ),
        "dcr": Worked(
            "Use it like `dcacc`, for rejections.",
            "5/6 - 12/10",
        ),
        "sd": Worked(
            "Use it where a wrong acceptance is the harm, or the advantage. It does not see "
            "qualified rows.",
            "3/5 - 8/12",
        ),
        "rd": Worked(
            "Use it where the qualified should have equal chances (equal opportunity). It does "
            "not see wrong acceptances: `average_odds_difference` sees both.",
            "6/8 - 2/5",
        ),
        "dar": Worked(
            "Use it where an acceptance should mean the same for both sides. It does not see who "
            "was rejected. Its sign takes wrong acceptances as the harm. An outcome test reads it "
            "the other way: acceptances are right more often on a side that has to clear a higher "
            "bar, so a value below 0 disadvantages d.",
            "6/10 - 2/4",
        ),
        "drr": Worked(
            "Use it where a rejection should mean the same for both sides. It does not see who "
            "was accepted.",
            "3/6 - 8/10",
        ),
        "ad": Worked(
            "Use it where both errors cost the same. It does not distinguish wrong acceptances "
            "from wrong rejections: `te` does.",
            "14/20 - 5/10",
        ),
        "te": Worked(
            "Use it with `ad`, to see whether errors on d are of the harmful kind more often. It "
            "does not see how many errors there are, and few wrong acceptances make it large.",
            "3/2 - 2/4",
        ),
        "te_inverse": Worked(
            "Use it to compare with results of Clarify's earlier form of `te`. Few wrong "
            "rejections make it large.",
            "4/2 - 2/3",
        ),
        "average_odds_difference": Worked(
            "Use it where both the qualified and the unqualified should be accepted equally often "
            "(equalized odds). Opposite differences cancel out.",
            "((6/8 - 2/5) + (4/12 - 2/5)) / 2",
        ),
        "average_abs_odds_difference": Worked(
            "Use it for equalized odds where nothing may cancel out. Chance alone puts it above 0.",
            "(abs(6/8 - 2/5) + abs(4/12 - 2/5)) / 2",
        ),
        "confusion_distance": Worked(
            "Use it for several classes: how differently the sides are predicted among people of "
            "one class, on average over the classes. [`confusions`](../../how-to/classes.md) says "
            "which classes are confused. With two classes it is `average_abs_odds_difference`. "
            "A class that one side never has is left out.",
            "((abs(6/8 - 2/5) + abs(2/8 - 3/5)) / 2 + (abs(4/12 - 2/5) + abs(8/12 - 3/5)) / 2) / 2",
            "$i$ runs over the classes predicted, $j$ over the $K$ classes observed in both sides.",
        ),
        "disparity_change": Worked(
            "Use it to see whether a model widens the disparity of its labels, or narrows it. It "
            "does not see whether the right rows were accepted.",
            "(10/20 - 4/10) - (8/20 - 5/10)",
        ),
        "fdr_difference": Worked(
            "Use it where the share of mistakes among the accepted matters. It is `dar` with the "
            "sign reversed.",
            "4/10 - 2/4",
        ),
        "for_difference": Worked(
            "Use it where the share of mistakes among the rejected matters, as where illness may "
            "be missed. It does not see the accepted.",
            "2/10 - 3/6",
        ),
        "fnr_difference": Worked(
            "Use it where a wrong rejection is the harm. It is `rd` with the sign reversed.",
            "2/8 - 3/5",
        ),
        "predictive_value_difference": Worked(
            "Use it where equal decisions should mean equal chances to be qualified, for the "
            "accepted and the rejected together. Opposite differences cancel out.",
            "((6/10 - 2/4) + (2/10 - 3/6)) / 2",
        ),
    },
)

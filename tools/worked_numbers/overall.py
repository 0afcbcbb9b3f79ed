"""Worked numbers of all rows together."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="population",
    introduction="""\
One value for all rows, to set beside a disparity: what does a fairer decision cost? None of
these metrics sees groups.""",
    data="""\
Of ten rows, 4 are true positives, 2 false positives, 1 is a false negative and 3 are true
negatives.""",
    columns={"repaid": [1, 0, 1, 0], "approved": [1, 1, 0, 0], "n": [4, 2, 1, 3]},
    question={"label": "repaid", "predicted": "approved", "count": "n"},
    worked={
        "accuracy": Worked(
            "Use it where both errors cost the same. Where one label is rare, it is high for a "
            "model that never predicts this label.",
            "(4 + 3) / 10",
        ),
        "selection_rate": Worked(
            "Use it to see how many are accepted in all. It has no ideal: how many should be "
            "accepted is for you to say.",
            "(4 + 2) / 10",
        ),
        "utility": Worked(
            "Use it where outcomes have different worths, such as a loan that is repaid and a loan "
            "that is not. The default values are only a start: give your own.",
            "(1 * 4 - 1 * 2 + 0 * 1 + 0 * 3) / 10",
        ),
    },
)

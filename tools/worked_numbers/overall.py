"""Worked numbers of all rows together."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="population",
    introduction="""\
One value for all rows, to compare with a disparity: what does a fairer decision cost?""",
    columns={"repaid": [1, 0, 1, 0], "approved": [1, 1, 0, 0], "n": [4, 2, 1, 3]},
    question={"label": "repaid", "predicted": "approved", "count": "n"},
    worked={
        "accuracy": Worked(
            "Use it where both errors cost the same. Where one label is rare, it is high for a "
            "model that never predicts this label.",
            "(4 + 3) / 10",
        ),
        "selection_rate": Worked(
            "Use it to see how many are accepted overall. It has no ideal.",
            "(4 + 2) / 10",
        ),
        "utility": Worked(
            "Use it where outcomes differ in value, such as loans that are repaid or not. The "
            "defaults are only a start: give your own.",
            "(1 * 4 - 1 * 2 + 0 * 1 + 0 * 3) / 10",
        ),
    },
)

"""The rule of each verdict, in a report."""

from __future__ import annotations

from typing import Any

import pytest

import polars_fairness as pf
from polars_fairness.terms import a, d
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


@pytest.mark.extras
def test_the_edge_of_a_band_is_the_same_in_verdicts_and_in_words() -> None:
    frame = predictions(F=(3, 7), M=(4, 6))
    # 0.1 lies outside the band by 5e-10, far above rounding errors.
    question: dict[str, Any] = {"bands": {"dppl": (-0.1, 0.1 - 5e-10)}, **F_AGAINST_M}
    question["detail"] = "full"
    text = pf.report(frame, "dppl", rule="significant", **question).to_markdown()
    assert "| not significantly outside the band |" in text
    # A thousand million times 0.4 - 0.3 is 100000000.00000003 in floats.
    per_billion = pf.Metric("per_billion", "Parts", (a.selection_rate - d.selection_rate) * 1e9)
    question["bands"] = {"per_billion": (-1e8, 1e8)}
    text = pf.report(frame, per_billion, rule="point", **question).to_markdown()
    assert "| within the band |" in text

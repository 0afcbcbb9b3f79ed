"""P-values beside the values of an audit."""

from __future__ import annotations

import polars as pl
import pytest

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


def test_p_values_are_fishers_and_cmhs_adjusted_as_requested() -> None:
    """Fisher's tea tasting, as acceptances, and once more within a branch; Holm doubles both."""
    frame = predictions(F=(3, 1), M=(1, 3)).with_columns(branch=pl.lit("n"))
    question = {**F_AGAINST_M, "subgroup": "branch"}
    answer = pf.audit(frame, "dppl", "ci", "cddpl", p_values="exact", **question)
    assert answer["p_value"].to_list() == pytest.approx([34 / 70, None, 34 / 70])
    adjusted = pf.audit(frame, "dppl", "ci", "cddpl", p_values="holm", **question)
    assert adjusted["p_value"].to_list() == pytest.approx([68 / 70, None, 68 / 70])
    # Three tests of one p-value: three times the smallest would be more than 3/3 times it.
    discovered = pf.audit(frame, "dppl", "di", "ci", "cddpl", p_values="bh", **question)
    assert discovered["p_value"].to_list() == pytest.approx([34 / 70, 34 / 70, None, 34 / 70])
    weighted = pf.audit(frame.with_columns(w=1.0), "dppl", p_values="exact", weight="w", **question)
    assert weighted["p_value"].to_list() == [None]

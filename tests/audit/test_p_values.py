"""P-values beside the values of an audit."""

from __future__ import annotations

from math import sqrt

import polars as pl
import pytest
from scipy import stats

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


def test_p_values_are_fishers_and_cmhs_adjusted_as_requested() -> None:
    """Fisher's tea tasting, as acceptances; Holm doubles the smaller of two p-values."""
    frame = predictions(F=(3, 1), M=(1, 3)).with_columns(branch=pl.lit("n"))
    question = {**F_AGAINST_M, "subgroup": "branch"}
    answer = pf.audit(frame, "dppl", "ci", "cddpl", p_values="exact", **question)
    # Cochran, Mantel and Haenszel: 3 observed, 2 expected, variance 4·4·4·4/(8²·7).
    cmh = 2 * (1 - stats.norm.cdf(1 / sqrt(256 / 448)))
    assert answer["p_value"].to_list() == pytest.approx([34 / 70, None, cmh])
    adjusted = pf.audit(frame, "dppl", "ci", "cddpl", p_values="holm", **question)
    assert adjusted["p_value"].to_list() == pytest.approx([34 / 70, None, 2 * cmh])
    # Three tests: three times the smallest would be more than the larger two times 3/3.
    discovered = pf.audit(frame, "dppl", "di", "ci", "cddpl", p_values="bh", **question)
    assert discovered["p_value"].to_list() == pytest.approx([34 / 70, 34 / 70, None, 34 / 70])
    weighted = pf.audit(frame.with_columns(w=1.0), "dppl", p_values="exact", weight="w", **question)
    assert weighted["p_value"].to_list() == [None]

"""Errors of an audit's arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import polars_fairness as pf
from tests.frames import QUESTION, people

# Calls marked `type: ignore` are errors for a type checker, and have to be errors at run time too.
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: pf.audit(people(), confidence=1.5, **QUESTION),
        r"confidence: takes a number between 0 and 1, such as 0.95, or None, got 1\.5",
    ),
    (
        lambda: pf.audit(people(), confidence="high", **QUESTION),  # type: ignore[call-overload]
        "confidence: takes a number, got 'high'",
    ),
    (
        lambda: pf.audit(people(), method="wald", **QUESTION),  # type: ignore[call-overload]
        "method: takes 'auto', 'newcombe', 'log' or 'delong', got 'wald'",
    ),
    (
        lambda: pf.audit(people(), "di", method="newcombe", **QUESTION),
        "method: 'newcombe' is for differences of two rates, and none of these is one: 'di'; "
        "use 'auto'",
    ),
    (
        lambda: pf.audit(people(), "dppl", method="newcombe", weight="w", **QUESTION),
        "method: needs independent rows that count once each, not so beside weight='w'; leave one",
    ),
    (
        lambda: pf.audit(people(), replicates=0, **QUESTION),
        "replicates: takes a whole number, at least 1, got 0",
    ),
    (
        lambda: pf.audit(people(), seed=1.5, **QUESTION),  # type: ignore[call-overload]
        r"seed: takes a whole number, at least 0, got 1\.5",
    ),
    (
        lambda: pf.audit(people(), minimum_count=-1, **QUESTION),
        "minimum_count: takes a whole number, at least 0, got -1",
    ),
    (
        lambda: pf.audit(people(), "dppl", bands={"dpl": (0, 1)}, **QUESTION),
        "bands: 'dpl' is not among the metrics; did you mean 'dppl'?",
    ),
    (
        lambda: pf.audit(people(), "dppl", bands={"dppl": (1, 0)}, **QUESTION),
        r"bands: 'dppl' takes a pair \(low, high\) or None, got \(1, 0\)",
    ),
    (
        lambda: pf.audit(people(), "dppl", p_values="bonferroni", **QUESTION),  # type: ignore[call-overload]
        "p_values: takes 'exact', 'holm', 'bh' or None, got 'bonferroni'",
    ),
    (
        lambda: pf.audit(people(), "dppl", bands={"dppl": (0.8, 1.25)}, **QUESTION),
        "bands: 0.8 to 1.25 does not hold the ideal value of 'dppl', which is 0; give a band",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": 5}, **QUESTION),  # type: ignore[dict-item]
        r"bands: 'di' takes a pair \(low, high\) or None, got 5",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": ()}, **QUESTION),  # type: ignore[dict-item]
        r"bands: 'di' takes a pair \(low, high\) or None, got \(\)",
    ),
    (
        lambda: pf.audit(people(), "di", bands={"di": ("a", "b")}, **QUESTION),  # type: ignore[dict-item]
        "bands: takes numbers for 'di', got 'a'",
    ),
    (
        lambda: pf.audit(people(), "di", bands=[1], **QUESTION),  # type: ignore[call-overload]
        r"bands: takes a dictionary \{metric: \(low, high\)\}, got \[1\]",
    ),
    (
        lambda: pf.audit(people(), "di", method=["log"], **QUESTION),  # type: ignore[call-overload]
        r"method: takes 'auto', 'newcombe', 'log' or 'delong', got \['log'\]",
    ),
    (
        lambda: pf.audit(people().rename({"month": "verdict"}), by="verdict", **QUESTION),
        "by: the result has a column called 'verdict' already; give this column another name with",
    ),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_wrong_argument_is_refused_with_what_it_takes(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(pf.FairnessError, match=f"^{message}"):
        call()

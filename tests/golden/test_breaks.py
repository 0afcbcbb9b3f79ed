"""The breaks that the golden answers catch can still be applied.

`tools/break_one_by_one.py` applies them, which takes minutes.
"""

from __future__ import annotations

import pytest
from break_one_by_one import ROOT, breaks, broken

from tests.golden.questions import questions


@pytest.mark.parametrize("each", breaks(), ids=lambda each: each["what"])
def test_that_a_break_has_its_place_and_its_question(each: dict[str, str]) -> None:
    text = (ROOT / "polars_fairness" / each["file"]).read_text(encoding="utf-8")
    assert broken(text, each) != text
    assert any(question.name.startswith(each["question"]) for question in questions())

"""The breaks that golden answers and named tests catch can still be applied.

`tools/break_one_by_one.py` applies them, which takes minutes.
"""

from __future__ import annotations

import pytest
from break_one_by_one import ROOT, breaks, broken

from tests.golden.questions import questions


@pytest.mark.parametrize("each", breaks(), ids=lambda each: each["what"])
def test_that_a_break_has_its_place_and_what_catches_it(each: dict[str, str]) -> None:
    text = (ROOT / "polars_fairness" / each["file"]).read_text(encoding="utf-8")
    assert broken(text, each) != text
    [caught_by] = each.keys() & {"question", "test"}
    if caught_by == "question":
        assert any(question.name.startswith(each["question"]) for question in questions())
    else:
        file, _, name = each["test"].partition("::")
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8")

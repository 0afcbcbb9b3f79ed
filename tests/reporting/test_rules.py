"""The rule of each verdict, in a report."""

from __future__ import annotations

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions


def test_a_report_says_which_rule_gave_a_verdict() -> None:
    # di is 0.75, and 3 of 10 against 4 of 10 have a p-value of 1.
    frame = predictions(F=(3, 7), M=(4, 6))
    text = pf.report(frame, "di", "dppl", **F_AGAINST_M).to_markdown()
    assert "Verdicts follow the rule interval: a verdict is within or outside" in text
    assert "| rule | interval | How a verdict is reached: " in text

    by_each = pf.report(frame, "di", "dppl", rule={"di": "significant"}, **F_AGAINST_M)
    text = by_each.to_markdown()
    assert "Verdicts follow the rule significant for di: a value outside the band counts" in text
    assert ". They follow the rule interval for dppl: " in text
    assert "| rule | di: significant |" in text
    assert "| p\\_values | exact |" in text or "| p_values | exact |" in text
    assert "| 0.8 to 1.25 | 1.0000 | not significantly outside the band |" in text
    assert "- 1 not significantly outside the band" in text

    point = pf.report(frame, "di", rule="point", **F_AGAINST_M).to_markdown()
    assert "the value alone is judged" in point
    assert "| outside, against F |" in point

"""The rules by which verdicts are reached."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from scipy import stats

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M, audit_row
from tests.frames import predictions, shared
from tests.strategies import EVERYTHING, examples, frames

WORSE, BETTER = "outside F", "outside M"
RULES: tuple[Any, ...] = ("interval", "point", "significant")


@pytest.mark.parametrize(
    ("f", "m", "interval", "point", "significant"),
    [
        # di is 0.758 with a p-value of 8e-6 (scipy), and its interval crosses 0.8.
        ((300, 700), (396, 604), "uncertain", WORSE, WORSE),
        ((396, 604), (300, 700), "uncertain", BETTER, BETTER),
        # di is 0.75, and 3 of 10 against 4 of 10 have a p-value of 1.
        ((3, 7), (4, 6), "uncertain", WORSE, "within"),
        # di is 0.9: significantly below 1, but in the band.
        ((4500, 5500), (5000, 5000), "within", "within", "within"),
        ((300, 700), (600, 400), WORSE, WORSE, WORSE),
        # 0 of 4 and 0 of 6: 0/0.
        ((0, 4), (0, 6), "undefined", "undefined", "undefined"),
    ],
)
def test_each_rule_reaches_its_verdict(
    f: tuple[int, int], m: tuple[int, int], interval: str, point: str, significant: str
) -> None:
    frame = predictions(F=f, M=m)
    rows = {rule: audit_row(frame, "di", rule=rule) for rule in RULES}
    assert audit_row(frame, "di") == rows["interval"]
    verdicts = {
        rule: " ".join(filter(None, (row["verdict"], row["against"]))) for rule, row in rows.items()
    }
    assert verdicts == {"interval": interval, "point": point, "significant": significant}
    measures = ("value", "lower", "upper")
    assert len({tuple(row[name] for name in measures) for row in rows.values()}) == 1


def test_one_in_twenty_is_not_below_5_percent() -> None:
    """Of 16 people with 4 yes, both of a group of 2: C(4, 2) / C(16, 2) = 6 / 120."""
    frame = predictions(F=(2, 12), M=(2, 0))
    assert audit_row(frame, "di", rule="significant")["verdict"] == "within"


def test_adjusted_p_values_decide() -> None:
    """4 of 40 against 12 of 40: p is 0.048 (Fisher), doubled by Holm where two are tested."""
    frame = predictions(F=(4, 36), M=(12, 28))
    metrics, question = ("di", "dppl"), {**F_AGAINST_M, "rule": "significant"}
    exact = pf.audit(frame, *metrics, **question)
    holm = pf.audit(frame, *metrics, p_values="holm", **question)
    p = stats.fisher_exact([[4, 36], [12, 28]]).pvalue
    assert exact["p_value"].to_list() == pytest.approx([p, p])
    assert exact["verdict"].to_list() == ["outside", "outside"]
    assert holm["p_value"].to_list() == pytest.approx([2 * p, 2 * p])
    assert holm["verdict"].to_list() == ["within", "within"]


def test_without_a_p_value_significance_is_undefined() -> None:
    frame = pl.DataFrame(
        {"sex": ["F"] * 4 + ["M"] * 4, "y": [1, 0] * 4, "p": [0, 0, 0, 1, 1, 1, 1, 0], "w": 1.0}
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "predicted": "p"}
    answer = pf.audit(
        frame, "accuracy_gap", "ci", "dppl", rule="significant", bands={"accuracy_gap": (0, 0.1)},
        **question,
    )  # fmt: skip
    # A maximum over groups has no test, and ci has no band.
    assert answer["verdict"].to_list() == [None, "within", "undefined"]
    weighted = shared(pf.audit, frame, "dppl", weight="w", rule="significant", **question)
    assert weighted["verdict"].to_list() == ["undefined"]


@pytest.mark.parametrize("lazy", [True, False])
def test_a_window_without_a_side_stays_undefined(lazy: bool) -> None:
    frame = pl.DataFrame({"sex": ["F", "M", "M", None], "p": [1, 1, 1, 0], "month": [1, 1, 2, 3]})
    rows = frame.lazy() if lazy else frame
    for rule in RULES:
        answer = pf.audit(
            rows, "dppl", facet="sex", disfavored="F", predicted="p", by="month", rule=rule
        )
        verdicts = answer.lazy().collect().filter(pl.col("month") > 1)["verdict"]
        assert verdicts.to_list() == ["undefined", "undefined"]


MIRRORED = ["di", "dppl", "cohens_d", "rd", "dar", "four_fifths", "mh_ratio", "mh_difference"]


@given(frame=frames(values=("F", "M", None)))
@examples(20)
def test_weights_that_are_all_alike_change_no_verdict_on_a_value(frame: pl.DataFrame) -> None:
    question = {**EVERYTHING, "disfavored": "F", "rule": "point", "confidence": None}
    unweighted, weighted = (
        pf.audit(frame.with_columns(w=0.1), *MIRRORED, weight=weight, **question)["verdict"]
        for weight in (None, "w")
    )
    assert weighted.to_list() == unweighted.to_list()

"""A value of another type is an error that names its argument, and no error of polars or Python."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf

ROWS: Final = pl.DataFrame({"sex": ["F", "M"] * 20, "p": [1, 0, 1, 1] * 10})
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "p"}


@pytest.mark.parametrize(
    "given", [True, 3, pl.lit(1), ROWS, [3]], ids=lambda each: type(each).__name__
)
def test_what_a_gate_fails_on_is_a_word(given: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^fail_on: takes .*, got "):
        pf.check(ROWS, "di", fail_on=given, **QUESTION)


@pytest.mark.parametrize("given", [True, 3, pl.lit(1), ROWS, {"di": pl.lit(1)}, ["interval"]])
def test_a_rule_is_a_word(given: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^rule: .*, got "):
        pf.audit(ROWS, "di", rule=given, **QUESTION)


@pytest.mark.parametrize("given", [ROWS, ROWS.lazy(), [ROWS], pl.lit("F")])
def test_unknown_is_a_value_of_a_facet(given: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^unknown: .* is no value of a facet"):
        pf.audit(ROWS, "di", unknown=given, **QUESTION)


@pytest.mark.parametrize("given", ["1e400", "-1e400", "1e999999", "1e401%"])
def test_a_reported_number_beyond_all_floats_is_refused(given: str) -> None:
    with pytest.raises(pf.FairnessError, match=r"^reported: takes .*too large"):
        pf.compare(ROWS, "di", reported=given, **QUESTION)

"""A report as a dictionary, for tools that track experiments: its keys and values."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import berkeley, entries_of_audit, monthly


def test_values_and_verdicts_have_keys() -> None:
    entries = berkeley("dppl", "selection_rate_gap").to_dict()
    # 1198 / 2691 of the men and 557 / 1835 of the women were admitted.
    assert entries["dppl/sex/Female"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert entries["verdict/dppl/sex/Female"] == "against_disfavored"
    assert entries["selection_rate_gap/sex"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert not any(key.startswith(("lower/", "upper/")) for key in entries)


def test_windows_and_special_characters_are_part_of_the_key() -> None:
    frame = monthly().with_columns(sex=pl.col("sex").replace("F", "F/50%"))
    entries = pf.report(
        frame, "dppl", facet="sex", disfavored="F/50%", predicted="hired", by="month"
    ).to_dict()
    assert entries["dppl/sex/F%2F50%25/month=2025-01-01"] == 0
    assert entries["dppl/sex/F%2F50%25/month=2025-02-01"] == 0.5


def test_comparisons_with_the_same_text_have_distinct_keys() -> None:
    """Hired are 2 of 2 in ("A & B", "C"), 1 of 2 in ("A", "B & C") and 0 of 2 in ("D", "E")."""
    frame = pl.DataFrame(
        {
            "x": ["A & B", "A", "D"] * 2,
            "z": ["C", "B & C", "E"] * 2,
            "hired": [1, 1, 0, 1, 0, 0],
        }
    )
    keys = pf.report(
        frame, "dppl", facet=pl.struct("x", "z").alias("f"), predicted="hired", confidence=None
    ).to_dict()
    alike = {key: keys[key] for key in ("dppl/f/A & B & C", "dppl/f/A & B & C#2")}
    assert sorted(alike.values()) == [1 / 4 - 1, 1 / 2 - 1 / 2]
    assert keys["dppl/f/D & E"] == 3 / 4
    assert {key for key in keys if "verdict" in key} == {
        f"verdict/{k}" for k in [*alike, "dppl/f/D & E"]
    }


def test_a_number_sign_in_a_name_is_escaped() -> None:
    frame = pl.DataFrame({"sex": ["F", "F#2", "M"], "hired": [1, 0, 1]})
    keys = pf.report(frame, "dppl", facet="sex", predicted="hired", confidence=None).to_dict()
    assert keys["dppl/sex/F%232"] == 1


def test_an_undefined_value_has_a_verdict_and_no_number() -> None:
    none_hired = pl.DataFrame({"sex": ["F", "M"], "hired": [0, 0]})
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    entries = entries_of_audit(pf.report(none_hired, "four_fifths", **question))
    assert entries == {"verdict/four_fifths/sex/F": "undefined"}


def test_a_report_names_its_schema_its_package_and_what_it_is_about() -> None:
    policy = pf.Policy(name="Loans", version="7")
    report = berkeley("dppl", policy=policy)
    entries = report.to_dict(title="Loans", date=date(2025, 7, 31))
    texts = {key: entry for key, entry in entries.items() if isinstance(entry, str)}
    assert texts == {
        "schema": "urn:polars-fairness:report:1",
        "package/version": pf.__version__,
        "data/digest": report.findings.digest,
        "about/title": "Loans",
        "about/date": "2025-07-31",
        "policy/name": "Loans",
        "policy/version": "7",
        "policy/hash": policy.hash,
        "verdict/dppl/sex/Female": "against_disfavored",
    }

"""A report as Markdown, a dictionary, JSON and a model card, and what it says of itself."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run
from tests.reporting.reports import HOSTILE, berkeley, entries_of_audit, monthly


def test_a_time_is_text_and_what_no_page_can_hold_is_replaced() -> None:
    date = datetime(2025, 7, 31, 12)
    text = berkeley("ddpl").to_markdown(title="a\x1b[31m\ud800", version="3", date=date)
    lines = text.splitlines()
    assert lines[0] == "# a\N{REPLACEMENT CHARACTER}\\[31m\N{REPLACEMENT CHARACTER}"
    assert lines[4] == "Version: 3 · Date: 2025-07-31 12:00:00"


def test_the_title_is_the_given_one_and_the_details_stand_below_it() -> None:
    policy = pf.Policy(name="Loans", version="7")
    given: dict[str, Any] = {
        "subject": "All of 2025",
        "author": "A & B",
        "version": "3",
        "date": "2025-07-31",
    }
    given |= {"title": "Loans *now*", "model": "credit"}
    report = berkeley("ddpl", policy=policy)
    below = [
        "All of 2025",
        "Column admitted, by sex",
        "Model: credit · Version: 3 · Author: A & B · Date: 2025-07-31",
        f"Policy: Loans, version 7 (sha256 {policy.hash[:12]})",
    ]
    lines = report.to_markdown(**given).splitlines()
    assert lines[0] == r"# Loans \*now\*"
    assert lines[2:10:2] == [each.replace("&", "&amp;") for each in below]


@pytest.mark.parametrize(
    ("facet", "title"),
    [
        ("sex", "Column hired, by sex"),
        (["sex", "race"], "Column hired, by sex and race"),
        (["sex", "race", pl.struct("sex", "race")], "Column hired, by sex and race"),
        ([pl.struct("sex", "race")], "Column hired, by sex & race"),
        (["sex", pl.struct("sex", "race")], "Column hired, by sex and sex & race"),
        (["a", "b", "c"], "Column hired, by a, b and c"),
    ],
)
def test_a_title_names_the_facets_once(facet: Any, title: str) -> None:
    rows = monthly().with_columns(race="sex", a="sex", b="sex", c="sex")
    page = pf.report(rows, "di", facet=facet, predicted="hired", confidence=None).to_markdown()
    assert page.startswith(f"# {title}\n".replace("&", "&amp;"))


@pytest.mark.extras
def test_an_empty_report_says_that_nothing_is_compared(tmp_path: Path) -> None:
    report = pf.report(monthly().clear(), "dppl", facet="sex", predicted="hired")
    assert "There is nothing to compare" in report.to_markdown()
    report.write_html(tmp_path / "page.html")
    assert entries_of_audit(report) == {}
    rows = monthly().clear().with_columns(score=pl.lit(0.5), label=pl.lit(1))
    question: dict[str, Any] = {"facet": "sex", "score": "score", "label": "label"}
    of_scores = pf.report(rows, "di", threshold=0.5, **question)
    assert "There is nothing to compare" in of_scores.to_markdown()


def test_a_window_without_a_comparison_has_its_rows_counted() -> None:
    frame = pl.DataFrame(
        {"month": [1, 1, 2, 2], "sex": ["F", "M", "F", "M"], "p": [None, None, 1, 0]}
    )
    report = pf.report(frame, "di", facet="sex", predicted="p", by="month", nulls="drop")
    text = report.to_markdown()
    assert "There were no groups to compare." in text
    assert "| sex | 1 | 2 | 0 | 2 | 0 |" in text


def test_values_and_verdicts_have_keys() -> None:
    entries = berkeley("dppl", "selection_rate_gap").to_dict()
    # 1198 / 2691 of the men and 557 / 1835 of the women were admitted.
    assert entries["dppl/sex/Female"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert entries["verdict/dppl/sex/Female"] == "outside"
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


def test_an_undefined_value_has_a_verdict_and_no_number() -> None:
    none_hired = pl.DataFrame({"sex": ["F", "M"], "hired": [0, 0]})
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    entries = entries_of_audit(pf.report(none_hired, "four_fifths", **question))
    assert entries == {"verdict/four_fifths/sex/F": "undefined"}


def test_a_report_names_its_package_and_what_it_is_about() -> None:
    policy = pf.Policy(name="Loans", version="7")
    report = berkeley("dppl", policy=policy)
    entries = report.to_dict(title="Loans", date=date(2025, 7, 31))
    texts = {key: entry for key, entry in entries.items() if isinstance(entry, str)}
    assert texts == {
        "package/version": pf.__version__,
        "data/digest": report.answers.digest,
        "about/title": "Loans",
        "about/date": "2025-07-31",
        "policy/name": "Loans",
        "policy/version": "7",
        "policy/hash": policy.hash,
        "verdict/dppl/sex/Female": "outside",
    }


BY_MONTH: dict[str, Any] = {"facet": "sex", "predicted": "hired", "by": "month"}


def written(report: pf.Report, **texts: Any) -> dict[str, Any]:
    report.write_json("report.json", **texts)
    found: dict[str, Any] = json.loads(Path("report.json").read_text("utf-8"))
    return found


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_what_the_report_is_and_what_was_requested() -> None:
    policy = pf.Policy(name="Hiring", version="2")
    report = pf.report(monthly(), "dppl", **BY_MONTH, policy=policy)
    found = written(report, title=HOSTILE, date=date(2025, 3, 1))
    assert found["title"] == HOSTILE
    assert found["about"] == {"title": HOSTILE, "date": "2025-03-01"}
    assert found["package"] == {"name": "polars-fairness", "version": pf.__version__}
    assert found["data"] == {"digest": report.to_dict()["data/digest"]}
    assert found["policy"] == {"name": "Hiring", "version": "2", "hash": policy.hash}
    assert found["question"]["facet"] == "sex"
    assert found["question"]["confidence"] == "95\u202f%"


def test_its_records_are_those_of_the_command_line(run: Run) -> None:
    found = written(pf.report(monthly(), "dppl", "di", **BY_MONTH, replicates=50))
    assert [record["value"] for record in found["audit"]] == [0, 1, 0.5, 0]
    monthly().write_parquet("hired.parquet")
    words = ["--facet", "sex", "--predicted", "hired", "--by", "month", "--format", "json"]
    audit = ["audit", "hired.parquet", "--metric", "dppl,di", "--replicates", "50"]
    assert found["audit"] == json.loads(run(*audit, *words)[1])
    assert found["rates"] == json.loads(run("rates", "hired.parquet", *words)[1])


def test_the_same_arguments_give_the_same_bytes() -> None:
    for name in ("one", "other"):
        pf.report(monthly(), "di", "dppl", **BY_MONTH, replicates=20).write_json(name)
    assert Path("one").read_bytes() == Path("other").read_bytes()


HIRED: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}


@pytest.mark.extras
@pytest.mark.parametrize(
    "name", ["m", HOSTILE, "---\n- x: #", "yes", "\x85\u2028\ufeff😀", "'\"\\"]
)
def test_metadata_have_the_judged_values_of_the_latest_window(name: str) -> None:
    """In February 0 of 2 F and 1 of 2 M were hired; a gap has no band."""
    import yaml

    frame = monthly().with_columns(sex=pl.col("sex").replace("F", name))
    report = pf.report(frame, "dppl", "selection_rate_gap", **HIRED, by="month", disfavored=name)
    _, metadata, text = report.to_model_card(model=name, subject=name).split("---\n", 2)
    [entry] = yaml.safe_load(metadata)["model-index"]
    [result] = entry["results"]
    [metric] = result["metrics"]
    where = f"sex: {name} against M (month 2025-02-01)"
    assert metric == {
        "type": "dppl",
        "name": f"{pf.CATALOGUE['dppl'].title}, {where}",
        "value": 0.5,
    }
    assert entry["name"] == result["dataset"]["name"] == name
    assert text.startswith("\n## Fairness: Column hired, by sex\n\n")
    assert "<script" not in text


@pytest.mark.extras
def test_each_model_has_its_results() -> None:
    """Of the old model, F has 1 of 4 and M 2 of 4."""
    models = {"old": "hired", "new": pl.lit(True)}
    card = pf.report(monthly(), "dppl", **HIRED | {"predicted": models}).to_model_card()
    values = {
        model: card.split(f'- name: "{model}"')[1].split("value: ")[1][:4] for model in models
    }
    assert values == {"old": "0.25", "new": "0.00"}

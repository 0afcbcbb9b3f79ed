"""What pages say where labels are missing: a range where there is no value, and what decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.traced import document_of, untraced
from tests.test_assumed_labels import ASKED, FEW, NONE


def written(report: pf.Report) -> str:
    return report.to_markdown().replace("\N{NARROW NO-BREAK SPACE}", " ")


def test_a_range_outside_its_band_is_said_and_is_judged() -> None:
    # Positive of the 600 rejected of F: 0.8 * 450 to 450; of the 400 of M 0.8 * 1000/3 to 1000/3.
    lowest = 500 / (500 + 1000 / 3) - 300 / (300 + 360)
    highest = 500 / (500 + 800 / 3) - 300 / (300 + 450)
    report = pf.report(NONE, "rd", **ASKED, unlabelled=(0.8, 1))
    page, flat = written(report), report.to_dict()
    ends = f"{100 * lowest:.1f} and {100 * highest:.1f} points"
    assert (
        "The true positive rate difference of the group F compared with the group M lies between "
        f"{ends}, depending on the missing labels." in page
    )
    row = pf.audit(NONE, "rd", **ASKED, unlabelled=(0.8, 1)).row(0, named=True)
    interval = f"{100 * row['lower']:.1f} to {100 * row['upper']:.1f} points"
    assert f"the whole 95 % interval, {interval}, is outside it" in page
    assert f"{100 * lowest:.1f} to {100 * highest:.1f} ({interval}) | Outside |" in page
    assert "The only judged value is outside its band." in page
    assert "No value is judged" not in page
    assert "ot computed" not in page
    assert flat["lowest/rd/g/F"] == pytest.approx(lowest)
    assert flat["highest/rd/g/F"] == pytest.approx(highest)
    assert flat["holds_from/rd/g/F"] == row["holds_from"]
    assert "rd/g/F" not in flat
    assert untraced(document_of(report)) == []


@pytest.mark.parametrize(
    ("frame", "unlabelled", "confidence"),
    [
        (NONE, "any", 0.95),
        (NONE, (0.8, 1), 0.95),
        (FEW, "worse", 0.95),
        (FEW, "random", 0.95),
        (FEW, 0.5, None),
    ],
)
def test_a_page_judges_as_the_audit_does(frame: Any, unlabelled: Any, confidence: Any) -> None:
    given = ASKED | {"unlabelled": unlabelled, "confidence": confidence}
    given |= {"replicates": 50} if confidence else {}
    report = pf.report(frame, "rd", "average_odds_difference", "di", **given)
    counts = dict.fromkeys(("outside", "uncertain", "within"), 0)
    names = {"outside": "outside", "within": "within"}
    for verdict in pf.audit(frame, "rd", "average_odds_difference", "di", **given)["verdict"]:
        counts[names.get(verdict, "uncertain")] += verdict != "undefined"
    heads = " | ".join(f"{name.capitalize()}: {n}" for name, n in counts.items())
    assert f"| {heads} |" in written(report)
    assert untraced(document_of(report)) == []


def test_a_range_is_not_read_as_rates_of_the_labelled() -> None:
    page = written(pf.report(FEW, "rd", **ASKED, unlabelled="worse"))
    # Of each side's rejected 0 to 0.6, and 0 to 0.4, of those without a label.
    lowest = 500 / (506 + 0.4 * 350) - 300 / 306
    highest = 500 / 506 - 300 / (306 + 0.6 * 500)
    ends = f"{100 * lowest:.1f} and {100 * highest:.1f} points".replace("-", "−")
    assert f"lies between {ends}, depending on the missing labels" in page
    assert "The true positive rate is" not in page
    assert "True positive rate: of the rows with a label." in page
    assert "Base rate, true positive rate and false positive rate: of the rows with" in page


def test_more_rows_do_not_settle_what_missing_labels_decide() -> None:
    more: list[dict[str, Any]] = [{}, {"unlabelled": "worse"}]
    for given in more:
        page = written(pf.report(FEW, "rd", **ASKED, **given))
        assert "needed to tell" not in page
        assert "chance" not in page
        assert "; missing labels decide: " in page
        assert "Depends: missing data decide whether the value is outside or within" in page
    planned = pf.plan(FEW, "rd", **ASKED).row(0, named=True)
    assert planned["verdict"] == "depends"
    assert (planned["rows_needed"], planned["power"]) == (None, None)


def test_the_column_of_ranges_says_what_is_unknown_and_has_room(tmp_path: Path) -> None:
    labels = pf.report(FEW, "rd", **ASKED, unlabelled="worse")
    groups = FEW.with_columns(g=pl.when(pl.int_range(pl.len()) % 50 > 0).then("g"))
    unknown = pf.report(groups, "dppl", **ASKED, bounds=True)
    for report, title in ((labels, "missing labels"), (unknown, "unknown groups")):
        assert f"| Range over {title} |" in written(report)
        report.write_html(tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text()
        assert 'class="pf-k-range"' in page
        assert ".pf-values .pf-k-range{min-width:6rem;overflow-wrap:normal}" in page

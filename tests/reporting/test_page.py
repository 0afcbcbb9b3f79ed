"""A report as a page, without a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import polars_fairness as pf
from tests.reporting.reports import Elements, berkeley, monthly


@pytest.mark.extras
def test_the_same_report_made_again_is_the_same_page() -> None:
    """Charts over time have clip paths, which vl-convert numbers through the whole process."""
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired", "by": "month"}
    reports = (pf.report(monthly(), "di", "dppl", **question) for _ in range(2))
    first, second = (report._repr_html_() for report in reports)
    assert "clip-path" in first
    assert first == second


@pytest.mark.extras
def test_a_notebook_shows_a_part_of_a_page() -> None:
    shown = berkeley("di")._repr_html_()
    assert shown.startswith('<div class="pf-report" ')
    assert "<html" not in shown


@pytest.mark.extras
def test_every_table_and_chart_can_be_read_aloud(tmp_path: Path) -> None:
    berkeley().write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert len(page) < 1_500_000
    tags = [tag for tag, _ in Elements(page).found]
    assert tags.count("caption") == tags.count("table") > 0
    assert re.findall(r'<th scope="row"', page)
    drawings = [attributes for tag, attributes in Elements(page).found if tag == "svg"]
    assert drawings
    assert all(
        "aria-hidden" in drawing or (drawing["role"] == "img" and drawing["aria-label"])
        for drawing in drawings
    )
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", page).replace("http-equiv", "")


def test_a_page_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _name: None)
    with pytest.raises(pf.FairnessError, match=r'pip install "polars-fairness\[report\]"'):
        berkeley("dppl").write_html("never-written.html")


@pytest.mark.extras
@pytest.mark.parametrize(
    ("path", "reason"),
    [("nowhere/page.html", "No such file or directory"), (".", "Is a directory")],
)
def test_a_page_that_cannot_be_written_names_its_file(path: str, reason: str) -> None:
    question: dict[str, Any] = {"facet": "sex", "score": "score", "threshold": [0.25, 0.5]}
    explored = pf.explore(pf.datasets.loans().head(100), "di", **question)
    for page in (berkeley("dppl"), explored):
        with pytest.raises(pf.FairnessError) as error:
            page.write_html(path)
        assert str(error.value) == (
            f"path: cannot write {path!r}: {reason}; give the name of a file in a folder that "
            "there is"
        )


def test_importing_the_package_imports_no_charts() -> None:
    seen = "import polars_fairness, sys; assert not {'altair', 'great_tables'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", seen], check=True)


def test_text_needs_none_of_what_draws(tmp_path: Path) -> None:
    program = """\
import sys
sys.modules |= dict.fromkeys(("altair", "vl_convert", "great_tables", "markdown_it"))
import polars_fairness as pf
from polars_fairness.cli import main
rows, question = pf.datasets.berkeley(), {"facet": "sex", "predicted": "admitted", "count": "n"}
rows.write_parquet("rows.parquet")
print(pf.report(rows, "di", by="department", **question).to_markdown())
print(pf.lending.report(rows, favored="Male", **question).to_markdown())
main(["rates", "rows.parquet", "--facet", "sex", "--predicted", "admitted"])
"""
    call = [sys.executable, "-c", program]
    ended = subprocess.run(call, check=True, cwd=tmp_path, capture_output=True, text=True)
    assert ended.stdout.count("# ") > 5
    assert "by sex\n  Female" in ended.stdout

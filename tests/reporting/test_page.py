"""A report as a page, without a browser."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import polars_fairness as pf
from tests.reporting.reports import Elements, berkeley, monthly


@pytest.mark.extras
def test_lines_over_time_and_of_scores_are_light() -> None:
    """Drawn by Vega, and with the curves of every quarter, this page had 480 kB."""
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "by": "decided_on", "every": "1q"}
    question |= {"label": "repaid", "predicted": "approved", "score": "score"}
    report = pf.report(pf.datasets.loans(), "di", "rd", **question)
    page = report.written("html").decode()
    assert len(page.encode()) <= 50_000
    assert page.count('<svg class="pf-plot" aria-hidden') == 5


@pytest.mark.extras
def test_the_same_report_made_again_is_the_same_page() -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired", "by": "month"}
    reports = (pf.report(monthly(), "di", "dppl", **question) for _ in range(2))
    first, second = (report._repr_html_() for report in reports)
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
    # A strip draws what the texts of its row say.
    assert re.findall(r'<td class="pf-pic" aria-hidden="true"><svg', page)
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", page).replace("http-equiv", "")


@pytest.mark.extras
def test_a_page_of_two_facets_is_light(tmp_path: Path) -> None:
    """Of 75 kB, 25 were labels and roles of cells, end tags, and rules of what is not there."""
    question: dict[str, Any] = {"facet": ["sex", "race"], "favored": {"sex": "M", "race": "White"}}
    question |= {"label": "repaid", "predicted": "approved", "subgroup": "branch"}
    report = pf.report(pf.datasets.loans(), "di", "rd", "mh_ratio", "cddpl", **question)
    report.write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert len(page.encode()) <= 51_000
    # No rule is about a class, and none defines a colour, that this page does not have.
    style, _, body = page.partition("</style>")
    rules = [*re.findall(r"([^{}]+)\{[^{}]*\}", style.partition("<style>")[2])]
    simple = {name for each in rules for name in re.findall(r"^\.(pf-[\w-]+)$", each)}
    assert simple <= {
        name for used in re.findall(r'class="([^"]*)"', body) for name in used.split()
    }
    assert {*re.findall(r"--pf-([a-z]\w*):", style)} <= {*re.findall(r"var\(--pf-(\w+)", page)}


@pytest.mark.extras
def test_each_sheet_has_the_kind_of_its_page() -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}
    lending = pf.lending.report(pf.datasets.berkeley(), favored="Male", **question)
    for report, kind in ((berkeley("dppl"), "Fairness audit"), (lending, lending.kind)):
        page = report.written("html").decode()
        assert f'<p class="pf-kicker">{kind}</p>' in page
        assert f'@bottom-left{{content:"{kind}"' in page


def test_a_page_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _name: None)
    with pytest.raises(pf.FairnessError, match=r'pip install "polars-fairness\[report\]"'):
        berkeley("dppl").write_html("never-written.html")


@pytest.mark.extras
def test_a_page_that_cannot_be_written_names_its_file() -> None:
    question: dict[str, Any] = {"facet": "sex", "score": "score", "threshold": [0.25, 0.5]}
    explored = pf.explore(pf.datasets.loans().head(100), "di", **question)
    for page, path, reason in (
        (berkeley("dppl"), "nowhere/page.html", "No such file or directory"),
        (explored, ".", "Is a directory"),
    ):
        with pytest.raises(pf.FairnessError) as error:
            page.write_html(path)
        assert str(error.value) == (
            f"path: cannot write {path!r}: {reason}; give the name of a file in a folder where "
            "files can be written"
        )


def test_text_needs_none_of_what_draws(tmp_path: Path) -> None:
    program = """\
import sys
sys.modules |= dict.fromkeys(("altair", "vl_convert", "great_tables", "jinja2"))
import polars_fairness as pf
from polars_fairness.cli import main
rows, question = pf.datasets.berkeley(), {"facet": "sex", "predicted": "admitted", "count": "n"}
rows.write_parquet("rows.parquet")
print(pf.report(rows, "di", by="department", **question).to_markdown())
print(pf.lending.report(rows, favored="Male", **question).to_markdown())
main(["rates", "rows.parquet", "--facet", "sex", "--predicted", "admitted", "--count", "n"])
"""
    call = [sys.executable, "-c", program]
    ended = subprocess.run(call, check=True, cwd=tmp_path, capture_output=True, text=True)
    assert ended.stdout.count("# ") > 5
    assert "by sex\n  Female" in ended.stdout


@pytest.mark.extras
@pytest.mark.parametrize("kind", ["html", "json"])
def test_a_full_disk_leaves_the_old_page(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk has place for 10 bytes, and an old page stands there."""
    whole = Path.write_bytes

    def cut(self: Path, content: bytes) -> None:
        whole(self, content[:10])
        if len(content) > 10:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", cut)
    path = tmp_path / f"page.{kind}"
    path.write_text("mine")
    with pytest.raises(pf.FairnessError) as error:
        getattr(berkeley("dppl"), f"write_{kind}")(path)
    assert str(error.value) == (
        f"path: cannot write {str(path)!r}: No space left on device; free space, or choose another "
        "folder"
    )
    assert path.read_text() == "mine"
    assert [*tmp_path.iterdir()] == [path]


def test_a_page_is_written_into_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    berkeley("dppl").write_json(pipe)
    reader.join()
    assert read[0].startswith("{")
    assert pipe.is_fifo()


def test_a_page_names_what_was_requested_and_has_no_verdict() -> None:
    loans = pf.datasets.loans()
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "approved"}
    named = pf.report(loans, "di", "ci", "ddpl", **question).to_markdown()
    assert "ci and ddpl have no acceptable band, and so no verdict." in named
    judged = pf.report(loans, "di", "ci", bands={"ci": (-0.2, 0.2)}, **question).to_markdown()
    assert "no acceptable band" not in judged

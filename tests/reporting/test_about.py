"""What a report says of itself: its title, author, date and the like."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.sections.order import document_of
from polars_fairness.reporting.words import title_of
from polars_fairness.reporting.written_report import checked_texts
from tests.reporting.reports import HOSTILE, Elements, berkeley


def test_texts_are_kept_and_a_date_is_written_as_text() -> None:
    given = {"title": "Loans", "subject": "2025", "author": "A", "model": "m", "version": "3"}
    assert checked_texts({"version": None, **given, "date": None}) == given
    assert checked_texts({"date": "July 2025"}) == {"date": "July 2025"}
    assert checked_texts({"date": date(2025, 7, 31)}) == {"date": "2025-07-31"}
    assert checked_texts({"date": datetime(2025, 7, 31, 12)}) == {"date": "2025-07-31 12:00:00"}


def test_characters_that_no_page_can_hold_are_replaced() -> None:
    [title] = checked_texts({"title": "a\x1b[31m\ud800"}).values()
    assert title == "a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}"


def test_the_title_is_the_given_one_and_the_details_stand_below_it() -> None:
    policy = pf.Policy(name="Loans", version="7")
    given = {"subject": "All of 2025", "author": "A & B", "version": "3", "date": "2025-07-31"}
    given |= {"title": "Loans *now*", "model": "credit"}
    report = berkeley("ddpl", policy=policy)
    below = [
        "All of 2025",
        "admitted by sex",
        "Model: credit · Version: 3 · Author: A & B · Date: 2025-07-31",
        f"Policy: Loans, version 7 (sha256 {policy.hash[:12]})",
    ]
    assert document_of(report.findings, given).details == tuple(below)
    lines = report.to_markdown(**given).splitlines()
    assert lines[0] == r"# Loans \*now\*"
    assert lines[6] == below[2].replace("&", "&amp;")
    assert document_of(berkeley("ddpl").findings, {}).details == ()


@pytest.mark.extras
def test_what_a_report_says_of_itself_is_text_on_a_page(tmp_path: Path) -> None:
    names = ("title", "subject", "author", "model", "version", "date")
    written = [f"{name} {HOSTILE}" for name in names]
    texts = dict(zip(names, written, strict=True))
    berkeley("ddpl").write_html(tmp_path / "page.html", **texts)
    elements = Elements((tmp_path / "page.html").read_text("utf-8"))
    assert "script" not in {tag for tag, _ in elements.found}
    assert all(text in elements.text for text in written)
    of_page = [found for tag, found in elements.found if tag == "meta"]
    about = {found["name"]: found["content"] for found in of_page if "name" in found}
    assert about["author"] == f"author {HOSTILE}"
    assert about["description"] == f"subject {HOSTILE}"


@pytest.mark.parametrize(
    ("facet", "title"),
    [
        ("sex", "hired by sex"),
        (["sex", "race"], "hired by sex and race"),
        (["sex", "race", pl.struct("sex", "race")], "hired by sex and race"),
        ([pl.struct("sex", "race")], "hired by sex & race"),
        (["sex", pl.struct("sex", "race")], "hired by sex and sex & race"),
        (["a", "b", "c"], "hired by a, b and c"),
    ],
)
def test_a_title_names_the_facets_once(facet: Any, title: str) -> None:
    assert title_of({"predicted": "hired", "facet": facet}) == title

"""Pages on paper, as Chromium and as WeasyPrint print them."""

from __future__ import annotations

import base64
import re
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.outputs.pdf import pdf_of
from tests.browser.test_accessibility import LOANS, by_day, of_loans

pytestmark = pytest.mark.usefixtures("printer")

ALL: Final[dict[str, Any]] = {
    **LOANS,
    "facet": ["sex", "race", pl.struct("sex", "race")],
    "by": pl.col("decided_on").dt.truncate("1q"),
    "subgroup": "branch",
}
INCH: Final = 25.4
SHEETS: Final = {"A4": (210, 297), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""


def printed_by(chromium: Any, path: Path, size: str) -> bytes:
    width, height = SHEETS[size]
    paper = {"paperWidth": width / INCH, "paperHeight": height / INCH}
    chromium.get(path.as_uri())
    return base64.b64decode(chromium.execute_cdp_cmd("Page.printToPDF", paper)["data"])


def lines_of(printed: bytes) -> list[list[str]]:
    """The lines of each sheet."""
    pages = import_module("pypdf").PdfReader(BytesIO(printed)).pages
    return [[line.strip() for line in page.extract_text().splitlines()] for page in pages]


OF_SIZES: Final = pytest.mark.parametrize("size", [by_day(size, ("A4",)) for size in SHEETS])


@OF_SIZES
def test_page_one_of_two_facets_is_one_sheet(chromium: Any, tmp_path: Path, size: str) -> None:
    """Of seven groups and three metrics with a band; a longer board runs on."""
    path = tmp_path / "page.html"
    question = {**ALL, "facet": ["sex", "race"], "by": None, "favored": {"sex": "M"}}
    of_loans("di", "rd", "mh_ratio", "cddpl", **question).write_html(path)
    for printed in (printed_by(chromium, path, size), pdf_of(path.read_text("utf-8"))):
        first, second, *_ = lines_of(printed)
        assert any("no proof that there is none" in line for line in first)
        assert any(line.startswith("By ") for line in second)


BREAKS: Final = """
const kept = [...document.querySelectorAll(".pf-exhibit, .pf-board, .pf-rates")]
  .map(each => getComputedStyle(each).breakInside);
const after = [...document.querySelectorAll("h1, h2, h3, caption, thead, .pf-under, .pf-said")]
  .map(each => getComputedStyle(each).breakAfter);
return [kept, after];
"""


def test_no_heading_is_cut_from_its_table(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    question = {**ALL, "facet": ["sex", "race"], "by": None}
    of_loans("di", "rd", "mh_ratio", confidence=None, **question).write_html(path)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    chromium.get(path.as_uri())
    kept, after = chromium.execute_script(BREAKS)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert {*kept} == {"avoid"}
    assert {*after} == {"avoid"}


RACES: Final = (
    "Hispanic or Latino",
    *(
        f"{race} (not Hispanic or Latino)"
        for race in (
            "White",
            "Black or African American",
            "Native Hawaiian or Pacific Islander",
            "Asian",
            "Native American or Alaska Native",
            "Two or More Races",
        )
    ),
)
"""The categories of race and ethnicity that the rule on hiring tools names."""


@OF_SIZES
def test_the_summary_of_a_bias_audit_is_one_sheet(chromium: Any, tmp_path: Path, size: str) -> None:
    """Of 2, 7 and 14 categories, two of them left out, and a paragraph about the data."""
    people = pl.DataFrame({"sex": ["Female", "Male"]}).join(
        pl.DataFrame({"race": RACES, "n": [50, 60, 40, 1, 30, 2, 10]}), how="cross"
    )
    outcomes = pl.DataFrame({"hired": [True, False]})
    path = tmp_path / "page.html"
    pf.hiring.report(
        people.join(outcomes, how="cross"),
        sex="sex",
        race="race",
        selected="hired",
        count="n",
        exclude_below=0.02,
        justification="So few people have no rate to speak of.",
        audit_date="2026-11-22",
        distribution_date="2026-01-31",
        data="Applications to all positions of the employer from January to December 2025. " * 4,
    ).write_html(path, model="Screener 4.2", author="A. Auditor")
    for printed in (printed_by(chromium, path, size), pdf_of(path.read_text("utf-8"))):
        first, second, *_ = lines_of(printed)
        assert any("no legal advice" in line for line in first)
        assert "Four-fifths with significance" in second


def lowest(sheet: Any) -> str:
    """The last line of a sheet above its number."""
    pieces: list[tuple[float, str]] = []

    def note(text: str, page: list[float], line: list[float], *_: Any) -> None:
        if text.strip():
            pieces.append((line[4] * page[1] + line[5] * page[3] + page[5], text.strip()))

    sheet.extract_text(visitor_text=note)
    _, *heights = sorted({round(height) for height, _ in pieces})
    return " ".join(text for height, text in pieces if round(height) == heights[0])


@pytest.mark.nightly
def test_headings_are_not_the_last_on_a_sheet(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    question = {**ALL, "by": None}
    of_loans("di", "rd", "cddpl", confidence=None, **question).write_html(path)
    markup = path.read_text("utf-8")
    found = re.findall(r"<(h2|h3|caption)\b[^>]*>(.*?)</\1>", markup, re.DOTALL)
    headings = {" ".join(unescape(re.sub(r"<[^>]*>", "", text)).split()) for _, text in found}
    lasts = [[lines[-2] for lines in lines_of(pdf_of(markup))]]
    for size in SHEETS:
        pages = import_module("pypdf").PdfReader(BytesIO(printed_by(chromium, path, size))).pages
        lasts.append([lowest(sheet) for sheet in pages])
    assert min(map(len, lasts)) > 3
    assert [last for last in lasts if headings & {*last}] == []


def test_an_audit_of_all_metrics_has_twelve_sheets_at_most(chromium: Any, tmp_path: Path) -> None:
    """Of two facets and both: nine sheets of A4."""
    path = tmp_path / "page.html"
    of_loans(**{**ALL, "by": None, "subgroup": None}).write_html(path)
    assert path.stat().st_size < 600_000
    assert len(lines_of(printed_by(chromium, path, "A4"))) <= 12

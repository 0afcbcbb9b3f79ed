"""The first page of a report is one sheet of paper, as Chromium and as WeasyPrint print it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.outputs.page import page
from polars_fairness.reporting.outputs.pdf import pdf_of
from polars_fairness.reporting.parts import Section
from polars_fairness.reporting.report import document_of
from tests.browser.test_accessibility import LOANS, PAGES, by_day, of_loans

pytestmark = pytest.mark.usefixtures("printer")

LONG: Final = " has a name that is much longer than any column of the first page " * 3
ALL: Final[dict[str, Any]] = {
    **LOANS,
    "facet": ["sex", "race", pl.struct("sex", "race")],
    "by": pl.col("decided_on").dt.truncate("1q"),
    "subgroup": "branch",
}
# A first page has room for six metrics.
SOME: Final = ("di", "dppl", "rd", "ddpl", "cddpl", "ci", "accuracy_gap")
ABOUT: Final[dict[str, Any]] = {
    "title": "A title that goes on " * 5,
    "subject": "A subject that goes on " * 8,
    "author": "A committee with a long name " * 2,
    "model": "A model with a long name " * 2,
    "version": "2026.11.22",
    "date": "2026-11-22",
    "notes": "A note. " * 500,
}


def long_names(*metrics: str) -> pf.Report:
    frame = pf.datasets.loans().with_columns(pl.col("sex", "race") + LONG)
    return pf.report(frame, *metrics, **ALL)


MORE: Final[Mapping[str, Callable[[], pf.Report]]] = {
    "everything": lambda: of_loans(**ALL),
    "facets of loans": lambda: of_loans(*SOME, **{**ALL, "by": None}),
    "long names": long_names,
    "seven metrics of long names": lambda: long_names(*SOME),
}
INCH: Final = 25.4
SHEETS: Final = {"A4": (210, 297), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""

TOO_WIDE: Final = """
const first = document.querySelector(".pf-first"), edge = first.getBoundingClientRect().right;
const isCut = each => each !== first &&
  (getComputedStyle(each).overflow === "hidden" || isCut(each.parentElement));
return [...first.querySelectorAll("*")]
  .filter(each => each.getBoundingClientRect().right > edge + 1 && !isCut(each.parentElement))
  .map(each => each.outerHTML.slice(0, 120));
"""


# The explorer is no report, and has no first page.
REPORTS: Final = sorted({*PAGES, *MORE} - {"explorer"})
FULLEST: Final = ("everything", "hostile", "models", "seven metrics of long names")


@pytest.fixture(scope="module", params=[by_day(name, FULLEST) for name in REPORTS])
def first(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with its first page, the contents, and sections without charts."""
    report = {**PAGES, **MORE}[request.param]()
    assert isinstance(report, pf.Report)
    document = replace(
        document_of(report.findings, {} if request.param in PAGES else ABOUT),
        sections=(Section("After", ()), Section("Last", ())),
    )
    path: Path = tmp_path_factory.mktemp("first") / "page.html"
    path.write_text(page(document), "utf-8")
    return path


def printed_by(chromium: Any, path: Path, size: str) -> bytes:
    width, height = SHEETS[size]
    paper = {"paperWidth": width / INCH, "paperHeight": height / INCH}
    chromium.get(path.as_uri())
    return base64.b64decode(chromium.execute_cdp_cmd("Page.printToPDF", paper)["data"])


def lines_of(printed: bytes) -> list[list[str]]:
    """The lines of each sheet."""
    pages = import_module("pypdf").PdfReader(BytesIO(printed)).pages
    return [[line.strip() for line in page.extract_text().splitlines()] for page in pages]


def sheets_with_contents(printed: bytes) -> list[int]:
    return [i for i, lines in enumerate(lines_of(printed), start=1) if "Contents" in lines]


OF_SIZES: Final = pytest.mark.parametrize("size", [by_day(size, ("A4",)) for size in SHEETS])


@OF_SIZES
def test_the_first_page_is_one_sheet_of_a_browser(chromium: Any, first: Path, size: str) -> None:
    width, _ = SHEETS[size]
    inside = {"width": int((width - 24) / INCH * 96), "height": 900}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    chromium.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {**inside, "deviceScaleFactor": 1, "mobile": True}
    )
    chromium.get(first.as_uri())
    too_wide = chromium.execute_script(TOO_WIDE)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert too_wide == []
    assert sheets_with_contents(printed_by(chromium, first, size)) == [2]


def test_the_first_page_is_one_sheet_of_a_pdf(first: Path) -> None:
    assert sheets_with_contents(pdf_of(first.read_text("utf-8"))) == [2]


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
        first, second = lines_of(printed)
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
    found = re.findall(r"<(h2|h3|caption|figcaption|thead)\b[^>]*>(.*?)</\1>", markup, re.DOTALL)
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

"""A report as a PDF."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import polars_fairness as pf
from polars_fairness.errors import MissingExtraError
from polars_fairness.reporting.charts.look import LIGHT
from polars_fairness.reporting.outputs.page import strip
from polars_fairness.reporting.outputs.pdf import pdf_of, require_printer
from polars_fairness.reporting.parts import Dot
from polars_fairness.reporting.scales import Scale, Values
from tests.reporting.reports import berkeley


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory, printer: None) -> Path:
    path = tmp_path_factory.mktemp("printed") / "berkeley.pdf"
    answer().write_pdf(path)
    return path


def answer() -> pf.Report:
    return berkeley("dppl", "cddpl")


def read(source: Path | bytes) -> Any:
    return import_module("pypdf").PdfReader(
        BytesIO(source) if isinstance(source, bytes) else source
    )


def drawn(body: str) -> str:
    """What is drawn on the one sheet of a page with this body."""
    [sheet] = read(pdf_of(f'<html lang="en"><title>A page</title>{body}')).pages
    commands: bytes = sheet.get_contents().get_data()
    return commands.decode()


def outlined(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, list):
            yield from outlined(entry)
        else:
            yield entry.title


def elements(node: Any) -> Iterator[Any]:
    """The elements of a tagged document, in the order in which they are read."""
    node = node.get_object()
    if isinstance(node, list):
        for each in node:
            yield from elements(each)
    elif isinstance(node, dict) and "/S" in node:
        yield node
        yield from elements(node["/K"])


@pytest.mark.extras
def test_the_same_answer_is_the_same_pdf(printed: Path, tmp_path: Path) -> None:
    answer().write_pdf(tmp_path / "again.pdf")
    assert printed.read_bytes() == (tmp_path / "again.pdf").read_bytes()


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_html_and_pdf_are_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = answer()
    report.write_html(tmp_path / "page.html")
    drawn_again = "polars_fairness.reporting.outputs.page.page"
    monkeypatch.setattr(drawn_again, lambda *_: pytest.fail("drawn again"))
    report.write_pdf(tmp_path / "page.pdf")


@pytest.mark.extras
def test_a_pdf_has_an_outline_and_numbers_its_pages(printed: Path) -> None:
    found = read(printed)
    headings = re.findall(r"<h\d[^>]*>(.*?)</h\d>", answer()._repr_html_())
    assert list(outlined(found.outline)) == [unescape(heading) for heading in headings]
    assert len(found.pages) > 1
    for number, sheet in enumerate(found.pages, start=1):
        assert f"{number} of {len(found.pages)}" in sheet.extract_text()


@pytest.mark.extras
def test_a_pdf_can_be_read_aloud(printed: Path) -> None:
    found = read(printed)
    assert found.metadata.title == "Column admitted, by sex · Fairness audit"
    assert found.root_object["/Lang"] == "en"
    assert found.root_object["/MarkInfo"]["/Marked"].value
    tagged = list(elements(found.root_object["/StructTreeRoot"]["/K"]))
    assert {"/H1", "/H2", "/Table", "/Caption", "/TH", "/TD"} <= {each["/S"] for each in tagged}
    # Tables say what charts and strips draw, so that none is read aloud.
    assert not [each for each in tagged if each["/S"] == "/Figure"]


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_a_character_that_no_font_has_leaves_the_text_as_it_is() -> None:
    """Of private use, so that no machine has a font for them."""
    name = "Ren\U0010fffd and \U0010fffc"
    printed = read(pdf_of(f'<html lang="en"><title>A page</title><p>Fairness of {name} report'))
    assert printed.pages[0].extract_text() == f"Fairness of {name} report"


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_a_strip_is_printed_where_the_page_has_it() -> None:
    """WeasyPrint gives a drawing in a drawing the size of what is in it: marks were at half."""
    scale = Scale(Values(0, 1), (0.2, 0.8), 0.5)
    marks = [strip(Dot(scale, 0.9, 0.6, 1.0, tone)) for tone in ("outside", "within")]
    row = "".join(f'<tr><td class="pf-pic">{mark}' for mark in marks)
    drawing = drawn(f"<style>svg {{ width: 200px }}</style><table>{row}</table>")
    # The interval, from 120 to 200; the circle and the triangle, around 180.
    assert drawing.count("120 11 m") == drawing.count("200 11 l") == 2
    assert "184.5 11 m" in drawing
    assert "1 0 0 1 180 11 cm" in drawing
    # In the colour of what is outside, and without a piece cut out around the triangle.
    red = " ".join(f"{channel / 255:.6g}" for channel in bytes.fromhex(LIGHT.outside[1:]))
    assert f"{red} rg" in drawing


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_the_widest_table_of_a_rule_fits_the_sheet() -> None:
    """The flag, its last column, was cut by the edge of the paper."""
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "approved"}
    report = pf.lending.report(pf.datasets.loans(), score="score", replicates=20, **question)
    ends = []

    def see(text: str, whole: list[float], own: list[float], _: object, size: float) -> None:
        if text == "flagged":
            ends.append(whole[0] * (own[4] + 0.5 * size * len(text)))

    sheet = read(report.written("pdf")).pages[0]
    sheet.extract_text(visitor_text=see)
    margin = 15 * 72 / 25.4
    assert ends
    assert max(ends) <= float(sheet.mediabox.width) - margin + 1


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_nothing_else_is_loaded(tmp_path: Path) -> None:
    picture, rules = tmp_path / "red.svg", tmp_path / "red.css"
    picture.write_text(
        '<svg width="9" height="9" xmlns="http://www.w3.org/2000/svg">'
        '<rect width="9" height="9" fill="#f00"/></svg>'
    )
    rules.write_text("p { color: #f00 }")
    body = (
        f'<style>@import url("{rules.as_uri()}");</style>'
        f'<p>A word</p><img alt="a square" src="{picture.as_uri()}">'
    )
    assert "1 0 0 rg" not in drawn(body)
    assert "1 0 0 rg" in drawn(body.replace("<p>", '<p style="color: #f00">'))


def test_a_pdf_needs_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        "polars_fairness.errors.find_spec", lambda name: None if name == "weasyprint" else name
    )
    with pytest.raises(MissingExtraError, match=r"pdf: needs 'weasyprint'.*fairness\[pdf\]"):
        answer().write_pdf(tmp_path / "page.pdf")


@pytest.mark.extras
@pytest.mark.usefixtures("printer")
def test_a_pdf_needs_a_library_of_the_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("weasyprint")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("cffi.FFI.dlopen", _not_found)
    with pytest.raises(MissingExtraError, match=r"pdf: needs Pango.*brew install pango"):
        require_printer()
    assert capsys.readouterr().out == ""


def _not_found(*_: object) -> None:
    raise OSError

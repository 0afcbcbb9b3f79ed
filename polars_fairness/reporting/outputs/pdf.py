"""A page as a PDF, printed by WeasyPrint from nothing but the page and the system's fonts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement

from polars_fairness.reporting.colours import ON_PAGE, PRINTED

_SVG: Final = "{http://www.w3.org/2000/svg}"
_PRINTED: Final = dict(zip(asdict(ON_PAGE).values(), asdict(PRINTED).values(), strict=True))


def pdf_of(page: str) -> bytes:
    """A whole page as a PDF for screen readers (PDF/UA); the same bytes for the same page."""
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    document = HTML(string=page, url_fetcher=URLFetcher(allowed_protocols=()))
    for drawing in document.etree_element.iter(f"{_SVG}svg"):
        _prepare(drawing)
    printed: bytes = document.write_pdf(pdf_variant="pdf/ua-1", finisher=_make_readable)
    return printed


def _prepare(drawing: Element) -> None:
    """Give a drawing what WeasyPrint would not find.

    In a drawing it knows no variables of CSS, and it reads the text alternative from a title.
    """
    for element in drawing.iter():
        for name, value in element.items():
            element.set(name, _PRINTED.get(value, value))
    SubElement(drawing, f"{_SVG}title").text = drawing.get("aria-label")


def _make_readable(_: Any, pdf: Any) -> None:
    dictionaries = [each for each in pdf.objects if isinstance(each, dict)]
    for each in dictionaries:
        if each.get("S") == "/Figure" and "Alt" not in each:
            each["S"] = "/NonStruct"  # readers pass over a picture without a text alternative
    objects = {each.reference: each for each in pdf.objects}
    for each in dictionaries:
        if each.get("Subtype") == "/Type0" and each["Encoding"] in objects:
            _encode_plainly(each, objects)


def _encode_plainly(font: Any, objects: Mapping[bytes, Any]) -> None:
    """Let programs read the text of a font that lacks a character.

    WeasyPrint gives such characters numbers of their own, and embeds a table that draws them as
    boxes. Programs that read no such table, among them pypdf and pdfminer, lose each word in this
    font. Of a table from numbers to glyphs, which draws the same boxes, they need nothing.
    """
    encoding, of_glyphs = objects[font["Encoding"]], objects[font["DescendantFonts"][0]]
    font["Encoding"] = "/Identity-H"
    # Other fonts than TrueType have no such table: readers draw what they like for the numbers.
    if of_glyphs["Subtype"] == "/CIDFontType2":
        table = b"\n".join(encoding.stream)
        lacking = {int(number, 16) for number in re.findall(rb"<(\w+)> 0\b", table)}
        glyphs = (0 if number in lacking else number for number in range(max(lacking) + 1))
        encoding.stream = [b"".join(glyph.to_bytes(2, "big") for glyph in glyphs)]
        encoding.extra = {}
        of_glyphs["CIDToGIDMap"] = encoding.reference

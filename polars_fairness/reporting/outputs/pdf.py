"""A page as a PDF, printed by WeasyPrint from nothing but the page and the system's fonts."""

from __future__ import annotations

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
    printed: bytes = document.write_pdf(pdf_variant="pdf/ua-1", finisher=_pass_over_pictures)
    return printed


def _prepare(drawing: Element) -> None:
    """Give a drawing what WeasyPrint would not find.

    In a drawing it knows no variables of CSS, and it reads the text alternative from a title.
    """
    for element in drawing.iter():
        for name, value in element.items():
            element.set(name, _PRINTED.get(value, value))
    SubElement(drawing, f"{_SVG}title").text = drawing.get("aria-label")


def _pass_over_pictures(_: Any, pdf: Any) -> None:
    """Make readers pass over the pictures that have no text alternative."""
    for each in pdf.objects:
        if isinstance(each, dict) and each.get("S") == "/Figure" and "Alt" not in each:
            each["S"] = "/NonStruct"

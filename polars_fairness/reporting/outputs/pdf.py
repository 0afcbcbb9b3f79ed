"""A page as a PDF, and what pages and their print need beside the package itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from typing import Any, Final
from xml.etree.ElementTree import SubElement

from polars_fairness.api.verdicts import TONES
from polars_fairness.errors import FairnessError, MissingExtraError, require_extra
from polars_fairness.reporting.charts.look import LIGHT, rules_of

# The engine that draws charts reserves its addresses at once: under 64 GiB it aborts, under 80 not.
_LEAST_MEMORY: Final = 80 << 30


def require_pages() -> None:
    """Raise an error if the library that writes pages is not installed."""
    require_extra("report", "report", "jinja2")


def require_charts() -> None:
    """Raise an error if the libraries of pages whose charts move are not installed."""
    require_extra("report", "report", "jinja2", "vl_convert")
    _refuse_little_memory()


def _refuse_little_memory() -> None:
    """Raise where a limit of memory would let the engine that draws charts end the process."""
    with suppress(ImportError):  # Windows has no such limits
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

        limit, _ = getrlimit(RLIMIT_AS)
        if limit != RLIM_INFINITY and limit < _LEAST_MEMORY:
            raise FairnessError(
                f"report: charts need {_LEAST_MEMORY >> 30} GiB of address space, and the limit is "
                f"{limit / 2**30:.1f} GiB; raise it, such as with ulimit -v unlimited"
            )


def require_printer() -> None:
    """Raise an error if what draws and prints a page is not installed."""
    require_extra("pdf", "pdf", "jinja2", "weasyprint")
    try:
        with redirect_stdout(None):  # WeasyPrint prints such an error before it raises it.
            import weasyprint  # noqa: F401
    except OSError as error:
        raise MissingExtraError(
            "pdf: needs Pango, a library of the system that WeasyPrint could not load; install it "
            "(Debian: apt-get install libpangoft2-1.0-0 libharfbuzz-subset0; macOS: brew install "
            "pango), or write a page of HTML and print it in a browser"
        ) from error


_SVG: Final = "{http://www.w3.org/2000/svg}"
_VARIABLE: Final = re.compile(r"var\(--pf-(\w+)\)")
_DRAWINGS: Final = {
    ".pf-pic > svg": f".//td[@class='pf-pic']/{_SVG}svg",
    ".pf-plot": f".//{_SVG}svg[@class='pf-plot']",
}
"""How the style sheet begins what it says of a drawing, and where such drawings are."""


def _rules_in(drawing: str) -> str:
    """The rules of what is in a drawing, with the colours that variables stand for."""
    found = re.findall(
        rf"^ *({re.escape(drawing)} [^{{]+\{{.*)$", rules_of("style.css"), re.MULTILINE
    )
    found.append(f"{drawing} {{ font-family: Helvetica, Arial, sans-serif; }}")
    rules = "\n".join(found).replace(drawing, ":root")
    return _VARIABLE.sub(lambda variable: getattr(LIGHT, variable[1]), rules)


def pdf_of(page: str) -> bytes:
    """A whole page as a PDF for screen readers (PDF/UA); the same bytes for the same page."""
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    document = HTML(string=page, url_fetcher=URLFetcher(allowed_protocols=()))
    # In a drawing WeasyPrint knows no variables of CSS and no rules of the page.
    for kind, places in _DRAWINGS.items():
        rules = _rules_in(kind)
        for drawing in document.etree_element.iterfind(places):
            tone = TONES.get(drawing.get("class", "").removeprefix("pf-"))
            drawing.set("color", getattr(LIGHT, tone.colour if tone else "ink"))
            SubElement(drawing, f"{_SVG}style").text = rules
    printed: bytes = document.write_pdf(pdf_variant="pdf/ua-1", finisher=_make_readable)
    return printed


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
    font. For a table from numbers to glyphs, which draws the same boxes, they need nothing.
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

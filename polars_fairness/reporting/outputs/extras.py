"""What a page and its print need beside the package itself."""

from __future__ import annotations

from contextlib import redirect_stdout
from typing import Final

from polars_fairness.errors import MissingExtraError, require_extra

_DRAWN_BY: Final = ("altair", "markdown_it", "vl_convert")


def require_charts() -> None:
    """Raise an error if the libraries that draw a page are not installed."""
    require_extra("report", "report", *_DRAWN_BY)


def require_printer() -> None:
    """Raise an error if what draws and prints a page is not installed."""
    require_extra("pdf", "pdf", *_DRAWN_BY, "weasyprint")
    try:
        with redirect_stdout(None):  # WeasyPrint prints such an error before it raises it.
            import weasyprint  # noqa: F401
    except OSError as error:
        raise MissingExtraError(
            "pdf: needs Pango, a library of the system that WeasyPrint could not load; install it "
            "(Debian: apt-get install libpangoft2-1.0-0 libharfbuzz-subset0; macOS: brew install "
            "pango), or write a page of HTML and print it in a browser"
        ) from error

"""What a page and its print need beside the package itself."""

from __future__ import annotations

from contextlib import redirect_stdout, suppress
from typing import Final

from polars_fairness.errors import FairnessError, MissingExtraError, require_extra

# The engine that draws charts reserves its addresses at once: under 64 GiB it aborts, under 80 not.
_LEAST_MEMORY: Final = 80 << 30

_DRAWN_BY: Final = ("altair", "markdown_it", "vl_convert")


def require_charts() -> None:
    """Raise an error if the libraries that draw a page are not installed."""
    require_extra("report", "report", *_DRAWN_BY)
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
    require_extra("pdf", "pdf", *_DRAWN_BY, "weasyprint")
    _refuse_little_memory()
    try:
        with redirect_stdout(None):  # WeasyPrint prints such an error before it raises it.
            import weasyprint  # noqa: F401
    except OSError as error:
        raise MissingExtraError(
            "pdf: needs Pango, a library of the system that WeasyPrint could not load; install it "
            "(Debian: apt-get install libpangoft2-1.0-0 libharfbuzz-subset0; macOS: brew install "
            "pango), or write a page of HTML and print it in a browser"
        ) from error

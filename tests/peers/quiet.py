"""Import AIF360 without its messages about itself."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def importing_aif360() -> Iterator[None]:
    """Suppress two messages of AIF360 on import, and no others.

    It logs which of its extras are not installed, and its docstrings have escape sequences that
    Python warns of when it compiles them.
    """
    root, nowhere = logging.getLogger(), logging.NullHandler()
    # Without any handler, the first line logged would give the root logger one for good.
    root.addHandler(nowhere)
    root.addFilter(_names_no_missing_extra)
    try:
        with warnings.catch_warnings():
            for category in (DeprecationWarning, SyntaxWarning):
                warnings.filterwarnings(
                    "ignore",
                    message=".*invalid escape sequence",
                    category=category,
                    module=r".*[\\/]aif360[\\/].*",
                )
            yield
    finally:
        root.removeFilter(_names_no_missing_extra)
        root.removeHandler(nowhere)


def _names_no_missing_extra(record: logging.LogRecord) -> bool:
    text = record.getMessage()
    return not (text.startswith("No module named") and "will be unavailable" in text)


def import_aif360_for_pages() -> None:
    """Import the modules of AIF360 that pages import, so that they do so in silence."""
    with importing_aif360():
        for name in ("algorithms.preprocessing", "datasets", "metrics", "sklearn.metrics"):
            import_module(f"aif360.{name}")

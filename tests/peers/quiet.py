"""Import a peer without what it says about itself while being imported."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing_aif360() -> Iterator[None]:
    """Keep back the two things that AIF360 says on import, and nothing else.

    It logs which of its extras are not installed, and its docstrings have escape sequences that
    Python warns of wherever they are compiled anew.
    """
    root, nowhere = logging.getLogger(), logging.NullHandler()
    # Without any handler, the first line logged would give the root logger one for good.
    root.addHandler(nowhere)
    root.addFilter(_tells_no_missing_extra)
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
        root.removeFilter(_tells_no_missing_extra)
        root.removeHandler(nowhere)


def _tells_no_missing_extra(record: logging.LogRecord) -> bool:
    told = record.getMessage()
    return not (told.startswith("No module named") and "will be unavailable" in told)

"""Text without the characters that a page cannot hold."""

from __future__ import annotations

import re
from typing import Final

_NOT_WRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    r"""The text with a replacement for characters that XML forbids, such as a terminal's escape.

    Examples
    --------
    >>> writable("red: \x1b[31m")
    'red: \ufffd[31m'
    """
    return _NOT_WRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)

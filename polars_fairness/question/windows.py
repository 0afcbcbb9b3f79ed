"""Windows: groups of rows with results of their own, one for each combination of ``by``."""

from __future__ import annotations

from dataclasses import dataclass

from polars_fairness.question.key_columns import KeyColumns


@dataclass(frozen=True)
class Windows(KeyColumns):
    """The columns of ``by``; each combination of their values is a window.

    They are the first columns of every result.
    """

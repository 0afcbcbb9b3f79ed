"""Windows: everything is computed once for each of them."""

from __future__ import annotations

from dataclasses import dataclass

from polars_fairness.question.key_columns import KeyColumns


@dataclass(frozen=True)
class Windows(KeyColumns):
    """The columns whose combinations are the windows of a call, those of ``by``.

    They lead every result.
    """

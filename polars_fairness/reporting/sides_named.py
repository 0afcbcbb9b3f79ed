"""The names of the two sides in sentences that are written about d and a."""

from __future__ import annotations

import re
from typing import Final

from polars_fairness.reporting.findings import Comparison
from polars_fairness.reporting.words import favored_in_words

# The article is followed by a noun or an adjective, side a by one of these or by nothing.
_SIDES: Final = re.compile(
    r"\b(d|a(?=$|[,.;:)]| (?:is|has|are|does|turns|than|better|more often)\b))(?!\w)"
)


def named(sentence: str, comparison: Comparison) -> str:
    """The sentence with the names of the sides in place of d and a.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.reporting.findings import Comparison
    >>> sexes = Comparison((), "sex", "Female", "Male", pl.DataFrame())
    >>> named("a rejection is right more often in a than in d", sexes)
    'a rejection is right more often in Male than in Female'
    """
    names = {"d": str(comparison.disfavored), "a": favored_in_words(comparison)}
    return _SIDES.sub(lambda found: names[found[1]], sentence)

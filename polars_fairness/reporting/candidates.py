"""The candidates that `choose` compares, in words: models, thresholds, or models at thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.words import score, value_in_words

_KINDS: Final = {
    (MODEL, THRESHOLD): "candidate",
    (MODEL,): "model",
    (THRESHOLD,): "threshold",
}


def columns_of_candidate(windows: Sequence[str]) -> tuple[str, ...]:
    """The last columns before those of a choice, which say what its candidates are."""
    return next((names for names in _KINDS if tuple(windows[-len(names) :]) == names), ())


def kind_of_candidates(names: tuple[str, ...]) -> str:
    """What candidates with these columns are called."""
    return _KINDS[names]


def candidate_in_words(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The name of a candidate.

    Examples
    --------
    >>> from polars_fairness.reporting.candidates import candidate_in_words
    >>> candidate_in_words({"model": "boosted", "threshold": 0.5}, ("model", "threshold"))
    'boosted at 0.5'
    """
    written = {MODEL: value_in_words, THRESHOLD: score}
    return " at ".join(written[name](row[name]) for name in names)

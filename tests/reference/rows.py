"""Individuals, and the confusion matrix of some of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Row:
    """One individual: facet, label, prediction, stratum, weight, features, score, numbers."""

    facet: Hashable | None
    label: bool
    predicted: bool
    stratum: Hashable | None = None
    weight: float | Fraction = 1.0
    point: tuple[float, ...] = ()
    score: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    observed: Fraction = Fraction(0)
    estimated: Fraction = Fraction(0)


def as_typed(number: float) -> Fraction:
    """The decimal that a user types for a float: 29/100 for 0.29."""
    return Fraction(repr(number))


def rounded_down(score: Fraction, resolution: float | None) -> Fraction:
    """The largest multiple of the resolution that is not above the score."""
    return score if resolution is None else score // as_typed(resolution) * as_typed(resolution)


class Counts:
    """The confusion matrix of some rows, and the sums that metrics are written in."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.tp = self.fp = self.fn = self.tn = Fraction(0)
        for row in rows:
            name = ("t" if row.label == row.predicted else "f") + ("p" if row.predicted else "n")
            setattr(self, name, getattr(self, name) + Fraction(row.weight))
        self.n = self.tp + self.fp + self.fn + self.tn
        self.positive, self.negative = self.tp + self.fn, self.fp + self.tn
        self.accepted, self.rejected = self.tp + self.fp, self.fn + self.tn
        self.correct = self.tp + self.tn


RATES = {
    "selection_rate": ("accepted", "n"),
    "base_rate": ("positive", "n"),
    "tpr": ("tp", "positive"),
    "fpr": ("fp", "negative"),
    "tnr": ("tn", "negative"),
    "fnr": ("fn", "positive"),
    "ppv": ("tp", "accepted"),
    "npv": ("tn", "rejected"),
    "fdr": ("fp", "accepted"),
    "false_omission_rate": ("fn", "rejected"),
    "accuracy": ("correct", "n"),
}


def split(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> list[list[Row]]:
    """The rows by key, in order of appearance."""
    parts: dict[Hashable, list[Row]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return list(parts.values())

"""Paired counts: rows by the decisions of a model and of the champion, which are drawn together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.counts import finest, halves, tallied
from polars_fairness.question.roles import Roles

_OTHER_DECISION: Final = {
    "accepted": "rejected",
    "rejected": "accepted",
    "tp": "fn",
    "fn": "tp",
    "fp": "tn",
    "tn": "fp",
}
"""The count of the rows with the same label and the other decision."""

_ACCEPTED: Final = ("accepted", "tp", "fp")


def counts_of_decisions(sides: Sequence[str], roles: Roles, *, of_champion: bool) -> list[pl.Expr]:
    """The finest counts of one of both models, from the counts by both decisions."""
    alone = replace(roles, is_paired=False)
    counts = finest(alone)
    endings = [name.removeprefix(counts[0]) for name in tallied(alone)[:: len(counts)]]
    return [
        pl.sum_horizontal(
            f"{side}.{part}{ending}" for part in parts(count, of_champion=of_champion)
        ).alias(f"{side}.{count}{ending}")
        for side in sides
        for count in counts
        for ending in endings
    ]


def parts(count: str, *, of_champion: bool) -> tuple[str, str]:
    """The counts by both decisions that add up to a count of one model."""
    if not of_champion:
        return halves(count)
    number = 0 if count in _ACCEPTED else 1
    return halves(count)[number], halves(_OTHER_DECISION[count])[number]


def agreeing(count: str) -> str:
    """The count by both decisions in which the champion decides as the model does."""
    return halves(count)[0 if count in _ACCEPTED else 1]


def disagreeing(roles: Roles) -> list[str]:
    """The counts by both decisions of the rows in which the models differ."""
    alone = finest(replace(roles, is_paired=False))
    return [half for count in alone for half in halves(count) if half != agreeing(count)]

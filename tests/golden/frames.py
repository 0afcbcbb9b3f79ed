"""Ten fixed frames that between them hold every branch of a formula.

Numbers are multiples of 1/64, so that their sums are exact in any order: an engine that adds in
another order, or in several threads, gives the same answers.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import polars as pl

PARTS = 64
SEXES = ("F", "M", "X", "N")
RACES = ("Black", "White", "Asian")
BRANCHES = ("east", "north", "south", "west")
GRADES = ("low", "middle", "high")
LEANING = {"F": -8, "M": 4, "X": 0, "N": 0}
"""By how many parts the scores of a group are moved."""

SCHEMA: dict[str, Any] = {
    "sex": pl.Enum(SEXES),
    "race": pl.String,
    "branch": pl.String,
    "grade": pl.String,
    "grade_given": pl.String,
    "day": pl.Date,
    "person": pl.Int64,
    "y": pl.Int64,
    "p": pl.Int64,
    "q": pl.Int64,
    "s": pl.Float64,
    "claim": pl.Float64,
    "price": pl.Float64,
    "offer": pl.Float64,
    "age": pl.Float64,
    "income": pl.Float64,
    "is_f": pl.Float64,
    "is_m": pl.Float64,
    "n": pl.Int64,
    "w": pl.Float64,
}
Row = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """Rows, and the arguments that every question about them has."""

    rows: pl.DataFrame
    more: dict[str, Any] = field(default_factory=dict)


def person(random: Random, sex: str, index: int) -> Row:
    """One row: the score leans on the group, the label on the score, the decisions on both."""
    score = min(max(random.randint(4, 60) + LEANING[sex], 0), PARTS)
    label = int(random.randint(0, PARTS) < score)
    decided = int(score + random.randint(-12, 12) >= 30)
    other = decided if random.random() < 0.8 else 1 - decided
    claim = random.choice((0, 0, random.randint(1, 4 * PARTS))) + 16 * label
    price = max(claim + random.randint(-PARTS, PARTS), 1) + score
    grade = random.choice(GRADES)
    certainty = random.randint(34, 60) if sex == "F" else random.randint(4, 30)
    return {
        "sex": sex,
        "race": random.choice(RACES),
        "branch": random.choice(BRANCHES),
        "grade": grade,
        "grade_given": grade if random.random() < 0.6 else random.choice(GRADES),
        "day": datetime.date(2025, 1, 1) + datetime.timedelta(days=random.randint(0, 118)),
        "person": index // 3,
        "y": label,
        "p": decided,
        "q": other,
        "s": score / PARTS,
        "claim": claim / PARTS,
        "price": price / PARTS,
        "offer": max(price + random.randint(-20, 20), 1) / PARTS,
        "age": random.randint(18, 70) / 2,
        "income": random.randint(10, 90) / 4,
        "is_f": certainty / PARTS,
        "is_m": 1 - certainty / PARTS,
        "w": random.randint(16, 2 * PARTS) / PARTS,
        "n": random.randint(1, 5),
    }


def people(seed: int, **sizes: int) -> list[Row]:
    random = Random(seed)
    return [
        person(random, sex, index)
        for sex, size in sizes.items()
        for index in range(1000 * SEXES.index(sex), 1000 * SEXES.index(sex) + size)
    ]


def laid_out(rows: list[Row], **more: Any) -> Frame:
    return Frame(pl.DataFrame(rows, schema=SCHEMA, orient="row"), more)


def usual() -> Frame:
    return laid_out(people(1, F=110, M=130, X=40))


def unequal() -> Frame:
    """Two rows of one side, and a thousand times as many of the other."""
    return laid_out(people(2, F=2, M=2000, X=4))


def empty() -> Frame:
    """A group without rows, one without a positive label, and one that is never accepted."""
    rows = people(3, F=40, M=40, X=20)
    for row in rows:
        row["y"] = 0 if row["sex"] == "X" else row["y"]
        row["p"] = 0 if row["sex"] == "F" else row["p"]
        row["claim"] = 0.0 if row["sex"] == "F" else row["claim"]
    return laid_out(rows)


def strata() -> Frame:
    """Strata of one row, of one side and of one outcome, and one that is unknown."""
    rows = people(4, F=50, M=60, X=12)
    for index, row in enumerate(rows):
        row["branch"] = f"alone {index:03}" if index % 3 else row["branch"]
        row["branch"] = f"pair {index % 25:02}" if index % 3 == 1 else row["branch"]
        row["branch"] = None if index % 19 == 0 else row["branch"]
        row["p"] = 1 if row["branch"] == "north" else row["p"]
    return laid_out(rows)


def ties() -> Frame:
    """Three scores, and few different numbers."""
    rows = people(5, F=60, M=70, X=20)
    for row in rows:
        row["s"] = round(row["s"] * 2) / 2
        row["claim"], row["price"] = round(row["claim"]) * 1.0, round(row["price"]) * 1.0
        row["age"], row["income"] = round(row["age"] / 8) * 1.0, round(row["income"] / 8) * 1.0
    return laid_out(rows)


def weightless() -> Frame:
    """Weights, each fifth of them 0, and a group that has no weight at all."""
    rows = people(6, F=70, M=70, X=6)
    for index, row in enumerate(rows):
        row["w"] = 0.0 if index % 5 == 0 or row["sex"] == "X" else row["w"]
    return laid_out(rows, weight="w")


def counted() -> Frame:
    """Rows that stand for several or for none, with their total weight."""
    rows = people(7, F=50, M=50, X=20)
    for index, row in enumerate(rows):
        row["n"] = 0 if index % 11 == 0 else row["n"]
        row["w"] *= row["n"]
    return laid_out(rows, weight="w", count="n")


def separated() -> Frame:
    """Scores that separate the labels, and decisions that are all right."""
    rows = people(8, F=40, M=45, X=10)
    for row in rows:
        row["y"] = row["p"] = row["q"] = int(row["s"] >= 0.5)
        row["price"] = row["claim"]
    return laid_out(rows)


def missing() -> Frame:
    """Nulls in every column, and a score that is not a number."""
    rows = people(9, F=70, M=80, X=20)
    random = Random(9)
    for row in rows:
        for name in ("sex", "race", "branch", "grade", "y", "p", "q", "s", "claim", "price"):
            row[name] = None if random.random() < 0.06 else row[name]
    rows[0]["s"] = float("nan")
    return laid_out(rows, nulls="drop")


def equal() -> Frame:
    """The same people in each group: every difference is 0."""
    rows = people(10, M=50)
    return laid_out([{**row, "sex": sex} for sex in ("F", "M", "X") for row in rows])


BUILDERS: tuple[Callable[[], Frame], ...] = (
    usual,
    unequal,
    empty,
    strata,
    ties,
    weightless,
    counted,
    separated,
    missing,
    equal,
)
WEIGHTED = ("weightless", "counted")


@cache
def frames() -> dict[str, Frame]:
    """The ten frames, then those without and those with weights as windows of one frame each.

    A question about windows takes a seventh of the time of as many questions.
    """
    found = {build.__name__: build() for build in BUILDERS}
    apart: dict[str, list[pl.DataFrame]] = {"windows": [], "weighted windows": []}
    for name, frame in found.items():
        rows = frame.rows.with_columns(pl.lit(name).alias("frame"))
        if name == "weightless":
            rows = rows.with_columns(pl.lit(1, pl.Int64).alias("n"))
        apart["weighted windows" if name in WEIGHTED else "windows"].append(rows)
    more = ({"nulls": "drop"}, {"weight": "w", "count": "n"})
    for (name, parts), each in zip(apart.items(), more, strict=True):
        found[name] = Frame(pl.concat(parts), {**each, "by": "frame"})
    return found

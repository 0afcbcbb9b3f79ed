"""Example data, shipped with the package."""

from __future__ import annotations

from datetime import date
from typing import Final

import polars as pl

__all__ = ["berkeley", "loans"]

# Numbers of men admitted and rejected, then of women (Bickel, Hammel and O'Connell 1975).
_BERKELEY: Final = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
_ORDER: Final = (("Male", True), ("Male", False), ("Female", True), ("Female", False))

_LOANS: Final = 20_000
_ROW: Final = pl.int_range(_LOANS)
_BRANCHES: Final = pl.Series(["Centre", "East", "North", "South", "West"])
_RACES: Final = pl.Series([None] * 33 + ["White"] * 42 + ["Black"] * 15 + ["Asian"] * 10)


def berkeley() -> pl.DataFrame:
    """Graduate admissions at Berkeley in autumn 1973: the six largest departments, as cells.

    Returns
    -------
    DataFrame
        ``sex``, ``department``, ``admitted`` and ``n``, a number of the 4,526 applicants.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.datasets.berkeley()["n"].sum()
    4526
    """
    rows = [
        (sex, department, admitted, n)
        for department, numbers in _BERKELEY.items()
        for (sex, admitted), n in zip(_ORDER, numbers, strict=True)
    ]
    return pl.DataFrame(rows, schema=["sex", "department", "admitted", "n"], orient="row")


def loans() -> pl.DataFrame:
    """Twenty thousand decisions on loans in 2024 and 2025: made up, with a known disparity.

    The chance that a loan is repaid depends on income and debt only, for all groups alike. The
    score is this chance with some noise, less 0.04 for women, or 0.12 for Black women. From July
    2025 on it is less by another 0.04 for all women. A loan is approved if the score is at least
    0.5. Branches differ in income, and women are more often at branches of low income: so a part of
    the difference between women and men is a difference between branches.

    The numbers follow from integer arithmetic without a random generator, so they are the same with
    every version of polars.

    Returns
    -------
    DataFrame
        ``decided_on``, ``branch``, ``sex``, ``race`` (null in a third of the rows), ``age``,
        ``income``, ``debt``, ``score`` from 0 to 1, ``approved`` and ``repaid``. As the data are
        made up, ``repaid`` is known of loans that were not approved, too.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> loans = pf.datasets.loans()
    >>> loans.height, loans["race"].null_count()
    (20000, 6720)
    """
    branch, debt_share = _draw(1, below=5), _draw(6, below=60)
    is_woman = _draw(2, below=100) < 25 + 10 * branch
    race = pl.lit(_RACES).gather(_draw(3, below=100))
    decided_on = date(2024, 1, 1) + pl.duration(days=_ROW * 731 // _LOANS)
    income = 20_000 + 100 * _draw(5, below=400) + 3_000 * (4 - branch)
    # From here on, chances and scores are thousandths: integers are never rounded.
    chance = 550 + (income - 45_000) // 100 - 5 * (debt_share - 30)
    less_by_race = pl.when(race == "Black").then(120).otherwise(40)
    less_by_date = pl.when(decided_on >= date(2025, 7, 1)).then(40).otherwise(0)
    less = pl.when(is_woman).then(less_by_race + less_by_date).otherwise(0)
    score = (chance - less + _draw(7, below=101) - 50).clip(0, 1_000)
    return pl.select(
        decided_on=decided_on,
        branch=pl.lit(_BRANCHES).gather(branch),
        sex=pl.when(is_woman).then(pl.lit("F")).otherwise(pl.lit("M")),
        race=race,
        age=20 + _draw(4, below=50),
        income=income,
        debt=income * debt_share // 100,
        # Rounded, because polars multiplies by the inexact 1/1000: 0.565 was 0.5650000000000001.
        score=(score / 1_000).round(3),
        approved=score >= 500,
        repaid=_draw(8, below=1_000) < chance,
    )


def _draw(column: int, *, below: int) -> pl.Expr:
    """Return a number for each loan that looks random: a fourth power modulo a prime."""
    prime = 2**31 - 1
    number = _ROW + 1_000_003 * column
    square = number * number % prime
    return square * square % prime % below


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]

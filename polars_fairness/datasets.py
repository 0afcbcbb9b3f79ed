"""Example data, shipped with the package."""

from __future__ import annotations

from typing import Final

import polars as pl

__all__ = ["berkeley"]

# Numbers of men admitted and rejected, then of women (Bickel, Hammel and O'Connell 1975).
_BERKELEY: Final = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}


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


_ORDER: Final = (("Male", True), ("Male", False), ("Female", True), ("Female", False))


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]

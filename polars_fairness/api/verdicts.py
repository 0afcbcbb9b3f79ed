"""Verdicts: values or intervals compared with their bands, and the look of each verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

# Far above the rounding errors of formulas, far below any difference that a band shows.
_ROUNDING: Final = 1e-12

# An error of the first kind in one of twenty tests: the convention of agencies and courts.
SIGNIFICANT: Final = 0.05


@dataclass(frozen=True)
class Tone:
    """The look of a kind of verdict on a page, in a chart and in a terminal.

    ``colour`` is the name of its colour in `reporting.charts.look`.
    """

    name: str
    colour: str
    shape: str
    mark: str = ""
    ansi: str = ""


_OUTSIDE: Final = Tone("outside", "outside", "triangle-up", "▲", "\x1b[31m")
_UNCERTAIN: Final = Tone("uncertain", "uncertain", "diamond", "◆", "\x1b[33m")
_WITHIN: Final = Tone("within", "within", "circle", "●", "\x1b[32m")
_OPEN: Final = Tone("open", "soft", "cross")

TONES: Final = {tone.name: tone for tone in (_OUTSIDE, _UNCERTAIN, _WITHIN, _OPEN)}
"""The tones by name; tones that call for action come first."""

OUTSIDE: Final = "outside"
"""The verdict on a value or a whole interval outside the band."""

WITHIN: Final = "within"
"""The verdict on a value or a whole interval inside the band."""

DEPENDS: Final = "depends"
"""The verdict that rows of unknown group, or without a label, decide."""

_TONE_OF: Final[Mapping[str | None, Tone]] = {
    OUTSIDE: _OUTSIDE,
    WITHIN: _WITHIN,
    "uncertain": _UNCERTAIN,
    DEPENDS: _UNCERTAIN,
    "undefined": _OPEN,
    None: _OPEN,
}

VERDICTS: Final = tuple(verdict for verdict in _TONE_OF if verdict is not None)
"""Every verdict of an audit."""

_TONE_OF_CHANGE: Final[Mapping[str | None, Tone]] = {
    "worse": _OUTSIDE,
    "better": _WITHIN,
    "same": _WITHIN,
    "unclear": _UNCERTAIN,
    None: _OPEN,
}

CHANGES: Final = tuple(change for change in _TONE_OF_CHANGE if change is not None)
"""Every change from a reference."""


def tone_of(verdict: str | None) -> Tone:
    """The tone of a verdict: its shape and colour wherever the verdict is shown.

    Examples
    --------
    >>> tone_of("outside").name
    'outside'
    """
    return _TONE_OF[verdict]


def tone_of_change(change: str | None) -> Tone:
    """The tone of a change, which has the shapes and colours of verdicts.

    Examples
    --------
    >>> tone_of_change("worse").name
    'outside'
    """
    return _TONE_OF_CHANGE[change]


def judged(lower: pl.Expr, upper: pl.Expr, least: pl.Expr, most: pl.Expr) -> pl.Expr:
    """The verdict on an interval, or on a value given as both ends, by the edges of a band.

    Examples
    --------
    >>> ends = pl.DataFrame({"low": [0.05, 0.2, -0.3, 0], "high": [0.09, 0.3, -0.2, 0.2]})
    >>> verdict = judged(pl.col("low"), pl.col("high"), pl.lit(-0.1), pl.lit(0.1))
    >>> ends.select(verdict).to_series().to_list()
    ['within', 'outside', 'outside', 'uncertain']
    """
    return (
        pl.when((lower >= least) & (upper <= most))
        .then(pl.lit(WITHIN))
        .when((lower > most) | (upper < least))
        .then(pl.lit(OUTSIDE))
        .otherwise(pl.lit("uncertain"))
    )


def verdict_by_limit(value: float, nearer: float, limit: float) -> str:
    """The verdict on a number that should be near 0, by the distance of its nearer bound from 0.

    Examples
    --------
    >>> [verdict_by_limit(-0.2, nearer, 0.1) for nearer in (0.12, 0.05, 0.0)]
    ['outside', 'uncertain', 'within']
    """
    if nearer > limit:
        return OUTSIDE
    return "uncertain" if abs(value) > limit and nearer > 0 else WITHIN


def disadvantaged(lower: pl.Expr, most: pl.Expr, sign: pl.Expr, lean: pl.Expr) -> pl.Expr:
    """The group that a value outside its band disadvantages; null if it shows none.

    ``sign`` is 1 where a value above the band disadvantages d, and -1 where it disadvantages a.
    Where it is 0, any value outside disadvantages d if ``lean`` is above 0, a if it is below, and
    neither if it is 0.

    Examples
    --------
    >>> ends = pl.DataFrame({"low": [0.2, -0.3], "disfavored": "F", "favored": "M"})
    >>> side = disadvantaged(pl.col("low"), pl.lit(0.1), pl.lit(1), pl.lit(0))
    >>> ends.select(side).to_series().to_list()
    ['F', 'M']
    """
    against = pl.when(sign == 0).then(lean).when(lower > most).then(sign).otherwise(-sign)
    return pl.when(against > 0).then("disfavored").when(against < 0).then("favored")


def is_significant(p_value: pl.Expr, level: float = SIGNIFICANT) -> pl.Expr:
    """Whether a p-value is below a level, by more than rounding.

    For 2 of 14 and 2 of 2, it is 1/20, which scipy adds up to 0.04999999999999999.
    """
    return p_value < level * (1 - _ROUNDING)


def significance_verdict(verdict: pl.Expr, p_value: pl.Expr) -> pl.Expr:
    """The verdict by the rule "significant", from the verdict on the value and its p-value.

    Examples
    --------
    >>> rows = pl.DataFrame({"of_value": ["outside"] * 3, "p": [0.01, 0.2, None]})
    >>> rows.select(significance_verdict(pl.col("of_value"), pl.col("p"))).to_series().to_list()
    ['outside', 'within', 'undefined']
    """
    return (
        pl.when(verdict.is_not_null() & p_value.is_null())
        .then(pl.lit("undefined"))
        .when((verdict != "undefined") & ~is_significant(p_value))
        .then(pl.lit(WITHIN))
        .otherwise(verdict)
    )


def widened(band: tuple[float, float]) -> tuple[float, float]:
    """A band with its edges moved outwards by more than rounding errors.

    Examples
    --------
    >>> least, most = widened((-0.1, 0.1))
    >>> 0.4 - 0.3 <= 0.1, 0.4 - 0.3 <= most
    (False, True)
    """
    low, high = (_ROUNDING * max(1.0, abs(edge)) for edge in band)
    return band[0] - low, band[1] + high

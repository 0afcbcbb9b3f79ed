"""Quantiles of numbers as outcomes: medians, and other places in the order of each side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from polars_fairness.catalogue.selection import RATIO
from polars_fairness.catalogue.wording import sentences
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.levels import BY_ESTIMATED, BY_OBSERVED
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import quantile
from polars_fairness.formula.sides import a_s, d_s
from polars_fairness.formula.tree import choose

Build = Callable[[str, str, float, str], Metric]
"""Makes a metric from its name, the number, the share of a quantile and the word for it."""

_LEVELS: Final = {"observed": BY_OBSERVED, "estimated": BY_ESTIMATED}


def _difference(name: str, number: str, at: float, words: str) -> Metric:
    return Metric(name=name, title=f"Difference in the {words} of {number} values",
        formula=Formula(_LEVELS[number], quantile(a_s, at) - quantile(d_s, at), at=at),
        definition=f"{words}_a − {words}_d of {number}", sign=1, only_named=True,
        **sentences(f"the {words} of {number} values is higher for {{a}} than for {{d}}"),
        source="order statistics")  # fmt: skip


def _ratio(name: str, number: str, at: float, words: str) -> Metric:
    of_d, of_a = quantile(d_s, at), quantile(a_s, at)
    return Metric(name=name, title=f"Ratio of the {words} of {number} values",
        formula=Formula(_LEVELS[number], choose((of_d > 0) & (of_a > 0), of_d / of_a), at=at),
        definition=f"{words}_d / {words}_a of {number}, both above 0", **RATIO, sign=-1,
        only_named=True,
        **sentences(
            f"the {words} of {number} values is higher for {{d}} than for {{a}}",
            reading=f"the {words} of {number} values is {{value}} times as high for {{d}} as for "
            "{a}",
        ),
        source="order statistics")  # fmt: skip


_KINDS: Final[dict[str, Build]] = {"difference": _difference, "ratio": _ratio}
_NAMES: Final = {"estimate": "estimated", "observed": "observed"}
_EXAMPLE: Final = {"difference": 10.0, "ratio": 0.75}


def _factory(prefix: str, kind: str) -> Callable[..., Metric]:
    """The function that makes the metric of a number for any quantile."""
    name, number = f"{prefix}_quantile_{kind}", _NAMES[prefix]

    def factory(at: float = 0.9) -> Metric:
        takes = "the share of rows below a quantile, above 0 and below 1"
        if not 0 < require_number("at", at, takes) < 1:
            raise FairnessError(f"at: takes {takes}, got {at!r}")
        return _KINDS[kind](name, number, float(at), f"{at:g} quantile")

    factory.__name__ = factory.__qualname__ = name
    factory.__doc__ = f"""The {kind} between the sides in a quantile of {number} values.

    Parameters
    ----------
    at
        The share of rows below the quantile; at 0.9, the highest tenth begins.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> staff = pl.DataFrame({{"sex": ["F", "F", "M", "M"], "pay": [20, 30, 20, 40]}})
    >>> at_the_top = pf.entry("{name}", at=0.75)
    >>> pf.metrics(staff, at_the_top, facet="sex", disfavored="F", {number}="pay")[
    ...     "{name}"
    ... ].item()
    {_EXAMPLE[kind]}
    """
    return factory


PARAMETRISED: Final = tuple(_factory(prefix, kind) for prefix in _NAMES for kind in _KINDS)

METRICS: Final = (
    *(
        build(f"{prefix}_median_{kind}", number, 0.5, "median")
        for prefix, number in _NAMES.items()
        for kind, build in _KINDS.items()
    ),
    *(make() for make in PARAMETRISED),
)

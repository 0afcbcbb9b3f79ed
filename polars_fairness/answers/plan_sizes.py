"""The function `plan_sizes`: how many rows to collect, before there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import polars as pl

from polars_fairness.answers.audit import audit
from polars_fairness.answers.plan import plan
from polars_fairness.api.verdicts import UNFAIR
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.closed_forms.rates import bounds
from polars_fairness.question.judging import Band

SAMPLES: Final = 20_000
"""The samples drawn of each size: a power of 80 % has a standard error of 0.3 points."""

_MANY: Final = 1_000_000
_MOST_SIZES: Final = 6
_NEAR: Final = 0.003
_FORMS: Final = ("log", "newcombe")
_SIZES: Final = ("rows_needed", "n_favored", "n_disfavored")
_CELLS: Final = pl.DataFrame({"side": ["a", "a", "d", "d"], "accepted": [True, False] * 2})
_QUESTION: Final[Mapping[str, Any]] = {
    "facet": "side",
    "disfavored": "d",
    "predicted": "accepted",
    "count": "n",
}


def plan_sizes(
    metric: str | Metric,
    *,
    rates: tuple[float, float],
    shares: tuple[float, float] = (0.5, 0.5),
    power: float = 0.8,
    confidence: float = 0.95,
    band: Band = None,
    seed: int = 0,
) -> pl.DataFrame:
    """Return how many rows settle a verdict if side a and side d have these rates.

    Of each size 20,000 samples are drawn and judged, by the closed form of the interval.

    Parameters
    ----------
    metric
        A difference or a ratio of two selection rates, such as "dppl" or "di".
    rates
        The selection rates of side a and of side d.
    shares
        The shares of side a and of side d in the rows.
    power
        The probability with which the verdict is to be settled.
    confidence
        The confidence level of the intervals.
    band
        The acceptable values, in place of the band of the catalogue.
    seed
        The seed of the samples.

    Returns
    -------
    DataFrame
        One row with the ``value`` of these rates, ``rows_needed``, ``n_favored`` and
        ``n_disfavored`` among them, and the ``power`` of samples of this size. Below five expected
        events of a side, fewer rows have a power that jumps from one number to the next. Null
        where the value lies on an edge of the band.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> sizes = pf.plan_sizes("di", rates=(0.30, 0.20), shares=(0.8, 0.2))
    >>> round(sizes["rows_needed"].item(), -2)
    5100
    """
    for name, each in (("rates", rates), ("shares", shares), ("power", (power,))):
        if any(not 0 < require_number(name, number) < 1 for number in each):
            raise FairnessError(f"{name}: takes numbers between 0 and 1, got {each!r}")
    chosen = CATALOGUE[metric] if isinstance(metric, str) else metric
    form = next((each for each in _FORMS if bounds(chosen, each, confidence)), None)
    if form is None or chosen.needs != ("facet", "predicted"):
        raise FairnessError(
            f"metric: {chosen.name!r} is no difference or ratio of two selection rates; give 'di' "
            "or 'dppl', or collect some rows and call plan"
        )
    options: dict[str, Any] = {"confidence": confidence, "method": form, **_QUESTION}
    if band is not None:
        options["bands"] = {chosen.name: band}
    outcomes = np.array([[rate, 1 - rate] for rate in rates])
    of_sides = np.array(shares)[:, np.newaxis] / sum(shares)
    many = _CELLS.with_columns(n=pl.Series((_MANY * of_sides * outcomes).ravel()).round())
    row = plan(many.cast({"n": pl.Int64}), chosen, power=power, **options).row(0, named=True)
    size, reached, z = row["rows_needed"], None, NormalDist().inv_cdf((1 + confidence) / 2)
    is_fair = row["band_lower"] <= row["value"] <= row["band_upper"]
    numbers: Any = (None, None)
    for _ in range(_MOST_SIZES if size else 0):
        numbers = np.ceil(size * of_sides.ravel()).astype(int)
        reached = _reached(numbers, rates, seed, chosen, options, is_fair=is_fair)
        if abs(reached - power) < _NEAR:
            break
        # The normal quantile of a power is nearly linear in the root of the rows.
        known = (NormalDist().inv_cdf(min(max(each, 0.01), 0.99)) + z for each in (power, reached))
        size = ceil(size * (next(known) / next(known)) ** 2)
    answer = {"metric": chosen.name, "value": row["value"], "rows_needed": size and sum(numbers)}
    answer |= dict(zip(_SIZES[1:], numbers, strict=True)) | {"power": reached}
    return pl.DataFrame([answer], schema_overrides=dict.fromkeys(_SIZES, pl.Int64))


def _reached(
    numbers: Sequence[int],
    rates: tuple[float, float],
    seed: int,
    metric: Metric,
    options: Mapping[str, Any],
    *,
    is_fair: bool,
) -> float:
    """The share of drawn samples that show the verdict; alike ones are judged once."""
    drawn = np.random.default_rng(seed).binomial(numbers, rates, (SAMPLES, 2))
    alike, times = np.unique(drawn, axis=0, return_counts=True)
    counts = np.stack([alike, numbers - alike], axis=2).ravel()
    samples = pl.concat([_CELLS] * len(alike)).with_columns(
        n=pl.Series(counts), sample=np.repeat(np.arange(len(alike)), len(_CELLS))
    )
    verdicts = audit(samples, metric, by="sample", **options)["verdict"]
    return float(times[verdicts.is_in(["fair"] if is_fair else UNFAIR).to_numpy()].sum() / SAMPLES)

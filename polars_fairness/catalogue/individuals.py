"""Individual fairness: the decision on each individual beside its nearest neighbours'."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from polars_fairness.catalogue.wording import CLARIFY, sentences
from polars_fairness.formula.formulas import Neighbourhood, among_everybody, among_favored
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import d_x, g_x
from polars_fairness.formula.tree import INFINITY, Expression, choose, ratio, total


def _where(holds: Expression, counted: Expression) -> Expression:
    """The sum of a count where a condition holds; undefined if the condition is null anywhere."""
    return total(choose(holds, counted, choose(~holds, 0.0)))


def _units(standardize: bool) -> str:  # noqa: FBT001
    return ", features in standard deviations" if standardize else ""


_unfavorable: Final = _where(d_x.vote > 0.5, d_x.rejected)
_favorable: Final = _where(d_x.vote <= 0.5, d_x.accepted)


def fliptest(*, k: int = 5, standardize: bool = False, progress: bool | None = None) -> Metric:
    """Compare the decision on each member of d with the nearest members of a."""
    return Metric(name="fliptest", title="Counterfactual flip test",
        formula=among_favored(
            ratio(_unfavorable - _favorable, d_x.n.sum()), Neighbourhood(k, standardize, progress)
        ),
        definition=f"(F⁺ − F⁻)/n_d, by the votes of the {k} nearest of a{_units(standardize)}",
        range=(-1, 1),
        **sentences(
            above="members of {d} are {rejected} where similar members of {a} are {accepted}",
            below="members of {d} are {accepted} where similar members of {a} are {rejected}",
        ),
        source=CLARIFY, aliases=("ft",))  # fmt: skip


def kinds_of_flips(test: Metric) -> tuple[Metric, Metric]:
    """The two counts of flips whose difference is the value of a flip test."""
    return (
        Metric(name="unfavorable_flips",
            title="Members of d rejected whose neighbours are accepted",
            formula=replace(test.parsed, expression=_unfavorable), range=(0, INFINITY)),
        Metric(name="favorable_flips", title="Members of d accepted whose neighbours are rejected",
            formula=replace(test.parsed, expression=_favorable), range=(0, INFINITY)),
    )  # fmt: skip


def consistency(*, k: int = 5, standardize: bool = False, progress: bool | None = None) -> Metric:
    """The agreement of each individual's prediction with its nearest neighbours'.

    Parameters
    ----------
    k
        The number of neighbours. An individual is its own neighbour too. Individuals on the same
        point, or at the same distance, share the places that nearer individuals leave.
    standardize
        Whether to divide every feature by its standard deviation before measuring distances.
    progress
        Whether to show a progress bar; None shows it on a terminal only.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"income": [1, 2, 3, 7, 8, 9], "approved": [0, 0, 1, 1, 1, 1]})
    >>> question = {"features": "income", "predicted": "approved"}
    >>> loans.fairness.consistency(k=3, **question)["consistency"].round(3)
    shape: (1,)
    Series: 'consistency' [f64]
    [
        0.778
    ]
    """
    disagreeing = g_x.accepted * (1 - g_x.vote) + g_x.rejected * g_x.vote
    return Metric(name="consistency", title="Consistency",
        formula=among_everybody(
            1 - ratio(disagreeing.sum(), g_x.n.sum()), Neighbourhood(k, standardize, progress)
        ),
        definition=f"1 − mean|y'ᵢ − mean of y' over the {k} nearest of i|{_units(standardize)}",
        range=(0, 1), ideal=1, above="impossible",
        below="similar individuals are decided differently",
        source="Zemel et al. 2013, AIF360")  # fmt: skip


METRICS: Final = (fliptest(), consistency())

PARAMETRISED: Final = (fliptest, consistency)

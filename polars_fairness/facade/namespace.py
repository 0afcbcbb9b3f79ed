"""`lf.fairness` and `df.fairness`: every function as a method of the frame."""

from __future__ import annotations

from polars_fairness.facade.methods import (
    Frame,
    FrameMethods,
    HiringMethods,
    LendingMethods,
    PayMethods,
)


# jedi completes the methods of a class whose parent is in a stub.
class Hiring(HiringMethods[Frame]):
    """Tables about hiring that a rule prescribes."""


class Lending(LendingMethods[Frame]):
    """Tables that are customary in fair lending."""


class Pay(PayMethods[Frame]):
    """The numbers about pay that employers must report."""


class Fairness(FrameMethods[Frame]):
    """Fairness metrics of a frame: each function of the package, and each metric, as a method.

    The functions of `hiring`, `lending` and `pay` are methods of ``fairness.hiring``,
    ``fairness.lending`` and ``fairness.pay``. Editors complete the functions; ``metric_names()``
    lists the metrics.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1]})
    >>> hired.fairness.dppl(facet="sex", disfavored="F", predicted="hired")["dppl"].item()
    0.5
    """

    @property
    def hiring(self) -> Hiring[Frame]:
        """Tables about hiring that a rule prescribes."""
        return Hiring(self._frame)

    @property
    def lending(self) -> Lending[Frame]:
        """Tables that are customary in fair lending."""
        return Lending(self._frame)

    @property
    def pay(self) -> Pay[Frame]:
        """The numbers about pay that employers must report."""
        return Pay(self._frame)

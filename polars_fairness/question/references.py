"""References: what side a may be in place of values, such as the group with the highest rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polars_fairness.errors import FairnessError, either, require_number, require_whole


@dataclass(frozen=True, repr=False)
class Reference:
    """A side a that the rows of a window decide, or that is all of them.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"race": ["a", "b", "b", "c", "c", "c"], "hired": [1, 1, 0, 0, 0, 1]})
    >>> hired.fairness.di(facet="race", favored=pf.LARGEST, predicted="hired").select(
    ...     "disfavored", "favored", "di"
    ... ).rows()
    [('a', 'c', 3.0), ('b', 'c', 1.5)]
    """

    name: str
    in_words: str
    # Other words where a positive outcome is bad for the person.
    if_unfavorable: str = ""

    def __repr__(self) -> str:
        return f"pf.{self.name}"

    @property
    def is_group(self) -> bool:
        """Whether it is one of the groups, found in each window."""
        return self != OVERALL

    @property
    def written(self) -> str:
        """How a message names the reference, as a slot."""
        return either(repr(self), self.in_a_shell)

    @property
    def in_a_shell(self) -> str:
        """The option for the reference."""
        return f"--reference {self.name.lower()}"

    @property
    def ranks_by_rate(self) -> bool:
        """Whether groups are ranked by their rate of positive outcomes, not by their size."""
        return False


@dataclass(frozen=True, repr=False)
class Highest(Reference):
    """The group with the highest selection rate, or the highest base rate without predictions.

    With ``favorable=False``, which says that a positive outcome is bad for the person, it is the
    group with the lowest rate. It is high or low by chance too, so that intervals, p-values and
    verdicts beside it hold for all pairs of groups; those of `hiring` are as the rules have them,
    and do not.

    Parameters
    ----------
    minimum_count
        The fewest rows that this group may have.
    minimum_share
        The smallest share of the rows with a known facet value that this group may have.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.HIGHEST(minimum_share=0.02)
    pf.HIGHEST(minimum_share=0.02)
    """

    name: str = "HIGHEST"
    in_words: str = "the group with the highest rate"
    if_unfavorable: str = "the group with the lowest rate"
    minimum_count: int = 0
    minimum_share: float = 0.0

    def __post_init__(self) -> None:
        require_whole("minimum_count", self.minimum_count, 0, "a whole number of rows")
        takes = "a share between 0 and 1"
        if require_number("minimum_share", self.minimum_share, takes, least=0) > 1:
            raise FairnessError(f"minimum_share: takes {takes}, got {self.minimum_share!r}")

    def __call__(self, *, minimum_count: int = 0, minimum_share: float = 0.0) -> Highest:
        """The same reference, found among groups that are large enough."""
        return Highest(minimum_count=minimum_count, minimum_share=minimum_share)

    def __repr__(self) -> str:
        limits = {"minimum_count": self.minimum_count, "minimum_share": self.minimum_share}
        given = ", ".join(f"{name}={limit}" for name, limit in limits.items() if limit)
        return f"{super().__repr__()}({given})" if given else super().__repr__()

    @property
    def ranks_by_rate(self) -> bool:
        return True


HIGHEST: Final = Highest()
"""The group with the highest selection rate, or base rate without predictions.

With ``favorable=False`` it is the group with the lowest rate. Beside it, intervals, p-values and
verdicts hold for all pairs of groups.
"""

LARGEST: Final = Reference("LARGEST", "the largest group")
"""The group of most rows, or of the largest weight."""

OVERALL: Final = Reference("OVERALL", "all rows")
"""All rows with a known facet value, those of d included."""

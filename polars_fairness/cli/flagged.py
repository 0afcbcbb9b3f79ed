"""The gate of tables with flags: a flagged group makes the exit code 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from polars_fairness.cli.gate import ONE_OUTCOME
from polars_fairness.cli.prescribed_words import windows_of
from polars_fairness.cli.words import heading
from polars_fairness.errors import FairnessError, listed

FLAGGED: Final = "flagged"

_FLAG: Final = pl.col("is_flagged")


@dataclass(frozen=True)
class FlagGate:
    """A gate that fails for flagged groups, and for groups that could not be judged.

    ``ratio`` is the column with the ratio of each group: without a ratio, a group may be unflagged
    for want of significance alone. Both may be allowed: what was not judged has not passed.
    """

    ratio: str
    allow_undefined: bool

    def complaint(self, answer: pl.DataFrame, *, has_one_outcome: bool) -> str | None:
        """A sentence on the groups that fail; None if all pass.

        If no group was judged, this is an error in any case, since a passed gate would promise a
        check. If all rows have one outcome, the gate fails as it does for what was not judged.
        """
        has_ratio = pl.col(self.ratio).is_not_null()
        if answer.filter(_FLAG.is_not_null(), has_ratio).is_empty():
            raise FairnessError(_nothing_judged(answer.height))
        reasons = {"are flagged": _FLAG}
        if not self.allow_undefined:
            reasons["could not be judged"] = _FLAG.is_null()
            reasons["have no ratio"] = ~_FLAG & ~has_ratio
        found = [
            f"{failed.height} of {answer.height} groups {reason}: {_named(failed)}"
            for reason, fails in reasons.items()
            if not (failed := answer.filter(fails)).is_empty()
        ]
        if has_one_outcome and not self.allow_undefined:
            found.append(ONE_OUTCOME)
        return f"--fail-on: {'; '.join(found)}" if found else None


def _named(failed: pl.DataFrame) -> str:
    """The groups with their windows; a facet without two groups to compare by its name alone."""
    windows = windows_of(failed)
    return listed(
        heading(row, windows, facet if group is None else f"{facet}: {group}")
        for row in failed.iter_rows(named=True)
        for facet, group in [(row["facet"], row["disfavored"])]
    )


def _nothing_judged(groups: int) -> str:
    if not groups:
        return "--fail-on: there is no group to judge, because there are no rows; check --where"
    return (
        f"--fail-on: nothing was judged: {groups} of {groups} groups could not be; check by the "
        "rates of the groups that each has rows and some of them are positive"
    )


def flag_gate_of(arguments: Mapping[str, Any], ratio: str) -> FlagGate | None:
    """The gate of the typed options, if there is one."""
    if "fail_on" in arguments:
        return FlagGate(ratio, "allow_undefined" in arguments)
    if "allow_undefined" in arguments:
        msg = "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
        raise FairnessError(msg)
    return None

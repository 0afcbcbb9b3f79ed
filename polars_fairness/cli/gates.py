"""The gates of flags and of reported numbers, made as the gate of verdicts is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, listed
from polars_fairness.reporting.gate import ONE_OUTCOME, failures
from polars_fairness.reporting.plain_words import heading

_FLAG: Final = pl.col("is_flagged")


def refuse_no_gate(arguments: Mapping[str, Any]) -> None:
    """Raise about an option that is about a gate, without the gate."""
    if "allow_undefined" in arguments and "fail_on" not in arguments:
        raise FairnessError(
            "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
        )


def complaint_of_flags(
    answer: pl.DataFrame, ratio: str, *, allow_undefined: bool, has_one_outcome: bool
) -> str | None:
    """A sentence on the groups that are flagged or could not be judged; None if all pass.

    ``ratio`` is the column with the ratio of each group: without a ratio, a group may be unflagged
    for want of significance alone. Both may be allowed: what was not judged has not passed. If no
    group was judged, this is an error in any case, since a passed gate would promise a check. If
    all rows have one outcome, the gate fails as it does for what was not judged.
    """
    has_ratio = pl.col(ratio).is_not_null()
    if answer.is_empty():
        raise FairnessError(
            "--fail-on: there is no group to judge, because there are no rows; check --where"
        )
    if answer.filter(_FLAG.is_not_null(), has_ratio).is_empty():
        raise FairnessError(
            f"--fail-on: nothing was judged: {answer.height} of {answer.height} groups could not "
            "be; check by the rates of the groups that each has rows and some of them are positive"
        )
    reasons = {"are flagged": _FLAG}
    if not allow_undefined:
        reasons["could not be judged"] = _FLAG.is_null()
        reasons["have no ratio"] = ~_FLAG & ~has_ratio
    found = [*failures(answer, "groups", reasons, _groups)]
    if has_one_outcome and not allow_undefined:
        found.append(ONE_OUTCOME)
    return f"--fail-on: {'; '.join(found)}" if found else None


def _groups(failed: pl.DataFrame) -> str:
    """The groups with their windows; a facet without two groups to compare by its name alone."""
    windows = failed.columns[: failed.columns.index("facet")]
    return listed(
        heading(row, windows, facet if group is None else f"{facet}: {group}")
        for row in failed.iter_rows(named=True)
        for facet, group in [(row["facet"], row["disfavored"])]
    )


_DIFFER: Final = {
    "different": {"are not those of the rows": ~pl.col("equal")},
    "unexplained": {"fit by no convention": ~pl.col("fits")},
}


def complaint_of_numbers(answer: pl.DataFrame, fail_on: str) -> str | None:
    """A sentence on the reported numbers that fail; None if all pass."""
    of_number = answer.columns[: answer.columns.index("ours")]
    each = answer.group_by(of_number, maintain_order=True).agg(pl.col("equal", "fits").any())
    found = [*failures(each, "reported numbers", _DIFFER[fail_on], _numbers)]
    return f"--fail-on: {found[0]}" if found else None


def _numbers(failed: pl.DataFrame) -> str:
    rows = failed.select("metric", "disfavored").iter_rows()
    return listed((f"{name} of {group}" if group else name for name, group in rows), write=str)

"""Windows of time: each has the rows of a period up to its end, and none is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from itertools import pairwise
from random import Random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import shared

Q: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "by": "t"}


def decisions(days: list[date], n: int = 40, seed: int = 1) -> pl.DataFrame:
    """Decisions of some days, in no order."""
    drawn = Random(seed)
    rows = [
        (day, drawn.choice("FM"), drawn.random() < 0.6, drawn.random() < 0.5, drawn.choice("xy"))
        for day in days
        for _ in range(n)
    ]
    drawn.shuffle(rows)
    columns = pl.DataFrame(rows, schema=["t", "sex", "p", "y", "branch"], orient="row")
    i = pl.int_range(pl.len())
    return columns.with_columns(s=(i * 37 % 101) / 101, judge=i % 50)


# No day in March, May and June.
DAYS = [date(2024, 1, 5), date(2024, 1, 31), date(2024, 2, 29), date(2024, 4, 1), date(2024, 7, 9)]
ROWS = decisions(DAYS)
MONTHS = [date(2024, month, 1) for month in range(1, 8)]


def each_in_its_windows(frame: pl.DataFrame, months: int) -> pl.DataFrame:
    """The rows, each once for each window that it belongs to, by plain Python."""
    parts = []
    for last, window in enumerate(MONTHS):
        held = {(each.year, each.month) for each in MONTHS[max(0, last - months + 1) : last + 1]}
        found = [(row["t"].year, row["t"].month) in held for row in frame.iter_rows(named=True)]
        parts.append(frame.filter(pl.Series(found)).with_columns(t=pl.lit(window)))
    return pl.concat(parts)


@pytest.mark.parametrize(("period", "months"), [(None, 1), ("1mo", 1), ("3mo", 3), ("1q", 3)])
def test_a_window_counts_the_rows_of_its_period(period: str | None, months: int) -> None:
    rates = pf.rates(ROWS, every="1mo", period=period, **Q)
    found = {(row["t"], row["value"]): row for row in rates.iter_rows(named=True)}
    assert len(found) == 3 * len(MONTHS)
    for last, window in enumerate(MONTHS):
        first = MONTHS[max(0, last - months + 1)]
        for sex in ("F", "M", None):
            held = [
                row
                for row in ROWS.iter_rows(named=True)
                if first <= row["t"].replace(day=1) <= window and sex in (None, row["sex"])
            ]
            got = found[window, sex]
            assert got["n"] == len(held)
            assert got["tp"] == sum(row["p"] and row["y"] for row in held)
            assert (got["selection_rate"] is None) == (not held)


Answer = Callable[[pl.DataFrame, Mapping[str, Any]], pl.DataFrame]
ANSWERS: dict[str, Answer] = {
    "metrics": lambda frame, own: pf.metrics(frame, **own, subgroup="branch", **Q),
    "audit": lambda frame, own: pf.audit(
        frame, "di", "cddpl", "tvd", **own, subgroup="branch", replicates=20, **Q
    ),
    "bounds": lambda frame, own: pf.bounds(frame, "di", "rd", **own, **Q),
    "confusions": lambda frame, own: pf.confusions(frame, **own, **Q),
    "classes": lambda frame, own: shared(pf.metrics, frame, "di", **own, classes="each", **Q),
    "models": lambda frame, own: pf.metrics(
        frame, "di", **own, **Q | {"label": None, "predicted": {"one": "p", "two": "y"}}
    ),
    "scores": lambda frame, own: shared(pf.metrics, frame, "auc_difference", **own, score="s", **Q),
    "thresholds": lambda frame, own: shared(
        pf.metrics, frame, "di", **own, **Q | {"predicted": "s", "threshold": [0.25, 0.5]}
    ),
    "weights": lambda frame, own: shared(pf.metrics, frame, "di", "dppl", **own, weight="s", **Q),
    "numbers": lambda frame, own: pf.metrics(
        frame, "estimate_difference", facet="sex", estimated="s", by="t", **own
    ),
    "probabilities": lambda frame, own: shared(
        pf.metrics,
        frame.with_columns(other=1 - pl.col("s")),
        "dppl",
        **own,
        **Q | {"facet": pf.probabilities("race", {"B": "s", "W": "other"})},
    ),
    "worst groups": lambda frame, own: shared(
        pf.worst_groups, frame, "spsf", **own, **Q | {"facet": ["sex", "branch"]}
    ),
    "clusters": lambda frame, own: shared(pf.audit, frame, "di", **own, cluster="judge", **Q),
    "baseline": lambda frame, own: shared(
        pf.audit, frame, "di", **own, baseline=ROWS.drop("t").head(90), **Q
    ),
}


@pytest.mark.extras
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_windows_are_those_of_rows_that_are_repeated(name: str) -> None:
    """Each question gives what it gives of a frame that has each row once for each window."""
    answer = ANSWERS[name]
    found = answer(ROWS, {"every": "1mo", "period": "3mo"})
    expected = answer(each_in_its_windows(ROWS, 3), {})
    with_rows = expected["t"].unique().implode()
    assert_frame_equal(found.filter(pl.col("t").is_in(with_rows)), expected, rel_tol=1e-9)
    assert {*MONTHS} == {*found["t"]}


def test_a_branch_has_windows_from_its_first_row_to_the_last_row_of_all() -> None:
    late = ROWS.with_columns(branch=pl.when(pl.col("t") >= date(2024, 4, 1)).then(pl.lit("new")))
    late = late.with_columns(pl.col("branch").fill_null("old"))
    rates = pf.rates(late, every="1mo", period="2mo", **Q | {"by": ["branch", "t"]})
    months = {
        branch: sorted({day.month for day in frame["t"]})
        for (branch,), frame in rates.group_by("branch")
    }
    # The last two months of the old branch reach back to no row of its own.
    assert months == {"old": [1, 2, 3], "new": [4, 5, 6, 7]}


def test_previous_is_the_window_before_that_has_rows() -> None:
    audit = shared(pf.audit, ROWS, "di", every="1mo", baseline="previous", **Q)
    by_month = {row["t"].month: row for row in audit.iter_rows(named=True)}
    assert len(by_month) == audit.height == 7
    assert by_month[4]["reference"] == by_month[2]["value"]
    assert by_month[7]["reference"] == by_month[4]["value"]
    assert by_month[3]["reference"] is None


@pytest.mark.parametrize(
    ("every", "first", "second"),
    [
        ("1w", datetime(2024, 3, 25), datetime(2024, 4, 1)),  # Mondays
        ("1d", datetime(2024, 3, 30), datetime(2024, 3, 31)),
        ("6h", datetime(2024, 3, 30, 18), datetime(2024, 3, 31)),
        ("1q", datetime(2024, 1, 1), datetime(2024, 4, 1)),
    ],
)
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_days_follow_the_clock_of_their_zone(
    every: str, first: datetime, second: datetime, zone: str | None
) -> None:
    """In Berlin clocks went forward on the 31st of March 2024, so that the day had 23 hours."""
    seen = [datetime(2024, 3, 30, 23, 30), datetime(2024, 3, 31, 5), datetime(2024, 4, 2)]
    frame = pl.DataFrame({"t": seen, "sex": ["F", "M", "F"], "p": [True, False, True]})
    frame = frame.with_columns(pl.col("t").dt.replace_time_zone(zone))
    rates = pf.rates(frame, facet="sex", predicted="p", by="t", every=every)
    windows = rates["t"].unique().sort()
    assert windows.dt.replace_time_zone(None).head(2).to_list() == [first, second]
    local = windows.dt.replace_time_zone(None).to_list()
    if every != "1q":
        apart = {later - earlier for earlier, later in pairwise(local)}
        assert len(apart) == 1, local
    assert rates.filter(pl.col("value").is_null())["n"].sum() == 3


def test_days_kept_as_cells_answer_for_any_longer_window() -> None:
    cells = pf.cells(ROWS, **Q, every="1d", period="7d")
    assert {*cells["t"]} == {*DAYS}
    assert cells["n"].sum() == ROWS.height
    wanted: list[dict[str, Any]] = [
        {"every": "1mo"},
        {"every": "1mo", "period": "3mo"},
        {"every": "1w"},
    ]
    for own in wanted:
        of_cells = pf.metrics(cells, "di", "rd", count="n", **own, **Q)
        assert_frame_equal(of_cells, pf.metrics(ROWS, "di", "rd", **own, **Q))

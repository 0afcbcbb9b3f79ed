"""The job of the page on monitoring, night after night: a day late, a day twice, a day missing."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.paths import ROOT

LATE, TWICE, MISSING, EMPTY = (date(2025, 7, day) for day in (3, 5, 6, 8))
QUESTION: dict[str, Any] = {"facet": "sex", "label": "repaid", "predicted": "approved"}
LOANS = pf.datasets.loans()


def rows_of(*days: date) -> pl.DataFrame:
    return LOANS.filter(pl.col("decided_on").is_in(days))


def until(first: date, last: date) -> list[date]:
    return [first + timedelta(days=i) for i in range((last - first).days)]


def deliver(*days: date) -> None:
    for day in days:
        rows_of(*({day} - {EMPTY})).write_parquet(f"decisions/{day}.parquet")


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of the page, in a folder with the cells of the release."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "how-to" / "monitor.md").read_text("utf-8")
    code = next(code for code in re.findall(r"```python\n(.*?)```", page, re.S) if "night(" in code)
    names: dict[str, Any] = {}
    exec(code, names)
    names["FIRST"] = date(2025, 7, 1)
    for folder in ("decisions", "cells", "audits"):
        Path(folder).mkdir()
    pf.cells(release(), **names["KEPT"]).write_parquet("release.parquet")
    return names


def release() -> pl.DataFrame:
    return LOANS.filter(pl.col("decided_on").is_between(date(2025, 1, 1), date(2025, 5, 31)))


def test_each_night_is_an_audit_of_all_that_came(job: dict[str, Any]) -> None:
    first, late_comes, twice_comes = job["FIRST"], date(2025, 7, 7), date(2025, 7, 9)
    for tonight in until(date(2025, 7, 2), date(2025, 7, 12)):
        yesterday = tonight - timedelta(days=1)
        if yesterday not in (LATE, MISSING):
            deliver(yesterday)
        if tonight == late_comes:
            deliver(LATE)
        if tonight == twice_comes:
            deliver(TWICE)
        alarms = job["night"](tonight)
        expected = {MISSING} | ({LATE} if tonight < late_comes else set())
        gone = sorted(expected & {*until(first, tonight)})
        assert alarms[: len(gone)] == [f"{day}: no decisions have arrived" for day in gone]
        came = rows_of(*({*until(first, tonight)} - expected - {EMPTY}))
        direct = pf.audit(came, "di", "rd", baseline=release(), **QUESTION)
        audit = pl.read_parquet(f"audits/{tonight}.parquet")
        assert_frame_equal(audit, direct)
        worse = [f"{name}: worse" for name in direct.filter(change="worse")["metric"]]
        assert alarms[len(gone) :] == worse
    # In the end each row was counted once, the day that came twice too.
    cells = pl.read_parquet("cells/*.parquet")
    by_day = dict(cells.group_by("decided_on").agg(pl.col("n").sum()).iter_rows())
    here = {day: rows_of(day).height for day in until(first, date(2025, 7, 11))}
    assert by_day == {day: n for day, n in here.items() if day not in (MISSING, EMPTY)}


def test_months_are_audited_again_when_a_day_comes_late(job: dict[str, Any]) -> None:
    month = pl.col("decided_on").dt.truncate("1mo").alias("month")
    deliver(*until(date(2025, 7, 1), date(2025, 8, 3)))
    Path(f"decisions/{LATE}.parquet").unlink()
    for came_late in (False, True):
        if came_late:
            deliver(LATE)
        job["night"](date(2025, 8, 3))
        trend = job["beside_release"](pl.scan_parquet("cells/*.parquet"), by=month)
        days = {*until(date(2025, 7, 1), date(2025, 8, 3))} - {EMPTY}
        rows = rows_of(*(days if came_late else days - {LATE}))
        direct = pf.audit(
            rows, *("di", "rd"), baseline=release().drop("decided_on"), by=month, **QUESTION
        )
        assert_frame_equal(trend, direct)


def test_a_file_with_rows_of_another_day_stops_the_job(job: dict[str, Any]) -> None:
    day = date(2025, 7, 1)
    rows_of(day, date(2025, 7, 2)).write_parquet(f"decisions/{day}.parquet")
    with pytest.raises(ValueError, match="has decisions of other days"):
        job["night"](date(2025, 7, 2))
    assert not [*Path("cells").iterdir()]
    unknown = rows_of(day).with_columns(decided_on=pl.lit(None, pl.Date))
    unknown.write_parquet(f"decisions/{day}.parquet")
    with pytest.raises(ValueError, match="has decisions of other days"):
        job["night"](date(2025, 7, 2))


class StoppedPath(type(Path())):  # type: ignore[misc]
    """A path of a job that is stopped before its file gets its name."""

    def replace(self, target: object) -> None:
        raise KeyboardInterrupt


def test_what_a_stopped_job_left_is_in_no_audit(job: dict[str, Any]) -> None:
    day = date(2025, 7, 1)
    deliver(day)
    job["night"](date(2025, 7, 2))
    job["Path"] = StoppedPath
    with pytest.raises(KeyboardInterrupt):
        job["night"](date(2025, 7, 2))
    assert len([*Path("cells").iterdir()]) == 2
    assert pl.read_parquet("cells/*.parquet")["n"].sum() == rows_of(day).height

"""The files that the command line reads: formats, partitions, several paths."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from polars_fairness.cli.files import files_of, opened
from tests.cli.loans import GAP, LOANS, SEX, records
from tests.conftest import Run


def _gzipped(text: str, path: str) -> None:
    Path(path).write_bytes(gzip.compress(text.encode()))


WRITERS: dict[str, Callable[[str], object]] = {
    "loans.parquet": LOANS.write_parquet,
    "loans.csv": LOANS.write_csv,
    "LOANS.CSV": LOANS.write_csv,
    "loans[1].csv": LOANS.write_csv,
    "loans.tsv": lambda path: LOANS.write_csv(path, separator="\t"),
    "loans.csv.gz": lambda path: _gzipped(LOANS.write_csv(), path),
    "loans.tsv.gz": lambda path: _gzipped(LOANS.write_csv(separator="\t"), path),
    "loans.ndjson": LOANS.write_ndjson,
    "loans.jsonl": LOANS.write_ndjson,
    "loans.arrow": LOANS.write_ipc,
    "loans.feather": LOANS.write_ipc,
    "loans.ipc": LOANS.write_ipc,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_read(name: str, run: Run) -> None:
    WRITERS[name](name)
    [gap, ratio] = records(run, name, *SEX, *GAP)
    assert (gap["metric"], gap["value"]) == ("dppl", 0.5)
    assert ratio["value"] == pytest.approx(1 / 3)
    assert (gap["rows_seen"], gap["n_unknown"]) == (9, 1)


def test_dates_in_csv_are_read_as_dates() -> None:
    LOANS.write_csv("loans.csv")
    assert (
        opened(files_of(["loans.csv"]), {"where": "since < DATE '2025-01-01'"}).collect().height
        == 1
    )


@pytest.fixture
def partitioned(place: Path) -> Path:
    for year, rows in ((2024, LOANS.filter(sex="F")), (2025, LOANS)):
        for kind in ("parquet", "arrow"):
            folder = place / kind / f"year={year}" / "month=1"
            folder.mkdir(parents=True)
            write = rows.write_parquet if kind == "parquet" else rows.write_ipc
            write(folder / f"0.{kind}")
    return place


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("path", ["{}", "{}/", "{}/year=*", "{}/*/*/*.{}", "{}/**/*.{}"])
def test_partitions_are_columns(partitioned: Path, kind: str, path: str, run: Run) -> None:
    path = path.format(kind, kind)
    [gap, _] = records(run, path, *SEX, *GAP, "--where", "year = 2025")
    assert (gap["value"], gap["rows_seen"]) == (0.5, 9)
    assert opened(files_of([path]), {}).collect().height == 13


def test_only_the_partitions_requested_are_read(partitioned: Path, run: Run) -> None:
    broken = partitioned / "parquet" / "year=2024" / "month=1" / "0.parquet"
    broken.write_bytes(broken.read_bytes()[:50] + b"\0" * 200 + broken.read_bytes()[250:])
    assert "year=2024" not in opened(files_of(["parquet"]), {"where": "year = 2025"}).explain()
    assert records(run, "parquet", *SEX, *GAP, "--where", "year = 2025")[0]["value"] == 0.5

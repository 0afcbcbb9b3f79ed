"""Rows that are piped in, in every format, and what is said about them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import polars as pl
import pytest

from tests.conftest import Run

ROWS = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1], "zip": ["01", "1"] * 2})
WORDS = ["rates", "-", "--facet", "sex", "--predicted", "hired", "--by", "zip", "--format", "csv"]


def pipe_in(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))


def written(write: Callable[[pl.DataFrame, BytesIO], object]) -> bytes:
    file = BytesIO()
    write(ROWS, file)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        written(pl.DataFrame.write_parquet),
        written(pl.DataFrame.write_ipc),
        written(pl.DataFrame.write_ndjson),
        b"\n  " + written(pl.DataFrame.write_ndjson),
        written(pl.DataFrame.write_csv),
        "\N{BYTE ORDER MARK}".encode() + written(pl.DataFrame.write_csv),
        written(lambda rows, file: rows.write_csv(file, separator="\t")),
        gzip.compress(written(pl.DataFrame.write_csv)),
        gzip.compress(written(pl.DataFrame.write_parquet)),
    ],
    ids=[*("parquet", "arrow", "ndjson", "spaces", "csv", "mark", "tsv"), "gz", "gzp"],
)
def test_rows_of_every_format_are_those_of_a_file(
    content: bytes, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ROWS.write_parquet(tmp_path / "rows.parquet")
    by_file = run(*[str(tmp_path / "rows.parquet") if word == "-" else word for word in WORDS])
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    pipe_in(content, monkeypatch)
    assert run(*WORDS) == by_file
    assert not [*(tmp_path / "temporary").iterdir()]


def test_a_terminal_is_not_waited_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe_in(b"", monkeypatch)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert run(*WORDS)[2].startswith("polars-fairness: path: - stands for standard input, but")

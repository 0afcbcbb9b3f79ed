"""The files that wrong options are about."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

import polars as pl

from tests.cli.loans import LOANS

ROWS: Final = LOANS.with_columns(
    other=pl.Series([0.1, 0.9, 0.2, 0.8, 0.7, 0.6, 0.55, 0.3, 0.5]),
    missing=pl.Series([None, *[True] * 8]),
    negative=pl.Series([-1, *[1] * 8]),
    half=pl.Series([0.5, *[1.0] * 8]),
    infinite=pl.Series([float("inf"), *[0.4] * 8]),
    nan=pl.Series([float("nan"), *[0.4] * 8]),
    null=pl.Series([None, *[0.4] * 8]),
    k=1,
).with_columns(pl.lit("yes").alias("label="))

FILES: Final[dict[str, str | bytes | pl.DataFrame]] = {
    "loans.parquet": ROWS,
    **dict.fromkeys(
        ("broken.parquet", "broken.arrow", "broken.ndjson", "loans.csv", "loans.xlsx"),
        "nothing of the kind",
    ),
    "empty.csv": "",
    "cut.csv.gz": gzip.compress(LOANS.write_csv().encode())[:-12],
    "latin.md": "für alle".encode("latin-1"),
    "named.csv": "name,reported\ndi,0.5\n",
    "unknown.csv": "metric,reported\ndii,0.5\n",
    "half.csv": "metric,reported\ndi,half\n",
    "lacking.csv": "metric,reported\ndi,\n",
    "twice.csv": "metric,reported\ndi,0.5\ndi,0.6\n",
    "confidence.toml": 'name = "Loans"\nconfidence = 2',
    "favorable.toml": 'name = "Loans"\nfavorable = "no"\n',
    "good.toml": 'name = "Loans"\nfavorable = true\nrule = "point"\n[gate]\nfail_on = "outside"\n',
    "wage.toml": "name = 'x'\n[question]\nweight = 'wages'\n",
    "threshold.toml": "name = 'x'\n[question]\nthreshold = 'abc'\n",
    "long.toml": f"name = 'x'\n[bands]\ndi = [0.1, {'9' * 400}]\n",
    "fail.toml": "name = 'x'\n[gate]\nfail_on = 3\n",
    "size.toml": "name = 'x'\nmetrics = ['cddpl']\n[gate]\nfail_on = 'outside'\n",
}


def write_files() -> None:
    Path("empty").mkdir()
    for name, content in FILES.items():
        if isinstance(content, pl.DataFrame):
            content.write_parquet(name)
        else:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())

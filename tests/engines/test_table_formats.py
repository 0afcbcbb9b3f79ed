"""Tables of Delta Lake and of Iceberg are scanned as other files are."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from pyiceberg.catalog.memory import InMemoryCatalog

from tests.frames import people
from tests.test_travel import check_answers


def test_a_table_of_delta_lake(tmp_path: Path) -> None:
    first, last = people().head(100), people().tail(-100)
    first.write_delta(tmp_path)
    last.write_delta(tmp_path, mode="append")
    check_answers(pl.scan_delta(tmp_path))


def test_a_table_of_iceberg(tmp_path: Path) -> None:
    first, last = people().head(100).to_arrow(), people().tail(-100).to_arrow()
    catalog = InMemoryCatalog("tests", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("lending")
    table = catalog.create_table("lending.people", schema=first.schema)
    table.append(first)
    table.append(last)
    check_answers(pl.scan_iceberg(table))

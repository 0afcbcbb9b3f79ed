"""Files that would be read wrongly, or not at all: each error names the file and what to do."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.conftest import Run

WORDS = ["--facet", "sex", "--predicted", "hired"]
HEADER = "sex,hired,note\n"


def refused(run: Run, *words: str) -> str:
    code, out, err = run("rates", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("polars-fairness: path: ")
    return err


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("F,1", "has 2 fields"),
        ("1", "has 1 fields"),
        ("F,X,1,", "has 4 fields"),
        ("F,1,,", "has 4 fields"),
        ('F,1,"x, y",z', "has 4 fields"),
        ('"F,1",', "has 2 fields"),
        ("", "is empty"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv"])
def test_a_row_with_other_fields_than_the_header_is_refused(
    line: str, found: str, ending: str, run: Run
) -> None:
    good = 'F,1,"a, ""b""\nc"\nM,0,\n'
    text = HEADER + good * 2000 + line + "\n" + good
    if ending == "tsv":
        text = text.replace(",", "\t")
    write = gzip.compress if ending == "csv.gz" else bytes
    Path(f"a.{ending}").write_bytes(
        write((HEADER + good).encode())
        if ending != "tsv"
        else (HEADER + good).replace(",", "\t").encode()
    )
    Path(f"b.{ending}").write_bytes(write(text.encode()))
    err = refused(run, f"a.{ending}", f"b.{ending}", *WORDS)
    assert f"line 6002 of 'b.{ending}' {found}, and the header has 3; " in err


def test_rows_with_as_many_fields_as_the_header_are_read(run: Run) -> None:
    random = Random(5)
    fields = ["", "x", '"x, y"', '"a ""b"", c"', '"two\nlines, ""\n"', '""', '"é"']
    for end in ("\n", "\r\n"):
        for _ in range(20):
            lines = [f"F,{random.choice('01')},{random.choice(fields)}" for _ in range(50)]
            Path("a.csv").write_bytes(
                (HEADER + end.join(lines)).encode() + random.choice([b"", end.encode()])
            )
            assert run("rates", "a.csv", *WORDS)[0] == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "'a.csv' is empty; "),
        (b"sex,hired\n", "'a.csv' has no rows; "),
        ("sex,hired\nmänn,1\n".encode("latin1"), "'a.csv' is not UTF-8: "),
        ("sex,hired,ä\nF,1,2\n".encode("latin1"), "'a.csv' is not UTF-8: "),
        (b"sex,hired,sex\nF,1,M\n", "2 columns of 'a.csv' are called 'sex'; "),
        (b'sex,hired\nF,"1\nM,0\n', "cannot read 'a.csv' as csv: "),
    ],
)
def test_broken_csv_is_named(content: bytes, message: str, run: Run) -> None:
    Path("a.csv").write_bytes(content)
    assert message in refused(run, "a.csv", *WORDS)


@pytest.mark.parametrize(
    "content", [b"", b'{"sex":"F"\n', '{"sex":"ä","hired":1}'.encode("latin1")]
)
def test_broken_ndjson_is_named(content: bytes, run: Run) -> None:
    Path("a.ndjson").write_text('{"sex":"F","hired":1}\n')
    Path("b.ndjson").write_bytes(content)
    assert "'b.ndjson'" in refused(run, "a.ndjson", "b.ndjson", *WORDS)


@pytest.mark.parametrize("ending", ["arrow", "parquet"])
@pytest.mark.parametrize("content", [b"", b"ARROW1\n", b"PAR1", b"no such file"])
def test_a_file_of_few_bytes_is_named(ending: str, content: bytes, run: Run) -> None:
    Path(f"a.{ending}").write_bytes(content)
    assert f"'a.{ending}'" in refused(run, f"a.{ending}", *WORDS)


@pytest.mark.extras
def test_arrow_with_two_columns_of_one_name_is_refused(run: Run) -> None:
    """polars panics where it reads them."""
    columns: list[Any] = [["F", "M"] * 20, [1, 0] * 20, [0, 1] * 20]
    table = pa.Table.from_arrays([pa.array(each) for each in columns], ["sex", "hired", "hired"])
    with pa.OSFile("a.arrow", "wb") as content, pa.ipc.new_file(content, table.schema) as writer:
        writer.write_table(table)
    err = refused(run, "a.arrow", *WORDS)
    assert err.endswith("again, each column with a name of its own\n")


ROWS = pl.DataFrame({"sex": ["F", "M"], "hired": [1, 0], "age": [30, 40]})


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(
    ("other", "found"),
    [
        (
            ROWS.with_columns(pl.col("hired").cast(pl.Float64)),
            "column 'hired' is Float64 in the first and Int64 in the second",
        ),
        (ROWS.drop("hired"), "column 'hired' is missing in the first and Int64 in the second"),
    ],
    ids=["type", "missing"],
)
def test_files_of_other_types_are_named(
    ending: str, other: pl.DataFrame, found: str, run: Run
) -> None:
    write = pl.DataFrame.write_parquet if ending == "parquet" else pl.DataFrame.write_ipc
    Path("rows").mkdir()
    write(ROWS, f"rows/a.{ending}")
    write(ROWS, f"rows/b.{ending}")
    write(other, f"rows/c.{ending}")
    err = refused(run, "rows", *WORDS)
    assert f"'rows/c.{ending}' differs from 'rows/a.{ending}': {found}" in err
    # What the error advises works in a shell.
    for name in "ac":
        Path(f"{name}.csv").write_text(run("cells", f"rows/{name}.{ending}", *WORDS)[1])
    if "hired" in other.columns:
        assert run("rates", "a.csv", "c.csv", *WORDS, "--count", "n")[0] == 0


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_truncated_file_is_named(ending: str, run: Run) -> None:
    write = pl.DataFrame.write_parquet if ending == "parquet" else pl.DataFrame.write_ipc
    for name in ("a", "b"):
        write(ROWS, f"{name}.{ending}")
    Path(f"b.{ending}").write_bytes(Path(f"b.{ending}").read_bytes()[:-9])
    assert f"cannot read 'b.{ending}'" in refused(run, f"a.{ending}", f"b.{ending}", *WORDS)

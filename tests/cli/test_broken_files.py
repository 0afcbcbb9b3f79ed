"""Files that would be read wrongly, or not at all: each error names the file and what to do."""

from __future__ import annotations

import gzip
from io import BytesIO, TextIOWrapper
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


CSV = b"sex,hired\n" + b"F,0\nF,1\nM,1\nM,1\n" * 3
PACKED = gzip.compress(CSV)
# The ending of a file, what it holds, and what is said of it by its name.
CONTENTS: dict[str, tuple[str, bytes, str]] = {
    "cut": ("csv.gz", PACKED[:-12], "{} cannot be decompressed: "),
    "garbage": ("csv.gz", b"\x1f\x8b\x08\x00" + b"abcdefgh" * 5, "{} cannot be decompressed: "),
    "twice": ("csv.gz", gzip.compress(PACKED), "b'\\x8b'; it is compressed twice; decompress"),
    "zstd": (
        "csv",
        b"\x28\xb5\x2f\xfd" + b"x" * 9,
        "{} is compressed with zstd; decompress it first",
    ),
    "bzip2": ("csv", b"BZh91AY&SY", "{} is compressed with bzip2; decompress it first"),
    "header": ("csv", b"a" * 200_000 + b",sex,hired\n1,F,0\n", "the header of {} cannot be read"),
    "long quote": ("csv", CSV + b'"' + b"a" * 200_000, "cannot read {} as csv: "),
    "quote": ("csv", b'sex,hired\nF,"1\nM,0\n', "cannot read {} as csv: "),
    "utf-16": ("csv", "sex,hired\nF,0\n".encode("utf-16"), "iconv -f UTF-16 -t UTF-8"),
    "windows": ("csv", "sex,hired\nF€,0\n".encode("cp1252"), "iconv -f WINDOWS-1252 -t UTF-8"),
    "latin": ("csv", "sex,hired\nmänn,1\n".encode("latin1"), "{} is not UTF-8: "),
    "latin header": ("csv", "sex,hired,ä\nF,1,2\n".encode("latin1"), "{} is not UTF-8: "),
    "two names": ("csv", b"sex,hired,sex\nF,1,M\n", "2 columns of {} are called 'sex'; "),
    "empty": ("csv", b"", "{} is empty; "),
    "no rows": ("csv", b"sex,hired\n", "{} has no rows; give files with rows"),
    "two fields": ("csv", b"sex,hired,zip\nF,1\n", "line 2 of {} has 2 fields, and the header ha"),
    "mark": ("ndjson", b'\xef\xbb\xbf{"sex":"F","hired":0}', "{} begins with a byte order"),
    "no lines": ("ndjson", b"", "{}"),
    "open brace": ("ndjson", b'{"sex":"F"\n', "{}"),
    "latin lines": ("ndjson", '{"sex":"ä","hired":1}'.encode("latin1"), "{}"),
    **{
        f"{ending} {content!r}": (ending, content, "{}")
        for ending in ("arrow", "parquet")
        for content in (b"", b"ARROW1\n", b"PAR1", b"no such file")
    },
}
PIPED = ("cut", "garbage", "bzip2", "zstd", "no rows", "two fields", "parquet b'PAR1'")


@pytest.mark.parametrize(("ending", "content", "message"), CONTENTS.values(), ids=CONTENTS)
def test_a_broken_file_is_named_with_what_is_wrong(
    ending: str, content: bytes, message: str, run: Run
) -> None:
    Path("good.ndjson").write_text('{"sex":"F","hired":1}\n')
    Path(f"a.{ending}").write_bytes(content)
    good = ["good.ndjson"] if ending == "ndjson" else []
    err = refused(run, *good, f"a.{ending}", *WORDS)
    assert message.format(f"'a.{ending}'") in err
    assert len(err) < 1_000


@pytest.mark.parametrize("name", PIPED)
def test_what_is_piped_in_is_called_as_it_was_typed(
    name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, content, message = CONTENTS[name]
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))
    assert message.format("'-'") in refused(run, "-", *WORDS)


def test_an_empty_pipe_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b" \n")))
    assert "path: - is empty; pipe a file with rows in" in refused(run, "-", *WORDS)


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

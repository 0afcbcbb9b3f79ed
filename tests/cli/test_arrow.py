"""Columns of one name in Arrow, as its own library writes them; polars panics at them."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness import FairnessError
from polars_fairness.cli.arrow import refuse_alike_columns_of_file
from tests.cli.test_streams_and_endings import piped
from tests.conftest import Run

pytestmark = pytest.mark.extras

QUESTION = ("audit", "--facet", "sex", "--predicted", "p", "--metric", "di")


def written(path: Path, names: list[str], *, is_stream: bool) -> None:
    import pyarrow as pa

    columns: list[Any] = [["F", "M"] * 20, [1, 0] * 20, [{"p": 1}, {"p": 2}] * 20]
    table = pa.Table.from_arrays([pa.array(each) for each in columns], names=names)
    make = pa.ipc.new_stream if is_stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as content, make(content, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("is_stream", [False, True])
def test_two_columns_of_one_name_are_named(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, *, is_stream: bool
) -> None:
    path = tmp_path / "rows.arrow"
    written(path, ["sex", "p", "p"], is_stream=is_stream)
    name = repr(str(path))
    if is_stream:
        piped(path.read_bytes(), monkeypatch)
        path, name = Path("-"), "-"
    code, _, err = run(QUESTION[0], str(path), *QUESTION[1:])
    assert code == 2
    assert err == (
        f"polars-fairness: path: {name} has 2 columns called 'p'; give each a name of its own\n"
    )


def test_columns_of_names_of_their_own_are_read(tmp_path: Path) -> None:
    written(tmp_path / "of_arrow.arrow", ["sex", "p", "Ünï"], is_stream=False)
    wide = pl.DataFrame({f"c{i}": [1] for i in range(500)}).with_columns(
        kind=pl.Series(["a"], dtype=pl.Categorical), parts=pl.struct("c0", c1=pl.struct("c0"))
    )
    wide.write_ipc(tmp_path / "of_polars.arrow")
    wide.clear().select().write_ipc(tmp_path / "of_none.arrow")
    for file in tmp_path.iterdir():
        refuse_alike_columns_of_file(str(file))


def test_broken_descriptions_are_left_to_polars(tmp_path: Path) -> None:
    written(tmp_path / "rows.arrow", ["sex", "p", "q"], is_stream=False)
    whole = (tmp_path / "rows.arrow").read_bytes()
    draw = random.Random(7)
    for _ in range(300):
        broken = bytearray(whole[: draw.choice([len(whole), draw.randrange(len(whole))])])
        for _ in range(draw.randrange(1, 8)):
            broken[draw.randrange(max(0, len(broken) - 400), len(broken))] = draw.randrange(256)
        (tmp_path / "broken.arrow").write_bytes(broken)
        with suppress(FairnessError):  # two names that are now one
            refuse_alike_columns_of_file(str(tmp_path / "broken.arrow"))

"""The engines that the page on engines shows beside DuckDB give the answer that it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.paths import ROOT

PAGE = (ROOT / "docs/how-to/large-data.md").read_text("utf-8")
BLOCKS = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)

# Ibis warns of DuckDB's own future.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
]


@pytest.mark.parametrize("engine", ["spark", "ibis"])
def test_the_engines_of_the_page_give_its_answer(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    spark = request.getfixturevalue("spark") if engine == "spark" else None
    names: dict[str, Any] = {"pf": pf, "spark": spark}
    loans = pf.datasets.loans()
    path = tmp_path / "loans.parquet"
    loans.write_parquet(path)
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in BLOCKS if engine in block and "audit =" in block]
    # The executors of Spark have folders of their own.
    exec(block.replace('"loans.parquet"', f'"{path}"'), names)
    expected = pf.audit(loans, "di", "rd", facet="sex", label="repaid", predicted="approved")
    assert_frame_equal(names["audit"], expected, check_exact=True)

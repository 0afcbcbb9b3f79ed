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

# Warnings of libraries in between about their own future: Ibis of DuckDB, narwhals of Dask.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning"),
]


@pytest.mark.parametrize(
    ("engine", "session"),
    [("spark", "spark"), ("spark", "connect"), ("ibis", None), ("dask", None)],
)
def test_the_engines_of_the_page_give_its_answer(
    engine: str,
    session: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    names: dict[str, Any] = {
        "pf": pf,
        "spark": request.getfixturevalue(session) if session else None,
    }
    loans = pf.datasets.loans()
    path = tmp_path / "loans.parquet"
    loans.write_parquet(path)
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in BLOCKS if engine in block and "audit =" in block]
    # The executors of Spark and the server of Sail have folders of their own.
    exec(block.replace('"loans.parquet"', f'"{path}"'), names)
    expected = pf.audit(loans, "di", "rd", facet="sex", label="repaid", predicted="approved")
    assert_frame_equal(names["audit"], expected, check_exact=True)

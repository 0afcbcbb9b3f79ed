"""The block of Spark on the page about engines gives the answer that polars gives."""

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

pytestmark = pytest.mark.nightly


def test_spark_gives_the_answer_of_the_page(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Any] = {"pf": pf, "spark": spark}
    loans = pf.datasets.loans()
    path = tmp_path / "loans.parquet"
    loans.write_parquet(path)
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in BLOCKS if "audit =" in block]
    # The executors of Spark have folders of their own.
    exec(block.replace('"loans.parquet"', f'"{path}"'), names)
    expected = pf.audit(loans, "di", "rd", facet="sex", label="repaid", predicted="approved")
    assert_frame_equal(names["audit"], expected, check_exact=True)

"""The notebooks run from the first cell to the last, in marimo and in Jupyter."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from tests.paths import ROOT

NOTEBOOKS: Final = ROOT / "docs" / "notebooks"

pytestmark = pytest.mark.extras


@pytest.fixture(autouse=True)
def programs() -> None:
    """Skip a test without the extra; in CI, let it fail."""
    missing = [name for name in ("marimo", "nbclient", "ipykernel") if find_spec(name) is None]
    if missing and "CI" in os.environ:
        pytest.fail(f"needs {', '.join(missing)} (extra: notebooks)")
    if missing:
        pytest.skip(f"needs {', '.join(missing)} (extra: notebooks)")


def of_hiring(found: Mapping[str, Any]) -> list[str]:
    """What the text says, from the values of its cells."""
    women, _ = found["ratios"].filter(facet="sex").iter_rows(named=True)
    drivers = found["by_job"].filter(facet="sex", job="Driver", value="Female").row(0, named=True)
    short = found["impact"].filter(job="Driver", disfavored="Female").row(0, named=True)
    return [
        f"{women['impact_ratio']:.2f} times as often as men: {women['rate']:.0%}",
        f"from {women['lower']:.2f} to {women['upper']:.2f}",
        f"{drivers['rate']:.1%} are selected",
        f"{short['shortfall_to_four_fifths']} more women would have to be selected",
        f"{short['shortfall']} to reach it",
    ]


def of_lending(found: Mapping[str, Any]) -> list[str]:
    women = found["table"].filter(disfavored="F").row(0, named=True)
    low, high = found["bounds"]["refused"], found["bounds"]["approved"]
    black = found["of_women"].filter(disfavored="Black").row(0, named=True)
    inside = dict(found["audit"].select("metric", "value").iter_rows())
    return [
        f"{women['air']:.2f} times as often as men: {women['points']:.0f} points less",
        f"{women['shortfall']:,} loans",
        f"{inside['dppl']:.2f}, {inside['mh_difference']:.2f} remain",
        f"any ratio from {low} to {high}",
        f"{black['points']:.1f} points less than white ones",
    ]


def of_triage(found: Mapping[str, Any]) -> list[str]:
    miss = dict(found["misses"].filter(facet="race").select("value", "fnr").iter_rows())
    recorded = found["as_seen"].filter(value="Black")["fnr"].item()
    chosen = found["choice"].filter("is_chosen").row(0, named=True)
    moved = pl.DataFrame(found["switched"]).filter(value="Black")["newly_accepted"].item()
    return [
        f"It is {miss['Black']:.0%} for Black patients, and {miss['White']:.1%} for white ones",
        f"from {miss['Black']:.0%} to {recorded:.0%}, and nothing got better",
        f"from 0.3 to {chosen['threshold']}",
        f"to {chosen['selection_rate']:.0%} of the patients",
        f"{moved} places move from white to Black patients",
    ]


CLAIMS: Final[Mapping[str, Callable[[Mapping[str, Any]], list[str]]]] = {
    "hiring": of_hiring,
    "lending": of_lending,
    "triage": of_triage,
}


def test_every_notebook_is_run() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.py")} == {*CLAIMS}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.nightly] * (each != "lending")) for each in CLAIMS],
)
def test_a_notebook_of_marimo_runs_and_says_what_comes_out(name: str) -> None:
    path = NOTEBOOKS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    _, found = notebook.app.run()
    text = " ".join(path.read_text("utf-8").split()).replace(" %", "%")
    assert [claim for claim in CLAIMS[name](found) if claim not in text] == []


@pytest.mark.nightly
def test_a_notebook_of_jupyter_runs(tmp_path: Path) -> None:
    """One of them: their cells are those of marimo's."""
    subprocess.run(
        [sys.executable, "-m", "jupyter", "execute", NOTEBOOKS / "triage.ipynb"],
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        check=True,
        capture_output=True,
    )

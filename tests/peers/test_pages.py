"""The pages for those who come from another tool, whose Python calls that tool too."""

from __future__ import annotations

import re
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any, Final

import pytest
from fairlearn import metrics as fairlearn
from holisticai.bias import metrics as holistic
from tool_names import page_of_names

from tests.documents import OF_PEERS, run_document
from tests.paths import ROOT

from .quiet import import_aif360_for_pages, importing_aif360

with importing_aif360():
    from aif360.metrics import ClassificationMetric
    from aif360.sklearn.metrics import metrics as aif


# A search with optuna and scikit-learn takes as long as all other pages ten times.
BY_NIGHT: Final = ("train-a-model.md",)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.nightly] * (path.name in BY_NIGHT))
        for path in OF_PEERS
    ],
)
def test_code_of_pages_runs_and_prints_what_they_show(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Paste the Python of a page into a fresh interpreter, in an empty folder."""
    import_aif360_for_pages()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run_document(path, capsys)


def _functions(there: Any) -> list[str]:
    """The public functions of a module of AIF360, or the methods of its class."""
    return [
        name
        for name, function in getmembers(there, isfunction)
        if re.match(r"aif360\..*\bmetrics\.", function.__module__) and not name.startswith("_")
    ]


NAMES: Final = {
    "fairlearn": fairlearn.__all__,
    "aif360": [*_functions(ClassificationMetric), *_functions(aif)],
    "holisticai": holistic.__all__,
}


@pytest.mark.parametrize("page", NAMES)
def test_pages_say_what_becomes_of_every_metric_of_the_tool(page: str) -> None:
    text = (ROOT / "docs" / "coming-from" / "index.md").read_text("utf-8") + page_of_names()
    outside_blocks = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    mentioned = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", outside_blocks))))
    assert len(NAMES[page]) > 30
    assert set(NAMES[page]) - mentioned == set()

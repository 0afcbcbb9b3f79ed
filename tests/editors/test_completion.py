"""What jedi completes: of text, as an editor does, and of live objects, as a notebook does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import jedi
import pytest

import polars_fairness as pf
from polars_fairness.question.arguments import OF_QUESTION

TEXT = """import polars as pl
import polars_fairness as pf
q = pf.of(pl.read_parquet("loans.parquet"), facet="sex", predicted="approved")
"""


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Another process may be writing the files that jedi keeps for all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jedi.settings, "cache_directory", str(tmp_path_factory.mktemp("jedi")))
        yield


def of_text(line: str) -> set[str]:
    code = TEXT + line
    script = jedi.Script(code)
    return {each.name for each in script.complete(code.count("\n") + 1, len(line))}


def of_live_objects(line: str) -> set[str]:
    loans = pf.datasets.loans().head()
    names = {"pf": pf, "loans": loans, "q": pf.of(loans, facet="sex", predicted="approved")}
    return {each.name for each in jedi.Interpreter(line, [names]).complete()}


def test_an_editor_completes_each_method_of_a_question() -> None:
    assert {*pf.CATALOGUE, "audit", "rates", "report", "replace", "worst_groups"} <= of_text("q.")


@pytest.mark.parametrize("complete", [of_text, of_live_objects])
def test_the_options_of_a_method_are_completed(complete: Any) -> None:
    assert {"confidence="} <= complete("q.audit('di', conf")
    assert {"depth="} <= complete("q.worst_groups('spsf', dep")


@pytest.mark.parametrize("complete", [of_text, of_live_objects])
def test_expressions_and_their_arguments_are_completed(complete: Any) -> None:
    assert {"di", "tpr", "auc_difference"} <= complete("pf.expr.")
    assert "cddpl" not in complete("pf.expr.")
    assert {"disfavored="} <= complete("pf.expr.di('approved', disf")


def test_a_notebook_completes_each_argument_of_a_question() -> None:
    """Each in one of three calls, whose signatures are made alike."""
    calls = cycle(("pf.of(loans, ", "loans.fairness.of(", "q.replace("))
    for argument, call in zip(OF_QUESTION, calls, strict=False):
        assert f"{argument.name}=" in of_live_objects(f"{call}{argument.name[:-1]}")


def test_a_notebook_completes_each_method_of_the_namespace() -> None:
    completed = of_live_objects("loans.fairness.")
    assert {"audit", "of", "lending", "metric_names"} <= completed
    assert not completed & {*pf.CATALOGUE.names}


def test_a_notebook_completes_the_arguments_of_prescribed_tables() -> None:
    for line in ("lending.table(fac", "lending.report(fac", "hiring.adverse_impact(fac"):
        assert {"facet="} <= of_live_objects(f"loans.fairness.{line}")

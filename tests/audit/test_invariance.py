"""Cells for rows, row order, blocks, engines and names do not change an audit."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.audit.questions import AUDITED, COLUMNS
from tests.frames import QUESTION, people, shared
from tests.strategies import EVERYTHING, examples, frames


@examples(5)
@given(frames(least=2), st.sampled_from([None, "w"]), st.randoms(use_true_random=False))
def test_rows_cells_order_and_laziness_give_the_same_audit(
    frame: pl.DataFrame, weight: str | None, random: Any
) -> None:
    question = {**EVERYTHING, "weight": weight, "replicates": 20, "seed": 3}
    answer = pf.audit(frame, *AUDITED, **question)
    order = random.sample(range(frame.height), frame.height)
    assert_frame_equal(pf.audit(frame[order], *AUDITED, **question), answer)
    shards = [pf.cells(frame[i::2], **EVERYTHING, weight=weight) for i in range(2)]
    assert_frame_equal(pf.audit(pl.concat(shards), *AUDITED, count="n", **question), answer)
    assert_frame_equal(pf.audit(frame.lazy(), *AUDITED, **question).collect(), answer)


def test_an_audit_has_the_values_of_metrics() -> None:
    question = {**QUESTION, "subgroup": "branch", "by": "month"}
    wide = pf.metrics(people(), *AUDITED, **question)
    answer = pf.audit(people(), *AUDITED, replicates=5, **question)
    for name in AUDITED:
        values = answer.filter(metric=name)["value"]
        every = wide if pf.CATALOGUE[name].has_sides else wide.unique("month", maintain_order=True)
        assert values.to_list() == pytest.approx(every[name].to_list(), nan_ok=True)


def test_drawing_in_blocks_changes_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pf.audit(people(), "dppl", "rd", "ge", **QUESTION)
    monkeypatch.setattr("polars_fairness.inference.draws._AT_ONCE", 100)
    assert_frame_equal(pf.audit(people(), "dppl", "rd", "ge", **QUESTION), whole)


@pytest.mark.extras
def test_a_lazy_audit_knows_its_schema_without_reading() -> None:
    def fail(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError

    broken = people().lazy().map_batches(fail, schema=people().schema)
    planned = shared(
        pf.audit, broken, "dppl", minimum_count=3, p_values="exact", by="month", **QUESTION
    )
    answer = shared(
        pf.audit, people(), "dppl", minimum_count=3, p_values="exact", by="month", **QUESTION
    )
    assert planned.collect_schema() == answer.schema
    optional = ["is_small", "p_value"]
    assert answer.columns == ["month", *COLUMNS[:-6], *optional, *COLUMNS[-6:]]

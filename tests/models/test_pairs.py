"""`pairs`: cases that are decided otherwise for another group, beside plain Python and scipy."""

from collections import defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import polars_fairness as pf
from tests.frames import shared
from tests.strategies import examples

QUESTION: dict[str, Any] = {"facet": "g", "favored": "a", "cluster": "case", "predicted": "p"}
rows = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", "c"]), st.booleans(), st.booleans()),
    max_size=30,
)
ALL = [(7, "a", True, False), (7, "b", False, True), (8, "a", False, True), (8, "c", True, True)]


def counted(answers: list[tuple[Any, ...]], d: str, at: int) -> dict[str, Any]:
    """The pairs of one group with "a", in plain Python."""
    said: dict[int, dict[str, list[bool]]] = defaultdict(lambda: {d: [], "a": []})
    for row in answers:
        if row[1] in (d, "a"):
            said[row[0]][row[1]].append(row[at])
    shares = [
        tuple(sum(each) / len(each) for each in (of[d], of["a"]))
        for of in said.values()
        if of[d] and of["a"]
    ]
    more_a, more_d = sum(y > x for x, y in shares), sum(x > y for x, y in shares)
    of_p = binomtest(more_a, more_a + more_d).pvalue if more_a + more_d else 1.0
    return {
        "n": len(shares),
        "unpaired": len(said) - len(shares),
        "both_accepted": sum(x == y > 0 for x, y in shares),
        "only_favored": more_a,
        "only_disfavored": more_d,
        "both_rejected": sum(x == y == 0 for x, y in shares),
        "difference": sum(y - x for x, y in shares) / len(shares) if shares else None,
        "mcnemar_p_value": of_p,
    }


@examples(15)
@given(rows)
def test_pairs_follow_from_the_rows(drawn: list[tuple[Any, ...]]) -> None:
    answers = [*ALL, *drawn]
    frame = pl.DataFrame(answers, schema=["case", "g", "p", "q"], orient="row")
    found = pf.pairs(frame, **{**QUESTION, "predicted": {"p": "p", "q": "q"}})
    assert found.select("model", "disfavored").rows() == [
        (model, d) for model in "pq" for d in "bc"
    ]
    for row in found.iter_rows(named=True):
        expected = counted(answers, row["disfavored"], "pq".index(row["model"]) + 2)
        assert {name: row[name] for name in expected} == pytest.approx(expected)
    lazily = pf.pairs(frame.lazy(), **QUESTION).collect()
    assert lazily.equals(pf.pairs(frame, **QUESTION))


def test_one_row_each_gives_the_difference_of_the_audit() -> None:
    prompts = pf.datasets.prompts()
    question: dict[str, Any] = {
        "facet": "group",
        "favored": "White",
        "cluster": "case",
        "predicted": "second",
    }
    found = pf.pairs(prompts, **question, classes="each")
    audit = shared(pf.audit, prompts, "dppl", **question, classes="each", confidence=None)
    assert found["difference"].to_list() == pytest.approx(audit["value"].to_list())
    assert (found["n"] == 500).all()
    cells = pf.cells(prompts, facet="group", predicted="second", subgroup="case")
    assert found.equals(pf.pairs(cells, **question, classes="each", count="n"))

"""The catalogue prints as a table, and is one."""

from __future__ import annotations

import pytest

import polars_fairness as pf


def test_it_prints_every_metric_in_100_columns() -> None:
    lines = repr(pf.CATALOGUE).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0].split() == ["name", "title", "ideal", "band"]
    assert [line.split()[0] for line in lines[1:-2] if line[1] != " "] == list(pf.CATALOGUE)
    [impact] = [line for line in lines if line.startswith(" di ")]
    assert impact.split() == ["di", "Impact", "ratio", "1", "0.8", "to", "1.25"]
    assert "null" not in repr(pf.CATALOGUE)
    assert "…" not in repr(pf.CATALOGUE)
    assert ".frame()" in lines[-1]


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("equal_opportunity_difference", "AIF360"),
        ("average_odds_difference", "AIF360"),
        ("statistical_parity", "HolisticAI"),
    ],
)
def test_the_first_sentence_names_a_tool_with_the_opposite_sign(name: str, tool: str) -> None:
    first, *_ = getattr(pf.Fairness, name).__doc__.splitlines()
    assert first.endswith(f", the opposite sign of {tool}'s `{name}`.")

"""The catalogue prints as a table, and is one."""

from __future__ import annotations

from math import inf

import polars as pl
import pytest

import polars_fairness as pf

FRAME = pf.CATALOGUE.frame()


def test_a_row_has_all_fields_of_its_metric() -> None:
    assert FRAME["name"].to_list() == list(pf.CATALOGUE)
    assert FRAME.filter(name="di").row(0, named=True) == {
        "name": "di",
        "title": "Disparate impact",
        "definition": "q'd / q'a",
        "lowest": 0.0,
        "highest": inf,
        "ideal": 1.0,
        "acceptable_from": 0.8,
        "acceptable_to": 1.25,
        "above": "d is accepted more often than a",
        "below": "a is accepted more often than d",
        "needs": ["facet", "predicted"],
        "source": "Amazon SageMaker Clarify, AIF360",
        "aliases": ["disparate_impact", "adverse_impact_ratio"],
    }
    [unbanded] = FRAME.filter(name="kl").rows(named=True)
    assert (unbanded["acceptable_from"], unbanded["acceptable_to"]) == (None, None)
    assert unbanded["needs"] == ["facet", "label values"]


def test_metrics_are_found_by_their_fields() -> None:
    conditional = FRAME.filter(pl.col("needs").list.contains("subgroup"))["name"].to_list()
    by_mantel_and_haenszel = ["mh_ratio", "mh_difference", "mh_odds_ratio", "cmh"]
    of_numbers = [f"conditional_{outcome}_difference" for outcome in ("estimate", "observed")]
    of_counts = ["cddpl", *by_mantel_and_haenszel, "breslow_day", "cddl"]
    assert conditional == [*of_counts, *of_numbers]
    assert FRAME.filter(pl.col("aliases").list.contains("adverse_impact_ratio")).height == 1


def test_it_prints_every_metric_in_100_columns() -> None:
    lines = repr(pf.CATALOGUE).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0].split() == ["name", "title", "ideal", "band"]
    assert [line.split()[0] for line in lines[1:-2] if line[1] != " "] == list(pf.CATALOGUE)
    [impact] = [line for line in lines if line.startswith(" di ")]
    assert impact.split() == ["di", "Disparate", "impact", "1", "0.8", "to", "1.25"]
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

"""Sentences that say "not by chance", and how many values are expected outside by chance."""

from __future__ import annotations

from math import exp, log
from typing import Any, Final

import polars as pl
import pytest
from scipy import stats

import polars_fairness as pf
from polars_fairness.reporting.verdicts import p_of_interval
from tests.conftest import Run
from tests.contrasts.test_changes_together import by_holm
from tests.reporting.test_first_page import first_page

# Of 200 rows each; beside all others, e is far below, and d a little.
RATES: Final = {"a": 0.62, "b": 0.6, "c": 0.62, "d": 0.4, "e": 0.2, "f": 0.61}


def groups(column: str, rates: dict[str, float], n: int = 200) -> pl.DataFrame:
    rows = [(key, p, round(n * (r if p else 1 - r))) for key, r in rates.items() for p in (1, 0)]
    return pl.DataFrame(rows, [column, "p", "n"], orient="row")


def people(**facets: dict[str, float]) -> pl.DataFrame:
    """Rows of several facets; each row has one of them only."""
    return pl.concat([groups(name, rates) for name, rates in facets.items()], how="diagonal")


def question(*facets: str) -> dict[str, Any]:
    return {"facet": [*facets], "predicted": "p", "count": "n", "method": "log"}


def test_what_is_outside_jointly_holds_for_all_sentences_of_a_page() -> None:
    few = {key: RATES[key] for key in "abcd"}
    frame = people(x=few, y=few, z={key: RATES[key] for key in "abcef"})
    arguments = question("x", "y", "z")
    audit = pf.audit(frame, "di", **arguments)
    outside = [verdict == "outside" for verdict in audit["verdict"]]
    p_values = [
        # Of a logarithm, normal: a value beyond 0.8 by so many standard errors.
        2 * stats.norm.sf(1.959964 * log(0.8 / value) / log(upper / value)) if is_outside else 1
        for value, upper, is_outside in zip(audit["value"], audit["upper"], outside, strict=True)
    ]
    expected = by_holm(p_values)
    assert any(outside)
    page = " ".join(first_page(pf.report(frame, "di", **arguments))[0])
    sure = dict(zip(zip(audit["facet"], audit["disfavored"], strict=True), expected, strict=True))
    for facet, worst in (("x", "d"), ("y", "d"), ("z", "e")):
        sentence = next(each for each in page.split("By ") if each.startswith(f"{facet}, {worst} "))
        assert (", also if all 13 intervals are widened" in sentence) == sure[facet, worst]
    assert {sure["x", "d"], sure["z", "e"]} == {False, True}
    assert "of 0.8 to 1.25, but not if all 13 intervals are widened to hold together (95" in page


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_of_95_per_cent_that_touches_its_band_has_a_p_value_of_5_per_cent(
    sign: int,
) -> None:
    """The interval of a ratio is one of its logarithm, here 0.1 to either side."""
    findings = pf.report(people(x=RATES), "di", **question("x")).findings
    edge = 1.25**sign
    row = {"metric": "di", "band_lower": 0.8, "band_upper": 1.25, "value": edge * exp(0.1 * sign)}
    ends = sorted((edge, edge * exp(0.2 * sign)))
    found = p_of_interval(findings, row | dict(zip(("lower", "upper"), ends, strict=True)))
    assert found == pytest.approx(0.05)


def test_it_says_how_many_intervals_miss_by_chance() -> None:
    frame = people(x=RATES)
    notes = first_page(pf.report(frame, "di", **question("x")))[-1]
    # 6 times 0.05.
    assert notes[1].startswith("Of 6 95 % intervals, about 0.3 can be expected to miss the true")
    chosen = pf.report(frame, "di", favored=pf.HIGHEST, **question("x"))
    assert first_page(chosen)[-1][1].startswith("Of 5 95 % intervals, at most about")
    assert not any(
        "by chance" in note
        for note in first_page(pf.report(groups("x", {"a": 0.5, "b": 0.5}), "di", **question("x")))[
            -1
        ]
    )


def test_it_says_how_many_test_statistics_are_outside_by_chance(run: Run, tmp_path: Any) -> None:
    frame = people(x={f"{i:02}": 0.5 for i in range(19)} | {"z": 0.3})
    arguments = question("x") | {"method": "auto"}
    notes = first_page(pf.report(frame, "two_sd", "z_ratio", **arguments))[-1]
    # 40 times the share of a normal distribution beyond 2, 0.0455.
    expected = "Of 40 test statistics (two_sd, z_ratio), each judged by itself, about 2 can be"
    assert any(note.startswith(expected) for note in notes)
    frame.write_parquet(tmp_path / "people.parquet")
    typed = ["--facet", "x", "--predicted", "p", "--count", "n", "--metric", "two_sd,z_ratio"]
    code, _, errors = run("audit", str(tmp_path / "people.parquet"), *typed, "--fail-on", "outside")
    assert code == 1
    assert expected in errors
    # The verdicts beside the highest group hold for all pairs.
    chosen = pf.report(frame, "two_sd", favored=pf.HIGHEST, **arguments)
    assert not any("test statistics" in note for note in first_page(chosen)[-1])

"""What stays outside if all intervals hold together, and what may be chance."""

from __future__ import annotations

from math import exp, log
from typing import Any, Final

import polars as pl
import pytest
from scipy import stats

import polars_fairness as pf
from polars_fairness.reporting.verdicts import p_of_interval
from tests.conftest import Run
from tests.pages import rows_below
from tests.reporting.test_page_one import first_page, points

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


def test_what_stays_outside_holds_for_all_intervals_of_a_page() -> None:
    few = {key: RATES[key] for key in "abcd"}
    frame = people(x=few, y=few, z={key: RATES[key] for key in "abcef"})
    arguments = question("x", "y", "z")
    audit = pf.audit(frame, "di", **arguments)
    outside = audit.filter(verdict="outside")
    p_values = [
        # Of a logarithm, normal: a value beyond 0.8 by so many standard errors.
        2 * stats.norm.sf(1.959964 * log(0.8 / value) / log(upper / value))
        for value, upper in outside.select("value", "upper").iter_rows()
    ]
    sure = [p <= 0.05 / 13 for p in p_values]
    assert {*sure} == {True, False}
    report = pf.report(frame, "di", **arguments)
    said = points(report)["All values"]
    kept = int(sum(sure))
    lost = len(sure) - kept
    assert (
        f"{kept} of the {len(sure)} stay{'s' * (kept == 1)} outside if the 13 intervals are "
        f"widened to hold together; the other{'s are' if lost > 1 else ' is'} marked †."
    ) in said
    [board] = rows_below(report.to_markdown(), "Every judged value, by verdict")
    marked = {
        f"{value:.2f} {group}": is_sure
        for value, group, is_sure in zip(outside["value"], outside["disfavored"], sure, strict=True)
    }
    for text, is_sure in marked.items():
        assert (f"{text}\N{NO-BREAK SPACE}†" in board[2]) != is_sure


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_of_95_per_cent_that_touches_its_band_has_a_p_value_of_5_per_cent(
    sign: int,
) -> None:
    """The interval of a ratio is one of its logarithm, here 0.1 to either side."""
    answers = pf.report(people(x=RATES), "di", **question("x")).answers
    edge = 1.25**sign
    row = {"metric": "di", "band_lower": 0.8, "band_upper": 1.25, "value": edge * exp(0.1 * sign)}
    ends = sorted((edge, edge * exp(0.2 * sign)))
    found = p_of_interval(answers, row | dict(zip(("lower", "upper"), ends, strict=True)))
    assert found == pytest.approx(0.05)


def test_a_page_without_a_value_outside_says_whether_any_interval_leaves_equality_out() -> None:
    """Of equal groups none does; of 60 and 55 % of 4,000 rows each, one does, in the band."""
    equal = points(pf.report(people(x={"a": 0.5, "b": 0.5, "c": 0.5}), "di", **question("x")))
    assert equal[""] == "No value is outside its accepted band."
    assert (
        "every one contains equality: the differences may be due to chance." in equal["All values"]
    )
    rates = {"a": 0.6, "b": 0.55, "c": 0.6}
    frame = pl.concat([groups("x", rates, 4_000)])
    apart = points(pf.report(frame, "di", favored="a", **question("x")))
    assert "1 does not contain equality." in apart["All values"]


def test_it_says_how_many_test_statistics_are_outside_by_chance(run: Run, tmp_path: Any) -> None:
    frame = people(x={f"{i:02}": 0.5 for i in range(19)} | {"z": 0.3})
    arguments = question("x") | {"method": "auto"}
    notes = first_page(pf.report(frame, "two_sd", "z_ratio", **arguments)).notes
    # 40 times the share of a normal distribution beyond 2, 0.0455.
    expected = "Of 40 test statistics (two_sd, z_ratio), each judged separately, about 2 can be"
    assert any(note.startswith(expected) for note in notes)
    frame.write_parquet(tmp_path / "people.parquet")
    typed = ["--facet", "x", "--predicted", "p", "--count", "n", "--metric", "two_sd,z_ratio"]
    code, _, errors = run("audit", str(tmp_path / "people.parquet"), *typed, "--fail-on", "outside")
    assert code == 1
    assert expected in errors
    # The verdicts beside the highest group hold for all pairs.
    chosen = pf.report(frame, "two_sd", favored=pf.HIGHEST, **arguments)
    assert not any("test statistics" in note for note in first_page(chosen).notes)

"""What is assumed of rows without a label: values, verdicts and errors beside it, by hand."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run
from tests.frames import shared

ACCEPTED: Final = [("F", 1, 1, 300), ("F", 1, 0, 100), ("M", 1, 1, 500), ("M", 1, 0, 100)]
MISSING: Final = [("F", 0, None, 500), ("M", 0, None, 350)]
ASKED: Final[dict[str, Any]] = {
    "facet": "g",
    "favored": "M",
    "predicted": "y",
    "label": "l",
    "nulls": "drop",
}


def rows_of(*counted: tuple[Any, ...]) -> pl.DataFrame:
    """A row of group, decision and label for each row that is counted."""
    frame = pl.DataFrame([*counted], ["g", "y", "l", "n"], orient="row")
    return frame.select(pl.exclude("n").repeat_by("n")).explode("g", "y", "l")


NONE: Final = rows_of(*ACCEPTED, ("F", 0, None, 600), ("M", 0, None, 400))
"""No rejected one has a label."""
SOME: Final = rows_of(
    *ACCEPTED, *MISSING, ("F", 0, 1, 60), ("F", 0, 0, 40), ("M", 0, 1, 20), ("M", 0, 0, 30)
)
FEW: Final = rows_of(
    *ACCEPTED, *MISSING, ("F", 0, 1, 6), ("F", 0, 0, 4), ("M", 0, 1, 6), ("M", 0, 0, 9)
)


def audited(rows: pl.DataFrame, metric: str = "rd", **given: Any) -> dict[str, Any]:
    [row] = pf.audit(rows, metric, **ASKED | given).to_dicts()
    return row


def test_without_nulls_an_assumption_is_refused_by_name() -> None:
    asked = {name: given for name, given in ASKED.items() if name != "nulls"}
    policy = pf.Policy(name="p", metrics=["rd"], unlabelled="any")
    message = "unlabelled: is about rows without a label, which nulls='raise' refuses"
    for function in (pf.audit, pf.bounds, pf.check, pf.report):
        with pytest.raises(pf.FairnessError, match=message):
            shared(function, NONE, "rd", **asked, unlabelled="any")
    with pytest.raises(pf.FairnessError, match=message):
        pf.audit(NONE, **asked, policy=policy)
    with pytest.raises(pf.FairnessError, match=r"nulls='drop' with unlabelled='any'$"):
        pf.audit(NONE, "rd", **asked)


def test_an_assumption_of_a_policy_is_about_metrics_that_need_a_label() -> None:
    policy = pf.Policy(name="p", metrics=["di"], unlabelled="any")
    alone = {name: ASKED[name] for name in ("facet", "favored", "predicted")}
    audit = pf.audit(NONE, **alone, policy=policy)
    assert audit.equals(pf.audit(NONE, "di", **alone))
    pf.check(NONE, **alone, policy=policy, bands={"di": (0, 2)})


def test_the_value_lies_in_its_range() -> None:
    """By hand: at random 300 of 600 rejected women and 140 of 400 men would be positive."""
    none = audited(SOME, unlabelled=0, confidence=None)
    rate_m, rate_f = 500 / (500 + 20), 300 / (300 + 60)
    assert none["lowest"] == none["highest"] == none["value"] == pytest.approx(rate_m - rate_f)
    half = audited(NONE, unlabelled=0.5, confidence=None)
    rate_m, rate_f = 500 / (500 + 400 * 5 / 12), 300 / (300 + 600 * 3 / 8)
    assert half["lowest"] == half["highest"] == half["value"] == pytest.approx(rate_m - rate_f)
    outside = audited(SOME, unlabelled=(0, 0.1), confidence=None)
    assert outside["lowest"] < outside["highest"]
    assert outside["value"] is None
    around = audited(SOME, unlabelled=(0.5, 1.5), confidence=None)
    rate_m, rate_f = 500 / (500 + 0.4 * 400), 300 / (300 + 0.6 * 600)
    assert around["value"] == pytest.approx(rate_m - rate_f)


def test_bounds_of_a_plan_and_of_a_shell_are_those_of_a_frame(tmp_path: Any, run: Run) -> None:
    asked = {**ASKED, "unlabelled": "worse", "confidence": None}
    rows = SOME.with_columns(pl.lit("a").alias("^w$"))
    bounds = pf.bounds(rows, "rd", **asked, by="^w$")
    assert pf.bounds(rows.lazy(), "rd", **asked, by="^w$").collect().equals(bounds)
    assert bounds.columns[:2] + bounds.columns[-4:] == [
        *("^w$", "facet"),
        *("holds_from", "lower", "upper", "verdict"),
    ]
    SOME.write_parquet(tmp_path / "rows.parquet")
    words = ["bounds", str(tmp_path / "rows.parquet"), "--facet", "g", "--favored", "M"]
    words += ["--predicted", "y", "--label", "l", "--nulls", "drop", "--metric", "rd"]
    code, out, _ = run(*words, "--unlabelled", "worse", "--format", "json")
    assert code == 0
    assert '"holds_from"' in out


@pytest.mark.parametrize("more", [{"p_values": "holm"}, {"rule": "significant"}], ids=str)
def test_a_p_value_is_that_of_other_rows(more: dict[str, Any]) -> None:
    with pytest.raises(pf.FairnessError, match=r"unlabelled: p-values"):
        pf.audit(SOME, "rd", **ASKED, unlabelled="any", **more)


def test_without_intervals_a_verdict_at_random_decides() -> None:
    """By hand: 0.0078 of the labelled; as often as they, 306 and 206 of the rejected."""
    row = audited(FEW, confidence=None)
    known = 500 / 506 - 300 / 306
    assert row["value"] == pytest.approx(known)
    assert row["verdict"] == "depends"
    assert row["note"].endswith("the value depends on missing labels")
    at_random = 500 / (506 + 350 * 6 / 15) - 300 / (306 + 500 * 6 / 10)
    assert known < at_random
    for edge, verdict in ((at_random - 1e-6, "depends"), (at_random + 1e-6, "within")):
        row = audited(FEW, confidence=None, bands={"rd": (-edge, edge)})
        assert row["verdict"] == verdict
        assert (row["note"] is None) == (verdict == "within")
    with pytest.raises(pf.OutsideBandError, match="left to rows without a label"):
        pf.check(FEW, "rd", **ASKED, confidence=None)


def test_a_point_has_an_ordinary_verdict() -> None:
    complete = SOME.drop_nulls("l").sample(120, seed=1).with_columns(w=pl.lit("complete"))
    rows = pl.concat([complete, FEW.with_columns(w=pl.lit("lacking"))])
    asked = {**ASKED, "by": "w"}
    alone = pf.audit(rows, "rd", **asked).row(0, named=True)
    row = pf.audit(rows, "rd", **asked, unlabelled="any").row(0, named=True)
    assert alone["verdict"] == "uncertain"
    assert {name: row[name] for name in alone} == alone
    assert row["lowest"] == row["highest"] == pytest.approx(row["value"])
    value = audited(FEW, unlabelled=1)["value"]
    on_edge = audited(FEW, unlabelled=1, bands={"rd": (-0.9, value)})
    assert on_edge["verdict"] == "uncertain"
    assert "depends" not in (on_edge["note"] or "")


def strata(key: Any, counts: dict[Any, tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Accepted women by a key: with a good label, a bad one and none; men all have a label."""
    rows = [
        {"g": "F", "y": 1, "l": label, "k": each, "n": number}
        for each, numbers in counts.items()
        for label, number in zip((1, 0, None), numbers, strict=True)
    ]
    others = [("F", 0, 1), ("F", 0, 0), ("M", 1, 1), ("M", 1, 0), ("M", 0, 1), ("M", 0, 0)]
    rows += [{"g": g, "y": y, "l": label, "k": key, "n": 100} for g, y, label in others]
    return [row for row in rows if row["n"]]


@pytest.mark.parametrize("kind", [pl.Int64, pl.Float64, pl.Boolean, pl.String], ids=str)
def test_a_flag_is_no_band(kind: Any) -> None:
    """By hand: 30 of 40 and 10 of 40 are good, and 40 and 80 have no label."""
    rows = pl.DataFrame(strata(0, {0: (30, 10, 40), 1: (10, 30, 80)}))
    rows = rows.with_columns(pl.col("k").cast(kind))
    asked = {"count": "n", "confidence": None, "unlabelled": "random", "unlabelled_by": "k"}
    row = audited(rows, "dpl", **asked)
    good = 40 + 40 * 0.75 + 80 * 0.25 + 100
    assert row["value"] == pytest.approx(0.5 - good / 400)


def test_a_stratum_without_labels_is_like_the_accepted_of_its_side() -> None:
    """By hand: 150 of 200 labelled ones are good; 80 have no label, as an older decision has it."""
    rows = pl.DataFrame(strata("then", {"then": (150, 50, 0), "not then": (0, 0, 80)}))
    asked = {"count": "n", "confidence": None, "unlabelled_by": "k"}
    once = audited(rows, "dpl", **asked, unlabelled=1)
    assert once["lowest"] == once["highest"]
    assert once["lowest"] == pytest.approx(0.5 - (150 + 60 + 100) / 480)
    worse = audited(rows, "dpl", **asked, unlabelled="worse")
    ends = tuple(0.5 - (150 + more + 100) / 480 for more in (60, 0))
    assert (worse["lowest"], worse["highest"]) == pytest.approx(ends)
    at_random = audited(rows, "dpl", **asked, unlabelled="random")
    ends = tuple(0.5 - (150 + more + 100) / 480 for more in (80, 0))
    assert (at_random["lowest"], at_random["highest"]) == pytest.approx(ends)


def test_strata_of_another_metric_change_no_range() -> None:
    key = pl.concat_str("g", "y", pl.col("l").fill_null(-1))
    is_alike = pl.int_range(pl.len()) % 7 < 3
    rows = SOME.with_columns(s=pl.when(is_alike).then(pl.lit("x")).otherwise(key))
    asked = {**ASKED, "confidence": None, "unlabelled": "worse"}
    names = ["lowest", "highest", "value", "holds_from", "verdict"]
    alone = pf.audit(rows, "rd", **asked).select(names)
    beside = pf.audit(rows, "rd", "mh_difference", **asked, subgroup="s")
    assert beside.filter(pl.col("metric") == "rd").select(names).equals(alone)


@pytest.mark.parametrize("lacking", ["here", "there"])
def test_a_change_is_none_where_either_value_depends(lacking: str) -> None:
    complete = SOME.drop_nulls("l").with_columns(w=pl.lit("there" if lacking == "here" else "here"))
    rows = pl.concat([complete, FEW.with_columns(w=pl.lit(lacking))])
    answer = pf.audit(rows, "rd", **ASKED, by="w", baseline="there")
    row = answer.filter(pl.col("w") == "here").to_dicts()[0]
    assert (row["verdict"] == "depends") == (lacking == "here")
    assert row["reference"] is not None
    assert row["change"] is None
    words = "the value" if lacking == "here" else "the reference"
    assert f"{words} depends on missing labels" in row["note"]


@pytest.mark.parametrize("group", ["M", None])
def test_without_a_comparison_nothing_is_assumed(group: str | None) -> None:
    rows = NONE.with_columns(g=pl.lit(group, pl.String))
    asked = ASKED | {"favored": group, "unlabelled": "any"}
    for function in (pf.audit, pf.bounds):
        answer = shared(function, rows, "rd", "average_odds_difference", **asked)
        assert answer["verdict"].to_list() == ["undefined"] * 2

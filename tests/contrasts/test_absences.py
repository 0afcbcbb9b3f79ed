"""Groups and windows that only one of two compared windows has, in frames made by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers.contrasts import with_absences
from tests.frames import people, predictions

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n", "replicates": 20}
# Selection rates of 0.4, 0.6 and 0.5, and of the others together 0.55, 0.45 and 0.5.
THREE = predictions(F=(4, 6), M=(6, 4), X=(5, 5))
TWO = predictions(F=(3, 7), M=(5, 5))
OF_CHANGE = ("difference", "difference_lower", "difference_upper", "change")
OF_VALUE = ("value", "lower", "upper")


def undefined(answer: pl.DataFrame) -> pl.DataFrame:
    """The rows with an undefined verdict; no such row has a change."""
    found = answer.filter(verdict="undefined")
    assert found.select(OF_CHANGE).null_count().row(0) == (found.height,) * 4
    return found


def beside(now: pl.DataFrame, then: pl.DataFrame, *metrics: str, **more: Any) -> list[pl.DataFrame]:
    """The same comparison with a baseline frame, and with the window before."""
    question = QUESTION | more
    windows = pl.concat([then.with_columns(window=1), now.with_columns(window=2)])
    of_windows = pf.audit(windows, *metrics, by="window", baseline="previous", **question)
    of_frames = pf.audit(now, *metrics, baseline=then, baseline_count="n", **question)
    lazy = pf.audit(now.lazy(), *metrics, baseline=then, baseline_count="n", **question)
    assert_frame_equal(lazy.collect(), of_frames)
    return [of_frames, of_windows.filter(window=2).drop("window")]


def test_a_group_that_vanished_has_its_reference_and_no_value() -> None:
    # dppl has a band, ci has none.
    for answer in beside(TWO, THREE, "dppl", "ci"):
        assert answer["disfavored"].to_list() == ["F", "F", "M", "M", "X", "X"]
        gone = undefined(answer)
        assert gone.select("disfavored", "metric", "n_disfavored", "n_favored").rows() == [
            ("X", "dppl", 0, 20),
            ("X", "ci", 0, 20),
        ]
        assert gone["reference"].to_list() == pytest.approx([0.5 - 0.5, 10 / 30])
        assert gone.select(OF_VALUE).null_count().row(0) == (2, 2, 2)
        assert gone.select("n_unknown", "rows_seen", "rows_used").rows() == [(0, 20, 20)] * 2


def test_a_group_that_is_new_has_its_value_and_no_reference() -> None:
    for answer in beside(THREE, TWO, "dppl", "ci"):
        new = undefined(answer)
        assert new.select("disfavored", "metric", "n_disfavored", "n_favored").rows() == [
            ("X", "dppl", 10, 20),
            ("X", "ci", 10, 20),
        ]
        assert new["value"].to_list() == pytest.approx([0.5 - 0.5, 10 / 30])
        assert new["reference"].to_list() == [None, None]
        [lower, upper] = new.filter(metric="dppl").select("lower", "upper").row(0)
        assert lower < 0 < upper


@pytest.mark.parametrize("sides", [{}, {"disfavored": "F"}, {"disfavored": "F", "favored": "M"}])
@pytest.mark.parametrize(("gone", "sizes"), [("F", (0, 10)), ("M", (10, 0))])
def test_of_two_groups_the_comparison_vanished(
    gone: str, sizes: tuple[int, int], sides: dict[str, str]
) -> None:
    """Categories of an Enum may lack rows, also where the sides name them."""
    sex = pl.Enum(["F", "M"])
    then = TWO.with_columns(pl.col("sex").cast(sex))
    now = then.filter(pl.col("sex") != gone)
    for answer in beside(now, then, "dppl", "ddpl", "cohens_d", **sides):
        found = undefined(answer)
        assert_frame_equal(found, answer)
        # That everyone else was M is known of the rows alone: M has rows of its own.
        alone = found.filter(pl.col("n_favored").is_null())
        assert alone["disfavored"].unique().to_list() == (
            ["M"] if gone == "M" and sides == {"disfavored": "F"} else []
        )
        found = found.filter(pl.col("n_favored").is_not_null())
        assert found["metric"].to_list() == ["dppl", "ddpl", "cohens_d"]
        assert found.select("disfavored", "n_disfavored", "n_favored").rows() == [("F", *sizes)] * 3
        assert found["value"].to_list() == [None] * 3
        assert found["reference"].to_list()[0] == pytest.approx(0.2)
        assert found["reference"].null_count() == 0
    for answer in beside(then, now, "dppl", "cohens_d", **sides):
        found = undefined(answer).filter(disfavored="F")
        assert found.select("metric", "reference").rows() == [("dppl", None), ("cohens_d", None)]
        assert found["value"].to_list()[0] == pytest.approx(0.2)


def test_a_member_of_everyone_else_that_vanished_is_a_row_by_itself() -> None:
    """F is compared with M and X, and then with M alone."""
    for answer in beside(TWO, THREE, "dppl", disfavored="F"):
        compared, gone = answer.rows(named=True)
        assert (compared["disfavored"], compared["value"]) == ("F", pytest.approx(0.2))
        assert compared["reference"] == pytest.approx(0.15)
        assert (gone["disfavored"], gone["favored"], gone["verdict"]) == ("X", None, "undefined")
        assert (gone["n_disfavored"], gone["n_favored"]) == (0, None)
        assert gone["value"] is gone["reference"] is gone["change"] is None
    for answer in beside(THREE, TWO, "dppl", disfavored="F"):
        found = answer.select("disfavored", "n_disfavored", "n_favored", "verdict").rows()
        assert found[1] == ("X", 10, None, "undefined")


def test_a_gap_of_other_groups_has_no_change_and_names_the_group() -> None:
    for metrics in (["selection_rate_gap"], ["selection_rate_gap", "selection_rate"]):
        for answer in beside(TWO, THREE, *metrics):
            [gone] = undefined(answer).rows(named=True)
            assert (gone["disfavored"], gone["n_disfavored"], gone["n_favored"]) == ("X", 0, None)
            gap = answer.row(
                by_predicate=pl.col("disfavored").is_null()
                & (pl.col("metric") == "selection_rate_gap"),
                named=True,
            )
            assert (gap["value"], gap["reference"]) == (pytest.approx(0.2), pytest.approx(0.2))
            assert [gap[name] for name in OF_CHANGE] == [None] * 4
            assert gap["verdict"] is None
    # All rows together are no groups.
    for answer in beside(TWO, THREE, "selection_rate"):
        assert answer.select("metric", "reference").rows() == [("selection_rate", 0.5)]
        assert answer["change"].null_count() == 0


def test_a_found_group_is_not_new_for_being_side_a_no_more() -> None:
    """M is side a in the first window, and X in the second."""
    then, now = predictions(F=(3, 7), M=(6, 4), X=(5, 5)), predictions(F=(4, 6), M=(5, 5), X=(8, 2))
    for answer in beside(now, then, "dppl", favored=pf.HIGHEST):
        assert "undefined" not in answer["verdict"].to_list()
        assert answer.select("disfavored", "reference").rows() == [
            ("F", pytest.approx(0.3)),
            ("M", None),
        ]
    # Without M, X is the highest in the second window: M was no comparison, and is gone.
    for answer in beside(now.filter(pl.col("sex") != "M"), then, "dppl", favored=pf.HIGHEST):
        gone = undefined(answer).select("disfavored", "favored", "n_disfavored", "n_favored")
        assert gone.rows() == [("M", None, 0, None)]
    # Without F, a comparison is gone; its side a was M, which has rows.
    for answer in beside(now.filter(pl.col("sex") != "F"), then, "dppl", favored=pf.HIGHEST):
        gone = undefined(answer).select("disfavored", "favored", "n_disfavored", "n_favored")
        assert gone.rows() == [("F", "M", 0, 10)]


def in_windows(**windows: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(frame.with_columns(window=pl.lit(name)) for name, frame in windows.items())


def test_windows_of_one_frame_alone_are_undefined() -> None:
    now, then = in_windows(b=TWO, c=TWO), in_windows(a=THREE, b=TWO)
    question = QUESTION | {"by": "window", "baseline": then, "baseline_count": "n"}
    answer = pf.audit(now, "dppl", "selection_rate", **question, favored="M", disfavored="F")
    found = answer.select("window", "metric", "n_disfavored", "n_favored", "rows_seen").rows()
    assert found == [
        ("a", "dppl", 0, 0, 0),
        ("a", "selection_rate", None, None, 0),
        ("b", "dppl", 10, 10, 20),
        ("b", "selection_rate", None, None, 20),
        ("c", "dppl", 10, 10, 20),
        ("c", "selection_rate", None, None, 20),
    ]
    gone, _, new = answer.partition_by("window", maintain_order=True)
    assert gone["reference"].to_list() == pytest.approx([0.2, 0.5])
    assert gone["value"].to_list() == [None, None]
    assert new["value"].to_list() == pytest.approx([0.2, 0.4])
    assert new["reference"].to_list() == [None, None]
    assert set(undefined(answer)["window"]) == {"a", "c"}


@pytest.mark.extras
def test_neither_a_verdict_nor_a_change_comes_of_a_metric_without_a_test() -> None:
    """By the rule of significance `te` is undefined, although it has a value and a reference."""
    now = people(200)
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "predicted": "p"}
    answer = pf.audit(
        now, "te", "dppl", baseline=now, rule="significant", bands={"te": (-1, 1)}, **question
    )
    assert answer["metric"].to_list() == ["te", "dppl"]
    assert answer["difference"].null_count() == 0
    assert answer.select("verdict", "change").row(0) == ("undefined", None)
    assert answer["change"][1] is not None


def test_the_same_groups_and_windows_have_no_absences() -> None:
    question: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "p", "by": "month"}
    metrics = ["dppl", "selection_rate_gap", "cohens_d"]
    alone = pf.audit(people(), *metrics, replicates=20, **question)
    answer = pf.audit(people(), *metrics, replicates=20, baseline=people(), **question)
    assert_frame_equal(answer.select(alone.columns), alone)


@pytest.mark.parametrize("what", ["group", "side", "window"])
def test_what_is_gone_has_no_number_but_its_reference(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A range over rows of unknown group neither, and none of a column that is added later."""
    seen: list[pl.DataFrame] = []

    def with_later(rows: pl.DataFrame, *given: Any) -> pl.DataFrame:
        answer = with_absences(rows.with_columns(later=pl.lit(0.259)), *given)
        seen.append(answer.filter(verdict="undefined"))
        return answer

    monkeypatch.setattr("polars_fairness.answers.audit.with_absences", with_later)
    unknown = predictions(F=(1, 1)).with_columns(sex=pl.lit(None, pl.String))
    then, now = pl.concat([THREE, unknown]), pl.concat([TWO, unknown])
    more: dict[str, Any] = {}
    if what == "side":
        # A category without rows: the comparison has a row in both.
        of_two = pl.col("sex").cast(pl.Enum(["F", "M"]))
        then = pl.concat([TWO, unknown]).with_columns(of_two)
        now = then.filter(pl.col("sex").ne_missing("M"))
        more = {"disfavored": "F", "favored": "M"}
    if what == "window":
        more = {"by": "t"}
        then, now = (
            pl.concat([each.with_columns(t=pl.lit(0)), later.with_columns(t=pl.lit(1))])
            for each, later in ((THREE, THREE), (THREE, THREE.clear()))
        )
    question = QUESTION | more | {"baseline_count": "n", "bounds": True}
    answer = pf.audit(now, "dppl", "di", baseline=then, **question)
    gone = answer.filter(verdict="undefined")
    assert gone.height == seen[-1].height > 0
    assert gone["reference"].null_count() == 0
    for name in ("lowest", "highest", "value", "lower", "upper", "note", *OF_CHANGE):
        assert gone[name].null_count() == gone.height, name
    assert seen[-1]["later"].null_count() == seen[-1].height

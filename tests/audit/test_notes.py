"""Notes of an audit: what a reader would not expect of its rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run
from tests.frames import people


def notes(frame: Any, *metrics: str, **question: Any) -> dict[str, str | None]:
    """The note of the first row of each metric."""
    answer = pf.audit(frame, *metrics, confidence=None, **question)
    return {row["metric"]: row["note"] for row in answer.reverse().to_dicts()}


def test_an_ordinary_audit_has_none() -> None:
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "subgroup": "month"}
    answer = pf.audit(people(), "di", "rd", "mh_ratio", "cddpl", "ge", "tpr_gap", **question)
    assert answer["note"].null_count() == answer.height > 0


@pytest.mark.parametrize(("threshold", "which"), [(2.0, "no"), (-1.0, "every")])
def test_a_threshold_that_lets_all_or_none_pass_is_named(threshold: float, which: str) -> None:
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y"}
    found = notes(people(), "di", "auc_difference", score="score", threshold=threshold, **question)
    assert found == {
        "di": f"predicted: {which} row of both sides is positive",
        "auc_difference": None,
    }
    of_label = people().with_columns(y=pl.lit(which == "every"))
    found = notes(of_label, "dpl", "ci", facet="sex", disfavored="F", label="y")
    assert found == {"dpl": f"label: {which} row of both sides is positive", "ci": None}
    one_side = people().with_columns(p=(pl.col("sex") == "F") & pl.col("p"))
    assert notes(one_side, "di", predicted="p", facet="sex", disfavored="F") == {"di": None}


STRATA = pl.DataFrame(
    [
        (site, sex, int(site != "W" and row % 2))
        for site, sex, n in [
            ("N", "F", 4),
            ("N", "M", 6),
            ("E", "F", 3),
            ("S", "M", 4),
            ("W", "M", 5),
        ]
        for row in range(n)
    ],
    schema=["site", "sex", "hired"],
    orient="row",
)
OF_STRATA: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "predicted": "hired",
    "subgroup": "site",
}


def test_strata_that_allow_no_comparison_are_counted_with_their_rows() -> None:
    """F and M are both in N alone. In W no row is accepted, so that F can have no share."""
    found = notes(STRATA, "mh_ratio", "cddpl", "di", **OF_STRATA)
    assert found == {
        "mh_ratio": "subgroup: 3 of 4 strata, with 12 rows, allow no comparison and are left out",
        "cddpl": "subgroup: 1 of 4 strata, with 5 rows, allow no comparison and are left out",
        "di": None,
    }
    whole = STRATA.filter(pl.col("site") == "N")
    assert notes(whole, "cddpl", **OF_STRATA) == {"cddpl": None}


@pytest.mark.parametrize(
    ("groups", "note"), [(50, None), (51, "facet: 51 groups are compared one")]
)
def test_many_groups_that_are_compared_one_by_one_are_counted(
    groups: int, note: str | None
) -> None:
    rows = pl.select(branch=pl.int_range(4 * groups) % groups, hired=pl.int_range(4 * groups) % 2)
    found = notes(rows, "di", "selection_rate_gap", facet="branch", predicted="hired")
    assert (found["di"] or "").startswith(note or "")
    assert (found["di"] is None) == (note is None)
    assert found["selection_rate_gap"] is None
    of_one = notes(rows, "di", facet="branch", disfavored=3, predicted="hired")
    assert of_one == {"di": None}


def test_each_note_is_said_once_below_a_table_and_on_page_one(
    run: Run, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    STRATA.write_parquet("strata.parquet")
    columns = ["--facet", "sex", "--predicted", "hired", "--subgroup", "site", "--favored", "M"]
    words = ["audit", "strata.parquet", *columns, "--metric", "mh_ratio,mh_difference,di"]
    _, out, err = run(*words)
    out = " ".join(out.split())
    said = "subgroup: 3 of 4 strata, with 12 rows, allow no comparison and are left out"
    assert (out.count(f"{said} (mh_ratio, mh_difference)"), out.count(said), err) == (1, 1, "")
    page = pf.report(STRATA, "mh_ratio", "mh_difference", confidence=None, **OF_STRATA)
    assert page.to_markdown().count(f"{said} (mh_ratio, mh_difference).") == 1


def test_notes_that_have_no_room_on_page_one_are_in_the_section_of_rows() -> None:
    """Each group lacks another number of the sites, so that each comparison has its own note."""
    rows = pl.DataFrame(
        [
            (group, site, hired)
            for group, sites in (("A", "N"), ("B", "NE"), ("C", "NES"), ("D", "NESW"))
            for site in sites
            for hired in (0, 1)
        ],
        schema=["group", "site", "hired"],
        orient="row",
    )
    question: dict[str, Any] = {"facet": "group", "favored": "D", "predicted": "hired"}
    page = pf.report(rows, "mh_ratio", subgroup="site", confidence=None, **question).to_markdown()
    first, below = page.split("\n## ", 1)
    said = [f"subgroup: {skipped} of 4 strata" for skipped in (3, 2, 1)]
    assert [words in first for words in said] == [True, True, False]
    assert "1 more note is in the section of rows." in first
    assert said[2] in below


DECIDED = pl.DataFrame(
    {"sex": ["F", "M"] * 4, "decision": ["yes", "no", "Refer", "yes", "no", "no", "yes", "no"]}
)
OF_DECISIONS: dict[str, Any] = {"facet": "sex", "predicted": "decision", "confidence": None}


@pytest.mark.parametrize(
    ("positive", "said"),
    [
        ("yes", "positive: 'yes' of 'decision' counts as yes, and 'Refer' and 'no' as no"),
        ({"decision": ["yes", "Refer"]}, None),
        (["yes"], "positive: 'yes' of 'decision' counts as yes, and 'Refer' and 'no' as no"),
    ],
)
def test_values_that_are_taken_together_as_no_are_named(positive: Any, said: str | None) -> None:
    page = pf.report(DECIDED, "di", positive=positive, **OF_DECISIONS).to_markdown()
    assert ("counts as yes" in page) == (said is not None)
    assert (said or "") in page
    lazy = pf.report(DECIDED.lazy(), "di", positive=positive, **OF_DECISIONS).to_markdown()
    assert "counts as yes" not in lazy


def test_the_command_names_values_that_are_taken_together_as_no(
    run: Run, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    DECIDED.write_csv("decided.csv")
    words = ["audit", "decided.csv", "--facet", "sex", "--predicted", "decision", "--metric", "di"]
    code, _, err = run(*words, "--positive", "yes", "--nulls", "drop")
    assert (code, err) == (
        0,
        "polars-fairness: --positive: 'yes' of 'decision' counts as yes, and 'Refer' and 'no' as "
        "no\n",
    )


def test_a_group_whose_name_means_unknown_in_another_case_has_a_note() -> None:
    rows = pl.DataFrame({"race": ["Black", "White", "Unknown", "unknown"] * 20, "p": [0, 1] * 40})
    audit = pf.audit(rows, "dppl", facet="race", favored="White", predicted="p", unknown="unknown")
    notes = dict(audit.select("disfavored", "note").iter_rows())
    assert notes == {
        "Black": None,
        "Unknown": "unknown: Unknown is a group, as its case is another",
    }

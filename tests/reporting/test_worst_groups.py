"""The groups that several facets define, the worst first: numbers are worked out by hand."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.terms import Each, across, all_, g
from tests.reporting.reports import BOTH, four_each, maps, worst


def test_every_group_that_two_facets_define_is_ranked() -> None:
    told = pf.report(four_each(), "dppl", **BOTH)
    # 8 of 16 were hired. Of the women 2 of 8: z² = 3.84146, n + z² = 11.84146;
    # (2 + 1.92073 ∓ 1.95996·√(2·6/8 + 0.96036)) / 11.84146.
    assert worst(told)[0] == [
        *("sex F", "8", "25.0 % (7.1 to 59.1 %)", "50.0 %"),
        *("0.500", "0.250", "0.1250", "1"),
    ]
    # Half of all off by a quarter is as bad as a quarter of all off by half.
    # Race b: 3 of 8, an eighth off; men of either race: a quarter of all, a quarter off.
    assert [(row[0], *row[-2:]) for row in worst(told)] == [
        ("sex F", "0.1250", "1"),
        ("sex M", "0.1250", "1"),
        ("sex F, race b", "0.1250", "1"),
        ("race b", "0.0625", "4"),
        ("race w", "0.0625", "4"),
        ("sex M, race b", "0.0625", "4"),
        ("sex M, race w", "0.0625", "4"),
        ("sex F, race w", "0.0000", "8"),
    ]
    text = told.to_markdown()
    assert "Alpha is the part of everybody that the group's rate is about" in text
    assert "No metric over several facets was asked for" in text
    assert "These are all groups: 8." in text
    assert "spsf/sex & race" not in told.to_dict()


def test_ten_groups_are_shown_and_the_others_counted() -> None:
    """Two sexes, four races and one unknown, ten pairs: 17 groups."""
    races = pl.DataFrame({"race": ["a", "b", "c", "d", None]})
    frame = four_each().drop("race").join(races, how="cross")
    told = pf.report(frame, "dppl", **BOTH)
    assert len(worst(told)) == 10
    assert "Not shown: 7 of 17 groups." in told.to_markdown()
    # Every race has 8 of its 16 hired; of each race the women 2 of 8, a tenth of all.
    assert [row[0] for row in worst(told)] == [
        *("sex F", "sex M"),
        *(f"sex F, race {race}" for race in ("a", "b", "c", "d", "unknown")),
        *(f"sex M, race {race}" for race in ("a", "b", "c")),
    ]


def test_an_unknown_facet_is_a_group_by_name() -> None:
    frame = four_each().with_columns(race=pl.col("race").replace("b", None))
    names = [row[0] for row in worst(pf.report(frame, "dppl", **BOTH))]
    assert {"race unknown", "sex F, race unknown", "sex M, race unknown"} < {*names}
    known = pf.spsf(groups="conjunctions", unknown=False)
    told = pf.report(frame, known, **BOTH)
    assert {*names} - {row[0] for row in worst(told)} == {
        *("race unknown", "sex F, race unknown", "sex M, race unknown")
    }
    assert "conjunctions of any number of facets, no facet unknown" in told.to_markdown()


def test_groups_of_few_rows_are_left_out_unless_the_metric_says_which() -> None:
    told = pf.report(four_each(), "dppl", minimum_count=5, **BOTH)
    assert [row[0] for row in worst(told)] == ["sex F", "sex M", "race b", "race w"]
    assert "These are all groups of 5 rows or more: 4." in told.to_markdown()
    asked = pf.report(four_each(), pf.spsf(groups="conjunctions"), minimum_count=5, **BOTH)
    assert len(worst(asked)) == 8
    assert "No metric over several facets was asked for" not in asked.to_markdown()


def test_labels_and_predictions_rank_by_errors_of_either_kind() -> None:
    frame = four_each().with_columns(due=pl.Series([1, 1, 0, 0] * 4))
    told = pf.report(frame, "dppl", label="due", **BOTH)
    text = told.to_markdown()
    assert re.findall(r"by (\w+)\*\*", text)[-2:] == ["fpsf", "fnsf"]
    # Due are 8. Not hired of them: the 2 women of race b.
    assert worst(told, "fnsf")[0] == [
        *("sex F, race b", "4", "100.0 % (34.2 to 100.0 %)", "25.0 %"),
        *("0.125", "0.750", "0.0938", "1"),
    ]
    assert "of the rows whose label is positive, the share predicted negative" in text


def test_groups_without_the_rate_have_no_rank() -> None:
    """Nobody of race b is due. Of w 2 of the 4 women are missed, and 1 of the 4 men."""
    frame = four_each().with_columns(due=pl.col("race") == "w")
    told = pf.report(frame, pf.fnsf(groups="conjunctions"), label="due", **BOTH)
    assert [row[0] for row in worst(told, "fnsf")] == [
        *("sex F", "sex M", "sex F, race w", "sex M, race w", "race w")
    ]
    assert "Not shown: 3 of 8 groups, 3 of them without this rate." in told.to_markdown()


def test_intersections_rank_among_themselves() -> None:
    told = pf.report(four_each(), pf.selection_rate_gap(groups="intersections"), **BOTH)
    rows = worst(told, "selection_rate_gap")
    # Rates are 0, 2/4, 3/4 and 3/4: the women of race b are farthest from the men, and these.
    assert [(row[0], *row[-3:]) for row in rows] == [
        ("sex F, race b", "0.750", "0.7500", "1"),
        ("sex M, race b", "0.750", "0.7500", "1"),
        ("sex M, race w", "0.750", "0.7500", "1"),
        ("sex F, race w", "0.500", "0.5000", "4"),
    ]
    text = told.to_markdown()
    assert "Alpha is 1, beta the distance of the group's rate from the one farthest away" in text
    assert "(g over intersections of all facets)" in text
    ratio = pf.report(four_each(), pf.selection_rate_ratio(groups="intersections"), **BOTH)
    text = ratio.to_markdown()
    assert "beta the smallest ratio between the group's rate and another's" in text
    assert "1 the worst, where the product is smallest" in text
    assert worst(ratio, "selection_rate_ratio")[-1][-3:] == ["0.000", "0.0000", "1"]


def test_a_user_metric_ranks_groups_by_its_own_terms() -> None:
    low = (all_.selection_rate - g.selection_rate).clip(0)
    own = pf.Metric(
        name="overlooked",
        title="Hired less often",
        formula=across(low.max(), each=Each("selection_rate", pl.lit(1.0), low)),
    )
    told = pf.report(four_each(), own.over("conjunctions"), **BOTH)
    assert worst(told, "overlooked")[0][0] == "sex F, race b"
    text = told.to_markdown()
    assert "Alpha is the group's share, beta its distance, as the metric has them" in text
    assert "The groups are conjunctions of any number of facets." in text


def test_every_window_has_its_worst_groups() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), sex=pl.col("sex").replace("F", "X")),
            four_each().with_columns(month=pl.lit(3), hired=pl.lit(None)),
        ]
    )
    told = pf.report(frame, "dppl", by="month", nulls="drop", **BOTH)
    assert worst(told, month=1)[0][0] == "sex F"
    assert [row[0] for row in worst(told, month=2)][:2] == ["sex M", "sex X"]
    assert worst(told, month=2)[0][-1] == "1"
    assert "**Worst groups by spsf, month 3**" not in told.to_markdown()


def test_a_window_without_the_rate_is_said_to_have_none() -> None:
    frame = pl.concat(
        four_each().with_columns(month=pl.lit(month), due=pl.lit(due))
        for month, due in ((1, True), (2, False))
    )
    everywhere = pf.fnsf(groups="conjunctions")
    told = pf.report(frame, everywhere, label="due", by="month", confidence=None, **BOTH)
    text = told.to_markdown()
    assert "Worst groups by fnsf, month 1" in text
    assert "No group has this rate, month 2." in text
    assert "Worst groups by fnsf, month 2" not in text
    assert len(maps(told)) == 1


def test_only_metrics_over_several_facets_say_which_groups() -> None:
    told = pf.report(four_each(), pf.spsf(), **BOTH)
    assert "the groups are conjunctions of at most 2 facets." in told.to_markdown()


def test_metrics_of_different_depths_stand_side_by_side() -> None:
    frame = four_each().with_columns(half=pl.Series([1, 2] * 8))
    one = pf.spsf(groups="conjunctions", depth=1).named("one")
    two = pf.spsf(groups="conjunctions", depth=2).named("two")
    question = BOTH | {"facet": ["sex", "race", "half"]}
    told = pf.report(frame, one, two, confidence=None, **question)
    assert {row[0].count(",") for row in worst(told, "one")} == {0}
    assert {row[0].count(",") for row in worst(told, "two")} == {0, 1}


def test_many_windows_show_the_last() -> None:
    months = pl.DataFrame({"month": range(1, 27)})
    told = pf.report(four_each().join(months, how="cross"), "dppl", by="month", **BOTH)
    text = told.to_markdown()
    shown = [int(month) for month in re.findall(r"Worst groups by spsf, month (\d+)", text)]
    assert shown == [*range(3, 27)]
    assert "These are the last 24 of 26 windows." in text
    assert len(maps(told)) == 24


def test_rows_of_equal_weight_are_worth_as_many_rows() -> None:
    frame = four_each().with_columns(weight=pl.lit(2.5))
    told = pf.report(frame, "dppl", weight="weight", **BOTH)
    assert worst(told)[0][:3] == ["sex F", "20.0", "25.0 % (7.1 to 59.1 %)"]
    assert "Wilson's, 95 %, of as many rows as the weighted ones are worth" in told.to_markdown()


def test_it_is_said_over_which_groups_a_metric_runs() -> None:
    few = pf.spsf(groups="conjunctions", depth=2, minimum_count=4)
    text = pf.report(four_each(), few, "selection_rate_gap", **BOTH).to_markdown()
    assert "(g over conjunctions of at most 2 facets, of 4 rows or more) |" in text
    assert "| max − min of q' over the groups |" in text
    single = pf.spsf(groups="conjunctions", depth=1)
    assert "at most 1 facet)" in pf.report(four_each(), single, **BOTH).to_markdown()
    none_left_out = pf.spsf(groups="conjunctions", minimum_count=1)
    assert "any number of facets)" in pf.report(four_each(), none_left_out, **BOTH).to_markdown()


@pytest.mark.extras
@pytest.mark.parametrize(
    ("frame", "question"),
    [
        (four_each(), {"facet": "sex"}),
        (four_each(), {"facet": None, "label": "half"}),
        (four_each(), {"facet": [pl.struct("sex", "race").alias("both"), "half"]}),
        (four_each(), {"predicted": None, "label": "hired"}),
        (four_each().clear(), {}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop"}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop", "by": "half"}),
    ],
    ids=["one facet", "no facet", "intersection", "labels", "empty", "dropped", "by"],
)
def test_there_is_no_ranking_where_there_are_no_groups(frame: pl.DataFrame, question: Any) -> None:
    frame = frame.with_columns(half=pl.lit(1))
    one, two = (pf.report(frame, confidence=None, **(BOTH | question)) for _ in range(2))
    assert "Worst groups" not in one.to_markdown()
    assert one._repr_html_() == two._repr_html_()

"""The charts of scores and thresholds: expected numbers are worked out by hand."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.marks import Dots, Lines
from polars_fairness.reporting.charts.specs import MOST_POINTS, evenly
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.recognised import recognised
from tests.reporting.answers_about_scores import calibration, choice
from tests.reporting.reports import HOSTILE, scored

SCORED: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "s"}
THRESHOLDS = [0.25, 0.5, 1.0]


def figures(answer: pl.DataFrame) -> list[Figure]:
    return figures_of(recognised(answer, FIGURES))


def line(figure: Figure, name: str) -> list[tuple[float, float]]:
    lines = [*vars(figure.chart)["names"], vars(figure.chart)["total"]]
    return [
        (mark["x"], mark["y"]) for mark in figure.chart.marks if mark["line"] == lines.index(name)
    ]


def test_rates_at_several_thresholds_are_roc_curves_and_selection_rates() -> None:
    roc, selection = figures(pf.rates(scored(), threshold=THRESHOLDS, **SCORED))
    assert isinstance(roc.chart, Lines)
    assert roc.caption == "ROC curves by sex"
    assert (vars(roc.chart)["names"], vars(roc.chart)["total"]) == (["F", "M"], "All rows")
    # From the corner of all rows over 0.25, 0.5 and 1 to the corner of no rows.
    assert line(roc, "F") == [(1, 1), (1, 1), (0.5, 0.5), (0, 0), (0, 0)]
    assert line(roc, "M") == [(1, 1), (1, 1), (0, 1), (0, 0), (0, 0)]
    assert line(roc, "All rows") == [(1, 1), (1, 1), (0.25, 0.75), (0, 0), (0, 0)]
    assert "M 100.0 % by 100.0 % from 0.25 on, 100.0 % by 0.0 % from 0.5 on" in roc.in_words
    assert selection.caption == "Selection rate over thresholds by sex"
    assert line(selection, "F") == [(0.25, 1), (0.5, 0.5), (1, 0)]


def test_rates_without_a_label_are_selection_rates_alone() -> None:
    rates = pf.rates(scored(), threshold=THRESHOLDS, facet="sex", predicted="s")
    assert [figure.caption for figure in figures(rates)] == [
        "Selection rate over thresholds by sex"
    ]


@pytest.mark.extras
def test_a_single_threshold_is_drawn_as_before() -> None:
    rates = pf.rates(scored(), threshold=[0.5], **SCORED)
    assert {type(figure.chart) for figure in figures(rates)} == {Dots}
    audit = pf.audit(scored(), "dppl", threshold=[0.5], confidence=None, **SCORED)
    assert [type(figure.chart) for figure in figures(audit)] == [Dots]
    with pytest.raises(pf.FairnessError, match=r"give threshold= several numbers"):
        pf.chart(pf.metrics(scored(), "dppl", threshold=0.5, **SCORED))


@pytest.mark.parametrize("function", [pf.metrics, pf.audit])
def test_metrics_over_thresholds_have_a_chart_each_with_its_band(function: Any) -> None:
    metrics = ("rd", "di", "accuracy")
    answer = function(scored(), *metrics, threshold=THRESHOLDS, **SCORED)
    charts = {figure.caption.split(" by ")[0]: figure for figure in figures(answer)}
    assert set(charts) == set(metrics)
    rd, di, accuracy = (charts[name] for name in metrics)
    assert rd.caption.startswith("rd by threshold, sex: F against M\n")
    # The recall of M less that of F: 1 − 1, 1 − 0.5 and 0 − 0.
    assert line(rd, "F") == [(0.25, 0), (0.5, 0.5), (1, 0)]
    assert (vars(rd.chart)["band"], vars(rd.chart)["is_log"]) == ((-0.1, 0.1), False)
    assert "within −0.1 to 0.1: F at 0.25, at 1. F 0.000 at 0.25, 0.500 at 0.5" in rd.in_words
    assert line(di, "F") == [(0.25, 1), (0.5, 1), (1, None)]
    assert (vars(di.chart)["band"], vars(di.chart)["is_log"]) == ((0.8, 1.25), True)
    # Without sides it is the same in every comparison: one line.
    assert [y for _, y in line(accuracy, "")] == [0.5, 0.75, 0.5]
    assert vars(accuracy.chart)["band"] is None


def test_bounds_and_bands_of_an_audit_are_those_of_its_chart() -> None:
    options: dict[str, Any] = {"bands": {"rd": (-0.2, 0.2)}, "method": "newcombe"}
    audit = pf.audit(scored(), "rd", threshold=THRESHOLDS, **options, **SCORED)
    (rd,) = figures(audit)
    assert [mark["lower"] for mark in rd.chart.marks] == audit["lower"].to_list()
    assert [mark["upper"] for mark in rd.chart.marks] == audit["upper"].to_list()
    assert vars(rd.chart)["band"] == (-0.2, 0.2)


@pytest.mark.extras
def test_metrics_that_no_threshold_changes_are_drawn_once() -> None:
    """The class imbalance and the AUC are about sizes and scores."""
    question = {**SCORED, "score": "s", "predicted": None, "threshold": THRESHOLDS}
    audit = pf.audit(scored(), "di", "auc_difference", "ci", confidence=None, **question)
    swept, forest = figures(audit)
    assert isinstance(swept.chart, Lines)
    assert swept.caption.split()[0] == "di"
    assert isinstance(forest.chart, Dots)
    assert forest.caption.endswith("; the same at each threshold")
    # Of 4 women and 4 men; men are ranked perfectly, women at random.
    assert [mark["name"] for mark in forest.chart.marks] == ["auc_difference  0.500", "ci  0.000"]
    values = pf.metrics(scored(), "di", "auc_difference", **question)
    assert [figure.caption.split()[0] for figure in figures(values)] == ["di"]
    with pytest.raises(pf.FairnessError, match=r"no threshold changes 'auc_difference', so that"):
        pf.chart(values.drop("di"))


def test_comparisons_of_a_facet_are_lines_of_one_chart() -> None:
    frame = pl.concat([scored(), scored().filter(sex="F").with_columns(sex=pl.lit("X"))])
    answer = pf.metrics(frame, "dppl", "accuracy", threshold=THRESHOLDS, **SCORED)
    dppl, accuracy = figures(answer)
    assert dppl.caption.startswith("dppl by threshold, sex: each group against everyone else\n")
    assert vars(dppl.chart)["names"] == ["F", "M", "X"]
    # Without sides it is repeated on the row of each comparison.
    assert [mark["x"] for mark in accuracy.chart.marks] == THRESHOLDS


def test_windows_have_charts_of_their_own() -> None:
    frame = pl.concat([scored().with_columns(branch=pl.lit(name)) for name in "ab"])
    question = {"threshold": THRESHOLDS, "by": "branch", **SCORED}
    captions = [figure.caption for figure in figures(pf.rates(frame, **question))]
    assert captions[:2] == ["ROC curves by sex, branch a", "ROC curves by sex, branch b"]
    swept = figures(pf.metrics(frame, "dppl", **question))
    assert [figure.caption.split("\n")[0] for figure in swept] == [
        "dppl by threshold, sex: F against M (branch a)",
        "dppl by threshold, sex: F against M (branch b)",
    ]


def test_many_groups_are_cut_and_the_title_says_so() -> None:
    frame = pl.concat([scored().with_columns(g=pl.lit(f"group {i:02}")) for i in range(12)])
    question = {"threshold": THRESHOLDS, **SCORED, "facet": "g"}
    shown = [*figures(pf.rates(frame, **question)), *figures(pf.metrics(frame, "di", **question))]
    assert all("(the first 8 of 12)" in figure.caption for figure in shown)
    assert {len(vars(figure.chart)["names"]) for figure in shown} == {8}


def test_of_many_thresholds_a_line_has_some() -> None:
    many = [i / 10_000 for i in range(10_001)]
    for figure in figures(pf.rates(scored(), threshold=many, **SCORED)):
        assert len(figure.chart.marks) <= 3 * (MOST_POINTS + 2)
    assert evenly(range(100), 4) == [0, 33, 66, 99]
    assert evenly("ab", 4) == ["a", "b"]


def test_calibration_is_drawn_with_its_intervals_and_the_distribution_of_scores() -> None:
    calibrated, scores = figures(calibration())
    assert (calibrated.caption, scores.caption) == ("Calibration by sex", "Scores by sex")
    assert line(calibrated, "F") == [(0.2, 0), (0.4, 1 / 3)]
    assert line(calibrated, "M") == [(0.1, 0.5), (0.6, 0.5)]
    assert [mark["upper"] for mark in calibrated.chart.marks] == [0.8, 0.8, 0.9, 0.9, 0.8]
    assert "F 0.0 % at 0.200, 33.3 % at 0.400; M" in calibrated.in_words
    # A quarter of the women below 0.25; half of the men there, none in the next bin.
    assert line(scores, "F") == [(0, 0.25), (0.25, 0.75), (0.5, 0)]
    assert line(scores, "M") == [(0, 0.5), (0.25, 0), (0.5, 0.5), (0.75, 0)]


def test_a_choice_is_its_frontier() -> None:
    (frontier,) = figures(choice())
    assert frontier.caption.startswith("accuracy and di of 3 thresholds\n")
    assert [(mark["x"], mark["y"]) for mark in frontier.chart.marks] == [
        *[(1, 0.5), (0.9, 0.75), (None, 0.6)]
    ]
    assert [mark["tone"] for mark in frontier.chart.marks] == ["within", "within", "open"]
    assert "0.500 and 1.000 at 0.25, 0.750 and 0.900 at 0.5." in frontier.in_words
    assert vars(frontier.chart)["titles"] == ("di", "accuracy")
    assert (vars(frontier.chart)["ideal"], vars(frontier.chart)["is_log"]) == (1, True)


def test_without_a_metric_a_choice_is_drawn_over_its_thresholds() -> None:
    (frontier,) = figures(choice().drop("di"))
    assert frontier.caption.startswith("accuracy of 3 thresholds\n")
    assert [mark["x"] for mark in frontier.chart.marks] == [0.25, 0.5, 0.75]


def test_a_choice_among_models_names_them() -> None:
    models = pl.Series("model", ["a", "b", "c"])
    (of_models,) = figures(choice().select(models, pl.exclude("threshold")))
    assert of_models.caption.startswith("accuracy and di of 3 models\n")
    assert (
        "chosen is b. On the frontier 0.500 and 1.000 at a, 0.750 and 0.900 at b."
        in of_models.in_words
    )
    assert [mark["text"] for mark in of_models.chart.marks] == ["a", "b", "c"]
    (of_both,) = figures(choice().select(models, pl.all()))
    assert of_both.caption.startswith("accuracy and di of 3 candidates\n")
    assert "chosen is b at 0.5." in of_both.in_words
    (alone,) = figures(choice().drop("di").select(models, pl.exclude("threshold")))
    assert alone.caption.startswith("accuracy and selection_rate of 3 models\n")
    assert [mark["x"] for mark in alone.chart.marks] == [1.0, 0.5, 0.1]


def test_the_ring_is_explained_where_there_is_one() -> None:
    (chosen,) = figures(choice())
    assert "the ring is chosen" in chosen.caption
    (none,) = figures(choice().with_columns(is_chosen=False))
    assert "the ring" not in none.caption
    assert "none is chosen" in none.caption


def test_what_is_chosen_may_be_the_selection_rate() -> None:
    (frontier,) = figures(choice().drop("accuracy"))
    assert vars(frontier.chart)["titles"] == ("di", "selection_rate")


def answers() -> dict[str, pl.DataFrame]:
    question = {"threshold": THRESHOLDS, **SCORED}
    return {
        "rates": pf.rates(scored(), **question),
        "metrics": pf.metrics(scored(), "di", "rd", "accuracy", **question),
        "audit": pf.audit(scored(), "di", "rd", replicates=50, **question),
        "calibration": calibration(),
        "choose": choice(),
    }


@pytest.mark.extras
@pytest.mark.parametrize("name", answers())
def test_an_answer_is_drawn_and_without_rows_it_is_words(name: str, tmp_path: Path) -> None:
    answer = answers()[name]
    pf.chart(answer).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert "var(" not in picture
    assert "role-axis-tick" in picture
    empty = pf.chart(answer.clear()).to_dict()
    assert "Nothing to show: the answer has no rows." in str(empty)


@pytest.mark.extras
@pytest.mark.parametrize("name", ["rates", "metrics", "audit", "calibration"])
def test_names_of_groups_are_text_and_equal_names_stay_apart(name: str, tmp_path: Path) -> None:
    one, other = f"\x1b{HOSTILE}", f"\x00{HOSTILE}"
    column = "disfavored" if name in ("metrics", "audit") else "value"
    answer = answers()[name]
    if column == "disfavored":
        # A second comparison, so that the lines have names.
        answer = pl.concat([answer, answer.with_columns(disfavored=pl.lit("M"))])
    answer = answer.with_columns(pl.col(column).replace({"F": one, "M": other}))
    pf.chart(answer).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert "<script>" not in picture
    assert picture.count(">\N{REPLACEMENT CHARACTER}&lt;script&gt;alert(1)") >= 2


@pytest.mark.extras
def test_each_chart_names_its_own_groups(tmp_path: Path) -> None:
    pf.chart(answers()["rates"]).save(tmp_path / "chart.svg")
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert picture.count(">F</text>") == picture.count(">All rows</text>") == 2


@pytest.mark.extras
def test_values_far_from_zero_fill_their_chart(tmp_path: Path) -> None:
    """An area of intervals would begin at 0."""
    answer = answers()["audit"].filter(metric="rd").with_columns(pl.col("value", "upper") + 7)
    pf.chart(answer.with_columns(lower="value", band_lower=None, band_upper=None)).save(
        tmp_path / "chart.svg"
    )
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    labels = [float(each) for each in re.findall(r">(\d+(?:\.\d+)?)</text>", picture)]
    assert 7 in labels
    assert not [label for label in labels if 1 < label < 6]


def rises(picture: str) -> dict[str, float]:
    """The places of the labels of an axis on the left, from the top."""
    found = re.findall(r'translate\(-[\d.]+,([\d.]+)\)"[^>]*>(−?[\d.]+)</text>', picture)
    return {label: float(place) for place, label in found}


@pytest.mark.extras
def test_ratios_fill_their_chart(tmp_path: Path) -> None:
    """A strip of 0.8 to 1.25 and values in it, on an axis that is not that of 0.1 to 10."""
    ratios = pf.metrics(scored(), "di", threshold=THRESHOLDS, **SCORED)
    ratios = ratios.with_columns(di=pl.Series([0.9, 0.85, 1.1]))
    pf.chart(ratios).save(tmp_path / "chart.svg")
    places = rises((tmp_path / "chart.svg").read_text("utf-8"))
    assert len(places) >= 4
    assert abs(places["0.8"] - places["1.25"]) > 100
    heights = sorted(places.values())
    assert min(b - a for a, b in pairwise(heights)) > 14


@pytest.mark.extras
@pytest.mark.parametrize(
    ("values", "is_log", "at_most"),
    [
        ([0.82, 1.25], True, (0.78, 1.32)),
        ([0.5, 0.9], True, (0.45, 1.1)),
        ([0.0, 30.0], True, (0.05, 20)),
        ([0.01, 0.02], False, (0.009, 0.021)),
        ([0.6, 0.6], False, (0.5, 0.7)),
        ([0.0, 0.0], False, (-0.11, 0.11)),
        ([-3e6, 5e6], False, (-4e6, 6e6)),
    ],
)
def test_a_scale_follows_its_values_with_a_little_room(
    values: list[float], is_log: bool, at_most: tuple[float, float]
) -> None:
    from polars_fairness.reporting.charts.scales import Values  # brought by the extra

    scale = Values.of(values, is_log=is_log)
    inner = [min(10, max(0.1, value)) for value in values] if is_log else values
    assert at_most[0] <= scale.low < min(inner)
    assert max(inner) < scale.high <= at_most[1]

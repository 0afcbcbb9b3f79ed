"""With ``nulls="drop"``, a row is left out of the metrics that need what it lacks, and no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.terms import across, g
from tests.frames import shared
from tests.strategies import OF_COUNTS, examples

COLUMNS: Final = {
    "label": "y",
    "label values": "y",
    "predicted": "p",
    "predicted values": "p",
    "score": "s",
}
ARGUMENTS: Final = {
    "label": "y",
    "predicted": "p",
    "score": "s",
    "controls": "b",
}
SIDES: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "favored": "M"}

# Labels of 40 F and 40 M are known only where they were accepted, 12 and 32 of them; 36 of 80,
# 45 %, are missing. Of the accepted, 9 of 12 and 16 of 32 repaid.
LABELS_OF_THE_ACCEPTED: Final = pl.DataFrame(
    {
        "sex": ["F"] * 40 + ["M"] * 40,
        "p": [1] * 12 + [0] * 28 + [1] * 32 + [0] * 8,
        "y": [1] * 9 + [0] * 3 + [None] * 28 + [1] * 16 + [0] * 16 + [None] * 8,
    }
)
QUESTION: Final[dict[str, Any]] = {**SIDES, "label": "y", "predicted": "p", "nulls": "drop"}


def test_one_call_holds_the_ratio_of_all_rows_and_the_labels_of_some() -> None:
    """The ratio is (12/40) / (32/40); among the rows with a label it would be 1."""
    values = pf.metrics(LABELS_OF_THE_ACCEPTED, "di", "dpl", "ppv_gap", **QUESTION)
    ratio, base, gap = values.select("di", "dpl", "ppv_gap").row(0)
    assert (ratio, gap) == pytest.approx((0.375, 9 / 12 - 16 / 32))
    # What the others would have done is not known.
    assert base is None
    # The rows that all three metrics have, and those that one of them leaves out.
    sizes = ("n_disfavored", "n_favored", "n_unknown", "rows_dropped")
    assert values.select(sizes).row(0) == (12, 32, 0, 36)
    alone = shared(pf.metrics, LABELS_OF_THE_ACCEPTED, "di", **QUESTION)
    assert alone.select(sizes).row(0) == (40, 40, 0, 0)


def test_cells_hold_the_rows_without_a_label() -> None:
    cells = pf.cells(LABELS_OF_THE_ACCEPTED, facet="sex", label="y", predicted="p", nulls="drop")
    assert cells.rows() == [
        ("F", 0, 1, 3),
        ("F", 1, 1, 9),
        ("F", None, 0, 28),
        ("M", 0, 1, 16),
        ("M", 1, 1, 16),
        ("M", None, 0, 8),
    ]
    names = ("di", "dpl", "ad", "ge", "ci")
    of_cells = pf.metrics(cells, names, count="n", **QUESTION)
    assert of_cells.equals(pf.metrics(LABELS_OF_THE_ACCEPTED, names, **QUESTION))
    of_cells = pf.audit(cells, names, count="n", **QUESTION)
    assert of_cells.equals(pf.audit(LABELS_OF_THE_ACCEPTED, names, **QUESTION))


def test_a_group_whose_labels_are_all_missing_is_shown() -> None:
    """X has decisions and no labels, so that nothing is known of its labels."""
    others = pl.DataFrame({"sex": ["X"] * 40, "p": [1] + [0] * 39})
    frame = pl.concat([LABELS_OF_THE_ACCEPTED, others], how="diagonal")
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "label": "y", "predicted": "p"}
    question |= {"nulls": "drop"}
    audit = pf.audit(frame, "di", "dpl", bands={"dpl": (-0.1, 0.1)}, **question)
    shown = ("disfavored", "metric", "n_disfavored", "n_favored", "rows_used", "value", "verdict")
    assert audit.select(shown).rows()[2:] == [
        ("X", "di", 40, 40, 120, (1 / 40) / (32 / 40), "outside"),
        ("X", "dpl", 0, 32, 44, None, "undefined"),
    ]
    values = pf.metrics(frame, "di", "dpl", **question).filter(disfavored="X")
    assert values.select("n_disfavored", "n_favored", "di", "dpl").row(0) == (
        *(0, 32),
        (1 / 40) / (32 / 40),
        None,
    )


Row = dict[str, Any]

# Every value of a column occurs on both sides in rows that lack nothing.
COMPLETE: Final[list[Row]] = [
    {"sex": sex, "b": b, "y": y, "p": p, "s": s, "u": u, "v": v, "w": 1.0, "k": 1}
    for sex in ("F", "M")
    for b, y, p, s, u, v in (
        ("n", True, True, 0.75, 1, 0.5),
        ("s", False, True, 0.5, 2, 1.0),
        ("n", True, False, 0.25, 0, 0.0),
        ("s", False, False, 0.125, 1, 1.5),
    )
]


def rows() -> st.SearchStrategy[list[Row]]:
    """Rows that lack an outcome, a score or a feature, some because of what else they have."""
    half = st.sampled_from([True, False, None])
    row = st.fixed_dictionaries(
        {
            "sex": st.sampled_from(["F", "M", "X", None]),
            "b": st.sampled_from(["n", "s", None]),
            "y": half,
            "p": half,
            "s": st.sampled_from([0.0, 0.125, 0.5, 0.75, 1.0, float("nan"), None]),
            "u": st.sampled_from([-1, 0, 2, None]),
            "v": st.sampled_from([0.0, 0.5, float("nan"), None]),
            "w": st.sampled_from([0.0, 0.5, 2.25]),
            "k": st.integers(0, 3),
        }
    )
    return st.lists(row, min_size=1, max_size=25).flatmap(
        lambda drawn: st.sampled_from([drawn, [*map(_without_label_if_rejected, drawn)]])
    )


def _without_label_if_rejected(row: Row) -> Row:
    return row if row["p"] else {**row, "y": None}


def frame_of(drawn: Sequence[Row]) -> pl.DataFrame:
    return pl.DataFrame([*COMPLETE, *drawn], infer_schema_length=None)


def columns_of(metric: pf.Metric) -> list[str]:
    """The columns that a row may not lack, if it is to count for a metric."""
    return list(dict.fromkeys(COLUMNS[need] for need in metric.needs if need in COLUMNS))


def arguments_of(metric: pf.Metric) -> dict[str, Any]:
    """The arguments that a metric needs, and no other."""
    named = {need.partition(" ")[0]: True for need in metric.needs}
    subgroup = {"subgroup": "b"} if "subgroup" in metric.needs else {}
    return {**{name: ARGUMENTS[name] for name in ARGUMENTS if name in named}, **subgroup}


def are_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def complete(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None)).drop_nulls(names)


def lacks_labels(frame: pl.DataFrame) -> bool:
    """Whether of some group, or of all but one, no row of one decision has a label."""
    return any(
        not labels.is_empty() and labels.null_count() == labels.len()
        for group in frame["sex"].unique()
        for is_in_group in (True, False)
        for decision in frame["p"].drop_nulls().unique()
        for labels in [
            frame.filter(pl.col("sex").eq_missing(pl.lit(group)) == is_in_group, p=decision)["y"]
        ]
    )


@pytest.mark.extras
@examples(30)
@given(rows(), st.sampled_from([{}, {"weight": "w"}, {"count": "k"}]))
def test_each_metric_has_its_own_rows(drawn: list[Row], more: dict[str, Any]) -> None:
    """Its value is that of the frame without the rows that lack a column which it needs."""
    frame, names = frame_of(drawn), OF_COUNTS
    question = {**SIDES, **ARGUMENTS, "subgroup": "b", "nulls": "drop", **more}
    jointly = pf.metrics(frame, names, **question)
    # Those that need the same columns, and so the same arguments, are in one call.
    alike: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for name, metric in ((each, pf.CATALOGUE[each]) for each in OF_COUNTS):
        alike.setdefault((metric.needs, metric.has_sides), []).append(name)
    for (_, has_sides), together in alike.items():
        first = pf.CATALOGUE[together[0]]
        own = complete(frame, columns_of(first))
        alone = shared(pf.metrics, own, together, **SIDES, **arguments_of(first), **more)
        sides = {"disfavored": "F"} if has_sides else {}
        for name in together:
            expected, found = (
                each[name].item()
                for each in (alone.filter(**sides), jointly.filter(disfavored="F"))
            )
            # What the rows of a decision would have done is not known.
            is_unknown = found is None and "label" in first.needs and lacks_labels(frame)
            assert is_unknown or are_same(found, expected), name


@pytest.mark.extras
@examples(20)
@given(rows(), st.sampled_from(["di", "dpl", "ad", "ge", "auc_difference", "cddpl", "ci"]))
def test_a_metric_with_others_is_what_it_is_alone(drawn: list[Row], name: str) -> None:
    """Its row of an audit is, with its interval, what it is in a call of its own."""
    frame, metric = frame_of(drawn), pf.CATALOGUE[name]
    options: dict[str, Any] = {"replicates": 20, "p_values": "exact", "minimum_count": 5}
    given: dict[str, Any] = {"subgroup": "b", "nulls": "drop"}
    given |= {"label": "y", "predicted": "p", "score": "s"}
    others = [other for other in ("dppl", "rd", "dpl", "brier_gap") if other != name]
    jointly = shared(pf.audit, frame, *others, name, **options, **SIDES, **given)
    own = complete(frame, columns_of(metric))
    alone = shared(pf.audit, own, name, **options, **SIDES, **arguments_of(metric))
    exclude = ("rows_seen", "rows_dropped")
    found = jointly.filter(metric=name)
    assert list(_rounded(found.drop(exclude))) == list(_rounded(alone.drop(exclude)))
    # Of all rows, those that lack something are left out.
    assert found["rows_seen"].unique().to_list() == [frame.height]
    assert found["rows_dropped"].unique().to_list() == [frame.height - own.height]


BASE_RATE_GAP: Final = pf.Metric(
    name="base_rate_gap", title="", formula=across(g.base_rate.max() - g.base_rate.min())
)

NO_SIDES: Final[dict[str, Any]] = {"disfavored": None, "favored": None}
MODELS: Final[dict[str, Any]] = {"predicted": {"old": "p", "new": "q"}}

QUESTIONS: Final[dict[str, dict[str, Any]]] = {
    "windows": {"by": "b"},
    "any group against the rest": NO_SIDES,
    "the highest": {**NO_SIDES, "favored": pf.HIGHEST},
    "the largest": {**NO_SIDES, "favored": pf.LARGEST, "by": "b"},
    "all rows": {**NO_SIDES, "favored": pf.OVERALL},
    "several facets": {**NO_SIDES, "facet": ["sex", "b"]},
    "models": MODELS,
    "a champion": {**MODELS, "champion": "old", "score": None},
    "windows in turn": {"by": "k", "baseline": "previous"},
    "a number for 0/0": {"zero_division": 0.0},
}


@pytest.mark.extras
@pytest.mark.parametrize("question", [*QUESTIONS])
@examples(10)
@given(rows())
def test_other_metrics_change_no_row(question: str, drawn: list[Row]) -> None:
    """Beside others, a metric has no other values, intervals and numbers of rows."""
    own = {**SIDES, "label": "y", "predicted": "p", "score": "s", "nulls": "drop"}
    own |= QUESTIONS[question]
    names: list[Any] = ["di", "dpl", "ad", "ge", BASE_RATE_GAP, "selection_rate_gap"]
    if own["score"] is not None:
        names.append("auc_difference")
    if question != "all rows":
        names.append("ci")
    if question == "several facets":
        everywhere = BASE_RATE_GAP.over("intersections").named("joint")
        names += [everywhere, pf.entry("spsf", groups="intersections")]
    frame = frame_of(drawn).with_columns(q=pl.col("p").reverse())
    options: dict[str, Any] = {"replicates": 20, "p_values": "exact", "minimum_count": 5}
    jointly = pf.audit(frame, names, **options, **own)
    turn = [*QUESTIONS].index(question) % 3
    for each in [*names[turn::3], *names[7:]]:
        alone = shared(pf.audit, frame, each, **options, **own)
        found = jointly.filter(pl.col("metric") == alone["metric"].first())
        # Where only another metric has rows on a side, a row without a value says so.
        found, alone = (part.filter(pl.col("value").is_not_null()) for part in (found, alone))
        assert [*_rounded(found)] == [*_rounded(alone)], each


def _rounded(frame: pl.DataFrame) -> Iterator[list[Any]]:
    for row in frame.rows():
        yield [round(each, 9) if isinstance(each, float) else each for each in row]


@examples(30)
@given(rows())
def test_each_rate_has_its_own_rows(drawn: list[Row]) -> None:
    frame = frame_of(drawn)
    found = pf.rates(frame, facet="sex", label="y", predicted="p", score="s", nulls="drop")
    needed: dict[str, dict[str, Any]] = {
        "selection_rate": {"predicted": "p"},
        "base_rate": {"label": "y"},
        "tpr": {"label": "y", "predicted": "p"},
        "mean_score": {"score": "s"},
        "auc": {"label": "y", "score": "s"},
    }
    for name, arguments in needed.items():
        own = complete(frame, [*arguments.values()])
        rated = pf.rates(own, facet="sex", **arguments).filter(facet="sex")
        expected = dict(rated.select("value", name).rows())
        for value, rate in found.filter(facet="sex").select("value", name).rows():
            is_unknown = rate is None and "label" in arguments and lacks_labels(frame)
            assert is_unknown or are_same(rate, expected.get(value)), (name, value)


@pytest.mark.parametrize("threshold", [0.5, [0.25, 0.5], "every", pf.best(0.5)], ids=str)
@examples(20)
@given(rows())
def test_thresholds_decide_the_rows_with_a_score(threshold: Any, drawn: list[Row]) -> None:
    frame = frame_of(drawn)
    question: dict[str, Any] = {"predicted": "s", "threshold": threshold}
    found = pf.metrics(frame, "di", "dpl", "tpr_gap", label="y", nulls="drop", **SIDES, **question)
    scored, labelled = complete(frame, ["s"]), complete(frame, ["y"])
    of_decisions = pf.metrics(scored, "di", **SIDES, **question)
    assert found["di"].to_list() == of_decisions["di"].to_list()
    of_labels = pf.metrics(labelled, "dpl", label="y", **SIDES)["dpl"].item()
    cuts = [0.25, 0.5, *frame["s"].drop_nulls().unique()]
    may_be_unknown = any(lacks_labels(frame.with_columns(p=pl.col("s") >= cut)) for cut in cuts)
    for difference in found["dpl"]:
        is_unknown = difference is None and may_be_unknown
        assert is_unknown or are_same(difference, of_labels)


# Labels of the accepted again, with two branches and a score of the rejected alone.
WITH_MORE: Final = LABELS_OF_THE_ACCEPTED.with_columns(
    b=pl.int_range(pl.len()) % 3 // 2,
    s=pl.when(pl.col("p") == 0).then(pl.int_range(pl.len()) / 80),
    x=pl.int_range(pl.len()) * 7 % 11,
    day=pl.int_range(pl.len()) % 2,
)
OF_PREDICTIONS: Final[dict[str, Any]] = {"facet": "sex", "predicted": "p"}


@pytest.mark.extras
def test_a_label_changes_no_answer_about_predictions() -> None:
    """Contributions, worst groups, flips, and tables of lending are those of all rows."""
    labelled: dict[str, Any] = {**OF_PREDICTIONS, "label": "y", "nulls": "drop"}
    strata: dict[str, Any] = {"subgroup": "b"}
    frame = WITH_MORE
    of_all = pf.decompose(frame, "cddpl", **OF_PREDICTIONS, **strata)
    assert shared(pf.decompose, frame, "cddpl", **labelled, **strata).equals(of_all)
    of_all = pf.worst_groups(frame, "spsf", **OF_PREDICTIONS)
    assert shared(pf.worst_groups, frame, "spsf", **labelled).equals(of_all)
    of_all = pf.fliptest(frame, features="x", flips=True, **OF_PREDICTIONS)
    assert shared(pf.fliptest, frame, features="x", flips=True, **labelled).equals(of_all)
    assert of_all["y"].null_count() > 0

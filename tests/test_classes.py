"""Several classes: each is positive in turn, as if the caller had named it as positive."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import shared
from tests.reference import Row, metric, rates

LEVELS: Final = pl.Enum(["immediate", "urgent", "routine"][::-1])
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "needed", "predicted": "given"}


def triage(seed: int = 0, rows: int = 600) -> pl.DataFrame:
    """Made-up levels of three, with weights, counts, windows, strata and nulls."""
    chance = random.Random(seed)
    levels = LEVELS.categories.to_list()
    columns = {
        "sex": ["F", "M", "X", None],
        "needed": [*levels, *levels, *levels, None],
        "given": [*levels, *levels, *levels, None],
        "hour": ["day", "night"],
        "ward": [1, 2, 3],
        "w": [0.0, 0.5, 0.7, 1.3],
        "n": [0, 1, 2, 5],
        "doctor": list(range(40)),
    }
    data = {name: [chance.choice(each) for _ in range(rows)] for name, each in columns.items()}
    return pl.DataFrame(data).with_columns(pl.col("needed", "given").cast(LEVELS))


OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "rows": {},
    "weights": {"weight": "w"},
    "counts": {"count": "n"},
    "both": {"weight": "w", "count": "n"},
    "windows and strata": {"by": "hour", "subgroup": "ward", "weight": "w"},
    "a reference": {"favored": pf.HIGHEST, "by": "hour"},
    "predictions alone": {"label": None},
    "labels alone": {"predicted": None, "weight": "w"},
}


OVER_VALUES: Final = ("kl", "js", "lp", "tvd", "ks", "confusion_distance")


def same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    assert_frame_equal(found, expected, check_exact=False, abs_tol=1e-12, rel_tol=1e-12)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_class_has_the_values_of_the_question_in_which_it_is_positive(
    options: dict[str, Any],
) -> None:
    question = {**QUESTION, "nulls": "drop", **options}
    rows = triage(len(options))
    every = pf.metrics(rows.lazy(), classes="each", **question).collect_schema().names()
    # All metrics of rows by themselves and of labels alone, and of other rows each fifth.
    some = [name for name in every if name in pf.CATALOGUE]
    some = some[::5] if len(some) > 15 and options else some
    values = pf.metrics(rows, some, classes="each", **question)
    rates = shared(pf.rates, rows, classes="each", **question)
    of_all = [name for name in OVER_VALUES if name in values.columns]
    names = [name for name in values.columns if name in pf.CATALOGUE and name not in of_all]
    assert len(names) >= 3
    assert (
        of_all == [] or values.filter(pl.col("positive").is_not_null())[of_all[0]].is_null().all()
    )
    for level in LEVELS.categories:
        one = {**question, "positive": level}
        of_level = values.filter(positive=level).drop("positive", *of_all)
        same(of_level, pf.metrics(rows, names, **one))
        same(rates.filter(positive=level).drop("positive"), shared(pf.rates, rows, **one))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_cumulative_class_has_the_values_of_this_or_a_higher_one(options: dict[str, Any]) -> None:
    question = {**QUESTION, "nulls": "drop", **options}
    rows = triage(7)
    values = shared(
        pf.metrics, rows, "di" if question["predicted"] else "dpl", classes="cumulative", **question
    )
    assert values["positive"].unique().sort().to_list() == ["urgent", "immediate"]
    for number, level in enumerate(["urgent", "immediate"], 1):
        higher = rows.with_columns(pl.col("needed", "given").to_physical() >= number)
        expected = shared(pf.metrics, higher, values.columns[-1], **question)
        same(values.filter(positive=level).drop("positive"), expected)


DISTANCES: Final = {
    name: pf.entry(name.partition(" ")[0], outcome=outcome).named(name)
    for outcome in ("label", "predicted")
    for name in (f"{each} of {outcome}" for each in ("kl", "js", "lp", "tvd", "ks"))
}
AT_ONCE: Final[list[str | pf.Metric]] = [
    *DISTANCES.values(),
    "confusion_distance",
    "ad",
    "accuracy",
    "accuracy_gap",
]


def by_reference(name: str, rows: list[dict[str, Any]], d: set[Any], weight: str | None) -> Any:
    """A metric of all classes by the reference, over the rows that have its outcomes."""
    name, _, outcome = name.partition(" of ")
    columns = {"label": "needed", "predicted": "given"}
    one, other = [columns[outcome]] * 2 if outcome else columns.values()
    individuals = [
        Row(row["sex"], row[one], row[other], weight=Fraction(row[weight] if weight else 1))
        for row in rows
        if None not in (row[one], row[other]) and (not weight or row[weight])
    ]
    if name == "accuracy":
        return rates(individuals)["accuracy"]
    return metric(name, individuals, d, None)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("classes", ["each", "cumulative"])
def test_all_classes_at_once_are_those_of_the_reference(classes: str, weight: str | None) -> None:
    rows = triage(11, 400)
    question = {**QUESTION, "nulls": "drop", "by": "hour", "weight": weight, "classes": classes}
    found = pf.metrics(rows.lazy(), AT_ONCE, **question).collect()
    at_once = found.filter(pl.col("positive").is_null())
    assert at_once.height == 2 * 3
    for hour, *_, d in at_once.select("hour", "facet", "disfavored").iter_rows():
        values = at_once.filter(hour=hour, disfavored=d)
        of_hour = rows.filter(hour=hour).rows(named=True)
        for name in values.columns[9:]:
            expected = by_reference(name, of_hour, {d}, weight)
            assert values[name].item() == pytest.approx(expected, rel=1e-12), name
    per_class = found.filter(pl.col("positive").is_not_null())
    assert per_class.select(
        [*DISTANCES, "confusion_distance"]
    ).null_count().sum_horizontal().item() == (per_class.height * (len(DISTANCES) + 1))
    # A question that has no metric of one class has no row of one.
    alone = pf.metrics(rows, AT_ONCE[0], **question)
    assert alone["positive"].to_list() == [None] * 6


def test_a_class_that_one_side_never_has_leaves_the_distance_of_confusions() -> None:
    rows = pl.DataFrame(
        {
            "sex": [*"FFFFMMMM"],
            "needed": ["a", "a", "b", "c", "a", "a", "b", "b"],
            "given": ["a", "b", "b", "c", "a", "a", "b", "a"],
        }
    )
    question = {**QUESTION, "disfavored": "F"}
    found = pf.metrics(rows, "confusion_distance", classes="each", **question)
    # Of a: 1/2 and 1/2 beside 1 and 0; of b: 0 and 1 beside 1/2 and 1/2; M never has c.
    assert found["confusion_distance"].to_list() == [(1 / 2 + 1 / 2) / 2]
    # No class in common: there is nothing to compare.
    apart = rows.with_columns(needed="sex")
    assert pf.metrics(apart, "confusion_distance", **question)["confusion_distance"].item() is None
    # Outcomes need not have several classes, nor does the call need to say so.
    two = rows.with_columns(needed=pl.col("needed") == "a", given=pl.col("given") == "a")
    both = pf.metrics(two, "confusion_distance", "average_abs_odds_difference", **question)
    assert both["confusion_distance"].item() == both["average_abs_odds_difference"].item()
    text = pf.metrics(rows, pf.entry("tvd", outcome="predicted"), facet="sex", predicted="given")
    assert text["tvd"].item() == pytest.approx((1 / 2 + 1 / 4 + 1 / 4) / 2)


def test_intervals_and_verdicts_of_all_classes_at_once() -> None:
    rows = triage(2, 900).drop_nulls(["needed", "given", "sex"])
    names: list[Any] = ["ad", "tvd", "confusion_distance", DISTANCES["tvd of predicted"]]
    bands = {"confusion_distance": (0, 0.05), "tvd": (0, 0.5), "ad": (-0.3, 0.3)}
    question: dict[str, Any] = {**QUESTION, "disfavored": "F", "bands": bands, "replicates": 200}
    audit = pf.audit(rows, names, classes="each", **question).filter(pl.col("positive").is_null())
    found = {row["metric"]: row for row in audit.iter_rows(named=True)}
    # A right prediction is a positive one, of rows that are all positive.
    right = rows.with_columns(pl.col("needed").eq(pl.col("given")).alias("given"), needed=True)
    same_rows = {**question, "bands": {"ad": (-0.3, 0.3)}}
    expected = pf.audit(right, "ad", **same_rows).row(0, named=True)
    for column in ("value", "lower", "upper", "verdict", "n_disfavored", "n_favored"):
        assert found["ad"][column] == expected[column]
    alone = pf.audit(rows, "tvd", **{**same_rows, "bands": {"tvd": (0, 0.5)}, "predicted": None})
    assert found["tvd"]["upper"] == alone["upper"].item()
    assert found["tvd"]["verdict"] == "within"
    # Two sides of some 250 rows whose classes were drawn alike: chance alone is half of 0.1.
    assert found["confusion_distance"]["lower"] == 0
    assert 0.05 < found["confusion_distance"]["upper"] < 0.3
    assert found["confusion_distance"]["verdict"] == "uncertain"
    assert found["tvd of predicted"]["verdict"] is None
    bad = shared(pf.audit, rows, names, classes="each", favorable=False, **question)
    assert bad.filter(pl.col("positive").is_null()).equals(audit)
    # Predictions that are all right say nothing of how far another sample may be from that.
    right = rows.with_columns(given="needed")
    perfect = pf.audit(right, "confusion_distance", **{**question, "bands": None})
    assert perfect.select("value", "lower", "upper").row(0) == (0, 0, 1)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weight": "w"},
        {"cluster": "doctor"},
        {"sequential": "each", "by": "ward"},
        {"subgroup": "ward", "by": "hour"},
        {"replicates": 50, "seed": 3},
        {"baseline": triage(5)},
        {"baseline": "previous", "by": "ward", "replicates": 50},
        {"bounds": True, "replicates": 50},
    ],
    ids=lambda options: ", ".join(options) or "alone",
)
def test_intervals_and_verdicts_are_those_of_the_question_in_which_a_class_is_positive(
    options: dict[str, Any],
) -> None:
    drawn = {} if "sequential" in options else {"replicates": 50}
    question: dict[str, Any] = {**QUESTION, "nulls": "drop", **drawn, **options}
    names = ["di"] if "sequential" in options else ["di", "rd", "ad", "ge"]
    audit = shared(pf.audit, triage(), names, classes="each", **question)
    for level in LEVELS.categories:
        of_level = audit.filter(positive=level).drop("positive")
        same(of_level, shared(pf.audit, triage(), names, positive=level, **question))


def test_groups_ranges_and_strata_are_those_of_each_class() -> None:
    question = {**QUESTION, "nulls": "drop"}
    of_groups: dict[str, Any] = {**question, "facet": ["sex", "hour"], "weight": "w"}
    ranges = pf.bounds(triage(), "di", "ad", classes="each", **question)
    answers: list[Callable[..., pl.DataFrame]] = [
        lambda **more: pf.worst_groups(triage(), "fpsf", **more, **of_groups),
        lambda **more: pf.bounds(triage(), "di", "ad", **more, **question),
        lambda **more: shared(pf.decompose, triage(), "cddpl", subgroup="ward", **more, **question),
    ]
    for answer in answers:
        of_all = answer(classes="each")
        for level in LEVELS.categories:
            of_level = of_all.filter(positive=level).drop("positive")
            expected = answer(positive=level)
            order = [name for name in ("disfavored", "ward") if name in expected.columns]
            if "ward" in order:
                of_level, expected = of_level.sort(order), expected.sort(order)
            same(of_level, expected)
    # Of all classes at once, a rate is that of right predictions.
    right = triage().with_columns(pl.col("given") == pl.col("needed"), needed=True)
    at_once = ranges.filter(pl.col("positive").is_null()).drop("positive")
    same(
        at_once,
        pf.bounds(right.drop_nulls("given"), "ad", **QUESTION).with_columns(
            at_once.select("rows_seen", "rows_dropped")
        ),
    )

"""AIF360's auditor of rich subgroups: the same number for a group, and other groups to choose from.

For any one group it has the number of ``fpsf`` and ``fnsf``: the group's rows below the line of its
rate, over all rows, times the distance of that rate from the overall rate. It has no statistical
parity, but its false positives where no label is positive are ``spsf``.

It looks for the worst group by a regression on the attributes, and splits all rows where the
regression's prediction crosses the overall rate. Its group is one side of a hyperplane. It may be
no conjunction, and farther off than any; and a conjunction that is worse may be missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest

import polars_fairness as pf

from .comparisons import close
from .frames import FRAMES, REGULAR, generated, with_both
from .quiet import importing_aif360

with importing_aif360():
    from aif360.algorithms.inprocessing.gerryfair.auditor import Auditor
    from aif360.datasets import BinaryLabelDataset
    from aif360.metrics import BinaryLabelDatasetMetric

# The name that the peer has for each metric, and the labels that it needs.
PEERS_NAMES: Final = {
    "fpsf": ("FP", pl.col("label")),
    "fnsf": ("FN", pl.col("label")),
    "spsf": ("FP", pl.lit(0)),
}
ONE: Final = pl.lit(1)
EVERY_METRIC: Final = pytest.mark.parametrize("metric", PEERS_NAMES)

# The result of `worst_groups` has a column called group of its own.
RENAMED: Final = {"group": "side"}
PEOPLE: Final = {name: frame.rename(RENAMED) for name, frame in FRAMES.items()}
BOTH: Final = ["side", "branch"]

# The auditor goes through data row by row.
SMALL: Final = [name for name, frame in REGULAR.items() if frame.height <= 400]


def _dataset(
    frame: pl.DataFrame, metric: str, *attributes: str, weight: pl.Expr = ONE, favorable: int = 1
) -> BinaryLabelDataset:
    """Attributes have to be numbers there: text becomes a column of 0 and 1 for each value."""
    _, label = PEERS_NAMES[metric]
    table = frame.select(*attributes, label.alias("label"), weight.alias("weight"))
    numbers = table.to_dummies(cs.string()).cast(pl.Float64)
    return BinaryLabelDataset(
        df=numbers.to_pandas(),
        label_names=["label"],
        protected_attribute_names=numbers.drop("label", "weight").columns,
        instance_weights_name="weight",
        favorable_label=favorable,
        unfavorable_label=1 - favorable,
    )


def _theirs(
    frame: pl.DataFrame, metric: str, *attributes: str, outcome: str = "predicted", **options: Any
) -> float:
    """The distance of the group that the auditor finds, times its share."""
    audited, _ = PEERS_NAMES[metric]
    dataset = _dataset(frame, metric, *attributes, **options)
    return float(BinaryLabelDatasetMetric(dataset).rich_subgroup(tuple(frame[outcome]), audited))


def _theirs_of_group(frame: pl.DataFrame, metric: str, group: dict[str, Any]) -> float:
    """Its number for one group: one attribute of 0 and 1 splits all rows in one way only."""
    fixed = (pl.col(name) == value for name, value in group.items() if value is not None)
    return _theirs(frame.with_columns(inside=pl.all_horizontal(*fixed)), metric, "inside")


def _our_groups(frame: pl.DataFrame, metric: str, *facets: str, **question: Any) -> pl.DataFrame:
    outcomes: dict[str, Any] = {"label": "label", "predicted": "predicted"}
    return pf.worst_groups(frame, metric, facet=facets, harm="both", **outcomes, **question)


def _fixed(groups: pl.DataFrame) -> list[dict[str, Any]]:
    """The values that each group fixes."""
    return groups.select(BOTH).to_dicts()


def _our_worst(frame: pl.DataFrame, metric: str, *facets: str, **question: Any) -> Any:
    return _our_groups(frame, metric, *facets, **question)["weighted_gap"].max()


@EVERY_METRIC
@pytest.mark.parametrize("frame", SMALL)
def test_it_has_the_same_number_for_each_of_our_groups(metric: str, frame: str) -> None:
    ours = _our_groups(PEOPLE[frame], metric, *BOTH).filter(pl.col("alpha") > 0)
    theirs = np.array([_theirs_of_group(PEOPLE[frame], metric, each) for each in _fixed(ours)])
    assert ours["weighted_gap"].to_numpy() == close(theirs)
    across = pf.CATALOGUE[metric]
    for over, depths in (
        (across.over("conjunctions"), [1, 2]),
        (across.over("intersections"), [2]),
        (across.over("values"), [1]),
    ):
        answer = pf.metrics(PEOPLE[frame], over, facet=BOTH, label="label", predicted="predicted")
        assert answer[metric].max() == close(theirs[ours["depth"].is_in(depths)].max())


@pytest.mark.parametrize(
    ("metric", "frame"), [("fpsf", "no negative label in d"), ("fnsf", "no positive label in d")]
)
def test_a_group_without_the_rate_is_not_off_there_and_null_here(metric: str, frame: str) -> None:
    without = _our_groups(PEOPLE[frame], metric, *BOTH).filter(alpha=0)
    assert {"side": "d", "branch": None} in _fixed(without)
    assert set(without["weighted_gap"]) == {None}
    for group in _fixed(without):
        assert _theirs_of_group(PEOPLE[frame], metric, group) == close(0)


@EVERY_METRIC
@pytest.mark.parametrize("frame", SMALL)
def test_we_have_the_same_number_for_each_group_that_it_finds(metric: str, frame: str) -> None:
    auditor = Auditor(_dataset(PEOPLE[frame], metric, *BOTH), PEERS_NAMES[metric][0])
    predicted = PEOPLE[frame]["predicted"].to_numpy()
    members, violation = auditor.audit(predicted)
    found = auditor.get_group(predicted, auditor.get_baseline(auditor.y_input, predicted))
    groups = _our_groups(PEOPLE[frame].with_columns(found=members), metric, "found")
    others, ours = groups.sort("found").iter_rows(named=True)
    assert ours["weighted_gap"] == close(violation)
    assert ours["alpha"] == close(found.group_size)
    assert ours["beta"] == close(found.disparity)
    # Its rate of the group is the rate of all other rows.
    assert others["rate"] == close(found.group_rate)


@EVERY_METRIC
@pytest.mark.parametrize("frame", with_both("label"))
def test_it_joins_all_values_on_one_side_of_the_rate_of_all(metric: str, frame: str) -> None:
    theirs = _theirs(PEOPLE[frame], metric, "side")
    ours = _our_groups(PEOPLE[frame], metric, "side")["weighted_gap"]
    # Values above the overall rate are as far off, together, as values below it.
    assert ours.sum() / 2 == close(theirs)
    # Of up to three values one is alone on its side.
    if len(ours) <= 3:
        assert ours.max() == close(theirs)
    else:
        assert max(ours) < theirs - 1e-4


@EVERY_METRIC
@pytest.mark.parametrize("seed", range(70, 80))
def test_of_two_attributes_of_two_values_it_finds_a_conjunction_or_all_but_one(
    metric: str, seed: int
) -> None:
    frame = generated(seed, 120, branches=2).rename(RENAMED)
    theirs = _theirs(frame, metric, *BOTH)
    # All rows but a group's are as far off as the group: no such rest is worse than our worst.
    assert any(each == close(theirs) for each in _our_groups(frame, metric, *BOTH)["weighted_gap"])


def _accepted(*cells: tuple[Sequence[int], int, int]) -> pl.DataFrame:
    """Rows with label 0, from attributes, numbers of rows and numbers of accepted rows."""
    return pl.DataFrame(
        {**dict(zip("xyz", values, strict=False)), "label": 0, "predicted": int(i < accepted)}
        for values, people, accepted in cells
        for i in range(people)
    )


def test_it_misses_a_conjunction_where_attributes_alone_say_little() -> None:
    frame = _accepted(((0, 0), 10, 10), ((0, 1), 10, 1), ((1, 0), 10, 0), ((1, 1), 10, 8))
    assert _theirs(frame, "fpsf", "x", "y") == close(20 / 40 * (19 / 40 - 8 / 20))
    assert _our_worst(frame, "fpsf", "x", "y") == close(10 / 40 * (10 / 10 - 19 / 40))


def test_it_finds_a_majority_which_is_no_conjunction() -> None:
    frame = _accepted(*((each, 1, int(sum(each) >= 2)) for each in np.ndindex(2, 2, 2)))
    assert _theirs(frame, "fpsf", *"xyz") == close(4 / 8 * (4 / 4 - 4 / 8))
    assert _our_worst(frame, "fpsf", *"xyz") == close(4 / 8 * (3 / 4 - 4 / 8))


def test_an_attribute_in_one_column_of_numbers_is_a_scale_there() -> None:
    frame = _accepted(([0], 20, 4), ([1], 10, 9), ([2], 10, 0))
    assert _theirs(frame, "fpsf", "x") == close(20 / 40 * (13 / 40 - 4 / 20))
    assert _our_worst(frame, "fpsf", "x") == close(10 / 40 * (9 / 10 - 13 / 40))


@EVERY_METRIC
def test_it_leaves_weights_out_so_that_rows_are_repeated(metric: str) -> None:
    times = np.random.default_rng(80).integers(5, size=200)
    frame = generated(80, 200).rename(RENAMED).with_columns(times=times)
    unweighted = _theirs(frame, metric, "side")
    assert _theirs(frame, metric, "side", weight=pl.col("times")) == unweighted
    repeated = _theirs(frame[np.repeat(np.arange(frame.height), times)], metric, "side")
    assert _our_worst(frame, metric, "side", weight="times") == close(repeated) != close(unweighted)


@EVERY_METRIC
def test_it_takes_scores_which_are_two_weighted_rows_each_here(metric: str) -> None:
    score = np.random.default_rng(81).random(200)
    frame = generated(81, 200).rename(RENAMED).with_columns(score=score)
    parts = {1: pl.col("score"), 0: 1 - pl.col("score")}
    rows = pl.concat(frame.with_columns(predicted=y, part=part) for y, part in parts.items())
    theirs = _theirs(frame, metric, "side", outcome="score")
    assert _our_worst(rows, metric, "side", weight="part") == close(theirs)


def test_1_is_the_positive_label_there_whichever_is_favorable() -> None:
    frame = PEOPLE["balanced"]
    theirs = _theirs(frame, "fpsf", "side", favorable=0)
    assert _our_worst(frame, "fpsf", "side") == close(theirs)
    # Where 0 is positive, 1 for 0 is a false negative.
    assert _our_worst(frame, "fnsf", "side", positive=0) == close(theirs)

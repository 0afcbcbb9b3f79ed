"""AIF360's auditor of rich subgroups: the same number for a group.

For any one group it has the number of ``fpsf`` and ``fnsf``: the group's rows below the line of its
rate, over all rows, times the distance of that rate from the overall rate. It has no statistical
parity, but its false positives where no label is positive are ``spsf``.

It looks for the worst group by a regression on the attributes: one side of a hyperplane.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest

import polars_fairness as pf
from tests.frames import shared

from .comparisons import close
from .frames import FRAMES
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
EVERY_METRIC: Final = pytest.mark.parametrize("metric", PEERS_NAMES)

# The result of `worst_groups` has a column called group of its own.
RENAMED: Final = {"group": "side"}
PEOPLE: Final = {name: frame.rename(RENAMED) for name, frame in FRAMES.items()}
BOTH: Final = ["side", "branch"]
OUTCOMES: Final[dict[str, Any]] = {"label": "label", "predicted": "predicted"}

# The auditor goes through data row by row.
SMALL: Final = ["balanced", "three groups"]


def _dataset(frame: pl.DataFrame, metric: str, *attributes: str) -> BinaryLabelDataset:
    """Attributes have to be numbers there: text becomes a column of 0 and 1 for each value."""
    _, label = PEERS_NAMES[metric]
    table = frame.select(*attributes, label.alias("label"))
    numbers = table.to_dummies(cs.string()).cast(pl.Float64)
    return BinaryLabelDataset(
        df=numbers.to_pandas(),
        label_names=["label"],
        protected_attribute_names=numbers.drop("label").columns,
    )


def _theirs_of_group(frame: pl.DataFrame, metric: str, group: dict[str, Any]) -> float:
    """Its number for one group: one attribute of 0 and 1 splits all rows in one way only."""
    fixed = (pl.col(name) == value for name, value in group.items() if value is not None)
    frame = frame.with_columns(inside=pl.all_horizontal(*fixed))
    of = BinaryLabelDatasetMetric(_dataset(frame, metric, "inside"))
    return float(of.rich_subgroup(tuple(frame["predicted"]), PEERS_NAMES[metric][0]))


def _our_groups(frame: pl.DataFrame, metric: str, *facets: str, **question: Any) -> pl.DataFrame:
    question |= {"facet": facets, **OUTCOMES}
    groups: pl.DataFrame = shared(pf.worst_groups, frame, metric, harm="both", **question)
    return groups


def _fixed(groups: pl.DataFrame) -> list[dict[str, Any]]:
    """The values that each group fixes."""
    return groups.select(BOTH).to_dicts()


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
        answer = shared(pf.metrics, PEOPLE[frame], over, facet=BOTH, **OUTCOMES)
        assert answer[metric].max() == close(theirs[ours["depth"].is_in(depths)].max())


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

"""Groups of several facets, ranked by how far their labels are from what their scores say."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.strategies import ATTRIBUTES, examples, people_of_many_groups

QUESTION: Final[dict[str, Any]] = {"facet": ["sex", "race"], "label": "y", "score": "s"}

# Of the four groups of sex and race: labels of the scores .6, .8, .2 and .4.
LABELS: Final = {
    ("F", "b"): [0, 1, 0, 1],
    ("F", "w"): [1, 1, 1, 1],
    ("M", "b"): [0, 1, 0, 0],
    ("M", "w"): [0, 1, 0, 1],
}
PEOPLE: Final = pl.DataFrame(
    [
        (sex, race, score, bool(label))
        for (sex, race), labels in LABELS.items()
        for score, label in zip([0.6, 0.8, 0.2, 0.4], labels, strict=True)
    ],
    schema=["sex", "race", "s", "y"],
    orient="row",
)


def with_scores(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(s=pl.int_range(pl.len()) * 7 % 20 / 20)


def test_groups_are_ranked_by_their_share_times_their_calibration_error() -> None:
    """Of F and w, all labels are positive: the sums of .8, .6, .4, .2, divided by 4, are 0.5."""
    answer = pf.worst_groups(PEOPLE, "miscalibration", **QUESTION)
    pairs = answer.filter(depth=2)
    found = {row[:2]: row[2:] for row in pairs.select("sex", "race", "alpha", "beta").rows()}
    assert found == {
        ("F", "w"): (0.25, pytest.approx(0.5)),
        ("M", "b"): (0.25, pytest.approx(0.3)),
        ("F", "b"): (0.25, pytest.approx(0.15)),
        ("M", "w"): (0.25, pytest.approx(0.15)),
    }
    assert answer["rank"].to_list() == sorted(answer["rank"])
    first = answer.row(0, named=True)
    # Labels less scores of the two women at .2, .4, .6 and .8: 1 - .4, 2 - .8, 1 - 1.2, 2 - 1.6.
    # Their sums so far are .6, 1.8, 1.6 and 2, of eight women.
    assert (first["sex"], first["race"]) == ("F", None)
    assert (first["alpha"], first["beta"]) == (0.5, pytest.approx(2 / 8))


def test_the_direction_of_a_group_is_seen_from_its_mean_score() -> None:
    answer = pf.worst_groups(PEOPLE, "miscalibration", **QUESTION)
    shown = ["sex", "race", "rate", "rate_of_all", "mean_score", "direction"]
    found = {row[:2]: row[2:] for row in answer.filter(depth=2).select(shown).rows()}
    mean, of_all = pytest.approx(0.5), 9 / 16
    assert found == {
        ("F", "w"): (1.0, of_all, mean, "above"),
        ("M", "b"): (0.25, of_all, mean, "below"),
        ("F", "b"): (0.5, of_all, mean, None),
        ("M", "w"): (0.5, of_all, mean, None),
    }


@given(
    people_of_many_groups(least=1),
    st.sampled_from([None, "w"]),
    st.sampled_from([None, 0.1]),
    st.sampled_from([None, 3]),
)
@examples(20)
def test_each_group_has_the_measures_of_its_rows(
    frame: pl.DataFrame, weight: str | None, resolution: float | None, least: int | None
) -> None:
    scored = with_scores(frame)
    question: dict[str, Any] = {"label": "y", "score": "s", "weight": weight}
    question["resolution"] = resolution
    answer = pf.worst_groups(
        scored, "miscalibration", facet=[*ATTRIBUTES], minimum_count=least, **question
    )
    for group in answer.iter_rows(named=True):
        fixed = [name for name in ATTRIBUTES if group["fixed"][name]]
        rows = scored.filter(pl.col(name).eq_missing(pl.lit(group[name])) for name in fixed)
        alone = pf.rates(rows, **question).row(0, named=True)
        for column, measure in (("beta", "ecce"), ("mean_score", "mean_score")):
            assert group[column] == pytest.approx(alone[measure], rel=1e-9, abs=1e-12)
        assert rows.height >= (least or 0)

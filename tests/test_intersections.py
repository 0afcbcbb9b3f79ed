"""Metrics across the groups that all facets define together."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.terms import across, g
from tests import reference
from tests.frames import fairness, shared
from tests.strategies import JOINTLY, OF_COUNTS, examples, joint_rows, people_of_many_groups

ACROSS = [
    name
    for name in OF_COUNTS
    if pf.CATALOGUE[name].ranges_over_groups and not pf.CATALOGUE[name].is_about_ranks
]
MAY_OVERLAP = [name for name in ACROSS if name not in ("cdd_shares", "spread")]

# Arguments about groups, and the numbers of attributes that a group may have.
GROUPS: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({"groups": "intersections"}, (3,)),
    ({"groups": "intersections", "minimum_count": 2, "include_unknown": False}, (3,)),
    ({"groups": "conjunctions"}, (1, 2, 3)),
    ({"groups": "conjunctions", "depth": 1}, (1,)),
    ({"groups": "conjunctions", "depth": 2, "minimum_count": 3}, (1, 2)),
    ({"groups": "conjunctions", "depth": 9, "include_unknown": False}, (1, 2, 3)),
]

# Accepted: F b 2 of 4, F w 0 of 4, M b 1 of 2, M w 1 of 10. All rows are observed negative, so that
# fpr and selection rate are equal.
PEOPLE = pl.DataFrame(
    {
        "sex": ["F"] * 8 + ["M"] * 12,
        "race": ["b"] * 4 + ["w"] * 4 + ["b"] * 2 + ["w"] * 10,
        "y": [0] * 20,
        "p": [1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1] + [0] * 9,
    }
)
QUESTION: dict[str, Any] = {"facet": ["sex", "race"], "label": "y", "predicted": "p"}


def case(
    frame: pl.DataFrame, weight: str | None, zero: float | None, sizes: tuple[int, ...], of: Any
) -> reference.JointCase:
    rows = joint_rows(frame, weight)
    least, unknown = of.get("minimum_count"), of.get("include_unknown", True)
    return reference.JointCase(
        rows, set(), zero=zero, sizes=sizes, minimum_count=least or 0, unknown=unknown
    )


@given(
    people_of_many_groups(),
    st.sampled_from(GROUPS),
    st.sampled_from([None, "w", "k"]),
    st.sampled_from([None, 0.0]),
)
@examples(80)
def test_every_metric_across_groups_has_the_value_of_the_brute_force(
    frame: pl.DataFrame, groups: Any, weight: str | None, zero_division: float | None
) -> None:
    of, sizes = groups
    brute = case(frame, weight, zero_division, sizes, of)
    names = ACROSS if of["groups"] == "intersections" else MAY_OVERLAP
    metrics = [pf.entry(name, **of) for name in names]
    answer = pf.metrics(frame, *metrics, weight=weight, zero_division=zero_division, **JOINTLY)
    assert answer.height == min(frame.height, 1)
    for row in answer.iter_rows(named=True):
        for name in names:
            if zero_division is not None and not brute.groups:
                continue  # Clarify's arithmetic has no value for it.
            expected = reference.joint_metric(name, brute)
            assert (row[name] is None) == (expected is None), name
            if expected is not None:
                assert row[name] == pytest.approx(expected, rel=1e-9, abs=1e-12), name


def test_unknown_is_a_value_or_left_out() -> None:
    """2 of 2 rows of unknown race are accepted, and 2 of 18 others: 4 of 20 in all."""
    unknown = PEOPLE.with_columns(
        race=pl.Series(["b"] * 9 + [None, None] + ["b"] * 9),
        p=pl.Series([1, 1] + [0] * 7 + [1, 1] + [0] * 9),
    )
    q, groups = fairness(unknown).of(**QUESTION), {"groups": "conjunctions", "depth": 1}
    answer = q.spsf(**groups)
    assert answer["spsf"].item() == pytest.approx(2 / 20 * (1 - 4 / 20))
    assert answer["n_unknown"].item() == 0
    # Rows of unknown race still count in all rows, F (2 of 8) and M (2 of 12); b has 2 of 18.
    known = q.spsf(include_unknown=False, **groups)["spsf"].item()
    assert known == pytest.approx(18 / 20 * (4 / 20 - 2 / 18))


def test_attributes_without_a_role_move_no_interval() -> None:
    """The two groups compared are the same, however many cells they are made of."""
    random = pl.int_range(2_000) * pl.int_range(2_000)
    frame = pl.select(
        sex=pl.lit(pl.Series(["F", "M"])).gather(pl.int_range(2_000) % 2),
        p=(pl.int_range(2_000) % 16 < 7).cast(pl.Int8) * (pl.int_range(2_000) % 3 > 0),
        a0=random % 7,
        a1=random % 11,
        a2=random % 13,
    )
    metric = pf.entry("selection_rate_gap", groups="conjunctions", depth=1, minimum_count=900)
    bounds = []
    for facet in (["sex"], ["sex", "a0"], ["sex", "a0", "a1", "a2"]):
        row = pf.audit(frame, metric, facet=facet, predicted="p").row(0, named=True)
        assert row["lower"] < row["value"] < row["upper"]
        bounds.append((row["lower"], row["upper"]))
    for low, high in bounds[1:]:
        assert low == pytest.approx(bounds[0][0], abs=0.012)
        assert high == pytest.approx(bounds[0][1], abs=0.012)


def test_a_group_that_is_left_out_is_in_no_draw() -> None:
    """The 9 rows of X are all accepted, and half of the others; X is too small to be a group."""
    frame = pl.DataFrame(
        {"sex": ["F"] * 500 + ["M"] * 500 + ["X"] * 9, "p": [0, 1] * 500 + [1] * 9}
    )
    metric = pf.entry("selection_rate_gap", groups="conjunctions", minimum_count=16)
    [row] = pf.audit(frame, metric, facet="sex", predicted="p").rows(named=True)
    assert row["value"] == 0
    assert row["upper"] < 0.12


def test_a_user_metric_beyond_its_band_is_outside() -> None:
    """A user metric without sides, over groups of one facet and of several."""
    own = pf.Metric(
        name="own", title="", formula=across(g.selection_rate.max()), sign=0, acceptable=(0, 0.1)
    )
    for metrics in ([own], [own.over("conjunctions")], [own.over("intersections"), "dppl"]):
        answer = shared(pf.audit, PEOPLE, *metrics, confidence=None, **QUESTION).filter(
            metric="own"
        )
        assert answer["verdict"].unique().to_list() == ["outside"]

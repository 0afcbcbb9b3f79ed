"""The combinations of attributes that are counted; the work stays bounded."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers import worst_groups
from polars_fairness.counting.polars_rows import chosen_blocks
from tests.frames import fairness
from tests.plans import scans_of
from tests.strategies import JOINTLY, examples, people_of_many_groups
from tests.worst_groups.people import PEOPLE, QUESTION


@given(people_of_many_groups(), st.sampled_from([1, 2]))
@examples(30)
def test_depth_is_a_filter_whatever_is_counted(frame: pl.DataFrame, depth: int) -> None:
    of_all = pf.worst_groups(frame, "fpsf", **JOINTLY).drop("rank")
    expected = of_all.filter(pl.col("depth") <= depth)
    for most in (0, 20, 60, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worst_groups, "MOST_CELLS", most)
            answer = pf.worst_groups(frame, "fpsf", depth=depth, **JOINTLY).drop("rank")
        assert_frame_equal(answer, expected)


@given(people_of_many_groups(), st.sampled_from([1, 2, 3, 5, 9]), st.sampled_from([None, "branch"]))
@examples(40)
def test_small_groups_are_pruned_whatever_is_counted(
    frame: pl.DataFrame, least: int, by: str | None
) -> None:
    of_all = pf.worst_groups(frame, "spsf", by=by, minimum_count=0, **JOINTLY).drop("rank")
    rows = pl.col("n") >= least
    for at_once in (0, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worst_groups, "MOST_AT_ONCE", at_once)
            patch.setattr(worst_groups, "MOST_CELLS", 4)
            answer = pf.worst_groups(frame, "spsf", by=by, minimum_count=least, **JOINTLY)
        assert_frame_equal(answer.drop("rank"), of_all.filter(rows))


def test_the_attributes_counted_together_depend_on_the_number_of_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """64 people with six attributes; 8 share any three values, and 4 any four."""
    all_rows = pl.DataFrame(
        [[(i >> bit) & 1 for bit in range(6)] for i in range(64)], schema=[*"abcdef"], orient="row"
    ).with_columns(p=pl.lit(1))
    count = worst_groups._counted
    sizes: list[int] = []

    def watched(rows: Any, roles: Any, facets: Any) -> pl.LazyFrame:
        sizes.append(max(map(len, facets)))
        return count(rows, roles, facets)

    def counted(frame: pl.DataFrame, **options: Any) -> list[int]:
        sizes.clear()
        answer = pf.worst_groups(frame, "spsf", facet=[*"abcdef"], predicted="p", **options)
        assert answer["depth"].max() == options.get("depth", 3 if options else 6)
        return [*sizes]

    monkeypatch.setattr(worst_groups, "_counted", watched)
    assert counted(all_rows) == [6]
    # So few cells are counted at once with any options.
    assert counted(all_rows, minimum_count=8) == counted(all_rows, depth=2) == [1, 6]
    monkeypatch.setattr(worst_groups, "MOST_CELLS", 0)
    # 15 pairs of attributes have 60 cells, all attributes 64.
    assert counted(all_rows, depth=1) == [1]
    assert counted(all_rows, depth=2) == [1, 2]
    assert counted(all_rows, depth=3) == [1, 6]
    # Every outcome that occurs divides the cells again; there are at most as many as rows.
    decided = all_rows.with_columns(p=pl.col("a"))
    assert counted(decided, depth=2) == [1, 6]
    assert counted(pl.concat([decided] * 2), depth=2) == [1, 2]
    monkeypatch.setattr(worst_groups, "MOST_COMBINATIONS", 14)
    assert counted(all_rows, depth=2) == [1, 6]
    monkeypatch.setattr(worst_groups, "MOST_COMBINATIONS", 20)
    # Too many cells to count at once: depth by depth, until no group is large enough.
    monkeypatch.setattr(worst_groups, "MOST_AT_ONCE", 63)
    assert counted(all_rows, minimum_count=8) == [1, 2, 3, 4]
    monkeypatch.setattr(worst_groups, "MOST_AT_ONCE", 64)
    assert counted(all_rows, minimum_count=8) == [1, 6]
    assert counted(pl.concat([all_rows] * 2), minimum_count=16) == [1, 6]


def of_forty_attributes() -> pl.DataFrame:
    """100 people; 60 share the first three attributes, and 50 have each other attribute."""
    three = {f"a{i}": [row < 60 for row in range(100)] for i in range(3)}
    others = {
        f"a{i}": [(row >> i % 6) % 2 == i // 6 % 2 for row in range(64)] for i in range(3, 40)
    }
    others = {name: [*first, *([True, False] * 18)] for name, first in others.items()}
    return pl.DataFrame({**three, **others, "p": [row % 3 == 0 for row in range(100)]})


@pytest.mark.parametrize("at_once", [0, 10**7])
def test_work_is_bounded_by_the_groups_that_are_large_enough(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Forty attributes have 10**12 subsets; seven of them have a group of 60 or more."""
    monkeypatch.setattr(worst_groups, "MOST_CELLS", 4)
    monkeypatch.setattr(worst_groups, "MOST_AT_ONCE", at_once)
    counted: list[list[str]] = []
    count = worst_groups._counted

    def watched(rows: Any, roles: Any, facets: Any) -> pl.LazyFrame:
        counted.append([" ".join(facet.name for facet in block) for block in facets])
        return count(rows, roles, facets)

    monkeypatch.setattr(worst_groups, "_counted", watched)
    frame = of_forty_attributes()
    names = [name for name in frame.columns if name != "p"]
    question: dict[str, Any] = {"facet": names, "predicted": "p"}
    answer = pf.worst_groups(frame, "spsf", minimum_count=60, **question)
    fixed = {
        tuple(name for name in names if row["fixed"][name]): row["n"]
        for row in answer.iter_rows(named=True)
    }
    subsets = [each for size in (1, 2, 3) for each in combinations(names[:3], size)]
    assert fixed == dict.fromkeys(subsets, 60)
    everything = [" ".join(names)]
    level_by_level = [["a0 a1", "a0 a2", "a1 a2"], ["a0 a1 a2"]]
    assert counted[1:] == ([everything] if at_once else level_by_level)
    of_groups = fairness(frame).spsf(groups="conjunctions", minimum_count=60, **question)
    assert of_groups["spsf"].item() == pytest.approx(answer["weighted_gap"][0], abs=1e-12)


def blocks_of_three(*values: int, most_cells: int, beside: int = 1) -> list[list[int]]:
    return chosen_blocks(combinations(range(len(values)), 3), values, beside, most_cells)


def test_blocks_cover_every_combination() -> None:
    for most, cells in ((1, 6**3), (6**4, 6**4), (6**5, 6**5), (6**8, 6**8)):
        chosen = blocks_of_three(*[6] * 8, most_cells=most)
        for three in combinations(range(8), 3):
            assert any({*three} <= {*block} for block in chosen)
        assert max(6 ** len(block) for block in chosen) == cells
    assert chosen == [[*range(8)]]
    # An attribute of very many values is counted with at most two others.
    chosen = blocks_of_three(10_000, *[6] * 7, most_cells=6**5)
    assert {len(block) for block in chosen if 0 in block} == {3}
    assert any(len(block) == 5 for block in chosen)
    # If each group is divided into six, there is room for one attribute less.
    assert max(map(len, blocks_of_three(*[6] * 8, most_cells=6**5, beside=6))) == 4


def test_one_count_of_everything_where_a_group_may_fix_all() -> None:
    lazy = pf.worst_groups(PEOPLE.lazy(), "spsf", **QUESTION)
    assert scans_of(lazy) == 1
    by_value = pf.worst_groups(PEOPLE.lazy(), "spsf", depth=1, **QUESTION)
    assert scans_of(by_value) == 2

"""The search for neighbours, by either library, at any scale, against the brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers import individuals
from polars_fairness.formula.arrays import Floats
from polars_fairness.values import neighbours
from tests import reference
from tests.neighbours.places import QUESTION, at, both, crowd, expected

pytestmark = pytest.mark.extras


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("dimensions", [1, 3, neighbours.MANY_DIMENSIONS + 2])
def test_votes_equal_the_brute_forces(dimensions: int, coarse: bool) -> None:
    frame = crowd(100, dimensions, coarse=coarse, seed=dimensions)
    features = [f"x{i}" for i in range(dimensions)]
    rows = [
        reference.Row(row["sex"], False, row["p"], point=tuple(row[x] for x in features))
        for row in frame.iter_rows(named=True)
    ]
    answer = both(frame, **{**QUESTION, "features": features})
    found = answer.select("fliptest", "consistency").row(0)
    assert found == pytest.approx(expected(rows, {"F"}, None), abs=1e-12)


def shares_by_each_library(
    pool: neighbours.Pool, k: int, monkeypatch: pytest.MonkeyPatch
) -> list[Floats]:
    used: list[object] = []

    def by(library: Callable[[Floats], neighbours.Search]) -> Floats:
        def search_by_library(points: Floats) -> neighbours.Search:
            used.append(library)
            return library(points)

        monkeypatch.setattr(neighbours, "search_among", search_by_library)
        return neighbours.shares_accepted(pool, k, lambda _: None)

    found = [by(neighbours.Tree), by(neighbours.Exhaustive)]
    assert used == [neighbours.Tree, neighbours.Exhaustive]
    return found


@pytest.mark.parametrize("dimensions", [1, 2, 20])
@pytest.mark.parametrize("coarse", [False, True])
def test_both_libraries_find_the_same(
    dimensions: int, coarse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    voters, queries = (random.normal(size=(n, dimensions)) + 1000 for n in (400, 300))
    if coarse:
        voters, queries = voters.round(), queries.round()
    # Stretched, so that some distances are equal in 32 bits.
    voters[:, 0], queries[:, 0] = voters[:, 0] * 1e4, queries[:, 0] * 1e4
    space = neighbours.space_of(voters, queries, None)
    pool = neighbours.Pool(space, random.integers(1, 4, 400), random.integers(0, 2, 400))
    one, other = shares_by_each_library(pool, 7, monkeypatch)
    assert np.array_equal(one, other)


def test_distances_equal_in_32_bits_are_compared_in_64(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    # Thousandths from each other, and millions from the middle.
    voters = np.concatenate([1e6 + random.random((300, 2)), -1e6 - random.random((300, 2))])
    queries = 1e6 + random.random((50, 2))
    space = neighbours.space_of(voters, queries, None)
    pool = neighbours.Pool(space, np.ones(600, int), random.integers(0, 2, 600))
    one, other = shares_by_each_library(pool, 3, monkeypatch)
    assert np.array_equal(one, other)


def test_the_library_is_chosen_by_dimensions(monkeypatch: pytest.MonkeyPatch) -> None:
    many = np.ones((4, neighbours.MANY_DIMENSIONS))
    few = many[:, 1:]
    assert isinstance(neighbours.search_among(few), neighbours.Tree)
    assert isinstance(neighbours.search_among(many), neighbours.Exhaustive)
    monkeypatch.setattr(neighbours, "find_spec", lambda _: None)
    assert isinstance(neighbours.search_among(many), neighbours.Tree)


def test_searching_in_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(200, 2, coarse=True)
    question = {**QUESTION, "features": ["x0", "x1"]}
    whole = both(frame, **question)
    monkeypatch.setattr(neighbours, "COORDINATES_AT_ONCE", 50)
    assert_frame_equal(both(frame, **question), whole)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("unit", [2.0**-700, 1.0, 2.0**700, 2.0**1021])
def test_distances_neither_overflow_nor_vanish(unit: float, standardize: bool) -> None:
    frame = crowd(80, 2)
    question = {**QUESTION, "features": ["x0", "x1"], "standardize": standardize}
    at_one = pf.fliptest(frame, **question)
    assert_frame_equal(pf.fliptest(frame.with_columns(cs.float() * unit), **question), at_one)
    if standardize:
        uneven = frame.with_columns(pl.col("x0") * unit)
        assert_frame_equal(pf.fliptest(uneven, **question), at_one)


def test_rounding_breaks_no_tie() -> None:
    # 19021 is as far from 19020 as from 19022: a tie, at any scale of the feature.
    frame = at(F=[(19021, 0)], M=[(19020, 1), (19022, 0), (18997, 0), (20003, 0)])
    for standardize in (False, True):
        answer = pf.fliptest(frame, k=1, standardize=standardize, **QUESTION)
        assert answer["unfavorable_flips"].item() == 0
    random = np.random.default_rng(1)
    days = pl.DataFrame(
        {
            "sex": np.where(random.random(900) < 0.5, "F", "M"),
            "p": random.random(900) < 0.5,
            "x": random.integers(18_000, 20_000, 900),
        }
    )
    in_days = both(days, **QUESTION)
    assert_frame_equal(both(days, standardize=True, **QUESTION), in_days)
    assert_frame_equal(both(days.with_columns(pl.col("x") / 100), **QUESTION), in_days)


def test_progress_is_shown_on_a_terminal_or_on_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = crowd(50, 1).rename({"x0": "x"})
    pf.fliptest(frame, **QUESTION)
    pf.fliptest(frame, progress=False, **QUESTION)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(individuals, "PATIENCE", 0)
    pf.fliptest(frame, **QUESTION)
    assert capsys.readouterr().err == ""
    pf.fliptest(frame, progress=True, **QUESTION)
    assert "nearest neighbours:" in capsys.readouterr().err

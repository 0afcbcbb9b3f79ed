"""Bounds over the values of proxies, from which probabilities of groups were made."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.test_probabilities import RACE, mixed

Row = tuple[int, list[float], bool, bool]  # proxy, probabilities, label, prediction


def by_hand(rows: list[Row], d: int, a: int, outcome: str) -> tuple[float, float]:
    """The range of a difference a − d, row by row in plain Python."""

    def above(row: Row) -> bool:
        return row[3] if outcome == "dppl" else row[2] and row[3]

    def below(row: Row) -> bool:
        return not row[3] if outcome == "dppl" else row[2] and not row[3]

    def rates(group: int) -> tuple[float, float]:
        least = [0.0, 0.0]
        most = [0.0, 0.0]
        for proxy in {row[0] for row in rows}:
            own = [row for row in rows if row[0] == proxy]
            p = sum(row[1][group] for row in own) / len(own)
            for i, of in enumerate((above, below)):
                q = sum(map(of, own)) / len(own)
                least[i] += len(own) * max(0.0, p + q - 1)
                most[i] += len(own) * min(p, q)
        return least[0] / (least[0] + most[1]), most[0] / (most[0] + least[1])

    (low_d, high_d), (low_a, high_a) = rates(d), rates(a)
    return low_a - high_d, high_a - low_d


@pytest.mark.parametrize("seed", range(4))
def test_random_tables(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 4)
    rows: list[Row] = []
    for proxy in range(random.randint(1, 4)):
        base = [random.random() ** 3 + 0.01 for _ in range(size)]
        bias = random.uniform(0.05, 0.95)
        for _ in range(random.randint(100, 130)):
            parts = [each * random.uniform(0.5, 1.5) for each in base]
            share = [each / sum(parts) for each in parts]
            rows.append((proxy, share, random.random() < 0.6, random.random() < bias))
    frame = pl.DataFrame(
        {
            "proxy": [row[0] for row in rows],
            **{f"p{g}": [row[1][g] for row in rows] for g in range(size)},
            "label": [row[2] for row in rows],
            "predicted": [row[3] for row in rows],
        }
    )
    facet = pf.probabilities("g", {f"{g}": f"p{g}" for g in range(size)})
    found = pf.bounds(
        frame,
        "dppl",
        "rd",
        facet=facet,
        disfavored="0",
        favored="1",
        predicted="predicted",
        label="label",
        proxy="proxy",
        confidence=None,
    )
    for metric, lowest, highest in found.select("metric", "lowest", "highest").iter_rows():
        low, high = by_hand(rows, 0, 1, metric)
        # rd is the recall of a less that of d.
        assert (lowest, highest) == pytest.approx((low, high), abs=1e-9)


def test_cells_of_exactly_the_least_rows_are_not_merged() -> None:
    # In floats, the shares of 100 rows add up to 99.99999999999999.
    random = Random(0)
    rows: list[Row] = []
    for proxy in range(20):
        parts = [random.random() for _ in range(3)]
        shares = [each / sum(parts) for each in parts]
        rows += [(proxy, shares, True, random.random() < 0.5) for _ in range(100)]
    groups = {f"{group}": f"p{group}" for group in range(3)}
    frame = pl.DataFrame(
        {
            "proxy": [row[0] for row in rows],
            "predicted": [row[3] for row in rows],
            **{name: [row[1][int(group)] for row in rows] for group, name in groups.items()},
        }
    )
    question: dict[str, Any] = {"disfavored": "0", "favored": "1", "predicted": "predicted"}
    question |= {"facet": pf.probabilities("g", groups), "proxy": "proxy"}
    expected = by_hand(rows, 0, 1, "dppl")
    for confidence in (None, 0.95):
        found = pf.bounds(frame, "dppl", **question, confidence=confidence)
        assert found.select("lowest", "highest").row(0) == pytest.approx(expected, abs=1e-9)


def test_small_cells_are_merged_in_the_order_of_p() -> None:
    # One cell for each row would leave no doubt at all; cells of 100 rows do.
    frame = mixed(400).with_columns(row=pl.int_range(400), p_white=1 - pl.col("p_black"))
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted", "confidence": None}
    each = pf.bounds(frame, "dppl", proxy="row", **question)
    fours = frame.sort("p_black").with_columns(four=pl.int_range(400) // 100)
    of_fours = pf.bounds(fours, "dppl", proxy="four", **question)
    for end in ("lowest", "highest"):
        assert each[end].item() == pytest.approx(of_fours[end].item(), abs=1e-12)


@pytest.mark.parametrize("size", [1, 10, 100])
def test_ends_hold_in_samples(size: int) -> None:
    """Also of clusters whose rows are all alike, the fewer and larger they are."""
    draw = np.random.default_rng(1)
    sets, n = 60, 2000
    share, rate = np.array([0.1, 0.4, 0.8]), np.array([0.5, 0.3, 0.6])
    # By hand, of infinitely many rows: a third of them in each cell.
    least = np.clip(share + rate - 1, 0, None).sum() / share.sum()
    most = np.minimum(share, rate).sum() / share.sum()
    least_a = np.clip(rate - share, 0, None).sum() / (1 - share).sum()
    most_a = np.minimum(1 - share, rate).sum() / (1 - share).sum()
    of_judges = draw.integers(0, 3, sets * n // size)
    cell = np.repeat(of_judges, size)
    frame = pl.DataFrame(
        {
            "set": np.repeat(np.arange(sets), n),
            "p_black": share[cell],
            "p_white": 1 - share[cell],
            "accepted": np.repeat(draw.random(sets * n // size) < rate[of_judges], size),
            "zip": cell,
            "judge": np.arange(sets * n) // size,
        }
    )
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted", "proxy": "zip"}
    question |= {"cluster": None if size == 1 else "judge", "disfavored": "Black"}
    found = pf.bounds(frame, "dppl", **question, by="set")
    held = (found["lower"] <= least_a - most) & (found["upper"] >= most_a - least)
    assert held.len() == sets
    assert held.sum() >= 54  # at 95 % each end


def test_rows_that_are_repeated_in_their_clusters_change_nothing() -> None:
    rows = mixed(1000).with_columns(zip=pl.int_range(1000) % 3, judge=pl.int_range(1000) // 4)
    question: dict[str, Any] = {"facet": RACE, "predicted": "accepted", "proxy": "zip"}
    once, twice, of_few = (
        pf.bounds(frame, "dppl", **question, cluster=cluster).row(0, named=True)
        for frame, cluster in (
            (rows, "judge"),
            (pl.concat([rows, rows]), "judge"),
            (rows, pl.col("judge") // 63),
        )
    )
    for name in ("value", "lowest", "highest", "lower", "upper"):
        assert once[name] == pytest.approx(twice[name], abs=1e-12)
    assert (of_few["lower"], of_few["highest"]) == (None, once["highest"])
    assert of_few["note"].startswith("cluster: the smaller side has 4.0 effective clusters")


def test_an_end_without_a_bound_has_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    # In two towns with a twentieth and three quarters of the rows accepted: B may have none.
    accepted = [i % 20 == 0 for i in range(200)] + [i % 4 > 0 for i in range(200)]
    shares = [0.9] * 200 + [0.2] * 200
    rows = pl.DataFrame({"town": ["N"] * 200 + ["S"] * 200, "b": shares, "accepted": accepted})
    race = pf.probabilities("race", {"B": "b", "W": "w"})
    found = pf.bounds(
        rows.with_columns(w=1 - pl.col("b")),
        *("di", "dppl"),
        facet=race,
        predicted="accepted",
        proxy="town",
        disfavored="B",
    )
    di, dppl = found.to_dicts()
    assert di["lowest"] == 0
    assert di["lower"] is None
    assert di["note"].startswith("proxy: the lowest or highest value is 0, infinite or undefined")
    assert (dppl["note"], dppl["lower"] is None) == (None, False)
    pf.show(found.with_columns(lower=pl.lit(None, pl.Float64), upper=2.771))
    out = " ".join(capsys.readouterr().out.split())
    assert "? to 2.771" in out
    assert di["note"] in out

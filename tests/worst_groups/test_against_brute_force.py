"""Every group and its numbers, against the brute force."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests import reference
from tests.frames import shared
from tests.strategies import ATTRIBUTES, JOINTLY, examples, joint_rows, people_of_many_groups

RANKED = ["fpsf", "fnsf", "spsf", "tpr_gap", "accuracy_gap", "fpr_ratio"]


def brute_force(name: str, case: reference.JointCase) -> dict[Any, tuple[float | None, ...]]:
    """Rows, share, rate, alpha, beta and weighted_gap of every group."""
    rate = {"fpsf": "fpr", "fnsf": "fnr", "spsf": "selection_rate"}.get(name)
    rate = rate or name.rpartition("_")[0]
    _, below = reference.RATES[rate]
    of_all = case.rate(rate, case.all)
    counts = {group: reference.Counts(rows) for group, rows in case.members.items()}
    rates = {group: case.rate(rate, each) for group, each in counts.items()}
    known: list[Any] = [each for each in rates.values() if each is not None]
    found: dict[Any, tuple[float | None, ...]] = {}
    for group, own in rates.items():
        alpha: Any = 1.0
        beta: Any = None
        if own is not None and name.endswith("_gap"):
            beta = max(abs(own - other) for other in known)
        elif own is not None and name.endswith("_ratio"):
            pairs = [(min(own, other), max(own, other)) for other in known]
            beta = min((low / high for low, high in pairs if high), default=None)
        elif own is not None and of_all is not None:
            beta = abs(of_all - own)
        if not name.endswith(("_gap", "_ratio")):
            alpha = getattr(counts[group], below) / case.all.n
        product = None if beta is None else alpha * beta
        n = counts[group].n
        values = (n, n / case.all.n, own, alpha, beta, product)
        found[group] = tuple(None if each is None else float(each) for each in values)
    return found


@given(
    people_of_many_groups(),
    st.sampled_from(RANKED),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([0, 2]),
    st.booleans(),
    st.sampled_from([None, "w"]),
)
@examples(80)
def test_every_group_has_the_numbers_of_the_brute_force(
    frame: pl.DataFrame,
    name: str,
    depth: int | None,
    least: int,
    unknown: bool,
    weight: str | None,
) -> None:
    case = reference.JointCase(
        joint_rows(frame, weight),
        set(),
        sizes=tuple(range(1, (depth or 3) + 1)),
        minimum_count=least,
        unknown=unknown,
    )
    expected = brute_force(name, case)
    answer = shared(
        pf.worst_groups,
        frame,
        name,
        depth=depth,
        minimum_count=least,
        include_unknown=unknown,
        weight=weight,
        harm="both",
        **JOINTLY,
    )
    found = {
        tuple((i, row[name]) for i, name in enumerate(ATTRIBUTES) if row["fixed"][name]): row
        for row in answer.iter_rows(named=True)
    }
    assert found.keys() == expected.keys()
    for group, row in found.items():
        got = tuple(row[x] for x in ("n", "share", "rate", "alpha", "beta", "weighted_gap"))
        for mine, theirs in zip(got, expected[group], strict=True):
            assert (mine is None) == (theirs is None), group
            assert mine is None or mine == pytest.approx(theirs, rel=1e-12, abs=1e-12), group
        assert row["depth"] == len(group)
    sign = -1 if name.endswith("_ratio") else 1
    products = [None if x is None else sign * round(x, 10) for x in answer["weighted_gap"]]
    known = [product for product in products if product is not None]
    assert products == sorted(known, reverse=True) + [None] * (len(products) - len(known))
    ranks = [None if x is None else 1 + sum(x < other for other in known) for x in products]
    assert answer["rank"].to_list() == ranks

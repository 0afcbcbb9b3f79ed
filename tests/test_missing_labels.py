"""Labels that some rows of a decision lack: what depends on why they do, and what is assumed."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "predicted": "p",
    "nulls": "drop",
}
AFFECTED: Final = (
    *("rd", "sd", "ad", "average_odds_difference", "dpl", "fnr_difference"),
    *("tpr_gap", "accuracy_gap", "tpr_ratio"),
)
DEPENDS: Final = "the value depends on missing labels"


def applicants(sets: int, rows: int, known: tuple[float, float], seed: int = 0) -> pl.DataFrame:
    """Sets of applicants with the rates of the loans: a label is known at random by decision."""
    draw, size = np.random.default_rng(seed), sets * rows
    is_f = draw.random(size) < 0.45
    p = draw.random(size) < np.where(is_f, 0.46, 0.67)
    good = np.where(is_f, np.where(p, 0.68, 0.42), np.where(p, 0.66, 0.40))
    y, has_label = draw.random(size) < good, draw.random(size) < np.array(known)[p * 1]
    return pl.DataFrame(
        {"set": np.repeat(np.arange(sets), rows), "sex": np.where(is_f, "F", "M"), "p": p, "y": y}
    ).with_columns(y=pl.when(pl.Series(has_label)).then("y"))


def alarms(sets: int, rows: int, known: tuple[float, float], seed: int = 0) -> dict[str, float]:
    """How often each metric is said to depend on missing labels, where it has an interval."""
    frame = applicants(sets, rows, known, seed)
    audit = shared(pf.audit, frame, AFFECTED, **QUESTION, by="set", replicates=300)
    is_so = pl.col("note").str.contains(DEPENDS, literal=True).fill_null(value=False)
    answer = audit.drop_nulls("lower").group_by("metric").agg(is_so.mean())
    return dict(answer.rows())


@pytest.mark.parametrize("known", [(0.02, 1), (0.1, 1), (0.3, 1), (0.5, 0.5)], ids=str)
def test_a_value_that_reweighting_moves_out_of_its_interval_depends(
    known: tuple[float, float],
) -> None:
    """By weights of the caller: all rows of a decision over those of them with a label."""
    rows = applicants(1, 4000, known)
    has_label = pl.col("y").is_not_null()
    weight = (pl.len() / has_label.sum()).over("sex", "p")
    audit = shared(pf.audit, rows, (*AFFECTED, "di", "dppl", "dar", "ppv_gap"), **QUESTION)
    reweighted = shared(
        pf.metrics, rows.with_columns(w=weight).filter(has_label), AFFECTED, **QUESTION, weight="w"
    )
    moved = 0
    for row in audit.to_dicts():
        depends = DEPENDS in (row["note"] or "")
        assert depends == (row["verdict"] == "depends") or row["band_lower"] is None
        if row["metric"] not in AFFECTED:
            assert not depends, row["metric"]
        elif not row["lower"] <= reweighted[row["metric"]].item() <= row["upper"]:
            assert depends, row["metric"]
            moved += 1
    assert (moved > 0) == (known[0] < known[1])


def test_labels_that_are_missing_at_random_raise_no_alarm() -> None:
    for known in ((0.95, 0.95), (0.5, 0.5)):
        assert max(alarms(40, 300, known).values()) <= 0.05
    assert min(alarms(40, 3000, (0.02, 1)).values()) >= 0.9


@pytest.mark.nightly
@pytest.mark.parametrize("rows", [60, 300, 3000, 30_000])
def test_false_alarms_are_at_most_five_of_a_hundred(rows: int) -> None:
    sets = 400 if rows < 30_000 else 100
    for seed, share in enumerate((0.95, 0.5, 0.2)):
        assert max(alarms(sets, rows, (share, share), seed).values()) <= 0.05, share
    if rows >= 3000:
        found = alarms(sets, rows, (0.02, 1))
        assert min(found[name] for name in ("rd", "sd", "ad", "dpl", "tpr_gap")) >= 0.97


def loans(share: int | None = None) -> pl.DataFrame:
    """Loans whose accepted have a label, and one of so many others."""
    row = pl.int_range(pl.len())
    known = pl.col("approved") if share is None else pl.col("approved") | (row % share == 0)
    return pf.datasets.loans().with_columns(p="approved", y=pl.when(known).then("repaid"))


def test_gates_bounds_and_pages_say_what_decides() -> None:
    rows = loans(50)
    audit = shared(pf.audit, rows, "rd", **QUESTION)
    assert audit["verdict"].to_list() == ["depends"]
    assert pf.audit(rows.lazy(), "rd", **QUESTION).collect()["verdict"].to_list() == ["depends"]
    pattern = (
        "1 of 1 verdicts are left to rows without a label: 'rd' \\(label: known for 100 % of the "
    )
    with pytest.raises(pf.OutsideBandError, match=pattern):
        pf.check(rows, "rd", **QUESTION)
    bounds = pf.bounds(rows, "rd", **QUESTION)
    assert bounds["verdict"].to_list() == ["depends"]
    assert DEPENDS in bounds["note"].item()
    page = pf.report(rows, "rd", **QUESTION, replicates=50).to_markdown()
    assert "missing labels" in page


def test_a_verdict_by_significance_depends_too() -> None:
    answer = pf.audit(loans(50), "rd", **QUESTION, rule="significant")
    assert answer["verdict"].to_list() == ["depends"]


def test_over_clusters_and_at_every_look_the_place_of_the_value_decides() -> None:
    rows = loans(50).with_columns(c=pl.int_range(pl.len()) % 500)
    ways: list[dict[str, Any]] = [
        {"cluster": "c"},
        {"by": "decided_on", "every": "1q", "sequential": "each"},
    ]
    for more in ways:
        answer = pf.audit(rows, "rd", **QUESTION, **more)
        assert {*answer["verdict"]} == {"depends"}, more

"""Labels that some rows of a decision lack: what depends on why they do, and what is assumed."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.conftest import Run
from tests.frames import shared
from tests.reporting.traced import document_of, untraced

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


@pytest.mark.parametrize("complete", ["F", "M"])
def test_a_side_with_all_of_its_labels_is_beside_one_that_lacks_some(complete: str) -> None:
    """By either side, labels that the other one lacks count, whether or not both are named."""
    rows = loans(50).with_columns(
        y=pl.when(pl.col("sex") == complete).then("repaid").otherwise("y")
    )
    by_side = {each: QUESTION | {each: None} for each in ("disfavored", "favored")}
    for more in ({}, {"unlabelled": "any"}, {"unlabelled": 0.5, "unlabelled_by": "branch"}):
        named = pf.audit(rows, "rd", "sd", **QUESTION, **more)
        for side, question in by_side.items():
            answer = pf.audit(rows, "rd", "sd", **question, **more)
            assert answer["verdict"].to_list() == named["verdict"].to_list(), side
            for column in {"lowest", "highest", "value"} & {*named.columns}:
                assert answer[column].to_list() == pytest.approx(named[column].to_list()), side
        assert more or "depends" in named["verdict"]


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


# Metrics that all labels of two sides decide, and one that has no range.
OF_SIDES: Final = (
    *("rd", "sd", "ad", "te", "te_inverse", "fnr_difference", "dpl", "ddl", "dcacc", "dcr"),
    *("average_odds_difference", "disparity_change"),
)
GAPS: Final = tuple(
    f"{rate}_{end}" for rate in ("tpr", "fpr", "tnr", "fnr", "accuracy") for end in ("gap", "ratio")
)
CASES: Final = pl.DataFrame(
    [(sex, p) for sex in "MF" for p in (True, False)], ["sex", "p"], orient="row"
)


def small_frames(
    number: int, seed: int, most: int = 3, cases: pl.DataFrame = CASES
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Frames of few applicants as cells, and each frame with every completion of its labels."""
    draw = np.random.default_rng(seed)
    frames, completed = [], []
    for at in range(number):
        known, missing = (
            draw.integers(0, 5, (cases.height, 2)),
            draw.integers(0, most + 1, cases.height),
        )
        if at % 3 == 0:  # labels of the accepted only
            known[1::2], missing[0::2] = 0, 0
        known[0::2] += 1
        own = cases.with_columns(set=pl.lit(at), yes=known[:, 0], no=known[:, 1], missing=missing)
        frames.append(own)
        for way, added in enumerate(product(*(range(each + 1) for each in missing))):
            more = pl.Series(added)
            completed.append(
                own.with_columns(
                    way=pl.lit(way), yes=pl.col("yes") + more, no=pl.col("no") - more + missing
                )
            )
    kinds = {"yes": True, "no": False, "missing": None}
    return tuple(
        pl.concat(
            frame.rename({kind: "n"})
            .drop([each for each in kinds if each != kind], strict=False)
            .with_columns(y=pl.lit(label, pl.Boolean))
            for kind, label in kinds.items()
            if kind != "missing" or "way" not in frame.columns
        ).filter(pl.col("n") > 0)
        for frame in (pl.concat(frames), pl.concat(completed))
    )  # type: ignore[return-value]


def test_ranges_are_those_of_all_completions() -> None:
    rows, completed = small_frames(150, 3)
    asked = {**QUESTION, "count": "n", "confidence": None}
    found = shared(pf.audit, rows, OF_SIDES, **asked, by="set", unlabelled="any")
    del asked["confidence"]
    every = pf.metrics(completed, OF_SIDES, **asked, by=["set", "way"])
    expected = (
        every.unpivot(OF_SIDES, index="set", variable_name="metric")
        .filter(pl.col("value").is_not_nan())
        .group_by("set", "metric")
        .agg(least=pl.col("value").min(), most=pl.col("value").max())
    )
    both = found.join(expected, on=["set", "metric"], how="left", validate="1:1")
    assert both.height == 150 * len(OF_SIDES)
    for end, name in (("least", "lowest"), ("most", "highest")):
        least, found_end = (both[each].fill_null(np.nan).to_numpy() for each in (end, name))
        apart = both.filter(~np.isclose(least, found_end, rtol=0, atol=1e-9, equal_nan=True))
        assert apart.is_empty(), apart.select("set", "metric", end, name)
    assert both["lowest"].null_count() < 200


@pytest.mark.parametrize("groups", [2, 3])
def test_ranges_of_gaps_are_those_of_all_completions(groups: int) -> None:
    """Groups are as near as the ends of their rates are, if not all whole rows come as near."""
    more = CASES.head(2 * (groups - 2)).with_columns(sex=pl.lit("X"))
    rows, completed = small_frames(100, 5 - groups, 5 - groups, pl.concat([CASES, more]))
    names = ("facet", "label", "predicted", "nulls")
    asked = {**{name: QUESTION[name] for name in names}, "count": "n"}
    found = shared(pf.audit, rows, GAPS, **asked, by="set", confidence=None, unlabelled="any")
    on = ["set", "metric"]
    every = pf.metrics(completed, GAPS, **asked, by=["set", "way"])
    gaps = (
        every.unpivot(GAPS, index="set", variable_name="metric")
        .filter(pl.col("value").is_not_nan())
        .group_by(on)
        .agg(least=pl.col("value").min(), most=pl.col("value").max())
    )
    own = ["tpr", "fpr", "tnr", "fnr", "accuracy"]
    rate = pl.col("rate").fill_nan(None)
    ends = (
        pf.rates(completed, **asked, by=["set", "way"])
        .filter(pl.col("facet") == "sex")
        .unpivot(own, index=["set", "value"], variable_name="name", value_name="rate")
        .group_by("set", "value", "name")
        .agg(low=rate.min(), high=rate.max(), is_sure=rate.is_not_null().all())
        .group_by("set", "name")
        .agg(pl.col("low").max(), pl.col("high").min(), are_sure=pl.col("is_sure").all())
        .with_columns(
            gap=pl.max_horizontal(pl.lit(0.0), pl.col("low") - pl.col("high")),
            ratio=pl.min_horizontal(pl.lit(1.0), pl.col("high") / pl.col("low")),
        )
        .unpivot(["gap", "ratio"], index=["set", "name", "are_sure"], value_name="near")
        .with_columns(metric=pl.format("{}_{}", "name", "variable"))
    )
    both = found.join(gaps, on=on, how="left", validate="1:1").join(ends, on=on, how="left")
    assert both.height == 100 * len(GAPS)
    is_gap = pl.col("metric").str.ends_with("gap")
    shown = ("set", "metric", "least", "lowest", "most", "highest", "near", "are_sure")
    both = both.with_columns(
        far=pl.when(is_gap).then("most").otherwise("least"),
        found_far=pl.when(is_gap).then("highest").otherwise("lowest"),
        whole=pl.when(is_gap).then("least").otherwise(-pl.col("most")),
        found_near=pl.when(is_gap).then("lowest").otherwise(-pl.col("highest")),
        near=pl.when(is_gap).then("near").otherwise(-pl.col("near")),
    )

    def are_equal(one: str, other: str) -> pl.Expr:
        apart = (pl.col(one).fill_null(9.0) - pl.col(other).fill_null(9.0)).abs()
        return apart < 1e-9

    assert (wrong := both.filter(~are_equal("far", "found_far"))).is_empty(), wrong.select(shown)
    is_near = are_equal("whole", "found_near") | (
        (pl.col("found_near") < pl.col("whole"))
        & (~pl.col("are_sure") | are_equal("near", "found_near"))
    )
    assert (wrong := both.filter(~is_near)).is_empty(), wrong.select(shown)
    assert both.filter(are_equal("whole", "found_near")).height > 0.7 * both.height
    assert both["lowest"].null_count() < 0.1 * both.height


@pytest.mark.parametrize("facet", ["sex", "race"])
def test_limits_of_a_gap_are_those_of_known_rows_where_few_labels_are_missing(facet: str) -> None:
    """Those of known rows have a closed form for all pairs of groups; weights of 2 move no end."""
    has_label = pl.int_range(pl.len()) % 100 != 0
    rows = pf.datasets.loans().with_columns(
        p="approved", y=pl.when(has_label).then("repaid"), w=2.0
    )
    asked: dict[str, Any] = {"facet": facet, "label": "y", "predicted": "p", "nulls": "drop"}
    names = ["tpr_gap", "tpr_ratio", "accuracy_gap"]
    known = pf.audit(rows, names, **asked)
    found = pf.audit(rows, names, **asked, unlabelled="random", replicates=500)
    bounds = ["lower", "upper"]
    width = (known["upper"] - known["lower"]).to_numpy()
    for bound in bounds:
        apart = np.abs((found[bound] - known[bound]).to_numpy())
        assert (apart < 0.25 * width).all(), (bound, found[bound], known[bound])
    ends = ["lowest", "highest"]
    asked |= {"confidence": None, "unlabelled": "worse"}
    weighted = pf.audit(rows, names, **asked, weight="w").select(ends)
    assert weighted.equals(pf.audit(rows, names, **asked).select(ends))


def test_worse_and_times_are_shares_of_the_labelled() -> None:
    """By hand: 3 of 4 accepted women and 1 of 2 accepted men repaid; 4 and 6 were turned down."""
    rows = CASES.join(pl.DataFrame({"y": [True, False, None]}), how="cross").with_columns(
        n=pl.Series([1, 1, 0, 0, 0, 6, 3, 1, 0, 0, 0, 4])
    )
    asked = {**QUESTION, "count": "n", "confidence": None}

    def ends(unlabelled: Any) -> tuple[float, float]:
        row = pf.audit(rows.filter(pl.col("n") > 0), "rd", **asked, unlabelled=unlabelled)
        return row.select("lowest", "highest").row(0)

    # Of the men turned down, 0 to 3 would have repaid, and of the women 0 to 3.
    assert ends("worse") == pytest.approx((1 / (1 + 3) - 3 / 3, 1 / 1 - 3 / (3 + 3)))
    assert ends((0.5, 1)) == pytest.approx((1 / (1 + 3) - 3 / 4.5, 1 / 2.5 - 3 / 6))
    assert ends(0.5) == pytest.approx((1 / 2.5 - 3 / 4.5,) * 2)
    assert ends("any") == pytest.approx((1 / (1 + 6) - 3 / 3, 1 / 1 - 3 / (3 + 4)))
    assert ends("random") == ends("any")


def test_from_where_a_verdict_holds() -> None:
    """On both sides of that number, the range is outside the band, or crosses an edge."""
    asked = {**QUESTION, "confidence": None}
    [row] = pf.audit(loans(), "rd", **asked, unlabelled="any").to_dicts()
    assert row["value"] is None
    assert row["holds_from"] == pytest.approx(0.641, abs=0.02)
    verdicts = [
        pf.audit(loans(), "rd", **asked, unlabelled=(row["holds_from"] + more, 1))["verdict"].item()
        for more in (-1e-4, 1e-4)
    ]
    assert verdicts == ["depends", "outside"]
    asked["bands"] = {"rd": (-0.9, 0.9)}
    assert pf.audit(loans(), "rd", **asked, unlabelled="any")["holds_from"].item() == 0


TRUE: Final[dict[str, Any]] = {**QUESTION, "label": "repaid", "predicted": "approved"}
del TRUE["nulls"]


@pytest.mark.parametrize(
    ("unlabelled", "expected"),
    [
        (
            "any",
            {"rd": (-0.43, 0.64), "average_odds_difference": (-0.03, 0.34), "sd": (-0.59, 0.79)},
        ),
        (
            "worse",
            {"rd": (-0.33, 0.54), "average_odds_difference": (0.044, 0.259), "sd": (-0.05, 0.46)},
        ),
    ],
)
def test_the_loans_hold_the_truth(
    unlabelled: Any, expected: dict[str, tuple[float, float]]
) -> None:
    asked = {**QUESTION, "confidence": None}
    found = pf.audit(loans(), [*expected], **asked, unlabelled=unlabelled)
    truth = pf.metrics(pf.datasets.loans(), [*expected], **TRUE)
    for row in found.to_dicts():
        assert row["lowest"] <= truth[row["metric"]].item() <= row["highest"]
        assert (row["lowest"], row["highest"]) == pytest.approx(expected[row["metric"]], abs=0.02)


def test_bands_with_few_labels_join_their_neighbours() -> None:
    """By hand: 60 and 50 labels make one band of 110, and 40 more join the last."""
    bands = [(0, 30, 30, 10), (1, 10, 40, 10), (2, 90, 30, 10), (3, 20, 20, 10)]
    accepted = [
        {"sex": sex, "p": True, "band": band, "y": label, "n": n}
        for sex in "FM"
        for band, yes, no, missing in bands
        for label, n in ((True, yes), (False, no), (None, missing))
    ]
    rejected = [
        {"sex": s, "p": False, "band": 0, "y": y, "n": 5} for s in "FM" for y in (True, False)
    ]
    rows = pl.DataFrame([*accepted, *rejected])
    asked = {**QUESTION, "count": "n", "confidence": None, "unlabelled_by": "band"}
    row = pf.audit(rows, "dpl", **asked, unlabelled="random").to_dicts()[0]
    assert row["lowest"] == row["highest"] == row["value"] == pytest.approx(0)
    only_f = rows.with_columns(
        y=pl.when((pl.col("sex") == "F") | pl.col("p").not_())
        .then("y")
        .otherwise(pl.col("y").fill_null(value=False))
    )
    row = pf.audit(only_f, "dpl", **asked, unlabelled="random").to_dicts()[0]
    good_of_f = 150 + 20 * 40 / 110 + 20 * 110 / 160 + 5
    assert row["value"] == pytest.approx((155 - good_of_f) / 320)


def test_an_older_decision_may_hide_labels() -> None:
    """By hand: what is assumed is about those who were turned down then."""
    rows = pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "p": [True] * 8,
            "then": [True, True, True, False] * 2,
            "y": [True, True, False, None, True, False, False, None],
            "n": [100] * 8,
        }
    ).vstack(
        pl.DataFrame(
            {
                "sex": ["F", "M"],
                "p": [False] * 2,
                "then": [True] * 2,
                "y": [True] * 2,
                "n": [100] * 2,
            }
        )
    )
    asked = {**QUESTION, "count": "n", "confidence": None}
    by = pf.audit(rows, "rd", **asked, unlabelled="random", unlabelled_by="then").to_dicts()[0]
    alone = pf.audit(rows, "rd", **asked, unlabelled="random").to_dicts()[0]
    assert alone["lowest"] == alone["highest"]
    ends = [(1 + m) / (2 + m) - (2 + f) / (3 + f) for m, f in ((0, 1), (1, 0))]
    assert (by["lowest"], by["highest"]) == pytest.approx(tuple(ends))
    assert by["value"] is None


@pytest.mark.nightly
@pytest.mark.parametrize("rows", [300, 3000])
def test_intervals_of_ranges_hold_the_truth(rows: int) -> None:
    """The truth lies at an end of what is assumed, or inside."""
    sets, size = 400, 400 * rows
    for unlabelled, share, good in (
        ("any", 0.0, (0.0, 1.0)),
        ("worse", 0.0, (0.0, 0.68)),
        ("worse", 0.0, (0.66, 0.0)),
        (0.6, 0.0, (0.6 * 0.66, 0.6 * 0.68)),
        ("random", 0.1, (0.40, 0.42)),
    ):
        draw = np.random.default_rng(11)
        is_f = draw.random(size) < 0.45
        p = draw.random(size) < np.where(is_f, 0.46, 0.67)
        of_m, of_f = good
        y = draw.random(size) < np.where(is_f, np.where(p, 0.68, of_f), np.where(p, 0.66, of_m))
        known = p | (draw.random(size) < share)
        frame = pl.DataFrame(
            {"set": np.repeat(np.arange(sets), rows), "sex": np.where(is_f, "F", "M"), "p": p}
        ).with_columns(y=pl.when(pl.Series(known)).then(pl.Series(y)))
        audit = shared(
            pf.audit,
            frame,
            ("rd", "sd"),
            **QUESTION,
            by="set",
            unlabelled=unlabelled,
            replicates=400,
        )
        # tpr and fpr of each side: accepted times good, over all good; and the bad ones.
        rates = [
            (
                acc * g1 / (acc * g1 + (1 - acc) * g0),
                acc * (1 - g1) / (1 - acc * g1 - (1 - acc) * g0),
            )
            for acc, g1, g0 in ((0.67, 0.66, of_m), (0.46, 0.68, of_f))
        ]
        truth = {"rd": rates[0][0] - rates[1][0], "sd": rates[0][1] - rates[1][1]}
        for metric, value in truth.items():
            own = audit.filter(pl.col("metric") == metric).drop_nulls("lower")
            held = own.select(pl.lit(value).is_between("lower", "upper").mean()).item()
            assert own.height > sets / 2
            assert held >= 0.93, (unlabelled, metric, held)


def test_a_policy_a_gate_a_shell_and_a_page_take_the_assumption(tmp_path: Path, run: Run) -> None:
    rows = loans()
    policy = pf.Policy(name="p", metrics=["average_odds_difference"], unlabelled=(0.5, 1))
    audit = pf.audit(rows, **QUESTION, policy=policy)
    assert audit["verdict"].to_list() == ["outside"]
    with pytest.raises(pf.FairnessError, match="unlabelled: 'any' contradicts"):
        pf.audit(rows, **QUESTION, policy=policy, unlabelled="any")
    with pytest.raises(pf.OutsideBandError, match="left to rows without a label: 'rd'"):
        pf.check(rows, "rd", **QUESTION, unlabelled="any")
    bands = {"rd": (-0.9, 0.9)}
    assert (
        pf.check(rows, "rd", **QUESTION, bands=bands, unlabelled="any")["verdict"].item()
        == "within"
    )
    unknown = pf.report(rows, "di", "rd", **QUESTION, replicates=50).to_markdown()
    assert "0 % of M: the true positive rate difference of the group F cannot be" in unknown
    rows.select("sex", "p", "y").write_parquet(tmp_path / "loans.parquet")
    words = ["audit", str(tmp_path / "loans.parquet"), "--facet", "sex", "--favored", "M"]
    words += ["--predicted", "p", "--label", "y", "--nulls", "drop", "--metric", "rd"]
    code, out, _ = run(*words, "--unlabelled", "0.5:1", "--format", "json", "--confidence", "none")
    assert code == 0
    assert '"holds_from": 0.64' in out


WORDS: Final = {
    "groups": {"sex": {"F": "women", "M": "men"}},
    "decided": "accepted",
    "label": ("who repaid", "who did not repay"),
}


def test_a_page_says_where_values_lie_and_from_when_against_whom() -> None:
    pages = pf.report(loans(), "rd", **QUESTION, unlabelled="any", replicates=50)
    page = pages.to_markdown(words=WORDS)
    sentences = (
        "Whether women who repaid are accepted as often as men cannot be said: no one who is not "
        "accepted has a label. Whatever the missing labels are, the difference lies between −42.6 "
        "and 63.5 points. It is to the disadvantage of women if the share who repaid among those "
        "not accepted of each sex is at least 0.64 times that among those accepted."
    )
    assert sentences in page
    turned = loans().with_columns(sex=pl.col("sex").replace({"F": "M", "M": "F"}))
    page = pf.report(turned, "rd", **QUESTION, unlabelled="any", replicates=50).to_markdown()
    assert "It is to the disadvantage of the group M if the share" in page
    bands = {"rd": (-0.3, 0.3), "di": (0.5, 2)}
    page = pf.report(
        loans(50), ["rd", "di"], **QUESTION, unlabelled="any", bands=bands, replicates=50
    ).to_markdown()
    assert "It is within the accepted band if the share with a positive label among those " in page
    assert "times that among those with one." in page


@pytest.mark.parametrize(
    ("share", "unlabelled"), [(None, "any"), (50, "worse"), (50, "random"), (None, 0.7)]
)
def test_each_number_about_missing_labels_is_in_a_row(share: int | None, unlabelled: Any) -> None:
    names = ["rd", "sd", "average_odds_difference", "tpr_gap", "tpr_ratio"]
    rows = loans(share).with_columns(half=pl.int_range(pl.len()) % 2)
    ways: list[dict[str, Any]] = [
        {},
        {"by": "half"},
        {"unlabelled_by": "half"},
        {"confidence": None},
    ]
    for more in ways[unlabelled in ("any", "random") :: 2]:
        asked: dict[str, Any] = {"replicates": 50} if "confidence" not in more else {}
        asked |= {**QUESTION, **more, "unlabelled": unlabelled}
        report = pf.report(rows, names, **asked)
        for words in ({}, {"words": WORDS}):
            document = document_of(report) if not words else report._document(words)
            texts = [
                each.text for part in document.sections[0].paragraphs for each in part.sentences
            ]
            assert any(text.startswith(("Whatever the", "Where missing labels")) for text in texts)
            assert untraced(document, None if "confidence" in more else 0.95) == []


def test_what_does_not_go_with_missing_labels_is_refused() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"unlabelled": "none"}, "unlabelled: takes 'any', 'worse', 'random', a number"),
        ({"unlabelled": (1, 0.5)}, "unlabelled: takes"),
        ({"unlabelled": "any", "bounds": True}, "unlabelled: is about unknown labels"),
        ({"unlabelled": "any", "favored": pf.OVERALL}, "unlabelled: a missing label moves both"),
        ({"unlabelled": "any", "nulls": "raise"}, "unlabelled: is about rows without a label"),
        ({"unlabelled_by": "sex"}, "unlabelled_by: has no effect without unlabelled="),
    ]
    for more, message in refused:
        with pytest.raises(pf.FairnessError, match=message):
            pf.audit(loans(), "rd", **QUESTION | more)
    with pytest.raises(pf.FairnessError, match="unlabelled: 'equalized_odds_gap' has no"):
        pf.bounds(
            loans(),
            "equalized_odds_gap",
            **QUESTION | {"disfavored": None, "favored": None},
            unlabelled="any",
        )
    bounds = pf.bounds(loans(), "rd", **QUESTION, unlabelled="any", confidence=None)
    assert bounds["holds_from"].item() == pytest.approx(0.64, abs=0.02)


def test_the_error_says_of_which_decision_labels_are_missing() -> None:
    asked = {key: value for key, value in QUESTION.items() if key != "nulls"}
    words = ": 98.0 % where 'p' is 'false', 0.0 % where 'p' is 'true'"
    with pytest.raises(pf.FairnessError, match=words) as raised:
        pf.audit(loans(50), "rd", **asked)
    assert str(raised.value).endswith(
        "; in an audit, say what is assumed of them: nulls='drop' with unlabelled='any'"
    )
    with pytest.raises(pf.FairnessError, match=r"\(42\.5 %\), exactly where 'p' is 'false'"):
        pf.audit(loans(), "rd", **asked)


def test_rates_say_how_many_of_each_decision_have_a_label() -> None:
    asked: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    rates = pf.rates(loans(50), **asked, nulls="drop").filter(pl.col("facet") == "sex")
    known = loans(50).drop_nulls("y").group_by("sex").agg(yes=pl.col("p").sum(), all=pl.len())
    counts = rates.select("value", "labelled_accepted", "labelled_rejected").rows()
    assert counts == sorted((sex, yes, every - yes) for sex, yes, every in known.rows())
    assert (
        "labelled_accepted"
        not in pf.rates(
            pf.datasets.loans(), **asked | {"label": "repaid", "predicted": "approved"}
        ).columns
    )


@pytest.mark.filterwarnings("error")
def test_a_label_of_almost_no_weight_stands_for_the_others_of_its_decision() -> None:
    """A number of rows over it is beyond what a float holds."""
    is_first = pl.int_range(pl.len()).over("sex", "p") == 0
    rows = loans().with_columns(y=pl.when(pl.col("p") | is_first).then("repaid"))
    rows = rows.with_columns(w=pl.when(~pl.col("p") & is_first).then(1e-309).otherwise(1.0))
    answer = pf.audit(rows, "rd", **QUESTION, weight="w")
    assert answer["verdict"].to_list() == ["depends"]

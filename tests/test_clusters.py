"""Rows that belong together: which group a cluster is in, and intervals over clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import md5
from math import exp, isnan, log, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import polars_fairness as pf
from polars_fairness.inference import bounds
from polars_fairness.inference.deviations import DEVIATIONS
from polars_fairness.inference.jackknife import jackknifed
from tests.frames import shared
from tests.reference.wilson import wilson

PRIME: Final = 2**31 - 1
QUESTION: Final[dict[str, Any]] = {"facet": "g", "disfavored": "d", "predicted": "p"}


Rows = Sequence[Mapping[str, Any]]


def judged(
    clusters: int,
    rows: int,
    *,
    together: float = 1.0,
    seed: int = 0,
    sides: Callable[[np.ndarray, np.random.Generator], np.ndarray] | None = None,
) -> pl.DataFrame:
    """Decisions of judges, with labels, scores and strata; some judges accept more than others."""
    random = np.random.default_rng(seed)
    judge = random.integers(clusters, size=rows)
    mild = random.normal(0, together, clusters)[judge]
    is_d = random.random(rows) < 0.4 if sides is None else sides(judge, random)
    label = random.random(rows) < 0.4
    score = mild + label + random.normal(size=rows)
    return pl.DataFrame(
        {
            "judge": judge,
            "g": np.where(is_d, "d", "a"),
            "y": label,
            "p": score > 0.5,
            "score": score.round(2),
            "m": random.integers(3, size=rows),
            "w": random.uniform(0.5, 2, rows).round(2),
        }
    )


def group_of_whole_number(number: int) -> int:
    for factor in (48_271, 69_621):
        number = number % PRIME * factor % PRIME
        number = (number * number + number) % PRIME
    return number % 200


def group_of_text(text: str) -> int:
    return int(md5(text.encode()).hexdigest()[:8], 16) % 200


NUMBERS: Final = [0, 1, 2, 7, -1, -(2**31), 2**31 - 1, 2**31, 2**62, 2**63 - 1]
TEXTS: Final = ["", "a", "branch 17", "Zürich", "🙂", "x" * 1_000]


def groups_of(clusters: pl.Series) -> list[int]:
    """The group of each cluster, as the cells have it."""
    rows = pl.DataFrame({"row": range(len(clusters)), "cluster": clusters})
    return pf.cells(rows, facet="row", cluster="cluster").sort("row")["cluster"].to_list()


def test_a_number_and_a_text_have_the_group_that_their_arithmetic_gives() -> None:
    assert groups_of(pl.Series(NUMBERS)) == [group_of_whole_number(each) for each in NUMBERS]
    large = [2**63, 2**64 - 1]
    assert groups_of(pl.Series(large, dtype=pl.UInt64)) == [group_of_whole_number(n) for n in large]
    expected = [group_of_text(each) for each in TEXTS]
    for dtype in (pl.String, pl.Categorical, pl.Enum(TEXTS)):
        assert groups_of(pl.Series(TEXTS, dtype=dtype)) == expected


@pytest.mark.parametrize("dtype", [pl.Int16, pl.UInt16, pl.Int32, pl.UInt32, pl.Int64, pl.UInt64])
def test_the_type_of_a_number_does_not_change_its_group(dtype: Any) -> None:
    assert groups_of(pl.Series([3, 70, 300], dtype=dtype)) == groups_of(pl.Series([3, 70, 300]))


def test_clusters_scatter_evenly_over_the_groups_of_any_half_of_them() -> None:
    for clusters in (pl.Series(range(20_000)), pl.Series(f"judge {i}" for i in range(20_000))):
        of_all = np.array(groups_of(clusters))
        for every in (1, 2, 7):
            counts = np.bincount(of_all[::every], minlength=200)
            assert stats.chisquare(counts).pvalue > 0.001


def test_eight_bits_are_groups_so_that_cells_are_counted_again() -> None:
    rows = judged(300, 3_000)
    question = {**QUESTION, "cluster": "judge", "label": "y"}
    cells = pf.cells(rows, **question)
    assert cells["judge"].dtype == pl.UInt8
    assert_frame_equal(pf.cells(cells, count="n", **question), cells)
    halves = [pf.cells(part, **question) for part in (rows[:1_000], rows[1_000:])]
    names = ("di", "rd", "selection_rate_gap")
    assert_frame_equal(
        pf.audit(pl.concat(halves), *names, count="n", **question),
        pf.audit(rows, *names, **question),
    )
    assert_frame_equal(
        pf.audit(rows.lazy(), *names, **question).collect(), pf.audit(rows, *names, **question)
    )


Row = Mapping[str, Any]


def rate(rows: Rows, side: str, where: Callable[[Row], bool] = lambda _: True) -> float:
    found = [row["p"] * row["w"] for row in rows if row["g"] == side and where(row)]
    weights = [row["w"] for row in rows if row["g"] == side and where(row)]
    return float(sum(found) / sum(weights))


def kish(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) ** 2 / sum(value**2 for value in values)


def left_out(
    rows: Rows, value: Callable[[Rows], float], *, scale: Callable[[float], float]
) -> tuple[float, float]:
    """A value, and its jackknifed variance over judges."""
    judges = {row["judge"] for row in rows}
    found = scale(value(rows))
    moved = [
        scale(value([row for row in rows if row["judge"] != judge])) - found for judge in judges
    ]
    return found, sum(each**2 for each in moved) * (len(judges) - 1) / len(judges)


def interval_by_hand(
    rows: Rows, metric: str, where: Callable[[Row], bool] = lambda _: True
) -> tuple[float, float]:
    """Student's interval of `di` or of a difference, with the degrees of freedom of both sides."""
    is_ratio = metric == "di"
    scale = log if is_ratio else float

    def value(of: Rows) -> float:
        d, a = (rate(of, side, where) for side in ("d", "a"))
        return d / a if is_ratio else a - d

    found, variance = left_out(rows, value, scale=scale)
    parts = []
    for side in ("d", "a"):
        own = [row for row in rows if row["g"] == side and where(row)]
        p, of_side = left_out(own, partial(rate, side=side, where=where), scale=float)
        judges = {row["judge"] for row in own}
        clusters = kish(sum(row["w"] for row in own if row["judge"] == judge) for judge in judges)
        parts.append((of_side / p**2 if is_ratio else of_side, clusters))
    freedom = sum(v for v, _ in parts) ** 2 / sum(v**2 / (k - 1) for v, k in parts)
    judges = {row["judge"] for row in rows}
    reach = stats.t.ppf(0.975, min(freedom, len(judges) - 1)) * sqrt(variance)
    ends = (found - reach, found + reach)
    return (exp(ends[0]), exp(ends[1])) if is_ratio else ends


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_intervals_are_those_of_a_jackknife_by_hand(weighted: bool, apart: bool) -> None:
    rows = judged(30, 900, seed=3, sides=(lambda judge, _: judge < 11) if apart else None)
    rows = rows.with_columns(pl.col("judge").cast(pl.UInt8))
    if not weighted:
        rows = rows.with_columns(w=pl.lit(1.0))
    weight: dict[str, Any] = {"weight": "w"} if weighted else {}
    answer = pf.audit(rows, "di", "dppl", "rd", **QUESTION, label="y", cluster="judge", **weight)
    listed = rows.to_dicts()
    wheres: dict[str, Callable[[Row], bool]] = {
        "di": lambda _: True,
        "dppl": lambda _: True,
        "rd": lambda row: row["y"],
    }
    for row in answer.iter_rows(named=True):
        expected = interval_by_hand(listed, row["metric"], wheres[row["metric"]])
        # Degrees of freedom are rounded down to tenths.
        assert (row["lower"], row["upper"]) == pytest.approx(expected, rel=2e-3)


def test_without_a_group_each_value_is_that_of_the_other_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random, n = np.random.default_rng(9), 400
    frame = pl.DataFrame(
        {
            "g": random.choice(["x", "y", "z"], n, p=[0.5, 0.3, 0.2]),
            "y": random.random(n) < 0.4,
            "p": random.random(n) < 0.5,
            "s": random.integers(0, 30, n) / 30,
            "branch": random.choice(["k", "l"], n),
            "w": random.exponential(1, n),
            "judge": pl.Series(random.integers(0, 6, n), dtype=pl.UInt8),
        }
    ).sort("judge")
    scored: dict[str, Any] = {"facet": "g", "label": "y", "score": "s"}
    decided = {"facet": "g", "label": "y", "predicted": "p", "subgroup": "branch", "weight": "w"}
    found = []

    def recorded(*args: Any) -> dict[str, dict[str, Any]]:
        found.append((args[2], args[4], jackknifed(*args)))
        return found[-1][2]

    monkeypatch.setattr(bounds, "jackknifed", recorded)
    compared = 0
    of_scores = ("auc_difference", "auc_gap", "ece_gap", "score_ks", "smd")
    for names, question in (((), decided), (of_scores, scored)):
        found.clear()
        pf.audit(frame, *names, **question, cluster="judge", replicates=1)
        left = [
            pf.metrics(frame.filter(pl.col("judge") != i), *names, **question) for i in range(6)
        ]
        for metrics, lines, moved in found:
            for name, metric in metrics.items():
                for comparison, value, steps in zip(
                    lines.table["comparison"],
                    lines.columns["value"][name],
                    moved[DEVIATIONS][name],
                    strict=True,
                ):
                    for i, step in enumerate(steps[:6]):
                        [expected] = left[i].filter(disfavored=comparison)[metric.name]
                        if isnan(value) or expected is None or (metric.is_ratio and not expected):
                            continue
                        scale = log if metric.is_ratio else float
                        far = (scale(expected) - scale(value)) * sqrt(5 / 6)
                        assert step == pytest.approx(far, abs=1e-9), (metric.name, i)
                        compared += 1
    assert compared > 400


def coverage(
    frames: Iterable[pl.DataFrame], metrics: Mapping[str, float], **how: Any
) -> dict[str, float]:
    """How often the interval of a metric holds its true value."""
    numbered = [frame.with_columns(data=pl.lit(i)) for i, frame in enumerate(frames)]
    rows = pl.concat(numbered).with_columns(pl.col("judge") + 100_003 * pl.col("data"))
    audit = shared(pf.audit, rows, *metrics, by="data", cluster="judge", **{**QUESTION, **how})
    assert audit["lower"].null_count() == 0
    holds = (pl.col("lower") <= pl.col("true") + 1e-9) & (pl.col("true") <= pl.col("upper") + 1e-9)
    true = pl.col("metric").replace_strict(metrics, return_dtype=pl.Float64)
    by_metric = audit.with_columns(true=true).group_by("metric").agg(holds.mean())
    return dict(by_metric.iter_rows())


@pytest.mark.parametrize("few", [10, pytest.param(50, marks=pytest.mark.nightly)])
def test_intervals_hold_where_judges_differ_and_those_of_rows_do_not(few: int) -> None:
    def frames() -> list[pl.DataFrame]:
        return [
            judged(100, 3_000, seed=seed, sides=lambda judge, _: judge < few) for seed in range(150)
        ]

    metrics = {"dppl": 0.0, "di": 1.0, "rd": 0.0}
    found = coverage(frames(), metrics, label="y")
    assert min(found.values()) > 0.9
    # As if each decision were of another judge.
    numbered = [frame.with_columns(judge=pl.int_range(pl.len())) for frame in frames()]
    assert coverage(numbered, metrics, label="y")["dppl"] < 0.7


DISTANCES: Final = ("tvd", "average_abs_odds_difference", "ge_between", "score_ks", "auc_gap")


def test_distances_hold_no_difference_where_judges_differ_and_those_of_rows_do_not() -> None:
    frames = [
        judged(60, 1_500, together=2, seed=seed, sides=lambda judge, _: judge < 30).with_columns(
            y=pl.col("score") + pl.col("m") > 1.5, score=(pl.col("score") / 2).round(0)
        )
        for seed in range(16)
    ]
    how: dict[str, Any] = {"label": "y", "score": "score", "predicted": "p", "replicates": 100}
    over_judges = coverage(frames, dict.fromkeys(DISTANCES, 0.0), **how)
    assert min(over_judges.values()) >= 0.8
    # As if each decision were of another judge.
    numbered = [frame.with_columns(judge=pl.int_range(pl.len())) for frame in frames]
    assert coverage(numbered, {"tvd": 0.0, "score_ks": 0.0}, **how)["tvd"] < 0.75


def test_distances_of_few_clusters_have_no_interval_and_a_reason() -> None:
    how: dict[str, Any] = {**QUESTION, "label": "y", "score": "score", "cluster": "judge"}
    audit = shared(pf.audit, FEW, "tvd", "auc_gap", **how)
    assert audit["lower"].null_count() == 2
    assert audit["note"].str.contains("than 5 effective clusters|3.0 effective clusters").all()


def test_gaps_over_groups_raise_few_false_alarms_and_find_what_is_there() -> None:
    def frame(seed: int, shift: float) -> pl.DataFrame:
        rows = judged(100, 5_000, together=0.5, seed=seed)
        random = np.random.default_rng(seed + 1_000)
        group = pl.Series("g", random.integers(10, size=5_000))
        moved = pl.col("score") + pl.when(group == 0).then(shift).otherwise(0)
        return rows.with_columns(group, p=moved > 0.5)

    how = {"facet": "g", "disfavored": None}
    alarms = (
        1
        - coverage([frame(seed, 0) for seed in range(100)], {"selection_rate_gap": 0}, **how)[
            "selection_rate_gap"
        ]
    )
    assert alarms < 0.12
    found = (
        1
        - coverage([frame(seed, 1.5) for seed in range(30)], {"selection_rate_gap": 0}, **how)[
            "selection_rate_gap"
        ]
    )
    assert found > 0.95


def test_a_difference_from_the_champion_takes_clusters_together() -> None:
    rows = judged(60, 4_000, seed=5).with_columns(old=pl.col("p"), new=pl.col("score") > 0.6)
    question = {**QUESTION, "predicted": {"old": "old", "new": "new"}, "cluster": "judge"}
    answer = pf.audit(rows, "dppl", champion="old", **question).filter(model="new")
    listed = rows.to_dicts()

    def difference(of: Rows) -> float:
        def gap(column: str) -> float:
            shares = [[row[column] for row in of if row["g"] == side] for side in ("a", "d")]
            a, d = (sum(each) / len(each) for each in shares)
            return float(a - d)

        return gap("new") - gap("old")

    groups = dict(zip(rows["judge"], groups_of(rows["judge"]), strict=True))
    in_groups = [{**row, "judge": groups[row["judge"]]} for row in listed]
    found, variance = left_out(in_groups, difference, scale=float)
    reach = (answer["difference_upper"] - answer["difference_lower"]).item() / 2
    assert answer["difference"].item() == pytest.approx(found)
    assert reach / sqrt(variance) == pytest.approx(2.0, abs=0.35)


FEW: Final = judged(40, 2_000, seed=2, sides=lambda judge, _: judge < 3)


def test_few_clusters_on_a_side_have_no_interval_and_a_reason() -> None:
    answer = pf.audit(FEW, "di", "selection_rate_gap", **QUESTION, cluster="judge")
    assert answer["lower"].null_count() == answer.height
    assert answer["verdict"].to_list() == ["undefined", None]
    of_side, of_groups = answer["note"]
    assert of_side.startswith(
        "cluster: the smaller side has 3.0 effective clusters, and an interval"
    )
    assert of_groups == (
        "cluster: a group has fewer than 5 effective clusters, and an interval needs as many"
    )


def test_tests_of_independent_rows_are_undefined_with_the_reason() -> None:
    rows = judged(40, 2_000)
    question = {**QUESTION, "subgroup": "m", "cluster": "judge", "p_values": "exact"}
    answer = pf.audit(rows, "two_sd", "z_ratio", "cmh", "di", **question)
    assert answer["p_value"].null_count() == answer.height
    assert answer["verdict"][:3].to_list() == ["undefined"] * 3
    assert answer["note"].str.contains("cluster: a p-value would be that of independent rows").all()
    assert answer["note"][0].startswith("cluster: a test of independent rows has no verdict")
    of_ranks = pf.audit(rows, "exposure_ratio", facet="g", score="score", cluster="judge")
    assert of_ranks["note"].to_list() == [None]  # which is no test


def test_a_side_of_one_outcome_has_no_interval() -> None:
    rows = judged(40, 2_000).with_columns(p=pl.col("p") & (pl.col("g") == "a"))
    answer = pf.audit(rows, "dppl", **QUESTION, cluster="judge")
    assert answer["lower"].item() is None
    assert answer["note"].item().startswith("cluster: a side has one outcome in all clusters")


def wilsons_by_hand(
    rows: Rows, of: Callable[[Rows], float], whole: Callable[[Row], bool]
) -> tuple[float, float]:
    """Wilson's interval of so many rows as vary as much as judges that are left out by hand."""
    p, variance = left_out(rows, of, scale=float)
    judges = {row["judge"] for row in rows if whole(row)}
    clusters = kish(
        sum(row["w"] for row in rows if row["judge"] == judge and whole(row)) for judge in judges
    )
    t = stats.t.ppf(0.975, min(clusters, len(judges)) - 1)
    size = kish(row["w"] for row in rows if whole(row))
    n = (min(p * (1 - p) / variance, size) if 0 < p < 1 else clusters) * (1.959964 / t) ** 2
    return wilson(p, n)


@pytest.mark.parametrize("weighted", [False, True])
def test_shares_of_groups_have_the_interval_of_a_jackknife_by_hand(weighted: bool) -> None:
    rows = judged(30, 900, seed=6).with_columns(pl.col("judge").cast(pl.UInt8))
    rows = rows if weighted else rows.with_columns(w=pl.lit(1.0))
    how: dict[str, Any] = {"weight": "w"} if weighted else {}
    reference = {"a": 0.25, "d": 0.5, "x": 0.25}
    answer = pf.representation(rows, facet="g", reference=reference, cluster="judge", **how)
    listed = rows.to_dicts()
    for row in answer.drop_nulls("value").iter_rows(named=True):

        def share(of: Rows, value: str = row["value"]) -> float:
            return float(sum(r["w"] for r in of if r["g"] == value) / sum(r["w"] for r in of))

        assert row["share"] == pytest.approx(share(listed))
        expected = wilsons_by_hand(listed, share, lambda _: True)
        found = [row[name] * row["reference"] for name in ("lower", "upper")]
        assert found == pytest.approx(expected, rel=2e-3, abs=1e-9)
    lazily = pf.representation(rows.lazy(), facet="g", reference=reference, cluster="judge", **how)
    assert_frame_equal(lazily.collect(), answer)


@pytest.mark.parametrize("weighted", [False, True])
def test_ranked_groups_have_the_interval_of_a_jackknife_by_hand(weighted: bool) -> None:
    rows = judged(30, 900, seed=8).with_columns(
        pl.col("judge").cast(pl.UInt8), m=pl.col("m").cast(pl.String)
    )
    rows = rows if weighted else rows.with_columns(w=pl.lit(1.0))
    how: dict[str, Any] = {"weight": "w"} if weighted else {}
    question: dict[str, Any] = {"facet": ["g", "m"], "label": "y", "predicted": "p", **how}
    answer = pf.worst_groups(rows, "tpr_gap", cluster="judge", **question)
    bare = pf.worst_groups(rows, "tpr_gap", **question)
    bounds = ["lower", "upper"]
    assert_frame_equal(answer.drop(bounds), bare.drop(bounds), rel_tol=1e-12)
    listed = rows.to_dicts()
    for row in answer.iter_rows(named=True):
        fixed = {name: row[name] for name in ("g", "m") if row[name] is not None}

        def belongs(each: Row, fixed: Mapping[str, Any] = fixed) -> bool:
            return bool(each["y"]) and all(each[name] == value for name, value in fixed.items())

        def tpr(of: Rows, belongs: Callable[[Row], bool] = belongs) -> float:
            own = [each for each in of if belongs(each)]
            return float(sum(r["w"] * r["p"] for r in own) / sum(r["w"] for r in own))

        own = [each for each in listed if belongs(each)]
        expected = wilsons_by_hand(own, tpr, belongs)
        assert (row["lower"], row["upper"]) == pytest.approx(expected, rel=2e-3, abs=1e-9)
    few = pf.worst_groups(rows.filter(pl.col("judge") < 4), "tpr_gap", cluster="judge", **question)
    assert few["lower"].null_count() == few.height


def test_means_of_ranked_groups_have_students_interval_over_judges() -> None:
    rows = judged(30, 900, seed=8).with_columns(pl.col("judge").cast(pl.UInt8))
    question: dict[str, Any] = {"facet": ["g", "m"], "estimated": "score"}
    answer = pf.worst_groups(rows, "estimate_gap", cluster="judge", **question)
    for row in answer.filter(pl.col("depth") == 1).drop_nulls("g").iter_rows(named=True):
        own = [{**each, "w": 1.0} for each in rows.filter(g=row["g"]).iter_rows(named=True)]
        mean, variance = left_out(
            own, lambda of: float(np.mean([each["score"] for each in of])), scale=float
        )
        judges = {each["judge"] for each in own}
        clusters = kish(sum(each["judge"] == judge for each in own) for judge in judges)
        reach = stats.t.ppf(0.975, clusters - 1) * sqrt(variance)
        assert (row["lower"], row["upper"]) == pytest.approx((mean - reach, mean + reach), rel=2e-3)


def test_best_shares_and_segments_have_the_intervals_of_an_audit_and_no_tests_of_rows() -> None:
    rows = judged(30, 900, seed=2)
    question: dict[str, Any] = {"facet": "g", "favored": "a", "cluster": "judge"}
    best = pf.lending.quantiles(rows, score="score", shares=[0.2, 0.5], **question)
    audit = pf.audit(rows, "di", score="score", threshold=pf.best(0.2, 0.5), **question)
    bounds = ["lower", "upper"]
    assert_frame_equal(
        best.select("air", *bounds), audit.select(air="value", lower="lower", upper="upper")
    )
    inside = pf.lending.segments(rows, predicted="p", subgroup="m", **question)
    audit = pf.audit(rows, "mh_odds_ratio", predicted="p", subgroup="m", **question)
    assert_frame_equal(inside.select(bounds), audit.select(bounds))
    tests = [each for answer in (best, inside) for each in answer if "p_value" in each.name]
    assert all(each.null_count() == len(each) for each in tests)
    values = ["segments", "mh_odds_ratio", "cmh", "breslow_day"]
    bare = pf.lending.segments(rows, predicted="p", subgroup="m", facet="g", favored="a")
    assert_frame_equal(inside.select(values), bare.select(values))


@pytest.mark.parametrize("is_row", [False, True])
def test_models_that_each_accept_the_best_move_with_the_same_clusters(is_row: bool) -> None:
    random, n = np.random.default_rng(5), 600
    rows = judged(30, n, seed=5).with_columns(
        pl.col("judge").cast(pl.UInt8), old=random.permutation(n), w=pl.lit(1.0)
    )
    new = rows["old"] + 200 * rows["score"].to_numpy() + random.random(n)
    rows = rows.with_columns(pl.col("old") + 0.5, new=new)
    question: dict[str, Any] = {**QUESTION, "predicted": {name: name for name in ("old", "new")}}
    question |= {"threshold": pf.best(0.3), "champion": "old"}
    if is_row:
        with pytest.raises(pf.FairnessError, match=r"^cluster: several models"):
            pf.audit(rows, "dppl", **question)
        # Each row stands for itself, in one of 200 groups.
        rows, question["cluster"] = rows.with_row_index("row"), "row"
        audit = pf.audit(rows, "dppl", "di", "rd", label="y", **question)
        lower, upper = audit.filter(model="new").select("difference_lower", "difference_upper")
        assert (upper - lower).is_between(0.1, 1).all()
        alone = pf.audit(rows, "di", **{**question, "champion": None})
        same = ["value", "verdict", "lower", "upper"]
        assert_frame_equal(audit.filter(metric="di").select(same), alone.select(same))
        report = pf.report(rows, "di", **question).to_markdown()
        assert "Compared with the champion, old" in report
        assert "Switched rows" not in report
        del question["cluster"], question["disfavored"]
        with pytest.raises(pf.FairnessError, match=r"^threshold: .* at pf.best\(0.3\)"):
            pf.switches(rows, **question)
        return
    of_old, of_new = (
        pf.audit(rows, "dppl", cluster="judge", **question).sort("model")[::-1].to_dicts()
    )
    parts = []
    for answer in (of_old, of_new):
        score = rows[str(answer["model"])]
        decided = rows.with_columns(p=score.rank("ordinal", descending=True) <= 180).to_dicts()
        interval = interval_by_hand(decided, "dppl")
        assert (answer["lower"], answer["upper"]) == pytest.approx(interval, rel=2e-3)
        values = [
            rate(left, "a") - rate(left, "d")
            for judge in range(30)
            for left in [[row for row in decided if row["judge"] != judge]]
        ]
        parts.append((np.array(values) - answer["value"], (interval[1] - interval[0]) / 2))
    (moved, reach), (moved_there, reach_there) = parts
    together = (moved @ moved_there) / sqrt((moved @ moved) * (moved_there @ moved_there))
    far = sqrt(reach**2 + reach_there**2 - 2 * together * reach * reach_there)
    expected = (of_new["difference"] - far, of_new["difference"] + far)
    found = (of_new["difference_lower"], of_new["difference_upper"])
    assert found == pytest.approx(expected, rel=2e-3)


def test_rates_have_intervals_of_so_many_rows_as_vary_as_much_by_hand() -> None:
    # 30 judges, each a group of clusters of its own.
    rows = judged(30, 900, seed=4).with_columns(pl.col("judge").cast(pl.UInt8), score=pl.lit(0.5))
    how: dict[str, Any] = {"label": "p", "score": "score", "cluster": "judge", "bins": 1}
    answer = pf.calibration(rows, **how)
    listed = [{**row, "g": "all", "w": 1} for row in rows.to_dicts()]
    p, variance = left_out(listed, partial(rate, side="all"), scale=float)
    clusters = kish(sum(row["judge"] == judge for row in listed) for judge in range(30))
    t = stats.t.ppf(0.975, clusters - 1)
    n = p * (1 - p) / variance * (1.959964 / t) ** 2
    assert answer.select("lower", "upper").row(0) == pytest.approx(wilson(p, n), rel=2e-3)
    few = pf.calibration(rows.filter(pl.col("judge") < 4), **how)
    assert few.select("lower", "upper").row(0) == (None, None)

"""How often what an audit says is right, where the truth is known.

``python benchmarks/certainty.py [--data-sets 200] [table ...]`` draws data sets from chances that
are known, audits them, and prints a table for each question:

- ``values``: the share of intervals of 95 % that contain the true value, for every metric.
- ``closed_forms``: the same of the methods that are named.
- ``maxima``: the same of many groups; also the share of intervals that lie wholly farther from the
  ideal than the true value does: so often the verdict is `outside` at the edge of a band.
- ``ideal``: where there is no disparity, or little to go by, the share of intervals that contain
  the true value, lie wholly above it, and wholly below it.
- ``few``: where events are few: sparse strata, rare outcomes with weights, and tests of them.
- ``baselines``, ``contrasts``: where nothing has changed, or little did, the share of "worse" and
  "better", and of intervals of the difference that contain the true one.
- ``power``: the share of true changes that are found.
- ``references``, ``flags``: of equal groups, how often one is judged against beside the highest.
- ``clusters``: the coverage of intervals over clusters, of many shapes.
- ``distances``: the same of distances, where both sides are alike and where d's scores are higher.
- ``probabilities``: the coverage of intervals of groups known in probability.
- ``numbers``: the coverage of intervals of numbers as outcomes, of sides distributed alike.
- ``models_of_numbers``: the same of differences from a champion's numbers on the same rows, and how
  wide they are beside how the differences vary.
- ``pages``: how often a whole report says "not by chance" of fair data.

Metrics of scores, strata beside baselines, adjusted tables and reports are slow, and have a quarter
of the data sets. Of 200 data sets the standard error of a coverage of 95 % is 1.5 %. With the
default, all tables take about ten minutes on one core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from statistics import NormalDist
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import polars as pl
from markdown_tables import table
from simulated import (
    Amounts,
    Clusters,
    Setting,
    Uncertain,
    of_alike_models,
    of_facets,
    of_groups,
    of_groups_apart,
    of_labels,
    of_models,
    of_rare_outcomes,
    of_scores,
    of_separated,
    of_sexes,
    of_strata,
)

import polars_fairness as pf

OF_SIDES: Final = ("dppl", "di", "rd")
OF_GROUPS: Final = ("selection_rate_gap", "equalized_odds_gap", "spsf", "ge_between")
OF_MAXIMA: Final = (
    *("selection_rate_gap", "selection_rate_ratio", "equalized_odds_gap"),
    *("fpsf", "spsf", "differential_fairness"),
)
OF_STRATA: Final = ("cddpl", "mh_ratio", "mh_difference", "mh_odds_ratio")
OF_LABELS: Final = ("tvd", "js", "lp", "ks", "kl")
OF_AUCS: Final = ("auc_difference", "xauc_difference", "bpsn_auc", "bnsp_auc")
OF_DISTANCES: Final = ("miscalibration", "score_ks", "score_wasserstein", "abroca")

# A true value at the bound itself may differ in the last digits.
_ROUNDING: Final = 1e-9

# The setting, the metric, and what the table says of it.
Line: TypeAlias = tuple[str, ...]


def share(of: pl.Expr) -> pl.Expr:
    return of.fill_null(value=False).mean() * 100


def percent(share: float) -> str:
    return f"{share:.1f} %"


def coverage(audits: pl.DataFrame, *, of_difference: bool = False) -> pl.DataFrame:
    """Return the share of intervals that hold the true value, or lie wholly on a side of it.

    ``farther`` is the share that lies farther from the ideal, ``without`` the share that is not
    there; of the others are the shares before it.
    """
    names = (
        ("true_difference", "difference_lower", "difference_upper")
        if of_difference
        else ("true", "lower", "upper")
    )
    true, lower, upper = map(pl.col, names)
    above, below = lower > true + _ROUNDING, upper < true - _ROUNDING
    offset = pl.col("true") - pl.col("ideal")
    farther = (above & (offset > -_ROUNDING)) | (below & (offset < _ROUNDING))
    outcomes = {"held": ~(above | below), "above": above, "below": below, "farther": farther}
    is_known = pl.all_horizontal(pl.col(names).is_not_null())
    return (
        audits.group_by("metric", maintain_order=True)
        .agg(
            *(share(each.filter(is_known)).alias(name) for name, each in outcomes.items()),
            share(~is_known).alias("without"),
        )
        .drop_nulls("held")
    )


def changes(audits: pl.DataFrame) -> pl.DataFrame:
    """Return the share of "worse" and "better", and the coverage of the difference."""
    if "model" in audits.columns:
        audits = audits.filter(model="new")
    changed = audits.group_by("metric", maintain_order=True).agg(
        changed=share(pl.col("change").is_in(["worse", "better"]))
    )
    held = coverage(audits, of_difference=True).select("metric", "held")
    return changed.join(held, on="metric", maintain_order="left")


def lines(setting: str, shares: pl.DataFrame) -> list[Line]:
    """Return a line for each metric: the setting, the metric, and its shares."""
    return [(setting, f"`{name}`", *map(percent, row)) for name, *row in shares.iter_rows()]


def wide(title: str, found: Iterable[Line]) -> str:
    """Write a table with a row for each metric and a column for each setting."""
    known = {(metric, setting): ", ".join(texts) for setting, metric, *texts in found}
    metrics, settings = (list(dict.fromkeys(each)) for each in zip(*known, strict=True))
    rows = [[name, *(known.get((name, each), "") for each in settings)] for name in metrics]
    return table(title, ["metric", *settings], rows)


def values(sets: int) -> str:
    found = []
    for (rows, minority), like in product(((500, 0.5), (500, 0.05), (40, 0.5)), ("FF", "FM")):
        name = f"{rows} rows, {100 * minority:g} % F, {'alike' if like == 'FF' else 'apart'}"
        of_decisions = of_sexes(rows, minority, like).audited(sets)
        scored = of_scores(rows, like, minority).audited(sets // 4)
        both = pl.concat([coverage(each) for each in (of_decisions, scored)])
        both = both.unique("metric", keep="first", maintain_order=True)
        found += [
            (name, metric, held, *([f"none in {without}"] if without != percent(0) else []))
            for _, metric, held, *_, without in lines(name, both)
        ]
    return wide("Coverage of intervals of 95 % of two sexes", found)


def closed_forms(sets: int) -> str:
    kinds = {"newcombe": ("dppl", "rd"), "log": ("di", "odds_ratio"), "delong": OF_AUCS}
    found = []
    for (method, metrics), rows, minority in product(kinds.items(), (500, 5_000), (0.5, 0.05)):
        of_rows = of_scores if method == "delong" else of_sexes
        audits = of_rows(rows, minority=minority).audited(sets, *metrics, method=method)
        found += lines(f"{rows:,} rows, {100 * minority:g} % F", coverage(audits)[:, :2])
    return wide("Coverage of closed forms: newcombe, log, delong", found)


def maxima(sets: int) -> str:
    found = []
    for groups, rows, gap in product((2, 10, 50, 300), (50, 200), (0.0, 0.02, 0.2)):
        audits = of_groups_apart(groups, rows, gap).audited(sets, *OF_MAXIMA)
        shares = coverage(audits).select("metric", "held", "farther")
        found += [
            (name, f"{groups} groups of {rows} rows, gap of {gap:g}", *texts)
            for _, name, *texts in lines("", shares)
        ]
    title = "Maxima over groups: coverage, share wholly farther from the ideal than the true value"
    return wide(title, found).replace("| metric |", "| data |", 1)


def ideal(sets: int) -> str:
    few = sets // 4
    delong = {"method": "delong"}
    aucs = ("auc_difference", "auc_gap", "bpsn_auc", "bnsp_auc")
    two, five = (of_groups(400, [0.4] * groups) for groups in (2, 5))
    rare = of_rare_outcomes(8_430, groups=150)
    cases: list[tuple[str, Setting, int, Sequence[str], dict[str, Any]]] = [
        ("20 labels, 400 rows", of_labels(400, 20), sets, OF_LABELS, {}),
        ("400 rows", two, sets, ("four_fifths", "average_abs_odds_difference"), {}),
        ("five groups, 400 rows", five, sets, OF_GROUPS, {}),
        ("largest of 150 groups of Zipf's sizes, 1 % accepted", rare, sets, ("dppl",), {}),
        *(
            (f"strata of {rows} rows: {strata}", of_strata(strata, rows), sets, OF_STRATA, {})
            for strata, rows in ((4, 250), (50, 20), (200, 5), (100, 4), (1, 30))
        ),
        ("500 rows, calibrated", of_scores(500, "CC"), few, (*OF_DISTANCES, "ece_gap"), {}),
        ("100 rows, nearly separated", of_separated(100), few, aucs, {}),
        ("the same, DeLong", of_separated(100), few, OF_AUCS, delong),
    ]
    found = [
        line
        for name, setting, number, metrics, options in cases
        for line in lines(
            name, coverage(setting.audited(number, *metrics, **options)).drop("farther")
        )
    ]
    columns = ["data", "metric", "coverage", "above the true value", "below it", "no interval"]
    return table("Coverage where there is no disparity, or little to go by", columns, found)


def few(sets: int) -> str:
    random = np.random.default_rng(0)
    by_set: dict[str, Any] = {"facet": "sex", "disfavored": "F", "by": "data_set"}
    counted = {**by_set, "count": "n", "predicted": "p"}
    found: list[Line] = []
    for strata, d, a, rate in ((5, 60, 2_000, 0.01), (2, 30, 3_000, 0.02), (4, 50, 200, 0.4)):
        sizes = np.tile([d, a], (sets, strata, 1))
        rows = _counts(random.binomial(sizes, rate), sizes)
        audits = pf.audit(rows, "mh_difference", "mh_ratio", subgroup="branch", **counted)
        name = f"{strata} strata of {d} and {a:,} rows, {100 * rate:g} %"
        found += lines(name, _held(audits, {"mh_difference": 0.0, "mh_ratio": 1.0}))
    for d, a, rate in ((500, 5_000, 0.012), (100, 400, 0.1)):
        size = sets * (d + a)
        rows = pl.DataFrame(
            {
                "data_set": np.repeat(np.arange(sets), d + a),
                "sex": np.tile(np.repeat(["F", "M"], [d, a]), sets),
                "p": random.random(size) < rate,
                "w": random.lognormal(size=size),
            }
        )
        audits = pf.audit(rows, "di", predicted="p", weight="w", **by_set)
        name = f"{d} and {a:,} rows with log-normal weights, {100 * rate:g} %"
        found += lines(name, _held(audits, {"di": 1.0}))
    for strata, d, a, rate in ((2, 30, 3_000, 0.02), (5, 200, 2_000, 0.3)):
        sizes = np.tile([d, a], (50 * sets, strata, 1))
        rows = _counts(random.binomial(sizes, rate), sizes)
        tests = pf.audit(rows, "cmh", subgroup="branch", p_values="exact", **counted)
        adjusted = tests.with_columns(family=pl.col("data_set").cast(pl.Int64) // 50).select(
            (pl.col("p_value").min().over("family") * 50 < 0.05).mean() * 100
        )
        name = f"{strata} strata of {d} and {a:,} rows, {100 * rate:g} %, 50 windows"
        found.append((name, "`cmh`: some adjusted p below 0.05", percent(adjusted.item())))
    columns = ["data without a disparity", "metric", "coverage, or false alarms"]
    return table("Few events", columns, found)


def _counts(accepted: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Counted rows, from how many of each data set, stratum and side are accepted."""
    data_set, branch, side = np.indices(accepted.shape).reshape(3, -1)
    keys = {"data_set": data_set, "branch": branch, "sex": np.array(["F", "M"])[side]}
    return pl.concat(
        pl.DataFrame({**keys, "p": outcome, "n": counts.ravel()})
        for outcome, counts in ((True, accepted), (False, sizes - accepted))
    )


def _held(audits: pl.DataFrame, truth: dict[str, float]) -> pl.DataFrame:
    """The share of intervals of each metric that hold its true value."""
    true = pl.col("metric").replace_strict(truth)
    return audits.group_by("metric", maintain_order=True).agg(
        held=share(true.is_between(pl.col("lower") - _ROUNDING, pl.col("upper") + _ROUNDING))
    )


def baselines(sets: int) -> str:
    sides, groups = (of_groups(1_000, [0.4] * number) for number in (2, 5))
    cases = [
        (sides, sets, OF_SIDES),
        (groups, sets, OF_GROUPS),
        (of_strata(200, 5), sets // 4, OF_STRATA),
        (of_labels(1_000, 20), sets, ("tvd",)),
    ]
    found = [
        line
        for times, (setting, number, metrics) in product((1, 10, 100, 1_000, 100_000), cases)
        for line in lines(
            f"baseline of {1_000 * times:,} rows",
            changes(setting.audited(number, *metrics, baseline=times * setting.rows)),
        )
    ]
    title = "Nothing changed, 1,000 rows: found worse or better, coverage of the difference"
    return wide(title, found)


def contrasts(sets: int) -> str:
    few = sets // 4
    gaps = ("selection_rate_gap", "tpr_gap", "equalized_odds_gap", "spsf")
    audits = {
        "strata of 5 rows: 200, as many before": of_strata(200, 5).audited(
            sets, *OF_STRATA, baseline=5
        ),
        "strata of 4 rows: 100, as many before": of_strata(100, 4).audited(
            sets, *OF_STRATA, baseline=4
        ),
        "500 calibrated scores beside 5,000": of_scores(500, "CC").audited(
            few, *OF_DISTANCES, baseline=5_000
        ),
        "500 scores, apart, beside 5,000": of_scores(500).audited(
            few, *OF_DISTANCES, baseline=5_000
        ),
        "150 rows after 3,000, five groups": of_groups(150, [0.4] * 5).audited_after_a_month(
            sets, *OF_GROUPS, "selection_rate_ratio", "ge", rows=3_000
        ),
    }
    for old, new in ((0.98, 0.5), (0.998, 0.5)):
        for groups, metrics in ((2, OF_SIDES), (5, gaps)):
            name = f"models accept {100 * old:g} % and {100 * new:g} % of {groups} groups"
            audits[name] = of_models(1_000, old, new, groups).audited(sets, *metrics)
    alike = of_alike_models(1_000, 0.5, (0.01, 0.01))
    audits["models agree on 99 % of 1,000 rows"] = alike.audited(sets, *OF_SIDES)
    for rows in (60, 80, 100, 1_000):
        one_side = of_alike_models(rows, 0.9, (0.02, 0))
        name = f"the same of {rows:,} rows, where only one group is decided otherwise"
        audits[name] = one_side.audited(sets, *OF_SIDES[:2])
    found = [line for name, each in audits.items() for line in lines(name, changes(each))]
    columns = ["data", "metric", "found worse or better", "coverage of the difference"]
    return table("Contrasts where nothing changed, or little did", columns, found)


def power(sets: int) -> str:
    found = []
    for gaps in ((0.05, 0.15), (0.0, 0.1)):
        before, after = (of_groups(2_000, [0.5 - gap, 0.5]) for gap in gaps)
        q = pf.of(after.drawn(range(sets)), **after.question, by="data_set", count="n")
        beside = before.drawn(range(sets), seed=1)
        audits = q.audit("dppl", baseline=beside, baseline_count="n")
        shares = (share(pl.col("change") == each).alias(each) for each in ("worse", "better"))
        found.append(
            ("from {:g} to {:g}".format(*gaps), *map(percent, audits.select(shares).row(0)))
        )
    return table("`dppl`, 1,000 rows a side before and after", ["truth", "worse", "better"], found)


def references(sets: int) -> str:
    found = []
    cases = [(3, 100, 0.1), (5, 100, 0.1), (10, 100, 0.1), (20, 100, 0.1), (20, 200, 0.05)]
    for groups, rows, rate in cases:
        setting = highest_of(groups, rows, rate)
        audits = setting.audited(sets, "dppl", "di", p_values="exact")
        some = audits.group_by("metric", "data_set").agg(
            against=pl.col("verdict").str.starts_with("against").any(),
            tested=(pl.col("p_value") < 0.05).any(),
        )
        shares = some.group_by("metric").agg(share(pl.col("against", "tested")))
        held = coverage(audits).select("metric", "held")
        name = f"{groups} groups of {rows} rows, {100 * rate:g} % accepted"
        found += lines(name, held.join(shares, on="metric", maintain_order="left"))
    columns = ["data", "metric", "coverage", "some group against", "some p-value below 0.05"]
    return table("Equal groups beside the highest of them", columns, found)


def highest_of(groups: int, rows: int, rate: float) -> Setting:
    kinds = of_groups(rows, [rate] * groups).kinds.with_columns(part="group")
    return Setting(kinds, rows, {"facet": "group", "favored": pf.HIGHEST, "predicted": "p"})


def flags(sets: int) -> str:
    found = []
    ways: tuple[Literal["exact", "holm"], ...] = ("exact", "holm")
    for groups in (10, 20):
        setting = highest_of(groups, 50, 0.3)
        arguments = {**setting.question, "by": "data_set", "count": "n", "confidence": None}
        shares = []
        for p_values in ways:
            # Holm adjusts all p-values of a call, so that each data set has a call of its own.
            calls = [range(sets)] if p_values == "exact" else ones(sets // 4)
            answer = pl.concat(
                pf.lending.table(setting.drawn(each), p_values=p_values, **arguments)
                for each in calls
            )
            some = answer.group_by("data_set").agg(pl.col("is_flagged").any())
            shares.append(percent(some.select(share(pl.col("is_flagged"))).item()))
        found.append((f"{groups} groups of 50 rows, 30 % accepted", *shares))
    title = "`lending.table` of equal groups beside the highest: some group is flagged"
    return table(title, ["data", *ways], found)


def ones(sets: int) -> Iterable[range]:
    return (range(number, number + 1) for number in range(sets))


def clusters(sets: int) -> str:
    found = []
    shapes = [
        Clusters(number, correlation, unequal=unequal, straddle=straddle)
        for number, correlation in product((20, 100, 5_000), (0.0, 0.05, 0.3))
        for unequal, straddle in product((False, True), (False, True))
    ]
    few = [
        Clusters(100, correlation, unequal=False, straddle=straddle, of_d=of_d)
        for correlation, of_d in product((0.0, 0.05, 0.3), (5, 10))
        for straddle in (False, True)
    ]
    for shape in [*shapes, *few]:
        rows = shape.drawn(range(sets))
        # Scores are slow, and those of a quarter of the data sets say enough.
        scored = rows.filter(pl.col("data_set") < sets // 4)
        sides: dict[str, Any] = {
            "facet": "side",
            "disfavored": "d",
            "by": "data_set",
            "cluster": "cluster",
        }
        outcomes: dict[str, Any] = {"label": "label", "predicted": "accepted"}
        of_sides = pf.audit(
            rows, "dppl", "di", "rd", "cddpl", "mh_ratio", subgroup="stratum", **outcomes, **sides
        )
        of_groups = pf.audit(
            rows,
            "selection_rate_gap",
            "equalized_odds_gap",
            **{**sides, "facet": "group", "disfavored": None},
            **outcomes,
        )
        of_scores = pf.audit(scored, "auc_difference", label="label", score="score", **sides)
        columns = ["metric", "value", "lower", "upper"]
        audits = pl.concat(each.select(columns) for each in (of_sides, of_groups, of_scores))
        is_ratio = pl.col("metric").is_in(["di", "mh_ratio"])
        true = pl.when(is_ratio).then(1.0).otherwise(0.0)
        held = true.is_between(pl.col("lower") - _ROUNDING, pl.col("upper") + _ROUNDING)
        shares = audits.group_by("metric", maintain_order=True).agg(
            held=100 * held.drop_nulls().mean(),
            without=100 * pl.col("lower").null_count() / pl.len(),
        )
        texts = [
            f"none in {percent(without)}" if without else percent(held)
            for _, held, without in shares.iter_rows()
        ]
        found.append((shape.name, *texts))
    columns = ["clusters, correlation, sides", *shares["metric"]]
    return table("Coverage of intervals over clusters", columns, found)


# Ends of the five labels of a score, and how much higher the scores of d are.
_ENDS: Final = (-0.45, 0.25, 0.95, 1.65)
_HIGHER: Final = 0.5


def distances(sets: int) -> str:
    found = []
    shapes = product((20, 100, 5_000), (0.0, 0.3), (False, True), (0.0, _HIGHER))
    for number, correlation, straddle, higher in shapes:
        shape = Clusters(number, correlation, unequal=False, straddle=straddle)
        score = pl.col("score") + pl.when(pl.col("side") == "d").then(higher).otherwise(0)
        rows = shape.drawn(range(sets)).with_columns(score)
        rows = rows.with_columns(
            five=pl.sum_horizontal(pl.col("score") > end for end in _ENDS).cast(pl.String),
            chance=(1 / (1 + (-pl.col("score")).exp())).round(2),
        )
        few = rows.filter(pl.col("data_set") < 2 * sets // 5)
        sides: dict[str, Any] = {
            "facet": "side",
            "disfavored": "d",
            "by": "data_set",
            "cluster": "cluster",
            "replicates": 300,
        }
        scored: tuple[str, ...] = ("score_ks", "score_wasserstein")
        audits = [pf.audit(rows, *OF_LABELS, label="five", **sides)]
        if higher:
            audits.append(pf.audit(few, *scored, score="score", **sides))
        else:
            decided = ("average_abs_odds_difference", "ge_between")
            audits.append(pf.audit(rows, *decided, label="label", predicted="accepted", **sides))
            scored = (*scored, "abroca", "auc_gap", "brier_gap", "ece_gap")
            audits.append(pf.audit(few, *scored, label="label", score="chance", **sides))
        columns = ["metric", "ideal", "lower", "upper"]
        both = pl.concat(each.select(columns) for each in audits)
        true = pl.col("metric").replace_strict(_distances_apart() if higher else {}, default=0.0)
        shares = coverage(both.with_columns(true=true.cast(pl.Float64)))
        name = f"{shape.name}, {'apart' if higher else 'alike'}"
        found += [(name, metric, held) for _, metric, held, *_ in lines(name, shares)]
    return wide("Coverage of distances over clusters", found)


def _distances_apart() -> dict[str, float]:
    """The true distances where the scores of d are higher."""
    normal = NormalDist()

    def below(score: float) -> float:
        return 0.6 * normal.cdf(score) + 0.4 * normal.cdf(score - 1)

    p, q = (np.diff([0, *(below(end - higher) for end in _ENDS), 1]) for higher in (0.0, _HIGHER))
    scores = np.arange(-50, 60) / 10 - 0.05
    return {
        "tvd": float(abs(p - q).sum() / 2),
        "ks": float(abs(p - q).max()),
        "lp": float(np.sqrt(((p - q) ** 2).sum())),
        "kl": float((p * np.log(p / q)).sum()),
        "js": float(sum((each * np.log(2 * each / (p + q))).sum() for each in (p, q)) / 2),
        "score_wasserstein": _HIGHER,
        "score_ks": max(abs(below(each) - below(each - _HIGHER)) for each in scores),
    }


def probabilities(sets: int) -> str:
    found = []
    shapes = product((500, 5_000, 50_000), (2, 6), (0.2, 0.5, 0.9), (0.01, 0.05, 0.4))
    for shape in (Uncertain(*each) for each in shapes):
        held: dict[str, tuple[float, float]] = {}
        facet = pf.probabilities("group", shape.columns)
        sides: dict[str, Any] = {
            "facet": facet,
            "disfavored": "group 0",
            "favored": "group 1",
            "by": "data_set",
        }
        number = sets // 2 if shape.rows > 5_000 else sets
        rows = shape.drawn(range(number))
        for estimator, outcome in (("linear", "by_group"), ("weighted", "by_probability")):
            d, a, *_ = shape.rates[outcome]
            sides |= {"predicted": outcome, "estimator": estimator}
            audit = pf.audit(rows, "dppl", "di", **sides)
            true = pl.when(pl.col("metric") == "di").then(d / a).otherwise(a - d)
            is_held = true.is_between("lower", "upper")
            shares = audit.group_by("metric", maintain_order=True).agg(
                held=100 * is_held.drop_nulls().mean(),
                none=100 * pl.col("lower").null_count() / pl.len(),
            )
            held |= {f"{estimator} {name}": (share, none) for name, share, none in shares.rows()}
        texts = ["none" if none > 50 else f"{percent(share)}" for share, none in held.values()]
        found.append((shape.name, *texts))
    title = "Coverage where groups are known in probability"
    return table(title, ["rows, groups, separation, rate", *held], found)


def numbers(sets: int) -> str:
    names = (
        *("observed_difference", "observed_ratio", "observed_smd", "residual_difference"),
        *("actual_to_expected_ratio", "mae_difference", "mae_ratio", "rmse_difference"),
        *("rmse_ratio", "correlation_difference", "r2_difference"),
    )
    sizes = ((50, 50), (50, 500), (500, 500), (500, 5_000), (5_000, 5_000))
    few = [(of_d, 1_000) for of_d in (30, 100)]
    shapes = [
        *product(("normal", "log-normal", "zero-heavy"), sizes),
        *product(("log-normal", "claims of 10 %", "claims of 5 %"), few),
    ]
    found = []
    for kind, (of_d, of_a) in shapes:
        shape = Amounts(of_d, of_a, kind)
        audit = pf.audit(
            shape.drawn(range(sets)),
            *names,
            facet="sex",
            disfavored="F",
            observed="claim",
            estimated="price",
            by="data_set",
        )
        held = (
            audit.filter(pl.col("lower").is_not_null())
            .group_by("metric")
            .agg(held=100 * pl.col("ideal").is_between("lower", "upper").mean())
        )
        shares = dict(held.iter_rows())
        found.append((shape.name, *(percent(shares[name]) for name in names)))
    return table("Coverage of numbers", ["sides", *names], found)


def models_of_numbers(sets: int) -> str:
    names = (
        *("estimate_difference", "residual_difference", "mae_difference", "rmse_difference"),
        *("rmse_ratio", "correlation_difference", "r2_difference"),
    )
    found = []
    for kind, of_d, of_a in (
        *(("log-normal", 50, 500), ("log-normal", 500, 500)),
        *(("normal", 50, 500), ("zero-heavy", 100, 1_000)),
    ):
        shape = Amounts(of_d, of_a, kind)
        rows = shape.drawn(range(sets))
        factor = 1 + np.random.default_rng(1).normal(0, 0.1, rows.height)
        audit = pf.audit(
            rows.with_columns(challenger=pl.col("price") * factor),
            *names,
            facet="sex",
            disfavored="F",
            observed="claim",
            estimated={"champion": "price", "challenger": "challenger"},
            champion="champion",
            by="data_set",
        )
        lower, upper = pl.col("difference_lower"), pl.col("difference_upper")
        of_metrics = (
            audit.filter(pl.col("model") == "challenger", lower.is_not_null())
            .group_by("metric")
            .agg(
                held=100 * pl.lit(0).is_between(lower, upper).mean(),
                width=(upper - lower).median() / (2 * 1.96 * pl.col("difference").std()),
            )
        )
        texts = {name: f"{percent(held)}, {width:.2f}" for name, held, width in of_metrics.rows()}
        found.append((shape.name, *(texts[name] for name in names)))
    title = "Coverage of differences of two models of numbers, and widths by how they vary"
    return table(title, ["sides", *names], found)


def pages(sets: int) -> str:
    found = []
    settings = {
        "everyone else": of_facets(1_000),
        "the highest": of_facets(1_000, favored=pf.HIGHEST),
    }
    for beside, setting in settings.items():
        reports = (
            pf.report(setting.drawn(each), **setting.question, count="n")
            for each in ones(sets // 4)
        )
        sure = ["not by chance" in report.to_markdown() for report in reports]
        found.append((f"1,000 rows, beside {beside}", percent(100 * float(np.mean(sure)))))
    title = "Reports of fair data: three facets of five groups, 10 % accepted, all metrics"
    return table(title, ["data", 'says "not by chance"'], found)


TABLES: Final[dict[str, Callable[[int], str]]] = {
    each.__name__: each
    for each in (
        *(values, closed_forms, maxima, ideal, few),
        *(
            baselines,
            contrasts,
            power,
            references,
            flags,
            clusters,
            distances,
            probabilities,
            numbers,
            models_of_numbers,
            pages,
        ),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], metavar="table")
    given = parser.parse_args()
    for name in given.tables or TABLES:
        start = time.perf_counter()
        print(TABLES[name](given.data_sets))
        print(f"\n{given.data_sets} data sets, {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()

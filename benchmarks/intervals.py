"""Measure the coverage of intervals: ``python benchmarks/intervals.py``.

Many data sets are simulated from known true metrics. The coverage is the share of intervals that
contain the true value; it should be 95 % for intervals of 95 %.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
import polars as pl
from markdown_tables import table

import polars_fairness as pf

Method = Literal["bootstrap", "newcombe", "log", "delong"]

METRICS = ("dppl", "di", "rd", "cddpl")
OF_GROUPS = (
    *("selection_rate_gap", "selection_rate_ratio", "equalized_odds_gap"),
    *("fpsf", "spsf", "differential_fairness"),
)
OF_STRATA = ("cddpl", "mh_odds_ratio")
OF_AUCS = ("auc_difference", "xauc_difference", "bpsn_auc", "bnsp_auc")
OF_DISTANCES = (
    *("abroca", "score_ks", "score_wasserstein"),
    *("auc_gap", "brier_gap", "ece_gap", "miscalibration"),
)
OF_SCORES = (
    *(*OF_AUCS, "abroca", "calibration_difference", "smd", "brier_difference"),
    *("score_difference", "balance_positive", "balance_negative"),
    *("score_ks", "score_wasserstein", "score_wasserstein_positive", "score_wasserstein_negative"),
    *("auc_gap", "brier_gap", "ece_gap", "miscalibration"),
)
QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "predicted": "p",
    "subgroup": "branch",
    "count": "n",
}
# The share of each branch; for each sex the base rate, the true and the false positive rate.
BRANCHES = {"north": 0.4, "south": 0.3, "east": 0.2, "west": 0.1}
CHANCES = {"F": (0.50, 0.65, 0.30), "M": (0.60, 0.75, 0.35)}

BY_SCORE: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "score": "score",
    "count": "n",
}
# Of each sex, the exponents of the density of its scores, a Beta distribution, and the number that
# the logarithm of the odds of a score is multiplied by, for the odds of a positive label.
SCORES = {"F": (1, 2, 0.6), "M": (2, 1, 1.6)}

# Cells of all data sets that are audited at once.
_AT_ONCE = 100_000


def probabilities(minority: float) -> pl.DataFrame:
    """Return the probability of each kind of row; later branches have lower rates."""
    rows = []
    for (sex, share), (i, (branch, size)) in product(
        (("F", minority), ("M", 1 - minority)), enumerate(BRANCHES.items())
    ):
        base, right, wrong = (chance - 0.05 * i for chance in CHANCES[sex])
        for y, p in product((True, False), repeat=2):
            accepted = right if y else wrong
            chance = (base if y else 1 - base) * (accepted if p else 1 - accepted)
            rows.append((sex, branch, y, p, share * size * chance))
    return pl.DataFrame(rows, schema=["sex", "branch", "y", "p", "probability"], orient="row")


def probabilities_by_score(like: Sequence[str] = ("F", "M"), scores: int = 20) -> pl.DataFrame:
    """Return the probability of each kind of row; scores say too much of F and too little of M."""
    score = (np.arange(scores) + 0.5) / scores
    rows = []
    for sex, (low, high, slope) in zip(("F", "M"), map(SCORES.__getitem__, like), strict=True):
        density = score**low * (1 - score) ** high
        base = 1 / (1 + (1 / score - 1) ** slope)
        for y, chance in ((True, base), (False, 1 - base)):
            probability = density / density.sum() * chance / 2
            rows += [(sex, y, *pair) for pair in zip(score, probability, strict=True)]
    return pl.DataFrame(rows, schema=["sex", "y", "score", "probability"], orient="row")


def truth(
    kinds: pl.DataFrame, metrics: Sequence[str] = METRICS, question: dict[str, Any] = QUESTION
) -> dict[str, float]:
    """Return the true metrics: of so many rows that chance does not matter."""
    population = kinds.with_columns(n=(pl.col("probability") * 1e12).round().cast(pl.Int64))
    return pf.metrics(population, *metrics, **question).select(metrics).row(0, named=True)


def samples(kinds: pl.DataFrame, people: int, sets: int, seed: int) -> Iterator[pl.DataFrame]:
    """Draw data sets as counts, some data sets at a time.

    With a column ``part``, each part has ``people`` rows; otherwise each data set has.
    """
    random = np.random.default_rng(seed)
    parts = kinds.partition_by("part", maintain_order=True) if "part" in kinds.columns else [kinds]
    at_once = max(1, _AT_ONCE // kinds.height)
    for first in range(0, sets, at_once):
        numbers = pl.Series("sample", range(first, min(first + at_once, sets)))
        drawn = [
            random.multinomial(people, part["probability"].to_numpy(), size=len(numbers))
            for part in parts
        ]
        yield (
            numbers.to_frame()
            .join(pl.concat(parts), how="cross", maintain_order="left_right")
            .with_columns(n=pl.Series(np.hstack(drawn).ravel()))
        )


def held(audits: Iterator[pl.DataFrame], known: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Return the coverage of each metric, and the share of verdicts that name a side or outside."""
    verdicts = ("fair", "uncertain", "undefined")
    rows = pl.concat(
        audit.select(
            "metric",
            held=pl.col("metric")
            .replace_strict(known, return_dtype=pl.Float64)
            # A true value at the bound itself may differ in the last digits.
            .is_between(pl.col("lower") - 1e-12, pl.col("upper") + 1e-12),
            judged=~pl.col("verdict").is_in(verdicts),
        )
        for audit in audits
    )
    shares = rows.group_by("metric").agg(pl.col("held", "judged").mean())
    return {name: (of_held, of_judged) for name, of_held, of_judged in shares.iter_rows()}


def covered(
    minority: float, people: int, sets: int, method: Method, seed: int = 0
) -> dict[str, float]:
    """Return the coverage of intervals of comparisons of two sides."""
    kinds = probabilities(minority)
    audits = (
        pf.audit(counts, *METRICS, by="sample", method=method, **QUESTION)
        for counts in samples(kinds, people, sets, seed)
    )
    return {name: share for name, (share, _) in held(audits, truth(kinds)).items()}


def of_groups(
    groups: int, rows: int, gap: float, sets: int, *, conjunctions: bool = False, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Return the coverage of intervals of maxima whose true value is the edge of the band.

    Groups have ``rows`` rows each, and selection rates evenly spaced around 0.4. Half of each group
    has a positive label, and acceptance does not depend on the label. With conjunctions, the groups
    are values and pairs of values of two attributes of three values, all with one rate.
    """
    p = np.linspace(0.4 - gap / 2, 0.4 + gap / 2, groups)
    kinds = pl.DataFrame(
        [
            (str(i), str(i % 3), str(i // 3), y, accepted, chance / 2)
            for i, rate in enumerate(p)
            for y in (True, False)
            for accepted, chance in ((True, rate), (False, 1 - rate))
        ],
        schema=["part", "one", "other", "y", "p", "probability"],
        orient="row",
    )
    farthest = float(np.abs(p - p.mean()).max()) / groups
    low, high = float(p.min()), float(p.max())
    apart = float(np.log([high / low, (1 - low) / (1 - high)]).max())
    known = {
        "selection_rate_gap": gap,
        "selection_rate_ratio": low / high,
        "equalized_odds_gap": gap,
        "fpsf": farthest / 2,
        "spsf": farthest,
        "differential_fairness": apart,
    }
    bands = {name: (0.0, value) for name, value in known.items()}
    bands["selection_rate_ratio"] = (low / high, 1.0)
    facets = ["one", "other"] if conjunctions else "part"
    metrics: Sequence[Any] = (
        [getattr(pf, name)(groups="conjunctions") for name in OF_GROUPS]
        if conjunctions
        else OF_GROUPS
    )
    question: dict[str, Any] = {
        "facet": facets,
        "label": "y",
        "predicted": "p",
        "count": "n",
        "by": "sample",
    }
    audits = (
        pf.audit(counts, *metrics, bands=bands, **question)
        for counts in samples(kinds, rows, sets, seed)
    )
    return held(audits, known)


def of_strata(strata: int, rows: int, sets: int, seed: int = 0) -> dict[str, float]:
    """Return the coverage of intervals of conditional metrics where there is no disparity."""
    kinds = pl.DataFrame(
        [
            (i, sex, p, share * (0.45 if p else 0.55))
            for i in range(strata)
            for sex, share in (("F", 0.4), ("M", 0.6))
            for p in (True, False)
        ],
        schema=["part", "sex", "p", "probability"],
        orient="row",
    )
    question: dict[str, Any] = {
        "facet": "sex",
        "disfavored": "F",
        "predicted": "p",
        "subgroup": "part",
    }
    audits = (
        pf.audit(counts, *OF_STRATA, by="sample", count="n", **question)
        for counts in samples(kinds, rows, sets, seed)
    )
    known = {"cddpl": 0.0, "mh_odds_ratio": 1.0}
    return {name: share for name, (share, _) in held(audits, known).items()}


def of_scores(
    people: int,
    sets: int,
    method: Method = "bootstrap",
    metrics: Sequence[str] = OF_SCORES,
    like: Sequence[str] = ("F", "M"),
    **options: Any,
) -> dict[str, float]:
    """Return the coverage of intervals of metrics of scores; of two sides like F, all are alike."""
    kinds = probabilities_by_score(like)
    audits = (
        pf.audit(counts, *metrics, by="sample", method=method, **BY_SCORE, **options)
        for counts in samples(kinds, people, sets, seed=0)
    )
    known = truth(kinds, metrics, BY_SCORE)
    return {name: share for name, (share, _) in held(audits, known).items()}


def of_rare_outcomes(sets: int, seed: int = 0) -> float:
    """Return the coverage of `dppl` of the largest of 150 groups, whose sizes follow Zipf's law."""
    random = np.random.default_rng(seed)
    sizes = np.ceil(1_500 / np.arange(1, 151)).astype(int)
    found = []
    for _ in range(sets):
        accepted = random.binomial(sizes, 0.01)
        counts = pl.concat(
            pl.DataFrame({"g": range(150), "p": [p] * 150, "n": n})
            for p, n in ((1, accepted), (0, sizes - accepted))
        )
        audit = pf.audit(counts, "dppl", facet="g", disfavored=0, predicted="p", count="n")
        found.append(audit.select(pl.lit(0).is_between("lower", "upper")).item())
    return float(np.mean(found))


def seconds() -> float:
    """Return the time of an audit of the whole catalogue: 1,000 draws of 160 cells."""
    kinds = probabilities(0.5).with_columns(n=pl.lit(50))
    cells = pl.concat(
        kinds.with_columns(branch=pl.format("{} {}", "branch", pl.lit(i))) for i in range(5)
    )
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        pf.audit(cells, **QUESTION)
        taken.append(time.perf_counter() - start)
    return min(taken)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def main(sets: int = 2_000) -> None:
    print(f"All metrics of 160 cells, 1,000 draws: {seconds():.2f} s")
    lines = []
    methods: tuple[Method, ...] = ("bootstrap", "newcombe", "log")
    for method, minority, people in product(methods, (0.5, 0.05), (500, 5_000)):
        shares = covered(minority, people, sets, method)
        measured = [_percent(shares[name]) for name in METRICS]
        lines.append([method, f"{people:,}", f"{100 * minority:g} %", *measured])
    columns = ["method", "rows", "minority", *(f"`{name}`" for name in METRICS)]
    print(table(f"Coverage of 95 % intervals, {sets:,} data sets each", columns, lines))
    lines = []
    for groups, rows, gap in product((2, 10, 50, 300), (50, 200, 500), (0.0, 0.02, 0.2)):
        found = of_groups(groups, rows, gap, sets)
        lines.append(
            [str(groups), str(rows), f"{gap:g}"]
            + [f"{_percent(found[name][0])}, {_percent(found[name][1])}" for name in OF_GROUPS]
        )
    found = of_groups(9, 100, 0.0, sets, conjunctions=True)
    lines.append(
        ["15 conjunctions", "100 to 300", "0"]
        + [f"{_percent(found[name][0])}, {_percent(found[name][1])}" for name in OF_GROUPS]
    )
    columns = ["groups", "rows each", "gap", *(f"`{name}`" for name in OF_GROUPS)]
    print(
        table("Coverage, and share of verdicts `outside` at the edge of the band", columns, lines)
    )
    lines = []
    for strata, rows in ((4, 250), (50, 20), (200, 5)):
        shares = of_strata(strata, rows, sets)
        lines.append([str(strata), str(rows), *(_percent(shares[name]) for name in OF_STRATA)])
    columns = ["strata", "rows each", *(f"`{name}`" for name in OF_STRATA)]
    print(table("Coverage of conditional metrics", columns, lines))
    lines = []
    kinds_of_intervals: list[tuple[Method, Sequence[str], str, Sequence[str]]] = [
        ("bootstrap", ("F", "M"), "", OF_SCORES),
        ("bootstrap", ("F", "F"), ", no disparity", OF_DISTANCES),
        ("delong", ("F", "M"), "", OF_AUCS),
    ]
    for method, like, note, metrics in kinds_of_intervals:
        of_sizes = [of_scores(people, sets, method, metrics, like) for people in (500, 5_000)]
        lines += [
            [f"`{name}`", f"{method}{note}", *(_percent(shares[name]) for shares in of_sizes)]
            for name in metrics
        ]
    columns = ["metric", "method", "500 rows", "5,000 rows"]
    print(table("Coverage of metrics of scores", columns, lines))
    print(f"150 groups of Zipf's sizes, a rate of 1 %: {_percent(of_rare_outcomes(2_000))}")


if __name__ == "__main__":
    main()

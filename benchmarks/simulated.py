"""Data sets drawn from chances that are known, so that the truth about them is known too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

import polars_fairness as pf

BY_SEX: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "favored": "M"}
DECIDED: Final[dict[str, Any]] = {"label": "y", "predicted": "p"}

# The share of each branch; for each sex the base rate, the true and the false positive rate.
BRANCHES: Final = {"north": 0.4, "south": 0.3, "east": 0.2, "west": 0.1}
CHANCES: Final = {"F": (0.50, 0.65, 0.30), "M": (0.60, 0.75, 0.35)}

# Of each side, the exponents of the density of its scores, a Beta distribution, and the number that
# the logarithm of the odds of a score is multiplied by, for the odds of a positive label. The
# scores of C are calibrated.
SCORES: Final = {"F": (1, 2, 0.6), "M": (2, 1, 1.6), "C": (1, 2, 1)}

# Cells of all data sets that are audited at once.
_AT_ONCE: Final = 100_000


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A kind of data sets: the ``chance`` of each kind of row, how many rows, and the question.

    With a column ``part``, each part has ``rows`` rows; otherwise each data set has.
    """

    kinds: pl.DataFrame
    rows: int
    question: dict[str, Any]
    champion: str | None = None

    def drawn(self, numbers: range, seed: int = 0, rows: int | None = None) -> pl.DataFrame:
        """Return the counts of some data sets; the same number is the same data set."""
        parts = self.kinds.partition_by("part") if "part" in self.kinds.columns else [self.kinds]
        chances = [part["chance"].to_numpy() / part["chance"].sum() for part in parts]
        counts = [
            random.multinomial(rows or self.rows, each)
            for random in (np.random.default_rng((seed, number)) for number in numbers)
            for each in chances
        ]
        cells = pl.DataFrame({"data_set": numbers}).join(
            pl.concat(parts), how="cross", maintain_order="left_right"
        )
        return cells.with_columns(n=pl.Series(np.concatenate(counts)))

    def audited(
        self, sets: int, *metrics: str | pf.Metric, baseline: int = 0, **options: Any
    ) -> pl.DataFrame:
        """Audit data sets, each beside a baseline of its own if that has rows."""
        audits = []
        for numbers in self._some_at_once(sets):
            if baseline:
                beside = self.drawn(numbers, seed=1, rows=baseline)
                options |= {"baseline": beside, "baseline_count": "n"}
            q = pf.of(self.drawn(numbers), **self.question, by="data_set", count="n")
            audits.append(q.audit(*metrics, champion=self.champion, **options))
        return self.beside_truth(pl.concat(audits), *metrics)

    def audited_after_a_month(self, sets: int, *metrics: str, rows: int) -> pl.DataFrame:
        """Audit data sets as windows; each comes after a window of so many rows."""
        before, after = self.drawn(range(sets), seed=1, rows=rows), self.drawn(range(sets))
        windows = pl.concat(
            each.with_columns(window=2 * pl.col("data_set") + is_after)
            for is_after, each in enumerate((before, after))
        )
        q = pf.of(windows, **self.question, by="window", count="n")
        audits = q.audit(*metrics, baseline="previous")
        return self.beside_truth(audits.filter(pl.col("window") % 2 == 1), *metrics)

    def beside_truth(self, audits: pl.DataFrame, *metrics: str | pf.Metric) -> pl.DataFrame:
        """Add ``true`` and ``true_difference``: those of so many rows that chance is nothing."""
        population = self.kinds.with_columns(n=(pl.col("chance") * 1e12).round().cast(pl.Int64))
        q = pf.of(population, **self.question, count="n")
        true = q.audit(*metrics, champion=self.champion, confidence=None)
        difference = pl.col("difference") if "difference" in true.columns else pl.lit(0.0)
        keys = [name for name in ("model", "metric") if name in audits.columns]
        # Groups that are compared one by one are alike, so that any of them has the true value.
        known = true.select(*keys, true="value", true_difference=difference).unique(
            keys, keep="first"
        )
        return audits.join(known, on=keys, how="left", maintain_order="left")

    def _some_at_once(self, sets: int) -> Iterator[range]:
        size = max(1, _AT_ONCE // self.kinds.height)
        return (range(first, min(first + size, sets)) for first in range(0, sets, size))


def of_sexes(rows: int, minority: float = 0.5, like: str = "FM") -> Setting:
    """Return data sets of two sexes, whose rates are like these; later branches have lower ones."""
    kinds = []
    sexes = zip("FM", like, (minority, 1 - minority), strict=True)
    for (sex, rates, share), (i, (branch, size)) in product(sexes, enumerate(BRANCHES.items())):
        base, right, wrong = (chance - 0.05 * i for chance in CHANCES[rates])
        for y, p in product((True, False), repeat=2):
            accepted = right if y else wrong
            chance = (base if y else 1 - base) * (accepted if p else 1 - accepted)
            kinds.append((sex, branch, y, p, share * size * chance))
    columns = ["sex", "branch", "y", "p", "chance"]
    return Setting(
        pl.DataFrame(kinds, schema=columns, orient="row"),
        rows,
        {**BY_SEX, **DECIDED, "subgroup": "branch"},
    )


def of_groups(rows: int, rates: Sequence[float], shares: Sequence[float] = ()) -> Setting:
    """Return data sets of groups that are accepted at such rates, of equal shares if none is given.

    Half of each group has a positive label, and acceptance does not depend on it.
    """
    kinds = [
        (f"{i:03}", y, p, chance * share / 2)
        for i, (rate, share) in enumerate(
            zip(rates, shares or [1 / len(rates)] * len(rates), strict=True)
        )
        for y in (True, False)
        for p, chance in ((True, rate), (False, 1 - rate))
    ]
    columns = ["group", "y", "p", "chance"]
    return Setting(
        pl.DataFrame(kinds, schema=columns, orient="row"), rows, {"facet": "group", **DECIDED}
    )


def of_groups_apart(groups: int, rows: int, gap: float) -> Setting:
    """Return data sets of groups of so many rows each, with rates evenly spaced around 0.4."""
    setting = of_groups(rows, np.linspace(0.4 - gap / 2, 0.4 + gap / 2, groups).tolist())
    return replace(setting, kinds=setting.kinds.with_columns(part="group"))


def of_rare_outcomes(rows: int, groups: int) -> Setting:
    """Return data sets of groups whose sizes follow Zipf's law, 1 % accepted, and the largest."""
    sizes = [1 / i for i in range(1, groups + 1)]
    setting = of_groups(rows, [0.01] * groups, [size / sum(sizes) for size in sizes])
    return replace(setting, question={**setting.question, "disfavored": "000"})


def of_strata(strata: int, rows: int) -> Setting:
    """Return data sets of two sexes in strata of so many rows each, without a disparity."""
    kinds = [
        (i, sex, p, share * (0.45 if p else 0.55) / strata)
        for i, (sex, share) in product(range(strata), (("F", 0.4), ("M", 0.6)))
        for p in (True, False)
    ]
    return Setting(
        pl.DataFrame(kinds, schema=["part", "sex", "p", "chance"], orient="row"),
        rows,
        {**BY_SEX, "predicted": "p", "subgroup": "part"},
    )


def of_labels(rows: int, labels: int) -> Setting:
    """Return data sets of two sexes that have each label equally often."""
    kinds = [(sex, str(i), 0.5 / labels) for sex, i in product("FM", range(labels))]
    return Setting(
        pl.DataFrame(kinds, schema=["sex", "y", "chance"], orient="row"),
        rows,
        {**BY_SEX, "label": "y"},
    )


def of_scores(rows: int, like: str = "FM", minority: float = 0.5, scores: int = 20) -> Setting:
    """Return data sets of two sexes, whose scores are like these of `SCORES`."""
    score = (np.arange(scores) + 0.5) / scores
    kinds = []
    for sex, kind, share in zip("FM", like, (minority, 1 - minority), strict=True):
        low, high, slope = SCORES[kind]
        density = score**low * (1 - score) ** high
        base = 1 / (1 + (1 / score - 1) ** slope)
        for y, chance in ((True, base), (False, 1 - base)):
            of_each = density / density.sum() * chance * share
            kinds += [(sex, y, *pair) for pair in zip(score, of_each, strict=True)]
    return _scored(kinds, rows)


def of_separated(rows: int, wrong: float = 0.004) -> Setting:
    """Return data sets whose scores separate the labels, apart from a share of wrong rows."""
    kinds = [
        (sex, y, score / 20, (1 - wrong if (score > 10) == y else wrong) / 40)
        for sex, y, score in product("FM", (True, False), np.arange(20) + 0.5)
    ]
    return _scored(kinds, rows)


def _scored(kinds: Sequence[tuple[Any, ...]], rows: int) -> Setting:
    return Setting(
        pl.DataFrame(kinds, schema=["sex", "y", "score", "chance"], orient="row"),
        rows,
        {**BY_SEX, "label": "y", "score": "score"},
    )


def of_models(rows: int, old: float, new: float, groups: int) -> Setting:
    """Return data sets that two models decide at these rates, neither by the group."""
    return _of_both(rows, old, [(new, 1 - new)] * groups)


def of_alike_models(rows: int, old: float, switched: Sequence[float]) -> Setting:
    """Return data sets in which a share of each group has the opposite decision of a new model."""
    return _of_both(rows, old, [(1 - share, 1 - share) for share in switched])


def _of_both(rows: int, old: float, new: Sequence[tuple[float, float]]) -> Setting:
    """Return data sets; ``new`` is how likely each group is accepted, and rejected, by both."""
    outcomes = list(product((True, False), repeat=3))
    kinds = []
    for i, (both, neither) in enumerate(new):
        for y, p, q in outcomes:
            stays = both if p else neither
            chance = (old if p else 1 - old) * (stays if p == q else 1 - stays)
            kinds.append((f"{i:03}", y, p, q, chance / 2 / len(new)))
    models = {"old": "old", "new": "new"}
    columns = ["group", "y", "old", "new", "chance"]
    return Setting(
        pl.DataFrame(kinds, schema=columns, orient="row"),
        rows,
        {"facet": "group", "label": "y", "predicted": models},
        champion="old",
    )


def of_facets(rows: int, **options: Any) -> Setting:
    """Return data sets of three facets of five groups, 10 % of each accepted."""
    facets = ["age", "race", "region"]
    kinds = [
        (*names, y, p, (0.1 if p else 0.9) / 250)
        for *names, y, p in product("ABCDE", "ABCDE", "ABCDE", (True, False), (True, False))
    ]
    return Setting(
        pl.DataFrame(kinds, schema=[*facets, "y", "p", "chance"], orient="row"),
        rows,
        {"facet": facets, **DECIDED, **options},
    )


@dataclass(frozen=True)
class Clusters:
    """Data sets whose rows belong together, without a difference between sides or groups.

    The chances of clusters have a Beta distribution, so that two rows of one cluster correlate. Of
    clusters that straddle, half of the rows are of side d, else each is of one side; of ten groups,
    likewise. Side d is in half of the clusters, or in ``of_d`` of them.
    """

    number: int
    correlation: float
    unequal: bool
    straddle: bool
    of_d: int | None = None

    @property
    def name(self) -> str:
        """What the data sets are, in words."""
        sizes = "unequal" if self.unequal else "equal"
        where = "straddling" if self.straddle else "inside"
        of_d = "" if self.of_d is None else f", d in {self.of_d}"
        return f"{self.number:,} {sizes}, {self.correlation:g}, {where}{of_d}"

    def drawn(self, numbers: range) -> pl.DataFrame:
        """Return the rows of some data sets; the same number is the same data set."""
        return pl.concat(self._drawn(number) for number in numbers)

    def _drawn(self, number: int) -> pl.DataFrame:
        random = np.random.default_rng(number)
        rows = 8_000 if self.number > 1_000 else 40 * self.number
        cluster = np.arange(rows) % self.number
        if self.unequal:
            sizes = random.lognormal(0, 1, self.number)
            cluster = random.choice(self.number, rows, p=sizes / sizes.sum())
        half = random.random(rows) < 0.5
        of_d = self.number // 2 if self.of_d is None else self.of_d
        has_d = (random.permutation(self.number) < of_d)[cluster]
        is_d = has_d & half if self.straddle and self.of_d else half if self.straddle else has_d
        group = random.integers(10, size=rows)
        if not self.straddle:
            group = (random.permutation(self.number) % 10)[cluster]
        label = random.random(rows) < self._chances(random, 0.4)[cluster]
        accepted = random.random(rows) < self._chances(random, 0.3)[cluster]
        mild = random.normal(0, np.sqrt(self.correlation), self.number)[cluster]
        score = mild + label + random.normal(0, np.sqrt(1 - self.correlation), rows)
        return pl.DataFrame(
            {
                "data_set": np.full(rows, number),
                "cluster": cluster + number * 100_003,
                "side": np.where(is_d, "d", "a"),
                "group": group,
                "stratum": random.integers(3, size=rows),
                "label": label,
                "accepted": accepted,
                "score": score.round(1),
            }
        )

    def _chances(self, random: np.random.Generator, mean: float) -> Any:
        if not self.correlation:
            return np.full(self.number, mean)
        of_both = 1 / self.correlation - 1
        return random.beta(mean * of_both, (1 - mean) * of_both, self.number)


@dataclass(frozen=True)
class Uncertain:
    """Data sets of groups known in probability, with 1.3 times the rate in the first.

    Probabilities have a Dirichlet distribution. In ``by_group`` the outcome depends on the group
    alone, which the linear estimator assumes, and in ``by_probability`` on the probabilities alone,
    which the weighted one does.
    """

    rows: int
    groups: int
    separation: float
    rate: float

    @property
    def name(self) -> str:
        """What the data sets are, in words."""
        return f"{self.rows:,} rows, {self.groups} groups, {self.separation:g}, {self.rate:.0%}"

    @property
    def columns(self) -> dict[str, str]:
        """The column of each group."""
        return {f"group {group}": f"p{group}" for group in range(self.groups)}

    @property
    def _shares(self) -> Floats:
        return np.array([0.3, 0.7] if self.groups == 2 else [0.3, 0.2, 0.15, 0.15, 0.1, 0.1])

    @property
    def _rates(self) -> Floats:
        return self.rate * np.array([1.3] + [1.0] * (self.groups - 1))

    @property
    def rates(self) -> dict[str, Floats]:
        """The rate of each group that each estimator is to find."""
        shares, known = self._shares, self.separation
        # The mean products of two probabilities, where Var(p) is that share of p(1 − p).
        products = (1 - known) * np.outer(shares, shares) + known * np.diag(shares)
        return {"by_group": self._rates, "by_probability": products @ self._rates / shares}

    def drawn(self, numbers: range) -> pl.DataFrame:
        """Return the rows of some data sets; the same number is the same data set."""
        return pl.concat(self._drawn(number) for number in numbers)

    def _drawn(self, number: int) -> pl.DataFrame:
        random = np.random.default_rng(number)
        p = random.dirichlet(self._shares * (1 / self.separation - 1), self.rows)
        group = (p.cumsum(axis=1) > random.random((self.rows, 1))).argmax(axis=1)
        drawn = random.random(self.rows)
        return pl.DataFrame(
            {
                "data_set": np.full(self.rows, number),
                **{name: p[:, i] for i, name in enumerate(self.columns.values())},
                "by_group": drawn < self._rates[group],
                "by_probability": drawn < p @ self._rates,
            }
        )


@dataclass(frozen=True)
class Amounts:
    """Data sets of prices and claims of two sides, which are distributed alike.

    ``kind`` is normal, log-normal, or log-normal with numbers that are 0: seven of ten if it is
    zero-heavy, and of claims all but 5 or 10 %.
    """

    of_d: int
    of_a: int
    kind: str

    @property
    def name(self) -> str:
        """What the data sets are, in words."""
        return f"{self.kind}, {self.of_d:,} beside {self.of_a:,}"

    def drawn(self, numbers: range) -> pl.DataFrame:
        """Return the rows of some data sets; the same number is the same data set."""
        return pl.concat(self._drawn(number) for number in numbers)

    def _drawn(self, number: int) -> pl.DataFrame:
        random = np.random.default_rng(number)
        rows = self.of_d + self.of_a
        if self.kind == "normal":
            claim, noise = random.normal(10, 2, rows), random.normal(0, 1, rows)
        else:
            claim, noise = random.lognormal(2, 1, rows), random.lognormal(1, 1, rows)
        shares = {"zero-heavy": 0.3, "claims of 10 %": 0.1, "claims of 5 %": 0.05}
        claim *= random.random(rows) < shares.get(self.kind, 1.0)
        return pl.DataFrame(
            {
                "data_set": np.full(rows, number),
                "sex": np.repeat(["F", "M"], [self.of_d, self.of_a]),
                "claim": claim,
                "price": 0.7 * claim + noise,
            }
        )

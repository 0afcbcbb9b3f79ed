"""Every metric in plain Python, row by row, from the catalogue's text: slow, exact, independent.

Counts are fractions, so a denominator is 0 only where it is 0. `None` means undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations

Value = Fraction | float | None
Formula = Callable[["Case"], Value]

UNBOUNDED = frozenset(
    {"di", "success_ratio", "mh_odds_ratio", "te", "te_inverse", "dcacc", "dcr", "kl"}
)


@dataclass(frozen=True)
class Row:
    """One individual: who, what was observed, what was predicted, in which stratum."""

    facet: Hashable | None
    label: bool
    predicted: bool
    stratum: Hashable | None = None
    weight: float | Fraction = 1.0
    point: tuple[float, ...] = ()


class Counts:
    """The confusion matrix of some rows, and the sums that metrics are written in."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.tp = self.fp = self.fn = self.tn = Fraction(0)
        for row in rows:
            name = ("t" if row.label == row.predicted else "f") + ("p" if row.predicted else "n")
            setattr(self, name, getattr(self, name) + Fraction(row.weight))
        self.n = self.tp + self.fp + self.fn + self.tn
        self.positive, self.negative = self.tp + self.fn, self.fp + self.tn
        self.accepted, self.rejected = self.tp + self.fp, self.fn + self.tn
        self.correct = self.tp + self.tn


RATES = {
    "selection_rate": ("accepted", "n"),
    "base_rate": ("positive", "n"),
    "tpr": ("tp", "positive"),
    "fpr": ("fp", "negative"),
    "tnr": ("tn", "negative"),
    "fnr": ("fn", "positive"),
    "ppv": ("tp", "accepted"),
    "npv": ("tn", "rejected"),
    "fdr": ("fp", "accepted"),
    "for": ("fn", "rejected"),
    "accuracy": ("correct", "n"),
}


@dataclass(frozen=True)
class Case:
    """One comparison: all rows, the two sides, and what a division by 0 gives."""

    rows: Sequence[Row]
    disfavored: set[Hashable]
    favored: set[Hashable] | None = None
    zero: float | None = None
    unbounded: bool = False

    @cached_property
    def known(self) -> list[Row]:
        """The rows whose facet is known."""
        return [row for row in self.rows if row.facet is not None]

    @cached_property
    def rows_d(self) -> list[Row]:
        """The disfavored rows."""
        return [row for row in self.known if row.facet in self.disfavored]

    @cached_property
    def rows_a(self) -> list[Row]:
        """The favored rows."""
        if self.favored is None:
            return [row for row in self.known if row.facet not in self.disfavored]
        return [row for row in self.known if row.facet in self.favored]

    @cached_property
    def d(self) -> Counts:
        """The counts of the disfavored."""
        return Counts(self.rows_d)

    @cached_property
    def a(self) -> Counts:
        """The counts of the favored."""
        return Counts(self.rows_a)

    @cached_property
    def both(self) -> Counts:
        """The counts of the two sides together."""
        return Counts([*self.rows_a, *self.rows_d])

    @cached_property
    def all(self) -> Counts:
        """The counts of everyone with a known facet."""
        return Counts(self.known)

    @cached_property
    def rows_of_groups(self) -> list[list[Row]]:
        """The rows of every known facet value."""
        return split(self.known, lambda row: row.facet)

    @cached_property
    def groups(self) -> list[Counts]:
        """The counts of every group."""
        return [Counts(group) for group in self.rows_of_groups]

    @cached_property
    def strata(self) -> list[Case]:
        """The same comparison inside every stratum."""
        parts = split(self.rows, lambda row: row.stratum)
        return [Case(part, self.disfavored, self.favored, self.zero) for part in parts]

    def ratio(self, x: Value, y: Value) -> Value:
        """X over y."""
        if x is None or y is None:
            return None
        if (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
            return self.zero
        if y != 0:
            return x / y
        if self.zero is None and not self.unbounded:
            return None
        return math.copysign(math.inf, x)

    def minus(self, x: Value, y: Value) -> Value:
        """X less y."""
        if x is None or y is None:
            return None
        if math.isinf(x) and math.isinf(y) and x == y:
            return self.zero
        return x - y

    def rate(self, name: str, of: Counts) -> Value:
        """One of the rates of a confusion matrix."""
        top, bottom = RATES[name]
        return self.ratio(getattr(of, top), getattr(of, bottom))

    def a_less_d(self, name: str) -> Value:
        """A rate of the favored less that of the disfavored."""
        return self.minus(self.rate(name, self.a), self.rate(name, self.d))


def as_people(c: Case, compared: Sequence[Row]) -> Case:
    """The same rows, weighing together the effective number of those compared, (Σw)²/Σw²."""
    weights = [Fraction(row.weight) for row in compared]
    squares = sum(weight**2 for weight in weights)
    scale = sum(weights) / squares if squares else Fraction(1)
    return replace(c, rows=[replace(row, weight=Fraction(row.weight) * scale) for row in c.rows])


Group = tuple[tuple[int, Hashable | None], ...]


@dataclass(frozen=True)
class JointCase(Case):
    """All facets together: a row's facet is a tuple, and a group fixes some places of it."""

    sizes: tuple[int, ...] = ()
    minimum_count: int = 0
    unknown: bool = True

    @cached_property
    def known(self) -> list[Row]:
        """Everybody: unknown is a value like any other."""
        return list(self.rows)

    @cached_property
    def members(self) -> dict[Group, list[Row]]:
        """The rows of every group that occurs, by the places that it fixes and their values."""
        found: dict[Group, list[Row]] = {}
        for row in self.rows:
            for size in self.sizes:
                for group in combinations(enumerate(row.facet), size):
                    if self.unknown or all(value is not None for _, value in group):
                        found.setdefault(group, []).append(row)
        return {group: rows for group, rows in found.items() if len(rows) >= self.minimum_count}

    @cached_property
    def rows_of_groups(self) -> list[list[Row]]:
        """The rows of every group."""
        return list(self.members.values())


def split(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> list[list[Row]]:
    """The rows by key, in order of appearance."""
    parts: dict[Hashable, list[Row]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return list(parts.values())


def size(x: Value) -> Value:
    """The absolute value."""
    return None if x is None else x if x >= 0 else -x


def half_of(x: Value, y: Value) -> Value:
    """The mean of two numbers."""
    return None if x is None or y is None else (x + y) / 2


def root(x: Value) -> Value:
    """The square root."""
    return None if x is None or x < 0 else math.sqrt(x)


def log(x: Value) -> Value:
    """The natural logarithm, that of 0 included."""
    if x is None or x < 0:
        return None
    return -math.inf if x == 0 else math.log(x)


# Two sides, predictions


def dppl(c: Case) -> Value:
    """Selection rate of a less that of d."""
    return c.a_less_d("selection_rate")


def statistical_parity(c: Case) -> Value:
    """Selection rate of d less that of a."""
    return c.minus(c.rate("selection_rate", c.d), c.rate("selection_rate", c.a))


def di(c: Case) -> Value:
    """Selection rate of d over that of a."""
    return c.ratio(c.rate("selection_rate", c.d), c.rate("selection_rate", c.a))


def success_ratio(c: Case) -> Value:
    """Selection rate of a over that of d."""
    return c.ratio(c.rate("selection_rate", c.a), c.rate("selection_rate", c.d))


def four_fifths(c: Case) -> Value:
    """The smaller selection rate over the larger."""
    x, y = c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)
    return None if x is None or y is None else c.ratio(min(x, y), max(x, y))


def cohens_d(c: Case) -> Value:
    """Difference of selection rates in pooled standard deviations."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    x, y = c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)
    if x is None or y is None:
        return None
    if c.both.n <= 2:
        return c.ratio(x - y, Fraction(0))
    squares = max(c.a.n - 1, 0) * x * (1 - x) + max(c.d.n - 1, 0) * y * (1 - y)
    return c.ratio(x - y, root(c.ratio(squares, c.a.n + c.d.n - 2)))


def room_of(c: Case) -> Value:
    """N·P(1−P), with P the share of a among both."""
    share = c.ratio(c.a.n, c.both.n)
    return None if share is None else c.both.n * share * (1 - share)


def two_sd(c: Case) -> Value:
    """Difference of selection rates in standard errors."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    pooled = c.rate("selection_rate", c.both)
    if pooled is None:
        return None
    return c.ratio(dppl(c), root(c.ratio(pooled * (1 - pooled), room_of(c))))


def z_ratio(c: Case) -> Value:
    """Logarithm of the ratio of selection rates in standard errors."""
    c = as_people(c, [*c.rows_a, *c.rows_d])
    pooled, room = c.rate("selection_rate", c.both), room_of(c)
    if pooled is None or room is None:
        return None
    distance = log(c.ratio(c.rate("selection_rate", c.a), c.rate("selection_rate", c.d)))
    if c.zero is None and distance == -math.inf:
        return None
    return c.ratio(distance, root(c.ratio(1 - pooled, pooled * room)))


def ddpl(c: Case) -> Value:
    """Share of d among the rejected less its share among the accepted."""
    return c.minus(c.ratio(c.d.rejected, c.both.rejected), c.ratio(c.d.accepted, c.both.accepted))


def conditional(c: Case, inside: Formula) -> Value:
    """A metric inside every stratum, weighted by the stratum's size."""
    parts = [(part.both.n, inside(part)) for part in c.strata]
    defined = [(n, value) for n, value in parts if value is not None]
    return c.ratio(sum((n * x for n, x in defined), Fraction(0)), sum(n for n, _ in defined))


def cddpl(c: Case) -> Value:
    """`ddpl` inside every stratum."""
    return conditional(c, ddpl)


def mh_odds_ratio(c: Case) -> Value:
    """The strata's odds of acceptance of d over those of a, in one."""
    above = below = Fraction(0)
    for part in c.strata:
        if part.both.n > 0:
            above += part.d.accepted * part.a.rejected / part.both.n
            below += part.d.rejected * part.a.accepted / part.both.n
    return c.ratio(above, below)


def cmh(c: Case) -> Value:
    """Accepted of a beyond those expected in its strata, in standard deviations."""
    excess = variance = Fraction(0)
    for stratum in c.strata:
        part = as_people(stratum, [*stratum.rows_a, *stratum.rows_d])
        both, n = part.both, part.both.n
        if n > 1:
            excess += part.a.accepted - part.a.n * both.accepted / n
            margins = part.a.n * part.d.n * both.accepted * both.rejected
            variance += margins / (n * n * (n - 1))
    return c.ratio(excess, root(variance))


# Two sides, labels and predictions


def dcacc(c: Case) -> Value:
    """Observed over predicted positives, a less d."""
    return c.minus(c.ratio(c.a.positive, c.a.accepted), c.ratio(c.d.positive, c.d.accepted))


def dcr(c: Case) -> Value:
    """Observed over predicted negatives, d less a."""
    return c.minus(c.ratio(c.d.negative, c.d.rejected), c.ratio(c.a.negative, c.a.rejected))


def sd(c: Case) -> Value:
    """Specificity of d less that of a."""
    return c.minus(c.rate("tnr", c.d), c.rate("tnr", c.a))


def rd(c: Case) -> Value:
    """Recall of a less that of d."""
    return c.a_less_d("tpr")


def dar(c: Case) -> Value:
    """Precision of a less that of d."""
    return c.a_less_d("ppv")


def drr(c: Case) -> Value:
    """Negative predictive value of d less that of a."""
    return c.minus(c.rate("npv", c.d), c.rate("npv", c.a))


def ad(c: Case) -> Value:
    """Accuracy of a less that of d."""
    return c.a_less_d("accuracy")


def te(c: Case) -> Value:
    """False negatives over false positives, d less a."""
    return c.minus(c.ratio(c.d.fn, c.d.fp), c.ratio(c.a.fn, c.a.fp))


def te_inverse(c: Case) -> Value:
    """False positives over false negatives, a less d."""
    return c.minus(c.ratio(c.a.fp, c.a.fn), c.ratio(c.d.fp, c.d.fn))


def average_odds_difference(c: Case) -> Value:
    """Mean of the differences of the true and the false positive rates."""
    return half_of(c.a_less_d("tpr"), c.a_less_d("fpr"))


def average_abs_odds_difference(c: Case) -> Value:
    """The same of the absolute differences."""
    return half_of(size(c.a_less_d("tpr")), size(c.a_less_d("fpr")))


def fdr_difference(c: Case) -> Value:
    """False discovery rate of a less that of d."""
    return c.a_less_d("fdr")


def for_difference(c: Case) -> Value:
    """False omission rate of a less that of d."""
    return c.a_less_d("for")


def fnr_difference(c: Case) -> Value:
    """False negative rate of a less that of d."""
    return c.a_less_d("fnr")


def predictive_value_difference(c: Case) -> Value:
    """Mean of the differences of precision and false omission rate."""
    return half_of(c.a_less_d("ppv"), c.a_less_d("for"))


# Two sides, labels


def ci(c: Case) -> Value:
    """How much larger a is than d."""
    return c.ratio(c.a.n - c.d.n, c.both.n)


def dpl(c: Case) -> Value:
    """Base rate of a less that of d."""
    return c.a_less_d("base_rate")


def ddl(c: Case) -> Value:
    """Share of d among the negative less its share among the positive."""
    return c.minus(c.ratio(c.d.negative, c.both.negative), c.ratio(c.d.positive, c.both.positive))


def cddl(c: Case) -> Value:
    """`ddl` inside every stratum."""
    return conditional(c, ddl)


def shares(c: Case) -> list[tuple[Value, Value]]:
    """The share of every label value among a and among d."""
    found = []
    for label in {row.label for row in [*c.rows_a, *c.rows_d]}:
        x = sum((Fraction(row.weight) for row in c.rows_a if row.label == label), Fraction(0))
        y = sum((Fraction(row.weight) for row in c.rows_d if row.label == label), Fraction(0))
        found.append((c.ratio(x, c.a.n), c.ratio(y, c.d.n)))
    return found


def divergence(c: Case, pairs: Sequence[tuple[Value, Value]]) -> Value:
    """Kullback–Leibler divergence of the first of each pair from the second."""
    if not pairs:
        return c.zero
    total = 0.0
    for x, y in pairs:
        if x is None or y is None:
            return None
        surprise = log(c.ratio(x, y)) if x else 0.0
        if surprise is None:
            return None
        total += float(x) * surprise if x else 0.0
    return total


def kl(c: Case) -> Value:
    """Kullback–Leibler divergence of the labels of a from those of d."""
    return divergence(c, shares(c))


def js(c: Case) -> Value:
    """Jensen–Shannon divergence of the labels of a and d."""
    pairs = [(x, y, half_of(x, y)) for x, y in shares(c)]
    from_a = divergence(c, [(x, middle) for x, _, middle in pairs])
    return half_of(from_a, divergence(c, [(y, middle) for _, y, middle in pairs]))


def distances(c: Case) -> list[Fraction | float] | None:
    """The absolute differences of the label shares."""
    found = [size(c.minus(x, y)) for x, y in shares(c)] or [c.zero]
    defined = [value for value in found if value is not None]
    return defined if len(defined) == len(found) else None


def lp(c: Case, p: float = 2) -> Value:
    """P-norm of the differences of the label shares."""
    found = distances(c)
    return None if found is None else math.pow(sum(float(x) ** p for x in found), 1 / p)


def tvd(c: Case) -> Value:
    """Half the sum of the differences of the label shares."""
    found = distances(c)
    return None if found is None else Fraction(1, 2) * sum(found)


def ks(c: Case) -> Value:
    """Largest difference of the label shares."""
    found = distances(c)
    return None if found is None else max(found)


# The whole population

Benefits = Sequence[tuple[Fraction, Fraction]]


def benefits(rows: Iterable[Row]) -> Benefits:
    """The weight and the benefit of every row."""
    return [(Fraction(row.weight), Fraction(row.predicted - row.label + 1)) for row in rows]


def mean(values: Iterable[tuple[Fraction, Fraction | float]]) -> Fraction | float | None:
    """The weighted mean."""
    parts = list(values)
    total = sum(weight for weight, _ in parts)
    return sum(weight * value for weight, value in parts) / total if total else None


def entropy(c: Case, parts: Benefits, alpha: float) -> Value:
    """Generalized entropy of the benefits."""
    present = [(weight, benefit) for weight, benefit in parts if weight]
    middle = mean(present)
    scaled = [(weight, c.ratio(benefit, middle)) for weight, benefit in present]
    known = [(weight, x) for weight, x in scaled if x is not None]
    if not known or len(known) < len(scaled):
        return None
    if alpha == 1:
        return mean((weight, x * math.log(x) if x else 0.0) for weight, x in known)
    if alpha <= 0 and any(x == 0 for _, x in known):
        return None
    if alpha == 0:
        return mean((weight, -math.log(x)) for weight, x in known)
    return c.ratio(mean((weight, x**alpha - 1) for weight, x in known), alpha * (alpha - 1))


def ge(c: Case, alpha: float = 2) -> Value:
    """Generalized entropy."""
    return entropy(c, benefits(c.rows), alpha)


def theil(c: Case) -> Value:
    """Theil's index."""
    return ge(c, alpha=1)


def coefficient_of_variation(c: Case) -> Value:
    """Standard deviation of the benefits over their mean."""
    value = ge(c)
    return None if value is None else root(2 * value)


def ge_between(c: Case) -> Value:
    """Generalized entropy of the groups' mean benefits."""
    parts: list[tuple[Fraction, Fraction]] = []
    for group in split(c.rows, lambda row: row.facet):
        middle = mean(benefits(group))
        parts += [(Fraction(row.weight), Fraction(middle)) for row in group if middle is not None]
    return entropy(c, parts, 2)


# Across all groups


def group_rates(c: Case, name: str) -> list[Fraction | float]:
    """A rate of every group that has it."""
    found = [c.rate(name, group) for group in c.groups]
    return [value for value in found if value is not None]


def gap(c: Case, name: str) -> Value:
    """Largest less smallest rate."""
    found = group_rates(c, name)
    return c.minus(max(found), min(found)) if found else None


def low_over_high(c: Case, name: str) -> Value:
    """Smallest over largest rate."""
    found = group_rates(c, name)
    return c.ratio(min(found), max(found)) if found else None


def equalized_odds_gap(c: Case) -> Value:
    """The wider of the gaps of the true and the false positive rate."""
    x, y = gap(c, "tpr"), gap(c, "fpr")
    return None if x is None or y is None else max(x, y)


def equalized_odds_ratio(c: Case) -> Value:
    """The smaller of the ratios of the true and the false positive rate."""
    x, y = low_over_high(c, "tpr"), low_over_high(c, "fpr")
    return None if x is None or y is None else min(x, y)


def subgroup_fairness(c: Case, size_of: str, name: str) -> Value:
    """Largest distance of a group's rate from everyone's, times the group's share."""
    found = []
    for group in c.groups:
        share = c.ratio(getattr(group, size_of), c.all.n)
        distance = size(c.minus(c.rate(name, c.all), c.rate(name, group)))
        if share is not None and distance is not None:
            found.append(share * distance)
    return max(found, default=None)


def fpsf(c: Case) -> Value:
    """False positive subgroup fairness."""
    return subgroup_fairness(c, "negative", "fpr")


def fnsf(c: Case) -> Value:
    """False negative subgroup fairness."""
    return subgroup_fairness(c, "positive", "fnr")


def spsf(c: Case) -> Value:
    """Statistical parity subgroup fairness."""
    return subgroup_fairness(c, "n", "selection_rate")


def differential_fairness(c: Case, concentration: float = 1) -> Value:
    """Smoothed epsilon of differential fairness."""
    k, c = Fraction(concentration), as_people(c, c.known)
    smooth = [c.ratio(group.accepted + k / 2, group.n + k) for group in c.groups]
    found = [
        size(c.minus(log(x), log(y)))
        for one in smooth
        for two in smooth
        if one is not None and two is not None
        for x, y in ((one, two), (1 - one, 1 - two))
    ]
    return max((value for value in found if value is not None), default=None)


def spread(c: Case, rate: str = "selection_rate") -> Value:
    """Variance of the groups' rates, less the mean of the variances that samples have."""
    found = []
    for group in c.rows_of_groups:
        counts = Counts(group)
        squares = sum(Fraction(row.weight) ** 2 for row in group)
        rows = counts.n**2 / squares if squares else 0
        if rows > 1:
            found.append((c.rate(rate, counts), rows))
    if len(found) < 2:
        return None
    rates = [value for value, _ in found]
    mean = sum(rates) / len(rates)
    between = sum((value - mean) ** 2 for value in rates) / (len(rates) - 1)
    return between - sum(r * (1 - r) / (n - 1) for r, n in found) / len(found)


def cdd_shares(c: Case) -> Value:
    """The groups' shares of the rejected less those of the accepted, weighted by size."""
    total: Fraction | float = Fraction(0)
    for group in c.groups:
        weight = c.ratio(group.n, c.all.n)
        rejected = c.ratio(group.rejected, c.all.rejected)
        shift = c.minus(rejected, c.ratio(group.accepted, c.all.accepted))
        if weight is None or shift is None:
            return None
        total += weight * shift
    return total if c.groups else None


def vote(row: Row, voters: Sequence[Row], k: int) -> Fraction:
    """The part of the k nearest voters predicted positive; those equally far share what is left."""

    def distance(other: Row) -> Fraction:
        pairs = zip(row.point, other.point, strict=True)
        return sum(((Fraction(x) - Fraction(y)) ** 2 for x, y in pairs), Fraction(0))

    by_distance = sorted(voters, key=distance)
    radius = distance(by_distance[k - 1])
    nearer = [voter.predicted for voter in voters if distance(voter) < radius]
    level = [voter.predicted for voter in voters if distance(voter) == radius]
    seats = k - len(nearer)
    return (sum(nearer) + Fraction(seats * sum(level), len(level))) / k


def fliptest(c: Case) -> Value:
    """The members of d rejected against the votes of a, less those accepted against them."""
    if not c.rows_a:
        return None
    k = 1 if len(c.rows_a) < 10 else 5
    flips = Fraction(0)
    for row in c.rows_d:
        accepted = vote(row, c.rows_a, k) > Fraction(1, 2)
        if accepted != row.predicted:
            flips += Fraction(row.weight) * (1 if accepted else -1)
    return c.ratio(flips, c.d.n)


def consistency(c: Case) -> Value:
    """One less the mean distance of every prediction from those of the five nearest."""
    astray = sum(
        (Fraction(row.weight) * abs(row.predicted - vote(row, c.rows, 5)) for row in c.rows),
        Fraction(0),
    )
    return c.minus(Fraction(1), c.ratio(astray, Counts(c.rows).n))


SIDED: tuple[Formula, ...] = (
    *(dppl, statistical_parity, di, success_ratio, four_fifths, cohens_d, two_sd, z_ratio),
    *(ddpl, cddpl, mh_odds_ratio, cmh, dcacc, dcr, sd, rd, dar, drr, ad, te, te_inverse),
    *(average_odds_difference, average_abs_odds_difference, fdr_difference, for_difference),
    *(fnr_difference, predictive_value_difference, ci, dpl, ddl, cddl, kl, js, lp, tvd, ks),
)
POPULATION: tuple[Formula, ...] = (ge, theil, coefficient_of_variation, ge_between)
ACROSS: tuple[Formula, ...] = (
    *(equalized_odds_gap, equalized_odds_ratio, fpsf, fnsf, spsf),
    *(differential_fairness, spread, cdd_shares),
)
COMPARED = ("selection_rate", "tpr", "fpr", "tnr", "fnr", "ppv", "npv", "accuracy")

INDIVIDUALS: tuple[Formula, ...] = (fliptest, consistency)

FORMULAS: dict[str, Formula] = {
    **{formula.__name__: formula for formula in (*SIDED, *POPULATION, *ACROSS, *INDIVIDUALS)},
    **{f"{name}_gap": partial(gap, name=name) for name in COMPARED},
    **{f"{name}_ratio": partial(low_over_high, name=name) for name in COMPARED},
}
NAMES: tuple[str, ...] = tuple(FORMULAS)


def number(value: Value) -> float | None:
    """The value as a float."""
    return None if value is None else float(value)


def metric(
    name: str,
    rows: Sequence[Row],
    d: set[Hashable],
    a: set[Hashable] | None,
    zero_division: float | None = None,
) -> float | None:
    """One metric of one comparison of d with a (None: everyone else with a known facet)."""
    return number(FORMULAS[name](Case(rows, d, a, zero_division, name in UNBOUNDED)))


def joint_metric(name: str, case: JointCase) -> float | None:
    """One metric over the groups that all facets define together."""
    return number(FORMULAS[name](case))


def rates(rows: Sequence[Row], zero_division: float | None = None) -> dict[str, float | None]:
    """The counts and rates of some rows."""
    c, counts = Case(rows, set(), None, zero_division), Counts(rows)
    found: dict[str, Value] = {x: getattr(counts, x) for x in ("n", "tp", "fp", "fn", "tn")}
    found |= {name: c.rate(name, counts) for name in RATES}
    found["f1"] = c.ratio(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn)
    return {name: number(value) for name, value in found.items()}

"""Metrics of other tools: the rows of their tables, and how a row becomes a metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, reduce
from inspect import signature
from operator import add
from typing import Any, Final, NamedTuple, TypeVar

from polars_fairness.errors import FairnessError, did_you_mean, listed, nearest, require_number
from polars_fairness.formula.formulas import Formula, across, population
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES, Side, a, both, d, g, neither
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    literal,
    term,
    unbounded_ratio,
)

Value = TypeVar("Value")
Written = Callable[..., Expression | Formula]
"""Takes the parameters of a function, each with its default there; returns the formula."""

Of = Callable[[Side], Expression]
"""A number of a side or group, as an expression of its counts and rates."""


@dataclass(frozen=True)
class ToolMetric(Metric):
    """A metric of another tool: its number, by its sign, its sides and its value of 0/0.

    A number that is nan there is null here.
    """

    settles_zero_division: bool = True
    tool: str = ""
    version: str = ""  # whose number it is
    function: str = ""  # what the tool calls it
    page: str = ""  # where the tool describes it
    ours: str = ""  # the metric of our own that is nearest


class Row:
    """A function of a tool in the tool's table: what a `ToolMetric` of it is made of.

    ``formula`` is the formula, or what returns it given the function's parameters; the title is the
    function's name in words by default; ``shorts`` are other names by which it is found, ``more``
    has other fields of the metric, such as its range.
    """

    def __init__(
        self,
        function: str,
        definition: str,
        formula: Expression | Formula | Written,
        ours: str = "",
        *conventions: str,
        title: str = "",
        shorts: tuple[str, ...] = (),
        **more: Any,
    ) -> None:
        self.function, self.definition, self.ours = function, definition, ours
        self.formula: Written = (
            (lambda: formula) if isinstance(formula, Expression | Formula) else formula
        )
        self.conventions, self.shorts, self.more = conventions, shorts, more
        words = title or function.rpartition(".")[2].replace("_", " ")
        self.title = f"{words[0].upper()}{words[1:]}"


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool with its table, and its functions that have no entry, each with the reason."""

    name: str  # before the dot
    title: str  # in sentences
    version: str  # whose numbers these are
    page: str  # of a function's description, with {function} and its class {owner}
    rows: tuple[Row, ...]
    without: Mapping[str, str] = field(default_factory=dict)  # functions by why they have no entry
    columns: Mapping[str, str] = field(default_factory=dict)  # its names for those of `rates`
    # The values that it accepts, by a function's name without its class or module.
    bands: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    conventions: tuple[str, ...] = ()  # of all its functions
    takes_weights: bool = True

    @cached_property
    def _rows_by_name(self) -> Mapping[str, tuple[Row, ...]]:
        """The rows by each name that finds them; more than one if a short name has two meanings."""
        by_name: dict[str, tuple[Row, ...]] = {}
        for row in self.rows:
            for name in dict.fromkeys((row.function, *row.shorts)):
                by_name[name] = (*by_name.get(name, ()), row)
        return by_name

    @property
    def names(self) -> Iterator[str]:
        """The full name of every entry."""
        return (f"{self.name}.{row.function}" for row in self.rows)

    def called(self) -> Iterator[tuple[str, str, str]]:
        """The shortest full name of each entry, each of its own names, and what is near here."""
        for row in self.rows:
            for own in dict.fromkeys((row.function.rpartition(".")[2], *row.shorts)):
                yield f"{self.name}.{self.shortest(row)}", own, row.ours

    @cached_property
    def reasons(self) -> Mapping[str, str]:
        """Why a function has no entry."""
        return {name: why for why, names in self.without.items() for name in names.split()}

    def shortest(self, row: Row) -> str:
        """The shortest of the row's own names that has one meaning, its function's name first."""
        function = row.function.rpartition(".")[2]
        return function if self._rows_by_name.get(function) == (row,) else row.function

    def row(self, name: str) -> Row:
        """The row of a name; raise a `LookupError` that says what to write instead."""
        matches = self._rows_by_name.get(name, ())
        if len(matches) == 1:
            return matches[0]
        if matches:
            meant = listed((f"{self.name}.{row.function}" for row in matches), "or")
            raise LookupError(
                f"{self.name}.{name} has {len(matches)} meanings in {self.title}; give {meant}"
            )
        if reason := self.reasons.get(name):
            raise LookupError(f"{self.name}.{name} is not computed here: {reason}")
        near = [f"{self.name}.{each}" for each in nearest(name, [*self._rows_by_name])]
        hint = (
            f"did you mean {listed(near, 'or')}?"
            if near
            else did_you_mean(f"{self.name}.{name}", [*self.names])
        )
        raise LookupError(f"no {name!r} of {self.title}; {hint}")

    def found(self, name: str) -> tuple[Row, dict[str, float]]:
        """The row of a full name, with the threshold that stands behind an @."""
        function, _, threshold = name.partition(".")[2].partition("@")
        row = self.row(function)
        if not threshold:
            return row, {}
        try:
            given = {"threshold": float(threshold)}
        except ValueError:
            given = {}
        if not given or "threshold" not in signature(row.formula).parameters:
            raise LookupError(f"no threshold {threshold!r} of {self.name}.{function}; leave @ out")
        return row, given

    def factory(self, name: str, /) -> Callable[..., ToolMetric]:
        """What makes the metric of a full name, with the parameters of the tool's function."""
        row, given = self.found(name)

        def make(**parameters: Any) -> ToolMetric:
            return self.metric(row, **given | parameters)

        vars(make)["__signature__"] = signature(row.formula)
        return make

    def metric(self, row: Row, **parameters: Any) -> ToolMetric:
        """The metric of a row, with these parameters of its function.

        A threshold is a part of its name, as in `fairness_indicators.recall@0.4`.
        """
        return _metric(self, row, parameters) if parameters else _default_metric(self, row)


@cache
def _default_metric(tool: Tool, row: Row) -> ToolMetric:
    return _metric(tool, row, {})


def _metric(tool: Tool, row: Row, parameters: Mapping[str, Any]) -> ToolMetric:
    owner, _, function = row.function.rpartition(".")
    at = f"@{parameters['threshold']}" if "threshold" in parameters else ""
    return ToolMetric(
        name=f"{tool.name}.{row.function}{at}",
        title=f"{row.title} ({tool.title})",
        formula=row.formula(**parameters),
        definition=row.definition,
        source=f"{tool.title} {tool.version}",
        aliases=tuple(f"{tool.name}.{short}" for short in row.shorts if short != row.function),
        tool=tool.title,
        version=tool.version,
        function=row.function,
        page=tool.page.format(owner=owner, function=function),
        conventions=(*row.conventions, *tool.conventions),
        ours=row.ours,
        **{"takes_weights": tool.takes_weights, "acceptable": tool.bands.get(function)} | row.more,
    )


def chosen(parameter: str, value: object, values: Mapping[Any, Value]) -> Value:
    """The choice for the value of a parameter; raise if there is none."""
    if value not in [*values]:  # it may be a list, which is no key
        raise FairnessError(
            f"{parameter}: takes {listed(values, 'or', len(values))}, got {value!r}"
        )
    return values[value]


def quotient(above: Expression, below: Expression, empty: float | None = None) -> Expression:
    """Divide, with the given numbers for 0/0 and x/0."""
    return choose(below == 0, literal(empty), above / below)


@dataclass(frozen=True)
class Number:
    """A number of a side or group that tables compare, with its symbol."""

    symbol: str
    of: Of
    word: str = ""  # if it is a rate or count

    def __call__(self, side: Side) -> Expression:
        """The number of a side or group."""
        return self.of(side)

    def side_symbol(self, side: str) -> str:
        """The symbol of a side's number."""
        symbol = f"({self.symbol})" if "/" in self.symbol else self.symbol
        text = f"{symbol}{'' if symbol.startswith('q') else '_'}{side}"
        return f"({text})" if " " in text else text


def number(word: str, empty: float | None = None) -> Number:
    """A rate or count, or its complement, with the given number for a rate of no rows."""
    rated = word.removeprefix("1-")
    symbol = RATES[rated].symbol if rated in RATES else rated

    def formula(side: Side) -> Expression:
        rate = term(f"{side.name}.{rated}")
        if rated != word:
            return choose(rate.is_null(), empty, 1 - rate)
        return rate if empty is None else choose(rate.is_null(), empty, rate)

    return Number(symbol, formula, word) if rated == word else Number(f"1 − {symbol}", formula)


class Contrast(NamedTuple):
    """How a table compares the numbers of sides or groups.

    ``definition`` has places for the symbol of the number, ``{x}`` by itself, ``{a}`` and ``{d}``
    of a side; ``more`` are other fields of the metric.
    """

    definition: str
    formula: Callable[[Number], Expression | Formula | Written]
    more: Mapping[str, Any]


NO_WEIGHTS: Final[dict[str, Any]] = {"takes_weights": False}
COUNTED: Final[dict[str, Any]] = {"ideal": None, "has_interval": False, "only_named": True}
SPAN: Final[dict[str, Any]] = {"range": (-1, 1)}
SHARE: Final[dict[str, Any]] = {"range": (0, 1)}
RATED: Final[dict[str, Any]] = SHARE | {"ideal": None}
BEST_1: Final[dict[str, Any]] = SHARE | {"ideal": 1}
DISTANCE: Final[dict[str, Any]] = {"range": (0, INFINITY)}
RATIO: Final[dict[str, Any]] = DISTANCE | {"ideal": 1}
CONTRASTS: Final = {
    "d": Contrast("{x} of d", lambda of: of(d), RATED),
    "count": Contrast("{x} of d", lambda of: of(d), COUNTED),
    "all": Contrast("{x} of all rows", lambda of: population(of(g).max()), RATED),
    "sum": Contrast("{x} of all rows", lambda of: population(of(g).sum()), COUNTED),
    "d-a": Contrast("{d} − {a}", lambda of: of(d) - of(a), SPAN),
    "a-d": Contrast("{a} − {d}", lambda of: of(a) - of(d), SPAN),
    "d/a": Contrast("{d} / {a}", lambda of: unbounded_ratio(of(d), of(a)), RATIO),
    "a/d": Contrast("{a} / {d}", lambda of: unbounded_ratio(of(a), of(d)), RATIO),
}
"""The contrasts that several tools have."""

RATES_OF_LABELS: Final = {
    "tpr": "true_positive_rate",
    "fpr": "false_positive_rate",
    "tnr": "true_negative_rate",
    "fnr": "false_negative_rate",
}
"""The names that several tools have for columns of `rates`."""


def rows(
    text: str,
    words: Mapping[str, tuple[str, ...]],
    contrasts: Mapping[str, Contrast] = CONTRASTS,
    numbers: Mapping[str, Number] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Iterator[Row]:
    """The rows of a table, whose lines have the columns: function, number, contrast, 0/0, ours.

    Other names of a function follow. ``words`` are the tool's conventions of a contrast or of a
    0/0, and ``titles`` those of our metrics, which are a row's too.
    """
    for line in text.strip().splitlines():
        function, word, contrast, zero, ours, *shorts = line.split()
        empty = float(zero) if zero.isdigit() else None
        compared = (numbers or {}).get(word) or number(word, empty)
        definition, formula, fields = contrasts[contrast]
        yield Row(
            function,
            definition.format(
                x=compared.symbol, a=compared.side_symbol("a"), d=compared.side_symbol("d")
            ),
            formula(compared),
            "" if ours == "-" else ours,
            *words.get(contrast, ()),
            *words.get(zero, ()),
            shorts=tuple(shorts),
            title=(titles or {}).get(ours, ""),
            **fields,
        )


def _benefits(side: Side) -> Expression:
    return side.tp + side.tn + 2 * side.fp


def _part(relative: Expression, mean: Expression, alpha: float) -> Expression:
    """The part of a benefit over the mean: AIF360 divides the order 0 by the mean once more."""
    if alpha == 1:
        return choose(relative > 0, relative * relative.log(), 0.0)
    if alpha == 0:
        return -relative.log() / mean
    return (relative**alpha - 1) / (alpha * (alpha - 1))


def _entropy(shares: list[tuple[Expression, Expression]], alpha: float) -> Expression:
    """The entropy of benefits, each with its share of the rows."""
    alpha = require_number("alpha", alpha)
    mean = reduce(add, (share * benefit for share, benefit in shares))
    parts = (
        choose(share > 0, share * _part(benefit / mean, mean, alpha), 0.0)
        for share, benefit in shares
    )
    return choose(mean > 0, reduce(add, parts))


def entropy_of_rows(alpha: float = 2) -> Formula:
    """The generalized entropy of the benefits of rows."""
    counts = ((g.fn, 0.0), (g.tp + g.tn, 1.0), (g.fp, 2.0))
    shares = [(rows.sum() / g.n.sum(), literal(benefit)) for rows, benefit in counts]
    return population(_entropy(shares, alpha))


_AMONG_ALL: Final = replace(
    COMPARISON, name="comparison among all", beside=(neither,), test=None, is_redrawn=False
)


def entropy_of_sides(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of both sides; of rows on neither, 0."""
    n = both.n + neither.n
    shares = [(side.n / n, _benefits(side) / side.n) for side in (d, a)]
    return Formula(_AMONG_ALL, _entropy([*shares, (neither.n / n, literal(0.0))], alpha))


def entropy_of_groups(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of all groups."""
    alpha = require_number("alpha", alpha)
    mean = _benefits(g).sum() / g.n.sum()
    value = (g.n * _part(_benefits(g) / g.n / mean, mean, alpha)).sum() / g.n.sum()
    return across(choose((mean > 0) & (g.n.sum() > 0), value), may_overlap=False)


def coefficient_of_variation(formula: Callable[[], Formula]) -> Formula:
    """The coefficient of variation: the root of twice the entropy of order 2."""
    entropy = formula()
    return replace(entropy, expression=(2 * entropy.expression).clip(lower=0).sqrt())

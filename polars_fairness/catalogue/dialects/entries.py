"""What a metric of another tool is made of: a row of its tool's table, and the metric itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, reduce
from operator import add
from typing import Any, Final, TypeVar

from polars_fairness.errors import FairnessError, did_you_mean, listed, nearest, require_number
from polars_fairness.formula.arithmetic import greatest, least
from polars_fairness.formula.formulas import Formula, across, population
from polars_fairness.formula.levels import AMONG_ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.formula.sides import Side, a, both, d, g, neither
from polars_fairness.formula.tree import Expression, choose, literal, term

Value = TypeVar("Value")
Written = Callable[..., Expression | Formula]
"""Takes the parameters of a function, each with its default there; returns the formula."""

Of = Callable[[Side], Expression]
"""A number of a side or group, as an expression of its counts and rates."""


@dataclass(frozen=True)
class ToolMetric(Metric):
    """A metric of another tool: its number, by its sign, its sides and its value of 0/0.

    The value of 0/0 is the tool's own, whatever ``zero_division`` a call gives to other metrics. A
    number that is nan there is null here.
    """

    tool: str = ""
    version: str = ""  # whose number it is
    function: str = ""  # what the tool calls it
    page: str = ""  # where the tool describes it
    # What decides its number where tools differ, a sentence each.
    conventions: tuple[str, ...] = field(default=(), compare=False, repr=False)
    ours: str = ""  # the metric of our own that is nearest
    takes_weights: bool = True  # whether the tool's function does

    @property
    def settles_zero_division(self) -> bool:
        """Whether the formula says itself what 0/0 is."""
        return True


class Row:
    """A function of a tool in the tool's table: what a `ToolMetric` of it is made of.

    ``formula`` is the formula, or what returns it given the function's parameters; ``shorts`` are
    other names by which it is found, ``more`` has other fields of the metric, such as its range.
    """

    def __init__(
        self,
        function: str,
        title: str,
        definition: str,
        formula: Expression | Formula | Written,
        ours: str = "",
        *conventions: str,
        shorts: tuple[str, ...] = (),
        **more: Any,
    ) -> None:
        self.function, self.title, self.definition = function, title, definition
        self.formula: Written = (
            (lambda: formula) if isinstance(formula, Expression | Formula) else formula
        )
        self.ours, self.conventions, self.shorts, self.more = ours, conventions, shorts, more


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool with its table, and its functions that have no entry, each with the reason."""

    name: str  # before the dot
    title: str  # in sentences
    version: str  # whose numbers these are
    page: str  # of a function's description, with {function} and its class {owner}
    rows: tuple[Row, ...]
    reasons: Mapping[str, str]  # why other functions have no entry
    columns: Mapping[str, str] = field(default_factory=dict)  # its names for those of `rates`
    # The values that it accepts, by a function's name without its class or module.
    bands: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    conventions: tuple[str, ...] = ()  # of all its functions
    takes_weights: bool = True

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Row, ...]]:
        """The rows by each name that finds them; more than one if a short name has two meanings."""
        found: dict[str, tuple[Row, ...]] = {}
        for row in self.rows:
            for name in dict.fromkeys((row.function, *row.shorts)):
                found[name] = (*found.get(name, ()), row)
        return found

    @property
    def names(self) -> Iterator[str]:
        """The full name of every entry."""
        return (f"{self.name}.{row.function}" for row in self.rows)

    def shortest(self, row: Row) -> str:
        """The shortest of the row's own names that has one meaning, its function's name first."""
        function = row.function.rpartition(".")[2]
        return function if self._by_name.get(function) == (row,) else row.function

    def row(self, name: str) -> Row:
        """The row of a name; raise a `LookupError` that says what to write otherwise."""
        found = self._by_name.get(name, ())
        if len(found) == 1:
            return found[0]
        if found:
            meant = listed((f"{self.name}.{row.function}" for row in found), "or")
            raise LookupError(
                f"{self.name}.{name} has {len(found)} meanings in {self.title}; give {meant}"
            )
        if reason := self.reasons.get(name):
            raise LookupError(f"{self.name}.{name} is not computed here: {reason}")
        near = [f"{self.name}.{each}" for each in nearest(name, [*self._by_name])]
        hint = (
            f"did you mean {listed(near, 'or')}?"
            if near
            else did_you_mean(f"{self.name}.{name}", [*self.names])
        )
        raise LookupError(f"no {name!r} of {self.title}; {hint}")

    def metric(self, row: Row, **parameters: Any) -> ToolMetric:
        """The metric of a row, with these parameters of its function.

        A threshold is a part of its name, as in `fairness_indicators.recall@0.4`.
        """
        return _metric(self, row, parameters) if parameters else _by_default(self, row)


@cache
def _by_default(tool: Tool, row: Row) -> ToolMetric:
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
    """What stands for the value of a parameter; raise if it has no such value."""
    if value not in [*values]:  # it may be a list, which is no key
        raise FairnessError(
            f"{parameter}: takes {listed(values, 'or', len(values))}, got {value!r}"
        )
    return values[value]


def rate(word: str, empty: float | None = None) -> Of:
    """A rate or count of a side, with a number of one's own for a rate of no rows."""

    def of(side: Side) -> Expression:
        found = term(f"{side.name}.{word}")
        return found if empty is None else choose(found.is_null(), empty, found)

    return of


def quotient(above: Expression, below: Expression, empty: float | None = None) -> Expression:
    """Divide, with a number of one's own for 0/0 and x/0."""
    return choose(below == 0, literal(empty), above / below)


def first_or_larger(first: Expression, other: Expression) -> Expression:
    """Python's max of two numbers: undefined if the first is, else it leaves out the other."""
    return choose(~first.is_null(), greatest(first, other))


def first_or_smaller(first: Expression, other: Expression) -> Expression:
    """Python's min of two numbers: undefined if the first is, else it leaves out the other."""
    return choose(~first.is_null(), least(first, other))


@dataclass(frozen=True)
class Number:
    """A number of a side or group that tables compare, with its title and its symbol."""

    title: str
    symbol: str
    of: Of
    word: str = ""

    def at(self, side: str) -> str:
        """The symbol of a side's number."""
        text = f"{self.symbol}{'' if self.symbol.startswith('q') else '_'}{side}"
        return f"({text})" if " " in text else text


def number(word: str, empty: float | None = None) -> Number:
    """A rate or count, or what it lacks to 1, with a number of one's own for a rate of no rows."""
    rated = word.removeprefix("1-")
    known = RATES.get(rated)
    title, symbol = (known.title.lower(), known.symbol) if known else (rated, rated)
    if rated == word:
        return Number(title, symbol, rate(word, empty), word)

    def of(side: Side) -> Expression:
        found = rate(rated)(side)
        return choose(found.is_null(), empty, 1 - found)

    return Number(f"1 − {title}", f"1 − {symbol}", of)


@dataclass(frozen=True)
class Contrast:
    """How a table compares the numbers of sides or groups.

    ``title`` and ``definition`` have places for the title of the number, ``{number}`` or
    ``{Number}``, for the name of the function, ``{function}``, and for the symbol, ``{x}`` by
    itself, ``{a}`` and ``{d}`` of a side.
    """

    title: str
    definition: str
    formula: Callable[[Number], Expression | Formula | Written]
    conventions: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


def rows(
    text: str,
    contrasts: Mapping[str, Contrast],
    zeros: Mapping[str, str],
    numbers: Mapping[str, Number] | None = None,
) -> Iterator[Row]:
    """The rows of a table, whose lines have the columns: function, number, contrast, 0/0, ours.

    Other names of a function follow. ``zeros`` says what a tool's 0/0 in a table means.
    """
    for line in text.strip().splitlines():
        function, word, contrast, zero, ours, *shorts = line.split()
        empty = None if zero in ("nan", "-") else float(zero)
        compared = (numbers or {}).get(word) or number(word, empty)
        how = contrasts[contrast]
        title, name = compared.title, function.rpartition(".")[2].replace("_", " ")
        words = {
            "function": name[0].upper() + name[1:],
            "Number": title[0].upper() + title[1:],
            "number": title,
            "x": compared.symbol,
            "a": compared.at("a"),
            "d": compared.at("d"),
        }
        yield Row(
            function,
            how.title.format(**words),
            how.definition.format(**words),
            how.formula(compared),
            "" if ours == "-" else ours,
            *how.conventions,
            *([zeros[zero]] if zero != "-" else []),
            shorts=tuple(shorts),
            **how.more,
        )


NO_WEIGHTS: Final[dict[str, Any]] = {"takes_weights": False}
COUNTED: Final[dict[str, Any]] = {"ideal": None, "has_interval": False, "only_named": True}
RATED: Final[dict[str, Any]] = {"ideal": None, "range": (0, 1)}
RATES_OF_LABELS: Final = {
    "tpr": "true_positive_rate",
    "fpr": "false_positive_rate",
    "tnr": "true_negative_rate",
    "fnr": "false_negative_rate",
}
"""The names that several tools have for columns of `rates`."""


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


def entropy_of_sides(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of both sides; of rows on neither, 0."""
    n = both.n + neither.n
    shares = [(side.n / n, _benefits(side) / side.n) for side in (d, a)]
    return Formula(AMONG_ALL, _entropy([*shares, (neither.n / n, literal(0.0))], alpha))


def entropy_of_groups(alpha: float = 2) -> Formula:
    """The generalized entropy of the mean benefits of all groups."""
    alpha = require_number("alpha", alpha)
    mean = _benefits(g).sum() / g.n.sum()
    value = (g.n * _part(_benefits(g) / g.n / mean, mean, alpha)).sum() / g.n.sum()
    return across(choose((mean > 0) & (g.n.sum() > 0), value), may_overlap=False)


def coefficient_of_variation(formula: Callable[[], Formula]) -> Formula:
    """The coefficient of variation: the root of twice the entropy of order 2."""
    found = formula()
    return replace(found, expression=(2 * found.expression).clip(lower=0).sqrt())

"""The expressions of formulas: a small tree, whose equal parts are one object.

So an equal part is computed once, and whether two formulas are the same is `is`. Aggregates are
over the rows of the level, running sums and steps are along them. A condition may be null: then
`choose` takes its last part, and a sum of conditions leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Final, NoReturn, SupportsIndex
from weakref import WeakValueDictionary

import polars as pl

from polars_fairness.errors import FairnessError

AGGREGATES: Final = frozenset(
    ("sum", "max", "min", "mean", "count", "var", "first", "all", "any", "applied")
)
"""The operations that make one value of all rows."""

ALONG: Final = frozenset(("running sum", "next", "previous", "carried"))
"""The operations whose value on a row depends on the rows before or after it."""

_OF_ALL_ROWS: Final = frozenset(("are_probabilities", "resolution"))

CONDITIONS: Final = frozenset(
    ("<", "<=", ">", ">=", "==", "!=", "and", "or", "not", "is null", "all", "any")
)
"""The operations whose value is true, false or null; as a number it is 1, 0 or null."""

# What a formula lacks, with the words to write in its place.
_IN_PLACE: Final = {
    "alias": "a name in pf.Metric",
    "cast": "the value itself, since a condition is 1 or 0 in arithmetic",
    "cum_sum": "running_sum()",
    "fill_nan": "known(value) for null in its place",
    "fill_null": "choose(value.is_null(), other, value)",
    "filter": "choose(condition, value) before the aggregate",
    "is_between": "two comparisons",
    "is_not_null": "~value.is_null()",
    "len": "count()",
    "over": "terms such as all_.n, the number of all rows",
    "shift": "previous() or next()",
}
_OF_POLARS: Final = (
    "larger for pl.max_horizontal, smaller for pl.min_horizontal, + for pl.sum_horizontal, & for "
    "pl.all_horizontal, choose for pl.when, and numbers for pl.lit"
)


class Expression:
    """A term, a number, or an operation on other parts: what a formula is written in.

    Examples
    --------
    >>> from polars_fairness.terms import a, d
    >>> a.tpr - d.tpr is a.tpr - d.tpr
    True
    >>> sorted((a.tpr - d.tpr).terms)
    ['a.tpr', 'd.tpr']
    """

    __slots__ = ("__weakref__", "args", "op", "terms")
    op: str
    args: tuple[Any, ...]
    terms: frozenset[str]

    def __new__(cls, op: str, *args: Any) -> Expression:
        # Parts by their own number: as keys themselves they would be compared by `==`.
        key = (op, *(id(each) if isinstance(each, Expression) else each for each in args))
        made = _MADE.get(key)
        if made is None:
            made = super().__new__(cls)
            made.op, made.args = op, args
            inner = [each.terms for each in args if isinstance(each, Expression)]
            made.terms = frozenset(args) if op == "term" else frozenset().union(*inner)
            with _LOCK:
                made = _MADE.setdefault(key, made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (self.op, *self.args)

    def __repr__(self) -> str:
        if self.op in ("term", "number"):
            return str(self.args[0])
        return f"{self.op}({', '.join(map(repr, self.args))})"

    def __bool__(self) -> NoReturn:
        raise FairnessError(
            "formula: a part of it is neither true nor false by itself; give choose(condition, "
            "value, otherwise), and & for `and`, | for `or`"
        )

    def __getattr__(self, name: str) -> NoReturn:
        hint = f"; write {_IN_PLACE[name]}" if name in _IN_PLACE else ""
        raise AttributeError(f"formula: has no {name!r}{hint}")

    __hash__ = object.__hash__

    def __add__(self, other: Value) -> Expression:
        return Expression("+", self, literal(other))

    def __radd__(self, other: Value) -> Expression:
        return Expression("+", literal(other), self)

    def __sub__(self, other: Value) -> Expression:
        return Expression("-", self, literal(other))

    def __rsub__(self, other: Value) -> Expression:
        return Expression("-", literal(other), self)

    def __mul__(self, other: Value) -> Expression:
        return Expression("*", self, literal(other))

    def __rmul__(self, other: Value) -> Expression:
        return Expression("*", literal(other), self)

    def __truediv__(self, other: Value) -> Expression:
        return Expression("/", self, literal(other))

    def __rtruediv__(self, other: Value) -> Expression:
        return Expression("/", literal(other), self)

    def __pow__(self, other: Value) -> Expression:
        return Expression("**", self, literal(other))

    def __neg__(self) -> Expression:
        return Expression("-", literal(0.0), self)

    def __abs__(self) -> Expression:
        return self.abs()

    def __lt__(self, other: Value) -> Expression:
        return Expression("<", self, literal(other))

    def __le__(self, other: Value) -> Expression:
        return Expression("<=", self, literal(other))

    def __gt__(self, other: Value) -> Expression:
        return Expression(">", self, literal(other))

    def __ge__(self, other: Value) -> Expression:
        return Expression(">=", self, literal(other))

    def __eq__(self, other: Value) -> Expression:  # type: ignore[override]
        return Expression("==", self, literal(other))

    def __ne__(self, other: Value) -> Expression:  # type: ignore[override]
        return Expression("!=", self, literal(other))

    def __and__(self, other: Value) -> Expression:
        return Expression("and", self, literal(other))

    def __or__(self, other: Value) -> Expression:
        return Expression("or", self, literal(other))

    def __invert__(self) -> Expression:
        return Expression("not", self)

    def abs(self) -> Expression:
        """The distance from 0."""
        return Expression("abs", self)

    def log(self) -> Expression:
        """The natural logarithm; of 0 it is minus infinity."""
        return Expression("log", self)

    def exp(self) -> Expression:
        """The exponential."""
        return Expression("exp", self)

    def sqrt(self) -> Expression:
        """The square root."""
        return Expression("sqrt", self)

    def floor(self) -> Expression:
        """The largest whole number that is not larger."""
        return Expression("floor", self)

    def round(self) -> Expression:
        """The nearest whole number."""
        return Expression("round", self)

    def clip(self, lower: float | None = None, upper: float | None = None) -> Expression:
        """The value, or the limit that it is beyond."""
        return Expression("clip", self, literal(lower), literal(upper))

    def is_null(self) -> Expression:
        """Whether there is no value."""
        return Expression("is null", self)

    def sum(self) -> Expression:
        """The sum over the rows, which leaves nulls out."""
        return Expression("sum", self)

    def max(self) -> Expression:
        """The largest value, which leaves nulls out."""
        return Expression("max", self)

    def min(self) -> Expression:
        """The smallest value, which leaves nulls out."""
        return Expression("min", self)

    def mean(self) -> Expression:
        """The mean over the rows, which leaves nulls out."""
        return Expression("mean", self)

    def var(self) -> Expression:
        """The sample variance over the rows, which leaves nulls out."""
        return Expression("var", self)

    def std(self) -> Expression:
        """The sample standard deviation over the rows, which leaves nulls out."""
        return self.var().sqrt()

    def count(self) -> Expression:
        """The number of rows that have a value."""
        return Expression("count", self)

    def first(self) -> Expression:
        """The value of the first row."""
        return Expression("first", self)

    def all(self) -> Expression:
        """Whether a condition holds on all rows, which leaves nulls out."""
        return Expression("all", self)

    def any(self) -> Expression:
        """Whether a condition holds on some row, which leaves nulls out."""
        return Expression("any", self)

    def running_sum(self) -> Expression:
        """The sum up to each row."""
        return Expression("running sum", self)

    def next(self) -> Expression:
        """The value of the next row, null on the last."""
        return Expression("next", self)

    def previous(self) -> Expression:
        """The value of the row before, null on the first."""
        return Expression("previous", self)

    def carried(self) -> Expression:
        """The value or, where it is null, the last one before it."""
        return Expression("carried", self)


Value = Expression | float | SupportsIndex | None
"""A part of a formula, or a number to make one of."""

_MADE: Final[WeakValueDictionary[tuple[Any, ...], Expression]] = WeakValueDictionary()
_LOCK: Final = Lock()


def term(name: str) -> Expression:
    """A number that the table of a level has, such as ``a.tpr``."""
    return Expression("term", name)


def literal(value: Value) -> Expression:
    """A value as a part of a formula; a number of None is undefined."""
    if isinstance(value, Expression):
        return value
    if value is None or isinstance(value, int | float):
        # As text: 0.0 and -0.0, and 1 and True, would be one key.
        return Expression("number", None if value is None else repr(float(value)))
    if isinstance(value, pl.Expr):
        raise FairnessError(
            f"formula: {value} is an expression of polars, and a formula takes the terms of "
            f"polars_fairness.terms, such as a.tpr; write {_OF_POLARS}"
        )
    raise FairnessError(f"formula: takes terms and numbers, got {value!r}")


def number_of(expression: Expression) -> float | None:
    """The number that a part is."""
    return None if expression.args[0] is None else float(expression.args[0])


def choose(condition: Expression, value: Value, otherwise: Value = None) -> Expression:
    """A value where a condition holds, and another, or null, where it does not or is null.

    Examples
    --------
    >>> from polars_fairness.terms import choose, d
    >>> choose(d.n >= 10, d.tpr)
    choose(>=(d.n, 10.0), d.tpr, None)
    """
    return Expression("choose", condition, literal(value), literal(otherwise))


def applied(function: Callable[..., float | None], *counts: Expression) -> Expression:
    """What a function of arrays makes of the rows; it has no rendering but that of numpy."""
    return Expression("applied", function, *counts)


def mapped(function: Callable[..., Any], *values: Expression) -> Expression:
    """What a function of arrays makes of each value, or of some values beside each other."""
    return Expression("mapped", function, *values)


def parts_of(*expressions: Expression) -> Iterator[Expression]:
    """Every part once, each after the parts that it is made of."""
    seen: set[int] = set()
    stack = [(each, False) for each in reversed(expressions)]
    while stack:
        each, is_done = stack.pop()
        if is_done:
            yield each
        elif id(each) not in seen:
            seen.add(id(each))
            stack.append((each, True))
            stack += [(arg, False) for arg in reversed(each.args) if isinstance(arg, Expression)]


def rewritten(
    expression: Expression, change: Callable[[Expression], Expression | None]
) -> Expression:
    """The expression with parts in place of others: ``change`` gives the part, or None to stay."""
    made: dict[Expression, Expression] = {}
    for each in parts_of(expression):
        new = change(each)
        if new is None:
            args = (made[arg] if isinstance(arg, Expression) else arg for arg in each.args)
            new = Expression(each.op, *args)
        made[each] = new
    return made[expression]


def without(expression: Expression, *operations: str) -> Expression:
    """The expression with what some operations are of in their place."""
    kept: dict[Expression, Expression] = {}
    for each in parts_of(expression):
        args = [kept[arg] if isinstance(arg, Expression) else arg for arg in each.args]
        kept[each] = args[-1] if each.op in operations else Expression(each.op, *args)
    return kept[expression]


def has_rows(expression: Expression) -> bool:
    """Whether a value is one of each row, and not one of all rows."""
    ranges: dict[Expression, bool] = {}
    for each in parts_of(expression):
        ranges[each] = (
            each.op == "term" and not is_whole(each.args[0])
            if each.op == "term" or each.op in AGGREGATES
            else any(ranges[arg] for arg in each.args if isinstance(arg, Expression))
        )
    return ranges[expression]


def is_whole(name: str) -> bool:
    """Whether a term is a number that all rows have in common."""
    return name in _OF_ALL_ROWS or name.startswith("all.")


INFINITY: Final = float("inf")

UNDEFINED: Final = Expression("undefined")
"""The value of 0/0: the call decides it, not the formula."""


def ratio(numerator: Value, denominator: Value) -> Expression:
    """Divide; with a denominator of 0, the quotient is undefined, whatever the numerator.

    Where the call gives a number for undefined values, 0/0 is this number and x/0 is infinite.
    """
    return Expression("ratio", literal(numerator), literal(denominator))


def unbounded_ratio(numerator: Value, denominator: Value) -> Expression:
    """Divide as `ratio` does, but x/0 is infinite: for metrics whose source defines it so."""
    return Expression("unbounded ratio", literal(numerator), literal(denominator))


def logarithm(value: Value) -> Expression:
    """The natural logarithm; the logarithm of 0 is undefined, as 1/0 is."""
    return Expression("logarithm", literal(value))


def known(value: Expression) -> Expression:
    """The value, null where it is not a number."""
    return Expression("known", value)


def or_undefined(value: Expression) -> Expression:
    """The value; if it is not a number, such as infinity minus infinity, it is undefined."""
    return Expression("or undefined", value)


def smaller(left: Value, right: Value) -> Expression:
    """The smaller of two values, undefined if either is."""
    return Expression("smaller", literal(left), literal(right))


def larger(left: Value, right: Value) -> Expression:
    """The larger of two values, undefined if either is."""
    return Expression("larger", literal(left), literal(right))


def least(*values: Value) -> Expression:
    """The smallest of some values, which leaves nulls out."""
    return Expression("least", *map(literal, values))


def greatest(*values: Value) -> Expression:
    """The largest of some values, which leaves nulls out."""
    return Expression("greatest", *map(literal, values))


def needing_several(compared: Expression, value: Expression) -> Expression:
    """A value that compares groups, undefined where fewer than two of them have the number."""
    return choose(compared.count() > 1, value)


def total(value: Expression) -> Expression:
    """The sum, undefined if any value is; `sum` leaves nulls out. Without values it is 0."""
    return choose((~value.is_null()).all(), value.sum())


def difference(value: Expression, reference: Expression) -> Expression:
    """A value minus another; 0 if both are the same infinity, and null if it is undefined."""
    return known(choose(value == reference, 0.0, value - reference))

"""Formulas as one straight-line program of numpy, which computes each equal part once.

The rows of a level stand in the second of three axes, place by place, or in the first of two, with
the ends of places; replicates are in the last. NaN is null or not a number; which of the two it is
is kept apart where nulls are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np

from polars_fairness.formula.arrays import Floats
from polars_fairness.formula.tree import (
    AGGREGATES,
    CONDITIONS,
    Expression,
    is_whole,
    number_of,
    parts_of,
)

Slot = int
ValueAndNull = tuple[Slot, Slot | None]
"""Where the values of a part are, and where the mask of its nulls, if it may have nulls."""

Inner = Sequence[Expression]


class Terms(Protocol):
    """Where a program finds the arrays of terms."""

    def __getitem__(self, name: str) -> Any: ...


_ROW, _WHOLE, _CONSTANT = 2, 1, 0


class Layout:
    """How the rows of places stand in arrays: those of each place one after the other.

    Where all places have equally many rows, these have an axis of their own.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = np.asarray(sizes)
        self.ends = [0, *self.sizes.cumsum()]
        self.starts = self.ends[:-1]
        self.is_even = len(set(sizes)) == 1
        self.axis = 1 if self.is_even else 0

    def shaped(self, values: Floats) -> Floats:
        """A column of all rows, or of all rows by replicates, as programs take it."""
        values = values.reshape(len(values), -1)
        if self.is_even:
            return values.reshape(len(self.sizes), self.sizes[0], values.shape[-1])
        return values

    def repeated(self, values: Any) -> Any:
        """Values of places on each of their rows."""
        if self.is_even or not np.ndim(values):
            return values
        return np.repeat(values, self.sizes, axis=0)

    def size(self) -> Any:
        return float(self.sizes[0]) if self.is_even else self.sizes[:, np.newaxis].astype(float)

    def reduced(self, values: Any, function: np.ufunc) -> Any:
        if not np.ndim(values):
            return values * self.size() if function is np.add else values
        if self.is_even:
            if values.shape[1] != self.sizes[0]:
                # Where nulls are may be known of places alone.
                values = np.broadcast_to(values, (len(values), self.sizes[0], *values.shape[2:]))
            return function.reduce(values, axis=1, keepdims=True)
        return function.reduceat(values, self.starts, axis=0)

    def total(self, values: Floats) -> Floats:
        sums: Floats = self.reduced(values, np.add)
        return sums

    def first(self, values: Any) -> Any:
        return values[:, :1] if self.is_even else values[self.starts]

    def place_values(self, values: Any, replicates: int) -> Any:
        """A line for each place and a column for each replicate, from values of them or of rows."""
        values, places = np.asarray(values), len(self.sizes)
        if values.ndim and values.shape[: self.axis + 1] != (places, 1)[: self.axis + 1]:
            values = self.first(values)
        shape = (places, *(1,) * self.is_even, replicates)
        if values.shape != shape:
            values = np.broadcast_to(values, shape)
        return values.reshape(places, replicates)

    def applied(self, function: Callable[..., float | None], *counts: Floats) -> Floats:
        """What a function makes of the rows of each place, of one replicate."""
        flat = [each.reshape(-1) for each in counts]
        numbers = [
            function(*(each[start:end] for each in flat)) for start, end in pairwise(self.ends)
        ]
        shape = (-1, 1, 1) if self.is_even else (-1, 1)
        return np.array(numbers, dtype=np.float64).reshape(shape)

    def running_sum(self, values: Floats) -> Floats:
        if self.is_even:
            return values.cumsum(axis=1)
        sums = np.empty_like(values)
        for start, end in pairwise(self.ends):
            values[start:end].cumsum(axis=0, out=sums[start:end])
        return sums

    def next(self, values: Floats) -> Floats:
        following = np.full_like(values, np.nan)
        if self.is_even:
            following[:, :-1] = values[:, 1:]
        else:
            following[:-1] = values[1:]
            following[self.sizes.cumsum() - 1] = np.nan
        return following

    def previous(self, values: Floats) -> Floats:
        preceding = np.full_like(values, np.nan)
        if self.is_even:
            preceding[:, 1:] = values[:, :-1]
        else:
            preceding[1:] = values[:-1]
            preceding[self.starts] = np.nan
        return preceding

    def carried(self, values: Floats) -> Floats:
        shape = [1] * values.ndim
        shape[self.axis] = -1
        rows = np.arange(values.shape[self.axis]).reshape(shape)
        starts = rows == 0 if self.is_even else np.isin(rows, self.starts)
        last = np.where(np.isnan(values) & ~starts, 0, rows)
        last = np.maximum.accumulate(last, axis=self.axis)
        return np.take_along_axis(values, last, axis=self.axis)


def _below(one: Any, other: Any) -> Any:
    # In polars' order nothing is above what is not a number.
    return (one < other) | (np.isnan(other) & ~np.isnan(one))


def _is_at_most(one: Any, other: Any) -> Any:
    return (one <= other) | np.isnan(other)


def _equal(one: Any, other: Any) -> Any:
    return (one == other) | (np.isnan(one) & np.isnan(other))


def _unequal(one: Any, other: Any) -> Any:
    return ~_equal(one, other)


def _apart(one: Any, other: Any) -> Any:
    return (one < other) | (one > other)


def _swapped(function: Callable[..., Any], one: Any, other: Any) -> Any:
    return function(other, one)


_above, _at_least = partial(_swapped, _below), partial(_swapped, _is_at_most)

_PLAIN: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "abs": np.absolute,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "log": np.log,
    "floor": np.floor,
    "round": np.rint,
    "larger": np.maximum,
}
# Each with its function where what is not a number may occur, and its opposite.
_COMPARED: Final[Mapping[str, tuple[Callable[..., Any], Callable[..., Any], str]]] = {
    "<": (np.less, _below, ">="),
    "<=": (np.less_equal, _is_at_most, ">"),
    ">": (np.greater, _above, "<="),
    ">=": (np.greater_equal, _at_least, "<"),
    "==": (np.equal, _equal, "!="),
    "!=": (_apart, _unequal, "=="),
}
_REDUCED: Final = {"sum": np.add, "max": np.fmax, "min": np.fmin}

# An operation on numbers is a number, unless one of these makes it none.
_NEVER_NAN: Final = frozenset(
    ("term", "number", "undefined", "ratio", "unbounded ratio", "known", "or undefined", "count")
)
_MAKES_NAN: Final = frozenset(("/", "**", "log", "logarithm", "sqrt", "mean", "var"))
_ADDS: Final = frozenset(("+", "-", "*", "sum", "running sum"))
_MAKES_INFINITE: Final = frozenset(
    ("/", "**", "exp", "log", "logarithm", "ratio", "unbounded ratio")
)


class Program:
    """Formulas, compiled: it takes the terms as arrays, and gives an array for each formula.

    ``zero_division`` is what 0/0 is. Terms have no nulls, but for the ``nullable`` ones.
    """

    def __init__(
        self,
        formulas: Mapping[str, Expression],
        zero_division: float | None = None,
        nullable: Iterable[str] = (),
    ) -> None:
        self.zero, self.nullable = zero_division, frozenset(nullable)
        self.constants: list[Any] = [None]  # the layout
        self.known: dict[tuple[Any, ...], Slot] = {}
        self.terms: dict[str, Slot] = {}
        self.steps: list[tuple[Callable[..., Any], tuple[Slot, ...], Slot]] = []
        self.rank: dict[Expression, int] = {}
        self.values: dict[Expression, Slot] = {}
        self.nulls: dict[Expression, Slot | None] = {}
        self.may_be_nan: set[Expression] = set()
        self.may_be_infinite: set[Expression] = set()
        for each in parts_of(*formulas.values()):
            self._write(each)
        self.answers = {
            name: (self._value(each), self._null(each)) for name, each in formulas.items()
        }
        kept: set[Slot | None] = {slot for answer in self.answers.values() for slot in answer}
        freed = []
        for _, inputs, _ in reversed(self.steps):
            freed.append(tuple({*inputs} - kept - {0}))
            kept.update(inputs)
        self.freed = freed[::-1]

    def __call__(self, terms: Terms, layout: Layout) -> dict[str, tuple[Any, Any]]:
        """The values of each formula, on each row or for each place, and where they are null."""
        slots = self.constants.copy()
        slots[0] = layout
        for name, slot in self.terms.items():
            slots[slot] = terms[name]
        with np.errstate(all="ignore"):
            for (function, inputs, output), freed in zip(self.steps, self.freed, strict=True):
                slots[output] = function(*map(slots.__getitem__, inputs))
                # Without this, a thousand draws of ten groups took three times as long.
                for each in freed:
                    slots[each] = None
        return {
            name: (slots[value], False if null is None else slots[null])
            for name, (value, null) in self.answers.items()
        }

    def _slot(self, key: tuple[Any, ...], value: Any = None) -> Slot:
        if key not in self.known:
            self.known[key] = len(self.constants)
            self.constants.append(value)
        return self.known[key]

    def _constant(self, value: Any) -> Slot:
        return self._slot(("constant", repr(value)), value)

    def _step(self, function: Callable[..., Any], *inputs: Slot) -> Slot:
        key = (function, *inputs)
        if key not in self.known:
            self.steps.append((function, inputs, self._slot(key)))
        return self.known[key]

    def _repeated(self, slot: Slot, rank: int, to: int) -> Slot:
        return self._step(Layout.repeated, 0, slot) if (rank, to) == (_WHOLE, _ROW) else slot

    def _value(self, each: Expression, to: int = 0) -> Slot:
        """A part's values, on each row if ``to`` is; a condition is 1, 0 or NaN."""
        if each.op not in CONDITIONS:
            return self._repeated(self.values[each], self.rank[each], to)
        no = self._step(
            np.where, self._truth(each, True), self._constant(0.0), self._constant(np.nan)
        )
        value = self._step(np.where, self._truth(each), self._constant(1.0), no)
        return self._repeated(value, self.rank[each], to)

    def _null(self, each: Expression, to: int = 0) -> Slot | None:
        """Where a part is null; None if nowhere."""
        if each.op not in CONDITIONS:
            slot = self.nulls[each]
        elif each.op in ("is null", "all", "any") or all(
            self._null(arg) is None for arg in each.args
        ):
            slot = None
        else:
            slot = self._step(np.isnan, self._value(each))
        return slot if slot is None else self._repeated(slot, self.rank[each], to)

    def _truth(self, each: Expression, negated: bool = False, to: int = 0) -> Slot:  # noqa: FBT001, FBT002
        """Where a condition is true or, negated, where it is false: null is neither."""
        op, args, rank = each.op, each.args, max(self.rank[each], to)
        if op == "not":
            return self._truth(args[0], not negated, to)
        if op in ("and", "or"):
            both = np.logical_and if (op == "and") != negated else np.logical_or
            return self._step(both, *(self._truth(arg, negated, rank) for arg in args))
        if op in _COMPARED:
            return self._compared(each, negated, rank)
        if op == "is null":
            null = self._null(args[0], rank)
            if null is None:
                return self._constant(np.bool_(negated))
            return self._step(np.logical_not, null) if negated else null
        if op in ("all", "any"):  # which leave nulls out
            truth = self._truth(args[0], op == "all", _ROW)
            truth = self._reduced(truth, np.logical_or)
            truth = self._step(np.logical_not, truth) if (op == "all") != negated else truth
            return self._repeated(truth, _WHOLE, to)
        return self._step(
            np.equal if negated else _apart, self._value(each, to), self._constant(0.0)
        )

    def _compared(self, each: Expression, negated: bool, rank: int) -> Slot:  # noqa: FBT001
        plain, ordered, opposite = _COMPARED[each.op]
        if negated:
            plain, ordered, _ = _COMPARED[opposite]
        one, other = (self._value(arg, rank) for arg in each.args)
        if self.may_be_nan.isdisjoint(each.args):
            return self._step(plain, one, other)
        is_true = self._step(ordered, one, other)
        null = self._either(self._null(arg, rank) for arg in each.args)
        if null is None:
            return is_true
        return self._step(np.logical_and, is_true, self._step(np.logical_not, null))

    def _either(self, nulls: Iterable[Slot | None]) -> Slot | None:
        either: Slot | None = None
        for null in dict.fromkeys(nulls):
            if null is not None:
                either = null if either is None else self._step(np.logical_or, either, null)
        return either

    def _reduced(self, slot: Slot, function: np.ufunc) -> Slot:
        return self._step(Layout.reduced, 0, slot, self._slot(("function", function), function))

    def _write(self, each: Expression) -> None:
        """Add the steps that compute a part, after the parts that it is made of."""
        op, inner = each.op, [arg for arg in each.args if isinstance(arg, Expression)]
        rank = max((self.rank[arg] for arg in inner), default=_CONSTANT)
        if op == "term":
            rank = _WHOLE if is_whole(each.args[0]) else _ROW
        self.rank[each] = _WHOLE if op in AGGREGATES else rank
        self._note_kinds(each, inner)
        if op in CONDITIONS:
            return
        value, null = getattr(self, f"_{_WRITERS.get(op, 'plain')}")(each, inner, rank)
        self.values[each], self.nulls[each] = value, null

    def _note_kinds(self, each: Expression, inner: Sequence[Expression]) -> None:
        """Note whether a part may be infinite, or not a number where it is not null."""
        is_infinite = not self.may_be_infinite.isdisjoint(inner)
        if each.op in _MAKES_INFINITE or is_infinite:
            self.may_be_infinite.add(each)
        if each.op == "number":
            number = number_of(each)
            if number is not None and abs(number) == np.inf:
                self.may_be_infinite.add(each)
        elif each.op in _NEVER_NAN:
            return
        elif (
            each.op in _MAKES_NAN
            or not self.may_be_nan.isdisjoint(inner)
            or (is_infinite and each.op in _ADDS)
        ):
            self.may_be_nan.add(each)

    def _number(self, number: float | None) -> ValueAndNull:
        if number is None:
            return self._constant(np.nan), self._constant(np.True_)
        return self._constant(np.float64(number)), None

    def _leaf(self, each: Expression, _: Inner, rank: int) -> ValueAndNull:
        if each.op != "term":
            return self._number(self.zero if each.op == "undefined" else number_of(each))
        name = each.args[0]
        slot = self.terms[name] = self._slot(("term", name))
        return slot, self._step(np.isnan, slot) if name in self.nullable else None

    def _plain(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        values = [self._value(arg, rank) for arg in inner]
        function = each.args[0] if each.op == "mapped" else _PLAIN[each.op]
        return self._step(function, *values), self._either(self._null(arg, rank) for arg in inner)

    def _smaller(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        values = [self._value(arg, rank) for arg in inner]
        null = self._either(self._null(arg, rank) for arg in inner)
        if self.may_be_nan.isdisjoint(inner):
            return self._step(np.minimum, *values), null
        smaller = self._step(np.fmin, *values)
        if null is not None:
            smaller = self._step(np.where, null, self._constant(np.nan), smaller)
        return smaller, null

    def _quotient(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        above, below = (self._value(arg, rank) for arg in inner)
        if self.zero is None:
            below = self._nonzero(below) if each.op == "ratio" else below
            quotient = self._step(np.divide, above, below)
            return quotient, self._step(np.isnan, quotient)
        null = self._either(self._null(arg, rank) for arg in inner)
        return self._filled(self._step(np.divide, above, below), null), null

    def _filled(self, value: Slot, null: Slot | None) -> Slot:
        """A value with what 0/0 is in place of what is not a number."""
        is_nan = self._step(np.isnan, value)
        if null is not None:
            is_nan = self._step(np.logical_and, is_nan, self._step(np.logical_not, null))
        return self._step(np.where, is_nan, self._constant(np.float64(self.zero)), value)

    def _nonzero(self, value: Slot) -> Slot:
        is_0 = self._step(np.equal, value, self._constant(0.0))
        return self._step(np.where, is_0, self._constant(np.nan), value)

    def _logarithm(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        [value], null = (self._value(arg, rank) for arg in inner), self._null(inner[0], rank)
        if self.zero is None:
            null = self._either((null, self._step(np.equal, value, self._constant(0.0))))
            value = self._nonzero(value)
        return self._step(np.log, value), null

    def _known(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        value = self._value(inner[0], rank)
        if each.op == "or undefined" and self.zero is not None:
            null = self._null(inner[0], rank)
            return self._filled(value, null), null
        return value, self._step(np.isnan, value)

    def _clip(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        value = self._value(inner[0], rank)
        for limit, function in zip(inner[1:], (np.maximum, np.minimum), strict=True):
            if number_of(limit) is not None:
                value = self._step(function, value, self._value(limit))
        return value, self._null(inner[0], rank)

    def _choose(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        condition = self._truth(inner[0], to=rank)
        value = self._step(np.where, condition, *(self._value(arg, rank) for arg in inner[1:]))
        nulls = [self._null(arg, rank) for arg in inner[1:]]
        if nulls == [None, None]:
            return value, None
        no = self._constant(np.False_)
        return value, self._step(np.where, condition, *(no if n is None else n for n in nulls))

    def _applied(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        function = self._slot(("function", each.args[0]), each.args[0])
        counts = (self._value(arg, _ROW) for arg in inner)
        numbers = self._step(Layout.applied, 0, function, *counts)
        return numbers, self._step(np.isnan, numbers)

    def _chosen(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        """The least or greatest of some values, which leaves nulls out."""
        function = np.fmin if each.op == "least" else np.fmax
        value, *others = (self._value(arg, rank) for arg in inner)
        nulls = [self._null(arg, rank) for arg in inner]
        for other in others:
            value = self._step(function, value, other)
        if None in nulls:
            return value, None
        null, *other_nulls = (each for each in nulls if each is not None)
        for each_null in other_nulls:
            null = self._step(np.logical_and, null, each_null)
        return value, null

    def _along(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        function = {
            "running sum": Layout.running_sum,
            "next": Layout.next,
            "previous": Layout.previous,
            "carried": Layout.carried,
        }[each.op]
        numbers = self._step(function, 0, self._value(inner[0], rank))
        if each.op == "running sum":
            return numbers, self._null(inner[0], rank)
        return numbers, self._step(np.isnan, numbers)

    def _aggregate(self, each: Expression, inner: Inner, rank: int) -> ValueAndNull:
        op, [arg, *_] = each.op, inner
        if rank != _ROW and op in ("first", "max", "min", "mean"):
            return self._value(arg), self._null(arg)
        value, null = self._value(arg, _ROW), self._null(arg, _ROW)
        size = self._step(Layout.size, 0)
        if rank != _ROW:
            held = self._constant(1.0) if null is None else self._step(_is_held, null)
            count = self._step(np.multiply, size, held)
            if op == "sum" and null is not None:
                value = self._step(np.where, null, self._constant(0.0), value)
            return (count if op == "count" else self._step(np.multiply, value, size)), None
        if op == "first":
            first = None if null is None else self._step(Layout.first, 0, null)
            return self._step(Layout.first, 0, value), first
        if op in ("max", "min"):
            reduced = self._reduced(value, _REDUCED[op])
            return reduced, None if null is None else self._reduced(null, np.logical_and)
        of_known = None if null is None else self._step(_is_held, null)
        count = size if of_known is None else self._reduced(of_known, np.add)
        if op == "count":
            return count, None
        if null is not None:
            value = self._step(np.where, null, self._constant(0.0), value)
        reduced = self._reduced(value, np.add)
        if op == "sum":
            return reduced, None
        mean = self._step(np.divide, reduced, count)
        if op == "mean":
            return mean, self._step(np.equal, count, self._constant(0.0))
        squares = self._step(
            _squares, value, self._repeated(mean, _WHOLE, _ROW), of_known or self._constant(1.0)
        )
        return (
            self._step(_variance, self._reduced(squares, np.add), count),
            self._step(np.less_equal, count, self._constant(1.0)),
        )


def _is_held(null: Any) -> Any:
    return 1.0 - null


def _squares(values: Any, mean: Any, held: Any) -> Any:
    return np.where(held > 0, (values - mean) ** 2, 0.0)


def _variance(squares: Any, count: Any) -> Any:
    return np.where(count > 1, squares / (count - 1), np.nan)


_WRITERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("term", "number", "undefined"), "leaf"),
    **dict.fromkeys(("ratio", "unbounded ratio"), "quotient"),
    **dict.fromkeys(("known", "or undefined"), "known"),
    **dict.fromkeys(("least", "greatest"), "chosen"),
    **dict.fromkeys(("running sum", "next", "previous", "carried"), "along"),
    **dict.fromkeys(AGGREGATES - CONDITIONS, "aggregate"),
    "applied": "applied",
    "smaller": "smaller",
    "logarithm": "logarithm",
    "clip": "clip",
    "choose": "choose",
}


@lru_cache(maxsize=256)
def program(
    formulas: tuple[tuple[str, Expression], ...],
    zero_division: float | None = None,
    nullable: frozenset[str] = frozenset(),
) -> Program:
    """The program of formulas; making one takes as long as running it on small tables."""
    return Program(dict(formulas), zero_division, nullable)

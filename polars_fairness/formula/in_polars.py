"""Formulas as expressions of polars: one, or in layers that compute each equal part once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, truediv
from typing import Final

import polars as pl

from polars_fairness.formula.tree import (
    AGGREGATES,
    ALONG,
    CONDITIONS,
    Expression,
    number_of,
    parts_of,
    rewritten,
)

_NUMBERS: Final[Mapping[str, Callable[..., pl.Expr]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "**": pow,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "==": eq,
    "!=": ne,
    "abs": pl.Expr.abs,
    "log": pl.Expr.log,
    "exp": pl.Expr.exp,
    "sqrt": pl.Expr.sqrt,
    "floor": pl.Expr.floor,
    "round": pl.Expr.round,
    "known": lambda value: value.fill_nan(None),
    "smaller": lambda one, other: (
        pl.when(one <= other).then(one).when(one > other).then(other).otherwise(None)
    ),
    "larger": lambda one, other: (
        pl.when(one >= other).then(one).when(one < other).then(other).otherwise(None)
    ),
    "least": pl.min_horizontal,
    "greatest": pl.max_horizontal,
    "sum": pl.Expr.sum,
    "max": pl.Expr.max,
    "min": pl.Expr.min,
    "mean": pl.Expr.mean,
    "var": pl.Expr.var,
    "first": pl.Expr.first,
    "running sum": pl.Expr.cum_sum,
    "next": lambda value: value.shift(-1),
    "previous": lambda value: value.shift(1),
    "carried": pl.Expr.forward_fill,
}
_OF_PARTS: Final[Mapping[str, Callable[..., pl.Expr]]] = {
    "and": and_,
    "or": or_,
    "not": pl.Expr.not_,
    "all": pl.Expr.all,
    "any": pl.Expr.any,
    "is null": pl.Expr.is_null,
    "count": lambda value: value.count().cast(pl.Float64),
}

_Formulas = Mapping[str, Expression]
Term = Callable[[str], pl.Expr]
"""What a term is: a column of a table, or a field of a row."""


def rendered(
    expression: Expression, zero_division: float | None = None, term: Term = pl.col
) -> pl.Expr:
    """One expression of polars; ``zero_division`` is what 0/0 is.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.terms import a, d, unbounded_ratio
    >>> quotient = rendered(unbounded_ratio(d.n, a.n), zero_division=1)
    >>> pl.DataFrame({"a.n": [0, 2], "d.n": [0, 1]}).select(quotient).to_series().to_list()
    [1.0, 0.5]
    """
    _, written = layers({"": expression}, zero_division, term, is_shared=lambda _: False)
    return written[""]


def layers(
    formulas: _Formulas,
    zero_division: float | None = None,
    term: Term = pl.col,
    over: Sequence[str] = (),
    is_shared: Callable[[Expression], bool] | None = None,
) -> tuple[list[dict[str, pl.Expr]], dict[str, pl.Expr]]:
    """Columns to add one layer after the other, and the formulas as expressions of these.

    A part that is used more than once is a column, and so is an aggregate ``over`` keys: polars
    would compute it as often as formulas have it.
    """
    order = [*parts_of(*formulas.values())]
    uses = Counter(arg for each in order for arg in each.args if isinstance(arg, Expression))
    made: dict[Expression, pl.Expr] = {}
    depths: dict[Expression, int] = {}
    by_depth: defaultdict[int, dict[str, pl.Expr]] = defaultdict(dict)
    for each in order:
        inner = [arg for arg in each.args if isinstance(arg, Expression)]
        depth = max((depths[arg] for arg in inner), default=0)
        value = _written(each, made, zero_division, term)
        is_whole = each.op in AGGREGATES or each.op in ALONG
        if is_whole and over:
            value = value.over(over)
        shared = uses[each] > 1 and bool(inner) if is_shared is None else is_shared(each)
        if shared or (is_whole and over and uses[each]):
            name = f"part{len(made)}\x1f"
            by_depth[depth][name] = value
            value, depth = term(name), depth + 1
        made[each], depths[each] = value, depth
    return (
        [by_depth[depth] for depth in sorted(by_depth)],
        {name: _as_number(each, made) for name, each in formulas.items()},
    )


def with_values(
    table: pl.LazyFrame,
    formulas: _Formulas,
    zero_division: float | None,
    keys: Sequence[str] = (),
) -> pl.LazyFrame:
    """A table with a column for each formula; aggregates are over the rows of each key."""
    before, columns = layers(formulas, zero_division, over=keys)
    for layer in before:
        table = table.with_columns(**layer)
    table = table.with_columns(**columns)
    return table.drop(name for layer in before for name in layer) if before else table


def reduced(
    table: pl.LazyFrame, formulas: _Formulas, zero_division: float | None, keys: Sequence[str]
) -> pl.LazyFrame:
    """The values of formulas that aggregate the rows of each key, a row for each of the keys."""
    whole: dict[Expression, Expression] = {}
    names: dict[str, Expression] = {}
    stack = [*formulas.values()]
    while stack:
        each = stack.pop()
        if each.op == "term" or each.op in AGGREGATES or each.op in ALONG:
            if each not in whole:
                name = f"whole{len(names)}\x1f"
                names[name], value = each, Expression("term", name)
                whole[each] = value == 1 if each.op in CONDITIONS else value
        else:
            stack += [arg for arg in each.args if isinstance(arg, Expression)]
    before, columns = layers(names, zero_division, over=keys)
    for layer in before:
        table = table.with_columns(**layer)
    # A value that all rows have in common may be repeated on each of them.
    of_keys = {name: value.first() for name, value in columns.items()}
    rows = (
        table.group_by(keys, maintain_order=True).agg(**of_keys)
        if keys
        else table.select(**of_keys)
    )
    scalars = {name: rewritten(each, whole.get) for name, each in formulas.items()}
    return with_values(rows, scalars, zero_division).drop(names)


def _as_number(each: Expression, made: Mapping[Expression, pl.Expr]) -> pl.Expr:
    return made[each].cast(pl.Float64) if each.op in CONDITIONS else made[each]


def _written(
    each: Expression, made: Mapping[Expression, pl.Expr], zero: float | None, term: Term
) -> pl.Expr:
    op, inner = each.op, [arg for arg in each.args if isinstance(arg, Expression)]
    if op == "term":
        return term(each.args[0])
    if op in ("number", "undefined"):
        return pl.lit(number_of(each) if op == "number" else zero, pl.Float64)
    if op in _OF_PARTS:
        return _OF_PARTS[op](*(made[arg] for arg in inner))
    numbers = [_as_number(arg, made) for arg in inner]
    if op in _BY_ZERO:
        return _BY_ZERO[op](*numbers, zero)
    if op == "choose":
        return pl.when(made[inner[0]]).then(numbers[1]).otherwise(numbers[2])
    if op == "mapped":
        mapped = pl.map_batches(
            numbers,
            lambda columns: pl.Series(each.args[0](*(column.to_numpy() for column in columns))),
            return_dtype=pl.Float64,
            is_elementwise=True,
        )
        return pl.when(*(number.is_not_null() for number in numbers)).then(mapped)
    if op == "clip":
        return numbers[0].clip(*map(number_of, inner[1:]))
    return _NUMBERS[op](*numbers)


def _nonzero(value: pl.Expr, zero: float | None) -> pl.Expr:
    # Where the call gives 0/0 a number, x/0 is infinite.
    return pl.when(value != 0).then(value) if zero is None else value


def _unless_nan(quotient: pl.Expr, zero: float | None) -> pl.Expr:
    # `fill_nan` would write the quotient three times into the plan; this writes it twice.
    return pl.when(quotient.is_nan()).then(pl.lit(zero, pl.Float64)).otherwise(quotient)


_BY_ZERO: Final[Mapping[str, Callable[..., pl.Expr]]] = {
    "ratio": lambda above, below, zero: _unless_nan(above / _nonzero(below, zero), zero),
    "unbounded ratio": lambda above, below, zero: _unless_nan(above / below, zero),
    "logarithm": lambda value, zero: _nonzero(value, zero).log(),
    "or undefined": lambda value, zero: value.fill_nan(pl.lit(zero, pl.Float64)),
}

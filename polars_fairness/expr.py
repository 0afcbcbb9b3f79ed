"""Metrics and rates as polars expressions, for your own queries.

Each function returns a `polars.Expr` that is one number from the rows of its context: in
``select``, ``group_by().agg()``, ``group_by_dynamic``, ``rolling`` and ``over``. The formulas are
those of `metrics` and `rates`. What is specific to an expression:

- Columns are given by position or by name, as names or expressions: the outcomes first, then
  ``facet=``. An expression makes one comparison, so ``disfavored=`` is required.
- A row that lacks what the metric needs, such as its label, is left out, as with
  ``nulls="drop"``. A row whose facet is null or unknown is on neither side.
- The value is null if it is undefined, or if a side has no rows. A facet value that never occurs
  is not an error, since a window may lack it.
- Numbers other than 0 and 1 as an outcome, and negative weights, raise errors of polars when the
  query runs. For text as an outcome, name its positive values with ``positive=``.

Sums stream, and so do means and variances without weights. Metrics that need the rows in order,
such as `auc_difference` and `tvd`, are computed in memory.

Examples
--------
>>> import polars as pl
>>> import polars_fairness as pf
>>> loans = pl.DataFrame(
...     {
...         "branch": ["north"] * 4 + ["south"] * 4,
...         "sex": ["F", "F", "M", "M"] * 2,
...         "approved": [1, 0, 1, 1, 0, 1, 1, 0],
...     }
... )
>>> loans.group_by("branch", maintain_order=True).agg(
...     pl.len(), pf.expr.di("approved", facet="sex", disfavored="F")
... ).rows()
[('north', 4, 0.5), ('south', 4, 1.0)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from inspect import Parameter, Signature, signature
from operator import add, and_
from typing import Any, Final

import polars as pl

from polars_fairness.answers.one_metric import described
from polars_fairness.api.signatures import described_in_docstring, spelled_out
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.counting.counts import SCORES, SPLIT, SQUARED_SCORES, Counts, squared
from polars_fairness.counting.polars_rows import RESIDUAL, moments
from polars_fairness.errors import FairnessError, did_you_mean, require_number, shown
from polars_fairness.formula.formulas import population
from polars_fairness.formula.in_polars import layers
from polars_fairness.formula.levels import COMPARISON, LABEL_VALUE, SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import RESOLUTION
from polars_fairness.formula.sides import RATES, SUMS_BY_SCORE, SUMS_OF_NUMBERS, g
from polars_fairness.formula.tree import (
    INFINITY,
    Expression,
    choose,
    literal,
    rewritten,
    term,
    unbounded_ratio,
    without,
)
from polars_fairness.formula.tree import known as known_value
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.columns import column_called
from polars_fairness.question.facets import OVERALL, Reference
from polars_fairness.values.formula_checks import reads_all_labels

_NUMBERS: Final = ("observed", "estimated", "score")
_SUMS_OF_SCORES: Final = SUMS_BY_SCORE.keys() - {"squared_weights"}
_SUMS_OF_NUMBERS: Final = SUMS_OF_NUMBERS.keys() | {"squared_scores"}
_OUTCOMES: Final = ("label", "predicted")
_THRESHOLDS: Final = {"label": "label_threshold", "predicted": "threshold"}

_OWN: Final = {
    "facet": "the sensitive attribute",
    "disfavored": "the value of side d, or a list of values",
    "favored": "the value of side a, or a list of values; or ``pf.OVERALL``, all rows whose facet "
    "is known; without it, side a is everyone else whose facet is known",
}
_ONE_COLUMN: Final = {*_OUTCOMES, *_NUMBERS, "facet"}

_ARGUMENTS: Final = {
    each.name: replace(
        each,
        meaning=_OWN.get(each.name, each.meaning),
        details=each.details if each.name in ("positive", "unknown") else "",
        type="ColumnLike" if each.name in _ONE_COLUMN else each.type,
    )
    for each in OF_QUESTION
}
_ARGUMENTS["threshold"] = replace(_ARGUMENTS["threshold"], type="float | None")

_METRICS: Final = {
    **{
        name: CATALOGUE[name]
        for name in CATALOGUE.names
        if CATALOGUE[name].parsed.level in (COMPARISON, SCORE, LABEL_VALUE)
        and not CATALOGUE[name].is_about_ranks
    },
    # A rate is a formula over all rows as one group.
    **{
        rate.name: Metric(
            name=rate.name,
            title=rate.title,
            formula=population(getattr(g, rate.name)),
            definition=rate.meaning,
            range=(0, 1),
            ideal=None,
        )
        for rate in RATES.values()
    },
}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_METRICS)
    if name in _METRICS:
        return _function(name)
    hint = (
        f"it needs more than sums of two sides; call frame.fairness.{name}(...)"
        if name in CATALOGUE.names
        else did_you_mean(name, _METRICS)
    )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; {hint}")


def __dir__() -> list[str]:
    return [*_METRICS, *(name for name in globals() if name.startswith("__"))]


@cache
def _function(name: str) -> Callable[..., pl.Expr]:
    """The function of a metric or a rate, with its own signature and docstring."""
    metric = _METRICS[name]
    factory = PARAMETRISED.get(metric.name)
    own = [] if factory is None else [*signature(factory).parameters.values()]
    # The column that is given says which outcome's values are compared.
    own = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in own if each.name != "outcome"]
    columns = [need.partition(" ")[0] for need in metric.needs if need != "facet"]
    options = [*(("facet", "disfavored", "favored", "unknown") if metric.has_sides else ())]
    if "label values" not in metric.needs:
        options += ["positive"] if {*columns}.intersection(_OUTCOMES) else []
    options += [_THRESHOLDS[role] for role in columns if role in _THRESHOLDS]
    options += ["weight", "count"]

    def function(*places: Any, **names: Any) -> pl.Expr:
        given = signature(function).bind_partial(*places, **names).arguments
        for column in columns:
            if given.get(column) is None:
                raise FairnessError(f"{column}: expr.{name} requires it; give {column}=")
        chosen = {each.name: given.pop(each.name) for each in own if each.name in given}
        return _expression(factory(**chosen) if factory and chosen else metric, given).alias(name)

    required = {*columns, "facet", "disfavored"}
    arguments = [_ARGUMENTS[each] for each in (*columns, *options)]
    parameters = [
        Parameter(
            each.name,
            Parameter.POSITIONAL_OR_KEYWORD if each.name in columns else Parameter.KEYWORD_ONLY,
            default=Parameter.empty if each.name in required else None,
            annotation=each.type,
        )
        for each in arguments
    ]
    vars(function)["__signature__"] = Signature([*parameters, *own], return_annotation="pl.Expr")
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    listed = described_in_docstring(arguments)
    function.__doc__ = "\n".join([*described(name, metric), "", "Parameters", "----------", listed])
    return spelled_out(function, shared=(), name=f"expr.{name}")


def _expression(metric: Metric, given: Mapping[str, Any]) -> pl.Expr:
    """The value of a metric as one expression over the rows of its context."""
    faults: dict[str, pl.Expr] = {}
    level, words = metric.parsed.level, {term.partition(".")[2] for term in metric.terms}
    is_by_label = level == LABEL_VALUE
    # A metric of scores that mentions no sum of them is about their order.
    is_in_order = is_by_label or (level == SCORE and not words & _SUMS_OF_SCORES)
    # For numbers of any size, squares lose digits that moments keep.
    has_moments = not metric.parsed.of_probabilities and bool(words & _SUMS_OF_NUMBERS)
    numbers: dict[str, pl.Expr] = {
        role: _number(role, given) for role in _NUMBERS if role in metric.needs
    }
    mass, squares = _mass(given, faults)
    outcomes: dict[str, pl.Expr] = {
        role: _is_positive(role, given, faults) for role in _OUTCOMES if role in metric.needs
    }
    complete = [each.is_not_null() for each in (*numbers.values(), mass) if each is not None]
    members = _sides(given) if metric.has_sides else (pl.lit(value=True),)
    sides = {
        side.name: pl.all_horizontal(is_member, *complete)
        for side, is_member in zip(level.counted, members, strict=True)
    }
    one = pl.lit(1.0) if mass is None else mass
    beside = {"": one} if squares is None else {"": one, squared(""): squares}
    if words & _SUMS_OF_SCORES and not has_moments:
        beside |= {SCORES: numbers["score"] * one, SQUARED_SCORES: numbers["score"] ** 2 * one}
    rows = {
        f"{side}.{count}{ending}": pl.when(is_counted).then(value)
        for side, is_member in sides.items()
        for count, is_counted in _counts(is_member, outcomes).items()
        for ending, value in beside.items()
    }
    formula = _formula(
        metric,
        tuple(dict.fromkeys(name.partition(".")[2] for name in rows)),
        tuple(numbers) if has_moments else (),
        is_weighted=squares is not None,
        is_in_order=is_in_order,
    )
    if is_in_order:
        key = _label(given) if is_by_label else numbers["score"]
        table = _ordered_table(
            key, {name: rows[name] for name in formula.terms if name in rows}, sides
        )
    else:
        sums = {name: value.sum() for name, value in rows.items()}
        if has_moments:
            sums |= _moments(sides, numbers, mass)
        if "score" in numbers:
            of_sides = pl.when(pl.any_horizontal(sides.values())).then(numbers["score"])
            sums["are_probabilities"] = of_sides.is_between(0, 1).all().cast(pl.Float64)
        table = pl.concat_list(pl.struct(sums[name].alias(name) for name in sorted(formula.terms)))
    # polars evaluates it once on all lists of one row, whatever the context. With the sums
    # themselves in place of the fields, a sum is computed as often as the formula has it; a struct
    # of sums in place of the list does not stream.
    kept = sorted(formula.terms)
    before, [(_, value)] = _layers(formula)
    for layer in before:
        table = table.list.eval(pl.struct(*(_field(name).alias(name) for name in kept), **layer))
        kept += layer
    value = table.list.eval(value).list.first()
    if {*_OUTCOMES} <= {*outcomes} and reads_all_labels(metric):
        value = pl.when(~_lacks_labels(sides.values(), outcomes, one)).then(value)
    return pl.when(_is_sound(faults)).then(value) if faults else value


def _lacks_labels(
    sides: Iterable[pl.Expr], outcomes: Mapping[str, pl.Expr], mass: pl.Expr
) -> pl.Expr:
    """Whether a side has rows with a decision, none of which has a label, as in `unlabelled`."""
    label, decision = outcomes["label"], outcomes["predicted"]
    lacking = []
    for is_member in sides:
        for is_decided in (decision, ~decision):
            known, others = (
                pl.when(is_member & is_decided & is_known).then(mass).sum()
                for is_known in (label.is_not_null(), label.is_null())
            )
            lacking.append((known == 0) & (others > 0))
    return pl.any_horizontal(lacking)


def _is_sound(faults: Mapping[str, pl.Expr]) -> pl.Expr:
    """True, or an error of polars with the message of a fault, if a row has it."""
    # A strict cast is what polars has to raise with, and its error names the field.
    counts = [
        is_broken.sum().cast(pl.Int64).alias(message) for message, is_broken in faults.items()
    ]
    checked = (-pl.element().struct.field(message) for message in faults)
    is_sound = pl.all_horizontal(each.cast(pl.UInt32) == 0 for each in checked)
    return pl.concat_list(pl.struct(counts)).list.eval(is_sound).list.first()


def _column(argument: str, given: object) -> pl.Expr:
    if isinstance(given, str):
        return column_called(given)
    if isinstance(given, pl.Expr) and not given.meta.has_multiple_outputs():
        return given
    raise FairnessError(
        f"{argument}: takes a column name or an expression of one column, got {shown(given)}; "
        "write one expression for each comparison"
    )


def _number(role: str, given: Mapping[str, Any]) -> pl.Expr:
    return _column(role, given[role]).cast(pl.Float64).fill_nan(None)


def _label(given: Mapping[str, Any]) -> pl.Expr:
    decided = _decided("label", given)
    return _column("label", given["label"]) if decided is None else decided


def _decided(role: str, given: Mapping[str, Any]) -> pl.Expr | None:
    """Whether a number is at least its threshold; None without one."""
    threshold = given.get(_THRESHOLDS[role])
    if threshold is None:
        return None
    return _number(role, given).ge(require_number(_THRESHOLDS[role], threshold))


def _is_positive(role: str, given: Mapping[str, Any], faults: dict[str, pl.Expr]) -> pl.Expr:
    """Whether an outcome is positive, null where it is not known."""
    column, positive = _column(role, given[role]), given.get("positive")
    name = given[role]
    if isinstance(name, pl.Expr):
        name = name.meta.output_name(raise_if_undetermined=False)
    if isinstance(positive, Mapping):
        positive = positive.get(name)
    if (decided := _decided(role, given)) is not None:
        return decided
    if positive is not None:
        return _is_any_of(column, _values("positive", positive))
    message = (
        f"{role}: {name!r} has numbers other than 0 and 1; give {_THRESHOLDS[role]}= or positive="
    )
    faults[message] = (column != 0) & (column != 1)
    return column == 1


def _mass(
    given: Mapping[str, Any], faults: dict[str, pl.Expr]
) -> tuple[pl.Expr | None, pl.Expr | None]:
    """The number of rows that a row stands for, or their weight, and the sum of its squares."""
    masses = {}
    for role in ("weight", "count"):
        if given.get(role) is not None:
            mass = masses[role] = _column(role, given[role]).cast(pl.Float64)
            message = f"{role}: has numbers that are negative, infinite or NaN; correct them"
            faults[message] = (mass < 0) | ~mass.is_finite()
    weight, count = masses.get("weight"), masses.get("count")
    if weight is None or count is None:
        return (count, None) if weight is None else (weight, weight**2)
    weight = pl.when(count > 0).then(weight)
    return weight, weight**2 / count


def _sides(given: Mapping[str, Any]) -> tuple[pl.Expr, pl.Expr]:
    """Whether a row is on side a, and on side d; null or False where its facet is unknown."""
    facet, reference = _column("facet", given["facet"]), given.get("favored")
    disfavored, unknown = (_values(each, given.get(each)) for each in ("disfavored", "unknown"))
    if not disfavored:
        raise FairnessError(
            "disfavored: an expression makes one comparison and requires its side d; give "
            "disfavored="
        )
    if isinstance(reference, Reference):
        if reference != OVERALL:
            raise FairnessError(
                f"favored: {reference!r} is found in the data, but an expression has only the "
                "sides that its call names; name a value"
            )
        in_a = _is_none_of(facet, unknown)
    elif favored := _values("favored", reference):
        both = [value for value in disfavored if value in favored]
        if both:
            raise FairnessError(
                f"favored, disfavored: {both[0]!r} is on both sides; remove it from one"
            )
        in_a = _is_any_of(facet, favored)
    else:
        in_a = _is_none_of(facet, [*disfavored, *unknown])
    return in_a, _is_any_of(facet, disfavored)


def _values(argument: str, given: object) -> list[Any]:
    if isinstance(given, Mapping):
        raise FairnessError(
            f"{argument}: takes a value or a list of values, as an expression has one facet, got "
            f"{shown(given)}; give the values of this facet"
        )
    several = given if isinstance(given, list | tuple | set | frozenset) else [given]
    return [each for each in several if each is not None]


def _is_any_of(column: pl.Expr, values: Sequence[Any]) -> pl.Expr:
    return pl.any_horizontal(column == value for value in values)


def _is_none_of(column: pl.Expr, values: Sequence[Any]) -> pl.Expr:
    return column.is_not_null() & pl.all_horizontal(
        pl.lit(value=True), *(column != value for value in values)
    )


def _counts(is_member: pl.Expr, outcomes: Mapping[str, pl.Expr]) -> dict[str, pl.Expr]:
    """Whether a row is in each of the finest counts of a side."""
    counts = {"n": is_member}
    for role, yes in outcomes.items():
        counts = {
            part: is_counted & is_in_part
            for count, is_counted in counts.items()
            for part, is_in_part in zip(SPLIT[count, role], (yes, ~yes), strict=True)
        }
    return counts


def _moments(
    sides: Mapping[str, pl.Expr], numbers: Mapping[str, pl.Expr], mass: pl.Expr | None
) -> dict[str, pl.Expr]:
    """The means and variances of the numbers of each side."""
    if len(numbers) > 1:
        numbers = {**numbers, RESIDUAL: numbers["estimated"] - numbers["observed"]}
    return {
        f"{side}.{name}": value
        for side, is_member in sides.items()
        for name, value in moments(
            {role: pl.when(is_member).then(number) for role, number in numbers.items()},
            None if mass is None else pl.when(is_member).then(mass),
        ).items()
    }


def _ordered_table(
    key: pl.Expr, rows: Mapping[str, pl.Expr], sides: Mapping[str, pl.Expr]
) -> pl.Expr:
    """A table with a row for each score or label value, in order, as one list of structs."""
    counted = [value.fill_null(0.0).alias(name) for name, value in rows.items()]
    of_sides = pl.when(pl.any_horizontal(sides.values())).then(key)
    row, field = pl.struct(of_sides.alias("score"), *counted), pl.element().struct.field
    is_last = (field("score") != field("score").shift(-1)).fill_null(value=True)

    def sum_of(name: str) -> pl.Expr:
        up_to = field(name).cum_sum().filter(is_last)
        return (up_to - up_to.shift(1, fill_value=0.0)).alias(name)

    in_order = row.sort_by(of_sides).implode()
    known = in_order.list.eval(pl.element().filter(field("score").is_not_null()))
    return known.list.eval(pl.struct(field("score").filter(is_last), *map(sum_of, rows)))


@lru_cache(maxsize=256)
def _formula(
    metric: Metric,
    known: tuple[str, ...],
    numbers: tuple[str, ...],
    *,
    is_weighted: bool,
    is_in_order: bool,
) -> Expression:
    """The formula of a metric in the sums of the rows of a context, null without rows on a side."""
    level = metric.parsed.level
    names = level.counted_names
    if numbers == ("score",):
        known = (*known, f"n{SCORES}", f"n{SQUARED_SCORES}")
    counts = Counts(known, known, is_weighted)
    rows = {name: counts.term(f"{name}.n") for name in names}
    sums = _sums_of_numbers(rows, numbers)

    def change(part: Expression) -> Expression | None:
        if part is RESOLUTION:
            # Sums of a whole side are sums of scores that were rounded to one number.
            return literal(None if is_in_order else 0.0)
        if part.op != "term":
            return None
        name = part.args[0]
        side, _, word = name.partition(".")
        if word == "share":
            return unbounded_ratio(rows[side], rows[side].sum())
        return part if name in sums else counts.term(name)

    def side_sums(part: Expression) -> Expression | None:
        if part.op != "term":
            return None
        side, _, word = part.args[0].partition(".")
        if side in (each.name for each in level.sums):
            parts = [term(f"{each}.{word}") for each in names[::-1]]
            return reduce(add, (sums.get(each.args[0], each) for each in parts))
        return sums.get(part.args[0])

    value = rewritten(rewritten(metric.parsed.expression, change), side_sums)
    if metric.has_sides:
        sizes = [each.sum() if is_in_order else each for each in rows.values()]
        value = choose(reduce(and_, (each > 0 for each in sizes)), value)
    # A sum of one row is the row. With a sum, polars evaluates each list by itself.
    return known_value(value.first() if is_in_order else without(value, "sum", "first"))


def _field(name: str) -> pl.Expr:
    return pl.element().struct.field(name)


@lru_cache(maxsize=256)
def _layers(formula: Expression) -> tuple[list[dict[str, pl.Expr]], list[tuple[str, pl.Expr]]]:
    before, last = layers({"": formula}, term=_field)
    return before, [*last.items()]


def _sums_of_numbers(
    rows: Mapping[str, Expression], numbers: Sequence[str]
) -> dict[str, Expression]:
    """The sums of the numbers of both sides around one origin, from their means and variances."""
    all_sums: dict[str, Expression] = {}
    distances: dict[tuple[str, str], Expression] = {}
    for role in numbers:
        means = {side: term(f"{side}.{role}_sum") for side in rows}
        are_known = {
            side: (rows[side] > 0) & (mean.abs() < INFINITY) for side, mean in means.items()
        }
        of_all = reduce(
            add, (choose(are_known[side], means[side] * rows[side], 0.0) for side in rows)
        )
        known_rows = reduce(add, (choose(are_known[side], rows[side], 0.0) for side in rows))
        place = choose(known_rows > 0, of_all / known_rows, 0.0)
        for side, mass in rows.items():
            distance = choose(are_known[side], means[side] - place, 0.0)
            distances[side, role] = distance
            squares = _or_0(f"{side}.{role}_squares")
            sums = {
                f"{role}_place": mass * place,
                f"{role}_sum": mass * distance,
                f"{role}_squares": mass * (squares + distance**2),
            }
            all_sums |= {f"{side}.{_RENAMED.get(name, name)}": each for name, each in sums.items()}
    for side, mass in rows.items() if len(numbers) > 1 else ():
        observed, estimated = (distances[side, role] for role in numbers)
        squares = _or_0(f"{side}.residual_squares") + (estimated - observed) ** 2
        all_sums[f"{side}.residual_squares"] = mass * squares
        distance = f"{side}.residual_distance"
        all_sums[distance] = mass * _or_0(distance)
    return all_sums


def _or_0(name: str) -> Expression:
    return choose(term(name).is_null(), 0.0, term(name))


# Moments of scores are sums of scores that were rounded to one.
_RENAMED: Final = {"score_sum": f"n{SCORES}", "score_squares": f"n{SQUARED_SCORES}"}

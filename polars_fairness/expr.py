"""Metrics and rates as polars expressions, for plans of your own.

Each function returns a `polars.Expr` that is one number of the rows of its context: in ``select``,
``group_by().agg()``, ``group_by_dynamic``, ``rolling`` and ``over``. The formulas are those of
`metrics` and of `rates`. What is specific to an expression:

- Columns are given by place or by name, as names or expressions: the outcomes first, then
  ``facet=``. An expression has one comparison, so ``disfavored=`` is required.
- A row that lacks what the metric needs, such as its label, is left out, as ``nulls="drop"`` does
  it. A row whose facet is null or unknown is on no side.
- The value is null where it is undefined, and where a side has no rows. That a value of a facet
  never occurs is no error, since a window may lack it.
- Numbers other than 0 and 1 as an outcome, and negative weights, are errors of polars when the
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

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from inspect import Parameter, Signature, signature
from io import StringIO
from typing import Any, Final

import polars as pl

from polars_fairness.api.one_metric import described
from polars_fairness.api.signatures import described_in_docstring, spelled_out
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.counting.counts import (
    SCORES,
    SPLIT,
    SQUARED_SCORES,
    expressions_of_terms,
    squared,
)
from polars_fairness.counting.polars_rows import RESIDUAL, known_mean, moments, sums_around
from polars_fairness.counting.sides import sums_of_both
from polars_fairness.errors import FairnessError, did_you_mean, keyword, require_number, shown
from polars_fairness.formula.arithmetic import unbounded_ratio
from polars_fairness.formula.formulas import population
from polars_fairness.formula.levels import COMPARISON, LABEL_VALUE, SCORE
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES, SUMS_BY_SCORE, SUMS_OF_NUMBERS
from polars_fairness.formula.sides import g
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.columns import column_called
from polars_fairness.question.references import OVERALL, Reference

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
        f"it takes more than sums of two sides; give frame.fairness.{name}(...)"
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
                raise FairnessError(
                    f"{column}: expr.{name} needs it, and it was not given; give {keyword(column)}"
                )
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
    # Of numbers of any size, squares lose digits that moments keep.
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
    columns, steps = _steps(
        metric,
        tuple(dict.fromkeys(name.partition(".")[2] for name in rows)),
        tuple(numbers) if has_moments else (),
        is_weighted=squares is not None,
        is_in_order=is_in_order,
    )
    if is_in_order:
        key = _label(given) if is_by_label else numbers["score"]
        table = _in_order(key, {name: rows[name] for name in columns if name in rows}, sides)
    else:
        found = {name: value.sum() for name, value in rows.items()}
        if has_moments:
            found |= _moments(sides, numbers, mass)
        if "score" in numbers:
            of_sides = pl.when(pl.any_horizontal(sides.values())).then(numbers["score"])
            found["are_probabilities"] = of_sides.is_between(0, 1).all()
        table = pl.concat_list(pl.struct(found[name].alias(name) for name in sorted(columns)))
    for step in steps:
        table = table.list.eval(step)
    value = table.list.first()
    return pl.when(_is_sound(faults)).then(value) if faults else value


def _is_sound(faults: Mapping[str, pl.Expr]) -> pl.Expr:
    """True; an error of polars that has the message of a fault, if a row has it."""
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
        f"{argument}: takes the name of a column or an expression of one, got {shown(given)}; an "
        "expression has one comparison, so write one for each column"
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
            message = f"{role}: has numbers that are negative, infinite or NaN; mend them"
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
            f"disfavored: an expression has one comparison, and needs its side d; give "
            f"{keyword('disfavored')}"
        )
    if isinstance(reference, Reference):
        if reference != OVERALL:
            raise FairnessError(
                f"favored: {reference!r} is found in the data, and an expression has the sides "
                "that its call names; name a value"
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
            f"{argument}: takes a value or a list of values, since an expression has one facet, "
            f"got {shown(given)}"
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


def _in_order(key: pl.Expr, rows: Mapping[str, pl.Expr], sides: Mapping[str, pl.Expr]) -> pl.Expr:
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
def _steps(
    metric: Metric,
    known: tuple[str, ...],
    numbers: tuple[str, ...],
    *,
    is_weighted: bool,
    is_in_order: bool,
) -> tuple[frozenset[str], list[pl.Expr]]:
    """The columns that a table needs, and what to make of it, step by step, up to the value."""
    level = metric.parsed.level
    names = [side.name for side in level.counted]
    shares = {term for term in metric.terms if term.endswith(".share")}
    sizes = {term: term.replace(".share", ".n") for term in sorted(shares)}
    terms = (metric.terms - shares) | {f"{name}.n" for name in names}
    if numbers == ("score",):
        known = (*known, *_RENAMED.values())
    sums, quotients = expressions_of_terms(frozenset(terms), known, is_weighted)
    # Sums of a whole side are sums of scores that were rounded to one number.
    constants = {"undefined": None, "no_divisor": None, "resolution": None if is_in_order else 0.0}
    stages = [
        [
            *(pl.lit(value, pl.Float64).alias(name) for name, value in constants.items()),
            *_sums_of_numbers(names, numbers),
            *(each for both in level.sums for each in sums_of_both(*names, both.name, known)),
        ],
        sums,
        quotients,
        [
            unbounded_ratio(pl.col(size), pl.col(size).sum()).alias(term)
            for term, size in sizes.items()
        ],
    ]
    value = metric.value
    if metric.has_sides:
        rows = [pl.col(f"{name}.n") for name in names]
        value = pl.when((each.sum() if is_in_order else each) > 0 for each in rows).then(value)
    value = (value.first() if is_in_order else value).fill_nan(None)
    return _pruned(stages, value, is_one_row=not is_in_order)


def _pruned(
    stages: Sequence[Sequence[pl.Expr]], value: pl.Expr, *, is_one_row: bool
) -> tuple[frozenset[str], list[pl.Expr]]:
    """The columns that a value needs, and the steps to it, each with the columns still needed."""
    steps = [_of_fields(value, is_one_row=is_one_row)]
    needed = {*value.meta.root_names()}
    for stage in reversed(stages):
        own = {each.meta.output_name(): each for each in stage}
        made = [own[name] for name in sorted(needed & own.keys())]
        if made:
            kept = sorted(needed - own.keys())
            table = pl.struct(*map(pl.col, kept), *made)
            steps.append(_of_fields(table, is_one_row=is_one_row))
            needed = {*kept, *(root for each in made for root in each.meta.root_names())}
    return frozenset(needed), steps[::-1]


def _of_fields(expression: pl.Expr, *, is_one_row: bool) -> pl.Expr:
    """An expression of columns as one of the fields of the elements of a list.

    polars evaluates it once on all lists of one row, whatever the context. With the sums themselves
    in place of the columns, a sum is computed as often as the formula has it; a struct of sums in
    place of the list does not stream.
    """

    def rewritten(part: Any) -> Any:
        if isinstance(part, list):
            return [rewritten(each) for each in part]
        if not isinstance(part, dict):
            return part
        if [*part] == ["Column"]:
            return _as_json(pl.element().struct.field(part["Column"]))
        # A sum of one row is the row. With a sum, polars evaluates each list by itself.
        if is_one_row and [*part] == ["Agg"] and [*part["Agg"]] in (["Sum"], ["First"]):
            return rewritten(*part["Agg"].values())
        return {name: rewritten(each) for name, each in part.items()}

    text = json.dumps(rewritten(_as_json(expression)))
    return pl.Expr.deserialize(StringIO(text), format="json")


def _as_json(expression: pl.Expr) -> Any:
    return json.loads(expression.meta.serialize(format="json"))


def _sums_of_numbers(sides: Sequence[str], numbers: Sequence[str]) -> list[pl.Expr]:
    """The sums of the numbers of both sides, around one place, from their means and variances."""
    rows = {side: pl.col(f"{side}.n") for side in sides}
    places = {}
    for role in numbers:
        means = {side: known_mean(role, rows[side], f"{side}.") for side in sides}
        total = pl.sum_horizontal(means[side] * rows[side] for side in sides)
        of = pl.sum_horizontal(
            pl.when(means[side].is_not_null()).then(rows[side]) for side in sides
        )
        places[role] = total / of
    return [
        value.alias(f"{side}.{_RENAMED.get(name, name)}")
        for side in sides
        for name, value in sums_around(places, rows[side], f"{side}.").items()
    ]


# Moments of scores are sums of scores that were rounded to one.
_RENAMED: Final = {"score_sum": f"n{SCORES}", "score_squares": f"n{SQUARED_SCORES}"}

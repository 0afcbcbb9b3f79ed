"""The arguments of a call, checked against the schema of its frame.

Errors that the schema shows are raised at the call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain, combinations
from math import inf
from typing import Any, Final, cast

import polars as pl

from polars_fairness.errors import FairnessError, require_number, shown
from polars_fairness.question.arguments import (
    CHECKED_BY_KIND,
    DEFAULTS,
    OF_COLUMNS,
    Estimators,
    Question,
)
from polars_fairness.question.columns import (
    Column,
    ColumnLike,
    KeyColumns,
    Models,
    UncertainColumn,
    find_columns,
    find_single_column,
    is_text,
    refuse_odd_clusters,
)
from polars_fairness.question.facets import find_facets
from polars_fairness.question.header import (
    Header,
    numbers_with_sums,
    score_with_sums,
    tallies_in,
)
from polars_fairness.question.outcomes import (
    NUMBERS,
    Classes,
    Model,
    find_outcomes,
    number_of,
    outcome_of_score,
    questions_of_models,
    refuse_different_kinds,
    refuse_no_models,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import ThresholdLike, find_score, is_several, numbers_of
from polars_fairness.question.windows import (
    ESTIMATOR,
    LINEAR,
    MODEL,
    POSITIVE,
    THRESHOLD,
    WEIGHTED,
    Period,
    Windows,
    time_of,
)


def find_roles(schema: pl.Schema, question: Question) -> Roles:
    """Check a call's arguments against the frame's schema."""
    given = DEFAULTS | question
    for argument in CHECKED_BY_KIND:
        argument.refuse_other_values(given[argument.name])  # type: ignore[literal-required]
    if isinstance(given["estimated"], Mapping):
        roles = _roles_of_estimates(schema, given, given["estimated"])
    elif isinstance(given["predicted"], Mapping):
        roles = _roles_of_models(schema, given)
    else:
        roles = _roles_of_one_model(schema, given)
    if given["classes"] is None:
        return roles
    return with_classes(roles, is_cumulative=given["classes"] == "cumulative")


def _roles_of_estimates(
    schema: pl.Schema, given: Question, columns: Mapping[str, ColumnLike]
) -> Roles:
    refuse_no_models("estimated", columns)
    roles_by_name = {
        name: _roles_of_one_model(schema, cast("Question", {**given, "estimated": column}), columns)
        for name, column in columns.items()
    }
    roles = next(iter(roles_by_name.values()))
    models = tuple(
        Model(name, None, None, estimated=each.numbers[-1]) for name, each in roles_by_name.items()
    )
    windows = replace(roles.windows, made=(*roles.windows.made, MODEL))
    return replace(roles, windows=windows, models=models)


def _roles_of_models(schema: pl.Schema, given: Question) -> Roles:
    roles_by_name = {
        name: _roles_of_one_model(
            schema, cast("Question", {**given, **own}), cast("Models", given["predicted"])
        )
        for name, own in questions_of_models(schema, given).items()
    }
    # Each value of a list is one of some model, and need not occur for the others.
    is_shared = len(roles_by_name) > 1 and not isinstance(given["positive"], Mapping)
    named = list[Model]()
    for name, roles in roles_by_name.items():
        [model] = roles.models
        predicted = model.predicted
        if predicted is not None and is_shared:
            predicted = replace(predicted, shares_positive=True)
        named.append(replace(model, name=name, predicted=predicted))
    models = tuple(named)
    if given["classes"] is None:
        refuse_different_kinds(models)
    roles = next(iter(roles_by_name.values()))
    made = roles.windows.made
    first = made[:1] if roles.windows.has_estimators else ()
    windows = replace(roles.windows, made=(*first, MODEL, *made[len(first) :]))
    roles = replace(roles, windows=windows, models=models)
    return roles if all(model.score for model in models) else roles.with_scores(lambda _: None)


def _roles_of_one_model(schema: pl.Schema, given: Question, models: Models | None = None) -> Roles:
    """The roles of a question about one model, which may stand beside others."""
    by_argument = _columns_of(schema, given)
    single = {
        argument: columns[0] if columns else None for argument, columns in by_argument.items()
    }
    threshold = given["threshold"]
    single_threshold: Any = None if is_several(threshold) else threshold
    of_score = single_threshold is not threshold
    scored, predicted_by = single["score"], single["predicted"]
    if scored is not None:
        scored = numbers_of(scored)
    if predicted_by is None and threshold is not None:
        predicted_by = scored
    label, predicted = find_outcomes(
        {"label": single["label"], "predicted": None if of_score else predicted_by},
        {"label": given["label_threshold"], "predicted": single_threshold},
        given["positive"],
    )
    if of_score:
        predicted = outcome_of_score(predicted_by, has_own_score=scored is not None)
    is_decided = predicted is not None and threshold is None
    score = find_score(scored, predicted_by, given["resolution"], is_decided=is_decided)
    has_log = bool(by_argument["controls"])
    numbers = tuple(
        [
            replace(number_of(each), has_log=has_log)
            for name in NUMBERS
            for each in by_argument[name]
        ]
    )
    roles = Roles(
        windows=with_period(
            Windows("by", by_argument["by"], (THRESHOLD,) if of_score else ()),
            given["every"],
            given["period"],
        ),
        facets=find_facets(
            by_argument["facet"], given["disfavored"], given["favored"], given["unknown"]
        ),
        strata=KeyColumns("subgroup", by_argument["subgroup"]),
        controls=KeyColumns("controls", by_argument["controls"]),
        label=label,
        models=() if predicted is None and score is None else (Model(None, predicted, score),),
        weight=single["weight"],
        count=single["count"],
        cluster=single["cluster"],
        numbers=numbers,
        nulls=given["nulls"],
        zero_division=given["zero_division"],
        favorable=given["favorable"],
    )
    if roles.uncertain_facets:
        roles = _with_estimators(roles, given["estimator"])
    others = {
        name
        for each in (models.values() if models else ())
        for name in ([each] if isinstance(each, str) else each.meta.root_names())
    }
    return _with_sums(roles, schema, threshold, others)


def asked_of(header: Header, count: ColumnLike | None, question: Roles) -> Roles:
    """A question about a frame as it is asked of another one, whose rows a column may count."""
    if question.classes is not None:
        counted = _asked_of(header, count, question.as_counted)
        return with_classes(counted, is_cumulative=question.classes.is_cumulative)
    asked = _asked_of(header, count, question)
    refuse_different_kinds(asked.named_models)
    return asked


def _asked_of(header: Header, count: ColumnLike | None, question: Roles) -> Roles:
    several = question.windows.has_thresholds
    weight, cluster = question.weight, question.cluster
    roles = replace(
        question,
        windows=header.windows(question.windows),
        facets=tuple(
            replace(facet, column=header.column(facet.column)) for facet in question.facets
        ),
        strata=header.keys(question.strata),
        controls=header.keys(question.controls),
        label=header.outcome(question.label),
        models=tuple(header.model(each, tries_several=several) for each in question.models),
        weight=weight and header.column(weight),
        count=next(iter(find_single_column(header.schema, "count", count)), None),
        cluster=cluster and header.column(cluster),
        numbers=tuple(map(header.number, question.numbers)),
    )
    return _with_sums(roles, header.schema, question.thresholds or None)


def _with_sums(
    roles: Roles,
    schema: pl.Schema,
    threshold: ThresholdLike | None,
    others: Collection[str] = (),
) -> Roles:
    """The question, with the sums that cells of a schema have in columns that no other role has.

    ``others`` are columns of other models.
    """
    columns = roles.columns_read
    parts = [part for each in columns if isinstance(each, UncertainColumn) for part in each.parts]
    named = {*others, *(each.name for each in (*columns, *parts))}
    if roles.count is not None:
        tallies = tallies_in(schema, named | {roles.count.name})
        roles = roles.with_scores(lambda score: score_with_sums(score, tallies))
    else:
        # Rows that differ in a score, a number or a cluster are no sign of cells.
        has_few_keys = not (roles.cluster or roles.numbers) and (
            roles.score is None or roles.score.is_rounded
        )
        has_n = "n" not in named and schema.get("n", pl.Null()).is_integer()
        tallies = frozenset({"n"} if has_few_keys and has_n else ())
    models = roles.models
    if threshold is not None:
        models = tuple(each.with_given_thresholds(threshold) for each in models)
    numbers = numbers_with_sums(roles.numbers, tallies)
    roles = replace(roles, numbers=numbers, models=models, tallies=tallies)
    number = next((each for each in roles.numbers if each.has_sums), None)
    if number and roles.uncertain_facets:
        raise FairnessError(
            f"{number.role}: these cells have no sums of numbers by the probabilities of "
            f"{roles.uncertain_facets[0].name!r}; ask about the rows"
        )
    has_sums = number is not None or (roles.score is not None and roles.score.has_sums)
    if has_sums and roles.has_squares and roles.weight is None:
        raise FairnessError(
            "weight: the sums of these cells are weighted; give weight= as when they were counted"
        )
    _refuse_odd_settings(roles)
    _refuse_two_roles(roles)
    return roles


def _columns_of(schema: pl.Schema, given: Question) -> dict[str, tuple[Column, ...]]:
    """The columns of each argument that names some, in the order in which engines look for them."""
    columns: dict[str, tuple[Column, ...]] = {}
    for argument in OF_COLUMNS:
        value: Any = given.get(argument.name)
        widths: Mapping[str, Any] = {}
        if argument.name == "controls" and isinstance(value, Mapping):
            widths = value
            value = [_rounded(name, width, schema) for name, width in value.items()]
        find = find_columns if argument.kind.is_several else find_single_column
        found = () if value is None else find(schema, argument.name, value)
        columns[argument.name] = tuple(
            [replace(each, width=widths[each.name]) for each in found] if widths else found
        )
    return columns


def _with_estimators(roles: Roles, estimator: Estimators) -> Roles:
    """The question with a window for each estimator of groups known only as probabilities."""
    estimators = (WEIGHTED, LINEAR) if estimator == "both" else (estimator,)
    return replace(roles.with_window(ESTIMATOR), estimators=estimators)


def _rounded(name: str, width: Any, schema: pl.Schema) -> str | pl.Expr:
    """A control whose numbers are rounded to multiples of a width, or as they are without one."""
    if width is None:
        return name
    step = require_number("controls", width, f"a width above 0 for {name!r}")
    if not 0 < step < inf:
        raise FairnessError(f"controls: takes a width above 0 for {name!r}, got {width!r}")
    if (dtype := schema.get(name)) is not None and not dtype.is_numeric():
        raise FairnessError(
            f"controls: a width is for numbers, and {name!r} is {dtype}; give None in its place"
        )
    return ((pl.col(name) / step).round() * step).alias(name)


def _refuse_odd_settings(roles: Roles) -> None:
    setting = roles.zero_division
    if setting is not None:
        require_number("zero_division", setting, "a number")
    if roles.cluster is not None:
        refuse_odd_clusters(roles.cluster)
    for argument, column in (("weight", roles.weight), ("count", roles.count)):
        if column is not None and not column.dtype.is_numeric():
            raise FairnessError(
                f"{argument}: {column.name!r} is {column.dtype}; name a column of numbers"
            )


def _refuse_what_is_compared(roles: Roles) -> None:
    """A control of what the comparison is about would hold the difference itself equal."""
    if not roles.controls:
        return
    facets = [facet.column for facet in roles.facets if not facet.is_uncertain]
    outcomes = [outcome.column for outcome in roles.outcomes]
    outcomes += [number.column for number in roles.numbers]
    outcomes += [roles.score.column] if roles.score else []
    compared = {
        column.expression.meta.root_names()[0]: column.argument
        for column in (*facets, *outcomes)
        if len(column.expression.meta.root_names()) == 1
    }
    for control in roles.controls.columns:
        roots = control.expression.meta.root_names()
        if len(roots) == 1 and (argument := compared.get(roots[0])):
            raise FairnessError(
                f"controls: {control.name!r} is computed from {roots[0]!r}, the {argument}, whose "
                "difference would be held constant; leave it out"
            )


_BOTH: Final = (
    {"subgroup", "cluster"},
    {"score", "observed"},
    {"score", "estimated"},
)


def _refuse_two_roles(roles: Roles) -> None:
    _refuse_what_is_compared(roles)
    # Equal expressions have equal texts. Compared each with each, 800 facets take 10 s.
    alike: dict[str, list[Column]] = {}
    for column in roles.columns:
        alike.setdefault(str(column.expression.meta.undo_aliases()), []).append(column)
    several = [combinations(same, 2) for same in alike.values() if len(same) > 1]
    for column, twin in chain.from_iterable(several):
        one, other = column.argument, twin.argument
        # A control may also be a `by`, `subgroup`, `weight` or `cluster` column, and a stratum a
        # cluster. Quantiles of a number are those of a score.
        others = {"controls", "by", "subgroup", "weight", "cluster"}
        both_meant = ({"controls"} < {one, other} <= others) or {one, other} in _BOTH
        if column.is_same(twin) and not both_meant:
            roles_named = one if one == other else f"{one}, {other}"
            raise FairnessError(
                f"{roles_named}: {column.name!r} cannot be both; name another column for one"
            )


def with_classes(roles: Roles, *, is_cumulative: bool) -> Roles:
    """The question in which each class is positive in turn, of one about outcomes."""
    for score in (model.score for model in roles.models if model.score):
        _refuse(f"{score.column.name!r} is {score.column.dtype}, and {_TYPES}")
    for model in roles.models:
        if model.predicted is None:
            _refuse(f"the predictions of model {model.name!r} are floats, and {_TYPES}")
    label, predicted = roles.label, [model.predicted for model in roles.models if model.predicted]
    if label is None and not predicted:
        _refuse("no outcome has classes; give label= or predicted=")
    of_classes = Classes(
        label and label.without_assumption(),
        tuple(each.without_assumption() for each in predicted),
        is_cumulative,
    )
    types = {outcome.column.name: outcome.column.dtype for outcome in of_classes.outcomes}
    dtype = _common_type(types)
    if is_cumulative and not (isinstance(dtype, pl.Enum) or dtype.is_integer()):
        name, given = next(iter(types.items()))
        _refuse(
            f"classes='cumulative' needs an order, and {name!r} is {given}; cast it "
            f"to pl.Enum with the lowest class first, or give classes='each'"
        )
    windows = roles.windows
    positive = Column(POSITIVE, pl.col(POSITIVE), dtype, argument=windows.argument)
    return replace(
        roles,
        windows=replace(windows, columns=(*windows.columns, positive), has_classes=True),
        label=label and label.decided(),
        models=tuple(
            replace(model, predicted=model.predicted and model.predicted.decided())
            for model in roles.models
        ),
        classes=of_classes,
    )


_TYPES: Final = "classes are text, whole numbers, Booleans or an Enum"


def _common_type(types: Mapping[str, pl.DataType]) -> pl.DataType:
    """The type of classes, the same for both outcomes."""
    for name, dtype in types.items():
        if not (is_text(dtype) or dtype.is_integer() or dtype == pl.Boolean):
            _refuse(f"{name!r} is {dtype}, and {_TYPES}; cast it")
    first, *others = types.values()
    if any(other != first for other in others):
        listed = " and ".join(f"{name!r} is {dtype}" for name, dtype in types.items())
        _refuse(f"{listed}, so that their classes cannot be compared; cast one to the other's type")
    return pl.String() if first == pl.Categorical else first


def _refuse(reason: str) -> None:
    raise FairnessError(f"classes: {reason}")


# In whole months, and in seconds. A day in a zone may have 23 hours, and counts as 24.
_MONTHS: Final = {"mo": 1, "q": 3, "y": 12}
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_DAY: Final = _SECONDS["d"]
_SHORTEST_MONTH: Final = 28 * _DAY


def with_period(windows: Windows, every: Any, period: Any) -> Windows:
    """The windows with the one column of ``by`` that is a time rounded down, if that is wanted."""
    if every is None:
        return windows
    key = time_of(windows, "every")
    column = windows.by_key[key]
    unit, length = _length("every", every)
    if column.dtype == pl.Date and unit == "s" and length % _DAY:
        raise FairnessError(
            f"every: {column.name!r} has days and no hours, got {shown(every)}; give whole days, "
            f"such as every='1d'"
        )
    blocks = 1
    if period is not None:
        unit_of_period, reach = _length("period", period)
        blocks, rest = divmod(reach, length)
        if unit_of_period != unit or rest or not blocks:
            raise FairnessError(
                f"period: takes a multiple of every={every!r}, got {shown(period)}; "
                f"give one, or a shorter every="
            )
    seconds = length if unit == "s" else length * _SHORTEST_MONTH
    return replace(windows, period=Period(key, every, seconds, blocks))


def _length(argument: str, given: object) -> tuple[str, int]:
    """Whether a duration is in months or in seconds, and how many."""
    match = re.fullmatch(r"(\d+)(mo|[smhdwqy])", given) if isinstance(given, str) else None
    if match is None or not int(match[1]):
        raise FairnessError(
            f"{argument}: takes a number and a unit of s, m, h, d, w, mo, q or y, such as '1mo' "
            f"for a month, got {shown(given)}"
        )
    number, unit = int(match[1]), match[2]
    if unit in _MONTHS:
        return "mo", number * _MONTHS[unit]
    return "s", number * _SECONDS[unit]

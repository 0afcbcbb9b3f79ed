"""Outcomes, the label and the prediction, and which of their values are positive."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final, Literal, get_args

import polars as pl

from polars_fairness.errors import FairnessError, did_you_mean, listed, require_number, shown
from polars_fairness.formula.powers import Power, powers
from polars_fairness.formula.sides import SUMS_OF_NUMBERS
from polars_fairness.question.columns import Column, can_be_named, find_single_column
from polars_fairness.question.facets import all_as, fits, value_as
from polars_fairness.question.scores import Best, Score, ThresholdLike, find_thresholds, is_several

CHAMPION: Final = "champion"
"""The key of cells that holds the decision of the model that others are compared with."""


OBSERVED: Final = "observed"
ESTIMATED: Final = "estimated"
NUMBERS: Final = (OBSERVED, ESTIMATED)
"""The roles of numbers, in order."""


NUMBER_POSITIVE: Final = (1,)

Role = Literal["label", "predicted"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

VALUES_OF_CLASSES: Final = ("label class\x1f", "predicted class\x1f")
"""The keys of cells that hold classes where outcomes are True or False in each window."""

ThresholdsTried = tuple[float, ...] | Literal["every"] | Best
"""Thresholds in ascending order; "every" for each score that occurs; or cuts by rank."""


@dataclass(frozen=True)
class Outcome:
    """One outcome column, and which of its values are positive."""

    role: Role
    column: Column
    # The smallest score that is positive; several, or "every" score, where each is tried.
    thresholds: ThresholdsTried = ()
    positive: tuple[object, ...] | None = None
    shares_positive: bool = False  # whether the same list was given for both outcomes
    assumed: bool = False  # whether 1 is positive as the column is numeric, and none was given
    is_inverted: bool = False  # whether False is positive in a Boolean column
    number: int | None = None  # that of its model, where those of several are counted jointly

    @cached_property
    def key(self) -> str:
        """Its name in cells."""
        return self.role if self.number is None else f"{self.role}.{self.number}"

    @property
    def argument(self) -> str:
        """The argument that names the column."""
        return self.column.argument

    @cached_property
    def is_boolean(self) -> bool:
        """Whether rows are grouped by True and False, and not by the column's own values."""
        return bool(self.thresholds) or self.column.dtype == pl.Boolean

    @cached_property
    def threshold(self) -> float | None:
        """The threshold with which values are compared, where there is one."""
        several = self.thresholds
        return several[0] if isinstance(several, tuple) and len(several) == 1 else None

    @cached_property
    def expression(self) -> pl.Expr:
        """The expression that rows are grouped by.

        It is Boolean for a Boolean column and for a threshold. All other columns keep their values
        until these are keys of cells: an error can then name the values that occur, and the
        divergences compare the share of each.
        """
        value = self.column.expression
        if self.column.dtype.is_float():
            value = value.fill_nan(None)
        if self.threshold is not None:
            return value >= self.threshold
        return ~value if self.is_inverted else value

    def with_expression(self, expression: pl.Expr) -> Outcome:
        """The same outcome, computed by an expression to which its threshold was applied."""
        if self.threshold is None:
            return replace(self, column=self.column.with_expression(expression))
        decided = replace(self.column, expression=expression, dtype=pl.Boolean())
        return replace(self, column=decided, thresholds=())

    def without_assumption(self) -> Outcome:
        """The same outcome, where 1 is not assumed to be positive."""
        return replace(self, positive=None, assumed=False) if self.assumed else self

    def decided(self) -> Outcome:
        """The same outcome as the decisions True and False that cells hold."""
        column = replace(self.column, expression=pl.col(self.role), dtype=pl.Boolean())
        return Outcome(self.role, column)

    @cached_property
    def is_binary(self) -> bool:
        """Whether it is known which values are positive."""
        return self.is_boolean or self.positive is not None

    def positive_of(self, value: pl.Expr) -> pl.Expr:
        """Whether the key of a cell is positive; the key itself where this is not known."""
        if self.is_boolean or self.positive is None:
            return value
        values = pl.Series(self.positive, dtype=self.column.dtype, strict=True)
        return value.is_in(values.implode())

    def as_returned(self, value: pl.Expr) -> pl.Expr:
        """The key of a cell as results show it: Boolean where the caller gave positive values."""
        return value if self.assumed else self.positive_of(value)

    def as_cell(self, value: pl.Expr) -> pl.Expr:
        """The key of a cell as `cells` returns it: of a Boolean column, the value of its rows.

        Otherwise the same question about the cells, with False as positive, would turn it back.
        """
        return ~value if self.is_inverted else self.as_returned(value)


@dataclass(frozen=True)
class Classes:
    """The outcomes as rows are counted, by class, and how classes are compared."""

    label: Outcome | None
    predicted: tuple[Outcome, ...]  # that of each model
    is_cumulative: bool
    # Whether there is a window for each class, and one, whose class is null, for all of them.
    one_by_one: bool = True
    all_at_once: bool = False

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(filter(None, (self.label, *self.predicted)))


def find_outcomes(
    columns: Mapping[Role, Column | None], thresholds: Mapping[Role, float | None], positive: object
) -> tuple[Outcome | None, Outcome | None]:
    """Make the label and the prediction of a call, each with its positive values."""
    for column in filter(None, columns.values()):
        if not can_be_named(column.dtype):
            raise FairnessError(
                f"{column.argument}: {column.name!r} is {column.dtype}, whose values cannot be "
                "outcomes; give an expression that is True where the outcome is positive"
            )
    without_threshold = {
        role: column
        for role, column in columns.items()
        if column is not None and thresholds[role] is None
    }
    chosen = _positive_values(positive, without_threshold)
    is_shared = len(without_threshold) > 1 and not isinstance(positive, Mapping)
    label, predicted = [
        _find_outcome(
            role, columns[role], chosen.get(role, ()), thresholds[role], is_shared=is_shared
        )
        for role in ROLES
    ]
    return label, predicted


def _positive_values(
    given: object, outcomes: Mapping[Role, Column]
) -> dict[Role, tuple[object, ...]]:
    """The positive values of each outcome that has no threshold, converted to its type.

    Values that do not fit the type of one outcome are for the other.
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        refuse_unknown_outcomes(given, outcomes.values())
        by_role = {role: _listed(given.get(column.name)) for role, column in outcomes.items()}
        for role, column in outcomes.items():
            _refuse_misfits(by_role[role], [column])
    else:
        by_role = dict.fromkeys(outcomes, _listed(given))
        _refuse_misfits(_listed(given), outcomes.values())
    positive: dict[Role, tuple[object, ...]] = {}
    for role, column in outcomes.items():
        values, dtype = by_role[role], column.dtype
        alike = all_as(values, dtype)
        if alike is None:
            fitting = [value_as(each, dtype).item() for each in values if fits(each, dtype)]
        else:
            fitting = alike.to_list()
        if dtype == pl.Boolean and len({*fitting}) > 1:
            raise FairnessError(
                f"positive: both values of {column.name!r} would be positive, and none negative; "
                "name one of them"
            )
        positive[role] = tuple(dict.fromkeys(fitting))
    return positive


def _find_outcome(
    role: Role,
    column: Column | None,
    positive: tuple[object, ...],
    threshold: float | None,
    *,
    is_shared: bool,
) -> Outcome | None:
    """Make an outcome of a column, by its threshold, its positive values or its type."""
    argument = "threshold" if role == "predicted" else "label_threshold"
    if column is None:
        if threshold is not None:
            columns = "predicted= or score=" if role == "predicted" else "label="
            raise FairnessError(
                f"{argument}: got {threshold}, but no column to compare with it; give {columns}"
            )
        return None
    dtype = column.dtype
    if threshold is not None:
        if not column.dtype.is_numeric():
            raise FairnessError(
                f"{argument}: {role} {column.name!r} is {column.dtype}, not a number; "
                f"leave {argument}= out"
            )
        return Outcome(role, column, (require_number(argument, threshold),))
    if dtype == pl.Boolean:
        return Outcome(role, column, is_inverted=positive == (False,))
    if positive:
        return Outcome(role, column, positive=positive, shares_positive=is_shared)
    if role == "predicted" and dtype.is_float():
        return None  # a score without a decision
    if dtype.is_numeric():
        return Outcome(role, column, positive=NUMBER_POSITIVE, assumed=True)
    return Outcome(role, column)


def outcome_of_score(column: Column | None, *, has_own_score: bool) -> Outcome:
    """The prediction from a score at several thresholds, which are kept apart until they decide.

    A prediction with a separate score is refused for that reason, whatever its type.
    """
    if column is None:
        raise FairnessError(
            "score: thresholds are compared with a score, which was not given; give score="
        )
    if not (has_own_score or column.dtype.is_numeric()):
        raise FairnessError(
            f"predicted: {column.name!r} is {column.dtype}, but thresholds are compared with "
            f"numbers; give score= instead"
        )
    return Outcome("predicted", column, "every")


def _listed(given: object) -> tuple[object, ...]:
    if given is None:
        return ()
    values = tuple(given) if isinstance(given, list | tuple | set | frozenset) else (given,)
    if not values:
        raise FairnessError("positive: got an empty list; name a value, or leave positive= out")
    return values


def refuse_unknown_outcomes(named: Iterable[object], columns: Iterable[Column]) -> None:
    """Raise for positive values of a column that is not an outcome, or has a threshold."""
    names = [column.name for column in columns]
    for name in named:
        if name not in names:
            raise FairnessError(
                f"positive: {name!r} is not an outcome without a threshold; "
                f"{did_you_mean(str(name), names)}"
            )


def _refuse_misfits(values: Sequence[object], columns: Collection[Column]) -> None:
    """Raise for a positive value that does not fit the type of any of these columns."""
    if any(all_as(values, column.dtype) is not None for column in columns):
        return
    for value in values:
        if not any(fits(value, column.dtype) for column in columns):
            types = ", ".join(f"{column.name!r} is {column.dtype}" for column in columns)
            raise FairnessError(
                f"positive: {value!r} cannot be an outcome: {types}; name a value of that type"
                if types
                else f"positive: got {value!r} without an outcome to read; leave it out, or give "
                f"label= or predicted= without a threshold"
            )


@dataclass(frozen=True)
class Number:
    """A column of numbers as an outcome.

    Cells that are counted again have their mean in the column, and sums beside it: ``has_sums``.
    With controls, logarithms are added up too: ``has_log``; and the powers that intervals need, of
    rows or of their weights.
    With ``is_key`` rows are counted by it, as quantiles need them, and without ``is_summed`` it is
    not added up.
    """

    column: Column
    has_sums: bool = False
    has_log: bool = False
    powers_of: Literal["", "rows", "weights"] = ""
    is_key: bool = False
    is_summed: bool = True

    @property
    def role(self) -> str:
        """Observed or estimated: the argument that names the column."""
        return self.column.argument

    @cached_property
    def expression(self) -> pl.Expr:
        """The numbers of rows as floats, null where they are unknown."""
        number = self.column.expression.cast(pl.Float64)
        return number.fill_nan(None) if self.column.dtype.is_float() else number


def number_of(column: Column) -> Number:
    """The column as an outcome; raise if it holds no numbers."""
    if column.dtype == pl.Null:
        column = replace(column, dtype=pl.Float64())
    if not column.dtype.is_numeric():
        raise FairnessError(
            f"{column.argument}: {column.name!r} is {column.dtype}, not a number; name a column of "
            "numbers"
        )
    return Number(column)


_OF_NUMBER: Final = ("negative", "nonzero", "log")


def powers_of(numbers: Sequence[Number]) -> tuple[Power, ...]:
    """The powers of numbers that cells add up."""
    summed = [number for number in numbers if number.is_summed and number.powers_of]
    if not summed:
        return ()
    return powers(
        frozenset(number.role for number in summed),
        has_log=summed[0].has_log,
        is_weighted=summed[0].powers_of == "weights",
    )


def add_powers(numbers: Sequence[Number], *, is_weighted: bool) -> tuple[Number, ...]:
    """The numbers, whose powers are added up too."""
    of: Literal["rows", "weights"] = "weights" if is_weighted else "rows"
    return tuple([replace(number, powers_of=of) for number in numbers])


def returned_sums(numbers: Sequence[Number]) -> dict[str, str]:
    """The columns of `cells` with the sums of each cell, by what they add up.

    Squares are of distances from the mean of the cell.
    """
    names = {
        f"{number.role}_{word}": f"{number.column.name}_{ending}"
        for number in numbers
        for word, ending in (("squares", "sq"), *((each, each) for each in _OF_NUMBER))
        if word not in ("nonzero", "log") or number.has_log
    }
    if len(numbers) > 1:
        names |= {"residual_squares": "residual_sq", "residual_distance": "residual_distance"}
    columns = {number.role: number.column.name for number in numbers}
    columns |= {f"{role}_log": f"log({name})" for role, name in columns.items()}
    return names | {each.name: each.returned(columns) for each in powers_of(numbers)}


def sums_of_numbers(numbers: Sequence[Number]) -> tuple[str, ...]:
    """What cells add up of numbers as outcomes."""
    if not numbers:
        return ()
    roles = {number.role for number in numbers if number.is_summed}
    if roles and any(number.has_log for number in numbers):
        roles.add("controls")
    words = [word for word, needs in SUMS_OF_NUMBERS.items() if roles.issuperset(needs)]
    return (*words, *(each.name for each in powers_of(numbers)))


@dataclass(frozen=True)
class Model:
    """A model: how its predictions are decided, and its score.

    The decision is given, or made of the values of a column at a threshold, or at each of several.
    Where this column is the score too, rows can be counted by score before they are decided.
    """

    name: str | None  # None of the only model of a question that names none
    predicted: Outcome | None  # the decision; None for a score without one
    score: Score | None  # None where metrics of scores are not requested
    estimated: Number | None = None  # what a named model estimates, in place of both

    @cached_property
    def has_own_score(self) -> bool:
        """Whether the score is a column of its own beside the predictions."""
        if self.score is None or self.predicted is None:
            return self.score is not None
        return not self.predicted.column.is_same(self.score.column)

    @property
    def decides_by_score(self) -> bool:
        """Whether the decision follows from the score that rows are counted by."""
        if self.score is None or self.predicted is None:
            return False
        return bool(self.predicted.thresholds) and not self.has_own_score

    def with_given_thresholds(self, threshold: ThresholdLike | None) -> Model:
        """The model with the thresholds of its score, if a threshold of a score is given."""
        if threshold is None or self.score is None or self.predicted is None or self.has_own_score:
            return self
        thresholds = find_thresholds(threshold, self.score)
        # One threshold is compared with rows as it was given.
        return self.with_thresholds(thresholds) if is_several(threshold) else self

    def with_thresholds(self, thresholds: ThresholdsTried) -> Model:
        """The same model, which decides at other thresholds."""
        predicted = self.predicted and replace(self.predicted, thresholds=thresholds)
        return replace(self, predicted=predicted)

    def decides_like(self, other: Model) -> bool:
        """Whether this model's decisions or numbers are another's, by the same column."""
        if self.estimated is not None and other.estimated is not None:
            return self.estimated.column.is_same(other.estimated.column)
        if self.predicted is None or other.predicted is None:
            return False
        if not self.predicted.column.is_same(other.predicted.column):
            return False
        return self.predicted == replace(other.predicted, column=self.predicted.column)


def questions_of_models(
    schema: pl.Schema, question: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """What each model changes in a question: its prediction, threshold and positive values."""
    predicted, threshold = question["predicted"], question["threshold"]
    refuse_no_models("predicted", predicted)
    thresholds = dict.fromkeys(predicted, threshold)
    if isinstance(threshold, Mapping):
        # Those without one decide by themselves.
        require_models("threshold", threshold, predicted)
        takes = "one number for each model, or a list that is for all of them"
        thresholds = dict.fromkeys(predicted) | {
            name: require_number("threshold", each, takes) for name, each in threshold.items()
        }
    label = find_single_column(schema, "label", question["label"])
    columns = {
        name: find_single_column(schema, "predicted", given) for name, given in predicted.items()
    }
    every = [*chain.from_iterable(columns.values())]
    decisions = [column for column in every if not column.dtype.is_numeric()]
    is_one = threshold is not None and not isinstance(threshold, Mapping)
    if is_one and 0 < len(decisions) < len(every):
        raise FairnessError(
            f"threshold: {shown(threshold)} is for each model, and {decisions[0].name!r} is "
            f"{decisions[0].dtype}, not a number; give thresholds to the others, "
            "threshold={model: number}"
        )
    others = () if question["label_threshold"] is not None else label
    decided = {name: columns[name] if thresholds[name] is None else () for name in predicted}
    outcomes = [*others, *chain.from_iterable(decided.values())]
    if isinstance(question["positive"], Mapping):
        refuse_unknown_outcomes(question["positive"], outcomes)
    return {
        name: {
            "predicted": given,
            "threshold": thresholds[name],
            "positive": _positive(question["positive"], [*others, *decided[name]], outcomes),
        }
        for name, given in predicted.items()
    }


def _positive(given: object, own: Sequence[Column], outcomes: Sequence[Column]) -> object:
    """The positive values for one model, without those that are for others only."""
    if isinstance(given, Mapping):
        names = [column.name for column in own]
        return {column: values for column, values in given.items() if column in names}
    if given is None:
        return None
    values = given if isinstance(given, list | tuple | set | frozenset) else [given]

    def fits_one(columns: Sequence[Column], value: object) -> bool:
        return any(fits(value, column.dtype) for column in columns)

    fitting = [each for each in values if fits_one(own, each) or not fits_one(outcomes, each)]
    return fitting if fitting or not values else None


def require_models(argument: str, given: Iterable[object], models: Collection[str]) -> None:
    """Raise if a name is not that of a model."""
    for name in given:
        if name not in models:
            raise FairnessError(
                f"{argument}: {name!r} is not among the models; {did_you_mean(str(name), models)}"
            )


def refuse_no_models(argument: str, models: Mapping[Any, object]) -> None:
    """Raise if a dictionary of models is empty, or names no column of one."""
    if not models:
        raise FairnessError(
            f"{argument}: got an empty dictionary; name a column, or {{model: column}}"
        )
    for name, column in models.items():
        if not isinstance(name, str):
            raise FairnessError(
                f"{argument}: the name of a model is text, got {shown(name)}; give {{name: column}}"
            )
        if column is None:
            raise FairnessError(
                f"{argument}: model {name!r} has no column; name one, or leave the model out"
            )


def refuse_different_kinds(models: tuple[Model, ...]) -> None:
    """Raise if some models decide, and others give only scores; or if decisions are unknown."""
    for model in models:
        if model.predicted is not None and not model.predicted.is_binary:
            column = model.predicted.column
            raise FairnessError(
                f"positive: it is not known which values of {column.name!r} ({column.dtype}), the "
                f"predictions of model {model.name!r}, count as positive; give positive="
            )
    decide = [model.name for model in models if model.predicted is not None]
    if decide and len(decide) < len(models):
        others = [model.name for model in models if model.predicted is None]
        raise FairnessError(
            f"predicted: {listed(decide)} decides, and {listed(others)} is a score without a "
            "threshold; give threshold= for each, {model: number}"
        )

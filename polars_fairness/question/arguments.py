"""The arguments of a question, each declared once, with its type.

Everything else follows from the declaration: the default, the docstrings, the option of the command
line, the line in a report, and whether an engine has to read a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypedDict,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from polars_fairness.errors import (
    FairnessError,
    listed,
    require_confidence,
    require_flag,
    require_whole,
    shown,
)
from polars_fairness.question.columns import ColumnLike, Columns, Facets, Models
from polars_fairness.question.scores import ThresholdLike

Nulls = Literal["raise", "drop"]
Estimators = Literal["both", "weighted", "linear"]
Classes = Literal["each", "cumulative"]


@dataclass(frozen=True)
class Kind:
    """The values that an argument takes, and the word for them in --help."""

    name: str
    word: str = ""
    is_several: bool = False
    names_columns: bool = False


COLUMN: Final = Kind("a column", "COLUMN", names_columns=True)
MODELS: Final = Kind("a column, or one of each model", "COLUMN", names_columns=True)
COLUMNS: Final = Kind("columns", "COLUMN", is_several=True, names_columns=True)
SIDE: Final = Kind("values of a side", "VALUE", is_several=True)
VALUES: Final = Kind("values", "VALUE", is_several=True)
OUTCOMES: Final = Kind("values of an outcome", "VALUE", is_several=True)
METRIC: Final = Kind("a metric", "NAME")
NUMBER: Final = Kind("a number", "X")
NUMBERS: Final = Kind("numbers", "X", is_several=True)
HOW_MANY: Final = Kind("a whole number", "N")
SEED: Final = Kind("a seed", "N")
CONFIDENCE: Final = Kind("a probability or None", "X")
CHOICE: Final = Kind("one of a few words")
FLAG: Final = Kind("True or False")
BANDS: Final = Kind("bands of metrics", "BAND", is_several=True)
RULES: Final = Kind("rules of metrics", "RULE", is_several=True)
POLICY: Final = Kind("a policy", "FILE")
NAMES: Final = Kind("names of metrics", "NAME", is_several=True)
SHARE: Final = Kind("a share", "X")
SHARES: Final = Kind("shares", "X", is_several=True)

NAME: Final = Kind("a name", "NAME")
DURATION: Final = Kind("a duration", "DURATION")
BASELINE: Final = Kind("a window or a frame", "BASELINE")
HOLDOUT: Final = Kind("a frame or a share", "HOLDOUT")

Heading = Literal["rows", "columns", "reading", "sides", "certainty", "document", "answer"]


@dataclass(frozen=True)
class Option:
    """The option of the command line for an argument.

    Without a name, the option has the name of the argument. --help shows the meaning of the
    argument, then the note; for a flag, which changes the default, it shows the note.
    """

    heading: Heading
    name: str = ""
    note: str = ""


@dataclass(frozen=True)
class Argument:
    """One argument of a question.

    ``meaning`` is one sentence, shown everywhere; docstrings add the ``details``. If ``part_of``
    names another argument, this one has an effect only if the other is not None. A required
    argument has no default. A whole number is at least the ``least``. The name, the type and the
    choices come from the field that declares the argument.
    """

    kind: Kind
    meaning: str
    details: str = ""
    default: Any = None
    is_required: bool = False
    part_of: str = ""
    least: int = 0
    option: Option | None = None
    name: str = ""
    type: str = ""
    choices: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        return f"{self.meaning[0].upper()}{self.meaning[1:]}."

    @property
    def described(self) -> str:
        """The sentence, the details, and what else must be given, as a docstring has them."""
        needed = f"Requires ``{self.part_of}``." if self.part_of else ""
        return " ".join(filter(None, (self.sentence, self.details, needed)))

    @property
    def annotation(self) -> str:
        """The type as a signature shows it, with the words of a choice."""
        if not self.choices:
            return self.type
        words = f"Literal[{', '.join(map(repr, self.choices))}]"
        return f"{words} | None" if self.default is None else words

    def refuse_other_values(self, value: object) -> None:
        """Raise unless the argument takes this value; None is allowed if it is the default."""
        if self.kind is CHOICE:
            self._refuse_other_choices(value)
        elif self.kind is FLAG:
            require_flag(self.name, value)
        elif self.kind is CONFIDENCE:
            require_confidence(value)
        elif self.kind in (HOW_MANY, SEED) and not (value is None and self.default is None):
            require_whole(self.name, value, self.least)

    def _refuse_other_choices(self, value: object) -> None:
        known = (*self.choices, None) if self.default is None else self.choices
        if isinstance(value, str | None) and value in known:
            return
        raise FairnessError(f"{self.name}: takes {listed(known, 'or')}, got {shown(value)}")


def arguments_of(question: type) -> tuple[Argument, ...]:
    """The arguments that a TypedDict declares, in the order of its fields."""
    written = question.__annotations__
    return tuple(
        replace(
            argument,
            name=name,
            # As it is written: an alias keeps its name.
            type=argument.type
            or str(written[name].__forward_arg__)
            .removeprefix("Annotated[")
            .partition(", Argument(")[0],
            choices=_choices(hint) if argument.kind is CHOICE else (),
        )
        for name, hint in get_type_hints(question, include_extras=True).items()
        for argument in hint.__metadata__
    )


def _choices(hint: Any) -> tuple[str, ...]:
    """The words of a type that is `Literal`, or `Literal` or None."""
    either, *_ = get_args(hint)
    literals = [each for each in (either, *get_args(either)) if get_origin(each) is Literal]
    return tuple(word for each in literals for word in get_args(each))


class Question(TypedDict, total=False):
    """The arguments of every function: the columns by role, and how they are read."""

    facet: Annotated[Facets | None, Argument(
        COLUMNS, "sensitive attributes, each compared on its own",
        "One or more columns. A struct is an intersection of attributes; without an alias it is "
        "named after them, as in ``sex & race``. `polars_fairness.probabilities` names a facet "
        "whose groups are known only as probabilities.", option=Option("columns"),
    )]  # fmt: skip
    predicted: Annotated[ColumnLike | Models | None, Argument(
        MODELS, "the predicted or decided outcome",
        "A column, or ``{model: column}`` for several models, which are counted in one scan. The "
        "answer then has a column ``model`` before ``facet``.",
        option=Option("columns", note="MODEL=COLUMN for each of several models"),
    )]  # fmt: skip
    label: Annotated[
        ColumnLike | None, Argument(COLUMN, "the observed outcome", option=Option("columns"))
    ]
    observed: Annotated[ColumnLike | None, Argument(
        COLUMN, "a number that was observed, such as a claim or a waiting time",
        "For metrics of numbers, alone or together with ``estimated``.", option=Option("columns"),
    )]  # fmt: skip
    estimated: Annotated[ColumnLike | Models | None, Argument(
        MODELS, "a number that was predicted or decided, such as a price",
        "For metrics of numbers, alone or together with ``observed``. A column, or ``{model: "
        "column}`` for several models, as for ``predicted``.",
        option=Option("columns", note="MODEL=COLUMN for each of several models"),
    )]  # fmt: skip
    disfavored: Annotated[Any, Argument(
        SIDE, "side d, the group that the question is about",
        "A value, a list of values or ``{facet: value(s)}``. By default, each value that is not on "
        "side a is compared in turn. If a facet has exactly two values and no side is given, the "
        "first in sort order is side d and the other is side a.", option=Option("sides"),
    )]  # fmt: skip
    favored: Annotated[Any, Argument(
        SIDE, "side a, the group that d is compared with",
        "Given like ``disfavored``, or as one of three references. ``pf.HIGHEST`` is the group "
        "with the highest selection rate in each window (the base rate without predictions, the "
        "lowest rate with ``favorable=False``); intervals and p-values then hold for all pairs of "
        "groups. ``pf.LARGEST`` is the largest group. ``pf.OVERALL`` is all rows whose facet is "
        "known, including those of d. By default, side a is everyone else whose facet is known.",
        option=Option("sides"),
    )]  # fmt: skip
    unknown: Annotated[Any, Argument(
        VALUES, "the facet values that mean that the group is unknown",
        'A value or a list of values, such as ``["Unknown", "Declined to answer"]``. Null always '
        "means unknown.", option=Option("reading", note="such as 'Declined to answer'"),
    )]  # fmt: skip
    score: Annotated[ColumnLike | None, Argument(
        COLUMN, "the number behind the decision; a higher score means more likely positive",
        "For metrics of scores. By default, ``predicted`` is the score if it is a float or has a "
        "threshold. With a threshold and no ``predicted``, the score makes the decisions.",
        option=Option("columns"),
    )]  # fmt: skip
    resolution: Annotated[float | None, Argument(
        NUMBER, "scores are rounded down to multiples of this number",
        "By default, each distinct score is counted. Counts at multiples, means and Brier scores "
        "stay exact; ``auc_error`` of `rates` bounds the error of an AUC.",
        option=Option("reading", note="default each distinct score"),
    )]  # fmt: skip
    positive: Annotated[Any, Argument(
        OUTCOMES, "the values of an outcome that count as positive",
        "A value or a list of values for both ``label`` and ``predicted``, or ``{column: "
        "value(s)}``. For an outcome that is not named, or whose type does not fit the values, "
        "True and 1 are positive.",
        option=Option("reading", note="COLUMN=VALUE for one column only; default true and 1"),
    )]  # fmt: skip
    classes: Annotated[Classes | None, Argument(
        CHOICE, "each class of the outcomes is taken as positive in turn, in a column ``positive``",
        'For outcomes with several classes. "each" compares each class with all others; '
        '"cumulative" compares a class and those above it with those below it, in the order of an '
        "Enum or of whole numbers, and leaves out the lowest. Label and prediction must have the "
        "same type.", option=Option("reading"),
    )]  # fmt: skip
    threshold: Annotated[ThresholdLike | None, Argument(
        NUMBERS, "the smallest score that counts as positive",
        'A number, several numbers, or "every" for each distinct score or multiple of '
        "``resolution``. With several, everything is computed at each threshold, in one scan, and "
        "the answer has a column ``threshold`` before ``facet``. Several models can have "
        "``{model: number}``; a model without a threshold gives decisions. `polars_fairness.best` "
        "accepts the rows with the highest scores.",
        option=Option(
            "reading", note="several with commas, every, or best:0.1; MODEL=X for one model"
        ),
    )]  # fmt: skip
    favorable: Annotated[bool, Argument(
        FLAG, "whether a positive outcome is good for the person",
        "Give False if it is bad, such as a stop, a charge or a denial. This reverses the sides "
        "of verdicts, ``pf.HIGHEST``, the worst groups, the wording of a report, and the benefits "
        "of `ge` and related metrics; no other value changes. Verdicts on the quality of "
        "predictions, such as `ad`, stay the same.", default=True,
        option=Option("reading", name="unfavorable",
                      note="a positive outcome is bad for the person, such as a stop or a charge; "
                      "reverses the sides of verdicts, worst groups and wording"),
    )]  # fmt: skip
    label_threshold: Annotated[float | None, Argument(
        NUMBER, "the smallest value of a continuous label that counts as positive",
        option=Option("reading"),
    )]  # fmt: skip
    subgroup: Annotated[Columns | None, Argument(
        COLUMNS, "the strata of conditional metrics", "One or more columns.",
        option=Option("columns"),
    )]  # fmt: skip
    controls: Annotated[Columns | Mapping[str, float | None] | None, Argument(
        COLUMNS, "what may explain a difference, held constant by a regression",
        "One or more columns. Text, Booleans and categories enter by level, numbers as they are. "
        "``{column: width}`` rounds numbers to multiples of a width, which keeps the number of "
        "cells small; a width of None leaves a column as it is.",
        option=Option("columns", name="control", note="COLUMN=WIDTH rounds, as in fico=10"),
    )]  # fmt: skip
    by: Annotated[Columns | None, Argument(
        COLUMNS, "everything is computed separately for each combination of values of these "
        "columns",
        "One or more columns.", option=Option("columns"),
    )]  # fmt: skip
    every: Annotated[str | None, Argument(
        DURATION,
        "the time from one window to the next, to which the date in ``by`` is rounded down",
        'A number and a unit, as in polars: "1mo", "1w" (from Monday), "15m". Between windows, '
        "times without rows become windows without rows.",
        option=Option("reading", note="such as 1mo, 1w or 1d"),
    )]  # fmt: skip
    period: Annotated[str | None, Argument(
        DURATION, "the time that each window covers, a multiple of ``every``",
        'With every="1mo" and period="3mo", the window of March has the rows of January to March. '
        "The first windows begin before the first row. The default is ``every``, which `cells` "
        "always uses.",
        option=Option("reading", note="a multiple of --every; default the same"),
    )]  # fmt: skip
    weight: Annotated[ColumnLike | None, Argument(
        COLUMN, "the sampling weight of each row", "Finite and at least 0.",
        option=Option("columns"),
    )]  # fmt: skip
    count: Annotated[ColumnLike | None, Argument(
        COLUMN, "the number of rows that each row stands for",
        "``weight`` is then the total weight of these rows.", option=Option("columns"),
    )]  # fmt: skip
    estimator: Annotated[Estimators, Argument(
        CHOICE, "how groups that are known only as probabilities are counted",
        '"weighted" counts each row by its probabilities, which is right if the outcome depends '
        'on the group only through them. "linear" regresses the outcome on them, which is right '
        "if it depends on them only through the group.", default="both",
        option=Option("reading"),
    )]  # fmt: skip
    cluster: Annotated[ColumnLike | None, Argument(
        COLUMN, "the cluster of each row, such as the branch or the judge that decides it",
        "Outcomes within a cluster are not independent, so the intervals and verdicts of `audit` "
        "are computed over clusters. No value changes. Whole numbers or text, without nulls.",
        option=Option("columns"),
    )]  # fmt: skip
    nulls: Annotated[Nulls, Argument(
        CHOICE, "how rows with a missing outcome, feature, weight or count are treated",
        '"raise" raises an error; "drop" leaves a row out of the metrics that need the missing '
        "value.", default="raise", option=Option("reading"),
    )]  # fmt: skip
    zero_division: Annotated[float | None, Argument(
        NUMBER, "the value of 0/0", "By default, it is null.",
        option=Option("certainty", note="default undefined"),
    )]  # fmt: skip


def defaults(arguments: Iterable[Argument]) -> dict[str, Any]:
    """The default of each argument that has one, by name."""
    return {argument.name: argument.default for argument in arguments if not argument.is_required}


def parted(
    given: Mapping[str, Any], own: Sequence[Argument]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The checked values of a function's own arguments, or defaults; and the other arguments."""
    values = defaults(own)
    for argument in own:
        if argument.name in given:
            argument.refuse_other_values(given[argument.name])
    others = {name: value for name, value in given.items() if name not in values}
    return values | {name: given[name] for name in values if name in given}, others


def named(arguments: Iterable[Argument], *names: str) -> tuple[Argument, ...]:
    """The arguments of these names, in the order of the names."""
    by_name = {argument.name: argument for argument in arguments}
    return tuple(by_name[name] for name in names)


OF_QUESTION: Final = arguments_of(Question)
DEFAULTS: Final = cast("Question", defaults(OF_QUESTION))
OF_COLUMNS: Final = [each for each in OF_QUESTION if each.kind.names_columns]
(NULLS,) = named(OF_QUESTION, "nulls")
CHECKED_BY_KIND: Final = [each for each in OF_QUESTION if each.kind in (CHOICE, FLAG)]

METRICS: Final = Argument(
    NAMES, "the metrics to compute", name="metrics",
    option=Option("certainty", name="metric",
                  note="several with commas; `polars-fairness metrics` lists them; default all "
                  "that the columns allow"),
)  # fmt: skip

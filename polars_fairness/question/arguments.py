"""The arguments of a question, each described once.

A row says everything that is known of one argument. Its default, its part of docstrings, its
option on the command line, its line in a report and whether an engine has to read it follow from
the row. Types are written out a second time, in `Question` and `AuditQuestion`, since checkers
read no rows; a test holds both together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict, cast

from polars_fairness.errors import FairnessError, did_you_mean, listed
from polars_fairness.question.columns import ColumnLike, Columns

Nulls = Literal["raise", "drop"]
Band = tuple[float, float] | None


@dataclass(frozen=True)
class Kind:
    """What an argument takes: its type in Python, and a word for it on a command line."""

    name: str
    type: str
    word: str = ""
    is_several: bool = False
    names_columns: bool = False


COLUMN: Final = Kind("a column", "ColumnLike", "COLUMN", names_columns=True)
COLUMNS: Final = Kind("columns", "Columns", "COLUMN", is_several=True, names_columns=True)
SIDE: Final = Kind("values of a side", "Any", "VALUE", is_several=True)
OUTCOMES: Final = Kind("values of an outcome", "Any", "VALUE", is_several=True)
NUMBER: Final = Kind("a number", "float", "X")
HOW_MANY: Final = Kind("a whole number", "int", "N")
SEED: Final = Kind("a seed", "int", "N")
CONFIDENCE: Final = Kind("a probability or None", "float | None", "X")
CHOICE: Final = Kind("one of a few words", "str")
BANDS: Final = Kind("bands of metrics", "Mapping[str, Band]")
NAMES: Final = Kind("names of metrics", "str | Metric", "NAME", is_several=True)

Heading = Literal["columns", "reading", "sides", "certainty"]


@dataclass(frozen=True)
class Option:
    """The option of the command line that gives an argument, by the argument's name if by none.

    The help is the argument's meaning with the note behind it.
    """

    heading: Heading
    name: str = ""
    note: str = ""


@dataclass(frozen=True)
class Argument:
    """One argument of a question.

    ``meaning`` is one sentence, for every place that shows the argument; ``details`` are what a
    docstring says beside it. Without ``part_of`` an argument always has a part in the answer, else
    only where the argument of that name is not None.
    """

    name: str
    kind: Kind
    meaning: str
    details: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    part_of: str = ""
    option: Option | None = None

    @property
    def sentence(self) -> str:
        return f"{self.meaning[0].upper()}{self.meaning[1:]}."

    @property
    def annotation(self) -> str:
        """The type as a signature shows it."""
        words = ", ".join(map(repr, self.choices))
        taken = f"Literal[{words}]" if words else self.kind.type
        return f"{taken} | None" if self.default is None and taken != "Any" else taken

    def refuse_other_choices(self, given: object) -> None:
        """Refuse what is none of the words that the argument takes."""
        known = (*self.choices, None) if self.default is None else self.choices
        if not isinstance(given, str | None) or given not in known:
            msg = f"{self.name}: takes {listed(known, 'or')}, got {given!r}"
            raise FairnessError(msg)


NULLS: Final = Argument(
    "nulls",
    CHOICE,
    "what a missing outcome, feature, weight or count does",
    '"raise" raises an error, "drop" drops the row.',
    default="raise",
    choices=("raise", "drop"),
    option=Option("reading"),
)

OF_QUESTION: Final = (
    Argument(
        "facet",
        COLUMNS,
        "sensitive attributes, each compared on its own",
        "A column or several; a struct is an intersection of attributes.",
        option=Option("columns"),
    ),
    Argument(
        "disfavored",
        SIDE,
        "side d, the group that the question is about",
        "A value, a list of values or ``{facet: value(s)}``. Without it, every value that is not "
        "on side a is d in turn.",
        option=Option("sides"),
    ),
    Argument(
        "favored",
        SIDE,
        "side a, the group that d is compared with",
        "Given as ``disfavored`` is. Without it, a is everyone else whose facet is known.",
        option=Option("sides"),
    ),
    Argument("label", COLUMN, "the outcome as it was observed", option=Option("columns")),
    Argument(
        "predicted",
        COLUMN,
        "the outcome as it was predicted or decided",
        option=Option("columns"),
    ),
    Argument(
        "positive",
        OUTCOMES,
        "the outcomes that count as positive",
        "A value or a list of values, of ``label`` and ``predicted`` alike; or "
        "``{column: value(s)}``, each outcome its own. True and 1 for an outcome that it does not "
        "name, or whose type it does not fit.",
        option=Option("reading", note="COLUMN=VALUE of one column only; else true and 1"),
    ),
    Argument(
        "threshold",
        NUMBER,
        "a predicted score is positive from here on",
        option=Option("reading"),
    ),
    Argument(
        "label_threshold",
        NUMBER,
        "a continuous label is positive from here on",
        option=Option("reading"),
    ),
    Argument(
        "subgroup",
        COLUMNS,
        "the strata of the conditional metrics",
        "A column or several.",
        option=Option("columns"),
    ),
    Argument(
        "features",
        COLUMNS,
        "measures how alike two individuals are",
        "Columns of numbers or Booleans, for `fliptest` and `consistency`.",
        option=Option("columns", name="feature"),
    ),
    Argument(
        "by",
        COLUMNS,
        "everything is computed once for each combination of these",
        "A column or several.",
        option=Option("columns"),
    ),
    Argument(
        "weight",
        COLUMN,
        "the sampling weight of each row",
        "Finite and at least 0.",
        option=Option("columns"),
    ),
    Argument(
        "count",
        COLUMN,
        "how many rows each row stands for",
        "A weight beside it is their total.",
        option=Option("columns"),
    ),
    NULLS,
    Argument(
        "zero_division",
        NUMBER,
        "what 0/0 is taken for",
        "None leaves undefined values null; a number takes the place of 0/0.",
        option=Option("certainty", note="else undefined"),
    ),
)
"""What every function takes: which columns play which part, and how they are read."""

METRICS: Final = Argument(
    "metrics",
    NAMES,
    "what is measured",
    option=Option(
        "certainty", name="metric", note="see polars-fairness metrics; else all that columns allow"
    ),
)

METHOD: Final = Argument(
    "method",
    CHOICE,
    "how the intervals of comparisons of two sides are found",
    '"bootstrap" for every metric, by drawing the counts again from Gamma distributions with their '
    'own means and variances; "newcombe" for differences of two rates, "log" for ratios, where the '
    "others stay with the bootstrap. Maxima over groups and conditional metrics have intervals of "
    "their own, and test statistics none.",
    default="bootstrap",
    choices=("bootstrap", "newcombe", "log"),
    part_of="confidence",
    option=Option("certainty"),
)

P_VALUES: Final = Argument(
    "p_values",
    CHOICE,
    "test each comparison",
    "A column ``p_value`` has how likely chance alone is, by Fisher's exact test of the rate that "
    "a metric compares, or within strata by the test of Cochran, Mantel and Haenszel; null where "
    'neither fits the metric, and with weights. With "holm" p-values are adjusted for all rows of '
    'this audit, with "exact" they are not. Extra ``significance``.',
    choices=("exact", "holm"),
    option=Option("certainty"),
)

OF_AUDIT: Final = (
    Argument(
        "confidence",
        CONFIDENCE,
        "how often intervals made this way hold the truth",
        "None for no intervals.",
        default=0.95,
        option=Option("certainty", note="or none"),
    ),
    METHOD,
    Argument(
        "replicates",
        HOW_MANY,
        "how many samples the bootstrap draws",
        "At most a million.",
        default=1000,
        part_of="confidence",
        option=Option("certainty"),
    ),
    Argument(
        "seed",
        SEED,
        "where the random numbers of the bootstrap start",
        "The same seed draws the same.",
        default=0,
        part_of="confidence",
        option=Option("certainty"),
    ),
    Argument(
        "bands",
        BANDS,
        "the values tolerated, in place of the catalogue's",
        "``{metric: (low, high)}`` instead of `Metric.acceptable`; None for no verdict.",
    ),
    Argument(
        "minimum_count",
        HOW_MANY,
        "mark comparisons with fewer rows on a side",
        "A column ``is_small`` marks them.",
        option=Option("certainty"),
    ),
    P_VALUES,
)
"""What `audit` and `report` take beside the question: how sure, and what is tolerated."""


class Question(TypedDict, total=False):
    """The arguments of `OF_QUESTION`, for checkers."""

    facet: Columns | None
    disfavored: Any
    favored: Any
    label: ColumnLike | None
    predicted: ColumnLike | None
    positive: Any
    threshold: float | None
    label_threshold: float | None
    subgroup: Columns | None
    features: Columns | None
    by: Columns | None
    weight: ColumnLike | None
    count: ColumnLike | None
    nulls: Nulls
    zero_division: float | None


class AuditQuestion(Question, total=False):
    """The arguments of `OF_AUDIT` as well, for checkers."""

    confidence: float | None
    method: Literal["bootstrap", "newcombe", "log"]
    replicates: int
    seed: int
    bands: Mapping[str, Band] | None
    minimum_count: int | None
    p_values: Literal["exact", "holm"] | None


def defaults(arguments: Iterable[Argument]) -> dict[str, Any]:
    """What each argument is where it is not given."""
    return {argument.name: argument.default for argument in arguments}


DEFAULTS: Final = cast("Question", defaults(OF_QUESTION))


def completed(question: Question) -> Question:
    """Fill in what was left out, and refuse what no method knows."""
    for argument in question:
        if argument not in DEFAULTS:
            msg = f"{argument}: there is no such argument; {did_you_mean(argument, DEFAULTS)}"
            raise UnknownArgumentError(msg)
    return DEFAULTS | question


class UnknownArgumentError(FairnessError, TypeError):
    """An argument that no method has; a `TypeError` too, as any other function raises."""

"""The further arguments of an audit, of ranked groups and of a choice, each declared once."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypedDict, get_args

from polars_fairness.catalogue.prefixes import Prefix
from polars_fairness.errors import require_words
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import (
    BANDS,
    BASELINE,
    CHOICE,
    COLUMN,
    COLUMNS,
    CONFIDENCE,
    FLAG,
    HOLDOUT,
    HOW_MANY,
    METRIC,
    NAME,
    POLICY,
    RULES,
    SEED,
    SHARE,
    Argument,
    Kind,
    Option,
    Question,
    arguments_of,
    named,
)
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.question.completing import Unlabelled
from polars_fairness.question.judging import Band, PValues, Rules
from polars_fairness.question.policy import FailOn, Policy, Unjudged

TEXT: Final = Kind("a text", "TEXT")
UNLABELLED: Final = Kind("a word, a number or two", "WHAT")
DAY: Final = Kind("a text or a date", "DATE")
PARAGRAPHS: Final = Kind("paragraphs of text", "FILE")
WORDS_OF_AUTHOR: Final = Kind("a table of words", "FILE")


Harm = Literal["below", "above", "both"]
Harms = Harm | Mapping[str, Harm]


class Intervals(TypedDict, total=False):
    """The arguments of intervals."""

    confidence: Annotated[float | None, Argument(
        CONFIDENCE, "the confidence level: how often such intervals contain the true value",
        "None for no intervals.", default=0.95,
        option=Option("certainty", note="none for no intervals"),
    )]  # fmt: skip
    replicates: Annotated[int, Argument(
        HOW_MANY, "the number of bootstrap draws", "At most a million.", default=1000,
        least=1, part_of="confidence", option=Option("certainty"),
    )]  # fmt: skip
    seed: Annotated[int, Argument(
        SEED, "the seed of the bootstrap", "The same seed gives the same draws.",
        default=0, part_of="confidence", option=Option("certainty"),
    )]  # fmt: skip


class UnderPolicy(TypedDict, total=False):
    """The argument of whatever is decided by a policy."""

    policy: Annotated[Policy | str | Path | None, Argument(
        POLICY, "what an organisation has decided about its audits, in a file",
        "A `Policy` or the path of its file. Its question completes that of the call, and its "
        "metrics are computed in addition to those that the call names. An argument that "
        "contradicts it is an error.", option=Option("certainty", note="such as fairness.toml"),
    )]  # fmt: skip


class Hiding(TypedDict, total=False):
    """The argument that hides groups of few people."""

    hide_below: Annotated[int | None, Argument(
        HOW_MANY, "groups of fewer people are shown without counts and values",
        "The next smallest group is hidden too if the hidden number would otherwise follow from "
        "that of all rows. Each row is a person, whatever its weight.", least=2,
        option=Option("certainty", note="such as 10; default hides nothing"),
    )]  # fmt: skip


class Gated(TypedDict, total=False):
    """The arguments of a gate."""

    fail_on: Annotated[FailOn | Sequence[FailOn] | None, Argument(
        Kind("what fails a gate", "WHAT", is_several=True),
        "if a verdict is outside or undefined (outside); if any verdict is not within "
        "(uncertain); if a value is farther from its ideal than that of the champion or baseline, "
        "with all changes judged together, or if this cannot be judged (worse); unclear changes "
        "pass",
        '"outside", "uncertain", "worse", or several. None is "outside", or what the policy '
        "says.",
        option=Option("certainty"),
    )]  # fmt: skip
    allow_undefined: Annotated[bool, Argument(
        FLAG, "undefined verdicts and changes pass the gate, as do data with the same outcome in "
        "all rows",
        default=False, option=Option("certainty"),
    )]  # fmt: skip
    maximum_within_p_value: Annotated[float | None, Argument(
        SHARE, "if a value is not shown to lie within its band: its ``within_p_value`` is above "
        "this, or unknown",
        "Such as 0.05; the audit then has ``equivalence``. By default, it is not required.",
        option=Option("certainty"),
    )]  # fmt: skip
    unjudged: Annotated[Unjudged, Argument(
        CHOICE, "whether a requested metric without a verdict passes or fails the gate",
        "A metric without a band has no verdict.", default="pass", option=Option("certainty"),
    )]  # fmt: skip


class Completing(TypedDict, total=False):
    """The arguments about labels that are missing."""

    unlabelled: Annotated[Unlabelled | None, Argument(
        UNLABELLED, "what is assumed of rows without a label, for the range of values",
        "How many times as often they are positive as the labelled rows with the same side and "
        "decision or, without any, as the accepted rows of that side: a number; a pair such as "
        '(0.5, 1); "worse", which is (0, 1); "random", which is 1 if some have a label; or "any". '
        'Requires ``nulls="drop"`` and both outcomes. ``lowest`` and ``highest`` are the ends of '
        "the range, whose interval and verdict are returned.",
        option=Option("certainty", note="any, worse, random, a number such as 0.5, or LOW:HIGH"),
    )]  # fmt: skip
    unlabelled_by: Annotated[Columns | None, Argument(
        COLUMNS, "the columns within whose values this is assumed of rows without a label",
        "Such as an older decision that hides labels, or bands of scores. Numbers other than 0 and "
        "1 with fewer than 100 labels are merged with the next; cast codes to text.",
        part_of="unlabelled",
        option=Option("columns"),
    )]  # fmt: skip


class AuditArguments(Intervals, UnderPolicy, Hiding, Completing, total=False):
    """The further arguments of `audit` and `report`: intervals, bands, rules and p-values."""

    method: Annotated[Literal["auto", "newcombe", "log", "delong"], Argument(
        CHOICE, "how the intervals of comparisons of two sides are computed",
        '"auto" uses a closed form for conditional metrics, maxima over groups, AUCs and '
        "differences of means over scores, gives test statistics no interval, and uses the "
        "bootstrap for all others: it draws the counts from Gamma distributions with the same "
        'means and variances. "newcombe" is for differences of two rates, "log" for ratios of two '
        'rates or of two odds, and "delong" for AUCs and differences of two AUCs; for other '
        'metrics they equal "auto".', default="auto", part_of="confidence",
        option=Option("certainty"),
    )]  # fmt: skip
    sequential: Annotated[Literal["each", "all"] | None, Argument(
        CHOICE, "each window has all rows up to its time, with intervals that remain valid "
        "however often they are inspected: for each comparison, or for all of them together",
        "One column of ``by`` is then a date or a number. The intervals are confidence sequences, "
        "which hold at all looks together if rows are independent; effects that all rows of a week "
        "share make them miss more often. Rates have them, and differences and ratios of two "
        'rates; other metrics, if none is named, have only a value. With "each", every comparison '
        "of every metric has a 5 % chance of ever missing, so that two of forty comparisons "
        'without a difference raise a false alarm. With "all", 5 % is the chance that any of them '
        "ever misses, shared equally among them.",
        option=Option("certainty"),
    )]  # fmt: skip
    bands: Annotated[Mapping[str, Band] | None, Argument(
        BANDS, "the acceptable values of metrics, in place of the bands of the catalogue",
        "``{metric: (low, high)}``; None for no verdict.",
        option=Option(
            "certainty", name="band", note="METRIC=LOW:HIGH, or METRIC=none for no verdict"
        ),
    )]  # fmt: skip
    rule: Annotated[Rules, Argument(
        RULES,
        "how a verdict is reached: by the interval, by the value alone, or by its significance",
        'One for all metrics, or ``{metric: rule}``. With "interval", a value is within if its '
        "whole interval lies in the band, outside if none of it does, else uncertain. With "
        '"point", the value alone is judged. With "significant", it is outside if the value lies '
        "outside the band and its p-value is below 0.05, else within; without a p-value it is "
        "undefined. This rule adds ``p_values``, exact by default (extra ``significance``).",
        default="interval",
        option=Option(
            "certainty", note="interval, point or significant; METRIC=RULE for one metric"
        ),
    )]  # fmt: skip
    minimum_count: Annotated[int | None, Argument(
        HOW_MANY, "comparisons with fewer rows than this on a side are marked",
        "They have True in a column ``is_small``.", option=Option("certainty"),
    )]  # fmt: skip
    p_values: Annotated[PValues | None, Argument(
        CHOICE, "the p-value of each comparison, exact or adjusted for the number of tests",
        "A column ``p_value`` has the p-value of Fisher's exact test of the rate that the metric "
        "compares, or of the Cochran-Mantel-Haenszel test for conditional metrics; "
        "``breslow_day`` is itself a test, for strata of many rows. It is null if neither test "
        "fits the metric, with weights, and for Fisher's test beyond 10^9 rows. \"exact\" leaves "
        "p-values unadjusted; the others adjust them for the number of tests in this audit. If "
        "each adjusted p-value of at most 0.05 is called a difference, then with Holm's method "
        '("holm") the probability of any false positive is at most 0.05, however the tests depend '
        'on each other. With the method of Benjamini and Hochberg ("bh"), the false discovery '
        "rate, the expected share of false positives among these differences, is at most 0.05 if "
        "the tests are independent or positively dependent. Extra ``significance``.",
        option=Option("certainty"),
    )]  # fmt: skip
    equivalence: Annotated[bool, Argument(
        FLAG, "whether to test that values lie within their bands, in a column ``within_p_value``",
        "The p-value of the hypothesis that the value lies outside its band, from its interval. "
        "It is below 0.05 in at most about 5 % of samples if the value lies at an edge, and is "
        "0.025 if a 95 % interval touches the edge from inside. Null without an interval or band.",
        default=False, part_of="confidence",
        option=Option("certainty", note="test that values lie within their bands"),
    )]  # fmt: skip
    champion: Annotated[str | None, Argument(
        NAME, "the model that each other model is compared with on the same rows",
        "One of the names in ``predicted``. Adds the columns of a contrast. Not with "
        "``baseline``, and not for metrics of scores.", option=Option("certainty"),
    )]  # fmt: skip
    baseline: Annotated[Any, Argument(
        BASELINE, "what each window is compared with",
        "A frame about which the same question is asked: each window is compared with the window "
        "of the same value, or with all rows if the frame lacks a column of ``by``. Sides that are "
        'not given, and thresholds, are found in both frames together. Or "previous", "first" or '
        "a value of ``by``, for the window before, the first window, or that window. Adds the "
        "columns of a contrast.",
        option=Option("certainty", note="a file of rows or cells, to which --where does not apply; "
                      "previous, first, or a value of --by"),
    )]  # fmt: skip
    baseline_count: Annotated[ColumnLike | None, Argument(
        COLUMN, "the number of rows that each row of the baseline stands for",
        "For a baseline of cells. Without ``count``, they are the cells that `cells` returns for "
        "rows like those of the frame: the column of an expression has its output name.",
        part_of="baseline", option=Option("certainty"),
    )]  # fmt: skip
    drift: Annotated[Literal["clarify"] | None, Argument(
        CHOICE,
        "how a change from the baseline is found, in place of the interval of the difference",
        'With "clarify", as SageMaker Model Monitor does: "worse" if the interval and the band do '
        "not overlap and the value is farther from its ideal than that of the baseline, else "
        '"same". The distance of a ratio from 1 is that of its logarithm from 0. Null if one of '
        "the values is undefined, or if there is no interval or no band.",
        option=Option("certainty"),
    )]  # fmt: skip
    bounds: Annotated[bool, Argument(
        FLAG, "whether ``lowest`` and ``highest`` say how far unknown groups could move a value",
        "Adds these two columns, as in `bounds`, which also has their intervals. If an edge of the "
        'band lies between them, the verdict is "depends", and `check` fails. Null for a metric '
        "that has no bounds.", default=False,
        option=Option("certainty", note="how far rows of unknown group could move a value"),
    )]  # fmt: skip


class AuditQuestion(Question, AuditArguments, total=False):
    """The arguments of `audit`."""


class BoundArguments(Question, UnderPolicy, total=False):
    """The arguments of `of`."""


class Maximised(TypedDict, total=False):
    """What a choice maximises."""

    maximise: Annotated[str | Metric, Argument(
        METRIC, "the value over all rows that the choice maximises",
        'Such as "accuracy", "selection_rate" or ``pf.entry("utility", tp=1, fp=-5)``; or '
        "the name of a rate.", default="accuracy", option=Option("certainty"),
    )]  # fmt: skip


class ChoiceArguments(TypedDict, total=False):
    """The further arguments of `choose`."""

    bands: Annotated[Mapping[str, Band] | None, Argument(
        BANDS, "the acceptable values of metrics, in place of the bands of the catalogue",
        "``{metric: (low, high)}``; None for a metric that is shown but sets no limit.",
        option=Option("certainty", name="band", note="METRIC=LOW:HIGH, or METRIC=none"),
    )]  # fmt: skip
    holdout: Annotated[Any, Argument(
        HOLDOUT, "rows held out of the choice, on which each candidate is evaluated too",
        "A frame, or the share of the rows to hold out, such as 0.3, drawn with ``seed``. If rows "
        "belong together, such as those of one person, give a frame.",
        option=Option("certainty", note="a file, or a share such as 0.3"),
    )]  # fmt: skip
    seed: Annotated[int, Argument(
        SEED, "the seed of the rows held out and of the bootstrap",
        "The same seed gives the same draws.", default=0, option=Option("certainty"),
    )]  # fmt: skip
    confidence: Annotated[float | None, Argument(
        CONFIDENCE, "the confidence level of the intervals, which are those of `audit`",
        "Adds two columns for each value, such as ``di_lower`` and ``di_upper``. None for no "
        "intervals. The interval of the chosen candidate is valid only on rows held out.",
        option=Option("certainty", note="default no intervals"),
    )]  # fmt: skip


class ChoiceQuestion(Question, Maximised, ChoiceArguments, total=False):
    """The arguments of `choose`."""


class Harmed(TypedDict, total=False):
    """Which groups come first in a ranking."""

    harm: Annotated[Harms | None, Argument(
        Kind("sides of the overall rate", "SIDE"),
        "the side of the overall rate on which groups fare worse; these are ranked first",
        '"below", "above", or "both" to rank all groups by their distance on either side. The '
        "default is the side that fares worse according to ``favorable``, and both for "
        "calibration. In a report, ``{metric: side}`` sets it for each metric.",
        option=Option("certainty", note="below, above or both; default the side that fares worse"),
    )]  # fmt: skip


FEW_ROWS: Final = 30
"""A comparison or a group of fewer rows is small."""


class WorstGroupsArguments(Hiding, total=False):
    """The further arguments of `worst_groups`: which groups, their intervals and their order."""

    depth: Annotated[int | None, Argument(
        HOW_MANY, "the largest number of attributes that define a group",
        "1 gives the values of each attribute only; None has no limit.", least=1,
        option=Option("certainty", note="default no limit"),
    )]  # fmt: skip
    minimum_count: Annotated[int | None, Argument(
        HOW_MANY, "leave out groups with fewer rows",
        f"By default, groups of fewer than {FEW_ROWS} rows are ranked last, and ``note`` says so; "
        "with 0, no group counts as small.",
        option=Option("certainty", note=f"default: those of fewer than {FEW_ROWS} come last"),
    )]  # fmt: skip
    include_unknown: Annotated[bool, Argument(
        FLAG, "whether null counts as a value of an attribute",
        "If not, groups defined by a null are left out; their rows still count among all rows.",
        default=True,
        option=Option(
            "certainty", name="no_include_unknown", note="leave out groups of unknown values"
        ),
    )]  # fmt: skip
    shrink: Annotated[bool, Argument(
        FLAG, "whether to move the rates of small groups towards the mean rate of all groups of "
        "the same depth",
        "Empirical Bayes: a Beta distribution is fitted to these groups. ``beta``, "
        "``direction`` and ``rank`` are then computed from the shrunken rate.", default=False,
        option=Option("certainty", note="move rates of small groups towards the mean rate"),
    )]  # fmt: skip
    confidence: Annotated[float | None, Argument(
        CONFIDENCE, "the confidence level of the interval of each rate",
        "None for no intervals. They are Wilson intervals of the unshrunken rates; with weights, "
        "of the effective number of rows.", default=0.95,
        option=Option("certainty", note="none for no intervals"),
    )]  # fmt: skip


class Planning(TypedDict, total=False):
    """The argument of the power of a plan."""

    power: Annotated[float, Argument(
        SHARE, "the probability of detecting a difference, or of settling a verdict",
        "In a new sample of as many rows.", default=0.8, option=Option("certainty"),
    )]  # fmt: skip


class PlanQuestion(Question, Intervals, Planning, total=False):
    """The arguments of `plan`."""

    method: Literal["auto", "newcombe", "log", "delong"]
    bands: Mapping[str, Band] | None


class CheckQuestion(AuditQuestion, Gated, total=False):
    """The arguments of `check`."""


class WorstGroupsQuestion(Question, WorstGroupsArguments, Harmed, total=False):
    """The arguments of `worst_groups`."""


class RatesArguments(Hiding, total=False):
    """The further arguments of `rates`."""

    names: Annotated[Prefix | None, Argument(
        CHOICE, "the tool whose names the columns take",
        "A column without a name there keeps its own.",
        option=Option("reading", note="default our own names"),
    )]  # fmt: skip


class RatesQuestion(Question, RatesArguments, total=False):
    """The arguments of `rates`."""


class CellsQuestion(Question, Hiding, total=False):
    """The arguments of `cells`."""


class BoundsQuestion(Question, Intervals, Completing, total=False):
    """The arguments of `bounds`."""

    bands: Mapping[str, Band] | None


class Examining(UnderPolicy, total=False):
    """The further arguments of `intake`."""

    columns: Annotated[Columns | None, Argument(
        COLUMNS, "the columns that are examined",
        "One or more columns. By default, all that the question does not name.",
        option=Option("columns", name="column", note="default all that no option names"),
    )]  # fmt: skip
    baseline: Annotated[Any, Argument(
        BASELINE, "what the values of columns are compared with, in each group",
        'A frame with the same columns, such as the training data. Or "previous" or "first": each '
        "window of ``by`` is compared with the one before, or with the first.",
        option=Option("certainty", note="a file with the same columns; previous or first of --by"),
    )]  # fmt: skip
    confidence: Annotated[float, Argument(
        CONFIDENCE, "the confidence level at which all bounds of the answer hold together",
        "Each has an equal share of the error probability (Bonferroni).", default=0.95,
        option=Option("certainty"),
    )]  # fmt: skip


class IntakeQuestion(Question, Examining, total=False):
    """The arguments of `intake`."""


OF_INTERVALS: Final = arguments_of(Intervals)
OF_INTAKE: Final = arguments_of(Examining)
(POLICY_GIVEN,) = arguments_of(UnderPolicy)
OF_AUDIT: Final = arguments_of(AuditArguments)
METHOD, SEQUENTIAL, ACCEPTABLE, RULE, P_VALUES, CHAMPION, DRIFT = named(
    OF_AUDIT, "method", "sequential", "bands", "rule", "p_values", "champion", "drift"
)

(MAXIMISE,) = arguments_of(Maximised)
FAIL_ON, ALLOW_UNDEFINED, MAXIMUM_WITHIN, UNJUDGED = OF_GATE = arguments_of(Gated)
(HARM,) = arguments_of(Harmed)
HIDE_BELOW, NAMES_OF_TOOL = arguments_of(RatesArguments)
OF_BOUNDS: Final = (*OF_INTERVALS, ACCEPTABLE, *arguments_of(Completing))
(POWER,) = arguments_of(Planning)
OF_PLAN: Final = (*OF_INTERVALS, METHOD, ACCEPTABLE, POWER)
OF_CHOOSE: Final = (MAXIMISE, *arguments_of(ChoiceArguments))
OF_WORST_GROUPS: Final = (*arguments_of(WorstGroupsArguments), HARM)


def refuse_invalid_harm(given: Any) -> None:
    """Raise unless this is None, a side of the overall rate, or a side for each metric."""
    if given is not None:
        require_words(HARM.name, given, get_args(Harm))


def harm_given(given: Harms | None, metric: str) -> Harm | None:
    """The side that is given for a metric; None if none is."""
    return given.get(metric) if isinstance(given, Mapping) else given


class GivenTexts(TypedDict, total=False):
    """The texts of a page about itself."""

    title: Annotated[str | None, Argument(
        TEXT, "the title of the report", "By default, the outcome and the facets.",
        option=Option("document", note="default the outcome and the facets"),
    )]  # fmt: skip
    subject: Annotated[str | None, Argument(
        TEXT, "what the report is about, such as the decision and the population",
        option=Option("document"),
    )]  # fmt: skip
    author: Annotated[
        str | None, Argument(TEXT, "who is responsible for the report", option=Option("document"))
    ]
    model: Annotated[str | None, Argument(
        TEXT, "the name of the model that decides or scores", option=Option("document"),
    )]  # fmt: skip
    version: Annotated[str | None, Argument(
        TEXT, "the version of the model", option=Option("document", name="model-version"),
    )]  # fmt: skip
    date: Annotated[str | datetime.date | None, Argument(
        DAY, "the date of the report",
        "By default none, so that the same arguments give the same report, byte for byte.",
        option=Option("document", note="default none"),
    )]  # fmt: skip
    notes: Annotated[str | None, Argument(
        PARAGRAPHS, "notes on the report, in plain paragraphs",
        "A blank line ends a paragraph.",
        option=Option("document", note="a file"),
    )]  # fmt: skip


class PageTexts(GivenTexts, total=False):
    """The texts of a page about itself, and the words of its author."""

    words: Annotated[Mapping[str, Any] | None, Argument(
        WORDS_OF_AUTHOR, "what sentences and tables call groups, the decision, labels and rows",
        'Such as ``{"groups": {"sex": {"F": "women", "M": "men"}}, "decided": "approved", '
        '"label": ("who repaid", "who did not repay"), "rows": "applicants"}``; each part can be '
        'left out. Groups of several facets have keys such as ``"sex & race"`` and '
        '``"F & Black"``, or tuples. By default, the words of the policy, else neutral ones. '
        "The pages of hiring, lending and pay have words for groups only.",
        option=Option("document", note="a TOML file with the table of the words"),
    )]  # fmt: skip


class _OfReport(TypedDict, total=False):
    """The arguments of a report alone."""

    unit: Annotated[str | None, Argument(
        TEXT, "the unit of numbers, such as € or days", option=Option("document"),
    )]  # fmt: skip
    columns: Annotated[Columns | None, Argument(
        COLUMNS, "the columns that the section about the data examines",
        "One or more columns, as in `intake`. By default, there is no such section.",
        option=Option("document", name="column", note="default none"),
    )]  # fmt: skip


class ReportQuestion(AuditQuestion, Harmed, _OfReport, total=False):
    """The arguments of `report`."""


Texts = Mapping[str, str]
"""The given arguments of `OF_TEXTS`, checked."""

OF_TEXTS: Final = arguments_of(GivenTexts)
OF_PAGE: Final = arguments_of(PageTexts)
NOTES, WORDS = named(OF_PAGE, "notes", "words")
UNIT, EXAMINED_COLUMNS = arguments_of(_OfReport)

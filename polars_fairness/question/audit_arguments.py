"""The further arguments of an audit, each described once, as `arguments` describes the others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

from polars_fairness.question.arguments import (
    BANDS,
    BASELINE,
    CHOICE,
    COLUMN,
    CONFIDENCE,
    FLAG,
    HOW_MANY,
    NAME,
    POLICY,
    RULES,
    SEED,
    Argument,
    Option,
    Question,
)
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.judging import Band, PValues, Rules
from polars_fairness.question.policy import Policy

METHOD: Final = Argument(
    "method",
    CHOICE,
    "how the intervals of comparisons of two sides are computed",
    '"bootstrap" is for every metric: it draws the counts from Gamma distributions with the same '
    'means and variances. "newcombe" is for differences of two rates, "log" for ratios of two '
    'rates or of two odds, and "delong" for AUCs and differences of two AUCs; other metrics keep '
    "the bootstrap. By default, maxima over groups, conditional metrics, AUCs and differences of "
    "means over scores have intervals of their own, and test statistics have none.",
    default="bootstrap",
    choices=("bootstrap", "newcombe", "log", "delong"),
    part_of="confidence",
    option=Option("certainty"),
)

P_VALUES: Final = Argument(
    "p_values",
    CHOICE,
    "the p-value of each comparison, exact or adjusted for the number of tests",
    "A column ``p_value`` has the p-value of Fisher's exact test of the rate that the metric "
    "compares; for conditional metrics, of the test of Cochran, Mantel and Haenszel; "
    "``breslow_day`` is a test itself, for subgroups of many rows. It is null if "
    'neither test fits the metric, with weights, and for Fisher beyond 10^9 rows. "exact" leaves '
    "them as they are; the others adjust them for the number of p-values of this audit. Take each "
    "adjusted p-value of at most "
    '0.05 for a difference: by the method of Holm ("holm"), the probability of one false alarm or '
    "more is at most 0.05, however the tests depend on each other. By the method of Benjamini and "
    'Hochberg ("bh"), the expected share of false alarms among these differences, the false '
    "discovery rate, is at most 0.05, if the tests are independent or depend on each other "
    "positively. "
    "Extra ``significance``.",
    choices=get_args(PValues),
    option=Option("certainty"),
)

SEQUENTIAL: Final = Argument(
    "sequential",
    FLAG,
    "whether each window has all rows up to its time, for audits that are repeated",
    "One column of ``by`` is then a date or a number. The intervals are confidence sequences: they "
    "hold at all looks together, however often one looks, if rows are independent: effects of a "
    "week that all its rows share make them wrong more often. Rates have them, and differences and "
    "ratios of two rates; other metrics, if none is named, have a value only.",
    default=False,
    option=Option(
        "certainty",
        note="each window has all rows up to its time, with intervals that hold however often one "
        "looks",
    ),
)

ACCEPTABLE: Final = Argument(
    "bands",
    BANDS,
    "the acceptable values of metrics, in place of the bands of the catalogue",
    "``{metric: (low, high)}``; None for no verdict.",
    option=Option("certainty", name="band", note="METRIC=LOW:HIGH, or METRIC=none for no verdict"),
)

RULE: Final = Argument(
    "rule",
    RULES,
    "how a verdict is reached: by the interval, by the value alone, or by its significance",
    'One for all metrics, or ``{metric: rule}``. By "interval", fair if the whole interval lies in '
    'the band, against a side if none of it does, else uncertain. By "point", the value alone is '
    'judged. By "significant", against a side if the value lies outside the band and its p-value '
    "is below 0.05, else fair; undefined without a p-value. This rule adds ``p_values``, exact "
    "unless requested otherwise (extra ``significance``).",
    default="interval",
    option=Option("certainty", note="interval, point or significant; METRIC=RULE for one metric"),
)

DRIFT: Final = Argument(
    "drift",
    CHOICE,
    "how a change from the baseline is found, in place of the interval of the difference",
    'By "clarify", as SageMaker Model Monitor finds drift: "worse" if the interval and the band '
    "have no value in common, and the value is farther from its ideal than that of the baseline; "
    'else "same". How far a ratio is from 1 is measured by its logarithm. Null if one of the '
    "values is undefined, or if there is no interval or no band.",
    choices=("clarify",),
    option=Option("certainty"),
)

CHAMPION: Final = Argument(
    "champion",
    NAME,
    "the model that each other model is compared with on the same rows",
    "One of the names in ``predicted``. Adds the columns of a contrast. Not with "
    "``baseline``, and not for metrics of scores.",
    option=Option("certainty"),
)

OF_AUDIT: Final = (
    Argument(
        "confidence",
        CONFIDENCE,
        "the confidence level: how often such intervals contain the true value",
        "None for no intervals.",
        default=0.95,
        option=Option("certainty", note="none for no intervals"),
    ),
    METHOD,
    Argument(
        "replicates",
        HOW_MANY,
        "the number of draws of the bootstrap",
        "At most a million.",
        default=1000,
        part_of="confidence",
        option=Option("certainty"),
    ),
    Argument(
        "seed",
        SEED,
        "the seed of the bootstrap's random numbers",
        "The same seed gives the same draws.",
        default=0,
        part_of="confidence",
        option=Option("certainty"),
    ),
    SEQUENTIAL,
    ACCEPTABLE,
    RULE,
    Argument(
        "minimum_count",
        HOW_MANY,
        "comparisons with fewer rows on a side are marked",
        "A column ``is_small`` is true for them.",
        option=Option("certainty"),
    ),
    P_VALUES,
    Argument(
        "policy",
        POLICY,
        "what an organisation has decided about its audits, in a file",
        "A `Policy` or the path of its file. Its metrics are computed beside those that the call "
        "names. An argument that contradicts it is an error.",
        option=Option("certainty", note="such as fairness.toml"),
    ),
    CHAMPION,
    Argument(
        "baseline",
        BASELINE,
        "what each window is compared with",
        "A frame that the same question is put to: windows are compared with those of the "
        "same value; if it lacks a column of ``by``, with all its rows. Sides that are not given, "
        'and thresholds, are found in both frames together. Or "previous", "first" or a value of '
        "``by``: the window before, the first one, or this one. Adds the columns of a contrast.",
        option=Option(
            "certainty",
            note="a file of rows or cells, to which --where does not apply; previous, first, or a "
            "value of --by",
        ),
    ),
    Argument(
        "baseline_count",
        COLUMN,
        "the number of rows that each row of the baseline stands for",
        "For a baseline of cells. Without ``count``, these are the cells of such rows as the frame "
        "has: as `cells` returns them, with an expression's column under its output name.",
        part_of="baseline",
        option=Option("certainty"),
    ),
    DRIFT,
)
"""The further arguments of `audit` and `report`: intervals, bands, rules and p-values."""


class AuditQuestion(Question, total=False):
    """The arguments of `OF_AUDIT` as well, for type checkers."""

    confidence: float | None
    method: Literal["bootstrap", "newcombe", "log", "delong"]
    replicates: int
    seed: int
    sequential: bool
    bands: Mapping[str, Band] | None
    rule: Rules
    minimum_count: int | None
    p_values: PValues | None
    policy: Policy | str | Path | None
    champion: str | None
    baseline: Any
    baseline_count: ColumnLike | None
    drift: Literal["clarify"] | None

"""The columns of every answer: one declaration each, from which types and tables follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import polars as pl

from polars_fairness.api.verdicts import CHANGES, VERDICTS
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import RATES
from polars_fairness.question.judging import LIMITS

Type = Literal["number", "size", "whole", "text", "flag", "struct"]
"""The type of a column; a size is a whole number of rows, or the sum of their weights."""

NumberFormat = Literal[
    "number", "product", "tenth", "hundredth", "known", "share", "points", "money"
]
OtherNumber = Literal["p_value", "score", "ideal", "size"]
TextFormat = Literal["text", "verdict", "span", "shares", "band"]
Format = NumberFormat | OtherNumber | TextFormat
"""How a table writes a value; a span, shares and a band are pairs of numbers."""

TEXTS: Final[tuple[TextFormat, ...]] = get_args(TextFormat)
"""The formats of what is no number of its own."""

_FORMATS: Final[dict[Type, Format]] = {"number": "number", "size": "size", "whole": "size"}


@dataclass(frozen=True)
class Column:
    """A column of an answer, with all that answers and tables know about it."""

    name: str
    meaning: str = ""  # what docstrings and OpenMetrics say
    type: Type = "number"
    label: str = ""  # its title in a notebook and on a page; by default its name with spaces
    format: Format = "number"  # how tables write its values; by default, by its type
    optional: bool = False  # whether only some answers of its kind have it
    words: tuple[str, ...] = ()  # the texts that it may hold, if it has no others
    title: str = ""  # in a terminal; by default its name
    is_wide: bool = False  # whether a narrow terminal leaves it out
    least: int | None = None  # to what width a terminal may shrink it, its text on more lines
    details: str = ""  # what docstrings say besides the meaning
    # The numbers that a reader compares it with: enough digits show on which side it is.
    beside: tuple[float, ...] = ()
    bounds: tuple[str, ...] = ()  # the ends of its interval, which stands below it on a page
    on_page: bool = True  # whether a page has room for it

    def __post_init__(self) -> None:
        if self.format == "number":
            object.__setattr__(self, "format", _FORMATS.get(self.type, "text"))
        if not self.label:
            object.__setattr__(self, "label", self.name.replace("_", " ").capitalize())
        if not self.title:
            object.__setattr__(self, "title", self.name)

    @property
    def sentences(self) -> str:
        """What docstrings say of it."""
        return f"{self.meaning[0].upper()}{self.meaning[1:]}. {self.details}".strip()


Columns = tuple[Column, ...]


def types_of(
    columns: Iterable[Column], size: pl.DataType, without: Collection[str] = ()
) -> dict[str, pl.DataType]:
    """The names and the types of columns in an answer whose sizes have this type."""
    types = {
        "number": pl.Float64(),
        "size": size,
        "whole": pl.Int64(),
        "text": pl.String(),
        "flag": pl.Boolean(),
        "struct": pl.Struct({}),
    }
    return {each.name: types[each.type] for each in columns if each.name not in without}


def picked(columns: Columns, *names: str) -> Columns:
    """The columns with these names, in their order."""
    by_name = {each.name: each for each in columns}
    return tuple(by_name[name] for name in names)


def names_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """The names of columns."""
    return tuple(each.name for each in columns)


def _p_value(
    meaning: str, name: str = "p_value", title: str = "p", label: str = "p-value", **more: Any
) -> Column:
    return Column(name, meaning, label=label, format="p_value", title=title, **more)


def _rows(meaning: str, name: str = "n", title: str = "rows") -> Column:
    return Column(name, f"the {meaning}, or their weight", "size", "Rows", title=title)


BOUNDS: Final = ("lower", "upper")


def _bounds(meaning: str, start: str = "", **more: Any) -> Columns:
    return tuple(
        Column(f"{start}{end}", f"the {end} bound of the interval{meaning}", **more)
        for end in BOUNDS
    )


ESTIMATOR: Final = Column("estimator",
    "how groups known only as probabilities are counted; null for other facets", "text",
    words=("linear", "weighted"), optional=True, least=8)  # fmt: skip
MODEL: Final = Column("model", "the name of the model, of several", "text", optional=True, least=8)
THRESHOLD: Final = Column("threshold", "the threshold, of several", format="score", optional=True)
SIDES: Final = (
    Column("facet", "the sensitive attribute; null where all rows are judged together", "text"),
    Column("disfavored", "side d; null for a metric without sides", "text"),
    Column("favored", "side a; null where it is everyone else", "text"),
)
SIZES: Final = (
    _rows("rows of side d", "n_disfavored"),
    _rows("rows of side a", "n_favored"),
    _rows("rows whose facet is unknown", "n_unknown"),
)
CONTRAST: Final = (
    Column("reference", "the value of the champion or the baseline", format="known", optional=True,
        is_wide=True),
    Column("difference", "the value less the reference", format="known", optional=True,
        beside=(0,), bounds=("difference_lower", "difference_upper")),
    *_bounds(" of the difference", "difference_", optional=True),
    Column("change", "whether the value is farther from its ideal than the reference", "text",
        format="verdict", optional=True, words=CHANGES, least=9,
        details='"worse" or "better" if the intervals show it, else "same" if both are within the '
        'band or the decisions are the same, else "unclear"; with ``drift``, by its rule. Null if '
        'there is nothing to compare with, or a verdict is "undefined". A group or window that '
        "only the baseline has gets a row without a value; one that the baseline lacks has a value "
        "and no reference."),
)  # fmt: skip

AUDIT: Final = (
    *SIDES,
    Column("metric", "the name of the metric", "text"),
    *SIZES,
    Column("rows_seen", "the rows of this facet and window", "whole"),
    Column("rows_used", "how many of them the metric counts", "whole"),
    Column("rows_dropped", "the rows that the metric leaves out", "whole"),
    Column("ideal", "the value that means no difference", format="ideal", is_wide=True),
    Column("band_lower", "the lower edge of the acceptable band"),
    Column("band_upper", "the upper edge of the acceptable band"),
    Column("is_small", "whether a side has fewer rows than the minimum count", "flag",
        optional=True),
    _p_value("the p-value of the difference, adjusted if requested", optional=True),
    _p_value("the p-value of the hypothesis that the value lies outside its band", "within_p_value",
        "within p", "p-value of a value outside the band", optional=True),
    Column("note", "anything unexpected about the row, in words; else null", "text",
        optional=True, details="For example, both sides have one outcome only, strata allow no "
        "comparison, or more than fifty groups are compared one by one."),
    Column("against", "the group that a value outside the band disadvantages", "text", least=9,
        details="Null for any other verdict, for a metric without sides, if neither the value nor "
        "the rates show a side, and if the side is everyone else."),
    *CONTRAST,
    Column("robustness", "the share of the remaining variance of side and outcome that an "
        "unmeasured confounder would have to explain, to bring the value to the nearest edge of "
        "its band", format="share", optional=True, is_wide=True, on_page=False,
        details="For differences at equal controls, by least squares; without a band, to 0. Ratios "
        "of numbers, whose logarithms are compared, have it with intervals and without weights."),
    Column("unmeasured_times", "how many times as strong as a control it would have to be",
        format="hundredth", optional=True, is_wide=True, on_page=False,
        details="The smallest such number over the controls. Null if it is above 20 for each."),
    Column("unmeasured_like", "that control", "text", optional=True, is_wide=True, on_page=False),
    Column("e_value", "how strongly, as a ratio, an unmeasured confounder would have to be "
        "associated with side and outcome to explain an adjusted ratio", format="hundredth",
        optional=True, is_wide=True, on_page=False),
    Column("e_value_of_limit", "the E-value of the end of the interval that is nearer to 1",
        format="hundredth", optional=True, is_wide=True, on_page=False),
    Column("lowest", "the smallest value that rows of unknown group or label allow",
        optional=True),
    Column("highest", "the largest value that rows of unknown group or label allow",
        optional=True),
    Column("holds_from", "the smallest number, up to 1, from which on the verdict stands",
        optional=True,
        details="It is about the verdict that holds if the rows without a label are positive as "
        "often as the others, without intervals. The verdict stands if the rows without a label of "
        "each side are positive between this number of times and once as often. Null without "
        "``unlabelled``, and if that verdict is neither within nor outside."),
    # polars prints the first and the last four columns of a wide frame.
    Column("value", "the value of the metric; null if it is undefined", bounds=BOUNDS,
        details="With ``unlabelled``, the value if labels are missing at random, if it is known "
        "and lies in the range; if ``lowest`` equals ``highest``, their value."),
    *_bounds(""),
    Column("verdict", "where the interval or the value lies relative to the band", "text",
        format="verdict", words=VERDICTS, least=9,
        details='"within" if the interval lies inside the band, "outside" if it lies outside, '
        '"uncertain" if it crosses an edge of the band. Without an '
        'interval, or with another ``rule``, the value is judged. "undefined" for a metric without '
        'a value, null for a metric without a band; "undefined" for both if only one of '
        "``baseline`` and frame has the group or the window. "
        'With ``bounds``, "depends" if '
        "an edge of the band lies between ``lowest`` and ``highest``; with ``unlabelled``, also if "
        "it lies between the ends of their interval, unless the two are equal. With "
        "``nulls='drop'``, \"depends\" if the value or its interval would change if the rows of a "
        "decision without a label were like those with one."),
)  # fmt: skip

UNMEASURED: Final = ("robustness", "unmeasured_times", "unmeasured_like")
E_VALUES: Final = ("e_value", "e_value_of_limit")

BOUNDED: Final = (
    *picked(
        AUDIT,
        *("facet", "disfavored", "favored", "metric", "n_disfavored", "n_favored", "n_unknown"),
        *("rows_seen", "rows_used", "rows_dropped", "ideal", "band_lower", "band_upper", "note"),
        "value",
    ),
    *picked(AUDIT, "against"),
    Column("lowest", "the smallest value that the metric can have"),
    Column("highest", "the largest value that the metric can have"),
    *picked(AUDIT, "holds_from"),
    *_bounds(" of both ends"),
    Column("verdict", "where the whole range lies relative to the band", "text", format="verdict",
        words=VERDICTS, least=9,
        details='"within" if everything between ``lower`` and ``upper`` lies in the band, '
        '"outside" if nothing does, else "depends": on the unknown rows.'),
)  # fmt: skip

PLANNED: Final = (
    *picked(
        AUDIT,
        *("facet", "disfavored", "favored", "metric", "n_disfavored", "n_favored", "ideal"),
        *("band_lower", "band_upper", "note", "value", "verdict"),
    ),
    Column("rows", "the rows of both sides, or those that the metric counts", "size",
        is_wide=True),
    Column("power", "the probability that a new sample of as many rows settles the verdict",
        format="share", details="Within if the value lies in the band, else outside."),
    Column("detectable", "the smallest distance from the ideal that as many rows would detect",
        details="With the probability of ``power=``, on the side of the value; for a ratio, 0.09 "
        "means 0.91 or 1.09. Null if no distance is large enough."),
    Column("target", "the power for which distances and rows are computed", format="share",
        is_wide=True),
    Column("rows_needed", "the rows of both sides that would settle the verdict, if their "
        "proportions stay the same", "size",
        details="With ``cluster`` at least ``rows``. Null if the value lies on an edge of its "
        "band, or there is no band."),
)  # fmt: skip

_GROUP: Final = (
    Column("facet", "the sensitive attribute; (all) for all rows", "text"),
    Column("value", "the group; null if its facet value is unknown, and for all rows", "text"),
    _rows("complete rows of the group"),
)

_HIDDEN: Final = Column("note", "why the group is hidden; else null", "text", optional=True)

RATED: Final = (
    *_GROUP,
    *(
        Column(name, rate.meaning, label=rate.title, format="share", is_wide=True)
        for name, rate in RATES.items()
    ),
    *(
        Column(name, measure.meaning, label=measure.title, optional=True, is_wide=True)
        for name, measure in MEASURES.items()
    ),
    *(
        Column(name, number.meaning, label=number.title, format="hundredth", optional=True,
            is_wide=True)
        for name, number in NUMBERS_OF_GROUPS.items()
    ),
    Column("separation",
        "how well probabilities separate the group: 1 if it is known, 0 if not at all",
        format="share", optional=True, is_wide=True),
    Column("rows_dropped", "the rows of the group that are not complete", "whole", title="dropped"),
    *(
        Column(f"labelled_{decision}", f"{decision} rows with a label, or their weight", "size",
            optional=True, is_wide=True,
            details="Present with ``nulls='drop'`` and both outcomes.")
        for decision in ("accepted", "rejected")
    ),
    Column("tp", "true positives, or their weight", "size", is_wide=True),
    Column("fp", "false positives, or their weight", "size", is_wide=True),
    Column("fn", "false negatives, or their weight", "size", is_wide=True),
    Column("tn", "true negatives, or their weight", "size", is_wide=True),
    _HIDDEN,
)  # fmt: skip

RANKED: Final = (
    Column("group", "the values that the group fixes, such as F & Black, or (unknown)", "text"),
    _rows("rows of the group"),
    Column("share", "the share of all rows that are in the group", format="share", is_wide=True),
    Column("depth", "how many facets the group fixes", "whole"),
    Column("fixed", "whether the group fixes each facet", "struct"),
    Column("alpha", "the share by which the distance is multiplied", is_wide=True,
        details="1 for a gap or a ratio."),
    Column("beta", "the distance of the group's rate from that of all rows", is_wide=True),
    Column("weighted_gap", "alpha times beta, by which groups are ranked", label="Weighted gap",
        format="product", is_wide=True),
    *_bounds(" of the rate"),
    Column("rate_of_all", "the rate of all rows", label="Overall rate", format="share",
        is_wide=True),
    Column("mean_score", "the mean score of the group", optional=True),
    Column("rate", "the rate of the group", format="share", bounds=BOUNDS),
    Column("shrunken_rate", "the rate, shrunken towards that of all rows", format="share",
        optional=True, title="shrunken"),
    Column("direction", "on which side of the overall rate it lies", "text",
        words=("below", "above"), details='With "miscalibration", on which side of its mean score. '
        "Null if they are equal, except for the last digits, or if the group has no rate."),
    Column("rank", "1 for the worst group of the window", "whole",
        details="Groups on the side that ``harm`` names come first, then all others, then groups "
        "of few rows, each by ``weighted_gap``. Null for a group without a rate, or a hidden one."),
    Column("note", "why the group is listed last or hidden; else null", "text"),
)  # fmt: skip

DRIVERS: Final = (
    *SIDES,
    Column("metric", "the name of the difference", "text"),
    Column("part", "what the row is about: the raw difference, a control, or the difference at "
        "equal controls", "text", words=("raw", "control", "adjusted")),
    Column("control", "the control; null for the first and the last row", "text", least=8),
    Column("contribution", "what the control accounts for; in other rows, the difference itself",
        bounds=BOUNDS,
        details="Contributions add up to the raw difference minus the one at equal controls."),
    *_bounds(" of the contribution"),
    Column("alone", "how much the difference falls with this control alone", is_wide=True),
    Column("beyond_the_others", "how much it falls when this control is added after all others",
        label="Beyond the others", title="beyond", is_wide=True),
    Column("note", "why there is no value or no interval, in words; else null", "text"),
)  # fmt: skip

CONTRIBUTIONS: Final = (
    *SIDES,
    _rows("rows of the stratum"),
    *(
        Column(f"share_of_{outcome}", f"the share of side d among the {rows}",
            label=f"d's share of {outcome}", format="share", optional=True, is_wide=True)
        for outcome, rows in {
            "rejected": "rejected rows",
            "accepted": "accepted rows",
            "negative": "rows with a negative label",
            "positive": "rows with a positive label",
        }.items()
    ),
    Column("value", "the value of the stratum"),
    Column("contribution", "what the stratum adds to the metric",
        details="``value`` times ``n``, divided by the total ``n`` of all strata that have a "
        "value. The contributions of a comparison add up to the metric."),
)  # fmt: skip

SWITCHED: Final = (
    *_GROUP,
    Column("kept_accepted", "the rows that both accept, or their weight", "size", is_wide=True,
        least=8),
    Column("newly_accepted", "the rows that the model accepts and the champion rejects", "size",
        least=8),
    Column("newly_rejected", "the rows that the model rejects and the champion accepts", "size",
        least=8),
    Column("kept_rejected", "the rows that both reject", "size", is_wide=True, least=8),
    Column("change_in_rate", "the selection rate of the model minus that of the champion",
        label="Change in rate, in points", format="points", least=7),
    _p_value("the p-value of McNemar's exact test", "mcnemar_p_value",
        details="The null hypothesis is that as many rows switch one way as the other; 1 if no row "
        "switches, null with weights."),
)  # fmt: skip

PAIRED: Final = (
    *picked(AUDIT, "facet", "disfavored", "favored"),
    Column("n", "the cases with rows of both sides", "whole", "Cases", title="cases"),
    Column("unpaired", "the cases without rows of one side", "whole", is_wide=True),
    Column("both_accepted", "the cases that are accepted equally often for both sides", "whole",
        is_wide=True, least=8),
    Column("only_favored", "the cases that are accepted more often for side a", "whole", least=8),
    Column("only_disfavored", "the cases that are accepted more often for side d", "whole",
        least=8),
    Column("both_rejected", "the cases that are never accepted", "whole", is_wide=True, least=8),
    Column("difference", "the mean over cases of the share accepted for a minus that for d",
        label="Difference, in points", format="points", least=7),
    _p_value("the p-value of McNemar's exact test", "mcnemar_p_value",
        details="The null hypothesis is that as many cases favor one side as the other."),
)  # fmt: skip

CONFUSED: Final = (
    *_GROUP[:2],
    Column("label", "the observed class", "text"),
    Column("predicted", "the predicted class", "text"),
    _rows("rows with this label and prediction"),
    Column("share", "their share of the rows with this label", format="share"),
)

CALIBRATED: Final = (
    *_GROUP[:2],
    Column("bin_lower", "the lower end of the bin", format="score"),
    Column("bin_upper", "the upper end of the bin", format="score"),
    _rows("rows of the bin"),
    Column("mean_score", "the mean score of the bin; null if it is empty"),
    Column("base_rate", RATES["base_rate"].meaning, "number", "Base rate", "share", bounds=BOUNDS,
        details="``lower`` and ``upper`` are the bounds of Wilson's interval. With weights, it is "
        "computed from the effective number of rows (Kish); with ``cluster``, from the number of "
        "rows that would vary as much as the clusters do, and null below five effective clusters."),
    *_bounds(""),
    Column("note", "which labels are missing, in words; else null", "text", optional=True,
        details='Present with ``nulls="drop"`` and both ``predicted`` and a score.'),
)  # fmt: skip

EXAMINED: Final = (
    Column("check", "what is examined", "text", words=tuple(LIMITS)),
    Column("column", "the column; null for ``coverage``", "text"),
    Column("facet", "the sensitive attribute; null for ``leak``", "text",
        details="For ``coverage``, also several facets together, such as sex & race."),
    Column("group", "the group that the number is about", "text",
        details="For ``missing``, the group whose interval is farthest from 0; for ``proxy``, that "
        "of ``auc``."),
    Column("value", "the number", bounds=BOUNDS,
        details="``missing``: the share missing in the group minus that in all others. ``proxy``: "
        "Cramér's V of column and facet, corrected for chance (Bergsma 2013), with numbers in 20 "
        "bins. ``labels``: the base rate of the group minus that of all others. ``drift``: the "
        "total variation distance from the baseline, minus its expectation by chance. ``leak``: "
        "Cramér's V of column and label, where missing is a value. ``coverage``: the difference of "
        "base rates that the rows of the group detect with a power of 0.8."),
    *_bounds("; all bounds of the answer hold together"),
    Column("limit", "how far from 0 the value may be; null if it is not judged", format="known"),
    _p_value("the p-value of a number of 0, for this row alone", is_wide=True),
    _rows("rows that the number is about"),
    Column("kind", "how the column is counted", "text", is_wide=True,
        words=("values", "numbers", "constant", "identifier", "nested")),
    Column("distinct", "about how many values it has", "whole", is_wide=True),
    Column("auc", "how often a number of the group is above one of the others", format="known",
        is_wide=True, title="AUC", label="AUC", details="Ties count half. Null for text."),
    Column("note", "anything unexpected about the row, in words; else null", "text"),
    Column("verdict", "the verdict by the bounds; null if nothing is judged", "text",
        words=VERDICTS, format="verdict",
        details='"outside" if the nearer bound is beyond the limit, "uncertain" if only the value '
        "is and the nearer bound is not beyond 0, else within."),
)  # fmt: skip

REPRESENTED: Final = (
    *_GROUP[:2],
    _rows("rows of the group"),
    Column("share", "its share of the rows whose group is known", format="share"),
    Column("reference", "its share of the population", format="share"),
    Column("ratio", "the share divided by that of the population", bounds=BOUNDS,
        details="Above 1, the group is overrepresented. The interval is Wilson's interval of the "
        "share; with weights, from the effective number of rows (Kish)."),
    *_bounds(" of the ratio"),
    Column("psi", "the population stability index of the facet", label="PSI",
        details="The sum of (share - reference) * ln(share / reference) over groups: 0 if all "
        "shares are equal. More than 0.1 is often called a shift, more than 0.25 a large one."),
    _p_value("the p-value of the test that all shares are those of the population", optional=True,
        details="Null if a group is expected to have fewer than five rows."),
    Column("note", "why there is no p-value, in words; else null", "text", optional=True),
)  # fmt: skip

REPORTED: Final = (
    *picked(AUDIT, "facet", "disfavored", "favored", "metric"),
    Column("ours", "the name of the nearest metric of this package", "text"),
    Column("tried", "how many conventions were tried, alone or two together", "whole"),
    Column("value", "the value by the convention", format="score"),
    Column("difference", "the value minus the reported number", beside=(0,)),
    Column("fits", "whether the value is the reported number", "flag"),
    Column("reported", "the reported number", format="score"),
    Column("recomputed", "the value from the rows; null if it is undefined", format="score"),
    Column("equal", "whether the two agree in all reported digits", "flag"),
    Column("why", "the convention that gives the value, in words", "text"),
)

SELECTION_RATE: Final = Column("selection_rate", "the share of the rows that it accepts")
FLAGS: Final = (
    Column("is_within", "whether the metrics are within their bands", "flag"),
    Column("is_on_frontier", "whether no other candidate is better in one value and as good in the "
        "rest", "flag"),
    Column("is_chosen", "whether it is chosen", "flag",
        details="It has the highest value of all candidates within the bands. Ties go to the "
        "candidate with less disparity, in the order of the metrics, then to the first model by "
        "name, then to the lowest threshold. True once in a window, or never if no candidate is "
        "within."),
)  # fmt: skip
SWEPT: Final = (SELECTION_RATE, *FLAGS)

LOWER: Final = "_lower"
UPPER: Final = "_upper"
"""The suffixes of the columns of an interval."""

HOLDOUT: Final = "holdout_"
"""The prefix of the columns about the rows that are held out of a choice."""


def values_of_choice(names: Sequence[str]) -> list[str]:
    """The columns of a candidate's values, without those of intervals."""
    values = names[names.index("selection_rate") : names.index("is_within")]
    bounds = {f"{name}{bound}" for name in values for bound in (LOWER, UPPER)}
    return [name for name in values if name not in bounds]


METRICS: Final = (
    *SIDES,
    *SIZES,
    Column("rows_dropped", "the rows that a metric leaves out", "whole"),
)

COMPARED: Final = (
    Column("facet", "the sensitive attribute", "text"),
    Column("disfavored", "the group; null if there are no two groups to compare", "text", "Group"),
    Column("favored", "the group or the rows that it is compared with", "text", "Compared with"),
    _rows("rows of the group", "n_disfavored"),
    _rows("rows of the reference", "n_favored"),
    _rows("rows whose facet is unknown", "n_unknown"),
    Column("rows_dropped", "the rows that are not complete", "whole"),
)
_COMPARED_RATES: Final = (
    Column("rate", "the rate at which the group is accepted", format="share"),
    Column("reference_rate", "the rate that it is compared with", format="share", least=10),
)
SHORTFALLS: Final = (
    Column("shortfall", "how many more of the group would have to be accepted to reach that rate",
        "size", details="With ``weight``, the sum of their weights. With ``favorable=False``, how "
        "many fewer would have to be affected, to reach that rate or five fourths of it."),
    Column("shortfall_to_four_fifths", "how many more to reach four fifths of that rate", "size",
        "To four fifths", title="to_4/5"),
)  # fmt: skip
_RATIO_BOUNDS: Final = _bounds(" of the ratio")
_P_VALUE: Final = _p_value("the p-value of the difference, adjusted if requested",
    details="Fisher's exact test; with ``weight``, the normal distribution of `two_sd`, from the "
    "effective number of rows. Null with ``cluster``, whose rows are not independent, for groups "
    "known only as probabilities, for which no test is known, and if rows are accepted in "
    "part.")  # fmt: skip
_AIR: Final = Column(
    "air", "the adverse impact ratio: the rate of the group divided by that of its reference",
    label="AIR", beside=(0.8, 1), bounds=BOUNDS)  # fmt: skip

IMPACT_RATIOS: Final = (
    Column("facet", "the table: sex, race, or both", "text"),
    Column("value", "the category; null if none is known", "text"),
    Column("n", "the people in the category", "whole", title="people"),
    Column("rate", "the selection rate, or the share above the median score", format="share",
        least=9),
    Column("selected", "how many of them are selected, or above the median score", "whole",
        is_wide=True),
    # A telephone has no room for it.
    Column("share", "the category's share of the people whose category is known",
        format="share", is_wide=True, on_page=False),
    Column("n_unknown", "the people whose category is unknown", "whole"),
    Column("rows_dropped", "the rows that are not complete", "whole"),
    Column("median", "the median score of all people; null without scores"),
    Column("impact_ratio", "the rate divided by the highest rate; null if excluded",
        least=8, beside=(0.8, 1), bounds=BOUNDS),
    *_RATIO_BOUNDS,
    Column("is_excluded", "whether the category is left out of the impact ratios", "flag"),
)  # fmt: skip

ADVERSE_IMPACT: Final = (
    *COMPARED,
    *_COMPARED_RATES,
    *SHORTFALLS,
    Column("two_sd", "the difference of the rates in standard deviations",
        label="Standard deviations", format="hundredth", is_wide=True, beside=(-2, 0, 2)),
    _p_value("the p-value of Fisher's exact test"),
    *_RATIO_BOUNDS,
    Column("impact_ratio", "the rate divided by the highest rate", least=7, beside=(0.8, 1),
        bounds=BOUNDS),
    Column("is_below_four_fifths", "whether the ratio is below four fifths", "flag"),
    Column("is_significant", "whether two_sd is beyond 2, or p_value below 0.05", "flag"),
    Column("is_flagged", "whether both hold; null if not judged", "flag", "Flag"),
)  # fmt: skip


_POINTS: Final = Column(
    "points", "the rate of the reference minus that of the group, in points", format="tenth",
    beside=(0,), bounds=("points_lower", "points_upper"))  # fmt: skip

LENDING_TABLE: Final = (
    *COMPARED,
    *_COMPARED_RATES,
    _POINTS,
    *_bounds(" of points", "points_"),
    Column("odds_ratio", "the odds of the group divided by those of its reference", least=6,
        beside=(1,), bounds=("odds_ratio_lower", "odds_ratio_upper")),
    *_bounds(" of odds_ratio", "odds_ratio_"),
    Column("smd", "the difference of the mean scores in standard deviations", label="SMD",
        beside=(0,), bounds=("smd_lower", "smd_upper"),
        details="Above 0, the scores of the group are lower. Null if the call has no scores."),
    *_bounds(" of smd", "smd_"),
    *SHORTFALLS,
    _P_VALUE,
    _AIR,
    *_RATIO_BOUNDS,
    Column("is_flagged", "whether all three limits are exceeded; null if not judged", "flag",
        "Flag", details="With ``favorable=False``, the limits of the ratio and of the points apply "
        "to the reference compared with the group."),
)  # fmt: skip

QUANTILES: Final = (
    Column("share", "the share of the rows to be accepted", format="score"),
    Column("threshold", "the smallest score that is accepted, at least in part", format="score",
        details="Null in a window without complete rows."),
    Column("accepted_share", "the share of the rows that is accepted", format="share", least=9),
    *COMPARED,
    *_COMPARED_RATES,
    _POINTS,
    _P_VALUE,
    _AIR,
    *_RATIO_BOUNDS,
)  # fmt: skip

SEGMENTS: Final = (
    *COMPARED,
    Column("segments", "the segments with rows of both sides and of both outcomes", "whole"),
    Column("cmh", "the statistic of Cochran, Mantel and Haenszel",
        label="Cochran, Mantel, Haenszel", format="hundredth",
        details="Above 0 if the group is accepted less often inside the segments."),
    _p_value("its p-value, adjusted if requested",
        details="The exact test of the hypothesis that the rates are equal within each segment."),
    Column("breslow_day", "the statistic of Breslow and Day for different odds ratios",
        label="Breslow, Day", format="hundredth", least=8),
    _p_value("its p-value, adjusted if requested", "breslow_day_p_value", "its_p",
        "p-value of Breslow, Day", details="The test of the hypothesis that all segments have the "
        "same odds ratio. Null with fewer than two segments, or if segments have few rows; with "
        "``cluster``, both p-values are null, since the tests assume independent rows."),
    Column("mh_odds_ratio", "the odds ratio of Mantel and Haenszel over all segments",
        label="Odds ratio within segments", least=6, beside=(1,), bounds=BOUNDS,
        details="Its bounds are those of Robins, Breslow and Greenland, or computed over clusters."
        ),
    *_RATIO_BOUNDS,
)  # fmt: skip

PAY: Final = (
    Column("facet", "the sensitive attribute", "text"),
    Column("point", "the letter of the point of article 9(1), or of regulation 2(1)", "text"),
    Column("category", "the category of workers; null for all workers", "text"),
    Column("pay", "the kind of pay; received is the variable pay of those who receive any",
        "text", words=("total", "basic", "variable", "received")),
    Column("measure", "what the number is", "text", words=("mean_gap", "median_gap", "adjusted_gap",
        "share_with_variable", "share_of_quarter")),
    Column("form", "whether pay is annual or hourly; null for shares with variable pay",
        "text", words=("annual", "hourly")),
    Column("quarter", "the quarter of pay, 1 the lowest; null for all workers", "whole"),
    Column("disfavored", "the group; null if there are no two groups to compare", "text", "Group"),
    Column("favored", "the reference; null for a share", "text"),
    Column("n_disfavored", "the workers in the group", label="Workers", format="size",
        title="workers", details="A worker on the border of two quarters counts in part in each."),
    Column("n_favored", "the workers in the reference", "whole", "Reference", title="ref."),
    Column("n_quarter", "the workers in the quarter whose group is known", format="size"),
    Column("n_unknown", "the workers whose facet is unknown", "whole"),
    Column("rows_dropped", "the workers whose amount is missing", "whole"),
    Column("amount_disfavored", "the mean or the median of the group, in money", label="Pay",
        format="money", title="pay"),
    Column("amount_favored", "that of the reference", label="Reference pay",
        format="money", title="ref. pay"),
    Column("quarter_from", "the lowest pay in the quarter; null for the lowest quarter",
        details="In the lowest quarter it would be the pay of one person, as ``quarter_to`` would "
        "be in the highest."),
    Column("quarter_to", "the highest pay in the quarter; null for the highest quarter"),
    Column("value", "the gap, or the share", format="share", bounds=BOUNDS),
    *_bounds(""),
    Column("is_five_percent_or_more", "whether a gap of a category is 5 % or more", "flag",
        details="For total, basic or variable pay, in either direction; null for other numbers."),
    Column("disadvantaged", "the side that is paid less, if a gap of a category is 5 % or more",
        "text", "Paid less", title="paid less", details="Null if the interval contains 0."),
    *picked(AUDIT, *UNMEASURED),
    Column("change", "the value minus that of the window before", format="points"),
    Column("note", "what to know about the number", "text"),
)  # fmt: skip

Kind = str
"""The kind of an answer, a key of `ANSWERS`."""

ANSWERS: Final[dict[Kind, Columns]] = {
    "audit": AUDIT,
    "bounds": BOUNDED,
    "plan": PLANNED,
    "compare": REPORTED,
    "rates": RATED,
    "worst_groups": RANKED,
    "decompose": CONTRIBUTIONS,
    "drivers": DRIVERS,
    "intake": EXAMINED,
    "metrics": METRICS,
    "calibration": CALIBRATED,
    "choose": SWEPT,
    "switches": SWITCHED,
    "pairs": PAIRED,
    "confusions": CONFUSED,
    "hiring_impact_ratios": IMPACT_RATIOS,
    "hiring_adverse_impact": ADVERSE_IMPACT,
    "lending_table": LENDING_TABLE,
    "lending_quantiles": QUANTILES,
    "lending_segments": SEGMENTS,
    "pay_table": PAY,
}
"""The columns of each kind of answer after those of windows, optional ones included."""

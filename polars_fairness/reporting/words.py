"""Numbers, values, sides, windows, groups and candidates as text for a reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from hashlib import blake2b
from math import floor, inf, isfinite, isinf, log10
from typing import Any, Final, Literal

import polars as pl

from polars_fairness.api.verdicts import DEPENDS, SIGNIFICANT, widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import listed
from polars_fairness.formula.levels import Groups
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import Probabilities, parts_of_struct
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import ESTIMATOR, MODEL, POSITIVE, THRESHOLD
from polars_fairness.reporting.answers import Answers, Comparison, Window, window_of
from polars_fairness.reporting.parts import Sentence, isolated, writable
from polars_fairness.values.unlabelled import ON_MISSING_LABELS

_MOST_DIGITS: Final = 8
_MOST_DECIMALS: Final = 14
_MOST_MODELS: Final = 5
"""How many models a title names."""
PERCENT: Final = "\N{NARROW NO-BREAK SPACE}%"
UNDEFINED: Final = "undefined"
EVERYONE_ELSE: Final = "everyone else"
TAKEN_AS_GOOD: Final = "A positive outcome is taken as good for the person."
ALL_ROWS: Final = "All rows"
ALL_CLASSES: Final = "all classes"
NOTHING: Final = "Nothing to show: the answer has no rows."


Row = Mapping[str, Any]
Beside = Iterable[float | None]


def decimals(value: float, least: int, beside: Beside) -> int:
    """How many decimals a value needs to be on the same side of other numbers as text; or so many.

    Examples
    --------
    >>> from polars_fairness.reporting.words import decimals
    >>> decimals(0.7996, 2, (0.8, 1.25, None)), decimals(0.7996, 2, ())
    (4, 2)
    """
    texts = ((digits, f"{value:.{digits}f}") for digits in range(least, _MOST_DECIMALS))
    return next((digits for digits, text in texts if shows(text, value, beside)), least)


def shows(text: str, value: float, beside: Beside) -> bool:
    """Whether a value as text is on the same side of other numbers, as a band writes them."""
    known = (each for each in beside if each is not None and isfinite(each))
    return all(_side(float(text), float(f"{each:g}")) == _side(value, each) for each in known)


def _side(value: float, other: float) -> int:
    """1 above another number, -1 below it, and 0 where both are equal but for rounding."""
    least, most = widened((other, other))
    return (value > most) - (value < least)


def standards_of(row: Row) -> tuple[float | None, ...]:
    """What the value and the interval of a row are beside: ideal, ends of the band, and 0."""
    return row["ideal"], row["band_lower"], row["band_upper"], 0.0


def number(value: float | None, digits: int = 3, beside: Beside = ()) -> str:
    """The value of a metric as text, which shows on which side of other numbers it is.

    Examples
    --------
    >>> from polars_fairness.reporting.words import number
    >>> number(0.7996, 2), number(0.7996, 2, beside=(0.8, 1.25))
    ('0.80', '0.7996')
    """
    if value is None:
        return UNDEFINED
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    return _with_minus(f"{value:,.{decimals(value, digits if abs(value) < 100 else 0, beside)}f}")


def _with_minus(text: str) -> str:
    """A number with a minus for its hyphen; one that rounds to 0 has no sign."""
    return text.replace("-", "−" if text.strip("-0.") else "")


def exact(value: float | None, beside: Beside = ()) -> str:
    """A number of a terminal with three decimals, or as many as show on which side it is.

    A number other than 0 that rounds to 0 has two digits.
    """
    if value is None:
        return ""
    if 0 < abs(value) < 0.0005 and shows(f"{value:.1e}", value, beside):
        return f"{value:.1e}"
    return f"{value + 0.0:.{decimals(value, 3, beside)}f}"  # -0.0 is 0.0


def digits(value: float | None) -> str:
    """A score or a threshold with its digits; empty if there is none."""
    return "" if value is None else f"{value + 0.0:.10g}"  # -0.0 is 0.0


def score(value: float) -> str:
    """A score or a threshold: with all of its digits if they are few or whole, else rounded.

    Examples
    --------
    >>> from polars_fairness.reporting.words import score
    >>> score(0.125), score(12_345_678.0), score(0.803722010911), score(-71_234.567890)
    ('0.125', '12345678', '0.8037', '−71235')
    """
    text = f"{value:.12g}"
    if len(text.lstrip("-")) > _MOST_DIGITS and "." in text:
        text = f"{value:.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
    return text.replace("-", "−")


def share(value: float | None, beside: Beside = ()) -> str:
    """A rate as a percentage, which shows on which side of other rates it is."""
    if value is None or isinf(value):
        return number(value)
    others = [None if each is None else 100 * each for each in beside]
    return _with_minus(f"{100 * value:.{decimals(100 * value, 1, others)}f}") + PERCENT


def money(value: float) -> str:
    """An amount of money: whole if it is large, else to the cent.

    Examples
    --------
    >>> from polars_fairness.reporting.words import money
    >>> money(38_707.12), money(23.456)
    ('38,707', '23.46')
    """
    return f"{value:,.{0 if abs(value) >= 1000 else 2}f}"


def share_span(low: float | None, high: float | None) -> str:
    """The interval of a rate in percent, empty if it has none."""
    return "" if low is None else f"{_with_minus(f'{100 * low:.1f}')} to {share(high)}"


def p_value(p: float | None) -> str:
    """A p-value as text, with four decimals, or as many as show whether it is below 0.05."""
    if p is None:
        return "none"
    return "< 0.0001" if p < 0.0001 else f"{p:.{decimals(p, 4, (SIGNIFICANT,))}f}"


Unit = Literal["ratio", "points", "number"]
"""How a value is written: a ratio, a difference of shares in percentage points, or any other."""


def unit_of(metric: Metric) -> Unit:
    """The unit in which sentences and tables write the values of a metric.

    Examples
    --------
    >>> [unit_of(CATALOGUE[name]) for name in ("di", "dppl", "cohens_d", "auc_difference")]
    ['ratio', 'points', 'number', 'number']
    """
    if metric.ideal == 1:
        return "ratio"
    is_bounded = metric.ideal == 0 and metric.range in ((-1, 1), (0, 1))
    is_of_shares = is_bounded and metric.has_interval and "score" not in metric.needs
    return "points" if is_of_shares else "number"


_FACTORS: Final[Mapping[Unit, int]] = {"ratio": 1, "points": 100, "number": 1}


def measured(
    value: float | None, unit: Unit, beside: Beside = (), digits: int | None = None
) -> str:
    """A value of a metric in its unit, on the side of others where it is; a dash for none.

    A ratio has two decimals, points have one, other numbers three significant digits.

    Examples
    --------
    >>> ratio = measured(0.797, "ratio", (0.8, 1.25))
    >>> ratio, measured(-0.036, "points"), measured(2.0451, "number")
    ('0.797', '−3.6', '2.05')
    """
    if value is None:
        return "–"
    factor = _FACTORS[unit]
    if digits is None:
        digits = {"ratio": 2, "points": 1}.get(unit)
    if digits is None:
        digits = max(0, 2 - floor(log10(abs(value)))) if value and isfinite(value) else 2
    others = [None if each is None else factor * each for each in beside]
    if unit == "points":
        # From 100 on too, as the rates beside them.
        return _with_minus(f"{factor * value:.{decimals(factor * value, digits, others)}f}")
    return number(factor * value, min(digits, _MOST_DIGITS), others)


def measured_span(low: float | None, high: float | None, unit: Unit, beside: Beside = ()) -> str:
    """An interval whose ends have the same digits, with the unit of points; empty if none.

    Examples
    --------
    >>> measured_span(0.4661, 0.797, "ratio", (0.8, 1.25)), measured_span(0.002, 0.0711, "points")
    ('0.466 to 0.797', '0.2 to 7.1 points')
    """
    if low is None or high is None:
        return ""
    ends = [measured(end, unit, beside) for end in (low, high)]
    most = max(len(end.partition(".")[2]) for end in ends)
    ends = [measured(end, unit, beside, most) for end in (low, high)]
    return " to ".join(ends) + unit_in_words(unit)


def unit_in_words(unit: Unit) -> str:
    """What stands after a value in a sentence."""
    return " points" if unit == "points" else ""


def measured_band(limits: Band, unit: Unit) -> str:
    """A band in the unit of its metric.

    Examples
    --------
    >>> measured_band((0.8, 1.25), "ratio"), measured_band((-0.1, 0.1), "points")
    ('0.80 to 1.25', '−10 to 10 points')
    """
    if limits is None:
        return ""
    factor = _FACTORS[unit]
    least = 2 if unit == "ratio" else 0
    return " to ".join(
        "∞" if each == inf else number(factor * each, least, (factor * each,)) for each in limits
    ) + unit_in_words(unit)


def low(text: str) -> str:
    """A title within a sentence: without its capital, unless it begins with a name."""
    first = text.split()[0] if text.split() else ""
    is_name = not first[1:].islower() or first.removesuffix("'s") in _NAMES
    return text if is_name else text[:1].lower() + text[1:]


_NAMES: Final = ("Brier", "Cohen", "Theil", "Wasserstein")


def cap(text: str) -> str:
    """A text at the beginning of a sentence; the name of a group keeps its letters."""
    return text[:1].upper() + text[1:]


def bracketed(text: str) -> str:
    """A text in parentheses after a blank; nothing of an empty one."""
    return f" ({text})" if text else ""


_SMALL: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spelled(n: int) -> str:
    """A count that names things: up to nine a word."""
    return _SMALL[n] if n < len(_SMALL) else f"{n:,}"


def few(names: Iterable[str], most: int = 4, of: int = 0) -> str:
    """The first few names, and how many more there are, of so many.

    Examples
    --------
    >>> few("abc"), few("abcdef")
    ('a, b and c', 'a, b, c, d and 2 more')
    """
    shown = [*names]
    more = max(of, len(shown)) - most
    if more > 1 or max(of, len(shown)) > len(shown):
        more = max(of, len(shown)) - len(shown[:most])
        shown = [*shown[:most], f"{more:,} more"]
    *first, last = shown or [""]
    return f"{', '.join(first)} and {last}" if first else last


def points(difference: float) -> str:
    """A difference of two rates in percentage points, with its sign."""
    text = number(100 * difference, digits=1)
    return f"+{text}" if difference > 0 and text != "0.0" else text


HIDDEN: Final = "hidden"
"""In place of the number of rows of a group of few people."""


def size(value: float | None, absent: str = "–") -> str:
    """A number of rows, or their weight, as text."""
    if value is None:
        return absent
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


SUBGROUP_INSTEAD: Final = (
    "Windows of few rows are judged together where by= is given as subgroup= instead."
)


def mostly_few(sizes: Sequence[float | None], least: int, of_what: str = "rows") -> Iterator[str]:
    """That most windows are too small to judge alone, by the smaller sides of comparisons."""
    if 2 * (few := sum((n or 0) < least for n in sizes)) > len(sizes):
        yield (
            f"Most windows are too small to judge alone: {few:,} of {len(sizes):,} comparisons "
            f"have fewer than {least:,} {of_what} on a side."
        )


PEOPLE: Final = "People (estimated)"
"""The title of the sizes of groups known only as probabilities."""


def span(low: float | None, high: float | None, *, digits: int = 3, beside: Beside = ()) -> str:
    """The interval of a metric, empty if it has none."""
    if low is None or high is None:
        return ""
    return f"{number(low, digits, beside)} to {number(high, digits, beside)}"


def exact_span(low: float | None, high: float | None, beside: Beside = ()) -> str:
    """The interval of a terminal, "?" for a bound that is missing; empty if there is none."""
    if low is None and high is None:
        return ""
    return f"{exact(low, beside) or '?'} to {exact(high, beside) or '?'}"


def value_of(row: Row, digits: int = 3) -> str:
    """The value of a row as text, beside its ideal and its band."""
    return number(row["value"], digits, standards_of(row))


def band_of(row: Row) -> Band:
    """The band in a row of an audit."""
    low, high = row["band_lower"], row["band_upper"]
    return None if low is None else (low, high)


def band(limits: Band) -> str:
    """A band, with no more digits than were given."""
    if limits is None:
        return "none"
    low, high = (f"{limit:g}".replace("-", "−").replace("inf", "∞") for limit in limits)
    return f"{low} to {high}"


def exact_band(limits: Band) -> str:
    """A range or a band of a terminal; empty if there is none."""
    return "" if limits is None else f"{limits[0]:.3g} to {limits[1]:.3g}".replace("inf", "∞")


def confidence_in_words(confidence: float) -> str:
    """A confidence in percent: 95 % for 0.95."""
    return f"{100 * confidence:.10g}{PERCENT}"


def raw_text(value: object) -> str:
    """A value of the data as text; null is unknown."""
    if value is None:
        return "unknown"
    if isinstance(value, datetime):
        is_midnight = value.time() == time.min
        return value.date().isoformat() if is_midnight else value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value)


_MOST: Final = 80
"""How long a name is at most, so that two of them leave room for what is said of them."""
_LETTERS_APART: Final = 20
"""The room of what stands in place of the middle of a name."""


def value_in_words(value: object) -> str:
    """A value or a name of the data as a reader sees it: short, writable, of its own direction.

    A long name is without its middle, with letters in its place by which names differ.
    """
    name = writable(raw_text(value))
    if len(name) > _MOST:
        apart = blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
        end = (_MOST - _LETTERS_APART) // 2
        name = f"{name[:end]}…{apart}…{name[-end:]}"
    return isolated(name)


def clusters_in_words(answers: Answers) -> str:
    """After the word intervals: over which clusters these are, if over any."""
    column = answers.question.get("cluster")
    if column is None:
        return ""
    name = column_in_words(column)
    if answers.clusters is None:
        return f" over the clusters of {name}"
    return f" over {answers.clusters:,} clusters ({name})"


def rows_counted(answers: Answers) -> str:
    """After Wilson intervals: what they count in place of rows."""
    if answers.question.get("cluster") is not None:
        return " of so many rows as would vary as much as the clusters do"
    return " of the effective number of rows" if answers.is_weighted else ""


def contrast_in_words(answers: Answers) -> str:
    """What the values are compared with."""
    champion, baseline = answers.options.champion, answers.options.baseline
    if champion is not None:
        return f"the champion, {value_in_words(champion)}"
    if answers.options.has_baseline_frame:
        return "the baseline"
    if baseline == "previous":
        return "the window before"
    if baseline == "first":
        return "the first window"
    return named_in_words(answers.windows[0], baseline)


def column_in_words(column: object) -> str:
    """The name of a column; of an expression, the name of its result; of models, their names."""
    if isinstance(column, Mapping):
        return listed(column, most=_MOST_MODELS, write=value_in_words)
    if isinstance(column, list | tuple):
        return ", ".join(column_in_words(each) for each in column)
    if isinstance(column, Probabilities):
        return value_in_words(column.name)
    if isinstance(column, pl.Expr):
        if parts := parts_of_struct(column):
            return " & ".join(map(column_in_words, parts))
        column = column.meta.output_name(raise_if_undetermined=False) or column
    return value_in_words(column)


def window_in_words(window: Window) -> str:
    """The columns of a window with their values; known groups are estimated by nothing."""
    shown = ((name, value) for name, value in window if (name, value) != (ESTIMATOR, None))
    return ", ".join(named_in_words(name, value) for name, value in shown)


_PLACES: Final = {
    MODEL: ("with model {}", "with each of {} models"),
    THRESHOLD: ("at threshold {}", "at each of {} thresholds"),
    POSITIVE: ("for the class {}", "for each of {} classes"),
    ESTIMATOR: ("by the {} estimator", "by each of {} estimators"),
}


def where_in_words(window: Window) -> str:
    """A window in a sentence.

    Examples
    --------
    >>> where_in_words((("branch", "north"), ("model", "next")))
    'in branch north, with model next'
    """
    return ", ".join(
        f"for {ALL_CLASSES}"
        if (name, value) == (POSITIVE, None)
        else _PLACES.get(name, (f"in {value_in_words(name)} {{}}",))[0].format(
            value_in_words(value)
        )
        for name, value in window
        if (name, value) != (ESTIMATOR, None)
    )


def in_each_of(windows: Sequence[Window]) -> str:
    """Several windows in a sentence: "with each of two models"; empty of one."""
    if len(windows) < 2:
        return ""
    names = [name for name, _ in windows[0]]
    _, several = _PLACES.get(names[0] if len(names) == 1 else "", ("", "in each of {} windows"))
    return several.format(spelled(len(windows)))


def named_in_words(name: str, value: object) -> str:
    """A column of a window with its value; without a class that is positive, all classes."""
    if (name, value) == (POSITIVE, None):
        return ALL_CLASSES
    return f"{value_in_words(name)} {value_in_words(value)}"


def facet_in_words(facet: str | None) -> str:
    """The name of a facet, which may be empty; without one, all rows."""
    return ALL_ROWS.lower() if facet is None else value_in_words(facet)


def sides_in_words(comparison: Comparison) -> str:
    """The two sides of a comparison; without sides, the groups that it is about."""
    if comparison.disfavored is None:
        return "all groups" if comparison.facet else ALL_ROWS.lower()
    return f"{value_in_words(comparison.disfavored)} against {side_in_words(comparison.favored)}"


def side_in_words(value: str | None) -> str:
    """Side d or side a of a comparison."""
    if value is None:
        return EVERYONE_ELSE
    return ALL_ROWS.lower() if value == ALL else value_in_words(value)


def comparison_in_words(comparison: Comparison) -> str:
    """A comparison: its facet, sides and window."""
    facet = f"{value_in_words(comparison.facet)}: " if comparison.facet else ""
    window = window_in_words(comparison.window)
    return f"{facet}{sides_in_words(comparison)}{window and f' ({window})'}"


def comparison(row: Row, *, has_sizes: bool = True) -> str:
    """The facet and the two sides of a comparison; a group that is in none stands alone."""
    if row["facet"] is None:
        return "all rows"
    facet = value_in_words(row["facet"])
    if row["disfavored"] is None:
        return f"{facet}: all groups"
    is_alone = row.get("n_favored", 0) is None
    sides = " against ".join(
        f"{side_in_words(row[argument])} ({size(row[f'n_{argument}'], HIDDEN)})"
        if has_sizes and f"n_{argument}" in row
        else side_in_words(row[argument])
        for argument in (("disfavored",) if is_alone else ("disfavored", "favored"))
    )
    return f"{facet}: {sides}"


def verdict_in_words(row: Row) -> str:
    """The verdict in a row of an audit, as a page, a terminal and a chart say it.

    Examples
    --------
    >>> verdict_in_words({"verdict": "depends", "facet": "race"})
    'uncertain: depends on unknown race'
    >>> note = "label: known for 9 % of the rejected; the value depends on missing labels"
    >>> verdict_in_words({"verdict": "depends", "facet": "race", "note": note})
    'uncertain: depends on missing labels'
    >>> verdict_in_words({"verdict": None})
    'no band'
    """
    if row["verdict"] == DEPENDS:
        unknown = f"unknown {value_in_words(row['facet'])}"
        return f"uncertain: depends on {'missing labels' if labels_known(row) else unknown}"
    return _VERDICTS.get(row["verdict"]) or str(row["verdict"])


def labels_known(row: Row) -> str:
    """How many labels are known, where a verdict depends on missing ones; else empty.

    Examples
    --------
    >>> note = "label: known for 9 % of the rejected; the value depends on missing labels"
    >>> labels_known({"note": note})
    'known for 9 % of the rejected'
    """
    before, is_so, _ = (row.get("note") or "").partition(f"; {ON_MISSING_LABELS}")
    return before.rpartition("label: ")[2] if is_so else ""


_VERDICTS: Final[Mapping[str | None, str]] = {None: "no band", "undefined": "not computed"}


def change(row: Row) -> str:
    """The change from the reference, or why there is none."""
    if row["change"] is not None:
        return str(row["change"])
    if row["difference"] is None:
        return "no reference" if row["reference"] is None else "undefined"
    # What the rule of Clarify compares.
    return "no band" if row["band_lower"] is None else "no interval"


def heading(row: Row, windows: Iterable[str], subject: str) -> str:
    """A heading: the window of a row, if there is one, and a subject."""
    return ", ".join(filter(None, [window_in_words(window_of(row, windows)), subject]))


def title_of(question: Question) -> str:
    """The title of a report that was given none: its outcome and its facets."""
    given = (
        *(question.get("predicted"), question.get("score"), question.get("label")),
        *(question.get("estimated"), question.get("observed")),
    )
    outcome = next((each for each in given if each is not None), None)
    subject = ALL_ROWS
    if outcome is not None:
        # The title begins with a capital, and the name keeps its letters.
        kind = "Models" if isinstance(outcome, Mapping) else "Column"
        several = "s" * isinstance(outcome, list | tuple)
        subject = f"{kind}{several} {column_in_words(outcome)}"
    facet = question.get("facet")
    if facet is None:
        return subject
    facets = facet if isinstance(facet, list | tuple) else [facet]
    names = [column_in_words(each) for each in facets]
    # A crossed facet is left out where each of its parts is there by itself.
    crossed = {
        column_in_words(each): set(map(column_in_words, parts_of_struct(each)))
        for each in facets
        if isinstance(each, pl.Expr)
    }
    shown = [name for name in names if not crossed.get(name) or crossed[name] - {*names}]
    *first, last = shown
    return f"{subject}, by {', '.join(first)}{' and ' if first else ''}{last}"


def groups_in_words(groups: Groups) -> str:
    """The groups of several facets that a metric ranges over."""
    if groups.of == "intersections":
        over = "intersections of all facets"
    elif groups.depth is None:
        over = "conjunctions of any number of facets"
    else:
        over = f"conjunctions of at most {groups.depth} facet{'s' * (groups.depth > 1)}"
    least = groups.minimum_count or 0
    rows = f", of {least:,} rows or more" if least > 1 else ""
    return f"{over}{rows}{'' if groups.include_unknown else ', no facet unknown'}"


def part_in_words(row: Row) -> str:
    """What a row of an answer of `drivers` is about."""
    ends = {"raw": "as it stands", "adjusted": "at equal controls"}
    return ends.get(row["part"]) or value_in_words(row["control"])


def amount(row: Row, value: float | None) -> str:
    """A difference of two rates in points, and one of numbers as it is."""
    is_of_rates = CATALOGUE[row["metric"]].range == (-1, 1)
    return number(
        value if value is None or not is_of_rates else 100 * value, 1 if is_of_rates else 3
    )


def drivers_in_words(rows: Sequence[Row]) -> str:
    """What is left of a difference at equal controls, and what each accounts for; empty if unknown.

    Examples
    --------
    >>> parts = [("raw", None, 0.17), ("control", "score", 0.106), ("control", "purpose", -0.006)]
    >>> parts.append(("adjusted", None, 0.07))
    >>> rows = [
    ...     {"metric": "adjusted_difference", "part": part, "control": control, "contribution": of}
    ...     for part, control, of in parts
    ... ]
    >>> print(drivers_in_words(rows))
    Of 17.0 points, 7.0 are left at equal score and purpose; of the 10.0 explained, score accounts \
for 10.6 and purpose for −0.6 (averaged over all orders).
    """
    raw, *controls, adjusted = rows
    if any(row["contribution"] is None for row in rows):
        return ""
    unit = " points" if CATALOGUE[raw["metric"]].range == (-1, 1) else ""
    largest = sorted(controls, key=lambda row: -row["contribution"])
    of_each = [
        f"{value_in_words(row['control'])}{'' if i else ' accounts'} for "
        f"{amount(row, row['contribution'])}"
        for i, row in enumerate(largest)
    ]
    names = listed((row["control"] for row in controls), write=value_in_words)
    explained = amount(raw, raw["contribution"] - adjusted["contribution"])
    return (
        f"Of {amount(raw, raw['contribution'])}{unit}, "
        f"{amount(adjusted, adjusted['contribution'])} are left at equal "
        f"{names}; of the {explained} explained, {listed(of_each, write=str)} (averaged over all "
        "orders)."
    )


_CHECKS_IN_WORDS: Final = {
    "missing": ("missing more often", "missing more often, by {facet}"),
    "proxy": ("reveals groups", "reveals groups of {facet} (Cramér's V)"),
    "labels": ("base rate", "base rate, minus that of all others, by {facet}"),
    "drift": ("has changed", "has changed since the baseline, by {facet}"),
    "leak": ("reveals the label", "reveals the label (Cramér's V)"),
    "coverage": ("too few rows", "the detectable difference of base rates, by {facet}"),
}


def check_in_words(row: Row) -> str:
    """What a row of `intake` is about, as the heading of its table."""
    return _CHECKS_IN_WORDS[row["check"]][1].format(facet=row["facet"])


def finding_in_words(row: Row) -> str:
    """The column and the group of a row of `intake`."""
    return ": ".join(filter(None, [row["column"], row["group"]]))


def findings_in_words(rows: pl.DataFrame) -> str:
    """The numbers about data, check by check, each with its column and its group."""
    clauses = []
    for [check], each in rows.group_by("check", maintain_order=True):
        names = dict.fromkeys(map(finding_in_words, each.iter_rows(named=True)))
        clauses.append(f"{_CHECKS_IN_WORDS[str(check)][0]}: {listed(names, write=str, most=5)}")
    return "; ".join(clauses)


ONE_BY_ONE: Final = (
    "columns are examined one by one: several together may reveal what none reveals alone"
)


def key_of_finding(row: Row) -> str:
    """The key of a number about data in a table of a page."""
    return "/".join(str(row[name]) for name in ("check", "facet", "column", "group"))


def examined_in_words(
    rows: pl.DataFrame, called: Callable[[str, str], str] = lambda _, group: group
) -> Iterator[Sentence]:
    """What `intake` found by each facet, and how many groups have too few rows.

    Examples
    --------
    >>> row = {"check": "proxy", "facet": "sex", "column": "branch", "verdict": "outside"}
    >>> row |= {"value": 0.28, "lower": 0.26, "upper": 0.3, "limit": 0.1, "group": None}
    >>> [said.text for said in examined_in_words(pl.DataFrame([row]))]
    ['Of 1 column, 1 distinguishes the groups of sex (branch 0.280, 0.260 to 0.300).', 'None is \
missing more often in one group of sex.']
    """
    outside = rows.filter(verdict="outside")
    for facet in rows.drop_nulls("column")["facet"].drop_nulls().unique(maintain_order=True):
        examined = rows.filter(check="proxy", facet=facet)["column"].n_unique()
        apart = outside.filter(check="proxy", facet=facet).sort("value", descending=True)
        found = apart.rows(named=True)
        each = [
            f"{value_in_words(row['column'])} {number(row['value'])}, "
            f"{span(row['lower'], row['upper'])}"
            for row in found
        ]
        groups = rows.filter(check="coverage", facet=facet)["group"].drop_nulls().unique().sort()
        name = facet_in_words(facet)
        names = f"the groups of {name}"
        if len(groups) == 2:
            names = " from ".join(called(facet, group) for group in groups)
        tell = f"{len(each) or 'none'} {'distinguish' if len(each) > 1 else 'distinguishes'}"
        listed_here = f" ({'; '.join(each)})" if each else ""
        columns = "1 column" if examined == 1 else f"{examined:,} columns"
        text = f"Of {columns}, {tell} {names}{listed_here}."
        yield Sentence(text, tuple(map(key_of_finding, found)), counts=True)
        missing = outside.filter(check="missing", facet=facet)
        which = [*map(value_in_words, missing["column"])]
        more = f"{listed(which, write=str)} {'are' if which[1:] else 'is'}" if which else "None is"
        keys = tuple(map(key_of_finding, missing.rows(named=True)))
        yield Sentence(f"{cap(more)} missing more often in one group of {name}.", keys)
    covered = rows.filter(check="coverage").drop_nulls("limit")
    if not covered.is_empty():
        few = covered.filter(verdict="outside").height
        yield Sentence(
            f"{few or 'None'} of {covered.height} groups {'has' if few < 2 else 'have'} too few "
            f"rows to detect a gap of {100 * covered['limit'][0]:g} points in base rates.",
            counts=True,
        )


ROBUSTNESS: Final = (
    "Robustness: how many times as strong as a control an unmeasured confounder would have to be, "
    "for group and outcome, to bring the value to the nearer edge of its band, or to zero without "
    "a band; without such a control, which share of the residual variance of both it would have to "
    "explain."
)


def robustness_in_words(row: Mapping[str, Any]) -> str:
    """How strong an unmeasured confounder would have to be to bring a value to its band's edge."""
    if (times := row.get("unmeasured_times")) is not None:
        return f"{_times(times)} × {value_in_words(row['unmeasured_like'])}"
    return "" if row.get("robustness") is None else share(row["robustness"])


def unmeasured_in_words(row: Mapping[str, Any], facet: str, outcome: str, edge: str) -> str:
    """The same as a sentence."""
    if (times := row["unmeasured_times"]) is None:
        return (
            f"An unmeasured confounder would have to explain {share(row['robustness'])} of the "
            f"residual variance of both {facet} and {outcome} to bring this to {edge}."
        )
    as_much = (
        f"about {_times(times)} times as much of {facet}, and of {outcome}, as "
        f"{value_in_words(row['unmeasured_like'])} does"
    )
    enough = "it is enough to explain" if times < 1 else "it would have to explain"
    return f"For an unmeasured confounder to bring this to {edge}, {enough} {as_much}."


def _times(times: float) -> str:
    return number(times, 1 if times >= 1 else 2)

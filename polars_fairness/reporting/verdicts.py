"""The comparisons that a report shows, and verdicts as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isfinite, log
from statistics import NormalDist
from typing import Any, Final

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import Reference
from polars_fairness.question.judging import Rule
from polars_fairness.reporting.answers import Answers, Comparison, Window
from polars_fairness.reporting.words import (
    band_of,
    window_in_words,
)


def latest_in_words(answers: Answers) -> list[str]:
    """The last date or time with the name of its column, none without one."""
    latest, column = answers.latest, answers.time_column
    return [] if column is None or latest is None else [window_in_words(((column, latest),))]


def filter_latest(answers: Answers, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the last date or time; all rows if ``by`` is none."""
    column = answers.time_column
    if column is None or answers.latest is None:
        return frame
    # By the column itself: polars takes a name such as `^a$` for a pattern.
    return frame.filter(frame[column] == answers.latest)


def comparisons_shown(answers: Answers) -> list[Comparison]:
    """The comparisons of the latest window, or of all windows if these are no times."""
    return shown_among(answers, answers.comparisons)


def shown_among(answers: Answers, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Those of the comparisons, of any frame with sides, that the report shows."""
    latest, column = answers.latest, answers.time_column
    shown = [
        each
        for each in with_other_groups(answers, comparisons)
        if latest is None or dict(each.window)[str(column)] == latest
    ]
    # In the order of the question, which may put first what matters most.
    places: dict[str | None, int] = {facet: i for i, facet in enumerate(answers.facets)}
    shown.sort(key=lambda each: places.get(each.facet, len(places)))
    return shown


def with_other_groups(answers: Answers, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """These comparisons, with the name of the other group where everyone else is one group."""
    named = []
    for each in comparisons:
        others = answers.groups_of(each.facet) - {str(each.disfavored)}
        is_one = each.favored is None and each.disfavored is not None and len(others) == 1
        named.append(replace(each, favored=others.pop()) if is_one else each)
    return named


def apart(answers: Answers, window: Window) -> Window:
    """The part of a window that tells it from others where only the latest time is shown."""
    return tuple((name, value) for name, value in window if name != answers.time_column)


_WITHOUT: Final = "without an interval the value is judged"
_RULES: Final[Mapping[Rule, str]] = {
    "interval": (
        f"a verdict is within or outside if the whole interval is, else uncertain; {_WITHOUT}"
    ),
    "point": "the value alone is judged, without its interval",
    "significant": (
        "a value outside the band counts if its p-value is below 0.05; without a p-value, the "
        "verdict is undefined"
    ),
}


def disadvantages_d(row: Mapping[str, Any]) -> bool:
    """Whether a row of an audit disadvantages its side d."""
    return row["against"] is not None and row["against"] == row["disfavored"]


def rules_in_words(answers: Answers) -> str:
    """The rules by which the report judges, with the metrics of each if there are several."""
    metrics: dict[Rule, list[str]] = {}
    for name in answers.metrics():
        metrics.setdefault(answers.rule(name), []).append(name)
    rules = []
    for rule, names in metrics.items():
        of_metrics = f" for {', '.join(names)}" if len(metrics) > 1 else ""
        words = _RULES[rule]
        if answers.question.get("cluster") is not None:
            words = words.replace(_WITHOUT, "without one over clusters there is no verdict")
        rules.append(f"the rule {rule}{of_metrics}: {words}.")
    return f"Verdicts follow {' They follow '.join(rules)}"


_NORMAL: Final = NormalDist()

# By chance alone their values have a standard normal distribution.
_STATISTICS: Final = [
    name for name, metric in CATALOGUE.items() if metric.has_sides and metric.is_test
]

# For fewer values, such as four intervals of 95 %, hardly any is expected.
_FEWEST: Final = 0.2

OF_ALL_PAIRS: Final = (
    "The data chose the reference, in part by chance: intervals, p-values and verdicts hold for "
    "all pairs of groups."
)

Row = Mapping[str, Any]


def p_of_interval(answers: Answers, row: Row) -> float:
    """The p-value of a value outside its band, from its distance and its interval.

    The interval of a ratio is one of its logarithm.
    """
    level = answers.confidence or 0.0
    limits, value = band_of(row), row["value"]
    if limits is None:
        return 1.0
    if answers.options.unlabelled is not None and row["lowest"] is not None:
        # Of a range the nearer end, whose interval the bound is of.
        value = row["lowest"] if row["lowest"] > limits[1] else row["highest"]
        if row["lowest"] <= limits[1] and value >= limits[0]:
            return 1.0
    edge, bound = (limits[1], row["lower"]) if value > limits[1] else (limits[0], row["upper"])
    places = [value, edge, bound]
    if answers.metric(row["metric"]).is_ratio:
        if value == float("inf"):
            places = [0.0, 1 / edge, 1 / bound]
        elif min(places) > 0:
            places = [log(each) for each in places]
    value, edge, bound = places
    reach = abs(value - bound)
    if not isfinite(value) or not isfinite(reach):
        return 1 - level
    z = _NORMAL.inv_cdf((1 + level) / 2) * abs(value - edge) / reach if reach else float("inf")
    return 2 * _NORMAL.cdf(-z)


def statistics_in_words(audited: pl.DataFrame, question: Question) -> Iterator[str]:
    """How many test statistics lie outside their bands by chance, where there are several.

    Where the data chose side a, their verdicts hold for all pairs of groups.
    """
    facets = [each for each in audited["facet"].unique() if not is_chosen(question, each)]
    judged = audited.filter(
        pl.col("facet").is_in(facets),
        pl.col("metric").is_in(_STATISTICS),
        pl.col("band_lower").is_not_null() & pl.col("value").is_not_null(),
    )
    bands = judged.select("band_lower", "band_upper").rows()
    beyond = sum(_NORMAL.cdf(low) + _NORMAL.cdf(-high) for low, high in bands)
    if beyond >= _FEWEST:
        names = ", ".join(judged["metric"].unique(maintain_order=True))
        yield (
            f"Of {judged.height:,} test statistics ({names}), each judged separately, "
            f"{_about(beyond)} can be expected to lie outside the band by chance alone."
        )


def _about(expected: float) -> str:
    """A number of values that is expected, with a digit after the point if it is small."""
    return f"about {expected:,.0f}" if expected >= 1.5 else f"about {expected:.1g}"


def is_chosen(question: Question, facet: str | None) -> bool:
    """Whether side a of a facet is the group with the highest rate."""
    favored = question.get("favored")
    given = favored.get(facet) if isinstance(favored, Mapping) else favored
    return isinstance(given, Reference) and given.ranks_by_rate

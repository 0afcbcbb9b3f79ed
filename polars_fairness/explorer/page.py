"""An exploration as a page, on which Vega draws charts that a slider moves.

The page loads nothing. Its script is that of Vega, packed with the charts, which are data. Every
text is escaped where it is inserted.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from math import inf, isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import tone_of
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.rates import RATES
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.groups import in_common, spans_in_words
from polars_fairness.reporting.charts.look import PAGE, apart, with_writable
from polars_fairness.reporting.charts.marks import Dots, Lines, titled
from polars_fairness.reporting.charts.scales import SHARES, Values, is_of_ratios, places
from polars_fairness.reporting.findings import Window, parts_of
from polars_fairness.reporting.parts import Figure, first_of, writable
from polars_fairness.reporting.tables import definitions_table, group_in_words
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    number,
    score,
    share,
    value_of,
    window_in_words,
)

_RATES: Final = ("selection_rate", "tpr", "fpr")
_MOST_GROUPS: Final = 30
_MOST_COMPARISONS: Final = 6
_MOST_LETTERS: Final = 20
"""So long a name fits beside its number."""
_MOST_BESIDE: Final = 42
"""So many letters stand beside each other above a mark."""
_REACH: Final = 3
"""How far a disparity is drawn at least from the middle of its band, in halves of the band."""

Row = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Swept:
    """The answers of `rates` and of `audit` at several thresholds, and the metrics of the audit."""

    rated: pl.DataFrame
    audited: pl.DataFrame
    metrics: Mapping[str, Metric]
    favorable: bool = True

    @cached_property
    def thresholds(self) -> list[float]:
        return self.rated[THRESHOLD].unique().sort().to_list()

    @cached_property
    def windows(self) -> list[Window]:
        """The windows of ``by``; one without columns if there are none."""
        by = self.rated.columns[: self.rated.columns.index(THRESHOLD)]
        rows = self.rated[by].unique(maintain_order=True).rows() if by else [()]
        return [tuple(zip(by, row, strict=True)) for row in rows]

    def place(self, row: Row) -> dict[str, int]:
        """The places of the threshold and of the window of a row of an answer."""
        window = tuple((name, row[name]) for name, _ in self.windows[0])
        return {"at": self._thresholds[row[THRESHOLD]], "window": self._windows[repr(window)]}

    @cached_property
    def _thresholds(self) -> dict[float, int]:
        return {each: place for place, each in enumerate(self.thresholds)}

    @cached_property
    def _windows(self) -> dict[str, int]:
        # By their texts: NaN is not equal to itself.
        return {repr(each): place for place, each in enumerate(self.windows)}


def cutoffs_in_words(swept: Swept) -> str:
    """At which thresholds all metrics lie within their bands; empty if none has a band."""
    judged = swept.audited.drop_nulls("verdict")
    names = judged["metric"].unique(maintain_order=True).to_list()
    if not names:
        return ""

    def within(judged: pl.DataFrame) -> tuple[int, int, str]:
        """At how many thresholds all verdicts are fair, of how many, and at which."""
        is_fair = (pl.col("verdict") == "fair").all()
        found = judged.group_by(THRESHOLD).agg(is_fair).sort(THRESHOLD)
        fits = found["verdict"]
        return int(fits.sum()), found.height, spans_in_words(found.rows(named=True), fits)

    comparisons = judged.select("facet", "disfavored").drop_nulls().n_unique()
    parts = [("comparison", comparisons), ("window", len(swept.windows))]
    several = [f"every {name}" for name, count in parts if count > 1]
    bands = "its band" if len(names) == 1 else "their bands"
    bands += f" in {' of '.join(several)}" if several else ""
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    among, thresholds, spans = within(judged)
    if among:
        verb = "lies" if len(names) == 1 else "lie"
        return f"{listed} {verb} within {bands} {spans}: {among} of {thresholds} thresholds."
    words = f"No threshold puts {listed} within {bands}."
    if len(names) > 1:
        words += f" {names[0]} alone does so {within(judged.filter(metric=names[0]))[2]}."
    return words


def panels_of(swept: Swept) -> list[Figure]:
    """The first metric with a band, rates of groups, the disparities, and values of all rows."""
    facets = [facet for facet in swept.rated["facet"].unique(maintain_order=True) if facet != ALL]
    of_groups = [panel for facet in facets or [ALL] for panel in _rates(swept, facet)]
    return [*_first_metric(swept), *of_groups, *_disparities(swept), *_curves(swept)]


def _rates(swept: Swept, facet: str) -> Iterator[Figure]:
    """A panel for each rate of the first groups of a facet, and of all rows."""
    rows: dict[tuple[str, str | None], list[Row]] = {}
    for row in swept.rated.filter(pl.col("facet").is_in([facet, ALL])).iter_rows(named=True):
        rows.setdefault((row["facet"], row["value"]), []).append(row)
    all_rows = rows.pop((ALL, None), [])
    groups = [*rows.values()]
    shown = [group for group in (*groups[:_MOST_GROUPS], all_rows) if group]
    names = apart(group_in_words(group[0]) for group in shown)
    about = "of all rows" if facet == ALL else f"by {facet}{first_of(groups, _MOST_GROUPS)}"
    for rate in _RATES:
        marks = [
            {"name": name, "lower": 0, "upper": row[rate], "text": share(row[rate])}
            | swept.place(row)
            for name, group in zip(names, shown, strict=True)
            for row in group
        ]
        if any(mark["upper"] is not None for mark in marks):
            chart = Dots(marks, SHARES, bars=True)
            yield Figure(f"{RATES[rate].title} {about}", "", chart)


def _first_metric(swept: Swept) -> Iterator[Figure]:
    """A panel for each comparison with the first metric that has a band, over the thresholds."""
    judged = swept.audited.drop_nulls("verdict")
    judged = judged.filter(pl.col("metric") == pl.col("metric").first())
    parts = parts_of(judged, ["facet", "disfavored"]) if judged.height else []
    for part in [*parts][:_MOST_COMPARISONS]:
        rows = part.rows(named=True)
        limits, name = band_of(rows[0]), rows[0]["metric"]
        if limits is None:
            continue
        title, sides = f"{name} by threshold", comparison_in_words(in_common(part, ()))
        least = 0 if is_of_ratios(limits) else -inf
        tones = [{"tone": tone_of(row["verdict"]).name, "text": _in_words(row)} for row in rows]
        chart = _over_thresholds(swept, title, rows, tones, least)
        banded = replace(chart, band=limits, is_log=is_of_ratios(limits))
        yield Figure(f"{title}\n{sides}; band {band(limits)}", "", banded)


def _over_thresholds(
    swept: Swept,
    title: str,
    rows: Sequence[Row],
    more: Sequence[dict[str, str]],
    least: float = -inf,
) -> Lines:
    """A line of values; one that the scale has no place for is null."""
    marks = [
        {
            "line": 0,
            "x": row[THRESHOLD],
            "y": row["value"] if row["value"] is not None and least < row["value"] < inf else None,
        }
        | each
        | swept.place(row)
        for row, each in zip(rows, more, strict=True)
    ]
    return Lines(marks, [title], x="Threshold")


def _disparities(swept: Swept) -> Iterator[Figure]:
    """A panel for the metrics of each comparison, and one for those over all groups of a facet.

    Each is a place on the scale of its band, which is named if it fits. Low values are left. A
    ratio of 0, and what is infinite, has no place.
    """
    of_groups = [name for name, metric in swept.metrics.items() if not _is_of_all_rows(metric)]
    table = swept.audited.filter(pl.col("metric").is_in(of_groups))
    for part in parts_of(table, ["facet", "disfavored"]) if table.height else ():
        rows = part.rows(named=True)
        texts = [_in_words(row) for row in rows]
        marks = []
        room = _MOST_BESIDE - max(map(len, texts))
        for row, text in zip(rows, texts, strict=True):
            limits = band_of(row)
            place = places(limits, row["ideal"], 1)
            value, named = place(row["value"]), f"{row['metric']} ({band(limits)})"
            mark = {
                "name": row["metric"] if limits is None or len(named) > room else named,
                "value": value if value is not None and isfinite(value) else None,
                "ideal": place(row["ideal"]),
                "tone": tone_of(row["verdict"]).name,
                "text": text,
            }
            marks.append(mark | swept.place(row))
        reach = max([_REACH, *(1.1 * abs(float(mark["value"] or 0)) for mark in marks)])
        chart = Dots(marks, Values(-reach, reach), band=(-1, 1))
        yield Figure(comparison_in_words(in_common(part, ())), "", chart)


def _in_words(row: Row) -> str:
    """A value with its verdict, and the side that it is against."""
    tone = tone_of(row["verdict"])
    against = {"against_disfavored": row["disfavored"], "against_favored": row["favored"]}
    side = against.get(row["verdict"])
    words = f"against {side}" if side and len(side) <= _MOST_LETTERS else tone.name
    return writable(f"{value_of(row)} {tone.mark} {words}") if tone.mark else value_of(row)


def _curves(swept: Swept) -> Iterator[Figure]:
    """A panel for each metric of all rows, such as the accuracy, over the thresholds."""
    for name, metric in swept.metrics.items():
        if not _is_of_all_rows(metric):
            continue
        table = swept.audited.filter(metric=name)
        # Repeated for each facet.
        rows = table.filter(pl.col("facet").eq_missing(table["facet"].first())).rows(named=True)
        texts = [{"text": number(row["value"])} for row in rows]
        title = f"{metric.title} of all rows"
        yield Figure(title, "", _over_thresholds(swept, title, rows, texts))


def _is_of_all_rows(metric: Metric) -> bool:
    return metric.parsed.level.is_one_group


_VEGA: Final = (
    'import {{View, parse}} from "https://cdn.jsdelivr.net/npm/vega@{}/+esm"; '
    "window.pf = {{View, parse}};"
)
"""The address at which vl-convert has Vega inside; nothing is loaded."""

_DRAWN: Final = """
new pf.View(pf.parse({}), {{renderer: "svg", container: "#pf-charts", hover: true}}).run();
"""

_OPENING: Final = (
    "A row is {} if its score is at least the threshold. The slider stops at {} thresholds, "
    "from {} to {}. Each metric is drawn on the scale of its own band, the shaded middle, and "
    "judged by its value alone: a circle is within the band, a triangle is outside. Low values are "
    "left and below; a ratio of 0 has its number only."
)

_DESCRIPTION: Final = "Rates, disparities and values of all rows at the threshold of the slider"
_WIDTH: Final = 290
_GAP: Final = 34

_COLUMNS: Final = "clamp(floor((windowSize()[0] - 60) / 345), 1, 3)"
"""As many charts beside each other as there is room for."""


def explorer_page(title: str, swept: Swept) -> str:
    """The exploration as a complete HTML page."""
    # Imported here: the extra brings jinja2.
    from markupsafe import Markup

    from polars_fairness.reporting.outputs.page import TEMPLATES, style

    thresholds, accepted = swept.thresholds, word("accepted", favorable=swept.favorable)
    ends = map(score, (thresholds[0], thresholds[-1]))
    page = TEMPLATES.get_template("explorer.html.j2").render(
        title=title,
        style=Markup(style()),
        found=cutoffs_in_words(swept),
        opening=_OPENING.format(accepted, len(thresholds), *ends),
        definitions=definitions_table(swept.metrics),
        version=version("polars-fairness"),
        packed=_packed(swept, accepted.capitalize()),
    )
    return writable(page)


def _packed(swept: Swept, accepted: str) -> str:
    """Vega and the charts that it draws, packed: a fifth as long, and without markup of names.

    Vega-Lite and its embedding, which the page can do without, would double it. The charts have a
    slider, and a list of windows if there are any. ``at`` is the place of a threshold in its list,
    so that the slider stops at each of them. ``accepted`` is the word for rows whose score is at
    least the threshold.
    """
    windows = [window_in_words(window) for window in swept.windows if window]
    last = len(swept.thresholds) - 1
    slider = {"input": "range", "min": 0, "max": last, "step": 1, "name": "Threshold"}
    choices = {"input": "select", "options": [*range(len(windows))], "labels": windows}
    # The threshold beside the slider, which shows its own number: the place of the threshold.
    readout = {
        "name": "threshold",
        "expr": "thresholds[at]",
        "on": [{"events": {"signal": "at"}, "update": "thresholds[at]"}],
        "bind": {"input": "text", "readonly": True, "name": f"{accepted} from a score of"},
    }
    datasets: dict[str, list[dict[str, Any]]] = {}
    look = replace(PAGE, width=_WIDTH, datasets=datasets)
    title = {"anchor": "start", "frame": "group", "color": PAGE.colours.ink, "fontSize": 14}
    title |= {"subtitleColor": PAGE.colours.soft, "subtitleFontSize": 12, "offset": 10}
    whole = {
        "params": [
            {"name": "at", "value": last // 2, "bind": slider},
            readout,
            {"name": "window", "value": 0}
            | ({"bind": choices | {"name": "Window"}} if windows else {}),
            {"name": "thresholds", "value": swept.thresholds},
        ],
        "concat": [titled(panel, look) for panel in panels_of(swept)],
        "spacing": _GAP,
        "columns": {"signal": _COLUMNS},
        "config": PAGE.config() | {"aria": True, "mark": {"aria": False}, "title": title},
        "resolve": {"scale": dict.fromkeys(("x", "y", "color", "shape"), "independent")},
        "description": _DESCRIPTION,
    }
    import vl_convert  # brought by the extra

    compiled = vl_convert.vegalite_to_vega(with_writable(whole))
    for each in compiled["data"]:
        if each["name"] in datasets:
            each["values"] = datasets[each["name"]]
    library = vl_convert.javascript_bundle(_VEGA.format(vl_convert.get_vega_version()))
    script = f"{library};{_DRAWN.format(json.dumps(compiled, allow_nan=False))}"
    return b64encode(gzip.compress(script.encode(), mtime=0)).decode()

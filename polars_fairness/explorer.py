"""The function `explore`: a page on which a person moves the threshold.

The page loads nothing: it contains the script of Vega, packed with the charts, which are data.
Every text is escaped where it is inserted.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from importlib.metadata import version
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited, types_of_audit
from polars_fairness.answers.options import AuditOptions, find_criteria
from polars_fairness.api.bound import CheckedQuestion, read
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested
from polars_fairness.api.signatures import takes
from polars_fairness.api.verdicts import tone_of
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.counts import unlisted
from polars_fairness.counting.decisions import round_thresholds
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES
from polars_fairness.question.arguments import Question, defaults
from polars_fairness.question.audit_arguments import ACCEPTABLE, OF_AUDIT
from polars_fairness.question.judging import Band
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answers import Window, parts_of
from polars_fairness.reporting.charts.curves import (
    Row,
    Rows,
    Spec,
    common_comparison,
    figures_by_facet,
    spans_in_words,
)
from polars_fairness.reporting.charts.look import ON_PAGE, Look, rules_of, with_writable
from polars_fairness.reporting.charts.marks import Dots, Lines, titled
from polars_fairness.reporting.outputs.files import write_file
from polars_fairness.reporting.outputs.pdf import require_charts
from polars_fairness.reporting.parts import Figure, writable
from polars_fairness.reporting.scales import SHARES, Values, is_of_ratios, places
from polars_fairness.reporting.tables import definitions_table
from polars_fairness.reporting.words import (
    band,
    band_of,
    cap,
    comparison_in_words,
    low,
    number,
    score,
    share,
    title_of,
    value_of,
    window_in_words,
)
from polars_fairness.values.evaluate import rated, types_of_rates

_DISPARITIES: Final = ("di", "dppl", "rd", "average_odds_difference")
_OF_ALL_ROWS: Final = ("accuracy", "selection_rate")
_THRESHOLDS: Final = 100
"""About as many thresholds as a slider has places for."""
_MOST: Final = 200_000
"""A page with as many numbers has about 3 MB."""
_OPTIONS: Final = {
    **{name: value for name, value in defaults(OF_AUDIT).items() if name != ACCEPTABLE.name},
    "confidence": None,
    "rule": "point",
}


@dataclass(frozen=True, eq=False, repr=False)
class Exploration:
    """The result of `explore`; a notebook shows it as a page.

    The page is drawn in the browser by Vega, whose script is embedded in it (extra ``report``).
    """

    question: Question
    rated: pl.DataFrame
    """The answer of `rates` at each threshold."""
    audited: pl.DataFrame
    """The answer of `audit` at each threshold."""
    metrics: Mapping[str, Metric]
    """The metrics of the audit."""

    def __repr__(self) -> str:
        return f"Exploration({title_of(self.question)!r})"

    def _repr_html_(self) -> str:
        page, title = escape(self.page()), escape(title_of(self.question))
        return (
            f'<iframe srcdoc="{page}" title="Fairness by threshold: {title}" '
            'style="border: 0; height: 50rem; width: 100%"></iframe>'
        )

    def write_html(self, path: str | Path) -> None:
        """Write the page as one self-contained HTML file.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        """
        write_file(path, self.page().encode())

    def page(self) -> str:
        """The page as self-contained HTML text."""
        require_charts()
        # Imported here: the extra brings jinja2.
        from markupsafe import Markup

        from polars_fairness.reporting.outputs.page import TEMPLATES, style, style_of_page

        accepted = word("accepted", favorable=self.question.get("favorable", True))
        ends = map(score, (self.thresholds[0], self.thresholds[-1]))
        definitions = definitions_table(self.metrics)
        given = {
            "title": title_of(self.question),
            "summary": cutoffs_in_words(self),
            "opening": _OPENING.format(accepted, len(self.thresholds), *ends),
            "definitions": definitions,
            "version": version("polars-fairness"),
            "packed": _packed(self, accepted.capitalize()),
        }
        template = TEMPLATES.get_template("explorer.html.j2")
        # The packed script has every colour.
        body = template.render(given, style="") + "".join(vars(ON_PAGE).values())
        own = style(body, [definitions]) + rules_of("explorer.css")
        page = template.render(given, style=Markup(style_of_page(own)))
        return writable(page)

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


@takes(ACCEPTABLE)
def explore(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    bands: Mapping[str, Band] | None = None,
    **question: Unpack[Question],
) -> Exploration:
    """A page on which a person moves the threshold of a score and sees the effects.

    It shows the selection rate and, with labels, the true and the false positive rate of each
    group; metrics with their bands, each judged by its value alone; and values over all rows, such
    as the accuracy. The numbers are those of `rates` and `metrics` at each threshold. The rows are
    counted once, immediately, even those of a LazyFrame.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`, also ``pf.entry("utility", ...)``. Without any, "di", "dppl", "rd" and
        "average_odds_difference", as far as the columns allow. The accuracy and the selection rate
        of all rows are always among them.
    {own arguments}
    **question
        As in `metrics`. Without ``threshold``, the thresholds are about 100 round numbers from the
        lowest to the highest score, or the multiples of ``resolution``. Rows are then counted by
        each distinct score; for many millions of rows, give one of the two.

    Returns
    -------
    Exploration
        A notebook shows it; ``write_html`` writes one file, which can be sent to others.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "F", "label": "repaid", "score": "score"}
    >>> profit = pf.entry("utility", tp=1, fp=-5)
    >>> pf.explore(pf.datasets.loans(), "di", "rd", profit, **question)
    Exploration('Column score, by sex')
    """
    given: Any = question.get("threshold")
    swept_question: Question = {
        **question,
        "threshold": EVERY if given is None else given,
        "cluster": None,
    }
    bound = read(frame, swept_question, "explore")
    names = [each if isinstance(each, str) else each.name for each in one_by_one(metrics)]
    by_default = [*(() if names else _DISPARITIES), *_OF_ALL_ROWS]
    more = [each for each in by_default if each not in names and bound.roles.allow(CATALOGUE[each])]
    named_metrics, roles = requested([*one_by_one(metrics), *more], bound.roles)
    options = AuditOptions(**_OPTIONS, bands=bands)
    criteria = find_criteria(named_metrics, roles, options)
    refuse_taken_names(roles, {"by"}, AUDIT_COLUMNS)
    # Both answers come from the same cells, so that the rows are counted once.
    cells = unlisted(cells_of_all_rows(bound.rows, roles)).collect(engine="streaming")
    if given is None and question.get("resolution") is None:
        roles, cells = _apply_round_thresholds(roles, cells)
    judged = partial(audited, metrics=named_metrics, criteria=criteria)
    explored = Exploration(
        swept_question,
        _answered(bound, roles, cells, rated, types_of_rates(roles)),
        _answered(
            bound, roles, cells, judged, types_of_audit(roles, options, named_metrics.values())
        ),
        named_metrics,
    )
    _refuse_unfit(explored)
    return explored


def _apply_round_thresholds(roles: Roles, cells: pl.DataFrame) -> tuple[Roles, pl.DataFrame]:
    """The question at round numbers between its scores, and its cells rounded down to these."""
    score = roles.score
    if score is None:
        return roles, cells
    scores = cells.lazy().select(pl.col("score").cast(score.column.dtype))
    thresholds = tuple(round_thresholds(scores, None, _THRESHOLDS))
    if not thresholds:  # the scores are unknown
        return roles, cells
    # Measures of the scores of each group, which the page does not show, took 12 s for 2 million.
    by_threshold = score.with_thresholds(thresholds)
    rounding = by_threshold.rounding
    rounded = rounding.score(rounding.key(pl.col("score"))).alias("score")
    return roles.with_thresholds(thresholds), cells.with_columns(rounded)


def _answered(
    bound: CheckedQuestion,
    roles: Roles,
    cells: pl.DataFrame,
    compute: Callable[..., pl.LazyFrame],
    types: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """The answer of a question whose rows are counted already."""
    answer = answer_of(bound, roles, compute, types, cells_of=lambda *_: cells.lazy())
    return answer.lazy().collect()


def _refuse_unfit(explored: Exploration) -> None:
    """Raise if there are too many numbers for a page, or if the thresholds miss the scores."""
    thresholds = explored.thresholds
    if not thresholds:
        raise FairnessError(
            "frame: explore needs rows with a score, got none; check that a filter leaves some"
        )
    numbers = 3 * explored.rated.height + explored.audited.height
    if numbers > _MOST:
        raise FairnessError(
            f"threshold: a page holds {_MOST:,} numbers, but {len(thresholds):,} thresholds make "
            f"{numbers:,}; give fewer thresholds, or resolution="
        )
    of_all_rows = explored.rated.filter(pl.col("facet") == ALL, pl.col("n") > 0)
    first, last = (
        of_all_rows.filter(pl.col(THRESHOLD) == each)["selection_rate"]
        for each in (thresholds[0], thresholds[-1])
    )
    if (first == 0).all() or (last == 1).all():
        raise FairnessError(
            f"threshold: no score lies between {score(thresholds[0])} and "
            f"{score(thresholds[-1])}; give several numbers from the lowest to the "
            "highest score, or 'every'"
        )


_RATES: Final = ("selection_rate", "tpr", "fpr")
_MOST_GROUPS: Final = 30
_MOST_COMPARISONS: Final = 6
_MOST_BESIDE: Final = 42
"""The most letters that fit side by side above a mark."""
_REACH: Final = 3
"""The least reach of a scale from the middle of a band, in half widths of the band."""


def cutoffs_in_words(explored: Exploration) -> str:
    """The thresholds at which all metrics are within their bands; empty if none has a band."""
    judged = explored.audited.drop_nulls("verdict")
    names = judged["metric"].unique(maintain_order=True).to_list()
    if not names:
        return ""

    def count_within(judged: pl.DataFrame) -> tuple[int, int, str]:
        """The number of thresholds at which all verdicts are within, that of all, and which."""
        is_within = (pl.col("verdict") == "within").all()
        thresholds = judged.group_by(THRESHOLD).agg(is_within).sort(THRESHOLD)
        fits = thresholds["verdict"]
        return int(fits.sum()), thresholds.height, spans_in_words(thresholds.rows(named=True), fits)

    comparisons = judged.select("facet", "disfavored").drop_nulls().n_unique()
    parts = [("comparison", comparisons), ("window", len(explored.windows))]
    several = [f"every {name}" for name, count in parts if count > 1]
    bands = "its band" if len(names) == 1 else "their bands"
    bands += f" in {' of '.join(several)}" if several else ""
    titles = [f"the {low(explored.metrics[name].title)}" for name in names]
    listed = " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))
    among, thresholds, spans = count_within(judged)
    if among:
        verb = "is" if len(names) == 1 else "are"
        return f"{cap(listed)} {verb} within {bands} {spans}: {among} of {thresholds} thresholds."
    words = f"No threshold puts {listed} within {bands}."
    if len(names) > 1:
        spans = count_within(judged.filter(metric=names[0]))[2]
        words += f" {cap(titles[0])} alone is within its band {spans}."
    return words


def panels_of(explored: Exploration) -> list[Figure]:
    """The first metric with a band, rates of groups, the disparities, and values of all rows."""
    rates = [
        Spec(
            RATES[rate].title,
            partial(_bars, explored, rate),
            lambda marks, *_: Dots(marks, SHARES, bars=True),
            most=_MOST_GROUPS,
        )
        for rate in _RATES
        if explored.rated[rate].count()
    ]
    of_groups = figures_by_facet(explored.rated, [], *rates)
    return [*_first_metric(explored), *of_groups, *_disparities(explored), *_curves(explored)]


def _bars(explored: Exploration, rate: str, rows: Rows) -> Iterator[Row]:
    for row in rows:
        yield {"lower": 0, "upper": row[rate], "text": share(row[rate])} | explored.place(row)


def _first_metric(explored: Exploration) -> Iterator[Figure]:
    """A panel for each comparison with the first metric that has a band, over the thresholds."""
    judged = explored.audited.drop_nulls("verdict")
    judged = judged.filter(pl.col("metric") == pl.col("metric").first())
    parts = parts_of(judged, ["facet", "disfavored"])
    for part in parts[:_MOST_COMPARISONS]:
        rows = part.rows(named=True)
        limits, name = band_of(rows[0]), rows[0]["metric"]
        if limits is None:
            continue
        is_log = is_of_ratios(limits)
        yield _threshold_figure(
            explored,
            f"{name} by threshold",
            rows,
            lambda row: {"tone": tone_of(row["verdict"]).name, "text": _describe_value(row)},
            f"{comparison_in_words(common_comparison(part, ()))}; band {band(limits)}",
            band=limits,
            is_log=is_log,
        )


def _threshold_figure(
    explored: Exploration,
    title: str,
    rows: Rows,
    shown: Callable[[Row], Row],
    note: str = "",
    **options: Any,
) -> Figure:
    """A line of values; one that the scale has no place for is null."""
    least = 0 if options.get("is_log") else -inf

    def marks(rows: Rows) -> Iterator[Row]:
        for row in rows:
            value = row["value"]
            y = value if value is not None and least < value < inf else None
            yield {"x": row[THRESHOLD], "y": y, **shown(row), **explored.place(row)}

    chart = partial(Lines, x="Threshold", **options)
    return Spec(title, marks, chart, note).figure([(title, rows)])


def _disparities(explored: Exploration) -> Iterator[Figure]:
    """A panel for the metrics of each comparison, and one for those over all groups of a facet.

    Each is a place on the scale of its band, which is named if it fits. Low values are left. A
    ratio of 0, and what is infinite, has no place.
    """

    def marks(rows: Rows) -> Iterator[Row]:
        for row in rows:
            place = places(band_of(row), row["ideal"])
            value, tone = place(row["value"]), tone_of(row["verdict"]).name
            is_known = value is not None and isfinite(value)
            yield {
                "value": value if is_known else None,
                "ideal": place(row["ideal"]),
                "tone": tone,
                "text": _describe_value(row),
                **explored.place(row),
            }

    def chart(marks: Rows, *_: Any) -> Dots:
        reach = max([_REACH, *(1.1 * abs(mark["value"] or 0) for mark in marks)])
        return Dots(marks, Values(-reach, reach), band=(-1, 1))

    of_groups = [name for name, metric in explored.metrics.items() if not _is_of_all_rows(metric)]
    table = explored.audited.filter(pl.col("metric").is_in(of_groups))
    for part in parts_of(table, ["facet", "disfavored"]):
        room = _MOST_BESIDE - max(len(_describe_value(row)) for row in part.iter_rows(named=True))
        groups = []
        for rows in (of_metric.rows(named=True) for of_metric in parts_of(part, ["metric"])):
            metric, limits = rows[0]["metric"], band_of(rows[0])
            named = f"{metric} ({band(limits)})"
            groups.append((metric if limits is None or len(named) > room else named, rows))
        compared = comparison_in_words(common_comparison(part, ()))
        yield Spec(compared, marks, chart, most=None).figure(groups)


def _describe_value(row: Row) -> str:
    tone = tone_of(row["verdict"])
    return f"{value_of(row)} {tone.mark} {tone.name}" if tone.mark else value_of(row)


def _curves(explored: Exploration) -> Iterator[Figure]:
    """A panel for each metric of all rows, such as the accuracy, over the thresholds."""
    for name, metric in explored.metrics.items():
        if not _is_of_all_rows(metric):
            continue
        table = explored.audited.filter(metric=name)
        # Repeated for each facet.
        rows = table.filter(pl.col("facet").eq_missing(table["facet"].first())).rows(named=True)
        title = f"{metric.title} of all rows"
        yield _threshold_figure(explored, title, rows, lambda row: {"text": number(row["value"])})


def _is_of_all_rows(metric: Metric) -> bool:
    return metric.parsed.level.is_one_group


_VEGA: Final = (
    'import {{View, parse}} from "https://cdn.jsdelivr.net/npm/vega@{}/+esm"; '
    "window.pf = {{View, parse}};"
)
"""The address by which vl-convert finds its own copy of Vega; nothing is loaded."""

_DRAWN: Final = """
new pf.View(pf.parse({}), {{renderer: "svg", container: "#pf-charts", hover: true}}).run();
"""

_OPENING: Final = (
    "A row is {} if its score is at least the threshold. The slider stops at {} thresholds, "
    "from {} to {}. Each metric is drawn on the scale of its own band, the shaded middle, and "
    "judged by its value alone: a circle is within the band, a triangle is outside. Low values are "
    "on the left and at the bottom; a ratio of 0 is shown as a number only."
)

_DESCRIPTION: Final = "Rates, disparities and values of all rows at the threshold of the slider"
_WIDTH: Final = 290
_GAP: Final = 34

_COLUMNS: Final = "clamp(floor((windowSize()[0] - 60) / 345), 1, 3)"
"""As many charts side by side as there is room for."""


def _packed(explored: Exploration, accepted: str) -> str:
    """Vega and the charts that it draws, packed: a fifth as long, and without markup of names.

    Vega-Lite and its embedding, which the page can do without, would double it. The charts have a
    slider, and a list of windows if there are any. ``at`` is the place of a threshold in its list,
    so that the slider stops at each of them. ``accepted`` is the word for rows whose score is at
    least the threshold.
    """
    windows = [window_in_words(window) for window in explored.windows if window]
    last = len(explored.thresholds) - 1
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
    look = Look(ON_PAGE, datasets, _WIDTH)
    title = {"anchor": "start", "frame": "group", "color": look.colours.ink, "fontSize": 14}
    title |= {"subtitleColor": look.colours.soft, "subtitleFontSize": 12, "offset": 10}
    whole = {
        "params": [
            {"name": "at", "value": last // 2, "bind": slider},
            readout,
            {"name": "window", "value": 0}
            | ({"bind": choices | {"name": "Window"}} if windows else {}),
            {"name": "thresholds", "value": explored.thresholds},
        ],
        "concat": [titled(panel, look) for panel in panels_of(explored)],
        "spacing": _GAP,
        "columns": {"signal": _COLUMNS},
        "config": look.config() | {"aria": True, "mark": {"aria": False}, "title": title},
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

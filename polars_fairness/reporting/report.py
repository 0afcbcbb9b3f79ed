"""Reports: an audit as a page, as Markdown and as a dictionary."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.answers.contrasts import CONTRAST
from polars_fairness.answers.options import options_and_question
from polars_fairness.api.bound import unbound, under_policy
from polars_fairness.api.columns import Column
from polars_fairness.api.requested import one_by_one
from polars_fairness.api.signatures import takes
from polars_fairness.api.verdicts import tone_of
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import (
    HARM,
    OF_AUDIT,
    OF_PAGE,
    UNIT,
    PageTexts,
    ReportQuestion,
    Texts,
)
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.charts.comparisons import (
    MOST_TRENDS,
    trend_figures,
)
from polars_fairness.reporting.charts.groups import (
    contribution_figure,
    drivers_figure,
)
from polars_fairness.reporting.document import WrittenReport, checked_texts, page_of
from polars_fairness.reporting.findings import (
    Comparison,
    Findings,
    comparisons_of,
    find,
    judged_metrics,
    sides_of,
)
from polars_fairness.reporting.outcome_notes import notes_on_answers, notes_on_values
from polars_fairness.reporting.outputs.files import write_file
from polars_fairness.reporting.outputs.markdown import section_in_markdown
from polars_fairness.reporting.outputs.records import document_as_json
from polars_fairness.reporting.parts import (
    Document,
    Part,
    Section,
    Sentences,
    Table,
    writable,
)
from polars_fairness.reporting.sections.contrasts import compared, switched_section
from polars_fairness.reporting.sections.facets import appendix, facet_sections
from polars_fairness.reporting.sections.first_page import MOST_NOTES, first_page, used_in_words
from polars_fairness.reporting.sections.groups import confusions_section, worst_groups
from polars_fairness.reporting.sections.score_sections import scores_section
from polars_fairness.reporting.tables import (
    cut,
    missing_outcomes_table,
    reconciliation_table,
    strata_of,
    subgroups_of,
)
from polars_fairness.reporting.verdicts import comparisons_shown, group_by_facet, shown_among
from polars_fairness.reporting.words import (
    ON_FIRST_PAGE,
    column_in_words,
    comparison_in_words,
    drivers_in_words,
    number,
    sides_in_words,
    size,
    standards_of,
    title_of,
    value_in_words,
    with_short_names,
)

_OF_ROWS: Final = (
    "A row is left out if its weight or count is 0 and, if nulls is drop, if its weight or count "
    "is missing, or an outcome, score or feature that the metric or rate needs; groups are "
    "listed with the rows that have all outcomes. A row whose facet is "
    "unknown is on neither side, but counts among all rows."
)


def rows_section(findings: Findings) -> Section:
    """One line if all rows were used and all facets are known, else the tables that say where."""
    audited = findings.audited
    if audited.is_empty():
        return Section("The rows", ())
    parts: list[Part] = []
    # The first page has the others.
    notes = notes_on_answers(findings.rated, audited, findings.question)[MOST_NOTES:]
    if notes:
        parts.append(Sentences("notes", tuple(notes)))
    # Without a facet, no row has a known one.
    has_unknown = (pl.col("n_unknown") > 0) & pl.col("facet").is_not_null()
    counted = findings.audited.filter((pl.col("rows_dropped") > 0) | has_unknown)
    if not counted.is_empty():
        parts += [_OF_ROWS, *cut(reconciliation_table(findings, counted), "facets or windows")]
        parts += _bounds_in_words(findings)
    if not findings.left_out.is_empty():
        parts += cut(missing_outcomes_table(findings), "groups")
    return Section("The rows", tuple(parts), finding=used_in_words(findings))


_MOST_BOUNDS: Final = 10


def _bounds_in_words(findings: Findings) -> Iterator[str]:
    """How far the rows of unknown group could move a metric."""
    for row in findings.bounds.head(_MOST_BOUNDS).iter_rows(named=True):
        facet = column_in_words(row["facet"])
        beside = "everyone else" if row["favored"] is None else value_in_words(row["favored"])
        yield (
            f"Whatever the {facet} of the {size(row['n_unknown'])} rows of unknown {facet} is, "
            f"{row['metric']} of {value_in_words(row['disfavored'])} against {beside} lies "
            f"between {number(row['lowest'], beside=standards_of(row))} and "
            f"{number(row['highest'], beside=standards_of(row))}."
        )


_MOST_ROWS: Final = 10
_MOST_CHARTS: Final = 2
_OF_CONTRIBUTIONS: Final = (
    "A conditional metric is an average over subgroups, weighted by their rows. A contribution is "
    "what one subgroup adds to this average."
)


def contributions_section(findings: Findings) -> Section:
    """The subgroups that contribute most to each metric, with a table where it is not fair."""
    sentences: list[str] = []
    parts: list[Part] = []
    for name, frame in findings.decomposed.items():
        compared = shown_among(findings, comparisons_of(frame, findings.windows))
        sentences += _largest(findings, name, compared)
        for comparisons in group_by_facet(compared).values():
            parts += _contribution_parts(findings, name, comparisons)
    opening = (_OF_CONTRIBUTIONS,) if parts else ()
    return Section("Subgroups", (*opening, *parts), finding=" ".join(sentences))


def _largest(findings: Findings, name: str, compared: Sequence[Comparison]) -> Iterator[str]:
    """The subgroup with the largest contribution of all, as a sentence."""
    contributions = [
        (abs(row["contribution"]), subgroup, row, comparison)
        for comparison in compared
        for subgroup, row in subgroups_of(comparison, comparison.table.height)
        if row["contribution"] is not None
    ]
    if not contributions:
        return
    _, subgroup, row, comparison = max(contributions, key=lambda each: each[0])
    total = _audited(findings, name, comparison)["value"]
    columns = " & ".join(strata_of(comparison.table))
    yield (
        f"{columns} {subgroup} contributes most to {name}: {number(row['contribution'])} of "
        f"{number(total)}, {comparison_in_words(comparison)}."
    )


def _audited(findings: Findings, name: str, comparison: Comparison) -> dict[str, Any]:
    """The row of the audit that has the value of the metric."""
    # Side a may be named on the page where the audit has everyone else.
    place = (comparison.window, sides_of(comparison)[:2])
    [row] = (
        row
        for each in findings.comparisons()
        if (each.window, sides_of(each)[:2]) == place
        for row in each.table.filter(metric=name).iter_rows(named=True)
    )
    return row


def _contribution_parts(
    findings: Findings, name: str, comparisons: Sequence[Comparison]
) -> Iterator[Part]:
    """Charts of what is outside the band, or has none, and a table unless all is within."""
    tones = [tone_of(_audited(findings, name, each)["verdict"]).name for each in comparisons]
    if set(tones) == {"within"}:
        return
    outside = [
        figure
        for each, tone in zip(comparisons, tones, strict=True)
        if tone in ("outside", "open") and (figure := contribution_figure(name, each))
    ]
    if outside:
        yield tuple(outside[:_MOST_CHARTS])
    yield _contributions_table(name, comparisons, _MOST_ROWS)


def _contributions_table(name: str, comparisons: Sequence[Comparison], most: int) -> Table:
    """The largest contributions of subgroups to a conditional metric, in all comparisons."""
    first, is_several = comparisons[0], len(comparisons) > 1
    tables = [lay_out(Answer("decompose", each.table)) for each in comparisons]
    rows = [
        {**row, "sides": sides_in_words(each)}
        for each, table in zip(comparisons, tables, strict=True)
        for row in table.rows
    ]
    rows.sort(key=lambda row: -abs(row["contribution"] or 0))
    about = first.facet if is_several else comparison_in_words(first)
    table = tables[0].captioned(f"{name} by subgroup, {about}", rows[:most])
    if not is_several:
        return table
    subgroup, *columns = table.columns
    sides = Column("sides", type="text", label="Groups")
    return replace(table, columns=(subgroup, sides, *columns))


_OF_DRIVERS: Final = (
    "A contribution is by how much the difference falls when this control is held equal too, the "
    "mean over all orders of the controls (Shapley). Alone is by how much it falls with this "
    "control only; beyond the others, after all others."
)


def drivers_section(findings: Findings) -> Section:
    """What each control accounts for of a difference: a bridge and a table of each comparison."""
    driven = findings.driven
    every = comparisons_of(driven, findings.windows)
    compared = [*filter(_split_in_words, shown_among(findings, every))]
    parts: list[Part] = [_OF_DRIVERS] if compared else []
    for each in compared[:_MOST_CHARTS]:
        figure = drivers_figure(each)
        parts += [(figure,)] if figure else []
    parts += [_drivers_table(each) for each in compared[:_MOST_ROWS]]
    sentences = [f"{comparison_in_words(each)}: {_split_in_words(each)}" for each in compared]
    return Section("What controls account for", tuple(parts), finding=" ".join(sentences[:1]))


def _split_in_words(comparison: Comparison) -> str:
    return drivers_in_words(comparison.table.rows(named=True))


def _drivers_table(comparison: Comparison) -> Table:
    metric, compared = comparison.table["metric"][0], comparison_in_words(comparison)
    table = lay_out(Answer("drivers", comparison.table))
    return table.captioned(f"What controls account for of {metric}, {compared}")


_OF_TIME: Final = (
    "The shaded strip is the band, the dashed line is the ideal. A circle is within the band, a "
    "triangle is outside, a diamond is uncertain."
)
_OF_REFERENCES: Final = " A dash is the value that this one is compared with."
_OF_STEPS: Final = (
    " A thick line with its difference above it is a change from the window before beyond chance: "
    "its interval excludes 0, and the intervals of all {:,} such steps hold together, by "
    "Bonferroni's correction."
)


def sections_of(findings: Findings) -> list[Section]:
    """The sections of a report, without empty ones."""
    sections = [
        *facet_sections(findings),
        *compared(findings),
        *switched_section(findings),
        *confusions_section(findings),
        *worst_groups(findings),
        _time_section(findings),
        scores_section(findings),
        contributions_section(findings),
        drivers_section(findings),
        rows_section(findings),
        *appendix(findings),
    ]
    return [section for section in sections if section.parts or section.finding]


def _time_section(findings: Findings) -> Section:
    figures = trend_figures(findings, MOST_TRENDS)
    references = "" if findings.options.contrast is None else _OF_REFERENCES
    steps = "" if findings.steps.is_empty() else _OF_STEPS.format(findings.steps.height)
    legend = Sentences("legend", (f"{_OF_TIME}{references}{steps}",))
    parts: tuple[Part, ...] = (legend, tuple(figures)) if figures else ()
    return Section("Over time", parts)


def document_of(findings: Findings, texts: Texts) -> Document:
    """Everything that a report says, as plain text, tables and figures."""
    known = findings.digest
    return page_of(
        texts,
        title_of(findings.question),
        first_page(with_short_names(findings, ON_FIRST_PAGE)),
        sections_of(findings),
        details=() if findings.policy is None else (f"Policy: {findings.policy}",),
        last=() if known is None else (f"SHA-256 of the counts of the data: {known}",),
    )


@dataclass(frozen=True, repr=False)
class Report(WrittenReport):
    """The result of `report`; a notebook shows it as a page.

    The page is drawn by vl-convert (extra ``report``), which `to_markdown` and `to_dict` do not
    need. The same results give the same page, byte for byte, since it has no time of writing.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.report(
    ...     pf.datasets.berkeley(),
    ...     "dppl",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     count="n",
    ...     confidence=None,
    ... )
    Report('admitted by sex')
    """

    findings: Findings

    @property
    def title(self) -> str:
        """The title of a page that is given none."""
        return title_of(self.findings.question)

    def _document(self, texts: Texts) -> Document:
        return document_of(with_short_names(self.findings.with_whole_people()), texts)

    @takes(*OF_PAGE, shared=())
    def write_json(self, path: str | Path, **texts: Unpack[PageTexts]) -> None:
        """Write the report as a JSON file, for other programs.

        It is one object: ``title`` and ``about`` are what the page says of itself, ``package`` is
        the version of this package, and the answers are records, as the command line prints them.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        {arguments}
        """
        write_file(path, self.written("json", **texts))

    def written(self, kind: str, **given: Unpack[PageTexts]) -> bytes:
        """The content of a file of this kind: ``html``, ``pdf`` or ``json``."""
        if kind != "json":
            return super().written(kind, **given)
        found = document_as_json(self.findings, checked_texts(given))
        return f"{writable(json.dumps(found, ensure_ascii=False, indent=1))}\n".encode()

    @takes(*OF_PAGE, shared=())
    def to_model_card(self, **texts: Unpack[PageTexts]) -> str:
        """The report as a part of a model card, in the format of Hugging Face.

        Parameters
        ----------
        {arguments}

        Returns
        -------
        str
            Metadata in YAML, ``model-index``, with the value of each metric that has a band, for
            each comparison of the latest window; then a section in Markdown: the first page of the
            report. The model is named by ``model``, the data by ``subject``; without these, by the
            title.
        """
        return model_card(self.findings, checked_texts(texts))

    @takes(*OF_PAGE, shared=())
    def to_dict(self, **texts: Unpack[PageTexts]) -> dict[str, float | str]:
        """The audit as a flat dictionary, for an experiment tracker.

        Parameters
        ----------
        {arguments}

        Returns
        -------
        dict
            The key of a value is ``metric/facet/disfavored``; of a metric without sides
            ``metric/facet``; without a facet ``metric``. With ``by``, each column adds
            ``/column=value``, as several models add ``/model=name``, or ``/column`` if its value is
            null. The keys of the bounds and of the verdict begin with ``lower/``, ``upper/`` and
            ``verdict/``, and of a contrast with the names of its columns, such as ``change/``. In
            names and values ``/`` is written ``%2F``, ``%`` is ``%25`` and ``#`` is ``%23``. If two
            comparisons have the same key, as the groups ``("A & B", "C")`` and ``("A", "B & C")``
            have, the second key ends in ``#2``, the third in ``#3``, in the order of `audit`. An
            undefined value has no key; its verdict is "undefined". ``package/version`` is that of
            polars-fairness. With the same data, columns and metrics, ``data/digest`` is the same.
            Of the arguments from ``title`` to ``notes``, each one that is given stands under
            ``about/``. Under a policy there are ``policy/name``, ``policy/version`` and
            ``policy/hash``.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
        >>> report = pf.report(
        ...     hired, "dppl", facet="sex", disfavored="F", predicted="hired", confidence=None
        ... )
        >>> report.to_dict()["dppl/sex/F"]
        0.5
        """
        return flattened(self.findings, checked_texts(texts))


@takes(*OF_AUDIT, HARM, UNIT)
def report(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[ReportQuestion],
) -> Report:
    """An audit as a page: the question, the rows, rates, metrics and charts.

    The call counts the rows at once, also of a LazyFrame, and reads them once: everything on the
    page is computed from the same cells. Of three facets or more, or two with ``subgroup``, the
    number of values is read first unless their types bound it; if there are too many, facets are
    read one by one. Several models that give scores and a ``baseline`` of other rows have
    reads of their own.

    Several models stand below each other, each with its rates, metrics and charts; with
    ``champion`` or ``baseline`` there is a section of differences.

    ``confidence`` is also the confidence of the Wilson intervals of rates. ``minimum_count`` is
    also the smallest size of the worst groups, unless a given metric has groups of its own.
    ``harm`` is for the worst groups only. With ``hide_below``, the page names the groups that it
    leaves out, and has no digest, and no charts and tables of scores, strata, classes and switches.
    The positive values of outcomes need to be known, as in `rates`.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`; without any, every metric that the columns allow. With two facets or more,
        the metrics over intersections or conjunctions rank the worst groups; without such metrics,
        spsf does, and with labels fpsf and fnsf, over at most two facets.
    {arguments}

    Returns
    -------
    Report
        A notebook shows it; its methods write it for elsewhere, such as ``write_html`` and
        ``write_pdf``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> report = pf.report(hired, "di", facet="sex", disfavored="F", predicted="hired")
    >>> report
    Report('hired by sex')
    >>> report.to_dict()["di/sex/F"]
    0.5
    """
    harm = given.pop("harm", None)
    unit = given.pop("unit", None) or ""
    if not isinstance(unit, str):
        raise FairnessError(f"unit: takes a text, such as '€' or 'days', got {unit!r}")
    requested, question = under_policy(frame, one_by_one(metrics), given)
    rows = unbound(frame)
    notes: list[str] = []
    if isinstance(rows, pl.DataFrame):  # those of others are read once, for their cells
        notes = [*notes_on_values(rows.lazy(), options_and_question(question)[1])]
    return Report(find(frame, requested, question, harm, unit, notes))


def flattened(findings: Findings, texts: Texts) -> dict[str, float | str]:
    """Every number and verdict of the audit by a key of its own."""
    flat: dict[str, float | str] = {
        "package/version": version("polars-fairness"),
        **({} if findings.digest is None else {"data/digest": findings.digest}),
        **{f"about/{name}": text for name, text in texts.items()},
    }
    if policy := findings.policy:
        flat |= {f"policy/{key}": getattr(policy, key) for key in ("name", "version", "hash")}
    times: Counter[str] = Counter()
    for comparison in findings.comparisons():
        for row in comparison.table.iter_rows(named=True):
            key = _key(row["metric"], comparison)
            times[key] += 1
            if times[key] > 1:
                # The groups ("A & B", "C") and ("A", "B & C") have the same text.
                key = f"{key}#{times[key]}"
            # Some trackers store each key as a file: `key/lower` would be a file in a file.
            entries = {
                key: row["value"],
                f"lower/{key}": row["lower"],
                f"upper/{key}": row["upper"],
                f"verdict/{key}": row["verdict"],
                **{f"{name}/{key}": row.get(name) for name in CONTRAST},
            }
            flat |= {name: value for name, value in entries.items() if value is not None}
    return flat


def _key(metric: str, comparison: Comparison) -> str:
    sides = [comparison.facet, comparison.disfavored]
    parts = [metric, *(part for part in sides if part is not None)]
    windows = [_window(name, value) for name, value in comparison.window]
    return "/".join([*map(_escaped, parts), *windows])


def _window(name: str, value: object) -> str:
    column = _escaped(name).replace("=", "%3D")
    return column if value is None else f"{column}={_escaped(value_in_words(value))}"


def _escaped(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F").replace("#", "%23")


def model_card(findings: Findings, texts: Texts) -> str:
    """The values that have a band as metadata, and the first page as a section."""
    page = document_of(findings, texts)
    section = Section(f"Fairness: {page.title}", (*page.details, *page.first, *page.last))
    metadata = _metadata(findings, {"title": page.title, **texts})
    return f"{metadata}{section_in_markdown(section)}\n"


def _metadata(findings: Findings, texts: dict[str, str]) -> str:
    metrics: dict[str, list[str]] = {}
    is_judged = pl.col("metric").is_in(judged_metrics(findings)) & pl.col("value").is_finite()
    for each in comparisons_shown(findings):
        model = str(dict(each.window).get(MODEL, texts.get("model", texts["title"])))
        for row in each.table.filter(is_judged).iter_rows(named=True):
            name = f"{findings.metric(row['metric']).title}, {comparison_in_words(each)}"
            keys = f"type: {_quote_for_yaml(row['metric'])}, name: {_quote_for_yaml(name)}"
            # In digits: PyYAML takes 1e-07 for a text.
            metrics.setdefault(model, []).append(f"    - {{{keys}, value: {row['value']:.15f}}}")
    dataset = _quote_for_yaml(texts.get("subject", texts["title"]))
    lines = ["---", "model-index:"]
    for model, lines_of_model in metrics.items():
        task, of = "type: tabular-classification", f"type: tabular, name: {dataset}"
        lines += [f"- name: {_quote_for_yaml(model)}", "  results:", f"  - task: {{{task}}}"]
        lines += [f"    dataset: {{{of}}}", "    metrics:", *lines_of_model]
    return "\n".join([*lines, "---", "", ""]) if metrics else ""


def _quote_for_yaml(text: str) -> str:
    """A text in double quotes, on one line also for YAML."""
    words = json.dumps(writable(text), ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda sign: f"\\u{ord(sign[0]):04x}", words)

"""What a report shows of a contrast: each metric beside its reference, and the switched rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.contrasts import (
    IS_OF_GONE_WINDOW,
    IS_OF_GROUP_ALONE,
    TOGETHER,
    is_gone,
    is_new,
)
from polars_fairness.api.columns import AUDIT, picked
from polars_fairness.api.verdicts import tone_of_change
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.sides import ALL
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.comparisons import change_figures
from polars_fairness.reporting.charts.groups import (
    Groups,
    Row,
    Rows,
    Spec,
    dots,
)
from polars_fairness.reporting.charts.marks import Values
from polars_fairness.reporting.findings import (
    Findings,
    comparisons_of,
    judged_metrics,
    parts_of,
    window_of,
)
from polars_fairness.reporting.parts import (
    Cell,
    Figure,
    Part,
    Section,
    Sentences,
    Table,
    first_of,
)
from polars_fairness.reporting.tables import (
    SUBJECT,
    cut,
    group_in_words,
    is_of_all_rows,
    more_in_words,
    with_subject,
)
from polars_fairness.reporting.verdicts import filter_latest
from polars_fairness.reporting.words import (
    comparison_in_words,
    confidence_in_words,
    extremes_in_words,
    share,
    sides_in_words,
    size,
    size_name,
    value_in_words,
    window_in_words,
)

_TITLE: Final = "Switched rows"
_MOST_GROUPS: Final = 30
MOST_MODELS: Final = 3
_MOST_CHARTS: Final = 4


def switched_section(findings: Findings) -> Iterator[Section]:
    """How many rows each model decides otherwise than the champion, with charts by group."""
    sentences = switches_in_words(findings)
    if not sentences:
        return
    charts = [
        figure
        for part in _switches_by_model(findings)
        if any(map(_switches, part.rows(named=True)))
        for figure in switched_figures(part, findings.windows, favorable=findings.favorable)
    ]
    shown = charts[:_MOST_CHARTS]
    notes = [more_in_words(sentences, MOST_MODELS, "models or windows")]
    notes.append(more_in_words(charts, len(shown), "charts"))
    lines = tuple(filter(None, notes))
    drawn: tuple[Part, ...] = (tuple(shown),) if shown else ()
    of_others = (Sentences("notes", lines),) if lines else ()
    yield Section(_TITLE, (*drawn, *of_others), finding=" ".join(sentences[:MOST_MODELS]))


def switches_in_words(findings: Findings) -> list[str]:
    """How many rows each model of a window decides otherwise, and the group that most are of."""
    champion, words = str(findings.options.champion), _words(favorable=findings.favorable)
    sentences = []
    for part in _switches_by_model(findings):
        rows = part.rows(named=True)
        everything = next(row for row in rows if is_of_all_rows(row))
        model = everything[MODEL]
        places = [name for name in findings.windows if name != MODEL]
        where = window_in_words(window_of(everything, places))
        where = f" ({where})" if where else ""
        if not _switches(everything):
            sentences.append(f"{model} decides all rows as {champion} does{where}.")
            continue
        of_groups = [row for row in rows if not is_of_all_rows(row) and row["n"]]
        most = max(of_groups, key=lambda row: _switches(row) / row["n"], default=None)
        often = ""
        if most is not None:
            often = f", most often of {most['facet']} {group_in_words(most)} ({_share_of(most)})"
        accepted, rejected = everything["newly_accepted"], everything["newly_rejected"]
        sentences.append(
            f"{model} decides {size(accepted + rejected)} of {size(everything['n'])} rows "
            f"({_share_of(everything)}) otherwise than {champion}{where}{often}: {size(accepted)} "
            f"{words['accepted']}, {size(rejected)} {words['rejected']}."
        )
    return sentences


def _switches_by_model(findings: Findings) -> list[pl.DataFrame]:
    if findings.switched.is_empty():
        return []
    return parts_of(filter_latest(findings, findings.switched), findings.windows)


def _switches(row: Row) -> float:
    return float(row["newly_accepted"] + row["newly_rejected"])


def _share_of(row: Row) -> str:
    return share(_switches(row) / row["n"])


def _words(*, favorable: bool) -> dict[str, str]:
    """The words for the rows that a model newly accepts, and for those that it newly rejects."""
    return {
        outcome: f"newly {word(outcome, favorable=favorable)}"
        for outcome in ("accepted", "rejected")
    }


def switched_figures(
    switched: pl.DataFrame, windows: Sequence[str], *, favorable: bool = True
) -> list[Figure]:
    """One figure for every window, model and facet.

    What is newly accepted is drawn to the right, and what is newly rejected to the left.
    """
    words, figures = _words(favorable=favorable), []

    def rate(row: Row, outcome: str) -> float:
        return float(row[f"newly_{outcome}"] / row["n"] if row["n"] else 0)

    def marks(rows: Rows) -> list[Row]:
        return [
            {
                "lower": -rate(row, "rejected"),
                "upper": rate(row, "accepted"),
                **{text.capitalize(): size(row[f"newly_{each}"]) for each, text in words.items()},
                size_name(row["n"]): size(row["n"]),
            }
            for row in rows
        ]

    def summary(groups: Groups) -> str:
        known = ((name, row) for name, (row,) in groups if row["n"])
        return extremes_in_words(((name, _switches(row) / row["n"]) for name, row in known), share)

    groups = switched.filter(pl.col("facet") != ALL)
    for part in parts_of(groups, [*windows, "facet"]):
        rows = part.rows(named=True)
        window = window_in_words(window_of(rows[0], windows))
        ends = [mark[end] for mark in marks(rows[:_MOST_GROUPS]) for end in ("lower", "upper")]
        spec = Spec(
            f"Switched by {rows[0]['facet']}{first_of(part, _MOST_GROUPS)}, {window}",
            marks,
            lambda rows: [f"{share(rate(rows[0], each))} {words[each]}" for each in words],
            summary,
            dots(
                Values.covering([0, *ends], is_share=True),
                title=f"← {words['rejected']}, {words['accepted']} →",
                columns=(*(text.capitalize() for text in words.values()), "Rows", "Weight"),
                ideal=0,
                bars=True,
            ),
            note="shares of the rows of each group",
            most=_MOST_GROUPS,
        )
        figures.append(spec.figure([(group_in_words(row), [row]) for row in rows]))
    return figures


_MOST_NAMED: Final = 5
"""How many groups a sentence names."""
_OF_CHANGES: Final = (
    "A metric is worse if its interval shows that the value is farther from the ideal than the "
    "reference is, and better if it shows that the value is nearer. Else it is the same if both "
    "are within the band, and unclear if not. Worse and better hold for all changes of the page "
    "together, by Holm's method."
)
_OF_DRIFT: Final = (
    "A metric is worse if its whole interval lies outside the band, and its value is farther from "
    "the ideal than the reference is, by the rule of SageMaker Model Monitor. Else it is the same."
)
_OF_PAIRS: Final = (
    "All models decide about the same rows, so only the rows that they decide differently make a "
    "difference and its interval."
)
_ABSENT: Final = {
    "Without rows, where {} has some": is_gone,
    "New, where {} has no rows": is_new,
}
_IS_WORSE: Final = pl.col(TOGETHER) == "worse"
_NO_REFERENCES: Final = "Nothing can be compared: no value has a reference."
_OF_FIGURES: Final = (
    "Each difference is drawn with its interval; the dashed line is no difference. A circle is "
    "better or the same, a triangle is worse, a diamond is unclear. Metrics of one kind have one "
    "scale."
)


def contrast_in_words(findings: Findings) -> str:
    """What the values are compared with."""
    champion, baseline = findings.options.champion, findings.options.baseline
    if champion is not None:
        return f"the champion, {champion}"
    if findings.options.has_baseline_frame:
        return "the baseline"
    if baseline == "previous":
        return "the window before"
    if baseline == "first":
        return "the first window"
    return f"{findings.windows[0]} {value_in_words(baseline)}"


def changes_in_words(findings: Findings) -> list[str]:
    """How many values are worse than their references, which these are, and how the others are.

    Worse and better hold for all of them together; what is so by itself only is counted apart.
    """
    if findings.options.contrast is None:
        return []
    changed = changed_rows(findings)
    if changed.is_empty():
        return [_NO_REFERENCES]
    counts, worse = Counter(changed[TOGETHER]), changed.filter(_IS_WORSE)
    named = [
        f"{', '.join(each.table['metric'])} of {comparison_in_words(each)}"
        for each in comparisons_of(worse, findings.windows)
    ]
    more = "; …" if len(named) > _MOST_NAMED else ""
    which = f" ({'; '.join(named[:_MOST_NAMED])}{more})" if named else ""
    others = [f"{counts[name]:,} {name}" for name in ("better", "same", "unclear") if counts[name]]
    opening = f"Compared with {contrast_in_words(findings)}: "
    first = f"{counts['worse']:,} of {changed.height:,} worse{which}"
    alone = changed.filter(pl.col("change") != pl.col(TOGETHER)).height
    more = f" Judged one by one, {alone:,} more would be worse or better, which may be by chance."
    return [f"{opening}{', '.join([first, *others])}.{more if alone else ''}"]


def changed_rows(findings: Findings) -> pl.DataFrame:
    """The rows of the audit that have a reference, without the champion's."""
    return findings.audited.filter(pl.col(TOGETHER).is_not_null())


def compared(findings: Findings) -> Iterator[Section]:
    """The section of a contrast, if there is one: what is worse."""
    if findings.options.contrast is None:
        return
    changed, reference = changed_rows(findings), contrast_in_words(findings)
    title = f"Compared with {reference}"
    opening = []
    # Groups and windows without a counterpart, so that nothing is known of a change.
    for words, is_absent in _ABSENT.items():
        absent = findings.answer.filter(is_absent(findings.answer.columns))
        subjects = [*_subjects(absent, findings.windows)]
        more = f"; and {len(subjects) - _MOST_NAMED:,} more" if len(subjects) > _MOST_NAMED else ""
        if subjects:
            opening.append(f"{words.format(reference)}: {'; '.join(subjects[:_MOST_NAMED])}{more}.")
    if changed.is_empty():
        yield Section(title, tuple(opening), finding=_NO_REFERENCES)
        return
    opening += _opening(findings)
    parts: list[Part] = [" ".join(opening)]
    shown = changed.filter(_IS_WORSE)
    if not shown.is_empty():
        figures: list[Figure] = []
        judged = judged_metrics(findings)
        # Of the metrics with a band; of those that are worse somewhere, if not all.
        for facet in parts_of(changed, ["facet"]):
            worse = facet.filter(_IS_WORSE)["metric"].unique().to_list()
            names = [name for name in judged if name in worse][:_MOST_CHARTS]
            comparisons = [*comparisons_of(facet, findings.windows)]
            figures += change_figures(findings, comparisons, names)
        if figures:
            parts += [Sentences("legend", (_OF_FIGURES,)), tuple(figures)]
        parts += cut(_differences_table(findings, shown), "worse values")
    yield Section(title, tuple(parts), finding=" ".join(changes_in_words(findings)))


def _subjects(absent: pl.DataFrame, windows: list[str]) -> Iterator[str]:
    """Whole windows first, then comparisons and groups with the windows that lack them."""
    whole: dict[str, None] = {}
    lacking: dict[str, list[str]] = {}
    for each in comparisons_of(absent, windows):
        window = window_in_words(each.window)
        if window and each.table.select(IS_OF_GONE_WINDOW.all()).item():
            whole[window] = None
            continue
        is_alone = each.table.select(IS_OF_GROUP_ALONE.all()).item()
        sides = str(each.disfavored) if is_alone else sides_in_words(each)
        subject = f"{each.facet}: {sides}" if each.facet else sides
        lacking.setdefault(subject, []).append(window)
    yield from whole
    for subject, of_windows in lacking.items():
        where = of_windows[0] if len(of_windows) == 1 else f"{len(of_windows):,} windows"
        yield f"{subject} ({where})" if where else subject


def _opening(findings: Findings) -> Iterator[str]:
    confidence = findings.confidence
    followed = (
        "" if confidence is None else f", with its {confidence_in_words(confidence)} interval"
    )
    of_changes = _OF_CHANGES if findings.options.drift is None else _OF_DRIFT
    yield f"A difference is the value less its reference{followed}. {of_changes}"
    if findings.options.champion is not None:
        yield _OF_PAIRS
    alone = findings.audited.filter(pl.col("change").is_null()).height
    if alone:
        needed = (
            "a reference" if findings.options.drift is None else "a reference, interval or band"
        )
        yield f"Without {needed}, or undefined, and so not shown: {alone:,}."


def _differences_table(findings: Findings, changed: pl.DataFrame) -> Table:
    """Each value beside its reference, metric by metric."""

    def change(row: Row) -> Cell:
        """The change that holds for all of them together, and the one by itself if it differs."""
        together, alone = row[TOGETHER], row["change"]
        by_itself = "" if alone == together else f"{alone} by itself"
        return Cell(together, by_itself, tone_of_change(together).name)

    value, *of_difference = picked(AUDIT, "value", "reference", "difference", "change")
    return Table(
        # The interval is that of the difference.
        (*SUBJECT, replace(value, bounds=()), *of_difference),
        [
            {**with_subject(findings, comparison, row), "change": change(row)}
            for comparison in comparisons_of(changed, findings.windows)
            for row in comparison.table.iter_rows(named=True)
        ],
        f"Differences from {contrast_in_words(findings)}",
    )

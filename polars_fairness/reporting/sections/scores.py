"""The sections of scores and of several classes: what they say of each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.api.columns import CONFUSED, Column, picked
from polars_fairness.counting.sides import ALL
from polars_fairness.question.windows import POSITIVE, THRESHOLD
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.answers import (
    AUC,
    MEAN_SCORE,
    OVERSHOOT,
    comparisons_of,
    parts_of,
    window_of,
)
from polars_fairness.reporting.charts.curves import (
    OF_EACH_LABEL,
    calibration_figures,
    matrices_of,
    matrix_in_words,
    roc_figures,
)
from polars_fairness.reporting.parts import (
    MOST_FIGURES,
    Cell,
    Figure,
    Paragraph,
    Row,
    Section,
    Sentence,
    Table,
    numbers,
    said,
    texts,
)
from polars_fairness.reporting.verdicts import apart, filter_latest, latest_in_words, shown_among
from polars_fairness.reporting.voice import Voice
from polars_fairness.reporting.words import (
    bracketed,
    cap,
    facet_in_words,
    named_in_words,
    number,
    share,
    size,
    span,
    value_in_words,
    window_in_words,
)

_OF_CURVES: Final = (
    "A ROC curve joins the true and the false positive rates of all thresholds; the scores rank a "
    "group better if its curve is higher."
)
_NO_CURVES: Final = "There are no ROC curves: the scores do not differ."
_OF_CALIBRATION: Final = (
    "Scores are calibrated where the share with a positive label equals the mean score, which is "
    "the dashed line."
)
_NO_LABELS: Final = "Without labels it is not known which group the scores serve worst."
_MOST_FACETS: Final = 3
_MOST_GROUPS: Final = 20

Measured = Mapping[str, Mapping[str, Any]]
"""The rows about one group, by the title of what was measured."""


def scores_section(voice: Voice) -> Section:
    """Curves of the scores of each group, and tables of what these say; empty without scores."""
    answers = voice.answers
    tables = [*_measured_tables(voice)] or [*_rated_tables(voice)]
    paragraphs = [Paragraph((sentence,)) for sentence in scores_in_words(voice)]
    figures: list[Figure] = []
    scores = answers.scores
    if scores is not None:
        swept = _of_latest(voice, scores.swept)
        windows = swept.columns[: swept.columns.index(THRESHOLD)]
        has_curves = swept["selection_rate"].is_between(0, 1, closed="none").any()
        if has_curves:
            figures += roc_figures(swept, windows)
        if isinstance(scores.calibrated, pl.DataFrame):
            note = _OF_CALIBRATION
            calibrated = _of_latest(voice, scores.calibrated)
            figures += calibration_figures(calibrated, windows)
            table = lay_out(Answer("calibration", calibrated))
            caption = "Calibration: the share with a positive label by score"
            tables.append(Table(table.columns, table.rows, caption))
        else:
            note = f"There is no calibration: {scores.calibrated}."
        paragraphs += said(f"{_OF_CURVES if has_curves else _NO_CURVES} {note}")
    title = ", ".join(["Scores", *latest_in_words(answers)])
    return Section(title, tuple(paragraphs), tuple(tables), tuple(figures[:MOST_FIGURES]))


def _of_latest(voice: Voice, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the latest window, which the heading names."""
    latest, column = filter_latest(voice.answers, frame), voice.answers.time_column
    return latest if column is None else latest[[name for name in latest.columns if name != column]]


def _measured(voice: Voice) -> dict[str, list[Measured]]:
    """What was measured of each group of each facet, the groups that are ranked worst first."""
    answers = voice.answers
    facets: dict[str, dict[object, dict[str, Mapping[str, Any]]]] = {}
    for title, frame in answers.measured.items():
        for each in shown_among(answers, comparisons_of(frame, answers.windows)):
            [row] = each.table.iter_rows(named=True)
            window = window_in_words(apart(answers, each.window))
            of_facet = facets.setdefault(str(each.facet), {})
            of_group = of_facet.setdefault((window, each.disfavored), {})
            of_group[title] = row | {"window": window}
    # The first to end is surely the lowest; a small group may be lower by chance.
    return {
        facet: sorted(groups.values(), key=lambda group: _ends(next(iter(group.values())))[1])
        for facet, groups in facets.items()
    }


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    """The ends of an interval, or the value where there is none."""
    lower, upper = (row["value"] if row[end] is None else row[end] for end in ("lower", "upper"))
    return lower, upper


def _key(row: Mapping[str, Any]) -> str:
    return f"score/{row['facet']}/{row['disfavored']}/{row['window']}"


def scores_in_words(voice: Voice) -> Iterator[Sentence]:
    """For each facet, the group that the scores rank worst, and the least calibrated one."""
    of_facets = _measured(voice)
    for facet, groups in [*of_facets.items()][:_MOST_FACETS]:
        yield from _of_facet(voice, facet, groups[:_MOST_GROUPS])
    if of_facets and voice.answers.question.get("label") is None:
        yield Sentence(_NO_LABELS)


def _of_facet(voice: Voice, facet: str, groups: Sequence[Measured]) -> Iterator[Sentence]:
    ranked, missed, means = (
        [group[title] for group in groups if title in group]
        for title in (AUC, OVERSHOOT, MEAN_SCORE)
    )
    by = f"by {facet_in_words(facet)}, "
    if len(ranked) > 1:
        first, others = ranked[0], ranked[1:]
        low = min(others, key=lambda row: row["value"])
        high = max(others, key=lambda row: row["value"])
        beside = " to ".join(dict.fromkeys(number(row["value"]) for row in (low, high)))
        worst = "worst" + " by the upper end of the interval" * (first["value"] > low["value"])
        text = (
            f"{by}the scores rank {_called(voice, first)} {worst}: AUC {_value(first)}, "
            f"against {beside} for the other group{'s' * (len(others) > 1)}."
        )
        if _ends(first)[1] >= max(_ends(row)[0] for row in others):
            low, high = (of(ranked, key=lambda row: row["value"]) for of in (min, max))
            text = (
                f"{by}the AUC of no group is told apart from those of others: the lowest is that "
                f"of {_called(voice, low)}, {_value(low)}, the highest that of "
                f"{_called(voice, high)}, {_value(high)}."
            )
        yield Sentence(cap(text), tuple(map(_key, (first, low, high))))
    if missed:
        # By the end that is nearer to 0.
        far = max(missed, key=lambda row: max(_ends(row)[0], -_ends(row)[1]))
        what = "the share of positive labels minus the mean score"
        text = f"{by}{what} is most clearly not zero for {_called(voice, far)}: {_value(far)}."
        if far["lower"] is None:
            text = text.replace("most clearly not", "farthest from")
        elif far["lower"] <= 0 <= far["upper"]:
            text = f"{by}every interval of {what} contains zero."
        yield Sentence(cap(text), (_key(far),))
    if len({number(row["value"]) for row in means}) > 1:
        low = min(means, key=lambda row: row["value"])
        high = max(means, key=lambda row: row["value"])
        yield Sentence(
            cap(
                f"{by}the mean score is lowest for {_called(voice, low)}, {number(low['value'])}, "
                f"and highest for {_called(voice, high)}, {number(high['value'])}."
            ),
            tuple(map(_key, (low, high))),
        )


def _called(voice: Voice, row: Mapping[str, Any]) -> str:
    return f"{voice.called(row['facet'], row['disfavored'])}{bracketed(row['window'])}"


def _value(row: Mapping[str, Any]) -> str:
    return f"{number(row['value'])}{bracketed(span(row['lower'], row['upper']))}"


def _measured_tables(voice: Voice) -> Iterator[Table]:
    for facet, groups in [*_measured(voice).items()][:_MOST_FACETS]:
        most = f", the first {_MOST_GROUPS} of {len(groups):,}" * (len(groups) > _MOST_GROUPS)
        yield _table(voice, groups, [*voice.answers.measured], f"{facet_in_words(facet)}{most}")


def _table(voice: Voice, groups: Sequence[Measured], titles: Sequence[str], about: str) -> Table:
    rows: list[Row] = []
    for group in groups[:_MOST_GROUPS]:
        first = next(iter(group.values()))
        is_known = first["disfavored"] is not None
        name = voice.head(first["facet"], first["disfavored"]) if is_known else "Unknown"
        rows.append(
            {
                "group": Cell(name, first["window"]),
                "n": Cell(size(first["n_disfavored"])),
                **{title: _cell(group.get(title)) for title in titles},
                "key": _key(first),
            }
        )
    heads = {"n": voice.sizes, **{title: title for title in titles}}
    return Table(texts(group="") + numbers(**heads), rows, f"Scores by {about}")


def _cell(row: Mapping[str, Any] | None) -> Cell:
    if row is None or row["value"] is None:
        return Cell("–")
    return Cell(number(row["value"]), span(row["lower"], row["upper"]))


def _rated_tables(voice: Voice) -> Iterator[Table]:
    """What the scores say of each group, from the rates, where decisions have verdicts."""
    answers = voice.answers
    if answers.scores is None:
        return
    rated = filter_latest(answers, answers.rated)
    known = {
        title: name
        for title, name in ((AUC, "auc"), (MEAN_SCORE, "mean_score"))
        if name in rated.columns and rated[name].count()
    }
    if not known:
        return
    names = [name for name in answers.windows if name not in (answers.time_column, THRESHOLD)]
    for part in parts_of(rated.filter(pl.col("facet") != ALL), ["facet"]):
        groups: list[Measured] = []
        for row in part.sort(next(iter(known.values())), nulls_last=True).iter_rows(named=True):
            about = {
                "facet": row["facet"],
                "disfavored": row["value"],
                "window": window_in_words(window_of(row, names)),
                "n_disfavored": row["n"],
            }
            groups.append(
                {
                    title: {**about, "value": row[name], "lower": None, "upper": None}
                    for title, name in known.items()
                }
            )
        about_facet = f"{value_in_words(part['facet'][0])}, the lowest AUC first"
        yield _table(voice, groups, [*known], about_facet)


_FEWEST: Final = 30
"""Shares of fewer rows with a label are not reported as findings."""


def classes_section(voice: Voice) -> Section:
    """The matrix of each group, and the confusion whose shares are farthest apart."""
    answers = voice.answers
    if answers.confused.is_empty():
        return Section("")
    confused = filter_latest(answers, answers.confused)
    windows = [name for name in answers.windows if name != POSITIVE]
    matrices = matrices_of(confused, windows)
    if not matrices:
        return Section("")
    # The matrices below each other: a row for each class of the label.
    across = map(value_in_words, matrices[0]["predicted"].unique(maintain_order=True))
    rows = [
        {
            "under": matrix_in_words(part, windows),
            "label": value_in_words(of_label["label"][0]),
            "n": of_label["n"].sum(),
            **{str(i): _confused(row) for i, row in enumerate(of_label.rows(named=True))},
            "key": _key_of_label(of_label, windows),
        }
        for part in matrices
        for of_label in parts_of(part, ["label"])
    ]
    columns = (
        *picked(CONFUSED, "label", "n"),
        *(Column(str(i), label=each) for i, each in enumerate(across)),
    )
    note = (
        "The deeper the colour, the larger the share: right predictions are blue, wrong are orange."
    )
    table = Table(columns, rows, OF_EACH_LABEL, [note])
    paragraph = Paragraph(tuple(_farthest(confused, windows)))
    return Section("Confused classes", (paragraph,), (table,))


def _confused(row: Row) -> Cell:
    side = "right" if row["label"] == row["predicted"] else "wrong"
    ground = None if row["share"] is None else (side, row["share"])
    return Cell(share(row["share"]), size(row["n"]), ground=ground)


def _key_of_label(part: pl.DataFrame, windows: Sequence[str]) -> str:
    return f"class/{matrix_in_words(part, windows)}/{value_in_words(part['label'][0])}"


def _farthest(confused: pl.DataFrame, windows: Sequence[str]) -> Iterator[Sentence]:
    """For each window and facet, the wrong prediction whose share differs most between groups."""
    label, predicted = (pl.col(role).cast(pl.String) for role in ("label", "predicted"))
    by_label = parts_of(confused, [*windows, "facet", "value", "label"])
    rows = [part for part in by_label if sum(part["n"]) >= _FEWEST]
    wrong = pl.concat([confused.clear(), *rows]).filter(
        label != predicted, pl.col("value").is_not_null()
    )
    apart = pl.col("share").max() - pl.col("share").min()
    for part in parts_of(wrong, [*windows, "facet"]):
        pairs = parts_of(part, ["label", "predicted"])
        pair = max(pairs, key=lambda each: float(each.select(apart).item()))
        groups = pair.sort("share")
        ends = [groups.head(1), groups.tail(1)]
        row = ends[0].row(0, named=True)
        where = "".join(f", {named_in_words(name, row[name])}" for name in windows)
        low, high = (f"{value_in_words(end['value'][0])}, {share(end['share'][0])}" for end in ends)
        yield Sentence(
            f"{value_in_words(row['label'])} is predicted {value_in_words(row['predicted'])}, by "
            f"{value_in_words(row['facet'])}{where}: lowest for {low}, highest for {high}.",
            tuple(_key_of_label(end, windows) for end in ends),
        )

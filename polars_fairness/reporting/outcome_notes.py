"""Notes on the unexpected: outcomes that are all equal, and the notes of an audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.errors import listed
from polars_fairness.question.arguments import Question
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.outcomes import Role
from polars_fairness.question.scores import EVERY, is_several
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.words import (
    column_in_words,
    few,
    side_in_words,
    value_in_words,
    window_in_words,
)

READ_BY_VALUES: Final = {"threshold", "label_threshold", "positive"}
"""The arguments that decide which rows of an outcome are positive."""

OF_GROUPS: Final = {
    *("facet", "disfavored", "favored", "unknown", "subgroup"),
    *("by", "every", "period"),
}
"""The arguments that the rates of all rows do not need."""

_RATES: Final[Mapping[Role, str]] = {"label": "base_rate", "predicted": "selection_rate"}
_THRESHOLDS: Final[Mapping[Role, str]] = {"label": "label_threshold", "predicted": "threshold"}
_MOST_WINDOWS: Final = 3
_MOST_NOTES: Final = 5
_MOST_VALUES: Final = 8
_SAME: Final = "so that groups have the same rate"


def notes_on_outcomes(
    rated: pl.DataFrame, question: Question, *, with_remedy: bool = True
) -> list[str]:
    """A sentence on each outcome that is positive in no row, or in every row, and what to do.

    ``rated`` is the answer of `rates` to the same question. With ``by``, the sentence says in
    how many windows this is so.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> from polars_fairness.reporting.outcome_notes import notes_on_outcomes
    >>> question = {"predicted": "score", "threshold": 50}
    >>> scores = pl.DataFrame({"score": [0.2, 0.9]})
    >>> notes_on_outcomes(pf.rates(scores, **question), question)[0].partition(",")[0]
    "threshold: 50 makes no row of 'score' positive"
    """
    if isinstance(models := question.get("predicted"), Mapping):
        return [*_notes_on_models(rated, question, models, with_remedy=with_remedy)]
    notes = partial(_notes, question=question, with_remedy=with_remedy)
    if not is_several(threshold := question.get("threshold")):
        return [*notes(rated, role="label"), *notes(rated, role="predicted")]
    at_one = rated.filter(pl.col(THRESHOLD) == pl.col(THRESHOLD).min()).drop(THRESHOLD)
    of_label = notes(at_one, role="label")  # which are the same at each threshold
    # The lowest of all scores accepts every row, which is no mistake.
    of_predicted = () if threshold == EVERY else notes(rated, role="predicted")
    return [*of_label, *of_predicted]


def notes_on_answers(rated: pl.DataFrame, audit: pl.DataFrame, question: Question) -> list[str]:
    """The notes on outcomes, without what to do; where there are none, the notes of the audit.

    A page's reader can do nothing about its call. Where all rows have one outcome, so has each
    comparison.
    """
    notes = notes_on_outcomes(rated, question, with_remedy=False)
    return notes or [f"{note}." for note in notes_of_audit(audit)]


def notes_of_audit(audit: pl.DataFrame) -> Iterator[str]:
    """Each note of an audit once, with the metrics and comparisons that it is about; the first few.

    Comparisons are named where the note is about some of them only.
    """
    if "note" not in audit.columns:
        return
    sides = pl.struct("facet", "disfavored", "favored")
    every = audit.select(sides.n_unique()).item()
    notes = (
        audit.drop_nulls("note")
        .group_by("note", maintain_order=True)
        .agg(pl.col("metric").unique(maintain_order=True), sides.unique().alias("sides"))
    )
    for note, metrics, compared in notes.head(_MOST_NOTES).iter_rows():
        about = ", ".join(map(value_in_words, metrics))
        if len(compared) < every:
            pairs = [
                f"{side_in_words(each['disfavored'])} against {side_in_words(each['favored'])}"
                for each in compared
                if each["disfavored"] is not None
            ]
            about += f"; {few(sorted(pairs))}" if pairs else ""
        yield f"{note} ({about})"
    if notes.height > _MOST_NOTES:
        yield f"{notes.height - _MOST_NOTES:,} more notes are in the column note of the audit"


def notes_on_values(rows: pl.LazyFrame, question: Question) -> Iterator[str]:
    """Which values of an outcome count as no, where the call names those that count as yes.

    Of two values, the other one counts as no; of more, such as "Refer", that may be a surprise.
    """
    positive = question.get("positive")
    compared = {"label": question.get("label_threshold"), "predicted": question.get("threshold")}
    for role, threshold in compared.items():
        column = cast("Mapping[str, Any]", question).get(role)
        if threshold is not None or not isinstance(column, str):
            continue
        named = positive.get(column) if isinstance(positive, Mapping) else positive
        if named is None:
            continue
        values = rows.select(pl.col(column).drop_nulls().unique().sort().head(_MOST_VALUES))
        known = values.collect(engine="streaming").to_series().to_list()
        yes = [*named] if isinstance(named, list | tuple | set | frozenset) else [named]
        others = [each for each in known if each not in yes]
        if len(others) > 1 and len(others) < len(known):
            yield f"positive: {listed(yes)} of {column!r} counts as yes, and {listed(others)} as no"


def _notes_on_models(
    rated: pl.DataFrame, question: Question, models: Mapping[str, ColumnLike], *, with_remedy: bool
) -> Iterator[str]:
    """The notes on the label, which is the same for each model, and on each model's predictions."""
    threshold = question.get("threshold")
    notes: dict[str, list[str]] = {}
    for model, predicted in models.items():
        of_model = {
            **question,
            "predicted": predicted,
            "threshold": threshold.get(model) if isinstance(threshold, Mapping) else threshold,
        }
        rows = rated.filter(pl.col(MODEL) == model).drop(MODEL)
        own = cast("Question", of_model)
        for note in notes_on_outcomes(rows, own, with_remedy=with_remedy):
            notes.setdefault(note, []).append(model)
    for note, named in notes.items():
        yield note if len(named) == len(models) else f"{note} (model {', '.join(named)})"


def _notes(
    rated: pl.DataFrame, question: Question, role: Role, *, with_remedy: bool
) -> Iterator[str]:
    windows = rated.columns[: rated.columns.index("facet")]
    threshold, rate = question.get(_THRESHOLDS[role]), pl.col(_RATES[role])
    # Without rows a rate is `zero_division`.
    known = rated.filter(pl.col("facet") == ALL, pl.col("n") > 0, rate.is_not_null())
    for how_many, share in (("no row", 0), ("every row", 1)):
        alike, thresholds = known.filter(rate == share), [threshold]
        among = known
        if is_several(threshold):
            thresholds = alike[THRESHOLD].unique().sort().to_list()
            among = known.filter(pl.col(THRESHOLD).is_in(thresholds))
        if alike.height:
            where = "" if alike.height == among.height else _where(alike, windows, among)
            note, remedy = _note(question, role, thresholds, how_many, where)
            yield f"{note}; {remedy}" if with_remedy else note


def _note(
    question: Mapping[str, Any], role: Role, thresholds: Sequence[Any], how_many: str, where: str
) -> tuple[str, str]:
    """A note, and what to do about it."""
    # A score decides where no prediction is given.
    name = column_in_words(question.get(role, question.get("score")))
    given = question.get("positive")
    values = given.get(name) if isinstance(given, Mapping) else given
    if thresholds != [None]:
        argument, several = _THRESHOLDS[role], thresholds
        named = listed(f"{each:.10g}" for each in thresholds).replace("'", "")
        remedy = "compare the threshold with the values"
    elif values is not None:
        argument, several = "positive", values if isinstance(values, list | tuple) else [values]
        named, remedy = listed(several), "compare it with the values"
    else:
        return f"{role}: {how_many} of {name!r} is positive{where}, {_SAME}", "check the column"
    makes = "makes" if len(several) == 1 else "make"
    return f"{argument}: {named} {makes} {how_many} of {name!r} positive{where}, {_SAME}", remedy


def _where(alike: pl.DataFrame, windows: Sequence[str], known: pl.DataFrame) -> str:
    """In how many windows this is so, with the first of them."""
    shown = alike.head(_MOST_WINDOWS).rows(named=True)
    first = [window_in_words(tuple((name, row[name]) for name in windows)) for row in shown]
    more = "; …" if alike.height > _MOST_WINDOWS else ""
    return f" in {alike.height:,} of {known.height:,} windows ({'; '.join(first)}{more})"

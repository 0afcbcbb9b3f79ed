"""What a report shows of scores: rates over thresholds, and calibration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, cast

import polars as pl

from polars_fairness.api.calibration import calibration
from polars_fairness.api.call import Call
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY
from polars_fairness.values.rates import rated
from polars_fairness.values.rates import schema as rates_schema

_MOST_THRESHOLDS: Final = 200
"""So many points make a smooth curve; more would only make the page larger."""

_BINS: Final = 10
_NO_SHARES: Final = "the scores are no probabilities, as some are not between 0 and 1"
_DIVIDED: Final = (
    f"the scores were rounded, so that scores of two of the {_BINS} bins may have become one number"
)


@dataclass(frozen=True, eq=False)
class Scores:
    """The rates at several thresholds, and the calibration, or why there is none."""

    swept: pl.DataFrame
    calibrated: pl.DataFrame | str


def shows_scores(roles: Roles) -> bool:
    """Whether a report shows scores: where the question is about scores and labels."""
    return roles.label is not None and (roles.windows.has_thresholds or roles.is_about_scores)


def find_scores(frame: AnyFrame, question: Question, confidence: float | None) -> Scores | None:
    """Rates over thresholds and calibration, where the question is about scores and labels."""
    if not shows_scores(Call.of(frame, question).roles):
        return None
    several = {**question, "threshold": EVERY}
    if question.get("score") is not None:
        several["predicted"] = None  # which another column may decide
    call = Call.of(frame, cast("Question", several)).without_strata().without_features()
    cells = cells_of_all_rows(call.rows, call.roles).collect(engine="streaming")
    are_shares = cells["score"].is_between(0, 1).all()
    calibrated = _calibrated(frame, question, confidence) if are_shares else _NO_SHARES
    return Scores(_swept(call, cells), calibrated)


def _swept(call: Call, cells: pl.DataFrame) -> pl.DataFrame:
    """The rates at thresholds among the scores themselves, whatever those of the question."""
    label, score = call.roles.label, call.roles.score
    is_positive = pl.lit(None, pl.Boolean) if label is None else label.positive_of(pl.col("label"))
    thresholds = thresholds_along_curve(cells.with_columns(label=is_positive), _MOST_THRESHOLDS)
    roles = replace(
        call.roles, thresholds=thresholds, score=score and score.of_decisions(thresholds)
    )
    at_thresholds = replace(call, frame=cells, roles=roles)
    answer = at_thresholds.answer(lambda *_: cells.lazy(), rated, rates_schema(roles))
    return answer.lazy().collect()


def thresholds_along_curve(cells: pl.DataFrame, most: int) -> tuple[float, ...]:
    """Each score of these cells, or some so many, at equal distances along the ROC curve.

    Equal steps of the score would leave few points where most scores are close to each other, and
    equal shares of rows few where labels are seldom positive.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.reporting.found.scores import thresholds_along_curve
    >>> scores = {"score": [0.1, 0.2, 0.3, 9.0], "label": [False, False, False, True], "n": 1}
    >>> thresholds_along_curve(pl.DataFrame(scores), most=2)
    (0.3, 9.0)
    """
    label, n = pl.col("label"), pl.col("n")
    by_score = (
        cells.filter(pl.col("score").is_finite())
        .group_by("score")
        .agg(positive=n.filter(label).sum(), negative=n.filter(~label).sum())
        .sort("score")
    )
    if by_score.height > most:
        lengths = [
            (pl.col(side).cum_sum(reverse=True) / pl.col(side).sum()).fill_nan(0)
            for side in ("positive", "negative")
        ]
        step = (sum(lengths, pl.lit(0.0)) * (most / 2)).ceil()
        by_score = by_score.filter(step.ne_missing(step.shift(-1)))
    return tuple(by_score["score"])


def _calibrated(
    frame: AnyFrame, question: Question, confidence: float | None
) -> pl.DataFrame | str:
    try:
        answer = calibration(frame, bins=_BINS, confidence=confidence, **question)
        return answer.lazy().collect(engine="streaming")
    except FairnessError:  # all else was computed from the same question
        return _DIVIDED

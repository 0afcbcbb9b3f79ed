"""What a report shows of scores: rates over thresholds, and calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import polars as pl

from polars_fairness.api.calibration import calibration
from polars_fairness.api.call import Call
from polars_fairness.api.rates import rates
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.scores import EVERY, SeveralThresholds, is_several

_PERCENTS: Final = tuple(percent / 100 for percent in range(1, 100))


@dataclass(frozen=True, eq=False)
class Scores:
    """The rates at several thresholds, and the calibration, or why there is none."""

    swept: pl.DataFrame
    calibrated: pl.DataFrame | FairnessError


def find_scores(
    frame: AnyFrame, question: Question, confidence: float | None, rated: pl.DataFrame
) -> Scores | None:
    """Rates over thresholds and calibration, where the question is about scores and labels."""
    roles = Call.of(frame, question).roles
    is_swept = roles.windows.has_thresholds
    if roles.label is None or not (is_swept or roles.is_about_scores):
        return None
    swept = rated
    if not is_swept:
        several = {**question, "threshold": thresholds_of(question)}
        if question.get("score") is not None:
            several["predicted"] = None  # which another column may decide
        swept = rates(frame, **cast("Question", several)).lazy().collect(engine="streaming")
    return Scores(swept, _calibrated(frame, question, confidence))


def thresholds_of(question: Question) -> SeveralThresholds:
    """The thresholds of a question; without several, the multiples of its resolution, or 99."""
    given = question.get("threshold")
    if is_several(given):
        return cast("SeveralThresholds", given)
    return _PERCENTS if question.get("resolution") is None else EVERY


def _calibrated(
    frame: AnyFrame, question: Question, confidence: float | None
) -> pl.DataFrame | FairnessError:
    try:
        answer = calibration(frame, confidence=confidence, **question)
        return answer.lazy().collect(engine="streaming")
    except FairnessError as error:  # scores outside 0 to 1, or a resolution that divides no bin
        return error

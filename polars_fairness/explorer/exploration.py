"""The function `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited, types_of_audit
from polars_fairness.answers.options import AuditOptions, find_criteria
from polars_fairness.api.bound import BoundQuestion, read
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_by_one, requested
from polars_fairness.api.signatures import takes
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.round_thresholds import round_thresholds
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.explorer.page import Swept, explorer_page
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, defaults
from polars_fairness.question.audit_arguments import ACCEPTABLE, OF_AUDIT
from polars_fairness.question.judging import Band
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, SeveralThresholds
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.outputs.pdf import require_charts
from polars_fairness.reporting.parts import writable
from polars_fairness.reporting.words import score, title_of
from polars_fairness.reporting.written_report import write_file
from polars_fairness.values.rates import rated, types_of_rates

_DISPARITIES: Final = ("di", "dppl", "rd", "average_odds_difference")
_OF_ALL_ROWS: Final = ("accuracy", "selection_rate")
_THRESHOLDS: Final = 100
"""About as many thresholds as a slider has places for."""
_MOST: Final = 200_000
"""So many numbers make a page of some 3 MB."""
_OPTIONS: Final = {
    **{name: value for name, value in defaults(OF_AUDIT).items() if name != ACCEPTABLE.name},
    "confidence": None,
    "rule": "point",
}


@dataclass(frozen=True)
class Exploration:
    """The result of `explore`; a notebook shows it as a page.

    The page is drawn by Vega in the browser, whose script is packed into it (extra ``report``).
    """

    question: Question = field(repr=False)
    swept: Swept = field(repr=False)

    def __repr__(self) -> str:
        return f"Exploration({title_of(self.question)!r})"

    def _repr_html_(self) -> str:
        page, title = escape(self._drawn()), escape(writable(title_of(self.question)))
        return (
            f'<iframe srcdoc="{page}" title="Fairness by threshold: {title}" '
            'style="border: 0; height: 50rem; width: 100%"></iframe>'
        )

    def write_html(self, path: str | Path) -> None:
        """Write the page as one HTML file, which loads nothing.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        """
        write_file(path, self._drawn().encode())

    def _drawn(self) -> str:
        require_charts()
        return explorer_page(title_of(self.question), self.swept)


@takes(ACCEPTABLE)
def explore(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    bands: Mapping[str, Band] | None = None,
    **question: Unpack[Question],
) -> Exploration:
    """A page on which a person moves the threshold of a score, and sees what follows from it.

    It shows the selection rate and, with labels, the true and the false positive rate of each
    group; metrics with their bands, each judged by its value alone; and values of all rows, such as
    the accuracy. The numbers are those of `rates` and `metrics` at each threshold, from one
    counting of the rows, which happens at once, also of a LazyFrame.

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
        each distinct score; of many million rows, give one of the two.

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
    Exploration('score by sex')
    """
    swept_question = cast(
        "Question", {**question, "threshold": _thresholds(question), "cluster": None}
    )
    bound = read(frame, swept_question, "explore")
    found, roles = requested(_metrics(bound.roles, one_by_one(metrics)), bound.roles)
    options = AuditOptions(**_OPTIONS, bands=bands)
    criteria = find_criteria(found, roles, options)
    refuse_taken_names(roles, {"by"}, AUDIT_COLUMNS)
    # Both answers come from the same cells, so that the rows are counted once.
    cells = unlisted(cells_of_all_rows(bound.rows, roles)).collect(engine="streaming")
    if question.get("threshold") is None and question.get("resolution") is None:
        roles, cells = _at_round_thresholds(roles, cells)
    judged = partial(audited, metrics=found, criteria=criteria)
    swept = Swept(
        _answered(bound, roles, cells, rated, types_of_rates(roles)),
        _answered(bound, roles, cells, judged, types_of_audit(roles, options)),
        found,
        favorable=roles.favorable,
    )
    _refuse_unfit(swept)
    return Exploration(swept_question, swept)


def _thresholds(question: Question) -> SeveralThresholds:
    given = question.get("threshold")
    return EVERY if given is None else cast("SeveralThresholds", given)


def _at_round_thresholds(roles: Roles, cells: pl.DataFrame) -> tuple[Roles, pl.DataFrame]:
    """The question at round numbers between its scores, and its cells rounded down to these."""
    score = roles.score
    if score is None:
        return roles, cells
    scores = cells.lazy().select(pl.col("score").cast(score.column.dtype))
    thresholds = tuple(round_thresholds(scores, None, _THRESHOLDS))
    if not thresholds:  # the scores are unknown
        return roles, cells
    # Measures of the scores of each group, which the page does not show, took 12 s for 2 million.
    by_threshold = score.of_decisions(thresholds)
    rounding = by_threshold.rounding
    rounded = rounding.score(rounding.key(pl.col("score"))).alias("score")
    return roles.at_thresholds(thresholds), cells.with_columns(rounded)


def _metrics(roles: Roles, named: Sequence[str | Metric]) -> list[str | Metric]:
    """The metrics of the call, or those by default, and values of all rows."""
    names = [metric if isinstance(metric, str) else metric.name for metric in named]
    by_default = [*(() if named else _DISPARITIES), *_OF_ALL_ROWS]
    more = (name for name in by_default if roles.allow(CATALOGUE[name]) and name not in names)
    return [*named, *more]


def _answered(
    bound: BoundQuestion[Any],
    roles: Roles,
    cells: pl.DataFrame,
    compute: Callable[..., pl.LazyFrame],
    types: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """The answer of a question whose rows are counted already."""
    answer = answer_of(bound, roles, compute, types, cells_of=lambda *_: cells.lazy())
    return answer.lazy().collect()


def _refuse_unfit(swept: Swept) -> None:
    """Raise if there are too many numbers for a page, or if the thresholds miss the scores."""
    thresholds = swept.thresholds
    if not thresholds:
        raise FairnessError(
            "frame: explore needs rows with a score, got none; see that a filter leaves some"
        )
    numbers = 3 * swept.rated.height + swept.audited.height
    if numbers > _MOST:
        raise FairnessError(
            f"threshold: a page holds {_MOST:,} numbers, and {len(thresholds):,} thresholds make "
            f"{numbers:,}; give fewer, or resolution="
        )
    of_all_rows = swept.rated.filter(pl.col("facet") == ALL, pl.col("n") > 0)
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

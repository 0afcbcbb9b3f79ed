"""The function `lending.quantiles`: adverse impact where the best shares by score are accepted."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.quantiles import COLUMNS, metrics_of, quantiles_of
from polars_fairness.answers.prescribed.quantiles import schema as schema_of_quantiles
from polars_fairness.api.prescribed.reference_needed import (
    call_about_decisions,
    options_and_question_of,
    refuse_segments,
)
from polars_fairness.api.refusals import refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, listed, require_number
from polars_fairness.question.arguments import OF_QUESTION, Question
from polars_fairness.question.prescribed_arguments import (
    OF_QUANTILES,
    SHARES_ACCEPTED,
    QuantilesQuestion,
)
from polars_fairness.question.scores import EVERY

_SHARED: Final = [argument for argument in OF_QUESTION if argument.name != "threshold"]

_REFUSED: Final = {
    "threshold": "the shares decide which scores are accepted; leave it out, or call lending.table",
}


@takes(*OF_QUANTILES, shared=_SHARED, module="lending", refused=_REFUSED)
def quantiles(frame: AnyFrame, **given: Unpack[QuantilesQuestion]) -> PolarsFrame:
    """Compare each group with its reference where the best share of all rows is accepted.

    For each share, the rows with the highest scores are accepted: from the highest score on at
    which at least this share of all complete rows of the window is accepted, those of unknown facet
    included; with ``weight``, this share of their weight, but for 1e-12 of it. Rows with equal
    scores are accepted together. A share is taken as it is written, 0.1 as one tenth, and compared
    in whole numbers. With ``resolution``, scores rounded down to its multiples are equal, so that
    more may be accepted.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per share and group other than the reference. The columns are those of ``by``, with
        several models ``model``, then:

        ``share``, ``threshold``, ``accepted_share``
            The share, the smallest score that is accepted, and the share that is really accepted,
            which equal scores make larger. The last two are null in a window without complete rows.
        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``
            The rate of the reference less the rate of the group, in percentage points.
        ``p_value``
            As in `table`. Adjusted, shares with the same threshold count as one comparison.
        ``air``, ``lower``, ``upper``
            The adverse impact ratio, the rate of the group over the rate of its reference.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> scored = pl.DataFrame(
    ...     {"sex": ["F", "F", "M", "M", None], "score": [0.4, 0.6, 0.6, 0.9, 0.8]}
    ... )
    >>> best = pf.lending.quantiles(
    ...     scored, shares=[0.2, 0.5], facet="sex", favored="M", score="score"
    ... )
    >>> best.select("share", "threshold", "accepted_share", "rate", "reference_rate", "air").rows()
    [(0.2, 0.9, 0.2, 0.0, 0.5, 0.0), (0.5, 0.6, 0.8, 0.5, 1.0, 0.5)]
    """
    shares = _ascending(given.get(SHARES_ACCEPTED.name, SHARES_ACCEPTED.default))
    options, question = options_and_question_of(given, {SHARES_ACCEPTED.name})
    refuse_segments(question, "lending.quantiles")
    _refuse_other_than_scores(question)
    call = call_about_decisions(frame, {**question, "threshold": EVERY}, "lending.quantiles")
    call = call.with_metrics([*metrics_of(call.roles).values()])
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(quantiles_of, options=options, shares=shares)
    return call.answer(cells_of_all_rows, compute, schema_of_quantiles(call.roles))


def _ascending(given: Any) -> list[float]:
    """The shares, each once."""
    takes_shares = "shares above 0 and below 1, such as 0.1 for the best tenth"
    several = given if hasattr(given, "__iter__") and not isinstance(given, str) else [given]
    shares = {require_number("shares", each, takes_shares) for each in several}
    if not shares:
        msg = f"shares: got an empty list; give {takes_shares}"
        raise FairnessError(msg)
    if outside := sorted(share for share in shares if not 0 < share < 1):
        msg = f"shares: takes {takes_shares}, got {listed(outside)}"
        raise FairnessError(msg)
    return sorted(shares)


def _refuse_other_than_scores(question: Question) -> None:
    if question.get("score") is not None and question.get("predicted") is not None:
        msg = "predicted: the scores of score= decide who is accepted; leave one of the two out"
        raise FairnessError(msg)
    if question.get("score") is None and question.get("predicted") is None:
        msg = (
            "score: lending.quantiles accepts the best rows by score, which was not given; give "
            "score=, or predicted={model: score} for several models"
        )
        raise FairnessError(msg)

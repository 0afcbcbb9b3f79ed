"""The table of groups at several shares accepted: what each share of the best scores means."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.answers.columns import QUANTILES
from polars_fairness.answers.comparisons import (
    as_answer,
    comparisons_of,
    p_values_of_rates,
)
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.collected import collected
from polars_fairness.counting.decisions import LOWEST_ACCEPTED, best_cuts
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.errors import FairnessError, either, keyword, listed, require_number
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.lending.arguments import OF_QUANTILES, SHARES_ACCEPTED, QuantilesQuestion
from polars_fairness.lending.references import (
    call_about_decisions,
    options_and_question_of,
)
from polars_fairness.question.arguments import OF_QUESTION, Question
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import best
from polars_fairness.question.windows import THRESHOLD


def metrics_of(roles: Roles) -> dict[str, Metric]:
    """The metrics behind the columns of the table."""
    names = ("di", "dppl") if roles.weight is None else ("di", "dppl", "two_sd")
    return {name: CATALOGUE[name] for name in names}


def _quantiles_of(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group beside its reference at the cut of each share, from cells by score."""
    compared = comparisons_of(seen, roles, metrics_of(roles), options)
    tested = compared.with_columns(p_values_of_rates(compared, roles, options))
    cuts = collected(best_cuts(unlisted(of_one_facet(seen, roles)), roles))
    table = tested.join(
        cuts, on=roles.windows.keys, how="left", nulls_equal=True, maintain_order="left"
    ).with_columns(
        pl.col(THRESHOLD).alias("share"),
        pl.col(LOWEST_ACCEPTED).alias(THRESHOLD),
        points=100 * pl.col("dppl"),
        air=pl.col("di"),
        **dict(zip(("lower", "upper"), map(pl.col, bound_names("di")), strict=True)),
    )
    return as_answer(table, replace(roles, windows=roles.windows.of_scores), QUANTILES)


_SHARED: Final = [argument for argument in OF_QUESTION if argument.name != "threshold"]

_REFUSED: Final = {
    "threshold": "the shares decide which scores are accepted; leave it out, or call lending.table",
}


@answers(*OF_QUANTILES, shared=_SHARED, module="lending", refused=_REFUSED)
def quantiles(frame: AnyFrame, **given: Unpack[QuantilesQuestion]) -> PolarsFrame:
    """Compare each group with its reference where the best share of all rows is accepted.

    For each share, the rows with the highest scores are accepted, as `best` has them: a share of
    all rows of the window, those of unknown facet included, rounded up to whole rows; with
    ``weight``, this share of their weight. Rows that tie at the threshold are accepted in part.
    With ``resolution``, scores rounded down to its multiples are equal.

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
            The share, the smallest score that is accepted, if only in part, and the share that is
            really accepted, of whole rows. The last two are null in a window without complete rows.
        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``rows_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``rate``, ``reference_rate``
            The rates of acceptance of both.
        ``points``
            The rate of the reference less the rate of the group, in percentage points.
        ``p_value``
            As in `table`; null where rows are accepted in part.
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
    >>> best.select("share", "threshold", "accepted_share", "rate", "reference_rate").rows()
    [(0.2, 0.9, 0.2, 0.0, 0.5), (0.5, 0.6, 0.6, 0.25, 0.75)]
    """
    shares = _shares(given.get(SHARES_ACCEPTED.name, SHARES_ACCEPTED.default))
    options, question = options_and_question_of(given, {SHARES_ACCEPTED.name})
    _refuse_no_scores(question)
    call = call_about_decisions(
        frame, {**question, "threshold": best(*shares)}, "lending.quantiles"
    )
    call = call.with_metrics([*metrics_of(call.roles).values()])
    compute = partial(_quantiles_of, options=options)
    return call.answer(compute, QUANTILES, windows=call.roles.windows.of_scores)


def _shares(given: Any) -> set[float]:
    takes_shares = "shares above 0 and below 1, such as 0.1 for the best tenth"
    several = given if hasattr(given, "__iter__") and not isinstance(given, str) else [given]
    shares = {require_number("shares", each, takes_shares) for each in several}
    if not shares:
        raise FairnessError(f"shares: got an empty list; give {takes_shares}")
    if outside := sorted(share for share in shares if not 0 < share < 1):
        raise FairnessError(f"shares: takes {takes_shares}, got {listed(outside)}")
    return shares


def _refuse_no_scores(question: Question) -> None:
    if question.get("score") is None and question.get("predicted") is None:
        raise FairnessError(
            "score: lending.quantiles accepts the best rows by score, which was not given; give "
            f"{keyword('score')}, or "
            f"{either('predicted={model: score}', '--predicted MODEL=COLUMN')} for several models"
        )

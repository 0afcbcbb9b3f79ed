"""The function `choose`: candidates beside each other, and the best of those that are fair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack, cast

import polars as pl

from polars_fairness.answers.choice import FLAGS, chosen, find_aims
from polars_fairness.answers.choice import schema as choice_schema
from polars_fairness.answers.objective import objective_of
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import refuse_missing_needs, refuse_taken_names
from polars_fairness.api.metrics_requested import metrics_requested
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.clusters import PRIME, scattered
from polars_fairness.counting.rows import AnyFrame, is_frame
from polars_fairness.errors import (
    FairnessError,
    require_confidence,
    require_number,
    require_whole,
)
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import OF_CHOOSE, ChoiceQuestion


@answers(*OF_CHOOSE)
def choose(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[ChoiceQuestion],
) -> PolarsFrame:
    """Choose the threshold or model with the highest accuracy whose metrics are in their bands.

    The candidates are the thresholds, the models, or each model at each threshold. A candidate
    decides all groups alike. The answer shows what each achieves, so that the price of each
    disparity can be read off.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    *metrics
        Names from the catalogue, or metrics of your own, that are to lie in their bands. Without
        any, the best candidate is chosen whatever its disparity.
    {own arguments}
    **question
        As in `metrics`. Without ``threshold``, every distinct score or multiple of ``resolution``
        is tried. With several models as ``predicted``, each is a candidate: as it decides, at one
        threshold, or at each of several.

    Returns
    -------
    LazyFrame or DataFrame
        One row per candidate. The columns are those of ``by``, then:

        ``model``, ``threshold``
            The candidate; only with several models, and only where thresholds are tried.
        ``selection_rate``
            The share of all rows that it accepts.
        the value to maximise
            Such as ``accuracy``, of all rows.
        one column for each metric
            The value of the comparison that is farthest from the ideal, in any facet; of ratios, r
            and 1/r are equally far. Null if it is undefined for a comparison.
        ``is_within``
            Whether each metric lies in its band, for every comparison. Null if one is undefined.
        ``is_on_frontier``
            Whether no other candidate is better in one value, and as good in all others.
        ``is_chosen``
            Whether the candidate is chosen: the highest value of all candidates within the bands.
            Of equal values, the one with less disparity, in the order of the metrics, then the
            first model by name, then the lowest threshold. It is true once in a window, or never if
            no candidate is within.
        ``holdout_selection_rate`` to ``holdout_is_within``
            With ``holdout``: what the candidate reaches on the rows held out.

        With a ``confidence`` each value has its interval beside it, such as ``di_lower`` and
        ``di_upper``: of a metric that of the comparison shown.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "label": "repaid", "score": "score"}
    >>> swept = pf.choose(pf.datasets.loans(), "di", threshold=[0.35, 0.4, 0.45], **question)
    >>> swept.select("threshold", "accuracy", "di", "is_within", "is_chosen")
    shape: (3, 5)
    ┌───────────┬──────────┬──────────┬───────────┬───────────┐
    │ threshold ┆ accuracy ┆ di       ┆ is_within ┆ is_chosen │
    │ ---       ┆ ---      ┆ ---      ┆ ---       ┆ ---       │
    │ f64       ┆ f64      ┆ f64      ┆ bool      ┆ bool      │
    ╞═══════════╪══════════╪══════════╪═══════════╪═══════════╡
    │ 0.35      ┆ 0.60585  ┆ 0.851904 ┆ true      ┆ false     │
    │ 0.4       ┆ 0.622    ┆ 0.80296  ┆ true      ┆ true      │
    │ 0.45      ┆ 0.6334   ┆ 0.748718 ┆ false     ┆ false     │
    └───────────┴──────────┴──────────┴───────────┴───────────┘

    The evidence of a search for a less discriminatory alternative: the rule by income is less
    accurate than the rule by what is left after debt, and has the larger disparity.

    >>> import polars as pl
    >>> income, left = pl.col("income"), pl.col("income") - pl.col("debt")
    >>> loans = pf.datasets.loans().with_columns(rich=income >= 45_000, solvent=left >= 30_000)
    >>> models = {"today": "approved", "by income": "rich", "by income less debt": "solvent"}
    >>> found = pf.choose(loans, "di", facet="sex", label="repaid", predicted=models)
    >>> found.select("model", "accuracy", "di", "is_on_frontier", "is_chosen")
    shape: (3, 5)
    ┌─────────────────────┬──────────┬──────────┬────────────────┬───────────┐
    │ model               ┆ accuracy ┆ di       ┆ is_on_frontier ┆ is_chosen │
    │ ---                 ┆ ---      ┆ ---      ┆ ---            ┆ ---       │
    │ str                 ┆ f64      ┆ f64      ┆ bool           ┆ bool      │
    ╞═════════════════════╪══════════╪══════════╪════════════════╪═══════════╡
    │ by income           ┆ 0.6153   ┆ 0.87453  ┆ false          ┆ false     │
    │ by income less debt ┆ 0.6271   ┆ 0.87906  ┆ true           ┆ true      │
    │ today               ┆ 0.63355  ┆ 0.685229 ┆ true           ┆ false     │
    └─────────────────────┴──────────┴──────────┴────────────────┴───────────┘
    """
    own, question = parted(given, OF_CHOOSE)
    call = Call.of_candidates(frame, cast("Question", question), "choose", own)
    objective = objective_of(own["maximise"], (*call.roles.windows.made, *FLAGS))
    refuse_missing_needs(call.roles, objective.name, objective.needs)
    named = metrics_requested(metrics, call.roles) if metrics else {}
    holdout, seed, confidence = own["holdout"], own["seed"], own["confidence"]
    require_confidence(confidence)
    aims = find_aims(
        objective,
        named,
        own["bands"],
        confidence=confidence,
        seed=require_whole("seed", seed, 0),
        has_holdout=holdout is not None,
    )
    if holdout is not None and not is_frame(holdout):
        seen, holdout = divided(call, holdout, seed)
        call = Call.of_candidates(seen, cast("Question", question), "choose", own)
    computed = named | {objective.name: objective}
    call = call.serving(computed.values()).with_probabilities(named)
    call = replace(call, metrics=computed)
    if confidence is not None:
        call = call.with_rows_apart()
    if holdout is not None:
        thresholds = {"threshold": call.question.get("threshold")}
        tried = cast("Question", {**question, **thresholds})
        call = call.beside(holdout, tried, call.question.get("count"), "holdout")
    refuse_taken_names(call.roles, {"by"}, aims.columns)
    return call.answer(
        cells_of_all_rows,
        partial(chosen, aims=aims),
        choice_schema(call.roles, aims),
        by_cluster=confidence is not None,
    )


def divided(call: Call, share: object, seed: int) -> tuple[AnyFrame, AnyFrame]:
    """The rows that are searched, and a share of them that is held out."""
    share = require_number("holdout", share, "a frame, or a share between 0 and 1")
    if not 0 < share < 1:
        raise FairnessError(
            f"holdout: takes a frame, or a share between 0 and 1 such as 0.3, got {share:g}"
        )
    frame = call.frame
    if not isinstance(frame, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            f"holdout: a share is drawn of rows that polars reads, got a {type(frame).__name__}; "
            "give a frame of the rows that are held out"
        )
    number = pl.int_range(pl.len(), dtype=pl.Int64)
    is_held_out = scattered(number + scattered(seed)) < share * PRIME
    return frame.filter(~is_held_out), frame.filter(is_held_out)

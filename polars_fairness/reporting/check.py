"""The function `check`: an audit that stops a pipeline where it fails its gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack, cast

import polars as pl

from polars_fairness.answers.contrasts import CERTAINTY
from polars_fairness.answers.options import options_and_question
from polars_fairness.api.audit import audit_with_certainty
from polars_fairness.api.call import Call
from polars_fairness.api.policies import under_policy
from polars_fairness.api.rates import rates
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, UnfairError, listed, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import (
    ALLOW_UNDEFINED,
    FAIL_ON,
    OF_AUDIT,
    AuditQuestion,
    CheckQuestion,
)
from polars_fairness.question.policy import FailOn, Policy
from polars_fairness.reporting.chance import statistics_in_words
from polars_fairness.reporting.gate import gate_of, judged_rows
from polars_fairness.reporting.outcome_notes import OF_GROUPS, READ_BY_VALUES, notes_on_outcomes


@takes(*OF_AUDIT, FAIL_ON, ALLOW_UNDEFINED)
def check(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[CheckQuestion],
) -> pl.DataFrame:
    """Return an audit that passes its gate, or raise `UnfairError` with the audit.

    It is the gate of the command line: what could not be judged has not passed, and so have not
    groups or windows that are gone or new beside a baseline. The rows are counted at once, also
    those of a LazyFrame.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`.
    {arguments}

    Returns
    -------
    DataFrame
        The answer of `audit`.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> loans = pf.datasets.loans()
    >>> q = pf.of(loans, facet="sex", favored="M", predicted="approved", subgroup="branch")
    >>> q.check("di", bands={"di": (0.6, 1 / 0.6)})["verdict"].to_list()
    ['fair']
    >>> q.check("di", "mh_ratio")
    Traceback (most recent call last):
    ...
    polars_fairness.errors.UnfairError: fail_on: 2 of 2 verdicts are unfair: 'di' and 'mh_ratio'
    """
    own, given_to_audit = parted(given, (FAIL_ON, ALLOW_UNDEFINED))
    names, audited = under_policy(frame, metrics, cast("AuditQuestion", given_to_audit))
    policy = cast("Policy | None", audited.get("policy"))
    failing = _failing(own["fail_on"])
    has_own = policy is not None and bool(policy.failing)
    gate = gate_of(
        failing if failing or has_own else ("unfair",),
        allow_undefined=own["allow_undefined"],
        policy=policy,
        has_reference=any(audited.get(name) is not None for name in ("champion", "baseline")),
    )
    assert gate is not None
    plans: list[Any] = [audit_with_certainty(frame, *names, **audited)]
    plans += _rates_of_outcomes(frame, names, audited)
    is_lazy = isinstance(plans[0], pl.LazyFrame)
    answer, *rated = pl.collect_all(plans, engine="streaming") if is_lazy else plans
    _, question = options_and_question(audited)
    notes = [note for each in rated for note in notes_on_outcomes(each, question)]
    judged = judged_rows(answer, audited)
    answer = answer.drop(CERTAINTY, strict=False)
    complaint = gate.complaint(judged, has_one_outcome=bool(notes))
    if complaint is None:
        return answer
    by_chance = statistics_in_words(judged, question) if gate.judges_verdicts else ()
    raise UnfairError("; ".join([complaint, *notes, *by_chance]), answer)


def _failing(given: Any) -> tuple[FailOn, ...] | None:
    if given is None:
        return None
    is_several = isinstance(given, list | tuple | set | frozenset)
    words = tuple(given) if is_several else (given,)
    known = ("unfair", "uncertain", "worse")
    if not words or any(not isinstance(word, str) or word not in known for word in words):
        raise FairnessError(f"fail_on: takes {listed(known, 'or')}, or several, got {shown(given)}")
    return words


def _rates_of_outcomes(
    frame: AnyFrame, names: Sequence[Any], given: AuditQuestion
) -> list[pl.DataFrame | pl.LazyFrame]:
    """The rates of all rows, from which it shows whether all of them have one outcome.

    The list is empty where no argument decides which outcomes are positive.
    """
    _, question = options_and_question(given)
    if not READ_BY_VALUES & {name for name, value in question.items() if value is not None}:
        return []
    roles = Call.of(frame, question).with_metrics(names).roles
    binary = {each.role for each in roles.binary_outcomes}
    if not binary:
        return []
    left_out = OF_GROUPS | ({"label", "predicted"} - binary)
    kept = {name: value for name, value in question.items() if name not in left_out}
    return [rates(frame, **cast("Question", kept))]

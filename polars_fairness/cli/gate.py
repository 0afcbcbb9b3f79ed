"""The gate of a pipeline: which verdicts make the exit code 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from polars_fairness.answers.verdicts import UNFAIR
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.policy import FailOn, Policy
from polars_fairness.question.windows import THRESHOLD

_FAILS: Final = {"unfair": UNFAIR, "uncertain": (*UNFAIR, "uncertain")}
ONE_OUTCOME: Final = "all rows have one outcome"
_MOST_THRESHOLDS: Final = 5
_FAILED: Final = {"unfair": "unfair", "uncertain": "not fair"}


@dataclass(frozen=True)
class Gate:
    """A gate: "unfair" fails for verdicts against a side or outside, "uncertain" for these too.

    Both fail for undefined verdicts unless these are allowed: what was not judged has not passed.
    """

    fail_on: FailOn
    allow_undefined: bool

    def complaint(self, answer: pl.DataFrame, *, has_one_outcome: bool = False) -> str | None:
        """A sentence on the verdicts of an audit that fail; None if all pass.

        A metric without a band has no verdict. If there is no verdict, or all are undefined, this
        is an error in any case, since a passed gate would promise a check. If all rows have one
        outcome, groups are alike whatever the decisions are like, and the gate fails as it does for
        undefined verdicts.
        """
        judged = answer.drop_nulls("verdict")
        if (judged["verdict"] == "undefined").all():
            raise FairnessError(_nothing_judged(judged.height))
        found = [
            f"{failed.height} of {judged.height} verdicts are {words}: {_metrics(failed)}"
            for words, fails in self.reasons().items()
            if not (failed := judged.filter(fails)).is_empty()
        ]
        if self.refuses_one_outcome and has_one_outcome:
            found.append(ONE_OUTCOME)
        return f"--fail-on: {'; '.join(found)}" if found else None

    def reasons(self) -> dict[str, pl.Expr]:
        """What the verdicts of rows that fail are, each with the condition for it."""
        verdict, has_value = pl.col("verdict"), pl.col("value").is_not_null()
        failing = {_FAILED[self.fail_on]: verdict.is_in(_FAILS[self.fail_on])}
        if not self.allow_undefined:
            failing["undefined"] = (verdict == "undefined") & ~has_value
            failing["undefined without a p-value"] = (verdict == "undefined") & has_value
        return failing

    @property
    def refuses_one_outcome(self) -> bool:
        return not self.allow_undefined


def _metrics(failed: pl.DataFrame) -> str:
    """The metrics of verdicts, each with the thresholds at which it has them."""
    if THRESHOLD not in failed.columns:
        return listed(failed["metric"].unique(maintain_order=True))
    thresholds = failed.group_by("metric", maintain_order=True).agg(
        pl.col(THRESHOLD).drop_nulls().unique().sort()
    )
    return ", ".join(
        f"{metric!r} at threshold{'s'[: len(at) - 1]} {listed(at, most=_MOST_THRESHOLDS)}"
        if at
        else repr(metric)
        for metric, at in thresholds.iter_rows()
    )


def _nothing_judged(verdicts: int) -> str:
    if not verdicts:
        return (
            "--fail-on: there is no verdict to check: no rows to compare, or no metric with an "
            "acceptable band; check --where, and name a metric that has a band"
        )
    return (
        f"--fail-on: nothing was judged: {verdicts} of {verdicts} verdicts are undefined; check by "
        "the rates of the groups that each side has rows and some of them are positive, and that "
        "metrics have p-values if the rule is significant"
    )


def gate_of(arguments: Mapping[str, Any], policy: Policy | None) -> Gate | None:
    """The gate of the typed options or of the policy, which the options must not contradict."""
    fail_on, allow_undefined = arguments.get("fail_on"), "allow_undefined" in arguments
    if policy is not None and policy.fail_on is not None:
        if fail_on not in (None, policy.fail_on):
            _refuse_contradiction(f"--fail-on: {fail_on!r}", f"{policy.fail_on!r}", policy)
        if allow_undefined and not policy.allow_undefined:
            _refuse_contradiction("--allow-undefined:", "the gate", policy)
        return Gate(policy.fail_on, policy.allow_undefined)
    if fail_on is not None:
        return Gate(fail_on, allow_undefined)
    if allow_undefined:
        msg = "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
        raise FairnessError(msg)
    return None


def _refuse_contradiction(typed: str, decided: str, policy: Policy) -> None:
    msg = (
        f"{typed} contradicts {decided} of the policy {policy}; leave it out, or change the policy"
    )
    raise FairnessError(msg)

"""The options of an audit: its intervals, p-values, bands and rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, cast

from polars_fairness.answers.contrasts import Contrast
from polars_fairness.answers.hidden import require_least
from polars_fairness.counting.rows import is_frame
from polars_fairness.errors import (
    FairnessError,
    require_confidence,
    require_extra,
    require_flag,
    require_whole,
)
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import (
    DRIFT,
    METHOD,
    OF_AUDIT,
    P_VALUES,
    AuditQuestion,
)
from polars_fairness.question.columns import ColumnLike
from polars_fairness.question.judging import (
    Band,
    PValues,
    Rules,
    refuse_invalid_bands,
    refuse_invalid_rules,
)
from polars_fairness.question.policy import Policy

# The quantiles at the ends of 95 % intervals have a standard error of 0.00016 with a million draws,
# and of 0.005 with a thousand, the default. More draws take hours and change nothing visible.
MOST_REPLICATES: Final = 1_000_000


@dataclass(frozen=True)
class AuditOptions:
    """The arguments of `OF_AUDIT`, each checked by itself."""

    confidence: float | None
    method: Literal["auto", "newcombe", "log", "delong"]
    replicates: int
    seed: int
    sequential: bool
    bands: Mapping[str, Band] | None
    rule: Rules
    minimum_count: int | None
    p_values: PValues | None
    policy: Policy | str | Path | None
    champion: str | None
    baseline: Any
    baseline_count: ColumnLike | None
    drift: Literal["clarify"] | None
    bounds: bool
    hide_below: int | None

    def __post_init__(self) -> None:
        require_confidence(self.confidence)
        METHOD.refuse_other_choices(self.method)
        if require_whole("replicates", self.replicates, 1) > MOST_REPLICATES:
            raise FairnessError(
                f"replicates: takes at most {MOST_REPLICATES:,}, got {self.replicates:,}; more "
                "draws would not change an interval visibly"
            )
        require_whole("seed", self.seed, 0)
        require_flag("sequential", self.sequential)
        require_flag("bounds", self.bounds)
        if self.minimum_count is not None:
            require_whole("minimum_count", self.minimum_count, 0)
        P_VALUES.refuse_other_choices(self.p_values)
        if self.p_values is not None:
            require_extra("p_values", "significance", "scipy")
        DRIFT.refuse_other_choices(self.drift)
        refuse_invalid_bands({} if self.bands is None else self.bands)
        refuse_invalid_rules(self.rule)
        require_least(self.hide_below)

    @property
    def rules(self) -> set[str]:
        return {self.rule} if isinstance(self.rule, str) else {*self.rule.values()}

    @property
    def contrast(self) -> Contrast | None:
        """What each window is compared with, if anything."""
        if self.champion is None and self.baseline is None:
            return None
        window = None if self.has_baseline_frame else self.baseline
        return Contrast(self.champion, window)

    @property
    def has_baseline_frame(self) -> bool:
        """Whether the baseline is a frame, and not a window of the audited one."""
        return is_frame(self.baseline)

    def with_needed_p_values(self) -> AuditOptions:
        """The same options, with exact p-values if a rule judges by them and none are requested."""
        if self.p_values is not None or "significant" not in self.rules:
            return self
        require_extra("rule", "significance", "scipy")
        return replace(self, p_values="exact")


def options_and_question(given: AuditQuestion) -> tuple[AuditOptions, Question]:
    """Split the arguments of an audit into its options and the question."""
    options, question = parted(given, OF_AUDIT)
    return AuditOptions(**options).with_needed_p_values(), cast("Question", question)

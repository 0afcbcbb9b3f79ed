"""The options of an audit: its intervals, p-values, bands and rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, cast

from polars_fairness.answers.contrasts import Contrast
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.rows import is_frame
from polars_fairness.errors import FairnessError, did_you_mean, listed, require_extra
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.inference.closed_forms import Method, closed_form
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, RULE, AuditQuestion
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.question.completing import Assumption, Unlabelled
from polars_fairness.question.judging import (
    Band,
    PValues,
    Rule,
    Rules,
    refuse_band_without_ideal,
    refuse_invalid_bands,
    refuse_invalid_rules,
)
from polars_fairness.question.policy import Policy
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import sign_of

_FORMS: Final = {
    "newcombe": "differences of two rates",
    "log": "ratios of two rates or of two odds",
    "delong": "AUCs and differences of two AUCs",
}

_ANY: Final = 0.5

_OF_SEQUENCES: Final = "rates, and differences and ratios of two rates"

Bounds = tuple[Metric, Metric]
Given = TypeVar("Given")


# The quantiles at the ends of 95 % intervals have a standard error of 0.00016 with a million draws,
# and of 0.005 with a thousand, the default. More draws take hours and change nothing visible.
MOST_REPLICATES: Final = 1_000_000


@dataclass(frozen=True)
class AuditOptions:
    """The arguments of `OF_AUDIT`, with what their kinds do not check."""

    confidence: float | None
    method: Literal["auto", "newcombe", "log", "delong"]
    replicates: int
    seed: int
    sequential: Literal["each", "all"] | None
    bands: Mapping[str, Band] | None
    rule: Rules
    minimum_count: int | None
    p_values: PValues | None
    equivalence: bool
    policy: Policy | str | Path | None
    champion: str | None
    baseline: Any
    baseline_count: ColumnLike | None
    drift: Literal["clarify"] | None
    bounds: bool
    hide_below: int | None
    unlabelled: Unlabelled | None
    unlabelled_by: Columns | None

    def __post_init__(self) -> None:
        if self.replicates > MOST_REPLICATES:
            raise FairnessError(
                f"replicates: takes at most {MOST_REPLICATES:,}, got {self.replicates:,}; more "
                "draws would not change an interval visibly"
            )
        if self.p_values is not None:
            require_extra("p_values", "significance", "scipy")
        refuse_invalid_bands({} if self.bands is None else self.bands)
        refuse_invalid_rules(self.rule)
        if self.unlabelled is not None:
            Assumption.of(self.unlabelled)

    @property
    def rules(self) -> set[str]:
        return {self.rule} if isinstance(self.rule, str) else {*self.rule.values()}

    @cached_property
    def contrast(self) -> Contrast | None:
        """What each window is compared with, if anything."""
        if self.champion is None and self.baseline is None:
            return None
        window = None if self.has_baseline_frame else self.baseline
        return Contrast(self.champion, window)

    @cached_property
    def has_baseline_frame(self) -> bool:
        """Whether the baseline is a frame, and not a window of the audited one."""
        return is_frame(self.baseline)


def options_and_question(given: AuditQuestion) -> tuple[AuditOptions, Question]:
    """Split the arguments of an audit into its options and the question."""
    own, question = parted(given, OF_AUDIT)
    options = AuditOptions(**own)
    if options.p_values is None and "significant" in options.rules:
        require_extra("rule", "significance", "scipy")
        options = replace(options, p_values="exact")
    return options, cast("Question", question)


@dataclass(frozen=True)
class Criteria:
    """The criteria for the metrics of an audit, by the names that metrics have in it.

    ``sequences`` has the metrics with a confidence sequence; it is empty without `sequential`.
    """

    options: AuditOptions
    sequences: Collection[str]
    bands: Mapping[str, Band]
    rules: Mapping[str, Rule]
    signs: Mapping[str, Sign]


def find_criteria(metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions) -> Criteria:
    """Find the criteria for metrics, or refuse options that do not fit the metrics."""
    method, is_any = options.method, bool(options.sequential)
    if method != "auto" and not (is_any or _closed_forms(metrics, method, _ANY)):
        raise FairnessError(
            f"method: {method!r} is for {_FORMS[method]}, and none of these is one: "
            f"{listed(metrics)}; use 'auto'"
        )
    bands = {name: metric.acceptable for name, metric in metrics.items()}
    for name, band in check_metric_names("bands", options.bands or {}, metrics).items():
        refuse_band_without_ideal(name, band, metrics[name].ideal)
        bands[name] = band
    if isinstance(options.rule, str):
        rules = dict.fromkeys(metrics, options.rule)
    else:
        rules = dict.fromkeys(metrics, RULE.default)
        rules |= check_metric_names("rule", options.rule, metrics)
    sequences: Collection[str] = ()
    if options.sequential and options.confidence is not None:
        sequences = closed_forms_of_audit(metrics, roles, options).keys()
        # Looked at often enough, a value alone leaves every band by chance.
        bands |= {
            name: None
            for name, rule in rules.items()
            if rule == "interval" and name not in sequences
        }
    return Criteria(options, sequences, bands, rules, _signs(metrics, bands))


def refuse_other_than_sequences(
    criteria: Criteria, metrics: Mapping[str, Metric], roles: Roles
) -> None:
    """Raise if a metric that is named has no confidence sequence."""
    options = criteria.options
    if not options.sequential or options.confidence is None:
        return
    if missing := [name for name in metrics if name not in criteria.sequences]:
        allowed = {name: metric for name, metric in CATALOGUE.items() if roles.allow(metric)}
        known = _closed_forms(allowed, "sequence", _ANY)
        raise FairnessError(
            f"sequential: has intervals for {_OF_SEQUENCES}, and {listed(missing)} is not one; of "
            "the metrics that the columns allow, "
            f"{listed(known, most=len(known)) or 'none'} {'is one' if len(known) < 2 else 'are'}"
        )


def closed_forms_of_audit(
    metrics: Mapping[str, Metric], roles: Roles, options: AuditOptions
) -> dict[str, Bounds]:
    """The bounds of the metrics that have a closed form, at the confidence of the options."""
    # Without intervals the bounds show only whether a metric has the form, at any confidence.
    confidence = options.confidence or _ANY
    methods: list[Method] = ["sequence"]
    if not options.sequential:
        # Where side a holds the rows of d too, the two do not vary independently.
        methods = ["strata"] if roles.facets_against_all else ["strata", "areas", "means"]
        methods += [] if options.method == "auto" else [options.method]
    forms = (_closed_forms(metrics, each, confidence) for each in methods)
    return {name: bounds for each in forms for name, bounds in each.items()}


def _closed_forms(
    metrics: Mapping[str, Metric], method: Method, confidence: float
) -> dict[str, Bounds]:
    pairs = {name: closed_form(metric, method, confidence) for name, metric in metrics.items()}
    return {name: pair for name, pair in pairs.items() if pair}


def check_metric_names(
    argument: str, given: Mapping[str, Given], metrics: Mapping[str, Metric]
) -> Mapping[str, Given]:
    """The values of an argument by metric; raise if a name is not one of the call's metrics."""
    for name in given:
        if name in metrics:
            continue
        names = (known for known, m in metrics.items() if name in (m.name, *m.aliases))
        here = next(names, None)
        hint = did_you_mean(str(name), metrics) if here is None else f"{here!r} is its name here"
        raise FairnessError(f"{argument}: {name!r} is not among the metrics; {hint}")
    return given


def _signs(metrics: Mapping[str, Metric], bands: Mapping[str, Band]) -> dict[str, Sign]:
    """The sign of each metric with a band: the side that a value above the ideal disadvantages."""
    signs: dict[str, Sign] = {}
    for name in (name for name, band in bands.items() if band is not None):
        sign = sign_of(metrics[name])
        if sign is None:
            raise FairnessError(
                f"bands: the formula of {name!r} does not show which side a value above its ideal "
                "disadvantages; give the metric sign=1 for d, -1 for a, or 0 if no value does"
            )
        signs[name] = sign
    return signs

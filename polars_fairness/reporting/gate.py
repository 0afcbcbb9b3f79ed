"""The gate of an audit, and the function `check`, which raises if it fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import audit_with_certainty
from polars_fairness.answers.contrasts import (
    CERTAINTY,
    IS_OF_GONE_WINDOW,
    TOGETHER,
    is_gone,
    is_new,
    with_changes_together,
)
from polars_fairness.answers.options import options_and_question
from polars_fairness.answers.rates import rates
from polars_fairness.api.baselines import WORDS
from polars_fairness.api.bound import collected_here, read, under_policy
from polars_fairness.api.requested import one_by_one, requested
from polars_fairness.api.signatures import takes
from polars_fairness.api.unused_arguments import unused_arguments, unused_in_words
from polars_fairness.api.verdicts import DEPENDS, OUTSIDE, WITHIN
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.rows import AnyFrame, is_frame
from polars_fairness.errors import (
    FairnessError,
    OutsideBandError,
    listed,
    shown,
)
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import (
    OF_AUDIT,
    OF_GATE,
    UNJUDGED,
    AuditQuestion,
    CheckQuestion,
)
from polars_fairness.question.policy import (
    FailOn,
    Policy,
    Unjudged,
    refuse_contradiction,
    require_within_p_value,
)
from polars_fairness.question.scores import is_several
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.answers import window_of
from polars_fairness.reporting.outcome_notes import OF_GROUPS, READ_BY_VALUES, notes_on_outcomes
from polars_fairness.reporting.verdicts import statistics_in_words
from polars_fairness.reporting.words import comparison, heading, window_in_words
from polars_fairness.values.unlabelled import ON_MISSING_LABELS

NAMED: Final = "named\x1f"
"""The column of rows whose metric the call or its policy names."""

EXCUSED: Final = "excused\x1f"
"""The column of rows without a reference by design, such as those of the first window."""

_DEMOGRAPHIC_DISPARITY: Final = ("ddpl", "cddpl", "ddl", "cddl")
"""Metrics without a band: of a small group they are near 0, however it is decided about."""

ONE_OUTCOME: Final = "all rows have one outcome"
_MOST_THRESHOLDS: Final = 5
_MOST_SUBJECTS: Final = 5

# Of fair data two tests fail a gate in 24 % of audits, and all other metrics together in 0.7 %.
_TESTS: Final = [name for name, metric in CATALOGUE.items() if metric.is_test]
_IS_LEFT_OUT: Final = ~pl.col(NAMED) & pl.col("metric").is_in(_TESTS)

_VERDICT: Final = pl.col("verdict")
_CHANGE: Final = pl.col("change")
_HAS_VALUE: Final = pl.col("value").is_not_null()
_HAS_REFERENCE: Final = pl.col("reference").is_not_null()
_HAS_DIFFERENCE: Final = pl.col("difference").is_not_null()
# A row with an ideal, from which its value may be farther than its reference.
_IS_COMPARED: Final = pl.col("ideal").is_not_null() & ~pl.col(EXCUSED)
# By the rule of Clarify, a metric without a band has no change.
_LACKS_BAND: Final = _CHANGE.is_null() & _HAS_DIFFERENCE & pl.col("band_lower").is_null()
_IS_EXPECTED: Final = _IS_COMPARED & ~_LACKS_BAND
_IS_UNCLEAR: Final = _CHANGE == "unclear"
_IS_WORSE: Final = pl.col(TOGETHER) == "worse"
_IS_WORSE_ALONE: Final = (_CHANGE == "worse") & ~_IS_WORSE
_HAS_INTERVAL: Final = pl.col("difference_lower").is_not_null()
# With an interval, only an undefined verdict leaves a change out.
_IS_UNDEFINED_CHANGE: Final = _HAS_INTERVAL & _CHANGE.is_null()


@dataclass(frozen=True)
class Reason:
    """A reason for which rows of an audit fail: that they, their verdict or change are such.

    ``is_known`` says that this is known, and not that nothing is.
    """

    judged: Literal["verdict", "change", "row"]
    words: str
    fails: pl.Expr
    is_known: bool = False


@dataclass(frozen=True)
class Gate:
    """A gate: "outside" fails for verdicts outside their bands, "uncertain" for uncertain ones too.

    Both fail for verdicts that rows of unknown group decide: they may be outside. "worse" fails
    for changes for the worse that hold for all changes together; one that is unclear passes, as
    uncertain verdicts pass "outside". All fail for what is undefined unless this is allowed: what
    was not judged has not passed. So all fail for groups and windows that are gone, or new. No
    change is expected of the rows marked in the column `EXCUSED`. With a largest `within_p_value`,
    each value has to be shown to be within.

    A test is judged only where it is named, by the column `NAMED`. A metric that is named and has
    nothing to judge passes with a note, unless ``unjudged`` is "fail".
    """

    fail_on: tuple[FailOn, ...]
    allow_undefined: bool
    maximum_within_p_value: float | None = None
    unjudged: Unjudged = "pass"

    @property
    def judges_changes(self) -> bool:
        return "worse" in self.fail_on

    @property
    def judges_verdicts(self) -> bool:
        return {*self.fail_on} != {"worse"} or self.maximum_within_p_value is not None

    @property
    def needs_equivalence(self) -> bool:
        return self.maximum_within_p_value is not None

    @property
    def refuses_one_outcome(self) -> bool:
        return not self.allow_undefined

    def complaint(self, answer: pl.DataFrame, *, has_one_outcome: bool = False) -> str | None:
        """A sentence on the verdicts and changes of an audit that fail; None if all pass.

        A metric without a band has no verdict. If there is no verdict, or all are undefined, this
        is an error in any case, since a passed gate would promise a check; and so it is if there is
        no change. If all rows have one outcome, groups are alike whatever the decisions are like,
        and the gate fails as it does for undefined verdicts.
        """
        named_in_vain, answer = self.unjudged_metrics(answer), answer.filter(~_IS_LEFT_OUT)
        judged = {"row": answer, "verdict": answer.drop_nulls("verdict")}
        has_absences = not answer.filter(_is_absent(answer.columns)).is_empty()
        if self.allow_undefined or not has_absences:
            self._refuse_nothing(answer)
        if self.judges_changes:
            judged["change"] = _expected(answer)
        clauses = [
            clause
            for reason in self.reasons(answer.columns)
            for clause in failures(
                judged[reason.judged],
                f"{reason.judged}s",
                {f"are {reason.words}": reason.fails},
                _subjects if reason.judged == "row" else partial(_metrics, judged[reason.judged]),
            )
        ]
        if self.refuses_one_outcome and has_one_outcome:
            clauses.append(ONE_OUTCOME)
        if named_in_vain and self.unjudged == "fail":
            clauses.append(f"{listed(named_in_vain)} {NOT_JUDGED}")
        return f"fail_on: {'; '.join(clauses)}" if clauses else None

    def note(self, answer: pl.DataFrame) -> str | None:
        """A sentence on what passes without being judged, if there is anything.

        These are changes that are unclear or may be due to chance, named metrics that were not
        judged, and tests outside their bands that were not named.
        """
        clauses: list[str] = []
        if self.judges_changes:
            changes = _expected(answer.filter(~_IS_LEFT_OUT))
            clauses += failures(changes, "changes", _PASSING, partial(_metrics, changes))
        if self.judges_verdicts:
            tests = answer.filter(_IS_LEFT_OUT, _VERDICT == OUTSIDE)["metric"]
            if named := [*tests.unique(maintain_order=True)]:
                clauses.append(f"{listed(named)} {_TEST_NOT_NAMED}")
        if self.unjudged == "pass" and (named := self.unjudged_metrics(answer)):
            clauses.append(f"{listed(named)} {NOT_JUDGED}")
        return f"fail_on: {'; '.join(clauses)}" if clauses else None

    def _refuse_nothing(self, answer: pl.DataFrame) -> None:
        """Raise if there is nothing to judge, or nothing is known of any."""
        verdicts = answer["verdict"].drop_nulls()
        if self.judges_verdicts and (verdicts == "undefined").all():
            raise FairnessError(_nothing_judged(len(verdicts), answer))
        if not self.judges_changes:
            return
        if answer.filter(_IS_COMPARED)["reference"].count() == 0:
            raise FairnessError(_NO_REFERENCE)
        expected = _expected(answer)
        if expected.is_empty():
            raise FairnessError(_NO_BAND)
        if expected.filter(_CHANGE.is_not_null(), ~_IS_UNCLEAR | _HAS_INTERVAL).is_empty():
            raise FairnessError(_NO_INTERVAL)

    @property
    def _is_unshown(self) -> pl.Expr:
        """Whether a judged value is not shown to lie within the band."""
        p = pl.col("within_p_value")
        return (_VERDICT != "undefined") & (p.is_null() | (p > self.maximum_within_p_value))

    def reasons(self, columns: Collection[str]) -> Iterator[Reason]:
        """The reasons for which rows with these columns fail; a row may fail for several."""
        is_present = ~_is_absent(columns)
        if not self.allow_undefined:
            yield Reason("row", "gone", is_gone(columns))
            yield Reason("row", "new", is_new(columns))
        if "uncertain" in self.fail_on:
            yield Reason(
                "verdict", "not within", _VERDICT.is_in((OUTSIDE, "uncertain")), is_known=True
            )
        elif "outside" in self.fail_on:
            yield Reason("verdict", OUTSIDE, _VERDICT == OUTSIDE, is_known=True)
        if self.maximum_within_p_value is not None:
            words = f"not shown to lie within the band at {self.maximum_within_p_value:g}"
            yield Reason("verdict", words, self._is_unshown & is_present)
        if self.judges_verdicts:
            depends, on_labels = _VERDICT == DEPENDS, _depends_on_labels(columns)
            words = "left to rows of unknown group"
            yield Reason("verdict", words, depends & ~on_labels, is_known=True)
            words = "left to rows without a label"
            yield Reason("verdict", words, depends & on_labels, is_known=True)
        if self.judges_verdicts and not self.allow_undefined:
            is_undefined = (_VERDICT == "undefined") & is_present
            yield Reason("verdict", "undefined", is_undefined & ~_HAS_VALUE)
            yield Reason("verdict", "undefined without a p-value", is_undefined & _HAS_VALUE)
        if self.judges_changes:
            yield Reason("change", "worse", _IS_EXPECTED & _IS_WORSE, is_known=True)
        if self.judges_changes and not self.allow_undefined:
            unknown = {
                "undefined": _HAS_REFERENCE & ~_HAS_DIFFERENCE | _IS_UNDEFINED_CHANGE,
                "without a reference": ~_HAS_REFERENCE,
                "without an interval": _HAS_DIFFERENCE
                & (_CHANGE.is_null() | (_IS_UNCLEAR & ~_HAS_INTERVAL))
                & ~_IS_UNDEFINED_CHANGE,
            }
            for words, fails in unknown.items():
                yield Reason("change", words, _IS_EXPECTED & fails & is_present)

    def unjudged_metrics(self, answer: pl.DataFrame) -> list[str]:
        """The metrics that were named and have nothing to judge."""
        is_judged = (self.judges(answer.columns) | pl.col(EXCUSED)).any()
        by_metric = answer.filter(NAMED).group_by("metric", maintain_order=True).agg(is_judged)
        return [metric for metric, judged in by_metric.rows() if not judged]

    def judges(self, columns: Collection[str]) -> pl.Expr:
        """Whether something in a row with these columns is judged."""
        judged = {"verdict": _VERDICT.is_not_null(), "change": _IS_EXPECTED}
        of_gate = {"verdict": self.judges_verdicts, "change": self.judges_changes}
        is_judged = (judged[name] for name, is_judged in of_gate.items() if is_judged)
        return pl.any_horizontal(_is_absent(columns), *is_judged) & ~_IS_LEFT_OUT

    def passes(self, columns: Collection[str]) -> pl.Expr:
        """Whether all that is judged in a row with these columns passes for certain."""
        passed = ~_is_absent(columns)
        if self.judges_verdicts:
            is_within = _VERDICT == WITHIN
            if self.maximum_within_p_value is not None:
                is_within = ~self._is_unshown
            passed &= _VERDICT.is_null() | is_within
        if self.judges_changes:
            passed &= ~_IS_EXPECTED | _CHANGE.is_in(("same", "better")).fill_null(value=False)
        return passed


def failures(
    rows: pl.DataFrame,
    what: str,
    reasons: Mapping[str, pl.Expr],
    named: Callable[[pl.DataFrame], str],
) -> Iterator[str]:
    """A clause for each reason for which some rows fail: how many of them do, and which."""
    for words, fails in reasons.items():
        if not (failed := rows.filter(fails)).is_empty():
            clause = f"{failed.height} of {rows.height} {what} {words}: {named(failed)}"
            notes = failed["note"].drop_nulls() if "note" in failed.columns else pl.Series([""])
            missing = notes.filter(notes.str.contains("label: known", literal=True)).head(1)
            yield " ".join([clause, *(f"({note})" for note in missing)])


NOT_JUDGED: Final = (
    "cannot be judged without an acceptable band; give bands=, or leave the metric out"
)
_TEST_NOT_NAMED: Final = "may be outside by chance: tests are judged only if they are named"
_PASSING: Final = {
    "are unclear, and pass": _IS_UNCLEAR & _HAS_INTERVAL,
    "are worse only if judged alone, possibly by chance, and pass": _IS_WORSE_ALONE,
}
_NO_REFERENCE: Final = (
    "fail_on: worse has nothing to judge: no row has a reference; check that there are other "
    "models than the champion, or several windows, or the same facets and groups in the baseline"
)
_NO_BAND: Final = (
    "fail_on: worse has nothing to judge: drift='clarify' compares intervals with bands, and no "
    "metric has one; name a metric with a band, or give bands="
)
_NO_INTERVAL: Final = (
    "fail_on: worse has nothing to judge: no difference has an interval; leave "
    "confidence=None out, and name a metric that has intervals"
)


def _depends_on_labels(columns: Collection[str]) -> pl.Expr:
    """Whether a verdict that depends on something depends on why labels are missing."""
    if "note" not in columns:
        return pl.lit(value=False)
    return pl.col("note").str.contains(ON_MISSING_LABELS, literal=True).fill_null(value=False)


def _is_absent(columns: Collection[str]) -> pl.Expr:
    """Whether a row is about what only one of the compared windows has."""
    return is_gone(columns) | is_new(columns)


def _expected(answer: pl.DataFrame) -> pl.DataFrame:
    return answer.filter(_IS_EXPECTED)


def _subjects(failed: pl.DataFrame) -> str:
    """The comparisons, groups and windows that rows are about, each once."""
    windows = failed.columns[: failed.columns.index("facet")]
    of_windows = failed.select(IS_OF_GONE_WINDOW).to_series() & bool(windows)
    subjects = (
        window_in_words(window_of(row, windows))
        if of_window
        else heading(row, windows, comparison(row, has_sizes=False))
        for row, of_window in zip(failed.iter_rows(named=True), of_windows, strict=True)
    )
    return listed(dict.fromkeys(subjects), most=_MOST_SUBJECTS)


def _metrics(judged: pl.DataFrame, failed: pl.DataFrame) -> str:
    """The metrics of verdicts, each with the thresholds at which it has them.

    Where several comparisons are judged, those with these verdicts are named.
    """
    if THRESHOLD not in failed.columns:
        named = listed(failed["metric"].unique(maintain_order=True))
        windows = judged.columns[: judged.columns.index("facet")]
        each = judged.unique([*windows, "facet", "disfavored", "favored"])
        return named if each.height == 1 else f"{named}, of {_subjects(failed)}"
    thresholds = failed.group_by("metric", maintain_order=True).agg(
        pl.col(THRESHOLD).drop_nulls().unique().sort()
    )
    return ", ".join(
        f"{metric!r} at threshold{'s'[: len(at) - 1]} {listed(at, most=_MOST_THRESHOLDS)}"
        if at
        else repr(metric)
        for metric, at in thresholds.iter_rows()
    )


def _nothing_judged(verdicts: int, answer: pl.DataFrame) -> str:
    metrics = answer["metric"]
    if not verdicts and (shares := [name for name in _DEMOGRAPHIC_DISPARITY if name in metrics]):
        return (
            f"fail_on: there is no verdict to check: {listed(shares)} depends on the size of the "
            "group, so that no band fits all; name 'mh_ratio', the ratio of selection rates within "
            "subgroup=, or 'di', or give bands="
        )
    if not verdicts:
        return "fail_on: there is no verdict to check: " + (
            "there are no rows to compare; check that there are rows, and that a condition keeps "
            "some"
            if metrics.is_empty()
            else f"no band for {listed(metrics.unique(maintain_order=True))}; name a metric "
            "with a band, or give bands="
        )
    why = (
        "check the rates of the groups: each side needs rows, some of them positive, and the rule "
        "significant needs metrics with p-values"
    )
    if "note" in answer.columns:
        why = next(iter(answer.filter(_VERDICT.is_not_null())["note"].drop_nulls()), why)
    return f"fail_on: nothing was judged: {verdicts} of {verdicts} verdicts are undefined; {why}"


def gate_of(
    fail_on: Sequence[FailOn] | None,
    *,
    allow_undefined: bool,
    maximum_within_p_value: float | None,
    unjudged: Unjudged,
    policy: Policy | None,
    has_reference: bool,
) -> Gate | None:
    """The gate that is given or the policy's, which what is given must not contradict."""
    if maximum_within_p_value is not None:
        require_within_p_value(maximum_within_p_value)
    is_given = fail_on is not None or maximum_within_p_value is not None
    largest = maximum_within_p_value
    gate = Gate(tuple(fail_on or ()), allow_undefined, largest, unjudged) if is_given else None
    if policy is not None and policy.has_gate:
        decided = Gate(
            policy.failing, policy.allow_undefined, policy.maximum_within_p_value, policy.unjudged
        )
        if gate is not None and {*gate.fail_on} not in (set(), {*decided.fail_on}):
            typed, words = (",".join(each.fail_on) for each in (gate, decided))
            refuse_contradiction(policy, "fail_on", typed, words)
        if largest is not None:
            own = decided.maximum_within_p_value
            refuse_contradiction(policy, "maximum_within_p_value", largest, own)
        if allow_undefined:
            own = decided.allow_undefined
            refuse_contradiction(policy, "allow_undefined", allow_undefined, own)
        if unjudged != UNJUDGED.default:
            refuse_contradiction(policy, "unjudged", unjudged, decided.unjudged)
        gate = decided
    elif gate is None:
        given = {"allow_undefined": allow_undefined, "unjudged": unjudged != UNJUDGED.default}
        if name := next((name for name, is_other in given.items() if is_other), None):
            raise FairnessError(f"{name}: has no effect without fail_on=; give both")
    if gate is not None and gate.judges_changes and not has_reference:
        raise FairnessError(
            "fail_on: worse is about the change from a champion or a baseline; give champion= or "
            "baseline="
        )
    return gate


def judged_rows(answer: pl.DataFrame, metrics: Sequence[Any], given: AuditQuestion) -> pl.DataFrame:
    """The rows of an audit of these metrics that a gate judges.

    With the columns `NAMED`, `EXCUSED` and `TOGETHER`. Without metrics, those are named that have a
    band of the call's own.
    """
    bands = [name for name, band in (given.get("bands") or {}).items() if band is not None]
    named = pl.lit(value=bool(metrics)) | pl.col("metric").is_in(bands)
    judged = answer.with_columns(named.alias(NAMED), _is_excused(answer, given).alias(EXCUSED))
    threshold = given.get("threshold")
    if threshold is not None and is_several(threshold) and not isinstance(threshold, Mapping):
        judged = _each_verdict_once(judged)
    options, _ = options_and_question(given)
    if options.contrast is None:
        return judged
    return with_changes_together(judged, options.confidence, ~pl.col(EXCUSED))


def _is_excused(answer: pl.DataFrame, given: AuditQuestion) -> pl.Expr:
    """Whether a row is compared with nothing by design: the champion's own, or of one window."""
    baseline, champion = given.get("baseline"), given.get("champion")
    if champion is not None:
        return pl.col(MODEL) == champion
    if baseline is None or is_frame(baseline):
        return pl.lit(value=False)
    # A window's name or value is for a single column of `by`, the first of the answer.
    window = pl.col(answer.columns[0])
    # In the order of the type: an Enum's categories have one of their own.
    first = window.drop_nulls().sort().first()
    return window.eq_missing(first if baseline in WORDS else pl.lit(baseline))


def _each_verdict_once(answer: pl.DataFrame) -> pl.DataFrame:
    """An audit at several thresholds, where a metric that needs no decisions has a verdict once.

    It is the same at each threshold, so its row has none.
    """
    names = answer["metric"].unique()
    on_decisions = [
        name for name in names if name not in CATALOGUE or "predicted" in CATALOGUE[name].needs
    ]
    threshold = pl.when(pl.col("metric").is_in(on_decisions)).then(THRESHOLD)
    keys = [*answer.columns[: answer.columns.index("facet") + 3], "metric"]
    return answer.with_columns(threshold.alias(THRESHOLD)).unique(keys, maintain_order=True)


@takes(*OF_AUDIT, *OF_GATE)
def check(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[CheckQuestion],
) -> pl.DataFrame:
    """Return an audit that passes its gate, or raise `OutsideBandError` with the audit.

    It is the gate of the command line: what could not be judged has not passed, nor have groups or
    windows that are missing or new compared with a baseline. The rows are counted immediately, even
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
    ['within']
    >>> q.check("mh_ratio")
    Traceback (most recent call last):
    ...
    polars_fairness.errors.OutsideBandError: fail_on: 1 of 1 verdicts are outside: 'mh_ratio'
    """
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        columns = frame.lazy().collect_schema().keys()
        if columns >= {"metric", "verdict", "rows_seen"}:
            raise FairnessError(
                "frame: check takes rows, got what audit returned; give the rows with the same "
                "arguments, such as check(rows, 'di', facet=...)"
            )
    own, given_to_audit = parted(given, OF_GATE)
    names, audited = under_policy(frame, metrics, cast("AuditQuestion", given_to_audit))
    policy = cast("Policy | None", audited.get("policy"))
    failing = _failing(own["fail_on"])
    largest = own["maximum_within_p_value"]
    has_own = policy is not None and policy.has_gate
    gate = gate_of(
        failing if failing or has_own or largest is not None else ("outside",),
        allow_undefined=own["allow_undefined"],
        maximum_within_p_value=largest,
        unjudged=own["unjudged"],
        policy=policy,
        has_reference=any(audited.get(name) is not None for name in ("champion", "baseline")),
    )
    assert gate is not None
    if gate.needs_equivalence and audited.get("confidence", ...) is None:
        raise FairnessError(
            "maximum_within_p_value: needs intervals; give confidence=, or leave it out"
        )
    audited["equivalence"] = audited.get("equivalence", False) or gate.needs_equivalence
    plans: list[Any] = [audit_with_certainty(frame, *names, **audited)]
    plans += _rates_of_outcomes(frame, names, audited)
    is_lazy = isinstance(plans[0], pl.LazyFrame)
    answer, *rated = pl.collect_all(plans, engine="streaming") if is_lazy else plans
    _, question = options_and_question(audited)
    of_outcomes = [note for each in rated for note in notes_on_outcomes(each, question)]
    judged = judged_rows(answer, names, audited)
    answer = answer.drop(CERTAINTY, strict=False)
    complaint = gate.complaint(judged, has_one_outcome=bool(of_outcomes))
    if complaint is None:
        return answer
    notes = [*of_outcomes, *notes_on_unused(names, question)]
    by_chance = statistics_in_words(judged, question) if gate.judges_verdicts else ()
    raise OutsideBandError("; ".join([complaint, *notes, *by_chance]), answer)


def notes_on_unused(metrics: Sequence[Any], question: Question) -> list[str]:
    """What a gate says of the arguments of a question that no metric uses."""
    unused = unused_arguments("audit", one_by_one(metrics), question)
    return [unused_in_words(name) for name in unused]


def _failing(given: Any) -> tuple[FailOn, ...] | None:
    if given is None:
        return None
    is_several = isinstance(given, list | tuple | set | frozenset)
    words = tuple(given) if is_several else (given,)
    known = ("outside", "uncertain", "worse")
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
    roles = requested(names, read(frame, question).roles)[1]
    binary = {each.role for each in roles.binary_outcomes}
    if not binary:
        return []
    left_out = OF_GROUPS | ({"label", "predicted"} - binary)
    kept = {name: value for name, value in question.items() if name not in left_out}
    return [rates(collected_here(frame), **cast("Question", kept))]

"""The command `audit`: metrics with intervals and verdicts, a report, and the gate."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast
from xml.etree import ElementTree as Xml

import polars as pl

import polars_fairness as pf
from polars_fairness.answers.audit import audit_with_certainty
from polars_fairness.answers.contrasts import CERTAINTY, TOGETHER
from polars_fairness.answers.options import options_and_question
from polars_fairness.api.bound import collected_here, read, under_policy
from polars_fairness.api.requested import requested
from polars_fairness.cli.answers import ended, fit_to_terminal, work_of
from polars_fairness.cli.files import baseline_given
from polars_fairness.cli.options import OF_REPORT
from polars_fairness.cli.own_words import name_options
from polars_fairness.cli.printed import complain, say, time_shown
from polars_fairness.cli.typed import (
    judging_of,
    notes_on_typed_outcomes,
    question_of,
)
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import (
    HARM,
    OF_AUDIT,
    RULE,
    UNJUDGED,
    AuditQuestion,
    refuse_invalid_harm,
)
from polars_fairness.question.policy import FailOn, Policy
from polars_fairness.question.scores import EVERY
from polars_fairness.question.windows import MODEL, THRESHOLD, time_of
from polars_fairness.reporting.answer_tables import OF_CHANGES, Answer, audit_table, terminal_tables
from polars_fairness.reporting.gate import (
    EXCUSED,
    NOT_JUDGED,
    ONE_OUTCOME,
    Gate,
    Reason,
    gate_of,
    judged_rows,
    notes_on_unused,
)
from polars_fairness.reporting.outcome_notes import OF_GROUPS, READ_BY_VALUES, notes_on_values
from polars_fairness.reporting.parts import printable
from polars_fairness.reporting.words import (
    Row,
    band_of,
    change,
    comparison,
    exact,
    exact_band,
    exact_span,
    heading,
    standards_of,
)

_WHY, _KNOWN, _PASSES = (f"{name}\x1f" for name in ("why", "known", "passes"))
_NAME: Final = "polars-fairness"


@dataclass(frozen=True)
class Shown:
    """A verdict, with its change if it has one, as a build server shows it.

    ``failure`` says why it fails the gate; it is empty if it passes. ``is_known`` is False if it
    fails only because something is unknown.
    """

    title: str
    words: str
    failure: str
    is_known: bool
    passes: bool


def shown_verdicts(
    answer: pl.DataFrame, gate: Gate | None, *, has_one_outcome: bool
) -> list[Shown]:
    """What a gate judges in an audit, and a separate line if it fails for all rows together.

    Without a gate, everything is judged, and nothing fails.
    """
    windows = answer.columns[: answer.columns.index("facet")]
    reasons = [*gate.reasons(answer.columns)] if gate else []
    everything: tuple[FailOn, ...] = ("outside", "worse") if "change" in answer else ("outside",)
    judging = gate or Gate(everything, allow_undefined=True)
    marked = answer.filter(judging.judges(answer.columns)).with_columns(
        _any_of(reasons).alias(_WHY),
        _any_of([each for each in reasons if each.is_known]).alias(_KNOWN),
        judging.passes(answer.columns).alias(_PASSES),
    )
    verdicts = [
        Shown(
            _title(row, windows), _verdict_in_words(row), row[_WHY], bool(row[_KNOWN]), row[_PASSES]
        )
        for row in marked.rows(named=True)
    ]
    for name in judging.unjudged_metrics(answer) if gate else ():
        why = f"metric {NOT_JUDGED}" if judging.unjudged == "fail" else ""
        verdicts.append(Shown(name, NOT_JUDGED, why, is_known=False, passes=False))
    if has_one_outcome:
        why = ONE_OUTCOME if gate and gate.refuses_one_outcome else ""
        verdicts.append(Shown("all comparisons", ONE_OUTCOME, why, is_known=False, passes=False))
    return verdicts


def _any_of(reasons: Sequence[Reason]) -> pl.Expr:
    """The words of the reasons for which rows fail; empty for none."""
    words = [pl.when(each.fails).then(pl.lit(f"{each.judged} {each.words}")) for each in reasons]
    return pl.concat_str(words or [pl.lit("")], separator=", ", ignore_nulls=True)


def _title(row: Row, windows: list[str]) -> str:
    """What a verdict is about, with the same words on every day."""
    # A metric that needs no decisions has no threshold.
    known = [name for name in windows if name != THRESHOLD or row[name] is not None]
    return printable(f"{heading(row, known, comparison(row, has_sizes=False))}: {row['metric']}")


def _verdict_in_words(row: Row) -> str:
    beside = standards_of(row)
    has_value = row["value"] is not None
    parts = [f"value {exact(row['value'], beside)}" if has_value else "no value"]
    if bounds := exact_span(row["lower"], row["upper"], beside):
        parts.append(f"interval {bounds}")
    if band := exact_band(band_of(row)):
        parts.append(f"band {band}")
    if "change" in row and not row[EXCUSED]:
        is_alone = row[TOGETHER] != row["change"]
        parts.append(f"change {change(row)}{', which may be by chance' * is_alone}")
        bounds = exact_span(row["difference_lower"], row["difference_upper"], (0,))
        parts.append(
            ", ".join(filter(None, [f"difference {exact(row['difference'], (0,))}", bounds]))
        )
    return printable(f"{row['verdict'] or 'no band'}: {', '.join(parts)}")


def as_junit(verdicts: Sequence[Shown]) -> str:
    """A test suite in the XML of JUnit: what passes the gate for certain, passes.

    A test fails for what fails the gate, and is an error if that is because nothing is known. An
    uncertain verdict that fails no gate is skipped.
    """
    failed = [each for each in verdicts if each.failure]
    errors = sum(not each.is_known for each in failed)
    counts = {
        "tests": len(verdicts),
        "failures": len(failed) - errors,
        "errors": errors,
        "skipped": sum(not each.passes and not each.failure for each in verdicts),
    }
    numbers = {name: str(n) for name, n in counts.items()}
    root = Xml.Element("testsuites", name=_NAME, attrib=numbers)
    suite = Xml.SubElement(root, "testsuite", name=f"{_NAME} audit", attrib=numbers)
    for each in verdicts:
        # Titles are printable, as are no characters that XML forbids.
        names = {"classname": f"{_NAME}.audit", "name": each.title}
        test = Xml.SubElement(suite, "testcase", names)
        if each.failure:
            kind = "failure" if each.is_known else "error"
            Xml.SubElement(test, kind, type=each.failure, message=each.words).text = each.words
        elif not each.passes:
            Xml.SubElement(test, "skipped", message=each.words)
    Xml.indent(root)
    # Of ASCII alone, whatever the encoding of stdout is.
    xml: bytes = Xml.tostring(root, "us-ascii", xml_declaration=True)
    return xml.decode()


def as_annotations(verdicts: Sequence[Shown]) -> str:
    """Annotations of GitHub Actions: errors for what fails the gate, else warnings.

    All that pass share one notice, since GitHub shows only ten of a kind in a step.
    """
    return "".join(f"{line}\n" for line in _annotations(verdicts))


def _annotations(verdicts: Sequence[Shown]) -> Iterator[str]:
    # GitHub drops what comes after the tenth: what fails stands first.
    for each in sorted(verdicts, key=lambda each: not each.failure):
        if not each.passes:
            kind = "error" if each.failure else "warning"
            yield _command(kind, f"{_NAME}: {each.title}", each.words)
    passed = sum(each.passes for each in verdicts)
    yield _command("notice", _NAME, f"{passed} of {len(verdicts)} comparisons pass")


def _command(kind: str, title: str, message: str) -> str:
    escaped = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={escaped}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FOR_BUILD_SERVERS: Final[Mapping[str, Callable[[Sequence[Shown]], str]]] = {
    "junit": as_junit,
    "github": as_annotations,
}


_MOST_GROUPS: Final = 20


def run(typed: Namespace) -> int:
    """Print an audit, write its report, and check the gate."""
    judging = judging_of(vars(typed))
    policy = judging.get("policy")
    gate = _gate(vars(typed), policy)
    with work_of(typed) as work:
        of_report = work.typed(OF_REPORT)
        refuse_invalid_harm(of_report.get(HARM.name))
        decided = policy.decided_question if policy else {}
        rows = work.rows(decided)
        schema = rows.collect_schema()
        given_here = judging | baseline_given(work.arguments, schema)
        given_here |= question_of(work.arguments, schema, policy)
        if gate is not None and gate.needs_equivalence:
            given_here["equivalence"] = True
        names, given = under_policy(
            rows,
            work.arguments.get("metrics", []),
            cast("AuditQuestion", {**work.typed(OF_AUDIT), **given_here}),
        )
        _, question = options_and_question(given)
        rates = _rates(rows, names, given, of_groups=work.format == "table")
        with time_shown():
            # Together, since polars counts cells once that both need: 5 million rows with one
            # facet took 0.29 s of processor time one after the other, and take 0.14 s.
            audited = cast("pl.LazyFrame", audit_with_certainty(rows, *names, **given))
            answer, *rated = pl.collect_all([audited, *rates], engine="streaming")
        one_outcome = notes_on_typed_outcomes(rated, question)
        if one_outcome:
            # Where all rows have one outcome, so has each comparison.
            answer = answer.with_columns(pl.lit(None, pl.String).alias("note"))
        judged = judged_rows(answer, names, given)
        answer = answer.drop(CERTAINTY, strict=False)
        notes, complaint = [*notes_on_values(rows, question), *one_outcome], None
        if gate is not None:
            complaint = gate.complaint(judged, has_one_outcome=bool(one_outcome))
            notes += filter(None, [gate.note(judged), *notes_on_unused(names, question)])
            if complaint is not None and gate.judges_verdicts:
                # Imported here: only a gate that fails needs what pages are made with.
                from polars_fairness.reporting.verdicts import statistics_in_words

                notes += statistics_in_words(judged, question)
        for note in notes:
            complain(name_options(note))
        if work.output is None and work.format in FOR_BUILD_SERVERS:
            verdicts = shown_verdicts(judged, gate, has_one_outcome=bool(one_outcome))
            say(FOR_BUILD_SERVERS[work.format](verdicts))
        else:
            work.show(
                answer,
                lambda: "\n\n".join(
                    (
                        *_tables(judged, _time(rows, given)),
                        *_tables_of_rates(answer, rated, question),
                        *filter(None, ["\n".join(_judged_by(given))]),
                    )
                ),
            )
        work.report(lambda: pf.report(rows, *names, **of_report, **given))
    return ended(complaint)


def _tables(judged: pl.DataFrame, time: str | None) -> Iterator[str]:
    """The values with their verdicts, and below them what changed: a line has no room for both."""
    table = audit_table(Answer("audit", judged), time)
    names = [each.name for each in table.columns[1:]]
    beside = [name for name in names if name in (MODEL, THRESHOLD)]
    changes = [name for name in names if name in OF_CHANGES]
    values = [name for name in names if name not in changes]
    yield fit_to_terminal(replace(table.select(values), notes=table.notes))
    contrasted = judged.filter(~pl.col(EXCUSED))
    if changes and not contrasted.is_empty():
        yield fit_to_terminal(audit_table(Answer("audit", contrasted)).select([*beside, *changes]))


def _gate(arguments: Mapping[str, Any], policy: Policy | None) -> Gate | None:
    gate = gate_of(
        arguments.get("fail_on"),
        allow_undefined="allow_undefined" in arguments,
        maximum_within_p_value=arguments.get("maximum_within_p_value"),
        unjudged=arguments.get("unjudged", UNJUDGED.default),
        policy=policy,
        has_reference=not {"champion", "baseline"}.isdisjoint(arguments),
    )
    if arguments.get("format") == "junit" and gate is None:
        raise FairnessError(
            "--format: junit reports the tests of a gate; add one, such as --fail-on outside"
        )
    return gate


def _time(rows: pl.LazyFrame, given: AuditQuestion) -> str | None:
    """The column up to whose times a sequential audit counts; None for other audits."""
    options, question = options_and_question(given)
    if not options.sequential:
        return None
    windows = read(rows, question).roles.windows
    return windows.by_key[time_of(windows)].name


def _rates(
    rows: pl.LazyFrame, names: Sequence[str], given: AuditQuestion, *, of_groups: bool
) -> list[pl.LazyFrame]:
    """The rates of the outcomes whose positive values the audit needs to know.

    Those of groups stand under the metrics; those of all rows are for the notes. The list is empty
    if there are no such outcomes, or neither is needed.
    """
    _, question = options_and_question(given)
    binary = {each.role for each in requested(names, read(rows, question).roles)[1].binary_outcomes}
    left_out = {"disfavored", "favored"} | {"label", "predicted"} - binary
    if not (of_groups and _has_one_table(question)):
        # One read of few columns, in which no name collides.
        left_out |= OF_GROUPS
        if not READ_BY_VALUES & question.keys():
            return []
    if not binary:
        return []
    of_outcomes = {name: value for name, value in question.items() if name not in left_out}
    hide_below = given.get("hide_below")
    return [pf.rates(collected_here(rows), hide_below=hide_below, **cast("Question", of_outcomes))]


def _has_one_table(question: Question) -> bool:
    """Whether the rates of groups are few, and their facets have names that `rates` can return."""
    facets = cast("list[str]", question.get("facet", []))
    return bool(facets) and ALL not in facets and not _has_many_windows(question)


def _has_many_windows(question: Question) -> bool:
    return "by" in question or question.get("threshold") == EVERY


def _tables_of_rates(
    answer: pl.DataFrame, rated: Sequence[pl.DataFrame], question: Question
) -> Iterator[str]:
    if answer.is_empty():
        return
    if _has_many_windows(question):
        which = "in each window" if "by" in question else "at each threshold"
        yield f"polars-fairness rates shows the rates of groups {which}."
    elif _has_one_table(question):
        for rates in rated:
            yield fit_to_terminal(*terminal_tables(Answer("rates", rates), _MOST_GROUPS))


def _judged_by(given: AuditQuestion) -> Iterator[str]:
    """The rule of the verdicts, unless it is the default, and their policy."""
    rule = given.get("rule", RULE.default)
    if isinstance(rule, Mapping):
        by_metric = [f"{printable(name)} {each}" for name, each in rule.items()]
        if by_metric:
            yield f"rule: {', '.join(by_metric)}; else {RULE.default}"
    elif rule != RULE.default:
        yield f"rule: {rule}"
    if policy := given.get("policy"):
        yield f"policy: {printable(policy)}"

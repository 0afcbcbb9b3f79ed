"""Verdicts in the formats of build servers: red there is what fails the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as Xml

import polars as pl

from polars_fairness.cli.gate import ONE_OUTCOME, Gate
from polars_fairness.cli.words import Row, comparison, heading, interval, number, span, verdict
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.words import band_of
from polars_fairness.reporting.writable import writable

_REASONS: Final = "reasons\x1f"
_NAME: Final = "polars-fairness"


@dataclass(frozen=True)
class Shown:
    """A verdict as a build server shows it.

    ``failure`` says why it fails the gate; it is empty if it does not.
    """

    title: str
    words: str
    failure: str
    is_undefined: bool
    is_fair: bool


def shown_verdicts(
    answer: pl.DataFrame, gate: Gate | None, *, has_one_outcome: bool
) -> list[Shown]:
    """The verdicts of an audit, and a line of its own for a gate that fails for all rows."""
    windows = answer.columns[: answer.columns.index("facet")]
    reasons = gate.reasons() if gate else {}
    why = pl.concat_str(
        [pl.when(fails).then(pl.lit(words)) for words, fails in reasons.items()] or [pl.lit("")],
        separator=", ",
        ignore_nulls=True,
    )
    rows = answer.drop_nulls("verdict").with_columns(why.alias(_REASONS)).rows(named=True)
    found = [
        Shown(
            _title(row, windows),
            _in_words(row),
            row[_REASONS],
            row["verdict"] == "undefined",
            row["verdict"] == "fair",
        )
        for row in rows
    ]
    if has_one_outcome:
        fails = gate is not None and gate.refuses_one_outcome
        why_all = ONE_OUTCOME if fails else ""
        found.append(
            Shown("all comparisons", ONE_OUTCOME, why_all, is_undefined=True, is_fair=False)
        )
    return found


def _title(row: Row, windows: list[str]) -> str:
    """What a verdict is about, with the same words on every day."""
    sides = {name: value for name, value in row.items() if not name.startswith("n_")}
    # A metric that needs no decisions has no threshold.
    known = [name for name in windows if name != THRESHOLD or row[name] is not None]
    return f"{heading(row, known, comparison(sides))}: {row['metric']}"


def _in_words(row: Row) -> str:
    parts = [f"value {number(row['value'])}" if row["value"] is not None else "no value"]
    if bounds := interval(row):
        parts.append(f"interval {bounds}")
    parts.append(f"band {span(band_of(row))}")
    return f"{verdict(row)}: {', '.join(parts)}"


def as_junit(verdicts: list[Shown]) -> str:
    """A test suite in the XML of JUnit: a test passes if its verdict is fair.

    A test fails for what fails the gate, and what is undefined is an error. What is neither fair
    nor fails the gate is skipped: it has not passed, and fails no build.
    """
    failed = [each for each in verdicts if each.failure]
    errors = sum(each.is_undefined for each in failed)
    counts = {
        "tests": len(verdicts),
        "failures": len(failed) - errors,
        "errors": errors,
        "skipped": sum(not each.is_fair and not each.failure for each in verdicts),
    }
    numbers = {name: str(n) for name, n in counts.items()}
    root = Xml.Element("testsuites", name=_NAME, attrib=numbers)
    suite = Xml.SubElement(root, "testsuite", name=f"{_NAME} audit", attrib=numbers)
    for each in verdicts:
        test = Xml.SubElement(
            suite, "testcase", classname=f"{_NAME}.audit", name=writable(each.title)
        )
        words = writable(each.words)
        if each.failure:
            kind = "error" if each.is_undefined else "failure"
            Xml.SubElement(test, kind, type=each.failure, message=words).text = words
        elif not each.is_fair:
            Xml.SubElement(test, "skipped", message=words)
    Xml.indent(root)
    # Of ASCII alone, whatever the encoding of stdout is.
    xml: bytes = Xml.tostring(root, "us-ascii", xml_declaration=True)
    return xml.decode()


def as_annotations(verdicts: list[Shown]) -> str:
    """Annotations of GitHub Actions: errors for what fails the gate, else warnings.

    What is fair is one notice together, since GitHub shows ten of a kind in a step.
    """
    return "".join(f"{line}\n" for line in _annotations(verdicts))


def _annotations(verdicts: list[Shown]) -> Iterator[str]:
    # GitHub drops what comes after the tenth: what fails stands first.
    for each in sorted(verdicts, key=lambda each: not each.failure):
        if each.failure:
            yield _command("error", f"{_NAME}: {each.title}", each.words)
        elif not each.is_fair:
            yield _command("warning", f"{_NAME}: {each.title}", each.words)
    fair = sum(each.is_fair for each in verdicts)
    yield _command("notice", _NAME, f"{fair} of {len(verdicts)} verdicts are fair")


def _command(kind: str, title: str, message: str) -> str:
    escaped = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={escaped}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FOR_BUILD_SERVERS: Final[Mapping[str, Callable[[list[Shown]], str]]] = {
    "junit": as_junit,
    "github": as_annotations,
}

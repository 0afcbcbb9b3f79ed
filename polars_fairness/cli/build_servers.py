"""Verdicts in the formats of build servers: red there is what fails the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as Xml

import polars as pl

from polars_fairness.answers.contrasts import TOGETHER
from polars_fairness.question.policy import FailOn
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.gate import EXCUSED, ONE_OUTCOME, Gate, Reason
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
    verdict,
)

_WHY, _KNOWN, _PASSES = (f"{name}\x1f" for name in ("why", "known", "passes"))
_NAME: Final = "polars-fairness"


@dataclass(frozen=True)
class Shown:
    """A verdict, with its change if it has one, as a build server shows it.

    ``failure`` says why it fails the gate; it is empty if it does not. ``is_known`` is whether
    something is known that fails the gate, and not only unknown what does not.
    """

    title: str
    words: str
    failure: str
    is_known: bool
    passes: bool


def shown_verdicts(
    answer: pl.DataFrame, gate: Gate | None, *, has_one_outcome: bool
) -> list[Shown]:
    """What a gate judges in an audit, and a line of its own if it fails for all rows together.

    Without a gate, everything is judged, and nothing fails.
    """
    windows = answer.columns[: answer.columns.index("facet")]
    reasons = [*gate.reasons(answer.columns)] if gate else []
    everything: tuple[FailOn, ...] = ("unfair", "worse") if "change" in answer else ("unfair",)
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
    return printable(f"{verdict(row) or 'no verdict'}: {', '.join(parts)}")


def as_junit(verdicts: Sequence[Shown]) -> str:
    """A test suite in the XML of JUnit: what passes the gate for certain, passes.

    A test fails for what fails the gate, and is an error if that is because nothing is known. What
    may or may not be fair, and fails no gate, is skipped.
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

    What passes is one notice together, since GitHub shows ten of a kind in a step.
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

"""Answers as OpenMetrics, read by the parsers of Prometheus' own client."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polars_fairness.cli.formats import as_openmetrics
from tests.cli.loans import GAP, LOANS, SEX, answer_of
from tests.conftest import Run

Sample = tuple[str, frozenset[tuple[str, str]]]

AUDIT = ["audit", "loans.parquet", *SEX, *GAP]


def samples_of(text: str) -> dict[Sample, float]:
    """The samples of a text that both formats of Prometheus allow; each is there once."""
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as strict
    from prometheus_client.parser import text_string_to_metric_families as loose

    families = list(strict(text))
    assert all(family.type == "gauge" and family.documentation for family in families)
    samples = [each for family in families for each in family.samples]
    of_textfile = [each for family in loose(text) for each in family.samples]
    assert [each[:3] for each in samples] == [each[:3] for each in of_textfile]
    found = {(each.name, frozenset(each.labels.items())): each.value for each in samples}
    assert len(found) == len(samples)
    return found


def values(samples: dict[Sample, float], name: str, *without: str) -> dict[frozenset[str], float]:
    return {
        frozenset(text for label, text in labels if label not in without): value
        for (family, labels), value in samples.items()
        if family == f"polars_fairness_{name}"
    }


@pytest.mark.extras
def test_numbers_of_an_audit_are_gauges(run: Run) -> None:
    """1 of 4 women and 3 of 4 men are approved, and in branch s no woman."""
    LOANS.filter(pl.col("sex").is_not_null()).write_parquet("loans.parquet")
    code, out, err = run(*AUDIT, "--by", "branch", "--favored", "M", "--format", "openmetrics")
    assert (code, err) == (0, "")
    found = samples_of(out)
    sides = {"sex", "F", "M"}
    assert values(found, "audit_value") == {
        frozenset({*sides, "n", "dppl"}): 0.5,
        frozenset({*sides, "n", "di"}): 0.5,
        frozenset({*sides, "s", "dppl"}): 0.5,
        frozenset({*sides, "s", "di"}): 0.0,
    }
    assert values(found, "audit_band_lower")[frozenset({*sides, "s", "di"})] == 0.8
    assert values(found, "audit_lower") == {}
    held = {labels for labels, value in values(found, "audit_verdict").items() if value == 1}
    assert held == {
        frozenset({*sides, branch, metric, "outside"})
        for branch in "ns"
        for metric in ("dppl", "di")
    }
    # Five words of four verdicts.
    assert len(values(found, "audit_verdict")) == 20


@pytest.mark.extras
def test_an_answer_without_rows_is_an_end(run: Run) -> None:
    assert run(*AUDIT, "--where", "age > 9", "--format", "openmetrics") == (0, "# EOF\n", "")


@pytest.mark.extras
@given(
    st.lists(st.text(min_size=1), min_size=1, max_size=3, unique=True),
    st.lists(st.none() | st.text(), min_size=2, max_size=4),
)
def test_any_names_and_values_are_labels_that_differ(
    windows: list[str], texts: list[str | None]
) -> None:
    rows = answer_of({"value": [*map(float, range(len(texts)))]})
    free = [name for name in windows if name not in rows.columns]
    answer = rows.select(*(pl.Series(name, texts, pl.String) for name in free), pl.all())
    found = samples_of(as_openmetrics(answer, "audit"))
    of_values = [
        (dict(labels), number)
        for (name, labels), number in found.items()
        if name.endswith("_value")
    ]
    assert sorted(number for _, number in of_values) == list(range(len(texts)))
    for labels, number in of_values:
        text = texts[int(number)]
        if text:
            assert [*labels.values()].count(text) >= len(free)

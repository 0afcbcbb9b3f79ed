"""A report as a part of a model card: metadata that Hugging Face reads, and a section of Markdown.

The metadata are described at https://huggingface.co/docs/hub/model-cards#model-card-metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isinf
from typing import Any, Final

from polars_fairness.question.document_arguments import Texts
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.document import document_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import judged_metrics
from polars_fairness.reporting.outputs.markdown import section_in_markdown
from polars_fairness.reporting.parts import Section, writable
from polars_fairness.reporting.shown_comparisons import comparisons_shown
from polars_fairness.reporting.words import comparison_in_words

# JSON allows these in a text, where YAML ends the line or reads no further.
_NOT_IN_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def model_card(findings: Findings, texts: Texts) -> str:
    """The values that have a band as metadata, and the first page as a section."""
    document = document_of(findings, texts)
    section = Section(
        f"Fairness: {document.title}", (*document.details, *document.first, *document.last)
    )
    # At several thresholds there would be as many results as the audit has rows.
    metrics = (
        {} if findings.is_swept else _metrics_by_model(findings, texts.get("model", document.title))
    )
    lines = [*_front_matter(metrics, texts.get("subject", document.title))] if metrics else []
    return "\n".join([*lines, section_in_markdown(section), ""])


def _metrics_by_model(findings: Findings, name: str) -> dict[str, list[dict[str, Any]]]:
    """The type, name and value of each metric, by model: the name is that of an only one."""
    metrics: dict[str, list[dict[str, Any]]] = {}
    judged = judged_metrics(findings)
    for comparison in comparisons_shown(findings):
        model = dict(comparison.window).get(MODEL, name)
        for found in _metrics_of(comparison, findings, judged):
            metrics.setdefault(str(model), []).append(found)
    return metrics


def _metrics_of(
    comparison: Comparison, findings: Findings, judged: list[str]
) -> Iterator[dict[str, Any]]:
    for row in comparison.table.iter_rows(named=True):
        if row["metric"] in judged and row["value"] is not None:
            name = f"{findings.metric(row['metric']).title}, {comparison_in_words(comparison)}"
            yield {"type": row["metric"], "name": name, "value": row["value"]}


def _front_matter(metrics: dict[str, list[dict[str, Any]]], dataset: str) -> Iterator[str]:
    yield from ("---", "model-index:")
    for model, of_model in metrics.items():
        yield f"- name: {_in_yaml(model)}"
        yield from ("  results:", "  - task:", "      type: tabular-classification")
        yield from ("    dataset:", "      type: tabular", f"      name: {_in_yaml(dataset)}")
        yield "    metrics:"
        for metric in of_model:
            first, *others = (f"{key}: {_in_yaml(value)}" for key, value in metric.items())
            yield f"    - {first}"
            yield from (f"      {line}" for line in others)
    yield from ("---", "")


def _in_yaml(value: str | float) -> str:
    """A value as YAML: a text in double quotes on one line, or a number."""
    if isinstance(value, str):
        text = json.dumps(writable(value), ensure_ascii=False)
        return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    if isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(float(value))
    # Without a dot, PyYAML takes 1e-07 for a text.
    return text if "." in text else text.replace("e", ".0e")

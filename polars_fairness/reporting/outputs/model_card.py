"""A report as a part of a model card of Hugging Face: metadata, and the first page as Markdown."""

from __future__ import annotations

import json
import re

import polars as pl

from polars_fairness.question.document_arguments import Texts
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.document import document_of
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.lead_metrics import judged_metrics
from polars_fairness.reporting.outputs.markdown import section_in_markdown
from polars_fairness.reporting.parts import Section, writable
from polars_fairness.reporting.shown_comparisons import comparisons_shown
from polars_fairness.reporting.words import comparison_in_words


def model_card(findings: Findings, texts: Texts) -> str:
    """The values that have a band as metadata, and the first page as a section."""
    page = document_of(findings, texts)
    section = Section(f"Fairness: {page.title}", (*page.details, *page.first, *page.last))
    # At several thresholds there would be as many results as the audit has rows.
    metadata = "" if findings.is_swept else _metadata(findings, {"title": page.title, **texts})
    return f"{metadata}{section_in_markdown(section)}\n"


def _metadata(findings: Findings, texts: dict[str, str]) -> str:
    metrics: dict[str, list[str]] = {}
    is_judged = pl.col("metric").is_in(judged_metrics(findings)) & pl.col("value").is_finite()
    for each in comparisons_shown(findings):
        model = str(dict(each.window).get(MODEL, texts.get("model", texts["title"])))
        for row in each.table.filter(is_judged).iter_rows(named=True):
            name = f"{findings.metric(row['metric']).title}, {comparison_in_words(each)}"
            keys = f"type: {_in_yaml(row['metric'])}, name: {_in_yaml(name)}"
            # In digits: PyYAML takes 1e-07 for a text.
            metrics.setdefault(model, []).append(f"    - {{{keys}, value: {row['value']:.15f}}}")
    dataset = _in_yaml(texts.get("subject", texts["title"]))
    lines = ["---", "model-index:"]
    for model, found in metrics.items():
        task, of = "type: tabular-classification", f"type: tabular, name: {dataset}"
        lines += [f"- name: {_in_yaml(model)}", "  results:", f"  - task: {{{task}}}"]
        lines += [f"    dataset: {{{of}}}", "    metrics:", *found]
    return "\n".join([*lines, "---", "", ""]) if metrics else ""


def _in_yaml(text: str) -> str:
    """A text in double quotes, on one line also for YAML."""
    words = json.dumps(writable(text), ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", words)

"""The audit as one flat dictionary, for experiment trackers."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version

from polars_fairness.answers.contrasts import CONTRAST
from polars_fairness.question.document_arguments import Texts
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.outputs.records import SCHEMA, identity_of
from polars_fairness.reporting.words import value_in_words


def flattened(findings: Findings, texts: Texts) -> dict[str, float | str]:
    """Every number and verdict of the audit by a key of its own."""
    # Trackers refuse the `$` of JSON's own `$schema` in a key.
    flat: dict[str, float | str] = {
        SCHEMA: identity_of("report"),
        "package/version": version("polars-fairness"),
        **({} if findings.digest is None else {"data/digest": findings.digest}),
        **{f"about/{name}": text for name, text in texts.items()},
    }
    if policy := findings.policy:
        flat |= {f"policy/{key}": getattr(policy, key) for key in ("name", "version", "hash")}
    times: Counter[str] = Counter()
    for comparison in findings.comparisons():
        for row in comparison.table.iter_rows(named=True):
            key = _key(row["metric"], comparison)
            times[key] += 1
            if times[key] > 1:
                # The groups ("A & B", "C") and ("A", "B & C") have the same text.
                key = f"{key}#{times[key]}"
            # Some trackers store each key as a file: `key/lower` would be a file in a file.
            entries = {
                key: row["value"],
                f"lower/{key}": row["lower"],
                f"upper/{key}": row["upper"],
                f"verdict/{key}": row["verdict"],
                **{f"{name}/{key}": row.get(name) for name in CONTRAST},
            }
            flat |= {name: value for name, value in entries.items() if value is not None}
    return flat


def _key(metric: str, comparison: Comparison) -> str:
    sides = [comparison.facet, comparison.disfavored]
    parts = [metric, *(part for part in sides if part is not None)]
    windows = [_window(name, value) for name, value in comparison.window]
    return "/".join([*map(_escaped, parts), *windows])


def _window(name: str, value: object) -> str:
    column = _escaped(name).replace("=", "%3D")
    return column if value is None else f"{column}={_escaped(value_in_words(value))}"


def _escaped(part: str) -> str:
    return part.replace("%", "%25").replace("/", "%2F").replace("#", "%23")

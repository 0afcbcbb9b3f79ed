"""Clarify's metrics by the formulas on its pages; `smclarify` has those of its package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from polars_fairness.catalogue.data import METRICS as OF_DATA
from polars_fairness.catalogue.dialects.entries import Row, Tool, chosen
from polars_fairness.catalogue.dialects.smclarify import TOOL as PACKAGE
from polars_fairness.catalogue.performance import METRICS as OF_ERRORS
from polars_fairness.catalogue.population import METRICS as OF_ALL
from polars_fairness.catalogue.selection import METRICS as OF_SELECTION
from polars_fairness.formula.formulas import Formula, across_strata
from polars_fairness.formula.sides import both_i
from polars_fairness.formula.tree import Expression

NULL: Final = "a quotient by 0 that the page does not define is null"

_OURS: Final = {metric.name: metric for metric in (*OF_DATA, *OF_SELECTION, *OF_ERRORS, *OF_ALL)}
_NAMES: Final = (
    "CI", "DPL", "KL", "JS", "LP", "TVD", "KS", "CDDL", "DPPL", "DI", "DCAcc", "DCR", "SD", "RD",
    "DAR", "DRR", "AD", "GE",
)  # fmt: skip
_LIKE_OURS: Final = ("range", "ideal", "sign", "above", "below", "reading")


def _as_ours() -> Iterator[Row]:
    """The metrics whose page has our formula."""
    for name in _NAMES:
        metric = _OURS[name.lower()]
        yield Row(
            name, metric.title, metric.definition, metric.formula, metric.name, NULL,
            **{each: getattr(metric, each) for each in _LIKE_OURS},
        )  # fmt: skip


def _treatment_equality(version: Literal["now", "earlier"] = "now") -> Expression | Formula:
    versions = {"now": _OURS["te"].formula, "earlier": _OURS["te_inverse"].formula}
    return chosen("version", version, versions)


_shares: Final = (
    both_i.rejected / both_i.rejected.sum() - both_i.accepted / both_i.accepted.sum()
)  # fmt: skip

TOOL: Final = Tool(
    name="clarify",
    title="Amazon SageMaker Clarify",
    version="1.0",
    page="https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-detect-post-training-bias.html",
    rows=(
        *_as_ours(),
        Row(
            "TE", "Treatment equality",
            "fn_d/fp_d − fn_a/fp_a; in its earlier version fp_a/fn_a − fp_d/fn_d",
            _treatment_equality, "te",
            "the page had another formula once, version='earlier'", NULL,
        ),
        Row(
            "CDDPL", "Conditional demographic disparity in predicted labels, as printed",
            "Σ nᵢ·(rejectedᵢ/rejected − acceptedᵢ/accepted) / Σ nᵢ over the subgroups i",
            across_strata((both_i.n * _shares).sum() / both_i.n.sum()), "cdd_shares",
            "what is printed has no facet in it; smclarify.CDDPL compares d inside subgroups",
            range=(-1, 1), sign=0,
        ),
    ),
    columns=PACKAGE.columns,
    takes_weights=False,
    reasons={"FT": "it compares individuals by their features; pf.fliptest is this metric"},
)  # fmt: skip

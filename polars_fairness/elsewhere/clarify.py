"""Clarify's metrics by the formulas on its pages; `smclarify` has those of its package."""

from __future__ import annotations

from typing import Final, Literal

from polars_fairness.elsewhere.entries import SPAN, Row, Tool, chosen
from polars_fairness.elsewhere.smclarify import OURS
from polars_fairness.elsewhere.smclarify import TOOL as PACKAGE
from polars_fairness.formula.formulas import Formula, across_strata
from polars_fairness.formula.sides import both_i
from polars_fairness.formula.tree import Expression

NULL: Final = "a quotient by 0 that the page does not define is null"
# The metrics whose page has our formula.
_NAMES: Final = "CI DPL KL JS LP TVD KS CDDL DPPL DI DCAcc DCR SD RD DAR DRR AD GE"
_LIKEOURS: Final = ("title", "range", "ideal", "sign", "above", "below", "reading")


def _treatment_equality(version: Literal["now", "earlier"] = "now") -> Expression | Formula:
    versions = {"now": OURS["te"].formula, "earlier": OURS["te_inverse"].formula}
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
        *(
            Row(name, ours.definition, ours.formula, ours.name, NULL,
                **{each: getattr(ours, each) for each in _LIKEOURS})
            for name in _NAMES.split() for ours in (OURS[name.lower()],)
        ),
        Row("TE", "fn_d/fp_d − fn_a/fp_a; in its earlier version fp_a/fn_a − fp_d/fn_d",
            _treatment_equality, "te", "the page had another formula once, version='earlier'", NULL,
            title=OURS["te"].title),
        Row("CDDPL", "Σ nᵢ·(rejectedᵢ/rejected − acceptedᵢ/accepted) / Σ nᵢ over the strata i",
            across_strata((both_i.n * _shares).sum() / both_i.n.sum()), "cdd_shares",
            "what is printed has no facet in it; smclarify.CDDPL compares d within strata",
            title="Conditional demographic disparity in predicted labels, as printed",
            **SPAN, sign=0),
    ),
    columns=PACKAGE.columns,
    takes_weights=False,
    without={"it compares individuals by their features; pf.fliptest is this metric": "FT"},
)  # fmt: skip

"""Aequitas' rates of a group, our d, over those of its reference group, our a; and its verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_
from typing import Any, Final

from polars_fairness.elsewhere.entries import RATIO, Row, Tool, Written, number, rows
from polars_fairness.errors import require_number
from polars_fairness.formula.sides import a, d
from polars_fairness.formula.tree import INFINITY, Expression, choose, known

NAN: Final = "a rate of no rows is nan"
REFERENCE: Final = "over the reference group, our a; favored=pf.LARGEST is its default"

# Function, number, contrast, 0/0, the nearest metric here.
_OF_GROUPS: Final = """
pprev           selection_rate      d     nan -
precision       ppv                 d     nan -
fdr             fdr                 d     nan -
for             false_omission_rate d     nan -
fpr             fpr                 d     nan -
fnr             fnr                 d     nan -
tpr             tpr                 d     nan -
tnr             tnr                 d     nan -
npv             npv                 d     nan -
prev            base_rate           d     nan -
accuracy        accuracy            d     nan -
pp              accepted            count -   -
pn              rejected            count -   -
tp              tp                  count -   -
fp              fp                  count -   -
fn              fn                  count -   -
tn              tn                  count -   -
group_label_pos positive            count -   -
group_label_neg negative            count -   -
group_size      n                   count -   -
k               accepted            sum   -   -
total_entities  n                   sum   -   -
"""
_OURS: Final = {
    name: word
    for name, word, contrast, *_ in map(str.split, _OF_GROUPS.strip().splitlines())
    if contrast == "d"
}
_PARITIES: Final = {
    "Statistical Parity": "ppr",
    "Impact Parity": "pprev",
    **{
        f"{name.upper()} Parity": name for name in ("fdr", "fpr", "for", "fnr", "tpr", "tnr", "npv")
    },
    "Precision Parity": "precision",
}
_OF_TWO: Final = {
    "TypeI Parity": ("FDR Parity", "FPR Parity"),
    "TypeII Parity": ("FOR Parity", "FNR Parity"),
    "Equalized Odds": ("FPR Parity", "TPR Parity"),
    "Unsupervised Fairness": ("Statistical Parity", "Impact Parity"),
    "Supervised Fairness": ("TypeI Parity", "TypeII Parity"),
}


def _disparity(name: str, fill_divbyzero: float) -> Expression:
    # The shares of all acceptances differ from their numbers by one divisor.
    of = number(_OURS.get(name, "accepted"))
    quotient = known(of(d) / of(a))
    return choose(quotient.abs() == INFINITY, fill_divbyzero, quotient)


def _disparity_formula(name: str) -> Written:
    return lambda fill_divbyzero=10.0: _disparity(
        name, require_number("fill_divbyzero", fill_divbyzero)
    )


def _is_fair(name: str, tau: float) -> Expression:
    """Whether it is fair: of two verdicts that both are; unknown only if both are unknown."""
    if name in _PARITIES:
        disparity = _disparity(_PARITIES[name], 10.0)
        return (disparity >= tau) & (disparity <= (1 / tau if tau else INFINITY))
    verdicts = [_is_fair(each, tau) for each in _OF_TWO[name]]
    one, other = (each & ~each.is_null() for each in verdicts)
    return choose(~reduce(and_, (each.is_null() for each in verdicts)), one & other) == 1


def _verdict_formula(name: str) -> Written:
    return lambda tau=0.8: _is_fair(
        name, require_number("tau", tau, "a number from 0 to 1", least=0, most=1)
    )


def _disparity_rows() -> Iterator[Row]:
    for name in _PARITIES.values():
        compared = number(_OURS.get(name, "accepted"))
        # Whether a high value is good for d, the rates of decisions do not show.
        sign: dict[str, Any] = {"sign": 0} if name in ("precision", "fdr", "for", "npv") else {}
        yield Row(
            f"{name}_disparity", f"{compared.side_symbol('d')} / {compared.side_symbol('a')}",
            _disparity_formula(name),
            "di" if name == "pprev" else "", REFERENCE, "x/0 is 10, 0/0 is nan", NAN,
            **RATIO, acceptable=(0.8, 1.25), **sign,
        )  # fmt: skip


def _verdict_rows() -> Iterator[Row]:
    for name in (*_PARITIES, *_OF_TWO):
        definition, own = (
            (f"τ ≤ {_PARITIES[name]}_disparity ≤ 1/τ, τ = 0.8", "unknown if the disparity is nan")
            if name in _PARITIES
            else (" and ".join(_OF_TWO[name]), "false if one is unknown, unknown if both are")
        )
        yield Row(
            name, definition, _verdict_formula(name), "",
            "1 if it is fair, 0 if not", own, REFERENCE,
            shorts=(name.lower().replace(" ", "_"),), range=(0, 1), ideal=1, sign=0,
            has_interval=False, only_named=True,
        )  # fmt: skip


TOOL: Final = Tool(
    name="aequitas",
    title="Aequitas",
    version="1.1.0",
    page="https://dssg.github.io/aequitas/metrics.html",
    rows=(*rows(_OF_GROUPS, {"nan": (NAN,)}), *_disparity_rows(), *_verdict_rows()),
    without={
        "it is a share of the acceptances of all rows, whichever the sides; rates has the counts, "
        "and aequitas.ppr_disparity compares the shares": "ppr"
    },
    columns={
        "facet": "attribute_name",
        "value": "attribute_value",
        "n": "group_size",
        **{word: name for name, word in _OURS.items()},
    },
    takes_weights=False,
)

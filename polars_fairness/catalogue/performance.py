"""Accuracy and errors: two sides, labels and predictions."""

from __future__ import annotations

from itertools import starmap
from typing import Any, Final

from polars_fairness.catalogue.wording import AIF360, CLARIFY, HOLISTICAI, sentences
from polars_fairness.formula.formulas import over_labels
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.sides import RATES, a, a_v, d, d_v
from polars_fairness.formula.tree import choose, ratio, term, unbounded_ratio

# Name, title, rate or quotient of counts, its first side, what a value above 0 says, source.
_Row = tuple[str, str, str, str, str, str, dict[str, Any]]


def _apart(
    name: str, title: str, of: str, first: str, above: str, source: str, more: dict[str, Any]
) -> Metric:
    """The difference of the two sides in a rate, or in a quotient of counts."""
    words = of.split("/")
    symbols = [RATES[word].symbol if word in RATES else word for word in words]
    sides = (a, d) if first == "a" else (d, a)
    counts = [[term(f"{side.name}.{word}") for word in words] for side in sides]
    one, other = (each[0] if len(each) == 1 else unbounded_ratio(*each) for each in counts)
    entry: dict[str, Any] = {
        "formula": one - other,
        "definition": " − ".join(
            "/".join(f"{each}_{side.name}" for each in symbols) for side in sides
        ),
        "range": (-1, 1) if len(words) == 1 else ANY,
        **sentences(above),
    }
    return Metric(name, title, source=source, **entry | more)


_BY_CLARIFY: Final[tuple[_Row, ...]] = (
    ("dcacc", "Difference in conditional acceptance", "positive/accepted", "a",
     "{a} is {accepted} less than its labels suggest, compared with {d}", CLARIFY, {}),
    ("dcr", "Difference in conditional rejection", "negative/rejected", "d",
     "{a} is {rejected} more than its labels suggest, compared with {d}", CLARIFY, {}),
    ("sd", "Specificity difference", "tnr", "d",
     "{a} is wrongly {accepted} more often than {d}", f"{CLARIFY}, {HOLISTICAI}",
     {"aliases": ("fpr_difference",), "definition": "tnr_d − tnr_a = fpr_a − fpr_d",
      "titles": {"fpr_difference": "False positive rate difference"}}),
    ("rd", "True positive rate difference", "tpr", "a",
     "{qualified} members of {a} are {accepted} more often than {qualified} members of {d}",
     f"{CLARIFY}, {HOLISTICAI}",
     {"aliases": ("equal_opportunity_difference",), "acceptable": (-0.1, 0.1)}),
    ("dar", "Positive predictive value difference", "ppv", "a",
     "{an acceptance} is right more often in {a} than in {d}", CLARIFY, {}),
    ("drr", "Negative predictive value difference", "npv", "d",
     "{a rejection} is right more often in {d} than in {a}", CLARIFY, {}),
    ("ad", "Accuracy difference", "accuracy", "a",
     "predictions are right more often for {a} than for {d}", f"{CLARIFY}, {HOLISTICAI}",
     {"aliases": ("accuracy_difference",)}),
    ("te", "Treatment equality", "fn/fp", "d",
     "{d} has more wrong {rejections} per wrong {acceptance} than {a}", CLARIFY, {}),
    ("te_inverse", "Treatment equality, earlier form", "fp/fn", "a",
     "{a} has more wrong {acceptances} per wrong {rejection} than {d}", CLARIFY, {}),
)  # fmt: skip
_BY_AIF360: Final[tuple[_Row, ...]] = (
    ("fdr_difference", "False discovery rate difference", "fdr", "a",
     "{an acceptance} is wrong more often in {a} than in {d}", AIF360, {}),
    ("for_difference", "False omission rate difference", "false_omission_rate", "a",
     "{a rejection} is wrong more often in {a} than in {d}", AIF360, {}),
    ("fnr_difference", "False negative rate difference", "fnr", "a",
     "{qualified} members of {a} are {rejected} more often than {qualified} members of {d}",
     AIF360, {}),
)  # fmt: skip

METRICS: Final = (
    *starmap(_apart, _BY_CLARIFY),
    Metric(name="average_odds_difference", title="Average odds difference",
        formula=((a.tpr - d.tpr) + (a.fpr - d.fpr)) / 2,
        definition="((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2", range=(-1, 1), acceptable=(-0.1, 0.1),
        **sentences("at equal labels, {a} is {accepted} more often than {d}"), source=HOLISTICAI),
    Metric(name="average_abs_odds_difference", title="Average absolute odds difference",
        formula=((a.tpr - d.tpr).abs() + (a.fpr - d.fpr).abs()) / 2,
        definition="(|tpr_a − tpr_d| + |fpr_a − fpr_d|) / 2", range=(0, 1), sign=0,
        **sentences(
            above="at equal labels, the sides are {accepted} at different rates", below="impossible"
        ),
        source=AIF360),
    Metric(name="confusion_distance", title="Confusion distance",
        formula=over_labels(
            ratio(
                # For a class that one side never has, the share in it is null.
                (a_v.share - d_v.share).abs().sum() / 2,
                choose(~d_v.share.is_null(), a_v.share).sum().round(),
            ),
            "both",
        ),
        definition="½ Σ|P_a(i|j) − P_d(i|j)| over predicted classes i and observed classes j that "
        "both sides have, divided by the number of these j",
        range=(0, 1), sign=0, only_named=True,
        above="at equal labels, the sides are predicted differently", below="impossible",
        source=HOLISTICAI),
    Metric(name="disparity_change", title="Change in disparity from labels to predictions",
        formula=(a.selection_rate - d.selection_rate) - (a.base_rate - d.base_rate),
        definition="(q'a − q'd) − (q_a − q_d)", range=(-2, 2),
        **sentences("{a} is {accepted} more than its labels suggest, compared with {d}"),
        source=CLARIFY),
    *starmap(_apart, _BY_AIF360),
    Metric(name="predictive_value_difference", title="Average predictive value difference",
        formula=((a.ppv - d.ppv) + (a.false_omission_rate - d.false_omission_rate)) / 2,
        definition="((ppv_a − ppv_d) + (for_a − for_d)) / 2", range=(-1, 1), sign=0,
        **sentences("at equal decisions, {a} turns out {qualified} more often than {d}"),
        source=AIF360),
)  # fmt: skip

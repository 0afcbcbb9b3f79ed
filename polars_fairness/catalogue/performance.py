"""Accuracy and errors: two sides, labels and predictions."""

from __future__ import annotations

from typing import Final

from polars_fairness.catalogue.sources import AIF360, CLARIFY, HOLISTICAI
from polars_fairness.catalogue.wording import in_words
from polars_fairness.formula.arithmetic import ratio, unbounded_ratio
from polars_fairness.formula.formulas import over_labels
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.sides import a, a_v, d, d_v
from polars_fairness.formula.tree import choose

METRICS: Final = (
    Metric(
        name="dcacc",
        title="Difference in conditional acceptance",
        formula=unbounded_ratio(a.positive, a.accepted) - unbounded_ratio(d.positive, d.accepted),
        definition="positive_a/accepted_a − positive_d/accepted_d",
        latex=r"\frac{\mathrm{positive}_a}{\mathrm{accepted}_a} - "
        r"\frac{\mathrm{positive}_d}{\mathrm{accepted}_d}",
        range=ANY,
        **in_words(
            above="{a} is {accepted} less than its labels suggest, compared with {d}",
            below="{d} is {accepted} less than its labels suggest, compared with {a}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="dcr",
        title="Difference in conditional rejection",
        formula=unbounded_ratio(d.negative, d.rejected) - unbounded_ratio(a.negative, a.rejected),
        definition="negative_d/rejected_d − negative_a/rejected_a",
        latex=r"\frac{\mathrm{negative}_d}{\mathrm{rejected}_d} - "
        r"\frac{\mathrm{negative}_a}{\mathrm{rejected}_a}",
        range=ANY,
        **in_words(
            above="{a} is {rejected} more than its labels suggest, compared with {d}",
            below="{d} is {rejected} more than its labels suggest, compared with {a}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="sd",
        aliases=("fpr_difference",),
        title="Specificity difference",
        formula=d.tnr - a.tnr,
        definition="tnr_d − tnr_a = fpr_a − fpr_d",
        latex=r"\mathrm{tnr}_d - \mathrm{tnr}_a = \mathrm{fpr}_a - \mathrm{fpr}_d",
        range=(-1, 1),
        **in_words(
            above="{a} is wrongly {accepted} more often than {d}",
            below="{d} is wrongly {accepted} more often than {a}",
        ),
        source=f"{CLARIFY}, {HOLISTICAI}",
    ),
    Metric(
        name="rd",
        aliases=("equal_opportunity_difference",),
        title="Recall difference",
        formula=a.tpr - d.tpr,
        definition="tpr_a − tpr_d",
        latex=r"\mathrm{tpr}_a - \mathrm{tpr}_d",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        **in_words(
            above="{qualified} members of {a} are {accepted} more often "
            "than {qualified} members of {d}",
            below="{qualified} members of {d} are {accepted} more often "
            "than {qualified} members of {a}",
        ),
        source=f"{CLARIFY}, {HOLISTICAI}",
    ),
    Metric(
        name="dar",
        title="Difference in acceptance rates",
        formula=a.ppv - d.ppv,
        definition="ppv_a − ppv_d",
        latex=r"\mathrm{ppv}_a - \mathrm{ppv}_d",
        range=(-1, 1),
        **in_words(
            above="{an acceptance} is right more often in {a} than in {d}",
            below="{an acceptance} is right more often in {d} than in {a}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="drr",
        title="Difference in rejection rates",
        formula=d.npv - a.npv,
        definition="npv_d − npv_a",
        latex=r"\mathrm{npv}_d - \mathrm{npv}_a",
        range=(-1, 1),
        **in_words(
            above="{a rejection} is right more often in {d} than in {a}",
            below="{a rejection} is right more often in {a} than in {d}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="ad",
        aliases=("accuracy_difference",),
        title="Accuracy difference",
        formula=a.accuracy - d.accuracy,
        definition="acc_a − acc_d",
        latex=r"\mathrm{acc}_a - \mathrm{acc}_d",
        range=(-1, 1),
        above="predictions are right more often for {a} than for {d}",
        below="predictions are right more often for {d} than for {a}",
        source=f"{CLARIFY}, {HOLISTICAI}",
    ),
    Metric(
        name="te",
        title="Treatment equality",
        formula=unbounded_ratio(d.fn, d.fp) - unbounded_ratio(a.fn, a.fp),
        definition="fn_d/fp_d − fn_a/fp_a",
        latex=r"\frac{\mathrm{fn}_d}{\mathrm{fp}_d} - \frac{\mathrm{fn}_a}{\mathrm{fp}_a}",
        range=ANY,
        **in_words(
            above="{d} has more wrong {rejections} per wrong {acceptance} than {a}",
            below="{a} has more wrong {rejections} per wrong {acceptance} than {d}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="te_inverse",
        title="Treatment equality, earlier form",
        formula=unbounded_ratio(a.fp, a.fn) - unbounded_ratio(d.fp, d.fn),
        definition="fp_a/fn_a − fp_d/fn_d",
        latex=r"\frac{\mathrm{fp}_a}{\mathrm{fn}_a} - \frac{\mathrm{fp}_d}{\mathrm{fn}_d}",
        range=ANY,
        **in_words(
            above="{a} has more wrong {acceptances} per wrong {rejection} than {d}",
            below="{d} has more wrong {acceptances} per wrong {rejection} than {a}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="average_odds_difference",
        title="Average odds difference",
        formula=((a.tpr - d.tpr) + (a.fpr - d.fpr)) / 2,
        definition="((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2",
        latex=r"\frac{(\mathrm{tpr}_a - \mathrm{tpr}_d) + (\mathrm{fpr}_a - \mathrm{fpr}_d)}{2}",
        range=(-1, 1),
        acceptable=(-0.1, 0.1),
        **in_words(
            above="at equal labels, {a} is {accepted} more often than {d}",
            below="at equal labels, {d} is {accepted} more often than {a}",
        ),
        source=HOLISTICAI,
    ),
    Metric(
        name="average_abs_odds_difference",
        title="Average absolute odds difference",
        formula=((a.tpr - d.tpr).abs() + (a.fpr - d.fpr).abs()) / 2,
        definition="(|tpr_a − tpr_d| + |fpr_a − fpr_d|) / 2",
        latex=r"\frac{\left| \mathrm{tpr}_a - \mathrm{tpr}_d \right| + "
        r"\left| \mathrm{fpr}_a - \mathrm{fpr}_d \right|}{2}",
        range=(0, 1),
        sign=0,
        **in_words(
            above="at equal labels, the sides are {accepted} at different rates",
            below="impossible",
        ),
        source=AIF360,
    ),
    Metric(
        name="confusion_distance",
        title="Confusion distance",
        formula=over_labels(
            ratio(
                # Of a class that one side never has, the share in it is null.
                (a_v.share - d_v.share).abs().sum() / 2,
                choose(~d_v.share.is_null(), a_v.share).sum().round(),
            ),
            "both",
        ),
        definition="½ Σ|P_a(i|j) − P_d(i|j)| over predicted classes i and observed classes j that "
        "both sides have, over the number of these j",
        latex=r"\frac{1}{2K} \sum_{j} \sum_{i} \left| P_a(i \mid j) - P_d(i \mid j) \right|",
        range=(0, 1),
        sign=0,
        only_named=True,
        above="of equal classes, the sides are predicted differently",
        below="impossible",
        source=HOLISTICAI,
    ),
    Metric(
        name="disparity_change",
        title="Change in disparity from labels to predictions",
        formula=(a.selection_rate - d.selection_rate) - (a.base_rate - d.base_rate),
        definition="(q'a − q'd) − (q_a − q_d)",
        latex=r"(q'_a - q'_d) - (q_a - q_d)",
        range=(-2, 2),
        **in_words(
            above="{a} is {accepted} more than its labels suggest, compared with {d}",
            below="{d} is {accepted} more than its labels suggest, compared with {a}",
        ),
        source=CLARIFY,
    ),
    Metric(
        name="fdr_difference",
        title="False discovery rate difference",
        formula=a.fdr - d.fdr,
        definition="fdr_a − fdr_d",
        latex=r"\mathrm{fdr}_a - \mathrm{fdr}_d",
        range=(-1, 1),
        **in_words(
            above="{an acceptance} is wrong more often in {a} than in {d}",
            below="{an acceptance} is wrong more often in {d} than in {a}",
        ),
        source=AIF360,
    ),
    Metric(
        name="for_difference",
        title="False omission rate difference",
        formula=a.false_omission_rate - d.false_omission_rate,
        definition="for_a − for_d",
        latex=r"\mathrm{for}_a - \mathrm{for}_d",
        range=(-1, 1),
        **in_words(
            above="{a rejection} is wrong more often in {a} than in {d}",
            below="{a rejection} is wrong more often in {d} than in {a}",
        ),
        source=AIF360,
    ),
    Metric(
        name="fnr_difference",
        title="False negative rate difference",
        formula=a.fnr - d.fnr,
        definition="fnr_a − fnr_d",
        latex=r"\mathrm{fnr}_a - \mathrm{fnr}_d",
        range=(-1, 1),
        **in_words(
            above="{qualified} members of {a} are {rejected} more often "
            "than {qualified} members of {d}",
            below="{qualified} members of {d} are {rejected} more often "
            "than {qualified} members of {a}",
        ),
        source=AIF360,
    ),
    Metric(
        name="predictive_value_difference",
        title="Average predictive value difference",
        formula=((a.ppv - d.ppv) + (a.false_omission_rate - d.false_omission_rate)) / 2,
        definition="((ppv_a − ppv_d) + (for_a − for_d)) / 2",
        latex=r"\frac{(\mathrm{ppv}_a - \mathrm{ppv}_d) + (\mathrm{for}_a - \mathrm{for}_d)}{2}",
        range=(-1, 1),
        sign=0,
        **in_words(
            above="at equal decisions, {a} turns out {qualified} more often than {d}",
            below="at equal decisions, {d} turns out {qualified} more often than {a}",
        ),
        source=AIF360,
    ),
)

# Written by `make generated` from the catalogue; for type checkers and editors.
from typing import Any

import polars as pl

from polars_fairness.question.columns import ColumnLike

__all__: list[str]

def accuracy(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Accuracy: the share whose prediction equals the label."""
def accuracy_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Accuracy difference: acc_a − acc_d."""
def actual_to_expected_ratio(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Ratio of actual to expected: (Σo_d / Σe_d) / (Σo_a / Σe_a)."""
def ad(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Accuracy difference: acc_a − acc_d."""
def adverse_impact_ratio(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Impact ratio: q'd / q'a."""
def auc_difference(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in AUC: AUC_a − AUC_d."""
def average_abs_odds_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Average absolute odds difference: (|tpr_a − tpr_d| + |fpr_a − fpr_d|) / 2."""
def average_odds_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Average odds difference: ((tpr_a − tpr_d) + (fpr_a − fpr_d)) / 2, the opposite sign of AIF360's `average_odds_difference`."""
def balance_negative(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Balance for the negative class: s̄_a|0 − s̄_d|0."""
def balance_positive(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Balance for the positive class: s̄_a|1 − s̄_d|1."""
def base_rate(label: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Base rate: the share whose label is positive."""
def bnsp_auc(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Background negative, subgroup positive AUC: Pr[s⁺_d > s⁻_a], ties counting half."""
def bpsn_auc(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Background positive, subgroup negative AUC: Pr[s⁺_a > s⁻_d], ties counting half."""
def brier_difference(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in Brier score: mean (s − y)² of d − that of a."""
def calibration_difference(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in calibration: (q_d − s̄_d) − (q_a − s̄_a)."""
def ci(*, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Class imbalance: (na − nd) / (na + nd)."""
def cohens_d(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Cohen's d: (q'a − q'd) / s, s² = ((na−1)q'a(1−q'a) + (nd−1)q'd(1−q'd)) / (na+nd−2)."""
def correlation_difference(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in correlation: ρ_a − ρ_d."""
def dar(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Positive predictive value difference: ppv_a − ppv_d."""
def dcacc(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in conditional acceptance: positive_a/accepted_a − positive_d/accepted_d."""
def dcr(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in conditional rejection: negative_d/rejected_d − negative_a/rejected_a."""
def ddl(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Demographic disparity in labels: negative_d/negative_both − positive_d/positive_both."""
def ddpl(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Demographic disparity in predicted labels: rejected_d/rejected_both − accepted_d/accepted_both."""
def di(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Impact ratio: q'd / q'a."""
def disparate_impact(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Impact ratio: q'd / q'a."""
def disparity_change(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Change in disparity from labels to predictions: (q'a − q'd) − (q_a − q_d)."""
def dpl(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Base rate difference: q_a − q_d."""
def dppl(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Selection rate difference: q'a − q'd."""
def drr(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Negative predictive value difference: npv_d − npv_a."""
def equal_opportunity_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""True positive rate difference: tpr_a − tpr_d, the opposite sign of AIF360's `equal_opportunity_difference`."""
def estimate_difference(estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in mean estimated value: ē_a − ē_d."""
def estimate_ratio(estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Ratio of mean estimated values: ē_d / ē_a, of numbers of 0 or more."""
def estimate_smd(estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Standardized mean difference of estimated values: (ē_a − ē_d) / s, s the pooled standard deviation."""
def f1(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""F1 score: the harmonic mean of positive predictive value and true positive rate."""
def false_omission_rate(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False omission rate: the share whose label is positive among rows predicted negative."""
def fdr(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False discovery rate: the share whose label is negative among rows predicted positive."""
def fdr_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False discovery rate difference: fdr_a − fdr_d."""
def fnr(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False negative rate: the share predicted negative among rows whose label is positive."""
def fnr_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False negative rate difference: fnr_a − fnr_d."""
def for_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False omission rate difference: for_a − for_d."""
def four_fifths(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Four-fifths rule: min(q'a, q'd) / max(q'a, q'd)."""
def fpr(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""False positive rate: the share predicted positive among rows whose label is negative."""
def fpr_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d."""
def js(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Jensen–Shannon divergence of the labels: ½ Σ Pa·ln(Pa/P) + ½ Σ Pd·ln(Pd/P), P = (Pa+Pd)/2."""
def kl(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Kullback–Leibler divergence of the labels: Σ Pa·ln(Pa/Pd) over every label value."""
def ks(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Kolmogorov–Smirnov distance of the labels: max|Pa−Pd| over the label values."""
def lp(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ..., p: float = ...) -> pl.Expr:
    r"""L2 norm of the difference of the labels' distributions: (Σ|Pa−Pd|^p)^(1/p), p = 2."""
def mae_difference(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in mean absolute error: mae_d − mae_a."""
def mae_ratio(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Ratio of mean absolute error: mae_d / mae_a."""
def npv(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Negative predictive value: the share whose label is negative among rows predicted negative."""
def observed_difference(observed: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in mean observed value: ō_a − ō_d."""
def observed_ratio(observed: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Ratio of mean observed values: ō_d / ō_a, of numbers of 0 or more."""
def observed_smd(observed: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Standardized mean difference of observed values: (ō_a − ō_d) / s, s the pooled standard deviation."""
def odds_ratio(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Odds ratio: accepted_d·rejected_a / (rejected_d·accepted_a)."""
def ppv(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Positive predictive value: the share whose label is positive among rows predicted positive."""
def predictive_value_difference(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Average predictive value difference: ((ppv_a − ppv_d) + (for_a − for_d)) / 2."""
def r2_difference(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in share of explained variance: R²_a − R²_d."""
def rd(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""True positive rate difference: tpr_a − tpr_d."""
def residual_difference(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in mean residual: r̄_d − r̄_a, r = estimated − observed."""
def rmse_difference(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in root mean squared error: rmse_d − rmse_a."""
def rmse_ratio(observed: ColumnLike, estimated: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Ratio of root mean squared error: rmse_d / rmse_a."""
def score_difference(score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in mean score: s̄_a − s̄_d."""
def score_ks(score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Kolmogorov–Smirnov distance of the scores: max over thresholds t of |F_a(t) − F_d(t)|."""
def score_wasserstein(score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Wasserstein distance of the scores: ∫ |F_a − F_d| dt."""
def score_wasserstein_negative(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Wasserstein distance of the scores of negative rows: ∫ |F_a|0 − F_d|0| dt."""
def score_wasserstein_positive(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Wasserstein distance of the scores of positive rows: ∫ |F_a|1 − F_d|1| dt."""
def sd(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Specificity difference: tnr_d − tnr_a = fpr_a − fpr_d."""
def selection_rate(predicted: ColumnLike, *, positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Selection rate: the share predicted positive."""
def skew_at(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Skew among the accepted: ln(share of d among the accepted / share of d among all) of both sides."""
def smd(score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Standardized mean difference of scores: (s̄_a − s̄_d) / s, s² = ((na−1)v_a + (nd−1)v_d) / (na+nd−2), v = Σ(s−s̄)² / (n−1)."""
def statistical_parity(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Statistical parity difference: q'd − q'a, the opposite sign of HolisticAI's `statistical_parity`."""
def success_ratio(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Success ratio: q'a / q'd."""
def te(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Treatment equality: fn_d/fp_d − fn_a/fp_a."""
def te_inverse(label: ColumnLike, predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Treatment equality, earlier form: fp_a/fn_a − fp_d/fn_d."""
def tnr(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""True negative rate: the share predicted negative among rows whose label is negative."""
def tpr(label: ColumnLike, predicted: ColumnLike, *, positive: Any = ..., label_threshold: float | None = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""True positive rate: the share predicted positive among rows whose label is positive."""
def tvd(label: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Total variation distance of the labels: ½ Σ|Pa−Pd|."""
def two_sd(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Two-standard-deviation rule for the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N."""
def xauc_difference(label: ColumnLike, score: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., label_threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Difference in cross-group AUC: Pr[s⁺_a > s⁻_d] − Pr[s⁺_d > s⁻_a], ties counting half."""
def z_difference(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Two-standard-deviation rule for the difference: (q'a − q'd) / √(q'(1−q') / (N·P(1−P))), q' pooled, N = na+nd, P = na/N."""
def z_ratio(predicted: ColumnLike, *, facet: ColumnLike, disfavored: Any, favored: Any = ..., unknown: Any = ..., positive: Any = ..., threshold: float | None = ..., weight: ColumnLike | None = ..., count: ColumnLike | None = ...) -> pl.Expr:
    r"""Two-standard-deviation rule for the log ratio: ln(q'a/q'd) / √((1−q') / (q'·N·P(1−P))), q' pooled, N = na+nd, P = na/N."""

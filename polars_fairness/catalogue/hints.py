"""What is meant by a name that is no metric: other names of metrics, and what is not here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from polars_fairness.catalogue.prefixes import MODULES, prefixed
from polars_fairness.errors import listed, nearest
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.scores import MEASURES
from polars_fairness.formula.sides import RATES

_INDIVIDUALS: Final = "it compares individuals; call pf.{}(frame, features=...)"
_FLIPTEST, _CONSISTENCY = map(_INDIVIDUALS.format, ("fliptest", "consistency"))
_IN_RATES: Final = "pf.rates has it for each group, and no metric compares it"
_BRIER: Final = "it is not included; 'brier_difference' and 'brier_gap' compare Brier scores"
_MATTHEWS: Final = "it is not included; pf.rates has the counts to compute it from"
_STABILITY: Final = "it is not included; pf.audit(baseline=...) compares metrics over time"

NO_METRICS: Final[Mapping[str, str]] = {
    "fliptest": _FLIPTEST,
    "ft": _FLIPTEST,
    "flip test": _FLIPTEST,
    "counterfactual fairness": _FLIPTEST,
    "consistency": _CONSISTENCY,
    "consistency score": _CONSISTENCY,
    "individual fairness": _CONSISTENCY,
    "f1": _IN_RATES,
    "f1 score": _IN_RATES,
    "base rate": _IN_RATES,
    "log loss": _BRIER,
    "logloss": _BRIER,
    "cross entropy": _BRIER,
    "balanced accuracy": "it is not included; write a pf.Metric with (a.tpr + a.tnr) / 2",
    "mcc": _MATTHEWS,
    "matthews correlation coefficient": _MATTHEWS,
    "psi": _STABILITY,
    "population stability index": _STABILITY,
}
"""Names of numbers that are not metrics here, in words, and what to do instead."""

SYNONYMS: Final[Mapping[str, str]] = {
    "di": "air, adverse impact, impact ratio, relative risk, risk ratio, relative rate, "
    "selection ratio, rate ratio, lift",
    "di four_fifths": "80 rule, 80 percent rule, eighty percent rule, 4 5 rule, 4 5ths rule, "
    "4 5 s rule, p percent rule, p rule",
    "statistical_parity": "spd, mean difference",
    "dppl statistical_parity selection_rate_gap": "dp, dpd, demographic parity, independence, "
    "group fairness, disparity, risk difference, acceptance rate difference",
    "selection_rate_ratio": "dpr",
    "rd tpr_gap": "eo, eop, equal opportunity, equality of opportunity, hit rate difference",
    "equalized_odds_gap average_odds_difference": "eod, eodds, eqodds, eq odds, equalized odds, "
    "equality of odds, separation, disparate mistreatment",
    "average_odds_difference": "aod",
    "average_abs_odds_difference": "aaod",
    "sd fpr_gap": "predictive equality, false alarm rate, type 1 error, type i error",
    "fnr_difference fnr_gap": "miss rate, type 2 error, type ii error",
    "dar ppv_gap": "predictive parity, outcome test, sufficiency",
    "ad accuracy_gap": "error rate, misclassification rate, zero one loss, accuracy parity, "
    "overall accuracy equality, error rate parity",
    "cddpl": "cdd, conditional statistical parity, conditional demographic parity",
    "calibration_difference ece_gap": "calibration, calibration error, well calibration, ece",
    "auc_difference auc_gap": "gini, concordance, c statistic, roc",
    "score_ks ks": "kolmogorov smirnov, ks test, ks statistic",
    "score_wasserstein": "emd, earth mover s distance, earth movers distance, optimal transport",
    "two_sd": "z test, z score, two proportion z test, standard deviation rule",
    "ge theil": "gei, entropy index, atkinson index",
    "smd cohens_d": "effect size",
    "observed_ratio observed_difference": "pay gap, wage gap, gender pay gap",
}
"""Other names of metrics, in words, by the metrics that are meant."""

# Words for one thing, in titles and in guesses.
_ALIKE: Final = {
    **{name: rate.title.lower() for name, rate in RATES.items() if "_" not in name},
    "recall": "true positive rate",
    "sensitivity": "true positive rate",
    "specificity": "true negative rate",
    "precision": "positive predictive value",
    "diff": "difference",
    "gap": "difference",
    "disparity": "difference",
    "parity": "difference",
    "standardised": "standardized",
    "equalised": "equalized",
    "normalised": "normalized",
    "generalised": "generalized",
    "absolute": "abs",
    "mean": "average",
    "roc": "",
    "score": "",
    "metric": "",
}

_FEW: Final = 3


def hint(name: str, metrics: Mapping[str, Metric]) -> str:
    """The metrics that may be meant by an unknown name, or what to do instead.

    ``metrics`` are those of the catalogue by all their names.
    """
    tool, dot, own = name.partition(".")
    if dot and (tools := nearest(tool, MODULES, 1)):
        return f"did you mean {f'{tools[0]}.{own}'!r}?"
    text = _text(name)
    if text in NO_METRICS:
        return NO_METRICS[text]
    theirs = [*_of_other_tools(text)]
    meant = [*_synonyms(text), *(ours for _, ours in theirs), *_by_title(text, metrics)]
    if not meant:
        compared = {*RATES, *MEASURES}.intersection(text.split())
        meant = [each for each in metrics if each.partition("_")[0] in compared]
    meant = meant if any(meant) else nearest(name, metrics)
    # Two names of one metric are one suggestion.
    by_metric: dict[str, str] = {}
    for each in meant:
        if each in metrics:
            by_metric.setdefault(metrics[each].name, each)
    ours = [*by_metric.values()][:_FEW]
    named = [*dict.fromkeys(full for full, _ in theirs)][:_FEW]
    suggested = [listed(each, "or") for each in (ours, named) if each]
    if not suggested:
        return "no name or title is similar"
    return f"did you mean {', or '.join(suggested)}?"


def _text(name: str) -> str:
    """A name in lower case, its words separated by blanks."""
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def _words(text: str) -> set[str]:
    """The words of a text, synonyms replaced by one word."""
    return {each for word in _text(text).split() for each in _ALIKE.get(word, word).split()}


def _synonyms(text: str) -> list[str]:
    """The metrics of a synonym, also if a word for a difference follows it."""
    first, _, last = text.rpartition(" ")
    typed = {text, first} if _ALIKE.get(last, last) == "difference" else {text}
    return [
        metric
        for metrics, names in SYNONYMS.items()
        if typed & {*names.split(", ")}
        for metric in metrics.split()
    ]


def _of_other_tools(text: str) -> Iterator[tuple[str, str]]:
    """The full names of other tools' metrics with this name, with the nearest metric here."""
    for module in MODULES:
        others = prefixed(f"{module}.")
        for full, own, ours in others.called() if others else ():
            if text == _text(own):
                yield full, ours


def _by_title(text: str, metrics: Mapping[str, Metric]) -> Iterable[str]:
    """The metrics with all words of a guess in their title or a name, the shortest first."""
    words, found = _words(text), dict[str, int]()
    for metric in metrics.values():
        names = (metric.title, *metric.titles.values(), metric.name, *metric.aliases)
        named = [*map(_words, names)]
        if words and any(words <= own for own in named):
            found[metric.name] = min(len(own) for own in named if words <= own)
    # `auc_gap` is about an AUC, `bpsn_auc` one of its kind.
    return sorted(found, key=lambda name: (found[name], name.partition("_")[0] not in words))

"""The keys of each answer in JSON: one line for each column, with what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from polars_fairness.answers.verdicts import CHANGES, VERDICTS
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.rates import RATES


@dataclass(frozen=True)
class Key:
    """A key of each record of an answer: what it holds, and whether each record has it."""

    meaning: str
    kind: str = "number"
    words: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def property(self) -> dict[str, Any]:
        holds = {"enum": [*self.words, None]} if self.words else {"$ref": f"#/$defs/{self.kind}"}
        return {"description": self.meaning, **holds}


def optional(meaning: str, kind: str = "number", words: tuple[str, ...] = ()) -> Key:
    """A key that only some answers have."""
    return Key(meaning, kind, words, is_required=False)


MODEL: Final = {"model": optional("the name of the model, of several", "text")}
THRESHOLD: Final = {"threshold": optional("the threshold, of several")}
WINDOWS: Final = {**MODEL, **THRESHOLD}
SIDES: Final = {
    "facet": Key("the sensitive attribute; null where all rows are judged together", "text"),
    "disfavored": Key("side d; null for a metric without sides", "text"),
    "favored": Key("side a; null where it is everyone else", "text"),
}

AUDIT: Final = {
    **WINDOWS,
    **SIDES,
    "metric": Key("the name of the metric", "text"),
    "n_disfavored": Key("the rows of side d, or their weight"),
    "n_favored": Key("the rows of side a, or their weight"),
    "n_unknown": Key("the rows whose facet is unknown, or their weight"),
    "rows_seen": Key("the rows of this facet and window", "whole"),
    "rows_used": Key("the rows among them that the metric counts", "whole"),
    "rows_dropped": Key("the rows that the metric leaves out", "whole"),
    "ideal": Key("the value that means fair"),
    "band_lower": Key("the lower edge of the acceptable band"),
    "band_upper": Key("the upper edge of the acceptable band"),
    "is_small": optional("whether a side has fewer rows than the minimum count", "flag"),
    "p_value": optional("the p-value of the difference, adjusted if requested"),
    "reference": optional("the value of the champion or the baseline"),
    "difference": optional("the value less the reference"),
    "difference_lower": optional("the lower bound of the interval of the difference"),
    "difference_upper": optional("the upper bound of the interval of the difference"),
    "change": optional(
        "whether the value is farther from its ideal than the reference",
        words=CHANGES,
    ),
    "value": Key("the value of the metric; null if it is undefined"),
    "lower": Key("the lower bound of the interval"),
    "upper": Key("the upper bound of the interval"),
    "verdict": Key("where the interval or the value lies, by the band", words=VERDICTS),
}

RATED: Final = {
    **WINDOWS,
    "facet": Key("the sensitive attribute; (all) for all rows", "text"),
    "value": Key("the group; null if its facet value is unknown, and for all rows", "text"),
    "n": Key("the complete rows of the group, or their weight"),
    **{name: Key(rate.meaning) for name, rate in RATES.items()},
    **{name: optional(measure.meaning) for name, measure in MEASURES.items()},
    "n_dropped": Key("the rows of the group that are not complete", "whole"),
    "tp": Key("true positives, or their weight"),
    "fp": Key("false positives, or their weight"),
    "fn": Key("false negatives, or their weight"),
    "tn": Key("true negatives, or their weight"),
}

RANKED: Final = {
    **WINDOWS,
    "n": Key("the rows of the group, or their weight"),
    "share": Key("the share of all rows that are in the group"),
    "depth": Key("how many facets the group fixes", "whole"),
    "alpha": Key("the share by which the distance is multiplied"),
    "beta": Key("the distance of the group's rate from that of all rows"),
    "alpha*beta": Key("their product, by which the groups are ranked"),
    "lower": Key("the lower bound of the interval of the rate"),
    "upper": Key("the upper bound of the interval of the rate"),
    "rate_of_all": Key("the rate of all rows"),
    "mean_score": optional("the mean score of the group"),
    "rate": Key("the rate of the group"),
    "shrunken_rate": optional("the rate, drawn towards that of all rows"),
    "direction": Key("on which side of the overall rate it is", words=("below", "above")),
    "rank": Key("1 for the worst group of the window", "whole"),
}

CONTRIBUTIONS: Final = {
    **WINDOWS,
    **SIDES,
    "n": Key("the rows of the stratum, or their weight"),
    "share_of_rejected": optional("the share of side d among the rejected rows"),
    "share_of_accepted": optional("the share of side d among the accepted rows"),
    "share_of_negative": optional("the share of side d among the rows with a negative label"),
    "share_of_positive": optional("the share of side d among the rows with a positive label"),
    "value": Key("the value of the stratum"),
    "contribution": Key("what the stratum adds to the metric"),
}

SWITCHED: Final = {
    "model": Key("the model, other than the champion", "text"),
    **THRESHOLD,
    "facet": Key("the sensitive attribute; (all) for all rows", "text"),
    "value": Key("the group; null if its facet value is unknown, and for all rows", "text"),
    "n": Key("the complete rows of the group, or their weight"),
    "kept_accepted": Key("the rows that both accept, or their weight"),
    "newly_accepted": Key("the rows that the model accepts and the champion rejects"),
    "newly_rejected": Key("the rows that the model rejects and the champion accepts"),
    "kept_rejected": Key("the rows that both reject"),
    "change_in_rate": Key("the selection rate of the model less that of the champion"),
    "mcnemar_p_value": Key("the p-value of McNemar's exact test"),
}

SWEPT: Final = {
    **MODEL,
    "threshold": Key("the threshold"),
    "selection_rate": Key("the share of the rows that it accepts"),
    "is_within": Key("whether the metrics lie in their bands", "flag"),
    "is_on_frontier": Key(
        "whether no other is better in one value and as good in the rest", "flag"
    ),
    "is_chosen": Key("whether it is chosen", "flag"),
}

COMPARED: Final = {
    "facet": Key("the sensitive attribute", "text"),
    "disfavored": Key("the group; null if there are no two groups to compare", "text"),
    "favored": Key("the group or the rows that it is compared with", "text"),
    "n_disfavored": Key("the rows of the group, or their weight"),
    "n_favored": Key("the rows that it is compared with, or their weight"),
    "n_unknown": Key("the rows whose facet is unknown, or their weight"),
    "n_dropped": Key("the rows that are not complete", "whole"),
}
COMPARED_RATES: Final = {
    "rate": Key("the rate at which the group is accepted"),
    "reference_rate": Key("the rate that it is compared with"),
}
SHORTFALLS: Final = {
    "shortfall": Key("how many more of the group would have to be accepted to reach that rate"),
    "shortfall_to_four_fifths": Key("how many more to reach four fifths of that rate"),
}
RATIO_BOUNDS: Final = {
    "lower": Key("the lower bound of the interval of the ratio"),
    "upper": Key("the upper bound of the interval of the ratio"),
}

IMPACT_RATIOS: Final = {
    "facet": Key("the table: sex, race, or both", "text"),
    "value": Key("the category; null if none is known", "text"),
    "n": Key("the people of the category", "whole"),
    "rate": Key("the selection rate, or the share above the median score"),
    "selected": Key("the people behind the rate", "whole"),
    "share": Key("the share of the category in the people whose category is known"),
    "n_unknown": Key("the people whose category is unknown", "whole"),
    "n_dropped": Key("the rows that are not complete", "whole"),
    "median": Key("the median score of all people; null without scores"),
    "impact_ratio": Key("the rate over the highest rate; null if the category is excluded"),
    **RATIO_BOUNDS,
    "is_excluded": Key("whether the category is left out of the impact ratios", "flag"),
}

ADVERSE_IMPACT: Final = {
    **COMPARED,
    **COMPARED_RATES,
    **SHORTFALLS,
    "two_sd": Key("the difference of the rates in standard deviations"),
    "p_value": Key("the p-value of Fisher's exact test"),
    **RATIO_BOUNDS,
    "impact_ratio": Key("the rate over the highest rate"),
    "is_below_four_fifths": Key("whether the ratio is below four fifths", "flag"),
    "is_significant": Key("whether two_sd is beyond 2, or p_value below 0.05", "flag"),
    "is_flagged": Key("whether both hold; null if it could not be judged", "flag"),
}


def with_bounds(name: str, meaning: str) -> dict[str, Key]:
    """The keys of a value and of the bounds of its interval."""
    bounds = {
        f"{name}_{end}": Key(f"the {end} bound of the interval of {name}")
        for end in ("lower", "upper")
    }
    return {name: Key(meaning), **bounds}


LENDING_TABLE: Final = {
    **WINDOWS,
    **COMPARED,
    **COMPARED_RATES,
    **with_bounds("points", "the rate of the reference less that of the group, in points"),
    **with_bounds("odds_ratio", "the odds of the group over those of its reference"),
    **with_bounds("smd", "the difference of the mean scores in standard deviations"),
    **SHORTFALLS,
    "p_value": Key("the p-value of the difference, adjusted if requested"),
    "air": Key("the adverse impact ratio"),
    **RATIO_BOUNDS,
    "is_flagged": Key("whether all three limits are exceeded; null if not judged", "flag"),
}

QUANTILES: Final = {
    **MODEL,
    "share": Key("the share of the rows that is to be accepted"),
    "threshold": Key("the smallest score that is accepted"),
    "accepted_share": Key("the share of the rows that is accepted"),
    **COMPARED,
    **COMPARED_RATES,
    "points": Key("the rate of the reference less that of the group, in points"),
    "p_value": Key("the p-value of the difference, adjusted if requested"),
    "air": Key("the adverse impact ratio"),
    **RATIO_BOUNDS,
}

SEGMENTS: Final = {
    **WINDOWS,
    **COMPARED,
    "segments": Key("the segments with rows of both sides and of both outcomes", "whole"),
    "cmh": Key("the statistic of Cochran, Mantel and Haenszel"),
    "p_value": Key("its p-value, adjusted if requested"),
    "breslow_day": Key("the statistic of Breslow and Day, of different odds ratios"),
    "breslow_day_p_value": Key("its p-value, adjusted if requested"),
    "mh_odds_ratio": Key("the odds ratio of Mantel and Haenszel over all segments"),
    **RATIO_BOUNDS,
}

ENTRIES: Final = {
    "name": Key("the name of the metric", "text"),
    "title": Key("its title", "text"),
    "definition": Key("its formula in words", "text"),
    "lowest": Key("the lowest value that it can have"),
    "highest": Key("the highest value that it can have"),
    "ideal": Key("the value that means fair"),
    "acceptable_from": Key("the lower edge of its band"),
    "acceptable_to": Key("the upper edge of its band"),
    "above": Key("what a value above the ideal means", "text"),
    "below": Key("what a value below the ideal means", "text"),
    "needs": Key("the arguments that it needs, with spaces between them", "text"),
    "source": Key("who defined it", "text"),
    "aliases": Key("its further names, with spaces between them", "text"),
}

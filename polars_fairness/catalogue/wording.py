"""The sentences of metrics about decisions, where a positive outcome is good, and where it is bad.

A lender accepts a person whose outcome is positive; a prediction of crime flags the person.
"""

from __future__ import annotations

from typing import Final, TypedDict

from polars_fairness.formula.metric import Unfavorable

CLARIFY: Final = "Amazon SageMaker Clarify"
HOLISTICAI: Final = "HolisticAI"
AIF360: Final = "AIF360"
FAIRLEARN: Final = "Fairlearn"
MANTEL_HAENSZEL: Final = "Mantel and Haenszel 1959"
BORKAN: Final = "Borkan et al. 2019"

OPPOSITE_SIGNS: Final = {
    "equal_opportunity_difference": AIF360,
    "average_odds_difference": AIF360,
    "statistical_parity": HOLISTICAI,
}
"""The names that mean the same number with the opposite sign in another tool."""


_WORDS: Final = {
    "accepted": ("accepted", "flagged"),
    "rejected": ("rejected", "cleared"),
    "an acceptance": ("an acceptance", "a flag"),
    "acceptance": ("acceptance", "flag"),
    "acceptances": ("acceptances", "flags"),
    "a rejection": ("a rejection", "a clearance"),
    "rejection": ("rejection", "clearance"),
    "rejections": ("rejections", "clearances"),
    "qualified": ("qualified", "positive"),
    "better": ("better", "worse"),
    # On a page on lending, it is groups that are flagged.
    "affected": ("accepted", "affected"),
}
"""The words for a positive outcome that is good for the person, and for one that is bad."""


class Sentences(TypedDict, total=False):
    """The sentences of a `Metric`."""

    above: str
    below: str
    reading: str
    unfavorable: Unfavorable


IMPOSSIBLE: Final = "impossible"
_DIFFERENT: Final = "the groups differ; the value does not show which is worse off"
DIFFER_ABOVE: Final = Sentences(above=_DIFFERENT, below=IMPOSSIBLE)
DIFFER_BELOW: Final = Sentences(above=IMPOSSIBLE, below=_DIFFERENT)


def word(of: str, *, favorable: bool) -> str:
    """The word for a positive outcome: that of `_WORDS`, or its counterpart for a bad one.

    Examples
    --------
    >>> word("accepted", favorable=True), word("accepted", favorable=False)
    ('accepted', 'flagged')
    """
    good, bad = _WORDS[of]
    return good if favorable else bad


def sentences(above: str, below: str | None = None, reading: str = "") -> Sentences:
    """The sentences of a metric, in which words in braces depend on whether an outcome is good.

    Without ``below``, a value below the ideal says of each side what one above says of the other.

    Examples
    --------
    >>> of_rates = sentences("{a} is {accepted} more than {d}")
    >>> of_rates["above"], of_rates["unfavorable"]["below"]
    ('{a} is accepted more than {d}', '{d} is flagged more than {a}')
    """
    if below is None:
        below = above.format_map(
            {name: f"{{{name}}}" for name in _WORDS} | {"a": "{d}", "d": "{a}"}
        )
    good, bad = (
        Unfavorable(
            above=_filled_in(above, favorable=favorable),
            below=_filled_in(below, favorable=favorable),
            reading=_filled_in(reading, favorable=favorable),
        )
        for favorable in (True, False)
    )
    worded = Sentences(above=good["above"], below=good["below"], reading=good["reading"])
    return worded if good == bad else {**worded, "unfavorable": bad}


def _filled_in(template: str, *, favorable: bool) -> str:
    words = {name: word(name, favorable=favorable) for name in _WORDS}
    return template.format_map({**words, "d": "{d}", "a": "{a}", "value": "{value}"})

"""The sentences of metrics about decisions, where a positive outcome is good, and where it is bad.

A lender accepts a person whose outcome is positive; a prediction of crime flags the person.
"""

from __future__ import annotations

from typing import Final, TypedDict

from polars_fairness.formula.metric import Unfavorable

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


def word(of: str, *, favorable: bool) -> str:
    """The word for a positive outcome: that of `_WORDS`, or its counterpart for a bad one.

    Examples
    --------
    >>> word("accepted", favorable=True), word("accepted", favorable=False)
    ('accepted', 'flagged')
    """
    good, bad = _WORDS[of]
    return good if favorable else bad


def in_words(above: str, below: str, reading: str = "") -> Sentences:
    """The sentences of a metric, in which words in braces depend on whether an outcome is good.

    Examples
    --------
    >>> of_rates = in_words("{a} is {accepted} more than {d}", "{d} is {accepted} more than {a}")
    >>> of_rates["above"], of_rates["unfavorable"]["above"]
    ('{a} is accepted more than {d}', '{a} is flagged more than {d}')
    """
    good, bad = (
        Unfavorable(
            above=_filled_in(above, favorable=favorable),
            below=_filled_in(below, favorable=favorable),
            reading=_filled_in(reading, favorable=favorable),
        )
        for favorable in (True, False)
    )
    return Sentences(
        above=good["above"], below=good["below"], reading=good["reading"], unfavorable=bad
    )


def _filled_in(template: str, *, favorable: bool) -> str:
    words = {name: word(name, favorable=favorable) for name in _WORDS}
    return template.format_map({**words, "d": "{d}", "a": "{a}", "value": "{value}"})

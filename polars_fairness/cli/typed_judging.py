"""Typed bands, rules and policies as arguments of an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

from polars_fairness.api.policies import policy_of
from polars_fairness.errors import FairnessError
from polars_fairness.question.judging import Band

_BAND: Final = "METRIC=LOW:HIGH, an open end as in di=0.8:, or METRIC=none"


def judging_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an audit about bands, rules and the policy, as far as they were typed."""
    given: dict[str, Any] = {}
    if "policy" in arguments:
        given["policy"] = policy_of(arguments["policy"])
    if "bands" in arguments:
        pairs = [_pair("band", text, _BAND) for text in arguments["bands"]]
        given["bands"] = each_once("band", [(name, _band(name, text)) for name, text in pairs])
    if "rule" in arguments:
        given["rule"] = _rule(arguments["rule"])
    return given


def _pair(option: str, text: str, takes: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name and separator):
        msg = f"{option}: takes {takes}, got {text!r}"
        raise FairnessError(msg)
    return name, value


def each_once(option: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """What is given for each name, once."""
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"{option}: {twice!r} is given twice; give it once"
        raise FairnessError(msg)
    return given


def _band(name: str, text: str) -> Band:
    if text == "none":
        return None
    low, separator, high = text.partition(":")
    try:
        if separator:
            return float(low or -inf), float(high or inf)
    except ValueError:
        pass
    msg = f"band: takes {_BAND}, got '{name}={text}'"
    raise FairnessError(msg)


def _rule(texts: Sequence[str]) -> Any:
    """One rule for all metrics, or the rule of each."""
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    takes = "one rule for all metrics, or METRIC=RULE for each"
    return each_once("rule", [_pair("rule", text, takes) for text in texts])

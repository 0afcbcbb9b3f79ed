"""The argument `harm`, described once, as `arguments` describes the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from polars_fairness.errors import require_words
from polars_fairness.question.arguments import Argument, Kind, Option

Harm = Literal["below", "above", "both"]
Harms = Harm | Mapping[str, Harm]

HARM: Final = Argument(
    "harm",
    Kind("sides of the overall rate", "Harms", "SIDE"),
    "the side of the overall rate on which groups fare worse; these are ranked first",
    '"below", "above" or "both", which ranks all groups by their distance, whichever side they are '
    "on. Without it, the side that fares worse if a positive outcome is favorable, and both for "
    'calibration. Where it is a burden, such as a stop or a charge, give "above" for selection '
    'rates and false positive rates, "below" for false negative rates. In a report, '
    "``{metric: side}`` gives a metric a side of its own.",
    option=Option("certainty", note="below, above or both; default as if positive were favorable"),
)


def refuse_invalid_harm(given: Any) -> None:
    """Raise unless this is None, a side of the overall rate, or a side for each metric."""
    if given is not None:
        require_words(HARM.name, given, get_args(Harm))


def harm_given(given: Harms | None, metric: str) -> Harm | None:
    """The side that is given for a metric; None if none is."""
    return given.get(metric) if isinstance(given, Mapping) else given

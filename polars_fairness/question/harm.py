"""The argument `harm`, described once, as `arguments` describes the others."""

from __future__ import annotations

from typing import Final, Literal, get_args

from polars_fairness.question.arguments import CHOICE, Argument

Harm = Literal["below", "above", "both"]

HARM: Final = Argument(
    "harm",
    CHOICE,
    "the side of the overall rate on which groups fare worse; these are ranked first",
    "Without it, the side that fares worse if a positive outcome is favorable. Where it is a "
    'burden, such as a stop or a charge, give "above" for selection rates and false positive '
    'rates. "both" ranks all groups by their distance, whichever side they are on.',
    choices=get_args(Harm),
)

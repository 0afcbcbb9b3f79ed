"""What is meant by a name that is no metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_INDIVIDUALS: Final = "it compares individuals; call pf.{}(frame, features=...)"

ANSWERS: Final[Mapping[str, str]] = {
    "fliptest": _INDIVIDUALS.format("fliptest"),
    "ft": _INDIVIDUALS.format("fliptest"),
    "consistency": _INDIVIDUALS.format("consistency"),
}
"""Names of numbers that are answers of their own, and how these are requested."""

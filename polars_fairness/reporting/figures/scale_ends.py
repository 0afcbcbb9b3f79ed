"""The ends of a scale that several charts share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Final

from polars_fairness.reporting.words import band_of

_ROOM: Final = 0.5


def ends_of(rows: Sequence[Mapping[str, Any]], *, is_log: bool) -> tuple[float, ...]:
    """The lowest and the highest number that charts of these rows of an audit are drawn to.

    All values, bands and ideals are between them, except infinite ones. Intervals take half as
    much again at most, else a wide one would press all others flat. Without numbers there are no
    ends.

    Examples
    --------
    >>> row = {"value": 0.2, "ideal": 0, "band_lower": -0.1, "band_upper": 0.1}
    >>> [round(end, 3) for end in ends_of([row | {"lower": 0.1, "upper": 9}], is_log=False)]
    [-0.1, 0.35]
    """
    inner = _known(
        number for row in rows for number in (row["value"], row["ideal"], *(band_of(row) or ()))
    )
    if is_log:
        inner = [each for each in inner if each > 0]
    if not inner:
        return ()
    low, high = min(inner), max(inner)
    if is_log:
        room = (high / low) ** _ROOM
        least, most = low / room, high * room
    else:
        room = _ROOM * (high - low)
        least, most = low - room, high + room
    bounds = _known(row[bound] for row in rows for bound in ("lower", "upper"))
    return max(least, min([low, *bounds])), min(most, max([high, *bounds]))


def _known(numbers: Iterable[float | None]) -> list[float]:
    return [each for each in numbers if each is not None and isfinite(each)]

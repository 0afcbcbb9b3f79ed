"""Windows of time: how long they are, and how far apart, in the words of polars."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, either, keyword, listed, shown
from polars_fairness.question.windows import Period, Windows

# In whole months, and in seconds. A day in a zone may have 23 hours, and counts as 24.
_MONTHS: Final = {"mo": 1, "q": 3, "y": 12}
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_DAY: Final = _SECONDS["d"]
_SHORTEST_MONTH: Final = 28 * _DAY


def with_period(windows: Windows, every: Any, period: Any) -> Windows:
    """The windows with the one column of ``by`` that is a time rounded down, if that is wanted."""
    if every is None:
        return windows
    key = _time_of(windows)
    column = windows.by_key[key]
    unit, length = _length("every", every)
    if column.dtype == pl.Date and unit == "s" and length % _DAY:
        raise FairnessError(
            f"every: {column.name!r} has days and no hours, got {shown(every)}; give whole days, "
            f"such as {keyword('every', '1d')}"
        )
    blocks = 1
    if period is not None:
        unit_of_period, reach = _length("period", period)
        blocks, rest = divmod(reach, length)
        if unit_of_period != unit or rest or not blocks:
            raise FairnessError(
                f"period: takes a multiple of {keyword('every', every)}, got {shown(period)}; "
                f"give one, or a shorter {keyword('every')}"
            )
    seconds = length if unit == "s" else length * _SHORTEST_MONTH
    return replace(windows, period=Period(key, every, seconds, blocks))


def _length(argument: str, given: object) -> tuple[str, int]:
    """Whether a duration is in months or in seconds, and how many."""
    found = re.fullmatch(r"(\d+)(mo|[smhdwqy])", given) if isinstance(given, str) else None
    if found is None or not int(found[1]):
        raise FairnessError(
            f"{argument}: takes a number and a unit of s, m, h, d, w, mo, q or y, such as '1mo' "
            f"for a month, got {shown(given)}"
        )
    number, unit = int(found[1]), found[2]
    if unit in _MONTHS:
        return "mo", number * _MONTHS[unit]
    return "s", number * _SECONDS[unit]


def _time_of(windows: Windows) -> str:
    """The key of the one column of ``by`` that holds dates; raise unless there is just one."""
    columns = windows.of_outcomes.by_key
    found = [key for key, each in columns.items() if each.dtype in (pl.Date, pl.Datetime)]
    if len(found) == 1:
        return found[0]
    if not columns:
        msg = f"every: windows of time need a date; give its column as {keyword('by')}"
    elif found:
        names = listed(columns[key].name for key in found)
        msg = f"every: {keyword('by')} has several columns of dates, {names}; name one"
    else:
        types = ", ".join(f"{each.name!r} is {each.dtype}" for each in columns.values())
        msg = (
            f"every: {keyword('by')} has no dates, {types}; parse the dates"
            f"{either(', such as with .str.to_date()', '')}, or name another column"
        )
    raise FairnessError(msg)

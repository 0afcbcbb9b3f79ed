"""The shares that groups have in a population, as the caller gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, keyword, listed, shown
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import Facet, key_of, written

Shares = Mapping[Any, Any] | pl.DataFrame | pl.LazyFrame

# Shares in per cent of a census are rounded.
_LEAST: Final = 0.99


def find_shares(facets: Sequence[Facet], given: Shares) -> pl.DataFrame:
    """The share of each group of each facet, with the columns ``facet``, ``value``, ``reference``.

    Shares, percentages and numbers of people add up to 1 for each facet.
    """
    columns = [facet.column for facet in facets]
    parts = []
    for facet, shares in _by_facet(facets, given):
        numbers: dict[str, float] = {}
        for value, number in _pairs(facet.column, shares):
            if value is None or (isinstance(value, tuple) and None in value):
                raise FairnessError(
                    f"reference: {facet.name!r} has a share of an unknown group; leave it out, and "
                    "shares are those of the known groups"
                )
            key = key_of("reference", facet.column, value, columns)
            if key in numbers:
                raise FairnessError(
                    f"reference: {written(key)!r} of {facet.name!r} has two shares; give one"
                )
            numbers[key] = _number(facet, key, number)
        total = sum(numbers.values())
        if total < _LEAST:
            raise FairnessError(
                f"reference: the shares of {facet.name!r} add up to {total:g}; give those of all "
                "groups, which add up to 1, or numbers of people"
            )
        scaled = [number / total for number in numbers.values()]
        parts.append(pl.DataFrame({"facet": facet.name, "value": [*numbers], "reference": scaled}))
    return pl.concat(parts)


def _by_facet(facets: Sequence[Facet], given: Shares) -> Iterator[tuple[Facet, Shares]]:
    """The shares of each facet: those of the only one, or of each by its name."""
    if not isinstance(given, Mapping | pl.DataFrame | pl.LazyFrame):
        raise FairnessError(
            f"reference: takes {{value: share}} or a polars frame, got {shown(given)}"
        )
    frames = (Mapping, pl.DataFrame, pl.LazyFrame)
    if isinstance(given, Mapping) and any(isinstance(each, frames) for each in given.values()):
        names = [facet.name for facet in facets]
        if {*given} != {*names}:
            raise FairnessError(
                f"reference: has shares for {listed(given)}, and {keyword('facet')} has "
                f"{listed(names)}; give {{facet: shares}} for each of them"
            )
        yield from ((facet, given[facet.name]) for facet in facets)
    elif len(facets) > 1:
        raise FairnessError(
            f"reference: there are {len(facets)} facets, {listed(each.name for each in facets)}; "
            "give {facet: shares} for each of them"
        )
    else:
        yield facets[0], given


def _pairs(column: Column, given: Shares) -> Iterator[tuple[Any, Any]]:
    """The values of a facet, each with its share or its number of people."""
    if isinstance(given, Mapping):
        yield from given.items()
        return
    frame = given.lazy().collect()
    fields = [column.name]
    if isinstance(column.dtype, pl.Struct) and column.name not in frame.columns:
        fields = [field.name for field in column.dtype.fields]
    numbers = [name for name in frame.columns if name not in fields]
    if not {*fields} <= {*frame.columns} or len(numbers) != 1:
        raise FairnessError(
            f"reference: the frame has the columns {listed(frame.columns)}; give one with "
            f"{listed(fields)} and one more column, the share or the number of people"
        )
    for *values, number in frame.select(*fields, *numbers).rows():
        # A struct is a dictionary in Python, and a facet of several columns a tuple.
        value = tuple(values[0].values()) if isinstance(values[0], dict) else tuple(values)
        yield (value if isinstance(column.dtype, pl.Struct) else value[0]), number


def _number(facet: Facet, key: str, number: Any) -> float:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not isfinite(number) or number < 0:
        raise FairnessError(
            f"reference: the share of {written(key)!r} of {facet.name!r} is {shown(number)}; give "
            "a number of at least 0"
        )
    return float(number)

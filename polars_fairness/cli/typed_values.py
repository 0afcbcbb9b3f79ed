"""Typed text as values of columns: a shell passes text, and the schema has the types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

import polars as pl

from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.facets import fits

_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}

_READERS: Final[Mapping[Any, Callable[[str], object]]] = {
    pl.Boolean: lambda text: _BOOLEANS[text.lower()],
    pl.Decimal: Decimal,
    pl.Date: date.fromisoformat,
    pl.Datetime: datetime.fromisoformat,
    pl.Time: time.fromisoformat,
}


def value_of(text: str, dtype: pl.DataType) -> object:
    """The text as a value of this type; unchanged if it is no such value, to be refused later."""
    try:
        return _reader_of(dtype)(text)
    except (ValueError, KeyError, ArithmeticError):
        return text


def sides(
    argument: str, texts: Sequence[str], facets: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[str]:
    """The values of a side by facet; without facets, a list of the texts.

    ``sex=F`` is the value F of sex, split at the first ``=`` after the name of a facet. With one
    facet, its name may be left out; the value ``sex=F`` itself is then written ``sex=sex=F``.
    """
    if not facets:
        return list(texts)
    values: dict[str, list[object]] = {}
    for text in texts:
        facet, value = facet_and_value(argument, text, facets)
        values.setdefault(facet, []).append(value_of(value, _type_of(facet, schema)))
    return values


def facet_and_value(argument: str, text: str, facets: Sequence[str]) -> tuple[str, str]:
    """The facet and the value in ``facet=value``; with one facet, its name may be left out."""
    facet, value = _split(text, facets)
    if facet is None and len(facets) > 1:
        msg = (
            f"{argument}: {text!r} names no facet; with several facets, write "
            f"{f'{facets[0]}={text}'!r}, or another of {listed(facets)}"
        )
        raise FairnessError(msg)
    return facet or facets[0], value


def positives(
    texts: Sequence[str], outcomes: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[object]:
    """The positive values by outcome; a list for all outcomes if no text names an outcome.

    A text without a name beside texts with names is for the other outcomes.
    """
    named: dict[str, list[object]] = {}
    others: list[str] = []
    for text in texts:
        outcome, value = _split(text, outcomes)
        if outcome is None:
            others.append(text)
        else:
            named.setdefault(outcome, []).append(value_of(value, _type_of(outcome, schema)))
    if not named:
        return [value for text in texts for value in _fitting(text, outcomes, schema)]
    unnamed = [outcome for outcome in outcomes if outcome not in named]
    if others and not unnamed:
        msg = (
            f"positive: {others[0]!r} names no outcome, and each outcome has a value already; "
            f"write {listed([f'{outcome}={others[0]}' for outcome in named], 'or')}"
        )
        raise FairnessError(msg)
    if others:
        for outcome in unnamed:
            named[outcome] = [value_of(text, _type_of(outcome, schema)) for text in others]
    return named


def _fitting(text: str, outcomes: Sequence[str], schema: pl.Schema) -> list[object]:
    """The text as a value of each outcome whose type could hold it.

    An outcome of text could hold any text. It is left out if the text is a value of an outcome of
    another type, such as a number.
    """
    types = [schema[outcome] for outcome in outcomes if outcome in schema]
    fitting = [value for dtype in types if fits(value := value_of(text, dtype), dtype)]
    no_text = [value for value in fitting if not isinstance(value, str)]
    return no_text or fitting or [text]


def _type_of(name: str, schema: pl.Schema) -> pl.DataType:
    return schema.get(name, pl.String())


def _reader_of(dtype: pl.DataType) -> Callable[[str], object]:
    if dtype.is_integer():
        return int
    if dtype.is_float():
        return float
    return _READERS.get(dtype.base_type(), str)


def _split(text: str, names: Iterable[str]) -> tuple[str | None, str]:
    """The name and the value in ``name=value``; of several names that fit, the longest."""
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(f"{name}="):
            return name, text.removeprefix(f"{name}=")
    return None, text

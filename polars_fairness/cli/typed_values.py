"""Words of a command line to the values of columns: a shell knows no types, a schema does."""

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
    pl.Boolean: lambda word: _BOOLEANS[word.lower()],
    pl.Decimal: Decimal,
    pl.Date: date.fromisoformat,
    pl.Datetime: datetime.fromisoformat,
    pl.Time: time.fromisoformat,
}


def value_of(word: str, dtype: pl.DataType) -> object:
    """Read a word as a value of this type; what is none stays a word, and is refused as such."""
    try:
        return _reader_of(dtype)(word)
    except (ValueError, KeyError, ArithmeticError):
        return word


def sides(
    argument: str, words: Sequence[str], facets: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[str]:
    """Give the values named to their facets.

    ``sex=F`` is F of sex, split at the first ``=`` behind the name of a facet. With one facet its
    name may be left out; a value that begins with it is then written in full, ``sex=sex=F``.
    """
    if not facets:
        return list(words)
    values: dict[str, list[object]] = {}
    for word in words:
        facet, value = _addressed(word, facets)
        if facet is None and len(facets) > 1:
            msg = (
                f"{argument}: {word!r} does not say of which facet; with several, write "
                f"{facets[0]}={word}, or another of {listed(facets)}"
            )
            raise FairnessError(msg)
        name = facet or facets[0]
        values.setdefault(name, []).append(value_of(value, _type_of(name, schema)))
    return values


def positives(
    words: Sequence[str], outcomes: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[object]:
    """Give the values named to their outcomes; words without a name are for all the others.

    Where no word names an outcome, the values are a list for all of them.
    """
    named: dict[str, list[object]] = {}
    others: list[str] = []
    for word in words:
        outcome, value = _addressed(word, outcomes)
        if outcome is None:
            others.append(word)
        else:
            named.setdefault(outcome, []).append(value_of(value, _type_of(outcome, schema)))
    if not named:
        return [value for word in words for value in _fitting(word, outcomes, schema)]
    unnamed = [outcome for outcome in outcomes if outcome not in named]
    if others and not unnamed:
        msg = (
            f"positive: {others[0]!r} does not say of which outcome, beside those that do; write "
            + " or ".join(f"{outcome}={others[0]}" for outcome in named)
        )
        raise FairnessError(msg)
    if others:
        # An outcome is the label or the prediction: beside one that is named there is one more.
        [outcome] = unnamed
        named[outcome] = [value_of(word, _type_of(outcome, schema)) for word in others]
    return named


def _fitting(word: str, outcomes: Sequence[str], schema: pl.Schema) -> list[object]:
    """Read a word as a value of each outcome that could hold it.

    Text could hold any word: what is a number or a truth elsewhere is not meant as text.
    """
    types = [schema[outcome] for outcome in outcomes if outcome in schema]
    held = [value for dtype in types if fits(value := value_of(word, dtype), dtype)]
    no_text = [value for value in held if not isinstance(value, str)]
    return no_text or held or [word]


def _type_of(name: str, schema: pl.Schema) -> pl.DataType:
    return schema.get(name, pl.String())


def _reader_of(dtype: pl.DataType) -> Callable[[str], object]:
    if dtype.is_integer():
        return int
    if dtype.is_float():
        return float
    return _READERS.get(dtype.base_type(), str)


def _addressed(word: str, names: Iterable[str]) -> tuple[str | None, str]:
    """Split ``name=value``; of names that begin alike, the longest is meant."""
    for name in sorted(names, key=len, reverse=True):
        if word.startswith(f"{name}="):
            return name, word.removeprefix(f"{name}=")
    return None, word

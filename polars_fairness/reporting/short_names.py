"""Names of a page, shortened once before it is made: a name of a million letters took 323 MB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from hashlib import blake2b
from typing import Any, Final, TypeVar

import polars as pl

_MOST: Final = 200
_AT_ENDS: Final = 90
_T = TypeVar("_T")


def with_short_names(found: _T) -> _T:
    """What a page is made of, with all names and values in it short.

    Answers in other formats have the whole names.
    """
    return replace(
        found,  # type: ignore[type-var]
        **{each.name: _short(getattr(found, each.name)) for each in fields(found)},  # type: ignore[arg-type]
    )


def _short(part: Any) -> Any:
    if isinstance(part, str):
        return _shortened(part)
    if isinstance(part, pl.DataFrame):
        short = part.with_columns(map(_short_texts, part.select(pl.col(pl.String))))
        return short.rename(_shortened)
    if isinstance(part, Mapping):
        return {_short(key): _short(value) for key, value in part.items()}
    if isinstance(part, list | tuple) and type(part) in (list, tuple):
        return type(part)(map(_short, part))
    return with_short_names(part) if _has_frames(part) else part


def _has_frames(part: object) -> bool:
    return is_dataclass(part) and any(
        isinstance(getattr(part, each.name), pl.DataFrame) for each in fields(part)
    )


def _short_texts(texts: pl.Series) -> pl.Series:
    long = texts.filter(texts.str.len_chars() > _MOST).unique()
    return texts.replace(long, [*map(_shortened, long)]) if len(long) else texts


def _shortened(name: str) -> str:
    """A name without its middle, with letters in its place by which names differ."""
    if len(name) <= _MOST:
        return name
    apart = blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{name[:_AT_ENDS]}…{apart}…{name[-_AT_ENDS:]}"

"""Names of a page, shortened once before it is made: a name of a million letters took 323 MB."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from hashlib import blake2b
from typing import Any, Final, TypeVar

import polars as pl

_MOST: Final = 200
ON_FIRST_PAGE: Final = 80
"""How long a name is at most on the first page, so that two of them leave room for what is said."""
_LETTERS_APART: Final = 20
"""The room of what stands in place of the middle of a name."""
_SENTENCES: Final = ("note", "on_values")
"""A column and a part that have sentences, which are no longer than names may be elsewhere."""
_WRITTEN: Final = ("published", "justification")
"""What a person writes for a page: it is whole, however long."""
_T = TypeVar("_T")


def with_short_names(whole: _T, most: int = _MOST) -> _T:
    """What a page is made of, with all names and values in it short; itself if they are.

    Answers in other formats have the whole names.
    """
    parts = {each.name: getattr(whole, each.name) for each in fields(whole)}  # type: ignore[arg-type]
    limits = dict.fromkeys(_SENTENCES, _MOST)
    short = {
        name: part if name in _WRITTEN else _short(part, limits.get(name, most))
        for name, part in parts.items()
    }
    is_same = all(short[name] is part for name, part in parts.items())
    return whole if is_same else replace(whole, **short)  # type: ignore[type-var]


def _short(part: Any, most: int) -> Any:
    if isinstance(part, str):
        return _shortened(part, most)
    if isinstance(part, pl.DataFrame):
        for texts in part.select(pl.col(pl.String)):
            limit = _MOST if texts.name in _SENTENCES else most
            long = texts.filter(texts.str.len_chars() > limit).unique()
            if len(long):
                short = texts.replace(long, [_shortened(each, limit) for each in long])
                part = part.with_columns(short)
        is_short = max(map(len, part.columns), default=0) <= most
        return part if is_short else part.rename(lambda name: _shortened(name, most))
    if isinstance(part, Mapping):
        pairs = {
            _short(key, most): value if key in _WRITTEN else _short(value, most)
            for key, value in part.items()
        }
        is_same = all(pairs.get(key) is value for key, value in part.items())
        return part if is_same else pairs
    if type(part) in (list, tuple):
        things = [_short(each, most) for each in part]
        is_same = all(short is each for short, each in zip(things, part, strict=True))
        return part if is_same else type(part)(things)
    has_frames = is_dataclass(part) and any(
        isinstance(getattr(part, each.name), pl.DataFrame) for each in fields(part)
    )
    return with_short_names(part, most) if has_frames else part


def _shortened(name: str, most: int) -> str:
    """A name without its middle, with letters in its place by which names differ."""
    if len(name) <= most:
        return name
    apart = blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    end = (most - _LETTERS_APART) // 2
    return f"{name[:end]}…{apart}…{name[-end:]}"

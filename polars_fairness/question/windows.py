"""Windows: groups of rows with results of their own, for each combination of ``by``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import polars as pl

from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.columns import KeyColumns

MODEL: Final = "model"
THRESHOLD: Final = "threshold"
ESTIMATOR: Final = "estimator"
"""How groups that are known only as probabilities are counted; null for groups that are known."""

POSITIVE: Final = "positive"
"""The class of outcomes that is positive, where each is in turn."""

WEIGHTED: Final = "weighted"
LINEAR: Final = "linear"

IS_BASELINE: Final = "is_baseline\x1f"
"""Whether a window is of the baseline; no column of a caller has such a name."""


HELD_OUT: Final = "held_out\x1f"
"""Whether a window has no part in a choice; no column of a caller has such a name."""

REPLICATE: Final = "replicate\x1f"
"""The group of clusters that the cells of a window lack; no column of a caller has such a name."""

STEP: Final = "step\x1f"
"""The number of one of several audited tables of cells; no column of a caller has such a name."""

_TYPES: Final = {
    STEP: pl.UInt32(),
    REPLICATE: pl.UInt8(),
    IS_BASELINE: pl.Boolean(),
    HELD_OUT: pl.Boolean(),
    MODEL: pl.String(),
    THRESHOLD: pl.Float64(),
    ESTIMATOR: pl.String(),
}


@dataclass(frozen=True)
class Period:
    """Windows of time: the column of this key, rounded down to multiples of a duration.

    A window has the rows of so many of these blocks, up to the end of the one that it is named by.
    No block is shorter than ``seconds``.
    """

    key: str
    every: str
    seconds: int
    blocks: int


@dataclass(frozen=True)
class Windows(KeyColumns):
    """The columns of ``by``, and those of models and of thresholds if there are several.

    Each combination of their values is a window. They are the first columns of every result.
    ``made`` has the columns that the question makes, which are no columns of the user.

    Where the cells of a baseline stand beside those of a frame, ``matched`` has the keys of ``by``
    that both have, by which their windows are matched. The windows of the baseline are in no
    result. With ``has_classes``, the last column is `POSITIVE`, which is no column of rows.
    """

    made: tuple[str, ...] = ()
    matched: tuple[str, ...] | None = None
    has_classes: bool = False
    period: Period | None = None

    def __bool__(self) -> bool:
        return bool(self.keys)

    @cached_property
    def without_made(self) -> Windows:
        """The windows that rows have by themselves: those of ``by``."""
        return replace(self.without_classes, made=(), matched=None)

    @cached_property
    def without_classes(self) -> Windows:
        """The windows of rows whose classes are not positive in turn yet."""
        if not self.has_classes:
            return self
        return replace(self, columns=self.columns[:-1], has_classes=False)

    @property
    def class_key(self) -> str:
        """The key of the class that is positive; null where all classes are compared at once."""
        return list(self.by_key)[-1]

    @property
    def overlap(self) -> bool:
        """Whether a row is in several windows of time."""
        return self.period is not None and self.period.blocks > 1

    @property
    def has_baseline(self) -> bool:
        return self.matched is not None

    @cached_property
    def has_thresholds(self) -> bool:
        return THRESHOLD in self.made

    @cached_property
    def without_baseline(self) -> Windows:
        """The windows of the frame alone, without those of a baseline."""
        return self.without(IS_BASELINE)

    def with_made(self, name: str) -> Windows:
        """The windows with one more column that the question makes, before its others."""
        return replace(self, made=(name, *self.made))

    @cached_property
    def has_estimators(self) -> bool:
        return ESTIMATOR in self.made

    @cached_property
    def without_thresholds(self) -> Windows:
        """The windows of scores, which are the same at each threshold."""
        return self.without(THRESHOLD)

    @cached_property
    def keys(self) -> list[str]:
        return [*super().keys, *self.made]

    @cached_property
    def names(self) -> list[str]:
        return [*super().names, *self.made]

    @cached_property
    def types(self) -> dict[str, pl.DataType]:
        return super().types | {name: _TYPES[name] for name in self.made}

    def as_keys(self) -> list[pl.Expr]:
        keys, period = super().as_keys(), self.period
        if period is None:
            return keys
        return [
            value.dt.truncate(period.every).alias(key) if key == period.key else value
            for key, value in zip(self.by_key, keys, strict=True)
        ]

    def as_named(self) -> list[pl.Expr]:
        return [*super().as_named(), *map(pl.col, self.made)]

    def without(self, made: str) -> Windows:
        """The windows without a column that the question makes."""
        if made not in self.made:
            return self
        others = tuple(name for name in self.made if name != made)
        return replace(self, made=others, matched=None if made == IS_BASELINE else self.matched)


def is_time(dtype: pl.DataType) -> bool:
    """Whether values are dates, which periods round down."""
    return dtype in (pl.Date, pl.Datetime)


def time_of(windows: Windows, argument: str = "sequential") -> str:
    """The key of the one column of ``by`` that orders rows in time; raise unless just one does.

    A date is the time beside numbers, such as the code of a branch, and the only one for ``every``.
    """
    columns = windows.without_classes.by_key
    dates = [key for key, each in columns.items() if is_time(each.dtype)]
    numbers = [key for key, each in columns.items() if each.dtype.is_numeric()]
    times = dates if dates or argument == "every" else numbers
    if len(times) == 1:
        return times[0]
    kind = "dates or numbers" if argument == "sequential" else "dates"
    if not columns:
        msg = "needs the time of each row; give its column as by="
    elif times:
        msg = f"by= has several columns of {kind}, {listed(columns[key].name for key in times)}"
        msg += "; name one"
    else:
        types = ", ".join(f"{each.name!r} is {each.dtype}" for each in columns.values())
        msg = f"by= has no {kind}, {types}; parse the dates, such as with .str.to_date(), or name "
        msg += "another column"
    raise FairnessError(f"{argument}: {msg}")

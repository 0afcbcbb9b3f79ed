"""Answers that were given to be shown, recognised by their columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import polars as pl

from polars_fairness.answers.contrasts import CONTRAST
from polars_fairness.api.columns import ANSWERS, Kind
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.words import columns_of_candidate, value_in_words, window_in_words

_REQUIRED: Final = {
    kind: [each.name for each in columns if not each.optional] for kind, columns in ANSWERS.items()
}
"""The columns by which each kind of answer is recognised."""

_FIRST: Final[dict[Kind, str]] = {
    "worst_groups": "group",
    "choose": "selection_rate",
    "lending_quantiles": "share",
}
"""The first column after those of windows, where it is not the facet."""


@dataclass(frozen=True, eq=False)
class Answer:
    """An answer with the name of the function that returned it."""

    kind: Kind
    frame: pl.DataFrame

    @property
    def windows(self) -> list[str]:
        """The columns of windows that stand before those of the answer; not those of candidates."""
        return [name for name in self._first_columns if name not in self.candidate]

    @property
    def candidate(self) -> tuple[str, ...]:
        """The columns that name a candidate of a choice."""
        return columns_of_candidate(self._first_columns) if self.kind == "choose" else ()

    @property
    def _first_columns(self) -> list[str]:
        first = _FIRST.get(self.kind, "facet")
        return self.frame.columns[: self.frame.columns.index(first)]

    @property
    def is_swept(self) -> bool:
        """Whether the last windows are thresholds, and there is not only one."""
        windows = self.windows
        if windows[-1:] != [THRESHOLD]:
            return False
        thresholds = self.frame[THRESHOLD]
        return thresholds.dtype.is_numeric() and thresholds.n_unique() != 1

    @property
    def has_contrast(self) -> bool:
        """Whether each row stands beside a reference."""
        return {*CONTRAST} <= {*self.frame.columns}

    @property
    def attributes(self) -> list[str]:
        """The facets of the groups that `worst_groups` ranks."""
        if self.kind != "worst_groups":
            return []
        return self.frame["fixed"].struct.fields


def recognised(answer: Any, takes: Collection[Kind]) -> Answer:
    """The answer with its kind; an error for rows, and for a kind that is not taken."""
    if not isinstance(answer, pl.DataFrame | pl.LazyFrame):
        refuse_others(type(answer).__name__, takes)
    frame = answer.lazy().collect(engine="streaming")
    kind = max(_REQUIRED, key=lambda each: _likeness(frame, each))
    missing = [name for name in _REQUIRED[kind] if name not in frame.columns]
    if 2 * len(missing) >= len(_REQUIRED[kind]):
        refuse_others(f"a frame with the columns {listed(frame.columns)}", takes)
    if kind not in takes:
        refuse_others(f"what {kind!r} returned", takes)
    if missing:
        raise FairnessError(
            f"answer: looks like what {kind!r} returned; keep its columns {listed(missing)}"
        )
    known = Answer(kind, frame)
    if kind == "choose" and not known.candidate:
        raise FairnessError(
            "answer: looks like what 'choose' returned; keep its column 'model' or 'threshold'"
        )
    _refuse_bands_in_part(frame)
    return known


def _refuse_bands_in_part(frame: pl.DataFrame) -> None:
    """Raise unless each band has both of its ends, and an ideal between them."""
    names = ("ideal", "band_lower", "band_upper")
    if not {*names} <= {*frame.columns}:
        return
    banded = frame.filter(pl.any_horizontal(pl.col(names[1:]).is_not_null()))
    for name in names:
        if banded[name].has_nulls():
            raise FairnessError(
                f"answer: {name!r} is null in a row that has a band; keep {listed(names)} as they "
                "were"
            )


def _likeness(frame: pl.DataFrame, kind: Kind) -> int:
    """How many columns of a kind a frame has, less those that it lacks."""
    return sum(1 if name in frame.columns else -1 for name in _REQUIRED[kind])


def refuse_others(given: str, takes: Collection[Kind]) -> NoReturn:
    """Raise about what no function of ours returned, or none of those that are taken."""
    raise FairnessError(
        f"answer: takes a frame that {listed(takes, 'or')} returned, got {given}; give the result "
        "of audit or of rates"
    )


Row = Mapping[str, Any]


def group_name(answer: Answer, row: Row) -> str:
    """The name of a group: the attributes that it fixes, with their values."""
    fixed = row["fixed"]
    return ", ".join(
        f"{name} {value_in_words(row[name])}" for name in answer.attributes if fixed[name]
    )


def windows_in_words(answer: Answer, row: Row) -> str:
    """The window of a row of the answer; empty without ``by``."""
    return window_in_words(tuple((name, row[name]) for name in answer.windows))


def rate_of(row: Row) -> float | None:
    """The rate by which a group is ranked: the shrunken rate if there is one."""
    rate: float | None = row.get("shrunken_rate", row["rate"])
    return rate

"""Types of columns in files that have none: what the text of all rows can be read as."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from polars.exceptions import PolarsError

from polars_fairness.cli.typed_models import columns_of, predicted_in
from polars_fairness.errors import FairnessError, did_you_mean
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.prescribed_arguments import OF_IMPACT_RATIOS

_SAMPLE: Final = 1_000

_NAMING: Final = {
    row.name for row in (*OF_QUESTION, *OF_AUDIT, *OF_IMPACT_RATIOS) if row.kind.names_columns
}

# Groups differ by their text: as numbers, the postal codes 02134 and 2134 would be one.
_OF_GROUPS: Final = ("facet", "subgroup", "sex", "race")

# Text beside numbers is a mistake in these, and in outcomes with a threshold.
_OF_NUMBERS: Final = ("score", "weight", "count", "baseline_count")
_COMPARED: Final = {"threshold": "predicted", "label_threshold": "label"}

_DAYS: Final = ("%Y-%m-%d", "%Y/%m/%d", "%d-%m-%Y", "%d/%m/%Y")
_MOMENTS: Final = (
    *("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M"),
    *("%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z"),
)

Reading = Callable[[pl.Expr], pl.Expr]
"""Text as values of a type; null where it is no such value."""


def _as_boolean(text: pl.Expr) -> pl.Expr:
    word = text.str.to_lowercase()
    return (
        pl.when(word == "true")
        .then(pl.lit(value=True))
        .when(word == "false")
        .then(pl.lit(value=False))
    )


def _as_whole(text: pl.Expr) -> pl.Expr:
    """Whole numbers, if written as usual: 02134 and +1 are none."""
    number = text.cast(pl.Int64, strict=False)
    return pl.when(number.cast(pl.String) == text).then(number)


def as_number(text: pl.Expr) -> pl.Expr:
    """Numbers; 02134 is none."""
    return pl.when(~text.str.contains(r"^[+-]?0\d")).then(text.cast(pl.Float64, strict=False))


def _as_day(form: str) -> Reading:
    return lambda text: text.str.to_date(form, strict=False)


def _as_moment(form: str) -> Reading:
    return lambda text: text.str.to_datetime(form, time_unit="us", strict=False)


_NUMBERS: Final = (_as_boolean, _as_whole, as_number)
_TIMES: Final = (*map(_as_day, _DAYS), *map(_as_moment, _MOMENTS))


@dataclass(frozen=True)
class Candidates:
    """How the text of each column that the options name may be read, the preferred reading first.

    Without a reading, a column stays text. ``in_conditions`` are the columns of --where, which
    compares numbers and times also where the question has text. ``argument`` says which argument
    needs numbers in a column.
    """

    in_question: Mapping[str, Sequence[Reading]]
    in_conditions: Mapping[str, Sequence[Reading]]
    argument: Mapping[str, str]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys([*self.in_question, *self.in_conditions]))

    @classmethod
    def of(cls, arguments: Mapping[str, Any], names: Sequence[str]) -> Candidates:
        """Those of the typed arguments about files with columns of these names."""
        named = {
            name: [column for column in _columns_in(arguments, name, names) if column in names]
            for name in _NAMING & arguments.keys()
        }
        texts = texts_in(arguments, names)
        # A column of two roles is read as the later of these.
        question: dict[str, Sequence[Reading]] = dict.fromkeys(
            (column for columns in named.values() for column in columns), _NUMBERS
        )
        question |= dict.fromkeys(named.get("by", ()), (_as_whole, *_TIMES))
        groups = (column for name in _OF_GROUPS for column in named.get(name, ()))
        question |= dict.fromkeys([*groups, *texts], ())
        conditions = [name for name in _names_in(arguments.get("where")) if name in names]
        return cls(
            question,
            {name: () if name in texts else (*_NUMBERS, *_TIMES) for name in conditions},
            {
                column: name
                for name in (
                    *_OF_NUMBERS,
                    *(_COMPARED[each] for each in _COMPARED.keys() & arguments.keys()),
                )
                for column in named.get(name, ())
                if question[column] == _NUMBERS
            },
        )


def texts_in(arguments: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The columns that --text names."""
    texts: list[str] = arguments.get("text", [])
    for name in texts:
        if name not in names:
            msg = f"--text: no column {name!r}; {did_you_mean(name, names)}"
            raise FairnessError(msg)
    return texts


def _columns_in(arguments: Mapping[str, Any], name: str, names: Sequence[str]) -> Iterable[str]:
    given = arguments[name]
    if name == "predicted":
        return columns_of(predicted_in(given, pl.Schema(dict.fromkeys(names, pl.String()))))
    return [given] if isinstance(given, str) else given


def _names_in(where: str | None) -> Sequence[str]:
    """The columns of a condition; none of text that is no SQL, which is refused later."""
    try:
        return [] if where is None else pl.sql_expr(where).meta.root_names()
    except PolarsError:
        return []


def readings_of(
    texts: pl.LazyFrame, several: Sequence[Mapping[str, Sequence[Reading]]], *others: pl.Expr
) -> tuple[list[dict[str, Reading]], pl.DataFrame]:
    """For each mapping, the first reading of each column that all its values allow, if any does.

    One pass over all rows: what holds for the first rows may not hold for the last. A reading that
    the first rows refute is not tried on the others. The answer of ``others`` comes from that pass.
    """
    names = list(dict.fromkeys(name for each in several for name in each))
    sample = texts.select(names).head(_SAMPLE).collect()
    left = [
        {
            name: [read for read in reads if not sample.select(refutes(name, read)).item()]
            for name, reads in each.items()
        }
        for each in several
    ]
    tests = {
        f"{i} {j} {name}\x1f": refutes(name, read)
        for i, each in enumerate(left)
        for name, reads in each.items()
        for j, read in enumerate(reads)
    }
    filled = {f"{name}\x1f": is_filled(name).any() for name in names}
    answer = texts.select(*others, **tests, **filled).collect(engine="streaming")
    found = [
        {
            name: read
            for name, reads in each.items()
            if (read := _first_allowed(answer, i, name, reads)) is not None
        }
        for i, each in enumerate(left)
    ]
    return found, answer


def _first_allowed(
    answer: pl.DataFrame, i: int, name: str, reads: Sequence[Reading]
) -> Reading | None:
    if not answer[f"{name}\x1f"].item():
        # Outcomes and the like without any value are numbers, all other columns text.
        return _as_whole if reads == [*_NUMBERS] else None
    allowed = (read for j, read in enumerate(reads) if not answer[f"{i} {j} {name}\x1f"].item())
    return next(allowed, None)


def refutes(name: str, read: Reading) -> pl.Expr:
    """Whether a value of the column cannot be read so."""
    return (is_filled(name) & read(pl.col(name)).is_null()).any()


def is_filled(name: str) -> pl.Expr:
    """Whether a field has text."""
    return pl.col(name).is_not_null() & (pl.col(name) != "")

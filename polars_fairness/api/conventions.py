"""Conventions by which two tools read one question otherwise, each as a change of counted rows.

The rows have columns with names of their own: `FACET`, `LABEL` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, nextafter, ulp
from typing import Any, Final

import polars as pl

from polars_fairness.formula.metric import Metric
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL
from polars_fairness.question.roles import Roles

FACET, LABEL, PREDICTED, SIDE = "facet", "label", "predicted", "side"
OUTCOMES: Final = (LABEL, PREDICTED)
D, A = "d", "a"
"""The values of `SIDE`."""

_STEP_OF_32_BITS: Final = 2.0**29
"""The step between numbers of 32 bits, in steps of 64 bits."""

_MOST_GROUPS: Final = 10
"""How many groups are tried as side a, the largest first."""

Rows = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Sides:
    """The groups of side d and of side a; side a may be everyone else, or all rows."""

    d: tuple[str, ...]
    a: tuple[str, ...] = ()
    has_all_rows: bool = False
    are_exchanged: bool = False

    def of(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows with their side; those of d are there twice if side a has all rows."""
        group = pl.col(FACET)
        is_d, is_a = group.is_in(self.d), group.is_in(self.a) if self.a else group.is_not_null()
        d, a = (A, D) if self.are_exchanged else (D, A)
        if self.has_all_rows:
            parts = ((is_d, d), (is_a, a))
            return pl.concat(
                rows.filter(members).with_columns(pl.lit(name).alias(SIDE))
                for members, name in parts
            )
        return rows.with_columns(
            pl.when(is_d).then(pl.lit(d)).when(is_a).then(pl.lit(a)).alias(SIDE)
        )


@dataclass(frozen=True, eq=False)
class Convention:
    """How a question may be read otherwise.

    Parameters
    ----------
    words
        What holds then, the rest of a sentence that begins with "equal if".
    about
        What it decides; two conventions about one thing do not go together.
    counts
        The arguments that are others when rows are counted.
    rows
        What is done to the counted rows.
    sides
        What is done to the sides.
    asks
        The arguments that are others when metrics are computed from the counted rows.
    """

    words: str
    about: str
    counts: Mapping[str, Any] = field(default_factory=dict)
    rows: Rows | None = None
    sides: Callable[[Sides], Sides] | None = None
    asks: Mapping[str, Any] = field(default_factory=dict)


def conventions_of_values(
    metric: Metric, *, may_be_percent: bool
) -> dict[str, Callable[[float], float]]:
    """What may be done to a value before it is reported, by its words."""
    found: dict[str, Callable[[float], float]] = {"the sign is turned": lambda value: -value}
    if metric.is_ratio:
        found["the ratio is turned over"] = lambda value: 1 / value if value else inf
    if may_be_percent:
        found["it is given in percent"] = lambda value: 100 * value
    return found


def conventions_of_counting(roles: Roles) -> Iterator[Convention]:
    """How rows may be counted otherwise."""
    if roles.count is not None:
        yield Convention("each row of the data counts once", "rows", {"count": None})
    if any(facet.unknown for facet in roles.facets):
        words = "the values that mean unknown are groups"
        yield Convention(words, "unknown", {"unknown": None})
    for argument, outcome in (("threshold", roles.predicted), ("label_threshold", roles.label)):
        if outcome is not None and (least := outcome.threshold) is not None:
            is_short = outcome.column.dtype == pl.Float32
            above = least + ulp(least) * _STEP_OF_32_BITS if is_short else nextafter(least, inf)
            words = f"a number equal to the {argument.replace('_', ' ')} is negative"
            yield Convention(words, argument, {argument: above})


def conventions_of_rows(
    rows: pl.DataFrame, question: Mapping[str, Any], metric: Metric, sides: Sides | None
) -> Iterator[Convention]:
    """How counted rows may be read otherwise, the simplest first; ``question`` is the question."""
    if sides is not None:
        yield Convention("the sides change places", "sides", sides=_exchanged)
    yield from _of_classes(rows)
    zero, written = (None, "undefined") if question.get("zero_division") == 0 else (0.0, 0)
    yield Convention(f"0/0 is {written}", "zero", asks={"zero_division": zero})
    yield from _of_missing_values(rows)
    if "weight" in question:
        yield Convention("weights are ignored", "weight", asks={"weight": None})
    if sides is not None:
        for words, other in _references(rows, sides, is_good=question["favorable"]).items():
            if other != sides:
                compared = partial(_compared_with, other)
                yield Convention(f"side d is compared with {words}", "reference", sides=compared)
    if "formula" in metric.unfavorable:
        is_good = not question["favorable"]
        words = f"a positive outcome is {'good' if is_good else 'bad'}"
        yield Convention(words, "favorable", asks={"favorable": is_good})


def _compared_with(other: Sides, sides: Sides) -> Sides:
    return replace(other, are_exchanged=sides.are_exchanged)


def _exchanged(sides: Sides) -> Sides:
    return replace(sides, are_exchanged=not sides.are_exchanged)


def _references(rows: pl.DataFrame, sides: Sides, *, is_good: bool) -> dict[str, Sides]:
    """What side d may be compared with, by its words."""
    mass = next((pl.col(name) for name in ("weight", "n") if name in rows.columns), pl.lit(1))
    outcome = next((pl.col(name) for name in OUTCOMES[::-1] if _is_flag(rows, name)), None)
    rate = pl.lit(None, pl.Float64)
    if outcome is not None:
        rate = (mass * outcome).sum() / mass.filter(outcome.is_not_null()).sum()
    groups = (
        rows.filter(pl.col(FACET).is_not_null())
        .group_by(FACET)
        .agg(size=mass.sum(), rate=rate.fill_nan(None))
        .sort("size", FACET, descending=[True, False])
    )
    ranked = groups.drop_nulls("rate").sort("rate", descending=is_good, maintain_order=True)
    first = {
        LARGEST.in_words: groups[FACET][:1].to_list(),
        HIGHEST.in_words if is_good else HIGHEST.if_unfavorable: ranked[FACET][:1].to_list(),
    }
    found = {"everyone else": Sides(sides.d), OVERALL.in_words: Sides(sides.d, has_all_rows=True)}
    for name in [each for each in groups[FACET] if each not in sides.d][:_MOST_GROUPS]:
        also = [words for words, names in first.items() if names == [name]]
        found[", ".join(filter(None, [name, " and ".join(also)]))] = Sides(sides.d, (name,))
    return found


def _is_flag(rows: pl.DataFrame, name: str) -> bool:
    return rows.schema.get(name) == pl.Boolean


def _of_classes(rows: pl.DataFrame) -> Iterator[Convention]:
    """Outcomes turned or exchanged."""
    known = [name for name in OUTCOMES if _is_flag(rows, name)]
    for name in known:
        word = "prediction" if name == PREDICTED else name
        turned = _with(~pl.col(name))
        yield Convention(f"the other class of the {word} is positive", "class", rows=turned)
    if len(known) == len(OUTCOMES):
        both = _with(*(~pl.col(name) for name in known))
        yield Convention("the other class of both outcomes is positive", "class", rows=both)
        exchanged = _with(pl.col(LABEL).alias(PREDICTED), pl.col(PREDICTED).alias(LABEL))
        yield Convention("label and prediction change places", "places", rows=exchanged)


def _of_missing_values(rows: pl.DataFrame) -> Iterator[Convention]:
    """Rows without an outcome or a group."""
    lacking = [name for name in rows.columns if rows[name].null_count()]
    if not lacking:
        return
    words = "rows that lack any value are left out"
    yield Convention(words, "missing", rows=lambda counted: counted.drop_nulls(lacking))
    outcomes = [name for name in lacking if _is_flag(rows, name)]
    if outcomes:
        filled = _with(pl.col(*outcomes).fill_null(value=False))
        yield Convention("a missing outcome is negative", "missing", rows=filled)
    if FACET in lacking:
        filled = _with(pl.col(FACET).fill_null("(unknown)"))
        yield Convention("rows of unknown group are a group of their own", "group", rows=filled)


def _with(*columns: pl.Expr) -> Rows:
    return lambda counted: counted.with_columns(*columns)

"""Rows of other engines, which count them themselves: one SELECT, and its cells in polars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import chain
from math import inf
from operator import add, mul
from typing import Any, Final

import polars as pl

from polars_fairness.counting.counts import CLUSTER, GROUPS, PRIME, is_group, scattered
from polars_fairness.counting.dialects import Dialect
from polars_fairness.counting.models import Count
from polars_fairness.counting.polars_rows import (
    ALL_KNOWN,
    INFINITE,
    LOWEST,
    LOWEST_N,
    MISSING,
    RESIDUAL,
    TALLIES,
    WHOLE,
    Counted,
    PolarsRows,
    blocks_of,
    blocks_with,
    columns_that_may_lack,
    is_tally,
    row_keys,
    sums_of_tallies,
)
from polars_fairness.counting.sql import Reading, Term
from polars_fairness.errors import FairnessError
from polars_fairness.formula.powers import DISTANCE, Power
from polars_fairness.formula.sides import SUMS_OF_NUMBERS
from polars_fairness.question.columns import Column, column_called, is_text
from polars_fairness.question.facets import Facet, fits, value_as
from polars_fairness.question.outcomes import (
    ESTIMATED,
    OBSERVED,
    Outcome,
    powers_of,
    returned_sums,
)
from polars_fairness.question.probabilities import (
    ROWS,
    SQUARES,
    checked,
    has_shares,
    returned_name,
    scaled,
    share,
    shares,
    sums_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS, Multiples, Score, Thresholds, short
from polars_fairness.question.windows import Period

Ask = Callable[[str], pl.DataFrame]

_GROUPING: Final = "grouping\x1f"
"""The column that numbers blocks."""

_MOST_COUNTED: Final = 2**63 - 1

_UNITS: Final = {
    "y": "year",
    "q": "quarter",
    "mo": "month",
    "w": "week",
    "d": "day",
    "h": "hour",
    "m": "minute",
    "s": "second",
}


@dataclass(frozen=True, eq=False)
class Table:
    """A table of an engine that answers SQL.

    Parameters
    ----------
    sql
        What stands for the table behind FROM.
    columns
        The names of its columns.
    types
        Their types in polars.
    ask
        What runs a query.
    named
        What messages call it.
    """

    sql: str
    dialect: Dialect
    columns: Sequence[str]
    types: Mapping[str, pl.DataType] = field(repr=False)
    ask: Ask = field(repr=False)
    named: str

    @cached_property
    def schema(self) -> pl.Schema:
        return pl.Schema(self.types)

    def without(self, name: str) -> Table:
        """The table without a column."""
        others = [each for each in self.columns if each != name]
        return replace(self, columns=others, types={each: self.types[each] for each in others})

    def answered(self, sql: str, names: Sequence[str]) -> pl.DataFrame:
        """The answer to a query, whose columns are called so, in order."""
        answer = self.ask(sql)
        answer.columns = [*names]
        return answer

    def read(self, names: Iterable[str]) -> pl.DataFrame:
        """The rows of these columns in polars."""
        chosen = [name for name in self.columns if name in {*names}]
        sql = f"SELECT {', '.join(map(self.dialect.column, chosen))} FROM {self.sql}"
        rows = self.answered(sql, chosen)
        typed = (
            as_type(column_called(name), rows.schema[name], self.types[name]).alias(name)
            for name in chosen
        )
        return rows.select(*typed)


def as_type(value: pl.Expr, given: pl.DataType, wanted: pl.DataType) -> pl.Expr:
    """Values as they come from an engine, in the type of a question: SQLite has dates as text."""
    if given == wanted:
        return value
    if given == pl.Binary and wanted == pl.String:
        return value.cast(pl.String)
    if given == pl.String and wanted == pl.Date:
        return value.str.head(10).str.to_date("%Y-%m-%d")
    if given == pl.String and isinstance(wanted, pl.Datetime):
        moment = value.str.replace("T", " ", literal=True)
        return moment.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit=wanted.time_unit)
    if isinstance(wanted, pl.Datetime) and not wanted.time_zone and given != pl.Date:
        value = value.dt.replace_time_zone(None)
    return value.cast(wanted)


class _Conditions:
    """What functions for expressions of polars use of polars, for terms."""

    @staticmethod
    def when(condition: Term) -> Term:
        return condition

    @staticmethod
    def lit(value: float) -> float:
        return value


@dataclass(frozen=True)
class Key:
    """A key: its name in cells, the SQL that rows are grouped by, its type in polars."""

    name: str
    value: Term
    dtype: pl.DataType


class Statement:
    """The SQL that counts the rows of a table by the keys of a count: those of `polars_rows`.

    In ``decided`` ones outcomes are True and False, and values that mean unknown are null.
    """

    def __init__(self, reading: Reading, count: Count, *, decided: bool = False) -> None:
        self.reading, self.count, self.roles = reading, count, count.roles
        self.decided = decided
        self.dialect = reading.dialect
        self.places = {
            number.role: self._place(number.column) for number in self.roles.summed_numbers
        }

    def query(self, blocks: Sequence[Sequence[Facet]]) -> tuple[str, list[str]]:
        """The counts of each block, one below the other, and the names of their columns.

        A column ``grouping`` numbers the blocks; keys that a block does not have are null.
        """
        keys = [[*self.keys(block)] for block in blocks]
        tallies = self.tallies([*dict.fromkeys(chain.from_iterable(blocks))])
        every = {key.name: key for key in chain.from_iterable(keys)}
        names = [*every, *tallies, _GROUPING]
        groups = [[*dict.fromkeys(key.value.text for key in own)] for own in keys]
        source = f"({self.reading.source}) r"
        if len(blocks) > 1 and self.dialect.has_sets:
            # The keys of a larger block may include those of a smaller one.
            numbers = " ".join(
                f"WHEN {' + '.join(f'GROUPING({each})' for each in own) or '0'} = 0 THEN {number}"
                for number, own in sorted(enumerate(groups), key=lambda each: -len(each[1]))
            )
            sets = ", ".join(f"({', '.join(own)})" for own in groups)
            columns = [*(key.value.text for key in every.values()), *tallies.values()]
            chosen = self.reading.aliased([*columns, f"CASE {numbers} END"])
            return f"SELECT {chosen} FROM {source} GROUP BY GROUPING SETS ({sets})", names
        parts = []
        for number, (own, by) in enumerate(zip(keys, groups, strict=True)):
            held = {key.name for key in own}
            there = [key.value.text if key.name in held else "NULL" for key in every.values()]
            chosen = self.reading.aliased([*there, *tallies.values(), str(number)])
            grouped = f" GROUP BY {', '.join(by)}" if by else ""
            parts.append(f"SELECT {chosen} FROM {source}{grouped}")
        return " UNION ALL ".join(parts), names

    def values(self, facets: Sequence[Facet]) -> tuple[str, list[str]]:
        """How many values each key has."""
        keys = [*self.keys(facets)]
        chosen = self.reading.aliased([f"count(DISTINCT {key.value.text})" for key in keys])
        return f"SELECT {chosen} FROM ({self.reading.source}) r", [key.name for key in keys]

    def keys(self, facets: Sequence[Facet]) -> Iterator[Key]:
        """The keys that rows are grouped by, before facets and outcomes are decided."""
        roles, reading = self.roles, self.reading
        for name, column in roles.windows.by_key.items():
            yield Key(name, self._window(name, column, roles.windows.period), column.dtype)
        for own in (roles.strata, roles.controls):
            for name, column in own.by_key.items():
                yield Key(name, reading.key_of(column), column.dtype)
        for facet in facets:
            for name, part, (_, dtype) in zip(
                facet.keys, self._attributes(facet), facet.fields, strict=True
            ):
                yield Key(name, part, dtype)
        for outcome in self.count.outcomes:
            dtype = outcome.with_expression(pl.col(outcome.key)).column.dtype
            yield Key(outcome.key, self._outcome(outcome), dtype)
        if self.count.score is not None:
            yield Key("score", self._score(self.count.score), pl.Float64())
        if self.count.all_known:
            known = [reading.value(column).is_not_null() for column in self.count.all_known]
            are_known = reduce(Term.__and__, known)
            yield Key(ALL_KNOWN, self._as_value(are_known, are_known), pl.Boolean())
        if roles.cluster is not None:
            yield Key(CLUSTER, self._group_left_out(roles.cluster), pl.UInt8())
        yield from self._keys_of_numbers()

    def _keys_of_numbers(self) -> Iterator[Key]:
        """Whether numbers are known, or the numbers themselves."""
        reading = self.reading
        for key, column in columns_that_may_lack(self.count).items():
            # As a number, since not every engine groups by true and null.
            is_known = reading.value(column).is_not_null()
            yield Key(key, reading.named(is_known.then(1)), pl.Int64())
        for number in self.roles.numbers:
            if number.is_key:
                value = reading.one_zero(reading.known_float(number.column))
                yield Key(number.role, value, pl.Float64())

    def _window(self, key: str, column: Column, period: Period | None) -> Term:
        """The values of a column of ``by``; moments are rounded down, or each would be a cell.

        To one unit, as not every engine rounds to several; polars does the rest.
        """
        value = self.reading.key_of(column)
        if period is None or key != period.key:
            return value
        unit = _UNITS.get(period.every.lstrip("0123456789"))
        if unit is None:
            return value
        is_date = column.dtype == pl.Date
        unit = "day" if is_date and unit in ("hour", "minute", "second") else unit
        cut = self.dialect.truncated(value.text, unit, is_date)
        return self.reading.named(value.made(cut))

    def _attributes(self, facet: Facet) -> list[Term]:
        """The columns that an intersection is made of, or the fields of its one column."""
        if facet.columns != (facet.column,) or not facet.is_intersection:
            parts = [self.reading.key_of(each) for each in facet.columns]
            return [*map(self._known, parts, facet.columns, [facet.unknown] * len(parts))]
        whole = self.reading.raw(facet.column)
        parts = []
        for name, dtype in facet.fields:
            field = f"{whole.text}.{self.dialect.column(name)}"
            letters = self.dialect.letters.format(field) if is_text(dtype) else field
            part = self.reading.named(whole.made(letters))
            parts.append(self.reading.one_zero(part) if dtype.is_float() else part)
        return parts

    def _known(self, value: Term, column: Column, unknown: Sequence[object]) -> Term:
        """An attribute; if decided, null in place of NaN, and of what means unknown."""
        if not self.decided:
            return value
        dtype = column.dtype
        if dtype.is_float():
            value = self.reading.value(column)
            value = self.reading.one_zero(value)
        values = [value_as(each, dtype).item() for each in unknown if fits(each, dtype)]
        if not values:
            return value
        literals = ", ".join(self.dialect.literal(each, dtype) for each in values)
        is_unknown = value.made(f"({value.text} IN ({literals}))")
        return self.reading.named(is_unknown.then(self.reading.null).otherwise(value))

    def _as_value(self, condition: Term, known: Term) -> Term:
        """A condition as true and false; null where what it is about is not ``known``."""
        chosen = f"WHEN {condition.text} THEN TRUE ELSE FALSE END"
        if known is not condition:
            chosen = f"WHEN {known.text} IS NULL THEN NULL {chosen}"
        return self.reading.named(condition.made(f"CASE {chosen}", known))

    def _outcome(self, outcome: Outcome) -> Term:
        value, dtype = self.reading.value(outcome.column), outcome.column.dtype
        positive = () if outcome.assumed or outcome.is_boolean else outcome.positive
        if self.decided and positive:
            literals = ", ".join(self.dialect.literal(each, dtype) for each in positive)
            return self._as_value(value.made(f"({value.text} IN ({literals}))"), value)
        if outcome.threshold is None:
            return value
        # polars compares in 32 bits; an engine widens the column to 64.
        is_short = dtype == pl.Float32 and self.dialect.short
        threshold = short(outcome.threshold) if is_short else outcome.threshold
        return self._as_value(value >= float(threshold), value)

    def _score(self, score: Score) -> Term:
        """The score of the cell of each row, as the rounding of the score gives it."""
        reading, rounding = self.reading, score.rounding
        value = reading.value(score.column)
        number = reading.known_float(score.column)
        if isinstance(rounding, Thresholds):
            is_short = rounding.is_short and self.dialect.short
            lines = {each: short(each) if is_short else each for each in rounding.ascending}
            chosen = number.is_null().then(reading.null)
            for threshold, lowest in reversed(lines.items()):
                chosen = chosen.when(number >= lowest, threshold)
            return reading.named(chosen.otherwise(-inf))
        if isinstance(rounding, Multiples):
            steps = _times(number, 1 / rounding.step)
            guess = reading.named(steps.ceil())
            line = _times(guess, rounding.step)
            if rounding.is_short and self.dialect.short:
                line = line.cast(self.dialect.short)
            steps = reading.named((value < line).then(guess - 1.0).otherwise(guess))
            number = _times(steps, rounding.step)
        return reading.one_zero(number)

    def _group_left_out(self, cluster: Column) -> Term:
        """The group of each row's cluster, as in `group_left_out`."""
        value = self.reading.raw(cluster)
        if is_text(cluster.dtype):
            digits = self.reading.named(value.made(self.dialect.digits.format(value.text)))
            # The first 32 bits, digit by digit.
            digit = "substr({}, {}, 1)".format
            places = (
                self.dialect.place.format("'0123456789abcdef'", digit(digits.text, i + 1))
                for i in range(8)
            )
            first = (f"({place} - 1) * {16 ** (7 - i) % GROUPS}" for i, place in enumerate(places))
            group = digits.made(f"({' + '.join(first)})") % GROUPS
        elif is_group(cluster.dtype):
            if cluster.dtype == pl.Boolean:
                value = value.then(1).when(value.made(f"(NOT {value.text})"), 0)
            group = ((value % GROUPS) + GROUPS) % GROUPS
        else:
            if cluster.dtype in (pl.UInt64, pl.Int128, pl.Decimal):
                value = value % PRIME
            group = scattered(value.cast(self.dialect.bigint)) % GROUPS
        return self.reading.named(group)

    def cells(self) -> str:
        """The cells of all facets together, with the caller's names, as `cells` returns them.

        Rows of negative weights, and of counts that are not whole, are cells of their own: what is
        asked of the cells finds them, as what is asked of the rows would.
        """
        roles, reading, dialect = self.roles, self.reading, self.dialect
        keys, named = [*self.keys(roles.facets)], dict[str, Term]()
        names = self._names()
        for key in keys:
            name = names.get(key.name)
            if name is not None and named.setdefault(name, key.value).text != key.value.text:
                raise FairnessError(
                    f"facet: two columns of the cells would be called {name!r}; leave one out"
                )
        hidden = {key.name: key.value for key in keys if key.name not in names}
        if roles.weight is not None:
            hidden["negative"] = reading.named((reading.number(roles.weight) < 0).then(1))
        if roles.count is not None:
            count, is_whole = self.counted(roles.count)
            is_odd = (is_whole & (count >= 0)).then(reading.null)
            hidden["odd"] = reading.named(is_odd.otherwise(count))
        tallies = self.tallies(roles.facets)
        grouped = {**named, **hidden}
        inner = [*(key.text for key in grouped.values()), *tallies.values()]
        by = ", ".join(dict.fromkeys(key.text for key in grouped.values()))
        text = f"SELECT {reading.aliased(inner)} FROM ({reading.source}) r"
        text += f" GROUP BY {by}" if by else ""
        held = {
            name: Term(f"{reading.prefix}_{i}", 0, dialect)
            for i, name in enumerate([*grouped, *tallies])
        }
        outer = {name: held[name] for name in named} | self._returned(held)
        columns = ", ".join(
            f"{each.text} AS {dialect.column(name)}" for name, each in outer.items()
        )
        kept = [
            f"{held['n'].text} > 0",
            *(f"{held[name].text} IS NOT NULL" for name in ("negative", "odd") if name in held),
        ]
        return f"SELECT {columns} FROM ({text}) c WHERE {' OR '.join(kept)}"

    def _names(self) -> dict[str, str]:
        """The columns of the caller that keys are called after, by the names of keys."""
        roles, score = self.roles, self.count.score
        own = (roles.windows, roles.strata, roles.controls)
        named = {key: column.name for each in own for key, column in each.by_key.items()}
        for facet in roles.facets:
            fields = (name for name, _ in facet.fields)
            named |= zip(facet.keys, fields, strict=True)
        named |= {outcome.key: outcome.column.name for outcome in self.count.outcomes}
        named |= {CLUSTER: roles.cluster.name} if roles.cluster else {}
        return named | ({"score": score.column.name} if score else {})

    def _returned(self, held: Mapping[str, Term]) -> dict[str, Term]:
        """The columns of cells that are no keys, from what has been added up."""
        roles, dialect = self.roles, self.dialect
        n, has_weight, has_count = held["n"], None, None
        if roles.weight is not None:
            has_weight = held["known.weight"].is_not_null()
            n = held["negative"].is_not_null().then(held["rows"]).otherwise(n)
        each: Any = 1.0
        if roles.count is not None:
            has_count, odd = held["known.count"].is_not_null(), held["odd"]
            each = has_count.then(1.0).otherwise(n)
            n = odd.is_not_null().then(odd).when(has_count, n)
        is_whole = roles.count is None or roles.count.dtype.is_integer()
        returned = {"n": n.cast(dialect.bigint if is_whole else dialect.double)}
        conditions = [each for each in (has_weight, has_count) if each]

        def given(value: Term) -> Term:
            return reduce(Term.__and__, conditions).then(value) if conditions else value

        if roles.weight is not None and has_weight is not None:
            returned[roles.weight.name] = has_weight.then(held["weight"] / each)
            returned["weight_sq"] = given(held["weight_sq"])
        if self.count.score is not None and self.count.score.is_rounded:
            returned |= {name: given(held[name].or_else(0.0)) for name in SUMS}
        for facet in roles.uncertain_facets:
            for of in sums_of(facet, roles):
                returned[returned_name(facet, of)] = given(held[share(facet, *of)])
        return returned | dict(self._returned_numbers(held))

    def _returned_numbers(self, held: Mapping[str, Term]) -> Iterator[tuple[str, Term]]:
        """The mean of each number in a cell, and the sums around it, by which cells add up."""
        roles = self.roles
        mass = held[roles.mass].double()
        whole = mass.made(f"NULLIF({mass.text}, 0)")
        from_place = {each.role: held[f"{each.role}_sum"] / whole for each in roles.numbers}
        for number in roles.numbers:
            role = number.role
            mean = held[f"{role}_place"] + from_place[role]
            yield number.column.name, (held[f"{role}{INFINITE}"] > 0).then(inf).otherwise(mean)
        if len(roles.numbers) > 1:
            from_place[RESIDUAL] = from_place[ESTIMATED] - from_place[OBSERVED]

        def sums(power: Power) -> Term:
            [(number, _), *_] = power.exponents
            return from_place[number] * mass if power.is_mean else held[power.name]

        def rows(weight: int) -> Term:
            if weight == 1:
                return mass
            return held["weight_sq" if weight == 2 else Power(weight).name]

        around_mean = {number: -distance for number, distance in from_place.items()}
        of_powers = {each.name: each for each in powers_of(roles.numbers)}
        for word, name in returned_sums(roles.numbers).items():
            if (power := of_powers.get(word)) is not None:
                yield name, power.moved(sums, around_mean, rows)
                continue
            value = held[word]
            if word.endswith("_squares"):
                distance = from_place[word.removesuffix("_squares")]
                value = value - distance * distance * mass
                value = (value > 0).then(value).when(value <= 0, 0.0)
            yield name, value

    def tallies(self, facets: Iterable[Facet]) -> dict[str, str]:
        """The aggregates of a cell, as in `polars_fairness.counting.polars_rows`."""
        measures = self._measures()
        measures |= self._sums_of_numbers(measures)
        measures |= self._shares(measures, facets)
        tallies = {
            name: f"{'min' if name in LOWEST else 'sum'}({each.text})"
            for name, each in measures.items()
        }
        # Without a weight and a count there is nothing to add up but the rows.
        tallies["rows" if "n" in tallies else "n"] = "count(*)"
        return tallies | {
            f"{role}_place": f"max({place.text})" for role, place in self.places.items()
        }

    def _place(self, column: Column) -> Term:
        """The mean of all finite numbers: a sum of squares around 0 would lose their digits."""
        name = self.dialect.column(column.expression.meta.root_names()[0])
        number = f"SELECT CAST({name} AS {self.dialect.double}) AS p FROM {self.reading.table}"
        is_known = f"abs(p) < {self.dialect.infinity}"
        if self.dialect.is_nan:
            is_known += f" AND NOT ({self.dialect.is_nan.format('p')})"
        mean = f"SELECT avg(p) FROM ({number}) q WHERE {is_known}"
        return self.reading.named(self.reading.constant(f"({mean})").or_else(0.0))

    def _measures(self) -> dict[str, Term]:
        """What each row adds to its cell, but for numbers and shares."""
        measures: dict[str, Term] = {}
        roles, score, reading = self.roles, self.count.score, self.reading
        if roles.may_be_cells:
            measures[LOWEST_N] = reading.constant(self.dialect.column("n"))
        if roles.count is not None:
            count, is_whole = self.counted(roles.count)
            measures["n"] = reading.named(is_whole.then(count))
            measures["total_count"] = is_whole.then(reading.number(roles.count))
            measures["lowest_count"] = count
            measures["null_counts"] = _one_if(count.is_null())
            measures["broken_counts"] = _one_if(count.is_not_null()) - _one_if(is_whole)
        if roles.weight is not None:
            weight = reading.number(roles.weight)
            seen, squares = weight > 0, weight * weight
            of_one = seen.then(weight)
            if roles.count is None:
                measures["n"], measures["weight"] = _one_if(seen), weight
            else:
                counted = reading.number(roles.count)
                measures["counted"] = measures["n"]
                of_one = reading.named(of_one / (counted > 0).then(counted))
                squares = squares / (seen & (counted > 0)).then(counted)
                measures["n"] = (is_whole & seen).then(count)
                measures["weight"] = reading.named((count > 0).then(weight))
            measures["weight_sq"] = reading.named(squares)
            measures["lowest_weight"] = (weight < 0).then(weight).otherwise(of_one)
            measures["null_weights"] = self._rows_where(weight.is_null(), measures)
        if score is not None and score.is_rounded:
            value = reading.known_float(score.column)
            mass = measures["weight"] if roles.weight else measures.get("n")
            sums = (value, value * value)
            if mass is not None:
                sums = (value * mass, value * value * mass)
            measures |= zip(SUMS, sums, strict=True)
        return measures

    def counted(self, column: Column) -> tuple[Term, Term]:
        """The count of a row, and whether it is a whole number."""
        if column.dtype.is_integer():
            count = self.reading.raw(column)
            count = self.reading.named(count.or_else(1)) if column.is_filled else count
            return count, count <= _MOST_COUNTED
        count = self.reading.number(column)
        bounded = (count.abs() < float(_MOST_COUNTED)).then(count)
        return count, bounded.equals(bounded.floor())

    def _rows_where(self, condition: Term, measures: Mapping[str, Term]) -> Term:
        """What a row adds to the number of rows seen for which a condition holds."""
        counted = "n" if self.roles.weight is None else "counted"
        rows = 1 if self.roles.count is None else measures[counted].or_else(1)
        return condition.then(rows).otherwise(0)

    def _shares(self, measures: Mapping[str, Term], facets: Iterable[Facet]) -> dict[str, Term]:
        """What each row adds to the sums of groups that are known only as probabilities."""
        roles, terms, reading = self.roles, dict[str, Term](), self.reading
        for facet in facets:
            if not facet.is_uncertain:
                continue
            columns = [
                reading.named(reading.number(column).or_else(0.0))
                for column in facet.probabilities.values()
            ]
            nans = [reading.is_nan(column) for column in columns]
            beside = {
                name: measures[name] for name in (*SUMS, *SUMS_OF_NUMBERS) if name in measures
            }
            if roles.count is not None or roles.weight is not None:
                beside[ROWS] = measures[roles.mass]
            if roles.weight is not None:
                beside[SQUARES] = measures["weight_sq"]
            total = reading.named(reduce(add, columns))
            known = [*map(reading.named, scaled(columns, _Conditions, total))]
            terms |= shares(facet, roles, known, beside)
            terms |= checked(facet, columns, nans, _Conditions)
        return terms

    def _sums_of_numbers(self, measures: Mapping[str, Term]) -> dict[str, Term]:
        """What each row adds to the sums of numbers, less a place near them."""
        roles, reading = self.roles, self.reading
        mass: Any = measures.get(roles.mass, 1.0)
        is_counted = mass > 0 if isinstance(mass, Term) else None
        terms: dict[str, Term] = {}
        finite: dict[str, Term] = {}
        moved: dict[str, Term] = {}

        def of_rows(value: Term, *numbers: Term) -> Term:
            """A value of rows that have a mass, and these numbers."""
            known = [number.is_not_null() for number in numbers]
            conditions = known if is_counted is None else [is_counted, *known]
            return reduce(Term.__and__, conditions).then(value) if conditions else value

        for number in roles.summed_numbers:
            role, value = number.role, reading.known_float(number.column)
            own = finite[role] = reading.named((value.abs() < inf).then(value))
            moved[role] = reading.named(own - self.places[role])
            sums = {"sum": moved[role] * mass, "squares": moved[role] * moved[role] * mass}
            sums["negative"] = (own < 0).then(1.0).otherwise(0.0)
            if number.has_log:
                sums["nonzero"] = own.equals(0).then(0.0).otherwise(mass)
                sums["log"] = self._log(own) * mass
            terms |= {f"{role}_{word}": of_rows(each, own) for word, each in sums.items()}
            terms[f"{role}{MISSING}"] = self._rows_where(value.is_null(), measures)
            is_infinite = (value.abs() < inf).then(0).otherwise(1)
            terms[f"{role}{INFINITE}"] = of_rows(is_infinite, value)
        if len(finite) > 1:
            residual = reading.named(finite[ESTIMATED] - finite[OBSERVED])
            moved[RESIDUAL] = reading.named(moved[ESTIMATED] - moved[OBSERVED])
            moved[DISTANCE] = residual.abs()
            squares = moved[RESIDUAL] * moved[RESIDUAL] * mass
            terms["residual_squares"] = of_rows(squares, residual)
            terms["residual_distance"] = of_rows(moved[DISTANCE] * mass, residual)
        moved |= {f"{role}_log": reading.named(self._log(own)) for role, own in finite.items()}

        def rows_weighed(weight: int) -> Any:
            if weight <= 2:
                return measures["weight_sq"] if weight == 2 else reading.constant("1") * mass
            # Each of the rows counted has the same weight.
            one = mass / measures["n"] if roles.count is not None else mass
            return reduce(mul, [one] * (weight - 1), mass)

        for power in powers_of(roles.numbers):
            needed = [finite[role] for role in sorted(power.needs)]
            terms[power.name] = of_rows(power.moved(_nothing, moved, rows_weighed), *needed)
        return terms

    @staticmethod
    def _log(value: Term) -> Term:
        return (value > 0).then(value.made(f"ln({value.text})")).when(value <= 0, 0.0)


def _nothing(_: Power) -> None:
    return None


def _one_if(condition: Term) -> Term:
    return condition.then(1).otherwise(0)


def _times(number: Term, fraction: Fraction) -> Term:
    """The product with a fraction: that with a whole number and the quotient are nearest floats."""
    if fraction.numerator != 1:
        number = number * float(fraction.numerator)
    return number / float(fraction.denominator) if fraction.denominator != 1 else number


@dataclass(frozen=True)
class EngineRows:
    """The rows of a table of an engine."""

    table: Table

    @property
    def schema(self) -> pl.Schema:
        return self.table.schema

    def counted(
        self, groupings: Iterable[Sequence[Facet]], counts: Sequence[Count]
    ) -> list[list[Counted]]:
        """The cells of each grouping, of each count, counted by the engine in a query each.

        The engine counts each block of facets, and polars adds up each grouping from one of them.
        Rows that are cells with sums of their own are few, and are read.
        """
        wanted = [tuple(grouping) for grouping in groupings]
        if any(_holds_sums(count.roles) for count in counts):
            known = [name for name, dtype in self.schema.items() if dtype != pl.Unknown]
            return PolarsRows(self.table.read(known).lazy()).counted(wanted, counts)
        return [[*self._counted(wanted, count)] for count in counts]

    def values(self, facets: Sequence[Facet], count: Count) -> dict[str, int]:
        """How many values each key of rows has."""
        return self.table.answered(*self._statement(count).values(facets)).row(0, named=True)

    def _statement(self, count: Count) -> Statement:
        table = self.table
        return Statement(Reading(table.sql, table.dialect, table.columns, table.named), count)

    def _counted(self, groupings: Sequence[tuple[Facet, ...]], count: Count) -> Iterator[Counted]:
        blocks, statement = blocks_of(groupings, count), self._statement(count)
        answer = self.table.answered(*statement.query(blocks))
        roles = replace(
            count.roles,
            windows=count.roles.windows.read_from_cells(),
            facets=tuple(
                facet.with_attributes([pl.col(key) for key in facet.keys])
                for facet in count.roles.facets
            ),
            strata=count.roles.strata.read_from_cells(),
            controls=count.roles.controls.read_from_cells(),
            cluster=count.roles.cluster and Column(CLUSTER, pl.col(CLUSTER), pl.UInt8()),
            numbers=tuple(
                replace(
                    each,
                    column=Column(each.role, pl.col(each.role), dtype, each.role),
                    has_sums=False,
                )
                for each in count.roles.numbers
                for dtype in [pl.Float64() if each.is_key else pl.Int64()]
            ),
        )
        # The keys of the score, and of whether all predictions are known, are read as they are.
        counted = Count(
            roles,
            tuple(each.with_expression(pl.col(each.key)) for each in count.outcomes),
            None,
            may_lack=tuple(
                Column(each.name, pl.col(f"known.{each.argument}"), pl.Int64(), each.argument)
                for each in count.may_lack
            ),
        )
        beside = [*([ALL_KNOWN] if count.all_known else []), *(["score"] if count.score else [])]
        counted_facets = dict(zip(count.roles.facets, counted.roles.facets, strict=True))
        # Added up row by row, a large place would leave no digits.
        mass = pl.col(count.roles.mass)
        places = [f"{number.role}_place" for number in count.roles.summed_numbers]
        for grouping, block in zip(groupings, blocks_with(groupings, blocks), strict=True):
            as_read = row_keys(counted, [counted_facets[each] for each in grouping])
            cells = _as_in_polars(
                answer.filter(pl.col(_GROUPING) == block),
                [*statement.keys(grouping)],
                [*as_read, *map(pl.col, beside)],
            )
            yield Counted(cells.with_columns(pl.col(place) * mass for place in places), grouping)


def _holds_sums(roles: Roles) -> bool:
    """Whether the rows are cells that have sums of their own."""
    scores = (model.score for model in roles.models if model.score)
    are_summed = [number.has_sums for number in roles.numbers] + [each.has_sums for each in scores]
    are_shared = bool(roles.uncertain_facets) and has_shares(roles)
    return are_shared or roles.has_squares or any(are_summed)


def _as_in_polars(
    answer: pl.DataFrame, keys: Sequence[Key], as_read: Sequence[pl.Expr]
) -> pl.LazyFrame:
    """The counts of an engine with the types and keys that they have when polars counts."""
    # In the order of polars: what follows the number of rows is no key.
    known = [*filter(is_tally, answer.columns)]
    tallies = sorted(known, key=[*TALLIES, *known].index)
    numbers = {
        # A sum beyond 64 bits is null: see `total_count`.
        name: pl.col(name).cast(pl.Int64 if name in WHOLE else pl.Float64, strict=False)
        for name in tallies
    }
    if LOWEST_N in numbers:
        rows = pl.col("rows" if "rows" in numbers else "n")
        numbers[LOWEST_N] = pl.when(rows == 1).then(numbers[LOWEST_N]).otherwise(-1)
    sums = sums_of_tallies(tallies)
    # Each cell has the place of its facet.
    sums |= {name: pl.col(name).max() for name in tallies if name.endswith("_place")}
    typed = {
        key.name: as_type(pl.col(key.name), answer.schema[key.name], key.dtype) for key in keys
    }
    return (
        answer.lazy()
        .select(**typed, **numbers)
        .select(*as_read, *tallies)
        # Two keys of the engine may be one key in polars: NaN and null, 0.0 and -0.0.
        .group_by([key.name for key in keys])
        .agg(**sums)
    )

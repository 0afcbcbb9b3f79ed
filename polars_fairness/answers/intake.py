"""The function `intake`: what data show about groups before a model is trained or judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from math import sqrt
from statistics import NormalDist
from typing import Any, Final, Unpack, cast

import numpy as np
import polars as pl

from polars_fairness.api.baselines import WORDS
from polars_fairness.api.bound import question_under, read
from polars_fairness.api.clashes import refuse_taken_names, refuse_unknown_positive
from polars_fairness.api.columns import EXAMINED, names_of, types_of
from polars_fairness.api.requested import one_by_one
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import verdict_by_limit
from polars_fairness.counting.by_column import (
    OF_FACET,
    OF_GROUP,
    OF_LABEL,
    OF_VALUE,
    OF_WINDOW,
    WINDOW,
    ByColumn,
    Cells,
    Source,
    cells_by_column,
    is_ordered,
)
from polars_fairness.counting.counts import in_python
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, is_frame
from polars_fairness.errors import FairnessError, did_you_mean, listed, shown
from polars_fairness.errors import about as errors_about
from polars_fairness.formula.arrays import Ints
from polars_fairness.inference.association import (
    Span,
    Tally,
    association,
    comparable,
    difference,
    effective,
    variation,
)
from polars_fairness.inference.deviations import few_clusters
from polars_fairness.question.arguments import OF_COLUMNS, Question, parted
from polars_fairness.question.audit_arguments import OF_INTAKE, IntakeQuestion
from polars_fairness.question.columns import Column, column_called, find_columns
from polars_fairness.question.judging import LIMITS
from polars_fairness.question.own_cells import columns_mentioned
from polars_fairness.question.policy import policy_of, refuse_contradiction
from polars_fairness.question.roles import Roles
from polars_fairness.values.unlabelled import ABOUT_LABELLED_ROWS

_POWER: Final = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
"""A difference of as many standard errors is detected in 80 % of samples, at the 5 % level."""


@answers(*OF_INTAKE, columns=EXAMINED)
def intake(frame: AnyFrame, **question: Unpack[IntakeQuestion]) -> PolarsFrame:
    """Return what data show about groups before a model is trained or judged on them.

    Each column is examined by itself: whether it is missing more often in one group, whether it
    reveals the group, whether it reveals the label, and, with a baseline, whether its values have
    changed in a group. It also shows where base rates differ, and which groups have too few rows.
    No finding is no proof of absence: two columns together may reveal what neither reveals alone.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, or a DataFrame.
    **question
        As in `metrics`; ``facet`` is required, and ``label`` for ``labels`` and ``leak``.
        Predicted outcomes, scores, sides and strata change nothing, and their columns are not
        examined.
    {own arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row for each check, column and facet; for ``labels``, ``drift`` and ``coverage``, one
        for each group. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pf.datasets.loans()
    >>> found = pf.intake(loans, facet="sex", label="repaid", columns=["branch", "age"])
    >>> found.filter(check="proxy").select("column", pl.col("value", "lower").round(2), "verdict")
    shape: (2, 4)
    ┌────────┬───────┬───────┬─────────┐
    │ column ┆ value ┆ lower ┆ verdict │
    │ ---    ┆ ---   ┆ ---   ┆ ---     │
    │ str    ┆ f64   ┆ f64   ┆ str     │
    ╞════════╪═══════╪═══════╪═════════╡
    │ branch ┆ 0.28  ┆ 0.26  ┆ outside │
    │ age    ┆ 0.0   ┆ 0.0   ┆ within  │
    └────────┴───────┴───────┴─────────┘
    """
    own, asked = parted(question, OF_INTAKE)
    policy = None if own["policy"] is None else policy_of(own["policy"])
    if policy is not None:
        asked = dict(question_under(policy, frame, cast("Question", asked)))
        if policy.confidence is not None:
            if "confidence" in question:
                refuse_contradiction(policy, "confidence", own["confidence"], policy.confidence)
            own["confidence"] = policy.confidence
    if own["confidence"] is None:
        raise FairnessError(
            "confidence: verdicts need bounds, since some column differs by chance in any data; "
            "give a number, such as 0.95"
        )
    bound = read(frame, cast("Question", asked), "intake", own)
    source = Source.of(_rows_in_polars(bound.frame), bound.roles)
    roles = source.roles
    if roles.label is not None:
        refuse_unknown_positive(roles, "intake", roles.label)
    refuse_taken_names(roles, {"by"}, names_of(EXAMINED))
    columns = _columns_examined(bound.rows.schema, own["columns"], bound.given)
    before: Source | str | None = own["baseline"]
    if is_frame(before):
        before = _baseline(own["baseline"], cast("Question", asked), columns)
    elif before is not None and before not in WORDS:
        raise FairnessError(f"baseline: takes a frame, 'previous' or 'first', got {shown(before)}")
    limits = {**LIMITS, **(policy.limits if policy is not None else {})}
    types = {**roles.windows.types, **types_of(EXAMINED, roles.size)}
    examine = partial(
        _examined,
        source=source,
        baseline=before,
        columns=columns,
        limits=limits,
        alpha=1 - own["confidence"],
        types=types,
    )
    if not bound.has_plans:
        return examine(pl.DataFrame())
    return in_python(pl.LazyFrame(), examine, types)


def _rows_in_polars(frame: AnyFrame) -> PolarsRows:
    if not isinstance(frame, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            f"frame: intake reads all columns twice, and those of a {type(frame).__name__} are not "
            "loaded; load it into polars first, or scan its file"
        )
    return PolarsRows(frame.lazy(), in_memory=isinstance(frame, pl.DataFrame))


def _baseline(frame: AnyFrame, question: Question, columns: Sequence[Column]) -> Source:
    """The rows of a baseline: groups and columns alone, which have the types of the frame."""
    asked = {name: each for name, each in question.items() if name not in ("by", "label")}
    with errors_about("baseline"):
        bound = read(frame, cast("Question", asked))
        rows, schema = _rows_in_polars(bound.frame), bound.rows.schema
        for column in columns:
            names = column.expression.meta.root_names()
            missing = next((name for name in names if name not in schema), None)
            if missing is not None:
                raise FairnessError(
                    f"no column {missing!r}; {did_you_mean(missing, schema)}, or leave it out by "
                    "columns="
                )
            dtype = rows.frame.select(column.expression).collect_schema().dtypes()[0]
            if dtype != column.dtype and not (dtype.is_numeric() and column.dtype.is_numeric()):
                raise FairnessError(
                    f"{column.name!r} is {dtype}, and {column.dtype} in the frame; cast one of them"
                )
        return Source.of(rows, bound.roles, "baseline")


def _columns_examined(
    schema: pl.Schema, given: Any, question: Mapping[str, Any]
) -> tuple[Column, ...]:
    """The columns that are given, or those that the question does not name."""
    if given is not None:
        columns = find_columns(schema, "columns", given)
        names = {column.name for column in columns}
        for argument in ("facet", "label"):
            for asked in one_by_one([question.get(argument)]):
                if isinstance(asked, str) and asked in names:
                    raise FairnessError(
                        f"columns: {asked!r} is the {argument}, with which each column is "
                        "compared; leave it out of columns="
                    )
        return columns
    named = {*columns_mentioned([question.get(each.name) for each in OF_COLUMNS])}
    return tuple(
        Column(name, column_called(name), dtype, "columns")
        for name, dtype in schema.items()
        if name not in named
    )


@dataclass(frozen=True)
class _Table:
    """The counts of the groups of a facet in one window."""

    tally: Tally
    groups: Sequence[str]

    @property
    def compared(self) -> range:
        """The groups that are compared with all others: of two, the first."""
        number = len(self.groups)
        return range(number if number > 2 else number - 1)

    @cached_property
    def sizes(self) -> list[float]:
        return [float(each) for each in self.tally.mass.sum(axis=1)]

    def about(self, group: int) -> dict[str, Any]:
        """What a row about a group says of it."""
        return {"group": self.groups[group], "n": self.sizes[group]}

    def note_of_labels(self, group: int) -> str | None:
        """Of how many rows of a group, and of all others, the label is known, if not of all."""
        one, rest = self.tally.beside_rest(group).mass
        if not (one[0] or rest[0]):
            return None
        own, others = (
            f"{100 * each[1] / each.sum():.1f}".removesuffix(".0") + " %" for each in (one, rest)
        )
        return (
            f"label: known for {own} of {self.groups[group]}, {others} of all others; "
            f"{ABOUT_LABELLED_ROWS}"
        )

    def most_apart(self) -> dict[str, Any]:
        """The group whose numbers lie the farthest above those of all others, or below."""
        found = []
        for group in self.compared:
            one, other = self.tally.beside_rest(group).mass
            if one.any() and other.any():
                above = float((one * (other.cumsum() - other / 2)).sum())
                found.append((above / float(one.sum() * other.sum()), self.groups[group]))
        if not found:
            return {}
        auc, name = max(found, key=lambda each: abs(each[0] - 0.5))
        return {"auc": auc, "group": name}


@dataclass(frozen=True)
class _Row:
    """A row of the answer, and how its number is computed, given how often a bound may miss.

    It is one of so many comparisons: where the widest gap is looked for, of that of each group.
    """

    fields: dict[str, Any]
    compute: Callable[[float], tuple[Span | None, dict[str, Any]]] | None = None
    comparisons: int = 1


Measure = Callable[[Tally, float], Span]
"""How far the groups of a table are apart, with bounds that miss so often."""


@dataclass(frozen=True)
class _Examination:
    """The cells of all columns, and of a baseline's, from which every row follows."""

    roles: Roles
    counted: ByColumn
    steps: str | None  # "previous" or "first": what windows are compared with

    def rows(self) -> Iterator[_Row]:
        """The rows of each window, check by check."""
        for window in range(self.counted.places.windows.height):
            plain, *cells = (
                each.where(OF_WINDOW, window)
                for each in (self.counted.plain, *self.counted.cells[0])
            )
            checks = [self._missing(cells), self._proxies(cells), self._labels(plain)]
            checks += [self._drifts(cells, window), self._leaks(cells), self._coverage(plain)]
            for row in chain.from_iterable(checks):
                yield replace(row, fields={WINDOW: window, **row.fields})

    def _by_group(
        self, cells: Cells, place: int, columns: Callable[[Cells], Ints], number: int
    ) -> _Table:
        """The counts of the groups of a facet that have cells, by one of so many places."""
        names, here = [*self.counted.places.names.values()][place], cells.where(OF_FACET, place)
        shape = len(names), number
        tally = Tally(*here.counts(here.places[OF_GROUP], columns(here), shape))
        present = np.unique(here.places[OF_GROUP][here.places[OF_GROUP] >= 0])
        return _Table(
            tally.changed(lambda counts: counts[..., present, :]),
            [names[group] for group in present],
        )

    def _of_facets(self, check: str) -> Iterator[tuple[int, dict[str, Any]]]:
        number = None if check == "coverage" else len(self.roles.facets)
        for place, facet in enumerate([*self.counted.places.names][:number]):
            yield place, {"check": check, "facet": facet}

    def _few(self, *tallies: Tally) -> str | None:
        """Why there are no bounds over so few clusters, if so."""
        if tallies[0].parts is None:
            return None
        return few_clusters(min(each.units for each in tallies), self.roles, "the smaller side has")

    def _difference(self, tally: Tally, alpha: float) -> tuple[Span, dict[str, Any]]:
        """The share of the first value in one group minus that in the rest."""
        if note := self._few(*map(tally.of_group, range(2))):
            one, other = tally.mass[:, 0] / tally.mass.sum(axis=1)
            return Span(one - other), {"note": note}
        return difference(tally, alpha), {}

    def _missing(self, cells: Sequence[Cells]) -> Iterator[_Row]:
        for key, each in zip(self.counted.keys, cells, strict=True):
            for place, about in self._of_facets("missing"):
                table = self._by_group(each, place, _known, 2)
                if table.compared and table.tally.mass.sum(axis=0).all():
                    compute = partial(self._widest, table)
                    yield _Row(about | key.fields, compute, len(table.compared))

    def _widest(self, table: _Table, alpha: float) -> tuple[Span, dict[str, Any]]:
        """The gap whose nearer bound is farthest from 0; of several, the widest."""
        found = []
        for group in table.compared:
            span, more = self._difference(table.tally.beside_rest(group), alpha)
            more |= table.about(group)
            found.append((span.nearer, abs(span.value), span, more))
        *_, span, more = max(found, key=lambda each: each[:2])
        return span, more

    def _proxies(self, cells: Sequence[Cells]) -> Iterator[_Row]:
        for key, each in zip(self.counted.keys, cells, strict=True):
            for place, about in self._of_facets("proxy"):
                table = self._by_group(each, place, _values, each.values)
                fields = about | key.fields | {"n": table.tally.total}
                if key.note is not None and table.groups:
                    yield _Row(fields | {"note": key.note})
                elif table.compared and each.values:
                    farthest = table.most_apart() if is_ordered(key.column) else {}
                    compute = partial(self._apart, association, table.tally, table.groups)
                    yield _Row(fields | farthest, compute)

    def _apart(
        self, measure: Measure, tally: Tally, groups: Sequence[str], alpha: float
    ) -> tuple[Span | None, dict[str, Any]]:
        if tally.total <= 0:
            return None, {"note": "no known values"}
        merged, kept, rare = comparable(tally)
        left_out = [name for name, is_kept in zip(groups, kept, strict=True) if not is_kept]
        notes = [f"without {listed(left_out, write=str, most=5)}: few rows"] if left_out else []
        if rare > 1:
            notes.append(f"{rare:,} rare values counted as one")
        if min(merged.mass.shape) < 2:
            return None, {"note": "; ".join([*notes, "too few rows to compare"])}
        if few := self._few(merged):
            return None, {"note": "; ".join([*notes, few])}
        return measure(merged, alpha), {"note": "; ".join(notes) or None}

    def _labels(self, plain: Cells) -> Iterator[_Row]:
        label = self.roles.label
        if label is None:
            return
        for place, about in self._of_facets("labels"):
            table = self._by_group(plain, place, _labels, 2)
            known = self._by_group(plain, place, _has_label, 2)
            for group in table.compared:
                both = table.tally.beside_rest(group)
                fields = about | {"column": label.column.name} | table.about(group)
                fields["note"] = known.note_of_labels(group)
                if both.mass.sum(axis=1).all():
                    yield _Row(fields, partial(self._difference, both))
                else:
                    yield _Row(fields, lambda _: (None, {}), 0)

    def _drifts(self, cells: Sequence[Cells], window: int) -> Iterator[_Row]:
        if len(self.counted.cells) > 1:
            before = self.counted.cells[1]
        elif self.steps is not None and window > 0:
            earlier = window - 1 if self.steps == "previous" else 0
            before = [each.where(OF_WINDOW, earlier) for each in self.counted.cells[0]]
        else:
            return
        for key, here, there in zip(self.counted.keys, cells, before, strict=True):
            if key.note is not None:
                continue
            for place, about in self._of_facets("drift"):
                past, now = (
                    self._by_group(each, place, _values, each.values) for each in (there, here)
                )
                for group, name in enumerate(now.groups):
                    if name in past.groups and here.values:
                        then = past.tally.of_group(past.groups.index(name))
                        both = then.beside(now.tally.of_group(group))
                        compute = partial(self._apart, variation, both, ("then", "now"))
                        yield _Row(about | key.fields | now.about(group), compute)

    def _leaks(self, cells: Sequence[Cells]) -> Iterator[_Row]:
        label = self.roles.label
        if label is None:
            return
        for key, each in zip(self.counted.keys, cells, strict=True):
            # Every facet counts the same rows.
            here = each.where(OF_FACET, 0)
            values, shape = here.places[OF_VALUE], (2, here.values + 1)
            # What is missing is a value of its own, the last one.
            tally = Tally(*here.counts(_labels(here), values % shape[1], shape))
            if (tally.mass.sum(axis=0) > 0).sum() > 1:
                compute = partial(self._apart, association, tally, ("positive", "negative"))
                yield _Row({"check": "leak", **key.fields, "n": tally.total}, compute)

    def _coverage(self, plain: Cells) -> Iterator[_Row]:
        """The differences that the rows of groups show, at the base rate of all."""
        for place, about in self._of_facets("coverage"):
            table = self._by_group(plain, place, _labels if self.roles.label else _known, 2)
            positive, negative = table.tally.mass.sum(axis=0)
            rate = positive / (positive + negative) if positive and negative else 0.5
            for group in range(len(table.groups)) if table.compared else ():
                both, value = table.tally.beside_rest(group), 1.0
                if both.mass.sum(axis=1).all():
                    one, other = (effective(both.of_group(each)) for each in range(2))
                    variance = rate * (1 - rate) * (1 / one + 1 / max(one, other))
                    value = min(_POWER * sqrt(variance), 1.0)
                yield _Row(about | table.about(group) | {"value": value})


def _values(cells: Cells) -> Ints:
    places: Ints = cells.places[OF_VALUE]
    return places


def _labels(cells: Cells) -> Ints:
    """0 where the label is positive, and 1 where it is not."""
    places: Ints = cells.places[OF_LABEL]
    return places


def _has_label(cells: Cells) -> Ints:
    """0 where the label is missing, and 1 where it is known."""
    known: Ints = (_labels(cells) >= 0).astype(np.int64)
    return known


def _known(cells: Cells) -> Ints:
    """0 where the value of the column is missing, and 1 where it is known."""
    known: Ints = (cells.places[OF_VALUE] >= 0).astype(np.int64)
    return known


def _examined(
    _: pl.DataFrame,
    source: Source,
    baseline: Source | str | None,
    columns: Sequence[Column],
    limits: Mapping[str, float | None],
    alpha: float,
    types: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """The answer: one read for values and edges, one group-by for each column, then arithmetic."""
    roles = source.roles
    sources = [source, *([baseline] if isinstance(baseline, Source) else [])]
    counted = cells_by_column(sources, columns)
    steps = baseline if isinstance(baseline, str) else None
    rows = [*_Examination(roles, counted, steps).rows()]
    comparisons = sum(row.comparisons for row in rows if row.compute)
    answer = pl.DataFrame(
        [_judged(row, limits, alpha / max(comparisons, 1)) for row in rows],
        schema={WINDOW: pl.UInt32, **types_of(EXAMINED, pl.Float64())},
    )
    return (
        answer.join(counted.places.windows, on=WINDOW, how="left", maintain_order="left")
        .with_columns(roles.sized(pl.col("n")), *roles.windows.as_named())
        .select(pl.col(name).cast(dtype) for name, dtype in types.items())
    )


def _judged(row: _Row, limits: Mapping[str, float | None], alpha: float) -> dict[str, Any]:
    limit = limits[row.fields["check"]]
    fields: dict[str, Any] = {**row.fields, "limit": limit}
    if row.compute is None:
        if "value" in fields and limit is not None:
            fields["verdict"] = verdict_by_limit(fields["value"], fields["value"], limit)
        return fields
    span, more = row.compute(alpha)
    fields |= more
    if span is not None:
        fields |= span._asdict()
    if limit is None:
        return fields
    if span is None or span.lower is None:
        return fields | {"verdict": "undefined"}
    return fields | {"verdict": verdict_by_limit(span.value, span.nearer, limit)}

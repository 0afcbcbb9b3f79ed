"""The function `compare`: a reported number, that of the rows, and why the two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property, partial
from itertools import combinations
from math import inf, isinf, isnan, nextafter, ulp
from numbers import Real
from sys import float_info
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.cells import counted_cells
from polars_fairness.answers.metrics import values_of
from polars_fairness.api.bound import CheckedQuestion, collected_here, read
from polars_fairness.api.columns import REPORTED as COLUMNS
from polars_fairness.api.columns import types_of
from polars_fairness.api.requested import one_requested, requested, serving
from polars_fairness.api.signatures import takes
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import streamed
from polars_fairness.counting.connections import table_of
from polars_fairness.counting.rows import AnyFrame, rows_in_polars, rows_of
from polars_fairness.elsewhere import TOOLS, other_arguments, tool_of
from polars_fairness.elsewhere.arguments import REPORTED, ReportedQuestion
from polars_fairness.elsewhere.entries import ToolMetric
from polars_fairness.errors import FairnessError, listed, nearest, quoted, shown
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import Side, a, a_s, both, d, d_s
from polars_fairness.formula.tree import Expression, ratio
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import HIGHEST, LARGEST, OVERALL, SEPARATOR, written
from polars_fairness.question.header import Header
from polars_fairness.question.reading import asked_of
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import SUMS
from polars_fairness.values.formula_checks import needs_sides_apart

FACET, LABEL, PREDICTED, SIDE = "facet", "label", "predicted", "side"
OUTCOMES: Final = (LABEL, PREDICTED)
D, A = "d", "a"  # the values of `SIDE`
_TRIAL: Final = "trial"

_STEP_OF_32_BITS: Final = 2.0**29  # the step between numbers of 32 bits, in steps of 64 bits
_MOST_GROUPS: Final = 10  # so many groups are tried as side a, the largest first
_NEAREST: Final = 3  # so many conventions are shown if none gives the number
_SAME: Final = 12  # the decimals to which two metrics have one value
_SHORT: Final = 5  # names such as sd and smd are near each other and mean nothing alike
_MOST_NEAR: Final = 6  # of eight tools, three names are often one metric's
# How far two computations of one number may lie apart, of a number of at most 1.
_ROUNDING: Final = 1e-12

Rows = Callable[[pl.DataFrame], pl.DataFrame]
Row = dict[str, Any]


@dataclass(frozen=True)
class Reported:
    """A reported number, and how it was printed.

    Examples
    --------
    >>> Reported.of("0.1300").agrees(0.1308), Reported.of(0.13).agrees(0.1308)
    (False, True)
    >>> Reported.of(0).agrees(0.685), Reported.of(0).agrees(0.385)
    (False, True)
    """

    value: float  # a percentage is a share
    step: float  # that of its last printed digit
    has_decimals: bool  # without digits after a decimal point, none were cut off
    may_be_percent: bool  # without its sign: a single digit fits too many values

    @classmethod
    def of(cls, given: object) -> Reported:
        """Read a number, or the text in which it was printed; a percentage becomes a share."""
        takes = "a number, or the text that was printed, such as '0.1300' or '13%'"
        text = str(given).strip().replace("\N{MINUS SIGN}", "-")
        if isinstance(given, bool) or not isinstance(given, Real | Decimal | str):
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}")
        try:
            number = Decimal(text.removesuffix("%").strip())
        except InvalidOperation:
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}") from None
        _, digits, last = number.as_tuple()
        is_percent = text.endswith("%")
        number = number.scaleb(-2) if is_percent else number
        if number.is_finite() and number.adjusted() > float_info.max_10_exp:
            raise FairnessError(f"reported: takes {takes}, got {shown(given)}; it is too large")
        exponent = number.as_tuple().exponent
        return cls(
            float(number),
            10.0**exponent if isinstance(exponent, int) else 0.0,
            has_decimals=isinstance(last, int) and last < 0,
            may_be_percent=len(digits) > 1 and not is_percent,
        )

    def agrees(self, value: float | None) -> bool:
        """Whether a value, rounded or truncated to the printed digits, is the reported number.

        A number without decimals is rounded: truncated, 0.97 would be 0. A number that was reported
        as nan agrees with an undefined value.
        """
        if value is None or isnan(self.value):
            return value is None and isnan(self.value)
        if isinf(value) or isinf(self.value):
            return value == self.value
        slack = _ROUNDING * max(1.0, abs(value))
        beyond = abs(value) - abs(self.value)
        is_truncated = (
            self.has_decimals and -slack <= beyond < self.step - slack and value * self.value >= 0
        )
        return is_truncated or abs(value - self.value) <= self.step / 2 + slack


# The rows have columns with names of their own: `FACET`, `LABEL` and so on.
@dataclass(frozen=True)
class Sides:
    """The groups of side d and of side a; side a may be everyone else, or all rows."""

    d: tuple[str, ...]
    a: tuple[str, ...] = ()
    has_all_rows: bool = False
    are_exchanged: bool = False

    def assign(self, rows: pl.DataFrame) -> pl.DataFrame:
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
    """Another way to read a question."""

    words: str  # what holds then, the rest of a sentence that begins with "equal if"
    about: str  # what it decides; two conventions about one thing do not go together
    # The arguments that are others when rows are counted.
    counts: Mapping[str, Any] = field(default_factory=dict)
    rows: Rows | None = None  # what is done to the counted rows
    sides: Callable[[Sides], Sides] | None = None  # what is done to the sides
    # The arguments that are others when metrics are computed from the counted rows.
    asks: Mapping[str, Any] = field(default_factory=dict)


def conventions_of_values(
    metric: Metric, *, may_be_percent: bool
) -> dict[str, Callable[[float], float]]:
    """Changes to a value before it is reported, by their words."""
    changes: dict[str, Callable[[float], float]] = {"the sign is reversed": lambda value: -value}
    if metric.is_ratio:
        changes["the ratio is inverted"] = lambda value: 1 / value if value else inf
    if may_be_percent:
        changes["it is given in percent"] = lambda value: 100 * value
    return changes


def conventions_of_counting(roles: Roles) -> Iterator[Convention]:
    """Other ways to count rows."""
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
    """Other ways to read the counted rows of a question, the simplest first."""
    if sides is not None:
        yield Convention(
            "the sides are swapped",
            "sides",
            sides=lambda given: replace(given, are_exchanged=not given.are_exchanged),
        )
    known = [name for name in OUTCOMES if _is_flag(rows, name)]
    for name in known:
        word = "prediction" if name == PREDICTED else name
        turned = _column_setter(~pl.col(name))
        yield Convention(f"the other class of the {word} is positive", "class", rows=turned)
    if len(known) == len(OUTCOMES):
        both = _column_setter(*(~pl.col(name) for name in known))
        yield Convention("the other class of both outcomes is positive", "class", rows=both)
        exchanged = _column_setter(pl.col(LABEL).alias(PREDICTED), pl.col(PREDICTED).alias(LABEL))
        yield Convention("label and prediction are swapped", "places", rows=exchanged)
    zero, written = (None, "undefined") if question.get("zero_division") == 0 else (0.0, 0)
    yield Convention(f"0/0 is {written}", "zero", asks={"zero_division": zero})
    yield from _missing_value_conventions(rows)
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
    references = {
        "everyone else": Sides(sides.d),
        OVERALL.in_words: Sides(sides.d, has_all_rows=True),
    }
    for name in [each for each in groups[FACET] if each not in sides.d][:_MOST_GROUPS]:
        also = [words for words, names in first.items() if names == [name]]
        references[", ".join(filter(None, [name, " and ".join(also)]))] = Sides(sides.d, (name,))
    return references


def _is_flag(rows: pl.DataFrame, name: str) -> bool:
    return rows.schema.get(name) == pl.Boolean


def _missing_value_conventions(rows: pl.DataFrame) -> Iterator[Convention]:
    """Rows without an outcome or a group."""
    lacking = [name for name in rows.columns if rows[name].null_count()]
    if not lacking:
        return
    words = "rows that lack any value are left out"
    yield Convention(words, "missing", rows=lambda counted: counted.drop_nulls(lacking))
    outcomes = [name for name in lacking if _is_flag(rows, name)]
    if outcomes:
        filled = _column_setter(pl.col(*outcomes).fill_null(value=False))
        yield Convention("a missing outcome is negative", "missing", rows=filled)
    if FACET in lacking:
        filled = _column_setter(pl.col(FACET).fill_null("(unknown)"))
        yield Convention("rows of unknown group form a group", "group", rows=filled)


def _column_setter(*columns: pl.Expr) -> Rows:
    return lambda counted: counted.with_columns(*columns)


def _squares(side: Side) -> Expression:
    return side.effective_n * side.selection_rate * (1 - side.selection_rate)


def _sample_squares(side: Side) -> Expression:
    return _squares(side) * ratio(side.effective_n, side.effective_n - 1)


_APART: Final = a.selection_rate - d.selection_rate
_ROWS: Final = a.effective_n + d.effective_n
_SCORED: Final = a_s.n.sum() + d_s.n.sum()
_SAMPLE, _POPULATION = "the variance is that of a sample", "the variance is that of the population"

_VARIANCES: Final[Mapping[str, Mapping[str, Expression]]] = {
    "cohens_d": {
        _SAMPLE: ratio(_APART, ((_sample_squares(a) + _sample_squares(d)) / (_ROWS - 2)).sqrt()),
        _POPULATION: ratio(_APART, ((_squares(a) + _squares(d)) / _ROWS).sqrt()),
    },
    "two_sd": {
        "each side has its own variance": ratio(
            _APART, (_squares(a) / a.effective_n**2 + _squares(d) / d.effective_n**2).sqrt()
        )
    },
    "smd": {_POPULATION: CATALOGUE["smd"].parsed.expression * (_SCORED / (_SCORED - 2)).sqrt()},
    **{
        name: {_POPULATION: CATALOGUE[name].parsed.expression * (both.n / (both.n - 2)).sqrt()}
        for name in ("estimate_smd", "observed_smd")
    },
}


def own_name(metric: Metric) -> str:
    """The name here of the metric, or of the one nearest to another tool's."""
    return metric.ours if isinstance(metric, ToolMetric) else metric.name


def namesakes(metric: Metric) -> dict[str, Metric]:
    """The metrics that may be meant in a metric's place, by the words of a sentence.

    Examples
    --------
    >>> others = namesakes(CATALOGUE["fairlearn.equalized_odds_difference"])
    >>> list(others)[:2]
    ["method is 'to_overall'", "agg is 'mean'"]
    """
    by_words: dict[str, Metric] = dict(other_arguments(metric))
    ours = own_name(metric)
    for words, expression in _VARIANCES.get(ours, {}).items():
        like = CATALOGUE[ours]
        formula = replace(like.parsed, expression=expression)
        by_words[words] = Metric(f"{ours}, {words}", like.title, formula, ideal=like.ideal)
    for name, other in _metrics_of_like_name(metric, ours):
        if other.name not in (metric.name, *(each.name for each in by_words.values())):
            by_words[f"the metric is {name}"] = other
    return by_words


def _metrics_of_like_name(metric: Metric, ours: str) -> Iterator[tuple[str, Metric]]:
    """The metrics of a name or a near one, those of our own first."""
    tools = [*map(tool_of, TOOLS)]
    last = metric.name.rpartition(".")[2]
    known = {*CATALOGUE.names}.union(
        row.function.rpartition(".")[2] for tool in tools for row in tool.rows
    )
    aliases = CATALOGUE[ours].aliases if ours in CATALOGUE else ()
    near = nearest(last, sorted(known), _MOST_NEAR) if len(last) > _SHORT else []
    alike = {last, ours, *aliases, *near} - {""}
    for name in CATALOGUE.names:
        if name in alike:
            yield CATALOGUE[name].name, CATALOGUE[name]
    for tool in tools:
        for row in tool.rows:
            names = {row.function.rpartition(".")[2], *row.shorts, row.ours} - {""}
            if names & alike:
                yield f"{tool.name}.{tool.shortest(row)}", tool.metric(row)


@takes(REPORTED, columns=COLUMNS, instead=", or compare models by audit with champion=")
def compare(
    frame: AnyFrame,
    metric: str | Metric | None = None,
    **given: Unpack[ReportedQuestion],
) -> pl.DataFrame:
    """Return whether the rows give a reported number, and if not, which conventions do.

    The numbers are equal if the value from the rows, rounded or truncated to the reported digits,
    is the reported number; numbers without decimals are only rounded. If they differ, the
    conventions in which tools differ are tried one by one: the sign, the sides, the positive class,
    0/0, missing values, weights, percentages (of two digits or more), the group that d is compared
    with, and metrics with similar names. If none gives the number, pairs of conventions are tried.
    A number with few digits may match by chance: ``tried`` says how many conventions were tried.

    The rows are counted immediately, even those of a LazyFrame: once for all metrics of the same
    columns, and once more for each convention that counts differently. With ``observed`` or
    ``estimated`` they are kept in memory.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, a frame of another engine, or a question from `of`.
    metric
        A name, such as "aif360.average_odds_difference", or a `Metric`; None if ``reported`` has
        the number of each metric.
    {own arguments}
    **question
        As in `metrics`, about one facet, one model and one threshold, without ``by``.

    Returns
    -------
    DataFrame
        For each reported number, one row if it is equal; else one for each convention that gives
        it, or for the three that come nearest.
        {columns}

    Examples
    --------
    >>> import polars_fairness as pf
    >>> q = pf.of(
    ...     pf.datasets.compas(),
    ...     facet="race",
    ...     disfavored="African-American",
    ...     label="reoffended",
    ...     predicted="score",
    ...     threshold=5,
    ...     count="n",
    ... )
    >>> answer = pf.compare(q, "aif360.false_positive_rate_ratio", reported=2.3923)
    >>> answer["recomputed"].round(4).item(), answer["equal"].item()
    (2.0383, False)
    >>> answer["why"].item()
    'equal if a number equal to the threshold is negative'
    """
    question = {**given}
    reported = question.pop(REPORTED.name)
    if metric is not None:
        numbers: list[tuple[str | Metric, object]] = [(metric, reported)]
    elif isinstance(reported, Mapping) and reported:
        numbers = [*reported.items()]
    else:
        raise FairnessError("metric: name one, or give reported= as {metric: number}")
    bound = read(frame, cast("Question", question), "compare")
    about = [(*one_requested(each, bound.roles), of) for each, of in numbers]
    counted: dict[frozenset[str], Mapping[Convention | None, _Counted]] = {}
    rows: list[Row] = []
    for chosen, roles, reported in about:
        needs = frozenset(chosen.needs)
        if needs not in counted:
            counted[needs] = _counted(bound, question, chosen, roles)
        rows += _rows(counted[needs], chosen, reported)
    return pl.DataFrame(rows, types_of(COLUMNS, bound.roles.size))


@dataclass(frozen=True, eq=False)
class _Counted:
    """The question about counted rows."""

    bound: CheckedQuestion

    @property
    def roles(self) -> Roles:
        return self.bound.roles

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The rows with columns of the names that conventions change."""
        roles = self.roles
        values: dict[str, pl.Expr] = {
            each.role: each.positive_of(each.expression) for each in roles.outcomes
        }
        values |= {number.role: number.column.expression for number in roles.numbers}
        for facet in roles.facets:
            text = facet.key(facet.attributes)
            values[FACET] = text.str.replace_all(SEPARATOR, " & ", literal=True)
        if roles.score is not None:
            values["score"] = roles.score.column.expression
        for key, stratum in zip(roles.strata.keys, roles.strata.columns, strict=True):
            values[key] = stratum.expression
        for name, column in (("weight", roles.weight), ("n", roles.count)):
            if column is not None:
                values[name] = column.expression
        kept = ["weight_sq"] if roles.has_squares else []
        kept += SUMS if roles.score is not None and roles.score.has_sums else ()
        values |= {name: pl.col(name) for name in kept}
        frame = self.bound.frame
        assert isinstance(frame, pl.DataFrame | pl.LazyFrame)
        return frame.lazy().select(**values).collect(engine="streaming")

    @cached_property
    def about_rows(self) -> dict[str, Any]:
        """The question about the rows, but for its sides."""
        roles, columns = self.roles, self.rows.columns
        named = ("facet", *OUTCOMES, "observed", "estimated", "score", "weight")
        arguments: dict[str, Any] = {name: name for name in named if name in columns}
        settings = ("nulls", "zero_division", *(["resolution"] if "score" in columns else []))
        given: Mapping[str, Any] = self.bound.given
        arguments |= {name: given[name] for name in settings if name in given}
        arguments |= {"favorable": roles.favorable, "subgroup": roles.strata.keys or None}
        return arguments | ({"count": "n"} if "n" in columns else {})


def _counted(
    bound: CheckedQuestion, question: Mapping[str, Any], metric: Metric, roles: Roles
) -> dict[Convention | None, _Counted]:
    """The rows as they are counted, and as each convention counts them otherwise."""
    frame = bound.frame
    ways: list[Convention | None] = [None, *conventions_of_counting(roles)]
    others = ({} if way is None else way.counts for way in ways)
    questions = [{**question, **each} for each in others]
    if roles.numbers:
        if not isinstance(frame, pl.DataFrame | pl.LazyFrame):
            raise FairnessError(
                f"{roles.numbers[0].role}: compare reads numbers of a frame of polars only; "
                "convert it to one"
            )
        asked = [read(collected_here(frame), cast("Question", each)) for each in questions]
        return {way: _Counted(each) for way, each in zip(ways, asked, strict=True)}
    by_score = "score" in metric.needs
    frames = [collected_here(_rows_of(frame, roles, each)) for each in questions]
    plans: list[Any] = [
        counted_cells(read(rows, _counting(each, by_score=by_score), "cells"))
        for rows, each in zip(frames, questions, strict=True)
    ]
    is_lazy = isinstance(plans[0], pl.LazyFrame)
    tables = pl.collect_all(plans, engine="streaming") if is_lazy else plans
    return {
        way: _Counted(_of_cells(read(rows, cast("Question", each)), cells, by_score=by_score))
        for way, each, rows, cells in zip(ways, questions, frames, tables, strict=True)
    }


def _of_cells(bound: CheckedQuestion, cells: pl.DataFrame, *, by_score: bool) -> CheckedQuestion:
    """The question of cells that hold its keys, but for clusters."""
    asked = bound.roles.without_intervals
    if not by_score:
        asked = asked.with_scores(lambda _: None)
    held = asked_of(Header(cells.schema, are_cells=True), "n", asked)
    return CheckedQuestion(cells, bound.given, rows_of(cells, bound.given), held)


def _rows_of(frame: AnyFrame, roles: Roles, question: Mapping[str, Any]) -> Any:
    """The frame; without a count ``n`` that a convention leaves out, or cells would be refused."""
    if roles.count is None or roles.count.name != "n" or question.get("count") is not None:
        return frame
    if isinstance(frame, pl.DataFrame | pl.LazyFrame):
        return frame.drop("n", strict=False)
    if table := table_of(frame):
        return table.without("n")
    return rows_in_polars(frame, cast("Question", question)).drop("n", strict=False).collect()


def _counting(question: Mapping[str, Any], *, by_score: bool) -> Any:
    """The question by which rows are counted."""
    without = {"disfavored", "favored", "positive", "zero_division", "cluster", "favorable"}
    counting = {name: value for name, value in question.items() if name not in without}
    if by_score:
        return counting | {"threshold": None, "label_threshold": None}
    scored = counting.pop("score", None)
    counting.pop("resolution", None)
    return {"predicted": scored, **counting} if scored is not None else counting


Conventions = tuple[Convention, ...]
Values = dict[Conventions, dict[str, float]]
"""The values of metrics, by their words, by the conventions of each trial."""


@dataclass(frozen=True, eq=False)
class _Trials:
    """Counted rows, the sides of a comparison, and the metrics that are tried."""

    counted: Mapping[Convention | None, _Counted]
    sides: Sides | None

    def values(self, trials: Iterable[Conventions], known: Mapping[str, Metric]) -> Values:
        """The values of metrics by the conventions of each trial.

        Trials that ask the same of other rows are windows of one question.
        """
        together: dict[str, list[Conventions]] = {}
        for trial in trials:
            together.setdefault(repr(_asks(trial)), []).append(trial)
        values: Values = {}
        for alike in together.values():
            values |= self._evaluate_together(alike, known)
        return values

    def _evaluate_together(
        self, trials: Sequence[Conventions], known: Mapping[str, Metric]
    ) -> Values:
        rows = pl.concat(
            [
                self._rows(trial).with_columns(pl.lit(number).alias(_TRIAL))
                for number, trial in enumerate(trials)
            ],
            how="vertical_relaxed",
        )
        given, asks = self.counted[None].about_rows, _asks(trials[0])
        about = {**given, **asks, "by": _TRIAL}
        if self.sides is not None:
            about |= {"facet": [SIDE, FACET], "disfavored": {SIDE: D}, "favored": {SIDE: A}}
        bound = read(rows, cast("Question", about))
        metrics_tried = {
            words: _as_read(metric, bound.roles, has_other_zero="zero_division" in asks)
            for words, metric in known.items()
            if bound.roles.given.issuperset(metric.needs)
            and (bound.roles.weight is None or metric.takes_weights)
            and not metric.is_joint
        }
        if not metrics_tried:
            return {}
        answer = values_of(bound, metrics_tried, serving(metrics_tried, bound.roles))
        assert isinstance(answer, pl.DataFrame)
        values: Values = {trial: {} for trial in trials}
        for row in answer.iter_rows(named=True):
            trial = trials[row[_TRIAL]]
            has_all_rows = self.sides is not None and self._sides(trial).has_all_rows
            for words, metric in metrics_tried.items():
                if metric.has_sides:
                    is_meant = row["facet"] == SIDE
                    is_meant = is_meant and not (has_all_rows and needs_sides_apart(metric))
                else:
                    is_meant = row["facet"] != SIDE and not has_all_rows
                if is_meant and row[words] is not None:
                    values[trial].setdefault(words, row[words])
        return values

    def _sides(self, trial: Conventions) -> Sides:
        assert self.sides is not None
        sides = self.sides
        for each in trial:
            sides = sides if each.sides is None else each.sides(sides)
        return sides

    def _rows(self, trial: Conventions) -> pl.DataFrame:
        """The rows as the conventions of a trial count and change them."""
        counted = next((each for each in trial if each.counts), None)
        rows = self.counted[counted].rows
        for each in trial:
            if each.rows is not None:
                rows = each.rows(rows)
        return rows if self.sides is None else self._sides(trial).assign(rows)


def _asks(trial: Conventions) -> dict[str, Any]:
    return {name: value for each in trial for name, value in each.asks.items()}


def _as_read(metric: Metric, roles: Roles, *, has_other_zero: bool) -> Metric:
    """The metric where a positive outcome may be bad, and where the question says what 0/0 is."""
    if not roles.favorable:
        metric = replace(metric, **metric.unfavorable)
    if not (has_other_zero and metric.settles_zero_division):
        return metric
    return replace(metric, settles_zero_division=False)


@dataclass(frozen=True)
class _Explanation:
    """A value, and the conventions that give it."""

    words: tuple[str, ...]
    value: float


def _rows(
    counted: Mapping[Convention | None, _Counted], metric: Metric, reported: object
) -> Iterator[Row]:
    """The rows of the answer for each reported number."""
    given = counted[None]
    plan = values_of(given.bound, *requested([metric], given.roles)).lazy()
    answer = streamed(plan)
    for row, number in _numbers(answer.rows(named=True), reported):
        recomputed = row[metric.name]
        about = {
            **{name: row[name] for name in ("facet", "disfavored", "favored")},
            "metric": metric.name,
            "ours": own_name(metric) or None,
            "reported": number.value,
            "recomputed": recomputed,
            "equal": number.agrees(recomputed),
        }
        if about["equal"]:
            yield {**about, "tried": 0, **_told("equal", recomputed, number)}
            continue
        trials = _Trials(counted, _sides_of(given, row))
        tried, fitting = list[_Explanation](), list[_Explanation]()
        for explanations in _explanations(trials, metric, recomputed, number):
            tried += explanations
            fitting = [each for each in explanations if number.agrees(each.value)]
            if fitting:
                break
        apart = {
            round(each.value, _SAME): each
            for each in reversed(tried)
            if abs(each.value - number.value) < inf
            and (recomputed is None or round(each.value, _SAME) != round(recomputed, _SAME))
        }
        nearest = sorted(apart.values(), key=lambda each: abs(each.value - number.value))
        if not (fitting or nearest):
            yield {**about, "tried": len(tried), **_told("none fits", None, number)}
        for each in fitting or nearest[:_NEAREST]:
            start = "equal if" if fitting else "none fits; near if"
            why = f"{start} {' and '.join(each.words)}"
            yield {**about, "tried": len(tried), **_told(why, each.value, number)}


def _sides_of(given: _Counted, row: Row) -> Sides | None:
    """The groups of both sides of a comparison, or of the only two; None if there are none."""
    facet = next(iter(given.roles.facets), None)
    if facet is None:
        return None
    known = given.rows[FACET].drop_nulls().unique().sort().to_list()
    d = tuple(map(written, facet.disfavored))
    if row["disfavored"] is not None:
        a = tuple(map(written, facet.favored)) or tuple(filter(None, [row["favored"]]))
        all_rows = facet.is_against_all
        return Sides(d or (row["disfavored"],), () if all_rows else a, has_all_rows=all_rows)
    # A metric without sides: those of the question, which other metrics may have.
    match known:
        case [first, _] if not d:
            d = (first,)
    return Sides(d) if d else None


def _told(why: str, value: float | None, number: Reported) -> Row:
    apart = None if value is None else value - number.value
    return {"why": why, "value": value, "difference": apart, "fits": number.agrees(value)}


def _numbers(rows: Sequence[Row], reported: object) -> Iterator[tuple[Row, Reported]]:
    """The comparisons with the number that was reported of each."""
    if not rows:
        raise FairnessError(
            "reported: the frame has no rows to compute a number from; check that there are rows"
        )
    names = [row["disfavored"] or row["facet"] for row in rows]
    if not isinstance(reported, Mapping):
        number = Reported.of(reported)
        if len(rows) != 1:
            raise FairnessError(
                f"reported: got one number for {len(rows)} comparisons, of "
                f"{quoted(names, len(names), 'groups')}; give disfavored=, or a dictionary with "
                "the number of each"
            )
        yield rows[0], number
        return
    for name, given in reported.items():
        if str(name) not in names:
            raise FairnessError(
                f"reported: {name!r} is not one of the comparisons, which are of "
                f"{quoted(names, len(names), 'groups')}"
            )
        yield rows[names.index(str(name))], Reported.of(given)


def _explanations(
    trials: _Trials, metric: Metric, recomputed: float | None, number: Reported
) -> Iterator[list[_Explanation]]:
    """The values by one convention, then those by two."""
    given = trials.counted[None]
    ways = [
        *conventions_of_rows(given.rows, given.about_rows, metric, trials.sides),
        *(each for each in trials.counted if each is not None),
    ]
    changes = conventions_of_values(metric, may_be_percent=number.may_be_percent)
    alone = [(), *((each,) for each in ways)]
    values = trials.values(alone, {"": metric, **namesakes(metric)})
    by_question = [
        _Explanation(_words(trial), each[""]) for trial, each in values.items() if "" in each
    ]
    by_value = [] if recomputed is None else [*_changed([_Explanation((), recomputed)], changes)]
    by_metric = [*_explanations_by_metric(values.get((), {}))]
    yield [*by_value, *(each for each in by_question if each.words), *by_metric]
    pairs = [
        (one, other)
        for one, other in combinations(ways, 2)
        if one.about != other.about and not (one.counts and other.counts)
    ]
    yield [
        *_changed([*(each for each in by_question if each.words), *by_metric, *by_value], changes),
        *(
            _Explanation((*_words(trial), *explanation.words), explanation.value)
            for trial, each in values.items()
            if trial
            for explanation in _explanations_by_metric(each)
        ),
        *(
            _Explanation(_words(trial), value)
            for trial, each in trials.values(pairs, {"": metric}).items()
            for value in each.values()
        ),
    ]


def _words(trial: Conventions) -> tuple[str, ...]:
    return tuple(each.words for each in trial)


def _changed(
    values: Iterable[_Explanation], changes: Mapping[str, Callable[[float], float]]
) -> Iterator[_Explanation]:
    """The values, each with one change more that it does not have."""
    for each in values:
        for words, change in changes.items():
            if words not in each.words:
                yield _Explanation((*each.words, words), change(each.value))


def _explanations_by_metric(values: Mapping[str, float]) -> Iterator[_Explanation]:
    """The values of other metrics; metrics with the same value are one."""
    together: dict[float, dict[str, float]] = {}
    for name, value in values.items():
        if name:
            together.setdefault(round(value, _SAME), {})[name] = value
    first = "the metric is "
    for names in together.values():
        own = [name for name in names if not name.startswith(first)]
        like = [name.removeprefix(first) for name in names if name.startswith(first)]
        both = [*own, *([first + listed(like, "or", len(like), str)] if like else [])]
        yield _Explanation((" or ".join(both),), next(iter(names.values())))

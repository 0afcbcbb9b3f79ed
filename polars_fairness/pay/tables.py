"""The table of pay: gaps of means and medians, shares that receive, quarters, and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import audit
from polars_fairness.answers.rates import rates
from polars_fairness.api.bound import read, unbound
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import PAY, names_of, types_of
from polars_fairness.api.plan import answered
from polars_fairness.api.signatures import answers
from polars_fairness.counting.collected import collected
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, rows_in_polars
from polars_fairness.errors import FairnessError
from polars_fairness.inference.closed_forms import wilson_of
from polars_fairness.pay.arguments import MINIMUM_COUNT, OF_PAY, OF_WORKERS, RULE, PayQuestion
from polars_fairness.question.arguments import Question, defaults
from polars_fairness.question.columns import (
    Column,
    GivenAs,
    column_called,
    find_columns,
    find_single_column,
)

_GAPS: Final = {
    "mean_gap": "estimate_ratio",
    "median_gap": "estimate_median_ratio",
    "adjusted_gap": "adjusted_estimate_ratio",
}
"""The metric of each gap, which is 1 less its value."""
_DIFFERENCES: Final = {
    "mean_gap": "estimate_difference",
    "median_gap": "estimate_median_difference",
}
"""What is above 0 where the other group has 0 and the favored one more: no ratio, a gap of 1."""
_POINTS: Final[Mapping[str, Mapping[tuple[str, str], str]]] = {
    "eu": {
        ("mean_gap", "total"): "a",
        ("adjusted_gap", "total"): "a",
        ("mean_gap", "variable"): "b",
        ("mean_gap", "received"): "b",
        ("median_gap", "total"): "c",
        ("median_gap", "variable"): "d",
        ("median_gap", "received"): "d",
    },
    "uk": {
        ("mean_gap", "total"): "a",
        ("median_gap", "total"): "b",
        ("mean_gap", "received"): "c",
        ("median_gap", "received"): "d",
    },
}
"""The numbers of each rule about all workers, with the letter of the point that has them."""
_ARGUMENTS: Final = {
    "total": "pay",
    "basic": "basic",
    "variable": "variable",
    "received": "variable",
}
_LEAST: Final = {
    "pay": "pay of 0 or below",
    "hours": "hours of 0 or below",
    "variable": "variable pay below 0 (0 means none)",
    "basic": "basic pay of 0 or below",
}
"""The amounts, and which of them are too small."""
# In the order of rows, by which some are left out for an interval: controls change no other gap.
_COLUMNS: Final = (*_LEAST, "facet", "by", "category", "controls")
_QUARTER, _PART = "quarter\x1f", "part\x1f"
_VALUES: Final = ("value", "lower", "upper")
_FIVE_PER_CENT: Final = 0.05 - 1e-12  # less the rounding of a quotient


@dataclass(frozen=True)
class _Workers:
    """The workers, a row each, and what is computed of them."""

    given: Mapping[str, Any]
    columns: Mapping[str, tuple[Column, ...]]
    rows: pl.DataFrame

    @property
    def by(self) -> list[pl.Expr]:
        return [each.expression.alias(each.name) for each in self.columns["by"]]

    def amount(self, argument: str) -> pl.Expr:
        """The amounts of an argument, by the hour if there are hours."""
        [column] = self.columns[argument]
        amount = column.expression.cast(pl.Float64)
        for hours in self.columns["hours"]:
            amount = amount / hours.expression
        return amount.alias(column.name)

    def refuse_wrong_amounts(self) -> None:
        """Raise about amounts that are missing, too small or not finite, with how many are."""
        for argument, least in _LEAST.items():
            for column in self.columns[argument]:
                amounts = self.rows.select(column.expression.cast(pl.Float64).alias("")).to_series()
                is_low = amounts < 0 if argument == "variable" else amounts <= 0
                wrong_amounts = is_low | ~amounts.is_finite()
                missing = amounts.null_count() if self.given["nulls"] == "raise" else 0
                for wrong, what, advice in (
                    (missing, "no value", "give nulls='drop' to leave them out"),
                    (
                        wrong_amounts.sum(),
                        f"{least} or no finite number",
                        "correct or filter out their rows",
                    ),
                ):
                    if wrong:
                        raise FairnessError(
                            f"{argument}: {wrong:,} of {len(amounts):,} workers have {what} in "
                            f"{column.name!r}; {advice}"
                        )

    def question(self, *names: str) -> Any:
        """What was given of these arguments."""
        return {name: self.given[name] for name in names if self.given[name] is not None}

    def gaps(self, pay: str, measures: Sequence[str], *of: pl.Expr) -> pl.DataFrame:
        """The gaps of a part of pay, in the windows of the call and of other columns."""
        names = ["facet", "favored", "unknown", "nulls"]
        amount = self.amount(_ARGUMENTS[pay])
        audited = audit(
            self.rows.filter(amount > 0) if pay == "received" else self.rows,
            *(_GAPS[measure] for measure in measures),
            *(_DIFFERENCES[measure] for measure in measures if measure in _DIFFERENCES),
            estimated=amount,
            by=[*self.by, *of],
            confidence=self.given["confidence"],
            **self.question(*names, *(["controls"] if "adjusted_gap" in measures else [])),
        )
        ends = {"lower": "upper", "upper": "lower"} if "lower" in audited.columns else {}
        measured = {each: name for of in (_GAPS, _DIFFERENCES) for name, each in of.items()}
        audited = audited.with_columns(measure=pl.col("metric").replace_strict(measured))
        is_gap = pl.col("metric").is_in([*_GAPS.values()])
        windows = [each.meta.output_name() for each in (*self.by, *of)]
        places = [*windows, "facet", "disfavored", "measure"]
        more = (pl.col("value").filter(~is_gap).first().over(places) > 0).fill_null(value=False)
        of_nothing = pl.when(more).then(1.0)
        return (
            audited.with_columns(of_nothing=of_nothing)
            .filter(is_gap)
            .with_columns(
                *((1 - pl.col(other)).alias(end) for end, other in ends.items()),
                value=pl.coalesce(1 - pl.col("value"), "of_nothing"),
                pay=pl.lit(pay),
            )
        )

    def shares(
        self, rows: pl.DataFrame, value: pl.Expr, of: pl.Expr, *by: pl.Expr, **outcome: Any
    ) -> pl.DataFrame:
        """A share of each known group, with Wilson's interval of so many rows."""
        question = self.question("facet", "unknown", "nulls")
        rated = rates(rows, by=[*self.by, *by], **outcome, **question)
        windows = [*(each.meta.output_name() for each in (*self.by, *by)), "facet"]
        dropped = pl.col("rows_dropped").sum().over(windows)
        known = rated.with_columns(dropped).filter(pl.col("value").is_not_null())
        known = known.rename({"value": "disfavored"})
        valued = known.with_columns(value=value, of=of, n_disfavored=pl.col("n").round())
        if (level := self.given["confidence"]) is None:
            return valued
        ends = wilson_of(pl.col("value"), pl.col("of"), level)
        return valued.with_columns(lower=ends[0], upper=ends[1])

    def quarters(self) -> pl.DataFrame:
        """The share of each group in the workers of each quarter of pay.

        Workers of one pay are in both quarters where an end divides them, in proportion.
        """
        pay, number = self.amount("pay"), pl.col(_QUARTER)
        by = [*self.by, number]
        below, tied = pay.rank("min").over(by) - 1.0, pl.len().over([*by, pay])
        ends = (pl.len().over(by) / 4 * each for each in (number, number - 1))
        inside = pl.min_horizontal(below + tied, next(ends)) - pl.max_horizontal(below, next(ends))
        rows = (
            self.rows.filter(pay.is_not_null())
            .join(pl.DataFrame({_QUARTER: [1, 2, 3, 4]}), how="cross")
            .with_columns((inside.clip(0) / tied).alias(_PART))
        )
        whole = pl.col("n").sum().over([*_names(self.columns["by"]), "facet", "quarter"])
        of_quarter = number.alias("quarter")
        shares = self.shares(
            rows, pl.col("n") / whole, whole, of_quarter, predicted=pay > 0, weight=_PART
        )
        return shares.drop("rows_dropped")

    def numbers(self) -> Iterator[pl.DataFrame]:
        """All numbers of the rule, each table with the letter of its points."""
        points = _POINTS[self.given["rule"]]
        has_variable = bool(self.columns["variable"])
        adjusted = ["adjusted_gap"] if self.given["controls"] is not None else []
        for pay in ("total", *(["variable", "received"] if has_variable else [])):
            of_pay = ("mean_gap", "median_gap", *adjusted)
            measures = [each for each in of_pay if (each, pay) in points]
            if measures:
                letters = {measure: points[measure, pay] for measure in measures}
                letter = pl.col("measure").replace_strict(letters)
                yield self.gaps(pay, measures).with_columns(point=letter)
        if has_variable:
            receives = (self.amount("variable") > 0).alias("variable")
            rate, n = pl.col("selection_rate"), pl.col("n")
            yield self.shares(self.rows, rate, n, predicted=receives).with_columns(
                point=pl.lit("e"), pay=pl.lit("variable"), measure=pl.lit("share_with_variable")
            )
        yield self.quarters().with_columns(
            point=pl.lit("f"), pay=pl.lit("total"), measure=pl.lit("share_of_quarter")
        )
        for column in self.columns["category"]:
            of = column.expression.alias("category")
            for pay in ("total", "basic", "variable"):
                if self.columns[_ARGUMENTS[pay]]:
                    measures = ["mean_gap", *(adjusted if pay == "total" else [])]
                    yield self.gaps(pay, measures, of).with_columns(point=pl.lit("g"))


def _names(columns: Sequence[Column]) -> list[str]:
    return [each.name for each in columns]


def _table_of(
    seen: pl.LazyFrame, given: Mapping[str, Any], columns: Mapping[str, tuple[Column, ...]]
) -> pl.LazyFrame:
    """Every number of the table, from the rows of the workers."""
    workers = _Workers(given, columns, collected(seen))
    workers.refuse_wrong_amounts()
    keys, types = _names(columns["by"]), pl.Schema(types_of(PAY, pl.Int64()))
    parts = [pl.DataFrame(schema=types), *workers.numbers()]
    table = pl.concat(parts, how="diagonal_relaxed").select(*keys, *map(pl.col, types)).cast(types)
    _refuse_no_favored(table)
    is_category, is_total = pl.col("point") == "g", pl.col("pay") == "total"
    is_whole = is_total & (pl.col("measure") == "mean_gap") & ~is_category
    least = given[MINIMUM_COUNT.name]
    is_small = is_category & (pl.min_horizontal("n_disfavored", "n_favored") < least)
    few = pl.lit(f"fewer than {least} workers of a side")
    are_known = pl.min_horizontal("n_disfavored", "n_favored") > 0
    is_average = pl.col("measure").is_in([*_DIFFERENCES])
    has_none = is_average & pl.col("value").is_null() & are_known
    argument = pl.col("pay").replace_strict(_ARGUMENTS, default=None)
    average = pl.col("measure").str.strip_suffix("_gap")
    why = pl.format("{}: the {} of {} is 0, and a gap is over it", argument, average, "favored")
    is_of_nothing = is_average & (pl.col("value") == 1)
    table = table.with_columns(
        *(pl.when(~is_small).then(name).alias(name) for name in _VALUES),
        # Of a share they are those of the gap in total pay.
        *(
            pl.col(name).fill_null(pl.col(name).filter(is_whole).first().over([*keys, "facet"]))
            for name in ("n_unknown", "rows_dropped")
        ),
        note=pl.when(is_small)
        .then(few)
        .when(has_none)
        .then(why)
        .when(is_of_nothing)
        .then(None)
        .otherwise("note"),
    ).with_columns(
        is_five_percent_or_more=pl.when(is_category).then(pl.col("value").abs() >= _FIVE_PER_CENT)
    )
    if given["rule"] == "uk":
        table = table.with_columns(pl.col(_VALUES).round(3, mode="half_away_from_zero"))
    orders = {"facet": _names(columns["facet"]), "pay": [*_ARGUMENTS], "measure": PAY[2].words}
    facet, pay, measure = (
        pl.col(name).replace_strict(known, range(len(known)), return_dtype=pl.Int64)
        for name, known in orders.items()
    )
    table = table.sort(*keys, facet, "point", "category", "quarter", pay, measure, nulls_last=True)
    if keys:
        places = [*keys[:-1], *names_of(PAY[:6]), "disfavored", "favored"]
        table = table.with_columns(change=pl.col("value").diff().over(places))
    return table.lazy()


def _refuse_no_favored(table: pl.DataFrame) -> None:
    """Raise if a group is compared with everyone else: no group was named, and there are more."""
    is_gap = pl.col("measure").is_in([*_GAPS])
    without_favored = table.filter(is_gap, pl.col("favored").is_null(), pl.col("n_favored") > 0)
    if without_favored.height:
        facet, group = without_favored.select("facet", "disfavored").row(0)
        raise FairnessError(
            f"favored: {facet!r} has more than two groups, and each of them is compared with one; "
            f"give it, such as favored={{{facet!r}: {group!r}}}"
        )


_ONE_BY_ONE: Final = "each row is one worker, whose pay has a place of its own; leave it out"
NOT_OF_PAY: Final = {
    **dict.fromkeys(("weight", "count"), _ONE_BY_ONE),
    **dict.fromkeys(("predicted", "label", "score"), "the table is about pay; leave it out"),
    **dict.fromkeys(("observed", "estimated"), "the amounts are given as pay, basic and variable"),
    "disfavored": "each group is compared with the favored one; leave it out",
    "subgroup": "the categories of workers are given as category=",
}
"""Why the table of pay does not take some arguments of other functions."""


@answers(*OF_PAY, shared=OF_WORKERS, module="pay", refused=NOT_OF_PAY, columns=PAY)
def table(frame: AnyFrame, **given: Unpack[PayQuestion]) -> PolarsFrame:
    """The numbers about pay that article 9(1) of Directive (EU) 2023/970 names, a row each.

    A gap is the mean or median of the favored group less that of another one, over that of the
    favored group: above 0, the other group is paid less. Quarters are of all workers in order of
    pay, and a pay that the end of a quarter divides is shared in proportion.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per number. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> pay = {"pay": "total_pay", "variable": "bonus", "hours": "hours"}
    >>> table = pf.pay.table(pf.datasets.salaries(), facet="sex", favored="M", **pay)
    >>> table.filter(point="a").select("disfavored", pl.col("value").round(3)).rows()
    [('F', 0.134)]
    """
    options = {**defaults((*OF_PAY, *OF_WORKERS)), **given}
    RULE.refuse_other_values(options["rule"])
    MINIMUM_COUNT.refuse_other_values(options[MINIMUM_COUNT.name])
    shared = {each.name for each in OF_WORKERS}
    rows = rows_of_workers(frame, given)
    schema = rows.collect_schema()
    columns = {}
    for name in _COLUMNS:
        value: Any = options[name]
        value = [*value] if isinstance(value, Mapping) else value
        find = find_columns if name in shared else find_single_column
        columns[name] = find(schema, name, value)
        if name in _LEAST and any(not each.dtype.is_numeric() for each in columns[name]):
            [column] = columns[name]
            raise FairnessError(
                f"{name}: {column.name!r} is {column.dtype}; name a column of numbers, or cast it"
            )
    for category in columns["category"]:
        if any(map(category.is_same, columns["facet"])):
            raise FairnessError(
                f"category: {category.name!r} is a facet; name the column of categories of workers"
            )
    question = {name: each for name, each in given.items() if name in shared}
    own = {name: each for name, each in given.items() if name not in shared}
    estimated = columns["pay"][0].expression
    bound = read(rows, cast("Question", {**question, "estimated": estimated}), "pay.table", own)
    refuse_taken_names(bound.roles, {"by"}, names_of(PAY))
    needed = [
        root
        for each in columns.values()
        for column in each
        for root in column.expression.meta.root_names()
    ]
    narrow = rows.select(map(column_called, dict.fromkeys(needed)))
    types = pl.Schema({**bound.roles.windows.types, **types_of(PAY, pl.Int64())})
    compute = partial(_table_of, given=options, columns=columns)
    return answered(unbound(frame), narrow, compute, types, in_plan=False)


def rows_of_workers(frame: AnyFrame, given: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of the workers, with the columns that the arguments name."""
    amounts = (*_LEAST, "category")
    own = [GivenAs(name, given[name]) for name in amounts if given.get(name) is not None]
    shared = {name: given.get(name) for name in ("facet", "by", "controls")}
    return rows_in_polars(unbound(frame), cast("Question", {**shared, "subgroup": own}))

"""The table of pay: gaps of means and medians, shares that receive, quarters, and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import combinations
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import audit
from polars_fairness.answers.rates import rates
from polars_fairness.api.bound import read, unbound
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import PAY, UNMEASURED, names_of, picked, types_of
from polars_fairness.api.plan import answered
from polars_fairness.api.signatures import answers
from polars_fairness.counting.collected import collected
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, rows_in_polars
from polars_fairness.errors import FairnessError
from polars_fairness.formula.formulas import Formula
from polars_fairness.formula.levels import BY_ESTIMATED
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.numbers import mean
from polars_fairness.formula.powers import ESTIMATED
from polars_fairness.formula.scores import quantile
from polars_fairness.formula.sides import a, a_s, d, d_s
from polars_fairness.formula.tree import Expression
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
"""The metric of each gap, which is 1 minus its value."""
_OF_SIDES: Final[Mapping[str, tuple[Expression | Formula, ...]]] = {
    "mean_gap": (mean(ESTIMATED)(d), mean(ESTIMATED)(a)),
    "median_gap": tuple(Formula(BY_ESTIMATED, quantile(x, 0.5), at=0.5) for x in (d_s, a_s)),
}
_AMOUNTS: Final = {
    measure: [
        Metric(f"{measure}_{side}", title=measure, formula=formula)
        for side, formula in zip(("disfavored", "favored"), formulas, strict=True)
    ]
    for measure, formulas in _OF_SIDES.items()
}
"""The amounts that each gap compares, as metrics."""
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
"""The numbers of each rule about all workers, with the letter of their point."""
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
"""The amounts, and what is too small for each."""
# In the order of rows, by which some are left out for an interval: controls change no other gap.
_COLUMNS: Final = (*_LEAST, "facet", "by", "category", "controls")
_QUARTER, _PART = "quarter\x1f", "part\x1f"
_BANDS: Final[Mapping[bool, Mapping[str, Any]]] = {
    False: {"adjusted_estimate_ratio": None},
    True: {"adjusted_estimate_ratio": (0.95, 1.05)},
}
"""The gap at equal controls to which robustness refers: 0, and 5 % for a category."""
_VALUES: Final = ("value", "lower", "upper")
_LEFT_OUT: Final = ("n_unknown", "rows_dropped")
_PLACE: Final = names_of(PAY[:7])
"""The columns that say which number it is."""
_SHOULD_BE_KNOWN: Final = "give nulls='drop' to leave them out"
_MAY_BE_NONE: Final = "fill with 0 for those who have none, or give nulls='drop' if it is not known"
_NO_HOURLY: Final = "hours: not given, so the hourly half of (a) to (d), (f) and (g) is missing"
_SMALL: Final = (*_VALUES, "amount_disfavored", "amount_favored", *UNMEASURED)
"""The columns that are hidden if there are few workers."""
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

    def forms(self, pay: str) -> Sequence[str]:
        """The forms in which a part of pay is reported.

        The United Kingdom asks for hourly pay, which is given if there are no hours, and for the
        bonus of a year.
        """
        if self.given["rule"] == "uk":
            return ["hourly" if pay == "total" else "annual"]
        return ["annual", "hourly"] if self.columns["hours"] else ["annual"]

    def amount(self, pay: str, form: str) -> pl.Expr:
        """The amounts of a part of pay in a form; null for those who receive none."""
        [column] = self.columns[_ARGUMENTS[pay]]
        amount = column.expression.cast(pl.Float64)
        if pay == "received":
            amount = pl.when(amount > 0).then(amount)
        if form == "hourly":
            for hours in self.columns["hours"]:
                amount = amount / hours.expression
        return amount.alias(column.name)

    def refuse_wrong_amounts(self) -> None:
        """Raise for amounts that are missing, too small or not finite, with their number."""
        for argument, least in _LEAST.items():
            for column in self.columns[argument]:
                amounts = self.rows.select(column.expression.cast(pl.Float64).alias("")).to_series()
                is_low = amounts < 0 if argument == "variable" else amounts <= 0
                wrong_amounts = is_low | ~amounts.is_finite()
                missing = amounts.null_count() if self.given["nulls"] == "raise" else 0
                fill = _MAY_BE_NONE if argument == "variable" else _SHOULD_BE_KNOWN
                for wrong, what, advice in (
                    (missing, "no value", fill),
                    (
                        wrong_amounts.sum(),
                        f"{least}, or not a finite number,",
                        "correct or filter out their rows",
                    ),
                ):
                    if wrong:
                        raise FairnessError(
                            f"{argument}: {wrong:,} of {len(amounts):,} workers have {what} in "
                            f"{column.name!r}; {advice}"
                        )
        self._refuse_parts_above_pay()

    def _refuse_parts_above_pay(self) -> None:
        """Raise for parts of pay above it; a bonus of a year does not compare with hourly pay."""
        if self.given["rule"] == "uk" and not self.columns["hours"]:
            return
        [pay] = self.columns["pay"]
        for argument in ("basic", "variable"):
            for part in self.columns[argument]:
                is_above = part.expression.cast(pl.Float64) > pay.expression.cast(pl.Float64)
                if above := self.rows.select(is_above.sum().alias("")).item():
                    raise FairnessError(
                        f"{argument}: {above:,} of {self.rows.height:,} workers have more in "
                        f"{part.name!r} than in {pay.name!r}, their total pay; name the column of "
                        "total pay, or correct their rows"
                    )

    def question(self, *names: str) -> Any:
        """What was given of these arguments."""
        return {name: self.given[name] for name in names if self.given[name] is not None}

    def gaps(self, pay: str, form: str, measures: Sequence[str], *of: pl.Expr) -> pl.DataFrame:
        """The gaps of a part of pay, in the windows of the call and of other columns."""
        question = self.question("facet", "favored", "unknown", "nulls")
        if pay == "received":
            question["nulls"] = "drop"
        if "adjusted_gap" in measures:
            question |= {**self.question("controls"), "bands": _BANDS[bool(of)]}
        amounts = [each for name in measures for each in _AMOUNTS.get(name, ())]
        audited = audit(
            self.rows,
            *(_GAPS[measure] for measure in measures),
            *amounts,
            estimated=self.amount(pay, form),
            by=[*self.by, *of],
            confidence=self.given["confidence"],
            **question,
        )
        measured = {each: name for name, each in _GAPS.items()}
        measured |= {each.name: each.title for each in amounts}
        audited = audited.with_columns(measure=pl.col("metric").replace_strict(measured))
        windows = [each.meta.output_name() for each in (*self.by, *of)]
        places = [*windows, "facet", "disfavored", "measure"]
        value, metric = pl.col("value"), pl.col("metric")
        of_sides = (
            value.filter(metric.str.ends_with(f"_gap_{side}"))
            .first()
            .over(places)
            .alias(f"amount_{side}")
            for side in ("disfavored", "favored")
        )
        one, other = pl.col("amount_disfavored"), pl.col("amount_favored")
        bounds = ("lower", "upper") if "lower" in audited.columns else ()
        is_bounded = pl.all_horizontal(pl.col(each).is_finite() for each in bounds)
        argument = _ARGUMENTS[pay]
        # The audit was given a number that the caller knows by another name.
        note = pl.col("note").str.replace_all("estimated: ", f"{argument}: ", literal=True)
        too_few = pl.lit(f"{argument}: too few workers for an interval")
        unbounded = pl.when(value.is_not_null() & ~is_bounded.fill_null(value=False)).then(too_few)
        # A ratio of means is defined where the other group has nothing, too.
        ratio = pl.coalesce(value, pl.when(other > 0).then(one / other))
        return (
            audited.with_columns(of_sides)
            .filter(metric.is_in([*_GAPS.values()]))
            .with_columns(
                *(
                    pl.when(is_bounded).then(1 - pl.col(other)).alias(end)
                    for end, other in zip(bounds, reversed(bounds), strict=True)
                ),
                value=1 - ratio,
                note=pl.coalesce(note, unbounded),
                pay=pl.lit(pay),
                form=pl.lit(form),
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
        valued = known.with_columns(value=value, of=of, n_disfavored="n")
        if (level := self.given["confidence"]) is None:
            return valued
        ends = wilson_of(pl.col("value"), pl.col("of"), level)
        return valued.with_columns(lower=ends[0], upper=ends[1])

    def quarters(self, form: str) -> pl.DataFrame:
        """The share of each group in the workers of each quarter of pay.

        Workers with equal pay on the border of two quarters count in both, in proportion.
        """
        pay, number = self.amount("total", form), pl.col(_QUARTER)
        by = [*self.by, number]
        below, tied = pay.rank("min").over(by) - 1.0, pl.len().over([*by, pay])
        ends = (pl.len().over(by) / 4 * each for each in (number, number - 1))
        inside = pl.min_horizontal(below + tied, next(ends)) - pl.max_horizontal(below, next(ends))
        rows = (
            self.rows.filter(pay.is_not_null())
            .join(pl.DataFrame({_QUARTER: [1, 2, 3, 4]}), how="cross")
            .with_columns((inside.clip(0) / tied).alias(_PART))
        )
        quarter = [*_names(self.columns["by"]), "quarter"]
        whole = pl.col("n").sum().over([*quarter, "facet"])
        of_quarter = number.alias("quarter")
        amounts = (
            rows.filter(pl.col(_PART) > 0)
            .group_by(*self.by, of_quarter)
            .agg(quarter_from=pay.min(), quarter_to=pay.max())
            .with_columns(
                pl.when(pl.col("quarter") != of).then(end).alias(end)
                for of, end in ((1, "quarter_from"), (4, "quarter_to"))
            )
        )
        return (
            self.shares(
                rows, pl.col("n") / whole, whole, of_quarter, predicted=pay > 0, weight=_PART
            )
            .drop("rows_dropped")
            .with_columns(n_quarter=whole, form=pl.lit(form))
            .join(amounts, on=quarter, how="left", nulls_equal=True)
        )

    def numbers(self) -> Iterator[pl.DataFrame]:
        """All numbers of the rule, each table with the letter of its points."""
        points = _POINTS[self.given["rule"]]
        has_variable = bool(self.columns["variable"])
        adjusted = ["adjusted_gap"] if self.given["controls"] is not None else []
        for pay in ("total", *(["variable", "received"] if has_variable else [])):
            of_pay = ("mean_gap", "median_gap", *adjusted)
            measures = [each for each in of_pay if (each, pay) in points]
            for form in self.forms(pay) if measures else []:
                letters = {measure: points[measure, pay] for measure in measures}
                letter = pl.col("measure").replace_strict(letters)
                yield self.gaps(pay, form, measures).with_columns(point=letter)
        if has_variable:
            receives = (self.amount("variable", "annual") > 0).alias("variable")
            rate, n = pl.col("selection_rate"), pl.col("n")
            yield self.shares(self.rows, rate, n, predicted=receives).with_columns(
                point=pl.lit("e"), pay=pl.lit("variable"), measure=pl.lit("share_with_variable")
            )
        for form in self.forms("total"):
            yield self.quarters(form).with_columns(
                point=pl.lit("f"), pay=pl.lit("total"), measure=pl.lit("share_of_quarter")
            )
        for column in self.columns["category"]:
            of = column.expression.alias("category")
            for pay in ("total", "basic", "variable"):
                if self.columns[_ARGUMENTS[pay]]:
                    measures = ["mean_gap", *(adjusted if pay == "total" else [])]
                    for form in self.forms(pay):
                        yield self.gaps(pay, form, measures, of).with_columns(point=pl.lit("g"))


def _names(columns: Sequence[Column]) -> list[str]:
    return [each.name for each in columns]


def _table_of(
    seen: pl.LazyFrame, given: Mapping[str, Any], columns: Mapping[str, tuple[Column, ...]]
) -> pl.LazyFrame:
    """Every number of the table, from the rows of the workers."""
    workers = _Workers(given, columns, collected(seen))
    workers.refuse_wrong_amounts()
    keys, types = _names(columns["by"]), pl.Schema(_types(given))
    parts = [pl.DataFrame(schema=types), *workers.numbers()]
    table = pl.concat(parts, how="diagonal_relaxed").select(*keys, *map(pl.col, types)).cast(types)
    _refuse_no_favored(table)
    is_category, is_total = pl.col("point") == "g", pl.col("pay") == "total"
    is_whole = is_total & (pl.col("measure") == "mean_gap") & ~is_category
    least = given[MINIMUM_COUNT.name]
    fewest = pl.min_horizontal("n_disfavored", "n_favored")
    is_small = pl.col("measure").is_in([*_GAPS]) & (fewest < least)
    dropped, is_received = pl.col("rows_dropped"), pl.col("pay") == "received"
    whole, receiving = (
        [pl.col(name).filter(of).first().over([*keys, "facet"]) for name in _LEFT_OUT]
        for of in (is_whole, pl.col("point") == "e")
    )
    hidden = [name for name in _SMALL if name in types]
    table = table.with_columns(
        *(pl.when(~is_small).then(name).alias(name) for name in hidden),
        # Of a share they are those of the gap in total pay.
        n_unknown=pl.col("n_unknown").fill_null(whole[0]),
        rows_dropped=pl.when(is_received).then(receiving[1]).otherwise(dropped.fill_null(whole[1])),
        # For all workers, a side without any has a reason of its own.
        note=pl.when(is_small & (is_category | (fewest > 0)))
        .then(pl.lit(f"fewer than {least} workers on a side"))
        .otherwise(_notes(given["rule"], has_hours=bool(columns["hours"]))),
    )
    value, holds_zero = pl.col("value"), pl.lit(0.0).is_between("lower", "upper")
    is_large = pl.when(is_category).then(value.abs() >= _FIVE_PER_CENT)
    lower_side = pl.when(value > 0).then("disfavored").otherwise("favored")
    table = table.with_columns(
        is_five_percent_or_more=is_large,
        disadvantaged=pl.when(is_large & ~holds_zero.fill_null(value=False)).then(lower_side),
    )
    if given["rule"] == "uk":
        table = table.with_columns(pl.col(_VALUES).round(3, mode="half_away_from_zero"))
    orders = {"facet": _names(columns["facet"])}
    orders |= {each.name: [*each.words] for each in picked(PAY, "pay", "measure")}
    by_order = {
        name: pl.col(name).replace_strict(known, range(len(known)), return_dtype=pl.Int64)
        for name, known in orders.items()
    }
    order = [by_order.get(name, pl.col(name)) for name in _PLACE]
    table = table.sort(*keys, *order, nulls_last=True, maintain_order=True)
    if keys:
        places = [*keys[:-1], *_PLACE, "disfavored", "favored"]
        table = table.with_columns(change=pl.col("value").diff().over(places))
    return table.lazy()


def _types(given: Mapping[str, Any]) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    return types_of(PAY, pl.Int64(), () if given["controls"] is not None else UNMEASURED)


def _notes(rule: str, *, has_hours: bool) -> pl.Expr:
    """Why there is no gap; in the first row, also that hourly pay is missing."""
    measure, pay, value = map(pl.col, ("measure", "pay", "value"))
    is_average, average = measure.is_in([*_AMOUNTS]), measure.str.strip_suffix("_gap")
    argument = pay.replace_strict(_ARGUMENTS, default=None)
    is_by_hours = (pl.col("form") == "hourly") & pl.lit(has_hours)
    nobody = pl.min_horizontal("n_disfavored", "n_favored").fill_null(0) == 0
    is_first = (
        (pl.col("point") == "a") & (measure == "mean_gap") & pl.lit(rule == "eu" and not has_hours)
    )
    return (
        pl.when(is_average & value.is_null() & ~nobody)
        .then(
            pl.format(
                "{}: the {} of {} is 0, so the gap is undefined", argument, average, "favored"
            )
        )
        .when(is_average & nobody & (pay == "received"))
        .then(pl.lit("variable: fewer than two groups receive any"))
        .when(is_average & nobody & pl.col("note").is_null())
        .then(
            pl.format(
                "{}: known for fewer than two groups",
                pl.when(is_by_hours).then(pl.lit("hours")).otherwise(argument),
            )
        )
        .when(is_average & (value == 1))
        .then(None)
        .otherwise(pl.coalesce("note", pl.when(is_first).then(pl.lit(_NO_HOURLY))))
    )


def _refuse_no_favored(table: pl.DataFrame) -> None:
    """Raise if a group is compared with everyone else: no group was named, and there are more."""
    is_gap = pl.col("measure").is_in([*_GAPS])
    without_favored = table.filter(is_gap, pl.col("favored").is_null(), pl.col("n_favored") > 0)
    if without_favored.height:
        facet, group = without_favored.select("facet", "disfavored").row(0)
        raise FairnessError(
            f"favored: {facet!r} has more than two groups, and each is compared with one; give "
            f"that group, such as favored={{{facet!r}: {group!r}}}"
        )


_ONE_BY_ONE: Final = "each row is one worker; leave it out"
NOT_OF_PAY: Final = {
    **dict.fromkeys(("weight", "count"), _ONE_BY_ONE),
    **dict.fromkeys(("predicted", "label", "score"), "the table is about pay; leave it out"),
    **dict.fromkeys(("observed", "estimated"), "the amounts are given as pay, basic and variable"),
    "disfavored": "each group is compared with the favored group; leave it out",
    "subgroup": "the categories of workers are given as category=",
}
"""Why the table of pay does not take some arguments of other functions."""


@answers(*OF_PAY, shared=OF_WORKERS, module="pay", refused=NOT_OF_PAY, columns=PAY)
def table(frame: AnyFrame, **given: Unpack[PayQuestion]) -> PolarsFrame:
    """The numbers about pay that article 9(1) of Directive (EU) 2023/970 names, one in each row.

    A gap is the mean or median of the favored group minus that of another group, divided by that
    of the favored group: above 0, the other group is paid less. Quarters are of all workers in
    order of pay; workers with equal pay on the border of two quarters count in both, in proportion.

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
    >>> gaps = table.filter(point="a").select("form", "disfavored", pl.col("value").round(3))
    >>> gaps.rows()
    [('annual', 'F', 0.207), ('hourly', 'F', 0.134)]
    """
    options = {**defaults((*OF_PAY, *OF_WORKERS)), **given}
    RULE.refuse_other_values(options["rule"])
    MINIMUM_COUNT.refuse_other_values(options[MINIMUM_COUNT.name])
    shared = {each.name for each in OF_WORKERS}
    rows = rows_of_workers(frame, given)
    columns = _columns_of(rows.collect_schema(), options)
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
    types = pl.Schema({**bound.roles.windows.types, **_types(options)})
    compute = partial(_table_of, given=options, columns=columns)
    return answered(unbound(frame), narrow, compute, types, in_plan=False)


def _columns_of(schema: pl.Schema, options: Mapping[str, Any]) -> dict[str, tuple[Column, ...]]:
    """The columns of the arguments; raise if they are unsuitable."""
    shared = {each.name for each in OF_WORKERS}
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
    amounts = [(name, each) for name in _LEAST for each in columns[name]]
    for (name, one), (other_name, other) in combinations(amounts, 2):
        if one.is_same(other):
            raise FairnessError(
                f"{other_name}: {other.name!r} is given as {name} too; name the column of "
                f"{other_name}, or leave it out"
            )
    for category in columns["category"]:
        if any(map(category.is_same, columns["facet"])):
            raise FairnessError(
                f"category: {category.name!r} is a facet; name the column of categories of workers"
            )
    return columns


def digest_of_workers(rows: pl.DataFrame, options: Mapping[str, Any]) -> str:
    """The SHA-256 of the columns of the arguments, with the rows in one order."""
    named = rows.select(
        column.expression.struct.json_encode().alias(f"{name} {i}")
        if column.dtype == pl.Struct
        else column.expression.cast(pl.Float64 if name in _LEAST else pl.String).alias(
            f"{name} {i}"
        )
        for name, columns in _columns_of(rows.schema, options).items()
        for i, column in enumerate(columns)
    )
    return sha256(named.sort(pl.all()).write_csv().encode()).hexdigest()


def rows_of_workers(frame: AnyFrame, given: Mapping[str, Any]) -> pl.LazyFrame:
    """The rows of the workers, with the columns that the arguments name."""
    amounts = (*_LEAST, "category")
    own = [GivenAs(name, given[name]) for name in amounts if given.get(name) is not None]
    shared = {name: given.get(name) for name in ("facet", "by", "controls")}
    return rows_in_polars(unbound(frame), cast("Question", {**shared, "subgroup": own}))

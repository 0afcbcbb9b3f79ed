"""Labels that no row of one decision has: values that need them are not known.

A lender knows who repaid among those it accepted. Without the others, the true positive rate is 1
on each side, and a difference of 0 says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import added_up, with_finest_counts
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import reads_all_labels
from polars_fairness.values.levels import counted, keys_of

# Labels that are counted as known or not: of each decision, the rows that have one, and the others.
_DECISIONS: Final = (("tp", "fp"), ("fn", "tn"))

_OF_SIDES: Final = "unlabelled of sides\x1f"
_OF_GROUPS: Final = "unlabelled of groups\x1f"
_OF_ALL: Final = "unlabelled of all\x1f"
_NAMED: Final = 3  # groups in a note
_LACKS: Final = "lacks_labels\x1f"


def needing_all_labels(metrics: Mapping[str, Metric], roles: Roles) -> list[str]:
    """The metrics whose value depends on how many rows of each decision have a label."""
    if not may_lack_labels(roles):
        return []
    return [name for name, metric in metrics.items() if reads_all_labels(metric)]


def may_lack_labels(roles: Roles) -> bool:
    """Whether rows without a label are left out, and the decision about them is known."""
    return roles.nulls == "drop" and {"label", "predicted"} <= {*roles.binary_roles}


def with_known_values(
    values: pl.LazyFrame, seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric]
) -> pl.LazyFrame:
    """The values, null where a decision has rows and none of them has the label that is needed.

    Metrics of all groups are null where this holds for a group. ``seen`` has the cells of all rows.
    """
    if not (names := needing_all_labels(metrics, roles)):
        return values
    known = (
        pl.when(why_unknown(metrics[name]).is_null()).then(f"metric.{name}").alias(f"metric.{name}")
        for name in names
    )
    reasons = (_OF_SIDES, _OF_GROUPS, _OF_ALL)
    return with_reasons(values, seen, roles).with_columns(known).drop(reasons)


def why_unknown(metric: Metric) -> pl.Expr:
    """Why a metric that needs all labels has no value; null if it has one."""
    if metric.has_sides:
        return pl.col(_OF_SIDES)
    return pl.col(_OF_ALL if metric.parsed.level.is_one_group else _OF_GROUPS)


def with_reasons(values: pl.LazyFrame, seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The values beside the reasons why those that need all labels are not known."""
    cells, counting = by_known_label(seen, roles)
    sides = (d.name, a.name)
    of_d, of_a = ([_percent(side, *each) for each in _DECISIONS] for side in sides)
    words = pl.format(
        "label: known for {} of the accepted and {} of the rejected of {}, {} and {} of {}; what "
        "the others would have done is not known",
        *of_d,
        written_key(pl.col(COMPARISON_KEY), counting),
        *of_a,
        favored(counting).fill_null("all others"),
    )
    keys = keys_of(COMPARISON, counting)
    in_place = [key for key in keys if key != COMPARISON_KEY]
    of_sides = counted(with_sides(cells, counting), counting, COMPARISON).select(
        *keys, pl.when(lacks_labels(sides)).then(words).alias(_OF_SIDES)
    )
    of_group = added_up(
        cells.filter(pl.col("value").is_not_null()), [*in_place, "value"], "g", counting
    )
    lacking = written_key(pl.col("value"), counting).filter(lacks_labels(["g"])).sort()
    others = lacking.len().cast(pl.Int64) - _NAMED
    of_groups = of_group.group_by(in_place).agg(
        pl.when(lacking.len() > 0)
        .then(
            pl.format(
                "label: of {}{}, no row of one decision has a label; what these would have done is "
                "not known",
                lacking.head(_NAMED).str.join(", "),
                pl.when(others > 0).then(pl.format(" and {} more", others)).otherwise(pl.lit("")),
            )
        )
        .alias(_OF_GROUPS)
    )
    of_all = added_up(cells, in_place, "g", counting).select(
        *in_place,
        pl.when(lacks_labels(["g"]))
        .then(
            pl.lit("label: no row of one decision has one; what these would have done is not known")
        )
        .alias(_OF_ALL),
    )
    for reasons, on in ((of_sides, keys), (of_groups, in_place), (of_all, in_place)):
        values = values.join(reasons, on=on, how="left", nulls_equal=True, maintain_order="left")
    return values


def with_groups_lacking(
    table: pl.LazyFrame, seen: pl.LazyFrame, roles: Roles, keys: Sequence[str]
) -> pl.LazyFrame:
    """The groups by keys, and of each whether a decision has rows without any label."""
    if not may_lack_labels(roles):
        return table
    cells, counting = by_known_label(seen, roles)
    lacking = added_up(cells, keys, "g", counting)
    lacking = lacking.select(*keys, lacks_labels(["g"]).alias(_LACKS))
    return table.join(lacking, on=keys, how="left", nulls_equal=True)


def known_rates(
    rates: Mapping[str, pl.Expr], words: Mapping[str, str], roles: Roles
) -> dict[str, pl.Expr]:
    """Rates of these groups by column, null where they need labels that a decision lacks."""
    if not may_lack_labels(roles):
        return {**rates}
    lacks = pl.col(_LACKS).fill_null(value=False)
    return {
        column: pl.when(~lacks).then(rate)
        if (word := words[column]) in RATES and RATES[word].mixes_decisions
        else rate
        for column, rate in rates.items()
    }


def by_known_label(seen: pl.LazyFrame, roles: Roles) -> tuple[pl.LazyFrame, Roles]:
    """The counts of cells whose label is True if it is known and False if it is not."""
    counting = roles.needing({"label", "predicted"})
    assert counting.label is not None
    counting = replace(counting, label=counting.label.decided(), sums_ranks=())
    known = seen.with_columns(label=pl.col("label").is_not_null())
    return with_finest_counts(complete_cells(known, counting), counting), counting


def lacks_labels(sides: Iterable[str]) -> pl.Expr:
    """Whether a side has rows of a decision and none of these has a label."""
    return pl.any_horizontal(
        (pl.col(f"{side}.{labelled}") == 0) & (pl.col(f"{side}.{others}") > 0)
        for side in sides
        for labelled, others in _DECISIONS
    )


def _percent(side: str, labelled: str, others: str) -> pl.Expr:
    known, rows = (
        pl.col(f"{side}.{labelled}"),
        pl.sum_horizontal(f"{side}.{labelled}", f"{side}.{others}"),
    )
    share = (100 * known / rows).round(0).cast(pl.Int64, strict=False)
    return pl.when(rows > 0).then(pl.format("{} %", share)).otherwise(pl.lit("none"))

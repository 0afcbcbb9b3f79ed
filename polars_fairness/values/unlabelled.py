"""Decisions without any labels: values that need them are not known.

A lender knows who repaid among those it accepted. Without the others, the true positive rate is 1
on each side, and a difference of 0 says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import added_up, with_columns_of, with_finest_counts
from polars_fairness.counting.sides import COMPARISON_KEY, favored, with_sides, written_key
from polars_fairness.formula.levels import COMPARISON
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import RATES, a, d
from polars_fairness.question.outcomes import VALUES_OF_CLASSES
from polars_fairness.question.roles import Roles
from polars_fairness.values.formula_checks import reads_all_labels
from polars_fairness.values.levels import counted, keys_of

DECISION: Final = "decision\x1f"
"""The key of cells that tells decisions apart."""

_DECISIONS: Final = ("labelled_accepted", "labelled_rejected")
_OF_SIDES: Final = "unlabelled of sides\x1f"
_OF_GROUPS: Final = "unlabelled of groups\x1f"
_OF_ALL: Final = "unlabelled of all\x1f"
_NAMED: Final = 3  # groups in a note
_LACKS: Final = "lacks_labels\x1f"
_KNOWN_OF_SIDES: Final = "known of sides\x1f"
_KNOWN_OF_ALL: Final = "known of all\x1f"
_NONE: Final = "label: one of the decisions has no labels"
ABOUT_LABELLED_ROWS: Final = "the value is about rows with a label"
"""The end of a note about a value that leaves rows without a label out."""


def needing_all_labels(metrics: Mapping[str, Metric], roles: Roles) -> list[str]:
    """The metrics whose value depends on how many rows of each decision have a label."""
    if not may_lack_labels(roles):
        return []
    return [name for name, metric in metrics.items() if reads_all_labels(metric)]


def about_labelled_rows(metrics: Mapping[str, Metric], roles: Roles) -> list[str]:
    """The metrics of scores that are about the rows with a label, whatever the others are."""
    if not may_lack_labels(roles):
        return []
    return [
        name
        for name, metric in metrics.items()
        if metric.parsed.level.is_by_score and "label" in metric.needs
    ]


def may_lack_labels(roles: Roles) -> bool:
    """Whether rows without a label are left out, and the decision about them is known."""
    return roles.nulls == "drop" and None not in (roles.label, roles.predicted)


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
    reasons = (_OF_SIDES, _OF_GROUPS, _OF_ALL, _KNOWN_OF_SIDES, _KNOWN_OF_ALL)
    return with_reasons(values, seen, roles).with_columns(known).drop(reasons)


def why_unknown(metric: Metric) -> pl.Expr:
    """Which labels are missing, and what this means for a metric; null if none are."""
    reason = pl.col(_OF_SIDES)
    if not metric.has_sides:
        reason = pl.col(_OF_ALL if metric.parsed.level.is_one_group else _OF_GROUPS)
    if metric.parsed.level.is_by_score:
        return pl.format(f"{{}}; {ABOUT_LABELLED_ROWS}", reason)
    return pl.format(f"{{}}{NOT_KNOWN}", reason)


NOT_KNOWN: Final = "; what the others would have done is not known"
"""The end of a note about a decision whose rows all lack the required label."""

ON_MISSING_LABELS: Final = "the value depends on missing labels"
"""The end of a note if the verdict depends on why labels are missing."""


def how_known(metric: Metric) -> pl.Expr:
    """How many labels of each decision are known, and that the value depends on the others."""
    shares = pl.col(_KNOWN_OF_SIDES if metric.has_sides else _KNOWN_OF_ALL)
    return pl.format(f"{{}}; {ON_MISSING_LABELS}", shares)


def with_reasons(values: pl.LazyFrame, seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """The values beside which labels are missing, of two sides, of all groups and of all rows."""
    cells, counting = by_known_label(seen, roles)
    keys = keys_of(COMPARISON, counting)
    in_place = [key for key in keys if key != COMPARISON_KEY]
    by_decision = counted(with_sides(cells, counting), counting, COMPARISON, [DECISION])
    is_binary = roles.predicted is not None and roles.predicted.is_binary
    shares = [
        _percent(side.name, is_accepted=is_yes) for side in (d, a) for is_yes in (True, False)
    ]
    named = dict(zip("wxyz", shares if is_binary else (), strict=False))
    of_d = written_key(pl.col(COMPARISON_KEY), counting)
    of_a = favored(counting).fill_null("all others")
    words = pl.format("label: one of the decisions about {} or {} has no labels", of_d, of_a)
    if is_binary:
        of_both = (
            "label: known for {} of the accepted and {} of the rejected of {}, {} and {} of {}"
        )
        words = pl.format(of_both, "w", "x", of_d, "y", "z", of_a)
    of_sides = (
        by_decision.group_by(*keys, *counting.reference_keys, maintain_order=True)
        .agg(lacks_labels(d.name, a.name).alias(_LACKS), **named)
        .select(*keys, words.alias(_KNOWN_OF_SIDES), pl.when(_LACKS).then(words).alias(_OF_SIDES))
    )
    of_group = added_up(
        cells.filter(pl.col("value").is_not_null()), [*in_place, "value", DECISION], "g", counting
    )
    lacking = written_key(pl.col("value"), counting).filter(_LACKS).sort()
    others = lacking.len().cast(pl.Int64) - _NAMED
    of_groups = (
        of_group.group_by(*in_place, "value", maintain_order=True)
        .agg(lacks_labels("g").alias(_LACKS))
        .group_by(in_place)
        .agg(
            pl.when(lacking.len() > 0)
            .then(
                pl.format(
                    "label: one of the decisions about {}{} has no labels",
                    lacking.head(_NAMED).str.join(", "),
                    pl.when(others > 0)
                    .then(pl.format(" and {} more", others))
                    .otherwise(pl.lit("")),
                )
            )
            .alias(_OF_GROUPS)
        )
    )
    shares = [_percent("g", is_accepted=is_yes) for is_yes in (True, False)]
    named = dict(zip("wx", shares if is_binary else (), strict=False))
    of_rows = "label: known for {} of the accepted and {} of the rejected"
    of_all = (
        added_up(cells, [*in_place, DECISION], "g", counting)
        .group_by(in_place)
        .agg(pl.when(lacks_labels("g")).then(pl.lit(_NONE)).alias(_OF_ALL), **named)
        .select(
            *in_place,
            (pl.format(of_rows, "w", "x") if is_binary else pl.lit(_NONE)).alias(_KNOWN_OF_ALL),
            _OF_ALL,
        )
    )
    for reasons, on in ((of_sides, keys), (of_groups, in_place), (of_all, in_place)):
        values = with_columns_of(values, reasons, on)
    return values


def with_groups_lacking(
    table: pl.LazyFrame, seen: pl.LazyFrame, roles: Roles, keys: Sequence[str]
) -> pl.LazyFrame:
    """The groups by keys, how many of each decision have a label, and whether one has none."""
    if not may_lack_labels(roles):
        return table
    cells, counting = by_known_label(seen, roles)
    by_decision = added_up(cells, [*keys, DECISION], "g", counting)
    labelled = {
        column: pl.col("g.positive").filter(pl.col(DECISION) == is_yes).sum()
        for column, is_yes in zip(labelled_counts(roles), (True, False), strict=False)
    }
    lacking = by_decision.group_by(keys).agg(lacks_labels("g").alias(_LACKS), **labelled)
    return table.join(lacking, on=keys, how="left", nulls_equal=True)


def labelled_counts(roles: Roles) -> tuple[str, ...]:
    """The columns of groups with how many of each decision have a label."""
    if not may_lack_labels(roles) or len(roles.binary_roles) < len(_DECISIONS):
        return ()
    return _DECISIONS


def note_of_group() -> pl.Expr:
    """What to know of the labels of a group that `with_groups_lacking` has."""
    return pl.when(_LACKS).then(pl.lit(f"{_NONE}; {ABOUT_LABELLED_ROWS}"))


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
    """The counts of cells by decision, whose label is True if it is known and False if not.

    A prediction whose positive values are not known has as many decisions as values.
    """
    both = roles.needing({"label", "predicted"})
    assert both.label is not None
    assert both.predicted is not None
    decision = both.predicted.positive_of(pl.col(both.predicted.key))
    if both.classes is not None and both.classes.all_at_once:
        # For all classes together, the decision is the class, and not whether it is right.
        decision = pl.coalesce(VALUES_OF_CLASSES[1], decision.cast(pl.String))
    label = pl.col(both.label.key).is_not_null().alias(both.label.key)
    known = complete_cells(seen.with_columns(label), both).with_columns(decision.alias(DECISION))
    counting = replace(both.without_sums.with_outcomes({"label"}), label=both.label.decided())
    return with_finest_counts(known, counting), counting


def lacks_labels(side: str, *sides: str) -> pl.Expr:
    """Whether a side has rows of a decision without any label, from its counts by decision."""
    lacking = (
        (pl.col(f"{each}.positive") == 0) & (pl.col(f"{each}.negative") > 0)
        for each in (side, *sides)
    )
    return pl.any_horizontal(lacking).any()


def _percent(side: str, *, is_accepted: bool) -> pl.Expr:
    """The share of the accepted of a side, or of the rejected, whose label is known."""
    is_meant = pl.col(DECISION) == is_accepted
    known, others = (
        pl.col(f"{side}.{count}").filter(is_meant).sum() for count in ("positive", "negative")
    )
    share = (100 * known / (known + others)).round(1).cast(pl.String).str.strip_suffix(".0")
    return pl.when(known + others > 0).then(pl.format("{} %", share)).otherwise(pl.lit("none"))

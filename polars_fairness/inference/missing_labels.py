"""Labels that are missing: counts completed by what is assumed of the rows without a label.

Each side has six counts: rows with a positive and with a negative label, and rows without one, of
the accepted and of the rejected. These are what is drawn; labels are completed inside each draw.
Drawing completed counts as if they had been seen gave intervals that held in 91 of 100.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import with_columns_of
from polars_fairness.counting.polars_rows import is_tally
from polars_fairness.formula.arrays import Bools, Floats
from polars_fairness.formula.levels import Level
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bootstrap import drawn_bounds
from polars_fairness.inference.draws import (
    Drawing,
    Draws,
    digests_of_sides,
    drawable,
    drawn_beside,
    stream_names,
)
from polars_fairness.question.outcomes import NUMBER_POSITIVE
from polars_fairness.question.roles import Roles
from polars_fairness.values.by_key import Rows
from polars_fairness.values.levels import index_of, keys_of
from polars_fairness.values.lines import BOUNDS, VALUE, Lines, ends
from polars_fairness.values.replicated_counts import LevelCounts, Tables, level_values
from polars_fairness.values.unlabelled import may_lack_labels

UNLABELLED: Final = " unlabelled\x1f"
"""The ending of the counts of rows without a label."""

LABELLED: Final = {"accepted": ("tp", "fp"), "rejected": ("fn", "tn")}
"""The counts of each decision with a positive and with a negative label."""

_ROW: Final = "row\x1f"
_ROUNDING: Final = 1e-9

_WIDER: Final = 2
"""An interval so many times as wide says more than where labels are missing at random."""


@dataclass(frozen=True)
class PartlyLabelled:
    """The counts of rows with a label, and those of rows without one by their decisions."""

    labelled: Tables
    others: Tables

    @classmethod
    def from_cells(cls, seen: pl.DataFrame, roles: Roles) -> PartlyLabelled | None:
        """Those of the cells of all rows; None if no row with a decision lacks its label.

        Both outcomes have to be positive or negative.
        """
        if not may_lack_labels(roles):
            return None
        both = roles.needing({"label", "predicted"}).without_sums
        assert both.predicted is not None
        if not both.predicted.is_binary and both.predicted.column.dtype.is_numeric():
            # Without a metric that needs decisions, 1 was not assumed to be positive.
            if not seen["predicted"].drop_nulls().is_in([0, 1]).all():
                return None
            both = both.with_decision(
                replace(both.predicted, positive=NUMBER_POSITIVE, assumed=True)
            )
        if len(both.binary_roles) < len(LABELLED):
            return None
        decided = both.with_outcomes({"predicted"})
        without = seen.lazy().filter(pl.col("label").is_null())
        others = collected(complete_cells(without, decided), is_cheap=True)
        if others.is_empty():
            return None
        # Either has the places, groups and strata of both: a group that has all of its labels is
        # compared with groups that lack some, and one without any label with others.
        labelled = collected(complete_cells(seen.lazy(), both))
        nothing = _emptied(others).with_columns(
            pl.lit(labelled.select(pl.first("label")).to_series()).first()
        )
        return cls(
            Tables(pl.concat([labelled, nothing]), both),
            Tables(pl.concat([others, _emptied(labelled).select(others.columns)]), decided),
        )

    @property
    def roles(self) -> Roles:
        """The question about rows with both outcomes."""
        return self.labelled.roles

    def at(self, level: Level) -> LevelCounts:
        """The counts of a level, with those of rows without a label beside them."""
        counts, others, roles = self.labelled.at(level), self.others.at(level), self.roles
        group = ["value"] if level.keeps_groups_apart else []
        on = [*keys_of(level, roles), *group, *index_of(level, roles)]
        row = with_columns_of(
            counts.keys.select(on), others.keys.select(on).with_row_index(_ROW), on
        )
        at = row[_ROW].fill_null(len(others.place)).to_numpy()
        added = {
            f"{name}{UNLABELLED}": np.append(others.columns[name], 0.0)[at]
            for name in others.columns
            if name.partition(".")[0] in level.counted_names
        }
        return replace(counts, columns={**counts.columns, **added})

    def draws(self, level: Level) -> Draws:
        """The counts of a level, and how to draw those with a label and those without one."""
        counts, roles = self.at(level), self.roles
        digests = digests_of_sides(counts, self.labelled.cells, roles) if level.has_sides else ()
        names = stream_names(level, roles, counts.places, digests)
        drawn = drawable(counts, level, roles, names)
        return drawn_beside(drawn, level, self.others.roles, UNLABELLED)


def _emptied(cells: pl.DataFrame) -> pl.DataFrame:
    return cells.with_columns(pl.col(name) * 0 for name in cells.columns if is_tally(name))


def depend_on_missing_labels(
    partly: PartlyLabelled,
    metrics: Mapping[str, Metric],
    lines: Lines,
    drawing: Drawing | None,
) -> tuple[dict[str, Bools], dict[str, Floats]]:
    """On which lines the value of a metric depends on why labels are missing, and at random.

    There, labels that are missing at random for each side and decision would give a value outside
    the interval of the rows with a label, or an interval more than twice as wide. Where they are,
    this happens in at most 1 of 100 audits.
    """
    found: dict[str, Bools] = {}
    at_random: dict[str, Floats] = {}
    by_level: dict[Level, dict[str, Metric]] = {}
    for name, metric in metrics.items():
        level = metric.parsed.level
        if not (level.divides_values or level.divided_by == "controls"):
            by_level.setdefault(level, {})[name] = metric
    for level, own in by_level.items():
        draws, roles = partly.draws(level), partly.roles

        def evaluate(
            rows: Rows, level: Level = level, own: Mapping[str, Metric] = own
        ) -> dict[str, Floats]:
            columns = dict(rows.columns)
            for side in level.counted_names:
                for decision, names in LABELLED.items():
                    yes, no = (f"{side}.{name}" for name in names)
                    known = columns[yes] + columns[no]
                    both = known + columns[f"{side}.{decision}{UNLABELLED}"]
                    # By shares: draws of a rare row may be so small that all rows over it overflow.
                    for name in (yes, no):
                        share = np.zeros_like(known)
                        np.divide(columns[name], known, out=share, where=known > 0)
                        columns[name] = both * share
            return level_values(replace(rows, columns=columns), partly.roles, level, own)

        number = lines.places(draws.counts.places, keys_of(level, roles))
        exact = evaluate(draws.counts.rows(draws.counts.all_places))
        drawn = drawn_bounds(draws, evaluate, own, drawing) if drawing is not None else {}
        for name, metric in own.items():
            known, low, high = (lines.array(column, name) for column in (VALUE, *BOUNDS))
            lower, upper = ends(known, low, high, ~np.isnan(known))
            value = np.append(exact[name][:, 0], np.nan)[number]
            at_random[name] = value
            reach = _ROUNDING * (1 + np.abs(value))
            found[name] = (value < lower - reach) | (value > upper + reach)
            # For few rows, the interval of a metric that has no limits may have any width.
            if drawing is not None and np.isfinite(metric.range).all():
                low, high = np.append(drawn[name], [[np.nan]] * 2, axis=1)[:, number]
                found[name] |= high - low > _WIDER * (upper - lower) + _ROUNDING
    return found, at_random

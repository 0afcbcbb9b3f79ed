"""When a page says that most of its windows are too small to judge alone."""

from __future__ import annotations

import pytest

from polars_fairness.reporting.words import mostly_few


@pytest.mark.parametrize(
    ("sizes", "few"),
    [([29, 30], 0), ([29, 29, 30], 2), ([29, 30, None], 2), ([30, 30, 29], 0), ([], 0)],
)
def test_most_windows_are_more_than_half_of_them(sizes: list[float | None], few: int) -> None:
    said = [
        f"Most windows are too small to judge alone: {few} of {len(sizes)} comparisons have fewer "
        "than 30 rows on a side."
    ]
    assert [*mostly_few(sizes, 30)] == (said if few else [])

"""Facets stand in the order of the question, in every answer."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared
from tests.test_bound_question import CALLS, PEOPLE

# Not in the order of the alphabet.
FACETS: Final = ["sex", "race", "era"]
ROWS: Final = PEOPLE.drop_nulls().with_columns(era=pl.col("month") > 0)
# Of one facet, or with a row of each cell, column or candidate.
WITHOUT: Final = {
    *("cells", "choose", "compare", "consistency", "fliptest", "pairs", "worst_groups"),
    *("reweigh", "reweighed", "intake"),
}
SHARES: Final = {
    "sex": {"F": 1, "M": 1, "X": 1},
    "race": {"White": 1, "Black": 1, "Asian": 1},
    "era": {True: 1, False: 1},
}
LENDING: Final[dict[str, Any]] = {
    "predicted": "p",
    "favored": {"sex": "M", "race": "White", "era": True},
    "replicates": 20,
}


def answer(name: str, rows: Any, facets: list[str]) -> pl.DataFrame:
    if name == "lending":
        found = pf.lending.table(rows, facet=facets, **LENDING)
    else:
        question, by_place, options = CALLS[name]
        options = {**options, "reference": SHARES} if name == "representation" else options
        asked = {**question, "facet": facets, **options}
        asked |= {"by": "w"} if name == "rates" else {}
        found = shared(getattr(pf, name), rows, *by_place, **asked)
    whole: pl.DataFrame = found.lazy().collect()
    return whole


@pytest.mark.extras
@pytest.mark.parametrize(
    ("is_lazy", "facets"), [(True, FACETS), (False, FACETS[::-1])], ids=["lazy", "eager"]
)
@pytest.mark.parametrize("name", [*(name for name in CALLS if name not in WITHOUT), "lending"])
def test_facets_stand_in_the_order_of_the_question(
    name: str, is_lazy: bool, facets: list[str]
) -> None:
    found = answer(name, ROWS.lazy() if is_lazy else ROWS, facets)
    for window in found.partition_by("w") if name == "rates" else [found]:
        order = window["facet"].unique(maintain_order=True).to_list()
        assert [each for each in order if each != "(all)"] == facets
        # Rows of one facet stand together, and those of all rows are the last.
        assert window["facet"].rle_id().max() == len(order) - 1
        assert "(all)" not in order[:-1]

"""The error of missing values: the share that is missing, and the groups where it differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.faults import errors_of_users
from tests.frames import shared

END = "; fill them, or leave these rows out with nulls='drop'"


def decisions(**missing: tuple[int, int]) -> pl.DataFrame:
    """Rows of each sex, "null" for unknown: how many have no prediction, and how many have one.

    The branch of a row has nothing to do with it.
    """
    rows = [
        (None if sex == "null" else sex, "north" if i % 2 else "south", None if i < none else i % 3)
        for sex, (none, known) in missing.items()
        for i in range(none + known)
    ]
    frame = pl.DataFrame(rows, schema=["sex", "branch", "p"], orient="row")
    return frame.with_columns(pl.col("p") == 1)


def complaint(frame: pl.DataFrame, **question: Any) -> str:
    with pytest.raises(pf.FairnessError) as caught:
        pf.metrics(frame, "dppl", **{"facet": "sex", "predicted": "p", **question})
    return str(caught.value)


def test_the_error_says_what_share_is_missing_and_where_it_differs() -> None:
    """Of M 14 of 300 are missing: 300 (14/300 ln 140/327 + 286/300 ln 2860/2673) = 7.5.

    That is more than ln 1,000 = 6.9, enough for one group, and less than ln 3,000 = 8.0 for three.
    """
    frame = decisions(F=(2, 398), M=(14, 286), null=(93, 207))
    assert complaint(frame) == (
        "predicted: missing values: 'p' has 109 (10.9 %): 31.0 % where 'sex' is unknown, "
        "0.5 % where 'sex' is 'F'" + END
    )


def test_what_is_missing_in_one_group_and_in_all_of_it_is_said_plainly() -> None:
    frame = decisions(F=(0, 500), M=(0, 1_000), null=(1_300, 0))
    assert complaint(frame) == (
        "predicted: missing values: 'p' has 1,300 (46.4 %), exactly where 'sex' is unknown" + END
    )
    known = decisions(F=(30, 0), M=(0, 30))
    assert "'p' has 30 (50.0 %), exactly where 'sex' is 'F';" in complaint(known)


def test_shares_that_differ_by_chance_are_not_said() -> None:
    """3 and 5 of 50, and one row that is a group by itself, prove nothing."""
    frame = decisions(F=(3, 47), M=(5, 45), X=(1, 0))
    assert complaint(frame) == "predicted: missing values: 'p' has 9 (8.9 %)" + END
    everywhere = decisions(F=(30, 0), M=(50, 0))
    assert complaint(everywhere) == "predicted: missing values: 'p' has 80 (100.0 %)" + END


def test_the_groups_of_every_facet_are_looked_at_and_the_most_different_are_said() -> None:
    frame = decisions(A=(90, 10), B=(0, 100), C=(40, 60), D=(0, 100), E=(70, 30))
    in_branch = frame.with_columns(branch=pl.col("p").is_null().cast(pl.String))
    assert "'p' has 200 (40.0 %), exactly where 'branch' is 'true';" in complaint(
        in_branch, facet=["sex", "branch"]
    )
    # Of five groups, only the three most different are named; C has the share of all rows.
    assert complaint(frame, facet=["branch", "sex"]) == (
        "predicted: missing values: 'p' has 200 (40.0 %): 90.0 % where 'sex' is 'A', "
        "0.0 % where 'sex' is 'B', 0.0 % where 'sex' is 'D'" + END
    )


CALLS: dict[str, Callable[..., Any]] = {
    "metrics": pf.metrics,
    "rates": pf.rates,
    "its cells": lambda frame, **question: pf.metrics(
        pf.cells(frame, **question), "dppl", count="n", **question
    ),
    "audit": pf.audit,
    "report": pf.report,
    "worst_groups": lambda frame, **question: pf.worst_groups(frame, "spsf", **question),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_function_says_where_values_are_missing(call: str) -> None:
    frame = decisions(F=(0, 50), M=(0, 50), null=(60, 40)).with_columns(w=pl.lit(2.0))
    question = {"facet": ["sex", "branch"], "predicted": "p", "by": "w"}
    message = re.escape("'p' has 60 (30.0 %): 60.0 % where 'sex' is unknown, 0.0 % where")
    with pytest.raises(pf.FairnessError, match=message):
        CALLS[call](frame, **question)
    # What is a plan of polars says that there are some.
    in_plan = "'p' has nulls; fill them" if call in ("metrics", "rates", "its cells") else message
    with pytest.raises(pf.FairnessError, match=in_plan), errors_of_users():
        CALLS[call](frame.lazy(), **question).lazy().collect()


def test_a_check_of_a_plan_says_how_many_values_are_missing() -> None:
    """It collects rates of the same plan beside its audit."""
    plan = decisions(F=(10, 40), M=(20, 30)).lazy().with_columns(pl.col("p").cast(pl.Int8))
    with pytest.raises(pf.FairnessError, match=r"'p' has 30 \(30\.0 %\)"):
        pf.check(plan, "di", facet="sex", predicted="p", positive=1)


def test_with_a_count_a_row_counts_that_many_times() -> None:
    frame = pl.DataFrame(
        {"sex": ["F", "F", "M", "M"], "p": [1, None, 1, None], "k": [80, 20, 300, 0]}
    )
    assert complaint(frame, count="k") == (
        "predicted: missing values: 'p' has 20 (5.0 %): 20.0 % where 'sex' is 'F', "
        "0.0 % where 'sex' is 'M'" + END
    )
    # The row that stands for no rows has no missing value.
    men = shared(pf.metrics, frame[2:], "ci", facet="sex", predicted="p", count="k", disfavored="M")
    assert men["n_disfavored"].to_list() == [300]


_WHOLE: dict[str, Any] = {"weight": "w", "count": "k"}
_OF_NUMBERS: dict[str, Any] = {"observed": "o", "estimated": "e"}


def _in_duckdb(rows: pl.DataFrame) -> Any:
    return duckdb.from_arrow(rows.to_arrow())


@pytest.mark.parametrize(
    ("column", "metric", "question"),
    [
        ("y", "tvd", {"label": "y", "predicted": "p"}),
        ("p", "rd", {"label": "y", "predicted": "p", **_WHOLE}),
        ("s", "auc_gap", {"label": "y", "score": "s"}),
        ("o", "mae_ratio", _OF_NUMBERS),
        ("e", "mae_ratio", {**_OF_NUMBERS, **_WHOLE}),
        ("w", "di", {"predicted": "p", "weight": "w"}),
        ("w", "mae_ratio", {**_OF_NUMBERS, **_WHOLE}),
        ("k", "di", {"predicted": "p", "count": "k"}),
        ("k", "auc_gap", {"label": "y", "score": "s", "resolution": 0.1, **_WHOLE}),
    ],
)
@pytest.mark.parametrize("read", [pl.DataFrame.lazy, _in_duckdb])
def test_cells_keep_what_rows_lack(
    column: str, metric: str, question: dict[str, Any], read: Any
) -> None:
    """Each question about cells has the answer, or the error, of that about the rows."""
    rows = pl.DataFrame(
        {
            "sex": ["F", "M", "M"] * 20,
            "y": [1, 0, 1, 1, 0] * 12,
            "p": [True, False, True, True] * 15,
            "s": [0.1, 0.5, 0.7, 0.2, 0.9] * 12,
            "w": [1.0, 2.0, 3.0] * 20,
            "k": [1, 0, 3, 4] * 15,
            "o": [1, 5, 3, 2, 8, 4] * 10,
            "e": [1.0, 4.0, 3.0, 3.0, 8.0, 5.0] * 10,
        }
    ).with_columns(pl.when(pl.int_range(pl.len()) % 7 > 0).then(column).alias(column))
    question = {"facet": "sex", "disfavored": "F", **question}
    cells = pf.cells(read(rows), **question).lazy().collect()
    of_cells = {**question, "count": "n"}
    with pytest.raises(pf.FairnessError) as of_rows:
        shared(pf.audit, read(rows), metric, confidence=None, **question).lazy().collect()
    # In cells, the count is called n.
    message = re.escape(str(of_rows.value).replace("'k' has", "'n' has"))
    with pytest.raises(pf.FairnessError, match=f"^{message}$"):
        shared(pf.metrics, cells, metric, **of_cells)
    with pytest.raises(pf.FairnessError, match=f"^{message}$"):
        shared(pf.audit, cells, metric, **of_cells)
    whole, dropped = (
        shared(pf.audit, frame, metric, confidence=None, nulls="drop", **columns).lazy().collect()
        for frame, columns in ((read(rows), question), (cells, of_cells))
    )
    assert whole["rows_dropped"].item() > 0
    assert_frame_equal(dropped, whole, rel_tol=1e-9)

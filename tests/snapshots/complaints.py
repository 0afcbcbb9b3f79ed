"""Wrong calls in Python and in a shell, and what they say.

A file in `kept/complaints` is the list of its calls, each with its message below it. To try another
call, write its line there, `>>> ` or `$ ` before it, and run `make snapshots`. A message is kept
for at most two calls, and in a shell if it is not in Python too: `tests/cli/test_own_words.py` says
of all messages how they read in a shell.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from math import inf, nan
from pathlib import Path
from typing import Any, Final

import polars as pl
import polars.selectors as cs
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from polars_fairness.formula.tree import term
from tests.snapshots.arguments import QUESTIONS
from tests.snapshots.kept import KEPT

ROWS: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "race": ["b", "w", "b", "w", "w"],
        "hired": [True, False, True, True, False],
        "grade": [1, 2, 3, 2, 1],
        "said": ["yes", "no", "yes", "yes", "no"],
        "score": [0.1, 0.9, 0.4, 0.8, 0.5],
        "known": [True, None, False, True, True],
        "weight": [1.0, -1.0, 2.0, 1.0, 1.0],
    }
)
PRICES: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M"] * 3,
        "branch": ["n", "s"] * 6,
        "price": [1.0, 2.5, 3.0, 4.0] * 3,
        "claim": [0.0, 3.0, 0.5, 2.0] * 3,
        "w": [0.5, 1.0, 1.5] * 4,
    }
)
LIKELY: Final = pl.DataFrame(
    {
        "p_black": [0.25, 0.5, 0.75, 1.0],
        "p_white": [0.75, 0.5, 0.25, 0.0],
        "sex": ["F", "M", "F", "M"],
        "p": [1, 0, 1, 1],
        "y": [1, 0, 0, 1],
        "s": [0.1, 0.2, 0.3, 0.4],
    }
)
LEVELS: Final = pl.Enum(["low", "middle", "high"])
GRADED: Final = pl.DataFrame(
    {
        "sex": ["F", "M"] * 6,
        "y": ["low", "middle", "high"] * 4,
        "p": ["low", "high", "high", "middle"] * 3,
        "hour": ["day", "night"] * 6,
        "w": [0.5] * 12,
    }
).with_columns(pl.col("y", "p").cast(LEVELS))
GROUPS: Final = pl.DataFrame(
    {
        "sex": ["A", "A", "B", "B", "C", "C", "D"],
        "p": [1, 0, 1, 0, 1, 0, 1],
        "n": [50, 50, 30, 10, 6, 2, 1],
        "x": [1, 2, 3, 4, 5, 6, 7],
    }
)
JUDGED: Final = pl.DataFrame(
    {
        "g": ["d", "a", "a"] * 20,
        "m": [0, 1] * 30,
        "y": [1, 0, 1, 1] * 15,
        "p": [1, 0, 1, 1, 0] * 12,
        "s": [0.125, 0.5, 0.75] * 20,
        "w": [0.5, 1.5] * 30,
        "judge": [*range(12)] * 5,
    }
)
DAILY: Final = pl.DataFrame(
    {"sex": ["F", "M"] * 2, "p": [1, 0, 1, 1], "y": [1, 1, 0, 1], "s": [0.5] * 4}
).with_columns(t=pl.date(2024, 1, 5) + pl.duration(days=pl.int_range(4)), u=pl.date(2024, 1, 1))
CROSSED: Final = pl.DataFrame(
    {
        "sex": ["Female", "Female", "Male", "Male"],
        "race": ["Black", "White", "White", "Asian"],
        "origin": pl.Series(["north", "south", "north", "south"], dtype=pl.Categorical),
        "age": [1, 2, 3, 3],
        "code": [7, 8, 7, 8],
        "born": [date(2000, 1, 1), date(2001, 1, 1)] * 2,
        "p": [0, 1, 1, 1],
    }
)
GOOD: Final[dict[str, Any]] = {
    "sex": ["F", "F", "M", None],
    "y": [1, 0, 1, 0],
    "p": [1, 1, 0, 0],
    "decision": ["yes", "no", "yes", "no"],
    "score": [0.2, 0.4, 0.6, 0.8],
    "w": [1.0, 2.0, 1.0, 0.5],
    "k": [1, 2, 3, 4],
}


def good(**others: Any) -> pl.DataFrame:
    """Rows without a fault, but for the columns that are given."""
    return pl.DataFrame({**GOOD, **others}, strict=False)


SCHEMA: Final = pl.Schema(
    {
        **dict.fromkeys(("sex", "branch", "decision", "facet"), pl.String()),
        **dict.fromkeys(("old", "y", "p"), pl.Boolean()),
        **dict.fromkeys(("score", "w"), pl.Float64()),
        "race": pl.Enum(["Black", "White"]),
        "grade": pl.Categorical(),
        "n": pl.Int64(),
        "hobbies": pl.List(pl.String),
        "waited": pl.Duration("us"),
        "thing": pl.Object(),
    }
)


def read(*_: Any) -> Any:
    """A frame that is not there to be read."""
    pytest.fail("the data was read")


UNREAD: Final = register_io_source(read, schema=SCHEMA)
NAMES: Final[dict[str, Any]] = {
    **QUESTIONS,
    **{name: getattr(pf.terms, name) for name in pf.terms.__all__},
    "term": term,
    "own": partial(pf.Metric, "own", "Own"),
    "counted": {"facet": "sex", "predicted": "p", "count": "n"},
    "daily": DAILY,
    "crossed": CROSSED,
    "date": date,
    "unread": UNREAD,
    "cs": cs,
    "Path": Path,
    "of_f": {"facet": "sex", "disfavored": "F"},
    "good": good,
    "alike": {"sex": ["F"] * 4, "y": [1] * 4, "p": [1] * 4},
    "usual": {"facet": "sex", "label": "y", "predicted": "p"},
    "nan": nan,
    "inf": inf,
    "pf": pf,
    "pl": pl,
    "rows": ROWS,
    "prices": PRICES,
    "likely": LIKELY,
    "race": pf.probabilities("race", {"Black": "p_black", "White": "p_white"}),
    "graded": GRADED,
    "groups": GROUPS,
    "judged": JUDGED,
}


def calls(subject: str, prompt: str, folder: str = "complaints") -> list[str]:
    """The calls that a kept file lists."""
    lines = (KEPT / folder / f"{subject}.txt").read_text("utf-8").splitlines()
    return [line.removeprefix(prompt) for line in lines if line.startswith(prompt)]

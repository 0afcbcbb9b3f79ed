"""Messages quote values of a column only where it has few: build logs keep what they quote."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.errors import MOST_QUOTED, quoted, reason_of

Call = Callable[[pl.DataFrame], object]

# A value of any of these columns has these digits, as text and as a number, however it is rounded.
PERSONAL = re.compile("9[.]?123")
MANY = MOST_QUOTED + 10


def people(distinct: int = MANY) -> pl.DataFrame:
    """Columns with so many distinct values, whose digits a message would show."""
    number = 912_300_000 + pl.int_range(2 * MANY) % distinct
    # Each value has a row of both sexes.
    second = (pl.int_range(2 * MANY) + pl.int_range(2 * MANY) // MANY) % 2
    return pl.select(
        sex=pl.when(second == 0).then(pl.lit("F")).otherwise(pl.lit("M")),
        y=second,
        p=pl.int_range(2 * MANY) % 3 % 2,
        number=number,
        text=pl.format("P-{}", number),
        some=pl.when(number < 912_300_002).then(None).otherwise(second),
        negative=-number,
        real=number + 0.5,
        odd=pl.when(pl.int_range(2 * MANY) == 0).then(None).otherwise(second),
        category=pl.format("P-{}", number).cast(
            pl.Enum(sorted(f"P-{912_300_000 + each}" for each in range(distinct)))
        ),
    )


def rates(**question: Any) -> Call:
    return lambda frame: pf.rates(frame, **question)


def di(**question: Any) -> Call:
    return lambda frame: pf.audit(frame, "di", **{"predicted": "p"} | question)


SEX: dict[str, Any] = {"facet": "sex", "disfavored": "F"}
MISTAKES: Mapping[str, Call] = {
    "a favored value": di(facet="text", favored="M"),
    "a disfavored value": di(facet="text", disfavored="P-9"),
    "a disfavored number": di(facet="number", disfavored=1),
    "a value of an Enum": di(facet="category", disfavored="F"),
    "a value of an intersection": di(facet=pl.struct("sex", "text"), disfavored=("F", "x")),
    "the sides of two facets": di(facet=["text", "sex"], disfavored="M"),
    "numbers as labels": rates(facet="sex", label="number"),
    "numbers as decisions": di(**SEX | {"predicted": "number"}),
    "a positive text": rates(facet="sex", label="text", positive="yes"),
    "a positive text of each": rates(
        facet="sex", label="text", predicted="text", positive={"text": "yes"}
    ),
    "negative weights": di(**SEX, weight="negative"),
    "negative counts": di(**SEX, count="negative"),
    "scores that are no probabilities": lambda frame: pf.calibration(
        frame, facet="sex", label="y", score="number"
    ),
    "rounded scores": lambda frame: pf.audit(
        frame, "brier_difference", **SEX, label="y", score="real", resolution=0.001
    ),
    "a fine resolution": lambda frame: pf.audit(
        frame, "auc_difference", **SEX, label="y", score="real", resolution=1e-9
    ),
    "missing values of one group": rates(facet="text", label="odd"),
    "missing values of some groups": rates(facet="number", label="some"),
    "a reference without groups": lambda frame: pf.representation(
        frame, facet="text", reference={"F": 0.5, "M": 0.5}
    ),
    "a baseline without groups": lambda frame: pf.audit(
        frame,
        "di",
        facet="text",
        predicted="p",
        baseline=frame.with_columns(text=pl.format("Q-{}", "number")),
    ),
    "a window that is not there": di(**SEX, by="number", baseline=1),
    "too few neighbours": lambda frame: pf.fliptest(
        frame, facet="text", predicted="p", features="y", favored=pf.LARGEST, k=3
    ),
    "cells that would merge labels": lambda frame: pf.cells(
        frame.with_columns(text="text"), facet="sex", label="text", positive=["P-912300001", "x"]
    ),
    "cells that were rounded otherwise": lambda frame: pf.audit(
        pf.cells(frame, facet="sex", label="y", score="real", resolution=1_000),
        "auc_difference",
        **SEX,
        label="y",
        score="score",
        count="n",
        resolution=1,
    ),
    "a number that is reported": lambda frame: pf.compare(
        frame, "di", facet="text", predicted="p", reported=0.8
    ),
    "a comparison that is reported": lambda frame: pf.compare(
        frame, "di", facet="text", predicted="p", reported={"Z": 0.8}
    ),
}


def message_of(call: Call, frame: pl.DataFrame) -> str:
    with pytest.raises(pf.FairnessError) as caught:
        call(frame)
    return str(caught.value)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_no_message_quotes_a_column_of_many_values(mistake: str) -> None:
    message = message_of(MISTAKES[mistake], people())
    assert not PERSONAL.search(message), message


def test_a_message_says_how_many_values_there_are() -> None:
    message = message_of(MISTAKES["a favored value"], people())
    assert f"'text', which has {MANY} distinct values (String); " in message
    assert "'P-912300000'" in message_of(MISTAKES["a favored value"], people(MOST_QUOTED))


def test_fifty_values_are_quoted_and_one_more_is_not() -> None:
    assert quoted(["a", "b"], MOST_QUOTED, pl.String()) == "'a' and 'b'"
    assert quoted(["a", "b"], MOST_QUOTED + 1, pl.String()) == "51 distinct values (String)"


def test_what_polars_could_not_convert_is_not_repeated() -> None:
    frame = people()
    for convert in (pl.col("text").cast(pl.Int64), pl.col("text").str.to_integer()):
        with pytest.raises(pl.exceptions.PolarsError) as caught:
            frame.select(convert)
        assert PERSONAL.search(str(caught.value))
        assert not PERSONAL.search(reason_of(caught.value))
    with pytest.raises(pl.exceptions.PolarsError) as caught:
        pl.read_csv(b"x\n" + b"1\n" * 9 + b"P-9123", infer_schema_length=2)
    assert reason_of(caught.value).startswith("could not parse a value as dtype `i64` at column")

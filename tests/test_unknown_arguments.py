"""Names that there are none of, and long values: errors say which one was meant, and stay short."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.functions import FUNCTIONS, METHODS
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS, UnknownArgumentError
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.audit_arguments import OF_AUDIT

HIRED = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})


# Functions, and each twentieth metric, whose methods are made alike.
@pytest.mark.parametrize("name", [*FUNCTIONS, *pf.CATALOGUE.names[::20]])
def test_two_letters_in_the_wrong_order_are_understood(name: str) -> None:
    """Of every argument of every function."""
    own = [
        each.name
        for each in signature(METHODS[name]).parameters.values()
        if each.kind is Parameter.KEYWORD_ONLY and len(each.name) > 3
    ]
    assert "facet" in own
    for argument in own:
        misspelt = argument[:-3] + argument[-2] + argument[-3] + argument[-1]
        if misspelt in own or misspelt == argument:
            continue
        given: dict[str, Any] = {misspelt: "x"}
        with pytest.raises(UnknownArgumentError, match=f"^{misspelt}: .* mean .*'{argument}'"):
            METHODS[name](HIRED, **given)


def test_an_entry_is_a_metric_of_the_catalogue() -> None:
    assert pf.entry("di") is pf.CATALOGUE["di"]
    assert pf.entry("disparate_impact").name == "disparate_impact"
    assert pf.entry("ge") == pf.entry("ge", alpha=2) != pf.entry("ge", alpha=1)
    with pytest.raises(KeyError, match="no metric 'dii'; did you mean 'di'"):
        pf.entry("dii")


@pytest.mark.parametrize("row", IN_OTHER_TOOLS, ids=lambda row: row.here)
def test_names_in_other_tools_lead_to_arguments_that_exist(row: Any) -> None:
    """The functions that take the argument say what it is called, whatever is near to the name."""
    takers = [
        name for name, function in METHODS.items() if row.here in signature(function).parameters
    ]
    assert takers
    for there in row.there:
        for name in takers:
            parameters = signature(METHODS[name]).parameters
            if there in parameters:
                continue
            given: dict[str, Any] = {there: "x"}
            with pytest.raises(UnknownArgumentError, match=f"^{there}: .* has no such") as caught:
                METHODS[name](HIRED, **given)
            by_place = parameters[row.here].kind is Parameter.VAR_POSITIONAL
            hint = "give metrics without a name" if by_place else f"it is called {row.here}= here"
            assert f"; {hint}" in str(caught.value)


def test_a_name_leads_to_one_argument_and_is_none_of_ours() -> None:
    names = [there for row in IN_OTHER_TOOLS for there in row.there]
    assert len(names) == len(set(names))
    assert not {*names} & {row.name for row in (*OF_QUESTION, *OF_AUDIT)}

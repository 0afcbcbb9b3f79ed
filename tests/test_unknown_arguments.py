"""An argument that a function does not have: the error says which one was meant."""

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
from tests.frames import fairness

HIRED = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})

CASES = [
    ("audit", "bandz", "did you mean 'bands'?"),
    ("audit", "Confidence", "did you mean 'confidence'?"),
    ("metrics", "facets", "did you mean 'facet'?"),
    ("metrics", "bandz", "did you mean 'bands', an argument of 'audit', 'bounds', 'check' "),
    ("rates", "confidance", "did you mean 'confidence', an argument of 'audit', "),
    ("metrics", "bands", "it is an argument of 'audit', 'bounds', 'check' and 3 more"),
    ("worst_groups", "depht", "did you mean 'depth'?"),
    ("worst_groups", "metrics", "did you mean 'metric'?"),
    ("fliptest", "feautres", "did you mean 'features'?"),
    ("fliptest", "standardise", "did you mean 'standardize'?"),
    ("di", "facette", "did you mean 'facet'?"),
    ("disparate_impact", "k", "it is an argument of 'fliptest', 'ft' and 'consistency'"),
    ("ge", "alhpa", "did you mean 'alpha'?"),
    ("rates", "replicates", "it is an argument of 'audit', 'bounds', 'check' and 1 more"),
    ("cells", "depth", "it is an argument of 'worst_groups', 'selection_rate_gap', "),
    ("decompose", "strata", "it is called subgroup= here"),
    # names of other tools
    ("audit", "sensitive_features", "it is called facet= here"),
    ("di", "y_pred", "it is called predicted= here"),
    (
        "metrics",
        "n_boot",
        "it is called replicates= here, an argument of 'audit', 'bounds', 'check' and 1 more",
    ),
    ("audit", "alpha", "it is called confidence= here (1 − alpha), or it is an argument of 'ge'"),
    ("audit", "groups", "it is called facet= here, or it is an argument of 'selection_rate_gap', "),
    ("tpr_gap", "group", "it is called facet= here"),
    # metrics are named by place
    ("audit", "metrics", "give metrics without a name: audit(frame, 'di', 'rd', ...)"),
    ("metrics", "metric", "give metrics without a name: metrics(frame, 'di', 'rd', ...)"),
]


@pytest.mark.parametrize(("function", "argument", "hint"), CASES)
def test_the_error_speaks_of_the_function_that_was_called(
    function: str, argument: str, hint: str
) -> None:
    given: dict[str, Any] = {argument: "x"}
    for call, frame in ((METHODS[function], [HIRED]), (getattr(fairness(HIRED), function), [])):
        with pytest.raises(pf.FairnessError) as caught:
            call(*frame, **given)
        message = str(caught.value)
        assert message.startswith(f"{argument}: no such argument of {function}; {hint}")
        assert isinstance(caught.value, TypeError)


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


def test_without_a_near_name_every_argument_is_listed() -> None:
    with pytest.raises(UnknownArgumentError) as caught:
        pf.audit(HIRED, zzz=1)  # type: ignore[call-overload]
    named = set(signature(pf.audit).parameters) - {"frame", "metrics"}
    assert all(repr(name) in str(caught.value) for name in named)
    assert "'frame'" not in str(caught.value)
    assert {"facet", "bands", "zero_division"} <= named


def test_the_own_arguments_of_a_function_come_before_those_of_every_question() -> None:
    with pytest.raises(
        UnknownArgumentError,
        match=r"; there are 'tp', 'fp', 'fn' and 'tn', and those of every question, 'facet', ",
    ):
        fairness(HIRED).utility(tp=1, fb=2)


def test_a_frame_is_not_read_before() -> None:
    """The frame is none, and the argument is refused first."""
    with pytest.raises(UnknownArgumentError, match=r"^facettes: no such argument of rates"):
        pf.rates(None, facettes="sex")  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("ge", {"alhpa": 2}, r"^alhpa: no such parameter of ge; .*'alpha'"),
        ("utility", {"fb": 2}, r"^fb: no such parameter of utility; there are 'tp', 'fp', 'fn'"),
        ("di", {"alpha": 2}, r"^alpha: no such parameter of di; it has none; .*'ge'"),
        ("ft", {"facet": "sex"}, r"^facet: .* a question; give it to frame\.fairness\.ft\("),
    ],
)
def test_an_entry_takes_its_own_parameters_only(
    name: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnknownArgumentError, match=message):
        pf.entry(name, **given)


def test_an_entry_is_a_metric_of_the_catalogue() -> None:
    assert pf.entry("di") is pf.CATALOGUE["di"]
    assert pf.entry("disparate_impact").name == "disparate_impact"
    assert pf.entry("ge") == pf.entry("ge", alpha=2) != pf.entry("ge", alpha=1)
    assert pf.entry("ft", k=3) == pf.entry("fliptest", k=3).named("ft")
    with pytest.raises(KeyError, match="no metric 'dii'; did you mean 'di'"):
        pf.entry("dii")


def test_columns_are_given_by_name() -> None:
    message = r"^di: takes nothing but the frame by place, got 'sex'; .* facet='sex'"
    with pytest.raises(UnknownArgumentError, match=message):
        fairness(HIRED).di("sex", predicted="hired")
    message = (
        r"^worst_groups: takes nothing but the frame and metric by place, got 'sex' and 'hired'"
    )
    with pytest.raises(UnknownArgumentError, match=message):
        fairness(HIRED).worst_groups("spsf", "sex", "hired")
    with pytest.raises(UnknownArgumentError, match=r"by place, got Series; give columns by name"):
        fairness(HIRED).di(HIRED["sex"])


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
            with pytest.raises(UnknownArgumentError, match=f"^{there}: no such ") as caught:
                METHODS[name](HIRED, **given)
            by_place = parameters[row.here].kind is Parameter.VAR_POSITIONAL
            hint = "give metrics without a name" if by_place else f"it is called {row.here}= here"
            assert f"; {hint}" in str(caught.value)


def test_a_name_leads_to_one_argument_and_is_none_of_ours() -> None:
    names = [there for row in IN_OTHER_TOOLS for there in row.there]
    assert len(names) == len(set(names))
    assert not {*names} & {row.name for row in (*OF_QUESTION, *OF_AUDIT)}

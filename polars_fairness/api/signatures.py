"""Signatures and docstrings of public functions, filled in from the rows of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, cleandoc, signature
from re import sub
from textwrap import fill
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast, overload

import polars as pl

from polars_fairness.api.bound import CheckedQuestion
from polars_fairness.api.clashes import clashes_shown
from polars_fairness.api.columns import Columns
from polars_fairness.api.unknown_arguments import UnknownArgumentError, refuse_unknown_arguments
from polars_fairness.api.unused_arguments import calls_of_ours, unused_argument
from polars_fairness.counting.faults import errors_of_users
from polars_fairness.counting.rows import AnyFrame, EngineFrame, PolarsFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import DEFAULTS, OF_QUESTION, Argument
from polars_fairness.question.audit_arguments import POLICY_GIVEN
from polars_fairness.question.policy import Policy

Function = TypeVar("Function", bound=Callable[..., Any])
_Named = TypeVar("_Named", bound=Argument | Parameter)
_Given = ParamSpec("_Given")


class Answering(Protocol[_Given]):
    """A function that returns a LazyFrame for a LazyFrame, else a DataFrame."""

    @overload
    def __call__(
        self, frame: pl.LazyFrame, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> pl.LazyFrame: ...
    @overload
    def __call__(
        self, frame: pl.DataFrame | EngineFrame, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> pl.DataFrame: ...


Reasons = Mapping[str, str]
"""Why a function does not take an argument that others take, by the name of the argument."""

NO_REASONS: Final[Reasons] = MappingProxyType({})

PLACE: Final = "{arguments}"
PLACE_OF_OWN: Final = "{own arguments}"
PLACE_OF_COLUMNS: Final = "    {columns}"
_PARAMETERS: Final = "Parameters\n----------\n"
_FRAME: Final = """\
frame
    A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
"""

_WIDTH: Final = 92
_DEEPER: Final = (" " * 8, " " * 8)
_NOTES: Final = "\n\nNotes\n-----\nWhat does not go together:\n"
_BY_NAME: Final = (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)
_SHARED: Final = [
    Parameter(argument.name, Parameter.KEYWORD_ONLY, default=argument.default)
    for argument in OF_QUESTION
]


def takes(
    *own: Argument,
    shared: Sequence[Argument] = OF_QUESTION,
    module: str = "",
    refused: Reasons = NO_REASONS,
    instead: str = "",
    columns: Columns = (),
) -> Callable[[Function], Function]:
    """A decorator that names the arguments of a function: those of its question, then its own.

    They replace the ``**`` argument in the signature, and ``{arguments}`` in the docstring; its own
    arguments replace ``{own arguments}``, and the columns of its answer ``{columns}``. Its frame
    is described unless the docstring does so. ``module`` is the public module of the function,
    if it is not the package itself. ``instead`` ends the error about a missing argument: what to
    call if another function was meant.
    """

    def filled_in(function: Function) -> Function:
        described = cleandoc(function.__doc__ or "")
        if "frame" in signature(function).parameters and f"{_PARAMETERS}frame" not in described:
            described = described.replace(_PARAMETERS, _PARAMETERS + _FRAME)
        for place, arguments in ((PLACE, _ordered_arguments(own, shared)), (PLACE_OF_OWN, own)):
            described = described.replace(place, described_in_docstring(arguments))
        listed = (f"    ``{each.name}``\n{_wrapped(each.sentences, *_DEEPER)}" for each in columns)
        described = described.replace(PLACE_OF_COLUMNS, "\n".join(["", *listed]))
        name = f"{module}.{function.__name__}" if module else function.__name__
        names = [*signature(function).parameters, *(each.name for each in own)]
        if clashes := clashes_shown(name, names, [*names, *(each.name for each in shared)]):
            items = (_wrapped(each, "- ", "  ") for each in clashes)
            described += "\n".join([_NOTES, *items])
        function.__doc__ = described
        parameters = [_parameter(argument) for argument in own]
        of_shared = _SHARED if shared is OF_QUESTION else [*map(_parameter, shared)]
        return spelled_out(
            function, parameters, shared=of_shared, name=name, refused=refused, instead=instead
        )

    return filled_in


def answers(
    *own: Argument, **how: Any
) -> Callable[[Callable[Concatenate[AnyFrame, _Given], PolarsFrame]], Answering[_Given]]:
    """The decorator `takes` for a function whose answer is lazy for a LazyFrame."""
    decorator: Any = takes(*own, **how)
    return cast("Callable[..., Answering[_Given]]", decorator)


def spelled_out(
    function: Function,
    own: Sequence[Parameter] = (),
    *,
    shared: Sequence[Parameter] = _SHARED,
    name: str = "",
    refused: Reasons = NO_REASONS,
    instead: str = "",
) -> Function:
    """The function, with the shared and its own arguments in place of its ``**`` argument.

    A call with any other argument, or without a required one, raises an error.
    """
    name = name or function.__name__
    written = signature(function)
    described = {parameter.name for parameter in own}
    others = [each for each in written.parameters.values() if each.name not in described]
    by_place = [each for each in others if each.kind not in _BY_NAME]
    by_name = [
        *(each for each in others if each.kind is Parameter.KEYWORD_ONLY),
        *(parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own),
    ]
    shown = written.replace(parameters=[*by_place, *_ordered_arguments(by_name, shared)])
    required = [each.name for each in by_name if each.default is Parameter.empty]
    optional = (each for each in shown.parameters.values() if each.default is not Parameter.empty)
    defaults = {each.name: each.default for each in optional}

    @wraps(function)
    def checked(*places: Any, **names: Any) -> Any:
        frame = places[0] if places else names.get("frame")
        is_bound = isinstance(frame, CheckedQuestion) and "frame" in shown.parameters
        if is_bound:
            names = _with_question(frame, name, shown.parameters, names)
        refuse_unknown_arguments(name, places, names, shown.parameters, refused)
        for argument in required:
            if names.get(argument) is None:
                raise FairnessError(f"{argument}: {name} requires it; give {argument}={instead}")
        unused = "" if is_bound else unused_argument(name, places, {**defaults, **names})
        with errors_of_users(), calls_of_ours(unused):
            return function(*places, **names)

    vars(checked)["__signature__"] = shown
    return cast("Function", checked)


def _with_question(
    bound: Any, function: str, taken: Container[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a function that has a bound question in place of a frame."""
    policy: Policy | None = bound.policy
    under = {} if policy is None else {POLICY_GIVEN.name: policy}
    stated = {**bound.given, **under}
    for name, value in options.items():
        # One function calls another with the question itself.
        if (name in DEFAULTS or name in under) and stated.get(name, bound) is not value:
            raise UnknownArgumentError(
                f"{name}: is part of the bound question, whose {function} takes its own options "
                f"only; call replace({name}=...) first"
            )
    if policy is None or POLICY_GIVEN.name in taken:
        return {**stated, **options}
    if policy.hide_below is None:
        return {**bound.given, **options}
    if "hide_below" not in taken:
        raise FairnessError(
            f"hide_below: the policy {policy} hides small groups, but {function} shows all; call "
            "rates, audit, report, cells or worst_groups instead"
        )
    hide_below = policy.hides_below(options.get("hide_below"))
    return {**bound.given, **options, "hide_below": hide_below}


def _ordered_arguments(own: Sequence[_Named], shared: Sequence[_Named]) -> list[_Named]:
    """Arguments as a reader looks for them: what is compared, then the options."""
    asks = any(each.name == "facet" for each in shared)
    return [*shared, *own] if asks else [*own, *shared]


def described_in_docstring(arguments: Iterable[Argument]) -> str:
    """Arguments as the section "Parameters" of a docstring lists them."""
    return "\n".join(f"{argument.name}\n{_wrapped(argument.described)}" for argument in arguments)


def _parameter(argument: Argument) -> Parameter:
    return Parameter(
        argument.name,
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if argument.is_required else argument.default,
        annotation=argument.annotation,
    )


def _wrapped(text: str, first: str = " " * 4, others: str = " " * 4) -> str:
    # A literal in backticks is not broken over two lines.
    whole = sub(r"``.*?``", lambda literal: literal[0].replace(" ", "\xa0"), text)
    lines = fill(
        whole, _WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )
    return lines.replace("\xa0", " ")

"""Signatures and docstrings of public functions, filled in from the rows of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, cleandoc, signature
from re import sub
from textwrap import fill
from typing import Any, Final, TypeVar, cast

from polars_fairness.api.unknown_arguments import refuse_unknown_arguments, register_arguments
from polars_fairness.question.arguments import OF_QUESTION, Argument

Function = TypeVar("Function", bound=Callable[..., Any])

PLACE: Final = "{arguments}"
PLACE_OF_OWN: Final = "{own arguments}"

_WIDTH: Final = 92
_SHARED: Final = [
    Parameter(argument.name, Parameter.KEYWORD_ONLY, default=argument.default)
    for argument in OF_QUESTION
]


def takes(*own: Argument) -> Callable[[Function], Function]:
    """A decorator that names the arguments of a function: its own ones, then the question's.

    They replace the ``**`` argument in the signature, and ``{arguments}`` in the docstring; its own
    ones alone replace ``{own arguments}``.
    """

    def filled_in(function: Function) -> Function:
        described = cleandoc(function.__doc__ or "")
        for place, arguments in ((PLACE, (*own, *OF_QUESTION)), (PLACE_OF_OWN, own)):
            described = described.replace(place, described_in_docstring(arguments))
        function.__doc__ = described
        return spelled_out(function, [_parameter(argument) for argument in own])

    return filled_in


def spelled_out(function: Function, own: Sequence[Parameter] = ()) -> Function:
    """The function, with the arguments of a question in place of its ``**`` argument.

    A call with any other argument is an error, which speaks of all arguments of this function.
    """
    written = signature(function)
    described = {parameter.name for parameter in own}
    before = [
        parameter
        for parameter in written.parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD and parameter.name not in described
    ]
    by_name = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own]
    shown = written.replace(parameters=[*before, *by_name, *_SHARED])
    register_arguments(function.__name__, shown.parameters.values())

    @wraps(function)
    def checked(*by_place: Any, **by_name: Any) -> Any:
        refuse_unknown_arguments(function.__name__, by_place, by_name, shown.parameters)
        return function(*by_place, **by_name)

    vars(checked)["__signature__"] = shown
    return cast("Function", checked)


def described_in_docstring(arguments: Iterable[Argument]) -> str:
    """Arguments as the section "Parameters" of a docstring lists them."""
    return "\n".join(
        f"{argument.name}\n{_wrapped(f'{argument.sentence} {argument.details}'.strip())}"
        for argument in arguments
    )


def _parameter(argument: Argument) -> Parameter:
    return Parameter(
        argument.name,
        Parameter.KEYWORD_ONLY,
        default=argument.default,
        annotation=argument.annotation,
    )


def _wrapped(text: str) -> str:
    indented = " " * 4
    # A literal in backticks is not broken over two lines.
    whole = sub(r"``.*?``", lambda literal: literal[0].replace(" ", "\xa0"), text)
    lines = fill(
        whole, _WIDTH, initial_indent=indented, subsequent_indent=indented, break_on_hyphens=False
    )
    return lines.replace("\xa0", " ")

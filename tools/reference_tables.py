"""The lines of the API reference that follow from the arguments and expressions."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter, signature
from typing import Final

from polars_fairness import expr
from polars_fairness.question.arguments import OF_QUESTION, Argument, Heading

SECTIONS: Final[dict[Heading, str]] = {
    "columns": "Columns",
    "sides": "Sides",
    "reading": "How the columns are read",
    "certainty": "What is computed",
}


def arguments_of_a_question() -> Iterator[str]:
    """Yield the lines that describe each argument which all functions share."""
    for heading, title in SECTIONS.items():
        yield from ("", f"## {title}", "")
        for argument in OF_QUESTION:
            if argument.option is not None and argument.option.heading == heading:
                yield from (f"### `{argument.name}`", "", _described(argument), "")


def _described(argument: Argument) -> str:
    return f"{argument.described}\n\nType `{argument.annotation}`, default `{argument.default!r}`."


def names_of_expressions() -> Iterator[str]:
    """Yield the lines of a table of all expressions, by the columns that they take by position."""
    alike: dict[str, list[str]] = {}
    for name in expr.__all__:
        parameters = signature(getattr(expr, name)).parameters.values()
        by_place = [each for each in parameters if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
        columns = ", ".join(f"`{each.name}`" for each in by_place)
        alike.setdefault(columns, []).append(f"`{name}`")
    yield "| expressions | columns by position |"
    yield "|---|---|"
    yield from (f"| {', '.join(names)} | {columns or 'none'} |" for columns, names in alike.items())

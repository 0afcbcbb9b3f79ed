"""The lines of the API reference that follow from the arguments and from the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import Parameter, signature
from typing import Final

from polars_fairness import expr
from polars_fairness.elsewhere import TOOLS, tool_of
from polars_fairness.question.arguments import OF_QUESTION, Argument, Heading

SECTIONS: Final[dict[Heading, str]] = {
    "columns": "Columns",
    "sides": "Sides",
    "reading": "How the columns are read",
    "certainty": "What is computed",
}

RATE_OF_SIDE: Final = re.compile(r"[a-z]+'?(?=_[ad]\b)|\([a-z/]+\)(?=_[ad]\b)|\b\w+(?=_disparity)")
OF_ROWS: Final = re.compile(
    r"((?:max − min of |min / max of |lowest |highest )?)(\S+)"
    r"((?: of d| of all rows(?:, or of a side)?| over the groups)?)"
)
"""A rate or count in a definition: of a side, of a group or of all rows."""


def arguments_of_a_question() -> Iterator[str]:
    """Yield the lines that describe each argument which all functions share."""
    for heading, title in SECTIONS.items():
        yield from ("", f"## {title}", "")
        for argument in OF_QUESTION:
            if argument.option is not None and argument.option.heading == heading:
                yield from (f"### `{argument.name}`", "", _described(argument), "")


def _described(argument: Argument) -> str:
    text = f"{argument.sentence} {argument.details}".strip()
    return f"{text}\n\nType `{argument.annotation}`, default `{argument.default!r}`."


def names_of_expressions() -> Iterator[str]:
    """Yield the lines of a table of all expressions, by the columns that they take by place."""
    alike: dict[str, list[str]] = {}
    for name in expr.__all__:
        parameters = signature(getattr(expr, name)).parameters.values()
        by_place = [each for each in parameters if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
        columns = ", ".join(f"`{each.name}`" for each in by_place)
        alike.setdefault(columns, []).append(f"`{name}`")
    yield "| expressions | columns by place |"
    yield "|---|---|"
    yield from (f"| {', '.join(names)} | {columns or 'none'} |" for columns, names in alike.items())


def names_of_tools() -> Iterator[str]:
    """Yield the lines of a list for each other tool, of all its names that metrics take."""
    for name in TOOLS:
        tool = tool_of(name)
        yield from ("", f"### {tool.title}", "", f"Version {tool.version}.")
        of_rows = (each for row in tool.rows for each in row.conventions)
        conventions = [*dict.fromkeys((*of_rows, *tool.conventions))]
        if conventions:
            yield ""
            yield from (f"{number}. {each}." for number, each in enumerate(conventions, 1))
        alike: dict[tuple[str, str, str], list[str]] = {}
        for row in tool.rows:
            definition, rate = _for_any_rate(row.definition)
            numbers = [str(conventions.index(each) + 1) for each in row.conventions]
            parameters = list(signature(row.formula).parameters)
            here = f"`{row.ours}`" if row.ours else ""
            said = ", ".join(filter(None, [rate, here]))
            key = (definition, ", ".join(f"`{each}`" for each in parameters), ", ".join(numbers))
            written = f"`{name}.{tool.shortest(row)}`{f' ({said})' if said else ''}"
            alike.setdefault(key, []).append(written)
        yield ""
        for (definition, *details), names in alike.items():
            given = "; ".join(filter(None, details))
            yield f"- {definition}{f' ({given})' if given else ''}: {', '.join(names)}"
        if tool.conventions:
            of_all = ", ".join(str(conventions.index(each) + 1) for each in tool.conventions)
            yield from ("", f"All have {of_all}.")
        if tool.reasons:
            yield from (
                "",
                f"Not computed: {', '.join(f'`{function}`' for function in tool.reasons)}.",
            )
    yield ""


def _for_any_rate(definition: str) -> tuple[str, str]:
    """Return a definition that is about one rate or count as one about r, and what r is."""
    if whole := OF_ROWS.fullmatch(definition):
        return f"{whole[1]}r{whole[3]}", whole[2]
    definition = re.sub(r"\bq('?)([ad])\b", r"q\1_\2", definition)
    rates, written = {*RATE_OF_SIDE.findall(definition)}, RATE_OF_SIDE.sub("r", definition)
    rate = "".join(rates)
    if len(rates) != 1 or rate in re.findall(r"[\w']+", written):
        return definition, ""
    return written, rate

"""The lines of the API reference that follow from the arguments and from the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter, signature
from typing import Final

from metric_pages import SUBJECTS, names_of

from polars_fairness import expr
from polars_fairness.catalogue import PARAMETRISED
from polars_fairness.catalogue.dialects import TOOLS, parameters_of_tool, tool_of
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import OF_QUESTION, Argument, Heading

SECTIONS: Final[dict[Heading, str]] = {
    "columns": "Columns",
    "sides": "Sides",
    "reading": "How the columns are read",
    "certainty": "What is computed",
}

OF_GROUPS: Final = signature(Metric.over).parameters
"""What every metric across groups takes; the page describes it once."""


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


def names_of_metrics() -> Iterator[str]:
    """Yield the lines of a table of all names of metrics, with their parameters."""
    yield "| family | methods |"
    yield "|---|---|"
    for metrics, title, family in SUBJECTS:
        page = f"../metrics/{family.page}.md"
        names = ", ".join(_called(metric, page) for metric in metrics)
        yield f"| [{title}]({page}) | {names} |"


def _called(metric: Metric, page: str) -> str:
    """Return the names of a metric, the first as a link, with the parameters of its own."""
    names = names_of(metric, page)
    factory = PARAMETRISED.get(metric.name)
    parameters = [] if factory is None else signature(factory).parameters
    own = [f"`{name}`" for name in parameters if name not in OF_GROUPS]
    return f"{names} ({', '.join(own)})" if own else names


def names_of_expressions() -> Iterator[str]:
    """Yield the lines of a table of all expressions, with the columns that each takes by place."""
    yield "| expression | columns by place | what it is |"
    yield "|---|---|---|"
    for name in expr.__all__:
        function = getattr(expr, name)
        sentence, _, _ = (function.__doc__ or "").partition("\n")
        columns = ", ".join(
            f"`{each.name}`"
            for each in signature(function).parameters.values()
            if each.kind is Parameter.POSITIONAL_OR_KEYWORD
        )
        described = sentence.replace("|", "\\|").removesuffix(".")
        yield f"| `{name}` | {columns} | {described} |"


def names_of_tools() -> Iterator[str]:
    """Yield the lines of a table for each other tool, of all its names that metrics take."""
    for name in TOOLS:
        tool = tool_of(f"{name}.")
        assert tool is not None
        yield from ("", f"## {tool.title}", "", f"The numbers are those of version {tool.version}.")
        of_rows = (each for row in tool.rows for each in row.conventions)
        conventions = [*dict.fromkeys((*of_rows, *tool.conventions))]
        if conventions:
            yield from ("", "Conventions, which the table names by number:", "")
            yield from (f"{number}. {each}." for number, each in enumerate(conventions, 1))
        yield from ("", "| name | what it is | parameters | nearest here | conventions |")
        yield "|---|---|---|---|---|"
        for row in tool.rows:
            parameters = ", ".join(
                f"`{each}`" for each in parameters_of_tool(f"{name}.{row.function}")
            )
            definition = row.definition.replace("|", "\\|")
            ours = f"`{row.ours}`" if row.ours else ""
            cells = (
                f"`{name}.{tool.shortest(row)}`",
                f"{row.title}: {definition}",
                parameters,
                ours,
                ", ".join(
                    str(conventions.index(each) + 1)
                    for each in (*row.conventions, *tool.conventions)
                ),
            )
            yield f"| {' | '.join(cells)} |"
        if tool.reasons:
            yield from ("", "Not computed here:", "")
        for reason in dict.fromkeys(tool.reasons.values()):
            alike = (each for each, why in tool.reasons.items() if why == reason)
            yield f"- {', '.join(f'`{name}.{function}`' for function in alike)}: {reason}."
    yield ""

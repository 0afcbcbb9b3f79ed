"""The page of the names of other tools: of each, what it computes and our nearest metric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import signature
from typing import Final

from polars_fairness.elsewhere import TOOLS, tool_of

RATE_OF_SIDE: Final = re.compile(r"[a-z]+'?(?=_[ad]\b)|\([a-z/]+\)(?=_[ad]\b)|\b\w+(?=_disparity)")
OF_ROWS: Final = re.compile(
    r"((?:max − min of |min / max of |lowest |highest )?)(\S+)"
    r"((?: of d| of all rows(?:, or of a side)?| over the groups)?)"
)
"""A rate or count in a definition: of a side, of a group or of all rows."""

INTRODUCTION: Final = """\
# All names of other tools

The tests compare every name with the tool itself, to 12 digits; names of `clarify` with the
formulas of its pages, and names of `solas` with numbers that it gave once. [Another tool's
number](names.md) shows how to use them.

Each line has a definition, in brackets the parameters and the numbers of the tool's conventions,
and the names with this definition: with the rate r, and after a comma our nearest metric. What a
tool gives as `nan` is null here.
"""


def page_of_names() -> str:
    """Return the page, which is written while the site is built."""
    return "\n".join([INTRODUCTION, *names_of_tools()]).rstrip() + "\n"


def names_of_tools() -> Iterator[str]:
    """Yield the lines of a list for each other tool, of all its names that metrics take."""
    for name in TOOLS:
        tool = tool_of(name)
        yield from (f"## {tool.title}", "", f"Version {tool.version}.")
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

"""What the reference shows of a function: its true signature, and the arguments of its own.

Most signatures are made when the package is imported, so they cannot be read off the code. While
`make docs` builds the site, mkdocstrings loads this extension of griffe.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, signature
from pkgutil import resolve_name
from typing import Any, Final

import griffe

from polars_fairness.question.arguments import DEFAULTS

QUESTION: Final = "**question"
ARGUMENTS_OF_A_QUESTION: Final = "[The arguments of a question][the-arguments-of-a-question]"

# How docstrings refer to these arguments.
AS_IN_METRICS: Final = re.compile(r"(?<=^\*\*question\n    )As in `metrics`", re.MULTILINE)

# In docstrings, a name in single backticks is another entry; two backticks are a literal.
NAME: Final = re.compile(r"(?<!`)`([A-Za-z_]\w*(?:\.\w+)*)`(?!`)")
LINKED: Final = r'<autoref identifier="polars_fairness.\1" optional><code>\1</code></autoref>'

# A literal in a line of its own, and its meaning in the lines below, as docstrings list columns.
ENTRY: Final = re.compile(r"^( *)(``.+``)\n\1    (.*(?:\n\1    .*)*)", re.MULTILINE)
DEFINED: Final = r"\1\2\n\1:   \3\n"

KINDS: Final = {
    Parameter.POSITIONAL_ONLY: griffe.ParameterKind.positional_only,
    Parameter.POSITIONAL_OR_KEYWORD: griffe.ParameterKind.positional_or_keyword,
    Parameter.VAR_POSITIONAL: griffe.ParameterKind.var_positional,
    Parameter.KEYWORD_ONLY: griffe.ParameterKind.keyword_only,
    Parameter.VAR_KEYWORD: griffe.ParameterKind.var_keyword,
}


class TrueSignatures(griffe.Extension):  # type: ignore[misc]  # not installed where types are checked
    """Gives each function the signature that calls see, and makes its docstring Markdown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Link the names in a docstring, and define the columns that it lists."""
        if obj.docstring is not None:
            of_question = AS_IN_METRICS.sub(ARGUMENTS_OF_A_QUESTION, obj.docstring.value)
            linked = NAME.sub(LINKED, of_question)
            obj.docstring.value = ENTRY.sub(DEFINED, linked)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Leave out what inspection takes for the docstring of an attribute: that of its type."""
        if "property" not in attr.labels:
            attr.docstring = None

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Show the arguments of the function's own, and those of a question as one."""
        function = resolve_name(func.path)
        if func.name == "__init__":
            func.parameters = griffe.Parameters(*_parameters(function))
            _describe_each_by_itself(func)
        elif func.docstring is not None and hasattr(function, "__signature__"):
            written = _parameters(function)
            own = [each for each in written if each.name not in DEFAULTS]
            func.parameters = griffe.Parameters(*written)
            if len(written) - len(own) > len(DEFAULTS) / 2:
                question = griffe.Parameter("question", kind=griffe.ParameterKind.var_keyword)
                # The docstring describes both, and is parsed while the function has both.
                func.parameters.add(question)
                _describe_question_once(func.docstring)
                func.parameters = griffe.Parameters(*own, question)


def _parameters(function: Callable[..., Any]) -> list[griffe.Parameter]:
    return [
        griffe.Parameter(
            each.name,
            annotation=None if each.annotation is Parameter.empty else str(each.annotation),
            kind=KINDS[each.kind],
            default=None if each.default is Parameter.empty else _default(each.default),
        )
        for each in signature(function).parameters.values()
    ]


def _default(value: object) -> str:
    """Return a default as code; the constructor of a dataclass does not show what it makes anew."""
    shown = repr(value)
    return "..." if shown == "<factory>" else shown


def _describe_each_by_itself(constructor: griffe.Function) -> None:
    """Give arguments that a class describes together their own types and defaults."""
    described = constructor.parent.docstring if constructor.parent is not None else None
    for section in described.parsed if described is not None else []:
        if isinstance(section, griffe.DocstringSectionParameters):
            for each in section.value:
                parameter = constructor.parameters[each.name]
                each.annotation, each.value = parameter.annotation, parameter.default


def _describe_question_once(docstring: griffe.Docstring) -> None:
    """Put a link in place of the descriptions of the arguments that all functions share."""
    for section in docstring.parsed:
        if isinstance(section, griffe.DocstringSectionParameters):
            section.value = [each for each in section.value if each.name not in DEFAULTS]
            if all(each.name != QUESTION for each in section.value):
                section.value.append(
                    griffe.DocstringParameter(QUESTION, description=f"{ARGUMENTS_OF_A_QUESTION}.")
                )

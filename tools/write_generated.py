"""Write what is derived: stubs, tables of documents, notebooks.

``make generated`` runs this module. A test fails if a file differs from what it would write.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Final

from metric_pages import SUBJECTS, pages
from notebooks import notebooks_of_jupyter
from reference_tables import arguments_of_a_question, names_of_expressions

from polars_fairness import expr
from polars_fairness.api.functions import ANSWERS, FUNCTIONS, PRESCRIBED, Function
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.sides import ATTRIBUTES
from polars_fairness.question.arguments import DEFAULTS, OF_QUESTION

ROOT: Final = Path(__file__).parent.parent
API: Final = ROOT / "docs" / "reference" / "api"
EXPRESSIONS: Final = ROOT / "docs" / "how-to" / "polars.md"
SIDES: Final = ROOT / "polars_fairness" / "formula" / "sides.py"
README: Final = ROOT / "README.md"
ARGUMENTS: Final = "<!-- arguments: written by make generated -->", "<!-- end of arguments -->"
METRIC_PAGES: Final = ROOT / "docs" / "reference" / "metrics"
NAMES: Final = "<!-- names: written by make generated -->", "<!-- end of names -->"
TERMS: Final = "    # terms: written by `make generated`", "    # end of terms"

# What functions return that is no frame.
PAGES: Final = ("Exploration", "Report", "HiringReport", "LendingReport", "PayReport")

HEADER: Final = (
    "# Written by `make generated` from the catalogue; for type checkers and editors.",
    "import datetime",
    "from collections.abc import Callable, Mapping, Sequence",
    "from pathlib import Path",
    "from typing import Any, Generic, Literal, TypeVar",
    "",
    "import polars as pl",
    "",
    "from polars_fairness.catalogue.data import OfValues",
    "from polars_fairness.formula.levels import GroupsOf",
    "from polars_fairness.formula.metric import Metric",
    "from polars_fairness.question.audit_arguments import Harms",
    "from polars_fairness.question.completing import Unlabelled",
    "from polars_fairness.question.columns import ColumnLike, Columns, Facets, Models",
    "from polars_fairness.question.judging import Band, PValues, Rules",
    "from polars_fairness.question.policy import FailOn, Policy, Unjudged",
    "from polars_fairness.question.scores import ThresholdLike",
    "from polars_fairness.answers.representation import Shares",
    "from polars_fairness.explorer import Exploration",
    "from polars_fairness.hiring.page import HiringReport",
    "from polars_fairness.lending.page import LendingReport",
    "from polars_fairness.pay.page import PayReport",
    "from polars_fairness.reporting.report import Report",
    "from polars_fairness.facade.bound import BoundQuestion",
)


NAMES_OF_METRICS: Final = ("    @staticmethod", "    def metric_names() -> list[str]: ...")


def stub_of_methods() -> str:
    """Return the stub of the methods of a frame and of a bound question."""
    lines = [*HEADER, "", 'Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)', ""]
    for module, functions in PRESCRIBED.items():
        lines += [f"class {module.capitalize()}Methods(Generic[Frame]):", *_methods(functions), ""]
    lines.append("class FrameMethods(Generic[Frame]):")
    lines += [*_methods(FUNCTIONS), *NAMES_OF_METRICS]
    # Each metric, under any of its names.
    lines.append("    def __getattr__(self, metric: str) -> Callable[..., Frame]: ...")
    lines += ["", "class BoundMethods(Generic[Frame]):", *NAMES_OF_METRICS]
    for name, function in ANSWERS.items():
        lines += _method(name, function, DEFAULTS)
    return "\n".join(lines) + "\n"


def stub_of_expressions() -> str:
    """Return the stub of the functions that return expressions."""
    lines = [
        "# Written by `make generated` from the catalogue; for type checkers and editors.",
        "from typing import Any",
        "",
        "import polars as pl",
        "",
        "from polars_fairness.question.columns import ColumnLike",
        "",
        "__all__: list[str]",
        "",
    ]
    for name in expr.__all__:
        function = getattr(expr, name)
        lines.append(f"def {name}({', '.join(_arguments(function))}) -> pl.Expr:")
        lines.append(f"    {_sentence(function)}")
    return "\n".join(lines) + "\n"


def _methods(functions: Mapping[str, Function]) -> Iterator[str]:
    """Yield the constructor of a class, and each of its methods."""
    yield "    _frame: Frame"
    yield "    def __init__(self, frame: Frame) -> None: ..."
    for name, function in functions.items():
        yield from _method(name, function)


def _method(name: str, function: Function, without: Container[str] = ()) -> Iterator[str]:
    """Yield the lines of a method."""
    arguments = ", ".join(["self", *_arguments(function, without)])
    yield f"    def {name}({arguments}) -> {_returned(function)}:"
    yield f"        {_sentence(function)}"


def _returned(function: Function) -> str:
    """Return what a method returns: a page, a bound question, or a frame of the same kind."""
    returned: str = function.__annotations__["return"]
    if returned in PAGES or returned == "pl.DataFrame":
        return returned
    return "BoundQuestion[Frame]" if returned.startswith("BoundQuestion") else "Frame"


def _arguments(function: Function, without: Container[str] = ()) -> list[str]:
    """Return the parameters of a method; jedi completes no fields of a dictionary's type."""
    types = {each.name: each.annotation for each in OF_QUESTION}
    parameters = signature(function).parameters.values()
    own = [
        each.replace(annotation=types[each.name]) if each.annotation is each.empty else each
        for each in parameters
        if each.name != "frame" and each.name not in without
    ]
    by_place = [each for each in own if each.kind is not Parameter.KEYWORD_ONLY]
    by_name = [each for each in own if each.kind is Parameter.KEYWORD_ONLY]
    stars: dict[object, str] = {Parameter.VAR_POSITIONAL: "*"}
    spelled = [f"{stars.get(each.kind, '')}{each.name}: {each.annotation}" for each in by_place]
    if by_name and not any(each.kind in stars for each in by_place):
        spelled.append("*")
    return spelled + [
        f"{each.name}: {each.annotation}{'' if each.default is Parameter.empty else ' = ...'}"
        for each in by_name
    ]


def _sentence(function: Function) -> str:
    """Return the first line of a docstring, as the docstring of a stub."""
    first, _, _ = cleandoc(function.__doc__ or "").partition("\n")
    return f'r"""{first}"""'


def question() -> str:
    """Return the page of the arguments of a question with these between its two marks."""
    return between(API / "question.md", ARGUMENTS, arguments_of_a_question())


def sides() -> str:
    """Return the module of sides with the attributes of a side declared, for type checkers."""
    return between(SIDES, TERMS, [f"    {attribute}: Expression" for attribute in ATTRIBUTES])


def readme() -> str:
    """Return the README with the number of metrics."""
    return re.sub(r"\b\d+ metrics\b", f"{len(CATALOGUE)} metrics", README.read_text("utf-8"))


def between(path: Path, marks: tuple[str, str], lines: Iterable[str]) -> str:
    """Return a file with these lines between its two marks."""
    begin, end = marks
    before, rest = path.read_text("utf-8").split(begin)
    _, after = rest.split(end)
    return "\n".join([f"{before}{begin}", *lines, f"{end}{after}"])


def generated() -> dict[Path, str]:
    """Return every generated file with its text."""
    assert sum(len(metrics) for metrics, *_ in SUBJECTS) == len(CATALOGUE)
    return {
        README: readme(),
        ROOT / "polars_fairness" / "facade" / "methods.pyi": stub_of_methods(),
        ROOT / "polars_fairness" / "expr.pyi": stub_of_expressions(),
        EXPRESSIONS: between(EXPRESSIONS, NAMES, names_of_expressions()),
        API / "question.md": question(),
        **{METRIC_PAGES / name: text for name, text in pages().items()},
        SIDES: sides(),
        **notebooks_of_jupyter(),
    }


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, "utf-8")

"""Write what is derived: stubs, tables of documents, JSON schemas, notebooks of Jupyter.

``make generated`` runs this module. A test fails if a file differs from what it would write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from textwrap import indent
from typing import Final

from answer_schemas import schemas
from metric_pages import SUBJECTS, pages
from notebooks import notebooks_of_jupyter
from reference_tables import arguments_of_a_question, names_of_metrics

from polars_fairness.api.functions import FUNCTIONS, PRESCRIBED, Function
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS
from polars_fairness.catalogue import CATALOGUE, PARAMETRISED
from polars_fairness.formula.sides import ATTRIBUTES
from polars_fairness.question.arguments import DEFAULTS

ROOT: Final = Path(__file__).parent.parent
API: Final = ROOT / "docs" / "reference" / "api"
SIDES: Final = ROOT / "polars_fairness" / "formula" / "sides.py"
SCHEMAS: Final = ROOT / "polars_fairness" / "schemas"
ARGUMENTS: Final = "<!-- arguments: written by make generated -->", "<!-- end of arguments -->"
METRIC_PAGES: Final = ROOT / "docs" / "reference" / "metrics"
NAMES: Final = "<!-- names: written by make generated -->", "<!-- end of names -->"
TERMS: Final = "    # terms: written by `make generated`", "    # end of terms"

PARAMETRISED_NAMES: Final = {
    name for name in CATALOGUE.names if CATALOGUE[name].name in PARAMETRISED
}

# What functions return that is no frame.
PAGES: Final = ("Exploration", "Report", "HiringReport", "LendingReport")

ENGINE_FRAME: Final = "frame: pl.LazyFrame | pl.DataFrame | EngineFrame"

HEADER: Final = """\
# Written by `make generated` from the catalogue; for type checkers and editors.
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import {imports}

import polars as pl

"""


def stub_of_package() -> str:
    """Return the stub of the package, with every function."""
    lines = [
        HEADER.format(imports="Any, Literal, Unpack, overload"),
        "from polars_fairness import datasets as datasets, hiring as hiring",
        "from polars_fairness import lending as lending, terms as terms",
        "from polars_fairness.catalogue import Catalogue",
        "from polars_fairness.errors import FairnessError as FairnessError",
        "from polars_fairness.formula.metric import Metric as Metric",
        "from polars_fairness.namespace import Fairness as Fairness",
        "from polars_fairness.question.policy import Policy as Policy",
        "from polars_fairness.question.references import HIGHEST as HIGHEST",
        "from polars_fairness.question.references import LARGEST as LARGEST",
        "from polars_fairness.question.references import OVERALL as OVERALL",
        "from polars_fairness.reporting.explore import Exploration as Exploration",
        "from polars_fairness.reporting.report import Report as Report",
        "from polars_fairness.reporting.shown.answers import chart as chart, table as table",
        "from polars_fairness.question.arguments import Question",
        "from polars_fairness.question.columns import ColumnLike",
        "from polars_fairness.question.audit_arguments import Harms",
        "from polars_fairness.question.judging import Band, Rules",
        "from polars_fairness.counting.rows import EngineFrame",
        "from polars_fairness.formula.groups import GroupsOf",
        "",
        "__version__: str",
        "__all__: list[str]",
        "CATALOGUE: Catalogue",
        "def __dir__() -> list[str]: ...",
        "",
    ]
    for name, function in FUNCTIONS.items():
        own = ""
        if name in PARAMETRISED_NAMES:
            of_metric = _spelled(signature(PARAMETRISED[CATALOGUE[name].name]).parameters.values())
            documented = f"\n{_documented(function)}"
            lines += ["@overload", f"def {name}(*, {of_metric}) -> Metric:{documented}"]
            own = " ..."
        lines += _functions(name, function, own)
    return "\n".join(lines) + "\n"


def stub_of_module(module: str) -> str:
    """Return the stub of a public module, with every function."""
    of_module = f"{module.capitalize()}Report"
    lines = [
        HEADER.format(imports="Any, Literal, Unpack, overload"),
        "from polars_fairness.counting.rows import EngineFrame",
        "from polars_fairness.question.arguments import Question",
        "from polars_fairness.question.columns import ColumnLike, Columns, Models",
        "from polars_fairness.question.scores import ThresholdLike",
        f"from polars_fairness.{module}.document import {of_module}",
        "",
        "__all__: list[str]",
        "def __dir__() -> list[str]: ...",
        "",
    ]
    for name, function in PRESCRIBED[module].items():
        lines += _functions(name, function)
    return "\n".join(lines) + "\n"


def _functions(name: str, function: Function, body: str = "") -> list[str]:
    """Return the lines of a function: for each kind of frame, unless it returns no frame."""
    arguments = _arguments(name, function)
    body = body or f"\n{_documented(function)}"
    if page := _page(function):
        return [f"def {name}({ENGINE_FRAME}, {arguments}) -> {page}:{body}"]
    return [
        "@overload",
        f"def {name}(frame: pl.LazyFrame, {arguments}) -> pl.LazyFrame: ...",
        "@overload",
        f"def {name}(frame: pl.DataFrame | EngineFrame, {arguments}) -> pl.DataFrame:{body}",
    ]


def stub_of_namespace() -> str:
    """Return the stub of the namespace, with every method."""
    lines = [
        HEADER.format(imports="Any, Generic, Literal, TypeVar, Unpack"),
        "from polars_fairness.formula.metric import Metric",
        "from polars_fairness.question.policy import Policy",
        "from polars_fairness.reporting.explore import Exploration",
        "from polars_fairness.hiring.document import HiringReport",
        "from polars_fairness.lending.document import LendingReport",
        "from polars_fairness.reporting.report import Report",
        "from polars_fairness.question.arguments import Question",
        "from polars_fairness.question.columns import ColumnLike, Columns, Models",
        "from polars_fairness.question.audit_arguments import Harms",
        "from polars_fairness.question.judging import Band, Rules",
        "from polars_fairness.formula.groups import GroupsOf",
        "",
        'Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)',
        "",
    ]
    for module, functions in PRESCRIBED.items():
        lines += [f"class {module.capitalize()}(Generic[Frame]):", *_methods(functions), ""]
    lines.append("class Fairness(Generic[Frame]):")
    for module in PRESCRIBED:
        named = f"    def {module}(self) -> {module.capitalize()}[Frame]: ..."
        lines += ["    @property", named]
    lines += _methods(FUNCTIONS)
    return "\n".join(lines) + "\n"


def _methods(functions: Mapping[str, Function]) -> Iterator[str]:
    """Yield the constructor of a class, and each of its methods."""
    yield "    def __init__(self, frame: Frame) -> None: ..."
    for name, function in functions.items():
        arguments = _arguments(name, function)
        method = f"def {name}(self, {arguments}) -> {_page(function) or 'Frame'}:"
        yield indent(f"{method}\n{_documented(function)}", "    ")


def _page(function: Function) -> str | None:
    """Return the name of the page that a function returns, if it is no frame."""
    returned: str = function.__annotations__["return"]
    return returned if returned in PAGES else None


def _arguments(name: str, function: Function) -> str:
    """Return the parameters of a function, those that all functions share as one."""
    parameters = signature(function).parameters
    takes_all = DEFAULTS.keys() <= parameters.keys()
    shared = {"frame", *(DEFAULTS if takes_all else ())}
    own = [each for each in parameters.values() if each.name not in shared]
    question = ["**question: Unpack[Question]"] if takes_all else []
    if name in PARAMETRISED_NAMES:
        return ", ".join(["*", _spelled(own), *question])
    by_place = [each for each in own if each.kind is not Parameter.KEYWORD_ONLY]
    by_name = [each for each in own if each.kind is Parameter.KEYWORD_ONLY]
    stars: dict[object, str] = {Parameter.VAR_POSITIONAL: "*"}
    spelled = [f"{stars.get(each.kind, '')}{each.name}: {each.annotation}" for each in by_place]
    if by_name and not any(each.kind in stars for each in by_place):
        spelled.append("*")
    return ", ".join([*spelled, *([_spelled(by_name)] if by_name else []), *question])


def _spelled(parameters: Iterable[Parameter]) -> str:
    return ", ".join(
        f"{each.name}: {each.annotation}{'' if each.default is Parameter.empty else ' = ...'}"
        for each in parameters
    )


def _documented(function: Function) -> str:
    text, _, _ = cleandoc(function.__doc__ or "").partition("\n\nExamples\n---")
    return indent(f'r"""{text}\n"""', "    ")


def peers() -> str:
    """Return the page on other tools with the names of their arguments between its two marks."""
    rows = ["| called there | called here |", "|---|---|"]
    for row in IN_OTHER_TOOLS:
        names = ", ".join(f"`{name}`" for name in row.there)
        note = f", {row.note}" if row.note else ""
        rows.append(f"| {names} | `{row.here}`{note} |")
    return between(ROOT / "docs" / "coming-from" / "index.md", NAMES, rows)


def question() -> str:
    """Return the page of the arguments of a question with these between its two marks."""
    return between(API / "question.md", ARGUMENTS, arguments_of_a_question())


def one_metric() -> str:
    """Return the page on the functions of metrics with all their names between its two marks."""
    return between(API / "metrics.md", NAMES, names_of_metrics())


def sides() -> str:
    """Return the module of sides with the attributes of a side declared, for type checkers."""
    return between(SIDES, TERMS, [f"    {attribute}: pl.Expr" for attribute in ATTRIBUTES])


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
        ROOT / "polars_fairness" / "__init__.pyi": stub_of_package(),
        ROOT / "polars_fairness" / "namespace.pyi": stub_of_namespace(),
        **{
            ROOT / "polars_fairness" / module / "__init__.pyi": stub_of_module(module)
            for module in PRESCRIBED
        },
        API / "question.md": question(),
        API / "metrics.md": one_metric(),
        **{METRIC_PAGES / name: text for name, text in pages().items()},
        ROOT / "docs" / "coming-from" / "index.md": peers(),
        SIDES: sides(),
        **{SCHEMAS / f"{name}.json": text for name, text in schemas()},
        **notebooks_of_jupyter(),
    }


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, "utf-8")

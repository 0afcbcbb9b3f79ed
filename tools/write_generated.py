"""Write what follows from the catalogue: the stubs, the page of metrics, the README's table.

``make generated`` runs this; a test fails while a file differs from what it would write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from textwrap import indent
from typing import Final

from polars_fairness.catalogue import (
    CATALOGUE,
    PARAMETRISED,
    data,
    groups,
    individuals,
    performance,
    population,
    selection,
)
from polars_fairness.formula.metric import Metric
from polars_fairness.namespace import FUNCTIONS
from polars_fairness.question.arguments import DEFAULTS

ROOT: Final = Path(__file__).parent.parent
BEGIN, END = "<!-- metrics: written by make generated -->", "<!-- end of metrics -->"

SUBJECTS: Final = (
    (selection, "Who is accepted: predictions only"),
    (performance, "How right the predictions are: labels and predictions"),
    (data, "Bias in the data: labels only"),
    (population, "The whole population: no sides"),
    (groups, "Across all groups: one value per facet"),
    (individuals, "Individuals: who is alike, by features"),
)

PARAMETRISED_NAMES: Final = {
    name for name in CATALOGUE.names if CATALOGUE[name].name in PARAMETRISED
}

# What does not answer with a frame.
ANSWERS: Final = {"report": "Report"}

HEADER: Final = """\
# Written by `make generated` from the catalogue; for type checkers and editors.
from collections.abc import Mapping
from typing import {imports}

import polars as pl

"""


def stub_of_package() -> str:
    """Spell out the plain functions."""
    lines = [
        HEADER.format(imports="Literal, Unpack, overload"),
        "from polars_fairness import datasets as datasets, terms as terms",
        "from polars_fairness.catalogue import Catalogue",
        "from polars_fairness.errors import FairnessError as FairnessError",
        "from polars_fairness.formula.metric import Metric as Metric",
        "from polars_fairness.namespace import Fairness as Fairness",
        "from polars_fairness.reporting.report import Report as Report",
        "from polars_fairness.question.arguments import Question",
        "from polars_fairness.counting.rows import EngineFrame",
        "from polars_fairness.formula.groups import GroupsOf",
        "from polars_fairness.answers.verdicts import Band",
        "",
        "__version__: str",
        "CATALOGUE: Catalogue",
        "",
    ]
    for name in FUNCTIONS:
        own, body = _own_parameters(name), f"\n{_documented(name)}"
        if name in PARAMETRISED_NAMES:
            of_metric = _spelled(signature(PARAMETRISED[CATALOGUE[name].name]).parameters.values())
            lines += ["@overload", f"def {name}(*, {of_metric}) -> Metric:{body}"]
            own, body = f"*, {own}, ", " ..."
        arguments = f"{own}**question: Unpack[Question]"
        if name in ANSWERS:
            frame = "frame: pl.LazyFrame | pl.DataFrame | EngineFrame"
            lines.append(f"def {name}({frame}, {arguments}) -> {ANSWERS[name]}:{body}")
            continue
        lines += [
            "@overload",
            f"def {name}(frame: pl.LazyFrame, {arguments}) -> pl.LazyFrame: ...",
            "@overload",
            f"def {name}(frame: pl.DataFrame | EngineFrame, {arguments}) -> pl.DataFrame:{body}",
        ]
    return "\n".join(lines) + "\n"


def stub_of_namespace() -> str:
    """Spell out the methods."""
    lines = [
        HEADER.format(imports="Generic, Literal, TypeVar, Unpack"),
        "from polars_fairness.formula.metric import Metric",
        "from polars_fairness.reporting.report import Report",
        "from polars_fairness.question.arguments import Question",
        "from polars_fairness.formula.groups import GroupsOf",
        "from polars_fairness.answers.verdicts import Band",
        "",
        'Frame = TypeVar("Frame", pl.LazyFrame, pl.DataFrame)',
        "",
        "class Fairness(Generic[Frame]):",
        "    def __init__(self, frame: Frame) -> None: ...",
    ]
    for name in FUNCTIONS:
        own = _own_parameters(name)
        own = f"*, {own}, " if name in PARAMETRISED_NAMES else own
        method = (
            f"def {name}(self, {own}**question: Unpack[Question]) -> {ANSWERS.get(name, 'Frame')}:"
        )
        lines.append(indent(f"{method}\n{_documented(name)}", "    "))
    return "\n".join(lines) + "\n"


def _own_parameters(name: str) -> str:
    """The parameters that a function has besides those that all share."""
    parameters = signature(FUNCTIONS[name]).parameters.values()
    own = [each for each in parameters if each.name not in ("frame", *DEFAULTS)]
    if name in PARAMETRISED_NAMES:
        return _spelled(own)
    by_place = [each for each in own if each.kind is not Parameter.KEYWORD_ONLY]
    by_name = [each for each in own if each.kind is Parameter.KEYWORD_ONLY]
    stars = {Parameter.VAR_POSITIONAL: "*"}
    spelled = [f"{stars.get(each.kind, '')}{each.name}: {each.annotation}" for each in by_place]
    if by_name and not any(each.kind in stars for each in by_place):
        spelled.append("*")
    return "".join(f"{each}, " for each in [*spelled, *([_spelled(by_name)] if by_name else [])])


def _spelled(parameters: Iterable[Parameter]) -> str:
    return ", ".join(f"{each.name}: {each.annotation} = ..." for each in parameters)


def _documented(name: str) -> str:
    text, _, _ = cleandoc(FUNCTIONS[name].__doc__ or "").partition("\n\nExamples\n---")
    return indent(f'r"""{text}\n"""', "    ")


def table(metrics: tuple[Metric, ...]) -> Iterator[str]:
    """List metrics as a Markdown table."""
    yield "| name (aliases) | formula | range | ideal | acceptable | above the ideal | source |"
    yield "|---|---|---|---|---|---|---|"
    for metric in metrics:
        aliases = "".join(f", `{alias}`" for alias in metric.aliases)
        low, high = (f"{limit:.4g}".replace("inf", "∞") for limit in metric.range)
        band = "{:g} to {:g}".format(*metric.acceptable) if metric.acceptable else ""
        formula = metric.definition.replace("|", "\\|")
        yield (
            f"| `{metric.name}`{aliases} | {formula} | [{low}, {high}] | {metric.ideal:g} "
            f"| {band} | {metric.above} | {metric.source} |"
        )


def page_of_metrics() -> str:
    """List every metric by subject, with all that its entry says."""
    lines = [
        "# The metrics",
        "",
        "`a` is the favored side, `d` the disfavored. Counts are sums of weights. "
        "[Concepts](concepts.md) has the notation and says what undefined means.",
    ]
    for subject, title in SUBJECTS:
        lines += ["", f"## {title}", "", *table(subject.METRICS)]
    return "\n".join(lines) + "\n"


def readme() -> str:
    """Put the names and formulas between the marks of the README."""
    text = (ROOT / "README.md").read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    rows = []
    for subject, title in SUBJECTS:
        names = ", ".join(f"`{metric.name}`" for metric in subject.METRICS)
        rows.append(f"| {title} | {names} |")
    listed = "\n".join(["| what | metrics |", "|---|---|", *rows])
    return f"{before}{BEGIN}\n{listed}\n{END}{after}"


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    assert sum(len(subject.METRICS) for subject, _ in SUBJECTS) == len(CATALOGUE)
    return {
        ROOT / "polars_fairness" / "__init__.pyi": stub_of_package(),
        ROOT / "polars_fairness" / "namespace.pyi": stub_of_namespace(),
        ROOT / "docs" / "metrics.md": page_of_metrics(),
        ROOT / "README.md": readme(),
    }


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, "utf-8")

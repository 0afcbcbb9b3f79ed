"""The commands, each with its help and its options, and their parser.

The module that runs a command is imported only then, so that help takes half a second less.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from textwrap import dedent
from types import MappingProxyType
from typing import Any, Final, NoReturn, Protocol

import polars as pl

import polars_fairness as pf
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.options import (
    BEYOND,
    DIFFERING,
    EXIT_CODES,
    FORMATS,
    MONITORED,
    OF_AUDIT_ANSWER,
    OF_REPORT,
    OF_ROWS,
    PAGE,
    PROBABILITIES,
    REFERENCE,
    UTILITY,
    WrongOptionsError,
    add_arguments,
    format_of,
    option_of,
    output,
    table_arguments,
)
from polars_fairness.cli.printed import say
from polars_fairness.counting.dialects import DIALECTS
from polars_fairness.elsewhere.arguments import REPORTED
from polars_fairness.errors import nearest
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PEOPLE, OF_PUBLICATION
from polars_fairness.lending.arguments import (
    OF_LENDING_QUESTION,
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
)
from polars_fairness.pay.arguments import OF_PAY, OF_WORKERS
from polars_fairness.question.arguments import (
    CHOICE,
    FLAG,
    HOW_MANY,
    METRIC,
    METRICS,
    NULLS,
    OF_QUESTION,
    Argument,
    Kind,
    Option,
)
from polars_fairness.question.audit_arguments import (
    ACCEPTABLE,
    CHAMPION,
    HIDE_BELOW,
    NAMES_OF_TOOL,
    OF_AUDIT,
    OF_BOUNDS,
    OF_CHOOSE,
    OF_INTAKE,
    OF_INTERVALS,
    OF_PAGE,
    OF_PLAN,
    OF_WORST_GROUPS,
)


class Commands(Protocol):
    """The part of a parser that commands are added to."""

    def add_parser(self, name: str, **settings: Any) -> ArgumentParser: ...


_PATHS: Final = {
    "paths": (
        "PATH [PATH ...]",
        "files, folders or patterns, of one format: Parquet, CSV, TSV, NDJSON or Arrow IPC; - for "
        "standard input",
    )
}
_ALL: Final = (*OF_ROWS, *OF_QUESTION, PROBABILITIES, REFERENCE)
_TO_FILE: Final = output(", in place of stdout")
_TO_CSV: Final = output("; default CSV on stdout")


@dataclass(frozen=True)
class Command:
    """The help of a command, its options, and the module whose `run` runs it.

    ``places`` are its positional arguments. ``own`` are the arguments of its function besides
    ``shared``, those of a question, except ``without``: arguments and whole headings. The options
    of ``answer`` say where the answer goes.
    """

    summary: str
    description: str
    examples: str = ""
    module: str = "one_table"
    own: Sequence[Argument] = ()
    shared: Sequence[Argument] = _ALL
    without: Collection[str] = ("subgroup",)
    answer: Sequence[Argument] = (format_of(*FORMATS), *_TO_FILE)
    places: Mapping[str, tuple[str, str]] = field(default_factory=lambda: _PATHS)

    @property
    def arguments(self) -> list[Argument]:
        """Its arguments, with those of its answer."""
        return [
            each
            for each in (*self.own, *self.shared, *self.answer)
            if each.option and not {each.name, each.option.heading} & {*self.without}
        ]

    def add(self, commands: Commands, name: str) -> None:
        """Add the command to a parser."""
        usage = " ".join([words for words, _ in self.places.values()])
        command = commands.add_parser(
            name,
            aliases=[name.replace("-", "_")] if "-" in name else [],
            help=self.summary,
            description=self.description,
            epilog=f"{dedent(self.examples)}{EXIT_CODES}" if self.examples else None,
            usage=f"%(prog)s {usage} [OPTIONS]",
        )
        for place, (words, meaning) in self.places.items():
            word, _, more = words.partition(" ")
            nargs: Any = "*" if word.startswith("[") else "+" if more else None
            command.add_argument(place, metavar=word.strip("["), nargs=nargs, help=meaning)
        add_arguments(command, self.arguments)
        command.set_defaults(command=name, run=partial(_run, self.module))


def _run(module: str, typed: Namespace) -> int:
    return int(import_module(f"{__name__}.{module}").run(typed))


def _metric(meaning: str, *, is_required: bool = True) -> Argument:
    """The one metric of a command, where it takes one."""
    option = Option("certainty")
    return Argument(METRIC, meaning, name="metric", is_required=is_required, option=option)


TOP: Final = Argument(
    HOW_MANY,
    "the number of groups of each window in a table",
    default=20,
    option=Option("certainty"),
    name="top",
)

_AS_CLARIFY: Final = Argument(
    FLAG,
    "compute the metrics by the arithmetic of Clarify's package",
    default=False,
    option=Option("certainty", note="compute the metrics by the arithmetic of Clarify's package"),
    name="as_clarify",
)

_OF_CHOOSE: Final = (
    replace(
        METRICS,
        meaning="the metrics that are to lie in their bands",
        option=Option("certainty", name="metric", note="several with commas; default none"),
    ),
    *OF_CHOOSE,
    replace(UTILITY, meaning=f"maximise {UTILITY.meaning}"),
)

_OF_EXPLORE: Final = (
    replace(
        METRICS,
        option=Option(
            "certainty",
            name="metric",
            note="several with commas; default di, dppl, rd and average_odds_difference",
        ),
    ),
    ACCEPTABLE,
    replace(UTILITY, meaning=f"show {UTILITY.meaning}"),
)

_OF_SQL: Final = tuple(
    Argument(kind, meaning, name=name, is_required=True, option=Option("rows"), choices=choices)
    for name, kind, meaning, choices in (
        (
            "schema",
            Kind("a file", "FILE"),
            'the types of the columns: a JSON file, such as {"sex": "String"}, or a file of rows',
            (),
        ),
        ("table", Kind("a table", "TABLE"), "the table, as it is written after FROM", ()),
        ("dialect", CHOICE, "the dialect of SQL", tuple(DIALECTS)),
    )
)

COMMANDS: Final[Mapping[str, Command]] = {
    "audit": Command(
        "compute metrics with intervals and verdicts",
        "Compare groups by metrics with intervals and verdicts.",
        """\
        examples:
          polars-fairness audit loans.parquet --facet sex --disfavored F \\
              --label repaid --predicted approved --metric di,rd

          polars-fairness audit loans/ --where 'year = 2025' --facet sex --facet race \\
              --favored sex=M --favored race=White --predicted score --threshold 0.5 \\
              --by month --html report.html --fail-on outside

          polars-fairness audit loans.parquet --facet sex --label repaid --score score \\
              --threshold 0.4,0.5,0.6 --metric di,auc_difference
        """,
        module="audit",
        own=(METRICS, *OF_AUDIT, *OF_REPORT, *OF_PAGE),
        without=(),
        answer=OF_AUDIT_ANSWER,
    ),
    "bounds": Command(
        "compute how far rows of unknown group could move a metric",
        "Compute the smallest and the largest value that metrics can have, whatever group the "
        "rows of unknown group belong to.",
        """\
        example:
          polars-fairness bounds loans.parquet --metric di --facet race \\
              --disfavored Black --favored White --predicted approved
        """,
        own=(METRICS, *OF_BOUNDS),
        without=("subgroup", "cluster"),
    ),
    "plan": Command(
        "compute what difference the rows can detect, and how many would settle a verdict",
        "Compute, for every comparison and metric with an interval, the smallest difference that "
        "as many rows can detect, and how many rows would settle its verdict.",
        """\
        example:
          polars-fairness plan loans.parquet --metric di --facet race --favored White \\
              --predicted approved
        """,
        own=(METRICS, *OF_PLAN),
        without=(),
    ),
    "rates": Command(
        "compute the counts and rates of every group",
        "Compute the counts and rates of every group, and of all rows. A table shows the rates "
        "that fit the terminal; the other formats have all rates and the counts.",
        """\
        examples:
          polars-fairness rates loans.parquet --facet sex --label repaid --predicted approved
          polars-fairness rates loans.parquet --facet sex --label repaid --score score
          polars-fairness rates loans/ --facet race --predicted score --threshold 0.5 --by month \\
              --format csv
        """,
        own=(HIDE_BELOW, NAMES_OF_TOOL),
        without=("sides", "subgroup"),
        answer=(format_of(*MONITORED), *_TO_FILE),
    ),
    "worst-groups": Command(
        "rank the groups of several facets, the worst first",
        "Rank every group that the facets define, alone and combined, the worst first.",
        """\
        examples:
          polars-fairness worst-groups loans.parquet --metric spsf --facet sex --facet race \\
              --predicted approved
          polars-fairness worst-groups stops.csv --metric selection_rate_gap --facet sex \\
              --facet race --predicted searched --unfavorable --depth 2 --minimum-count 100
        """,
        own=(
            _metric(
                "the metric that ranks groups: fpsf, fnsf, spsf, miscalibration, a gap or a ratio"
            ),
            *OF_WORST_GROUPS,
            TOP,
        ),
        without=("sides", "subgroup", "controls"),
    ),
    "decompose": Command(
        "compute what each stratum contributes to a conditional metric",
        "Compute the contribution of every stratum to a conditional metric. The "
        "strata are the values of --subgroup.",
        """\
        example:
          polars-fairness decompose applicants.parquet --metric cddpl --facet sex \\
              --disfavored Female --predicted admitted --subgroup department
        """,
        own=(_metric("the conditional metric: cddpl, cddl, or another average over strata"),),
        without=(),
    ),
    "drivers": Command(
        "say how much of a difference each control accounts for",
        "Compute how much of a difference each control accounts for, averaged over all orders.",
        """\
        example:
          polars-fairness drivers loans.parquet --facet race --disfavored Black --favored White \\
              --predicted approved --control income=10000 --control debt=5000
        """,
        own=(
            _metric("the difference; default adjusted_difference", is_required=False),
            OF_INTERVALS[0],
        ),
        without=("subgroup",),
    ),
    "switches": Command(
        "count the rows that a model decides differently from the champion",
        "Count the rows of every group that a model newly accepts or newly rejects, compared with "
        "the champion.",
        """\
        example:
          polars-fairness switches loans.parquet --facet sex --predicted champion=approved \\
              --predicted challenger=score --threshold challenger=0.5 --champion champion
        """,
        own=(replace(CHAMPION, is_required=True, option=Option("columns")),),
        without=("sides", "certainty", "subgroup"),
        answer=(format_of(*MONITORED), *_TO_FILE),
    ),
    "pairs": Command(
        "count the cases that are decided differently for another group",
        "Count the cases, which --cluster names, that are accepted more often for one side than "
        "for the other.",
        """\
        example:
          polars-fairness pairs prompts.parquet --facet group --favored White \\
              --predicted first --positive grant --cluster case
        """,
        without=("subgroup",),
    ),
    "confusions": Command(
        "print a confusion matrix of each group, of any number of classes",
        "Count the rows of each group by their observed and their predicted class.",
        """\
        examples:
          polars-fairness confusions visits.parquet --facet sex --label needed --predicted given
          polars-fairness confusions visits.parquet --facet sex --label needed --predicted given \\
              --by hospital --output matrices.parquet
        """,
        without=("sides", "certainty"),
        answer=_TO_CSV,
    ),
    "compare": Command(
        "check whether rows give a reported number, and if not, which conventions do",
        "Compute a metric, of this package or of another tool, and compare it with the reported "
        "number. If they differ, the conventions in which tools differ are tried.",
        """\
        example:
          polars-fairness compare loans.parquet --metric aif360.average_odds_difference \\
              --reported 0.2029 --facet sex --disfavored F --label repaid --predicted approved

          polars-fairness compare loans.parquet --reported figures.csv --facet sex --disfavored F \\
              --label repaid --predicted approved --fail-on different
        """,
        own=(
            _metric(
                "the reported metric, such as aif360.average_odds_difference; default those in the "
                "file of --reported",
                is_required=False,
            ),
            REPORTED,
        ),
        without=("by", "every", "period", "classes", "cluster", "estimator"),
        answer=(format_of(*FORMATS), *_TO_FILE, DIFFERING),
    ),
    "intake": Command(
        "examine data before a model is trained or judged on them",
        "Examine each column by itself: whether it is missing more often in one group, reveals the "
        "group or the label, or has changed since a baseline; and where base rates differ, and "
        "which groups have too few rows.",
        """\
        examples:
          polars-fairness intake loans.parquet --facet sex --facet race --label repaid
          polars-fairness intake loans/2026.parquet --facet sex --label repaid \\
              --baseline loans/2025.parquet --cluster customer --fail-on outside
        """,
        own=OF_INTAKE,
        without=(
            *("sides", "predicted", "score", "observed", "estimated", "subgroup", "controls"),
            *("resolution", "classes", "threshold", "favorable", "estimator", "zero_division"),
        ),
        answer=(format_of(*FORMATS), *_TO_FILE, BEYOND),
    ),
    "cells": Command(
        "count rows into cells, for a later audit with --count n",
        "Count the rows of every combination of values of the columns.",
        """\
        examples:
          polars-fairness cells loans/ --facet sex --facet race --label repaid \\
              --predicted approved --by month --output cells.parquet
          polars-fairness audit cells.parquet --facet sex --label repaid \\
              --predicted approved --count n

          polars-fairness cells loans/ --facet sex --label repaid --score score \\
              --resolution 0.001 --output scores.parquet
          polars-fairness choose scores.parquet --facet sex --label repaid --score score \\
              --resolution 0.001 --count n --metric di
        """,
        own=(HIDE_BELOW,),
        without=("sides",),
        answer=_TO_CSV,
    ),
    "sql": Command(
        "write the query that counts a table into cells, for a later audit with --count n",
        "Write the query whose answer is the cells of a table, for a database to run.",
        """\
        example:
          polars-fairness sql --schema loans.json --table loans --dialect snowflake \\
              --facet sex --label repaid --predicted approved > cells.sql
          polars-fairness audit cells.parquet --facet sex --label repaid \\
              --predicted approved --count n
        """,
        module="without_rows",
        own=_OF_SQL,
        shared=(*OF_QUESTION, PROBABILITIES),
        without=("sides",),
        answer=(),
        places={},
    ),
    "choose": Command(
        "compare models, or thresholds of a score, and choose one",
        "Show what each model, or each threshold of a score, achieves, and choose the best of "
        "those whose metrics are within their bands. Without --threshold, about 20 round "
        "thresholds of a score are tried.",
        """\
        examples:
          polars-fairness choose loans.parquet --score score --label repaid --facet sex --metric di
          polars-fairness choose loans.parquet --score score --label repaid --facet sex \\
              --metric di,rd --band rd=-0.05:0.05 --utility tp=1,fp=-5 \\
              --threshold every --resolution 0.01 --output choices.csv
          polars-fairness choose loans.parquet --predicted champion=approved \\
              --predicted challenger=score --threshold challenger=0.5 --label repaid --facet sex \\
              --metric di
        """,
        own=_OF_CHOOSE,
        without=(),
    ),
    "explore": Command(
        "write a page on which a person moves the threshold of a score",
        "Write a page on which a person moves the threshold of a score, and sees the rates of "
        "groups, metrics with their bands and the accuracy. Without --threshold, it has about 100 "
        "round thresholds.",
        """\
        examples:
          polars-fairness explore loans.parquet --score score --label repaid --facet sex \\
              --output explore.html
          polars-fairness explore loans.parquet --score score --label repaid --facet sex \\
              --disfavored F --metric di,rd --utility tp=1,fp=-5 --output explore.html
        """,
        own=_OF_EXPLORE,
        without=(),
        answer=PAGE,
    ),
    "hiring": Command(
        "compute the impact ratios of a hiring tool, and the four-fifths rule",
        "Compute the selection or scoring rate and the impact ratio of each category, as New York "
        "City's Local Law 144 requires, by sex, by race and ethnicity, and by both; with "
        "--selected, also compare groups by the four-fifths rule with significance.",
        """\
        examples:
          polars-fairness hiring applicants.parquet --sex sex --race race --selected hired
          polars-fairness hiring applicants.parquet --sex sex --race race --score score \\
              --exclude-below 0.02 --justification 'too few to tell' --format csv
        """,
        module="prescribed",
        own=(*OF_IMPACT_RATIOS, *OF_PUBLICATION, *OF_PAGE),
        shared=(*OF_ROWS, *OF_PEOPLE),
        without=(),
        answer=table_arguments(
            ("impact_ratios", "adverse_impact"),
            "below four fifths of the highest rate, and significantly so; needs --selected",
        ),
    ),
    "lending": Command(
        "compare groups with a reference by the numbers that are customary in fair lending",
        "Compare groups with a reference by the adverse impact ratio, percentage points, the odds "
        "ratio and the standardized mean difference of scores; with --shares, also at several "
        "shares of accepted rows; with --subgroup, also within segments.",
        """\
        examples:
          polars-fairness lending loans.parquet --facet race --favored White --predicted approved \\
              --score score
          polars-fairness lending loans.parquet --facet race --reference highest --score score \\
              --threshold 0.5 --shares 0.1,0.2,0.5 --subgroup branch --fail-on flagged
        """,
        module="prescribed",
        own=(*dict.fromkeys((*OF_LENDING_TABLE, *OF_QUANTILES, *OF_SEGMENTS, *OF_PAGE)),),
        shared=(*OF_ROWS, *OF_LENDING_QUESTION, PROBABILITIES, REFERENCE),
        without=("label", "label_threshold"),
        answer=table_arguments(
            ("table", "quantiles", "segments"),
            "beyond --minimum-ratio, --maximum-points and --significance",
        ),
    ),
    "pay": Command(
        "compute the gaps in pay that employers must report",
        "Compute the numbers that article 9(1) of Directive (EU) 2023/970, or the United Kingdom, "
        "requires: gaps in mean and median pay and variable pay, the shares of groups in each "
        "quarter of pay, and the gaps in each category.",
        """\
        examples:
          polars-fairness pay salaries.parquet --facet sex --favored M --pay total_pay \\
              --basic basic_pay --variable bonus --category grade --hours hours --html pay.html
          polars-fairness pay salaries.parquet --facet sex --favored M --pay hourly_pay \\
              --variable bonus --rule uk --format csv
        """,
        module="prescribed",
        own=(*OF_PAY, *OF_PAGE),
        shared=(*OF_ROWS, *OF_WORKERS),
        without=(),
        answer=table_arguments(("table",)),
    ),
    "clarify": Command(
        "answer the bias part of a SageMaker Clarify configuration",
        "Compute the metrics that a configuration of SageMaker Clarify names, and write them as "
        "Clarify does. Nothing is sent anywhere: predictions are a column of the data.",
        """\
        examples:
          polars-fairness clarify analysis_config.json loans.csv --output analysis.json
          polars-fairness clarify analysis_config.json loans/ --as-clarify
        """,
        module="clarify",
        own=(NULLS, _AS_CLARIFY),
        shared=(),
        answer=output("; default JSON on stdout"),
        places={
            "configuration": ("CONFIGURATION", "analysis_config.json"),
            "paths": ("PATH [PATH ...]", "files, folders or patterns, in place of dataset_uri"),
        },
    ),
    "metrics": Command(
        "list the metrics of the catalogue",
        "List all metrics of the catalogue, or the given ones.",
        """\
        examples:
          polars-fairness metrics
          polars-fairness metrics di cddpl --format json
        """,
        module="without_rows",
        shared=(),
        answer=(format_of(*FORMATS),),
        places={"names": ("[NAME ...]", "a metric or its alias; default all metrics")},
    ),
    "demo": Command(
        "print the example of the Berkeley applicants",
        "Print the example of the Berkeley applicants.",
        module="without_rows",
        shared=(),
        answer=(),
        places={},
    ),
}

ARGUMENTS: Final = [each for command in COMMANDS.values() for each in command.arguments]

OPTIONS: Final = {
    name: option_of(each)
    for each in ARGUMENTS
    if each.option
    for name in (each.name, each.option.name)
    if name
}
"""The option of each argument, by the name of either."""


_PROGRAM: Final = dedent("""\
    examples:
      polars-fairness audit loans.parquet --facet sex --disfavored F --predicted approved
      polars-fairness metrics di dppl
      polars-fairness COMMAND --help
    """)


class _Parser(ArgumentParser):
    """A parser that raises mistakes as one line, and returns only the options that were typed."""

    commands: Mapping[str, ArgumentParser] = MappingProxyType({})

    def __init__(self, **settings: object) -> None:
        super().__init__(
            **settings,  # type: ignore[arg-type]
            argument_default=SUPPRESS,
            allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        typed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            # The command's own parser knows the options that may be meant.
            known = self.commands.get(vars(typed).get("command", ""), self)
            known.error(f"unrecognized arguments: {' '.join(unknown)}")
        return typed

    def _print_message(self, message: str, file: Any = None) -> None:
        say(message)

    def error(self, message: str) -> NoReturn:
        if message.endswith("required: COMMAND"):
            self.print_help()
        hint = _hint(message, [*self._option_string_actions])
        # Python begins some with "argument --band:", and all others here begin with the option.
        message = message.removeprefix("argument ")
        raise WrongOptionsError(f"{message}{hint}; see {self.prog} --help")


def _hint(message: str, options: Sequence[str]) -> str:
    """What to type in place of the first unknown word, if that can be known."""
    _, _, unknown = message.partition("unrecognized arguments: ")
    word, *_ = unknown.split() or [""]
    if word in CATALOGUE:
        return f"; write several metrics with commas between them, as in --metric di,{word}"
    if word and not word.startswith("-"):
        return f"; write the option before each value, as in --facet sex --facet {word}"
    argument = word.removeprefix("--").partition("=")[0].replace("-", "_")
    here = (
        each.here for each in IN_OTHER_TOOLS if word.startswith("--") and argument in each.there
    )
    ours = next(here, None)
    if ours:
        return f"; it is called {OPTIONS[ours]} here"
    near = nearest(word.partition("=")[0], options) if word.startswith("--") else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


def parser() -> ArgumentParser:
    """The parser of all commands."""
    program = _Parser(
        prog="polars-fairness",
        description="Compute fairness metrics from files of rows, or of cells counted from rows.",
        epilog=_PROGRAM + EXIT_CODES,
    )
    version = f"polars-fairness {pf.__version__} (polars {pl.__version__})"
    program.add_argument("--version", action="version", version=version, help="show both versions")
    commands = program.add_subparsers(metavar="COMMAND", dest="command", required=True)
    program.commands = commands.choices

    for name, command in COMMANDS.items():
        command.add(commands, name)
    return program

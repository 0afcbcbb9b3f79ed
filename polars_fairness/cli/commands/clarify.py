"""The command `clarify`: SageMaker Clarify's configuration in, and its `analysis.json` out."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from polars_fairness.clarify.analysis import analysis_of, no_numbers
from polars_fairness.clarify.configuration import Configuration
from polars_fairness.clarify.dataset import dataset_of
from polars_fairness.cli.files import files_of
from polars_fairness.cli.options import EXIT_CODES, Commands, add_overwrite
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import complain, say
from polars_fairness.cli.waiting import time_shown
from polars_fairness.cli.words import OPTIONS
from polars_fairness.errors import FairnessError, in_shell
from polars_fairness.question.arguments import NULLS

_EXAMPLES: Final = dedent("""\
    examples:
      polars-fairness clarify analysis_config.json loans.csv --output analysis.json
      polars-fairness clarify analysis_config.json loans/ --as-clarify

    """)


def add_clarify(commands: Commands) -> None:
    """Add the command to a parser."""
    command = commands.add_parser(
        "clarify",
        help="answer the bias part of a SageMaker Clarify configuration",
        description="Compute the metrics that a configuration of SageMaker Clarify names, and "
        "write them as Clarify does. Nothing is sent anywhere: predictions are a column of the "
        "data.",
        epilog=_EXAMPLES + EXIT_CODES,
        usage="%(prog)s CONFIGURATION PATH [PATH ...] [OPTIONS]",
    )
    command.add_argument("configuration", metavar="CONFIGURATION", help="analysis_config.json")
    command.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="files, folders or patterns, in place of dataset_uri",
    )
    command.add_argument(
        "--nulls",
        choices=NULLS.choices,
        default=NULLS.default,
        help=f"{NULLS.meaning}; default {NULLS.default}",
    )
    command.add_argument(
        "--as-clarify",
        action="store_true",
        default=False,
        help="compute in Clarify's way what differs on purpose, missing values included",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write analysis.json; default JSON on stdout"
    )
    add_overwrite(command)
    command.set_defaults(run=clarify)


def clarify(typed: Namespace) -> int:
    """Write or print the analysis of a configuration."""
    with _named(typed.configuration):
        configuration = Configuration.read(typed.configuration)
        beside = {each.key: _files_at(each.key, each.uri) for each in configuration.second_files}
    files = files_of(typed.paths)
    inputs = [*files, *(file for each in beside.values() for file in each)]
    with output_of(vars(typed), "output", inputs) as output:
        if configuration.unused:
            complain(f"not used, as not about bias: {', '.join(configuration.unused)}")
        with _named(typed.configuration), time_shown():
            dataset = dataset_of(configuration, files, beside)
            if configuration.has_flip_test and not typed.as_clarify:
                _complain_about_text(no_numbers(dataset))
            analysis = analysis_of(
                configuration,
                dataset,
                as_clarify=typed.as_clarify,
                nulls=typed.nulls,
                in_words=partial(in_shell, options=OPTIONS),
            )
        for reason in _reasons_without_flips(analysis):
            complain(f"FT: {reason}")
        text = json.dumps(analysis, indent=4, ensure_ascii=False)
        if output is None:
            say(text)
        else:
            Path(output).write_text(f"{text}\n", encoding="utf-8")
    return 0


def _complain_about_text(columns: Sequence[str]) -> None:
    if columns:
        complain(f"FT: not used as features, as they hold no numbers: {', '.join(columns)}")


def _reasons_without_flips(analysis: Mapping[str, Any]) -> dict[str, None]:
    """Why the flip test has no value; it alone needs an extra, and features."""
    facets = analysis.get("post_training_bias_metrics", {"facets": {}})["facets"]
    metrics = [
        metric
        for comparisons in facets.values()
        for comparison in comparisons
        for metric in comparison["metrics"]
    ]
    return {each["error"]: None for each in metrics if each["name"] == "FT" and "error" in each}


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Begin errors about a configuration with its name."""
    try:
        yield
    except FairnessError as error:
        raise FairnessError(f"{path}: {error.message}") from error


def _files_at(key: str, uri: str) -> list[str]:
    try:
        return files_of([uri])
    except FairnessError as error:
        raise FairnessError(f"{key}: {error.message.removeprefix('path: ')}") from error

"""The command `clarify`: SageMaker Clarify's configuration in, and its `analysis.json` out."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl

from polars_fairness.cli.answers import output_of
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.own_words import name_options
from polars_fairness.cli.printed import complain, say, time_shown
from polars_fairness.elsewhere.clarify_analysis import analysis_of, is_number
from polars_fairness.elsewhere.clarify_configuration import (
    Configuration,
    configuration_of,
    read_object,
)
from polars_fairness.errors import FairnessError
from polars_fairness.question.arguments import NULLS


def run(typed: Namespace) -> int:
    """Write or print the analysis of a configuration."""
    with _named(typed.configuration):
        keys = read_object(typed.configuration)
    files = files_of(typed.paths)
    with output_of(vars(typed), "output", files) as write, time_shown():
        names = opened(files, {}).collect_schema().names()
        with _named(typed.configuration):
            configuration = configuration_of(keys, names)
        rows = opened(files, {"controls": names})
        if configuration.unused:
            complain(f"not used, as not about bias: {', '.join(configuration.unused)}")
        _complain_about_text(configuration, rows)
        with _named(typed.configuration):
            analysis = analysis_of(
                configuration,
                rows,
                as_clarify="as_clarify" in typed,
                nulls=vars(typed).get("nulls", NULLS.default),
            )
        for reason in _reasons_without_flips(analysis):
            complain(reason)
        text = json.dumps(analysis, indent=4, ensure_ascii=False)
        if write is None:
            say(text)
        else:
            write(f"{text}\n".encode())
    return 0


def _complain_about_text(configuration: Configuration, rows: pl.LazyFrame) -> None:
    schema, facets = rows.collect_schema(), {facet.column for facet in configuration.facets}
    features = configuration.features if configuration.has_flip_test else ()
    texts = [name for name in features if not is_number(schema[name]) and {name} != facets]
    if texts:
        complain(f"FT: not used as features, as they hold no numbers: {', '.join(texts)}")


def _reasons_without_flips(analysis: Mapping[str, Any]) -> dict[str, None]:
    """Why the flip test has no value, in the words of a shell; only this test needs an extra."""
    facets = analysis.get("post_training_bias_metrics", {"facets": {}})["facets"]
    reasons: dict[str, None] = {}
    for comparison in (each for comparisons in facets.values() for each in comparisons):
        for metric in comparison["metrics"]:
            if metric["name"] == "FT" and "error" in metric:
                # Its arguments are keys of the configuration, and no options of this command.
                reason = name_options(f"FT: {metric['error']}")
                metric["error"] = reason.removeprefix("FT: ")
                reasons[reason] = None
    return reasons


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Begin errors about a configuration with its name."""
    try:
        yield
    except FairnessError as error:
        raise FairnessError(f"{path}: {error}") from error

"""The command `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final

import polars_fairness as pf
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.outputs import output_of
from polars_fairness.cli.printed import time_shown
from polars_fairness.cli.typed import judging_of, question_of, utility_in
from polars_fairness.counting.round_thresholds import with_round_thresholds
from polars_fairness.reporting.outputs.pdf import require_charts

_THRESHOLDS: Final = 100


def run(typed: Namespace) -> int:
    """Write the page."""
    arguments = vars(typed)
    require_charts()
    metrics: list[Any] = [*arguments.get("metrics", []), *utility_in(arguments)]
    bands = judging_of(arguments).get("bands")
    files = files_of(typed.paths)
    with output_of(arguments, "output", files) as file:
        rows = opened(files, arguments)
        question = question_of(arguments, rows.collect_schema())
        with time_shown():
            question = with_round_thresholds(question, rows, _THRESHOLDS)
            page = pf.explore(rows, *metrics, bands=bands, **question)
            if file is not None:
                page.write_html(file)
    return 0

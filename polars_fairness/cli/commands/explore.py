"""The command `explore`: a page on which a person moves the threshold."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final

import polars_fairness as pf
from polars_fairness.cli.answers import work_of
from polars_fairness.cli.printed import time_shown
from polars_fairness.cli.typed import judging_of, question_of, utility_in
from polars_fairness.counting.decisions import with_round_thresholds
from polars_fairness.reporting.outputs.pdf import require_charts

_THRESHOLDS: Final = 100


def run(typed: Namespace) -> int:
    """Write the page."""
    require_charts()
    with work_of(typed) as work:
        arguments, rows = work.arguments, work.rows()
        metrics: list[Any] = [*arguments.get("metrics", []), *utility_in(arguments)]
        bands = judging_of(arguments).get("bands")
        question = question_of(arguments, rows.collect_schema())
        with time_shown():
            question = with_round_thresholds(question, rows, _THRESHOLDS)
            page = pf.explore(rows, *metrics, bands=bands, **question)
            assert work.file is not None
            page.write_html(work.file)
    return 0

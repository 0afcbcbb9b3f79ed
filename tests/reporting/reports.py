"""Small frames and reports for several tests, and functions that read parts of a report."""

from __future__ import annotations

from datetime import date
from html.parser import HTMLParser
from typing import Any

import polars as pl

import polars_fairness as pf
from tests.frames import shared

BERKELEY: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
    "confidence": None,
}

HOSTILE = """<script>alert(1)</script> & "it's" | *b* [x](y) ünï—码"""


def berkeley(*metrics: str, **more: Any) -> pf.Report:
    report: pf.Report = shared(pf.report, pf.datasets.berkeley(), *metrics, **(BERKELEY | more))
    return report


def scored() -> pl.DataFrame:
    """Of two positive and two negative labels of women, 0.5 accepts one each; of men all or none.

    All scores are 0.25 or 0.75.
    """
    return pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "y": [1, 0, 1, 0, 1, 1, 0, 0],
            "s": [0.75, 0.75, 0.25, 0.25, 0.75, 0.75, 0.25, 0.25],
        }
    )


def monthly() -> pl.DataFrame:
    """F accepted 1 of 2 in January and 0 of 2 in February, M always 1 of 2."""
    return pl.DataFrame(
        {
            "month": [date(2025, 1, 1)] * 4 + [date(2025, 2, 1)] * 4,
            "sex": ["F", "F", "M", "M"] * 2,
            "hired": [1, 0, 1, 0, 0, 0, 1, 0],
        }
    )


def of_counts(counts: dict[str, tuple[int, int]], facet: str = "sex") -> pl.DataFrame:
    """So many hired of so many rows for each group."""
    return pl.DataFrame(
        [
            {facet: group, "hired": place < hired}
            for group, (hired, n) in counts.items()
            for place in range(n)
        ]
    )


class Elements(HTMLParser):
    """Every element of a page with its attributes, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


BOTH: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired"}


def entries_of_audit(report: pf.Report) -> dict[str, float | str]:
    """The dictionary of a report, without what it says of itself and its data."""
    of_report = ("package/version", "data/digest")
    return {key: entry for key, entry in report.to_dict().items() if key not in of_report}


def four_each() -> pl.DataFrame:
    """Hired are 0 of 4 women of race b, 2 of 4 women of w, and 3 of 4 men of each race."""
    return pl.DataFrame(
        {
            "sex": ["F"] * 8 + ["M"] * 8,
            "race": (["b"] * 4 + ["w"] * 4) * 2,
            "hired": [0, 0, 0, 0] + [1, 1, 0, 0] + [1, 1, 1, 0] * 2,
        }
    )

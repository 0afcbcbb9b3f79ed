"""Answers of `calibration` and `choose`, written by hand."""

from __future__ import annotations

import polars as pl


def calibration() -> pl.DataFrame:
    """Women have scores in both bins, men in the first and the third of three."""
    names = ["facet", "value", "bin_lower", "bin_upper", "n"]
    names += ["mean_score", "base_rate", "lower", "upper"]
    rows = [
        ("sex", "F", 0.0, 0.25, 1, 0.2, 0.0, 0.0, 0.8),
        ("sex", "F", 0.25, 0.5, 3, 0.4, 1 / 3, 0.06, 0.8),
        ("sex", "M", 0.0, 0.25, 2, 0.1, 0.5, 0.1, 0.9),
        ("sex", "M", 0.25, 0.5, 0, None, None, None, None),
        ("sex", "M", 0.5, 0.75, 2, 0.6, 0.5, 0.1, 0.9),
        ("(all)", None, 0.0, 0.25, 3, 0.13, 1 / 3, 0.06, 0.8),
    ]
    return pl.DataFrame(rows, schema=names, orient="row")

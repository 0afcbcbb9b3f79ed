"""Twenty people with two attributes, and a question about them for several tests."""

from __future__ import annotations

from typing import Any

import polars as pl

# Accepted: F b 0 of 4, F w 2 of 4, M b 3 of 4, M w 7 of 8: 12 of 20.
PEOPLE = pl.DataFrame(
    {
        "sex": ["F"] * 8 + ["M"] * 12,
        "race": ["b"] * 4 + ["w"] * 4 + ["b"] * 4 + ["w"] * 8,
        "p": [0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0],
    }
)

QUESTION: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "p"}

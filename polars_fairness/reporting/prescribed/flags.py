"""How a flag is shown."""

from __future__ import annotations

from polars_fairness.answers.verdicts import tone_of
from polars_fairness.reporting.parts import Cell


def flag_cell(*, is_flagged: bool | None) -> Cell:
    """The cell of a flag; a group that could not be judged has a null."""
    if is_flagged is None:
        return Cell("not judged", tone=tone_of("undefined").name)
    return Cell("flagged", tone=tone_of("outside").name) if is_flagged else Cell("no")

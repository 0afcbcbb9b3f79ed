"""The nearest neighbours of an individual: their number, and how distance is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polars_fairness.errors import require_flag, require_whole

CLARIFYS_K: Final = 5


@dataclass(frozen=True)
class Neighbourhood:
    """How many nearest neighbours vote, and how distance is measured."""

    k: int = CLARIFYS_K
    standardize: bool = False
    progress: bool | None = None

    def __post_init__(self) -> None:
        require_whole("k", self.k, 1, "a whole number of neighbours")
        require_flag("standardize", self.standardize)
        require_flag("progress", self.progress, (True, False, None))

    def neighbours_among(self, rows: int) -> int:
        """How many neighbours vote; with the default k, one among fewer than ten rows (Clarify)."""
        return 1 if self.k == CLARIFYS_K and rows < 10 else self.k


BY_DEFAULT: Final = Neighbourhood()

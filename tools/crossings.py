"""In how many lower modules outside its own each capability is named.

Nearly every defect lies where two capabilities meet. So a capability is at home in few modules, and
the others do not know it. A test keeps the ceilings, which only fall. They match names in code: a
name is never changed only to lower a count. ``python tools/crossings.py clusters`` prints the
counts, and the modules that name clusters.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

PACKAGE: Final = Path(__file__).parent.parent / "polars_fairness"
LOWER: Final = (
    *("formula", "catalogue", "question", "counting", "values", "inference", "answers", "api"),
)


class Capability(NamedTuple):
    """What counts as a mention, and how many modules may have one."""

    ceiling: int
    home: str  # in the names of the modules where it is at home
    names: str


CAPABILITIES: Final = {
    "numbers": Capability(
        34,
        "number|quantile|order_stat",
        r"summed_numbers|is_about_numbers|adds_up_numbers|moments|Amount|residual|SUMS_OF_NUMBERS"
        r"|NUMBERS\b|\.numbers\b",
    ),
    "probabilities": Capability(
        35,
        "probabilit",
        r"uncertain|estimators|ESTIMATOR\b|LINEAR\b|SCALED_ROWS|has_shares|is_estimated|SLOPE"
        r"|slopes",
    ),
    "contrasts": Capability(
        28,
        "contrast|baseline|switches",
        r"baseline|BASELINE|champion|CHAMPION|is_paired|unpaired|contrast|CONTRAST",
    ),
    "clusters": Capability(
        45,
        "jackknife|deviations|replicate",
        r"left_out|CLUSTER\b|by_cluster|cluster|DEVIATIONS",
    ),
    "conjunctions": Capability(
        32,
        "intersection|worst_groups",
        r"joint|is_joint|conjunction|are_apart|Members",
    ),
    "neighbours": Capability(
        2,
        "neighbour|individual",
        r"neighbour|Neighbour|\.points\b|has_points|features|MEMBER_OF_D",
    ),
    "best cuts": Capability(
        7,
        "best",
        r"\bBest\b|best_cuts|RankedRows|ranked_anew|counts_in_part|decides_apart|ACCEPTED_SHARE",
    ),
    "other tools": Capability(
        3,
        "elsewhere|dialect|compare",
        r"ToolMetric|settles_zero_division|AMONG_ALL|takes_weights",
    ),
    "other engines": Capability(
        2,
        "engine|sql|dialects|connections",
        r"EngineFrame|EngineRows|engine_rows|from_sql|Dialect\b|DIALECTS",
    ),
}


def crossings(capability: Capability) -> list[str]:
    """Return the lower modules that name a capability in code and are not its home."""
    return sorted(
        path.relative_to(PACKAGE).as_posix()
        for folder in LOWER
        for path in (PACKAGE / folder).rglob("*.py")
        if not re.search(capability.home, path.stem)
        and any(re.search(capability.names, line) for line in _lines(path))
    )


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if not line.strip().startswith(("#", "from ", "import ")):
            yield line


if __name__ == "__main__":
    for name, capability in CAPABILITIES.items():
        modules = crossings(capability)
        print(f"{name}: {len(modules)} (ceiling {capability.ceiling})")
        if name in sys.argv[1:]:
            print(*(f"  {module}" for module in modules), sep="\n")

"""The colours of pages, charts and tables, and the names that a page gives them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Colours:
    """A colour for each purpose; a tone of `api.verdicts` names one of them.

    The colours from ``group_1`` on are those of lines, one for each group of a chart.
    """

    paper: str
    ink: str
    soft: str
    line: str
    band: str
    within: str
    outside: str
    uncertain: str
    above: str
    below: str
    group_1: str
    group_2: str
    group_3: str
    group_4: str
    group_5: str
    group_6: str
    group_7: str
    group_8: str

    @property
    def groups(self) -> tuple[str, ...]:
        """The colours of lines, in order."""
        return tuple(
            value for purpose, value in asdict(self).items() if purpose.startswith("group_")
        )


LIGHT: Final = Colours(
    paper="#fdfdfb",
    ink="#1d1f22",
    soft="#565b63",
    line="#dcdcd6",
    band="#e7e7df",
    within="#22694a",
    outside="#a3341c",
    uncertain="#7a5a00",
    above="#d2691e",
    below="#2f7fbf",
    group_1="#2f6fbf",
    group_2="#c4570b",
    group_3="#1a8754",
    group_4="#8b4fb3",
    group_5="#c2326f",
    group_6="#7d5a2f",
    group_7="#0e8494",
    group_8="#6d7a00",
)
DARK: Final = Colours(
    paper="#16181b",
    ink="#e8e8e4",
    soft="#a9aeb6",
    line="#383c42",
    band="#2b3037",
    within="#6fc79d",
    outside="#f0937c",
    uncertain="#dcb655",
    above="#c8692a",
    below="#3c82c8",
    group_1="#6fa8ee",
    group_2="#f0914a",
    group_3="#55c08d",
    group_4="#bd8de0",
    group_5="#ee7fae",
    group_6="#c9a06c",
    group_7="#4cc4d2",
    group_8="#b4c24e",
)
PRINTED: Final = replace(
    LIGHT,
    paper="#fff",
    ink="#000",
    soft="#444",
    line="#bbb",
    band="#eee",
    within="#1b5a3e",
    outside="#8f2a15",
    uncertain="#6b4f00",
)
ON_PAGE: Final = Colours(**{purpose: f"var(--pf-{purpose})" for purpose in asdict(LIGHT)})
"""The variables of a page, so that one drawing reads well in light, in dark and on paper."""


def stylesheet() -> str:
    """The rules that give the variables of a page their values."""
    return (
        f"{_rule(LIGHT)}"
        f"@media (prefers-color-scheme: dark) {{\n{_rule(DARK)}}}\n"
        f"@media print {{\n{_rule(PRINTED)}}}\n"
    )


def _rule(colours: Colours) -> str:
    return f".pf-page, .pf-report {{\n{values_of(colours)}}}\n"


def values_of(colours: Colours) -> str:
    """The variables of a page with these values."""
    return "".join(f"  --pf-{purpose}: {value};\n" for purpose, value in asdict(colours).items())

"""The colours of pages, charts and tables, and the names that a page gives them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final


@dataclass(frozen=True)
class Colours:
    """A colour for each purpose; a tone of `answers.verdicts` names one of them."""

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
)
PRINTED: Final = Colours(
    paper="#fff",
    ink="#000",
    soft="#444",
    line="#bbb",
    band="#eee",
    within="#1b5a3e",
    outside="#8f2a15",
    uncertain="#6b4f00",
    above="#d2691e",
    below="#2f7fbf",
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
    values = "".join(f"  --pf-{purpose}: {value};\n" for purpose, value in asdict(colours).items())
    return f".pf-page, .pf-report {{\n{values}}}\n"

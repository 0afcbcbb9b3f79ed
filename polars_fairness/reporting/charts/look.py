"""The look that all charts share, and the drawing of a chart as SVG, which needs no script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import accumulate
from typing import Any, Final
from unicodedata import east_asian_width

from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.parts import writable


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
    tint_outside: str
    tint_uncertain: str
    tint_within: str
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


_PURPOSES: Final = {
    # In light, in dark and in print.
    "paper": ("#ffffff", "#16181b", "#fff"),
    "ink": ("#16181b", "#e8e8e4", "#000"),
    "soft": ("#595f69", "#a9aeb6", "#444"),
    "line": ("#d9dade", "#383c42", "#bbb"),
    "band": ("#e6e9ee", "#2b3037", "#e6e9ee"),
    "within": ("#1d6245", "#6fc79d", "#1b5a3e"),
    "outside": ("#a3261a", "#f0937c", "#8f2a15"),
    "uncertain": ("#7a5600", "#dcb655", "#6b4f00"),
    "tint_outside": ("#fbecea", "#3a211d", "#fbecea"),
    "tint_uncertain": ("#fdf4df", "#332b18", "#fdf4df"),
    "tint_within": ("#e9f4ee", "#1b2f26", "#e9f4ee"),
    "above": ("#d2691e", "#c8692a", "#d2691e"),
    "below": ("#2f7fbf", "#3c82c8", "#2f7fbf"),
    "group_1": ("#2f6fbf", "#6fa8ee", "#2f6fbf"),
    "group_2": ("#c4570b", "#f0914a", "#c4570b"),
    "group_3": ("#1a8754", "#55c08d", "#1a8754"),
    "group_4": ("#8b4fb3", "#bd8de0", "#8b4fb3"),
    "group_5": ("#c2326f", "#ee7fae", "#c2326f"),
    "group_6": ("#7d5a2f", "#c9a06c", "#7d5a2f"),
    "group_7": ("#0e8494", "#4cc4d2", "#0e8494"),
    "group_8": ("#6d7a00", "#b4c24e", "#6d7a00"),
}
LIGHT, DARK, PRINTED = (Colours(*of_each) for of_each in zip(*_PURPOSES.values(), strict=True))
ON_PAGE: Final = Colours(*(f"var(--pf-{purpose})" for purpose in _PURPOSES))
"""The variables of a page, so that one drawing reads well in light, in dark and on paper."""


def stylesheet() -> str:
    """The rules that give the variables of a page their values."""
    return (
        f"{_rule(LIGHT)}"
        f"@media (prefers-color-scheme: dark) {{\n{_rule(DARK)}}}\n"
        f"@media print {{\n{_rule(PRINTED)}}}\n"
    )


def rules_of(name: str) -> str:
    """The rules of a style sheet."""
    return files("polars_fairness.reporting.outputs").joinpath(name).read_text("utf-8")


def _rule(colours: Colours) -> str:
    return f".pf-page, .pf-report {{\n{values_of(colours)}}}\n"


def values_of(colours: Colours) -> str:
    """The variables of a page with these values."""
    return "".join(f"  --pf-{purpose}: {value};\n" for purpose, value in asdict(colours).items())


@dataclass(frozen=True)
class Look:
    """The colours of a chart, and whether the numbers of its marks stand beside them.

    With ``most_letters``, longer names beside a chart are cut. Without, the chart cuts them by
    their width; to measure it takes vl-convert a third of the time of a whole drawing.
    """

    colours: Colours
    has_numbers: bool
    most_letters: int | None = None
    datasets: dict[str, list[dict[str, Any]]] | None = None
    """The data of charts that a slider moves, by their names; None where there is no slider."""

    width: int = 0
    """How wide charts are that a slider moves."""

    @property
    def moves(self) -> bool:
        """Whether a slider chooses the marks by their ``at``, and a list by their ``window``."""
        return self.datasets is not None

    def data(self, values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The data of a chart, in it or beside all charts; a picture needs five digits."""
        if self.datasets is None:
            return {"data": {"values": [*values]}}
        name = f"data.{len(self.datasets)}"
        self.datasets[name] = [
            {
                key: float(f"{value:.5g}") if isinstance(value, float) else value
                for key, value in each.items()
            }
            for each in values
        ]
        return {"data": {"name": name}}

    def tints(self) -> dict[str, Any]:
        """The colour of every tone, the same in every chart."""
        return _scale({name: getattr(self.colours, tone.colour) for name, tone in TONES.items()})

    def shapes(self) -> dict[str, Any]:
        """The shape of every tone."""
        return _scale({name: tone.shape for name, tone in TONES.items()})

    def side_colours(self) -> dict[str, Any]:
        """The colour of what is above the overall rate, and of what is below it."""
        return _scale({"above": self.colours.above, "below": self.colours.below})

    def config(self, widest_name: float = 0) -> dict[str, Any]:
        """The settings of a whole chart; names beside it that are wider are cut, unless it is 0."""
        colours = self.colours
        return {
            # Vega-Lite would describe each mark by an expression that contains the axis titles, and
            # it escapes their quotes but no backslash or line break. a table says the same.
            "aria": False,
            "background": "transparent",
            "font": "Helvetica, Arial, sans-serif",
            "padding": 2,
            "view": {"stroke": None},
            "axis": {
                "labelColor": colours.soft,
                "titleColor": colours.soft,
                "gridColor": colours.line,
                "domainColor": colours.line,
                "tickColor": colours.line,
                "labelFontSize": 12,
                "labelLimit": 0,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
            },
            "axisY": {"labelColor": colours.ink, "labelLimit": widest_name},
        }


PAGE: Final = Look(ON_PAGE, has_numbers=False, most_letters=30)
"""The look of a page, which has the numbers in tables."""

ALONE: Final = Look(LIGHT, has_numbers=True)
"""The look of a chart that stands alone, in a notebook or as a picture."""

_OPENING: Final = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"[^>]*>')
# In a tag, not in a text, where `>` is escaped. A part of a picture that is a picture itself, as
# Vega has it, would need a text of its own.
_ALOUD: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"(?=[^<>]*>)')
_TAG: Final = re.compile(r"<[^<>]*>")
_NUMBER: Final = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|-?\d+e-\d+")
PER_LETTER: Final = 6.5
"""The estimated width of a letter, rather too wide than too narrow."""


def apart(names: Iterable[str], most: int | None = None) -> list[str]:
    """Names made distinct by invisible characters, so that equal names have places of their own.

    Names of more than so many letters are cut in the middle; wide letters count twice.
    """
    times: Counter[str] = Counter()
    distinct = []
    for name in map(writable, names):
        shown = name if most is None else _cut(name, most)
        distinct.append(shown + "\u200b" * times[shown])
        times[shown] += 1
    return distinct


def _cut(name: str, most: int) -> str:
    """The name without its middle: what sets groups apart may stand at either end."""
    if len(_first(name, most)) == len(name):
        return name
    end = most // 3
    return f"{_first(name, most - end - 1)}…{_first(name[::-1], end)[::-1]}"


def _first(name: str, most: int) -> str:
    widths = accumulate(1 + (east_asian_width(letter) in "WF") for letter in name)
    return name[: sum(width <= most for width in widths)]


def _scale(looks: Mapping[str, str]) -> dict[str, Any]:
    return {"domain": [*looks], "range": [*looks.values()]}


def drawing(chart: Mapping[str, Any], width: int) -> str:
    """The chart of a page as SVG, hidden from screen readers: a table says the same."""
    import vl_convert  # brought by the extra

    specification = {
        **chart,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": PAGE.config(),
    }
    drawn = vl_convert.vegalite_to_svg(with_writable(specification), allowed_base_urls=[])
    start = _OPENING.match(drawn)
    assert start is not None
    w, h = start.groups()
    opening = f'<svg aria-hidden="true" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
    marks = _ALOUD.sub("", drawn[start.end() :])
    return opening + _TAG.sub(lambda tag: _NUMBER.sub(_rounded, tag[0]), marks)


def _rounded(number: re.Match[str]) -> str:
    """A length in a tag with three decimals: sums of floats differ in the last from run to run."""
    return f"{round(float(number[0]), 3) + 0.0:.10g}"


def with_writable(part: Any) -> Any:
    """The specification with writable texts: others would end the process in vl-convert."""
    if isinstance(part, str):
        return writable(part)
    if isinstance(part, Mapping):
        return {with_writable(key): with_writable(value) for key, value in part.items()}
    return [with_writable(each) for each in part] if isinstance(part, list | tuple) else part

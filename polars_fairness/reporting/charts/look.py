"""The colours of pages and charts, and the look that the charts of Vega share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

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
    # In light, also in print, and in dark.
    "paper": ("#ffffff", "#16181b"),
    "ink": ("#16181b", "#e8e8e4"),
    "soft": ("#595f69", "#a9aeb6"),
    "line": ("#d9dade", "#383c42"),
    "band": ("#e6e9ee", "#2b3037"),
    "within": ("#1d6245", "#6fc79d"),
    "outside": ("#a3261a", "#f0937c"),
    "uncertain": ("#7a5600", "#dcb655"),
    "tint_outside": ("#fbecea", "#3a211d"),
    "tint_uncertain": ("#fdf4df", "#332b18"),
    "tint_within": ("#e9f4ee", "#1b2f26"),
    "above": ("#d2691e", "#c8692a"),
    "below": ("#2f7fbf", "#3c82c8"),
    "group_1": ("#2f6fbf", "#6fa8ee"),
    "group_2": ("#c4570b", "#f0914a"),
    "group_3": ("#1a8754", "#55c08d"),
    "group_4": ("#8b4fb3", "#bd8de0"),
    "group_5": ("#c2326f", "#ee7fae"),
    "group_6": ("#7d5a2f", "#c9a06c"),
    "group_7": ("#0e8494", "#4cc4d2"),
    "group_8": ("#6d7a00", "#b4c24e"),
}
LIGHT, DARK = (Colours(*of_each) for of_each in zip(*_PURPOSES.values(), strict=True))
ON_PAGE: Final = Colours(*(f"var(--pf-{purpose})" for purpose in _PURPOSES))
"""The variables of a page, so that one drawing reads well in light, in dark and on paper."""


def stylesheet() -> str:
    """The rules that give the variables of a page their values."""
    return f"{_rule(LIGHT)}@media screen and (prefers-color-scheme: dark) {{\n{_rule(DARK)}}}\n"


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
    """The colours of charts, and the data of those that a slider moves."""

    colours: Colours
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
        """The colours of wrong predictions and of right ones."""
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


ALONE: Final = Look(LIGHT)
"""The look of a chart that stands alone, in a notebook or as a picture."""

PER_LETTER: Final = 6.5
"""The estimated width of a letter, rather too wide than too narrow."""


def apart(names: Iterable[str]) -> list[str]:
    """Names made distinct by invisible characters, so that equal names have places of their own."""
    times: Counter[str] = Counter()
    distinct = []
    for name in map(writable, names):
        distinct.append(name + "\u200b" * times[name])
        times[name] += 1
    return distinct


def _scale(looks: Mapping[str, str]) -> dict[str, Any]:
    return {"domain": [*looks], "range": [*looks.values()]}


def with_writable(part: Any) -> Any:
    """The specification with writable texts: others would end the process in vl-convert."""
    if isinstance(part, str):
        return writable(part)
    if isinstance(part, Mapping):
        return {with_writable(key): with_writable(value) for key, value in part.items()}
    return [with_writable(each) for each in part] if isinstance(part, list | tuple) else part

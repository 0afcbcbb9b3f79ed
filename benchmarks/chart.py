"""Draw the time of every tool as ``docs/reference/speed.svg``: bars on a logarithmic scale."""

from __future__ import annotations

from html import escape
from math import log10
from pathlib import Path

from markdown_tables import figure
from measure import LIMIT, Result
from side_by_side import OURS, Results

TARGET = Path(__file__).parent.parent / "docs" / "reference" / "speed.svg"
ROWS = 2_000_000
LEFT, TOP, WIDTH, LINE, BAR = 250, 64, 430, 26, 16
MARGIN = 160  # for the text to the right of the longest bar
TICKS = {0.001: "1 ms", 0.01: "10 ms", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 100: "100 s"}
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.quiet, .tick { fill: #656d76 }
.tick { font-size: 11px; text-anchor: middle }
.name { text-anchor: end }
line { stroke: #d0d7de; stroke-opacity: 0.6 }
.ours { fill: #0969da }
.hand, .floor { fill: #8c959f }
.peer { fill: #d4a72c }
.out { fill: none; stroke: #d4a72c; stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .quiet, .tick { fill: #8d96a0 }
  line { stroke: #30363d }
  .ours { fill: #4493f8 }
  .hand, .floor { fill: #6e7681 }
  .peer { fill: #bb8009 }
  .out { stroke: #bb8009 }
}
"""


def draw(results: Results) -> None:
    """Draw the bars of 2 million rows, the fastest on top."""
    of_rows = results.get(str(ROWS))
    if not of_rows:
        return
    ranked = sorted(of_rows.items(), key=lambda item: item[1].get("seconds", LIMIT))
    height = TOP + LINE * len(ranked) + 34
    bars = (bar(i, name, result, of_rows[OURS]) for i, (name, result) in enumerate(ranked))
    TARGET.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + MARGIN}" '
        f'height="{height}" viewBox="0 0 {LEFT + WIDTH + MARGIN} {height}" role="img">\n'
        f"<title>Seconds to answer one question of {ROWS:,} decisions</title>\n"
        f"<style>{STYLE}</style>\n"
        f'<text class="title" x="16" y="26">One question of {ROWS:,} decisions</text>\n'
        '<text class="quiet" x="16" y="46">seconds to answer, on a logarithmic scale, and the '
        "ratio to all metrics of polars-fairness</text>\n"
        f"{axis(TOP + LINE * len(ranked))}\n" + "\n".join(bars) + "\n</svg>\n"
    )


def along(seconds: float) -> float:
    """Return the horizontal position of a time."""
    first, last = log10(min(TICKS)), log10(LIMIT)
    return LEFT + WIDTH * (log10(max(seconds, min(TICKS))) - first) / (last - first)


def axis(bottom: int) -> str:
    return "\n".join(
        f'<line x1="{along(tick):.1f}" x2="{along(tick):.1f}" y1="{TOP - 6}" y2="{bottom}"/>'
        f'<text class="tick" x="{along(tick):.1f}" y="{bottom + 18}">{label}</text>'
        for tick, label in TICKS.items()
    )


def bar(position: int, name: str, result: Result, ours: Result) -> str:
    top = TOP + LINE * position
    if "gave_up" in result:
        seconds, kind, text = float(LIMIT), "out", result["gave_up"]
    else:
        seconds, kind = result["seconds"], kind_of(name)
        text = f"{figure(seconds, 2)} s · {figure(seconds / ours['seconds'], 2)}×"
    end, width = along(seconds), along(seconds) - LEFT
    return (
        f'<text class="name" x="{LEFT - 10}" y="{top + 13}">{escape(name)}</text>'
        f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{width:.1f}" height="{BAR}" rx="2"/>'
        f'<text x="{end + 8:.1f}" y="{top + 13}">{escape(text)}</text>'
    )


def kind_of(name: str) -> str:
    if name.startswith("polars-fairness"):
        return "ours"
    return "floor" if "floor" in name or "by hand" in name else "peer"

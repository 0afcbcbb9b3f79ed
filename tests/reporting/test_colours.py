"""Colours: one place for them, and enough contrast to be read."""

from __future__ import annotations

from dataclasses import asdict
from itertools import product

import pytest

from polars_fairness.api.verdicts import TONES
from polars_fairness.reporting.charts.look import (
    DARK,
    LIGHT,
    ON_PAGE,
    Colours,
    stylesheet,
)
from polars_fairness.reporting.charts.marks import MOST_LINES


@pytest.mark.parametrize("name", TONES)
def test_every_tone_has_a_colour(name: str) -> None:
    assert getattr(LIGHT, TONES[name].colour).startswith("#")


def test_a_page_gives_every_variable_a_value_in_light_and_in_dark() -> None:
    rules = stylesheet()
    for variable in asdict(ON_PAGE).values():
        assert rules.count(f"{variable.removeprefix('var(').removesuffix(')')}: #") == 2


@pytest.mark.parametrize(
    ("colours", "text"),
    [*product((LIGHT, DARK), ("ink", "soft", "within", "outside", "uncertain"))],
)
def test_text_can_be_read(colours: Colours, text: str) -> None:
    """The least contrast of WCAG 2.2, level AA, for text of normal size."""
    assert contrast(getattr(colours, text), colours.paper) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_lines_can_be_seen_on_paper_and_on_a_band(colours: Colours) -> None:
    """The least contrast of WCAG 2.2, level AA, for parts of a graphic."""
    assert len(set(colours.groups)) == MOST_LINES
    for line, ground in product(colours.groups, (colours.paper, colours.band)):
        assert contrast(line, ground) >= 3


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance as WCAG defines it."""
    digits = colour.removeprefix("#")
    width = len(digits) // 3
    channels = [digits[i * width : (i + 1) * width] * (3 - width) for i in range(3)]
    parts = [int(channel, 16) / 255 for channel in channels]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

"""A name that runs from right to left, or says so, turns no number beside it."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from html import unescape
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf

REVERSING, HEBREW, ESCAPING = "\u202eF", "גברים", "\u2069\u202eX\u2068"
NAMES: Final = [REVERSING, HEBREW, ESCAPING]
ROWS: Final = pl.DataFrame(
    {
        "\u202esex": NAMES * 40,
        "race": [HEBREW, "White", REVERSING, "White"] * 30,
        "part": [ESCAPING, HEBREW] * 60,
        "month": ["a\u202e", "b"] * 60,
        "p": [0, 1, 1, 1, 0, 0, 1, 1] * 15,
        "y": [0, 1, 1, 0, 1] * 24,
        "s": [i / 120 for i in range(120)],
    }
)
SEX: Final = "\u202esex"
REPORTS: Final[dict[str, Any]] = {
    "facets": lambda: pf.report(ROWS, facet=[SEX, "race"], label="y", predicted="p"),
    "strata": lambda: pf.report(
        ROWS, "di", "cddpl", facet=SEX, predicted="p", subgroup="part", by="month"
    ),
    "scores": lambda: pf.report(ROWS, facet=SEX, label="y", score="s", confidence=None),
    "hiring": lambda: pf.hiring.report(
        ROWS,
        sex=SEX,
        race="race",
        selected="p",
        replicates=20,
        audit_date="2026-01-01",
        data="all",
        distribution_date="2026-01-01",
    ),
    "lending": lambda: pf.lending.report(
        ROWS, facet=SEX, favored=HEBREW, predicted="p", replicates=20
    ),
}
TEXTS: Final = {"title": f"{REVERSING} 1", "model": f"{HEBREW} 2", "author": "\u202e3"}

ISOLATED: Final = re.compile("\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069")
TURNING: Final = re.compile("[\u0590-\u08ff\u202a-\u202e\u2066-\u2069]")


def left_over(text: str) -> list[str]:
    """What turns the direction, and is in no isolation of its own."""
    outside = ISOLATED.sub("", text)
    return [
        outside[max(0, each.start() - 30) : each.end() + 30] for each in TURNING.finditer(outside)
    ]


@pytest.mark.parametrize("name", REPORTS)
def test_every_text_of_a_user_is_isolated_in_markdown(name: str) -> None:
    text = REPORTS[name]().to_markdown(**TEXTS)
    assert "\u2068\N{REPLACEMENT CHARACTER}F\u2069" in text
    assert left_over(text) == []


@pytest.mark.extras
@pytest.mark.parametrize("name", REPORTS)
def test_every_text_of_a_user_is_isolated_on_a_page(name: str) -> None:
    page = unescape(REPORTS[name]().written("html", **TEXTS).decode())
    assert f"<bdi>{HEBREW}</bdi>" in page
    assert page.count("<bdi>") == page.count("</bdi>")
    assert left_over(re.sub("<bdi>[^<]*</bdi>", "", page)) == []


@pytest.mark.extras
def test_every_text_of_a_user_is_isolated_on_a_page_to_explore() -> None:
    shown = pf.explore(ROWS, "di", facet=SEX, score="s", label="y")
    page = unescape(shown.page())
    assert left_over(re.sub("<bdi>[^<]*</bdi>", "", page)) == []
    packed = re.search(r'atob\("([^"]*)"', page)
    assert packed
    script = gzip.decompress(b64decode(packed[1])).decode()
    assert json.dumps(f"\u2068{HEBREW}\u2069")[1:-1] in script
    assert "\\u202e" not in script


def test_the_answers_have_the_names_of_the_data() -> None:
    written = REPORTS["facets"]().written("json").decode()
    assert all(f'"{name}"' in written for name in NAMES)

"""What is wrong with the links of a site is found before readers find it."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_links import broken_links

FIRST = '<h1 id="top">First</h1> <a class="b" href="{link}">on</a>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "index.html").write_text('<h2 id="next">Second</h2>', "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "link",
    [
        "#top",
        "more/#next",
        "more/",
        "more/index.html?h=x",
        "https://example.org/y",
        "mailto:a@b.org",
    ],
)
def test_links_that_lead_somewhere(site: Path, link: str) -> None:
    (site / "index.html").write_text(FIRST.format(link=link), "utf-8")
    assert [*broken_links(site)] == []


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("#bottom", "no such heading"),
        ("more/index.html#top", "no such heading"),
        ("more/other.html", "no such file"),
        ("/more/index.html", "no such file"),
    ],
)
def test_links_that_lead_nowhere(site: Path, link: str, reason: str) -> None:
    (site / "index.html").write_text(FIRST.format(link=link), "utf-8")
    assert [*broken_links(site)] == [f"index.html: {link}: {reason}"]


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ('<img alt="" src="none.png">', "no such file"),
        ('<img alt="" src="//example.org/a.png">', "is loaded from another host"),
        ('<script src="https://example.org/a.js"></script>', "is loaded from another host"),
    ],
)
def test_what_a_page_loads(site: Path, element: str, reason: str) -> None:
    (site / "index.html").write_text(element, "utf-8")
    (found,) = broken_links(site)
    assert found.endswith(reason)

"""Notes of the user: Markdown that stays what it is, and that can do no harm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from polars_fairness.reporting.outputs.notes import notes_as_html, notes_as_markdown
from tests.reporting.reports import Elements, berkeley

pytestmark = pytest.mark.extras

HOSTILE = """\
# Notes <script>alert(1)</script>

[run](javascript:alert(1)) [file](file:///etc/passwd) [page](data:text/html,x) [safe](https://a.b)

![picture](https://a.b/c.png "t") <img src=x onerror=alert(1)> ![ref][r]

[r]: &#106;avascript:alert(1)

<!-- never closed
<style>*{display:none}</style>
</main></body>

| a | b |
|---|---|

```html
<u onclick=alert(1)>
"""


def test_markup_is_kept_and_headings_stand_below_those_of_the_report() -> None:
    notes = "# Scope\n\nOnly *first* loans, **no** others; see `loans.sql`.\n\n1. a\n2. b\n"
    assert notes_as_html(notes) == (
        "<h3>Scope</h3>\n<p>Only <em>first</em> loans, <strong>no</strong> others; see "
        "<code>loans.sql</code>.</p>\n<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"
    )
    assert notes_as_markdown(notes) == (
        "### Scope\n\nOnly *first* loans, **no** others; see `loans.sql`.\n\n1. a\n\n2. b"
    )
    deep = "##### five\n\nSix\n---\n"
    assert notes_as_html(deep) == "<h6>five</h6>\n<h4>Six</h4>\n"
    assert notes_as_markdown(deep) == "###### five\n\n#### Six"


def test_a_link_shows_where_it_leads() -> None:
    html = notes_as_html("[card](https://a.b/c?d=1&e) <https://a.b>")
    rel = 'rel="nofollow noopener noreferrer"'
    assert html == (
        f'<p><a href="https://a.b/c?d=1&amp;e" {rel}>card</a> (https://a.b/c?d=1&amp;e) '
        f'<a href="https://a.b" {rel}>https://a.b</a></p>\n'
    )
    written = notes_as_markdown("[card](https://a.b/c)")
    assert written == "[card](<https://a.b/c>) (https://a.b/c)"


def test_hostile_notes_are_text_on_a_page(tmp_path: Path) -> None:
    berkeley("ddpl").write_html(tmp_path / "page.html", notes=HOSTILE)
    page = (tmp_path / "page.html").read_text("utf-8")
    elements = Elements(page)
    tags = [tag for tag, _ in elements.found]
    assert not {"script", "img", "u", "iframe"} & {*tags}
    assert (tags.count("style"), tags.count("main"), tags.count("body")) == (1, 1, 1)
    assert not any(name.startswith("on") for _, found in elements.found for name in found)
    targets = [found["href"] for tag, found in elements.found if tag == "a" and "rel" in found]
    assert targets == ["https://a.b", "https://a.b/c.png"]
    for text in ("<script>alert(1)</script>", "[run](javascript:alert(1))", "<!-- never closed"):
        assert text in elements.text
    assert "default-src 'none'" in page
    # What follows the notes is still there.
    assert elements.text.rindex("The question") > elements.text.index("never closed")


def test_hostile_notes_are_text_in_markdown() -> None:
    """As read by a program that lets HTML pass."""
    text = berkeley("ddpl").to_markdown(notes=HOSTILE)
    elements = Elements(MarkdownIt("commonmark").render(text))
    assert not {"script", "img", "style", "u"} & {tag for tag, _ in elements.found}
    assert [found["href"] for tag, found in elements.found if tag == "a"] == [
        "https://a.b",
        "https://a.b/c.png",
    ]
    assert "<!-- never closed" in elements.text
    headings = [tag for tag, _ in elements.found if re.fullmatch(r"h\d", tag)]
    assert headings.count("h1") == 1
    assert headings.count("h2") >= 4


def likened(html: str) -> str:
    """HTML without what the Markdown does not keep: attributes, paragraphs and gaps in lists."""
    html = re.sub(r' (rel|class)="[^"]*"|</?p>', "", html)
    html = re.sub(r"</(ul|ol)>\s*<\1[^>]*>", "", html)
    return "".join(html.split())


# Emphasis with spaces around it: where several touch, CommonMark pairs marks by their number.
BLOCKS = ("\n", "\n\n", "    ", "# ", "- ", "* ", "1. ", "2) ", "> ", "```", "---", "===")
MARKS = (" *a* ", " **a `b`** ", " _a_ ", "`", "[", "](", ")", "<", ">", "!", "\\", "~", "&")
WORDS = ("a", "b c", "&lt;", "&#10;", "&#32;", "https://a.b", "<https://a.b>", "<i>", "+", "3.")
TEXTS = st.lists(st.sampled_from((*BLOCKS, *MARKS, *WORDS)), max_size=20).map("".join)


@given(TEXTS)
def test_both_forms_say_the_same(notes: str) -> None:
    """What another program renders from the Markdown is what the page shows."""
    rendered = MarkdownIt("commonmark").render(notes_as_markdown(notes))
    assert likened(rendered) == likened(notes_as_html(notes))

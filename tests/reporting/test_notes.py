"""Notes of the user: paragraphs of text, whose markup does nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from markdown_it import MarkdownIt

from tests.reporting.reports import Elements, berkeley

pytestmark = pytest.mark.extras

HOSTILE: Final = """\
# Notes <script>alert(1)</script>

[run](javascript:alert(1)) ![picture](https://a.b/c.png "t") <img src=x onerror=alert(1)>
 \t
- an item, <!-- never closed
<style>*{display:none}</style>
</main></body>

```html
<u onclick=alert(1)>
"""


def test_notes_are_paragraphs() -> None:
    text = berkeley("ddpl").to_markdown(notes="Only loans,\nno others.\n\n\nMade twice.")
    assert "## Notes\n\nOnly loans, no others.\n\nMade twice.\n\n" in text


def test_hostile_notes_are_text_on_a_page(tmp_path: Path) -> None:
    berkeley("ddpl").write_html(tmp_path / "page.html", notes=HOSTILE)
    page = (tmp_path / "page.html").read_text("utf-8")
    elements = Elements(page)
    tags = [tag for tag, _ in elements.found]
    assert not {"script", "img", "u", "iframe"} & {*tags}
    assert (tags.count("style"), tags.count("main"), tags.count("body")) == (1, 1, 1)
    assert not any(name.startswith("on") for _, found in elements.found for name in found)
    for text in ("<script>alert(1)</script>", "[run](javascript:alert(1))", "<!-- never closed"):
        assert text in elements.text
    # What follows the notes is still there.
    assert elements.text.rindex("The question") > elements.text.index("never closed")


def test_hostile_notes_are_text_in_markdown() -> None:
    """As read by a program that lets HTML pass."""
    text = berkeley("ddpl").to_markdown(notes=HOSTILE)
    elements = Elements(MarkdownIt("commonmark").render(text))
    assert not {"a", "script", "img", "style", "u"} & {tag for tag, _ in elements.found}
    assert "<!-- never closed" in elements.text
    headings = [tag for tag, _ in elements.found if tag in ("h1", "h2", "h3")]
    assert headings.count("h1") == 1
    assert headings.count("h2") >= 4

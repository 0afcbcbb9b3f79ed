"""Build the site of the documentation into ``site/``: static files, without requests elsewhere.

``make docs`` runs this module. A link that leads nowhere ends the build, and so does a docstring
that does not fit its function.
"""

from __future__ import annotations

import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Final

from built_pages import written
from latex2mathml.converter import convert
from site_links import broken_links

ROOT: Final = Path(__file__).parent.parent
SITE: Final = ROOT / "site"

# A formula as the Markdown extension leaves it: in a line of its own, or inside a sentence.
FORMULA: Final = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)

DESCRIPTION: Final = re.compile(r'<meta name="description" content="[^"]*">')
FIRST_PARAGRAPH: Final = re.compile(r"<article.*?<p>(.*?)</p>", re.DOTALL)
TAG: Final = re.compile(r"<[^>]*>")

# Neither works under an address that is not known: one lists pages, the other links them from "/".
WITHOUT_ADDRESS: Final = ("sitemap.xml", "404.html")


def with_mathml(page: str) -> str:
    """Return a page whose formulas are MathML, which browsers draw without a program."""

    def mathml(found: re.Match[str]) -> str:
        display = "block" if found["tag"] == "div" else "inline"
        return str(convert(unescape(found["latex"]).strip(), display=display))

    return FORMULA.sub(mathml, page)


def with_description(page: str) -> str:
    """Return a page whose description, for search engines, is its first paragraph."""
    first = FIRST_PARAGRAPH.search(page)
    if first is None:
        return page
    words = " ".join(TAG.sub("", first[1]).split())
    described = f'<meta name="description" content="{escape(unescape(words))}">'
    return DESCRIPTION.sub(lambda _: described, page, count=1)


def main() -> None:
    """Run the notebooks and build the site; zensical prints what is wrong."""
    program = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    with written():
        ended = subprocess.run(
            program, cwd=ROOT, stdout=PIPE, stderr=STDOUT, text=True, check=False
        )
    print(ended.stdout)
    # Zensical does not count what griffe finds wrong with a docstring.
    if ended.returncode or "griffe: " in ended.stdout:
        sys.exit("the site was not built")
    for name in WITHOUT_ADDRESS:
        (SITE / name).unlink()
    for path in SITE.rglob("*.html"):
        path.write_text(with_description(with_mathml(path.read_text("utf-8"))), "utf-8")
    if broken := [*broken_links(SITE)]:
        sys.exit("\n".join(sorted(broken)))


if __name__ == "__main__":
    main()

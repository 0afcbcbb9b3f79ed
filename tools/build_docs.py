"""Build the site of the documentation into ``site/``: static files, without requests elsewhere.

``make docs`` runs this module. A link that leads nowhere ends the build, and so does a docstring
that does not fit its function.
"""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Final

from draw_pictures import draw
from latex2mathml.converter import convert

ROOT: Final = Path(__file__).parent.parent
SITE: Final = ROOT / "site"

# A formula as the Markdown extension leaves it: in a line of its own, or inside a sentence.
FORMULA: Final = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)


def with_mathml(page: str) -> str:
    """Return a page whose formulas are MathML, which browsers draw without a program."""

    def mathml(found: re.Match[str]) -> str:
        display = "block" if found["tag"] == "div" else "inline"
        return str(convert(unescape(found["latex"]).strip(), display=display))

    return FORMULA.sub(mathml, page)


def main() -> None:
    """Draw the pictures and build the site; zensical prints what is wrong."""
    draw()
    program = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    ended = subprocess.run(program, cwd=ROOT, check=False, stdout=PIPE, stderr=STDOUT, text=True)
    print(ended.stdout)
    # Zensical does not count what griffe finds wrong with a docstring.
    if ended.returncode or "griffe: " in ended.stdout:
        sys.exit("the site was not built")
    for path in SITE.rglob("*.html"):
        page = path.read_text("utf-8")
        path.write_text(with_mathml(page), "utf-8")


if __name__ == "__main__":
    main()

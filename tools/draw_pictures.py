"""Draw the pictures of the documentation into ``docs/pictures/``, which git ignores.

The gallery is the list of them: a picture shows what the Python block above it returns, in its last
line. vl-convert draws charts as SVG, Chromium draws tables and pages as PNG.

``python tools/draw_pictures.py --first-page`` draws ``docs/first-page.png``, which git keeps, since
the fonts of each machine make it another file.
"""

from __future__ import annotations

import ast
import base64
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
GALLERY: Final = ROOT / "docs" / "reference" / "gallery.md"
PICTURES: Final = ROOT / "docs" / "pictures"
FIRST_PAGE: Final = ROOT / "docs" / "first-page.png"
OF_FIRST_PAGE: Final = "page-report.png"

BLOCK: Final = re.compile(
    r"```python\n(?P<code>.*?)```(?:\n\n!\[[^\]]*\]\(\.\./pictures/(?P<name>[^)]*)\))?", re.DOTALL
)
"""A block of Python, and the picture that follows, if one does."""

PROGRAMS: Final = ("chromium", "chromedriver")
FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
EDGE: Final = 16
"""The pixels around what is drawn."""
NARROWEST: Final = 720
"""The pixels of a line: what is narrower would be shown larger than the rest."""

BOX: Final = """
document.body.style.padding = arguments[1] + "px";
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x, box.y, box.width, box.height];
"""
ON_PAPER: Final = """<!doctype html><meta charset="utf-8"><style>
body { background: #fff; color: #1d1f22; font: 15px/1.5 sans-serif; margin: 0; }
main { max-width: 720px; } h2 { font-size: 1.3em; } table { border-collapse: collapse; }
main td, main th { border: 1px solid #d5d5d0; font-size: .85em; padding: .3em .6em; }
</style>"""


@dataclass(frozen=True)
class View:
    """Which element of a page is drawn, in a window how wide and high, on a screen or on paper."""

    element: str
    width: int
    height: int
    media: str = "screen"


FIRST_SHEET: Final = View(".pf-first", width=NARROWEST, height=1_020, media="print")
TABLE: Final = View("table", width=1_200, height=1_200)
CARD: Final = View("main", width=NARROWEST, height=900)
SCREEN: Final = View("main", width=960, height=850)


def names() -> list[str]:
    """Every picture that is drawn, by the name of its file."""
    blocks = BLOCK.finditer(GALLERY.read_text("utf-8"))
    return [block["name"] for block in blocks if block["name"]]


def shown() -> Iterator[tuple[str, Any]]:
    """The name of each picture, with the value that it shows."""
    variables: dict[str, Any] = {}
    for block in BLOCK.finditer(GALLERY.read_text("utf-8")):
        code = ast.parse(block["code"])
        last = code.body.pop() if block["name"] else None
        exec(compile(code, GALLERY.name, "exec"), variables)
        if isinstance(last, ast.Expr):
            yield block["name"], eval(ast.unparse(last), variables)


def written(value: Any, path: Path) -> View:
    """Write a page, a table or the Markdown of a model card as HTML, and say what to draw of it."""
    import polars_fairness as pf

    if isinstance(value, str):
        from markdown_it import MarkdownIt

        _, _, text = value.removeprefix("---\n").partition("\n---\n")
        body = MarkdownIt("commonmark").enable("table").render(text)
        path.write_text(f"{ON_PAPER}<main>{body}</main>", "utf-8")
        return CARD
    if hasattr(value, "as_raw_html"):
        path.write_text(ON_PAPER + value.as_raw_html(), "utf-8")
        return TABLE
    value.write_html(path)
    return SCREEN if isinstance(value, pf.Exploration) else FIRST_SHEET


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window, with a profile of its own."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        sys.exit(
            f"the pictures need {' and '.join(missing)}: install what your system calls them, "
            "such as `apt-get install chromium chromium-driver` on Debian and Ubuntu"
        )
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    with TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


def photographed(driver: Any, page: Path, view: View) -> bytes:
    """A PNG of a page, at two dots a pixel."""
    size = {"width": view.width + 2 * EDGE, "height": view.height, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": 2})
    light = {"name": "prefers-color-scheme", "value": "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": view.media, "features": [light]})
    driver.get(page.as_uri())
    x, y, width, height = driver.execute_script(BOX, view.element, EDGE)
    width, height = max(width, NARROWEST), min(height, view.height)
    clip = {"x": x - EDGE, "y": y - EDGE, "width": width + 2 * EDGE, "height": height + 2 * EDGE}
    picture = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True}
    )
    return in_few_colours(base64.b64decode(picture["data"]))


def in_few_colours(picture: bytes) -> bytes:
    """The same PNG with a palette of 256 colours, in half the bytes."""
    from PIL import Image

    smaller = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        image.quantize(dither=Image.Dither.NONE).save(smaller, "png", optimize=True)
    return smaller.getvalue()


def draw(only: str | None = None) -> None:
    """Draw every picture of the gallery, or one of them."""
    PICTURES.mkdir(exist_ok=True)
    with browser() as driver, TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        for name, value in shown():
            path = PICTURES / name
            if only not in (None, name):
                continue
            if path.suffix == ".svg":
                value.save(path)
            else:
                path.write_bytes(photographed(driver, page, written(value, page)))


def main() -> None:
    """Draw all pictures, or the one that git keeps."""
    if sys.argv[1:] == ["--first-page"]:
        draw(OF_FIRST_PAGE)
        shutil.copyfile(PICTURES / OF_FIRST_PAGE, FIRST_PAGE)
    else:
        draw()


if __name__ == "__main__":
    main()

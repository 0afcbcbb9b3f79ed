"""Draw ``docs/first-page.png``, the first page of a report, by Chromium.

The report is the one that README.md writes. Git keeps the picture, since the fonts of each machine
make it another file; it has the digest of the text that it shows, which a test compares.
"""

from __future__ import annotations

import base64
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
FIRST_PAGE: Final = ROOT / "docs" / "first-page.png"
DIGEST: Final = "Digest"
"""The text of the PNG with the digest of what it shows."""
_PAGE: Final = "loans.html"
_BLOCK: Final = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

PROGRAMS: Final = ("chromium", "chromedriver")
FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
EDGE: Final = 16
"""The pixels around what is drawn."""
WIDTH: Final = 720
HEIGHT: Final = 1_020

BOX: Final = """
document.body.style.padding = arguments[0] + "px";
const box = document.querySelector(".pf-first").getBoundingClientRect();
return [box.x, box.y, box.width, box.height];
"""


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window, with a profile of its own."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        sys.exit(
            f"the picture needs {' and '.join(missing)}: install what your system calls them, "
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


def page_of_readme() -> str:
    """The page that the Python of README.md writes."""
    given: dict[str, Any] = {}
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        for block in _BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
            exec(block, given)  # the document of this repository
            if Path(_PAGE).exists():
                return Path(_PAGE).read_text("utf-8")
    raise SystemExit(f"README.md writes no {_PAGE}")


def digest_of(page: str) -> str:
    """The digest of the text on page one."""
    first = page.partition('<section class="pf-first">')[2].partition("</section>")[0]
    text = re.sub(r"<style.*?</style>|<[^>]*>", " ", first, flags=re.DOTALL)
    return sha256(" ".join(text.split()).encode()).hexdigest()


def photographed(driver: Any, page: Path) -> bytes:
    """A PNG of the first page as it is printed, at two dots a pixel."""
    size = {"width": WIDTH + 2 * EDGE, "height": HEIGHT, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": 2})
    light = {"name": "prefers-color-scheme", "value": "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [light]})
    driver.get(page.as_uri())
    x, y, width, height = driver.execute_script(BOX, EDGE)
    width, height = max(width, WIDTH), min(height, HEIGHT)
    clip = {"x": x - EDGE, "y": y - EDGE, "width": width + 2 * EDGE, "height": height + 2 * EDGE}
    picture = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True}
    )
    return in_few_colours(base64.b64decode(picture["data"]), digest_of(page.read_text("utf-8")))


def in_few_colours(picture: bytes, digest: str) -> bytes:
    """The same PNG with a palette of 256 colours, in half the bytes, and a digest."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    smaller, texts = BytesIO(), PngInfo()
    texts.add_text(DIGEST, digest)
    with Image.open(BytesIO(picture)) as image:
        image.quantize(dither=Image.Dither.NONE).save(smaller, "png", optimize=True, pnginfo=texts)
    return smaller.getvalue()


def main() -> None:
    """Draw the first page of the report that README.md writes."""
    with browser() as driver, TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(page_of_readme(), "utf-8")
        FIRST_PAGE.write_bytes(photographed(driver, page))


if __name__ == "__main__":
    main()

"""Draw ``docs/first-page.png``, the first page of a report, by Chromium.

Git keeps it, since the fonts of each machine make it another file.
"""

from __future__ import annotations

import base64
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

FIRST_PAGE: Final = Path(__file__).parent.parent / "docs" / "first-page.png"

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
    return in_few_colours(base64.b64decode(picture["data"]))


def in_few_colours(picture: bytes) -> bytes:
    """The same PNG with a palette of 256 colours, in half the bytes."""
    from PIL import Image

    smaller = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        image.quantize(dither=Image.Dither.NONE).save(smaller, "png", optimize=True)
    return smaller.getvalue()


def main() -> None:
    """Draw the first page of the report that README.md writes."""
    import polars_fairness as pf

    report = pf.report(
        pf.datasets.loans(),
        "di",
        "rd",
        "mh_ratio",
        facet=["sex", "race"],
        favored={"sex": "M", "race": "White"},
        predicted="approved",
        label="repaid",
        subgroup="branch",
    )
    with browser() as driver, TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        report.write_html(page)
        FIRST_PAGE.write_bytes(photographed(driver, page))


if __name__ == "__main__":
    main()

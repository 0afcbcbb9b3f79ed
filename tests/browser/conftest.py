"""A Chromium without a window, or a reason why there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start Chromium with a profile of its own."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    missing += [] if find_spec("selenium") else ["selenium"]
    if missing:
        _do_without(f"{', '.join(missing)} (Debian: chromium, chromium-driver; extra: browser)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    profile: Path = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which finds faults of accessibility in a page."""
    # Of the packages that ship it, the others have one of 2022, or need Python 3.12.
    found = find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        _do_without("axe-playwright-python (extra: browser)")
    return Path(found.origin).with_name("axe.min.js").read_text("utf-8")


def _do_without(needed: str) -> NoReturn:
    if "CI" in os.environ:
        pytest.fail(f"needs {needed}")
    pytest.skip(f"needs {needed}")

"""The table of an answer as a picture, and on the dark page of a notebook."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import polars_fairness as pf

AUDIT: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
}
PNG = b"\x89PNG\r\n\x1a\n"

DARK = """<!doctype html><meta charset="utf-8">
<style>body { background: #111; color: #ddd; } td, th { color: #ddd; }</style>"""

CONTRASTS = """
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const channels = colour => colour.match(/[\\d.]+/g).map(Number);
const paper = element => {
  const colour = channels(getComputedStyle(element).backgroundColor);
  return colour.length === 4 && colour[3] === 0 ? paper(element.parentElement) : colour;
};
return [...document.querySelectorAll("td, th")].map(cell => {
  const [dark, light] = [channels(getComputedStyle(cell).color), paper(cell)].map(luminance)
    .sort((one, other) => one - other);
  return [cell.textContent.trim(), (light + 0.05) / (dark + 0.05)];
});
"""


def audit() -> Any:
    return pf.table(pf.audit(pf.datasets.berkeley(), "di", "mh_ratio", "ci", **AUDIT))


def test_a_table_can_be_read_on_a_dark_page(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "notebook.html").write_text(DARK + audit().as_raw_html(), "utf-8")
    chromium.get((tmp_path / "notebook.html").as_uri())
    contrasts = chromium.execute_script(CONTRASTS)
    assert {"▲ outside", "● within", "no band", "0.682"} <= {text for text, _ in contrasts}
    assert [cell for cell in contrasts if cell[1] < 4.5] == []


@pytest.mark.usefixtures("chromium")
def test_a_table_is_saved_as_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Chromium does not start in its sandbox as root, as in a container.
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec {shutil.which("chromium")} --no-sandbox "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("CHROME_PATH", os.fspath(program))
    audit().gtsave(tmp_path / "audit.png")
    assert (tmp_path / "audit.png").read_bytes().startswith(PNG)

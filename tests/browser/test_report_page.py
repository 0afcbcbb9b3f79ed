"""The page of a report in a real browser."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

BERKELEY: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
}
HOSTILE = """<script>alert(1)</script><img src=x onerror="alert(2)">&amp; "'|ünï码""" + "long" * 20


CELLS = """
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const channels = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
const paper = channels(getComputedStyle(document.querySelector(".pf-report")).backgroundColor);
return [...document.querySelectorAll("td.pf-right, td.pf-wrong")].map(cell => {
  const [red, green, blue, depth = 1] =
    getComputedStyle(cell).backgroundColor.match(/[\\d.]+/g).map(Number);
  const shown = [red, green, blue].map((v, i) => v * depth + paper[i] * (1 - depth));
  const ratios = [cell, ...cell.children].map(text => {
    const [light, dark] = [luminance(shown), luminance(channels(getComputedStyle(text).color))]
      .sort((one, other) => other - one);
    return (light + 0.05) / (dark + 0.05);
  });
  return [cell.firstChild.textContent.trim(), depth, Math.min(...ratios)];
});
"""


@pytest.fixture(scope="module")
def berkeley(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "berkeley.html"
    pf.report(pf.datasets.berkeley(), **BERKELEY).write_html(path)
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    frame = (
        pf.datasets.berkeley()
        .rename({"sex": HOSTILE})
        .with_columns(
            pl.col(HOSTILE).replace("Female", HOSTILE), pl.col("department").replace("A", HOSTILE)
        )
    )
    question = BERKELEY | {"facet": HOSTILE, "disfavored": HOSTILE}
    pf.report(frame, "ddpl", "cddpl", **question).write_html(path)
    return path


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve classes, as many as a map has room for; of each, half is predicted as itself."""
    path = tmp_path_factory.mktemp("page") / "classes.html"
    names = [f"class {i:02}" for i in range(12)]
    frame = pl.DataFrame(
        [
            {"sex": sex, "y": label, "p": predicted, "n": 11 if label == predicted else 1}
            for sex in "FM"
            for label in names
            for predicted in names
        ]
    )
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "label": "y", "count": "n"}
    pf.report(frame, "accuracy_gap", classes="each", confidence=None, **question).write_html(path)
    return path


def show(chromium: Any, path: Path, *, width: int = 1000, scheme: str = "light") -> None:
    for kind in ("browser", "performance"):
        chromium.get_log(kind)  # empties the log of earlier pages
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme_chosen = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme_chosen)
    chromium.get(path.as_uri())


def fetched(chromium: Any) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def test_the_page_loads_nothing_and_logs_nothing(chromium: Any, berkeley: Path) -> None:
    show(chromium, berkeley)
    assert fetched(chromium) == [berkeley.as_uri()]
    assert chromium.get_log("browser") == []
    assert chromium.find_elements("css selector", "script, link, img, iframe") == []
    assert berkeley.stat().st_size < 1_500_000


@pytest.mark.parametrize("width", [360, 768, 1400])
def test_the_page_is_as_wide_as_the_screen(chromium: Any, berkeley: Path, width: int) -> None:
    show(chromium, berkeley, width=width)
    assert chromium.execute_script("return document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [360, 390])
def test_no_table_scrolls_on_a_telephone(chromium: Any, berkeley: Path, width: int) -> None:
    show(chromium, berkeley, width=width)
    boxes = chromium.execute_script(
        "return [...document.querySelectorAll('.pf-box')].map(b => [b.scrollWidth, b.clientWidth])"
    )
    assert boxes
    assert [wide for wide, room in boxes if wide > room] == []


def test_on_a_telephone_each_rate_stands_beside_the_name_of_its_column(
    chromium: Any, berkeley: Path
) -> None:
    show(chromium, berkeley, width=390)
    named = chromium.execute_script(
        "return [...document.querySelectorAll('.pf-rates td:not(.pf-pic)')]"
        ".filter(td => td.closest('tbody')).map(td => ["
        "td.closest('table').rows[0].cells[td.cellIndex].textContent.trim(),"
        " getComputedStyle(td, '::before').content, td.getBoundingClientRect().right])"
    )
    assert [column for column, *_ in named][:2] == ["Rows", "Selection rate"]
    for column, content, _ in named:
        assert content == f'"{column} "'
    assert max(right for *_, right in named) <= 390


@pytest.mark.parametrize("width", [390, 1000])
def test_a_strip_is_as_wide_as_its_cell(chromium: Any, berkeley: Path, width: int) -> None:
    show(chromium, berkeley, width=width)
    strips = chromium.execute_script(
        "return [...document.querySelectorAll('tbody td.pf-pic > svg')]"
        ".filter(s => s.getClientRects().length)"
        ".map(s => [s.getBoundingClientRect().width, s.parentElement.clientWidth])"
    )
    assert strips
    assert [each for each in strips if not 20 < each[0] <= each[1] + 1] == []


def test_names_that_look_like_markup_are_text(chromium: Any, hostile: Path) -> None:
    show(chromium, hostile)
    # An open alert would make this call fail.
    text = chromium.execute_script("return document.body.innerText")
    assert chromium.get_log("browser") == []
    # A name of 155 letters is without its middle.
    assert HOSTILE[:30] in text
    assert chromium.find_elements("css selector", "script, img, [onerror]") == []
    assert HOSTILE[:30] in chromium.title
    keys = chromium.execute_script(
        "return [...document.querySelectorAll('[data-key]')].map(row => row.dataset.key)"
    )
    assert any(HOSTILE[:8] in key for key in keys)


def test_long_names_fit_a_telephone(chromium: Any, hostile: Path) -> None:
    show(chromium, hostile, width=360)
    assert chromium.execute_script("return document.documentElement.scrollWidth") == 360


def test_a_screen_reader_has_a_name_for_every_part(chromium: Any, berkeley: Path) -> None:
    show(chromium, berkeley)
    assert chromium.find_element("tag name", "html").get_attribute("lang") == "en"
    assert len(chromium.find_elements("tag name", "main")) == 1
    assert "Column admitted, by sex" in chromium.title
    tables = chromium.find_elements("tag name", "table")
    assert tables
    for table in tables:
        assert table.find_element("tag name", "caption").text
        scopes = {th.get_attribute("scope") for th in table.find_elements("tag name", "th")}
        assert {"col", "row"} <= scopes <= {"col", "row", "rowgroup"}
    # Tables say what charts and strips draw.
    assert chromium.find_elements("css selector", "main svg:not(svg svg)")
    assert not chromium.find_elements("css selector", "main svg:not([aria-hidden='true'] svg)")
    # Each key of a sentence is one of a row.
    lost = chromium.execute_script(
        "const rows = new Set([...document.querySelectorAll('[data-key]')]"
        ".map(row => row.dataset.key));"
        "return [...document.querySelectorAll('[data-keys]')]"
        ".flatMap(each => each.dataset.keys.split('\\n')).filter(key => !rows.has(key))"
    )
    assert [key for key in lost if not key.startswith("rate/")] == []
    ids = [each.get_attribute("id") for each in chromium.find_elements("css selector", "[id]")]
    assert len(ids) == len(set(ids))


def test_a_narrow_screen_keeps_the_roles_of_tables(chromium: Any, berkeley: Path) -> None:
    """Rows are grids there; browsers of before 2020 dropped the roles of such tables."""
    roles = []
    for width in (360, 1000):
        show(chromium, berkeley, width=width)
        nodes = chromium.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        found = Counter(node["role"]["value"] for node in nodes if not node["ignored"])
        roles.append({role: found[role] for role in ("table", "row", "rowheader")})
    assert roles[0] == roles[1]
    assert roles[0]["rowheader"] > roles[0]["table"] > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1000])
def test_every_cell_of_a_confusion_matrix_can_be_read(
    chromium: Any, classes: Path, scheme: str, width: int
) -> None:
    show(chromium, classes, width=width, scheme=scheme)
    cells = chromium.execute_script(CELLS)
    # 11 of 22 rows of a class are predicted as it, and one as each other; of F, M and all rows.
    numbers = [number.replace("\u202f", " ") for number, *_ in cells]
    assert numbers.count("50.0 %") == 3 * 12
    assert numbers.count("4.5 %") == 3 * 132
    assert {round(depth, 2) for _, depth, _ in cells} == {0.3, 0.03}
    assert [cell for cell in cells if cell[2] < 4.5] == []
    assert chromium.execute_script("return document.documentElement.scrollWidth") == width
    assert chromium.get_log("browser") == []

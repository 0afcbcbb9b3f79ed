"""The page that moves a threshold, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.words import number, share
from tests.browser.test_report_page import HOSTILE, fetched, show

QUESTION: dict[str, Any] = {"facet": "sex", "label": "repaid", "predicted": "score"}
METRICS = ("di", "dppl", "rd")
THRESHOLDS = [0.1, 0.29, 0.3, 0.57, 1 - 0.3, 0.9]

# The numbers of each chart, below its title: what is read aloud, what is seen, and their place.
NUMBERS = """
const charts = [...document.querySelectorAll("svg g[class*=concat_][class*=_group].role-scope")];
return charts.map(chart => [
  chart.querySelector(".role-title-text text").textContent,
  [...chart.querySelectorAll("text[aria-roledescription='text mark']")]
    .map(text => [text.getAttribute("aria-label"), text.textContent]),
]);
"""
MOVE = """
const [at, done] = arguments, slider = document.querySelector("input[name=at]");
slider.value = at;
slider.dispatchEvent(new Event("input"));
setTimeout(done, 200);
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    explored = pf.explore(pf.datasets.loans(), *METRICS, threshold=THRESHOLDS, **QUESTION)
    explored.write_html(path)
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    name = HOSTILE + "\\ \n'"
    frame = pf.datasets.loans().with_columns(
        pl.col("sex", "branch").replace({"F": name, "A": name})
    )
    question = {**QUESTION, "facet": name, "by": pl.col("branch").alias(f"by {name}")}
    own = replace(pf.CATALOGUE["accuracy"], name="own", title=name)
    pf.explore(frame.rename({"sex": name}), *METRICS, own, **question).write_html(path)
    return path


def numbers(chromium: Any) -> dict[str, dict[str, str]]:
    """The numbers of each chart by their names, as they are read aloud and as they are seen."""
    charts = {}
    for title, said in chromium.execute_script(NUMBERS):
        assert all(aloud.endswith(seen) for aloud, seen in said)
        charts[title] = dict(aloud.split(": ") for aloud, _ in said)
    return charts


def expected(threshold: float) -> dict[str, dict[str, str]]:
    """The numbers by the functions of a single threshold."""
    question = {**QUESTION, "threshold": threshold}
    rates = pf.rates(pf.datasets.loans(), **question)
    titles = {"selection_rate": "Selection", "tpr": "True positive", "fpr": "False positive"}
    of_groups = {
        f"{title} rate by sex": {
            value or "All rows": share(rate) for value, rate in rates.select("value", name).rows()
        }
        for name, title in titles.items()
    }
    audit = pf.audit(pf.datasets.loans(), *METRICS, "accuracy", confidence=None, **question)
    values = {
        name: number(value) + ("" if verdict is None else _MARKS[verdict])
        for name, value, verdict in audit.select("metric", "value", "verdict").rows()
    }
    accuracy = {"Accuracy of all rows": {"Accuracy of all rows": values.pop("accuracy")}}
    return {**of_groups, "sex: F against M": values, **accuracy}


_MARKS = {
    "within": " ● within",
    "outside": " ▲ outside",
}


def without_bands(charts: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {
        title: {name.split(" (")[0]: text for name, text in texts.items()}
        for title, texts in charts.items()
    }


@pytest.mark.parametrize("at", range(len(THRESHOLDS)))
def test_the_slider_shows_the_numbers_of_each_threshold(chromium: Any, page: Path, at: int) -> None:
    show(chromium, page)
    chromium.execute_async_script(MOVE, at)
    (accepted,) = chromium.find_elements("css selector", "input[name=threshold]")
    assert float(accepted.get_attribute("value")) == THRESHOLDS[at]
    found = without_bands(numbers(chromium))
    assert {title: found[title] for title in expected(THRESHOLDS[at])} == expected(THRESHOLDS[at])


def test_keys_move_the_slider_to_the_next_threshold(chromium: Any, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(chromium, page)
    slider = chromium.find_element("css selector", "input[name=at]")
    accepted = chromium.find_element("css selector", "input[name=threshold]")
    seen = []
    slider.send_keys(Keys.HOME)
    for _ in THRESHOLDS:
        chromium.execute_async_script("setTimeout(arguments[0], 100)")
        seen.append(float(accepted.get_attribute("value")))
        slider.send_keys(Keys.ARROW_RIGHT)
    assert seen == THRESHOLDS


def test_a_window_can_be_chosen(chromium: Any, hostile: Path) -> None:
    from selenium.webdriver.support.ui import Select

    show(chromium, hostile)
    choice = Select(chromium.find_element("css selector", "select[name=window]"))
    accepted = chromium.find_element("css selector", "input[name=threshold]")
    threshold = float(accepted.get_attribute("value"))
    loans = pf.datasets.loans()
    assert len(choice.options) == loans["branch"].n_unique()
    for i, branch in enumerate(sorted(loans["branch"].unique())):
        choice.select_by_index(i)
        chromium.execute_async_script("setTimeout(arguments[0], 200)")
        rates = pf.rates(loans.filter(branch=branch), threshold=threshold, **QUESTION)
        rate = rates.filter(value="M")["selection_rate"].item()
        charts = chromium.execute_script(NUMBERS)
        assert f"M: {share(rate)}" in [aloud for aloud, _ in charts[1][1]]


def test_the_page_loads_nothing_and_logs_nothing(chromium: Any, page: Path) -> None:
    show(chromium, page)
    assert fetched(chromium) == [page.as_uri()]
    assert chromium.get_log("browser") == []
    assert chromium.find_elements("css selector", "link, img, iframe, a, details") == []
    assert page.stat().st_size < 380_000


def test_names_that_look_like_markup_are_text(chromium: Any, hostile: Path) -> None:
    show(chromium, hostile)
    # An open alert would make this call fail.
    text = chromium.execute_script("return document.body.innerText")
    assert chromium.get_log("browser") == []
    assert chromium.find_elements("css selector", "img, [onerror]") == []
    assert len(chromium.find_elements("css selector", "script")) == 1
    # Long names are without their middle.
    begin = HOSTILE[:25]
    assert begin in text
    assert begin in chromium.title
    said = [aloud for _, numbers in chromium.execute_script(NUMBERS) for aloud, _ in numbers]
    assert any(aloud.startswith(begin) for aloud in said)


@pytest.mark.parametrize("width", [360, 400, 768, 1400])
@pytest.mark.parametrize("name", ["page", "hostile"])
def test_the_page_is_as_wide_as_the_screen(
    chromium: Any, name: str, width: int, request: pytest.FixtureRequest
) -> None:
    show(chromium, request.getfixturevalue(name), width=width)
    assert chromium.execute_script("return document.documentElement.scrollWidth") == width
    drawn = chromium.find_element("tag name", "svg")
    # Not shrunk by more than a tenth, so that the text can be read.
    assert drawn.rect["width"] > 0.9 * float(drawn.get_dom_attribute("width"))

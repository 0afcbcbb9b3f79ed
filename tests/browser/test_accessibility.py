"""Pages without a fault of accessibility that axe-core knows of, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.browser.test_report_page import BERKELEY, HOSTILE, show
from tests.frames import shared

# Rules of the guidelines up to level AA, and rules that are good practice, such as landmarks.
RUN: Final = """
const done = arguments[0];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
axe.run({ runOnly: tags, resultTypes: ["violations"] }).then(
  results => done(results.violations.map(each => [each.id, each.nodes.map(node => node.html)])),
  error => done([["error", [String(error)]]]),
);
"""
LOANS: Final[dict[str, Any]] = {"facet": "sex", "label": "repaid", "predicted": "approved"}
SCORES: Final[dict[str, Any]] = {"facet": "sex", "label": "repaid", "predicted": "score"}
QUARTER: Final = pl.col("decided_on").dt.truncate("1q").alias("quarter")


def of_loans(*metrics: str, **question: Any) -> pf.Report:
    return pf.report(pf.datasets.loans(), *metrics, **question)


def hostile() -> pf.Report:
    departments = pl.col("department").replace("A", HOSTILE)
    frame = pf.datasets.berkeley().with_columns(departments, sex=pl.col("sex") + HOSTILE)
    question = BERKELEY | {"facet": HOSTILE, "disfavored": f"Female{HOSTILE}"}
    return pf.report(frame.rename({"sex": HOSTILE}), "di", "ddpl", "cddpl", **question)


def forty_groups() -> pf.Report:
    group = pl.format("{} {}", "branch", pl.col("income") // 100 % 8).alias("group")
    return of_loans("di", **LOANS | {"facet": group})


def models() -> pf.Report:
    given = {"now": "score", "new": pl.col("score").sqrt().alias("root")}
    question = {**SCORES, "predicted": given, "threshold": 0.5, "champion": "now"}
    return of_loans("di", "rd", **question)


PAGES: Final[Mapping[str, Callable[[], pf.Report | pf.Exploration]]] = {
    "berkeley": lambda: pf.report(pf.datasets.berkeley(), **BERKELEY),
    "facets": lambda: of_loans(**LOANS | {"facet": ["sex", "race"]}),
    "windows": lambda: of_loans("di", "cddpl", by=QUARTER, subgroup="branch", **LOANS),
    "baseline": lambda: of_loans("di", "rd", by=QUARTER, baseline="previous", **LOANS),
    "models": models,
    "strata": lambda: of_loans("di", "cddpl", subgroup="branch", **LOANS),
    "scores": lambda: of_loans("di", "rd", threshold=0.5, **SCORES),
    "hostile": hostile,
    "one group": lambda: pf.report(pf.datasets.loans().filter(sex="F"), "di", **LOANS),
    "forty groups": forty_groups,
    "no rows": lambda: pf.report(pf.datasets.loans().clear(), "di", **LOANS),
    "explorer": lambda: pf.explore(pf.datasets.loans(), "di", "rd", by="branch", **SCORES),
}

PRESCRIBED: Final[Mapping[str, Callable[[], Any]]] = {
    "bias audit": lambda: pf.hiring.report(
        pf.datasets.loans(),
        sex="sex",
        race="race",
        selected="approved",
        audit_date="2026-11-22",
        data="Loans in place of applicants.",
        distribution_date="2026-01-31",
    ),
    "lending": lambda: pf.lending.report(
        pf.datasets.loans(),
        facet=["sex", "race"],
        favored=pf.HIGHEST,
        score="score",
        threshold=0.5,
        resolution=0.1,
        subgroup="branch",
    ),
}


# These have each part of a page; the night sees the others too.
BY_DAY: Final = {"facets", "models", "hostile", "explorer", "bias audit"}


def by_day(name: str, names: Collection[str] = BY_DAY) -> Any:
    return pytest.param(name, marks=[pytest.mark.nightly] * (name not in names))


@pytest.fixture(scope="module", params=[*map(by_day, [*PAGES, *PRESCRIBED])])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    texts = {"notes": "# Why\n\n- *so*"} if request.param == "in full" else {}
    {**PAGES, **PRESCRIBED}[request.param]().write_html(path, **texts)
    return path


def faults(chromium: Any, axe: str) -> list[tuple[str, list[str]]]:
    """The rules that the shown page breaks, each with the elements that break it."""
    chromium.execute_script(axe)
    return [(rule, elements) for rule, elements in chromium.execute_async_script(RUN)]


# Colours depend on the scheme and the layout on the width, so each is seen once.
@pytest.mark.parametrize(("width", "scheme"), [(1000, "light"), (400, "dark")])
def test_a_page_has_no_faults(chromium: Any, axe: str, page: Path, width: int, scheme: str) -> None:
    show(chromium, page, width=width, scheme=scheme)
    assert faults(chromium, axe) == []


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        ('<html lang="en">', "<html>", "html-has-lang"),
        ("--pf-ink:#16181b", "--pf-ink:#c0c0c0", "color-contrast"),
        ('scope="row"', 'scope="rows"', "scope-attr-valid"),
        ("<h2", "<h4", "heading-order"),
        ("<main", "<div", "landmark-one-main"),
    ],
)
def test_a_fault_is_found(
    chromium: Any, axe: str, tmp_path: Path, right: str, wrong: str, rule: str
) -> None:
    path = tmp_path / "page.html"
    shared(pf.report, pf.datasets.berkeley(), "di", **BERKELEY).write_html(path)
    sound = path.read_text("utf-8")
    assert right in sound
    path.write_text(sound.replace(right, wrong), "utf-8")
    show(chromium, path)
    assert rule in [rule for rule, _ in faults(chromium, axe)]

"""A report on the page of a notebook, whose own rules for tables and texts leave it as it is.

The rules are those of the front ends, as far as they name elements that a report has.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

import polars_fairness as pf
from tests.browser.test_report_page import BERKELEY, show
from tests.frames import shared

JUPYTERLAB: Final = """
.jp-RenderedHTMLCommon { font-family: serif; font-size: 14px; line-height: 1.6; }
.jp-RenderedHTMLCommon h1 { font-size: 2.3em; margin: .6em 0; font-weight: bold; }
.jp-RenderedHTMLCommon ol, .jp-RenderedHTMLCommon ul { padding-left: 3em; }
.jp-RenderedHTMLCommon table { border: none; color: olive; font-size: 12px; table-layout: fixed;
  margin-left: auto; margin-bottom: 1em; margin-right: auto; }
.jp-RenderedHTMLCommon thead { border-bottom: 1px solid red; vertical-align: bottom; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr {
  vertical-align: middle; padding: .5em; line-height: normal; white-space: normal;
  max-width: none; border: none; }
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td,
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon th,
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon tr { text-align: right; }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: silver; }
.jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: gray; }
.jp-RenderedHTMLCommon p { text-align: left; margin: 0 0 1em; }
.jp-RenderedHTMLCommon a:link { color: teal; }
"""
CLASSIC: Final = """
html { font-size: 10px; }
* { box-sizing: border-box; }
.rendered_html { color: #000; }
.rendered_html table { margin-left: auto; font-size: 12px; table-layout: fixed; }
.rendered_html thead { border-bottom: 1px solid black; vertical-align: bottom; }
.rendered_html tr, .rendered_html th, .rendered_html td { text-align: right;
  vertical-align: middle; padding: .5em; line-height: normal; max-width: none; border: none; }
.rendered_html tbody tr:nth-child(odd) { background: #f5f5f5; }
.rendered_html :link { text-decoration: underline; color: blue; }
.rendered_html * + p { margin-top: 1em; }
small { font-size: 85%; }
"""
VSCODE: Final = """
body { font-family: monospace; font-size: 13px; }
table, thead, tr, th, td, tbody { border: none !important; border-spacing: 0; }
table, th, tr { vertical-align: middle; text-align: right; }
thead { font-weight: bold; background-color: rgba(130, 130, 130, 0.16); }
th, td { padding: 4px 8px; }
tr:nth-child(even) { background-color: rgba(130, 130, 130, 0.08); }
tbody th { font-weight: normal; }
"""
MARIMO: Final = """
*, ::before, ::after { box-sizing: border-box; border: 0 solid gray; }
h1, h2, h3 { font-size: inherit; font-weight: inherit; }
h1, h2, h3, p, figure { margin: 0; }
ol, ul { list-style: none; margin: 0; padding: 0; }
a { color: inherit; text-decoration: inherit; }
svg { display: block; vertical-align: middle; }
"""
COLAB: Final = """
th, td { padding: 0 1em; text-align: right; }
table { font-size: 13px; }
"""
# The rules of a front end, the ways in which it says light and dark, and the class of an output.
FRONT_ENDS: Final[dict[str, tuple[str, str, str, str]]] = {
    "JupyterLab": (
        JUPYTERLAB,
        '<html><body data-jp-theme-light="true">',
        '<html><body data-jp-theme-light="false">',
        "jp-RenderedHTMLCommon jp-RenderedHTML",
    ),
    "Notebook 6": (CLASSIC, "<html><body>", "", "rendered_html"),
    "VS Code": (
        VSCODE,
        '<html><body class="vscode-light" data-vscode-theme-kind="vscode-light">',
        '<html><body class="vscode-dark" data-vscode-theme-kind="vscode-dark">',
        "output",
    ),
    "VS Code with high contrast": (
        VSCODE,
        '<html><body data-vscode-theme-kind="vscode-high-contrast-light">',
        '<html><body data-vscode-theme-kind="vscode-high-contrast">',
        "output",
    ),
    "marimo": (
        MARIMO,
        '<html><body class="light light-theme">',
        '<html><body class="dark dark-theme">',
        "contents",
    ),
    "Colab": (
        COLAB,
        '<html theme="default"><body>',
        '<html theme="dark"><body>',
        "output_subarea",
    ),
}
WITH_THEMES: Final = [name for name, (_, _, dark, _) in FRONT_ENDS.items() if dark]
OUTSIDE: Final = """
<h1>Mine</h1><p>A <a href="#">link</a> and <small>more</small></p><ul><li>one</li></ul>
<table><caption>t</caption><thead><tr><th>h</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>
"""
LOOKS: Final = """
const [within] = arguments, properties = [
  "backgroundColor", "borderBottomColor", "borderBottomStyle", "borderBottomWidth",
  "borderTopStyle", "boxSizing", "color", "display", "fontFamily", "fontSize", "fontWeight",
  "letterSpacing", "lineHeight", "listStyleType", "marginBottom", "marginLeft", "marginTop",
  "maxWidth", "minWidth", "paddingBottom", "paddingLeft", "paddingRight", "paddingTop",
  "tableLayout", "textAlign", "textDecorationLine", "verticalAlign", "whiteSpace",
];
const elements = document.querySelectorAll(within + " *:not(svg, svg *, style, wbr)");
return [...elements].map(element => {
  const style = getComputedStyle(element);
  return [element.tagName, element.className, ...properties.map(name => style[name])];
});
"""
COLOURS: Final = """
const { backgroundColor, color } = getComputedStyle(document.querySelector(".pf-report"));
return [backgroundColor, color];
"""


PAPER_AND_INK: Final = {
    "light": ["rgb(255, 255, 255)", "rgb(22, 24, 27)"],
    "dark": ["rgb(22, 24, 27)", "rgb(232, 232, 228)"],
}


@pytest.fixture(scope="module")
def report() -> pf.Report:
    return pf.report(pf.datasets.berkeley(), "di", "ddpl", "cddpl", **BERKELEY)


def notebook(folder: Path, name: str, theme: str, output: str) -> Path:
    rules, light, dark, look = FRONT_ENDS[name]
    path = folder / "notebook.html"
    opening = dark if theme == "dark" else light
    page = (
        f'<!doctype html>{opening}<meta charset="utf-8"><style>{rules}</style>'
        f'<section id="outside">{OUTSIDE}</section><div class="{look}">{output}</div>'
    )
    path.write_text(page, "utf-8")
    return path


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_a_report_looks_in_a_notebook_as_on_its_page(
    chromium: Any, report: pf.Report, tmp_path: Path, name: str
) -> None:
    report.write_html(tmp_path / "page.html")
    show(chromium, tmp_path / "page.html")
    on_page = chromium.execute_script(LOOKS, "main.pf-report")
    show(chromium, notebook(tmp_path, name, "light", report._repr_html_()))
    in_notebook = chromium.execute_script(LOOKS, "div.pf-report")
    assert len(on_page) > 100
    assert [pair for pair in zip(on_page, in_notebook, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_a_report_leaves_the_notebook_as_it_is(
    chromium: Any, report: pf.Report, tmp_path: Path, name: str
) -> None:
    show(chromium, notebook(tmp_path, name, "light", ""))
    without = chromium.execute_script(LOOKS, "#outside")
    show(chromium, notebook(tmp_path, name, "light", report._repr_html_()))
    assert chromium.execute_script(LOOKS, "#outside") == without != []


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", WITH_THEMES)
def test_the_theme_of_the_notebook_counts_and_not_that_of_the_system(
    chromium: Any, report: pf.Report, tmp_path: Path, name: str, theme: str, system: str
) -> None:
    show(chromium, notebook(tmp_path, name, theme, report._repr_html_()), scheme=system)
    assert chromium.execute_script(COLOURS) == PAPER_AND_INK[theme]


@pytest.mark.parametrize("system", ["light", "dark"])
def test_without_a_theme_of_the_notebook_that_of_the_system_counts(
    chromium: Any, report: pf.Report, tmp_path: Path, system: str
) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f'<!doctype html><meta charset="utf-8">{report._repr_html_()}', "utf-8")
    show(chromium, path, scheme=system)
    assert chromium.execute_script(COLOURS) == PAPER_AND_INK[system]


def test_reports_in_one_notebook_have_ids_of_their_own(
    chromium: Any, report: pf.Report, tmp_path: Path
) -> None:
    other = shared(pf.report, pf.datasets.berkeley(), "di", **BERKELEY)
    both = report._repr_html_() + other._repr_html_()
    show(chromium, notebook(tmp_path, "JupyterLab", "light", both))
    ids = chromium.execute_script("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)) > 10
    missing = chromium.execute_script(
        "return [...document.querySelectorAll('[href], [headers]')].flatMap(e =>"
        " (e.getAttribute('headers') ?? e.getAttribute('href').slice(1)).split(' '))"
        ".filter(id => id && !document.getElementById(id))"
    )
    assert missing == []

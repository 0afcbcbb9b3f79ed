"""The style of a report on the page of a notebook, which has rules of its own for tables and texts.

The rules of the page do not reach the report, and those of the report reach nothing else.
"""

from __future__ import annotations

import re
from typing import Final

from polars_fairness.reporting.colours import DARK, LIGHT, values_of

_ROOT: Final = ".pf-report"
_OWN: Final = """\
.pf-report { all: initial; display: block; }
.pf-report :where(:not(svg, svg *)) { all: revert; }
"""
"""Each element as a browser shows it without any rule; parts of charts have attributes instead."""

# JupyterLab and nbconvert; VS Code, twice; marimo; Colab.
_DARK_PAGES: Final = (
    '[data-jp-theme-light="false"], [data-vscode-theme-kind="vscode-dark"], '
    '[data-vscode-theme-kind="vscode-high-contrast"], .dark-theme, html[theme="dark"]'
)
_LIGHT_PAGES: Final = (
    '[data-jp-theme-light="true"], [data-vscode-theme-kind$="light"], .light-theme, '
    'html[theme]:not([theme="dark"])'
)
_REM: Final = re.compile(r"([\d.]+)rem\b")


def style_in_notebook(style: str) -> str:
    """The style of a page as that of an element in another page."""
    themes = "".join(
        f":is({pages}) .pf-report {{\ncolor-scheme: {scheme};\n{values_of(colours)}}}\n"
        for pages, scheme, colours in (
            (_LIGHT_PAGES, "light", LIGHT),
            (_DARK_PAGES, "dark", DARK),
        )
    )
    # Lengths that depend on the root of the page: 10 pixels are its letters in older notebooks.
    own = _REM.sub(lambda found: f"{16 * float(found[1]):g}px", style)
    # JupyterLab's rules for cells name two classes, and would win over rules that name one.
    return f"{_OWN}{own}@media screen {{\n{themes}}}\n".replace(_ROOT, 3 * _ROOT)

"""The pictures of the documents: one of every table, chart and page, with words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import draw_pictures
import pytest

from polars_fairness.api.functions import FUNCTIONS, PRESCRIBED
from polars_fairness.reporting.shown.figures import FIGURES
from polars_fairness.reporting.shown.layouts import LAYOUTS
from tests.documents import DOCUMENTS


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_pictures_have_words_for_readers_who_do_not_see_them(path: Path) -> None:
    alternatives = re.findall(r"!\[([^\]]*)\]\(", path.read_text("utf-8"))
    assert [text for text in alternatives if len(text.split()) < 6] == []


@pytest.mark.parametrize(("beginning", "kinds"), [("chart", FIGURES), ("table", LAYOUTS)])
def test_every_kind_of_answer_has_a_picture(beginning: str, kinds: Mapping[str, Any]) -> None:
    pictures = draw_pictures.names()
    assert len({*pictures}) == len(pictures)
    for kind in kinds:
        assert any(
            re.match(rf"{beginning}_{kind}[_.]", name.replace("-", "_")) for name in pictures
        ), kind


def test_every_page_has_a_picture() -> None:
    gallery = draw_pictures.GALLERY.read_text("utf-8")
    functions = {f"pf.{name}": function for name, function in FUNCTIONS.items() if name != "of"}
    for module, prescribed in PRESCRIBED.items():
        functions |= {f"pf.{module}.{name}": function for name, function in prescribed.items()}
    pages = [name for name, function in functions.items() if returns_a_page(function)]
    assert pages
    assert [name for name in pages if f"\n{name}(" not in gallery] == []


def returns_a_page(function: Any) -> bool:
    """Whether a function says that it returns something of its own, no frame and no metric."""
    returned = str(inspect.signature(function).return_annotation)
    return "Frame" not in returned and returned != "Any"

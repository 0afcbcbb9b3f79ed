"""The pictures of the documents have words, and are in the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from draw_pictures import DIGEST, FIRST_PAGE, digest_of, page_of_readme

from tests.documents import DOCUMENTS
from tests.paths import ROOT


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_pictures_have_words_for_readers_who_do_not_see_them(path: Path) -> None:
    alternatives = re.findall(r"!\[([^\]]*)\]\(", path.read_text("utf-8"))
    assert [text for text in alternatives if len(text.split()) < 6] == []


def test_pictures_are_in_the_repository() -> None:
    """A code host shows the pages as they are, without what a build draws."""
    pictures = {
        (path.parent / link).resolve()
        for path in DOCUMENTS
        for link in re.findall(r"!\[[^\]]*\]\((?!https?:)([^)]+)\)", path.read_text("utf-8"))
    }
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert pictures
    assert pictures <= {ROOT / name for name in listed.stdout.splitlines()}


@pytest.mark.extras
def test_the_picture_of_the_readme_shows_the_page_that_it_writes() -> None:
    """`tools/draw_pictures.py` draws it again."""
    assert f"{DIGEST}\x00{digest_of(page_of_readme())}".encode() in FIRST_PAGE.read_bytes()

"""Words that have to be read twice stay out of code, documents and messages."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
UNCLEAR = re.compile(r"\b(nobody|everybody|told|asked|whom|of which)\b", re.IGNORECASE)

# The first names these words to advise against them; the other looks for them.
WITHOUT = (ROOT / "CONTRIBUTING.md", Path(__file__))


def test_unclear_words_are_not_used() -> None:
    folders = [ROOT / name for name in ("polars_fairness", "tests", "docs", "benchmarks", "tools")]
    texts = [path for folder in folders for path in folder.rglob("*.*") if not path.is_dir()]
    texts = [path for path in [*texts, *ROOT.glob("*.md")] if path.suffix in (".py", ".pyi", ".md")]
    assert len(texts) > 200
    found = {
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in texts
        if path not in WITHOUT
        for line in path.read_text("utf-8").splitlines()
        if UNCLEAR.search(line)
    }
    assert found == set()

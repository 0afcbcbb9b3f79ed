"""Write the answers anew that tests/golden/ compares, and say which moved."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.golden.answers import FILE, SHOWN, answers, differences, write, written

now = answers()
if FILE.exists():
    moved = differences(written(), now)
    print(*moved[:SHOWN], f"{len(moved)} of {len(now)} numbers moved.", sep="\n")
write(now)

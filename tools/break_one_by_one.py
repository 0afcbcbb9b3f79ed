"""Apply the breaks of tests/golden/breaks.toml one by one, and print what catches each.

Each break is applied to a copy of the package. A break of the statistics names questions, which are
answered first, then all of them; a break of what stands above the answers names a test, which is
run. With words as arguments, only breaks are applied whose text has one of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parent.parent
BREAKS: Final = ROOT / "tests" / "golden" / "breaks.toml"
IN_COPY: Final = """
import sys
from tests.golden.answers import answers, differences, written
from tests.golden.questions import questions
put = [each for each in questions() if each.name.startswith(sys.argv[1])]
names = {each.name for each in put}
then = {place: value for place, value in written().items() if place.question in names}
assert then, f"no question begins with {sys.argv[1]!r}"
moved = differences(then, answers(put))
if moved:
    print(f"{len(moved)} numbers; {moved[0]}")
"""


def breaks() -> list[dict[str, str]]:
    """The breaks, as the file has them."""
    found: list[dict[str, str]] = tomllib.loads(BREAKS.read_text(encoding="utf-8"))["break"]
    return found


def broken(text: str, each: dict[str, str]) -> str:
    """The text of a file with a break; raise unless what it replaces occurs once."""
    if (times := text.count(each["old"])) != 1:
        raise SystemExit(f"{each['what']}: {each['old']!r} occurs {times} times in {each['file']}")
    return text.replace(each["old"], each["new"])


def caught_by(copy: Path, each: dict[str, str]) -> str:
    """What shows that this copy is broken; nothing if all is as it was."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=copy, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    if test := each.get("test"):
        done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", test)
        if done.returncode > 1:
            raise SystemExit(f"{each['what']}: {test} did not run: {done.stdout}{done.stderr}")
        return f"the test {test}" if done.returncode else ""
    for question in (each["question"], ""):
        done = run("-c", IN_COPY, question)
        if done.returncode:
            return f"an error: {done.stderr.strip().splitlines()[-1]}"
        if done.stdout:
            return done.stdout.strip()
    return ""


def main(words: list[str]) -> int:
    """Print a line for each break; the number of those that nothing caught."""
    missed = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        ignored = shutil.ignore_patterns("__pycache__")
        for part in ("polars_fairness", "tests", "tools"):
            shutil.copytree(ROOT / part, copy / part, ignore=ignored)
        for file in ("_polars_fairness.py", "pyproject.toml"):
            shutil.copy(ROOT / file, copy / file)
        for each in breaks():
            if words and not any(word in each["what"] for word in words):
                continue
            path = copy / "polars_fairness" / each["file"]
            whole = path.read_text(encoding="utf-8")
            path.write_text(broken(whole, each), encoding="utf-8")
            caught = caught_by(copy, each)
            path.write_text(whole, encoding="utf-8")
            missed += not caught
            print(f"{each['what']} | {caught or 'NOT CAUGHT'}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

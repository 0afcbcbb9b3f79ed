"""Build the wheel and the sdist, and try the wheel alone, as a new user does.

``python tools/check_distribution.py DIST PYTHON`` writes both into the empty folder DIST, with a
bill of materials of the wheel and what it brings with it, and installs the wheel for PYTHON, which
belongs to an empty environment.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from email.parser import HeaderParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from packaging.metadata import Metadata

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = "polars_fairness"
MOST_BYTES: Final = 1_010_000

_README: Final = (ROOT / "README.md").read_text("utf-8")


def main(dist: Path, python: Path) -> None:
    """Build, check and try the distribution, and print what was found."""
    _run([sys.executable, "-m", "hatchling", "build", "-d", str(dist)])
    [wheel], [sdist] = dist.glob("*.whl"), dist.glob("*.tar.gz")
    faults = [*faults_of_wheel(wheel), *faults_of_sdist(sdist, wheel)]
    if faults:
        raise SystemExit("\n".join(faults))
    _run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", str(wheel)])
    try_readme(python)
    bill = dist / f"{PACKAGE}.cdx.json"
    listed = json.loads(_run([sys.executable, "-m", "cyclonedx_py", "environment", str(python)]))
    for component in listed["components"]:
        # Where on this machine the wheel was is of no use elsewhere.
        component.pop("externalReferences", None)
    bill.write_text(json.dumps(listed, indent=2), "utf-8")
    for path in (wheel, sdist, bill):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def faults_of_wheel(wheel: Path) -> Iterator[str]:
    """Yield a line for each thing that is wrong with the files or the metadata of a wheel."""
    if wheel.stat().st_size > MOST_BYTES:
        yield f"{wheel.name}: {wheel.stat().st_size:,} bytes, more than {MOST_BYTES:,}"
    with ZipFile(wheel) as files:
        names = files.namelist()
        [metadata] = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = files.read(metadata).decode()
    information = metadata.removesuffix("METADATA")
    program = f"_{PACKAGE}.py"  # beside the package, whose import loads polars
    for name in names:
        if not name.startswith((f"{PACKAGE}/", program, information)) or Path(name).name.startswith(
            "test_"
        ):
            yield f"{wheel.name}: {name} does not belong into it"
    for name in (f"{PACKAGE}/py.typed", f"{information}licenses/LICENSE"):
        if name not in names:
            yield f"{wheel.name}: {name} is missing"
    # It is an error if any field is not as the standard wants it.
    found = Metadata.from_email(text, validate=True)
    if HeaderParser().parsestr(text).get_payload() != _README:
        yield f"{wheel.name}: its description is not README.md"
    if found.license_expression is None or found.requires_python is None:
        yield f"{wheel.name}: the license or the version of Python is missing"


def faults_of_sdist(sdist: Path, wheel: Path) -> Iterator[str]:
    """Yield a line for each file that the sdist lacks, or has otherwise than the wheel."""
    with ZipFile(wheel) as files:
        of_wheel = {name: files.read(name) for name in files.namelist()}
    with tarfile.open(sdist) as archive:
        members = {member.name.partition("/")[2]: member for member in archive}
        # Tests read pages, workflows and tools, so that an sdist tests itself with all of them.
        for name in _run(["git", "ls-files"]).splitlines():
            if name not in members:
                yield f"{sdist.name}: {name} is missing"
        for name, content in of_wheel.items():
            member = members.get(name)
            found = None if member is None else archive.extractfile(member)
            if ".dist-info/" not in name and (found is None or found.read() != content):
                yield f"{sdist.name}: {name} is not that of the wheel"


def try_readme(python: Path) -> None:
    """Run the first example of the README and its command, in a folder without other files."""
    example, *more = _blocks("python")
    [save] = (line for block in more for line in block.splitlines() if "write_parquet" in line)
    _, command = _blocks("sh")[0].replace("\\\n", "").splitlines()
    with TemporaryDirectory() as folder:
        # Isolated, so that the package is not imported from a clone.
        found = _run([str(python), "-I", "-c", f"{example}\n{save}"], folder)
        _expect(_blocks("text")[0], found)
        program = [str(python.parent / "polars-fairness"), *shlex.split(command)[1:]]
        # The verdict is unfair, and the README says what the exit code is then.
        _expect("outside", _run(program, folder, code=1))


def _blocks(language: str) -> list[str]:
    """The blocks of the README in a language."""
    return re.findall(rf"```{language}\n(.*?)```", _README, re.DOTALL)


def _expect(words: str, printed: str) -> None:
    if words not in printed:
        raise SystemExit(f"README.md: expected\n{words}\nbut found\n{printed}")


def _run(command: Sequence[str], folder: str | Path = ROOT, code: int = 0) -> str:
    """What a command prints; it is an error if it ends with another exit code."""
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode != code:
        raise SystemExit(
            f"{shlex.join(command)}: exit code {ended.returncode}, not {code}\n"
            f"{ended.stdout}{ended.stderr}"
        )
    return ended.stdout


if __name__ == "__main__":
    main(*(Path(each).absolute() for each in sys.argv[1:]))

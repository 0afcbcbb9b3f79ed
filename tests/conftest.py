"""How test data is drawn, the tests that one process runs together, and the command line.

Data is drawn anew on every run, but is the same on every run of the CI.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from polars_fairness.cli import main

# CI draws the same examples every time, so more of them find little there; elsewhere each run draws
# others. What few runs would find, `make nightly` does.
settings.register_profile(
    "steady",
    max_examples=12,
    derandomize="CI" in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# A few examples, for `make quick` and for the oldest version of polars.
settings.register_profile("few", settings.get_profile("steady"), max_examples=6)
settings.register_profile(
    "many", settings.get_profile("steady"), max_examples=100, derandomize=False
)
settings.load_profile("steady")

# Run by `make indicators`, `make places` and `make gpu` only.
OF_OTHER_ENVIRONMENTS = {
    "indicators": "tensorflow_model_analysis",
    "places": "dagster",
    "gpu": "cudf_polars",
}
collect_ignore = [each for each, needed in OF_OTHER_ENVIRONMENTS.items() if not find_spec(needed)]

TESTS = Path(__file__).parent

# Each process that draws charts would wait 4 seconds for its grammar: altair imports jsonschema,
# which checks international addresses by it where Jupyter has brought it, and no test has one.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


@cache
def imports_what_is_missing(path: Path) -> bool:
    """Whether a file, or a file of tests that it imports, needs a package that is not installed."""
    names = [
        f"{node.module}.{each.name}" if isinstance(node, ast.ImportFrom) else each.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for each in node.names
    ]
    return any(map(is_missing, names))


def is_missing(name: str) -> bool:
    """Whether a module is not installed, or of tests, imports one that is not."""
    package, *below = name.split(".")
    if package != TESTS.name:
        return find_spec(package) is None
    # The last word is a file, or a name in one.
    files = [TESTS.joinpath(*words).with_suffix(".py") for words in (below, below[:-1]) if words]
    return any(file.is_file() and imports_what_is_missing(file) for file in files)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out, as `make quick` does, files that import what it does without."""
    is_quick = "not extras" in config.getoption("markexpr") and collection_path.suffix == ".py"
    return (is_quick and imports_what_is_missing(collection_path)) or None  # other rules decide


# One process runs all tests of each of these folders, so that Spark and Chromium are started
# once, and the values of peers are computed once.
TOGETHER = ("browser", "engines", "peers")


# Last, so that hypothesis has marked its tests.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure coverage where it costs little: without browsers, peers and engines but DuckDB, whose
    own code it slows by half; and without properties, which run the same lines for each of their
    examples."""
    for item in items:
        is_slowed = item.path.parent.name in TOGETHER and "duckdb" not in item.name
        if is_slowed or item.get_closest_marker("hypothesis"):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process single tests, but the folders of `TOGETHER` as a whole."""
    from xdist.scheduler import LoadScopeScheduling

    class OneFolderOrTest(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            folder = Path(nodeid.partition("::")[0]).parent.name
            return folder if folder in TOGETHER else nodeid

    return OneFolderOrTest(config, log)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command line with some words; returns its exit code, stdout and stderr."""

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


@pytest.fixture(scope="session")
def printer() -> None:
    """Skip a test without WeasyPrint, its system library or pypdf; in CI, let it fail."""
    try:
        import_module("weasyprint")
        import_module("pypdf")
    except (ImportError, OSError) as missing:
        reason = f"needs the extra test, and Pango (Debian: libpangoft2-1.0-0): {missing}"
        if "CI" in os.environ:
            pytest.fail(reason)
        pytest.skip(reason)

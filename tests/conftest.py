"""How test data is drawn, the tests that one process runs together, and the command line.

Data is drawn anew on every run, but is the same on every run of the CI.
"""

from __future__ import annotations

import os
from collections.abc import Callable
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
    max_examples=16,
    derandomize="CI" in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# A few examples, for `make quick` and for the oldest version of polars.
settings.register_profile("few", settings.get_profile("steady"), max_examples=8)
settings.register_profile(
    "many", settings.get_profile("steady"), max_examples=100, derandomize=False
)
settings.load_profile("steady")

# Run by `make indicators` and `make places` only.
OF_OTHER_ENVIRONMENTS = {"indicators": "tensorflow_model_analysis", "places": "dagster"}
collect_ignore = [each for each, needed in OF_OTHER_ENVIRONMENTS.items() if not find_spec(needed)]

# These files import an optional package, so that `make quick` leaves them out, as it does the tests
# that are marked `extras`.
OF_EXTRAS = (
    "audit/test_bounds.py",
    "audit/test_p_values.py",
    "audit/test_rules.py",
    "hiring/test_adverse_impact.py",
    "hiring/test_errors.py",
    "hiring/test_report.py",
    "lending/test_quantiles.py",
    "lending/test_report.py",
    "lending/test_segments.py",
    "lending/test_table.py",
    "reporting/test_hostile_names.py",
    "reporting/test_notes.py",
    "worst_groups/test_shrinking.py",
    "test_arguments.py",
    "test_breslow_day.py",
    "test_hostile_text.py",
    "test_intervals.py",
    "test_prescribed_pages.py",
    "test_prescribed_tables.py",
    "test_rows.py",
    "test_significance.py",
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whether a file is left out; None leaves it to other rules."""
    path = collection_path.relative_to(Path(__file__).parent).as_posix()
    return ("not extras" in config.getoption("markexpr") and path in OF_EXTRAS) or None


# One process runs all tests of each of these folders, so that Spark, Sail and Chromium are started
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

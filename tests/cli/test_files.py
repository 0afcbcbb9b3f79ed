"""Files that the command line must not damage; interrupts, crashes and draws."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from argparse import _SubParsersAction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli.commands import parser
from polars_fairness.cli.files import files_beside
from polars_fairness.inference.progress import progress_heard
from tests.conftest import Run
from tests.paths import ROOT

LOANS = pl.DataFrame({"sex": ["F", "F", "M", "M"], "approved": [True, False, True, True]})
COLUMNS = ["--facet", "sex", "--predicted", "approved"]
AUDIT = ["audit", "loans.parquet", *COLUMNS, "--metric", "di", "--confidence", "none"]
CELLS = ["cells", "loans.parquet", *COLUMNS]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    LOANS.write_parquet("loans.parquet")
    return tmp_path


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where anything is counted."""

    def count(*_: Any, **__: Any) -> None:
        pytest.fail("counted before the output was checked")

    for name in ("audit", "cells", "report"):
        monkeypatch.setattr(pf, name, count)


# Outputs


@pytest.mark.extras
@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("read", ["loans.parquet", "folder", "folder/*.parquet", "link.parquet"])
@pytest.mark.parametrize("output", ["{}", "./{}", "link.parquet", "hard.parquet"])
def test_no_output_is_written_over_an_input(read: str, output: str, run: Run) -> None:
    real = Path("folder/a.parquet" if read.startswith("folder") else "loans.parquet")
    real.parent.mkdir(exist_ok=True)
    LOANS.write_parquet(real)
    Path("link.parquet").symlink_to(real)
    Path("hard.parquet").hardlink_to(real)
    before = real.read_bytes()
    named = output.format(real)
    for command, option in (("cells", "--output"), ("audit", "--html")):
        code, out, err = run(command, read, *COLUMNS, option, named, "--overwrite")
        assert (code, out) == (2, "")
        assert err.startswith(f"polars-fairness: {option}: {named!r} is ")
        assert "which would be lost" in err
    assert real.read_bytes() == before


BESIDE = {
    "baseline": ("--baseline", "base.csv", "sex,approved\nF,true\nF,false\nM,true\nM,true\n"),
    "baseline in a folder": ("--baseline", "base/a.csv", "sex,approved\nF,true\nM,true\n"),
    "policy": ("--policy", "fairness.toml", 'name = "Lending"\n'),
    "notes": ("--notes", "notes.md", "Mind the gap.\n"),
}


@pytest.mark.extras
@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("spelling", ["{here}/{}", "hard"])
@pytest.mark.parametrize(("option", "name", "text"), BESIDE.values(), ids=BESIDE)
def test_no_output_is_written_over_a_file_that_is_read_beside_the_rows(
    option: str, name: str, text: str, spelling: str, place: Path, run: Run
) -> None:
    real = Path(name)
    real.parent.mkdir(exist_ok=True)
    real.write_text(text)
    Path("link").symlink_to(real)
    Path("hard").hardlink_to(real)
    named = spelling.format(real, here=place)
    typed = name.partition("/")[0]
    for output in ("--json", "--html"):
        code, out, err = run(*AUDIT, option, typed, output, named, "--overwrite")
        assert (code, out) == (2, "")
        assert err == (
            f"polars-fairness: {output}: {named!r} is the input {name!r}, which would be lost; "
            "give another name\n"
        )
    assert real.read_text() == text


def test_every_option_that_names_a_file_is_an_input_or_an_output() -> None:
    commands = next(
        action.choices for action in parser()._actions if isinstance(action, _SubParsersAction)
    )
    files = {
        action.dest
        for command in commands.values()
        for action in command._actions
        if action.metavar in ("FILE", "PATH", "CONFIGURATION", "BASELINE")
    }
    outputs = {"html", "json", "pdf", "output"}
    inputs = {"paths", "baseline", "configuration", "notes", "policy", "schema", "words"}
    assert files == outputs | inputs
    Path("base.csv").touch()
    single = {name: name for name in inputs - {"paths", "baseline"}}
    typed: dict[str, Any] = {**single, "baseline": "base.csv"}
    assert sorted(files_beside(typed)) == sorted([*single, "base.csv"])


WRITES = [[*CELLS, "--output", "out.csv"], [*AUDIT, "--html", "out.csv"]]


@pytest.mark.extras
@pytest.mark.parametrize("words", WRITES, ids=["cells", "audit"])
def test_a_file_that_is_there_is_replaced_on_request_only(words: list[str], run: Run) -> None:
    Path("out.csv").write_text("mine")
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "'out.csv' exists already; add --overwrite" in err
    assert Path("out.csv").read_text() == "mine"
    assert run(*words, "--overwrite")[0] == 0
    assert "F" in Path("out.csv").read_text("utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["loans.parquet", "out.csv"]


def test_a_replaced_file_keeps_its_link_and_its_permissions(run: Run) -> None:
    Path("real.csv").write_text("mine")
    Path("real.csv").chmod(0o600)
    Path("out.csv").symlink_to("real.csv")
    assert run(*CELLS, "--output", "out.csv", "--overwrite")[0] == 0
    assert Path("out.csv").is_symlink()
    assert Path("real.csv").read_text().startswith("sex,")
    assert Path("real.csv").stat().st_mode & 0o777 == 0o600


def test_an_output_may_replace_a_link_to_itself(run: Run) -> None:
    Path("out.csv").symlink_to("out.csv")
    assert run(*CELLS, "--output", "out.csv") == (0, "", "")
    assert Path("out.csv").read_text().startswith("sex,")


@pytest.mark.extras
@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("folder.csv", "is a folder"),
        ("no/out.csv", "there is no folder 'no'"),
        ("loans.parquet/out.csv", "there is no folder 'loans.parquet'"),
        pytest.param(
            "/proc/out.csv",
            "cannot write '/proc/out.csv'",
            marks=pytest.mark.skipif(not Path("/proc").is_dir(), reason="no such folder"),
        ),
    ],
)
def test_an_output_is_checked_before_anything_is_counted(
    output: str, message: str, run: Run
) -> None:
    Path("folder.csv").mkdir()
    for words, option in ((CELLS, "output"), (AUDIT, "html")):
        code, out, err = run(*words, f"--{option}", output)
        assert (code, out) == (2, "")
        assert err.startswith(f"polars-fairness: --{option}: ")
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.usefixtures("uncounted")
def test_a_report_that_cannot_be_drawn_is_refused_before_anything_is_counted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    for option, extra in (("html", "report"), ("pdf", "pdf")):
        code, _, err = run(*AUDIT, f"--{option}", "out")
        assert code == 2
        assert f'pip install "polars-fairness[{extra}]"' in err


@pytest.mark.usefixtures("uncounted")
def test_two_outputs_of_one_name_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda name: name)
    code, out, err = run(*AUDIT, "--html", "out", "--json", "./out", "--overwrite")
    assert (code, out) == (2, "")
    assert err == "polars-fairness: --json: './out' is another output too; give another name\n"
    assert not Path("out").exists()


def test_a_failure_half_way_leaves_the_old_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Report:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def written(self, _: str) -> bytes:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(pf, "report", Report)
    Path("out.html").write_text("mine")
    assert run(*AUDIT, "--html", "out.html", "--overwrite")[0] == 2
    assert Path("out.html").read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["loans.parquet", "out.html"]


# Inputs


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(
    ("paths", "twice"),
    [
        (["loans.parquet", "loans.parquet"], ["loans.parquet"]),
        (["loans.parquet", "./loans.parquet"], ["loans.parquet", "./loans.parquet"]),
        (["loans.parquet", "*.parquet"], ["loans.parquet"]),
        (["hive", "hive/year=2025"], ["hive/year=2025/0.parquet"]),
        (["hive/year=2025/0.parquet", "hive"], ["hive/year=2025/0.parquet"]),
        (["hive/*", "hive/**/*.parquet"], ["hive/year=2024/0.parquet"]),
        (["loans.parquet", "links"], ["loans.parquet", "links/loans.parquet"]),
        (["hive", "links/hive"], ["hive/year=2024/0.parquet", "links/hive/year=2024/0.parquet"]),
    ],
)
def test_a_file_is_read_once_or_refused(paths: list[str], twice: list[str], run: Run) -> None:
    for year in (2024, 2025):
        Path(f"hive/year={year}").mkdir(parents=True)
        LOANS.write_parquet(f"hive/year={year}/0.parquet")
    Path("links").mkdir()
    Path("links/loans.parquet").symlink_to("../loans.parquet")
    if "links/hive" in paths:
        Path("links/hive").symlink_to("../hive")
    for command in ("audit", "cells"):
        code, out, err = run(command, *paths, *COLUMNS)
        assert (code, out) == (2, "")
        names = " and ".join(map(repr, twice))
        assert err.startswith(f"polars-fairness: path: the same file twice, {names}; ")


# Ends


def test_a_crash_has_an_exit_code_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any, **__: Any) -> None:
        raise KeyError("^a$\nand more")

    monkeypatch.setattr(pf, "cells", crash)
    monkeypatch.delenv("POLARS_FAIRNESS_TRACEBACK", raising=False)
    code, out, err = run(*CELLS)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert err.startswith("polars-fairness: a defect of polars-fairness, KeyError: '^a$")
    assert "POLARS_FAIRNESS_TRACEBACK=1" in err
    monkeypatch.setenv("POLARS_FAIRNESS_TRACEBACK", "1")
    code, _, err = run(*CELLS)
    assert code == 3
    assert "Traceback" in err
    assert "in crash" in err
    assert "Traceback" in run("cells", "nope.parquet")[2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="shells and devices differ")
@pytest.mark.parametrize(("stderr", "paths", "code"), [
    ("2>&-", "loans.parquet", 0), ("2>/dev/full", "nope.parquet", 2),
])  # fmt: skip
def test_a_broken_stderr_does_not_change_the_exit_code(stderr: str, paths: str, code: int) -> None:
    ended = subprocess.run(
        f"{sys.executable} -m polars_fairness cells {paths} --facet sex {stderr}",
        shell=True,
        check=False,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ended.returncode == code
    assert ended.stdout == (b"sex,n\nF,2\nM,2\n" if code == 0 else b"")


def _night(stage: str) -> Any:
    return pytest.param(stage, marks=pytest.mark.nightly)


# Each program prints "now" when it has reached the work to interrupt.
STAGES = {
    "counting": """
from polars_fairness.cli import answers
import polars as pl
numbers = pl.LazyFrame({"sex": pl.select(pl.int_range(300_000)).to_series()})
answers.opened = lambda *_: print("now", flush=True) or numbers.join(
    numbers.select(other=pl.col("sex")), how="cross"
).select(pl.col("sex") * pl.col("other") % 7)
started = ["cells", "loans.parquet", "--facet", "sex", "--output", "out.csv"]
""",
    "drawing": """
from hashlib import pbkdf2_hmac
from polars_fairness.inference.progress import progress_heard
# One call of C that ignores interrupts and takes a minute, as a long query may.
deaf = progress_heard(
    lambda *_: print("now", flush=True) or pbkdf2_hmac("sha256", b"", b"", 100_000_000)
)
deaf.__enter__()
started = [*AUDIT[:6], "--replicates", "100", "--html", "out.html"]
""",
    "the report": """
from polars_fairness.reporting.outputs import page
written = page.page
page.page = lambda *of: print("now", flush=True) or [written(*of) for _ in iter(int, 1)]
started = [*AUDIT, "--html", "out.html"]
""",
}


@pytest.mark.extras
@pytest.mark.skipif(os.name == "nt", reason="consoles interrupt otherwise")
@pytest.mark.parametrize("stage", ["counting", "the report", _night("drawing")])
def test_an_interrupt_does_not_wait_for_running_work(stage: str, place: Path) -> None:
    # The children of a shell that runs tests in the background ignore interrupts.
    begins = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    ends = "import sys; sys.argv[1:] = started; from polars_fairness.cli import program; program()"
    program = f"{begins}\nAUDIT = {AUDIT!r}\n{STAGES[stage]}\n{ends}"
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert running.stdout is not None
    try:
        # A whole line, since a table has words such as "unknown".
        while (line := running.stdout.readline()) != b"now\n":
            assert line, "ended before it was interrupted"
        time.sleep(0.2)
        interrupted = time.monotonic()
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=20) == 130
        # A tenth of a second where the processors are free; tests may have to wait for theirs.
        assert time.monotonic() - interrupted < 10
    finally:
        running.kill()
        running.stdout.close()
        running.wait()
    assert [path.name for path in place.iterdir()] == ["loans.parquet"]


# Draws


def test_draws_report_their_progress() -> None:
    heard: list[tuple[int, int]] = []
    with progress_heard(lambda done, total: heard.append((done, total))):
        pf.audit(LOANS, "di", facet="sex", predicted="approved", replicates=30)
    assert heard
    assert heard == sorted(heard)
    assert heard[0][0] == 0
    assert heard[-1][0] == heard[-1][1]
    assert all(0 <= done <= total for done, total in heard)

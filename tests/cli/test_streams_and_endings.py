"""Output that is not cut short, input that is not read in part, and endings that are ours."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import threading
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from polars_fairness.cli.printed import say
from tests.conftest import Run

ROWS = pl.DataFrame({"sex": ["F", "F", "M", "M"] * 3, "hired": [0, 1, 1, 1] * 3})
QUESTION = ["--facet", "sex", "--predicted", "hired"]
CSV = ROWS.write_csv().encode()


def piped(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))


def program(*words: str, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """The program as a shell runs it, without a buffer of its output, as in containers."""
    call = [sys.executable, "-c", "from _polars_fairness import program; program()", *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    return subprocess.run(call, env=environment, stderr=subprocess.PIPE, check=False, **settings)


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """The first call writes 4,096 bytes of the answer, and no more."""
    rows = pl.DataFrame({"sex": [f"group {i:04}" for i in range(400)], "hired": [0, 1] * 200})
    rows.write_csv(tmp_path / "rows.csv")
    output = tmp_path / "rates.csv"

    def least() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))

    with output.open("wb") as file:
        call = ["rates", str(tmp_path / "rows.csv"), *QUESTION, "--format", "csv"]
        ended = program(*call, stdout=file, preexec_fn=least)
    assert ended.returncode == 2
    assert ended.stderr.decode().startswith(
        "polars-fairness: stdout: not all of the answer could be written: File too large; "
    )


def test_words_that_do_not_fit_are_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    # A pipe that is closed is a reader who has seen enough.
    ended = program("metrics", "di", stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            ended = program("--help", stdout=full)
        assert ended.returncode == 2
        assert b"No space left on device" in ended.stderr


def test_a_pipe_that_does_not_wait_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    text, parts = "x" * 1_000_000, list[bytes]()

    def read() -> None:
        while part := os.read(reading, 1 << 16):
            parts.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    with open(writing, "w") as stream:  # noqa: PTH123 - a descriptor
        monkeypatch.setattr("sys.stdout", stream)
        say(text)
        monkeypatch.undo()
    reader.join()
    os.close(reading)
    assert b"".join(parts).decode() == f"{text}\n"


def test_what_is_unpacked_has_a_limit(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = CSV + b"F,1\n" * 250_000
    file = tmp_path / "rows.csv.gz"
    file.write_bytes(gzip.compress(long))
    scan = pl.scan_csv
    monkeypatch.setattr(pl, "scan_csv", None)  # polars would unpack it without a limit
    for path, name in (("-", "-"), (f"{file}", f"'{file}'")):
        piped(gzip.compress(long), monkeypatch)
        code, _, err = run("rates", path, *QUESTION, "--most-bytes", "1000000")
        assert code == 2
        assert f"path: {name} is longer than 1,000,000 bytes; " in err
    monkeypatch.setattr(pl, "scan_csv", scan)
    for path in ("-", f"{file}"):
        piped(gzip.compress(long), monkeypatch)
        assert run("rates", path, *QUESTION, "--most-bytes", f"{len(long)}")[0] == 0
    plain = tmp_path / "rows.csv"
    plain.write_bytes(CSV)
    assert run("rates", f"{plain}", *QUESTION, "--most-bytes", "9")[0] == 0


def test_closed_standard_input_is_a_wrong_call(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    code, _, err = run("rates", "-", *QUESTION)
    assert code == 2
    assert "nothing is piped in" in err


def test_charts_are_refused_where_they_would_end_the_process(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    ROWS.write_csv("rows.csv")
    monkeypatch.setattr("resource.getrlimit", lambda _: (8 << 30, 8 << 30))
    question = ["--facet", "sex", "--score", "hired"]
    code, _, err = run("explore", "rows.csv", *question, "--output", "page.html")
    assert code == 2
    assert "charts need 80 GiB of address space, and the limit is 8.0 GiB" in err
    assert not [*tmp_path.glob("*.html"), *tmp_path.glob(".*")]


@pytest.mark.parametrize("error", [MemoryError(), ImportError("failed to map segment")])
def test_what_cannot_be_loaded_is_no_failed_gate(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from _polars_fairness import program

    class Missing:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "polars_fairness.cli":
                raise error

    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "polars_fairness.cli")
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as ended:
        program()
    signal.signal(signal.SIGINT, before)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("polars-fairness: cannot be loaded: ")


def test_ctrl_c_while_polars_is_loaded() -> None:
    """Sent as soon as our first line runs, which is before polars is loaded."""
    code = (
        "import os, signal, sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'polars': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from _polars_fairness import program\n"
        "program()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


@pytest.mark.extras
@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        *(("cells", "output", f"out.{kind}") for kind in ("parquet", "csv", "ndjson", "arrow")),
        ("cells", "output", "out.json"),
        *(("audit", kind, f"out.{kind}") for kind in ("html", "json")),
        ("explore", "output", "out.html"),
    ],
)
def test_a_full_disk_leaves_the_output_and_is_named(
    command: str, option: str, name: str, run: Run
) -> None:
    """A file has place for 100 bytes, whoever writes it."""
    rows = pl.DataFrame({"sex": ["F", "M"] * 200, "hired": [0, 1, 1, 1] * 100})
    rows.with_columns(score=pl.int_range(400) / 400).write_parquet("rows.parquet")
    Path(name).write_text("mine")
    question = ["--label", "hired", "--score", "score", "--threshold", "0.5"]
    if command == "explore":
        question[-2:] = []
    words = [command, "rows.parquet", "--facet", "sex", *question, f"--{option}", name]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        code, _, err = run(*words, "--overwrite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (code, err) == (
        2,
        f"polars-fairness: --{option}: cannot write {name!r}: File too large; free space, or "
        "choose another folder\n",
    )
    assert Path(name).read_text() == "mine"
    assert not [*Path().glob(".*")]


@pytest.mark.parametrize("path", ["pipe", "link", "/dev/stdin", "/dev/fd/{}"])
def test_a_pipe_is_called_one(path: str, run: Run) -> None:
    """As in ``audit <(cat rows.csv)``."""
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    reading, writing = os.pipe()
    saved = os.dup(0)
    os.dup2(reading, 0)
    try:
        path = path.format(reading)
        code, out, err = run("cells", path, *QUESTION)
    finally:
        os.dup2(saved, 0)
        for each in (saved, reading, writing):
            os.close(each)
    assert (code, out) == (2, "")
    assert err.startswith(f"polars-fairness: path: {path!r} is a pipe; give -")

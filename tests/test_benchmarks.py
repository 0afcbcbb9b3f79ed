"""The benchmarks run, on a log of two thousand rows and without peers."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.paths import BENCHMARKS


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module


def test_all_contestants_give_the_same_number(benchmarks: Any, tmp_path: Path) -> None:
    log = tmp_path / "2000"
    benchmarks("generate").main(log, 2_000)
    jobs = benchmarks("contestants").JOBS
    ours = [job for job in jobs.values() if job.imports in ((), ("polars_fairness",))]
    assert len(ours) >= 5
    values = [value for job in ours if (value := job.answer(job.load(log))) is not None]
    assert len(values) >= 3
    assert len({round(value, 12) for value in values}) == 1


def test_metrics_of_scores_answer_alike(benchmarks: Any, tmp_path: Path) -> None:
    log = tmp_path / "2000"
    benchmarks("generate").main(log, 2_000)
    jobs = {
        name: job
        for name, job in benchmarks("scores").JOBS.items()
        if job.imports in ((), ("polars_fairness",))
    }
    answers = {name: job.answer(job.load(log)) for name, job in jobs.items()}
    values = {name: value for name, value in answers.items() if value is not None}
    exact = [value for name, value in values.items() if name.endswith(("exact", "in memory"))]
    rounded = [value for name, value in values.items() if name.endswith("0.001")]
    assert (len(exact), len(rounded)) == (5, 2)
    assert exact == [pytest.approx(exact[0], abs=1e-12)] * 5
    assert rounded == [pytest.approx(exact[0], abs=1e-3)] * 2


def test_the_first_of_several_models_has_the_value_that_it_has_alone(
    benchmarks: Any, tmp_path: Path
) -> None:
    models = benchmarks("models")
    log = tmp_path / models.MODELS
    benchmarks("generate").main(log, 2_000)
    answers = [job.answer(job.load(log)) for job in models.JOBS.values()]
    values = [value for value in answers if value is not None]
    assert len(values) == 5
    assert values == [pytest.approx(values[0], abs=1e-12)] * 5


def test_a_log_is_the_same_on_every_run(benchmarks: Any, tmp_path: Path) -> None:
    generate = benchmarks("generate")
    for folder in ("one", "other"):
        generate.main(tmp_path / folder, 500)
    one, other = (sorted((tmp_path / folder).rglob("*.parquet")) for folder in ("one", "other"))
    assert len(one) == 12
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_every_call_on_ten_rows_runs_eagerly_lazily_and_planned(benchmarks: Any) -> None:
    small = benchmarks("small")
    ours = [job for job in small.JOBS.values() if job.imports == ("polars_fairness",)]
    assert len(ours) == 3 * len(small.CALLS) == 12
    for job in ours:
        job.answer(job.load(Path()))
    for call in small.CALLS.values():
        answer = call(small.TEN_ROWS)
        assert answer.height > 0
        assert_frame_equal(call(small.TEN_ROWS.lazy()).collect(), answer)


@pytest.mark.parametrize(
    ("rows", "rate", "share"),
    [(20, 0.1, 0.1), pytest.param(200, 0.5, 0.5, marks=pytest.mark.nightly)],
)
def test_sequential_looks_do_not_alarm_without_a_difference_and_ordinary_ones_do(
    benchmarks: Any, rows: int, rate: float, share: float
) -> None:
    """A smaller version of benchmarks/looks.py, which has 2,000 streams in place of 100."""
    alarms = benchmarks("looks").measured(rows, rate, share, number=100)
    assert alarms["sequential"] <= 0.05
    assert alarms["missed"] <= 0.05
    assert alarms["so far"] > 0.2
    assert alarms["by week"] > 0.8


def test_streams_that_do_differ_alarm(benchmarks: Any) -> None:
    looks = benchmarks("looks")
    women, men = (looks.streams(400, rate, 0.5, number=20) for rate in (0.4, 0.5))
    counts = pl.concat([women.filter(sex="F"), men.filter(sex="M")])
    assert looks.ever_wrong(counts, "dppl", 0, sequential="each") == 1


def test_all_groups_have_the_worst_of_pairs(benchmarks: Any, tmp_path: Path) -> None:
    groups = benchmarks("groups")
    groups.invent(tmp_path, 2_000)
    people = pl.scan_parquet(tmp_path / groups.PEOPLE)
    assert groups.answered(people, 8) >= groups.answered(people, 2) > 0


def test_enumerations_give_the_answer_of_text(
    benchmarks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = benchmarks("memory")
    for name, size in (("STORED", 4_000), ("OF_CSV", 4_000), ("ROWS_PER_FILE", 2_000)):
        monkeypatch.setattr(memory, name, size)
    memory.invent(tmp_path)
    sources = ("Parquet, text", "Parquet, Enum", "CSV, text", "CSV, Enum")
    scans = [memory.scanned(tmp_path, source, 4_000) for source in sources]
    assert memory.BEFORE
    for before in memory.BEFORE:
        assert len({round(memory.answered(rows, 10, before), 9) for rows in scans}) == 1


def test_a_share_of_certainty_is_counted_by_hand(benchmarks: Any) -> None:
    """Of five intervals two hold a true 0.2, two lie above it, one below; a sixth is missing."""
    bounds = [(0.1, 0.3), (0.2, 0.4), (0.3, 0.4), (0.21, 0.9), (-0.1, 0.1), (None, None)]
    audits = pl.DataFrame(bounds, schema=["lower", "upper"], orient="row").with_columns(
        metric=pl.lit("dppl"), true=0.2, ideal=0.0
    )
    found = benchmarks("certainty").coverage(audits).row(0)
    assert found == ("dppl", 40, 40, 20, 40, pytest.approx(100 / 6))


def test_what_models_truly_differ_by_is_known(benchmarks: Any) -> None:
    """Of 90 % accepted in one group, 2 % are rejected, and of the 10 % rejected 2 % accepted."""
    setting = benchmarks("certainty").of_alike_models(1_000, 0.9, (0.02, 0))
    new = setting.audited(2, "dppl", "di").filter(model="new", data_set=0)
    after = 0.9 * 0.98 + 0.1 * 0.02
    assert new["true_difference"].to_list() == pytest.approx([0.9 - after, after / 0.9 - 1])


def test_certainty_says_which_changes_are_found(benchmarks: Any) -> None:
    rows = benchmarks("certainty").power(40).splitlines()[-2:]
    worse = [float(row.split("|")[2].removesuffix(" % ")) for row in rows]
    assert all(75 <= share <= 100 for share in worse)

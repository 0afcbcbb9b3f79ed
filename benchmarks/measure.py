"""Measure one job in a separate process: ``measure.py MODULE JOB FOLDER`` prints JSON.

In a separate process the peak memory belongs to this job only, and no job warms up another.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

LIMIT = 120  # seconds for a whole process; after these a job has given up
ENOUGH = 3.0  # seconds of answers; after these the job is not repeated
MOST = 50  # answers
ROUNDS = 3  # processes for each job; the jobs take turns

# Has seconds, processor_seconds, load_seconds, megabytes and value, or only gave_up: the reason.
Result = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A question: data that is loaded once from a folder, and an answer computed from it."""

    load: Callable[[Path], Any]
    answer: Callable[[Any], float | None]
    imports: tuple[str, ...] = ("polars_fairness",)  # before any time is measured


def measured(job: Job, folder: Path) -> Result:
    """Load once and answer repeatedly; the shortest time has the least interference."""
    for module in job.imports:
        import_module(module)
    start = time.perf_counter()
    loaded = job.load(folder)
    load_seconds = time.perf_counter() - start
    seconds: list[float] = []
    processor_seconds: list[float] = []
    while not seconds or (sum(seconds) < ENOUGH and len(seconds) < MOST):
        start, processor_start = time.perf_counter(), time.process_time()
        value = job.answer(loaded)
        seconds.append(time.perf_counter() - start)
        processor_seconds.append(time.process_time() - processor_start)
    return {
        "seconds": min(seconds),
        "processor_seconds": min(processor_seconds),
        "load_seconds": load_seconds,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "value": None if value is None else float(value),
    }


def in_own_process(module: str, name: str, folder: Path) -> Result:
    """Measure a job of a module's ``JOBS``; if it gave up, return the reason."""
    command = [sys.executable, __file__, module, name, str(folder)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return {"gave_up": f"not done after {LIMIT} s"}
    if run.returncode < 0:
        return {"gave_up": f"killed by signal {-run.returncode}"}
    if run.returncode:
        return {"gave_up": run.stderr.strip().rpartition("\n")[2]}
    result: Result = json.loads(run.stdout.splitlines()[-1])
    return result


def in_turn(module: str, names: Iterable[str], folder: Path) -> dict[str, Result]:
    """Measure jobs round by round, so that a slow minute of the machine affects all jobs."""
    best: dict[str, Result] = {}
    for _ in range(ROUNDS):
        for name in names:
            if name in best and not _worth_repeating(best[name]):
                continue
            print(f"  {module}: {name}", file=sys.stderr, flush=True)
            result = in_own_process(module, name, folder)
            best[name] = min(best.get(name, result), result, key=_seconds)
    return best


def _seconds(result: Result) -> float:
    return float(result.get("seconds", inf))


def _worth_repeating(result: Result) -> bool:
    return _seconds(result) + float(result.get("load_seconds", 0.0)) < ENOUGH


def jobs(module: str) -> Mapping[str, Job]:
    found: Mapping[str, Job] = import_module(module).JOBS
    return found


if __name__ == "__main__":
    module, name, folder = sys.argv[1:]
    print(json.dumps(measured(jobs(module)[name], Path(folder))))

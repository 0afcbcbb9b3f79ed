"""Audits beside a baseline of rows, of cells, and of cells that lack a key, are what they were.

Of each answer a digest is kept. `make snapshots` keeps those that are meant to change, in a commit
of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import pi
from pathlib import Path
from typing import Final

import polars as pl
import pytest

from polars_fairness.errors import FairnessError
from tests.contrasts.questions import QUESTIONS, audits_of
from tests.snapshots.kept import REWRITE

pytestmark = pytest.mark.extras  # p-values need scipy

KEPT: Final = Path(__file__).with_name("kept_answers.txt")


def kept() -> dict[str, list[str]]:
    return {
        name: digests.split()
        for name, _, digests in (line.partition(": ") for line in KEPT.read_text().splitlines())
    }


def digest_of(call: Callable[[], pl.DataFrame]) -> str:
    """Of numbers times pi to seven digits, whether there is a note; of an error, its arguments.

    A number such as 0.15625 lies between two roundings, and its last digit would decide.
    """
    try:
        answer = call().with_columns(pl.col("note").is_null())
        shown: list[list[object]] = [[*map(_rounded, row)] for row in answer.iter_rows()]
        shown.append([*answer.columns])
    except FairnessError as error:
        *arguments, _ = str(error).split(": ")
        shown = [[type(error).__name__, *(each for each in arguments if each.isidentifier())]]
    return sha256(repr(shown).encode()).hexdigest()[:6]


def _rounded(value: object) -> object:
    # Rounding leaves -0.0, too.
    return f"{round(value * pi, 9) + 0.0:.7g}" if isinstance(value, float) else value


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_audit_beside_a_baseline_is_as_it_was(name: str) -> None:
    digests = {about: digest_of(audit) for about, audit in audits_of(name)}
    if REWRITE:
        lines = {**kept(), name: [*digests.values()]}
        KEPT.write_text("".join(f"{each}: {' '.join(of)}\n" for each, of in lines.items()))
    moved = [
        about
        for (about, digest), then in zip(digests.items(), kept()[name], strict=True)
        if digest != then
    ]
    assert not moved
    # Cells do not say which shares of a group are of one row, which the interval of a change needs.
    if name != "probabilities":
        unlike = [
            about
            for about, digest in digests.items()
            if digest != digests[about.replace(", cells", ", rows")]
        ]
        assert not unlike


def test_that_a_moved_number_is_found() -> None:
    def digest(value: float) -> str:
        return digest_of(lambda: pl.DataFrame({"note": None, "value": value}))

    assert digest(0.1 + 0.2) == digest(0.3)
    assert digest(0.3 + 1e-6) != digest(0.3)

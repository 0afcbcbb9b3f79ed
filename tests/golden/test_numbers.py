"""Every number that the package answers with is what it was, to twelve digits."""

from __future__ import annotations

import pytest

from tests.golden.answers import SHOWN, answers, differences, written


@pytest.mark.extras  # p-values need scipy
def test_that_no_number_moved() -> None:
    then, now = written(), answers()
    moved = differences(then, now)
    shown = [*moved[:SHOWN], *([f"and {len(moved) - SHOWN} more"] if len(moved) > SHOWN else [])]
    assert not moved, "\n".join(
        [
            f"{len(moved)} of {len(then)} numbers moved; if that is meant, run `make golden` and "
            "commit the file by itself:",
            *shown,
        ]
    )

"""Every number that the package answers with is what it was, to twelve digits."""

from __future__ import annotations

from functools import cache

import pytest

from tests.golden.answers import SHOWN, Answers, answers, differences, written
from tests.golden.questions import PARTS, Part, questions

then = cache(written)


@pytest.mark.extras  # p-values need scipy
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__.strip("_"))
def test_that_no_number_moved(part: Part) -> None:
    put = tuple(part())
    names = {each.name for each in put}
    before: Answers = {place: each for place, each in then().items() if place.question in names}
    moved = differences(before, answers(put))
    shown = [*moved[:SHOWN], *([f"and {len(moved) - SHOWN} more"] if len(moved) > SHOWN else [])]
    assert not moved, "\n".join(
        [
            f"{len(moved)} of {len(before)} numbers moved; if that is meant, run `make golden` "
            "and commit the file by itself:",
            *shown,
        ]
    )


def test_that_every_question_has_its_answer() -> None:
    names = [each.name for each in questions()]
    assert sorted({place.question for place in then()}) == sorted(names)


def test_that_a_moved_number_is_found() -> None:
    place, other = [*then()][:2]
    now = {**then(), place: 0.125, other: "fair"}
    assert [each.endswith(("is 0.125", "is 'fair'")) for each in differences(then(), now)] == [
        True,
        True,
    ]

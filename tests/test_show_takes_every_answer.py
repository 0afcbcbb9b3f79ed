"""`show`, `table` and `chart` take each answer, or say what shows it; nothing goes in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf

LOANS: Final = pf.datasets.loans().head(600)
QUESTION: Final[dict[str, Any]] = {"facet": "sex", "predicted": "approved"}
SHOWN_BY_PRINT: Final[dict[str, Callable[[], pl.DataFrame]]] = {
    "representation": lambda: pf.representation(
        LOANS, facet="sex", reference={"sex": {"F": 0.5, "M": 0.5}}
    ),
    "fliptest": lambda: pf.fliptest(LOANS, features=["debt"], **QUESTION),
    "fliptest(flips=True)": lambda: pf.fliptest(LOANS, features=["debt"], flips=True, **QUESTION),
    "reweigh": lambda: pf.reweigh(LOANS, facet="sex", label="repaid"),
}


@pytest.mark.extras
@pytest.mark.parametrize("shows", [pf.show, pf.table, pf.chart])
@pytest.mark.parametrize("name", SHOWN_BY_PRINT)
def test_an_answer_without_a_table_is_known_and_shown_by_print(
    name: str, shows: Callable[[pl.DataFrame], object]
) -> None:
    with pytest.raises(pf.FairnessError) as error:
        shows(SHOWN_BY_PRINT[name]())
    assert f"got what {name!r} returned; print shows it, which takes any frame" in str(error.value)


@pytest.mark.extras
def test_cells_are_shown_by_print() -> None:
    with pytest.raises(pf.FairnessError, match="'n'; print shows it, which takes any frame"):
        pf.show(pf.cells(LOANS, **QUESTION))


@pytest.mark.extras
def test_what_has_no_chart_has_a_table() -> None:
    with pytest.raises(pf.FairnessError, match=r"returned; pf\.show and pf\.table show it"):
        pf.chart(pf.bounds(LOANS, "di", **QUESTION))


def test_the_chosen_candidate_is_shown_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 80 thresholds a terminal has 40, and the chosen one would be below them."""
    chosen = pf.choose(
        LOANS,
        "di",
        facet="sex",
        label="repaid",
        score="score",
        threshold=[i / 100 for i in range(90, 10, -1)],
    )
    [row] = chosen.filter("is_chosen").rows(named=True)
    assert chosen.height > 40
    pf.show(chosen)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("   ")]
    assert shown[0].split()[0] == f"{row['threshold']:g}"
    assert "chosen" in shown[0]
    assert sum("chosen" in line for line in shown) == 1


@pytest.mark.parametrize("width", [50, 60, 70, 80, 90, 100, 200])
def test_no_interval_and_no_band_goes_in_silence(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    answers = [
        pf.audit(LOANS, "di", "average_odds_difference", label="repaid", **QUESTION),
        pf.plan(LOANS, "di", "dppl", **QUESTION),
        pf.bounds(LOANS, "di", facet="race", predicted="approved"),
        pf.rates(LOANS, label="repaid", **QUESTION),
    ]
    for answer in answers:
        pf.show(answer)
        narrow = capsys.readouterr().out
        monkeypatch.setenv("COLUMNS", "1000")
        pf.show(answer)
        wide = capsys.readouterr().out.splitlines()[0].split()
        monkeypatch.setenv("COLUMNS", str(width))
        head = narrow.split("\n\n")[0].split()
        for title in {"interval", "band"} & {*wide} - {*head}:
            assert f"no room in {width} columns for " in narrow
            assert title in narrow.partition("no room in")[2]

"""The page about pay: its first sentences, its numbers, its files; and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.cli.formats import schema_of
from tests.conftest import Run
from tests.pay.test_table import PEOPLE, QUESTION
from tests.reporting.reports import HOSTILE, Elements

pytestmark = pytest.mark.extras

WITH_HOURS: Final = PEOPLE.with_columns(hours=pl.when(sex="F").then(4).otherwise(8))
YEARS: Final = pl.concat([PEOPLE.with_columns(year=year) for year in range(2020, 2027)])


def paragraphs(frame: pl.DataFrame, **more: Any) -> list[str]:
    return pf.pay.report(frame, **{**QUESTION, **more}).to_markdown().split("\n\n")


def test_the_first_sentence_has_the_two_gaps() -> None:
    # 298 of 17 women beside 684 of 23 men; medians of 12 and 30.
    _, first, categories, few, *_ = paragraphs(PEOPLE, confidence=None)
    assert first == (
        "By sex, the mean pay of F is 41.1 % below that of M, and the median pay 60.0 % below."
    )
    assert categories == (
        "Gaps of 5 % or more of F by sex: 2 of 2 categories: high (5 F and 11 M), 5.7 % below; low "
        "(11 F and 5 M), 7.7 % above."
    )
    assert few == "Categories without a gap of F by sex, as of too few workers: unknown."


def test_what_is_left_at_equal_controls_is_said() -> None:
    people = PEOPLE.drop_nulls("grade")
    _, first, categories, *_ = paragraphs(people, confidence=None, controls="basic")
    table = pf.pay.table(people, **QUESTION, controls="basic").filter(measure="adjusted_gap")
    of_all, high, _ = (100 * each for each in table["value"])
    assert first.endswith(
        f"; at equal basic, {abs(of_all):.1f} % {'below' if of_all > 0 else 'above'}."
    )
    assert f"; at equal basic, {abs(high):.1f} %" in categories


def test_notes_of_numbers_are_in_the_appendix() -> None:
    [notes] = [each for each in paragraphs(PEOPLE) if each.startswith("Notes on numbers: ")]
    assert "a median of 0 has no gap" in notes
    assert "fewer than 5 workers of a side" in notes


def test_one_group_alone_is_said() -> None:
    for people in (PEOPLE.filter(sex="F"), PEOPLE.clear()):
        page = paragraphs(people, favored=None)
        assert page[1].startswith(
            "By sex: there is nothing" if people.height else "Nothing to show"
        )


def test_part_time_is_said() -> None:
    page = "\n".join(paragraphs(WITH_HOURS, hours="hours"))
    assert (
        "F have 4 hours on average, and 100.0 % of them work fewer hours than is most common"
        in page
    )
    assert "M have 8 hours on average, and 0.0 % of them" in page
    assert "those who work part time have less by this alone" in "\n".join(paragraphs(PEOPLE))


def test_many_years_leave_the_last_ones_first() -> None:
    found = paragraphs(YEARS, by="year")
    named = [each for each in found if each.startswith("By sex, year")]
    assert [each[8:17] for each in named] == [f"year {year}" for year in range(2023, 2027)]
    assert "## Appendix: earlier windows" in found


def test_each_number_of_the_table_is_on_the_page() -> None:
    table = pf.pay.table(PEOPLE, **QUESTION)
    page = pf.pay.report(PEOPLE, **QUESTION).to_markdown()
    for value in table["value"].drop_nulls():
        assert f"| {100 * value:.1f} %" in page


def test_the_page_is_drawn_and_written_for_programs(tmp_path: Path) -> None:
    import jsonschema

    report = pf.pay.report(PEOPLE, **QUESTION)
    report.write_html(tmp_path / "pay.html")
    assert "Highest quarter" in (tmp_path / "pay.html").read_text("utf-8")
    report.write_json(tmp_path / "pay.json", title="Pay of 2026")
    written = json.loads((tmp_path / "pay.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema_of("pay_document")).validate(written)
    assert (written["title"], len(written["table"])) == (
        "Pay of 2026",
        pf.pay.table(PEOPLE, **QUESTION).height,
    )


def test_names_of_users_are_text() -> None:
    people = PEOPLE.with_columns(
        sex=pl.when(sex="F").then(pl.lit(HOSTILE)).otherwise("sex"),
        grade=pl.when(grade="high").then(pl.lit(HOSTILE)).otherwise("grade"),
    )
    page = Elements(pf.pay.report(people, **QUESTION)._repr_html_())
    assert "script" not in {tag for tag, _ in page.found}
    assert f"the mean pay of {HOSTILE} is 41.1 % below" in page.text


def test_the_command_prints_the_table_and_writes_the_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_parquet("people.parquet")
    words = ["--facet", "sex", "--favored", "M", "--pay", "pay", "--variable", "bonus"]
    code, out, err = run("pay", "people.parquet", *words, "--html", "pay.html")
    assert (code, err) == (0, "")
    assert "(a) mean gap, total pay" in out
    assert "Highest quarter" in Path("pay.html").read_text("utf-8")
    code, out, _ = run("pay", "people.parquet", *words, "--rule", "uk", "--format", "json")
    assert code == 0
    points = [row["point"] for row in json.loads(out)]
    assert points == [*"abcdee", *"f" * 8]
    code, _, err = run("pay", "people.parquet", *words, "--rule", "uk", "--category", "grade")
    assert (code, err.startswith("polars-fairness: --category: the United Kingdom")) == (2, True)

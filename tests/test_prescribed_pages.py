"""The pages of lending and of hiring: values, files, words and names, the same laws for both."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from polars_fairness.cli.formats import schema_of
from tests.hiring import test_report as hiring
from tests.lending import test_report as lending
from tests.pages import rows_below
from tests.reporting.reports import HOSTILE, Elements

pytestmark = pytest.mark.extras

# The function, the rows and the question of each page.
PAGES: Final[dict[str, tuple[Callable[..., Any], pl.DataFrame, dict[str, Any]]]] = {
    "segments": (
        pf.lending.report,
        lending.BRANCHES,
        {**lending.IN_BRANCHES, "confidence": None},
    ),
    "shares": (pf.lending.report, lending.SCORED, {**lending.BY_SCORE}),
    "selected": (
        pf.hiring.report,
        hiring.PEOPLE,
        {**hiring.QUESTION, **hiring.ABOUT, **hiring.SMALL},
    ),
    "scored": (
        pf.hiring.report,
        hiring.SCORED,
        {**hiring.BY_SCORE, **hiring.ABOUT, "by": "site"},
    ),
}
of_each = pytest.mark.parametrize("name", PAGES)


def page(name: str, **more: Any) -> Any:
    report, frame, question = PAGES[name]
    return report(frame, **question | more)


def tables_of(name: str) -> dict[str, pl.DataFrame]:
    """What each function of the package answers to the question of a page."""
    _, frame, question = PAGES[name]
    given = {argument: each for argument, each in question.items() if argument not in hiring.ABOUT}
    if name == "segments":
        alone = {**given, "subgroup": None}
        return {
            "table": pf.lending.table(frame, **alone),
            "in_segments": pf.lending.table(frame, **alone, by="branch"),
            "segments": pf.lending.segments(frame, **given),
        }
    if name == "shares":
        shares = given.pop("shares")
        table = pf.lending.table(frame, **given)
        del given["predicted"]
        return {"table": table, "quantiles": pf.lending.quantiles(frame, **given, shares=shares)}
    tables = {"impact_ratios": pf.hiring.impact_ratios(frame, **given)}
    if name == "selected":
        given = {argument: given[argument] for argument in ("selected", "count")}
        tables["adverse_impact"] = pf.hiring.adverse_impact(
            frame, facet=["sex", "race"], minimum_share=0.02, **given
        )
    return tables


@of_each
def test_the_file_for_programs_has_the_records_of_the_tables(name: str, tmp_path: Path) -> None:
    import jsonschema

    page(name).write_json(tmp_path / "page.json", title="Page")
    found: dict[str, Any] = json.loads((tmp_path / "page.json").read_text("utf-8"))
    document = "lending" if name in ("segments", "shares") else "hiring"
    validator = jsonschema.Draft202012Validator(schema_of(f"{document}_document"))
    validator.validate(found)
    wrong: dict[str, Any] = {"lending": {"table": None}, "hiring": {"about": {"data": "2026"}}}
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(found | wrong[document])
    assert found["title"] == "Page"
    expected = tables_of(name)
    for table, answer in expected.items():
        schema = f"{document}_{table.replace('in_segments', 'table')}"
        assert {row.pop("schema") for row in found[table]} == {f"urn:polars-fairness:{schema}:1"}
        rows = answer.to_dicts()
        if document == "hiring":
            as_given = ["sex", "race", "sex & race"].index
            rows.sort(key=lambda row: as_given(row["facet"]))
        assert found[table] == rows
    for other in {"quantiles", "segments", "in_segments", "adverse_impact"} & {*found} - {
        *expected
    }:
        assert found[other] is None


def p_value(row: dict[str, Any]) -> str:
    return f"{row['p_value']:.4f}" if row["p_value"] >= 0.0001 else "&lt; 0.0001"


def number(value: float, digits: int = 3) -> str:
    return f"{value:,.{0 if abs(value) >= 100 else digits}f}".replace("-", "−")


def with_interval(row: dict[str, Any], name: str) -> str:
    digits = 1 if name == "points" else 3
    ends = (
        ("lower", "upper")
        if name in ("air", "impact_ratio")
        else (f"{name}_lower", f"{name}_upper")
    )
    if row[ends[0]] is None:
        return number(row[name], digits)
    lower, upper = (number(row[end], digits) for end in ends)
    return f"{number(row[name], digits)} ({lower} to {upper})"


def of_lending(row: dict[str, Any]) -> tuple[str, list[str]]:
    """The caption of the table where a row stands on the page, and its cells."""
    branch = f", branch {row['branch']}" if "branch" in row else ""
    return f"By {row['facet']}{branch}", [
        row["disfavored"],
        f"{row['n_disfavored']}",
        f"{100 * row['rate']:.1f} %",
        *(
            with_interval(row, name)
            for name in ("air", "points", "odds_ratio", "smd")
            if row[name] is not None
        ),
        f"{row['shortfall']}",
        f"{row['shortfall_to_four_fifths']}",
        p_value(row),
        "flagged" if row["is_flagged"] else "no",
    ]


def over_segments(row: dict[str, Any]) -> tuple[str, list[str]]:
    return f"Over segments, by {row['facet']}", [
        row["disfavored"],
        f"{row['n_disfavored']}",
        f"{row['segments']}",
        f"{row['mh_odds_ratio']:.3f}",
        p_value(row),
    ]


def of_ratios(row: dict[str, Any]) -> tuple[str, list[str]]:
    ratio = "excluded" if row["is_excluded"] else f"{row['impact_ratio']:.3f}"
    if row["lower"] is not None:
        ratio += f" ({number(row['lower'])} to {number(row['upper'])})"
    cells = [f"{row['n']}", f"{row['selected']}", f"{100 * row['rate']:.1f} %", ratio]
    site = f", site {row['site']}" if "site" in row else ""
    caption, value = (row[name].replace("&", "&amp;") for name in ("facet", "value"))
    return f"By {caption}{site}", [value, *cells]


def of_impacts(row: dict[str, Any]) -> tuple[str, list[str]]:
    return f"Each group against {row['favored']}, by {row['facet']}", [
        row["disfavored"],
        f"{row['n_disfavored']}",
        f"{100 * row['rate']:.1f} %",
        with_interval(row, "impact_ratio"),
        f"{row['shortfall']}",
        f"{row['shortfall_to_four_fifths']}",
        f"{row['two_sd']:.2f}",
        p_value(row),
        "flagged" if row["is_flagged"] else "below 4/5" if row["is_below_four_fifths"] else "no",
    ]


SHOWN: Final[dict[str, Callable[[dict[str, Any]], tuple[str, list[str]]]]] = {
    "table": of_lending,
    "in_segments": of_lending,
    "segments": over_segments,
    "impact_ratios": of_ratios,
    "adverse_impact": of_impacts,
}


@of_each
def test_a_page_shows_the_values_of_the_tables(name: str) -> None:
    found = page(name).to_markdown()
    for table, answer in tables_of(name).items():
        for row in answer.iter_rows(named=True) if table in SHOWN else ():
            caption, cells = SHOWN[table](row)
            below = found.partition(f"## site {row['site']}\n")[2] if "site" in row else found
            line = next(line for line in rows_below(below, caption) if line[0] == cells[0])
            assert {*cells} <= {*line}, (caption, line)


@of_each
def test_the_rows_are_read_once(name: str) -> None:
    report, frame, question = PAGES[name]
    seen = []

    def read(columns: list[str] | None, *_: Any) -> Any:
        seen.append(columns)
        yield frame.select(columns or frame.columns)

    lazy = register_io_source(read, schema=frame.schema)
    assert report(lazy, **question).to_markdown() == page(name).to_markdown()
    assert len(seen) == 1


@of_each
def test_names_and_texts_are_no_markup(name: str, tmp_path: Path) -> None:
    report, frame, question = PAGES[name]
    hostile = {
        argument: HOSTILE if given == "sex" else f"M{HOSTILE}" if given == "M" else given
        for argument, given in question.items()
    }
    hostile |= {text: HOSTILE for text in ("data", "justification") if text in question}
    rows = frame.with_columns(pl.col(pl.String) + HOSTILE).rename({"sex": HOSTILE})
    of_page, texts = report(rows, **hostile), {"title": HOSTILE, "author": HOSTILE}
    of_page.write_html(tmp_path / "page.html", **texts)
    found = Elements((tmp_path / "page.html").read_text("utf-8"))
    assert "script" not in {tag for tag, _ in found.found}
    assert f"F{HOSTILE}" in found.text
    assert f"Author: {HOSTILE}" in found.text
    assert "<script" not in of_page.to_markdown(**texts)
    assert "<script" not in of_page._repr_html_()


@of_each
def test_a_page_gives_no_legal_opinion(name: str) -> None:
    words = page(name).to_markdown().lower()
    assert "these are tables of counts and rates, and no legal advice." in words
    assert "a computation and not the law. rules change: whether and where one is in force" in words
    for word in ("complian", "comply", "complies", "violat", "passes", "fails", "legal opinion"):
        assert word not in words

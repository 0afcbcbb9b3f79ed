"""The pages of lending, of hiring and of pay: values, files, words and names, by the same laws."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from tests import test_hiring as hiring
from tests import test_lending as lending
from tests.pay import test_table as pay
from tests.reporting.reports import HOSTILE, Elements

pytestmark = pytest.mark.extras

IN_BRANCHES: Final = {**lending.IN_BRANCHES, "confidence": None}
MANY_BRANCHES: Final = pl.concat(
    lending.BRANCHES.with_columns(pl.col("branch") + f"{place}") for place in range(15)
)

# The function, the rows and the question of each page.
PAGES: Final[dict[str, tuple[Callable[..., Any], pl.DataFrame, dict[str, Any]]]] = {
    "segments": (pf.lending.report, lending.BRANCHES, IN_BRANCHES),
    "windows": (
        pf.lending.report,
        MANY_BRANCHES,
        {**lending.IN_BRANCHES, "subgroup": None, "by": "branch", "confidence": None},
    ),
    "shares": (pf.lending.report, lending.RANKED, {**lending.BY_SCORE}),
    "selected": (
        pf.hiring.report,
        hiring.PEOPLE,
        {**hiring.QUESTION, **hiring.ABOUT, **hiring.SMALL},
    ),
    "scored": (pf.hiring.report, hiring.MARKED, {**hiring.BY_SCORE, **hiring.ABOUT, "by": "site"}),
    "pay": (pf.pay.report, pay.PEOPLE, pay.QUESTION),
}
of_each = pytest.mark.parametrize("name", PAGES)


def page(name: str, **more: Any) -> Any:
    report, frame, question = PAGES[name]
    return report(frame, **question | more)


def tables_of(name: str) -> dict[str, pl.DataFrame]:
    """What each function of the package answers to the question of a page."""
    _, frame, question = PAGES[name]
    given = {argument: each for argument, each in question.items() if argument not in hiring.ABOUT}
    if name == "pay":
        return {"table": pf.pay.table(frame, **given)}
    if name == "segments":
        alone = {**given, "subgroup": None}
        return {
            "table": pf.lending.table(frame, **alone),
            "in_segments": pf.lending.table(frame, **alone, by="branch"),
            "segments": pf.lending.segments(frame, **given),
        }
    if name == "windows":
        within = {**given, "by": None, "subgroup": "branch"}
        overall = pf.audit(frame, "mh_ratio", **within, p_values="exact")
        return {"table": pf.lending.table(frame, **given), "overall": overall}
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
def test_a_page_has_the_tables_of_the_functions(name: str) -> None:
    found = page(name).answers
    expected = tables_of(name)
    assert {*found} == {*expected}
    for table, answer in expected.items():
        rows = answer.to_dicts()
        if table in ("impact_ratios", "adverse_impact"):
            as_given = ["sex", "race", "sex & race"].index
            rows.sort(key=lambda row: as_given(row["facet"]))
        assert found[table].to_dicts() == rows


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


AUDITED: Final = (pf.report, lending.BRANCHES, IN_BRANCHES)


@pytest.mark.parametrize("name", [*PAGES, "audit"])
def test_names_and_texts_are_no_markup(name: str, tmp_path: Path) -> None:
    report, frame, question = PAGES.get(name, AUDITED)
    hostile = {
        argument: f"{given}{HOSTILE}" if given in ("M", *frame.columns) else given
        for argument, given in question.items()
        if not isinstance(given, list)
    }
    hostile = {**question, **hostile}
    hostile |= {text: HOSTILE for text in ("data", "justification") if text in question}
    rows = frame.with_columns(pl.col(pl.String) + HOSTILE).rename(lambda name: name + HOSTILE)
    of_page, texts = report(rows, **hostile), {"title": HOSTILE, "author": HOSTILE}
    of_page.write_html(tmp_path / "page.html", **texts)
    found = Elements((tmp_path / "page.html").read_text("utf-8"))
    assert "script" not in {tag for tag, _ in found.found}
    attributes = [(each, text or "") for _, of in found.found for each, text in of.items()]
    assert not any(each.startswith("on") for each, _ in attributes)
    keys = [text for each, text in attributes if each == "data-key"]
    assert not keys or any("<script>alert(1)" in key for key in keys)
    assert f"F{HOSTILE}" in found.text
    assert f"Author: {HOSTILE}" in found.text
    written = of_page.to_markdown(**texts)
    assert "<script" not in written
    assert "<script" not in of_page._repr_html_()
    # No name ends a cell: below each head, rows are as wide as it is.
    tables = [line for line in written.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    for i, line in enumerate(tables[1:]):
        is_head = i + 2 < len(tables) and {*tables[i + 2]} <= {*"|-: "}
        assert is_head or widths[i] == widths[i + 1], line


@pytest.mark.parametrize("text", ["data", "test_data", "justification"])
def test_what_is_published_is_whole(text: str) -> None:
    explained = f"{'From the records of the employer. ' * 40}The end."
    assert explained in page("selected", **{text: explained}).to_markdown()


@of_each
def test_a_page_gives_no_legal_opinion(name: str) -> None:
    words = page(name).to_markdown().lower()
    assert "these are tables of counts and rates, and no legal advice." in words
    assert "a computation and not the law. rules change: whether and where one is in force" in words
    for word in ("complian", "comply", "complies", "violat", "passes", "fails", "legal opinion"):
        assert word not in words


@of_each
def test_groups_are_called_as_the_author_calls_them(name: str) -> None:
    called = {"sex": {"F": "women", "M": "men"}, "sex & race": {"F & Black": "Black women"}}
    page_of = page(name)
    facets = {facet for each in page_of.answers.values() for facet in each["facet"]}
    has_both = name == "selected"
    groups = {facet: called[facet] for facet in facets & called.keys()}
    written = page_of.to_markdown(words={"groups": groups if has_both else {"sex": called["sex"]}})
    body = written.partition("The question, argument by argument")[0]
    assert "women" in body
    assert has_both == ("Black women" in body)
    assert not re.search(r"(?<![\w&;] )\b[FM]\b(?! &)", body)


@of_each
def test_words_that_would_change_nothing_are_refused(name: str) -> None:
    with pytest.raises(pf.FairnessError, match=r"words: .* 'decided'; give 'groups' alone"):
        page(name).to_markdown(words={"decided": "hired"})
    facet = page(name).answers.popitem()[1]["facet"][0]
    with pytest.raises(pf.FairnessError, match="has no value 'nobody'"):
        page(name).to_markdown(words={"groups": {facet: {"nobody": "no people"}}})

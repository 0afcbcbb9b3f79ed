"""Groups of few people stand without counts and values, and no count of theirs follows."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers.hidden import has_hidden_note, hidden_rows
from polars_fairness.reporting.outputs.records import document_as_json

LEAST = 10


def people(**groups: int) -> pl.DataFrame:
    """Rows of these groups, every second of them accepted; `unknown` is a null."""
    names = [None if name == "unknown" else name for name, n in groups.items() for _ in range(n)]
    accepted = [i % 2 for n in groups.values() for i in range(n)]
    return pl.DataFrame({"race": names, "p": accepted}, schema={"race": pl.String, "p": pl.Int64})


QUESTION: dict[str, Any] = {"facet": "race", "predicted": "p"}
FRAME = people(a=50, b=30, c=20, d=4)


def sizes(rated: pl.DataFrame) -> dict[str | None, int | None]:
    return dict(rated.filter(pl.col("facet") != "(all)")["value", "n"].rows())


@pytest.mark.parametrize(
    ("groups", "shown"),
    [
        ({"a": 50, "b": 30, "c": 20}, {"a": 50, "b": 30, "c": 20}),
        # d alone would be 104 less 100: c is hidden beside it.
        ({"a": 50, "b": 30, "c": 20, "d": 4}, {"a": 50, "b": 30, "c": None, "d": None}),
        # The rows of unknown group are a group, since the total counts them.
        ({"a": 50, "b": 30, "unknown": 4}, {"a": 50, "b": None, None: None}),
        # Two of one person each are 2 together, so that each is known: a third is hidden.
        ({"a": 50, "b": 30, "c": 1, "d": 1}, {"a": 50, "b": None, "c": None, "d": None}),
        ({"a": 50, "b": 9, "c": 9}, {"a": 50, "b": None, "c": None}),
    ],
)
def test_which_groups_are_hidden(
    groups: dict[str, int], shown: dict[str | None, int | None]
) -> None:
    assert sizes(pf.rates(people(**groups), hide_below=LEAST, **QUESTION)) == shown


@given(st.lists(st.integers(1, 30), min_size=1, max_size=6), st.integers(2, 12), st.integers(0, 12))
def test_no_hidden_count_follows_by_subtraction(
    counts: list[int], least: int, unknown: int
) -> None:
    groups = dict(zip("abcdef", counts, strict=False)) | ({"unknown": unknown} if unknown else {})
    rated = pf.rates(people(**groups), hide_below=least, **QUESTION)
    shown, total = sizes(rated), rated.filter(facet="(all)")["n"].item()
    small = [n for n in shown.values() if n is not None and n < least]
    assert not small
    assert (total is None) == (sum(groups.values()) < least)
    hidden = sum(n is None for n in shown.values())
    if total is None or not hidden or total == len(groups):
        return
    rest = total - sum(n or 0 for n in shown.values())
    # Every way to give the rest to hidden groups of at least one person: none is the only one.
    assert hidden > 1
    assert rest > hidden


def test_comparisons_of_hidden_groups_have_no_values_and_do_not_pass() -> None:
    audit = pf.audit(FRAME, "di", "selection_rate_gap", hide_below=LEAST, **QUESTION)
    rows = {(row["metric"], row["disfavored"]): row for row in audit.rows(named=True)}
    assert rows["di", "a"]["n_favored"] == 54
    for hidden in (("di", "c"), ("di", "d"), ("selection_rate_gap", None)):
        row = rows[hidden]
        names = ("n_disfavored", "n_favored", "value", "lower", "upper")
        assert [row[name] for name in names] == [None] * 5
        assert row["note"].startswith("hidden: fewer than 10 people")
        assert row["verdict"] == (None if row["band_lower"] is None else "undefined")
    with pytest.raises(pf.OutsideBandError, match="undefined"):
        pf.check(FRAME, "di", hide_below=LEAST, **QUESTION)


def test_a_named_side_is_hidden_by_any_of_its_groups() -> None:
    question = {**QUESTION, "favored": "c", "disfavored": ["a", "b"]}
    audit = pf.audit(FRAME, "di", hide_below=LEAST, **question)
    assert audit["value"].to_list() == [None]
    favored = pf.audit(FRAME, "di", hide_below=LEAST, **{**QUESTION, "favored": "a"})
    assert favored.filter(disfavored="b")["n_disfavored"].item() == 30


def test_unknown_rows_do_not_follow_from_all_others() -> None:
    """50 of a, and all others of b and c, give the 4 of unknown group."""
    audit = pf.audit(people(a=50, b=30, c=20, unknown=4), "di", hide_below=LEAST, **QUESTION)
    assert audit["n_unknown"].to_list() == audit["value"].to_list() == [None] * 3


def test_cells_of_hidden_groups_have_no_counts() -> None:
    cells = pf.cells(FRAME, hide_below=LEAST, **QUESTION)
    assert cells.group_by("race").agg(pl.col("n").sum()).sort("race").rows() == [
        *(("a", 50), ("b", 30), ("c", 0), ("d", 0))
    ]
    assert cells["n"].null_count() == cells["note"].count() == 4


TWO: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "p"}


def crossed(*counts: int) -> pl.DataFrame:
    """Rows of two sexes and two races."""
    pairs = [*product("FM", "ab")]
    rows = [pair for pair, n in zip(pairs, counts, strict=True) for _ in range(n)]
    return pl.DataFrame(rows, schema=["sex", "race"], orient="row").with_columns(
        p=pl.int_range(pl.len()) % 3 == 0
    )


def test_a_table_with_a_small_group_is_hidden_as_a_whole() -> None:
    """60 of F less 56 of F & b would be 4."""
    ranked = pf.worst_groups(crossed(4, 56, 40, 50), "spsf", hide_below=LEAST, **TWO)
    shown = ranked.filter(pl.col("note").is_null())
    assert sorted(shown["group", "n"].rows()) == [("F", 60), ("M", 90), ("a", 44), ("b", 106)]
    hidden = ranked.filter(pl.col("note").is_not_null())
    assert sorted(hidden["group"]) == ["F & a", "F & b", "M & a", "M & b"]
    numbers = ("n", "share", "rate", "lower", "weighted_gap", "rank", "direction")
    assert {*hidden.select(numbers).null_count().row(0)} == {4}
    assert shown["rank"].null_count() == 0


KINDS: dict[str, dict[str, Any]] = {
    "decisions": {"label": "y", "predicted": "p"},
    "scores": {"label": "y", "score": "s", "threshold": 0.5},
    "numbers": {"observed": "o", "estimated": "e"},
    "classes": {"label": "k", "predicted": "j", "classes": "each"},
    "windows": {"predicted": "p", "by": "t"},
}


def spread(first: int) -> pl.DataFrame:
    """100 rows of a and b, and 24 of c and d that are the same however many of these are of c."""
    i = pl.int_range(124)
    return people(a=60, b=40, c=first, d=24 - first).with_columns(
        p=i % 2,
        y=i % 3 == 0,
        s=(i * 7 % 23) / 23,
        o=i % 5,
        e=i % 7,
        k=pl.lit(pl.Series(["u", "v", "w"])).gather(i % 3),
        j=pl.lit(pl.Series(["u", "v", "w"])).gather(i * 5 % 7 % 3),
        t=i % 2,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_no_hidden_count_follows_from_a_page(kind: str) -> None:
    """What the page says is the same, however the rows of hidden groups are spread over these."""
    question = {"facet": "race", "replicates": 20, **KINDS[kind], "hide_below": LEAST}
    of_rates = {name: each for name, each in question.items() if name != "replicates"}
    pages, tables = [], []
    for first in (20, 17):
        rows = spread(first)
        report = pf.report(rows, **question)
        written = json.dumps(document_as_json(report.answers, {}))
        # Sums of other parts may differ in their last digits.
        rounded = re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]):.9f}", written)
        pages.append((report.to_markdown(), rounded))
        tables.append((pf.audit(rows, **question), pf.rates(rows, **of_rates)))
    assert "are hidden: c of race" in pages[0][0]
    assert pages[0] == pages[1]
    for one, other in zip(*tables, strict=True):
        assert_frame_equal(one, other, rel_tol=1e-12)


FOOTERS: dict[str, tuple[pl.DataFrame, str]] = {
    "known groups": (people(a=500, b=300, c=66, d=4), "870 rows seen, 0 dropped, 870 used, 0"),
    "unknown shown": (
        people(a=500, b=300, c=66, d=4, unknown=90),
        "960 rows seen, 0 dropped, 960 used, 90",
    ),
    "unknown hidden": (
        people(a=500, b=300, c=66, unknown=4),
        "870 rows seen, 0 dropped, 870 used, hidden",
    ),
    "few rows": (people(a=3, b=4), "hidden rows seen, hidden dropped, hidden used, 0"),
}


@pytest.mark.parametrize("groups", FOOTERS)
@pytest.mark.parametrize("metrics", [["di"], ["di", "selection_rate_gap"]])
@pytest.mark.parametrize("windows", [1, 2])
def test_the_footer_counts_each_row_once(groups: str, metrics: list[str], windows: int) -> None:
    frame, expected = FOOTERS[groups]
    parts = [frame.with_columns(t=pl.lit(i)) for i in range(windows)]
    by: dict[str, Any] = {"by": "t"} if windows > 1 else {}
    audit = pf.audit(pl.concat(parts), *metrics, hide_below=LEAST, **QUESTION, **by)
    numbers = re.sub(r"\d+", lambda found: f"{int(found[0]) * windows:,}", expected)
    assert footer(audit) == [f"race: {numbers} of them unknown"]


def footer(audit: pl.DataFrame) -> list[str]:
    """The lines below the table of an audit that count rows."""
    return re.findall(r"\w+: [^<>]* unknown", pf.table(audit).as_raw_html())


def test_rows_of_a_hidden_window_are_in_no_sum() -> None:
    """503 rows of both windows less 500 would be the 3 of the second."""
    frame = pl.concat([people(a=300, b=200).with_columns(t=0), people(a=3).with_columns(t=1)])
    audit = pf.audit(frame, "di", hide_below=LEAST, by="t", **QUESTION)
    assert footer(audit) == [
        "race: hidden rows seen, hidden dropped, hidden used, 0 of them unknown"
    ]


_KEPT = {"facet", "disfavored", "favored", "metric", "ideal", "band_lower", "band_upper", "verdict"}
_KEPT |= {"note", "rows_seen", "rows_used", "rows_dropped", "n_unknown"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"p_values": "exact", "equivalence": True, "minimum_count": 30, "bounds": True},
        {"predicted": {"p": "p", "q": "q"}, "champion": "p"},
    ],
)
def test_hidden_rows_have_nothing_but_their_keys(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So has a column that a later answer adds: here one of each row's value."""
    seen: list[pl.DataFrame] = []

    def hidden(rows: pl.DataFrame, *others: Any) -> pl.DataFrame:
        answer = hidden_rows(rows.with_columns(later=pl.lit(0.259)), *others)
        seen.append(answer.filter(has_hidden_note(LEAST)))
        return answer

    monkeypatch.setattr("polars_fairness.answers.audit.hidden_rows", hidden)
    frame = FRAME.with_columns(q=pl.int_range(pl.len()) % 3 == 0)
    metrics = ["di", "selection_rate_gap"]
    audit = pf.audit(frame, *metrics, hide_below=LEAST, **{**QUESTION, **options})
    shown = audit.filter(has_hidden_note(LEAST))
    assert shown.height == seen[0].height > 0
    shown = shown.with_columns(later=pl.lit(seen[0]["later"]))
    filled = {name for name in shown.columns if shown[name].null_count() < shown.height}
    assert filled <= _KEPT | {"model"}

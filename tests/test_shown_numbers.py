"""Each number on a printed table is the cell of the answer, up to its digits, and none is missing.

What is expected is read off the answer by its columns; the tables are read back as text, by their
titles. Neither knows how tables are laid out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from math import inf
from typing import Any, Final

import polars as pl
import polars.selectors as cs
import pytest
from hypothesis import given
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.api.columns import (
    ADVERSE_IMPACT,
    ANSWERS,
    IMPACT_RATIOS,
    LENDING_TABLE,
    QUANTILES,
    SEGMENTS,
    Columns,
)
from polars_fairness.cli.formats import WRITERS
from polars_fairness.formula.scores import QUANTILES as OF_SCORES
from polars_fairness.reporting.answer_tables import lay_out
from tests.frames import shared
from tests.strategies import EVERYTHING, examples, frames
from tests.surfaces import (
    NUMBER,
    Printed,
    agree,
    in_html,
    in_terminal,
    is_one_of,
    numbers_in,
    without_partner,
)

pytestmark = pytest.mark.extras

SIDES: Final[dict[str, Any]] = {"facet": "sex", "unknown": "X"}
DECIDED: Final[dict[str, Any]] = {**SIDES, "label": "y", "predicted": "p"}
SCORED: Final[dict[str, Any]] = {**SIDES, "label": "y", "score": "s"}
SHARE: Final = pl.col("k") / 8 + pl.col("v") / 4
ESTIMATED: Final[dict[str, Any]] = {
    "facet": pf.probabilities("sex", {"F": SHARE, "M": 1 - SHARE}),
    "predicted": "p",
}
MODELS: Final[dict[str, Any]] = {"now": "p", "next": (~pl.col("p")).alias("next")}
METRICS: Final = ("di", "dppl", "rd", "two_sd", "selection_rate_gap")

Answer = Callable[[pl.DataFrame], Any]

QUESTIONS: Final[dict[str, Answer]] = {
    "audit": lambda rows: pf.audit(rows, *METRICS, **DECIDED),
    "audit of strata": lambda rows: shared(
        pf.audit,
        rows,
        "cddpl",
        "mh_ratio",
        "cmh",
        "di",
        **EVERYTHING,
        disfavored="F",
        p_values="exact",
    ),
    "audit of windows": lambda rows: pf.audit(
        rows, *METRICS, **DECIDED, by=["branch", "u"], minimum_count=5, weight="w"
    ),
    "audit of thresholds": lambda rows: pf.audit(rows, *METRICS, **SCORED, threshold=[0.3, 0.65]),
    "audit of models": lambda rows: pf.audit(
        rows, *METRICS, **SIDES, label="y", predicted=MODELS, champion="now"
    ),
    "audit of a baseline": lambda rows: shared(
        pf.audit, rows, "di", "dppl", **DECIDED, by="u", baseline="previous"
    ),
    "audit of numbers": lambda rows: pf.audit(
        rows, "estimate_difference", "mae_ratio", **SIDES, observed="o", estimated="e"
    ),
    "audit of estimated groups": lambda rows: pf.audit(rows, "di", **ESTIMATED, by="branch"),
    "bounds": lambda rows: shared(pf.bounds, rows, "di", "dppl", **DECIDED),
    "plan": lambda rows: shared(pf.plan, rows, "di", "dppl", **DECIDED),
    "metrics": lambda rows: pf.metrics(rows, *METRICS, **DECIDED, by="branch"),
    "rates": lambda rows: pf.rates(rows, **DECIDED),
    "rates of windows": lambda rows: pf.rates(
        rows, **{**DECIDED, "facet": ["sex", "u"]}, by="branch", weight="w"
    ),
    "rates of scores": lambda rows: pf.rates(rows, **SCORED, threshold=0.5),
    "rates of estimated groups": lambda rows: pf.rates(rows, **ESTIMATED),
    "rates of numbers": lambda rows: pf.rates(rows, **SIDES, observed="o", estimated="e"),
    "worst_groups": lambda rows: pf.worst_groups(
        rows, "spsf", facet=["sex", "branch"], predicted="p", shrink=True
    ),
    "decompose": lambda rows: pf.decompose(
        rows, "cddpl", facet="sex", disfavored="F", predicted="p", subgroup=["branch", "u"]
    ),
    "drivers": lambda rows: pf.drivers(
        rows, facet="sex", disfavored="F", predicted="p", controls=["branch", "u"]
    ),
    "intake": lambda rows: pf.intake(rows, facet=["sex", "branch"], label="y"),
    "switches": lambda rows: pf.switches(rows, champion="now", **SIDES, predicted=MODELS),
    "pairs": lambda rows: shared(
        pf.pairs, rows.with_columns(case=pl.int_range(pl.len()) // 3), **DECIDED, cluster="case"
    ),
    "choose": lambda rows: pf.choose(
        rows, "di", "rd", **SCORED, disfavored="F", threshold=[0.2, 0.5, 0.7]
    ),
    "calibration": lambda rows: pf.calibration(rows, **SCORED),
    "confusions": lambda rows: pf.confusions(rows, **DECIDED, by="branch"),
    "compare": lambda rows: pf.compare(
        rows, "di", reported=0.75, disfavored="F", **{**DECIDED, "label": None}
    ),
    "impact_ratios": lambda rows: pf.hiring.impact_ratios(
        rows, sex="sex", race="branch", selected="p", replicates=20
    ),
    "adverse_impact": lambda rows: pf.hiring.adverse_impact(
        rows, facet=["sex", "branch"], selected="p"
    ),
    "lending": lambda rows: pf.lending.table(
        rows, **SIDES, favored="M", predicted="p", score="s", replicates=20
    ),
    "lending of estimated groups": lambda rows: pf.lending.table(rows, **ESTIMATED, favored="M"),
    "quantiles": lambda rows: pf.lending.quantiles(
        rows, **SIDES, favored="M", score="s", shares=[0.3, 0.6], replicates=20
    ),
    "segments": lambda rows: pf.lending.segments(
        rows, **SIDES, favored="M", predicted="p", subgroup="branch"
    ),
}
PRESCRIBED: Final[dict[str, Columns]] = {
    "impact_ratios": IMPACT_RATIOS,
    "adverse_impact": ADVERSE_IMPACT,
    "lending": LENDING_TABLE,
    "quantiles": QUANTILES,
    "segments": SEGMENTS,
}


# Numbers that stand above rows, in parentheses; in a name, an interval or a note; or nowhere.
ABOVE: Final = {
    **dict.fromkeys(
        ("audit", "bounds", "plan", "metrics", "quantiles"), ("n_disfavored", "n_favored")
    ),
    **dict.fromkeys(("adverse_impact", "lending"), ("n_favored", "reference_rate")),
    "segments": ("n_favored",),
}
_SIZES: Final = frozenset({"n_disfavored", "n_favored", "n_unknown", "rows_dropped"})
_PEOPLE: Final = ("n", "shortfall", "shortfall_to_four_fifths")
ELSEWHERE: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("audit", "bounds", "plan", "metrics"), _SIZES | {"rows_seen", "rows_used"}),
    **dict.fromkeys(
        ("adverse_impact", "lending"), (_SIZES | {"reference_rate"}) - {"n_disfavored"}
    ),
    "impact_ratios": _SIZES | {"median"},
    "quantiles": _SIZES,
    "segments": _SIZES - {"n_disfavored"},
    "worst_groups": frozenset({"depth", "rate_of_all"}),
    "compare": frozenset({"tried", "reported", "recomputed"}),
    "intake": frozenset({"p_value", "distinct"}),
}
# What a table may leave out: a terminal has no room for these, and a page has them.
OMITTED: Final[dict[str, frozenset[str]]] = {
    "adverse_impact": frozenset({"interval"}),
    "lending": frozenset({"points_interval", "odds_ratio_interval", "smd_interval"}),
    "rates": frozenset({*OF_SCORES, "auc_error", "rows_dropped"}),
}
ALL: Final = "(all)"
BOUND: Final = re.compile(r"((?:.*_)?)(lower|upper)")
WORDS: Final = (
    *("facet", "disfavored", "favored", "metric", "value", "why", "label", "column", "group"),
)


@dataclass(frozen=True)
class Expected:
    """A row that a table has to have: what says where it is, and numbers above and in it."""

    words: tuple[str, ...]
    above: tuple[float | None, ...]
    cells: dict[str, tuple[float | None, ...]]


def kind_of(name: str) -> str:
    return name.partition(" of ")[0]


def windows_of(kind: str, answer: pl.DataFrame) -> list[str]:
    first = {"worst_groups": "group", "choose": "selection_rate", "intake": "check"}
    first_column = first.get(kind, "facet")
    beside = ("threshold", "share", "accepted_share")
    return [
        name for name in answer.columns[: answer.columns.index(first_column)] if name not in beside
    ]


def expected(kind: str, answer: pl.DataFrame) -> Iterator[Expected]:
    """The rows of a table of the answer, one for each of its own but where a table turns them."""
    windows = windows_of(kind, answer)
    numeric = {name for name, dtype in answer.schema.items() if dtype.is_numeric()}
    numeric |= {"ideal", "value"} if kind == "metrics" else set()
    names = answer.columns
    strata = names[names.index("favored") + 1 : names.index("n")] if kind == "decompose" else []
    for row in _turned(kind, answer, windows):
        words = [word(row[name]) for name in windows]
        named = {name: row[name] for name in WORDS if name in row and name not in numeric}
        if kind in ("calibration", "confusions") and row["facet"] == ALL:
            named |= {"facet": "all rows", "value": ""}
        if named.get("disfavored", "") is None:
            named["favored"] = ""
        words += [word(value, name) for name, value in named.items()]
        if kind == "worst_groups":
            words = [f"{name} {word(row[name])}" for name, fixed in row["fixed"].items() if fixed]
        words += [word(row[name]) for name in strata]
        has_sides = row.get("disfavored") is not None
        above = tuple(row[name] for name in ABOVE.get(kind, ())) if has_sides else ()
        yield Expected(tuple(words), above, dict(_cells(kind, row, numeric - {*windows, *strata})))


def word(value: object, column: str = "") -> str:
    if value is None:
        return {"favored": "everyone else", "value": "unknown", "": "unknown"}.get(column, "")
    return str(value)


def _cells(
    kind: str, row: dict[str, Any], numeric: set[str]
) -> Iterator[tuple[str, tuple[float | None, ...]]]:
    for name in row:
        if name == "shares":
            yield from row[name].items()
        elif name == "lowest":
            yield "range", (row[name], row["highest"])
        elif found := BOUND.fullmatch(name):
            if found[2] == "lower":
                shown = {"": "interval", "band_": "band", "bin_": "score"}
                bounds = (row[name], row[f"{found[1]}upper"])
                yield shown.get(found[1], f"{found[1]}interval"), bounds
        elif name in numeric - {"highest"} - ELSEWHERE.get(kind, frozenset()):
            yield name, (row[name],)


def _turned(kind: str, answer: pl.DataFrame, windows: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Metrics and shares of classes have columns in one of the two, and the answer has all rows
    once where a table has these below each facet."""
    if kind == "metrics":
        metrics = answer.columns[answer.columns.index("rows_dropped") + 1 :]
        for row in answer.iter_rows(named=True):
            for name in metrics:
                of_metric = {"metric": name, "value": row[name], "ideal": pf.CATALOGUE[name].ideal}
                yield {key: row[key] for key in row if key not in metrics} | of_metric
    elif kind == "confusions":
        keys = [*windows, "facet", "value", "label"]
        of_label = answer.group_by(keys, maintain_order=True).agg("predicted", "share", "n")
        for row in of_label.iter_rows(named=True):
            shares = zip(row.pop("predicted"), row.pop("share"), strict=True)
            columns = {f"predicted {name}": (share,) for name, share in shares}
            yield row | {"n": sum(row["n"]), "shares": columns}
    elif kind in ("rates", "switches"):
        window = [name for name in windows if name != "model"]
        for row in answer.iter_rows(named=True):
            of_window = (pl.col(name).eq_missing(pl.lit(row[name])) for name in window)
            groups = answer.filter(pl.col("facet") != ALL, *of_window)
            if row["facet"] == ALL:
                yield from (
                    {**row, "facet": facet, "value": ALL} for facet in groups["facet"].unique()
                )
            else:
                yield row
    else:
        yield from answer.iter_rows(named=True)


OF_KIND: Final = {"impact_ratios": {"selection_rate": "rate", "selection rate": "rate"}}


def columns_of(kind: str, answer: pl.DataFrame) -> dict[str, str]:
    """The column of the answer below each title, in a terminal and in HTML."""
    declared: Columns = PRESCRIBED.get(kind) or ANSWERS[kind]
    known = [each for each in declared if each.name not in ELSEWHERE.get(kind, frozenset())]
    size = "n_disfavored" if kind in PRESCRIBED and kind != "impact_ratios" else "n"
    titles = dict.fromkeys(("weight", "Weight", "people", "People (estimated)"), size)
    titles |= {f"Predicted {name}".lower(): f"predicted {name}" for name in ("True", "False")}
    titles |= {name: f"predicted {name}" for name in ("True", "False")}
    titles |= {title: each.name for each in known for title in (each.title, each.label)}
    titles |= {name: name for name in answer.columns} | OF_KIND.get(kind, {})
    return titles


def read(row: Printed, titles: dict[str, str], cells: dict[str, Any]) -> dict[str, str]:
    """The texts of a row by their columns; an interval is that of the column before it."""
    found, before = {}, ""
    for title, text in row.cells:
        name = titles.get(title, titles.get(title.lower(), title.lower()))
        if name.startswith("interval"):
            name = f"{before}_interval" if f"{before}_interval" in cells else "interval"
        found[name], before = f"{text} %" if "in points" in title else text, name
    return found


def differences(kind: str, answer: pl.DataFrame, printed: list[Printed]) -> list[str]:
    """The rows of the answer that the table does not have, and what the table has too many."""
    wanted, titles = [*expected(kind, answer)], columns_of(kind, answer)
    if not wanted:
        return []
    shown = [(row, read(row, titles, wanted[0].cells)) for row in printed]
    fits = [
        [i for i, (row, texts) in enumerate(shown) if _fits(each, row, texts)] for each in wanted
    ]
    left = [f"no row for {wanted[i]}" for i in without_partner(fits)]
    known = {
        name
        for each in wanted
        for name, values in each.cells.items()
        if any(value is not None for value in values)
    }
    titled = {name for _, texts in shown for name in texts}
    missing = known - OMITTED.get(kind, frozenset()) - titled
    odd = {
        f"{name} {text}"
        for row, texts in shown
        for name, text in texts.items()
        if not any(name in each.cells for each in wanted)
        and name not in ("flag", "is_flagged")  # "below 4/5"
        and text != row.cells[0][1]
        and NUMBER.search(text)
    }
    in_part = {each for row in shown for each in people_in_part(*row)} if has_people(answer) else ()
    more = abs(len(shown) - len(wanted))
    return [
        *left,
        *(f"no column {name}" for name in missing),
        *(f"unknown number {each}" for each in odd),
        *(f"no whole number of people {each}" for each in in_part),
        *([f"{more} rows"] if more else []),
    ]


def has_people(answer: pl.DataFrame) -> bool:
    """Whether sizes are of groups known in probability: whole numbers of people, where shown."""
    return "estimator" in answer.columns


def people_in_part(row: Printed, texts: dict[str, str]) -> Iterator[str]:
    """Numbers of people in a row, and above it, that are no whole numbers."""
    named = (*_PEOPLE, *_SIZES, "Rows", "People (estimated)")
    sizes = [texts[name] for name in named if name in texts]
    for text in (*sizes, *re.findall(r"\(([\d.,]+)[,)]", row.under)):
        if "." in text:
            yield text


def _fits(each: Expected, row: Printed, texts: dict[str, str]) -> bool:
    where = " | ".join([row.under, row.cells[0][1], texts.get("model", "")])
    if not all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", where) for word in each.words if word):
        return False
    above = " ".join(re.findall(r"\(([^)]*\d[^)]*)\)", row.under))
    if each.above and not agree(above, each.above):
        return False
    return all(agree(texts[name], values) for name, values in each.cells.items() if name in texts)


@pytest.mark.parametrize("name", QUESTIONS)
@examples(10)
@given(rows=frames(least=8))
def test_each_number_on_a_table_is_the_cell_of_the_answer(name: str, rows: pl.DataFrame) -> None:
    answer, tables = QUESTIONS[name](rows), []

    def in_one_table(found: Any) -> list[Any]:
        # What scores say would stand in a second table.
        tables.append(lay_out(found))
        return tables

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setenv("COLUMNS", "2000")
        patch.setattr("polars_fairness.reporting.shown._MOST_ROWS", None)
        patch.setattr("polars_fairness.reporting.shown.terminal_tables", in_one_table)
        pf.show(answer)
    notes = [*tables[0].notes]
    assert all(note in printed.getvalue() for note in notes)
    assert not odd_in_notes(notes, kind_of(name), answer)
    assert not has_people(answer) or not re.search(r"\.\d+ (of them )?unknown", " ".join(notes))
    found = differences(kind_of(name), answer, in_terminal(printed.getvalue()))
    assert not found, "\n".join([*found[:5], printed.getvalue()])
    found = differences(kind_of(name), answer, in_html(pf.table(answer).as_raw_html()))
    assert not found, "\n".join([*found[:5], printed.getvalue()])
    of_programs(kind_of(name), answer)


def odd_in_notes(notes: Sequence[str], kind: str, answer: pl.DataFrame) -> list[str]:
    """Numbers in notes below a table that are no cells; of a facet, no sums over its windows."""
    numbers = [each for column in answer.select(cs.numeric()) for each in column.drop_nulls()]
    if kind == "drivers":
        raw, adjusted = (answer.filter(part=each)["contribution"] for each in ("raw", "adjusted"))
        numbers = [100 * each for each in (*numbers, *(raw - adjusted).drop_nulls())]
    if kind == "intake":  # how many columns and groups there are, and how many are outside
        of_facets = answer.group_by("facet", "check", "verdict").len("rows")
        whole = answer.group_by("facet", "check").len("rows")
        counts_of_rows = pl.concat([of_facets, whole], how="diagonal")["rows"].to_list()
        numbers += [*counts_of_rows, answer.filter(check="coverage").height]
        numbers += [100 * limit for limit in answer["limit"].drop_nulls()]
    in_words = answer.select(cs.by_name("note", "why", require_all=False))
    quoted = {text for column in in_words for text in column.drop_nulls()}
    quoted |= {part for text in quoted for part in text.split("; ")}
    counts = [name for name in ("rows_seen", "rows_used", *_SIZES) if name in answer.columns]
    sums: dict[str, list[float]] = {}
    if "facet" in answer.columns and counts:
        by = ["facet", *({"metric"} & {*answer.columns})]
        # Models decide about the same rows, and estimators are about the same.
        same_rows = ("model", "estimator")
        windows = [name for name in windows_of(kind, answer) if name not in same_rows]
        once = answer.unique([*windows, *by]).group_by(by).agg(pl.col(counts).sum())
        for facet, *row in once.select("facet", *counts).iter_rows():
            sums.setdefault(f"{facet}: ", []).extend(row)
    return [
        token
        for note in notes
        if not any(note.startswith(text) for text in quoted)
        for known in [next((sums[each] for each in sums if note.startswith(each)), numbers)]
        for token, _ in numbers_in(note)
        if not is_one_of(token, known)
    ]


def of_programs(kind: str, answer: pl.DataFrame) -> None:
    """Formats for programs have each number of the answer, unrounded."""
    numbers = answer.select(cs.numeric())
    as_json = json.loads(WRITERS["json"](answer, kind))
    infinite = {"inf": inf, "-inf": -inf}
    assert numbers.rows(named=True) == [
        {key: infinite.get(each[key], each[key]) for key in numbers.columns} for each in as_json
    ]
    answer = answer.select(~cs.nested())  # for which CSV has no room
    as_csv = StringIO(WRITERS["csv"](answer, kind))
    assert_frame_equal(
        pl.read_csv(as_csv, schema_overrides=numbers.schema)[numbers.columns], numbers
    )
    heads, _, *lines = WRITERS["markdown"](answer, kind).splitlines()
    places = [heads[2:-2].split(" | ").index(each) for each in numbers.columns]
    for line, row in zip(lines, numbers.rows(), strict=True):
        texts = line[2:-2].split(" | ")
        assert [float(texts[i]) if texts[i] else None for i in places] == [*row]

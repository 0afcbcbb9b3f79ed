"""Each number on a page is one of its answers or a constant of its question, in tables and in
sentences; a table of metrics or rates has each row of its answer.

What is expected is read off the answers: a number belongs to a group that is named beside it, or to
all rows, or it counts rows of an answer that are alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import example, given

import polars_fairness as pf
from polars_fairness.reporting import answers as of_reports
from tests.frames import shared
from tests.reference.wilson import wilson
from tests.strategies import FULL, examples, frames
from tests.surfaces import (
    NUMBER,
    Printed,
    agree,
    in_html,
    in_markdown,
    is_one_of,
    numbers_in,
    passages,
    without_partner,
)
from tests.test_shown_numbers import (
    ALL,
    DECIDED,
    METRICS,
    MODELS,
    SCORED,
    SHARE,
    SIDES,
    people_in_part,
    word,
)

pytestmark = pytest.mark.extras

RACES: Final = {str(i): race for i, race in zip(range(-2, 3), "abcde", strict=True)}
OF_SEX: Final = pf.probabilities("sex", {"F": "p_f", "M": "p_m"})
OF_AUDIT: Final = ("subgroup", "baseline", "champion", "cluster")
PAGES: Final[dict[str, tuple[Sequence[str], dict[str, Any]]]] = {
    "decisions": ([*METRICS, "cddpl"], {**DECIDED, "subgroup": "branch"}),
    "weights": (["di", "dppl"], {**DECIDED, "weight": "w"}),
    "controls": (["adjusted_difference", "di"], {**DECIDED, "controls": ["branch", "race"]}),
    "facets": (METRICS, {**DECIDED, "facet": ["sex", "race"]}),
    "windows": (METRICS, {**DECIDED, "by": "branch"}),
    "baseline": (METRICS, {**DECIDED, "by": "branch", "baseline": "previous"}),
    "models": (METRICS, {**SIDES, "label": "y", "predicted": MODELS, "champion": "now"}),
    "a threshold": (["di", "rd", "auc_difference"], {**SCORED, "threshold": 0.3}),
    "numbers": (
        ["estimate_difference", "estimate_ratio", "mae_ratio"],
        {**SIDES, "observed": "o", "estimated": "e"},
    ),
    "classes": (["di", "dppl"], {**SIDES, "predicted": "level", "classes": "each"}),
    "clusters": (["di", "dppl"], {**DECIDED, "cluster": "place"}),
    "probabilities": (["di", "dppl"], {"facet": OF_SEX, "disfavored": "F", "predicted": "p"}),
}
# The confidence, draws, and groups of rows that are left out one after the other.
CONSTANTS: Final = (0.95, 20, 200)


def of_page(name: str, rows: pl.DataFrame) -> tuple[Any, dict[str, pl.DataFrame]]:
    """A page, and the answers to the same question."""
    metrics, question = PAGES[name]
    counted = {key: each for key, each in question.items() if key not in OF_AUDIT}
    answers = {
        "audit": shared(pf.audit, rows, *metrics, **question, replicates=20),
        "rates": shared(pf.rates, rows, **counted),
    }
    if name == "decisions":
        of = {key: each for key, each in question.items() if key != "label"}
        answers["decompose"] = pf.decompose(rows, "cddpl", **of, disfavored="F")
    if name == "weights":
        answers["rows"] = pf.rates(rows, **{**counted, "weight": None})
        answers["effective"] = effective(rows)
    if name == "controls":
        answers["drivers"] = in_points(shared(pf.drivers, rows, **counted))
    if name == "a threshold":
        answers["calibration"] = shared(pf.calibration, rows, **{**counted, "threshold": None})
    if name == "models":
        answers["switches"] = shared(pf.switches, rows, champion="now", **counted)
    if name == "facets":
        for metric in ("spsf", "fpsf", "fnsf"):
            answers[metric] = shared(pf.worst_groups, rows, metric, **counted)
    if name not in ("numbers", "probabilities"):
        answers["bounds"] = shared(pf.bounds, rows, "di", "dppl", **counted)
    of_report: dict[str, Any] = {"unit": "dollars"} if name == "numbers" else {}
    report = pf.report(rows, *metrics, **question, **of_report, replicates=20)
    if (planned := report.answers.planned).height:
        of = {key: each for key, each in question.items() if key != "subgroup"}
        found = shared(pf.plan, rows, planned["metric"][0], **of, replicates=20)
        distance, ideal = found["detectable"], found["ideal"]
        answers["plan"] = found.with_columns(least=ideal - distance, most=ideal + distance)
    return report, answers


def in_points(drivers: pl.DataFrame) -> pl.DataFrame:
    """The contributions beside the same in points, and what all controls account for."""
    ends = drivers["contribution"][0], drivers["contribution"][-1]
    explained = None if None in ends else 100 * (ends[0] - ends[1])
    return drivers.with_columns(points=100 * pl.col("contribution"), explained=pl.lit(explained))


def effective(rows: pl.DataFrame) -> pl.DataFrame:
    """Rates of weights, and how many rows without weights are as sure (Kish)."""
    p, y, w = map(pl.col, "pyw")
    rows = rows.with_columns(sex=pl.col("sex").replace("X", None))
    parts = (rows, rows.with_columns(p=y), rows.filter(y), rows.filter(~y))
    return pl.concat(
        part.group_by(value=each).agg(
            n=w.sum() ** 2 / (w**2).sum(), selection_rate=(p * w).sum() / w.sum()
        )
        for part in parts
        for each in ("sex", pl.lit(None, pl.String))
    )


def peopled(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows with more about them."""
    return rows.with_columns(
        race=pl.col("u").cast(pl.String).replace_strict(RACES),
        level=pl.col("branch").fill_null("n"),
        place=pl.int_range(pl.len()) % 12,
        p_f=SHARE,
        p_m=1 - SHARE,
    )


# The numbers that a page may have.

RATIOS: Final = frozenset(name for name, metric in pf.CATALOGUE.items() if metric.is_ratio)
NUMBERS: Final = frozenset(n for n, metric in pf.CATALOGUE.items() if metric.is_about_numbers)
RATES: Final = {
    "Selection rate": (("tp", "fp"), ("tp", "fp", "fn", "tn")),
    "Base rate": (("tp", "fn"), ("tp", "fp", "fn", "tn")),
    "True positive rate": (("tp",), ("tp", "fn")),
    "False positive rate": (("fp",), ("fp", "tn")),
}
# What a page divides, by its columns.
SHARES: Final = (
    ("n_unknown", "rows_seen"),
    ("newly_accepted", "n"),
    ("newly_rejected", "n"),
    ("switched", "n"),
)
ALIKE: Final = frozenset(
    {
        *("facet", "metric", "model", "branch", "threshold", "positive", "estimator"),
        *("verdict", "direction", "change", "change_together"),
        *("flag", "is_below_four_fifths", "is_significant"),
    }
)
WINDOWS: Final = ("branch", "model", "threshold", "estimator", "positive")
# Names that have digits; what an interval needs, and how often groups that do not differ would have
# a flag, which have tests of their own.
NAMES: Final = re.compile(
    r"\S+ effective clusters, and an interval needs 5|over 12 clusters|\S+ of 100 tables"
    r"|fewer than 10 rows of an outcome|below 4/5"
    r"|\d{4}-\d\d-\d\d|SHA-256.*|Made by .*|29 CFR [\d.]+|the metrics mean.*"
)


def rate_of(k: float, n: float) -> tuple[float | None, ...]:
    """A rate with its 95 % interval by the formula of Wilson."""
    if not n:
        return (None, None, None)
    return (k / n, *wilson(k / n, n))


def with_wilson(row: Mapping[str, Any], rate: str) -> tuple[float | None, ...]:
    k, n = (sum(row[name] for name in names) for names in RATES[rate])
    return rate_of(k, n)


def of_row(row: dict[str, Any]) -> Iterator[float | None]:
    """The numbers of a row, those in its texts, and what a page makes of them."""
    for cell in row.values():
        if isinstance(cell, str):
            yield from (float(token.replace(",", "")) for token, _ in numbers_in(cell))
        elif isinstance(cell, int | float) and not isinstance(cell, bool):
            yield cell
    yield from _turned(row)
    if "newly_accepted" in row:
        row = {**row, "switched": row["newly_accepted"] + row["newly_rejected"]}
        yield row["switched"]
    for part, whole in SHARES:
        yield row[part] / row[whole] if row.get(whole) and part in row else None
    if row.get("tp") is not None:
        for rate, (numerator, _) in RATES.items():
            yield from (sum(row[name] for name in numerator), *with_wilson(row, rate))
    elif (share := row.get("selection_rate")) is not None and 0 <= share <= 1:
        yield from (share * row["n"], *rate_of(share * row["n"], row["n"]))


def _turned(row: Mapping[str, Any]) -> Iterator[float]:
    """A value and its interval, read from the other side."""
    ends = [row[name] for name in ("value", "lower", "upper", "reference") if row.get(name)]
    if row.get("metric") in RATIOS:
        yield from (1 / end for end in ends)
    elif row.get("metric") in NUMBERS:
        yield from (-end for end in ends)


def names(where: str, *words: str) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", where) for word in words)


def groups_of(row: Mapping[str, Any]) -> list[str]:
    """The groups that a row is about: none where it is about all rows."""
    if "part" in row:
        return [row["disfavored"]]
    if "contribution" in row:
        return [word(row["branch"], "value")]
    if "fixed" in row:
        return [word(row[name], "value") for name, fixed in row["fixed"].items() if fixed]
    if row.get("facet") == ALL:
        return []
    return [row[name] for name in ("disfavored", "value") if isinstance(row.get(name), str)]


def of_groups(answers: Mapping[str, pl.DataFrame], where: str) -> Iterator[float | None]:
    """The numbers of the rows whose groups are named here."""
    for answer in answers.values():
        for row in answer.iter_rows(named=True):
            if names(where, *groups_of(row)):
                yield from of_row(row)
            elif "reference_rate" in row and names(where, row["favored"] or ""):
                yield from (row["n_favored"], row["reference_rate"])


def alike_in(answer: pl.DataFrame) -> Iterator[Collection[int]]:
    """How many rows of an answer have the same in up to three columns."""
    known = [
        pl.col(name).is_null().alias(f"{name} is missing")
        for name in ("value", "lower", "verdict")
        if name in answer
    ]
    keys = answer.select(*(name for name in answer.columns if name in ALIKE), *known)
    for number in range(min(3, keys.width) + 1):
        for some in combinations(keys.iter_columns(), number):
            yield Counter(zip(*some, strict=True) if some else [()] * answer.height).values()


def of_all_rows(rates: pl.DataFrame) -> float:
    return float(rates.filter(pl.col("facet") == ALL)["n"].sum())


def of_all(answers: Mapping[str, pl.DataFrame]) -> Iterator[float]:
    """Bands, numbers of rows that are alike, 5 % of these (by chance), of notes, and sums."""
    yield 0.0
    for answer in answers.values():
        for alike in alike_in(answer):
            yield from (scale * each for each in (len(alike), *alike) for scale in (1, 0.05))
        if "rank" in answer:  # Below how many rows a group is listed last.
            notes = " ".join(answer["note"].drop_nulls().unique())
            yield from map(float, re.findall(r"\d+", notes))
        others = (name for name in ("direction", "verdict") if name in answer)
        yield from (answer.height - n for each in others for n in Counter(answer[each]).values())
        same = ("ideal", "band_lower", "band_upper", "share", "accepted_share")
        of_all_groups = [answer[name].drop_nulls().unique() for name in same if name in answer]
        yield from (each for numbers in of_all_groups for each in numbers)
        for _, part in answer.group_by("facet") if "facet" in answer else ():
            first = part.unique(subset=[name for name in WINDOWS if name in part] or ["facet"])
            sums: dict[str, Any] = {each: first[each].sum() for each in SIZES if each in part}
            yield from sums.values()
            if "n_unknown" in sums and (rates := answers.get("rates")) is not None:
                yield sums["n_unknown"] / (of_all_rows(rates) or 1)


SIZES: Final = ("n", "n_unknown", "rows_seen", "rows_used", "rows_dropped")


def strange(
    page: str, answers: Mapping[str, pl.DataFrame], *constants: float
) -> list[tuple[str, str]]:
    """The numbers of a page that are none of its answers, with the passage of each."""
    everywhere, found = [*CONSTANTS, *constants, *of_all(answers)], []
    for under, text in passages(page):
        where = NAMES.sub("", f"{under} | {text}")
        known = [*everywhere, *(each for each in of_groups(answers, where) if each is not None)]
        # A difference of shares is in points, which are a hundred times as many.
        either = [*known, *(100 * each for each in known)]
        for token, _ in numbers_in(where.partition(" | ")[2]):
            if not is_one_of(token, either):
                found.append((token, text))
    return found


@examples(4)
@example(rows=FULL)
@given(rows=frames(least=8))
def test_each_number_of_a_page_on_lending_is_of_its_tables(rows: pl.DataFrame) -> None:
    question: dict[str, Any] = {**SIDES, "favored": "M"}
    drawn: dict[str, Any] = {"replicates": 20, "confidence": 0.9}
    scored = {**question, "score": "s"}
    decided = {**question, "predicted": "p"}
    answers = {
        "table": pf.lending.table(rows, **decided, score="s", **drawn),
        "quantiles": pf.lending.quantiles(rows, **scored, shares=[0.3, 0.6], **drawn),
        "segments": pf.lending.segments(rows, **decided, subgroup="branch", confidence=0.9),
        "in segments": pf.lending.table(rows, **decided, score="s", by="branch", **drawn),
    }
    more: dict[str, Any] = {"score": "s", "subgroup": "branch", "shares": [0.3, 0.6]}
    report = pf.lending.report(rows, **decided, **more, **drawn)
    limits = (0.8, 1.0, 0.0, 0.05, 0.9)  # of what is flagged, and the confidence
    assert strange(report.to_markdown(), answers, *limits) == []
    together = {**decided, "subgroup": "branch", "confidence": 0.9, "p_values": "exact"}
    of_windows = {
        "table": pf.lending.table(rows, **decided, by="branch", **drawn),
        "overall": pf.audit(rows, "mh_ratio", **together),
    }
    smaller = of_windows["table"].select(pl.min_horizontal("n_disfavored", "n_favored"))
    few = [n for n in smaller.to_series() if n is not None and n < 30]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_reports, "_MANY_WINDOWS", 1)
        page = pf.lending.report(rows, **decided, by="branch", **drawn).to_markdown()
    windows = of_windows["table"]["branch"].n_unique()
    assert page.startswith(f"Over all {windows} windows of branch", page.index("\n\n") + 2) or (
        windows == 1 or of_windows["overall"]["disfavored"].is_null().all()
    )
    counted = (windows, len(few), 30, *of_windows["table"]["n_unknown"].unique())
    assert strange(page, of_windows, *limits, *counted) == []


@examples(4)
@example(rows=FULL)
@given(rows=frames(least=8))
def test_each_number_of_a_page_on_hiring_is_of_its_tables(rows: pl.DataFrame) -> None:
    people: dict[str, Any] = {"sex": "sex", "race": "branch", "selected": "p"}
    answers = {
        "impact_ratios": pf.hiring.impact_ratios(rows, **people, replicates=20),
        "adverse_impact": pf.hiring.adverse_impact(rows, facet=["sex", "branch"], selected="p"),
    }
    published: dict[str, Any] = {"audit_date": "2026-11-22", "distribution_date": "2026-01-31"}
    published |= {"data": "All."}
    report = pf.hiring.report(rows, **people, **published, replicates=20)
    limits = (0.8, 1.0, 0.0, 0.05)  # of what is flagged
    assert strange(report.to_markdown(), answers, *limits) == []


# The rows of tables.


def rows_on(page: list[Printed], *heads: str) -> list[tuple[str, dict[str, str]]]:
    """The rows of tables with such heads, each with what says where it is, and its texts."""
    about = ("Group", "Facet", "Groups", "Comparison", "Metric", "branch", "model")
    rows = [(row.under, dict(row.cells)) for row in page]
    return [
        (" | ".join([under, *(texts.get(name, "") for name in about)]), texts)
        for under, texts in rows
        if {*heads} <= {*texts} and "Difference" not in texts
    ]


def _named(
    windows: Sequence[str], where: str, texts: dict[str, str], row: dict[str, Any]
) -> Iterator[str]:
    """The window of a row, where the table and not a sentence above it names the window."""
    return (word(row[each]) for each in windows if each in texts or each in where)


def turned(fits: list[list[int]], rows: int) -> list[list[int]]:
    """The rows of the answer that fit each row of the page."""
    return [[place for place, each in enumerate(fits) if i in each] for i in range(rows)]


def assert_rows(audit: pl.DataFrame, rated: pl.DataFrame, page: list[Printed]) -> None:
    """Tables have rows of the two answers, and each number in its column."""
    windows = [each for each in ("branch", "model") if each in audit.columns]
    of_metrics = rows_on(page, "Metric", "Value")
    fits = []
    for row in audit.iter_rows(named=True):
        sides = [row["disfavored"] or "all groups", row["favored"] or ""]
        words = [row["facet"], row["metric"], *sides]
        values = (row["value"], row["lower"], row["upper"])
        ideal, band = (row["ideal"],), (row["band_lower"], row["band_upper"])
        fits.append(
            [
                i
                for i, (where, texts) in enumerate(of_metrics)
                if names(where, *words, *_named(windows, where, texts, row))
                and agree(texts["Value"], values)
                and agree(texts.get("Ideal", str(ideal[0])), ideal)
                and agree(texts.get("Band", "") or "none", band)
            ]
        )
    assert [of_metrics[i] for i in without_partner(turned(fits, len(of_metrics)))] == []

    of_rates = rows_on(page, "Rows", *RATES)
    fits = []
    for row in rated.iter_rows(named=True):
        is_all = row["facet"] == ALL
        group = "All rows" if is_all else word(row["value"])
        words = [group, "" if is_all else row["facet"]]
        fits.append(
            [
                i
                for i, (where, texts) in enumerate(of_rates)
                if names(where, *words, *_named(windows, where, texts, row))
                and agree(texts["Rows"], (row["n"],))
                and all(agree(texts[each], with_wilson(row, each)) for each in RATES)
            ]
        )
    # The rates of all rows stand below those of each facet.
    assert all(turned(fits, len(of_rates)))


def row_of_numbers(row: Printed) -> list[list[str]]:
    return [NUMBER.findall(text) for _, text in row.cells]


@pytest.mark.nightly
@pytest.mark.parametrize("name", PAGES)
@examples(4)
@given(rows=frames(least=8))
def test_each_number_of_a_page_on_any_rows_is_of_its_answers(name: str, rows: pl.DataFrame) -> None:
    assert_page(name, rows)


@pytest.mark.parametrize("name", PAGES)
def test_each_number_of_a_page_is_of_its_answers(name: str) -> None:
    assert_page(name, FULL)


def assert_page(name: str, rows: pl.DataFrame) -> None:
    report, answers = of_page(name, peopled(rows))
    page = report.to_markdown()
    tables = in_markdown(page)
    if name in ("decisions", "facets", "windows", "models"):
        assert_rows(answers["audit"], answers["rates"], tables)
    if name == "probabilities":
        assert [each for row in tables for each in people_in_part(row, dict(row.cells))] == []
        assert {"People (estimated)"} <= {title for row in tables for title, _ in row.cells}
        assert not re.search(r"\.\d+ (people|rows)", page)
    if name == "clusters":  # Intervals of rates are no answer's, and have a test of their own.
        page = re.sub(r" \([\d.]+ to [\d.]+\u202f%\)", "", page)
    # Intervals that hold together for several groups are no answer's, and have tests of their own.
    together = r"(By the .*? group is|differs significantly|have? (a )?(lower|higher)"
    together += r"|most often for)[^\n]*"
    page = re.sub(together, "", page)
    page = re.sub(r"(\| [\d.]+\u202f%) \([^)]*\)( \| (Below|Above|Not))", r"\1\2", page)
    page = re.sub(r"(\| [\d.]+\u202f%) \([^)]*\) \|\n", r"\1 |\n", page)
    if name == "controls":  # Notes are those of the audit.
        page = re.sub(r"\bcontrols: .*", "", page)
    assert strange(page, answers) == []
    in_browser = in_html(report._repr_html_())
    assert [row_of_numbers(row) for row in in_browser] == [row_of_numbers(row) for row in tables]


def test_a_wrong_number_in_a_sentence_is_found() -> None:
    report, answers = of_page("decisions", peopled(FULL))
    page = report.to_markdown()
    (first, *_) = re.findall(r"\((\S+) to", page)
    wrong = page.replace(f"({first} to", "(0.987 to", 1)
    assert {token for token, _ in strange(wrong, answers)} == {"0.987"}

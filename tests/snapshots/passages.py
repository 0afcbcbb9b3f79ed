"""Passages of pages about a few rows: the question of each, and which section is kept.

The rows of tables are held by laws, `tests/test_shown_pages.py`; kept are the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from itertools import takewhile
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.terms import a, d
from tests.frames import predictions
from tests.pay.test_table import PEOPLE, QUESTION
from tests.reporting import test_contrasts as contrasts
from tests.reporting.reports import BERKELEY, BOTH, four_each, of_counts, scored

Counts = dict[str, tuple[int, int]]

TWO: Final[Counts] = {"F": (2, 10), "M": (8, 10)}
THREE: Final[Counts] = {"A": (1, 10), "B": (5, 10), "C": (6, 20)}
FOUR: Final[Counts] = {"A": (12, 100), "B": (17, 100), "C": (18, 100), "D": (18, 100)}
FORTY: Final[Counts] = {f"{i:02}": (i, 40) for i in range(1, 41)}
SURE: Final[dict[str, Any]] = {"confidence": 0.95}


def _of(counts: Counts, *metrics: Any, **more: Any) -> pf.Report:
    return _report(of_counts(counts), *metrics, **more)


def _report(rows: pl.DataFrame, *metrics: Any, **more: Any) -> pf.Report:
    question: dict[str, Any] = {"facet": "sex", "predicted": "hired", "confidence": None}
    return pf.report(rows, *(metrics or ("di",)), **question | more)


def _months(*counts: Counts, **more: Any) -> pf.Report:
    rows = pl.concat(
        of_counts(each).with_columns(month=date(2025, month, 1))
        for month, each in enumerate(counts, start=1)
    )
    return _report(rows, by="month", **more)


def _two(**columns: Any) -> pl.DataFrame:
    return of_counts(TWO).with_columns(**columns)


def _second(F: int, M: int, **more: Any) -> pf.Report:  # noqa: N803
    """Of 100 rows each, so many are qualified and not hired, or the other way round."""
    rows = pl.DataFrame({"sex": ["F"] * 100 + ["M"] * 100}).with_columns(
        hired=pl.Series([*[True] * F, *[False] * (100 - F), *[True] * M, *[False] * (100 - M)]),
        fits=pl.Series([*[False] * F, *[True] * F, *[False] * (100 - F - F)] + [True] * M)
        .extend_constant(False, 100 - M),
    )  # fmt: skip
    return _report(rows, "di", "rd", label="fits", **more)


def _older_and_newer() -> pf.Report:
    """From 0.25 to 0.75 of the rate of R in B, from 1 to 0.5 in A."""
    rows = of_counts(dict.fromkeys("ABR", (0, 100)), "race").select("race")
    place = pl.int_range(pl.len()).over("race")
    models = {
        name: (place < pl.col("race").replace_strict(rates)).alias(name)
        for name, rates in (
            ("old", {"A": 80, "B": 20, "R": 80}),
            ("new", {"A": 40, "B": 60, "R": 80}),
        )
    }
    return _report(
        rows, facet="race", favored="R", predicted=models, champion="old", confidence=0.95
    )


def _branches(*women: int) -> pl.DataFrame:
    """So many of ten women of each branch, and all men."""
    return pl.concat(
        of_counts({"F": (n, 10), "M": (10, 10)}).with_columns(branch=pl.lit(branch))
        for branch, n in zip(("north", "south"), women, strict=True)
    )


def _weeks() -> pf.Report:
    """Each of three weeks counts the rows of those before it, in each of two branches."""
    rows = of_counts({"F": (2, 5), "M": (6, 10), "": (1, 5)})
    rows = rows.with_columns(pl.col("sex").replace("", None))
    weeks = pl.DataFrame({"week": [1, 2, 3]}).join(
        pl.DataFrame({"branch": ["n", "s"]}), how="cross"
    )
    by = ["week", "branch"]
    return _report(rows.join(weeks, how="cross"), by=by, sequential="each", **SURE)


def _prices(**more: Any) -> pf.Report:
    rows = pl.DataFrame(
        {
            "sex": ["F"] * 4 + ["M"] * 4,
            "branch": ["n", "s"] * 4,
            "price": [2.0, 9.0, 4.0, 11.0, 1.0, 2.0, 3.0, 4.0],
            "w": [2.5] * 8,
        }
    )
    question = {"predicted": None, "favored": "M", "estimated": "price", "favorable": False}
    return _report(rows, "estimate_difference", "estimate_ratio", **question | SURE | more)


def _pay(rows: pl.DataFrame = PEOPLE, **more: Any) -> Any:
    return pf.pay.report(rows, **{**QUESTION, **more})


_FIRST: Final[dict[str, Callable[[], pf.Report]]] = {
    "pay by hours": lambda: _pay(
        PEOPLE.with_columns(hours=pl.when(sex="F").then(4).otherwise(8)), hours="hours"
    ),
    "pay at equal controls": lambda: _pay(
        PEOPLE.drop_nulls("grade"), controls="basic", confidence=None
    ),
    "pay of one group": lambda: _pay(PEOPLE.filter(sex="F"), favored=None),
    "pay of no one": lambda: _pay(PEOPLE.clear(), favored=None),
    "two groups": lambda: _of(TWO),
    "a name with braces": lambda: _of({"a": (8, 10), "{value}": (2, 10)}),
    "not significant": lambda: _of({"F": (3, 10), "M": (4, 10)}, rule="significant"),
    "no rows to compare with": lambda: _of({"F": (3, 10)}, "ddpl", bands={"ddpl": (-0.1, 0.1)}),
    "uncertain": lambda: _of({"F": (6, 10), "M": (9, 10)}, **SURE),
    "outside jointly": lambda: _of({"F": (600, 1_000), "M": (900, 1_000)}, **SURE),
    "another metric is outside": lambda: _second(19, 20),
    "all groups outside": lambda: _of(
        {"tiny": (1, 10), "large": (8, 40), "some": (2, 20), "high": (10, 10), "R": (20, 40)},
        favored="R",
    ),
    "very many groups outside": lambda: _of(
        {f"g{i:02}": (i, 10 * i) for i in range(1, 21)} | {"R": (5, 10)}, favored="R"
    ),
    "the side that is worse off": lambda: _of({"A": (8, 10), "B": (2, 10)}, **SURE),
    "the side that is flagged": lambda: _of({"A": (2, 10), "B": (8, 10)}, favorable=False, **SURE),
    "an uneven band": lambda: _of({"A": (8, 10), "B": (2, 10)}, bands={"di": (0.8, 1.5)}),
    "so since": lambda: _months({"F": (8, 10), "M": (8, 10)}, TWO, TWO),
    "not so before": lambda: _months(TWO, {"F": (8, 10), "M": (8, 10)}, TWO),
    "a requested metric without a band": lambda: _report(
        of_counts({"F": (1, 10), "M": (5, 10), "X": (10, 10)}).with_columns(due=pl.col("hired")),
        *("di", "dpl"),
        label="due",
        favored="M",
    ),
    "no metric has a band": lambda: _of(TWO, "selection_rate_gap"),
    "five facets": lambda: _report(
        _two(**{name: pl.col("sex") for name in "abcd"}), facet=["sex", *"abcd"]
    ),
    "many metrics": lambda: _of(
        TWO,
        *("selection_rate_gap", "di", "dppl", "statistical_parity", "success_ratio", "cohens_d"),
        *("two_sd", "z_ratio"),
        bands={"selection_rate_gap": (0, 0.1)},
    ),
    "a group on side a": lambda: _of(THREE, favored="C"),
    "against all rows": lambda: _of(TWO, favored=pf.OVERALL),
    **{
        f"two facets against {side}": partial(
            _report,
            of_counts(THREE, "race").with_columns(sex=pl.Series(["F", "M", "M", "M"] * 10)),
            facet=["sex", "race"],
            favored=side,
        )
        for side in (None, pf.OVERALL)
    },
    "forty groups": lambda: _of(FORTY, favored="40"),
    "unknown or left out": lambda: _report(
        pl.DataFrame({"sex": ["F", "F", None, "M", "M"], "hired": [True, None, True, True, False]}),
        nulls="drop",
    ),
    "the worst facet first": lambda: _report(
        _two(age=pl.Series(["old", "young"] * 10)), facet=["age", "sex"]
    ),
    "sequential": lambda: _months(
        {"F": (8, 10), "M": (10, 20)}, {"F": (2, 30), "M": (10, 20)}, sequential="each", **SURE
    ),
    "sequential, of two branches": _weeks,
    "no facet": lambda: _report(
        _two(),
        "accuracy",
        facet=None,
        label="hired",
        predicted=~pl.col("hired").alias("no"),
        bands={"accuracy": (0.9, 1.0)},
    ),
    "no rows": lambda: _report(_two().clear()),
    "branches with a reference": lambda: _report(_branches(2, 3), by="branch"),
    "a facet without a name": lambda: _report(
        of_counts(TWO, "").with_columns(age=pl.Series([1, 2] * 10)), facet=["", "age"]
    ),
    "weights": lambda: _report(_two(weight=2.5), weight="weight"),
    "sizes of each metric": lambda: _report(
        of_counts({"F": (4, 10), "M": (8, 10)}).with_columns(
            stayed=pl.when("hired").then(pl.int_range(pl.len()) % 2)
        ),
        *("di", "ppv_gap"),
        label="stayed",
        nulls="drop",
    ),
    "a change for the worse": _older_and_newer,
    "means of branches": lambda: _prices(by="branch"),
    "means of who is accepted": lambda: _prices(score="price", threshold=pf.best(0.5)),
    "means of weights": lambda: _prices(weight="w"),
    "means of models": lambda: _prices(
        estimated={"a": "price", "b": pl.col("price").alias("other")}
    ),
    "scores alone": lambda: pf.report(scored(), facet="sex", label="y", score="s", confidence=None),
    "scores without labels": lambda: pf.report(
        scored().with_columns(pl.col("s") * 4), facet="sex", score="s", confidence=None
    ),
    "a threshold that accepts no row": lambda: _report(scored(), predicted="s", threshold=50),
    "one outcome in a window": lambda: _report(
        scored().with_columns(u=pl.col("y")),
        "dppl",
        label="y",
        predicted="s",
        threshold=0.5,
        by="u",
    ),
    "two models": lambda: _report(
        _two(new=~pl.col("hired")), "dppl", predicted={"now": "hired", "new": "new"}
    ),
    "nine models": lambda: _report(
        _two(**{f"m{i}": pl.col("hired") for i in range(9)}),
        predicted={f"m{i}": f"m{i}" for i in range(9)},
    ),
}


def _own(name: str) -> pf.Metric:
    return pf.Metric(name, name, a.selection_rate - d.selection_rate, acceptable=(-0.1, 0.1))


def _worst(*metrics: Any, rows: pl.DataFrame | None = None, **more: Any) -> pf.Report:
    shown = MANY if rows is None else rows
    return pf.report(shown, *(metrics or ("dppl",)), **BOTH | {"replicates": 20} | more)


MANY: Final = pl.concat([four_each()] * 50)
DUE: Final = MANY.with_columns(due=pl.Series([1, 1, 0, 0] * 200))

# The title of the section, and the questions whose sections are kept; without one, the first page.
# Of F one of four outcomes is missing, of M none, of unknown sex both.
_MISSING: Final = pl.DataFrame(
    {
        "sex": ["F"] * 4 + ["M"] * 4 + [None] * 2,
        "month": [1, 1, 2, 2] * 2 + [2, 2],
        "hired": [1, 0, 1, None, 1, 1, 0, 0, None, None],
    }
)

PASSAGES: Final[dict[str, dict[str, Callable[[], pf.Report]]]] = {
    "": _FIRST,
    "By sex": {
        "all values are within": lambda: _of({"F": (8, 10), "M": (10, 10)}, "di", "four_fifths"),
        "one of two is within": lambda: _of({"F": (8, 10), "M": (10, 10)}, "di", "dppl"),
        "not significant": lambda: _of({"F": (3, 10), "M": (4, 10)}, rule="significant"),
        "undefined": lambda: _of(
            {"F": (0, 10), "M": (0, 10)},
            *("di", "selection_rate_gap"),
            bands={"selection_rate_gap": (0, 0.1)},
            rule="significant",
        ),
        "outside, and then uncertain": lambda: _of(
            {"A": (200, 1_000), "B": (430, 1_000), "C": (500, 1_000)},
            *("di", "dppl"),
            favored="C",
            **SURE,
        ),
        "a second one outside": lambda: _of(
            {"A": (200, 1_000), "B": (250, 1_000), "C": (500, 1_000)},
            *("dppl", "di"),
            favored="C",
            bands={"dppl": (-0.3, 0.3)},
            **SURE,
        ),
        "18 metrics": lambda: _of(TWO, *(_own(f"own {i:02}") for i in range(18))),
        "20 groups": lambda: _of(
            {"first": (10, 10)} | {f"{i:02}": (1 if i < 17 else 10, 10) for i in range(19)},
            favored="first",
        ),
        "a matrix": lambda: _of(
            {"A": (2, 10), "B": (4, 10), "C": (5, 10), "D": (5, 10)}, "di", "dppl", favored="D"
        ),
        "a metric within its band for all": lambda: _of(FOUR, "di", "dppl", favored="D"),
        "seven metrics of four groups": lambda: _of(
            {"A": (2, 10), "B": (8, 10), "C": (2, 10), "D": (8, 10)},
            *("di", "dppl", "statistical_parity", "success_ratio", "cohens_d", "two_sd", "z_ratio"),
            favored="D",
        ),
        "forty groups": lambda: _of(FORTY, favored="40"),
        "a gap without a band": lambda: _of(TWO, "di", "selection_rate_gap"),
        "names of a pair": lambda: pf.report(
            predictions(F=(2_000, 8_000), M=(5_000, 5_000)),
            *("dppl", "di"),
            facet="sex",
            predicted="p",
            count="n",
            disfavored="F",
        ),
        "branches": lambda: _report(_branches(2, 9), by="branch"),
        "weights": lambda: _report(
            _two(weight=pl.when(sex="F").then(1.0).otherwise(2.5)), weight="weight", **SURE
        ),
    },
    "Subgroups": {
        "outside": lambda: _report(
            _branches(0, 9), "cddpl", subgroup="branch", bands={"cddpl": (-0.1, 0.1)}
        ),
        "of Berkeley, within": lambda: pf.report(
            pf.datasets.berkeley(), "cddpl", **BERKELEY, bands={"cddpl": (-0.1, 0.1)}
        ),
        "of Berkeley, outside": lambda: pf.report(
            pf.datasets.berkeley(), "cddpl", **BERKELEY, bands={"cddpl": (-0.01, 0.01)}
        ),
    },
    "The rows": {
        "missing": lambda: _report(_MISSING, nulls="drop"),
        "missing, with weights": lambda: _report(
            _MISSING.with_columns(w=pl.Series([0.0] + [2.5] * 9)), nulls="drop", weight="w"
        ),
        "a weight of 0": lambda: _report(
            _MISSING.drop_nulls("hired").with_columns(w=pl.Series([0.0] + [1.0] * 6)), weight="w"
        ),
        "of a group without rows": lambda: _report(
            _MISSING.with_columns(k=pl.when(sex="M").then(0).otherwise(10)), nulls="drop", count="k"
        ),
    },
    "How values are judged": {
        "by two rules": lambda: _of(TWO, "di", "dppl", rule={"di": "significant"}, **SURE),
        "by the value alone": lambda: _of(TWO, rule="point"),
        **{f"p-values: {each}": partial(_of, TWO, p_values=each) for each in ("holm", "bh")},
    },
    "By sex and race": {
        "of two facets": _worst,
        "on both sides": lambda: _worst(harm="both"),
        "above": lambda: _worst(harm="above"),
        "whatever a positive outcome means": lambda: _worst(
            pf.entry("accuracy_gap", groups="conjunctions"), rows=DUE, label="due"
        ),
        "a window without harm": lambda: _worst(
            rows=pl.concat(
                [
                    MANY.with_columns(month=pl.lit(1)),
                    MANY.with_columns(month=pl.lit(2), hired=pl.lit(1, pl.Int64)),
                ]
            ),
            by="month",
        ),
        "each metric with a side": lambda: _worst(
            rows=DUE, label="due", harm={"fpsf": "above", "fnsf": "below"}
        ),
        "a burden": lambda: _worst(rows=DUE, label="due", favorable=False),
        "none unknown": lambda: _worst(
            pf.entry("spsf", groups="conjunctions", include_unknown=False),
            rows=MANY.with_columns(pl.col("race").replace("b", None)),
        ),
        "without the rate": lambda: _worst(
            pf.entry("fnsf", groups="conjunctions"),
            rows=MANY.with_columns(due=pl.col("race") == "w"),
            label="due",
        ),
        "intersections by a ratio": lambda: _worst(
            pf.entry("selection_rate_ratio", groups="intersections"), harm="both"
        ),
        "of one facet at most": lambda: _worst(pf.entry("spsf", groups="conjunctions", depth=1)),
        "weights": lambda: _worst(rows=MANY.with_columns(weight=2.5), weight="weight"),
    },
    "What the metrics mean": {
        "groups of a metric": lambda: _worst(
            pf.entry("spsf", groups="conjunctions", depth=2, minimum_count=4), "selection_rate_gap"
        ),
    },
    "Scores": {
        "beside a decision": lambda: pf.report(
            scored().with_columns(p=pl.col("s") > 0.5),
            "di",
            facet="sex",
            label="y",
            score="s",
            predicted="p",
            confidence=None,
        ),
        "no probabilities": lambda: pf.report(
            scored().with_columns(pl.col("s") * 4),
            *("auc_difference",),
            facet="sex",
            label="y",
            score="s",
            confidence=None,
        ),
    },
    "Compared with": {
        "a champion": lambda: contrasts.paired("di", "dppl"),
        "the first window": lambda: _of_months(baseline="first"),
        "a month": lambda: _of_months(baseline=date(2025, 2, 1)),
        "no other window": lambda: _of_months(
            contrasts.monthly().filter(month=date(2025, 1, 1)), baseline="previous"
        ),
    },
    "Switched rows": {
        "of two models": lambda: contrasts.paired("di"),
        "of the last window": lambda: _of_months(
            contrasts.monthly().with_columns(always=1),
            predicted={"hired": "hired", "always": "always"},
            champion="hired",
        ),
    },
    "Over time": {
        name: lambda accepted=accepted: pf.report(  # type: ignore[misc]
            _decisions(accepted),
            "di",
            facet="sex",
            favored="M",
            predicted="hired",
            count="n",
            by="month",
        )
        for name, accepted in (
            ("a break that was mended", [5_000, 5_000, 2_500, 5_000, 5_000, 5_000]),
            ("three changes", [5_000, 4_500, 4_000, 500, 500, 500]),
            ("no change", [5_000, 5_010, 4_990, 5_000, 5_020, 5_000]),
        )
    },
}


def _of_months(rows: pl.DataFrame | None = None, **more: Any) -> pf.Report:
    rows = contrasts.monthly() if rows is None else rows
    return pf.report(rows, "dppl", **contrasts.OF_MONTHS | more)


def _decisions(accepted: Sequence[int]) -> pl.DataFrame:
    """Of 10,000 women so many are accepted each month from April on, of as many men always half."""
    return pl.DataFrame(
        [
            {"month": date(2025, month, 1), "sex": group, "hired": hired, "n": n}
            for month, women in enumerate(accepted, 4)
            for group, positive in (("F", women), ("M", 5_000))
            for hired, n in ((1, positive), (0, 10_000 - positive))
        ]
    )


WITH_TABLES: Final = {
    *("two groups", "not significant", "pay by hours", "many metrics", "no metric has a band"),
    *("all groups outside", "against all rows", "sequential", "weights", "means of weights"),
    *("undefined", "a matrix", "outside, and then uncertain", "a gap without a band"),
    *("a metric within its band for all", "branches", "of two facets", "above", "a champion"),
    *("missing, with weights", "of a group without rows", "beside a decision", "of two models"),
    *("three changes", "groups of a metric", "of Berkeley, outside", "the first window"),
}
"""Questions whose passages are about the rows, columns and marks of tables."""


def passage(report: pf.Report, title: str, name: str) -> str:
    """The sentences of the sections with this title, or of the first page; a few with tables."""
    first, *sections = report.to_markdown().split("\n## ")
    found = "\n".join(each for each in sections if each.startswith(title)) if title else first
    blocks = found.strip().split("\n\n")
    if name in WITH_TABLES:
        return "\n".join(blocks)
    if not title:
        # The first table ends the sentences; notes on how to read it follow the last one.
        return "\n".join(takewhile(lambda block: not block.startswith("**Table"), blocks))
    return "\n".join(block for block in blocks if not block.startswith(("**Table", "|")))

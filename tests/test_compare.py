"""Reported numbers beside those of the rows: digits, conventions, and published figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.elsewhere.compare import Reported, conventions_of_values

Row = dict[str, Any]

GROUPS: Final = ("a", "b", "c", "d")


def made_up(seed: int) -> list[Row]:
    """Rows of four groups, some of them without a group or an outcome."""
    draw = Random(seed)
    rows = []
    for _ in range(400):
        place = draw.choices(range(4), (4, 3, 2, 1))[0]
        score = draw.randrange(11)
        rows.append(
            {
                "group": GROUPS[place] if draw.random() < 0.9 else None,
                "label": draw.random() < 0.3 + 0.1 * place if draw.random() < 0.9 else None,
                "score": score if draw.random() < 0.9 else None,
                "weight": draw.randint(1, 9) / 4,
                "count": draw.randint(1, 5),
            }
        )
    return rows


def mass(rows: Iterable[Row]) -> float:
    return float(sum(row["weight"] * row["count"] for row in rows))


def rate(rows: Iterable[Row], outcome: str, among: Callable[[Row], bool]) -> float:
    found = [row for row in rows if among(row) and row[outcome] is not None]
    return mass(row for row in found if row[outcome]) / mass(found)


def odds(d: list[Row], a: list[Row]) -> float:
    """The mean difference of true and false positive rates, d less a: AIF360's."""
    parts = []
    for label in (True, False):
        of_d, of_a = (rate(side, "predicted", lambda row: row["label"] is label) for side in (d, a))  # noqa: B023
        parts.append(of_d - of_a)
    return sum(parts) / 2


def with_others(rows: list[Row], **others: Callable[[Row], Any]) -> list[Row]:
    return [row | {name: value(row) for name, value in others.items()} for row in rows]


def sides(rows: list[Row], d: str = "b", a: str | None = "a") -> tuple[list[Row], list[Row]]:
    """Side d, and side a; without its name all other known groups."""
    return (
        [row for row in rows if row["group"] == d],
        [row for row in rows if (row["group"] == a if a else row["group"] not in (d, None))],
    )


def turned(name: str) -> Callable[[Row], Any]:
    return lambda row: None if row[name] is None else not row[name]


def decided(
    rows: list[Row], accepts: Callable[[int], bool] = lambda score: score >= 5
) -> list[Row]:
    return with_others(
        rows, predicted=lambda row: None if row["score"] is None else accepts(row["score"])
    )


def missing(row: Row) -> bool:
    return any(row[name] is None for name in ("group", "label", "score"))


# The number by each convention, from rows with decisions, and the words that name it.
ONE: Final[dict[str, Callable[[list[Row]], float]]] = {
    "the sign is reversed": lambda rows: -odds(*sides(rows)),
    "the sides are swapped": lambda rows: odds(*sides(rows)[::-1]),
    "it is given in percent": lambda rows: 100 * odds(*sides(rows)),
    "the other class of the prediction is positive": lambda rows: odds(
        *sides(with_others(rows, predicted=turned("predicted")))
    ),
    "the other class of both outcomes is positive": lambda rows: odds(
        *sides(with_others(rows, label=turned("label"), predicted=turned("predicted")))
    ),
    "label and prediction are swapped": lambda rows: odds(
        *sides(
            with_others(
                rows, label=lambda row: row["predicted"], predicted=lambda row: row["label"]
            )
        )
    ),
    "a missing outcome is negative": lambda rows: odds(
        *sides(
            with_others(
                rows,
                label=lambda row: row["label"] or False,
                predicted=lambda row: row["predicted"] or False,
            )
        )
    ),
    "weights are ignored": lambda rows: odds(*sides(with_others(rows, weight=lambda _: 1))),
    "a number equal to the threshold is negative": lambda rows: odds(
        *sides(decided(rows, lambda score: score > 5))
    ),
    "side d is compared with everyone else": lambda rows: odds(*sides(rows, a=None)),
    "side d is compared with all rows": lambda rows: odds(
        sides(rows)[0], [row for row in rows if row["group"]]
    ),
    "side d is compared with a, the largest group": lambda rows: odds(*sides(rows)),
}
PAIRS: Final[dict[str, Callable[[list[Row]], float]]] = {
    "the sides are swapped and weights are ignored": lambda rows: odds(
        *sides(with_others(rows, weight=lambda _: 1))[::-1]
    ),
    "weights are ignored and it is given in percent": lambda rows: (
        100 * odds(*sides(with_others(rows, weight=lambda _: 1)))
    ),
}
QUESTION: Final[dict[str, Any]] = {
    "facet": "group",
    "disfavored": "b",
    "favored": "a",
    "label": "label",
    "predicted": "score",
    "threshold": 5,
    "weight": "total",
    "count": "count",
    "nulls": "drop",
}


def about(rows: list[Row], **others: Any) -> Any:
    """The question about rows whose weight is that of all rows that they stand for."""
    total = pl.col("weight") * pl.col("count")
    return pf.of(pl.DataFrame(rows).with_columns(total=total), **{**QUESTION, **others})


@pytest.mark.parametrize("words", ONE | PAIRS)
def test_the_convention_that_was_used_is_found(words: str) -> None:
    rows = made_up(len(words))
    others = {"favored": "c"} if "compared with" in words else {}
    number = (ONE | PAIRS)[words](decided(rows))
    answer = about(rows, **others).compare("aif360.average_odds_difference", reported=number)
    assert not answer["equal"].any()
    assert answer["fits"].all()
    assert f"equal if {words}" in answer["why"].to_list()
    assert answer["value"].to_list() == pytest.approx([number] * answer.height, abs=1e-12)


def test_the_other_class_of_the_label_and_rows_that_stand_for_several() -> None:
    rows = decided(made_up(4))
    d, a = (rate(side, "predicted", lambda row: row["label"] is False) for side in sides(rows))
    # With the other label, the true positives are the false ones.
    answer = about(rows).compare("aif360.true_positive_rate_difference", reported=d - a)
    assert "equal if the other class of the label is positive" in answer["why"].to_list()
    once = with_others(rows, weight=lambda _: 1, count=lambda _: 1)
    q = about(rows, weight=None)
    answer = q.compare("aif360.average_odds_difference", reported=odds(*sides(once)))
    assert answer["why"].item() == "equal if each row of the data counts once"
    exchanged = [row | {"label": row["predicted"], "predicted": row["label"]} for row in once]
    answer = q.compare("aif360.average_odds_difference", reported=odds(*sides(exchanged)))
    both = "label and prediction are swapped and each row of the data counts once"
    assert f"equal if {both}" in answer["why"].to_list()


def test_the_group_with_the_highest_rate() -> None:
    rows = decided(made_up(5))
    rates = {name: rate(sides(rows, name)[0], "predicted", lambda _: True) for name in "acd"}
    other, *_, highest = sorted(rates, key=lambda name: rates[name])
    assert rates[highest] > rate(sides(rows)[0], "predicted", lambda _: True)
    number = odds(*sides(rows, a=highest))
    answer = about(rows, favored=other).compare("aif360.average_odds_difference", reported=number)
    words = answer["why"].item()
    assert f" with {highest}, " in words
    assert "the group with the highest rate" in words


def test_rows_of_unknown_group_and_rows_without_a_value() -> None:
    rows = decided(made_up(1))
    d = [row for row in rows if row["group"] == "b"]
    # Everyone else holds the rows whose group is not known.
    rest = [row for row in rows if row["group"] != "b"]
    q = about(rows, favored=None)
    answer = q.compare("aif360.average_odds_difference", reported=odds(d, rest))
    assert answer["why"].item() == "equal if rows of unknown group form a group"
    # Of a rate of one outcome, rows that lack the other one count too.
    complete = [row for row in rows if not missing(row)]
    accepted = [rate(side, "predicted", lambda _: True) for side in sides(complete)]
    answer = about(rows).compare("di", reported=accepted[0] / accepted[1])
    assert "equal if rows that lack any value are left out" in answer["why"].to_list()
    # The group that means unknown is a group to a tool that does not know it.
    q = about(rows, favored=None, unknown="c")
    answer = q.compare("aif360.average_odds_difference", reported=odds(*sides(rows, a=None)))
    assert answer["why"].item() == "equal if the values that mean unknown are groups"


def test_variances_of_a_sample_and_of_the_population() -> None:
    d, a = [1, 0, 0, 1, 0], [1, 1, 0, 1, 1, 1, 0]
    frame = pl.DataFrame({"group": ["d"] * 5 + ["a"] * 7, "p": d + a})
    q = pf.of(frame, facet="group", disfavored="d", predicted="p")
    means = [sum(side) / len(side) for side in (d, a)]
    squares = sum(
        (each - mean) ** 2 for side, mean in zip((d, a), means, strict=True) for each in side
    )
    apart = means[1] - means[0]
    # A sample's variance of a side is over n - 1.
    of_samples = sum(
        len(side) * sum((x - m) ** 2 for x in side) / (len(side) - 1)
        for side, m in zip((d, a), means, strict=True)
    )
    for words, variance in (
        ("the variance is that of a sample", of_samples / (12 - 2)),
        ("the variance is that of the population", squares / 12),
    ):
        answer = q.compare("cohens_d", reported=apart / variance**0.5)
        assert answer["why"].to_list()[0].startswith(f"equal if {words}")
    apart_by_sides = (
        sum(m * (1 - m) / len(side) for side, m in zip((d, a), means, strict=True)) ** 0.5
    )
    answer = q.compare("two_sd", reported=apart / apart_by_sides)
    assert answer["why"].to_list()[0].startswith("equal if each side has its own variance")


def test_standardised_differences_of_scores_and_numbers() -> None:
    d, a = [0.2, 0.5, 0.4], [0.9, 0.3, 0.6, 0.8]
    frame = pl.DataFrame({"group": ["d"] * 3 + ["a"] * 4, "s": d + a})
    means = [sum(side) / len(side) for side in (d, a)]
    squares = sum((x - m) ** 2 for side, m in zip((d, a), means, strict=True) for x in side)
    number = (means[1] - means[0]) / (squares / 7) ** 0.5
    for name, argument in (("smd", "score"), ("estimate_smd", "estimated")):
        question: dict[str, Any] = {"facet": "group", "disfavored": "d", argument: "s"}
        answer = pf.compare(frame, name, reported=number, **question)
        assert "equal if the variance is that of the population" in answer["why"].to_list()[0]


def test_metrics_of_a_like_name_and_other_arguments() -> None:
    rows = decided(made_up(2))
    d, a = sides(rows)
    q = about(rows)

    def apart(label: object) -> float:
        of_d, of_a = (rate(side, "predicted", lambda row: row["label"] is label) for side in (d, a))
        return abs(of_d - of_a)

    worse = max(apart(True), apart(False))
    answer = q.compare("aif360.average_odds_difference", reported=worse)
    named = "equal if the metric is aif360.equalized_odds_difference"
    assert any(why.startswith(named) for why in answer["why"])
    # Fairlearn has all groups, so that two are left here.
    two = [row for row in rows if row["group"] in ("a", "b")]
    mean = (apart(True) + apart(False)) / 2
    answer = about(two).compare("fairlearn.equalized_odds_difference", reported=mean)
    assert "agg is 'mean'" in answer["why"][0]
    label = [rate(side, "label", lambda _: True) for side in (d, a)]
    answer = q.compare("aif360.ClassificationMetric.disparate_impact", reported=label[0] / label[1])
    of_labels = "equal if the metric is aif360.BinaryLabelDatasetMetric.disparate_impact"
    assert any(why.startswith(of_labels) for why in answer["why"])


def test_a_positive_outcome_that_is_bad() -> None:
    rows = [row for row in decided(made_up(6)) if not missing(row)]
    # The benefit of a row is high where it is spared what it deserves.
    benefits = [row["label"] - row["predicted"] + 1 for row in rows]
    mean = sum(benefits) / len(benefits)
    number = sum((each / mean) ** 2 - 1 for each in benefits) / len(benefits) / 2
    answer = about(rows, weight=None, count=None).compare("ge", reported=number)
    assert "equal if a positive outcome is bad" in answer["why"].to_list()


def test_where_no_convention_fits_the_nearest_are_shown() -> None:
    answer = about(made_up(3)).compare("aif360.average_odds_difference", reported="0.98765432")
    assert answer["fits"].to_list() == [False] * 3
    assert all(why.startswith("none fits; near if ") for why in answer["why"])
    assert answer["difference"].abs().is_sorted()
    assert answer["tried"].unique().item() > 50


@pytest.mark.parametrize(
    ("reported", "value", "agrees"),
    [
        (0.13, 0.1308, True),  # rounded
        (0.13, 0.1399, True),  # truncated
        (0.13, 0.14, False),
        (0.13, 0.1249, False),
        ("0.1300", 0.1308, False),
        ("0.1308", 0.13084, True),
        (0.1308, 0.13089, True),
        (0.1308, -0.1308, False),
        (-0.1308, -0.13085, True),
        ("\N{MINUS SIGN}0.13", -0.1308, True),
        ("13%", 0.1308, True),
        ("13.1 %", 0.1308, True),
        ("12%", 0.1308, False),
        (0.0, -0.04, True),
        (0.0, 0.09, True),
        (1, 0.96, True),
        (1, 1.4, True),
        (1, 1.6, False),
        (0, 0.4, True),
        (0, 0.685, False),
        (0, -0.685, False),
        ("0", 0.97, False),
        ("12", 12.7, False),
        ("12.0", 12.09, True),
        ("13%", 0.1399, False),
        ("13.0%", 0.1309, True),
        ("1e1", 17.0, False),
        (0.1 + 0.2, 0.3, True),
        (float("inf"), float("inf"), True),
        (float("inf"), 3.0, False),
        (float("nan"), None, True),
        (0.0, None, False),
        (float("nan"), 0.0, False),
    ],
)
def test_printed_digits_decide(reported: Any, value: float | None, agrees: bool) -> None:
    assert Reported.of(reported).agrees(value) is agrees


@pytest.mark.parametrize(
    ("reported", "is_tried"),
    [
        ("68.5", True),
        (68, True),
        (68.5, True),
        ("7", False),
        (0, False),
        ("0.0", False),
        ("68.5%", False),
        ("7%", False),
        ("nan", False),
    ],
)
def test_a_percentage_without_its_sign_has_two_digits(reported: Any, is_tried: bool) -> None:
    words = {"it is given in percent"} if is_tried else set[str]()
    ratio = pf.entry("di")
    may_be = Reported.of(reported).may_be_percent
    found = conventions_of_values(ratio, may_be_percent=may_be)
    assert {*found} - {"the sign is reversed", "the ratio is inverted"} == words


# A public report on COMPAS, made with AIF360 0.6.1: github.com/OfentseDube/AI-Ethics-Assignment,
# FAIRNESS_VISUALIZATIONS_REPORT.md. Its high risk is a decile above 5, its favorable label is 0.
REPORT: Final = {
    "aif360.false_positive_rate_difference": -0.2453,
    "aif360.false_negative_rate_difference": 0.1997,
    "aif360.equal_opportunity_difference": -0.1997,
    "aif360.average_odds_difference": -0.2225,
    "aif360.generalized_entropy_index": 0.1422,
    "aif360.theil_index": 0.1912,
}
COMPAS: Final[dict[str, Any]] = {
    "facet": "race",
    "disfavored": "African-American",
    "label": "reoffended",
    "predicted": "score",
    "threshold": 5,
    "count": "n",
}


def compas(**others: Any) -> Any:
    return pf.of(pf.datasets.compas(), **COMPAS, **others)


@pytest.mark.nightly
def test_figures_of_a_published_report_have_two_conventions_in_common() -> None:
    found = [{*compas().compare(name, reported=number)["why"]} for name, number in REPORT.items()]
    assert set.intersection(*found) == {
        "equal if the other class of both outcomes is positive and a number equal to the threshold "
        "is negative"
    }
    ratio = compas().compare("aif360.false_positive_rate_ratio", reported=2.3923)
    assert ratio["why"].item() == "equal if a number equal to the threshold is negative"
    of_labels = "aif360.BinaryLabelDatasetMetric"
    for name, number in (("disparate_impact", 0.7881), ("statistical_parity_difference", -0.1306)):
        answer = compas().compare(f"{of_labels}.{name}", reported=number)
        assert "equal if the other class of both outcomes is positive" in answer["why"].to_list()


def test_figures_of_tutorials_are_equal_as_they_stand() -> None:
    # ProPublica's notebook "Compas Analysis" prints these rates of both groups in percent.
    q = compas(favored="Caucasian")
    for of, fpr, fnr in ((False, "44.85%", "27.99%"), (True, "23.45%", "47.72%")):
        for name, number in (("false_positive_rate", fpr), ("false_negative_rate", fnr)):
            metric = pf.entry(f"aif360.{name}", privileged=of)
            assert q.compare(metric, reported=number)["equal"].item()
    # Aequitas's tutorial compas_demo.ipynb, beside Hispanic and beside the largest group.
    ratio = "aif360.false_positive_rate_ratio"
    beside = compas(favored="Hispanic").replace(disfavored=None)
    printed = {"African-American": "2.087696", "Asian": "0.404798", "Caucasian": "1.091838"}
    assert beside.compare(ratio, reported=printed)["equal"].to_list() == [True] * 3
    answer = beside.compare(ratio, reported={"Caucasian": "0.522987", "Asian": "0.193897"})
    largest = "equal if side d is compared with African-American, the largest group"
    assert answer.filter(pl.col("why").str.starts_with(largest)).height == 2


def test_false_may_be_positive_in_a_boolean_column() -> None:
    """2 of 4 women and 1 of 4 men are not stopped: 0.5 / 0.25."""
    stopped = pl.DataFrame(
        {"sex": ["F"] * 4 + ["M"] * 4, "stopped": [True, True, False, False, *[True] * 3, False]}
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "stopped"}
    found = pf.compare(stopped, "di", reported=2.0, positive=False, **question)
    assert found["equal"].to_list() == [True]

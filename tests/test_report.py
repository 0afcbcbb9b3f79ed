"""What a report tells, without a browser: expected numbers are worked out by hand."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from math import log
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf
from polars_fairness.report.charts.heat import heat_chart
from polars_fairness.report.charts.look import drawing
from polars_fairness.report.charts.rates import rate_chart
from polars_fairness.report.figures import rate_figures, time_figures
from polars_fairness.report.forest import forest_figures
from polars_fairness.report.markdown import as_text
from polars_fairness.report.parts import Figure
from polars_fairness.report.tables import RATE_MEANINGS, RATE_TITLES
from polars_fairness.report.wilson import bounds_of, with_intervals
from polars_fairness.report.words import band, number, points, share, value_in_words
from polars_fairness.report.worst import worst_groups
from polars_fairness.terms import PROPORTIONS, Each, across, all_, g

BERKELEY: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "subgroup": "department",
    "count": "n",
    "confidence": None,
}
HOSTILE = """<script>alert(1)</script> & "it's" | *b* [x](y) ünï—码"""


def berkeley(*metrics: str, **more: Any) -> pf.Report:
    return pf.report(pf.datasets.berkeley(), *metrics, **(BERKELEY | more))


def monthly() -> pl.DataFrame:
    """F accepted 1 of 2 in January and 0 of 2 in February, M always 1 of 2."""
    return pl.DataFrame(
        {
            "month": [date(2025, 1, 1)] * 4 + [date(2025, 2, 1)] * 4,
            "sex": ["F", "F", "M", "M"] * 2,
            "hired": [1, 0, 1, 0, 0, 0, 1, 0],
        }
    )


def test_wilson_is_the_interval_of_the_textbooks() -> None:
    # 8 of 10, z = 1.95996: (0.8 + 0.19207) / 1.38415 ∓ 1.95996·√(0.016 + 0.0096036) / 1.38415.
    rated = pl.DataFrame({"n": [10, 10, 10, 0], "selection_rate": [0.8, 0.0, 1.0, None]})
    bounds = with_intervals(rated, ["selection_rate"], 0.95)
    lower, upper = (bounds[name] for name in bounds_of("selection_rate"))
    # Of none, z²/(n + z²) = 3.84146 / 13.84146 is the upper bound; of all, 1 less that the lower.
    assert lower.round(4).to_list() == [0.4902, 0.0, 0.7225, None]
    assert upper.round(4).to_list() == [0.9433, 0.2775, 1.0, None]


def test_a_rate_among_the_positive_is_out_of_the_positive() -> None:
    rated = pl.DataFrame({"n": [99], "tp": [8], "fn": [2], "fp": [0], "tn": [89], "tpr": [0.8]})
    assert round(with_intervals(rated, ["tpr"], 0.95)[bounds_of("tpr")[0]].item(), 4) == 0.4902


def test_a_tracker_gets_names_for_values_and_verdicts() -> None:
    told = berkeley("dppl", "selection_rate_gap").to_dict()
    # 1198 / 2691 of the men and 557 / 1835 of the women were admitted.
    assert told["dppl/sex/Female"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert told["verdict/dppl/sex/Female"] == "against_disfavored"
    assert told["selection_rate_gap/sex"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert not any(key.startswith(("lower/", "upper/")) for key in told)


def test_without_sides_a_verdict_is_outside(tmp_path: Path) -> None:
    made = berkeley("selection_rate_ratio", bands={"selection_rate_ratio": (0.8, 1)})
    assert made.to_dict()["verdict/selection_rate_ratio/sex"] == "outside"
    text = made.to_markdown()
    assert "- 1 outside the band" in text
    assert "| 0.8 to 1 | outside the band |" in text
    made.write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<span class="pf-outside"><i aria-hidden="true">▲</i> outside the band</span>' in page
    # 557 of 1,835 over 1,198 of 2,691, as the chart is read aloud.
    assert "selection_rate_ratio 0.682, outside the band" in page


def test_windows_and_odd_names_have_keys_of_their_own() -> None:
    frame = monthly().with_columns(sex=pl.col("sex").replace("F", "F/50%"))
    told = pf.report(
        frame, "dppl", facet="sex", disfavored="F/50%", predicted="hired", by="month"
    ).to_dict()
    assert told["dppl/sex/F%2F50%25/month=2025-01-01"] == 0
    assert told["dppl/sex/F%2F50%25/month=2025-02-01"] == 0.5


def test_comparisons_that_are_written_alike_have_keys_of_their_own() -> None:
    """Of ("A & B", "C") 2 of 2 are hired, of ("A", "B & C") 1 of 2, of ("D", "E") 0 of 2."""
    frame = pl.DataFrame(
        {
            "x": ["A & B", "A", "D"] * 2,
            "z": ["C", "B & C", "E"] * 2,
            "hired": [1, 1, 0, 1, 0, 0],
        }
    )
    keys = pf.report(
        frame, "dppl", facet=pl.struct("x", "z").alias("f"), predicted="hired", confidence=None
    ).to_dict()
    alike = {key: keys[key] for key in ("dppl/f/A & B & C", "dppl/f/A & B & C#2")}
    assert sorted(alike.values()) == [1 / 4 - 1, 1 / 2 - 1 / 2]
    assert keys["dppl/f/D & E"] == 3 / 4
    assert {key for key in keys if "verdict" in key} == {
        f"verdict/{k}" for k in [*alike, "dppl/f/D & E"]
    }


def test_the_whole_population_is_there_where_no_facet_is_known() -> None:
    """Benefits of 1, 1 and 0: their coefficient of variation is √½, GE half its square."""
    frame = pl.DataFrame({"sex": [None] * 3, "y": [1, 0, 1], "p": [1, 0, 0]})
    question = {"facet": pl.col("sex").cast(pl.String), "label": "y", "predicted": "p"}
    made = pf.report(frame, "ge", "dppl", confidence=None, **question)
    assert made.to_dict() == {"ge/sex": pytest.approx(0.25), "verdict/dppl/sex": "undefined"}
    assert "| 0.250 | 0 | none | no band |" in made.to_markdown()


def test_a_number_behind_a_key_is_no_part_of_a_name() -> None:
    frame = pl.DataFrame({"sex": ["F", "F#2", "M"], "hired": [1, 0, 1]})
    keys = pf.report(frame, "dppl", facet="sex", predicted="hired", confidence=None).to_dict()
    assert keys["dppl/sex/F%232"] == 1


def test_what_is_undefined_is_left_out_and_its_verdict_told() -> None:
    nobody = pl.DataFrame({"sex": ["F", "M"], "hired": [0, 0]})
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    assert pf.report(nobody, "four_fifths", **question).to_dict() == {
        "verdict/four_fifths/sex/F": "undefined"
    }


def test_markdown_tells_the_question_the_rows_and_the_numbers() -> None:
    text = berkeley("ddpl", "cddpl").to_markdown()
    assert text.startswith("# admitted by sex\n")
    assert "| facet | sex |" in text
    assert "| subgroup | department |" in text
    assert "| sex | 4,526 | 4,526 | 0 | 0 |" in text
    assert "| Female | sex | 1,835 | 30.4 % |" in text
    # 1278/2771 − 557/1755: the share of women among the rejected less that among the admitted.
    assert "| 0.144 | 0 | −0.1 to 0.1 | outside, against Female |" in text
    assert "| −0.019 | 0 | −0.1 to 0.1 | within the band |" in text
    assert "What the metrics mean" in text


def test_intervals_stand_beside_rates_unless_rows_carry_weights() -> None:
    weighted = monthly().with_columns(weight=pl.lit(1.5))
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    plain = pf.report(weighted, "dppl", **question).to_markdown()
    # 1 of 4: z² = 3.84146, n + z² = 7.84146; (1 + 1.92073 ∓ 1.95996·√(0.75 + 0.96036)) / 7.84146.
    assert "25.0 % (4.6 to 69.9 %)" in plain
    told = pf.report(weighted, "dppl", weight="weight", **question).to_markdown()
    assert "25.0 % |" in told
    assert "Rows carry weights" in told
    none = pf.report(weighted, "dppl", confidence=None, **question).to_markdown()
    assert "No intervals were asked for." in none


def test_a_report_of_a_lazy_frame_says_the_same() -> None:
    lazy = pf.report(pf.datasets.berkeley().lazy(), **BERKELEY)
    assert lazy.to_markdown() == berkeley().to_markdown()


def test_the_same_answer_is_the_same_page(tmp_path: Path) -> None:
    for name in ("one", "two"):
        berkeley().write_html(tmp_path / f"{name}.html")
    page = (tmp_path / "one.html").read_bytes()
    assert page == (tmp_path / "two.html").read_bytes()
    assert len(page) < 1_500_000


def test_a_notebook_is_shown_a_part_of_a_page() -> None:
    shown = berkeley()._repr_html_()
    assert shown.startswith('<div class="pf-report">')
    assert "<html" not in shown


class Elements(HTMLParser):
    """Every element with its attributes, and all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile() -> pf.Report:
    frame = pf.datasets.berkeley().with_columns(
        pl.col("sex").replace("Female", HOSTILE),
        pl.col("department").replace("A", HOSTILE),
    )
    names = {"sex": f"sex{HOSTILE}", "admitted": f"p{HOSTILE}", "department": f"s{HOSTILE}"}
    question = {"facet": names["sex"], "disfavored": HOSTILE, "predicted": names["admitted"]}
    frame = frame.rename(names)
    return pf.report(frame, subgroup=names["department"], count="n", confidence=None, **question)


def test_whatever_a_user_named_is_text(tmp_path: Path) -> None:
    hostile().write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    elements = Elements(page)
    assert "script" not in {tag for tag, _ in elements.found}
    assert not any(name.startswith("on") for _, told in elements.found for name in told)
    assert HOSTILE in elements.text
    labels = [told["aria-label"] or "" for tag, told in elements.found if tag == "svg"]
    assert labels
    assert all(HOSTILE in label for label in labels)


def test_whatever_a_user_named_is_text_in_markdown() -> None:
    text = hostile().to_markdown()
    assert "<script" not in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    heads = [i for i, line in enumerate(tables) if set(line) <= set("|-: ")]
    for head in heads:
        assert widths[head - 1] == widths[head]
    assert set(widths) == {widths[head] for head in heads}
    assert as_text("a|b <i> *c*\nd") == r"a\|b &lt;i&gt; \*c\* d"


def test_every_table_and_chart_can_be_read_aloud(tmp_path: Path) -> None:
    berkeley().write_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    tags = [tag for tag, _ in Elements(page).found]
    assert tags.count("caption") == tags.count("table") > 0
    assert re.findall(r'<th scope="row"', page)
    drawings = [told for tag, told in Elements(page).found if tag == "svg"]
    assert drawings
    assert all(told["role"] == "img" and told["aria-label"] for told in drawings)
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", page).replace("http-equiv", "")


def findings(frame: pl.DataFrame, *metrics: str, **question: Any) -> Any:
    told = pf.report(frame, *metrics, confidence=None, **question)
    return told.findings


def test_a_forest_turns_every_metric_to_the_same_side() -> None:
    found = berkeley("dppl", "di", "four_fifths").findings
    sided, unsided = forest_figures(found, found.comparisons()[0])
    dppl, di = sided.marks
    # The band of dppl is −0.1 to 0.1, that of di 0.8 to 1.25: half of it is the logarithm of 1.25.
    assert dppl["value"] == pytest.approx((1198 / 2691 - 557 / 1835) / 0.1)
    assert di["value"] == pytest.approx(-log((557 / 1835) / (1198 / 2691)) / log(1.25))
    assert [dppl["ideal"], di["ideal"]] == pytest.approx([0, 0])
    # four_fifths: 0.8 to 1 has its middle at 0.9 and its ideal at the upper edge.
    assert unsided.marks[0]["ideal"] == pytest.approx(1)


def test_time_is_drawn_where_windows_are_of_time() -> None:
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
    (series,) = time_figures(findings(monthly(), "dppl", by="month", **question))
    # 1 January 2025 is 20,089 days after 1970 began.
    assert [point["at"] for point in series.marks] == [20_089 * 86_400_000, 20_120 * 86_400_000]
    assert [point["value"] for point in series.marks] == [0, 0.5]
    by_text = monthly().with_columns(pl.col("month").cast(pl.String))
    assert time_figures(findings(by_text, "dppl", by="month", **question)) == []


def test_rates_are_drawn_for_every_window_and_facet() -> None:
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired", "by": "month"}
    drawn = rate_figures(findings(monthly(), "dppl", **question))
    names = [[point["name"] for point in figure.marks] for figure in drawn]
    assert names == [["F", "M", "Everybody"]] * 2


def test_windows_draw_pages(tmp_path: Path) -> None:
    question = {"facet": "sex", "disfavored": "F", "predicted": "hired", "by": "month"}
    pf.report(monthly(), "dppl", "di", minimum_count=10, **question).write_html(tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "Over time" in page
    assert "fewer than 10 rows" in page


def test_nothing_to_compare_is_said(tmp_path: Path) -> None:
    report = pf.report(monthly().clear(), "dppl", facet="sex", predicted="hired")
    assert "There is nothing to compare" in report.to_markdown()
    report.write_html(tmp_path / "page.html")
    assert report.to_dict() == {}


def test_a_page_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _name: None)
    with pytest.raises(pf.FairnessError, match=r'pip install "polars-fairness\[report\]"'):
        berkeley("dppl").write_html("never-written.html")


def test_importing_the_package_imports_no_charts() -> None:
    seen = "import polars_fairness, sys; assert not {'altair', 'great_tables'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", seen], check=True)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1444, "0.144"),
        (-0.0194, "−0.019"),
        (-0.0001, "0.000"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
        (1234.5, "1,234"),
        (None, "undefined"),
    ],
)
def test_numbers_are_written_for_people(value: float | None, text: str) -> None:
    assert number(value) == text


def test_small_things_are_written_for_people() -> None:
    assert share(0.304) == "30.4 %"
    assert [points(part) for part in (0.125, -0.125, 0.0004, -0.0004)] == [
        *("+12.5", "−12.5", "0.0", "0.0")
    ]
    assert band((-0.05, float("inf"))) == "−0.05 to ∞"
    assert band(None) == "none"
    assert value_in_words(None) == "unknown"
    assert value_in_words(date(2025, 1, 1)) == "2025-01-01"


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x07", "\ufffe"])
def test_characters_that_no_page_can_have(character: str, tmp_path: Path) -> None:
    """Unreplaced they would end the process while the charts are drawn."""
    name = f"a{character}b"
    frame = pl.DataFrame({name: [name, "c"] * 20, "p": [0, 1, 1, 1] * 10})
    pf.report(frame, "di", facet=name, predicted="p").write_html(tmp_path / "page.html")
    written = (tmp_path / "page.html").read_text("utf-8")
    assert character not in written
    assert "a\N{REPLACEMENT CHARACTER}b" in written


def test_where_nobody_could_be_compared_the_rows_are_there() -> None:
    frame = pl.DataFrame(
        {"month": [1, 1, 2, 2], "sex": ["F", "M", "F", "M"], "p": [None, None, 1, 0]}
    )
    told = pf.report(frame, "di", facet="sex", predicted="p", by="month", nulls="drop")
    text = told.to_markdown()
    assert "There was nobody to compare." in text
    assert "| sex | 1 | 2 | 0 | 2 | 0 |" in text


BOTH: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "hired"}


def four_each() -> pl.DataFrame:
    """Of four each hired: of the women 0 of race b and 2 of w, of the men 3 of either."""
    return pl.DataFrame(
        {
            "sex": ["F"] * 8 + ["M"] * 8,
            "race": (["b"] * 4 + ["w"] * 4) * 2,
            "hired": [0, 0, 0, 0] + [1, 1, 0, 0] + [1, 1, 1, 0] * 2,
        }
    )


def worst(told: pf.Report, metric: str = "spsf", **window: object) -> list[list[str]]:
    """The rows of a table of worst groups."""
    where = "".join(f", {name} {value}" for name, value in window.items())
    lines = told.to_markdown().splitlines()
    first = lines.index(f"**Worst groups by {metric}{where}**") + 4
    last = next(i for i, line in enumerate(lines) if i > first and not line)
    return [line.strip("| ").split(" | ") for line in lines[first:last]]


def maps(told: pf.Report) -> list[Figure]:
    parts = (part for section in worst_groups(told.findings) for part in section.parts)
    figures = (each for part in parts if isinstance(part, tuple) for each in part)
    return [figure for figure in figures if isinstance(figure, Figure)]


def test_every_group_that_two_facets_define_is_ranked() -> None:
    told = pf.report(four_each(), "dppl", **BOTH)
    # 8 of 16 were hired. Of the women 2 of 8: z² = 3.84146, n + z² = 11.84146;
    # (2 + 1.92073 ∓ 1.95996·√(2·6/8 + 0.96036)) / 11.84146.
    assert worst(told)[0] == [
        *("sex F", "8", "25.0 % (7.1 to 59.1 %)", "50.0 %"),
        *("0.500", "0.250", "0.1250", "1"),
    ]
    # Half of all off by a quarter is as bad as a quarter of all off by half.
    # Race b: 3 of 8, an eighth off; men of either race: a quarter of all, a quarter off.
    assert [(row[0], *row[-2:]) for row in worst(told)] == [
        ("sex F", "0.1250", "1"),
        ("sex M", "0.1250", "1"),
        ("sex F, race b", "0.1250", "1"),
        ("race b", "0.0625", "4"),
        ("race w", "0.0625", "4"),
        ("sex M, race b", "0.0625", "4"),
        ("sex M, race w", "0.0625", "4"),
        ("sex F, race w", "0.0000", "8"),
    ]
    text = told.to_markdown()
    assert "Alpha is the part of everybody that the group's rate is about" in text
    assert "No metric over several facets was asked for" in text
    assert "These are all groups: 8." in text
    assert "spsf/sex & race" not in told.to_dict()


def test_ten_groups_are_shown_and_the_others_counted() -> None:
    """Two sexes, four races and one unknown, ten pairs: 17 groups."""
    races = pl.DataFrame({"race": ["a", "b", "c", "d", None]})
    frame = four_each().drop("race").join(races, how="cross")
    told = pf.report(frame, "dppl", **BOTH)
    assert len(worst(told)) == 10
    assert "Not shown: 7 of 17 groups." in told.to_markdown()
    # Every race has 8 of its 16 hired; of each race the women 2 of 8, a tenth of all.
    assert [row[0] for row in worst(told)] == [
        *("sex F", "sex M"),
        *(f"sex F, race {race}" for race in ("a", "b", "c", "d", "unknown")),
        *(f"sex M, race {race}" for race in ("a", "b", "c")),
    ]


def test_an_unknown_facet_is_a_group_by_name() -> None:
    frame = four_each().with_columns(race=pl.col("race").replace("b", None))
    names = [row[0] for row in worst(pf.report(frame, "dppl", **BOTH))]
    assert {"race unknown", "sex F, race unknown", "sex M, race unknown"} < {*names}
    known = pf.spsf(groups="conjunctions", unknown=False)
    told = pf.report(frame, known, **BOTH)
    assert {*names} - {row[0] for row in worst(told)} == {
        *("race unknown", "sex F, race unknown", "sex M, race unknown")
    }
    assert "conjunctions of any number of facets, no facet unknown" in told.to_markdown()


def test_groups_of_few_rows_are_left_out_unless_the_metric_says_which() -> None:
    told = pf.report(four_each(), "dppl", minimum_count=5, **BOTH)
    assert [row[0] for row in worst(told)] == ["sex F", "sex M", "race b", "race w"]
    assert "These are all groups of 5 rows or more: 4." in told.to_markdown()
    asked = pf.report(four_each(), pf.spsf(groups="conjunctions"), minimum_count=5, **BOTH)
    assert len(worst(asked)) == 8
    assert "No metric over several facets was asked for" not in asked.to_markdown()


def test_labels_and_predictions_rank_by_errors_of_either_kind() -> None:
    frame = four_each().with_columns(due=pl.Series([1, 1, 0, 0] * 4))
    told = pf.report(frame, "dppl", label="due", **BOTH)
    text = told.to_markdown()
    assert re.findall(r"by (\w+)\*\*", text)[-2:] == ["fpsf", "fnsf"]
    # Due are 8. Not hired of them: the 2 women of race b.
    assert worst(told, "fnsf")[0] == [
        *("sex F, race b", "4", "100.0 % (34.2 to 100.0 %)", "25.0 %"),
        *("0.125", "0.750", "0.0938", "1"),
    ]
    assert "of those whose label is positive, the share predicted negative" in text


def test_groups_without_the_rate_have_no_rank() -> None:
    """Nobody of race b is due. Of w 2 of the 4 women are missed, and 1 of the 4 men."""
    frame = four_each().with_columns(due=pl.col("race") == "w")
    told = pf.report(frame, pf.fnsf(groups="conjunctions"), label="due", **BOTH)
    assert [row[0] for row in worst(told, "fnsf")] == [
        *("sex F", "sex M", "sex F, race w", "sex M, race w", "race w")
    ]
    assert "Not shown: 3 of 8 groups, 3 of them without this rate." in told.to_markdown()


def test_intersections_rank_among_themselves() -> None:
    told = pf.report(four_each(), pf.selection_rate_gap(groups="intersections"), **BOTH)
    rows = worst(told, "selection_rate_gap")
    # Rates are 0, 2/4, 3/4 and 3/4: the women of race b are farthest from the men, and these.
    assert [(row[0], *row[-3:]) for row in rows] == [
        ("sex F, race b", "0.750", "0.7500", "1"),
        ("sex M, race b", "0.750", "0.7500", "1"),
        ("sex M, race w", "0.750", "0.7500", "1"),
        ("sex F, race w", "0.500", "0.5000", "4"),
    ]
    text = told.to_markdown()
    assert "Alpha is 1, beta the distance of the group's rate from the one farthest away" in text
    assert "(g over intersections of all facets)" in text
    ratio = pf.report(four_each(), pf.selection_rate_ratio(groups="intersections"), **BOTH)
    text = ratio.to_markdown()
    assert "beta the smallest ratio between the group's rate and another's" in text
    assert "1 the worst, where the product is smallest" in text
    assert worst(ratio, "selection_rate_ratio")[-1][-3:] == ["0.000", "0.0000", "1"]


def test_a_metric_of_ones_own_is_told_as_far_as_it_tells() -> None:
    low = (all_.selection_rate - g.selection_rate).clip(0)
    own = pf.Metric(
        name="overlooked",
        title="Hired less often",
        formula=across(low.max(), each=Each("selection_rate", pl.lit(1.0), low)),
    )
    told = pf.report(four_each(), own.over("conjunctions"), **BOTH)
    assert worst(told, "overlooked")[0][0] == "sex F, race b"
    text = told.to_markdown()
    assert "Alpha is the group's share, beta its distance, as the metric has them" in text
    assert "The groups are conjunctions of any number of facets." in text


def test_every_rate_that_a_group_may_have_has_a_name() -> None:
    assert {*RATE_TITLES} == {*RATE_MEANINGS} == {*PROPORTIONS}


def test_every_window_has_its_worst_groups() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), sex=pl.col("sex").replace("F", "X")),
            four_each().with_columns(month=pl.lit(3), hired=pl.lit(None)),
        ]
    )
    told = pf.report(frame, "dppl", by="month", nulls="drop", **BOTH)
    assert worst(told, month=1)[0][0] == "sex F"
    assert [row[0] for row in worst(told, month=2)][:2] == ["sex M", "sex X"]
    assert worst(told, month=2)[0][-1] == "1"
    assert "**Worst groups by spsf, month 3**" not in told.to_markdown()


def test_a_window_without_the_rate_is_said_to_have_none() -> None:
    frame = pl.concat(
        four_each().with_columns(month=pl.lit(month), due=pl.lit(due))
        for month, due in ((1, True), (2, False))
    )
    everywhere = pf.fnsf(groups="conjunctions")
    told = pf.report(frame, everywhere, label="due", by="month", confidence=None, **BOTH)
    text = told.to_markdown()
    assert "Worst groups by fnsf, month 1" in text
    assert "No group has this rate, month 2." in text
    assert "Worst groups by fnsf, month 2" not in text
    assert len(maps(told)) == 1


def test_only_metrics_over_several_facets_say_which_groups() -> None:
    told = pf.report(four_each(), pf.spsf(), **BOTH)
    assert "the groups are conjunctions of at most 2 facets." in told.to_markdown()


def test_metrics_of_different_depths_are_told_side_by_side() -> None:
    frame = four_each().with_columns(half=pl.Series([1, 2] * 8))
    one = pf.spsf(groups="conjunctions", depth=1).named("one")
    two = pf.spsf(groups="conjunctions", depth=2).named("two")
    question = BOTH | {"facet": ["sex", "race", "half"]}
    told = pf.report(frame, one, two, confidence=None, **question)
    assert {row[0].count(",") for row in worst(told, "one")} == {0}
    assert {row[0].count(",") for row in worst(told, "two")} == {0, 1}


def test_many_windows_show_the_last() -> None:
    months = pl.DataFrame({"month": range(1, 27)})
    told = pf.report(four_each().join(months, how="cross"), "dppl", by="month", **BOTH)
    text = told.to_markdown()
    shown = [int(month) for month in re.findall(r"Worst groups by spsf, month (\d+)", text)]
    assert shown == [*range(3, 27)]
    assert "These are the last 24 of 26 windows." in text
    assert len(maps(told)) == 24


def test_rows_of_equal_weight_are_worth_as_many_rows() -> None:
    frame = four_each().with_columns(weight=pl.lit(2.5))
    told = pf.report(frame, "dppl", weight="weight", **BOTH)
    assert worst(told)[0][:3] == ["sex F", "20.0", "25.0 % (7.1 to 59.1 %)"]
    assert "Wilson's, 95 %, of as many rows as the weighted ones are worth" in told.to_markdown()


def test_it_is_said_over_which_groups_a_metric_runs() -> None:
    few = pf.spsf(groups="conjunctions", depth=2, minimum_count=4)
    text = pf.report(four_each(), few, "selection_rate_gap", **BOTH).to_markdown()
    assert "(g over conjunctions of at most 2 facets, of 4 rows or more) |" in text
    assert "| max − min of q' over the groups |" in text
    single = pf.spsf(groups="conjunctions", depth=1)
    assert "at most 1 facet)" in pf.report(four_each(), single, **BOTH).to_markdown()
    none_left_out = pf.spsf(groups="conjunctions", minimum_count=1)
    assert "any number of facets)" in pf.report(four_each(), none_left_out, **BOTH).to_markdown()


def test_a_heat_map_places_every_pair() -> None:
    frame = four_each().filter(~((pl.col("sex") == "F") & (pl.col("race") == "w")))
    (figure,) = maps(pf.report(frame, "dppl", **BOTH))
    # 6 of 12 were hired: women of race b 50 points below, men a half of that above.
    assert figure.marks == [
        {"row": 0, "column": 0, "side": "below", "depth": 1.0, "text": "−50.0"},
        {"row": 1, "column": 0, "side": "above", "depth": 0.5, "text": "+25.0"},
        {"row": 1, "column": 1, "side": "above", "depth": 0.5, "text": "+25.0"},
    ]
    assert figure.settings == {
        "down": ["F", "M"],
        "across": ["b", "w"],
        "titles": ("sex", "race"),
    }
    assert figure.in_words == (
        "Selection rate less that of all, in percentage points, by sex and race: "
        "F and b −50.0; F and w empty; M and b +25.0; M and w +25.0."
    )


def test_the_deepest_colour_is_of_the_farthest_and_not_of_the_worst() -> None:
    """Of 32, 24 hired; 19 of 20 men of race w: 20 points above, but so many that they are worst."""
    more = pl.DataFrame({"sex": "M", "race": "w", "hired": [1] * 16})
    told = pf.report(pl.concat([four_each(), more]), "dppl", **BOTH)
    names = [row[0] for row in worst(told)]
    assert names.index("sex M, race w") < names.index("sex F, race b")
    (figure,) = maps(told)
    assert [mark["text"] for mark in figure.marks] == ["−75.0", "−25.0", "0.0", "+20.0"]
    assert [mark["depth"] for mark in figure.marks] == pytest.approx([1, 1 / 3, 0, 20 / 75])


def test_what_is_tolerated_is_pale_on_a_heat_map() -> None:
    counts = [("F", "b", 48), ("F", "w", 50), ("M", "b", 50), ("M", "w", 52)]
    frame = pl.DataFrame(
        [(*group, p, n) for *group, yes in counts for p, n in ((1, yes), (0, 100 - yes))],
        schema=["sex", "race", "hired", "n"],
        orient="row",
    )
    (figure,) = maps(pf.report(frame, "dppl", count="n", **BOTH))
    assert [mark["depth"] for mark in figure.marks] == pytest.approx([0.2, 0, 0, 0.2])


def test_a_heat_map_of_groups_that_are_all_alike_has_no_colour() -> None:
    (figure,) = maps(pf.report(four_each().with_columns(hired=1), "dppl", **BOTH))
    assert [mark["depth"] for mark in figure.marks] == [0] * 4


def test_a_rate_without_end_has_no_place_on_a_heat_map() -> None:
    frame = four_each().with_columns(due=pl.col("race") == "w")
    told = pf.report(frame, "rd", label="due", zero_division=float("inf"), confidence=None, **BOTH)
    assert [{mark["column"] for mark in figure.marks} for figure in maps(told)] == [{0}, {1}]


def test_values_stand_in_their_own_order_on_a_heat_map() -> None:
    ages = pl.DataFrame({"age": [10, 9, None]})
    frame = four_each().join(ages, how="cross")
    question = {"facet": ["age", "sex"], "predicted": "hired"}
    (figure,) = maps(pf.report(frame, "dppl", **question))
    assert figure.settings["down"] == ["9", "10", "unknown"]


def test_windows_have_maps_of_one_scale() -> None:
    frame = pl.concat(
        [
            four_each().with_columns(month=pl.lit(1)),
            four_each().with_columns(month=pl.lit(2), hired=pl.lit(1, pl.Int64)),
        ]
    )
    frame = frame.with_columns(pl.col("sex").replace("F", "X"))
    first, second = maps(pf.report(frame, "dppl", by="month", **BOTH))
    assert [mark["depth"] for mark in first.marks] == [0.5, 0.5, 1, 0]
    assert [mark["text"] for mark in second.marks] == ["0.0"] * 4
    assert [mark["depth"] for mark in second.marks] == [0] * 4


@pytest.mark.parametrize(
    ("metrics", "question", "most"),
    [
        ((), {"facet": ["sex", "race", "hired_before"]}, 0),
        ((pf.spsf(groups="conjunctions", depth=1),), {}, 0),
        ((), {}, 1),
    ],
    ids=["three facets", "one facet at a time", "two facets"],
)
def test_a_heat_map_is_of_two_facets(metrics: Any, question: Any, most: int) -> None:
    frame = four_each().with_columns(hired_before=pl.Series([0, 1] * 8))
    told = pf.report(frame, *metrics, confidence=None, **(BOTH | question))
    assert len(maps(told)) == most
    assert "Worst groups by spsf" in told.to_markdown()


def test_a_heat_map_of_many_values_is_left_out() -> None:
    many = pl.DataFrame({"age": range(13)})
    question = {"facet": ["sex", "age"], "predicted": "hired", "confidence": None}
    told = pf.report(four_each().join(many, how="cross"), "dppl", **question)
    assert maps(told) == []
    assert "There is no heat map: age has 13 values, and there is room for 12." in (
        told.to_markdown()
    )


@pytest.mark.parametrize(
    ("frame", "question"),
    [
        (four_each(), {"facet": "sex"}),
        (four_each(), {"facet": None, "label": "half"}),
        (four_each(), {"facet": [pl.struct("sex", "race").alias("both"), "half"]}),
        (four_each(), {"predicted": None, "label": "hired"}),
        (four_each().clear(), {}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop"}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop", "by": "half"}),
    ],
    ids=["one facet", "no facet", "intersection", "labels", "empty", "dropped", "by"],
)
def test_nothing_is_told_where_no_groups_are(frame: pl.DataFrame, question: Any) -> None:
    frame = frame.with_columns(half=pl.lit(1))
    one, two = (pf.report(frame, confidence=None, **(BOTH | question)) for _ in range(2))
    assert "Worst groups" not in one.to_markdown()
    assert one._repr_html_() == two._repr_html_()


def test_facets_may_be_called_what_they_are_called() -> None:
    frame = four_each().rename({"sex": "rank", "race": "n"}).with_columns(group=pl.lit(1))
    question = {"facet": ["rank", "n"], "predicted": "hired", "by": "group"}
    told = pf.report(frame, "dppl", confidence=None, **question)
    assert worst(told, group=1)[2][0] == "rank F, n b"


def test_a_page_has_the_maps_and_is_the_same_again() -> None:
    one, two = (pf.report(four_each(), "dppl", **BOTH)._repr_html_() for _ in range(2))
    assert one == two
    assert "On a heat map every cell" in one
    for name in ("above", "below"):
        assert f'fill="var(--pf-{name})"' in one
    assert len(re.findall(r'aria-label="Selection rate less that of all[^"]*M and w \+25\.0', one))


def test_whatever_groups_are_called_is_text() -> None:
    frame = (
        four_each().with_columns(sex=pl.col("sex").replace("F", HOSTILE)).rename({"race": "r|*"})
    )
    told = pf.report(frame, "dppl", facet=["sex", "r|*"], predicted="hired", confidence=None)
    elements = Elements(told._repr_html_())
    assert "script" not in {tag for tag, _ in elements.found}
    assert f"sex {HOSTILE}, r|* b" in elements.text
    assert "r\\|\\* b |" in told.to_markdown()
    assert "<script" not in told.to_markdown()


def test_names_that_no_page_can_tell_apart_stay_apart() -> None:
    race = pl.col("race").replace({"b": "\x1b", "w": "\x00"})
    frame = four_each().with_columns(race, sex=pl.col("sex").replace("F", "unknown"))
    (figure,) = maps(pf.report(frame, "dppl", **BOTH))
    assert [mark["text"] for mark in figure.marks] == ["+25.0", "+25.0", "0.0", "−50.0"]
    mapped = drawing(heat_chart(figure.marks, **figure.settings), 320, "")
    assert mapped.count(">\N{REPLACEMENT CHARACTER}") == 2
    rated = [{"name": name, "rate": 0.5, "lower": 0, "upper": 1} for name in ("\x1b", "\x00")]
    assert drawing(rate_chart(rated), 320, "").count(">\N{REPLACEMENT CHARACTER}") == 2


@pytest.mark.parametrize(
    ("facets", "metric", "reads"),
    [
        # Once per facet for the audit and for the rates, and once for the worst groups;
        (2, "dppl", 2 + 2 + 1),
        # of pairs of three facets, once per facet to see how many values they have, and once more.
        (3, "dppl", 3 + 3 + 4),
        # What is over all facets alone has the audit read once.
        (2, pf.spsf(groups="conjunctions"), 1 + 2 + 1),
        (3, pf.spsf(groups="conjunctions"), 1 + 3 + 1),
    ],
    ids=["two facets", "three facets", "both at once", "all three at once"],
)
def test_rows_are_read_as_often_as_the_documents_say(
    facets: int, metric: str | pf.Metric, reads: int
) -> None:
    frame = four_each().with_columns(half=pl.Series([1, 2] * 8))
    seen = []

    def read(columns: list[str] | None, *_: Any) -> Iterator[pl.DataFrame]:
        seen.append(columns)
        yield frame.select(columns or frame.columns)

    question = BOTH | {"facet": ["sex", "race", "half"][:facets], "confidence": None}
    pf.report(register_io_source(read, schema=frame.schema), metric, **question)
    assert len(seen) == reads

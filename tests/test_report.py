"""What a report tells, without a browser: expected numbers are worked out by hand."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.report.figures import rate_figures, time_figures
from polars_fairness.report.forest import forest_figures
from polars_fairness.report.markdown import as_text
from polars_fairness.report.wilson import with_intervals
from polars_fairness.report.words import band, number, share, value_in_words

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
    lower, upper = bounds["selection_rate_lower"], bounds["selection_rate_upper"]
    # Of none, z²/(n + z²) = 3.84146 / 13.84146 is the upper bound; of all, 1 less that the lower.
    assert lower.round(4).to_list() == [0.4902, 0.0, 0.7225, None]
    assert upper.round(4).to_list() == [0.9433, 0.2775, 1.0, None]


def test_a_rate_among_the_positive_is_out_of_the_positive() -> None:
    rated = pl.DataFrame({"n": [99], "tp": [8], "fn": [2], "fp": [0], "tn": [89], "tpr": [0.8]})
    assert round(with_intervals(rated, ["tpr"], 0.95)["tpr_lower"].item(), 4) == 0.4902


def test_a_tracker_gets_names_for_values_and_verdicts() -> None:
    told = berkeley("dppl", "selection_rate_gap").to_dict()
    # 1198 / 2691 of the men and 557 / 1835 of the women were admitted.
    assert told["dppl/sex/Female"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert told["verdict/dppl/sex/Female"] == "against_disfavored"
    assert told["selection_rate_gap/sex"] == pytest.approx(1198 / 2691 - 557 / 1835)
    assert not any(key.startswith(("lower/", "upper/")) for key in told)


def test_windows_and_odd_names_have_keys_of_their_own() -> None:
    frame = monthly().with_columns(sex=pl.col("sex").replace("F", "F/50%"))
    told = pf.report(
        frame, "dppl", facet="sex", disfavored="F/50%", predicted="hired", by="month"
    ).to_dict()
    assert told["dppl/sex/F%2F50%25/month=2025-01-01"] == 0
    assert told["dppl/sex/F%2F50%25/month=2025-02-01"] == 0.5


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
    # The band of dppl is −0.1 to 0.1, that of di 0.8 to 1.2: halves of both are 0.1 and 0.2.
    assert dppl["value"] == pytest.approx((1198 / 2691 - 557 / 1835) / 0.1)
    assert di["value"] == pytest.approx((1 - (557 / 1835) / (1198 / 2691)) / 0.2)
    assert dppl["ideal"] == di["ideal"] == 0
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

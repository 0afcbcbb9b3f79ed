"""The pages of the catalogue: one for each family of metrics, and one that lists them all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Final

from worked_numbers import FAMILIES, Family, Worked

from polars_fairness.catalogue import (
    PARAMETRISED,
    adjusted,
    data,
    groups,
    numbers,
    overall,
    performance,
    population,
    quantiles,
    scores,
    selection,
)
from polars_fairness.catalogue.wording import OPPOSITE_SIGNS
from polars_fairness.formula.metric import Metric, ideal_as_text
from polars_fairness.formula.sides import RATES
from polars_fairness.values.formula_checks import sign_of

LINE: Final = 100
"""The longest line of code, as the formatter of the project sets it."""

_WRITTEN: Final = Path(__file__).with_name("latex.txt").read_text(encoding="utf-8").splitlines()
LATEX: Final = dict(line.split(" = ", 1) for line in _WRITTEN)
"""The formula of each metric, without dollar signs."""

SUBJECTS: Final = (
    (selection.METRICS, "Acceptance: predictions only", FAMILIES["acceptance"]),
    (adjusted.METRICS, "At equal controls: what a regression leaves", FAMILIES["adjusted"]),
    (performance.METRICS, "Accuracy and errors: labels and predictions", FAMILIES["errors"]),
    (data.METRICS, "Bias in the data: labels only", FAMILIES["labels"]),
    (population.METRICS, "The whole population: no sides", FAMILIES["population"]),
    (groups.METRICS, "Across all groups: one value per facet", FAMILIES["groups"]),
    (scores.OF_SCORES, "Scores: labels and the scores behind decisions", FAMILIES["scores"]),
    (scores.OF_RANKS, "Rankings: places by score, and who is among the best", FAMILIES["ranking"]),
    (
        (*numbers.METRICS, *quantiles.METRICS),
        "Numbers: what happened and what was estimated",
        FAMILIES["numbers"],
    ),
    (overall.METRICS, "Overall performance: all rows, no sides", FAMILIES["overall"]),
)

WORSE_OFF: Final = "Worse off"
MISSING: Final = {WORSE_OFF: "not shown"}
"""What an entry says that lacks a fact which most entries of its family have."""

TITLES: Final = {
    "population": "The whole population, overall performance",
    "scores": "Scores and rankings",
}
"""The titles of pages that several families share."""

INTRODUCTION: Final = """\
# The metrics

[All metrics](#all-metrics) are listed below, by family, with their bands. The page of a family has
a few rows of data, and the formula of each metric with its value for these rows. Every metric is a
method of a frame, under each of its names: `df.fairness.di(facet="sex", predicted="hired")`
([arguments](../api/question.md)). `metrics`, `audit` and others take the same names.

## How to read an entry

- **Here**: the value for the rows of the page.
- **Needs**: the arguments without which there is no value.
- **Values**: the range, the ideal, and the acceptable band of verdicts. A metric without a band has
  no verdict until you give one; a metric without an ideal describes and does not judge.
- **Worse off**: the side that a value above the ideal, or below it, disadvantages. A value on the
  other side of the ideal disadvantages the other side.
- **Parameters**: those of its own, with their defaults.
- An entry that begins with "Use it like" shares what it does not list with the entry it names.

The kind of [interval](../audit.md#intervals) and the test behind a [p-value](../audit.md#p-values)
follow from the formula. A value that is [undefined](../../explanation/undefined-values.md) is null.

## Symbols

`a` is the favored side and `d` the disfavored side.

| symbol | meaning |
|---|---|
| $n$ | number of rows; with `weight=`, every count is a sum of weights |
| positive, negative | rows whose label is positive (they are *qualified*), negative |
| accepted, rejected | rows whose prediction is positive, negative |
| tp, fp, fn, tn | true and false positives, false and true negatives |
| $y$, $y'$ | label and prediction of a row, 1 where positive, else 0 |
| $q$, $q'$ | base rate and selection rate |
| $P_a(v)$, $P_d(v)$ | share of the label value $v$ among the rows of a, of d |
| $i$, $g$ | one subgroup (stratum), one group |
| both, all | the rows of a and d, the rows of all groups |

## Rates
"""


def pages() -> dict[str, str]:
    """Return every page by the name of its file."""
    lines: dict[str, list[str]] = {}
    for metrics, title, family in SUBJECTS:
        of_several = TITLES.get(family.page)
        begin = [f"# {of_several or title}\n", "<!-- written by make generated -->\n"]
        page = lines.setdefault(f"{family.page}.md", begin)
        is_first = page == begin
        page += [f"## {title}\n"] if of_several else []
        page += _family(metrics, family, has_page=not of_several, is_first=is_first)
    return {"index.md": _index()} | {
        name: "\n".join(page).rstrip() + "\n" for name, page in lines.items()
    }


def _index() -> str:
    lines = [INTRODUCTION, *_table_of_rates(), "", "## All metrics"]
    for metrics, title, family in SUBJECTS:
        page = f"{family.page}.md"
        part = f"#{_anchor(title)}" if family.page in TITLES else ""
        lines += ["", f"[{title}]({page}{part})", ""]
        lines += [f"- {names_of(each, page)}: {_title_and_band(each)}" for each in metrics]
    return "\n".join(lines) + "\n"


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\s-]", "", heading).lower().replace(" ", "-")


def names_of(metric: Metric, page: str) -> str:
    """Return the names of a metric, the first as a link to its entry."""
    aliases = "".join(f", `{alias}`" for alias in metric.aliases)
    return f"[`{metric.name}`]({page}#{metric.name}){aliases}"


def _table_of_rates() -> Iterator[str]:
    yield "| name | symbol | formula | title |"
    yield "|---|---|---|---|"
    for rate in RATES.values():
        formula = " / ".join(map(_sum, (rate.above, rate.below)))
        yield f"| `{rate.name}` | `{rate.symbol}` | `{formula}` | {rate.title} |"


def _sum(counts: tuple[str, ...]) -> str:
    return counts[0] if len(counts) == 1 else f"({' + '.join(counts)})"


def _family(
    metrics: tuple[Metric, ...], family: Family, *, has_page: bool, is_first: bool
) -> Iterator[str]:
    """Yield the lines of a family, with headings of its parts if it has a page of its own."""
    yield f"{family.introduction}\n"
    if has_page:
        yield "## The data\n"
    if family.data:
        yield f"{family.data}\n"
    yield "```python"
    if is_first:
        yield "import polars as pl\nimport polars_fairness as pf\n"
    yield from _example(family)
    if has_page:
        yield "## The metrics\n"
    facts = {metric.name: _facts(metric) for metric in metrics}
    shared = _shared([*facts.values()])
    for of_metric in facts.values():
        missing = [name for name in shared if name not in of_metric]
        of_metric.update((name, MISSING.get(name, "none")) for name in missing)
    yield "[Unless an entry says otherwise](index.md#how-to-read-an-entry):\n"
    yield from (f"- **{name}**: {text}" for name, text in shared.items())
    yield ""
    for metric in metrics:
        worked = family.worked[metric.name]
        like = re.match(r"Use it like `(\w+)`", worked.when)
        said = shared | (facts.get(like[1], {}) if like else {})
        yield from _entry(metric, worked, _without_repetition(facts[metric.name], said))


def _example(family: Family) -> Iterator[str]:
    """Yield the lines of the data and of the call, to the end of their block."""
    names = [*family.columns]
    yield "rows = pl.DataFrame(\n    ["
    yield from (f"        {_spelled(row)}," for row in zip(*family.columns.values(), strict=True))
    yield f'    ],\n    schema={_spelled(names)},\n    orient="row",\n)'
    yield _assigned("question", dict(family.question))
    yield "pf.metrics(rows, **question)\n```\n"


def _spelled(value: object) -> str:
    return repr(value).replace("'", '"')


def _assigned(name: str, value: dict[str, object]) -> str:
    """Return the line that assigns a dictionary; a line for each item if it is too long."""
    text = f"{name} = {_spelled(value)}"
    if len(text) <= LINE:
        return text
    items = (f"    {_spelled(key)}: {_spelled(item)}," for key, item in value.items())
    return "\n".join([f"{name} = {{", *items, "}"])


def _facts(metric: Metric) -> dict[str, str]:
    """Return what an entry lists below its number."""
    aliases = [f"`{alias}`" for alias in metric.aliases]
    facts = {
        "Also called": ", ".join(aliases),
        "Needs": ", ".join(map(_needed, metric.needs)),
        "Values": _values(metric),
        WORSE_OFF: _worse_off(metric),
        "Parameters": _parameters(metric),
        "Sign": " and ".join(
            f"that of {OPPOSITE_SIGNS[name]}'s `{name}` is the opposite"
            for name in (metric.name, *metric.aliases)
            if name in OPPOSITE_SIGNS
        ),
        "Source": metric.source,
    }
    return {name: text for name, text in facts.items() if text not in ("", "none")}


def _shared(entries: list[dict[str, str]]) -> dict[str, str]:
    """Return the facts that more entries have than would have to deny them."""
    shared = {}
    for name in dict.fromkeys(name for facts in entries for name in facts):
        texts = Counter(facts[name] for facts in entries if name in facts)
        [(text, times)] = texts.most_common(1)
        if times > 1 + len(entries) - texts.total():
            shared[name] = text
    return shared


def _without_repetition(facts: Mapping[str, str], said: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the facts that neither the family nor the entry which this one is like has."""
    return [
        (name, text)
        for name, text in facts.items()
        if _of_estimates(text) != _of_estimates(said.get(name, ""))
    ]


def _of_estimates(text: str) -> str:
    """Return what is said of observed numbers as it is said of estimated ones."""
    return text.replace("observed", "estimated")


def _worse_off(metric: Metric) -> str:
    """Return the side that fares worse where a value is not the ideal, and on which side of it."""
    sign = sign_of(metric)
    if not sign or metric.ideal is None:
        return ""
    is_below = metric.range[1] == metric.ideal
    side = "a" if is_below == (sign > 0) else "d"
    return f"{side} {'below' if is_below else 'above'} {ideal_as_text(metric.ideal)}"


def _entry(metric: Metric, worked: Worked, own: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of one metric, with the facts that it does not share."""
    yield f"### `{metric.name}`\n"
    yield f"**{metric.title}.** {worked.when}\n"
    yield f"$$\n{LATEX[metric.name]}\n$$\n"
    if worked.where:
        yield f"{worked.where}\n"
    facts = (f"**{name}**: {text}" for name, text in own)
    yield ". ".join([f"**Here** {number(worked.value)}", *facts]) + "\n"


def number(value: float) -> str:
    """Return a value with its sign of equality: six digits, which may be all of it or not."""
    text = f"{value:.6g}"
    return f"{'=' if abs(float(text) - value) < 1e-12 else '≈'} {text}"


def _needed(need: str) -> str:
    outcome, _, values = need.partition(" ")
    return f"`{outcome}`, each of its values" if values else f"`{need}`"


def _values(metric: Metric) -> str:
    low, high = (f"{limit:.4g}".replace("inf", "∞") for limit in metric.range)
    ideal = "" if metric.ideal is None else f", ideal {metric.ideal:g}"
    return f"{low} to {high}{ideal}{f', band {_band(metric)}' if metric.acceptable else ''}"


def _band(metric: Metric) -> str:
    return "{:g} to {:g}".format(*metric.acceptable) if metric.acceptable else ""


def _title_and_band(metric: Metric) -> str:
    return f"{metric.title}{f', {_band(metric)}' if metric.acceptable else ''}"


def _parameters(metric: Metric) -> str:
    if metric.name not in PARAMETRISED:
        return ""
    parameters = signature(PARAMETRISED[metric.name]).parameters.values()
    return ", ".join(f"`{each.name}={_spelled(each.default)}`" for each in parameters)

"""The pages of the catalogue: one for each family of metrics, and one that lists them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Final

from metric_inference import interval_of, p_value_of, sign_in_words
from worked_numbers import FAMILIES, Family, Worked

from polars_fairness.catalogue import (
    PARAMETRISED,
    data,
    groups,
    individuals,
    numbers,
    overall,
    performance,
    population,
    ranking,
    scores,
    selection,
)
from polars_fairness.catalogue.wording import OPPOSITE_SIGNS
from polars_fairness.formula.metric import Metric, ideal_as_text, said
from polars_fairness.formula.rates import RATES

LINE: Final = 100

_WRITTEN: Final = Path(__file__).with_name("latex.txt").read_text(encoding="utf-8").splitlines()
LATEX: Final = dict(line.split(" = ", 1) for line in _WRITTEN)
"""The formula of each metric, without dollar signs."""
"""The longest line of code, as the formatter of the project sets it."""

SUBJECTS: Final = (
    (selection.METRICS, "Acceptance: predictions only", FAMILIES["acceptance"]),
    (performance.METRICS, "Accuracy and errors: labels and predictions", FAMILIES["errors"]),
    (data.METRICS, "Bias in the data: labels only", FAMILIES["labels"]),
    (population.METRICS, "The whole population: no sides", FAMILIES["population"]),
    (groups.METRICS, "Across all groups: one value per facet", FAMILIES["groups"]),
    (individuals.METRICS, "Individuals: nearest neighbours by features", FAMILIES["individuals"]),
    (scores.METRICS, "Scores: labels and the scores behind decisions", FAMILIES["scores"]),
    (ranking.METRICS, "Rankings: places by score, and who is among the best", FAMILIES["ranking"]),
    (numbers.METRICS, "Numbers: what happened and what was estimated", FAMILIES["numbers"]),
    (overall.METRICS, "Overall performance: all rows, no sides", FAMILIES["overall"]),
)

INTRODUCTION: Final = """\
# The metrics

Each family of metrics has a page. It begins with a few rows of data and a call that computes all of
its metrics, to be pasted and run. Each metric follows with its formula and its value worked by hand
for these data.

## How to read an entry

- **By hand**: the arithmetic of the definition, its value, and what this value means for the data.
- **Needs**: the arguments without which there is no value. With `facet`, a call also says which
  side is [disfavored or favored](../../explanation/concepts.md#sides).
- **Values**: the range, the ideal, and the acceptable band that verdicts use. A metric without a
  band has no verdict until you give one; a metric without an ideal describes and does not judge.
- **Sign**: which side a value above the ideal speaks against: 1 for d, -1 for a, 0 for neither.
- **Interval**: its kind by default, and the methods to choose instead
  ([Intervals](../../explanation/intervals.md)).
- **p-value**: the test behind it ([p-values](../audit.md#p-values)).
- **Call**: the method ([One metric](../api/metrics.md)), with the parameters of the metric and
  their defaults; `pf.entry` gives the metric with these, for `metrics` and the others.
- **Source**: who defines the metric.

A value that is [undefined](../../explanation/undefined-values.md) is null.

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
    return {"index.md": _index()} | {
        f"{family.page}.md": "\n".join(_page(metrics, title, family)).rstrip() + "\n"
        for metrics, title, family in SUBJECTS
    }


def _index() -> str:
    lines = [INTRODUCTION, *_table_of_rates(), "", "## All metrics", ""]
    lines += ["| name (aliases) | title | family | ideal | band |", "|---|---|---|---|---|"]
    for metrics, title, family in SUBJECTS:
        page, name_of_family = f"{family.page}.md", title.partition(":")[0]
        lines += [
            f"| {names_of(each, page)} | {each.title} "
            f"| [{name_of_family}]({page}) | {ideal_as_text(each.ideal)} | {_band(each)} |"
            for each in metrics
        ]
    return "\n".join(lines) + "\n"


def names_of(metric: Metric, page: str) -> str:
    """Return the names of a metric, the first as a link to its entry."""
    aliases = "".join(f", `{alias}`" for alias in metric.aliases)
    return f"[`{metric.name}`]({page}#{metric.name}){aliases}"


def _table_of_rates() -> Iterator[str]:
    yield "| name | symbol | formula | title | meaning |"
    yield "|---|---|---|---|---|"
    for rate in RATES.values():
        formula = " / ".join(map(_sum, (rate.above, rate.below)))
        yield f"| `{rate.name}` | `{rate.symbol}` | `{formula}` | {rate.title} | {rate.meaning} |"


def _sum(counts: tuple[str, ...]) -> str:
    return counts[0] if len(counts) == 1 else f"({' + '.join(counts)})"


def _page(metrics: tuple[Metric, ...], title: str, family: Family) -> Iterator[str]:
    yield f"# {title}\n"
    yield "<!-- written by `make generated` from the catalogue and tools/worked_numbers -->\n"
    yield f"{family.introduction}\n"
    yield f"## The data\n\n{family.data}\n"
    yield from _example(family)
    yield "## The metrics\n\n[How to read an entry](index.md#how-to-read-an-entry).\n"
    for metric in metrics:
        yield from _entry(metric, family.worked[metric.name])


def _example(family: Family) -> Iterator[str]:
    """Yield the lines of the data, of the call, and of what it prints by the hand arithmetic."""
    names = [*family.columns]
    yield f"| {' | '.join(names)} |"
    yield "|---" * len(names) + "|"
    for row in zip(*family.columns.values(), strict=True):
        yield f"| {' | '.join(map(str, row))} |"
    yield "\n```python\nimport polars as pl\nimport polars_fairness as pf\n"
    yield "rows = pl.DataFrame(\n    ["
    yield from (f"        {_spelled(row)}," for row in zip(*family.columns.values(), strict=True))
    yield f'    ],\n    schema={_spelled(names)},\n    orient="row",\n)'
    yield _assigned("question", dict(family.question))
    yield _assigned("names", [*family.worked])
    yield "values = pf.metrics(rows, names, **question).row(0, named=True)"
    yield "for name in names:"
    yield '    print(f"{name:<28}{values[name]: .6f}")\n```\n'
    printed = (f"{name:<28}{worked.value: .6f}" for name, worked in family.worked.items())
    yield "\n".join(["```text", *printed, "```\n"])


def _spelled(value: object) -> str:
    return repr(value).replace("'", '"')


def _assigned(name: str, value: list[str] | dict[str, object]) -> str:
    """Return the line that assigns a list or dictionary; a line for each item if it is too long."""
    text = f"{name} = {_spelled(value)}"
    if len(text) <= LINE:
        return text
    items = (
        [f"{_spelled(key)}: {_spelled(item)}" for key, item in value.items()]
        if isinstance(value, dict)
        else map(_spelled, value)
    )
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([f"{name} = {begin}", *(f"    {item}," for item in items), end])


def _entry(metric: Metric, worked: Worked) -> Iterator[str]:
    """Yield the lines of one metric."""
    yield f"### `{metric.name}`\n"
    yield f"**{metric.title}.** {worked.when}\n"
    yield f"$$\n{LATEX[metric.name]}\n$$\n"
    if worked.where:
        yield f"{worked.where}\n"
    yield f"- **By hand**: `{worked.arithmetic}` {number(worked.value)}{_meaning(metric, worked)}"
    yield f"- **Needs**: {', '.join(_needed(need) for need in metric.needs)}"
    yield f"- **Values**: {_values(metric)}"
    for what, meaning in (("Above", metric.above), ("Below", metric.below)):
        if meaning:
            yield f"- **{what} {ideal_as_text(metric.ideal)}**: {said(meaning)}"
    if metric.ideal is not None:
        opposite = [
            f"; {OPPOSITE_SIGNS[name]}'s `{name}` has the opposite one"
            for name in (metric.name, *metric.aliases)
            if name in OPPOSITE_SIGNS
        ]
        yield f"- **Sign**: {sign_in_words(metric)}{''.join(opposite)}"
    yield f"- **Interval**: {interval_of(metric)}"
    yield f"- **p-value**: {p_value_of(metric)}"
    yield f"- **Call**: {_call(metric)}"
    yield f"- **Source**: {metric.source}\n"


def number(value: float) -> str:
    """Return a value with its sign of equality: six digits, which may be all of it or not."""
    text = f"{value:.6g}"
    return f"{'=' if abs(float(text) - value) < 1e-12 else '≈'} {text}"


def _meaning(metric: Metric, worked: Worked) -> str:
    """Return what the worked number says, as a reader would say it aloud."""
    if metric.reading:
        return f": {said(metric.reading, value=f'{worked.value:.2f}')}"
    if metric.ideal is None:
        return ""
    return f": {said(metric.above if worked.value > metric.ideal else metric.below)}"


def _needed(need: str) -> str:
    outcome, _, values = need.partition(" ")
    return f"`{outcome}`, each of its values" if values else f"`{need}`"


def _values(metric: Metric) -> str:
    low, high = (f"{limit:.4g}".replace("inf", "∞") for limit in metric.range)
    ideal = "no ideal" if metric.ideal is None else f"ideal {metric.ideal:g}"
    band = f"band {_band(metric)}" if metric.acceptable else "no band"
    return f"{low} to {high}, {ideal}, {band}"


def _band(metric: Metric) -> str:
    return "{:g} to {:g}".format(*metric.acceptable) if metric.acceptable else ""


def _call(metric: Metric) -> str:
    parameters: Mapping[str, object] = {}
    if metric.name in PARAMETRISED:
        of_metric = signature(PARAMETRISED[metric.name]).parameters.values()
        parameters = {each.name: each.default for each in of_metric}
    spelled = "".join(f"{name}={default!r}, " for name, default in parameters.items())
    quoted = spelled.replace("'", '"')
    aliases = "".join(f", `{alias}`" for alias in metric.aliases)
    return f"`df.fairness.{metric.name}({quoted}...)`{aliases}"

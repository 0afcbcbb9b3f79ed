"""Rankings: how much attention rows get by their place, and who is among the best."""

from __future__ import annotations

from typing import Final

from polars_fairness.catalogue.wording import IMPOSSIBLE, in_words
from polars_fairness.formula.arithmetic import INFINITY, logarithm, of_several, ratio
from polars_fairness.formula.formulas import across
from polars_fairness.formula.metric import ANY, Metric
from polars_fairness.formula.sides import a, both, d, g

GEYIK: Final = "Geyik et al. 2019"

METRICS: Final = (
    Metric(name="exposure_ratio", title="Exposure ratio",
        formula=ratio(ratio(d.attention, d.n), ratio(a.attention, a.n)),
        definition="mean of 1/log₂(1 + rank) over d / the same over a", range=(0, INFINITY),
        ideal=1, only_named=True, has_interval=False, sign=-1,
        **in_words("rows of {d} get more of the attention that falls with rank"),
        source="Singh and Joachims 2018"),
    Metric(name="skew_at", title="Skew among the accepted",
        formula=logarithm(ratio(d.selection_rate, both.selection_rate)),
        definition="ln(share of d among the accepted / share of d among all), of both sides",
        range=ANY, only_named=True,
        **in_words(
            above="{d} is {accepted} more often than both sides together",
            below="{d} is {accepted} less often than both sides together",
        ),
        source=GEYIK),
    Metric(name="ndkl", title="Normalised discounted divergence of a ranking",
        formula=across(of_several(g.n, g.divergence.sum().clip(lower=0)), may_overlap=False),
        definition="Σ_r KL(shares among the best r ‖ shares among all)/log₂(1 + r) / "
        "Σ_r 1/log₂(1 + r)",
        range=(0, INFINITY), only_named=True, has_interval=False,
        above="some groups stand higher in the ranking than others", below=IMPOSSIBLE,
        source=GEYIK),
)  # fmt: skip

"""Tables about hiring that a rule prescribes; no legal opinions.

The impact ratios of New York City's Local Law 144 (6 RCNY § 5-301), and the four-fifths rule of
the Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4(D)) with significance.
"""

from polars_fairness.hiring.document import report
from polars_fairness.hiring.four_fifths import adverse_impact
from polars_fairness.hiring.ratios import impact_ratios

__all__ = ["adverse_impact", "impact_ratios", "report"]


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]

"""Tables about hiring that a rule prescribes; no legal opinions.

The impact ratios of New York City's Local Law 144 (6 RCNY § 5-301), and the four-fifths rule of
the Uniform Guidelines on Employee Selection Procedures (29 CFR 1607.4(D)) with significance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polars_fairness.api.functions import prescribed

if TYPE_CHECKING:
    from polars_fairness.hiring.page import report
    from polars_fairness.hiring.tables import adverse_impact, impact_ratios

__all__ = ["adverse_impact", "impact_ratios", "report"]

__getattr__, __dir__ = prescribed("hiring", globals())

"""The numbers about pay that rules require employers to report; no legal opinions.

Article 9(1) of Directive (EU) 2023/970, and the form of the United Kingdom: the Equality Act 2010
(Gender Pay Gap Information) Regulations 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polars_fairness.api.functions import prescribed

if TYPE_CHECKING:
    from polars_fairness.pay.page import report
    from polars_fairness.pay.tables import table

__all__ = ["report", "table"]

__getattr__, __dir__ = prescribed("pay", globals())

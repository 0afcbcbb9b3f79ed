"""The questions a user asks, as plain functions that take the frame first."""

from polars_fairness.functions.audits import audit, decompose
from polars_fairness.functions.groups import subgroups
from polars_fairness.functions.individuals import fliptest
from polars_fairness.functions.measures import cells, metrics, rates

__all__ = ["audit", "cells", "decompose", "fliptest", "metrics", "rates", "subgroups"]

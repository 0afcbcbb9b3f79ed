"""Every group that several attributes define, on a row of its own, the worst one first."""

from polars_fairness.subgroups.blocks import cells_of_blocks
from polars_fairness.subgroups.table import Asked, find_asked, own_columns, schema, told_by_group

__all__ = ["Asked", "cells_of_blocks", "find_asked", "own_columns", "schema", "told_by_group"]

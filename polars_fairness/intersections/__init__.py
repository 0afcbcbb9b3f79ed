"""The groups that several attributes define together, from the cells of all of them."""

from polars_fairness.intersections.groups import (
    ROWS,
    Values,
    coded,
    groups_of,
    joint_tables,
    values_of,
)
from polars_fairness.intersections.lattice import Attributes, rolled_up

__all__ = [
    "ROWS",
    "Attributes",
    "Values",
    "coded",
    "groups_of",
    "joint_tables",
    "rolled_up",
    "values_of",
]

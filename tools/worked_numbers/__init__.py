"""A worked number for each metric of the catalogue, by family, on data to check by hand.

The pages of the catalogue show them, and tests compare them with the package.
"""

from __future__ import annotations

from typing import Final

from . import (
    acceptance,
    adjusted,
    errors,
    groups,
    labels,
    numbers,
    overall,
    population,
    ranking,
    scores,
)
from .family import Family as Family
from .family import Worked as Worked

FAMILIES: Final = {
    module.__name__.rpartition(".")[2]: module.FAMILY
    for module in (
        *(acceptance, adjusted, errors, labels, population, groups),
        *(scores, ranking, numbers, overall),
    )
}

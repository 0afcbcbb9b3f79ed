"""Typed references: side a by the name of what finds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from polars_fairness.cli.typed_values import facet_and_value
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Argument, Kind, Option
from polars_fairness.question.references import HIGHEST, LARGEST, OVERALL, Reference

REFERENCES: Final = {each.name.lower(): each for each in (HIGHEST, LARGEST, OVERALL)}

REFERENCE: Final = Argument(
    "reference",
    Kind("names of references", "str", "REFERENCE", is_several=True),
    "side a, found in the rows: the group with the highest rate, the largest group, or all rows",
    option=Option("sides", note="highest, largest or overall"),
)
"""An argument of the command line only: in Python, a reference is given as ``favored``."""


def with_references(
    texts: Sequence[str], favored: Mapping[str, Any], facets: Sequence[str]
) -> dict[str, Any]:
    """The favored side of each facet: the typed values, and the typed references."""
    if not facets:
        msg = f"--reference: got {listed(texts)} without a facet; give --facet"
        raise FairnessError(msg)
    found = dict(favored)
    for text in texts:
        facet, name = facet_and_value("--reference", text, facets)
        if facet in found:
            msg = f"--reference: {facet!r} has a side a already; give one --reference, or --favored"
            raise FairnessError(msg)
        found[facet] = _reference(name)
    return found


def _reference(name: str) -> Reference:
    found = REFERENCES.get(name.lower())
    if found is None:
        msg = f"--reference: takes {listed(REFERENCES, 'or')}, got {name!r}"
        raise FairnessError(msg)
    return found

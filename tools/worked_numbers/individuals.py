"""Worked numbers of the metrics of nearest neighbours."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="individuals",
    introduction="""\
Whether similar individuals are decided alike. Similar means near by the columns given as
`features`; a feature that is left out, or that stands for the facet, is not seen. Both metrics
need [the extra `neighbours`](../../first-hour.md#install).

## Neighbours

- Distances are Euclidean on the raw numbers, as in Clarify, so the feature with the largest numbers
  dominates. `standardize=True` divides each feature by its standard deviation over the rows of both
  sides (for `consistency`, over all rows).
- `k=5`, the default, becomes 1 in `fliptest` if a has fewer than 10 rows, as in Clarify. Any other
  k is used as it is. A tied vote counts as a rejection.
- Neighbours at the same distance, to the precision of 64 bits, share the places that nearer
  neighbours leave. If four neighbours on one point share the last two places, each has half a vote.
  So neither the order of the rows nor the search library changes the result. In the table of flips,
  `vote` is the share of votes for acceptance.
- A member of d counts with its `weight`. A neighbour has one vote, whatever its weight. With
  `count`, a row is that many neighbours.
- `unfavorable_flips` counts members of d who were rejected although their neighbours were accepted;
  `favorable_flips` counts the reverse.

`consistency` compares each row with its k nearest, itself among them. Both read rows and
have no interval ([why](../../explanation/concepts.md#what-cannot-come-from-cells)). scipy searches;
from ten features on faiss is faster, is used if it is installed, and gives the same result.""",
    data="""\
Five applicants with incomes from 10 to 15, five from 30 to 35.""",
    columns={
        "sex": [*"MFFFMMFFMF"],
        "income": [10, 11, 13, 14, 15, 30, 31, 33, 34, 35],
        "approved": [0, 0, 0, 0, 1, 1, 1, 1, 0, 0],
    },
    question={
        "facet": "sex",
        "disfavored": "F",
        "predicted": "approved",
        "features": "income",
    },
    worked={
        "fliptest": Worked(
            "Use it to find members of d who were decided otherwise than the most similar members "
            "of a; `flips=True` lists them. Flips in both directions cancel out in its value.",
            "(2 - 1) / 6",
            "$F^{+}$ is the number of members of d who were rejected although their neighbours in "
            "a were accepted; $F^{-}$ is the number of the reverse. As a has fewer than ten rows, "
            "one neighbour votes. The women with 13 and 14 are nearest to the man with 15, who was "
            "accepted, and were rejected; the woman with 33 is nearest to the man with 34, who was "
            "rejected, and was accepted.",
        ),
        "consistency": Worked(
            "Use it where no facet is known. It does not see groups: decisions that treat all of "
            "one group alike, and badly, are consistent.",
            "1 - (4 * abs(0 - 1/5) + abs(1 - 1/5) + 3 * abs(1 - 3/5) + 2 * abs(0 - 3/5)) / 10",
            "$N(i)$ are the $k$ rows nearest to row $i$, itself among them. Here they are the five "
            "low incomes, one of them accepted, or the five high incomes, three of them accepted.",
        ),
    },
)

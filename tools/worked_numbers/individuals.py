"""Worked numbers of the metrics of nearest neighbours."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="individuals",
    introduction="""\
Whether similar individuals are decided alike. Similar means near by the columns given as
`features`; a feature that is left out, or that stands for the facet, is not seen. Both metrics
need the extra `neighbours`. [Individuals](../individuals.md) says how
distances and ties are handled.""",
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

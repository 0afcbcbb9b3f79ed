"""Worked numbers of the metrics of rankings."""

from __future__ import annotations

from typing import Final

from polars_fairness import best

from .family import Family, Worked

_ATTENTION: Final = ("1", "1/(log(3)/log(2))", "1/2", "1/(log(5)/log(2))")
_ALL: Final = " + ".join(_ATTENTION)

FAMILY: Final = Family(
    page="scores",
    introduction="""\
Rows that compete by their scores: candidates, search results, applicants for so many places. The
highest score of a window has rank 1, and each value of `by=` is a ranking of its own. A row of rank
$r$ gets the attention $1 / \\log_2 (1 + r)$, which falls with rank; rows of equal scores share the
mean of theirs, and are one step. [Audit a ranking](../../how-to/ranking.md) has an example.""",
    columns={"sex": ["M", "F", "F", "M"], "score": [4.5, 3.0, 2.0, 1.0]},
    question={"facet": "sex", "disfavored": "F", "score": "score", "threshold": best(3)},
    worked={
        "exposure_ratio": Worked(
            "Use it where places are seen one after the other, and no number of places is fixed. "
            "It does not see whether rows deserve their places.",
            f"({_ATTENTION[1]} + {_ATTENTION[2]}) / ({_ATTENTION[0]} + {_ATTENTION[3]})",
            "$r_j$ is the rank of row $j$ among all rows of its window.",
        ),
        "skew_at": Worked(
            "Use it at `threshold=pf.best(...)`, or with the decisions of any selection, to "
            "compare the share of a group among the accepted with its share of all.",
            "log((2/3) / (2/4))",
        ),
        "ndkl": Worked(
            "Use it to see in one number how far the top of a ranking, at every length, is from "
            "the shares of all. In short rankings chance alone makes it large: an audit notes its "
            "mean over all orders.",
            f"(1 * log(2) + {_ATTENTION[2]} * (1/3 * log(2/3) + 2/3 * log(4/3))) / ({_ALL})",
            "$p_{g,r}$ is the share of group $g$ among the best $r$ rows whose group is known, "
            "$p_g$ its share of all of them.",
        ),
    },
)

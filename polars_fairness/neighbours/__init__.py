"""Where individuals stand among others, and how their nearest neighbours were decided.

Rows are cells here too: one cell is all who stand at one point of the features' space.
"""

from polars_fairness.neighbours.ballot import voted
from polars_fairness.neighbours.cases import members_flipped

__all__ = ["members_flipped", "voted"]

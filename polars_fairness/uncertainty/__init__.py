"""How sure a number is: simultaneous bands of maxima, a bootstrap of counts for all else."""

from polars_fairness.uncertainty.bounds import bounded
from polars_fairness.uncertainty.draws import Drawing

__all__ = ["Drawing", "bounded"]

"""Counts to the values of formulas, all on small frames."""

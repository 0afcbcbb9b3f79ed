"""Cells to the values of formulas, on small frames."""

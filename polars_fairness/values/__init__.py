"""Cells to numbers: every formula is evaluated here, on small frames."""

"""Cells by score to the values of formulas over scores, ROC curves and groups by score."""

"""Rows to cells: the one place that reads the user's data."""

"""Cells to the tables that a rule or a practice prescribes."""

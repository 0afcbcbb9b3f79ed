"""Metrics and what they are made of: counts, rates, sides, levels and formulas."""

"""Intervals and p-values of metrics."""

"""Intervals with a formula: their bounds are metrics, evaluated together with all others."""

"""Intervals that have a formula; their bounds are metrics, evaluated where all others are."""

"""Intervals from counts that are drawn again and again."""

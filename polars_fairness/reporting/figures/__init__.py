"""The figures of a report: the numbers of each chart, and the same numbers in words."""

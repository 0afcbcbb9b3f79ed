"""The groups defined by several attributes, a row for each group, the worst first."""

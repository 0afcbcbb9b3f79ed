"""The charts of a report, drawn by altair."""

"""The first page of a report: the answer, the groups, what changed, and the rows."""

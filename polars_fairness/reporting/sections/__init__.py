"""The sections of a report in their order; the first page has a folder of its own."""

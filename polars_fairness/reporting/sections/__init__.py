"""The sections of a report after its first page, and their order."""

"""Numbers to tidy rows with verdicts."""

"""From numbers to tidy rows with verdicts."""

"""The functions of `hiring` and `lending`, one per question."""

"""Every group that several attributes define, one row each, the worst first."""

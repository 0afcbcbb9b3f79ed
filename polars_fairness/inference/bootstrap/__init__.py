"""The bootstrap: counts are drawn at random, and metrics are evaluated on each draw."""

"""What a report found: the counts behind it, and the frames that answer its question."""

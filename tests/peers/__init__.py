"""Our numbers beside those of the packages that people use today."""

"""The commands, each in a module with its options; they return an exit code."""

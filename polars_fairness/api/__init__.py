"""The functions that a user calls, one module each, and the checks that they share."""

"""Rows to cells, and cells to counts; the only folder that reads the user's rows."""

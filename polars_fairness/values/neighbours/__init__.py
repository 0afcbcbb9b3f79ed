"""Individuals and their nearest neighbours, by the features of a call."""

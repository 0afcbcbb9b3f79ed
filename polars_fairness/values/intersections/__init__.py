"""Intersections and conjunctions, the groups of several attributes, from their joint cells."""

"""Nearest neighbours of individuals, and the vote of these neighbours.

An *individual* is a row whose neighbours are sought. Its *neighbours* are the k nearest rows of a
*pool*, by Euclidean distance over the features. Its *vote* is the share of these neighbours that
were accepted.
"""

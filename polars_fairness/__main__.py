"""``python -m polars_fairness``: the command line."""

from polars_fairness.cli import program

if __name__ == "__main__":
    program()

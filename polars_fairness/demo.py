"""The Berkeley story, told by numbers: ``python -m polars_fairness.demo``."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "Female",
    "predicted": "admitted",
    "count": "n",
}


def main() -> None:
    """Print the story."""
    applicants = pf.datasets.berkeley()
    print(f"Berkeley, autumn 1973: {applicants['n'].sum():,} applicants, six departments\n")

    print("Who was admitted? Men more often than women:")
    rates = pf.rates(applicants, **QUESTION)
    _show(rates.select(pl.col("value").fill_null("everybody"), "n", admitted="selection_rate"))

    print("d = Female, a = Male. Above 0, women have the larger share of the rejections (ddpl):")
    asked = pf.metrics(
        applicants, "dppl", "di", "two_sd", "ddpl", "cddpl", subgroup="department", **QUESTION
    )
    _show(asked.select("n_disfavored", "n_favored", "dppl", "di", "two_sd", "ddpl", "cddpl"))

    print("But cddpl, the same within departments, is near 0. Why? Department by department:")
    by_department = pf.metrics(applicants, "ddpl", by="department", **QUESTION)
    everybody = pf.rates(applicants, by="department", **QUESTION).filter(pl.col("facet").is_null())
    _show(
        by_department.join(everybody, on="department").select(
            "department",
            women=pl.col("n_disfavored"),
            men=pl.col("n_favored"),
            admitted="selection_rate",
            ddpl="ddpl",
        )
    )
    print(
        "Women applied where few are admitted, men where many are. Within a department women\n"
        "are not rejected more, but less in four of six: ddpl compares what is not alike,\n"
        "cddpl like with like. Which of them is the question, the data cannot say."
    )


def _show(table: pl.DataFrame) -> None:
    with pl.Config(
        tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, float_precision=3
    ):
        print(table, end="\n\n")


if __name__ == "__main__":
    main()

"""Fairness metrics of the Berkeley admissions, printed by ``python -m polars_fairness.demo``."""

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
    """Print the rates and metrics, and what they show."""
    applicants = pf.datasets.berkeley()
    print(f"Berkeley, autumn 1973: {applicants['n'].sum():,} applicants, six departments\n")

    print("Who was admitted? Men more often than women:")
    q = pf.of(applicants, **QUESTION)
    rates = q.rates()
    _show(rates.select(pl.col("value").fill_null("all"), "n", admitted="selection_rate"))

    print("d = Female, a = Male. Above 0, women have the larger share of the rejections (ddpl):")
    names = ("dppl", "di", "two_sd", "ddpl", "cddpl")
    values = q.replace(subgroup="department").metrics(*names)
    _show(values.select("n_disfavored", "n_favored", "dppl", "di", "two_sd", "ddpl", "cddpl"))

    print("But cddpl, the same within departments, is near 0. Why? See each department:")
    of_each = q.replace(by="department")
    by_department, rates = of_each.metrics("ddpl"), of_each.rates()
    all_applicants = rates.filter(pl.col("facet") == "(all)")
    _show(
        by_department.join(all_applicants, on="department").select(
            "department",
            women=pl.col("n_disfavored"),
            men=pl.col("n_favored"),
            admitted="selection_rate",
            ddpl="ddpl",
        )
    )
    print(
        "Women applied to departments that admit few, men to departments that admit many. Within\n"
        "four of the six departments, women are rejected less than men. ddpl compares all women\n"
        "with all men; cddpl compares women and men of the same department, then averages.\n"
        "The data cannot say which of the two comparisons is the right one to make."
    )


def _show(table: pl.DataFrame) -> None:
    with pl.Config(
        tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, float_precision=3
    ):
        print(table, end="\n\n")


if __name__ == "__main__":
    main()

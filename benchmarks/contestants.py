"""How every tool answers one question of the same rows.

How do the decisions on women compare with the decisions on men, by branch if the tool supports
strata? Each tool returns one number of its answer: the selection rate of men minus the selection
rate of women, which must be equal for all tools. The other tools take rows in memory, in the types
that suit each tool best; loading them is timed separately. polars-fairness, DuckDB, polars and the
floors read parquet while they answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
from measure import Job

import polars_fairness as pf

COLUMNS = ("sex", "branch", "label", "predicted")
QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "label": "label",
    "predicted": "predicted",
    "subgroup": "branch",
}


def scanned(folder: Path) -> pl.LazyFrame:
    return pl.scan_parquet(folder, hive_partitioning=True)


def in_memory(folder: Path) -> pl.DataFrame:
    return scanned(folder).select(COLUMNS).collect()


def in_pandas(folder: Path) -> Any:
    # With text instead of categories, smclarify takes 2 to 6 times longer.
    return in_memory(folder).with_columns(pl.col(pl.String).cast(pl.Categorical)).to_pandas()


def gap(groups: Iterable[tuple[str, float, float]]) -> float:
    """Return the difference of selection rates, from the sex, rows and acceptances of groups."""
    rows: defaultdict[str, float] = defaultdict(float)
    accepted: defaultdict[str, float] = defaultdict(float)
    for sex, n, positive in groups:
        rows[sex] += n
        accepted[sex] += positive
    return accepted["M"] / rows["M"] - accepted["F"] / rows["F"]


def all_metrics(rows: pl.LazyFrame | pl.DataFrame) -> float:
    return float(pf.metrics(rows, **QUESTION).lazy().collect()["dppl"].item())


def cells(rows: pl.LazyFrame) -> float:
    counted = pf.cells(rows, **QUESTION).collect()
    groups = counted.select("sex", "n", accepted=pl.col("n") * pl.col("predicted"))
    return gap(groups.iter_rows())


def floor_count(rows: pl.LazyFrame) -> None:
    rows.group_by("sex", "branch").agg(pl.len()).collect()


def floor_decode(rows: pl.LazyFrame) -> None:
    # Batches have to be decoded before they are handed over; `last` would decode the last only.
    rows.select(COLUMNS).sink_batches(lambda batch: None)


def polars_by_hand(rows: pl.LazyFrame) -> float:
    # With all four columns as keys it takes a tenth longer, and with filters twice as long.
    label, predicted = pl.col("label"), pl.col("predicted")
    counted = rows.group_by("sex", "branch").agg(
        pl.len(), predicted.sum(), label.sum(), both=(label & predicted).sum()
    )
    return gap(counted.collect().select("sex", "len", "predicted").iter_rows())


def duckdb_by_hand(folder: Path) -> float:
    # With all four columns as keys, or with sums of casts, it takes a twentieth longer, and with
    # `count(*) filter (where ...)` half as long again.
    import duckdb

    rows = duckdb.execute(
        """
        select sex, branch, count(*), count_if(predicted), count_if(label),
            count_if(label and predicted)
        from read_parquet($files, hive_partitioning = true)
        group by sex, branch
        """,
        {"files": f"{folder}/**/*.parquet"},
    ).fetchall()
    return gap((sex, n, accepted) for sex, _, n, accepted, _, _ in rows)


def smclarify(rows: Any) -> float:
    """Compute its post-training metrics except FT, whose neighbour search has its own benchmark."""
    from smclarify.bias.metrics import POSTTRAINING_METRICS, call_metric

    roles = {
        "feature": rows.sex,
        "sensitive_facet_index": rows.sex == "F",
        "positive_label_index": rows.label,
        "positive_predicted_label_index": rows.predicted,
        "group_variable": rows.branch,
    }
    twelve = (metric for metric in POSTTRAINING_METRICS if metric.__name__ != "FT")
    values = {metric.__name__: call_metric(metric, **roles) for metric in twelve}
    return float(values["DPPL"])


def metric_frame(rows: Any, **strata: Any) -> Any:
    """Return eight metrics by group; pandas Series take a tenth less time than arrays."""
    from fairlearn import metrics
    from sklearn.metrics import accuracy_score, precision_score

    return metrics.MetricFrame(
        metrics={
            "selection_rate": metrics.selection_rate,
            "tpr": metrics.true_positive_rate,
            "fpr": metrics.false_positive_rate,
            "tnr": metrics.true_negative_rate,
            "fnr": metrics.false_negative_rate,
            "accuracy": accuracy_score,
            "precision": precision_score,
            "count": metrics.count,
        },
        y_true=rows.label,
        y_pred=rows.predicted,
        sensitive_features=rows.sex,
        **strata,
    ).by_group


def fairlearn(rows: Any) -> float:
    rate = metric_frame(rows)["selection_rate"]
    return float(rate["M"] - rate["F"])


def fairlearn_by_branch(rows: Any) -> float:
    groups = metric_frame(rows, control_features=rows.branch)
    counts, accepted = groups["count"], groups["count"] * groups["selection_rate"]
    return gap((sex, counts[key], accepted[key]) for key in groups.index for sex in key[1:])


def in_data_sets(folder: Path) -> Any:
    """Return two frames of AIF360, which hold numbers only: of labels and of predictions."""
    from aif360.datasets import BinaryLabelDataset

    number = pl.Float64
    rows = in_memory(folder).select(
        (pl.col("sex") == "M").cast(number), pl.col("label", "predicted").cast(number)
    )
    return tuple(
        BinaryLabelDataset(
            df=rows.select("sex", pl.col(outcome).alias("outcome")).to_pandas(),
            label_names=["outcome"],
            protected_attribute_names=["sex"],
        )
        for outcome in ("label", "predicted")
    )


def aif360(data_sets: Any) -> float:
    from aif360.metrics import ClassificationMetric

    metric = ClassificationMetric(
        *data_sets, unprivileged_groups=[{"sex": 0}], privileged_groups=[{"sex": 1}]
    )
    names = (
        "statistical_parity_difference",
        "disparate_impact",
        "equal_opportunity_difference",
        "false_positive_rate_difference",
        "false_negative_rate_difference",
        "average_odds_difference",
        "average_abs_odds_difference",
        "error_rate_difference",
        "false_discovery_rate_difference",
        "false_omission_rate_difference",
        "average_predictive_value_difference",
        "generalized_entropy_index",
        "theil_index",
        "coefficient_of_variation",
    )
    values = {name: getattr(metric, name)() for name in names}
    return -float(values["statistical_parity_difference"])


def in_arrays(folder: Path) -> Any:
    """Return arrays of small integers: HolisticAI subtracts outcomes, and is fastest with these."""
    rows = in_memory(folder)
    men = (rows["sex"] == "M").to_numpy()
    outcomes = (rows[name].cast(pl.Int8).to_numpy() for name in ("predicted", "label"))
    return men, ~men, *outcomes


def holisticai(arrays: Any) -> float:
    from holisticai.bias.metrics import classification_bias_metrics

    of_groups = classification_bias_metrics(*arrays, metric_type="group")
    # If the groups were given, it would compute the metrics of groups again and drop them.
    classification_bias_metrics(None, None, *arrays[2:], metric_type="individual")
    return float(of_groups.loc["Statistical Parity", "Value"])


def in_scores(folder: Path) -> Any:
    """Return 0 and 1 under the names that Aequitas needs, and sex as text, not as a category."""
    return (
        in_memory(folder)
        .select("sex", score=pl.col("predicted").cast(int), label_value=pl.col("label").cast(int))
        .to_pandas()
    )


def aequitas(rows: Any) -> float:
    from aequitas.bias import Bias
    from aequitas.group import Group

    groups, _ = Group().get_crosstabs(rows, attr_cols=["sex"])
    Bias().get_disparity_predefined_groups(groups, rows, {"sex": "M"})
    return gap(groups[["attribute_value", "group_size", "pp"]].itertuples(index=False))


JOBS = {
    "floor: decode the four columns": Job(scanned, floor_decode, ()),
    "floor: count by sex and branch": Job(scanned, floor_count, ()),
    "polars by hand: cells": Job(scanned, polars_by_hand, ()),
    "DuckDB by hand: cells": Job(Path, duckdb_by_hand, ("duckdb",)),
    "polars-fairness: cells": Job(scanned, cells),
    "polars-fairness: all metrics": Job(scanned, all_metrics),
    "polars-fairness: all, in memory": Job(in_memory, all_metrics),
    "Aequitas: twelve rates": Job(in_scores, aequitas, ("aequitas.bias", "aequitas.group")),
    "AIF360: fourteen metrics": Job(in_data_sets, aif360, ("aif360.datasets", "aif360.metrics")),
    "HolisticAI: twelve metrics": Job(in_arrays, holisticai, ("holisticai.bias.metrics",)),
    "smclarify: twelve metrics": Job(in_pandas, smclarify, ("smclarify.bias.metrics",)),
    "Fairlearn: eight metrics": Job(in_pandas, fairlearn, ("fairlearn.metrics",)),
    "Fairlearn: eight, by branch": Job(in_pandas, fairlearn_by_branch, ("fairlearn.metrics",)),
}

"""Commands on data that the package has; their table and their JSON are kept."""

from __future__ import annotations

from typing import Final

import polars as pl

import polars_fairness as pf

FILES: Final = {
    "berkeley": pf.datasets.berkeley,
    "loans": lambda: pf.datasets.loans().with_columns(next=pl.col("score") >= 0.45),
    "candidates": pf.datasets.candidates,
    "prompts": pf.datasets.prompts,
}

LOANS: Final = "loans.parquet --facet sex --predicted approved"
BERKELEY: Final = "berkeley.parquet --facet sex --disfavored Female --predicted admitted --count n"
HIRING: Final = (
    "hiring candidates.parquet --sex sex --race race --selected selected --replicates 20 --table"
)
COMMANDS: Final = {
    "audit": f"audit {LOANS} --facet race --favored sex=M --favored race=White --label repaid "
    "--metric di,dppl,rd,selection_rate_gap --nulls drop",
    "bounds": "bounds loans.parquet --metric di --facet race --disfavored Black --favored White "
    "--predicted approved",
    "plan": f"plan {LOANS} --facet race --favored sex=M --favored race=White --label repaid "
    "--metric di,rd --nulls drop",
    "rates": f"rates {LOANS} --label repaid --facet race",
    "worst-groups": f"worst-groups {LOANS} --facet race --metric spsf",
    "decompose": f"decompose {BERKELEY} --metric cddpl --subgroup department",
    "drivers": f"drivers {BERKELEY} --control department",
    "switches": "switches loans.parquet --facet sex --predicted today=approved "
    "--predicted next=next --champion today",
    "pairs": "pairs prompts.parquet --facet group --favored White --predicted first "
    "--positive grant --cluster case",
    "choose": "choose loans.parquet --score score --resolution 0.1 --label repaid --facet sex "
    "--favored M --metric di",
    "impact-ratios": f"{HIRING} impact_ratios",
    "adverse-impact": f"{HIRING} adverse_impact",
    "lending": "lending loans.parquet --facet race --favored White --predicted approved "
    "--score score --replicates 20 --table table",
    "compare": f"compare {BERKELEY} --metric aif360.ClassificationMetric.disparate_impact "
    "--reported 0.7",
    "metrics": "metrics di rd cddpl auc_difference four_fifths",
}

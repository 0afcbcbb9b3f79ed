"""The function `switches`: the rows that a model decides differently from the champion."""

from __future__ import annotations

from math import atanh, erfc, exp, log1p, pi, sqrt
from typing import Final, Unpack

import polars as pl

from polars_fairness.api.bound import read
from polars_fairness.api.columns import SWITCHED
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.question.arguments import Question
from polars_fairness.question.outcomes import CHAMPION
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import MODEL
from polars_fairness.values.evaluate import groups_shown

# Up to this many switched rows the probabilities are added one by one, in 2 ms. Beyond, the error
# of the formula is below 1e-9 of a p-value above 1e-7, and below 1e-7 of any other.
MOST_ADDED: Final = 100_000

# So many standard deviations from the mean, a p-value is below the smallest float.
_FARTHEST: Final = 40.0


@answers(columns=SWITCHED)
def switches(frame: AnyFrame, *, champion: str, **question: Unpack[Question]) -> PolarsFrame:
    """Return how many rows of each group a model decides differently from the champion.

    Two models may accept the same number of rows of a group, but not the same rows.

    Parameters
    ----------
    champion
        The name of the model that the others are compared with.
    **question
        As in `metrics`, with several models as ``predicted``. The label, ``disfavored``,
        ``favored`` and ``subgroup`` are for other answers.

    Returns
    -------
    LazyFrame or DataFrame
        One row per model other than the champion, facet and facet value, with null as the ``value``
        of rows whose facet is unknown; then one row for all rows, whose ``facet`` is "(all)". The
        columns are those of ``by``, ``model``, with several thresholds ``threshold``, then:
        {columns}

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "F", "M", "M", "M"],
    ...         "today": [False, False, True, True, True, False],
    ...         "next": [True, False, True, False, True, False],
    ...     }
    ... )
    >>> models = {"today": "today", "next": "next"}
    >>> answer = pf.switches(loans, champion="today", facet="sex", predicted=models)
    >>> answer.select("model", "value", "newly_accepted", "newly_rejected", "mcnemar_p_value")
    shape: (3, 5)
    ┌───────┬───────┬────────────────┬────────────────┬─────────────────┐
    │ model ┆ value ┆ newly_accepted ┆ newly_rejected ┆ mcnemar_p_value │
    │ ---   ┆ ---   ┆ ---            ┆ ---            ┆ ---             │
    │ str   ┆ str   ┆ i64            ┆ i64            ┆ f64             │
    ╞═══════╪═══════╪════════════════╪════════════════╪═════════════════╡
    │ next  ┆ F     ┆ 1              ┆ 0              ┆ 1.0             │
    │ next  ┆ M     ┆ 0              ┆ 1              ┆ 1.0             │
    │ next  ┆ null  ┆ 1              ┆ 1              ┆ 1.0             │
    └───────┴───────┴────────────────┴────────────────┴─────────────────┘
    """
    bound = read(frame, question, "switches", {"champion": champion})
    return answer_of(bound, bound.roles.against(champion).keeping(()), switched, SWITCHED)


def mcnemar(one_way: int, other_way: int) -> float:
    """The two-sided p-value of the hypothesis that rows switch either way with equal probability.

    It is twice the smaller tail of a binomial distribution; 1 if no row is switched.

    Examples
    --------
    >>> mcnemar(0, 4)
    0.125
    """
    switched, fewer = one_way + other_way, min(one_way, other_way)
    if switched - 2 * fewer <= 1:
        return 1.0
    return _added(switched, fewer) if switched <= MOST_ADDED else _approximate(switched, fewer)


def mcnemar_of(one_way: pl.Expr, other_way: pl.Expr) -> pl.Expr:
    """The same for columns of polars."""
    return pl.struct(one_way, other_way).map_elements(
        lambda ways: mcnemar(*ways.values()), return_dtype=pl.Float64
    )


def _added(switched: int, fewer: int) -> float:
    """The sum of the tail over the sum of all terms, from the middle outwards.

    The terms are relative to the middle one, so that no factorial is computed.
    """
    at, term = switched // 2, 1.0
    half = tail = 0.0
    while term > 0:
        half += term if 2 * at < switched else 0.5
        tail += term if at <= fewer else 0.0
        term *= at / (switched - at + 1)
        at -= 1
    return tail / half


def _approximate(switched: int, fewer: int) -> float:
    """The tail by the saddle point of the distribution (Lugannani and Rice 1980).

    Between two whole numbers: at the end of the tail plus a half.
    """
    x = (switched - 2 * fewer - 1) / switched
    z = x * sqrt(switched)
    if z > _FARTHEST:
        return 0.0
    r = sqrt(switched * (2 * x * atanh(x) + log1p(-x * x)))
    return erfc(r / sqrt(2)) + 2 * exp(-r * r / 2) / sqrt(2 * pi) * (1 / z - 1 / r)


KINDS: Final = {
    "kept_accepted": (True, True),
    "newly_accepted": (False, True),
    "newly_rejected": (True, False),
    "kept_rejected": (False, False),
}
"""Whether the champion accepts a row, and whether the model does, by kind of row."""


def switched(seen: pl.LazyFrame, roles: Roles) -> pl.LazyFrame:
    """Every group of each facet, and all rows, under each model but the champion.

    ``seen`` has the cells of all rows with the decisions of model and champion. A group whose rows
    are all dropped is shown, with counts of 0.
    """
    seen = with_all_rows(seen.filter(pl.col(MODEL) != roles.champion), roles)
    keys = [*roles.windows.keys, "facet", "value"]
    table = (
        seen.select(keys)
        .unique(maintain_order=True)
        .join(
            _counts(complete_cells(seen, roles.needing({"predicted"})), keys, roles),
            on=keys,
            how="left",
            nulls_equal=True,
        )
        .with_columns(pl.col("n", *KINDS).fill_null(0))
    )
    n, more, fewer = map(pl.col, ("n", "newly_accepted", "newly_rejected"))
    change = pl.when(n > 0).then((more - fewer) / n).otherwise(roles.zero_division)
    # Sums of weights are no counts.
    p_value = pl.lit(None) if roles.is_weighted else mcnemar_of(more, fewer)
    numbers = {"change_in_rate": change, "mcnemar_p_value": p_value}
    counts = {name: pl.col(name) for name in ("n", *KINDS)}
    floats = {name: column.cast(pl.Float64) for name, column in numbers.items()}
    return groups_shown(table, roles, counts | floats)


def _counts(used: pl.LazyFrame, keys: list[str], roles: Roles) -> pl.LazyFrame:
    mass = pl.col(roles.mass)
    is_kind = {
        name: (pl.col(CHAMPION) == before) & (pl.col("predicted") == now)
        for name, (before, now) in KINDS.items()
    }
    return used.group_by(keys).agg(
        mass.sum().alias("n"),
        *(
            pl.when(each).then(mass).otherwise(0).sum().alias(name)
            for name, each in is_kind.items()
        ),
    )

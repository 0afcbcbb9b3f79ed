"""Who gets extra care: a notebook for marimo."""

import marimo

__generated_with = "0.25.2"
app = marimo.App()


@app.cell(hide_code=True)
def _():
    import marimo as mo

    return (mo,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # Who gets extra care

    A hospital has a programme for patients with complex needs: a nurse calls, appointments are
    arranged. A score decides who is offered a place. It predicts what a patient will cost, as
    those who are very ill cost a lot. Is it fair to offer places by it?

    This notebook follows a case that became known in 2019: Z. Obermeyer, B. Powers, C. Vogeli
    and S. Mullainathan, "Dissecting racial bias in an algorithm used to manage the health of
    populations", Science 366. A score that predicted cost well offered few places to Black
    patients, who cost less than others who are as ill, because less is done for them. The
    patients below are made up, and no record of a person.
    """)
    return


@app.cell
def _():
    import numpy as np
    import polars as pl
    from polars import selectors as cs

    import polars_fairness as pf

    n = 12_000
    draw = np.random.default_rng(2019)
    drawn = pl.DataFrame(
        {
            "race": draw.choice(["Black", "White"], n, p=[0.3, 0.7]),
            "sex": draw.choice(["F", "M"], n),
            "illness": draw.gamma(2, 1, n),
            "unseen": draw.normal(0, 0.5, n),
            "luck": draw.logistic(0, 0.2, n),
        }
    )
    black, woman = pl.col("race") == "Black", pl.col("sex") == "F"
    access = pl.when(black).then(0.75).otherwise(1) * pl.when(woman).then(0.9).otherwise(1)
    illness = pl.col("illness") + pl.when(black).then(0.4).otherwise(0)
    recorded = (illness + pl.col("unseen")).clip(0.1)  # what the hospital has seen of it
    cost = recorded * access * pl.col("luck").exp()
    patients = drawn.select(
        "race",
        "sex",
        high_cost=cost >= 3.5,
        needs_care=illness >= 3.5,
        score=(1 / (1 + (3.5 / (recorded * access)) ** 5)).round(3),  # the chance of a high cost
        need_score=(1 / (1 + (3.5 / recorded) ** 5)).round(3),
    )
    rounded = cs.float().round(3)
    patients.head()
    return black, patients, pf, pl, rounded


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Black patients are more ill here, and three quarters as much is spent on them when they are
    as ill. The `score` is the best that a model of cost can do: the true chance of a high cost,
    given what was recorded. A place is offered from a score of 0.3 on. Being offered a place is
    the favorable outcome.

    ## Judged by what it predicts

    The label of the model is a high cost. Is it calibrated: is a score of 0.3 a chance of 30 %
    in each group?
    """)
    return


@app.cell
def _(patients, pf):
    of_cost = {"facet": "race", "favored": "White", "label": "high_cost", "score": "score"}
    pf.chart(pf.calibration(patients, facet="race", label="high_cost", score="score", bins=5))
    return (of_cost,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Nearly so: the lines of both groups lie near the diagonal. `calibration_difference` sums it
    up: the share that is positive less the mean score, of Black patients less that of white
    ones. It is 0 if the score is as right about one group as about the other, and above 0 if
    the scores of Black patients are too low.
    """)
    return


@app.cell
def _(of_cost, patients, pf):
    pf.table(pf.audit(patients, "calibration_difference", **of_cost))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The difference is −0.01, and its interval contains 0. Whoever tests the model by its own
    label finds a model that works.

    ## Judged by what it is for

    The programme is for those who need care. Nurses have looked at all of these patients, and
    noted who does. Now the label is `needs_care`.
    """)
    return


@app.cell
def _(of_cost, patients, pf):
    of_need = {**of_cost, "label": "needs_care"}
    pf.chart(pf.calibration(patients, facet="race", label="needs_care", score="score", bins=5))
    return (of_need,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    With a score from 0.2 to 0.4, 77 % of the Black patients need care, and 14 % of the white
    ones. The score means something else for each.
    """)
    return


@app.cell
def _(patients, pf, rounded):
    misses = pf.rates(patients, facet="race", label="needs_care", score="score", threshold=0.3)
    misses.select("value", "n", "base_rate", "selection_rate", "fnr", "fpr").with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `fnr` is the miss rate: the share that gets no place of those who need care. It is 41 % for
    Black patients, and 5.5 % for white ones. Yet they need care more often (`base_rate`), and
    get fewer places (`selection_rate`).
    """)
    return


@app.cell
def _(of_need, patients, pf):
    pf.table(
        pf.audit(patients, "rd", "fnr_gap", "calibration_difference", threshold=0.3, **of_need)
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `rd` is the share of those in need who get a place, of white patients less that of Black
    ones. That is the difference of the miss rates with its sign: above 0, it speaks against
    Black patients. Its interval is far from 0. `fnr_gap` is the same without a sign, for any
    number of groups.

    ## Which group is hit hardest
    """)
    return


@app.cell
def _(patients, pf):
    ranked = pf.worst_groups(
        patients, "fnsf", facet=["race", "sex"], label="needs_care", score="score", threshold=0.3
    )
    pf.chart(ranked)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The chart has the miss rate of each group. Of the Black women in need, 52 % get no place:
    more than of Black men, 30 %, and of white women, 8.5 %. Less is spent on women too, and
    both add up. All Black patients together come first, because ranks weigh how many people a
    group has.

    ## How sure can a smaller hospital be?

    The same audit of 400 patients:
    """)
    return


@app.cell
def _(of_need, patients, pf):
    small = patients.head(400)
    pf.table(pf.audit(small, "rd", threshold=0.3, **of_need))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The difference may be anything from 0.26 to 0.62. Which side it speaks against is clear even
    so: all of the interval lies outside the band, and the verdict is by the interval.

    ## A lower threshold

    A miss and a needless place do not cost the same. Say a place for a patient in need is worth
    1, a miss loses 1, and a place for a patient without need costs 0.3. `choose` finds the
    threshold with the highest worth, if the miss rates may differ by 0.1 at most.
    """)
    return


@app.cell
def _(of_need, patients, pf):
    worth = pf.entry("utility", tp=1, fn=-1, fp=-0.3)
    hundredths = [i / 100 for i in range(5, 100)]
    of_thresholds = pf.of(patients, threshold=hundredths, **of_need)
    choice = of_thresholds.choose("fnr_gap", bands={"fnr_gap": (0, 0.1)}, maximise=worth)
    return (choice,)


@app.cell
def _(choice, pl, rounded):
    choice.filter(pl.col("threshold").is_in([0.12, 0.16, 0.2, 0.3])).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The threshold would have to fall from 0.3 to 0.12, and the programme to grow from 17 % to 28
    % of the patients. Without the limit, the best threshold would be 0.16: a lower one than
    today is worth more in any case, since a miss costs more than a place. But it takes many
    more places, because the score ranks by the wrong thing.

    ## A better label

    The fault is not the threshold. It is what the score predicts. `need_score` is made from the
    same records, but for need. From 0.46 on it offers about as many places as the score today.
    """)
    return


@app.cell
def _(patients, pf):
    models = {
        "predicted": {"cost": "score", "need": "need_score"},
        "threshold": {"cost": 0.3, "need": 0.46},
    }
    contrast = pf.audit(
        patients,
        *("rd", "accuracy"),
        facet="race",
        favored="White",
        label="needs_care",
        champion="cost",
        **models,
    )
    pf.table(contrast.filter(model="need"))
    return (models,)


@app.cell
def _(models, patients, pf):
    switched = pf.switches(patients, champion="cost", facet="race", **models)
    pf.chart(switched)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    344 places move from white to Black patients, and the programme is as large as before. The
    miss rate of Black patients falls from 41 % to 9 %, that of white patients rises from 5 % to
    10 %, and more decisions are right: accuracy is 0.949 in place of 0.923. `rd` is −0.02, and
    its interval lies within the band.

    ## And if the label is biased too?

    Who needs care is known because someone looked. Say the nurses looked less at those without
    a place: of the needs of Black patients that the score missed, half were not recorded.
    """)
    return


@app.cell
def _(black, patients, pf, pl, rounded):
    was_missed = black & (pl.col("score") < 0.3)
    every_second = pl.int_range(pl.len()) % 2 == 0
    as_recorded = patients.with_columns(
        needs_care=pl.col("needs_care") & ~(was_missed & every_second)
    )
    as_seen = pf.rates(as_recorded, facet="race", label="needs_care", score="score", threshold=0.3)
    as_seen.select("value", "n", "base_rate", "fnr").with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The miss rate of Black patients falls from 41 % to 25 %, and nothing got better for them.
    Their need now looks like that of white patients. No metric of these rows can show it,
    because what is missing is the label. So ask how the label came about before you trust any
    rate that uses it, and compare it with a measure from elsewhere, as the study did with
    laboratory values.

    ## What to take from this

    - Judge a score by what it decides, not only by what it was trained on.
    - Miss rates need a label of need. State who found it, and where they looked.
    - A threshold moves places. A label moves who is seen.
    - A gap has an interval. Give it with the gap.
    """)
    return


if __name__ == "__main__":
    app.run()

"""Two years of loan decisions: a notebook for marimo."""

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
    # Two years of loan decisions

    A bank scores applicants, and lends to those with a score of 0.5 or more. Every quarter,
    model risk looks at the decisions: does one group get fewer loans than another, why, since
    when, and what could be done? This notebook is such a review, from the first table to the
    page for the file.

    The 20,000 decisions are made up. `approved` is the decision, `repaid` whether the loan was
    repaid. That is known of every row here, also of those that were not approved; of real loans
    it is not. Race is unknown for a third.
    """)
    return


@app.cell
def _():
    import polars as pl
    from polars import selectors as cs

    import polars_fairness as pf

    loans = pf.datasets.loans()
    sides = {"facet": ["sex", "race"], "favored": {"sex": "M", "race": "White"}}
    women = {"facet": "sex", "favored": "M"}
    rounded = cs.float().round(3)
    loans.head()
    return loans, pf, pl, rounded, sides, women


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## The table of fair lending

    Each group stands beside its reference. `air` is the adverse impact ratio: its approval rate
    over that of the reference. `points` is the difference in percentage points. `shortfall` is
    how many more would have to be approved to reach the rate of the reference.
    """)
    return


@app.cell
def _(loans, pf, rounded, sides):
    table = pf.lending.table(loans, predicted="approved", **sides)
    columns = ["disfavored", "n_disfavored", "rate", "reference_rate", "points", "air", "lower"]
    columns += ["upper", "shortfall", "p_value", "is_flagged"]
    table.select(columns).with_columns(rounded)
    return (columns,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Women are approved 0.69 times as often as men: 21 points less, or 1,907 loans. They are
    flagged. The default limits are a ratio below 0.8 that is significant; they are limits of
    the call, and not of a law. Black applicants are approved 0.88 times as often as white ones.
    That is beyond chance, but above 0.8, and so not flagged.

    ## Do they apply elsewhere?

    Women may apply more often at branches that approve fewer. So compare them inside each
    branch.
    """)
    return


@app.cell
def _(loans, pf, rounded, women):
    segments = pf.lending.segments(loans, subgroup="branch", predicted="approved", **women)
    tests = ["segments", "cmh", "p_value", "mh_odds_ratio", "lower", "upper", "breslow_day_p_value"]
    segments.select(tests).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Inside the branches, the odds of women are 0.51 times those of men, and the test of Cochran,
    Mantel and Haenszel leaves no room for chance. The Breslow-Day test does not find that the
    branches differ. So the branches explain a part only. `mh_difference` says how large a part:
    it is `dppl`, the difference of the rates, inside the branches.
    """)
    return


@app.cell
def _(loans, pf, women):
    audit = pf.audit(
        loans,
        *("di", "dppl", "mh_difference", "rd"),
        label="repaid",
        predicted="approved",
        subgroup="branch",
        **women,
    )
    pf.table(audit)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Of a difference of 0.21, 0.16 remain. And `rd` compares those who repaid: of the men among
    them 77 % were approved, of the women 58 %. Their difference is 0.20. Those women were good
    borrowers without a loan.

    ## Is it the cut-off, or the score?
    """)
    return


@app.cell
def _(loans, pf, rounded, women):
    best = pf.lending.quantiles(loans, score="score", shares=[0.1, 0.3, 0.5, 0.7, 0.9], **women)
    best.select("share", "threshold", "rate", "reference_rate", "air").with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The bank could approve any share of the applicants, the best first. At each, the ratio is
    below 0.9, and up to the best 70 % it is below 0.8. So it is the score. Does it mean the
    same for women and men?
    """)
    return


@app.cell
def _(loans, pf):
    bins = pf.calibration(loans, facet="sex", label="repaid", score="score", bins=5)
    pf.chart(bins)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    It does not. Men repay as often as their scores say. Women repay more often, at each score:
    with a score of 0.5, about 55 % do. So the same score asks more of a woman than of a man.

    ## Women, and Black women

    Each facet by itself hides what happens where two meet.
    """)
    return


@app.cell
def _(loans, pf):
    ranked = pf.worst_groups(
        loans,
        "fpsf",
        facet=["sex", "race"],
        label="repaid",
        predicted="approved",
        minimum_count=500,
    )
    pf.chart(ranked)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The chart shows the share that is approved of those who did not repay. For Black women it is
    21 %, half of that of all rows. Of white women it is 34 %, of Black men 54 %. Neither the
    table of race nor that of sex had this.
    """)
    return


@app.cell
def _(columns, loans, pf, rounded):
    of_women = pf.lending.table(
        loans.filter(sex="F"), facet="race", favored="White", predicted="approved"
    )
    of_women.select(columns).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Among women, Black applicants are flagged: 15.7 points less than white ones.

    ## The third whose race is unknown

    They are in no comparison by race. Are they like the others?
    """)
    return


@app.cell
def _(loans, pf, rounded):
    by_race = pf.rates(loans, facet="race", label="repaid", predicted="approved")
    by_race.select("facet", "value", "n", "selection_rate", "base_rate", "tpr", "fpr").with_columns(
        rounded
    )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The fourth row is the unknown ones. They are approved and repay like white applicants. How
    far could they move the ratio of Black applicants? In the worst cases, all of them who were
    refused are Black, or all who were approved are:
    """)
    return


@app.cell
def _(loans, pf, pl):
    worst_cases = {"refused": ("White", "Black"), "approved": ("Black", "White")}
    bounds = {}
    for case, (if_approved, if_refused) in worst_cases.items():
        filled = pl.when("approved").then(pl.lit(if_approved)).otherwise(pl.lit(if_refused))
        extreme = loans.with_columns(pl.col("race").fill_null(filled))
        values = pf.metrics(extreme, "di", facet="race", favored="White", predicted="approved")
        bounds[case] = round(values.filter(disfavored="Black")["di"].item(), 2)
    bounds
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    So the rows alone allow any ratio from 0.37 to 1.81. That the truth is near 0.88 is an
    assumption: that race is missing for no reason that has to do with the decision. Ask how it
    came to be missing.

    ## Since when?

    Each month is compared with the year 2024. `cells` keeps counts, a few kilobytes, so that no
    rows are needed later.
    """)
    return


@app.cell
def _(loans, pf, pl, women):
    month = pl.col("decided_on").dt.truncate("1mo").alias("month")
    counted = pf.cells(loans, facet="sex", predicted="approved", by=month)
    at_release = counted.filter(pl.col("month").dt.year() == 2024).drop("month")
    since = counted.filter(pl.col("month").dt.year() == 2025)
    trend = pf.audit(
        since,
        "di",
        predicted="approved",
        by="month",
        count="n",
        baseline=at_release,
        baseline_count="n",
        **women,
    )
    pf.chart(trend)
    return (trend,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A dash is the value of 2024, 0.71. From July 2025 on, the ratio is below it:
    """)
    return


@app.cell
def _(rounded, trend):
    trend.select("month", "value", "reference", "change", "verdict").with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Each month has about 800 loans, few enough for chance: January looks better, and is not. But
    five of the last six months are `worse`, beyond their intervals. Something changed at the
    beginning of July. That is where to look: in the releases of the score, the data behind it,
    and the rules.

    ## A model that may replace it

    The bank's analysts have another model, by income and debt only. On the same applicants:
    """)
    return


@app.cell
def _(loans, pf, pl, women):
    debt_share = pl.col("debt") / pl.col("income")
    by_means = 0.55 + (pl.col("income") - 45_000) / 100_000 - 0.5 * (debt_share - 0.3)
    models = {"predicted": {"today": "score", "means": by_means.round(3)}, "threshold": 0.5}
    contrast = pf.audit(
        loans, "di", "rd", "accuracy", label="repaid", champion="today", **models, **women
    )
    pf.table(contrast.filter(model="means"))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Women are then approved 0.90 times as often as men, and the model is right more often. The
    changes are `better`, beyond their intervals.

    ## The page for the file

    `page.write_html("lending.html", title=..., author=...)` writes it as one file.
    """)
    return


@app.cell
def _(loans, pf, sides):
    page = pf.lending.report(
        loans,
        predicted="approved",
        score="score",
        resolution=0.05,
        **sides,
    )
    page
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `page.write_html("lending.html")` writes it as one file, and `write_pdf` as a PDF.

    ## What these numbers do not say

    - **Whether a law is kept.** The limits are arguments of the call. Which differences have a
      reason that counts is for people to say who know the case.
    - **Whether the label is fair.** `repaid` is taken as true. Where collection or terms differ
      between groups, it is not the same label for all.
    - **What the refused would have done.** Here it is known, since the data are made up. A real
      review has to judge by those who got a loan, and they were selected by the score in
      question.
    """)
    return


if __name__ == "__main__":
    app.run()

"""A tool that screens candidates: a notebook for marimo."""

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
    # A tool that screens candidates

    An employer fills three kinds of jobs: drivers, engineers and nurses. A tool gives each
    candidate a score, and those with 65 points or more are invited. Two rules of the United
    States say how to compare groups here. New York City's Local Law 144 prescribes a yearly
    bias audit, with impact ratios. The Uniform Guidelines compare selection rates by the
    four-fifths rule.

    This notebook goes from the records to the page that the employer publishes. The candidates
    are made up, so that what is wrong with the tool is known: it takes points from Black
    candidates, and from women who want to be drivers. Let us see what the tables find.
    """)
    return


@app.cell
def _():
    import polars as pl
    from polars import selectors as cs

    import polars_fairness as pf

    candidates = pf.datasets.candidates()
    people = {"sex": "sex", "race": "race"}
    rounded = cs.float().round(3)
    candidates.head()
    return candidates, people, pf, pl, rounded


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## What is known of the candidates

    The sex of 61 and the race of 85 is unknown. They are in no category of that table, and
    counted beside it. They are not guessed: a category that was inferred from a name is not
    known.
    """)
    return


@app.cell
def _(candidates):
    candidates.null_count()
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Impact ratios

    The selection rate of a category is the share of its people that the tool selects. The
    impact ratio is this rate over that of the most selected category of the table. That
    category has 1.
    """)
    return


@app.cell
def _(candidates, people, pf, rounded):
    ratios = pf.hiring.impact_ratios(candidates, selected="selected", **people)
    shown = ["value", "n", "selected", "rate", "impact_ratio", "lower", "upper"]
    ratios.filter(facet="sex").select(shown).with_columns(rounded)
    return ratios, shown


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Women are selected 0.93 times as often as men: 32 % beside 35 %. The interval from 0.82 to
    1.05 says what so many people allow. It contains 1, so that the difference may well be
    chance.
    """)
    return


@app.cell
def _(ratios, rounded, shown):
    ratios.filter(facet="race").select(shown).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Black candidates are selected 0.62 times as often as white ones, and the whole interval lies
    below 0.8. The ratio of people of two or more races is 0.75, but it rests on 86 people: its
    interval reaches from 0.49 to 1.05. A table without intervals shows both as if they were
    known alike.

    ## Each job by itself

    People apply for one job. A table over all of them mixes three selections, and can hide one.
    """)
    return


@app.cell
def _(candidates, people, pf, rounded, shown):
    by_job = pf.hiring.impact_ratios(candidates, selected="selected", by="job", **people)
    by_job.filter(facet="sex").select("job", *shown).with_columns(rounded)
    return (by_job,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    It did. Of the women who want to be drivers, 21.5 % are selected, and of the men 38.7 %: a
    ratio of 0.56. Among engineers and nurses women are selected more often than men. The sum of
    both looked harmless.

    ## Small categories

    In the table of sex and race together, some categories have a handful of people.
    """)
    return


@app.cell
def _(by_job, rounded, shown):
    drivers = by_job.filter(job="Driver", facet="sex & race").select(shown)
    drivers.sort("rate", descending=True).head(4).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Three men are Native Hawaiian or Pacific Islander, and two of them were selected. So theirs
    is the highest rate, and every other ratio is over that of three people: white men have
    0.63. The rule allows an auditor to leave out categories of less than 2 % of the people, if
    a justification is given. Their numbers are still shown.
    """)
    return


@app.cell
def _(candidates, people, pf, rounded, shown):
    few = {
        "exclude_below": 0.02,
        "justification": "Too few people for a rate that says something about the tool.",
    }
    without_few = pf.hiring.impact_ratios(
        candidates, selected="selected", by="job", **few, **people
    )
    kept = without_few.filter(job="Driver", facet="sex & race")
    kept.select(*shown, "is_excluded").sort("rate", descending=True).with_columns(rounded)
    return (few,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Now the ratios compare with white men. Those of Asian, Black and Hispanic women are below
    one half, and the intervals of the last two lie below 0.8.

    ## Four fifths, and significance

    The Uniform Guidelines ask two things: is the ratio below four fifths, and is the difference
    more than chance? `two_sd` is the difference of the rates in standard deviations. A group is
    flagged if both are so.
    """)
    return


@app.cell
def _(candidates, pf, rounded):
    impact = pf.hiring.adverse_impact(
        candidates, facet=["sex", "race"], selected="selected", by="job", minimum_share=0.05
    )
    flags = ["is_below_four_fifths", "is_significant", "is_flagged"]
    numbers = ["job", "disfavored", "favored", "n_disfavored", "impact_ratio", "two_sd", "p_value"]
    impact.filter("is_below_four_fifths").select(*numbers, *flags).with_columns(rounded)
    return (impact,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Each line says something else:

    - Women among the drivers: far below four fifths, at nearly five standard deviations.
    - Black drivers and Black nurses: below, and significant. Black engineers are as far below,
      at 1.99 standard deviations and not 2. They are compared with the 82 Asian engineers,
      whose rate is the highest. Not significant is not the same as fair: there are too few
      people to tell.
    - Nurses of two or more races are flagged, on 25 people; three were selected. Of twenty
      comparisons, one is significant by chance alone, and here are twenty-one.

    How many people is this about? The shortfall is how many more would have to be selected.
    """)
    return


@app.cell
def _(impact, rounded):
    impact.filter("is_flagged").select(
        "job", "disfavored", "n_disfavored", "rate", "shortfall_to_four_fifths", "shortfall"
    ).with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    28 more women would have to be selected as drivers to reach four fifths of the rate of men,
    and 51 to reach it.

    ## Is it the line at 65 points?

    A ratio depends on where the line is. So look at other lines before you say that the line is
    the cause.
    """)
    return


@app.cell
def _(candidates, pf, pl, rounded):
    drivers_only = candidates.filter(job="Driver")
    lines = [50, 55, 60, 65, 70, 75]
    at_each_line = pl.concat(
        pf.hiring.adverse_impact(
            drivers_only, facet="sex", selected=pl.col("score") >= line
        ).select(pl.lit(line).alias("line"), "disfavored", "rate", "reference_rate", "impact_ratio")
        for line in lines
    )
    at_each_line.with_columns(rounded)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    No line helps: the higher it is, the lower the ratio. The scores themselves differ. The
    cause is to be looked for in what the score is made of.

    ## The page to publish

    One call makes the page, with the dates and the source of the data that the rule has an
    employer publish. `page.write_html("bias-audit.html", model="Example Screener")` writes it
    as one file.
    """)
    return


@app.cell
def _(candidates, few, people, pf):
    page = pf.hiring.report(
        candidates,
        selected="selected",
        by="job",
        audit_date="2026-11-22",
        data="All candidates of 2025, from the employer's records. Made up for this notebook.",
        distribution_date="2025-01-15",
        **few,
        **people,
    )
    page
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## What the tables do not say

    - **Whether a law is kept.** The tables have numbers. What follows from them is for people
      to say who know the law and the case. A flag is no finding of a court, and no flag is no
      clearance.
    - **Why the rates differ.** The candidates of this notebook are made up, so the cause is
      known. Of real ones it is not: the tables compare all people who applied, whatever they
      can do.
    - **Whether the score is any good.** Here is no label, such as how well those who were hired
      do the work. With one, `pf.audit` compares errors too.
    - **Who is missing.** People who did not apply, or gave up before the tool saw them, are in
      no table.

    Read on: the page on hiring in the reference has every argument, and what each column means.
    """)
    return


if __name__ == "__main__":
    app.run()

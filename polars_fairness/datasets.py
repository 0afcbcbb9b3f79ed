"""Example data, shipped with the package."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from typing import Final

import polars as pl

__all__ = [
    "berkeley",
    "candidates",
    "compas",
    "fico",
    "german_credit",
    "loans",
    "prompts",
    "salaries",
    "stops",
]

# Numbers of men admitted and rejected, then of women (Bickel, Hammel and O'Connell 1975).
_BERKELEY: Final = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
_ORDER: Final = (("Male", True), ("Male", False), ("Female", True), ("Female", False))

_LOANS: Final = 20_000
_ROW: Final = pl.int_range(_LOANS)
_BRANCHES: Final = pl.Series(["Centre", "East", "North", "South", "West"])
_RACES: Final = pl.Series([None] * 33 + ["White"] * 42 + ["Black"] * 15 + ["Asian"] * 10)

_CASES: Final = 500
_GROUPS: Final = pl.Series(["White", "Black", "Hispanic", "Asian"])
_TASKS: Final = pl.Series(["loan", "job", "flat", "visa"])

_CANDIDATES: Final = 2_000
_JOBS: Final = pl.Series(["Driver", "Engineer", "Nurse"])

_WORKERS: Final = 3_000
_GRADES: Final = pl.Series(["Assistant", "Clerk", "Expert", "Senior", "Manager", "Director"])
_CENTS: Final = pl.Series([1_500, 1_900, 2_500, 3_300, 4_400, 6_500])
"""The pay of an hour in each grade, for a man in his first year."""

# How many of 200 candidates have a category of the form EEO-1; of the first 8 it is unknown.
_CATEGORIES: Final = {
    None: 8,
    "White": 92,
    "Hispanic or Latino": 34,
    "Black or African American": 30,
    "Asian": 24,
    "Two or More Races": 8,
    "Native American or Alaska Native": 3,
    "Native Hawaiian or Pacific Islander": 1,
}


def berkeley() -> pl.DataFrame:
    """Graduate admissions at Berkeley in autumn 1973: the six largest departments, as cells.

    Returns
    -------
    DataFrame
        ``sex``, ``department``, ``admitted`` and ``n``, the number of these applicants, of 4,526.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.datasets.berkeley()["n"].sum()
    4526
    """
    rows = [
        (sex, department, admitted, n)
        for department, numbers in _BERKELEY.items()
        for (sex, admitted), n in zip(_ORDER, numbers, strict=True)
    ]
    return pl.DataFrame(rows, schema=["sex", "department", "admitted", "n"], orient="row")


def compas() -> pl.DataFrame:
    """COMPAS scores of the risk of reoffending, Broward County, Florida, as cells.

    ProPublica published the COMPAS scores of people screened in 2013 and 2014, and whether they
    were charged with a new crime within two years (github.com/propublica/compas-analysis, the table
    of two-year outcomes). The cells are counts of this public table. A high score is bad for the
    person: give ``favorable=False``.

    For screenings from April 2014 on, the table has hardly anyone who did not reoffend. Leave these
    months out of results by month.

    Returns
    -------
    DataFrame
        ``race``, ``sex``, ``age`` (three bands), ``charge`` (felony or misdemeanor), ``screened``
        (first day of the month), ``score`` from 1 to 10, ``reoffended`` and ``n``, the number of
        these people, of 7,214. ProPublica read a score of 5 or more as a prediction that someone
        reoffends.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> rates = pf.rates(
    ...     pf.datasets.compas(),
    ...     facet="race",
    ...     label="reoffended",
    ...     predicted="score",
    ...     threshold=5,
    ...     count="n",
    ... )
    >>> rates.filter(value="African-American")["fpr"].round(3).item()
    0.448
    >>> rates.filter(value="Caucasian")["fpr"].round(3).item()
    0.235
    """
    return _table("compas")


def fico() -> pl.DataFrame:
    """Credit scores and repayment of 174,047 people in the United States, by race, as weights.

    TransUnion scores of 2003, with repayment in the 18 to 24 months that followed. The Federal
    Reserve published the distribution in its report to Congress on credit scoring (August 2007);
    Hardt, Price and Srebro used it in "Equality of opportunity in supervised learning" (2016). The
    weights are the product of the published tables.

    The weights are numbers of people but not whole numbers, so they cannot be a ``count``. For an
    interval, each row is one observation whatever its weight, so use the values and not the
    intervals.

    Returns
    -------
    DataFrame
        ``race``, ``score`` (a percentile from 0 to 100), ``repaid`` and ``weight``.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> repaid = pf.rates(pf.datasets.fico(), facet="race", label="repaid", weight="weight")
    >>> repaid.filter(value="Black")["base_rate"].round(2).item()
    0.34
    """
    return _table("fico")


def german_credit() -> pl.DataFrame:
    """A thousand loans of a bank in southern Germany, 1973 to 1975, and whether they were repaid.

    H. Hofmann gave the loans to the UCI repository ("Statlog (German Credit Data)", 1994), and U.
    Grömping corrected them from their first publications ("South German Credit", 2019,
    doi.org/10.24432/C5X89F). Both are under the licence CC BY 4.0. These are the corrected data:
    seven of the 21 columns, with words in place of codes. Three in ten of these loans were not
    repaid, a larger share than at the bank.

    There is no column for sex: Grömping found that the code long read as "female" includes single
    men.

    Returns
    -------
    DataFrame
        ``age``, ``duration`` in months, ``amount`` in marks of the time, on an unknown scale,
        ``checking`` and ``savings`` (what the accounts hold), ``purpose``, and ``good``, whether
        the loan was repaid as agreed.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> group = pl.when(pl.col("age") <= 25).then(pl.lit("young")).otherwise(pl.lit("older"))
    >>> rates = pf.rates(pf.datasets.german_credit(), facet=group.alias("group"), label="good")
    >>> rates.filter(value="young")["base_rate"].round(3).item()
    0.579
    """
    return _table("german_credit")


def stops() -> pl.DataFrame:
    """Stops of people and vehicles by the Minneapolis police in 2017, as cells.

    The City of Minneapolis publishes these records on its open data portal
    (opendata.minneapolismn.gov, police stop data). The cells are counts of the copy in the R
    package carData, ``MplsStops``, which lacks a few stops of unknown location. A search is bad for
    the person: give ``favorable=False``.

    The nulls are as recorded. Officers outside a vehicle recorded neither race nor gender nor
    searches (8,221 stops), and citations are recorded from July on. ``Unknown`` is a value that
    officers chose. ``race`` is what the officer concluded after the stop.

    Returns
    -------
    DataFrame
        ``month`` (its first day), ``precinct``, ``problem`` (traffic or suspicious), ``race``,
        ``gender``, ``searched`` (the person), ``cited`` and ``n``, the number of these stops, of
        51,920.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> stops = pf.datasets.stops().filter(problem="traffic")
    >>> question = {"facet": "race", "predicted": "searched", "count": "n", "nulls": "drop"}
    >>> rates = pf.rates(stops, **question)
    >>> rates.filter(value="Black")["selection_rate"].round(3).item()
    0.138
    """
    return _table("stops")


def _table(name: str) -> pl.DataFrame:
    """Return a table of the folder `data`."""
    return pl.read_parquet((files("polars_fairness") / "data" / f"{name}.parquet").read_bytes())


def loans() -> pl.DataFrame:
    """Twenty thousand decisions on loans in 2024 and 2025: made up, with a known disparity.

    The probability that a loan is repaid depends only on income and debt, for all groups alike. The
    score is this probability with some noise, minus 0.04 for women, or 0.12 for Black women. From
    July 2025 on, another 0.04 is deducted for all women. A loan is approved if the score is at
    least 0.5. Branches differ in income, and women are more often at branches of low income, so
    part of the difference between women and men is a difference between branches.

    The numbers follow from integer arithmetic without a random generator, so they are the same with
    every version of polars.

    Returns
    -------
    DataFrame
        ``decided_on``, ``branch``, ``sex``, ``race`` (null in a third of the rows), ``age``,
        ``income``, ``debt``, ``score`` from 0 to 1, ``approved`` and ``repaid``. As the data are
        made up, ``repaid`` is known even for loans that were not approved.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> loans = pf.datasets.loans()
    >>> loans.height, loans["race"].null_count()
    (20000, 6720)
    """
    branch, debt_share = _draw(1, below=5), _draw(6, below=60)
    is_woman = _draw(2, below=100) < 25 + 10 * branch
    race = pl.lit(_RACES).gather(_draw(3, below=100))
    decided_on = date(2024, 1, 1) + pl.duration(days=_ROW * 731 // _LOANS)
    income = 20_000 + 100 * _draw(5, below=400) + 3_000 * (4 - branch)
    # From here on, chances and scores are thousandths: integers are never rounded.
    chance = 550 + (income - 45_000) // 100 - 5 * (debt_share - 30)
    less_by_race = pl.when(race == "Black").then(120).otherwise(40)
    less_by_date = pl.when(decided_on >= date(2025, 7, 1)).then(40).otherwise(0)
    less = pl.when(is_woman).then(less_by_race + less_by_date).otherwise(0)
    score = (chance - less + _draw(7, below=101) - 50).clip(0, 1_000)
    return pl.select(
        decided_on=decided_on,
        branch=pl.lit(_BRANCHES).gather(branch),
        sex=pl.when(is_woman).then(pl.lit("F")).otherwise(pl.lit("M")),
        race=race,
        age=20 + _draw(4, below=50),
        income=income,
        debt=income * debt_share // 100,
        # Rounded, because polars multiplies by the inexact 1/1000: 0.565 was 0.5650000000000001.
        score=(score / 1_000).round(3),
        approved=score >= 500,
        repaid=_draw(8, below=1_000) < chance,
    )


def prompts() -> pl.DataFrame:
    """Two thousand prompts to three language models: made up, with known disparities.

    Each of 500 cases, a request that a model may grant or refuse, is worded four times, each time
    with names of another group, in rotating order. All wordings of a case have the same merit.
    ``first`` sees the merit with separate noise for each wording, and adds 8 points to the wording
    that it sees first; ``second`` deducts 6 of 100 points from Black applicants and 3 from
    Hispanic ones; ``third`` has the same noise for all wordings of a case, and deducts 2 points
    from Black applicants. Requests with at least 50 points are granted, those with at least 44 are
    asked to write again, and the others are refused.

    The numbers follow from integer arithmetic without a random generator, so they are the same with
    every version of polars.

    Returns
    -------
    DataFrame
        ``case``, ``task``, ``group``, ``place`` from 1 to 4 in the order of a case, and the answers
        ``first``, ``second`` and ``third``: "grant", "ask" or "refuse".

    Examples
    --------
    >>> import polars_fairness as pf
    >>> prompts = pf.datasets.prompts()
    >>> prompts.height, prompts["case"].n_unique(), prompts["group"].n_unique()
    (2000, 500, 4)
    """
    row = pl.int_range(_CASES * len(_GROUPS))
    case, group = row // len(_GROUPS), pl.lit(_GROUPS).gather(row % len(_GROUPS))
    place = (row + case) % len(_GROUPS) + 1
    merit = _draw(31, below=41, row=case) + _draw(32, below=41, row=case) + 10
    alike = _draw(36, below=17, row=case)
    by_second = pl.when(group == "Black").then(6).when(group == "Hispanic").then(3).otherwise(0)
    points = {
        "first": merit + _draw(33, below=17, row=row) + pl.when(place == 1).then(8).otherwise(0),
        "second": merit + _draw(34, below=17, row=row) - by_second,
        "third": merit + alike - pl.when(group == "Black").then(2).otherwise(0),
    }
    answers = [
        pl.when(each >= 50)
        .then(pl.lit("grant"))
        .when(each >= 44)
        .then(pl.lit("ask"))
        .otherwise(pl.lit("refuse"))
        .alias(name)
        for name, each in points.items()
    ]
    task = pl.lit(_TASKS).gather(_draw(30, below=len(_TASKS), row=case))
    keys = {"case": case, "task": task, "group": group, "place": place}
    return pl.select(*(each.alias(name) for name, each in keys.items()), *answers)


def candidates() -> pl.DataFrame:
    """Two thousand candidates for three jobs, scored by a tool: made up, with known disparities.

    The scores of all groups come from one distribution; then 6 points are deducted from Black
    candidates, 2.5 from candidates of two or more races, and 8 from women who apply as drivers.
    Candidates with at least 65 points are selected. Race has the categories of the form EEO-1; two
    of them have less than 2 % of the candidates.

    The numbers follow from integer arithmetic without a random generator, so they are the same with
    every version of polars.

    Returns
    -------
    DataFrame
        ``job``, ``sex`` and ``race`` (null where unknown), ``score`` from 0 to 100 and
        ``selected``.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> candidates = pf.datasets.candidates()
    >>> ratios = pf.hiring.impact_ratios(candidates, sex="sex", race="race", selected="selected")
    >>> ratios.filter(facet="sex").select("value", "n", pl.col("impact_ratio").round(2)).rows()
    [('Female', 873, 0.93), ('Male', 1066, 1.0)]
    """
    row = pl.int_range(_CANDIDATES)
    job, sex = _draw(25, below=3, row=row), _draw(26, below=100, row=row)
    is_woman = sex.is_between(3, 45)
    races = pl.Series([race for race, of_200 in _CATEGORIES.items() for _ in range(of_200)])
    race = pl.lit(races).gather(_draw(27, below=200, row=row))
    by_race = pl.when(race == "Black or African American").then(60)
    less_by_race = by_race.when(race == "Two or More Races").then(25).otherwise(0)
    less_by_job = pl.when(is_woman & (job == 0)).then(80).otherwise(0)
    # Tenths of points: integers are never rounded.
    drawn = 200 + _draw(28, below=400, row=row) + _draw(29, below=400, row=row)
    score = drawn - less_by_race - less_by_job
    return pl.select(
        job=pl.lit(_JOBS).gather(job),
        sex=pl.when(sex >= 3).then(
            pl.when(is_woman).then(pl.lit("Female")).otherwise(pl.lit("Male"))
        ),
        race=race,
        score=(score / 10).round(1),
        selected=score >= 650,
    )


def salaries() -> pl.DataFrame:
    """The yearly pay of three thousand people at one employer: made up, with known disparities.

    Hourly pay depends on the grade, and rises by 1 % with each year of service. Women are paid 2 %
    less than men of the same grade and service, and 8 % less as seniors. They are more often in
    lower grades, and more often work part time. A bonus is at most a tenth of the basic pay, four
    fifths of that for women, and is more common in higher grades.

    The numbers follow from integer arithmetic without a random generator, so they are the same with
    every version of polars.

    Returns
    -------
    DataFrame
        ``sex``, ``grade`` (null for a few), ``site``, ``service`` in years, ``hours`` paid in the
        year (1,720 are full time), ``basic_pay``, ``bonus`` (0 without one) and ``total_pay`` of
        the year.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> salaries = pf.datasets.salaries()
    >>> salaries.height, salaries.filter(sex="F")["total_pay"].median()
    (3000, 33368.0)
    """
    row = pl.int_range(_WORKERS)
    is_woman = _draw(31, below=100, row=row) < 45
    # Of women, three in ten are one grade lower than where they were drawn.
    drawn = _draw(32, below=100, row=row)
    steps = (pl.when(drawn >= least).then(1).otherwise(0) for least in (22, 47, 70, 86, 96))
    lower = pl.when(is_woman & (_draw(33, below=100, row=row) < 30)).then(1).otherwise(0)
    grade = (pl.sum_horizontal(steps) - lower).clip(0)
    service = _draw(34, below=30, row=row) * _draw(35, below=30, row=row) // 29
    is_part_time = _draw(36, below=100, row=row) < pl.when(is_woman).then(36).otherwise(9)
    hours = pl.when(is_part_time).then(860 + 86 * _draw(37, below=8, row=row)).otherwise(1_720)
    per_cent = 100 - pl.when(~is_woman).then(0).when(grade == 3).then(8).otherwise(2)
    spread = 90 + _draw(38, below=21, row=row)
    # Cents, then whole units: integers are never rounded.
    cents = pl.lit(_CENTS).gather(grade) * (100 + service) * per_cent * spread // 1_000_000
    basic = cents * hours // 100
    of_bonus = pl.when(is_woman).then(80).otherwise(100) * (20 + _draw(39, below=81, row=row))
    is_paid_bonus = _draw(40, below=100, row=row) < 25 + 12 * grade
    bonus = pl.when(is_paid_bonus).then(basic * of_bonus // 100_000).otherwise(0)
    return pl.select(
        sex=pl.when(is_woman).then(pl.lit("F")).otherwise(pl.lit("M")),
        grade=pl.when(_draw(41, below=200, row=row) > 0).then(pl.lit(_GRADES).gather(grade)),
        site=pl.lit(_BRANCHES).gather(_draw(42, below=5, row=row)),
        service=service,
        hours=hours,
        basic_pay=basic,
        bonus=bonus,
        total_pay=basic + bonus,
    )


def _draw(column: int, *, below: int, row: pl.Expr = _ROW) -> pl.Expr:
    """Return a number for each row that looks random: a fourth power modulo a prime."""
    prime = 2**31 - 1
    number = row + 1_000_003 * column
    square = number * number % prime
    return square * square % prime % below


def __dir__() -> list[str]:
    return [name for name in globals() if name in __all__ or name.startswith("__")]

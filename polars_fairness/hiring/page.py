"""The page about a hiring tool: the summary that a rule prescribes, and the four-fifths part."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.api.signatures import takes
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.models import counts_of
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError, either, keyword, shown
from polars_fairness.hiring.arguments import (
    OF_ADVERSE_IMPACT,
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    OF_PUBLICATION,
    REQUIRED_BY,
    HiringReportQuestion,
    ImpactRatiosQuestion,
)
from polars_fairness.hiring.tables import (
    NOT_OF_PEOPLE,
    about_ratios,
    adverse_impact,
    impact_ratios,
)
from polars_fairness.question.arguments import defaults, named
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.document import (
    ALONE,
    NO_ADVICE,
    answer_tables,
    by_facet,
    by_window,
    compared,
    in_order,
    page_of,
)
from polars_fairness.reporting.outputs.records import tables_as_json
from polars_fairness.reporting.parts import (
    Cell,
    Document,
    Head,
    Part,
    Section,
    Sentences,
    Table,
    writable,
)
from polars_fairness.reporting.short_names import with_short_names
from polars_fairness.reporting.words import (
    NOTHING,
    column_in_words,
    confidence_in_words,
    number,
    score,
    share,
    size,
)
from polars_fairness.reporting.written_report import WrittenReport

_A_DATE: Final = either("a date, or text", "a date")
_DAYS: Final = ("audit_date", "distribution_date")


@dataclass(frozen=True)
class Publication:
    """The arguments of `OF_PUBLICATION`, each checked by itself; a date is text, as 2025-01-31."""

    audit_date: str = ""
    data: str = ""
    distribution_date: str = ""
    test_data: str | None = None

    def __post_init__(self) -> None:
        for name, given in [*vars(self).items()]:
            if name in REQUIRED_BY and given in ("", None):
                raise FairnessError(_missing(name))
            if given is not None:
                read = _day if name in _DAYS else _text
                object.__setattr__(self, name, read(name, given))

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are given, by argument."""
        return {name: value for name, value in vars(self).items() if value is not None}


def _missing(name: str) -> str:
    [argument] = named(OF_PUBLICATION, name)
    takes = f'{_A_DATE} such as "2026-11-22"' if name in _DAYS else "a text"
    return (
        f"{name}: missing, and {REQUIRED_BY[name]} has {argument.meaning} published with the "
        f"tables; give {keyword(name)}, {takes}"
    )


def _day(name: str, given: object) -> str:
    """A date as text, as in 2025-01-31."""
    if isinstance(given, datetime.datetime):
        return given.date().isoformat()
    if isinstance(given, datetime.date):
        return given.isoformat()
    try:
        return datetime.date.fromisoformat(str(given)).isoformat()
    except ValueError:
        raise FairnessError(
            f'{name}: takes {_A_DATE} such as "2026-11-22", got {shown(given)}'
        ) from None


def _text(name: str, given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        msg = f"{name}: takes text, got {shown(given)}"
        if name not in REQUIRED_BY:
            msg += "; leave it out if there is none"
        raise FairnessError(msg)
    return writable(given)


Row = Mapping[str, Any]


def _lowest_ratios(windows: Iterable[tuple[str, pl.DataFrame]], facets: Sequence[str]) -> Table:
    """The lowest impact ratio of each table, with its category: a row for each window."""
    lowest = lambda facet, each: _lowest(each[1].filter(pl.col("facet") == facet))  # noqa: E731
    return Table(
        "The lowest impact ratio of each table",
        [
            Head("Tables", lambda each: each[0]),
            *(Head(facet, partial(lowest, facet)) for facet in facets),
        ],
        [*windows],
    )


def _lowest(table: pl.DataFrame) -> Cell:
    known = table.drop_nulls("impact_ratio").sort("impact_ratio", maintain_order=True)
    return Cell(number(known["impact_ratio"][0]), known["value"][0]) if known.height else Cell("–")


def _facts_of_tables(
    ratios: pl.DataFrame,
    facets: Sequence[str],
    exclude_below: float | None,
    justification: str | None,
) -> Iterator[str]:
    """What the rule has published about the tables of one window, one for each of the facets."""
    tables = {facet: part.row(0, named=True) for facet, part in by_facet(ratios)}
    if any(row["n_unknown"] for row in tables.values()):
        counts = ", ".join(f"{size(row['n_unknown'])} by {facet}" for facet, row in tables.items())
        yield f"Applicants of unknown category, who are in no row of a table: {counts}."
    else:
        yield "Applicants of unknown category: 0 in each table."
    if unknown := [facet for facet in facets if tables[facet]["value"] is None]:
        yield f"All applicants are of unknown category by {', '.join(unknown)}."
    first, *_ = tables.values()
    if dropped := first["rows_dropped"]:
        yield f"Applicants without a known outcome, who are left out: {size(dropped)}."
    if first["median"] is not None:
        yield f"The median score of all applicants is {score(first['median'])}."
    if ratios["is_excluded"].any():
        yield (
            f"Categories that are excluded have less than {100 * (exclude_below or 0):g} % of the "
            f"applicants of their table. Justification: {justification}"
        )


_TITLE: Final = "Four-fifths with significance"
_FINDING: Final = (
    "This section is not part of the summary above. Each group is compared with the group of the "
    "highest selection rate, as 29 CFR 1607.4(D) has it. Flagged are groups whose rate is below "
    "four fifths of the highest, if the difference is significant: beyond two standard deviations, "
    "or with a p-value of Fisher’s exact test below 0.05. 29 CFR 1607.4(D) names no test."
)
_SHORTFALLS: Final = (
    "The shortfall is how many more people of the group would have to be selected to reach the "
    "highest rate, and to reach four fifths of it. Standard deviations above 0: the group is "
    "selected less."
)
_SMALL: Final = (
    "Groups of less than {:g} % of the applicants are compared, and none of them is the highest."
)
_KINDS: Final = {
    (True, True): "Below four fifths, and significant",
    (True, False): "Below four fifths, not significant",
    (False, True): "Significant, not below four fifths",
}

# The share of tables with a flag has a standard error of 0.005 at most.
_TABLES: Final = 10_000


def _adverse_section(adverse: pl.DataFrame, exclude_below: float | None) -> Iterator[Section]:
    """The section, with a finding and a table for each window and facet."""
    small = [] if exclude_below is None else [_SMALL.format(100 * exclude_below)]
    yield Section(_TITLE, (_SHORTFALLS, *small), finding=_FINDING)
    for window, of_window in by_window(adverse):
        for facet, part in by_facet(of_window):
            about = f"By {facet}, {window}" if window else f"By {facet}"
            known = compared(part)
            if known.is_empty():
                yield Section(about, (), 3, ALONE)
                continue
            rows = known.rows(named=True)
            found = " ".join([*_findings(rows), _by_chance(rows, exclude_below or 0.0)])
            caption = f"Each group against {rows[0]['favored']}, by {{}}"
            tables = answer_tables("adverse_impact", known, caption, "the highest")
            yield Section(about, tuple(tables), 3, found)


def _findings(rows: Sequence[Row]) -> Iterator[str]:
    """Which groups are below four fifths, significantly or not, in words."""
    first = rows[0]
    highest = f"{first['favored']}, {share(first['reference_rate'])}"
    yield f"The highest selection rate is that of {highest}."
    found = {
        words: [
            f"{row['disfavored']} ({number(row['impact_ratio'], beside=(0.8, 1))})"
            for row in rows
            if (row["is_below_four_fifths"], row["is_significant"]) == kind
        ]
        for kind, words in _KINDS.items()
    }
    yield from (f"{words}: {', '.join(names)}." for words, names in found.items() if names)
    unknown = [row["disfavored"] for row in rows if row["is_flagged"] is None]
    if not any(found.values()) and len(unknown) < len(rows):
        yield "No group is below four fifths of it, or differs significantly."
    if unknown:
        yield f"Not judged: {', '.join(unknown)}."


def _by_chance(rows: Sequence[Row], least_share: float) -> str:
    """How often a table of these groups has a flag if all rates are the same, in words.

    The highest of many rates is high by chance too. The rule does not allow for it, so the sentence
    says what it comes to: in tables that are drawn at the rate of all people.
    """
    # Imported here: numpy takes longer to load than the rest.
    import numpy as np

    first = rows[0]
    n = np.array([first["n_favored"], *(row["n_disfavored"] for row in rows)])
    rates = np.array([first["reference_rate"], *(row["rate"] for row in rows)])
    drawn = np.random.default_rng(0).binomial(n, (n * rates).sum() / n.sum(), (_TABLES, len(n)))
    drawn_rates = drawn / n
    may_be_highest = n >= least_share * n.sum()
    place = np.where(may_be_highest, drawn_rates, -1.0).argmax(axis=1)[:, np.newaxis]
    highest, of_highest = np.take_along_axis(drawn_rates, place, axis=1), n[place]
    pooled = (drawn + np.take_along_axis(drawn, place, axis=1)) / (n + of_highest)
    variance = pooled * (1 - pooled) * (1 / n + 1 / of_highest)
    is_beyond = (highest - drawn_rates) ** 2 > 2**2 * variance
    is_flagged = is_beyond & (drawn_rates < 0.8 * highest)
    per_cent = round(100 * is_flagged.any(axis=1).mean())
    tables = f"about {per_cent}" if per_cent else "fewer than 1"
    return (
        f"If all {len(n)} groups had the same rate, {tables} of 100 tables of these sizes would "
        "have a flag by chance."
    )


KIND: Final = "Bias audit of a hiring tool"

_RATES: Final = {
    "scoring": (
        "The scoring rate is the share of a category with a score above the median of all "
        "applicants, unknown categories included"
    ),
    "selection": "The selection rate is the share of a category that was selected",
}
_RATIO: Final = "the impact ratio is this rate divided by the highest one in the table"


@dataclass(frozen=True)
class BiasAudit:
    """What the page shows: the texts, the tables, and how the call made them.

    Without ``adverse``, the question is about scores. ``outcome`` is the column of decisions or
    scores.
    """

    publication: Publication
    facets: Sequence[str]
    ratios: pl.DataFrame
    adverse: pl.DataFrame | None
    outcome: str
    confidence: float | None
    exclude_below: float | None
    justification: str | None

    @property
    def title(self) -> str:
        """The title of a page that was given none."""
        return f"Impact ratios of {self.outcome}"


def hiring_page(audit: BiasAudit, texts: Texts) -> Document:
    """Everything that the page says."""
    given = audit.publication
    windows = list(by_window(audit.ratios))
    of_windows = [(window, tuple(_tables(audit, ratios))) for window, ratios in windows]
    is_one = [window for window, _ in windows] == [""]
    tables = of_windows[0][1] if is_one else (_lowest_ratios(windows, audit.facets),)
    sections = [] if is_one else [Section(window, parts) for window, parts in of_windows]
    if audit.adverse is not None:
        sections += _adverse_section(audit.adverse, audit.exclude_below)
    return page_of(
        texts,
        audit.title,
        (
            Sentences("facts", tuple(_facts(given))),
            *(tables if windows else (NOTHING,)),
            _how(audit, is_one=is_one),
        ),
        sections,
        kind=KIND,
        details=(
            f"Date of the most recent bias audit: {given.audit_date}",
            f"Distribution date of the tool: {given.distribution_date}",
        ),
    )


def _facts(given: Publication) -> Iterator[str]:
    """What the rule has published beside the tables."""
    first, *others = (each.strip() for each in given.data.split("\n\n") if each.strip())
    yield f"Source and explanation of the data: {first}"
    yield from others
    if given.test_data:
        yield (
            "Test data were used. Why historical data were not, and how the test data were made "
            f"and obtained: {given.test_data}"
        )


def _tables(audit: BiasAudit, ratios: pl.DataFrame) -> Iterator[Part]:
    """The tables of one window, and the facts about them."""
    yield from answer_tables("impact_ratios", ratios.filter(pl.col("value").is_not_null()))
    facts = _facts_of_tables(ratios, audit.facets, audit.exclude_below, audit.justification)
    yield Sentences("facts", tuple(facts))


def _how(audit: BiasAudit, *, is_one: bool) -> Part:
    """How the numbers of the first page are made."""
    how = f"{_RATES['scoring' if audit.adverse is None else 'selection']}; {_RATIO}"
    how += "." if audit.exclude_below is None else " that is not excluded."
    if audit.confidence is not None:
        confidence = confidence_in_words(audit.confidence)
        how += f" Below it stands its {confidence} interval, by the Bayesian bootstrap and not "
        how += "adjusted for the number of categories; the rule names none."
    if not is_one:
        own = "The median and the highest rates" if audit.adverse is None else "The highest rates"
        how += f" {own} of a section are those of its own applicants."
    return Sentences("facts", (how, NO_ADVICE))


@dataclass(frozen=True)
class HiringReport(WrittenReport):
    """The result of `hiring.report`; a notebook shows it as a page.

    The file of ``write_json`` has the given texts, and the records of `hiring.impact_ratios` and
    `hiring.adverse_impact`; ``polars-fairness schema hiring_document`` prints its schema.
    """

    audit: BiasAudit = field(repr=False)

    def __repr__(self) -> str:
        return f"HiringReport({self.audit.title!r})"

    def _document(self, texts: Texts) -> Document:
        return hiring_page(with_short_names(self.audit), texts)

    def _as_json(self, texts: Texts) -> dict[str, Any]:
        audit = self.audit
        tables = {
            "impact_ratios": ("hiring_impact_ratios", audit.ratios),
            "adverse_impact": ("hiring_adverse_impact", audit.adverse),
        }
        about = {**audit.publication.texts, **texts}
        return tables_as_json("hiring_document", texts.get("title", audit.title), about, tables)


@takes(*OF_IMPACT_RATIOS, *OF_PUBLICATION, shared=OF_PEOPLE, module="hiring", refused=NOT_OF_PEOPLE)
def report(frame: AnyFrame, **given: Unpack[HiringReportQuestion]) -> HiringReport:
    """The summary of a bias audit as a page: what New York City's rule has an employer publish.

    The first page has what 6 RCNY 5-301 to 5-303 name, for sex, for race and ethnicity, and for
    both together, and fits one sheet of paper with the categories of the rule. Below it, with
    ``selected``, stands the four-fifths rule with significance by sex and by race, as
    `adverse_impact` has it, which the rule does not name. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extra ``report``, and with ``selected`` also ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    HiringReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "M", "M"],
    ...         "race": ["White", "White", "Asian", "Asian"],
    ...         "hired": [True, False, True, False],
    ...         "n": [34, 42, 50, 42],
    ...     }
    ... )
    >>> pf.hiring.report(
    ...     applicants,
    ...     sex="sex",
    ...     race="race",
    ...     selected="hired",
    ...     count="n",
    ...     audit_date="2026-11-22",
    ...     data="All applications of 2025, from the employer's records.",
    ...     distribution_date="2026-01-31",
    ... )
    HiringReport('Impact ratios of hired')
    """
    published = {row.name: given[row.name] for row in OF_PUBLICATION if row.name in given}  # type: ignore[literal-required]
    publication = Publication(**published)
    question = cast(
        "ImpactRatiosQuestion",
        {name: value for name, value in given.items() if name not in published},
    )
    bound, roles = about_ratios(frame, question)
    counted = CountedRows.of(frame, bound.rows, counts_of(roles))
    selected = question.get("selected")
    outcome = question.get("score") if selected is None else selected
    adverse = None if selected is None else _adverse(counted, question)
    facets = [facet.name for facet in roles.facets]
    options = {**defaults(OF_IMPACT_RATIOS), **question}
    audit = BiasAudit(
        publication=publication,
        facets=facets,
        ratios=in_order(impact_ratios(counted, **question), facets),
        adverse=None if adverse is None else in_order(adverse, facets),
        outcome=column_in_words(outcome),
        confidence=options["confidence"],
        exclude_below=options["exclude_below"],
        justification=options["justification"],
    )
    return HiringReport(audit)


def _adverse(frame: AnyFrame, question: ImpactRatiosQuestion) -> PolarsFrame:
    """The groups by sex and by race beside the highest."""
    shared = {row.name for row in (*OF_ADVERSE_IMPACT, *OF_PEOPLE)}
    given: dict[str, Any] = {name: value for name, value in question.items() if name in shared}
    facets, least = [question["sex"], question["race"]], question.get("exclude_below") or 0.0
    return adverse_impact(frame, facet=facets, minimum_share=least, **given)

"""The page about a hiring tool: the summary that a rule prescribes, and the four-fifths part."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Unpack, cast

import polars as pl

from polars_fairness.api.signatures import takes
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.models import counts_of
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, listed, shown
from polars_fairness.hiring.arguments import (
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    OF_PUBLICATION,
    REQUIRED_BY,
    HiringReportQuestion,
    ImpactRatiosQuestion,
)
from polars_fairness.hiring.tables import NOT_OF_PEOPLE, TABLES, about_ratios, table_of
from polars_fairness.question.arguments import defaults, parted
from polars_fairness.reporting.document import (
    ALONE,
    NO_ADVICE,
    PrescribedCommand,
    PrescribedReport,
    answer_tables,
    checked_texts,
    compared,
    key_of_reference,
    key_of_row,
    sort_facets,
    split_facets,
    split_windows,
)
from polars_fairness.reporting.parts import Cell, Paragraph, Section, Sentence, Table, said
from polars_fairness.reporting.tables import text_table
from polars_fairness.reporting.words import (
    NOTHING,
    PERCENT,
    column_in_words,
    confidence_in_words,
    facet_in_words,
    number,
    score,
    share,
    size,
    value_in_words,
)

Row = Mapping[str, Any]

_FOUR_FIFTHS: Final = "Four-fifths with significance"
_FINDING: Final = (
    "This section is not part of the summary above. Each group is compared with the group with the "
    "highest selection rate, as in 29 CFR 1607.4(D). A group is flagged if its rate is below four "
    "fifths of the highest and the difference is significant: beyond two standard deviations, or "
    "with a p-value of Fisher’s exact test below 0.05. 29 CFR 1607.4(D) names no test."
)
_SHORTFALLS: Final = (
    "The shortfall is how many more people of the group would have to be selected to reach the "
    "highest rate, or four fifths of it. Standard deviations above 0 mean that the group is "
    "selected less often."
)
_SMALL: Final = (
    "Groups of less than {} of the applicants are compared, but never count as the highest."
)
_FLAGS: Final = {
    (True, True): "Below four fifths, and significant",
    (True, False): "Below four fifths, not significant",
    (False, True): "Significant, not below four fifths",
}
_RATES: Final = {
    "scoring": (
        "The scoring rate is the share of a category with a score above the median of all "
        "applicants, unknown categories included"
    ),
    "selection": "The selection rate is the share of a category that was selected",
}
_RATIO: Final = "the impact ratio is this rate divided by the highest one in the table"

# The share of tables with a flag has a standard error of 0.005 at most.
_TABLES: Final = 10_000


def published(given: Mapping[str, Any]) -> dict[str, Any]:
    """The texts that must be published, checked; a date is text, as 2025-01-31."""
    if missing := [
        argument
        for argument in OF_PUBLICATION
        if argument.name in REQUIRED_BY and not str(given.get(argument.name) or "").strip()
    ]:
        names = [argument.name for argument in missing]
        said = (f"{REQUIRED_BY[each.name]} requires {each.meaning}" for each in missing)
        raise FairnessError(
            f"{', '.join(names)}: missing; {', and '.join(said)} to be published with the tables; "
            f"give {listed(names, write='{}='.format)}"
        )
    texts: dict[str, Any] = {**checked_texts(given, OF_PUBLICATION)}
    for name in ("audit_date", "distribution_date"):
        try:
            texts[name] = datetime.datetime.fromisoformat(texts[name]).date().isoformat()
        except ValueError:
            raise FairnessError(
                f'{name}: takes a date such as "2026-11-22", got {shown(texts[name])}'
            ) from None
    return texts


class HiringReport(PrescribedReport):
    """The result of `hiring.report`; a notebook shows it as a page."""

    kind: ClassVar = "Bias audit of a hiring tool"

    @property
    def is_scored(self) -> bool:
        """Whether the rates are those of scores above the median."""
        return "adverse_impact" not in self.answers

    @property
    def title(self) -> str:
        """The title of a page that is given none."""
        outcome = self.options["score" if self.is_scored else "selected"]
        return f"Impact ratios of {column_in_words(outcome)}"

    @property
    def details(self) -> tuple[str, ...]:
        """The dates that the rule has published."""
        return (
            f"Date of the most recent bias audit: {self.published['audit_date']}",
            f"Distribution date of the tool: {self.published['distribution_date']}",
        )

    def sections(self) -> Iterator[Section]:
        """The first page, and the sections below it."""
        given, ratios = self.published, self.answers["impact_ratios"]
        of_windows = dict(split_windows(ratios))
        is_one = [*of_windows] == [""]
        first, *others = filter(None, map(str.strip, given["data"].split("\n\n")))
        facts = [
            replace(said(first)[0], label="Source and explanation of the data"),
            *said(*others),
        ]
        if "test_data" in given:
            text = (
                "Test data were used. Why historical data were not used, and how the test data "
                f"were generated and obtained: {given['test_data']}"
            )
            facts += said(text)
        how = _how(self, is_one=is_one)
        if is_one:
            [part] = of_windows.values()
            tables, notes = tuple(_tables(part)), (*_facts(self, part), *how)
        elif of_windows:
            tables, notes = (_lowest_ratios(of_windows, ratios),), how
        else:
            tables, notes = (), (NOTHING, *how)
        yield Section("", tuple(facts), tables, notes=notes, is_sheet=True)
        if not is_one:
            for name, part in of_windows.items():
                yield Section(name, tables=tuple(_tables(part)), notes=tuple(_facts(self, part)))
        if not self.is_scored:
            yield from _adverse(self.answers["adverse_impact"], self.options["exclude_below"])


def _lowest_ratios(of_windows: Mapping[str, pl.DataFrame], ratios: pl.DataFrame) -> Table:
    """The lowest impact ratio of each table, with its category: a row for each window."""

    def lowest(facet: str, ratios: pl.DataFrame) -> Cell:
        known = ratios.filter(pl.col("facet") == facet).drop_nulls("impact_ratio")
        groups = known.sort("impact_ratio", maintain_order=True).rows(named=True)
        if not groups:
            return Cell("–")
        group = value_in_words(groups[0]["value"])
        return Cell(number(groups[0]["impact_ratio"], beside=(0.8, 1)), group)

    facets = ratios["facet"].unique(maintain_order=True)
    rows = [
        [Cell(window), *(lowest(each, part) for each in facets)]
        for window, part in of_windows.items()
    ]
    return text_table(
        "The lowest impact ratio of each table", ("Tables", *map(facet_in_words, facets)), rows
    )


def _tables(ratios: pl.DataFrame) -> Iterator[Table]:
    return answer_tables("hiring_impact_ratios", ratios.filter(pl.col("value").is_not_null()))


def _facts(report: HiringReport, ratios: pl.DataFrame) -> list[str]:
    """The facts that must be published about the tables of one window."""
    tables = {facet: part.row(0, named=True) for facet, part in split_facets(ratios)}
    first = next(iter(tables.values()))
    facts = ["Applicants of unknown category: 0 in each table."]
    if any(row["n_unknown"] for row in tables.values()):
        counts = ", ".join(f"{size(row['n_unknown'])} by {facet}" for facet, row in tables.items())
        facts = [f"Applicants of unknown category, who are not in the tables: {counts}."]
    if unknown := [facet for facet, row in tables.items() if row["value"] is None]:
        facts.append(f"All applicants are of unknown category by {', '.join(unknown)}.")
    if dropped := first["rows_dropped"]:
        facts.append(f"Applicants without a known outcome, who are left out: {size(dropped)}.")
    if first["median"] is not None:
        facts.append(f"The median score of all applicants is {score(first['median'])}.")
    if ratios["is_excluded"].any():
        least = _percent(report.options["exclude_below"])
        facts.append(
            f"Excluded categories have less than {least} of the applicants in their table. "
            f"Justification: {report.options['justification']}"
        )
    return facts


def _how(report: HiringReport, *, is_one: bool) -> tuple[str, str]:
    confidence = report.options["confidence"]
    how = f"{_RATES['scoring' if report.is_scored else 'selection']}; {_RATIO}"
    how += "." if report.options["exclude_below"] is None else " that is not excluded."
    if confidence is not None:
        how += f" Below it is its {confidence_in_words(confidence)} interval, by the Bayesian "
        how += (
            "bootstrap, not adjusted for the number of categories; the rule requires no interval."
        )
    if not is_one:
        own = "The median and the highest rates" if report.is_scored else "The highest rates"
        how += f" {own} in a section are those of its own applicants."
    return how, NO_ADVICE


def _percent(share: float) -> str:
    return f"{100 * share:g}{PERCENT}"


def _adverse(adverse: pl.DataFrame, exclude_below: float | None) -> Iterator[Section]:
    """The four-fifths part, with a finding and a table for each window and facet."""
    small = [] if exclude_below is None else [_SMALL.format(_percent(exclude_below))]
    yield Section(_FOUR_FIFTHS, said(_FINDING, _SHORTFALLS, *small))
    for window, of_window in split_windows(adverse):
        for facet, part in split_facets(of_window):
            about = facet_in_words(facet)
            title = f"By {about}, {window}" if window else f"By {about}"
            known = compared(part)
            if known.is_empty():
                yield Section(title, said(ALONE), level=3)
                continue
            rows = known.rows(named=True)
            sentences = [*_findings(rows), _flags_by_chance(rows, exclude_below or 0.0)]
            caption = f"Each group against {value_in_words(rows[0]['favored'])}, by {{}}"
            tables = tuple(answer_tables("hiring_adverse_impact", known, caption, "the highest"))
            yield Section(title, (Paragraph(tuple(sentences)),), tables, level=3)


def _findings(rows: Sequence[Row]) -> Iterator[Sentence]:
    """Which groups are below four fifths, significantly or not."""
    first = rows[0]
    highest = share(first["reference_rate"])
    favored = value_in_words(first["favored"])
    yield Sentence(
        f"The highest selection rate is that of {favored}, {highest}.", (key_of_reference(first),)
    )
    flagged: dict[str, list[Row]] = {words: [] for words in _FLAGS.values()}
    for row in rows:
        if words := _FLAGS.get((row["is_below_four_fifths"], row["is_significant"])):
            flagged[words].append(row)
    for words, of_words in flagged.items():
        named = [
            f"{value_in_words(row['disfavored'])}, {share(row['rate'])}, a "
            f"ratio of {number(row['impact_ratio'], beside=(0.8, 1))}"
            for row in of_words
        ]
        if named:
            yield Sentence(f"{words}: {'; '.join(named)}.", tuple(map(key_of_row, of_words)))
    unknown = [value_in_words(row["disfavored"]) for row in rows if row["is_flagged"] is None]
    if not any(flagged.values()) and len(unknown) < len(rows):
        yield Sentence("No group is below four fifths of it or differs significantly.")
    if unknown:
        yield Sentence(f"Not judged: {', '.join(unknown)}.")


def _flags_by_chance(rows: Sequence[Row], least_share: float) -> Sentence:
    """How often a table of these groups has a flag if all rates are the same, in words.

    The highest of many rates is also high by chance. The rule does not allow for it, so the
    sentence says how much this matters, from tables drawn at the rate of all people.
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
    return Sentence(
        f"If all {len(n)} groups had the same rate, {tables} of 100 tables of these sizes would "
        "have a flag by chance.",
        counts=True,
    )


@takes(*OF_IMPACT_RATIOS, *OF_PUBLICATION, shared=OF_PEOPLE, module="hiring", refused=NOT_OF_PEOPLE)
def report(frame: AnyFrame, **given: Unpack[HiringReportQuestion]) -> HiringReport:
    """The summary of a bias audit as a page: what employers must publish in New York City.

    The first page has what 6 RCNY 5-301 to 5-303 require, by sex, by race and ethnicity, and by
    both together, and fits one sheet of paper with the categories of the rule. With ``selected``,
    the table of `adverse_impact` by sex and by race follows, which the rule does not require. These
    are tables, not legal advice.

    The call counts the rows at once, even those of a LazyFrame, and reads them once. The page needs
    the extra ``report``, and with ``selected`` also ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    HiringReport
        A notebook shows it; ``write_html``, ``write_pdf`` and ``to_markdown`` write it for
        elsewhere.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> people = {"sex": "sex", "race": "race", "selected": "selected"}
    >>> about = {"audit_date": "2026-11-22", "distribution_date": "2026-01-31"}
    >>> pf.hiring.report(pf.datasets.candidates(), data="Applications of 2025", **people, **about)
    HiringReport('Impact ratios of selected')
    """
    texts, question = parted(given, OF_PUBLICATION)
    about = published(texts)
    bound, roles = about_ratios(frame, cast("ImpactRatiosQuestion", question))
    counted = CountedRows.of(frame, bound.rows, counts_of(roles))
    facets = [facet.name for facet in roles.facets]
    answers = {
        name: sort_facets(table_of(name, counted, question), facets) for name in _shown(question)
    }
    options = {**defaults(OF_IMPACT_RATIOS), **question}
    return HiringReport(options, answers, published=about)


def _shown(given: Mapping[str, Any]) -> Sequence[str]:
    """The tables of a question: that of four fifths is about selections."""
    return TABLES if given.get("selected") is not None else TABLES[:1]


def _notes(given: Mapping[str, Any], answer: pl.DataFrame) -> list[str]:
    """Why categories are left out of the ratios."""
    if "is_excluded" not in answer.columns or not answer["is_excluded"].any():
        return []
    share = _percent(given["exclude_below"])
    return [f"excluded: less than {share} of the people; {given['justification']}"]


COMMAND: Final = PrescribedCommand(
    (*OF_IMPACT_RATIOS, *OF_PEOPLE),
    table_of,
    report,
    judged=("adverse_impact", "impact_ratio"),
    decisions="--selected",
    shown=_shown,
    notes=_notes,
    texts=OF_PUBLICATION,
    published=published,
)

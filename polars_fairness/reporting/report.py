"""Reports: an audit as a page, as Markdown and as a dictionary."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.answers.contrasts import CONTRAST
from polars_fairness.answers.intake import intake
from polars_fairness.answers.options import options_and_question
from polars_fairness.api.bound import unbound, under_policy
from polars_fairness.api.requested import one_by_one
from polars_fairness.api.signatures import takes
from polars_fairness.api.unused_arguments import calls_of_ours
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.allocations import ENDS
from polars_fairness.inference.completions import HOLDS_FROM
from polars_fairness.question.audit_arguments import (
    EXAMINED_COLUMNS,
    HARM,
    OF_AUDIT,
    OF_PAGE,
    OF_TEXTS,
    UNIT,
    WORDS,
    AuditQuestion,
    GivenTexts,
    PageTexts,
    ReportQuestion,
    Texts,
)
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.question.columns import Columns
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.answers import Answers, find, judged_metrics
from polars_fairness.reporting.document import WrittenReport, checked_texts, page_of
from polars_fairness.reporting.outcome_notes import notes_on_values
from polars_fairness.reporting.outputs.files import write_file
from polars_fairness.reporting.outputs.markdown import as_text, section_in_markdown
from polars_fairness.reporting.outputs.records import document_as_json
from polars_fairness.reporting.parts import Document, Section, writable
from polars_fairness.reporting.sections.appendix import appendix
from polars_fairness.reporting.sections.contrasts import contrast_section, switched_section
from polars_fairness.reporting.sections.facets import facet_sections
from polars_fairness.reporting.sections.groups import groups_section
from polars_fairness.reporting.sections.page_one import page_one
from polars_fairness.reporting.sections.rows import data_section, rows_section
from polars_fairness.reporting.sections.scores import classes_section, scores_section
from polars_fairness.reporting.sections.subgroups import contributions_section, drivers_section
from polars_fairness.reporting.sections.time import time_section
from polars_fairness.reporting.verdicts import comparisons_shown
from polars_fairness.reporting.voice import Voice, key_of
from polars_fairness.reporting.words import comparison_in_words, title_of


def sections_of(voice: Voice) -> list[Section]:
    """The sections of a report; page one is the first."""
    return [
        page_one(voice),
        *facet_sections(voice),
        groups_section(voice),
        time_section(voice),
        contrast_section(voice),
        switched_section(voice),
        classes_section(voice),
        scores_section(voice),
        contributions_section(voice),
        drivers_section(voice),
        rows_section(voice),
        data_section(voice),
        *appendix(voice),
    ]


def document_of(answers: Answers, texts: Texts, words: AuthorWords | None = None) -> Document:
    """Everything that a report says, as sentences, tables and figures."""
    known = answers.digest
    return page_of(
        texts,
        title_of(answers.question),
        sections_of(Voice(answers, words or AuthorWords())),
        details=() if answers.policy is None else (f"Policy: {answers.policy}",),
        last=() if known is None else (f"SHA-256 of the counts of the data: {known}",),
    )


@dataclass(frozen=True, repr=False)
class Report(WrittenReport):
    """The result of `report`; a notebook shows it as a page.

    The page needs the extra ``report``; `to_markdown` and `to_dict` do not. The same results give
    the same page, byte for byte, since it has no time of writing.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.report(
    ...     pf.datasets.berkeley(),
    ...     "dppl",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     count="n",
    ...     confidence=None,
    ... )
    Report('Column admitted, by sex')
    """

    answers: Answers

    @property
    def title(self) -> str:
        """The title of a page that is given none."""
        return title_of(self.answers.question)

    def document(self, texts: Texts, words: AuthorWords) -> Document:
        return document_of(self.answers, texts, words)

    def checked_words(self, given: Any) -> AuthorWords:
        """The words of the author, of the call or else of the policy, for values that occur."""
        policy = self.answers.policy
        words = AuthorWords.of(given, AuthorWords.of((policy and policy.words) or None))
        words.refuse_unknown_values(self.answers.known_values)
        return words

    @takes(*OF_PAGE, shared=())
    def write_json(self, path: str | Path, **texts: Unpack[PageTexts]) -> None:
        """Write the report as a JSON file, for other programs.

        It is one object: ``title`` and ``about`` are what the page says of itself, ``package`` is
        the version of this package, and the answers are records, as the command line prints them.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        {arguments}
        """
        write_file(path, self.written("json", **texts))

    def written(self, kind: str, **given: Unpack[PageTexts]) -> bytes:
        """The content of a file of this kind: ``html``, ``pdf`` or ``json``."""
        if kind != "json":
            return super().written(kind, **given)
        words = self.checked_words(given.get(WORDS.name))
        found = document_as_json(self.answers, checked_texts(given), words)
        return f"{writable(json.dumps(found, ensure_ascii=False, indent=1))}\n".encode()

    @takes(*OF_PAGE, shared=())
    def to_model_card(self, **texts: Unpack[PageTexts]) -> str:
        """The report as a part of a model card, in the format of Hugging Face.

        Parameters
        ----------
        {arguments}

        Returns
        -------
        str
            Metadata in YAML, ``model-index``, with the value of each metric that has a band, for
            each comparison of the latest window; then a section in Markdown: the first page of the
            report. The model is named by ``model``, the data by ``subject``; without these, by the
            title.
        """
        words = self.checked_words(texts.get(WORDS.name))
        return model_card(self.answers, checked_texts(texts), words)

    @takes(*OF_TEXTS, shared=())
    def to_dict(self, **texts: Unpack[GivenTexts]) -> dict[str, float | str]:
        """The audit as a flat dictionary, for an experiment tracker.

        Parameters
        ----------
        {arguments}

        Returns
        -------
        dict
            The key of a value is ``metric/facet/disfavored``; of a metric without sides
            ``metric/facet``; without a facet ``metric``. With ``by``, each column adds
            ``/column=value``, as several models add ``/model=name``, or ``/column`` if its value is
            null. The keys of the bounds and of the verdict begin with ``lower/``, ``upper/`` and
            ``verdict/``, those of a range with ``lowest/``, ``highest/`` and ``holds_from/``, and
            of a contrast with the names of its columns, such as ``change/``. In names and values
            ``/`` is written ``%2F``, ``%`` is ``%25`` and ``#`` is ``%23``. If two comparisons have
            the same key, as the groups ``("A & B", "C")`` and ``("A", "B & C")`` have, the second
            key ends in ``#2``, the third in ``#3``, in the order of `audit`. An undefined value has
            no key; its verdict is "undefined". ``package/version`` is that of polars-fairness. With
            the same data, columns and metrics, ``data/digest`` is the same. For the arguments from
            ``title`` to ``notes``, each one that is given stands under ``about/``. Under a policy
            there are ``policy/name``, ``policy/version`` and ``policy/hash``.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
        >>> report = pf.report(
        ...     hired, "dppl", facet="sex", disfavored="F", predicted="hired", confidence=None
        ... )
        >>> report.to_dict()["dppl/sex/F"]
        0.5
        """
        return flattened(self.answers, checked_texts(texts))


@takes(*OF_AUDIT, HARM, UNIT, EXAMINED_COLUMNS)
def report(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[ReportQuestion],
) -> Report:
    """An audit as a page: the question, the rows, rates, metrics and charts.

    The call counts the rows immediately, even those of a LazyFrame, and reads them once: everything
    on the page is computed from the same cells. With three or more facets, or two and ``subgroup``,
    the number of values is read first unless their types bound it; if there are too many, facets
    are read one by one. Several models that give scores, and a ``baseline`` of other rows, are read
    separately.

    Several models are shown one below the other, each with its rates, metrics and charts; with
    ``champion`` or ``baseline`` there is a section on differences.

    ``confidence`` is also the confidence level of the Wilson intervals of rates. ``minimum_count``
    is also the smallest size of the worst groups, unless a given metric sets its own. ``harm``
    applies to the worst groups only. With ``hide_below``, the page names the groups that it leaves
    out, and has no digest, and no charts and tables of scores, strata, classes and switches. The
    positive values of outcomes must be known, as in `rates`.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`; without any, every metric that the columns allow. With two facets or more,
        the metrics over intersections or conjunctions rank the worst groups; without such metrics,
        spsf does, and with labels fpsf and fnsf, over at most two facets.
    {arguments}

    Returns
    -------
    Report
        A notebook shows it; its methods write it for elsewhere, such as ``write_html`` and
        ``write_pdf``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> report = pf.report(hired, "di", facet="sex", disfavored="F", predicted="hired")
    >>> report
    Report('Column hired, by sex')
    >>> report.to_dict()["di/sex/F"]
    0.5
    """
    harm = given.pop("harm", None)
    unit = given.pop("unit", None) or ""
    if not isinstance(unit, str):
        raise FairnessError(f"unit: takes a text, such as '€' or 'days', got {unit!r}")
    columns = given.pop("columns", None)
    requested, question = under_policy(frame, one_by_one(metrics), given)
    rows = unbound(frame)
    notes: list[str] = []
    if isinstance(rows, pl.DataFrame):  # those of others are read once, for their cells
        notes = [*notes_on_values(rows.lazy(), options_and_question(question)[1])]
    examined = pl.DataFrame() if columns is None else _examine(rows, columns, question)
    return Report(find(frame, requested, question, harm, unit, notes, examined))


_OF_DATA: Final = (
    *("facet", "unknown", "by", "every", "period", "weight", "count", "cluster", "nulls"),
    *("label", "positive", "label_threshold"),
)
"""The arguments of a report's question that `intake` uses; of several classes there is no label."""


def _examine(rows: AnyFrame, columns: Columns, given: AuditQuestion) -> pl.DataFrame:
    """What the columns say about groups, by the confidence and the limits of the report."""
    options, found = options_and_question(given)
    question: Mapping[str, Any] = {**found}
    if isinstance(columns, list | tuple) and not columns:
        raise FairnessError("columns: got an empty list; give the columns to examine, or None")
    if options.hide_below is not None:
        raise FairnessError(
            "columns: would show groups that hide_below= hides; leave one of them out"
        )
    has_label = question.get("label") is not None and question.get("classes") is None
    names = _OF_DATA if has_label else _OF_DATA[:9]
    given_here = {"columns": columns, "policy": options.policy, "confidence": options.confidence}
    asked: Any = given_here | {name: question[name] for name in names if name in question}
    with calls_of_ours():
        examined: PolarsFrame = intake(rows, **asked)
    return examined.lazy().collect(engine="streaming")


def flattened(answers: Answers, texts: Texts) -> dict[str, float | str]:
    """Every number and verdict of the audit by a key of its own."""
    flat: dict[str, float | str] = {
        "package/version": version("polars-fairness"),
        **({} if answers.digest is None else {"data/digest": answers.digest}),
        **{f"about/{name}": text for name, text in texts.items()},
    }
    if policy := answers.policy:
        flat |= {f"policy/{key}": getattr(policy, key) for key in ("name", "version", "hash")}
    times: Counter[str] = Counter()
    for comparison in answers.comparisons:
        for row in comparison.table.iter_rows(named=True):
            key = key_of(row["metric"], comparison)
            times[key] += 1
            if times[key] > 1:
                # The groups ("A & B", "C") and ("A", "B & C") have the same text.
                key = f"{key}#{times[key]}"
            # Some trackers store each key as a file: `key/lower` would be a file in a file.
            entries = {
                key: row["value"],
                f"lower/{key}": row["lower"],
                f"upper/{key}": row["upper"],
                f"verdict/{key}": row["verdict"],
                **{f"{name}/{key}": row.get(name) for name in (*ENDS, HOLDS_FROM, *CONTRAST)},
            }
            flat |= {name: value for name, value in entries.items() if value is not None}
    return flat


def model_card(answers: Answers, texts: Texts, words: AuthorWords) -> str:
    """The values that have a band as metadata, and page one as a section."""
    page = document_of(answers, texts, words)
    metadata = _metadata(answers, {"title": page.title, **texts})
    title = f"Fairness: {page.title}"
    heading, *blocks = section_in_markdown(page.sections[0], page, title)
    blocks = [heading, *map(as_text, page.details), *blocks, *map(as_text, page.last)]
    return metadata + "\n\n".join(blocks) + "\n"


def _metadata(answers: Answers, texts: dict[str, str]) -> str:
    metrics: dict[str, list[str]] = {}
    is_judged = pl.col("metric").is_in(judged_metrics(answers)) & pl.col("value").is_finite()
    for each in comparisons_shown(answers):
        model = str(dict(each.window).get(MODEL, texts.get("model", texts["title"])))
        for row in each.table.filter(is_judged).iter_rows(named=True):
            name = f"{answers.metric(row['metric']).title}, {comparison_in_words(each)}"
            keys = f"type: {_quote_for_yaml(row['metric'])}, name: {_quote_for_yaml(name)}"
            # In digits: PyYAML takes 1e-07 for a text.
            metrics.setdefault(model, []).append(f"    - {{{keys}, value: {row['value']:.15f}}}")
    dataset = _quote_for_yaml(texts.get("subject", texts["title"]))
    lines = ["---", "model-index:"]
    for model, lines_of_model in metrics.items():
        task, of = "type: tabular-classification", f"type: tabular, name: {dataset}"
        lines += [f"- name: {_quote_for_yaml(model)}", "  results:", f"  - task: {{{task}}}"]
        lines += [f"    dataset: {{{of}}}", "    metrics:", *lines_of_model]
    return "\n".join([*lines, "---", "", ""]) if metrics else ""


def _quote_for_yaml(text: str) -> str:
    """A text in double quotes, on one line also for YAML."""
    words = json.dumps(writable(text), ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda sign: f"\\u{ord(sign[0]):04x}", words)

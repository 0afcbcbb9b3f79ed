"""Typed text as the arguments of a question: a shell passes text, and the schema has the types."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.cli.options import PROBABILITIES, UTILITY
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import (
    MODELS,
    OF_QUESTION,
    SIDE,
    Argument,
    Question,
)
from polars_fairness.question.audit_arguments import MAXIMISE
from polars_fairness.question.facets import HIGHEST, LARGEST, OVERALL, fits
from polars_fairness.question.policy import Policy, policy_of
from polars_fairness.question.probabilities import probabilities
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.reporting.outcome_notes import READ_BY_VALUES, notes_on_outcomes

_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}

_READERS: Final[Mapping[Any, Callable[[str], object]]] = {
    pl.Boolean: lambda text: _BOOLEANS[text.lower()],
    pl.Decimal: Decimal,
    pl.Date: date.fromisoformat,
    pl.Datetime: datetime.fromisoformat,
    pl.Time: time.fromisoformat,
}


def value_of(text: str, dtype: pl.DataType) -> object:
    """The text as a value of this type; unchanged if it is not one, to be refused later."""
    try:
        return _reader_of(dtype)(text)
    except (ValueError, KeyError, ArithmeticError):
        return text


def sides(
    argument: str, texts: Sequence[str], facets: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[str]:
    """The values of a side by facet; without facets, a list of the texts.

    ``sex=F`` is the value F of sex, split at the first ``=`` after the name of a facet. With one
    facet, its name may be left out; the value ``sex=F`` itself is then written ``sex=sex=F``.
    """
    if not facets:
        return list(texts)
    values: dict[str, list[object]] = {}
    for text in texts:
        facet, value = _facet_and_value(argument, text, facets)
        values.setdefault(facet, []).append(value_of(value, schema.get(facet, pl.String())))
    return values


def _facet_and_value(argument: str, text: str, facets: Sequence[str]) -> tuple[str, str]:
    """The facet and the value in ``facet=value``; with one facet, its name may be left out."""
    facet, value = _split(text, facets)
    if facet is None and len(facets) > 1:
        raise FairnessError(
            f"{argument}: {text!r} names no facet; with several facets, write "
            f"{f'{facets[0]}={text}'!r}, or another of {listed(facets)}"
        )
    return facet or facets[0], value


def positives(
    texts: Sequence[str], outcomes: Sequence[str], schema: pl.Schema
) -> dict[str, list[object]] | list[object]:
    """The positive values by outcome; a list for all outcomes if no text names an outcome.

    A text without a name beside texts with names is for the other outcomes.
    """
    named: dict[str, list[object]] = {}
    others: list[str] = []
    for text in texts:
        outcome, value = _split(text, outcomes)
        if outcome is None:
            others.append(text)
        else:
            named.setdefault(outcome, []).append(value_of(value, schema.get(outcome, pl.String())))
    if not named:
        return [value for text in texts for value in _fitting(text, outcomes, schema)]
    unnamed = [outcome for outcome in outcomes if outcome not in named]
    if others and not unnamed:
        raise FairnessError(
            f"positive: {others[0]!r} names no outcome, and each outcome has a value already; "
            f"write {listed([f'{outcome}={others[0]}' for outcome in named], 'or')}"
        )
    if others:
        for outcome in unnamed:
            named[outcome] = [value_of(text, schema.get(outcome, pl.String())) for text in others]
    return named


def _fitting(text: str, outcomes: Sequence[str], schema: pl.Schema) -> list[object]:
    """The text as a value of each outcome whose type could hold it.

    An outcome of text could hold any text. It is left out if the text is a value of an outcome of
    another type, such as a number.
    """
    types = [schema[outcome] for outcome in outcomes if outcome in schema]
    fitting = [value for dtype in types if fits(value := value_of(text, dtype), dtype)]
    no_text = [value for value in fitting if not isinstance(value, str)]
    return no_text or fitting or [text]


def _reader_of(dtype: pl.DataType) -> Callable[[str], object]:
    if dtype.is_integer():
        return int
    if dtype.is_float():
        return float
    return _READERS.get(dtype.base_type(), str)


def _split(text: str, names: Iterable[str]) -> tuple[str | None, str]:
    """The name and the value in ``name=value``; of several names that fit, the longest."""
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(f"{name}="):
            return name, text.removeprefix(f"{name}=")
    return None, text


def judging_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an audit about bands, rules and the policy, as far as they were typed."""
    given: dict[str, Any] = {}
    if "policy" in arguments:
        given["policy"] = policy_of(arguments["policy"])
    if "bands" in arguments:
        given["bands"] = _each_once("band", arguments["bands"])
    if "rule" in arguments:
        given["rule"] = _rule(arguments["rule"])
    return given


def _each_once(option: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The value of each name; raise if one is given twice."""
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FairnessError(f"{option}: {twice!r} is given twice; give it once")
    return given


def _rule(texts: Sequence[str]) -> Any:
    """One rule for all metrics, or the rule of each."""
    if len(texts) == 1 and "=" not in texts[0]:
        return texts[0]
    pairs = [text.partition("=")[::2] for text in texts]
    for text, pair in zip(texts, pairs, strict=True):
        if not all(pair):
            raise FairnessError(
                f"rule: takes one rule for all metrics, or METRIC=RULE for each, got {text!r}"
            )
    return _each_once("rule", pairs)


def models_in(argument: str, texts: Sequence[str], schema: pl.Schema) -> str | dict[str, str]:
    """The column of what a model predicts or estimates, or of each model in ``model=column``.

    A single text that is a column is this column, also with an ``=`` in its name.
    """
    [first, *others] = texts
    if not others and (first in schema or "=" not in first):
        return first
    return _each_once(argument, [_model_and_column(argument, text, schema) for text in texts])


def _model_and_column(argument: str, text: str, schema: pl.Schema) -> tuple[str, str]:
    """The model and its column: split at the first ``=`` before a column, else at the first."""
    splits = [(text[:at], text[at + 1 :]) for at, sign in enumerate(text) if sign == "="]
    if not splits:
        raise FairnessError(
            f"{argument}: {text!r} names no model; with several models, write each as MODEL=COLUMN"
        )
    return next((split for split in splits if split[1] in schema), splits[0])


def _threshold_in(arguments: Mapping[str, Any]) -> ThresholdLike | None:
    """The typed threshold, or several, or that of each model; only several make a column."""
    given: list[Any] = arguments.get("threshold", [None])
    of_models = [each for each in given if isinstance(each, tuple)]
    if len(of_models) == len(given):
        return _each_once("threshold", of_models)
    if of_models:
        typed = [f"{name}={number:g}" for name, number in of_models]
        raise FairnessError(
            f"threshold: {listed(typed)} is for one model, and others are for all; give the "
            "thresholds of all models, or one MODEL=NUMBER for each"
        )
    return given[0] if len(given) == 1 else given


def controls_in(
    texts: Sequence[str], schema: Container[str]
) -> list[str] | dict[str, float | None]:
    """The controls; a text such as fico=10 rounds the numbers of a column to multiples."""
    if all(text in schema or "=" not in text for text in texts):
        return list(texts)
    controls: list[tuple[str, float | None]] = []
    for text in texts:
        name, _, width = (text, "", "") if text in schema else text.rpartition("=")
        try:
            controls.append((name or width, float(width) if name and width else None))
        except ValueError:
            raise FairnessError(
                f"control: takes COLUMN or COLUMN=WIDTH, such as fico=10, got {text!r}"
            ) from None
    return _each_once("control", controls)


def columns_of(predicted: str | Mapping[str, str]) -> Iterator[str]:
    """The columns of all models."""
    yield from [predicted] if isinstance(predicted, str) else predicted.values()


def notes_on_typed_outcomes(rated: Sequence[pl.DataFrame], question: Question) -> list[str]:
    """Notes on typed thresholds and values by which no row, or every row, is positive."""
    if not READ_BY_VALUES & question.keys():
        return []
    return [note for rates in rated for note in notes_on_outcomes(rates, question)]


REFERENCES: Final = {each.name.lower(): each for each in (HIGHEST, LARGEST, OVERALL)}


def _with_references(
    texts: Sequence[str], favored: Mapping[str, Any], facets: Sequence[str]
) -> dict[str, Any]:
    """The favored side of each facet: the typed values, and the typed references."""
    if not facets:
        raise FairnessError(f"--reference: got {listed(texts)} without a facet; give --facet")
    references = dict(favored)
    for text in texts:
        facet, name = _facet_and_value("--reference", text, facets)
        if facet in references:
            raise FairnessError(
                f"--reference: {facet!r} has a side a already; give one --reference, or --favored"
            )
        if name.lower() not in REFERENCES:
            raise FairnessError(f"--reference: takes {listed(REFERENCES, 'or')}, got {name!r}")
        references[facet] = REFERENCES[name.lower()]
    return references


def maximised_in(arguments: Mapping[str, Any]) -> str | Metric:
    """The value to maximise: the name in --maximise, or the utility of the worths in --utility."""
    given: str | None = arguments.get(MAXIMISE.name)
    for utility in utility_in(arguments):
        if given in (None, utility.name):
            return utility
        raise FairnessError(
            f"--utility: and --maximise {given} both say what to maximise; give one"
        )
    return given or MAXIMISE.default


def utility_in(arguments: Mapping[str, Any]) -> Iterator[Metric]:
    """The utility of the worths in --utility, if it was typed."""
    if UTILITY.name in arguments:
        yield pf.entry("utility", **arguments[UTILITY.name])


def question_of(
    arguments: Mapping[str, Any],
    schema: pl.Schema,
    policy: Policy | None = None,
    rows: Iterable[Argument] = OF_QUESTION,
) -> Question:
    """The question of these rows in the typed arguments, with values of the types of their columns.

    What is typed may add to the question of a policy, and is read beside it.
    """
    decided = {} if policy is None else policy.decided_question
    facet: str | Sequence[str] = arguments.get("facet", decided.get("facet", []))
    known = [facet] if isinstance(facet, str) else facet
    uncertain = [probabilities(*each) for each in arguments.get(PROBABILITIES.name, ())]
    facets = [*known, *(each.name for each in uncertain)]
    question = {row.name: arguments[row.name] for row in rows if row.name in arguments}
    if uncertain:
        question["facet"] = [*known, *uncertain]
    for argument in (row.name for row in OF_QUESTION if row.kind is SIDE):
        if argument in question:
            question[argument] = sides(argument, question[argument], facets, schema)
    if "reference" in arguments:
        given = question.get("favored", {})
        question["favored"] = _with_references(arguments["reference"], given, facets)
    for argument in (row.name for row in OF_QUESTION if row.kind is MODELS):
        if argument in question:
            question[argument] = models_in(argument, question[argument], schema)
    if "controls" in question:
        question["controls"] = controls_in(cast("Sequence[str]", question["controls"]), schema)
    if "threshold" in question:
        question["threshold"] = _threshold_in(arguments)
    if "positive" in question:
        compared = {"label": "label_threshold", "predicted": "threshold", "selected": ""}
        named = {**decided, **question}
        outcomes = [
            column
            for role, threshold in compared.items()
            if role in named and threshold not in named
            for column in columns_of(named[role])
        ]
        question["positive"] = positives(question["positive"], outcomes, schema)
    return cast("Question", question)

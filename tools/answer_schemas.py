"""The JSON schemas of answers, made from one line for each column.

The schemas are shipped in ``polars_fairness/schemas/``. A version is a whole number: it goes up
when a key is removed, or means something else; a further key changes no version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from polars_fairness.answers.verdicts import CHANGES, VERDICTS
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.rates import RATES
from polars_fairness.question.document_arguments import DETAIL, OF_DOCUMENT
from polars_fairness.reporting.outputs.schemas import SCHEMA

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

# JSON has no infinity.
DEFINITIONS: Final[Mapping[str, Any]] = {
    "number": {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]},
    "whole": {"type": ["integer", "null"]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "value": {"type": ["string", "number", "boolean", "null"]},
}


TEXT: Final = {"type": "string"}


@dataclass(frozen=True)
class Key:
    """A key of each record of an answer: what it holds, and whether each record has it."""

    meaning: str
    kind: str = "number"
    words: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def property(self) -> dict[str, Any]:
        holds = {"enum": [*self.words, None]} if self.words else {"$ref": f"#/$defs/{self.kind}"}
        return {"description": self.meaning, **holds}


def optional(meaning: str, kind: str = "number", words: tuple[str, ...] = ()) -> Key:
    """A key that only some answers have."""
    return Key(meaning, kind, words, is_required=False)


MODEL: Final = {"model": optional("the name of the model, of several", "text")}
THRESHOLD: Final = {"threshold": optional("the threshold, of several")}
WINDOWS: Final = {**MODEL, **THRESHOLD}
SIDES: Final = {
    "facet": Key("the sensitive attribute; null where all rows are judged together", "text"),
    "disfavored": Key("side d; null for a metric without sides", "text"),
    "favored": Key("side a; null where it is everyone else", "text"),
}

AUDIT: Final = {
    **WINDOWS,
    **SIDES,
    "metric": Key("the name of the metric", "text"),
    "n_disfavored": Key("the rows of side d, or their weight"),
    "n_favored": Key("the rows of side a, or their weight"),
    "n_unknown": Key("the rows whose facet is unknown, or their weight"),
    "rows_seen": Key("the rows of this facet and window", "whole"),
    "rows_used": Key("the complete rows among them", "whole"),
    "rows_dropped": Key("the rows that are not complete", "whole"),
    "ideal": Key("the value that means fair"),
    "band_lower": Key("the lower edge of the acceptable band"),
    "band_upper": Key("the upper edge of the acceptable band"),
    "is_small": optional("whether a side has fewer rows than the minimum count", "flag"),
    "p_value": optional("the p-value of the difference, adjusted if requested"),
    "reference": optional("the value of the champion or the baseline"),
    "difference": optional("the value less the reference"),
    "difference_lower": optional("the lower bound of the interval of the difference"),
    "difference_upper": optional("the upper bound of the interval of the difference"),
    "change": optional(
        "whether the value is farther from its ideal than the reference",
        words=CHANGES,
    ),
    "value": Key("the value of the metric; null if it is undefined"),
    "lower": Key("the lower bound of the interval"),
    "upper": Key("the upper bound of the interval"),
    "verdict": Key("where the interval or the value lies, by the band", words=VERDICTS),
}

RATED: Final = {
    **WINDOWS,
    "facet": Key("the sensitive attribute; (all) for all rows", "text"),
    "value": Key("the group; null if its facet value is unknown, and for all rows", "text"),
    "n": Key("the complete rows of the group, or their weight"),
    **{name: Key(rate.meaning) for name, rate in RATES.items()},
    **{name: optional(measure.meaning) for name, measure in MEASURES.items()},
    "n_dropped": Key("the rows of the group that are not complete", "whole"),
    "tp": Key("true positives, or their weight"),
    "fp": Key("false positives, or their weight"),
    "fn": Key("false negatives, or their weight"),
    "tn": Key("true negatives, or their weight"),
}

RANKED: Final = {
    **WINDOWS,
    "n": Key("the rows of the group, or their weight"),
    "share": Key("the share of all rows that are in the group"),
    "depth": Key("how many facets the group fixes", "whole"),
    "alpha": Key("the share by which the distance is multiplied"),
    "beta": Key("the distance of the group's rate from that of all rows"),
    "alpha*beta": Key("their product, by which the groups are ranked"),
    "lower": Key("the lower bound of the interval of the rate"),
    "upper": Key("the upper bound of the interval of the rate"),
    "rate_of_all": Key("the rate of all rows"),
    "mean_score": optional("the mean score of the group"),
    "rate": Key("the rate of the group"),
    "shrunken_rate": optional("the rate, drawn towards that of all rows"),
    "direction": Key("on which side of the overall rate it is", words=("below", "above")),
    "rank": Key("1 for the worst group of the window", "whole"),
}

CONTRIBUTIONS: Final = {
    **WINDOWS,
    **SIDES,
    "n": Key("the rows of the stratum, or their weight"),
    "share_of_rejected": optional("the share of side d among the rejected rows"),
    "share_of_accepted": optional("the share of side d among the accepted rows"),
    "share_of_negative": optional("the share of side d among the rows with a negative label"),
    "share_of_positive": optional("the share of side d among the rows with a positive label"),
    "value": Key("the value of the stratum"),
    "contribution": Key("what the stratum adds to the metric"),
}

SWITCHED: Final = {
    "model": Key("the model, other than the champion", "text"),
    **THRESHOLD,
    "facet": Key("the sensitive attribute; (all) for all rows", "text"),
    "value": Key("the group; null if its facet value is unknown, and for all rows", "text"),
    "n": Key("the complete rows of the group, or their weight"),
    "kept_accepted": Key("the rows that both accept, or their weight"),
    "newly_accepted": Key("the rows that the model accepts and the champion rejects"),
    "newly_rejected": Key("the rows that the model rejects and the champion accepts"),
    "kept_rejected": Key("the rows that both reject"),
    "change_in_rate": Key("the selection rate of the model less that of the champion"),
    "mcnemar_p_value": Key("the p-value of McNemar's exact test"),
}

SWEPT: Final = {
    **MODEL,
    "threshold": Key("the threshold"),
    "selection_rate": Key("the share of the rows that it accepts"),
    "is_within": Key("whether the metrics lie in their bands", "flag"),
    "is_on_frontier": Key(
        "whether no other is better in one value and as good in the rest", "flag"
    ),
    "is_chosen": Key("whether it is chosen", "flag"),
}

ENTRIES: Final = {
    "name": Key("the name of the metric", "text"),
    "title": Key("its title", "text"),
    "definition": Key("its formula in words", "text"),
    "lowest": Key("the lowest value that it can have"),
    "highest": Key("the highest value that it can have"),
    "ideal": Key("the value that means fair"),
    "acceptable_from": Key("the lower edge of its band"),
    "acceptable_to": Key("the upper edge of its band"),
    "above": Key("what a value above the ideal means", "text"),
    "below": Key("what a value below the ideal means", "text"),
    "needs": Key("the arguments that it needs, with spaces between them", "text"),
    "source": Key("who defined it", "text"),
    "aliases": Key("its further names, with spaces between them", "text"),
}


@dataclass(frozen=True)
class Records:
    """An answer that is a list of records, with the columns that a question may add."""

    title: str
    keys: Mapping[str, Key]
    others: str = ""
    version: int = 1


ANSWERS: Final = {
    "audit": Records("Metrics with intervals and verdicts", AUDIT, "the columns of --by"),
    "rates": Records("Counts and rates of groups", RATED, "the columns of --by"),
    "subgroups": Records(
        "Groups of several facets, the worst first",
        RANKED,
        "the columns of --by and --facet, and for each facet whether the group fixes it",
    ),
    "decompose": Records(
        "Contributions of strata", CONTRIBUTIONS, "the columns of --by and --subgroup"
    ),
    "switches": Records(
        "The rows that a model decides otherwise than the champion", SWITCHED, "the columns of --by"
    ),
    "sweep": Records(
        "What each threshold achieves",
        SWEPT,
        "the columns of --by, what is maximised, and each metric at its worst",
    ),
    "metrics": Records("The catalogue of metrics", ENTRIES),
}

REPORT: Final = {
    "patternProperties": {
        "^verdict/": {"enum": list(VERDICTS)},
        "^change/": {"enum": list(CHANGES)},
        r"^policy/(name|version|hash)$": {"type": "string"},
        rf"^about/({'|'.join(row.name for row in OF_DOCUMENT if row != DETAIL)})$": {
            "type": "string"
        },
        r"^package/version$": {"type": "string"},
        r"^data/digest$": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    "additionalProperties": {"type": "number"},
}


def schemas() -> Iterator[tuple[str, str]]:
    """The name of each answer, and the text of its schema."""
    for name, answer in ANSWERS.items():
        yield name, _written(name, answer.version, answer.title, _records(name, answer))
    report = {
        "type": "object",
        "properties": {SCHEMA: {"const": _identity("report", 1)}},
        "required": [SCHEMA],
        **REPORT,
    }
    yield "report", _written("report", 1, "An audit as a flat dictionary", report)
    yield "document", _written("document", 1, "A report as JSON", _document())


def _document() -> dict[str, Any]:
    """The schema of a report in JSON, whose answers have the records of the commands."""
    records = {name: _records(name, ANSWERS[name]) for name in ("audit", "rates", "decompose")}
    for each in records.values():
        del each["$defs"]
    by_metric = {"type": "object", "additionalProperties": records.pop("decompose")}
    properties = {
        SCHEMA: {"const": _identity("document", 1)},
        "title": TEXT,
        "about": _texts(optional=[row.name for row in OF_DOCUMENT if row != DETAIL]),
        "package": _texts("name", "version"),
        "data": _texts("digest"),
        "policy": {"anyOf": [_texts("name", "version", "hash"), {"type": "null"}]},
        "question": {"type": "object", "additionalProperties": TEXT},
        **records,
        "decompose": by_metric,
    }
    required = {"required": [*properties], "additionalProperties": False}
    return {"type": "object", "properties": properties, **required, "$defs": DEFINITIONS}


def _texts(*names: str, optional: Iterable[str] = ()) -> dict[str, Any]:
    """An object that holds texts under these names."""
    properties = dict.fromkeys((*names, *optional), TEXT)
    required = {"required": [*names], "additionalProperties": False}
    return {"type": "object", "properties": properties, **required}


def _records(name: str, answer: Records) -> dict[str, Any]:
    others: Any = False
    if answer.others:
        others = {"description": answer.others, "$ref": "#/$defs/value"}
    record = {
        "type": "object",
        "properties": {
            SCHEMA: {"const": _identity(name, answer.version)},
            **{key: holds.property for key, holds in answer.keys.items()},
        },
        "required": [SCHEMA, *(key for key, holds in answer.keys.items() if holds.is_required)],
        "additionalProperties": others,
    }
    return {"type": "array", "items": record, "$defs": DEFINITIONS}


def _identity(name: str, version: int) -> str:
    return f"urn:polars-fairness:{name}:{version}"


def _written(name: str, version: int, title: str, rest: Mapping[str, Any]) -> str:
    schema = {"$schema": DRAFT, "$id": _identity(name, version), "title": title, **rest}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"

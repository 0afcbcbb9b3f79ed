"""The words of an author: what people, decisions, labels and rows are called in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from polars_fairness.errors import FairnessError, did_you_mean, listed, shown

_JOINED: Final = " & "

Facets = tuple[str, ...]
Values = tuple[str, ...]


@dataclass(frozen=True)
class AuthorWords:
    """What an author calls groups, the decision, the labels and the rows; else neutral words.

    ``groups`` has the words of each value of a facet, or of values of several facets together.
    """

    groups: Mapping[Facets, Mapping[Values, str]] = field(default_factory=dict)
    decided: str = "selected"
    label: tuple[str, str] = ("with a positive label", "with a negative label")
    rows: str = "rows"

    @classmethod
    def of(cls, given: Any, before: AuthorWords | None = None) -> AuthorWords:
        """The given words, checked, in place of those of ``before``."""
        own = before or cls()
        if given is None:
            return own
        known = [each.name for each in fields(cls)]
        if not isinstance(given, Mapping):
            raise FairnessError(
                f"words: takes a table with the keys {listed(known)}, got {shown(given)}"
            )
        for key in given:
            if key not in known:
                raise FairnessError(f"words: there is no key {key!r}; {did_you_mean(key, known)}")
        for key in {"decided", "rows"} & given.keys():
            _require_text(key, given[key])
        parts = {**given}
        if "label" in given:
            parts["label"] = _labels(given["label"])
        if "groups" in given:
            parts["groups"] = {**own.groups, **dict(_groups(given["groups"]))}
        return replace(own, **parts)

    def refuse_unknown_values(self, known: Mapping[str, Collection[str]]) -> None:
        """Raise for words about a value that a facet of the question does not have."""
        for facets, words in self.groups.items():
            if not {*facets} <= known.keys():
                continue
            for values in words:
                for facet, value in zip(facets, values, strict=True):
                    if value not in known[facet]:
                        raise FairnessError(
                            f"words: {facet!r} has no value {value!r}; it has "
                            f"{listed(sorted(known[facet]))}"
                        )

    def group(self, facets: Facets, values: Values) -> str | None:
        """The word for the people of one value of each facet; None if the author gave none."""
        return self.groups.get(facets, {}).get(values)

    @property
    def in_json(self) -> dict[str, Any]:
        """The words as a JSON file has them, with several facets as one text."""
        return {
            "groups": {
                _JOINED.join(facets): {_JOINED.join(values): word for values, word in own.items()}
                for facets, own in self.groups.items()
            },
            "decided": self.decided,
            "label": [*self.label],
            "rows": self.rows,
        }


def _require_text(key: str, given: object) -> None:
    if not isinstance(given, str) or not given.strip():
        raise FairnessError(f"words: {key!r} takes text, got {shown(given)}")


def _labels(given: Any) -> tuple[str, str]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise FairnessError(
            "words: 'label' takes two texts, for the positive and the negative label, such as "
            f"('who repaid', 'who did not repay'), got {shown(given)}"
        )
    for text in given:
        _require_text("label", text)
    return (given[0], given[1])


def _groups(given: Any) -> Iterator[tuple[Facets, dict[Values, str]]]:
    if not isinstance(given, Mapping):
        raise FairnessError(
            f"words: 'groups' takes a table of facets, such as {{'sex': {{'F': 'women'}}}}, got "
            f"{shown(given)}"
        )
    for facet, words in given.items():
        facets = _parts(facet)
        if not isinstance(words, Mapping):
            raise FairnessError(
                f"words: 'groups' takes words for each value of {facet!r}, such as "
                f"{{'F': 'women'}}, got {shown(words)}"
            )
        own: dict[Values, str] = {}
        for value, word in words.items():
            _require_text("groups", word)
            values = _parts(value) if len(facets) > 1 else (_as_text(value),)
            if len(values) != len(facets):
                raise FairnessError(
                    f"words: {facet!r} takes a value of each of its facets, such as "
                    f"{_JOINED.join(facets)!r}, got {value!r}"
                )
            own[values] = word
        yield facets, own


def _parts(given: object) -> tuple[str, ...]:
    """The names in a tuple, or in a text that joins them by " & "."""
    if isinstance(given, list | tuple):
        return tuple(map(_as_text, given))
    return tuple(_as_text(given).split(_JOINED))


def _as_text(value: object) -> str:
    """A value of a facet as its text in an answer."""
    return str(value).lower() if isinstance(value, bool) else str(value)

"""A policy: what an organisation has decided about its audits, kept in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, get_args

import polars as pl

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import (
    FairnessError,
    did_you_mean,
    listed,
    require_confidence,
    require_flag,
    require_number,
    require_whole,
    shown,
)
from polars_fairness.question.arguments import OF_QUESTION
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.question.completing import Assumption, Unlabelled
from polars_fairness.question.facets import HIGHEST, LARGEST, OVERALL, Highest, Reference
from polars_fairness.question.judging import (
    RULES_KNOWN,
    Band,
    PValues,
    Rule,
    refuse_band_without_ideal,
    refuse_invalid_bands,
    refuse_invalid_limits,
)

_MARK: Final = "\N{BYTE ORDER MARK}"

_GATE: Final = ("fail_on", "allow_undefined", "maximum_within_p_value", "unjudged")
"""The arguments of a policy that stand in the table of the gate."""

_IN_PYPROJECT: Final = ("tool", "polars-fairness")


def text_of(path: str | Path) -> str:
    """The text of a file, byte for byte."""
    try:
        return Path(path).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise FairnessError(
            f"policy: {str(path)!r} is not text in UTF-8; save it as UTF-8"
        ) from error
    except OSError as error:
        raise FairnessError(
            f"policy: cannot read {str(path)!r}: {error.strerror}; name a TOML file"
        ) from error


def _arguments_in(file: Path, text: str, known: Collection[str]) -> dict[str, Any]:
    """The arguments of a policy in a file; raise for unknown keys."""
    try:
        table: Any = tomllib.loads(text.removeprefix(_MARK))
    except tomllib.TOMLDecodeError as error:
        raise FairnessError(f"this is not TOML: {error}") from error
    except RecursionError as error:
        raise FairnessError(
            "this is nested too deeply; no key takes more than a list in a table"
        ) from error
    for key in _IN_PYPROJECT if file.name == "pyproject.toml" else ():
        table = table.get(key) if isinstance(table, Mapping) else None
    if not isinstance(table, Mapping):
        raise FairnessError(
            f"there is no table [{'.'.join(_IN_PYPROJECT)}]; add it, or name another file"
        )
    _refuse_unknown_keys(table, [*(key for key in known if key not in _GATE), "gate"])
    gate = table.get("gate", {})
    if not isinstance(gate, Mapping):
        raise FairnessError(f"gate: takes a table with the keys {listed(_GATE)}, got {gate!r}")
    _refuse_unknown_keys(gate, _GATE, " in gate")
    if "name" not in table:
        raise FairnessError('name: a policy needs a name; write name = "..." before its tables')
    return {key: value for key, value in table.items() if key != "gate"} | {**gate}


def _refuse_unknown_keys(table: Mapping[str, Any], known: Sequence[str], where: str = "") -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known, most=len(known))
            if key in _GATE:
                hint = "it belongs in [gate]"
            elif key in _OF_QUESTION:
                hint = "it belongs in [question]"
            elif where and key in {each.name for each in fields(Policy)} - {"text"}:
                hint = f"it is a key of its own, before the tables, or a table [{key}]"
            raise FairnessError(f"there is no key {key!r}{where}; {hint}")


FailOn = Literal["outside", "uncertain", "worse"]
Unjudged = Literal["pass", "fail"]

_SHOWN_OF_HASH: Final = 12

_OF_POLICY: Final = ("favored", "favorable")
"""The arguments of a question that have keys of their own in a policy."""

_REFERENCES: Final = {"highest": HIGHEST, "largest": LARGEST, "overall": OVERALL}
_OF_QUESTION: Final = [each.name for each in OF_QUESTION if each.name not in _OF_POLICY]
_LIMITS: Final = ("minimum_count", "minimum_share")


@dataclass(frozen=True)
class Policy:
    """A policy: the metrics, bands, rules, facets and gate of an organisation's audits.

    `Policy.read` reads one from a file. What is None or empty is left to each call.

    Parameters
    ----------
    name
        The name of the policy.
    version
        Its version, as text.
    metrics
        Names in the catalogue. Every audit computes these metrics.
    confidence, minimum_count, p_values
        As in `audit`.
    hide_below
        Groups of fewer people are hidden; a call may hide larger ones too.
    unlabelled, unlabelled_by
        As in `audit`: what is assumed of rows without a label, and the names of columns. They apply
        only if a metric needs all labels.
    favorable
        Whether a positive outcome is good for the person, as in `audit`.
    facets
        The facets that every question must have.
    question
        ``{argument: value}``: the columns, and how they are read, as in `metrics`. Without
        ``facet``, the facets are those of ``facets``.
    favored
        ``{facet: value(s)}``: side a of these facets, in questions that have them. A value may be a
        reference, such as `HIGHEST`.
    bands
        ``{metric: (low, high)}``, or None for no verdict.
    rule
        The rule of the metrics that ``rules`` does not name.
    rules
        ``{metric: rule}``.
    limits
        ``{check: number}`` of `intake`, or None for no verdict.
    fail_on, allow_undefined, maximum_within_p_value, unjudged
        The gate: what fails it, a word or a list of words; and whether a requested metric without a
        verdict passes, ``"pass"`` or ``"fail"``.
    words
        What pages call groups, the decision, labels and rows, as in ``write_html``.
    text
        The text of the file, for the hash.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> policy = pf.Policy(name="Admission", version="2", metrics=["di"], rule="point")
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> pf.audit(applicants, policy=policy, **question).select("metric", "verdict").rows()
    [('di', 'outside')]
    """

    name: str
    version: str = ""
    metrics: Sequence[str] = ()
    confidence: float | None = None
    minimum_count: int | None = None
    p_values: PValues | None = None
    hide_below: int | None = None
    unlabelled: Unlabelled | None = None
    unlabelled_by: str | Sequence[str] | None = None
    favorable: bool | None = None
    facets: Sequence[str] = ()
    question: Mapping[str, Any] = field(default_factory=dict)
    favored: Mapping[str, Any] = field(default_factory=dict)
    bands: Mapping[str, Band] = field(default_factory=dict)
    rule: Rule | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict)
    limits: Mapping[str, float | None] = field(default_factory=dict)
    fail_on: FailOn | Sequence[FailOn] | None = None
    allow_undefined: bool = False
    maximum_within_p_value: float | None = None
    unjudged: Unjudged = "pass"
    words: Mapping[str, Any] = field(default_factory=dict)
    text: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        _refuse_other_types(self)
        # The checked names of arguments; their values are checked by each call.
        given = self.question
        if not isinstance(given, Mapping):
            raise FairnessError(f"question: takes a table with arguments, got {given!r}")
        _refuse_unknown_keys(given, _OF_QUESTION, " in question")
        checked = {
            "metrics": _names("metrics", self.metrics),
            "facets": _names("facets", self.facets),
            "question": dict(given),
            "favored": _checked_sides(self.favored),
            "bands": _checked_metrics("bands", self.bands),
            "rules": _checked_metrics("rules", self.rules),
            "limits": _checked_limits(self.limits),
        }
        for name in self.metrics:
            CATALOGUE[name]
        fail_on = self.fail_on
        for word in fail_on if isinstance(fail_on, list | tuple) and fail_on else [fail_on]:
            if fail_on is not None:
                _refuse_other_words("fail_on: takes", word, get_args(FailOn))
        require_flag("allow_undefined", self.allow_undefined)
        if self.allow_undefined and not self.has_gate:
            raise FairnessError("allow_undefined: has no effect without fail_on; give both")
        _refuse_other_words("unjudged: takes", self.unjudged, get_args(Unjudged))
        if self.unjudged != "pass" and not self.has_gate:
            raise FairnessError("unjudged: has no effect without fail_on; give both")
        AuthorWords.of(self.words)
        for key, value in checked.items():
            object.__setattr__(self, key, value)

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """Read a policy from a TOML file; every key and value is checked.

        Parameters
        ----------
        path
            Such as ``fairness.toml``, whose keys are the arguments of `Policy`, with ``fail_on``
            and ``allow_undefined`` in a table ``gate``. From a ``pyproject.toml``, the table
            ``tool.polars-fairness`` is read.

        Returns
        -------
        Policy
            The policy in the file.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import polars_fairness as pf
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "fairness.toml")
        ...     _ = file.write_text('name = "Admission"')
        ...     pf.Policy.read(file).name
        'Admission'
        """
        text, file = text_of(path), Path(path)
        known = [each.name for each in fields(cls) if each.name != "text"]
        try:
            return cls(**_arguments_in(file, text, known), text=text)
        except FairnessError as error:
            raise FairnessError(f"{file.name}: {error}") from error

    @property
    def has_gate(self) -> bool:
        """Whether the policy decides what passes."""
        return bool(self.failing) or self.maximum_within_p_value is not None

    @property
    def failing(self) -> tuple[FailOn, ...]:
        """What fails the gate; empty without a gate."""
        if self.fail_on is None:
            return ()
        return (self.fail_on,) if isinstance(self.fail_on, str) else tuple(self.fail_on)

    @property
    def hash(self) -> str:
        """The SHA-256 of the file's text, as ``sha256sum`` prints it; else of the arguments."""
        return sha256((self.text or repr(self)).encode()).hexdigest()

    @property
    def decided_question(self) -> dict[str, Any]:
        """The arguments of the question; without a facet among them, the required facets."""
        facets = {"facet": [*self.facets]} if self.question and self.facets else {}
        return {**facets, **self.question}

    def rule_of(self, metric: str) -> Rule | None:
        """The rule for a metric of the catalogue; None if the policy has none."""
        return self.rules.get(metric, self.rule)

    def hides_below(self, given: Any) -> int | None:
        """Below how many people groups are hidden: the policy's number, or a larger one."""
        if given is None or self.hide_below is None:
            return self.hide_below
        if given < self.hide_below:
            refuse_contradiction(self, "hide_below", given, self.hide_below)
        return int(given)

    def __str__(self) -> str:
        version = f", version {self.version}" if self.version else ""
        return f"{self.name}{version} (sha256 {self.hash[:_SHOWN_OF_HASH]})"


def _refuse_other_types(policy: Policy) -> None:
    for key, text in (("name", policy.name), ("version", policy.version)):
        if not isinstance(text, str) or (key == "name" and not text):
            raise FairnessError(f'{key}: takes text in quotes, such as "3", got {text!r}')
    checks: dict[str, Callable[[Any], object]] = {
        "confidence": require_confidence,
        "minimum_count": lambda given: require_whole("minimum_count", given, 0),
        "hide_below": lambda given: require_whole("hide_below", given, 2),
        "maximum_within_p_value": require_within_p_value,
        "p_values": lambda given: _refuse_other_words("p_values: takes", given, get_args(PValues)),
        "favorable": lambda given: require_flag("favorable", given),
        "rule": lambda given: _refuse_other_words("rule: takes", given, RULES_KNOWN),
        "unlabelled": Assumption.of,
        "unlabelled_by": lambda given: _names(
            "unlabelled_by", [given] if isinstance(given, str) else given
        ),
    }
    for key, check in checks.items():
        if (given := getattr(policy, key)) is not None:
            check(given)


def _refuse_other_words(takes: str, given: Any, known: Sequence[str]) -> None:
    if given not in known:
        raise FairnessError(f"{takes} {listed(known, 'or')}, got {given!r}")


def _names(key: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple):
        raise FairnessError(f"{key}: takes a list of names, got {given!r}")
    names: dict[str, None] = {}
    for name in given:
        if not isinstance(name, str) or name in names:
            raise FairnessError(f"{key}: takes names, each once, got {name!r}")
        names[name] = None
    return tuple(names)


def _checked_metrics(key: Literal["bands", "rules"], given: Any) -> dict[str, Any]:
    """The checked band or rule of each metric, by the metric's name and none of its aliases."""
    if not isinstance(given, Mapping):
        raise FairnessError(f"{key}: takes a table with names of metrics, got {given!r}")
    checked: dict[str, Any] = {}
    for name, value in given.items():
        if name not in CATALOGUE:
            raise FairnessError(
                f"{key}: no metric {name!r}; {did_you_mean(str(name), CATALOGUE.names)}"
            )
        metric = CATALOGUE[name].name
        if metric in checked:
            raise FairnessError(f"{key}: {name!r} is {metric!r}, which is given twice; remove one")
        if key == "rules":
            _refuse_other_words(f"rules: {name!r} takes", value, RULES_KNOWN)
        checked[metric] = _band(name, value) if key == "bands" else value
    return checked


def _band(metric: str, given: Any) -> Band:
    band: Any = tuple(given) if isinstance(given, list) else given
    if band is None or band == "none":  # TOML has no null
        return None
    try:
        refuse_invalid_bands({metric: band})
    except FairnessError as error:
        raise FairnessError(
            f'bands: {metric!r} takes [low, high] or "none", got {given!r}'
        ) from error
    refuse_band_without_ideal(metric, band, CATALOGUE[metric].ideal)
    low, high = band
    return float(low), float(high)


def _checked_limits(given: Any) -> dict[str, float | None]:
    if isinstance(given, Mapping):  # TOML has no null
        given = {check: None if limit == "none" else limit for check, limit in given.items()}
    refuse_invalid_limits(given)
    return {check: limit if limit is None else float(limit) for check, limit in given.items()}


def _checked_sides(favored: Any) -> dict[str, Any]:
    """The checked side a of each facet: a value, a list of values or a reference."""
    if not isinstance(favored, Mapping):
        raise FairnessError(f"favored: takes a table with the values of facets, got {favored!r}")
    checked: dict[str, Any] = {}
    for facet, given in favored.items():
        checked[facet] = _reference(facet, given) if isinstance(given, Mapping) else given
        if given is None or given in ([], ()):
            raise FairnessError(
                f"favored: {facet!r} takes a value or a list of values, got {given!r}"
            )
    return checked


def _reference(facet: str, given: Mapping[str, Any]) -> Reference:
    """The reference that a table describes, such as {reference = "highest"}."""
    name = given.get("reference")
    _refuse_other_words(f"favored: {facet!r} takes reference =", name, tuple(_REFERENCES))
    reference = _REFERENCES[str(name)]
    limits = {key: value for key, value in given.items() if key != "reference"}
    if limits and not isinstance(reference, Highest):
        raise FairnessError(
            f"favored: {facet!r} takes nothing beside reference = {name!r}, got {listed(limits)}"
        )
    for key in limits:
        if key not in _LIMITS:
            raise FairnessError(
                f"favored: there is no key {key!r} for {facet!r}; {did_you_mean(key, _LIMITS)}"
            )
    return reference(**limits) if isinstance(reference, Highest) else reference


def require_within_p_value(given: object) -> None:
    """Raise unless this is a largest p-value, between 0 and 1."""
    require_number("maximum_within_p_value", given, "a number from 0 to 1", 0, 1)


def refuse_contradiction(policy: Policy, argument: str, given: object, decided: object) -> None:
    """Raise unless a call says what the policy decides."""
    if not are_same(given, decided):
        raise FairnessError(
            f"{argument}: {shown(given)} contradicts {shown(decided)} of the policy {policy}; "
            "leave it out, or change the policy"
        )


def are_same(given: object, decided: object) -> bool:
    """Whether both name the same values, in any order."""
    kinds = (pl.Series, set, frozenset, list, tuple)
    one, other = (
        [_name(each) for each in (values if isinstance(values, kinds) else [values])]
        for values in (given, decided)
    )
    return all(value in other for value in one) and all(value in one for value in other)


def _name(value: object) -> object:
    """The name of a column that is given as an expression; other expressions as text."""
    if not isinstance(value, pl.Expr):
        return value
    name = value.meta.output_name(raise_if_undetermined=False)
    return name if name is not None and value.meta.eq(pl.col(name)) else str(value)


def policy_of(given: object) -> Policy:
    """The policy, read from its file if a path is given."""
    if isinstance(given, Policy):
        return given
    if isinstance(given, str | Path):
        return Policy.read(given)
    raise FairnessError(
        f"policy: takes a Policy or the path of its file, such as 'fairness.toml', got {given!r}"
    )

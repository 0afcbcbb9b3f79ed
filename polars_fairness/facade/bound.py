"""The bound question: a frame and what is compared in it, with every answer as a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, cast, overload

import polars as pl

from polars_fairness.api.bound import CheckedQuestion, question_under, read
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame, EngineFrame
from polars_fairness.facade.methods import BoundMethods, Frame
from polars_fairness.question.arguments import DEFAULTS, Question
from polars_fairness.question.audit_arguments import POLICY_GIVEN, BoundArguments
from polars_fairness.question.policy import policy_of


@dataclass(frozen=True, repr=False, eq=False)
class BoundQuestion(BoundMethods[Frame], CheckedQuestion):
    """A frame with a question about it; each method answers it and takes only its own options.

    `of` makes one. Its methods are the functions of the package, and one for each metric name.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> q = pf.of(applicants, facet="sex", disfavored="Female", predicted="admitted", count="n")
    >>> q
    BoundQuestion(facet='sex', disfavored='Female', predicted='admitted', count='n')
    >>> q.di()["di"].round(3).item()
    0.682
    >>> q.audit("di", confidence=0.9).select("lower", "verdict").row(0)[1]
    'outside'
    >>> q.replace(facet="department", disfavored="F").di()["di"].round(3).item()
    0.144
    """

    @property
    def question(self) -> Question:
        """The arguments that were given, as a dictionary."""
        return self.given.copy()

    @takes()
    def replace(self, **changes: Unpack[Question]) -> BoundQuestion[Frame]:
        """The same question with other arguments; None removes an argument.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> hired = pl.DataFrame({"sex": ["F", "M"], "race": ["a", "b"], "hired": [0, 1]})
        >>> pf.of(hired, facet="sex", predicted="hired").replace(facet="race")
        BoundQuestion(facet='race', predicted='hired')
        """
        changed = {**self.given, **changes}
        away = [name for name, value in changes.items() if value is None and name in DEFAULTS]
        given = {name: value for name, value in changed.items() if name not in away}
        stated = cast("BoundArguments", {**given, POLICY_GIVEN.name: self.policy})
        other: BoundQuestion[Any] = of(self.frame, **stated)
        return other

    def __repr__(self) -> str:
        under = {} if self.policy is None else {POLICY_GIVEN.name: self.policy}
        given = (f"{name}={_written(value)}" for name, value in {**self.given, **under}.items())
        return f"BoundQuestion({', '.join(given)})"


@overload
def of(frame: pl.LazyFrame, **given: Unpack[BoundArguments]) -> BoundQuestion[pl.LazyFrame]: ...
@overload
def of(
    frame: pl.DataFrame | EngineFrame, **given: Unpack[BoundArguments]
) -> BoundQuestion[pl.DataFrame]: ...
@takes(POLICY_GIVEN)
def of(frame: AnyFrame, **given: Unpack[BoundArguments]) -> BoundQuestion[Any]:
    """Return a question about a frame, whose methods answer it.

    The question is checked against the schema immediately; no row is read. It may have arguments
    that an answer does not use; in a call of a function, an unused argument is an error. With a
    policy, it is the policy's question and what the call adds; its audits and reports follow the
    policy.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    BoundQuestion
        Its methods are the functions and the metrics, such as ``audit("di", confidence=0.9)``,
        ``rates()`` and ``di()``. Each takes its own options only. A function takes it in place of
        a frame too: ``audit(q, "di")`` is ``q.audit("di")``.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> q = pf.of(hired, facet="sex", disfavored="F", predicted="hired")
    >>> q.di()["di"].item()
    0.5
    >>> q.rates().filter(value="F")["selection_rate"].item()
    0.5
    """
    policy = given.pop("policy", None)
    question = cast("Question", given)
    if policy is not None:
        policy = policy_of(policy)
        question = question_under(policy, frame, question)
    checked = read(frame, question)
    return BoundQuestion(
        checked.frame, checked.given, checked.rows, checked.roles, policy or checked.policy
    )


def _written(value: object) -> str:
    """A value as it is typed; expressions as polars prints them."""
    if isinstance(value, pl.Expr):
        return str(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r}: {_written(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        items = ", ".join(map(_written, value))
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    return repr(value)

"""The bound question: a frame and what is compared in it, checked once, for many answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, cast, overload

import polars as pl

from polars_fairness.api.bound_methods import BoundMethods, Frame
from polars_fairness.api.call import Call
from polars_fairness.api.policies import policy_of, question_under
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame, EngineFrame
from polars_fairness.question.arguments import DEFAULTS, Question
from polars_fairness.question.audit_arguments import POLICY_GIVEN, BoundArguments


class BoundQuestion(BoundMethods[Frame]):
    """A frame and a question about it; each method gives an answer, and takes its options only.

    `of` makes one. Its methods are the functions of the package and one for each name of a metric.

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
    'against_disfavored'
    >>> q.replace(facet="department", disfavored="F").di()["di"].round(3).item()
    0.144
    """

    @property
    def question(self) -> Question:
        """The arguments that were given, as a dictionary."""
        return self._call.question.copy()

    @takes()
    def replace(self, **changes: Unpack[Question]) -> BoundQuestion[Frame]:
        """The same question with other arguments; None takes an argument away.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> hired = pl.DataFrame({"sex": ["F", "M"], "race": ["a", "b"], "hired": [0, 1]})
        >>> pf.of(hired, facet="sex", predicted="hired").replace(facet="race")
        BoundQuestion(facet='race', predicted='hired')
        """
        changed = {**self._call.question, **changes}
        away = [name for name, value in changes.items() if value is None and name in DEFAULTS]
        given = {name: value for name, value in changed.items() if name not in away}
        given |= self._under
        other: BoundQuestion[Any] = of(self._call.frame, **cast("BoundArguments", given))
        return other

    def __repr__(self) -> str:
        shown = {**self._call.question, **self._under}
        given = (f"{name}={_written(value)}" for name, value in shown.items())
        return f"BoundQuestion({', '.join(given)})"


@overload
def of(frame: pl.LazyFrame, **given: Unpack[BoundArguments]) -> BoundQuestion[pl.LazyFrame]: ...
@overload
def of(
    frame: pl.DataFrame | EngineFrame, **given: Unpack[BoundArguments]
) -> BoundQuestion[pl.DataFrame]: ...
@takes(POLICY_GIVEN)
def of(frame: AnyFrame, **given: Unpack[BoundArguments]) -> BoundQuestion[Any]:
    """Return the question about a frame, whose methods answer it.

    The question is checked against the schema at once; no row is read. Under a policy, it is the
    policy's question, with what the call adds; its audits and reports are under the policy.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    BoundQuestion
        Its methods are the functions and the metrics, such as ``audit("di", confidence=0.9)``,
        ``rates()`` and ``di()``. Each takes its own options only.

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
    if policy is None:
        return BoundQuestion(Call.of(frame, question))
    policy = policy_of(policy)
    return BoundQuestion(Call.of(frame, question_under(policy, frame, question)), policy)


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

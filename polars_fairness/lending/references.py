"""The reference group that tables about lending need."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, cast

from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.api.call import Call
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, keyword, listed
from polars_fairness.lending.arguments import P_VALUES_OF_RATES
from polars_fairness.question.arguments import Question
from polars_fairness.question.facets import HIGHEST, LARGEST


def options_and_question_of(
    given: Mapping[str, Any], own: Collection[str]
) -> tuple[AuditOptions, Question]:
    """The options of intervals and p-values, and the question, without a table's own arguments."""
    of_others = {name: value for name, value in given.items() if name not in own}
    of_others.setdefault(P_VALUES_OF_RATES.name, P_VALUES_OF_RATES.default)
    P_VALUES_OF_RATES.refuse_other_choices(of_others[P_VALUES_OF_RATES.name])
    options, question = options_and_question(cast("Any", of_others))
    if question.get("favored") is None:
        raise FairnessError(
            "favored: each group is compared with a reference, which was not given; give the "
            f"group, such as {keyword('favored', 'White')}, or "
            f"{HIGHEST.written} or {LARGEST.written}"
        )
    return options, question


def call_about_decisions(
    frame: AnyFrame, question: Question, name: str, own: Mapping[str, Any] = MappingProxyType({})
) -> Call:
    """The call for a question about decisions, checked for the function of this name."""
    call = Call.of(frame, question, name, own)
    without = [
        each.name for each in call.roles.facets if not each.favored and each.reference is None
    ]
    if without:
        raise FairnessError(
            "favored: each group is compared with a reference, and there is none for "
            f"{listed(without)}; add it to the dictionary, such as {{{without[0]!r}: 'White'}}"
        )
    return call

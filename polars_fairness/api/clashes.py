"""The arguments and answers that do not go together, each pair stated once.

The table is read when a question is made, by the docstring of each function, and by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil
from typing import Any, Final

from polars_fairness.counting.rows import is_frame
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.columns import Column
from polars_fairness.question.facets import HIGHEST, LARGEST, OVERALL
from polars_fairness.question.outcomes import Outcome
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY, is_several
from polars_fairness.values.formula_checks import needs_sides_apart

_OF_PARTS: Final = {
    each.name: each.default
    for each in OF_AUDIT
    if each.part_of and isinstance(each.default, str | int)
}
"""The defaults of the arguments that refine another one, where these are words or numbers."""


@dataclass(frozen=True)
class Case:
    """What was given to the function of this name, and what the schema says of it, once read."""

    answer: str
    given: Mapping[str, Any]
    read: Roles | None = None
    requested: Metric | None = None

    @property
    def roles(self) -> Roles:
        assert self.read is not None
        return self.read

    @property
    def metric(self) -> Metric:
        assert self.requested is not None
        return self.requested

    @cached_property
    def names(self) -> set[str]:
        """The arguments that are given, without the defaults of those that refine another one."""
        return {
            name
            for name, each in self.given.items()
            if each is not None and each is not False
            if name not in _OF_PARTS or each != _OF_PARTS[name]
        }

    def one_of(self, names: str) -> str:
        """The first of these arguments that is given; empty if none is."""
        return next((name for name in names.split() if name in self.names), "")

    def slot(self, name: str) -> str:
        """The argument as a message names it, with its value if that is a word."""
        value = self.given.get(name)
        return f"{name}={value!r}" if isinstance(value, str) else f"{name}="

    @property
    def uncertain(self) -> str:
        """The first facet whose groups are known only as probabilities, if there is one."""
        return next((repr(facet.name) for facet in self.roles.uncertain_facets), "")

    @property
    def intersection(self) -> str:
        """The first facet that is an intersection of several attributes, if there is one."""
        return next((repr(f.name) for f in self.roles.facets if f.is_intersection), "")

    @property
    def is_against_all(self) -> bool:
        return bool(self.roles.facets_against_all)

    @property
    def draws_a_holdout(self) -> bool:
        holdout = self.given.get("holdout")
        return holdout is not None and not is_frame(holdout)

    @property
    def judges_by_p_value(self) -> bool:
        rule = self.given["rule"]
        return "significant" in ([rule] if isinstance(rule, str) else [*rule.values()])

    @property
    def has_thresholds(self) -> bool:
        """Whether thresholds are given that make windows."""
        threshold = self.given["threshold"]
        return is_several(threshold) and not isinstance(threshold, Mapping)

    def has_models(self, argument: str) -> bool:
        return isinstance(self.given[argument], Mapping)

    def is_window(self, argument: str) -> bool:
        """Whether a word or a value is given in place of a frame."""
        return not is_frame(self.given[argument])


@dataclass(frozen=True)
class Clash:
    """Arguments that do not go together, or not with some answers."""

    arguments: str  # one of these is given; an error is about it
    # Why not, and what to do. In braces, the name of an argument stands for it; ``argument``,
    # ``beside``, ``detail`` and ``answer`` for what the condition returned.
    why: str
    beside: str = ""  # one of these is given too
    without: str = ""  # none of these is given
    answers: str = ""  # the functions that this is about; without any, all
    # The rest of the condition, which the arguments decide: false, or what is found.
    if_given: Callable[[Case], object] | None = None
    when: Callable[[Case], object] | None = None  # the same, which the schema decides

    def refuse(self, case: Case) -> None:
        """Raise if the condition holds of arguments that are given."""
        condition = self.when or self.if_given
        if detail := condition(case) if condition else True:
            argument, beside = case.one_of(self.arguments), case.one_of(self.beside)
            words = _Words(argument=case.slot(argument), beside=case.slot(beside), detail=detail)
            words["answer"] = case.answer
            raise FairnessError(f"{argument}: {self.why.format_map(words)}")

    def described(self, answer: str, taken: Collection[str]) -> str:
        """The row as the docstring of a function that takes these arguments lists it."""
        names, beside, without = (
            listed([name for name in names.split() if name in taken], "or", write="``{}``".format)
            for names in (self.arguments, self.beside, self.without)
        )
        words = _Words(argument=names, beside="the other", detail="…", answer=answer)
        where = "".join((beside and f" beside {beside}", without and f" without {without}"))
        return f"{names}{where}: {self.why.format_map(words)}"


class _Words(dict[str, object]):
    """The values of the braces in a message; an argument's name stands for itself."""

    def __missing__(self, name: str) -> str:
        return f"{name}="


_ONE: Final = "leave one of the two out"
_UNCERTAIN: Final = "the groups of {detail} are known only as probabilities"
_EACH_ROW: Final = f"{{answer}} needs to know the group of each row, and {_UNCERTAIN}"
_FOLLOWS: Final = f"with {{beside}}, hidden numbers could be inferred from others; {_ONE}"
_LOOK: Final = f"holds at every look, but what {{beside}} computes holds at one look only; {_ONE}"
_LABELLED: Final = (
    "p-values use the rows with a label only, whatever is assumed about the others; leave {beside} "
    "or {unlabelled} out"
)
_ALIKE: Final = f"assumes independent rows that count once each, unlike {{beside}}; {_ONE}"
_BEST: Final = f"{{beside}} assumes independent decisions, but at {{detail}} rows compete; {_ONE}"
_CLUSTERS: Final = (
    "{answer} assumes independent rows; leave {cluster} out, or compare the groups with audit"
)
_PART: Final = "has no effect without {{{}}}; give both or neither"
_ALL_TOO: Final = f"{OVERALL!r} includes the rows of side d"
_REPORTED: Final = "a reported number has one facet, one window and one threshold; compare takes"
_DRIFT: Final = "compares intervals with those of {baseline}; give both {baseline} and {confidence}"
_ONE_MODEL: Final = "is about one model; name one column, and make one call for each model"
_TABLES: Final = "lending.table lending.segments lending.quantiles lending.report"

CLASHES: Final = (
    # arguments, whatever the answer
    Clash("disfavored favored unknown",
        "is about the groups of a facet; give {facet}, or leave it out", without="facet"),
    Clash("period",
        "needs the time between its windows; give every='1mo' or another",
        without="every"),
    Clash("classes",
        f"makes each class positive in turn, but {{beside}} needs two outcomes or numbers; {_ONE}",
        beside="positive threshold label_threshold score resolution observed estimated "
        "champion"),
    Clash("classes", f"{_UNCERTAIN}; leave this facet out", when=lambda q: q.uncertain),
    Clash("predicted score",
        "several models in {estimated} are compared by their numbers alone; leave {argument} out, "
        "or name one column as {estimated}", beside="estimated",
        if_given=lambda q: q.has_models("estimated")),
    Clash("threshold",
        "several thresholds decide by {score}, but {predicted} is given too; leave it out, or give "
        "one threshold", beside="predicted",
        if_given=lambda q: q.has_thresholds and q.one_of("score")),
    # groups that are known only as probabilities
    Clash("subgroup", f"{_EACH_ROW}; leave it out, or give these columns as {{by}}",
        answers="lending.segments lending.report", when=lambda q: q.uncertain),
    Clash("facet", f"{_EACH_ROW}; name a column of known groups, or compare the groups with audit",
        answers="bounds compare confusions calibration intake reweigh reweighed representation "
        "pairs switches worst_groups fliptest consistency lending.segments lending.quantiles "
        "pay.table",
        when=lambda q: q.uncertain),
    Clash("bounds", f"{_UNCERTAIN}; leave {{bounds}} out",
        answers="audit", when=lambda q: q.uncertain),
    Clash("observed estimated",
        f"cells keep no sums of numbers by probabilities, and {_UNCERTAIN}; ask about the rows",
        answers="cells", when=lambda q: q.uncertain),
    Clash("subgroup", "pairs has cases in place of strata; leave it out", answers="pairs"),
    # labels that are missing
    Clash("unlabelled", "is about rows without a label, which nulls='raise' refuses; give "
        "nulls='drop'", if_given=lambda q: q.given.get("nulls") != "drop"),
    Clash("unlabelled", "is about rows with a decision and without a label; give {label} and "
        "{predicted}", when=lambda q: None in (q.roles.label, q.roles.predicted)),
    Clash("unlabelled", f"is about unknown labels, and {{beside}} about unknown groups; {_ONE}",
        beside="bounds"),
    Clash("unlabelled", "the range of values assumes independent rows at one look, and cannot be "
        "compared with another; leave {beside} or {unlabelled} out",
        beside="sequential cluster champion baseline equivalence"),
    Clash("unlabelled", _LABELLED, beside="p_values"),
    Clash("unlabelled", _LABELLED, beside="rule", if_given=lambda q: q.judges_by_p_value),
    Clash("unlabelled", f"{_EACH_ROW}; leave it out", when=lambda q: q.uncertain),
    # It is farthest at no corner: of 480 rows of d without 400 labels, beside all 560, `rd` reaches
    # 0.127, and at corners 0.070.
    Clash("unlabelled", f"a missing label moves both sides, and {_ALL_TOO}; compare d with the "
        "rest, without {beside}, or leave {unlabelled} out",
        beside="favored", when=lambda q: q.is_against_all),
    Clash("unlabelled_by", _PART.format("unlabelled"), without="unlabelled"),
    Clash("unlabelled_by", f"its strata are not those of {{subgroup}}; {_ONE}", beside="subgroup"),
    # hidden groups
    Clash("hide_below", f"{_EACH_ROW}; leave it out", when=lambda q: q.uncertain),
    Clash("hide_below", _FOLLOWS, beside="period sequential baseline"),
    Clash("hide_below", _FOLLOWS, beside="nulls", if_given=lambda q: q.given["nulls"] == "drop"),
    Clash("hide_below", _FOLLOWS, beside="facet",
        when=lambda q: len(q.roles.facets) > 1 and q.intersection),
    # intervals and p-values
    Clash("replicates seed method equivalence", _PART.format("confidence"),
        without="confidence", if_given=lambda q: not q.draws_a_holdout),
    Clash("sequential", _LOOK, beside="method"),
    Clash("sequential", "its intervals need no random draws; leave {beside} out",
        beside="replicates seed"),
    Clash("sequential", _LOOK, beside="rule", if_given=lambda q: q.judges_by_p_value),
    Clash("sequential", _LOOK, beside="p_values equivalence champion baseline"),
    Clash("sequential", "uses all rows up to each time; leave {period} out", beside="period"),
    Clash("sequential", _LOOK, beside="controls"),
    Clash("controls",
        "a regression compares two sides, but worst_groups ranks the rates of all groups; leave it "
        "out, or call audit with {favored}", answers="worst_groups"),
    Clash("sequential", _ALIKE, beside="weight cluster"),
    Clash("method", _ALIKE, beside="weight cluster"),
    Clash("rule", _ALIKE, beside="cluster", if_given=lambda q: q.judges_by_p_value),
    Clash("facet",
        f"{_UNCERTAIN}, which have only one kind of interval; leave {{sequential}}, {{method}} and "
        "{rule} out",
        beside="confidence", answers="audit",
        when=lambda q: (
            (q.given["sequential"] or "method" in q.names or q.judges_by_p_value) and q.uncertain
        )),
    Clash("threshold", _BEST, beside="sequential", when=lambda q: q.roles.best),
    Clash("threshold", _BEST, beside="method",
        when=lambda q: q.given["method"] in ("newcombe", "log") and q.roles.best),
    Clash("method", f"is for sides without rows in common, and {_ALL_TOO}; use 'auto'",
        beside="favored", when=lambda q: q.is_against_all),
    Clash("cluster", _CLUSTERS, beside="p_values", answers="representation"),
    # Its flags need tests, which assume independent rows.
    Clash("cluster", _CLUSTERS, answers="lending.report"),
    # contrasts
    Clash("baseline", "{champion} is given too; choose one of the two", beside="champion"),
    Clash("baseline", "names a window, but {by} was not given; give {by}, or a frame",
        without="by", if_given=lambda q: q.is_window("baseline")),
    Clash("baseline", "names a window of one column, but {by} has {detail}; give one, or a frame",
        beside="by",
        when=lambda q: (
            q.is_window("baseline")
            and (number := len(q.roles.windows.without_classes.columns)) > 1
            and number
        )),
    Clash("baseline",
        "names a window, but the windows of {period} share rows, so that no interval of their "
        "difference is valid; leave {period} out, or give a frame", beside="period",
        when=lambda q: q.is_window("baseline") and q.roles.windows.overlap),
    Clash("baseline_count", _PART.format("baseline"), without="baseline"),
    Clash("baseline_count",
        "names a column of the baseline, but {baseline} is no frame; leave it out",
        if_given=lambda q: q.is_window("baseline")),
    Clash("baseline",
        "a frame is compared as a whole, but {by} makes windows; leave one of the two out, or give "
        "'previous' or 'first'", beside="by", answers="intake",
        if_given=lambda q: not q.is_window("baseline")),
    Clash("drift", _DRIFT, without="baseline"),
    Clash("drift", _DRIFT, without="confidence"),
    Clash("champion",
        "is compared with other models, but neither {predicted} nor {estimated} names any; give "
        + "predicted={{model: column}}",
        when=lambda q: not q.roles.named_models),
    Clash("champion", "compares decisions, but the models give scores; give {threshold}",
        without="threshold estimated", when=lambda q: q.roles.predicted is None),
    Clash("champion",
        "counts rows by both decisions at listed thresholds, got {detail}; list some",
        beside="threshold", answers="switches",
        when=lambda q: q.roles.thresholds == EVERY and repr(EVERY)),
    # answers about two outcomes, one model, one facet, one threshold
    Clash("classes", "{answer} is about two outcomes; leave it out, and give {positive}",
        answers="calibration choose compare consistency explore fliptest "
        "intake representation reweigh "
        f"reweighed switches {_TABLES}"),
    Clash("predicted", f"{{answer}} {_ONE_MODEL}",
        answers="explore fliptest consistency",
        if_given=lambda q: q.has_models("predicted")),
    Clash("predicted", "a reported number is about one model; name one column, or compare models "
        "by audit with {champion}", answers="compare",
        if_given=lambda q: q.has_models("predicted")),
    Clash("threshold", "{answer} is about the decisions at one threshold, got several; give one "
        "number", answers="fliptest consistency plan", if_given=lambda q: q.has_thresholds),
    Clash("favored", f"{{answer}} needs sides without rows in common, and {_ALL_TOO}; compare d "
        f"with the rest, without {OVERALL!r}", answers="fliptest",
        when=lambda q: q.is_against_all),
    Clash("by", "{answer} compares each person with all others; leave it out, and call {answer} "
        "for the rows of each window", answers="fliptest consistency"),
    Clash("threshold", "explore needs several thresholds to choose from; give a list or 'every', "
        "or leave it out",
        answers="explore", if_given=lambda q: not q.has_thresholds),
    Clash("threshold", "a report is about the decisions at one threshold; give one number, or call "
        "audit for a table of several, or explore for a page with a slider",
        answers="report",
        when=lambda q: len([*q.roles.thresholds]) > 1),
    Clash("by", f"{_REPORTED} none", answers="compare"),
    Clash("facet", f"{_REPORTED} one column", answers="compare",
        when=lambda q: len(q.roles.facets) > 1),
    Clash("threshold", f"{_REPORTED} one number", answers="compare",
        if_given=lambda q: q.has_thresholds),
    Clash("facet", "{detail} is already an intersection; list its attributes one by one",
        answers="worst_groups", when=lambda q: q.intersection),
    Clash("facet", f"{ALL!r} stands for all rows in the result; rename this column with .alias()",
        answers="calibration confusions explore rates switches",
        when=lambda q: any(facet.name == ALL for facet in q.roles.facets)),
    Clash("threshold",
        "{answer} needs one decision for each row, but at {detail} tied rows count in part; give a "
        "number, or call audit", answers="bounds plan switches worst_groups",
        when=lambda q: q.roles.best),
    Clash("estimated",
        "cells would mix the numbers of several models; make one call for each model",
        answers="cells", if_given=lambda q: q.has_models("estimated")),
    Clash("predicted",
        "cells of several models hold decisions, not scores; give {threshold}, or make one call "
        "for each model",
        without="estimated", answers="cells",
        when=lambda q: (
            q.has_models("predicted")
            and (q.roles.predicted is None or (q.roles.decides_by_score and q.roles.shows_scores))
        )),
    Clash("count",
        "'weight_sq' has the sums of squares of the old weights, and would be read with the new "
        "ones; rename it, or reweigh the rows before they are counted", answers="reweighed",
        when=lambda q: q.roles.has_squares),
    Clash("holdout", "a share of the rows is drawn, but with {count} each row stands for several; "
        "give a frame of the rows that are held out", beside="count",
        if_given=lambda q: q.is_window("holdout")),
    # lending, hiring and pay
    Clash("subgroup",
        "{answer} has no segments; give {by} for a table of each, or call lending.segments",
        answers="lending.table lending.quantiles"),
    Clash("predicted", f"the scores of {{score}} decide who is accepted; {_ONE}", beside="score",
        answers="lending.quantiles"),
    Clash("favored",
        f"with {{weight}}, the p-value needs sides without rows in common, and {_ALL_TOO}; name a "
        "group, or leave {weight} out", beside="weight", answers=_TABLES,
        when=lambda q: q.is_against_all),
    Clash("favored",
        f"{_ALL_TOO}, but within segments each row is on one side; name a group, or give "
        f"{HIGHEST!r} or {LARGEST!r}", answers="lending.segments",
        when=lambda q: q.is_against_all),
    Clash("deviation",
        "'population' is the standard deviation of scores, but there are none; give {score}, or "
        "leave {deviation} out",
        when=lambda q: q.given["deviation"] == "population" and q.roles.score is None),
    Clash("deviation", f"'pooled' is the standard deviation within sides, but {_ALL_TOO}; give "
        f"deviation='population', or leave {{score}} out",
        when=lambda q: q.given["deviation"] == "pooled" and q.roles.score and q.is_against_all),
    Clash("selected",
        "the rates follow from either {selected} or {score}; leave one out",
        beside="score", answers="hiring.impact_ratios"),
    Clash("positive",
        f"is for {{selected}}, but a score is split at the median; {_ONE}",
        beside="score", answers="hiring.impact_ratios"),
    Clash("basic category controls",
        "rule='uk' has no gaps by category and none at equal controls; leave {argument} out",
        beside="rule", answers="pay.table", if_given=lambda q: q.given["rule"] == "uk"),
    Clash("basic", "is for the gaps of each category; give {category}, or leave it out",
        without="category", answers="pay.table"),
    Clash("justification", "is about categories that are left out; give exclude_below=0.02, or "
        "leave it out", without="exclude_below"),
)  # fmt: skip
"""The arguments and answers that do not go together."""

CLASHES_OF_METRICS: Final = (
    Clash("favored",
        f"{{answer!r}} needs sides without rows in common, and {_ALL_TOO}; compare d with the "
        f"rest, without {OVERALL!r}, or leave the metric out",
        when=lambda q: q.is_against_all and needs_sides_apart(q.metric)),
    Clash("favored",
        f"{{answer!r}} compares all classes at once, but {HIGHEST!r} is the group with the highest "
        f"rate of one class; name a group, or give {LARGEST!r}",
        when=lambda q: (
            q.roles.classes and q.roles.ranks_groups and q.metric.parsed.level.divides_values
        )),
    Clash("weight", "{answer!r} takes no weights; leave the weights or the metric out",
        when=lambda q: q.roles.is_weighted and not q.metric.takes_weights),
    Clash("facet", "{detail} is already an intersection; list its attributes one by one",
        when=lambda q: q.metric.is_joint and q.intersection),
    Clash("facet", f"{_EACH_ROW}; leave this facet out",
        when=lambda q: (q.metric.is_joint or q.metric.parsed.level.number) and q.uncertain),
    Clash("champion", "{answer!r} is a quantile, and the covariance of the quantiles of two models "
        "is not known; leave the champion or the metric out",
        when=lambda q: q.metric.parsed.level.number and q.roles.champion),
)  # fmt: skip
"""The arguments that do not go with some metrics, which are the answers here."""


@cache
def clashes_of(answer: str, *, by_schema: bool) -> list[tuple[Clash, set[str], set[str], set[str]]]:
    """The rows about an answer, then those about all, each with the arguments that it names.

    Their conditions need the schema, or the arguments alone.
    """
    about = [row for row in CLASHES if not row.answers or answer in row.answers.split()]
    of_stage = [row for row in about if (row.when is not None) == by_schema]
    return [
        (row, {*row.arguments.split()}, {*row.beside.split()}, {*row.without.split()})
        for row in sorted(of_stage, key=lambda row: not row.answers)
    ]


def clashes_shown(answer: str, own: Collection[str], taken: Collection[str]) -> list[str]:
    """What the docstring of a function says of its answer, and of its own arguments."""
    return [
        row.described(answer, taken)
        for row in CLASHES
        if answer in row.answers.split()
        or (not row.answers and not {*own}.isdisjoint(f"{row.arguments} {row.beside}".split()))
    ]


def refuse_clashes(case: Case) -> None:
    """Raise if arguments do not go together, or not with the answer."""
    names = case.names
    for row, arguments, beside, without in clashes_of(case.answer, by_schema=case.read is not None):
        if arguments & names and (not beside or beside & names) and not without & names:
            row.refuse(case)


def refuse_clashes_of(metric: Metric, roles: Roles) -> None:
    """Raise if arguments do not go with a metric."""
    given = {
        "facet": roles.facets,
        "favored": [facet.reference for facet in roles.facets if facet.reference],
        "weight": roles.is_weighted,
        "champion": roles.champion,
    }
    case = Case(metric.name, given, roles, metric)
    for row in CLASHES_OF_METRICS:
        if given[row.arguments]:
            row.refuse(case)


NEEDS: Final[Mapping[str, Sequence[str]]] = {
    "bounds": ["facet"],
    "calibration": ["score"],
    "confusions": ["label values", "predicted values"],
    "consistency": ["predicted"],
    "fliptest": ["facet", "predicted"],
    "intake": ["facet"],
    "representation": ["facet"],
    "reweigh": ["facet", "label values"],
    "reweighed": ["facet", "label values"],
    "switches": ["predicted"],
    "pairs": ["facet", "predicted"],
    "lending.report": ["facet", "predicted"],
    "lending.table": ["facet", "predicted"],
    "lending.quantiles": ["facet", "predicted"],
    "lending.segments": ["facet", "predicted", "subgroup"],
}
"""The arguments that a function requires, named as the needs of metrics."""


def refuse_missing_needs(roles: Roles, name: str, needs: Iterable[str]) -> None:
    """Raise if a required argument is missing."""
    for need in needs:
        if need not in roles.given:
            _refuse_missing(roles, name, need)


def refuse_unknown_positive(roles: Roles, name: str, *outcomes: Outcome) -> None:
    """Raise if the positive values of an outcome are unknown."""
    for outcome in outcomes:
        if not outcome.is_binary:
            _refuse_missing(roles, name, outcome.role)


def refuse_unranked_groups(roles: Roles) -> None:
    """Raise if the group with the highest rate is side a, and there is no rate."""
    if not roles.ranks_groups:
        return
    if roles.ranking_outcome is None:
        raise FairnessError(
            f"favored: {HIGHEST!r} is the group with the highest rate of an outcome, but "
            f"there is no outcome; name the predicted or the label column, or give {LARGEST!r}"
        )
    given = "favored=pf.HIGHEST"
    refuse_unknown_positive(roles, given, roles.ranking_outcome)


def refuse_divided_multiples(roles: Roles, name: str, bins: int) -> None:
    """Raise if scores were rounded down to multiples that may lie in two bins."""
    score = roles.score
    if score is None or score.divides_bins(bins):
        return
    if score.multiples is None:
        raise FairnessError(
            f"resolution: the scores of these cells were rounded down, and {name!r} needs to know "
            f"to what; give the resolution= with which they were counted"
        )
    width, step = 1 / bins, float(score.multiples.step)
    raise FairnessError(
        f"resolution: multiples of {step:g} may lie in two of the {bins} bins of {name!r}; give "
        f"another number of bins, or a resolution that divides their width of {width:g}, such as "
        f"{width / ceil(width / step):g}"
    )


def refuse_no_columns(columns: Sequence[Column], name: str) -> None:
    """Raise if the question names no column to count by."""
    if not columns:
        raise FairnessError(f"{name}: no column to count by; give facet=, label= or predicted=")


def refuse_taken_names(roles: Roles, arguments: Container[str], output: Iterable[str]) -> None:
    """Raise if a column of these arguments has the name of another column of the result."""
    shown = (column for column in roles.columns if column.argument in arguments)
    refuse_taken(shown, (*roles.windows.made, *output))


def refuse_taken(columns: Iterable[Column], output: Iterable[str]) -> None:
    """Raise if a column of the caller has the name of another column of the result."""
    taken = [*output]
    for column in columns:
        if column.name in taken:
            raise FairnessError(
                f"{column.argument}: the result already has a column {column.name!r}; rename this "
                f"one with .alias()"
            )
        taken.append(column.name)


def _refuse_missing(roles: Roles, name: str, need: str) -> None:
    argument = need.partition(" ")[0]
    if argument == "score" and roles.champion is not None:
        raise FairnessError(
            f"champion: {name} is about scores, but models are compared with a champion by their "
            f"decisions; leave the metric or champion= out"
        )
    outcome = {"label": roles.label, "predicted": roles.predicted}.get(argument)
    if argument == "predicted" and outcome is None and (score := roles.score) is not None:
        if score.argument == "score":
            msg = f"threshold: {name} needs decisions; give threshold= to make them from the score"
        else:
            msg = (
                f"predicted: {score.column.name!r} is {score.column.dtype}, a score; give "
                f"threshold= to make decisions from it, or positive= if "
                "its values are decisions already"
            )
    elif outcome is None:
        msg = f"{argument}: {name} requires it; name the {argument} column"
    else:
        msg = (
            f"positive: {name} needs to know which values of {outcome.column.name!r} "
            f"({outcome.column.dtype}) count as positive; give positive="
        )
    raise FairnessError(msg)

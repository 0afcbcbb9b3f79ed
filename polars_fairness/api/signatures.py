"""Signatures and docstrings of public functions, filled in from the rows of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from inspect import Parameter, cleandoc, signature
from re import sub
from textwrap import fill
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast, overload

import polars as pl

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.clashes import clashes_shown
from polars_fairness.api.functions import METHODS, PRESCRIBED
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.raising import errors_of_users, worded_if_raised
from polars_fairness.counting.rows import AnyFrame, EngineFrame
from polars_fairness.errors import FairnessError, keyword, listed, nearest, shown
from polars_fairness.question.arguments import DEFAULTS, OF_QUESTION, Argument

Function = TypeVar("Function", bound=Callable[..., Any])
_Named = TypeVar("_Named", bound=Argument | Parameter)
_Given = ParamSpec("_Given")


class Answering(Protocol[_Given]):
    """A function that returns a LazyFrame for a LazyFrame, else a DataFrame."""

    @overload
    def __call__(
        self, frame: pl.LazyFrame, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> pl.LazyFrame: ...
    @overload
    def __call__(
        self, frame: pl.DataFrame | EngineFrame, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> pl.DataFrame: ...


Reasons = Mapping[str, str]
"""Why a function does not take an argument that others take, by the name of the argument."""

NO_REASONS: Final[Reasons] = MappingProxyType({})

PLACE: Final = "{arguments}"
PLACE_OF_OWN: Final = "{own arguments}"

_WIDTH: Final = 92
_NOTES: Final = "\n\nNotes\n-----\nWhat does not go together:\n"
_BY_NAME: Final = (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)
_SHARED: Final = [
    Parameter(argument.name, Parameter.KEYWORD_ONLY, default=argument.default)
    for argument in OF_QUESTION
]


def takes(
    *own: Argument,
    shared: Sequence[Argument] = OF_QUESTION,
    module: str = "",
    refused: Reasons = NO_REASONS,
) -> Callable[[Function], Function]:
    """A decorator that names the arguments of a function: those of its question, then its own ones.

    They replace the ``**`` argument in the signature, and ``{arguments}`` in the docstring; its own
    ones alone replace ``{own arguments}``. ``module`` is the public module of the function, if it
    is not the package itself.
    """

    def filled_in(function: Function) -> Function:
        described = cleandoc(function.__doc__ or "")
        for place, arguments in ((PLACE, _in_order(own, shared)), (PLACE_OF_OWN, own)):
            described = described.replace(place, described_in_docstring(arguments))
        name = f"{module}.{function.__name__}" if module else function.__name__
        names = [*signature(function).parameters, *(each.name for each in own)]
        if clashes := clashes_shown(name, names, [*names, *(each.name for each in shared)]):
            items = (_wrapped(each, "- ", "  ") for each in clashes)
            described += "\n".join([_NOTES, *items])
        function.__doc__ = described
        parameters = [_parameter(argument) for argument in own]
        of_shared = _SHARED if shared is OF_QUESTION else [*map(_parameter, shared)]
        return spelled_out(function, parameters, shared=of_shared, name=name, refused=refused)

    return filled_in


def answers(
    *own: Argument, **how: Any
) -> Callable[[Callable[Concatenate[AnyFrame, _Given], PolarsFrame]], Answering[_Given]]:
    """The decorator `takes` for a function whose answer is lazy for a LazyFrame."""
    decorator: Any = takes(*own, **how)
    return cast("Callable[..., Answering[_Given]]", decorator)


def spelled_out(
    function: Function,
    own: Sequence[Parameter] = (),
    *,
    shared: Sequence[Parameter] = _SHARED,
    name: str = "",
    refused: Reasons = NO_REASONS,
) -> Function:
    """The function, with the shared and its own arguments in place of its ``**`` argument.

    A call with any other argument is an error, which speaks of all arguments of this function. So
    is a call without a required one.
    """
    name = name or function.__name__
    written = signature(function)
    described = {parameter.name for parameter in own}
    others = [each for each in written.parameters.values() if each.name not in described]
    by_place = [each for each in others if each.kind not in _BY_NAME]
    by_name = [
        *(each for each in others if each.kind is Parameter.KEYWORD_ONLY),
        *(parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in own),
    ]
    shown = written.replace(parameters=[*by_place, *_in_order(by_name, shared)])
    required = [each.name for each in by_name if each.default is Parameter.empty]

    @wraps(function)
    def checked(*places: Any, **names: Any) -> Any:
        refuse_unknown_arguments(name, places, names, shown.parameters, refused)
        for argument in required:
            if names.get(argument) is None:
                raise FairnessError(
                    f"{argument}: {name} needs it, and it was not given; give {keyword(argument)}"
                )
        if isinstance(places[0] if places else names.get("frame"), pl.DataFrame):
            return worded_if_raised(partial(function, *places, **names))
        with errors_of_users():
            return function(*places, **names)

    vars(checked)["__signature__"] = shown
    return cast("Function", checked)


def _in_order(own: Sequence[_Named], shared: Sequence[_Named]) -> list[_Named]:
    """Arguments as a reader looks for them: what is compared, then the options."""
    asks = any(each.name == "facet" for each in shared)
    return [*shared, *own] if asks else [*own, *shared]


def described_in_docstring(arguments: Iterable[Argument]) -> str:
    """Arguments as the section "Parameters" of a docstring lists them."""
    return "\n".join(
        f"{argument.name}\n{_wrapped(f'{argument.sentence} {argument.details}'.strip())}"
        for argument in arguments
    )


def _parameter(argument: Argument) -> Parameter:
    return Parameter(
        argument.name,
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if argument.is_required else argument.default,
        annotation=argument.annotation,
    )


def _wrapped(text: str, first: str = " " * 4, others: str = " " * 4) -> str:
    # A literal in backticks is not broken over two lines.
    whole = sub(r"``.*?``", lambda literal: literal[0].replace(" ", "\xa0"), text)
    lines = fill(
        whole, _WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False
    )
    return lines.replace("\xa0", " ")


class UnknownArgumentError(FairnessError, TypeError):
    """An argument that a function does not have; a `TypeError` too, as in calls of others."""


@dataclass(frozen=True)
class Elsewhere:
    """The names that an argument has in other tools, separated by blanks."""

    here: str
    names: str
    note: str = ""

    @property
    def there(self) -> list[str]:
        return self.names.split()

    @property
    def argument(self) -> str:
        """The argument as a message names it."""
        return f"{self.here}= here ({self.note})" if self.note else f"{self.here}= here"


IN_OTHER_TOOLS: Final = (
    Elsewhere(
        "facet",
        "sensitive_features sensitive_feature sensitive_attribute sensitive_attributes "
        "sensitive_attribute_column sensitive_attr sensitive_attrs sensitive_column sensitive "
        "protected_attribute protected_attributes protected_attribute_names protected_column "
        "protected prot_attr p_attr facet_column facet_name attributes attr_cols group groups "
        "group_column group_col feature_keys",
    ),
    Elsewhere(
        "facet",
        "group_a group_b sensitive_facet_index",
        note="with disfavored= and favored=",
    ),
    Elsewhere(
        "disfavored",
        "unprivileged unprivileged_group unprivileged_groups disadvantaged disadvantaged_group "
        "protected_group minority minority_group sensitive_values facet_values_or_threshold",
    ),
    Elsewhere(
        "favored",
        "privileged privileged_group privileged_groups privileged_classes priv_group advantaged "
        "advantaged_group majority majority_group reference reference_group reference_groups "
        "ref_group ref_groups ref_groups_dict base",
    ),
    Elsewhere(
        "label",
        "y_true y target target_column labels label_name label_names label_column label_col "
        "positive_label_index ground_truth actual outcome label_key",
    ),
    Elsewhere(
        "predicted",
        "y_pred y_hat yhat pred preds prediction predictions predicted_label predicted_labels "
        "predicted_label_column positive_predicted_label_index decision prediction_key",
    ),
    Elsewhere("score", "scores scores_name score_column score_col y_score y_prob y_proba probs"),
    Elsewhere(
        "positive",
        "pos_label positive_label positive_labels positive_label_values positive_outcome "
        "positive_class favorable_label favorable_classes label_values_or_threshold",
    ),
    Elsewhere("threshold", "thresh cutoff cutoffs thresholds score_threshold score_thresholds"),
    Elsewhere(
        "subgroup",
        "strata stratum stratify control_features group_variable group_name condition",
    ),
    Elsewhere("features", "X feature_names feature_columns"),
    Elsewhere("by", "group_by groupby window windows"),
    Elsewhere(
        "weight",
        "sample_weight sample_weights weights instance_weights instance_weights_name "
        "example_weight_key",
    ),
    Elsewhere("count", "counts n frequency frequencies"),
    Elsewhere("nulls", "dropna missing", note="'raise' or 'drop'"),
    Elsewhere("k", "n_neighbors n_neighbours neighbors neighbours"),
    Elsewhere("standardize", "normalize scale"),
    Elsewhere("p", "norm_order"),
    Elsewhere("metrics", "metric measures input_group_metrics fair_measures_requested"),
    Elsewhere("confidence", "confidence_level ci ci_quantiles"),
    Elsewhere("confidence", "alpha significance_level", note="1 − alpha"),
    Elsewhere("replicates", "n_boot n_bootstrap n_bootstraps n_resamples bootstrap"),
    Elsewhere("seed", "random_state random_seed rng"),
    Elsewhere("bands", "acceptable tolerance epsilon tau"),
    Elsewhere("minimum_count", "min_count min_size min_group_size minimum_size min_slice_size"),
    Elsewhere("p_values", "check_significance significance"),
    Elsewhere("p_values", "p_adjust p_adjust_method", note="'holm' or 'bh'"),
    Elsewhere("p_values", "fdr fdr_bh benjamini_hochberg", note="'bh'"),
    Elsewhere("depth", "max_depth"),
    Elsewhere("maximise", "objective maximize"),
    Elsewhere("equal", "constraint constraints"),
)
"""The arguments of Fairlearn, AIF360, HolisticAI, Aequitas, Clarify and their like, by ours."""

_BY_NAME_THERE: Final = {there: row for row in IN_OTHER_TOOLS for there in row.there}


@cache
def _takers() -> Mapping[str, Sequence[str]]:
    """The public functions that take an argument by name; this loads them all."""
    takers: dict[str, list[str]] = {}
    modules = {"": METHODS, **{f"{module}.": each for module, each in PRESCRIBED.items()}}
    for module, functions in modules.items():
        for name, function in functions.items():
            for parameter in signature(function).parameters.values():
                if parameter.kind is Parameter.KEYWORD_ONLY:
                    takers.setdefault(parameter.name, []).append(f"{module}{name}")
    return takers


def refuse_unknown_arguments(
    function: str,
    by_place: Sequence[object],
    by_name: Collection[str],
    taken: Mapping[str, Parameter],
    refused: Mapping[str, str],
) -> None:
    """Raise for the first argument that is not in the function's signature, and say what to do.

    ``refused`` has the reasons why this function does not take arguments of others.
    """
    kinds = [parameter.kind for parameter in taken.values()]
    places = [name for name, each in taken.items() if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    if len(by_place) > len(places) and Parameter.VAR_POSITIONAL not in kinds:
        needed = (
            name
            for name, each in taken.items()
            if each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty
        )
        raise UnknownArgumentError(
            f"{function}: takes nothing but the {' and '.join(places)} by place, got "
            f"{' and '.join(map(shown, by_place[len(places) :]))}; give columns by name, such as "
            f"{next(needed, 'facet')}='sex'"
        )
    for argument in by_name:
        if argument not in taken or taken[argument].kind is Parameter.VAR_POSITIONAL:
            elsewhere = _BY_NAME_THERE.get(argument)
            hint = refused.get(argument) or (elsewhere and refused.get(elsewhere.here))
            hint = hint or ", or ".join(_meant(function, argument, taken)) or _near(argument, taken)
            raise UnknownArgumentError(f"{argument}: no such argument of {function}; {hint}")


def _meant(function: str, argument: str, taken: Mapping[str, Parameter]) -> Iterator[str]:
    """What may be meant by an argument that is known in other tools or in other functions."""
    elsewhere = _BY_NAME_THERE.get(argument, Elsewhere(argument, ""))
    here = elsewhere.here
    if here in taken and taken[here].kind is Parameter.VAR_POSITIONAL:
        yield f"give {here} without a name: {function}(frame, 'di', 'rd', ...)"
        return
    if here in taken:
        yield f"it is called {elsewhere.argument}"
    elif here != argument and here in _takers():
        yield f"it is called {elsewhere.argument}, an argument of {_functions(here)}"
    if argument in _takers():
        yield f"it is an argument of {_functions(argument)}"


def _functions(argument: str) -> str:
    # The functions of one metric come last: there are many of them. Those of a module are named
    # only if no others take the argument.
    takers = [name for name in _takers()[argument] if "." not in name] or _takers()[argument]
    return listed(sorted(takers, key=CATALOGUE.names.__contains__), most=3)


def _near(argument: str, taken: Mapping[str, Parameter]) -> str:
    known = [
        name
        for name, each in taken.items()
        if name != "frame" and each.kind is not Parameter.VAR_POSITIONAL
    ]
    if near := nearest(argument, known):
        return f"did you mean {listed(near, 'or')}?"
    if elsewhere := nearest(argument, _takers()):
        return f"did you mean {elsewhere[0]!r}, an argument of {_functions(elsewhere[0])}?"
    if not DEFAULTS.keys() <= taken.keys():
        return f"there are {listed(known, most=len(known))}"
    own = [name for name in known if name not in DEFAULTS]
    shared = listed(DEFAULTS, most=len(DEFAULTS))
    if not own:
        return f"there are {shared}"
    return f"there are {listed(own, most=len(own))}, and those of every question, {shared}"

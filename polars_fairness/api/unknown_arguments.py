"""Arguments that a function does not have, and the arguments that were meant by them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final

from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, listed, nearest, shown
from polars_fairness.question.arguments import DEFAULTS


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
    Elsewhere("facet",
        "sensitive_features sensitive_feature sensitive_attribute sensitive_attributes "
        "sensitive_attribute_column sensitive_attr sensitive_attrs sensitive_column sensitive "
        "protected_attribute protected_attributes protected_attribute_names protected_column "
        "protected prot_attr p_attr facet_column facet_name attributes attr_cols group groups "
        "group_column group_col feature_keys"),
    Elsewhere("facet", "group_a group_b sensitive_facet_index",
        note="with disfavored= and favored="),
    Elsewhere("disfavored",
        "unprivileged unprivileged_group unprivileged_groups disadvantaged disadvantaged_group "
        "protected_group minority minority_group sensitive_values facet_values_or_threshold"),
    Elsewhere("favored",
        "privileged privileged_group privileged_groups privileged_classes priv_group advantaged "
        "advantaged_group majority majority_group reference reference_group reference_groups "
        "ref_group ref_groups ref_groups_dict base"),
    Elsewhere("label",
        "y_true y target target_column labels label_name label_names label_column label_col "
        "positive_label_index ground_truth actual outcome label_key"),
    Elsewhere("predicted",
        "y_pred y_hat yhat pred preds prediction predictions predicted_label predicted_labels "
        "predicted_label_column positive_predicted_label_index decision prediction_key"),
    Elsewhere("score", "scores scores_name score_column score_col y_score y_prob y_proba probs"),
    Elsewhere("positive",
        "pos_label positive_label positive_labels positive_label_values positive_outcome "
        "positive_class favorable_label favorable_classes label_values_or_threshold"),
    Elsewhere("threshold", "thresh cutoff cutoffs thresholds score_threshold score_thresholds"),
    Elsewhere("subgroup",
        "strata stratum stratify control_features group_variable group_name condition"),
    Elsewhere("controls", "control covariates confounders adjust adjust_for"),
    Elsewhere("features", "X feature_names feature_columns"),
    Elsewhere("by", "group_by groupby window windows"),
    Elsewhere("weight",
        "sample_weight sample_weights weights instance_weights instance_weights_name "
        "example_weight_key"),
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
)  # fmt: skip
"""Arguments of Fairlearn, AIF360, HolisticAI, Aequitas, Clarify and similar tools, by ours."""

_BY_NAME_THERE: Final = {there: row for row in IN_OTHER_TOOLS for there in row.there}


PUBLIC: Final[dict[str, Mapping[str, Callable[..., Any]]]] = {}
"""The public functions by module and name; their list fills it in, as no answer imports that."""


@cache
def _takers() -> Mapping[str, Sequence[str]]:
    """The public functions that take an argument by name; this loads them all."""
    takers: dict[str, list[str]] = {}
    for module, functions in PUBLIC.items():
        for name, function in functions.items():
            for parameter in signature(function).parameters.values():
                if parameter.kind is Parameter.KEYWORD_ONLY:
                    takers.setdefault(parameter.name, []).append(f"{module}.{name}".lstrip("."))
    return takers


def refuse_unknown_arguments(
    function: str,
    by_place: Sequence[object],
    by_name: Collection[str],
    taken: Mapping[str, Parameter],
    refused: Mapping[str, str],
) -> None:
    """Raise for the first argument that is not in the function's signature, and say what to do.

    ``refused`` says why this function does not take certain arguments of other functions.
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
            f"{function}: takes only the {' and '.join(places)} by position, got "
            f"{' and '.join(map(shown, by_place[len(places) :]))}; give columns by name, such as "
            f"{next(needed, 'facet')}='sex'"
        )
    for argument in by_name:
        if argument not in taken or taken[argument].kind is Parameter.VAR_POSITIONAL:
            elsewhere = _BY_NAME_THERE.get(argument)
            hint = refused.get(argument) or (elsewhere and refused.get(elsewhere.here))
            hint = hint or ", or ".join(_meant(function, argument, taken)) or _near(argument, taken)
            raise UnknownArgumentError(f"{argument}: {function} has no such argument; {hint}")


def _meant(function: str, argument: str, taken: Mapping[str, Parameter]) -> Iterator[str]:
    """What an argument of other tools or other functions may mean here."""
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

"""The function `scorer`: what `choose` says of a model, as a scorer for scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, Final, Unpack

import polars as pl

from polars_fairness.answers.choose import FLAGS, Aims, choose, find_aims, objective_of
from polars_fairness.api.requested import one_by_one
from polars_fairness.api.signatures import takes
from polars_fairness.api.verdicts import widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import OF_CHOOSE, ChoiceQuestion
from polars_fairness.question.columns import Probabilities

# What scikit-learn gives, and what would give several numbers.
_OF_MODEL: Final = ("label", "predicted", "score")
_OF_ROWS: Final = ("facet", "subgroup", "weight", "count", "cluster")

# The columns of outcomes, by where they come from.
_OUTCOMES: Final = ("y", "predict(X)", "predict_proba(X)")


@dataclass(frozen=True)
class Scorer:
    """Scores a fitted estimator, as ``scoring=`` of scikit-learn; `scorer` makes one.

    It can be pickled, so that other processes score too.
    """

    metrics: tuple[str | Metric | Sequence[str | Metric], ...]
    given: Mapping[str, Any]
    _aims: Aims = field(init=False, repr=False)
    _errors: list[FairnessError] = field(  # scikit-learn turns the error of a fold into a warning
        init=False, repr=False, compare=False, default_factory=list
    )

    def __post_init__(self) -> None:
        named = {
            each.name: each
            for each in (
                CATALOGUE[metric] if isinstance(metric, str) else metric
                for metric in one_by_one(self.metrics)
            )
        }
        objective = objective_of(self.given.get("maximise", "accuracy"), FLAGS)
        object.__setattr__(self, "_aims", find_aims(objective, named, self.given.get("bands")))

    @property
    def columns(self) -> list[str]:
        """The columns that the question needs beside the outcomes."""
        given = (self.given.get(role) for role in _OF_ROWS)
        return list(dict.fromkeys(name for each in given for name in _names_in(each)))

    def __call__(self, estimator: Any, X: Any, y: Any, **metadata: Any) -> dict[str, float]:  # noqa: N803
        """The values of a fitted estimator for these rows: those of `choose`, by name."""
        try:
            return self._values(estimator, X, y, metadata)
        except FairnessError as error:
            self._errors.append(error)
            raise

    def _values(
        self,
        estimator: Any,
        X: Any,  # noqa: N803
        y: Any,
        metadata: Mapping[str, Any],
    ) -> dict[str, float]:
        classes = [*getattr(estimator, "classes_", ())]
        label, decision, score = (_unlike(name, self.columns) for name in _OUTCOMES)
        outcomes = {label: y, decision: estimator.predict(X)}
        question = {**self.given, "label": label, "predicted": {"model": decision}}
        if hasattr(estimator, "predict_proba") and len(classes) == 2:
            positive = self.given.get("positive")
            place = classes.index(positive) if positive in classes else 1
            outcomes[score] = estimator.predict_proba(X)[:, place]
            question["score"] = score
        rows = {name: self._column(X, name, metadata) for name in self.columns} | outcomes
        frame = pl.DataFrame({name: pl.Series(name, each) for name, each in rows.items()})
        if frame[decision].dtype.is_float() and self.given.get("positive") is None:
            raise FairnessError(
                f"positive: {decision} gives {frame[decision].dtype}, and which values are "
                "accepted is not known; give positive=, or an estimator that classifies"
            )
        [row] = choose(frame, *self.metrics, **question).drop("model", *FLAGS).to_dicts()
        return {name: nan if value is None else value for name, value in row.items()}

    def best(self, results: Mapping[str, Sequence[float]]) -> int:
        """The index of the best candidate within the bands, as ``refit=`` of a search.

        Its mean over the folds is the highest of all candidates whose metrics are within their
        bands on average.
        """
        names = (self._aims.objective.name, *self._aims.metrics)
        if f"mean_test_{names[0]}" not in results:
            why = f", the last one because of {self._errors[-1]}" if self._errors else ""
            raise FairnessError(
                f"refit: no candidate has values, as each fold failed{why}; "
                "error_score='raise' of the search raises the first error"
            )
        columns = {name: results[f"mean_test_{name}"] for name in names}
        table = pl.DataFrame(columns).with_row_index("place").fill_nan(None)
        bands = {name: band for name, band in self._aims.bands.items() if band is not None}
        within = [pl.col(name).is_between(*widened(band)) for name, band in bands.items()]
        fitting = table.filter(*within).sort(self._aims.objective.name, descending=True)
        if fitting.is_empty():
            spans = ((name, table[name].drop_nulls().to_list()) for name in bands)
            nearest = (f"{name} {min(each):.3g} to {max(each):.3g}" for name, each in spans if each)
            raise FairnessError(
                f"refit: no candidate has its metrics in the bands: {'; '.join(nearest)} on "
                f"average; try more candidates, or give a wider band by bands="
            )
        place: int = fitting["place"][0]
        return place

    def get_metadata_routing(self) -> Any:
        """The columns that scikit-learn may pass besides X, by its metadata routing."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner="polars_fairness.scorer")
        for name in self.columns:
            request.score.add_request(param=name, alias=True)
        return request

    @staticmethod
    def _column(X: Any, name: str, metadata: Mapping[str, Any]) -> Any:  # noqa: N803
        if name in metadata:
            return metadata[name]
        columns = getattr(X, "columns", ())
        if name in columns:
            return X[name]
        has = f"has {listed(columns)}" if len(columns) else "has no names of columns"
        raise FairnessError(
            f"scorer: there is no column {name!r} in X, which {has}; leave it in X, or give "
            f"params={{{name!r}: ...}} with sklearn.set_config(enable_metadata_routing=True)"
        )


def _unlike(name: str, taken: Sequence[str]) -> str:
    """The name, changed if it is one of these."""
    return name if name not in taken else _unlike(f"{name}'", taken)


def _names_in(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, pl.Expr):
        yield from given.meta.root_names()
    elif isinstance(given, Probabilities):
        yield from _names_in([*given.columns.values()])
    elif isinstance(given, Iterable):
        for each in given:
            yield from _names_in(each)


@takes(*OF_CHOOSE)
def scorer(
    *metrics: str | Metric | Sequence[str | Metric], **given: Unpack[ChoiceQuestion]
) -> Scorer:
    """Return a scorer for scikit-learn, with the values that `choose` has for a candidate.

    Give it as ``scoring=`` to ``cross_validate`` or ``GridSearchCV``. The columns of groups are
    taken from X, or passed as ``params=`` with scikit-learn's metadata routing. Each fold has the
    selection rate, the value to maximise, and for each metric the comparison farthest from the
    ideal; an undefined value is NaN. Its method ``best``, given as ``refit=``, picks the candidate
    with the highest value whose metrics are within their bands.

    Parameters
    ----------
    *metrics
        Names from the catalogue, or metrics of your own, that are to be within their bands.
    {own arguments}
    **question
        As in `choose`, without ``label``, ``predicted`` and ``score``: the model gives these.

    Returns
    -------
    Scorer
        It takes an estimator, X and y, and can be pickled.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> scorer = pf.scorer("di", "rd", facet="sex")
    >>> class AcceptsTheRich:
    ...     def predict(self, X):
    ...         return X["income"] >= 45_000
    >>> loans = pf.datasets.loans()
    >>> values = scorer(AcceptsTheRich(), loans, loans["repaid"])
    >>> round(values["accuracy"], 4), round(values["di"], 4)
    (0.6153, 0.8745)
    """
    for name in (*_OF_MODEL, "by", "threshold"):
        if given.get(name) is not None:
            why = "the estimator gives it" if name in _OF_MODEL else "a fold has one number"
            raise FairnessError(f"{name}: a scorer does not take it, as {why}; leave it out")
    return Scorer(metrics, given)

"""The catalogue: an entry for each metric, in one module for each subject.

A new metric is a new entry in one of these modules. Its method, plain function, signature, row in
the documentation and contract tests are derived from the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from polars_fairness.catalogue import data, groups, individuals, performance, population, selection
from polars_fairness.errors import FairnessError, did_you_mean
from polars_fairness.formula.metric import Metric


class Catalogue(Mapping[str, Metric]):
    """The metrics by name; an alias finds its metric too, but is not an entry of its own.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.CATALOGUE["disparate_impact"].name
    'di'
    >>> "disparate_impact" in list(pf.CATALOGUE)
    False
    """

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics: dict[str, Metric] = {}
        self._by_any_name: dict[str, Metric] = {}
        for metric in metrics:
            self._metrics[metric.name] = metric
            for name in (metric.name, *metric.aliases):
                if name in self._by_any_name:
                    msg = f"the catalogue has two metrics called {name!r}; rename one"
                    raise FairnessError(msg)
                self._by_any_name[name] = metric

    def __getitem__(self, name: str) -> Metric:
        if name not in self._by_any_name:
            hint = did_you_mean(str(name), self._by_any_name)
            msg = f"metrics: no metric {name!r}; {hint} (polars_fairness.CATALOGUE lists all)"
            raise UnknownMetricError(msg)
        return self._by_any_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    @property
    def names(self) -> tuple[str, ...]:
        """All names and aliases, in the order of the entries."""
        return tuple(self._by_any_name)


class UnknownMetricError(FairnessError, KeyError):
    """Raised for a name that is not in the catalogue; a `KeyError` too, as other mappings raise."""

    __str__ = ValueError.__str__


_SUBJECTS: Final = (selection, performance, data, population, groups, individuals)

CATALOGUE: Final = Catalogue(metric for subject in _SUBJECTS for metric in subject.METRICS)

PARAMETRISED: Final[Mapping[str, Callable[..., Metric]]] = {
    factory.__name__: factory
    for subject in (data, population, groups, individuals)
    for factory in subject.PARAMETRISED
}

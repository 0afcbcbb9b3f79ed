"""The catalogue: an entry for each metric, in one module for each subject.

A new metric is a new entry in one of these modules. Its method, signature, row in
the documentation and contract tests are derived from the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, overload

import polars as pl

from polars_fairness.catalogue import (
    adjusted,
    data,
    groups,
    numbers,
    overall,
    performance,
    population,
    quantiles,
    scores,
    selection,
)
from polars_fairness.catalogue.hints import hint
from polars_fairness.catalogue.prefixes import prefixed
from polars_fairness.errors import FairnessError
from polars_fairness.formula.metric import Metric, ideal_as_text, said

Default = TypeVar("Default")


class Catalogue(Mapping[str, Metric]):
    """The metrics by name.

    Aliases and names in other tools, such as "aif360.average_odds_difference", find a metric too,
    but are not entries of their own. A catalogue prints as a table; a notebook shows all columns of
    `frame`.

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
                    raise FairnessError(
                        f"the catalogue has two metrics called {name!r}; rename one"
                    )
                self._by_any_name[name] = metric

    def __getitem__(self, name: str) -> Metric:
        if name in self._by_any_name:
            return self._by_any_name[name]
        if isinstance(name, str) and (others := prefixed(name)) is not None:
            try:
                return others.factory(name)()
            except LookupError as error:
                raise UnknownMetricError(f"metrics: {error}") from None
        raise UnknownMetricError(
            f"metrics: no metric {name!r}; {hint(str(name), self._by_any_name)} "
            f"(polars_fairness.CATALOGUE lists all)"
        )

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None

    @overload
    def get(self, name: object, /) -> Metric | None: ...
    @overload
    def get(self, name: object, /, default: Metric | Default) -> Metric | Default: ...
    def get(self, name: object, /, default: object = None) -> object:
        # Without the error of a name that is none: its hint reads the tables of other tools.
        is_known = name in self._by_any_name or (isinstance(name, str) and prefixed(name))
        try:
            return self[str(name)] if is_known else default
        except UnknownMetricError:
            return default

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    @property
    def names(self) -> tuple[str, ...]:
        """All names and aliases, in the order of the entries."""
        return tuple(self._by_any_name)

    def frame(self) -> pl.DataFrame:
        """The metrics as a table, to be filtered and sorted.

        Returns
        -------
        DataFrame
            One row per metric: ``name``, ``title``, ``definition``, the ``lowest`` and the
            ``highest`` value that it can take, its ``ideal`` and the band ``acceptable_from`` and
            ``acceptable_to``, each null without one, what a value ``above`` or ``below`` the ideal
            means, the arguments that it ``needs``, its ``source`` and its ``aliases``.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> needs_controls = pl.col("needs").list.contains("controls")
        >>> pf.CATALOGUE.frame().filter(needs_controls)["name"].to_list()[:1]
        ['adjusted_difference']
        """
        return pl.DataFrame(
            {
                name: pl.Series([value(metric) for metric in self.values()], dtype=dtype)
                for name, (dtype, value) in _COLUMNS.items()
            }
        )

    def __repr__(self) -> str:
        shown = pl.DataFrame(
            [
                (
                    each.name,
                    each.title,
                    ideal_as_text(each.ideal),
                    "{:g} to {:g}".format(*each.acceptable) if each.acceptable else "",
                )
                for each in self.values()
            ],
            schema=["name", "title", "ideal", "band"],
            orient="row",
        )
        with pl.Config(
            tbl_rows=-1,
            tbl_cols=-1,
            tbl_width_chars=100,
            tbl_formatting="NOTHING",
            tbl_hide_column_data_types=True,
            tbl_hide_dataframe_shape=True,
            fmt_str_lengths=_WHOLE,
        ):
            return f"{shown}\n\n{_MORE}"

    def _repr_html_(self) -> str:
        with pl.Config(
            tbl_rows=-1, tbl_cols=-1, fmt_str_lengths=_WHOLE, fmt_table_cell_list_len=-1
        ):
            return self.frame()._repr_html_()


_COLUMNS: Final[Mapping[str, tuple[Any, Callable[[Metric], Any]]]] = {
    "name": (pl.String, lambda each: each.name),
    "title": (pl.String, lambda each: each.title),
    "definition": (pl.String, lambda each: each.definition),
    "lowest": (pl.Float64, lambda each: each.range[0]),
    "highest": (pl.Float64, lambda each: each.range[1]),
    "ideal": (pl.Float64, lambda each: each.ideal),
    "acceptable_from": (pl.Float64, lambda each: (each.acceptable or (None,))[0]),
    "acceptable_to": (pl.Float64, lambda each: (each.acceptable or (None,))[-1]),
    "above": (pl.String, lambda each: said(each.above)),
    "below": (pl.String, lambda each: said(each.below)),
    "needs": (pl.List(pl.String), lambda each: each.needs),
    "source": (pl.String, lambda each: each.source),
    "aliases": (pl.List(pl.String), lambda each: each.aliases),
}

_WHOLE: Final = 1_000  # more characters than any text of an entry has, so that none is cut

_MORE: Final = "CATALOGUE.frame() has definitions, ranges, needs, sources and aliases as well."


class UnknownMetricError(FairnessError, KeyError):
    """Raised for a name that is not in the catalogue; a `KeyError` too, as other mappings raise."""

    __str__ = ValueError.__str__


_SUBJECTS: Final = (
    selection,
    adjusted,
    performance,
    data,
    population,
    groups,
    scores,
    numbers,
    quantiles,
    overall,
)

CATALOGUE: Final = Catalogue(metric for subject in _SUBJECTS for metric in subject.METRICS)

PARAMETRISED: Final[Mapping[str, Callable[..., Metric]]] = {
    factory.__name__: factory
    for subject in (data, population, groups, scores, quantiles, overall)
    for factory in subject.PARAMETRISED
}

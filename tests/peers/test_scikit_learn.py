"""A scorer in scikit-learn's cross-validation and searches, beside what folds give by hand."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
import sklearn
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import polars_fairness as pf

NUMBERS = ["income", "debt", "age"]
FOLDS = KFold(3)


@pytest.fixture(scope="module")
def loans() -> pl.DataFrame:
    return pf.datasets.loans().head(3_000).with_columns(pl.col("repaid").cast(pl.Int64))


@pytest.fixture
def routed() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def model(depth: int = 3) -> Any:
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    return make_pipeline(make_column_transformer(("passthrough", NUMBERS)), tree)


def folds(loans: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, np.ndarray[Any, Any], Any]]:
    for train, test in FOLDS.split(loans):
        fitted = model().fit(loans[train], loans["repaid"][train])
        yield loans[test], fitted.predict(loans[test]), fitted.predict_proba(loans[test])[:, 1]


def by_hand(loans: pl.DataFrame) -> dict[str, list[float]]:
    """Accuracy, acceptance of women over that of men, and the difference of recalls."""
    found: dict[str, list[float]] = {"accuracy": [], "di": [], "rd": []}
    for rows, predicted, _ in folds(loans):
        sex, y = rows["sex"].to_numpy(), rows["repaid"].to_numpy()
        found["accuracy"].append(float((predicted == y).mean()))
        rates = {each: predicted[sex == each].mean() for each in "FM"}
        found["di"].append(rates["F"] / rates["M"])
        recalls = {each: predicted[(sex == each) & (y == 1)].mean() for each in "FM"}
        found["rd"].append(recalls["M"] - recalls["F"])
    return found


@pytest.mark.parametrize(("library", "n_jobs"), [("polars", 2), ("pandas", 1)])
def test_each_fold_has_the_values_of_its_rows(
    loans: pl.DataFrame, library: str, n_jobs: int
) -> None:
    x: Any = loans if library == "polars" else loans.to_pandas()
    scorer = pf.scorer("di", "rd", facet="sex")
    found = cross_validate(model(), x, x["repaid"], scoring=scorer, cv=FOLDS, n_jobs=n_jobs)
    for name, values in by_hand(loans).items():
        assert found[f"test_{name}"] == pytest.approx(values, abs=1e-12)


@pytest.mark.usefixtures("routed")
def test_groups_are_routed_beside_an_array(loans: pl.DataFrame) -> None:
    x = loans.select(NUMBERS).to_numpy()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    scorer = pf.scorer("di", facet=pl.col("sex"))
    found = cross_validate(
        tree, x, loans["repaid"].to_numpy(), scoring=scorer, cv=FOLDS, params={"sex": loans["sex"]}
    )
    assert found["test_di"] == pytest.approx(by_hand(loans)["di"], abs=1e-12)


def test_a_missing_column_says_how_to_hand_it_over(loans: pl.DataFrame) -> None:
    x, y = loans.select(NUMBERS), loans["repaid"]
    fitted = model().fit(x, y)
    with pytest.raises(
        pf.FairnessError, match=r"no column 'sex' in X, which has 'income'.*params="
    ):
        pf.scorer("di", facet="sex")(fitted, x, y)
    array = DecisionTreeClassifier(max_depth=1).fit(x.to_numpy(), y)
    with pytest.raises(pf.FairnessError, match="which has no names of columns"):
        pf.scorer("di", facet="sex")(array, x.to_numpy(), y)


def test_a_search_without_a_value_says_why(loans: pl.DataFrame) -> None:
    x, y = loans.select(NUMBERS), loans["repaid"]
    scorer = pf.scorer("di", facet="sex")
    depths = {"decisiontreeclassifier__max_depth": [1, 2]}
    search = GridSearchCV(model(), depths, scoring=scorer, refit=scorer.best, cv=FOLDS)
    with (
        pytest.warns(Warning, match="sex|non-finite"),
        pytest.raises(pf.FairnessError, match=r"^refit: .*no column 'sex' in X, .*error_score"),
    ):
        search.fit(x, y)
    with pytest.raises(pf.FairnessError, match=r"^refit: .* each fold failed; error_score"):
        pf.scorer("di", facet="sex").best({"mean_test_score": [float("nan")]})


class Says:
    """An estimator that predicts a value for every row."""

    def __init__(self, value: object) -> None:
        self.value = value

    def predict(self, X: Any) -> list[object]:  # noqa: N803
        return [self.value] * len(X)


def test_errors_name_what_scikit_learn_gives(loans: pl.DataFrame) -> None:
    scorer, y = pf.scorer("di", facet="sex"), loans["repaid"]
    with pytest.raises(pf.FairnessError, match=r"which values of 'predict\(X\)' \(String\)"):
        scorer(Says("yes"), loans, y)
    with pytest.raises(pf.FairnessError, match=r"^positive: predict\(X\) gives Float64"):
        scorer(Says(0.5), loans, y)
    with pytest.raises(pf.FairnessError, match=r"'no' never occurs in 'y', which has"):
        pf.scorer("di", facet="sex", positive="no")(Says("yes"), loans, y.cast(pl.String))


def test_columns_may_be_called_as_what_scikit_learn_gives(loans: pl.DataFrame) -> None:
    fitted = model().fit(loans, loans["repaid"])
    expected = pf.scorer("di", facet="sex")(fitted, loans, loans["repaid"])
    for name in ("y", "predict(X)", "predict_proba(X)"):
        rows = loans.with_columns(pl.col("sex").alias(name))
        assert pf.scorer("di", facet=name)(fitted, rows, loans["repaid"]) == expected


def test_scores_are_those_of_the_positive_class(loans: pl.DataFrame) -> None:
    scorer = pf.scorer("score_difference", facet="sex", bands={"score_difference": None})
    found = cross_validate(model(), loans, loans["repaid"], scoring=scorer, cv=FOLDS)
    expected = []
    for rows, _, score in folds(loans):
        sex = rows["sex"].to_numpy()
        expected.append(score[sex == "M"].mean() - score[sex == "F"].mean())
    assert found["test_score_difference"] == pytest.approx(expected, abs=1e-12)


def test_words_as_classes(loans: pl.DataFrame) -> None:
    y = loans["repaid"].replace_strict({0: "late", 1: "good"}, return_dtype=pl.String).to_numpy()
    scorer = pf.scorer("di", facet="sex", positive="good", bands={"di": (0.5, 2)})
    found = cross_validate(model(), loans, y, scoring=scorer, cv=FOLDS)
    assert found["test_di"] == pytest.approx(by_hand(loans)["di"], abs=1e-12)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_picks_the_most_accurate_candidate_in_the_band(
    loans: pl.DataFrame, n_jobs: int
) -> None:
    scorer = pf.scorer("di", facet="sex", bands={"di": (0.87, 1.15)})
    depths = {"decisiontreeclassifier__max_depth": [1, 2, 3, 6]}
    search = GridSearchCV(
        model(), depths, scoring=scorer, refit=scorer.best, cv=FOLDS, n_jobs=n_jobs
    ).fit(loans, loans["repaid"])
    accuracies, ratios = (search.cv_results_[f"mean_test_{name}"] for name in ("accuracy", "di"))
    rows = [*zip(accuracies, ratios, strict=True)]
    fitting = [accuracy for accuracy, di in rows if 0.87 <= di <= 1.15]
    assert 0 < len(fitting) < len(rows)
    assert rows[search.best_index_][0] == max(fitting)


def test_an_undefined_value_is_not_a_number(loans: pl.DataFrame) -> None:
    fitted = model().fit(loans, loans["repaid"])
    women = loans.filter(sex="F")
    found = pf.scorer("di", facet="sex")(fitted, women, women["repaid"])
    assert np.isnan(found["di"])


def test_another_process_needs_no_import_of_ours(loans: pl.DataFrame) -> None:
    """What is pickled brings its import; the frame's namespace is registered by it."""
    scorer = pickle.dumps(pf.scorer("di", facet="sex", favored=pf.LARGEST))
    code = f"import pickle; print(pickle.loads({scorer!r}).columns)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['sex']\n"

"""Cross-validation and the one-standard-error rule."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_squared_error, zero_one_loss
from sklearn.model_selection import GridSearchCV, PredefinedSplit

from infimum.errors import DataError
from infimum.evaluation import cross_validate, deal, folds, hold_out, one_standard_error
from infimum.models.trees import DecisionTreeClassifier

STRENGTHS = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e4]


@pytest.fixture
def noisy(rng):
    X = rng.normal(size=(60, 20))
    return X, X[:, 0] + 2 * rng.normal(size=60)


@pytest.mark.syllabus("S4A-084", "S2-018", "S1-032")
def test_the_error_table_is_that_of_a_grid_search_on_the_same_folds(noisy):
    X, y = noisy
    owner = deal(y, 5, seed=7)
    table = cross_validate(
        [Ridge(alpha=a) for a in STRENGTHS], X, y, folds(y, 5, 7), mean_squared_error
    )
    search = GridSearchCV(
        Ridge(),
        {"alpha": STRENGTHS},
        cv=PredefinedSplit(owner),
        scoring="neg_mean_squared_error",
    ).fit(X, y)
    np.testing.assert_allclose(table.means, -search.cv_results_["mean_test_score"])
    assert table.errors.shape == (7, 5)
    assert table.best == search.best_index_
    assert 0 < table.best < len(STRENGTHS) - 1


@pytest.mark.syllabus("S1-032")
def test_folds_are_steadier_than_one_split_where_rows_are_few(noisy):
    X, y = noisy
    found = []
    for splits in (
        lambda seed: [hold_out(y, 0.2, seed, classes=False)],
        lambda seed: folds(y, 5, seed),
    ):
        tables = [
            cross_validate([Ridge(10.0)], X, y, splits(seed), mean_squared_error)
            for seed in range(20)
        ]
        found.append(np.std([table.means[0] for table in tables]))
    once, five_times = found
    assert five_times < 0.6 * once


@pytest.mark.syllabus("S1-031")
def test_a_single_split_chooses_the_least_hold_out_error(noisy):
    X, y = noisy
    split = hold_out(y, 0.5, classes=False)
    models = [Ridge(alpha=a) for a in STRENGTHS]
    table = cross_validate(models, X, y, [split], mean_squared_error)
    fold = np.full(len(y), -1)
    fold[split.held_back] = 0
    search = GridSearchCV(
        Ridge(),
        {"alpha": STRENGTHS},
        cv=PredefinedSplit(fold),
        scoring="neg_mean_squared_error",
    ).fit(X, y)
    assert table.best == search.best_index_
    np.testing.assert_array_equal(table.standard_errors, 0)


@pytest.mark.syllabus("S1-033")
def test_leave_one_out_agrees_with_the_residuals_over_one_minus_leverage(noisy):
    X, y = noisy
    model = Ridge(alpha=3.0, fit_intercept=False)
    table = cross_validate([model], X, y, folds(y, len(y)), mean_squared_error)
    hat = X @ np.linalg.solve(X.T @ X + 3.0 * np.eye(20), X.T)
    leverage = np.diag(hat)
    assert table.means[0] == pytest.approx(
        np.mean(((y - hat @ y) / (1 - leverage)) ** 2)
    )


@pytest.mark.syllabus("S4A-091")
def test_the_least_of_many_useless_errors_is_optimistic(rng):
    # Labels by the toss of a coin: every tree is useless, whatever it asks.
    X, y = rng.standard_normal((60, 8)), rng.integers(0, 2, 60)
    fresh, truth = rng.standard_normal((2000, 8)), rng.integers(0, 2, 2000)
    trees = [
        DecisionTreeClassifier(max_leaf_nodes=4, max_features=1, random_state=seed)
        for seed in range(40)
    ]
    splits = list(folds(y, 5))
    # What is judged on a fold has learned from fewer rows than the final fit.
    assert {len(split.train) for split in splits} == {48}
    table = cross_validate(trees, X, y, splits, zero_one_loss)
    assert table.means.mean() == pytest.approx(0.5, abs=0.05)
    promised = table.means[table.best]
    chosen = trees[table.best].fit(X, y)
    honest = zero_one_loss(truth, chosen.predict(fresh))
    assert promised < 0.4 < honest
    # All the same always do it: rows that were learned from promise even more.
    assert zero_one_loss(y, chosen.predict(X)) < promised


def test_the_standard_error_is_that_of_a_mean_over_folds(noisy):
    X, y = noisy
    table = cross_validate([Ridge()], X, y, folds(y, 5), mean_squared_error)
    expected = np.std(table.errors[0], ddof=1) / np.sqrt(5)
    assert table.standard_errors[0] == pytest.approx(expected)


def test_the_simplest_model_within_one_standard_error_wins():
    means, errors = [0.40, 0.245, 0.21, 0.20, 0.22], [0.1, 0.01, 0.01, 0.05, 0.01]
    assert one_standard_error(means, errors, [0, 1, 2, 3, 4]) == 1
    assert one_standard_error(means, errors, [4, 3, 2, 1, 0]) == 4


def test_only_the_spread_of_the_best_counts():
    assert one_standard_error([0.3, 0.2], [1.0, 0.05], [0, 1]) == 1


def test_failed_candidates_are_passed_over():
    assert one_standard_error([np.nan, 0.2, np.inf], [0, np.nan, 0], [0, 1, 2]) == 1
    with pytest.raises(DataError, match="finite"):
        one_standard_error([np.nan], [0.0], [0])

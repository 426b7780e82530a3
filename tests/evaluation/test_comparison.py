"""Comparing learners over data sets, fairly."""

import json

import numpy as np
import pytest
from scipy import stats

from infimum.data.synthetic import sparse_regression
from infimum.errors import DataError
from infimum.evaluation import (
    average_ranks,
    compare_many,
    compare_pair,
    folds,
    hold_out,
    plot_errors,
    powers_of_ten,
    tune,
)
from infimum.models.linear import Lasso, Ridge

LEARNERS = ["SVM-R", "MCRF", "LDAW", "KNN", "DANN", "MACHETE", "SCYTHE", "C4.5"]
DATA_SETS = [
    "Iris",
    "Vote",
    "Sonar",
    "Ion",
    "Liver",
    "Hep",
    "Cancer",
    "Pima",
    "OQ",
    "Unstruct",
]
ERRORS = np.array(
    [
        [4.9, 4.6, 5.4, 4.9, 6.4, 6.0, 4.8, 8.3],
        [3.7, 3.5, 7.6, 8.4, 3.9, 5.4, 5.4, 3.5],
        [14.4, 13.4, 16.0, 16.0, 12.9, 21.0, 18.0, 30.1],
        [5.4, 7.2, 11.4, 12.59, 10.4, 11.5, 13.5, 10.7],
        [28.0, 30.3, 36.3, 36.4, 32.6, 36.1, 36.8, 37.6],
        [15.2, 14.5, 14.4, 14.8, 13.6, 17.4, 16.9, 19.6],
        [2.98, 2.9, 3.2, 3.1, 2.8, 3.6, 3.2, 4.0],
        [23.5, 24.6, 26.6, 27.1, 26.4, 25.7, 25.7, 19.1],
        [3.1, 4.3, 6.1, 6.4, 4.5, 8.0, 6.3, 3.5],
        [29.6, 7.0, 26.1, 34.0, 30.0, 9.0, 13.6, 10.1],
    ]
)
SVM, KNN, TREE = ERRORS[:, 0], ERRORS[:, 3], ERRORS[:, 7]


@pytest.mark.syllabus("S4A-116")
def test_a_table_of_errors_becomes_a_picture_that_shows_who_is_best_where():
    means = [13.078, 11.230, 15.310, 16.369, 14.350, 14.370, 14.420, 14.650]
    np.testing.assert_allclose(ERRORS.mean(axis=0), means, atol=1e-9)
    ranks = [2.85, 2.05, 5.10, 6.00, 3.70, 5.70, 5.45, 5.15]
    np.testing.assert_allclose(average_ranks(ERRORS), ranks)
    figure = plot_errors(ERRORS, LEARNERS, DATA_SETS)
    assert [dots.name for dots in figure.data] == LEARNERS
    shown = np.column_stack([dots.x for dots in figure.data])
    np.testing.assert_array_equal(shown.argmin(axis=1), ERRORS.argmin(axis=1))
    assert (shown.min(axis=1) == 0).all()
    with pytest.raises(DataError, match="10 rows and 2 columns"):
        plot_errors(ERRORS, LEARNERS[:2], DATA_SETS)


@pytest.mark.syllabus("S4A-117")
@pytest.mark.parametrize(
    "other, t, p", [(KNN, -3.4481, 0.0073), (TREE, -0.5361, 0.6049)]
)
def test_the_paired_t_test_over_data_sets(other, t, p):
    found = compare_pair(SVM, other, "t")
    assert found.statistic == pytest.approx(t, abs=5e-5)
    assert found.p_value == pytest.approx(p, abs=5e-5)
    reference = stats.ttest_rel(SVM, other)
    assert found.p_value == pytest.approx(reference.pvalue)
    assert found.statistic == pytest.approx(reference.statistic)


@pytest.mark.syllabus("S4A-118")
@pytest.mark.parametrize("other, count", [(KNN, 12), (TREE, 608)])
def test_the_permutation_test_tries_all_exchanges(other, count):
    found = compare_pair(SVM, other)
    assert found.exact
    assert found.p_value == count / 1024
    reference = stats.permutation_test(
        (SVM, other),
        lambda a, b: np.mean(a - b),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert found.p_value == pytest.approx(reference.pvalue)


@pytest.mark.syllabus("S4A-119")
def test_many_learners_are_compared_by_ranks():
    found = compare_many(ERRORS)
    assert found.statistic == pytest.approx(24.743, abs=5e-4)
    assert found.p_value == pytest.approx(8.4e-4, abs=5e-6)
    reference = stats.friedmanchisquare(*ERRORS.T)
    assert found.statistic == pytest.approx(reference.statistic)
    np.testing.assert_array_equal(found.ranks, average_ranks(ERRORS))
    # The table of Demšar (2006): q = 3.031 for 8 learners.
    distance = 3.031 * np.sqrt(8 * 9 / (6 * 10))
    assert found.critical_difference == pytest.approx(distance, abs=1e-3)
    assert found.differ(1, 3)
    assert not found.differ(0, 1)
    assert "not all equal" in found.sentence
    with pytest.raises(DataError, match="at least 2 learners"):
        compare_many(ERRORS[:, :1])


def test_equal_learners_are_rarely_called_unequal(rng):
    found = [compare_many(rng.uniform(size=(12, 4))) for _ in range(100)]
    accused = np.mean([each.p_value <= 0.05 for each in found])
    assert accused <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)
    same = compare_many(np.ones((5, 3)))
    assert (same.statistic, same.p_value) == (0.0, 1.0)


def test_many_data_sets_are_sampled_and_the_seed_decides(rng):
    first = rng.uniform(size=40)
    second = first + rng.normal(0.05, 0.1, 40)
    one = compare_pair(first, second, draws=2000, seed=1)
    assert not one.exact
    assert one == compare_pair(first, second, draws=2000, seed=1)
    assert one.p_value == pytest.approx(
        compare_pair(first, second, "t").p_value, abs=0.02
    )


def test_equal_learners_are_rarely_told_apart(rng):
    values = [compare_pair(*rng.uniform(size=(2, 8))).p_value for _ in range(300)]
    assert np.mean(np.array(values) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.syllabus("S4A-120")
def test_a_fair_comparison_tunes_both_and_tells_where_each_one_fails():
    # Dense and sparse truths, few and many rows: neither learner is better in general.
    kinds = [
        (n, 40, relevant, seed)
        for n in (60, 120)
        for relevant in (2, 40)
        for seed in (0, 1)
    ]
    errors = []
    for n, d, relevant, seed in kinds:
        toy = sparse_regression(n, d, relevant=relevant, noise=1.0, random_state=seed)
        train, test = hold_out(toy.y, 0.5, seed, classes=False)
        row = []
        for learner in (Lasso(), Ridge()):
            found, _ = tune(
                learner,
                {"alpha": powers_of_ten(-2, 2)},
                toy.X[train],
                toy.y[train],
                list(folds(toy.y[train], 5)),
                lambda y, f: float(np.mean((y - f) ** 2)),
            )
            model = learner.set_params(**found).fit(toy.X[train], toy.y[train])
            row.append(np.mean((toy.y[test] - model.predict(toy.X[test])) ** 2))
        errors.append(row)
    lasso, ridge = np.array(errors).T
    sparse_truth = np.array([relevant == 2 for _, _, relevant, _ in kinds])
    assert compare_pair(lasso[sparse_truth], ridge[sparse_truth]).wins >= 3
    whole = compare_pair(lasso, ridge)
    assert whole.losses > 0
    assert f"loses on {whole.losses}" in whole.sentence
    assert json.dumps(whole.to_dict())


def test_errors_that_do_not_match_are_refused():
    with pytest.raises(DataError, match="same data sets"):
        compare_pair([0.1, 0.2], [0.1])
    equal = compare_pair([0.1, 0.2], [0.1, 0.2], "t")
    assert equal.p_value == 1.0

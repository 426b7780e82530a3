"""What cross validation is for, and how little the number of folds matters."""

import inspect

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from infimum.data.synthetic import sparse_regression
from infimum.evaluation import cross_validate, folds, hold_out
from infimum.models.linear import Lasso, LinearRegression, Ridge
from infimum.study.features import PolynomialBasis, SineBasis, Standardizer


def mean_squared(y, f):
    return float(np.mean((y - f) ** 2))


@pytest.mark.syllabus("S4A-086")
def test_five_folds_are_the_default_and_ten_choose_alike():
    assert inspect.signature(folds).parameters["n_folds"].default in {5, 10}
    toy = sparse_regression(80, 20, relevant=4, noise=0.5, random_state=5)
    strengths = np.logspace(-3, 1, 9)
    chosen = []
    for n_folds in (5, 10):
        models = [Lasso(alpha=strength) for strength in strengths]
        splits = folds(toy.y, n_folds, seed=0)
        table = cross_validate(models, toy.X, toy.y, splits, mean_squared)
        assert table.errors.shape == (9, n_folds)
        chosen.append(table.best)
    assert abs(chosen[0] - chosen[1]) <= 1


@pytest.mark.syllabus("S4A-089")
def test_cross_validation_selects_strength_basis_and_yes_or_no_steps(rng):
    x = rng.uniform(0, 2 * np.pi, (80, 1))
    y = np.sin(3 * x[:, 0]) + 0.1 * rng.standard_normal(80)
    candidates = {
        ("sines", 10, 1e-2): make_pipeline(SineBasis(10), Ridge(alpha=1e-2)),
        ("sines", 10, 1e4): make_pipeline(SineBasis(10), Ridge(alpha=1e4)),
        ("sines", 2, 1e-2): make_pipeline(SineBasis(2), Ridge(alpha=1e-2)),
        ("powers", 2, 0): make_pipeline(PolynomialBasis(2), LinearRegression()),
    }
    table = cross_validate(list(candidates.values()), x, y, folds(y, 5), mean_squared)
    assert list(candidates)[table.best] == ("sines", 10, 1e-2)
    # A yes-or-no step: whether to standardise columns of very different size.
    toy = sparse_regression(80, 10, relevant=2, noise=0.1, random_state=2)
    X = toy.X * np.geomspace(1e-3, 1e3, 10)
    switch = [Ridge(), make_pipeline(Standardizer("variance"), Ridge())]
    table = cross_validate(switch, X, toy.y, folds(toy.y, 5), mean_squared)
    assert table.best == 1


@pytest.mark.syllabus("S4A-090")
@pytest.mark.parametrize("size, visible", [(60, True), (6000, False)])
def test_a_public_board_flatters_its_winners_and_less_so_the_larger_it_is(
    size, visible, rng
):
    def sample(n):
        X = rng.standard_normal((n, 30))
        return X, X[:, :3].sum(axis=1) + rng.standard_normal(n)

    X, y = sample(60)
    board, answers = sample(size)
    public, private = hold_out(answers, fraction=0.5, seed=1, classes=False)
    scores = []
    for _ in range(200):  # submissions: least squares on columns picked at random
        picked = rng.choice(30, size=12, replace=False)
        model = LinearRegression().fit(X[:, picked], y)
        errors = (answers - model.predict(board[:, picked])) ** 2
        scores.append((errors[public].mean(), errors[private].mean()))

    def overfitting(shown, hidden):
        """Return how much worse than shown the best tenth on the board really is."""
        top = np.argsort(shown)[:20]
        return (hidden - shown)[top].mean() / hidden[top].mean()

    first, second = np.array(scores).T
    # Either half may be the public one; in the average their own difference cancels.
    overfit = (overfitting(first, second) + overfitting(second, first)) / 2
    assert (overfit > 0.02) == visible
    assert -0.01 < overfit < 0.5

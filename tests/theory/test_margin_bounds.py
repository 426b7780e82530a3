"""Bounds from margins: true on fresh rows, honest about saying nothing."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import margin_guarantee, rademacher_guarantee
from infimum.models.kernel import SVC, KernelLogisticRegression
from infimum.models.linear import LinearSVC, LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsClassifier
from infimum.study.features import Standardizer


def two_clouds(rng, n, distance):
    y = rng.integers(0, 2, n)
    X = rng.standard_normal((n, 2)) * 0.3
    X[:, 0] += distance * (y - 0.5)
    return X, y


@pytest.mark.parametrize("distance", [1.0, 2.0])
def test_the_bound_holds_for_the_true_error_and_says_something(distance, rng):
    fresh = two_clouds(rng, 20_000, distance)
    for _ in range(5):
        X, y = two_clouds(rng, 4000, distance)
        model = LogisticRegression().fit(X, y)
        promise = margin_guarantee(model, X, y)
        assert not promise.vacuous
        assert promise.bound >= 1 - model.score(*fresh)
        assert promise.estimate == pytest.approx(1 - model.score(X, y))


def test_few_rows_are_called_vacuous(rng):
    X, y = two_clouds(rng, 40, 0.5)
    promise = margin_guarantee(LinearSVC().fit(X, y), X, y)
    assert promise.vacuous
    assert "vacuous" in promise.sentence
    assert "training rows" in promise.sentence


def test_the_parts_of_the_bound_are_those_of_the_formula(rng):
    n = 5000
    margins, norm = rng.uniform(0.5, 2.0, n), 1.7
    lengths = rng.uniform(0.5, 1.0, n)
    found = rademacher_guarantee(margins, norm, lengths, 0.95)
    ratio = found.capacity * n / (2 * np.sqrt(lengths.sum()))
    assert np.log2(ratio) == pytest.approx(round(np.log2(ratio)))
    ramp = np.clip(1 - ratio * margins / norm, 0, 1).mean()
    slack = 3 * np.sqrt(np.log(2 * 64 / 0.05) / (2 * n))
    assert found.bound == pytest.approx(ramp + found.capacity + slack)
    known = rademacher_guarantee(margins, norm, lengths, 0.95, radius=1.0)
    assert known.slack == pytest.approx(np.sqrt(np.log(64 / 0.05) / (2 * n)))
    assert known.bound < found.bound


def test_scaling_the_function_changes_nothing(rng):
    margins, lengths = rng.standard_normal(3000) + 3, np.ones(3000)
    plain = rademacher_guarantee(margins, 2.0, lengths)
    scaled = rademacher_guarantee(1000 * margins, 2000.0, lengths)
    assert scaled.bound == pytest.approx(plain.bound)


def test_a_linear_kernel_gives_the_bound_of_the_linear_model(rng):
    X, y = two_clouds(rng, 300, 1.5)
    machine = SVC(kernel="linear", C=1.0).fit(X, y)
    weights = machine.dual_coef_ @ machine.support_vectors_
    scores = X @ weights[0] + machine.intercept_[0]
    norm = np.hypot(np.linalg.norm(weights), machine.intercept_[0])
    direct = rademacher_guarantee((2 * y - 1) * scores, norm, (X**2).sum(1) + 1)
    assert margin_guarantee(machine, X, y).bound == pytest.approx(direct.bound)


def test_pipelines_sparse_rows_and_kernel_machines_are_read(rng):
    X, y = two_clouds(rng, 400, 1.5)
    linear = LogisticRegression().fit(X, y)
    thin = margin_guarantee(linear, sparse.csr_matrix(X), y)
    assert thin.bound == pytest.approx(margin_guarantee(linear, X, y).bound)
    scaled = make_pipeline(Standardizer("variance"), LogisticRegression()).fit(X, y)
    assert margin_guarantee(scaled, X, y).n == 400
    curved = KernelLogisticRegression(kernel="rbf").fit(X, y)
    assert np.isfinite(margin_guarantee(curved, X, y, radius=1.0).bound)


def test_models_without_a_margin_are_refused(rng):
    X, y = two_clouds(rng, 60, 1.5)
    with pytest.raises(IncompatibleError, match="2 classes"):
        margin_guarantee(Ridge().fit(X, y), X, y)
    with pytest.raises(IncompatibleError, match="neither coef_ nor dual_coef_"):
        margin_guarantee(KNeighborsClassifier().fit(X, y), X, y)
    with pytest.raises(DataError, match="margin and a length"):
        rademacher_guarantee([1.0, 2.0], 1.0, [1.0])

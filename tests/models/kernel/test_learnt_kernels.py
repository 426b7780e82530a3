"""Mixtures of kernels, learnt: with the function, or to be like the targets."""

import cvxpy as cp
import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import (
    ConicCombination,
    Gaussian,
    Linear,
    Spectrum,
    target_alignment,
)
from infimum.models.kernel import MultipleKernelLearner, aligned_kernel
from infimum.models.linear import RiskMinimizer

KERNELS = (Linear(), Gaussian(0.3), Gaussian(1.0), Gaussian(3.0))


def data(rng, n=40):
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)


def test_the_mixture_is_that_of_an_independent_program(rng):
    X, y = data(rng)
    n, strength = len(y), 0.05
    model = MultipleKernelLearner(KERNELS, strength=strength, tol=1e-6).fit(X, y)
    assert model.certificate_.closed
    assert model.weights_.sum() == pytest.approx(1.0)
    assert (model.weights_ >= 0).all()
    grams = [kernel(X) for kernel in KERNELS]
    roots = [np.linalg.cholesky(K / np.trace(K) * n + 1e-10 * np.eye(n)) for K in grams]
    # Over the weights, Σ‖f‖²/μ is the square of the sum of the norms.
    w, b = [cp.Variable(n) for _ in roots], cp.Variable()
    scores = sum(root @ part for root, part in zip(roots, w, strict=True)) + b
    risk = cp.sum_squares(y - scores) / (2 * n)
    norms = cp.sum([cp.norm(part) for part in w])
    problem = cp.Problem(cp.Minimize(risk + strength / 2 * norms**2))
    value = problem.solve(solver="CLARABEL")
    assert model.certificate_.primal == pytest.approx(value, rel=1e-4)
    lengths = np.array([np.linalg.norm(part.value) for part in w])
    assert model.weights_ == pytest.approx(lengths / lengths.sum(), abs=0.02)


@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared_hinge"])
def test_no_single_kernel_and_no_other_mixture_is_better(loss, rng):
    X, y = data(rng)
    labels = np.where(y > 0, "up", "down")
    model = MultipleKernelLearner(KERNELS, loss=loss, strength=0.05).fit(X, labels)
    assert model.certificate_.closed
    assert set(model.predict(X)) == {"up", "down"}
    assert ((model.decision_function(X) > 0) == (model.predict(X) == "up")).all()
    scales = [kernel.diagonal(X).mean() for kernel in KERNELS]
    others = [*np.eye(4), np.full(4, 0.25), rng.dirichlet(np.ones(4))]
    for weights in others:
        kernel = ConicCombination(KERNELS, tuple(weights / scales))
        single = RiskMinimizer(loss, strength=0.05, kernel=kernel).fit(X, labels)
        assert single.certificate_.primal >= model.certificate_.dual - 1e-12
        slack = 1e-4 * model.certificate_.scale
        assert single.certificate_.primal >= model.certificate_.primal - slack
    assert model.kernel_.weights == pytest.approx(model.weights_ / scales)


def test_strings_have_mixtures_too_and_odd_requests_are_refused(rng):
    words = ["banana", "ananas", "cherry", "sherry", "bandana", "merry"]
    names = ["a", "a", "e", "e", "a", "e"]
    mixed = MultipleKernelLearner([Spectrum(1), Spectrum(2)], loss="logistic")
    assert mixed.fit(words, names).predict(["nanna", "berry"]).tolist() == ["a", "e"]
    X, y = data(rng)
    with pytest.raises(InvalidParameterError, match="binary"):
        MultipleKernelLearner(loss="logistic").fit(X, np.digitize(y, [-0.3, 0.3]))
    with pytest.raises(InvalidParameterError, match="kernel"):
        MultipleKernelLearner([]).fit(X, y)


def test_alignment_is_greatest_at_the_aligned_mixture(rng):
    X, y = data(rng)
    best = aligned_kernel(KERNELS, X, y)
    value = target_alignment(best(X), y)
    for weights in [*np.eye(4), *rng.dirichlet(np.ones(4), size=30)]:
        mixture = ConicCombination(KERNELS, tuple(map(float, weights)))
        assert target_alignment(mixture(X), y) <= value + 1e-9
    assert sum(best.weights) == pytest.approx(1.0)
    with pytest.raises(InvalidParameterError, match="one kernel or more"):
        aligned_kernel([], X, y)
    with pytest.raises(DataError, match="one target per thing"):
        aligned_kernel(KERNELS, X, y[:-1])
    with pytest.raises(DataError, match="no kernel is aligned"):
        aligned_kernel(KERNELS, X, np.ones(len(y)))

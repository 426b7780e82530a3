"""The perceptron: it learns from mistakes, and cannot make many."""

import numpy as np
import pytest

from infimum.errors import InvalidParameterError
from infimum.evaluation import margins
from infimum.kernels import Gaussian
from infimum.models.kernel import (
    KernelPerceptron,
    KernelRidgeClassifier,
    mistake_bound,
)

XOR = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])


def separable(rng, n=40, gap=0.3, offset=0.4):
    """Draw samples at least `gap` away from a known hyperplane."""
    w = rng.normal(size=3)
    w /= np.linalg.norm(w)
    X = rng.normal(size=(4 * n, 3))
    far = np.abs(X @ w + offset) >= gap
    X = X[far][:n]
    return X, np.sign(X @ w + offset), w, offset, gap


def explicit(X, y, rate=1.0, *, intercept=True, rounds=1000):
    """Run the textbook loop on weights; return them and the mistakes in order."""
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, []
    for _ in range(rounds):
        before = len(mistakes)
        for i, (x, sign) in enumerate(zip(X, y, strict=True)):
            if sign * (w @ x + b) <= 0:
                w, b = w + rate * sign * x, b + rate * sign * intercept
                mistakes.append(i)
        if len(mistakes) == before:
            break
    return w, b, mistakes


@pytest.mark.syllabus("S0A-054", "S0A-055", "S1-089")
def test_with_the_linear_kernel_the_mistakes_are_those_of_weights(rng):
    X, y, *_ = separable(rng)
    model = KernelPerceptron(kernel="linear").fit(X, y)
    w, b, mistakes = explicit(X, y)
    assert model.updates_[0].tolist() == mistakes
    assert model.dual_coef_[0] @ X == pytest.approx(w)
    assert model.intercept_[0] == b
    # w is the sum of the samples of the mistakes, with their signs.
    assert w == pytest.approx((y[mistakes, None] * X[mistakes]).sum(axis=0))
    assert model.separated_
    assert model.predict(X).tolist() == y.tolist()


@pytest.mark.syllabus("S1-087", "S3-041")
@pytest.mark.parametrize("rate", [0.1, 1.0, 7.0])
def test_without_an_intercept_the_length_of_the_step_does_not_matter(rate, rng):
    X, y, *_ = separable(rng, offset=0.0)
    model = KernelPerceptron(kernel="linear", fit_intercept=False).fit(X, y)
    w, _, mistakes = explicit(X, y, rate, intercept=False)
    assert model.updates_[0].tolist() == mistakes
    assert rate * model.dual_coef_[0] @ X == pytest.approx(w)
    assert (y * model.decision_function(X) > 0).all()


@pytest.mark.syllabus("S3-040")
def test_separable_means_that_every_sample_is_on_its_side(rng):
    X, y, w, offset, _ = separable(rng)
    assert (margins(w, X, y, offset).functional > 0).all()
    model = KernelPerceptron(kernel="linear").fit(X, y)
    assert model.separated_ == bool((y * model.decision_function(X) > 0).all())
    found = model.dual_coef_[0] @ X
    feet = margins(found, X, y, model.intercept_[0]).feet
    # Points of the hyperplane have the score 0.
    assert model.decision_function(feet) == pytest.approx(np.zeros(len(X)), abs=1e-9)
    crossed = KernelPerceptron(kernel="linear", max_iter=50).fit(XOR, [0, 0, 1, 1])
    assert not crossed.separated_


@pytest.mark.syllabus("S0A-055")
def test_a_kernel_separates_what_no_line_can():
    model = KernelPerceptron(kernel=Gaussian(0.7)).fit(XOR, [0, 0, 1, 1])
    assert model.separated_
    assert model.predict(XOR).tolist() == [0, 0, 1, 1]
    three = KernelPerceptron(kernel=Gaussian(0.3)).fit(XOR, [0, 1, 2, 2])
    assert three.predict(XOR).tolist() == [0, 1, 2, 2]


@pytest.mark.syllabus("S0A-056")
def test_the_margin_of_a_data_set_is_that_of_its_worst_sample():
    X, y = np.array([[1.0, 1.0], [0.0, -1.0], [3.0, 0.0]]), np.array([1.0, -1.0, 1.0])
    found = margins([2.0, 1.0], X, y, intercept=-1.0)
    assert found.functional.tolist() == [2.0, 2.0, 5.0]
    assert found.functional.min() == 2.0
    assert found.smallest == pytest.approx(2.0 / np.sqrt(5.0))
    unit = margins(np.array([2.0, 1.0]) / np.sqrt(5.0), X, y, -1.0 / np.sqrt(5.0))
    assert unit.functional == pytest.approx(unit.geometric)


@pytest.mark.syllabus("S0A-057", "S0A-054")
@pytest.mark.parametrize("seed", range(10))
def test_mistakes_stay_below_novikoffs_bound(seed):
    X, y, w, offset, gap = separable(np.random.default_rng(seed))
    gap = float((y * (X @ w + offset)).min())
    radius = float(np.linalg.norm(X, axis=1).max())
    model = KernelPerceptron(kernel="linear", max_iter=100_000).fit(X, y)
    mistakes = model.updates_[0]
    assert model.separated_
    assert 0 < len(mistakes) <= mistake_bound(radius, gap, offset)
    # The two invariants of the proof, after every mistake.
    steps = np.arange(1, len(mistakes) + 1)
    weights = np.cumsum(y[mistakes, None] * X[mistakes], axis=0)
    offsets = np.cumsum(y[mistakes])
    assert (weights @ w + offsets * offset >= steps * gap - 1e-9).all()
    lengths = (weights**2).sum(axis=1) + offsets**2
    assert (lengths <= steps * (radius**2 + 1.0) + 1e-9).all()
    # Each mistake turns the weights towards those that separate.
    assert (np.diff(weights @ w + offsets * offset) >= gap - 1e-9).all()
    plain = KernelPerceptron(kernel="linear", fit_intercept=False, max_iter=100_000)
    through = y * (X @ w) > 0.05
    plain.fit(X[through], y[through])
    least = float((y * (X @ w))[through].min())
    assert len(plain.updates_[0]) <= mistake_bound(radius, least)


@pytest.mark.syllabus("S1-090")
def test_without_separation_the_rounds_go_on_in_a_cycle():
    states = [
        KernelPerceptron(kernel="linear", max_iter=rounds).fit(XOR, [0, 0, 1, 1])
        for rounds in range(1, 30)
    ]
    weights = [
        (*(m.dual_coef_[0] @ XOR).tolist(), float(m.intercept_[0])) for m in states
    ]
    assert not any(model.separated_ for model in states)
    assert weights[-1] in weights[:-1]
    assert all(model.n_iter_ == k for k, model in enumerate(states, start=1))


@pytest.mark.syllabus("S1-090")
def test_without_regularisation_the_perceptron_overfits(rng):
    X = rng.normal(size=(150, 2))
    truth = X[:, 0] > 0
    y = truth ^ (rng.uniform(size=150) < 0.2)
    fresh = rng.normal(size=(1000, 2))
    model = KernelPerceptron(kernel=Gaussian(0.2), max_iter=10_000).fit(X, y)
    calm = KernelRidgeClassifier(10.0, kernel=Gaussian(1.0)).fit(X, y)
    assert model.score(X, y) == 1.0
    assert calm.score(X, y) < 1.0
    assert (
        calm.score(fresh, fresh[:, 0] > 0) > model.score(fresh, fresh[:, 0] > 0) + 0.1
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_a_weight_is_a_number_of_copies_in_a_row(classes, rng):
    X, y = rng.normal(size=(30, 2)), np.arange(30) % classes
    counts = rng.integers(0, 4, size=30)
    rows = np.repeat(np.arange(30), counts)
    model = KernelPerceptron(gamma=2.0, max_iter=20)
    weighted = model.fit(X, y, sample_weight=counts)
    scores, rounds = weighted.decision_function(X), weighted.n_iter_
    mistakes = [mistaken.tolist() for mistaken in weighted.updates_]
    repeated = KernelPerceptron(gamma=2.0, max_iter=20).fit(X[rows], y[rows])
    assert repeated.decision_function(X) == pytest.approx(scores, abs=1e-12)
    assert [rows[mistaken].tolist() for mistaken in repeated.updates_] == mistakes
    assert repeated.n_iter_ == rounds
    assert not weighted.dual_coef_[:, counts == 0].any()


def test_what_is_left_of_a_weight_is_a_shorter_step():
    model = KernelPerceptron(kernel="linear", fit_intercept=False)
    model.fit([[1.0], [-1.0]], [1, 0], sample_weight=[0.5, 1.0])
    assert model.dual_coef_.tolist() == [[0.5, 0.0]]


def test_bounds_need_a_margin():
    with pytest.raises(InvalidParameterError, match="margin must be"):
        mistake_bound(1.0, 0.0)

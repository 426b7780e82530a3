"""All classes in one problem: the machine is the one the formula asks for."""

import cvxpy
import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from infimum.errors import InvalidParameterError
from infimum.kernels import Spectrum
from infimum.models.kernel import SVC, MulticlassSVC

LOSSES = ("crammer_singer", "additive")


def clouds(rng, n=40):
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 2)) + 2.0 * np.eye(3, 2)[y], y


def by_brute_force(X, y, C, loss):
    """Minimise the formula by an interior-point program that knows nothing of us."""
    root = np.linalg.cholesky(rbf_kernel(X, gamma=0.5) + 1e-10 * np.eye(len(X)))
    f, b = cvxpy.Variable((len(X), 3)), cvxpy.Variable((1, 3))
    scores = root @ f + np.ones((len(X), 1)) @ b
    own = np.eye(3)[y]
    right = cvxpy.sum(cvxpy.multiply(own, scores), axis=1, keepdims=True)
    rivals = cvxpy.pos(scores - right @ np.ones((1, 3)) + 1.0 - own)
    join = cvxpy.max if loss == "crammer_singer" else cvxpy.sum
    value = 0.5 * cvxpy.sum_squares(f) + C * cvxpy.sum(join(rivals, axis=1))
    return cvxpy.Problem(cvxpy.Minimize(value)).solve(solver="CLARABEL")


@pytest.mark.parametrize("loss", LOSSES)
def test_the_objective_is_the_least_there_is(loss, rng):
    X, y = clouds(rng)
    model = MulticlassSVC(loss, C=2.0, gamma=0.5).fit(X, y)
    assert model.certificate_.closed
    reference = by_brute_force(X, y, 2.0, loss)
    total = 2.0 * len(X)  # inside, the mean loss is minimised
    assert total * model.certificate_.primal == pytest.approx(reference, rel=1e-5)
    assert model.certify(X, y).closed
    assert model.decision_function(X).shape == (len(X), 3)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_are_copies_and_intercepts_are_centred(loss, rng):
    X, y = clouds(rng, 24)
    counts = 1 + rng.integers(3, size=24)
    weighed = MulticlassSVC(loss).fit(X, y, sample_weight=counts)
    copied = MulticlassSVC(loss).fit(np.repeat(X, counts, 0), np.repeat(y, counts))
    assert weighed.intercept_.sum() == pytest.approx(0.0, abs=1e-12)
    assert weighed.decision_function(X) == pytest.approx(
        copied.decision_function(X), abs=1e-4
    )


def test_two_classes_are_the_usual_machine(rng):
    X, y = clouds(rng)
    together = MulticlassSVC(C=2.0, gamma=0.5).fit(X, y > 0)
    apart = SVC(C=2.0, gamma=0.5, tol=1e-8).fit(X, y > 0)
    assert together.decision_function(X) == pytest.approx(
        apart.decision_function(X), abs=1e-3
    )


def test_things_of_any_kind_may_be_told_apart():
    words = ["aaab", "aab", "ccd", "cccd", "efe", "fef"]
    model = MulticlassSVC(kernel=Spectrum(2), C=10.0).fit(words, list("xxyyzz"))
    assert model.predict(words).tolist() == list("xxyyzz")


def test_an_unknown_loss_is_refused(rng):
    X, y = clouds(rng, 12)
    with pytest.raises(InvalidParameterError, match=r"MulticlassSVC\.loss"):
        MulticlassSVC("worst").fit(X, y)

"""Support vector machines where nobody is free, and where not everybody takes part."""

import numpy as np
import pytest
from sklearn import svm

from infimum.kernels import Gaussian
from infimum.models.kernel import SVC, SVR, NuSVC
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.study.solvers import SequentialMinimalOptimization


@pytest.mark.parametrize(
    ("ours", "theirs", "X", "y", "offset"),
    [
        # f = 0.04x leaves b between -0.96 and 0.88.
        (SVC(C=0.01), svm.SVC(C=0.01), [-1, 3], [0, 1], -0.04),
        # f = 0.1x leaves b between 0.1 and 2.8.
        (SVR(C=0.1), svm.SVR(C=0.1), [0, 1], [0.0, 3.0], 1.45),
        # f = 3x leaves ρ - b between 6 and 15, ρ + b between 3 and 21.
        (NuSVC(nu=0.5), svm.NuSVC(nu=0.5), [-7, -1, 2, 5], [0, 0, 1, 1], 0.75 / 11.25),
    ],
    ids=["SVC", "SVR", "NuSVC"],
)
def test_an_offset_without_a_free_support_vector_is_in_the_middle(
    ours, theirs, X, y, offset
):
    X = np.array(X, dtype=float)[:, None]
    model = ours.set_params(kernel="linear").fit(X, y)
    assert model.certificate_.closed
    assert model.intercept_[0] == pytest.approx(offset)
    peer = theirs.set_params(kernel="linear").fit(X, y)
    assert model.intercept_ == pytest.approx(peer.intercept_)


@pytest.mark.parametrize("detector", [OneClassSVM, SupportVectorDataDescription])
def test_a_share_of_everybody_puts_the_border_at_the_innermost_sample(detector):
    # Any border further in costs as much.
    X = np.array([[0.0], [0.1], [0.3], [1.0]])
    model = detector(nu=1.0, gamma=1.0).fit(X)
    assert model.certificate_.closed
    assert len(set(model.dual_coef_[0])) == 1
    assert model.offset_[0] == pytest.approx(model.score_samples(X).max(), rel=1e-6)
    assert model.predict(X).tolist() == [-1, -1, 1, -1]


def test_each_class_against_the_rest_is_a_machine_of_its_own(rng):
    X = rng.normal(size=(90, 2))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=90), [-0.5, 0.5])
    many = SVC(gamma=0.5, tol=1e-8, multi_class="ovr").fit(X, y)
    fresh = rng.normal(size=(40, 2))
    scores = np.column_stack(
        [
            SVC(gamma=0.5, tol=1e-8).fit(X, y == k).decision_function(fresh)
            for k in range(3)
        ]
    )
    assert many.decision_function(fresh) == pytest.approx(scores, abs=1e-6)
    assert many.predict(fresh).tolist() == scores.argmax(axis=1).tolist()
    assert many.dual_coef_.shape == (3, len(many.support_))
    pairs = SVC(gamma=0.5, tol=1e-8).fit(X, y)
    assert np.abs(pairs.intercept_ - many.intercept_).max() > 0.1


def test_shrinking_sets_samples_aside_and_finds_the_same_machine(rng, monkeypatch):
    X = rng.normal(size=(200, 2))
    signs = np.where(X[:, 0] + 0.5 * rng.normal(size=200) > 0, 1.0, -1.0)
    dual = SupportVectorDual.classification(signs, np.ones(200))
    tiles = kernel_tiles(Gaussian(1.0), X)
    sizes: list[int] = []
    plain_steps = SequentialMinimalOptimization._steps

    def counted(self, run, gram, active, gradient):
        sizes.append(len(active))
        return plain_steps(self, run, gram, active, gradient)

    monkeypatch.setattr(SequentialMinimalOptimization, "_steps", counted)
    solver = {"tolerance": 1e-6, "check_every": 20}
    shrunk = SequentialMinimalOptimization(**solver).solve(dual, tiles)
    fewest = min(sizes)
    sizes.clear()
    whole = SequentialMinimalOptimization(**solver, shrinking=False).solve(dual, tiles)
    assert fewest < 100
    assert set(sizes) == {200}
    assert shrunk.certificate.closed
    assert whole.certificate.closed
    assert shrunk.certificate.dual == pytest.approx(whole.certificate.dual, rel=1e-6)


def test_more_samples_than_are_polished_have_scikit_learns_objective(rng):
    X = rng.normal(size=(1_500, 5))
    y = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=1_500) > 0
    ours = SVC(gamma=0.2).fit(X, y)
    theirs = svm.SVC(gamma=0.2).fit(X, y)
    assert ours.certificate_.closed

    def objective(model):
        coef = np.zeros(len(X))
        coef[model.support_] = model.dual_coef_[0]
        return 0.5 * coef @ ours.kernel_(X) @ coef - np.abs(coef).sum()

    assert objective(ours) <= objective(theirs) + 1e-6 * abs(objective(theirs))
    assert objective(ours) == pytest.approx(objective(theirs), rel=1e-4)

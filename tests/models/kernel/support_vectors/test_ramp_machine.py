"""The ramp-loss machine descends to a stationary point and lets outliers go."""

import cvxpy
import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from infimum.errors import InvalidParameterError
from infimum.kernels import Gaussian
from infimum.losses import Ramp
from infimum.models.kernel import SVC, RampSVC
from infimum.models.kernel.support_vectors import ramp_svc
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.solvers import WorkingSetDescent


def mislabelled(rng, n=120):
    """Return two clouds, their labels with every sixth wrong, and the true ones."""
    truth = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 1.5 * truth[:, None]
    y = truth.copy()
    y[::6] *= -1.0
    return X, y, truth


def ramp_objective(model, X, y, C, knee):
    coef = np.zeros(len(X))
    coef[model.support_] = model.dual_coef_[0]
    gram = rbf_kernel(X, gamma=0.5)
    losses = np.clip(1.0 - y * model.decision_function(X), 0.0, 1.0 - knee)
    return 0.5 * coef @ gram @ coef + C * losses.sum()


@pytest.mark.syllabus("S0B-177")
@pytest.mark.parametrize("C", [0.3, 3.0, 30.0])
def test_the_ramp_objective_falls_from_that_of_the_hinge_machine(C, rng):
    X, y, _ = mislabelled(rng)
    model = RampSVC(C=C, gamma=0.5, tol=1e-6).fit(X, y)
    values = [record.primal for record in model.history_]
    assert values == sorted(values, reverse=True)
    assert len(values) > 1
    assert values[-1] == model.objectives_[0] == model.stationarity_.primal
    assert values[-1] == pytest.approx(ramp_objective(model, X, y, C, -0.3), rel=1e-9)
    hinge = SVC(C=C, gamma=0.5, tol=1e-6).fit(X, y)
    assert values[0] == pytest.approx(ramp_objective(hinge, X, y, C, -0.3), rel=1e-4)


@pytest.mark.syllabus("S0B-177")
def test_it_ends_where_the_tangents_at_itself_offer_nothing_better(rng):
    X, y, _ = mislabelled(rng)
    model = RampSVC(C=3.0, gamma=0.5, tol=1e-6).fit(X, y)
    assert model.stationarity_.closed
    assert model.stationarity_.reason == "stationary"
    assert not hasattr(model, "certificate_")  # no bound on the problem itself
    given_up = y * model.decision_function(X) < -0.3
    dual = SupportVectorDual.ramp(y, np.full(len(y), 3.0), given_up)
    point = np.zeros(len(X))
    point[model.support_] = model.dual_coef_[0]
    assert (point >= dual.low).all()
    assert (point <= dual.high).all()
    assert given_up.any()
    assert not point[given_up].any()


@pytest.mark.syllabus("S0B-178")
def test_the_box_of_a_sample_given_up_on_runs_from_minus_c_to_0(rng):
    X, y, _ = mislabelled(rng, 40)
    C, knee, given_up = 2.0, -0.3, rng.random(40) < 0.3
    f, b = cvxpy.Variable(40), cvxpy.Variable()
    root = np.linalg.cholesky(rbf_kernel(X, gamma=0.5) + 1e-10 * np.eye(40))
    margins = cvxpy.multiply(y, root @ f + b)
    # The hinge less the tangent of the second hinge, bias included.
    tangents = cvxpy.sum(cvxpy.multiply(given_up.astype(float), knee - margins))
    primal = 0.5 * cvxpy.sum_squares(f) + C * (
        cvxpy.sum(cvxpy.pos(1.0 - margins)) - tangents
    )
    reference = cvxpy.Problem(cvxpy.Minimize(primal)).solve(solver="CLARABEL")
    dual = SupportVectorDual.ramp(y, np.full(40, C), given_up)
    alphas = np.sort(np.stack([y * dual.low, y * dual.high]), axis=0)
    assert np.array_equal(alphas[0], np.where(given_up, -C, 0.0))
    assert np.array_equal(alphas[1], np.where(given_up, 0.0, C))
    found = WorkingSetDescent(tolerance=1e-8).solve(
        dual, lambda dtype: kernel_tiles(Gaussian(1.0), X, None, dtype)
    )
    constant = C * (1.0 - knee) * given_up.sum()
    assert found.certificate.dual + constant == pytest.approx(reference, rel=1e-6)
    assert found.certificate.primal + constant == pytest.approx(reference, rel=1e-6)


@pytest.mark.syllabus("S0B-177")
def test_a_mislabelled_sample_bends_the_hinge_machine_and_not_the_ramp_machine():
    clean = np.array([[-2.0], [-1.5], [-1.0], [1.0], [1.5], [2.0]])
    y = np.array([0, 0, 0, 1, 1, 1, 0])
    without = SVC(kernel="linear", C=10.0).fit(clean, y[:6])
    for place in (2.5, 3.0, 4.0, 5.0):
        X = np.vstack([clean, [[place]]])
        hinge = SVC(kernel="linear", C=10.0).fit(X, y)
        ramp = RampSVC(kernel="linear", C=10.0).fit(X, y)
        assert abs(hinge.coef_[0, 0] - without.coef_[0, 0]) > 0.1
        assert ramp.coef_ == pytest.approx(without.coef_)
        assert ramp.intercept_ == pytest.approx(without.intercept_, abs=1e-9)
        assert 6 not in ramp.support_


def test_a_knee_out_of_reach_leaves_the_hinge_machine(rng):
    X, y, _ = mislabelled(rng)
    hinge = SVC(C=1.0, gamma=0.5).fit(X, y)
    ramp = RampSVC(C=1.0, knee=-50.0, gamma=0.5).fit(X, y)
    assert np.allclose(hinge.decision_function(X), ramp.decision_function(X))
    assert ramp.objectives_[0] == pytest.approx(hinge.certificate_.primal)


def test_a_weight_is_a_number_of_copies_of_a_sample(rng):
    X, y, _ = mislabelled(rng, 60)
    counts = rng.integers(0, 4, size=60)
    weighed = RampSVC(C=2.0, tol=1e-6).fit(X, y, sample_weight=counts)
    copied = RampSVC(C=2.0, tol=1e-6).fit(np.repeat(X, counts, 0), np.repeat(y, counts))
    assert np.allclose(weighed.decision_function(X), copied.decision_function(X))


def test_running_out_of_rounds_claims_no_stationarity(rng):
    X, y, _ = mislabelled(rng)
    with pytest.warns(UncertifiedWarning, match="round limit"):
        model = RampSVC(C=3.0, gamma=0.5, max_rounds=1).fit(X, y)
    assert not model.stationarity_.closed
    assert model.fit_status_ == 1
    assert model.n_iter_.tolist() == [1]


def test_several_classes_are_told_apart_two_at_a_time(rng):
    X = rng.normal(size=(90, 2)) + 4.0 * np.repeat(np.eye(3, 2), 30, axis=0)
    y = np.repeat(["a", "b", "c"], 30)
    model = RampSVC().fit(X, y)
    assert model.score(X, y) > 0.9
    assert len(model.objectives_) == 3


def test_a_knee_above_0_is_refused(rng):
    X, y, _ = mislabelled(rng, 20)
    with pytest.raises(InvalidParameterError, match="knee"):
        RampSVC(knee=0.5).fit(X, y)


@pytest.mark.syllabus("S0B-175")
def test_the_ramp_is_a_hinge_less_a_later_hinge():
    margins = np.linspace(-3.0, 3.0, 61)
    hinges = np.maximum(0.0, 1.0 - margins) - np.maximum(0.0, -0.3 - margins)
    assert np.allclose(Ramp(-0.3).value(np.ones(61), margins), hinges)


def test_f_is_right_where_the_ramp_asks_for_the_side_of_the_knee(rng, monkeypatch):
    X, y, _ = mislabelled(rng, n=1_500)
    gram, follow = rbf_kernel(X, gamma=0.5), ramp_svc._RampDescent.follow
    rough = 0

    def watched(self, found):
        nonlocal rough
        apart = np.abs(gram @ found.point - found.scores)[self.given_up]
        assert apart.max(initial=0.0) < 1e-9
        rough += np.count_nonzero(self.given_up[found.sketched])
        return follow(self, found)

    monkeypatch.setattr(ramp_svc._RampDescent, "follow", watched)
    assert RampSVC(C=30.0, gamma=0.5).fit(X, y).stationarity_.closed
    assert rough > 0

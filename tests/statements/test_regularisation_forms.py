"""Kinds of losses, two forms of regularisation, and what each penalty does."""

import cvxpy
import numpy as np
import pytest
from sklearn.linear_model import ElasticNet as PeerElasticNet
from sklearn.linear_model import Lasso as PeerLasso
from sklearn.linear_model import Ridge as PeerRidge

from infimum import losses
from infimum.data import linear_regression, two_gaussians
from infimum.data.designs import as_design
from infimum.losses import Loss, Squared
from infimum.models.linear import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    Ridge,
    RiskMinimizer,
    regularization_path,
)
from infimum.objectives import LinearRisk
from infimum.penalties import Ball
from infimum.penalties import Lasso as LassoPenalty
from infimum.penalties import Ridge as RidgePenalty
from infimum.solvers import CoordinateDescent, ProximalGradient, choose

SCALARS = [
    getattr(losses, name)()
    for name in losses.__all__
    if isinstance(getattr(losses, name), type)
    and issubclass(getattr(losses, name), Loss)
    and name != "Loss"
]


@pytest.fixture
def toy():
    """Return 50 samples of a linear law with two idle features."""
    return linear_regression(50, coefficients=(2.0, -1.0, 0.0, 0.0), random_state=11)


@pytest.mark.syllabus("S3-026")
@pytest.mark.parametrize("loss", SCALARS, ids=repr)
def test_distance_based_losses_are_those_that_read_the_residual_alone(loss, rng):
    y = (
        rng.choice([-1.0, 1.0], size=50)
        if loss.target == "sign"
        else rng.normal(size=50)
    )
    f = rng.normal(size=50)
    moved = np.allclose(loss.value(y + 0.5, f + 0.5), loss.value(y, f))
    assert loss.distance_based is moved
    if loss.distance_based:
        np.testing.assert_allclose(loss.value(0 * y, f - y), loss.value(y, f))


@pytest.mark.syllabus("S3-027")
@pytest.mark.parametrize("loss", SCALARS, ids=repr)
def test_margin_based_losses_are_those_that_read_y_times_f_alone(loss, rng):
    y, f = rng.choice([-1.0, 1.0], size=50), rng.normal(size=50)
    by_margin = np.allclose(loss.value(np.ones(50), y * f), loss.value(y, f))
    if loss.target == "sign":
        assert loss.margin_based
        assert by_margin
        sure, unsure, wrong = loss.value(np.ones(1), np.array([3.0, 0.1, -0.2]))
        # A larger score of the right sign is more confident.
        assert sure <= unsure <= wrong
        assert sure < wrong
    else:
        assert not loss.margin_based


@pytest.mark.syllabus("S3-028")
def test_accuracy_is_the_share_of_positive_margins():
    toy = two_gaussians(200, random_state=2)
    y = 2 * toy.y - 1
    model = LogisticRegression().fit(toy.X, y)
    margins = y * model.decision_function(toy.X)
    assert model.score(toy.X, y) == np.mean(margins > 0)
    assert 0 < np.mean(margins > 0) < 1


@pytest.mark.syllabus("S3-030")
@pytest.mark.parametrize("penalty", [RidgePenalty(1.0), LassoPenalty(1.0)], ids=repr)
def test_the_penalised_form_is_mean_loss_plus_strength_times_penalty(penalty, toy):
    model = RiskMinimizer("absolute", penalty, strength=0.3).fit(toy.X, toy.y)
    mean = np.abs(toy.y - model.predict(toy.X)).mean()
    total = mean + 0.3 * penalty.value(model.coef_)
    assert penalty.value(model.coef_) >= 0
    assert model.certificate_.primal == pytest.approx(total)
    assert model.certificate_.closed


@pytest.mark.syllabus("S3-031")
@pytest.mark.parametrize("order", [1, 2])
def test_the_constrained_form_respects_its_constraint_and_is_the_best_that_does(
    order, toy
):
    risk = LinearRisk(as_design(toy.X), toy.y, Squared(), Ball(0.8, order))
    solution = ProximalGradient(1e-9).solve(risk)
    w = solution.point[:-1]
    assert solution.certified
    assert np.linalg.norm(w, order) == pytest.approx(0.8)
    u, b = cvxpy.Variable(4), cvxpy.Variable()
    problem = cvxpy.Problem(
        cvxpy.Minimize(cvxpy.sum_squares(toy.X @ u + b - toy.y) / 100),
        [cvxpy.norm(u, order) <= 0.8],
    )
    problem.solve(solver=cvxpy.CLARABEL)
    assert solution.certificate.primal == pytest.approx(problem.value, rel=1e-6)
    np.testing.assert_allclose(w, u.value, atol=1e-4)


@pytest.mark.syllabus("S3-032")
@pytest.mark.parametrize(
    "penalty, order", [(RidgePenalty(0.5), 2), (LassoPenalty(0.3), 1)], ids=repr
)
def test_the_length_of_a_penalised_solution_makes_it_the_constrained_one(
    penalty, order, toy
):
    tikhonov = LinearRisk(as_design(toy.X), toy.y, Squared(), penalty)
    w = choose(tikhonov)(1e-10).solve(tikhonov).point
    radius = float(np.linalg.norm(w[:-1], order))
    ivanov = LinearRisk(as_design(toy.X), toy.y, Squared(), Ball(radius, order))
    np.testing.assert_allclose(
        ProximalGradient(1e-10).solve(ivanov).point, w, atol=1e-4
    )


@pytest.mark.syllabus("S3-033")
def test_ridge_per_sample_is_scikit_learns_times_the_samples(toy):
    lam = 0.2
    model = RiskMinimizer("squared", "ridge", strength=lam, fit_intercept=False)
    w = model.set_params(tol=1e-12).fit(toy.X, toy.y).coef_
    ours = Ridge(alpha=50 * lam, fit_intercept=False).fit(toy.X, toy.y).coef_
    peer = PeerRidge(alpha=50 * lam, fit_intercept=False).fit(toy.X, toy.y).coef_
    np.testing.assert_allclose(ours, peer)
    np.testing.assert_allclose(w, peer, atol=1e-5)
    cost = ((toy.X @ peer - toy.y) ** 2).mean() + lam * peer @ peer
    assert 2 * model.certificate_.primal == pytest.approx(cost)


@pytest.mark.syllabus("S3-034")
def test_short_weights_make_predictions_insensitive(toy, rng):
    lengths = []
    for alpha in (0.1, 10.0, 1000.0):
        model = Ridge(alpha=alpha).fit(toy.X, toy.y)
        length = np.linalg.norm(model.coef_)
        x, h = rng.normal(size=(30, 4)), rng.normal(size=(30, 4))
        change = np.abs(model.predict(x + h) - model.predict(x))
        assert np.all(change <= length * np.linalg.norm(h, axis=1) + 1e-12)
        along = model.predict(x + model.coef_) - model.predict(x)
        np.testing.assert_allclose(along, length**2)  # parallel: equality
        lengths.append(length)
    assert lengths[0] > lengths[1] > lengths[2]


@pytest.mark.syllabus("S3-035")
def test_lasso_per_sample_is_scikit_learns_at_half_the_strength(toy):
    lam = 0.5
    model = Lasso(alpha=lam / 2, fit_intercept=False, tol=1e-10).fit(toy.X, toy.y)
    peer = PeerLasso(alpha=lam / 2, fit_intercept=False, tol=1e-12).fit(toy.X, toy.y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-6)
    w = model.coef_
    cost = ((toy.X @ w - toy.y) ** 2).mean() + lam * np.abs(w).sum()
    assert 2 * model.certificate_.primal == pytest.approx(cost)


@pytest.mark.syllabus("S3-036")
def test_lasso_selects_features_along_the_path_and_ridge_keeps_all(toy):
    lasso = regularization_path(Lasso(), toy.X, toy.y, n_values=8)
    ridge = regularization_path(Ridge(), toy.X, toy.y, n_values=8)
    zeros = (lasso.coefs == 0).sum(axis=1)
    assert zeros[0] == 4
    halfway = lasso.coefs[zeros == 2]  # the two idle features are still asleep
    assert len(halfway) > 0
    assert np.all(halfway[:, 2:] == 0)
    assert np.all(np.diff(zeros) <= 0)
    assert np.all(ridge.coefs != 0)


@pytest.mark.syllabus("S3-037")
def test_the_elastic_net_mixes_both_penalties(toy):
    model = ElasticNet(alpha=0.4, l1_ratio=0.3, tol=1e-10).fit(toy.X, toy.y)
    peer = PeerElasticNet(alpha=0.4, l1_ratio=0.3, tol=1e-12).fit(toy.X, toy.y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-6)
    w, e = model.coef_, toy.y - model.predict(toy.X)
    mixed = 0.4 * (0.3 * np.abs(w).sum() + 0.7 / 2 * w @ w)
    assert model.certificate_.primal == pytest.approx((e @ e) / 100 + mixed)


@pytest.mark.syllabus("S3-038")
def test_twins_share_evenly_under_ridge_and_anyhow_under_lasso(toy):
    twins = np.column_stack([toy.X[:, 0], toy.X[:, 0]])
    first, second = Ridge(alpha=5.0).fit(twins, toy.y).coef_
    assert first == pytest.approx(second)
    risk = LinearRisk(as_design(twins), toy.y, Squared(), LassoPenalty(0.2))
    starts = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    runs = [ProximalGradient(1e-9).solve(risk, start) for start in starts]
    weights = np.array([run.point[:-1] for run in runs])
    assert np.all(weights >= 0)  # the same signs
    np.testing.assert_allclose(weights.sum(axis=1), weights[0].sum(), rtol=1e-4)
    assert np.ptp(weights[:, 0]) > 1.0  # and yet quite different models
    values = [run.certificate.primal for run in runs]
    np.testing.assert_allclose(values, values[0], rtol=1e-7)


@pytest.mark.syllabus("S3-039")
def test_of_dependent_features_lasso_takes_the_larger_and_ridge_goes_by_scale(toy):
    x = toy.X[:, 0]
    both = np.column_stack([x, 2 * x])
    small, large = Ridge(alpha=5.0).fit(both, toy.y).coef_
    assert large / small == pytest.approx(2.0)
    risk = LinearRisk(as_design(both), toy.y, Squared(), LassoPenalty(0.2))
    for solver in (CoordinateDescent(1e-9), ProximalGradient(1e-9)):
        small, large = solver.solve(risk).point[:-1]
        assert small == pytest.approx(0.0, abs=1e-6)
        assert large > 0.5

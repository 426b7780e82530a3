"""The table of losses over several scores: margins, scales, softmax, regression."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax
from sklearn.metrics import log_loss

from infimum.data.designs import as_design
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.losses import (
    MulticlassHinge,
    MultivariateSquared,
    ScaledMulticlassHinge,
    Softmax,
    Squared,
)
from infimum.models.linear import RiskMinimizer
from infimum.objectives import LinearRisk
from infimum.penalties import MCP, Lasso, Ridge
from infimum.solvers import Bundle, choose

COSTS = ((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (0.5, 3.0, 0.0))
SCALES = ((0.0, 2.0, 0.5), (1.0, 0.0, 3.0), (1.5, 0.2, 0.0))


@pytest.fixture
def labelled(rng):
    """Return labels and scores of three classes."""
    return rng.integers(0, 3, size=100).astype(float), 2 * rng.normal(size=(100, 3))


def by_enumeration(y, f, piece):
    """Return the worst label and its price for every sample, label by label."""
    table = np.array(
        [[piece(int(t), k, row) for k in range(3)] for t, row in zip(y, f, strict=True)]
    )
    return table.argmax(axis=1), table.max(axis=1)


def pointing(worst, y, length=1.0):
    """Return length·(e_worst - e_y) for every sample."""
    return length * (np.eye(3)[worst] - np.eye(3)[y.astype(int)])


@pytest.mark.syllabus("S0B-251")
def test_the_soft_margin_charges_the_worst_label_by_its_margin(labelled):
    y, f = labelled
    worst, price = by_enumeration(y, f, lambda t, k, row: row[k] - row[t] + COSTS[t][k])
    loss = MulticlassHinge(3, COSTS)
    np.testing.assert_allclose(loss.value(y, f), price, atol=1e-14)
    np.testing.assert_array_equal(loss.derivative(y, f), pointing(worst, y))


@pytest.mark.syllabus("S0B-251")
def test_unit_costs_ask_every_wrong_label_to_stay_one_below(labelled):
    y, f = labelled
    right = f[np.arange(100), y.astype(int)]
    wrong = np.where(np.eye(3)[y.astype(int)] == 1, -np.inf, f).max(axis=1)
    np.testing.assert_allclose(
        MulticlassHinge(3).value(y, f), np.maximum(0.0, 1.0 + wrong - right)
    )


@pytest.mark.syllabus("S0B-252")
def test_the_scaled_soft_margin_multiplies_the_whole_bracket(labelled):
    y, f = labelled
    worst, price = by_enumeration(
        y, f, lambda t, k, row: SCALES[t][k] * (row[k] - row[t] + COSTS[t][k])
    )
    loss = ScaledMulticlassHinge(3, COSTS, SCALES)
    np.testing.assert_allclose(loss.value(y, f), price, atol=1e-14)
    length = np.array(SCALES)[y.astype(int), worst][:, None]
    np.testing.assert_allclose(loss.derivative(y, f), pointing(worst, y, length))
    plain = ScaledMulticlassHinge(3, COSTS)
    np.testing.assert_array_equal(
        plain.value(y, f), MulticlassHinge(3, COSTS).value(y, f)
    )


@pytest.mark.syllabus("S0B-252")
def test_the_other_convention_leaves_the_margin_outside_the_bracket(labelled):
    y, f = labelled
    _, price = by_enumeration(
        y, f, lambda t, k, row: SCALES[t][k] * (row[k] - row[t]) + COSTS[t][k]
    )
    loss = ScaledMulticlassHinge.with_outer_costs(3, COSTS, SCALES)
    np.testing.assert_allclose(loss.value(y, f), price, atol=1e-14)


@pytest.mark.syllabus("S0B-252")
def test_scaled_slopes_are_mixes_of_scaled_differences(labelled, rng):
    y, f = labelled
    loss, mix = ScaledMulticlassHinge(3, COSTS, SCALES), rng.dirichlet(np.ones(3), 100)
    codes = y.astype(int)
    pulls = mix * np.array(SCALES)[codes]
    s = pulls - np.eye(3)[codes] * pulls.sum(axis=1, keepdims=True)
    price = -(pulls * np.array(COSTS)[codes]).sum(axis=1)
    np.testing.assert_allclose(loss.conjugate(y, s), price)
    assert np.all(loss.value(y, f) + price >= (s * f).sum(axis=1) - 1e-12)
    at = loss.derivative(y, f)
    np.testing.assert_allclose(
        loss.value(y, f) + loss.conjugate(y, at), (at * f).sum(axis=1), atol=1e-12
    )
    assert np.all(np.isinf(loss.conjugate(y, -s)))
    slack = loss.slack(y, s)[:, None]
    turn = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [-1.0, 0.0, 1.0]])
    for direction in turn:
        assert np.all(np.isfinite(loss.conjugate(y, s + slack * direction)))


@pytest.mark.parametrize(
    "loss",
    [MulticlassHinge(3, COSTS), ScaledMulticlassHinge(3, COSTS, SCALES)],
    ids=["margin", "scaled"],
)
@pytest.mark.parametrize("intercept", [True, False])
def test_kinked_losses_over_labels_are_minimised_with_a_proof(loss, intercept, rng):
    X = rng.normal(size=(50, 2))
    y = rng.integers(0, 3, size=50).astype(float)
    X[:, 0] += y
    risk = LinearRisk(as_design(X), y, loss, Ridge(0.1), intercept=intercept)
    solution = choose(risk)().solve(risk)
    bundle = Bundle().solve(risk)
    assert bundle.certified
    assert bundle.certificate.primal >= solution.certificate.dual
    assert solution.certified
    for _ in range(20):
        elsewhere = solution.point + 0.1 * rng.normal(size=solution.point.shape)
        elsewhere[-1] *= intercept
        assert risk.value(elsewhere) >= solution.certificate.dual


def test_a_pair_that_no_solver_takes_is_refused_in_one_sentence(rng):
    X, y = rng.normal(size=(9, 2)), np.arange(9.0) % 3
    risk = LinearRisk(as_design(X), y, MulticlassHinge(3), MCP(0.1))
    with pytest.raises(
        IncompatibleError, match=r"No solver fits MulticlassHinge with MCP: .*\.$"
    ):
        choose(risk)


def test_a_kinked_vector_loss_is_minimised_under_a_lasso_too(rng):
    X, y = rng.normal(size=(9, 2)), np.arange(9.0) % 3
    risk = LinearRisk(as_design(X), y, MulticlassHinge(3), Lasso(0.1))
    assert choose(risk)().solve(risk).certified


@pytest.mark.parametrize("costs", [((1.0, 1.0), (1.0, 0.0)), ((0.0, 1.0),), COSTS])
def test_costs_that_are_no_table_of_mistakes_are_refused(costs):
    with pytest.raises(InvalidParameterError, match=r"MulticlassHinge\.costs"):
        MulticlassHinge(2, costs)


@pytest.mark.syllabus("S0B-253")
def test_softmax_is_the_log_partition_minus_the_score_of_the_label(labelled):
    y, f = labelled
    right = f[np.arange(100), y.astype(int)]
    loss = Softmax(3)
    np.testing.assert_allclose(loss.value(y, f), logsumexp(f, axis=1) - right)
    np.testing.assert_allclose(
        loss.derivative(y, f), softmax(f, axis=1) - np.eye(3)[y.astype(int)]
    )
    assert loss.value(y, f).mean() == pytest.approx(log_loss(y, softmax(f, axis=1)))


@pytest.mark.syllabus("S0B-254")
def test_multivariate_regression_weighs_residuals_by_a_matrix(rng):
    y, f = rng.normal(size=(50, 2)), rng.normal(size=(50, 2))
    M = ((2.0, -1.0), (-1.0, 3.0))
    loss = MultivariateSquared(M)
    by_hand = [0.5 * r @ np.array(M) @ r for r in f - y]
    np.testing.assert_allclose(loss.value(y, f), by_hand)
    np.testing.assert_allclose(loss.derivative(y, f), (f - y) @ np.array(M))
    apart = sum(Squared().value(y[:, k], f[:, k]) for k in range(2))
    np.testing.assert_allclose(MultivariateSquared().value(y, f), apart)


@pytest.mark.syllabus("S0B-254")
def test_a_flat_direction_of_the_matrix_is_never_asked_for_a_slope():
    y, along = np.array([[1.0, 2.0]]), np.array([[1.0, 1.0]])
    loss = MultivariateSquared(((1.0, 1.0), (1.0, 1.0)))
    assert loss.conjugate(y, along)[0] == pytest.approx(0.5 + 3.0)
    assert loss.conjugate(y, np.array([[1.0, -1.0]]))[0] == np.inf


@pytest.mark.parametrize("M", [((1.0, 2.0), (2.0, 1.0)), ((1.0, 0.5), (0.0, 1.0))])
def test_a_matrix_that_is_no_metric_is_refused(M):
    with pytest.raises(InvalidParameterError, match="positive semi-definite"):
        MultivariateSquared(M)


@pytest.mark.syllabus("S0B-254")
def test_multivariate_regression_is_minimised_with_a_proof(rng):
    X, Y = rng.normal(size=(60, 3)), rng.normal(size=(60, 2))
    risk = LinearRisk(as_design(X), Y, MultivariateSquared(), Ridge(0.3))
    solution = choose(risk)(1e-9).solve(risk)
    assert solution.certified
    for k in range(2):
        alone = LinearRisk(as_design(X), Y[:, k], Squared(), Ridge(0.3))
        w = choose(alone)(1e-9).solve(alone).point
        np.testing.assert_allclose(solution.point[:, k], w, atol=1e-4)


@pytest.mark.syllabus("S0B-251", "S0B-252")
@pytest.mark.parametrize("loss", ["multiclass_hinge", "scaled_multiclass_hinge"])
def test_the_general_estimator_learns_classes_by_margins_and_proves_it_again(loss, rng):
    X, y = rng.normal(size=(60, 2)), np.array(list("abcd"))[np.arange(60) % 4]
    X += 3 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[np.arange(60) % 4]
    model = RiskMinimizer(loss, strength=0.05, tol=1e-5).fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.certify(X, y).relative_gap <= 1e-5


@pytest.mark.syllabus("S0B-254")
def test_the_general_estimator_learns_several_targets_together(rng):
    X, W = rng.normal(size=(60, 3)), rng.normal(size=(3, 2))
    model = RiskMinimizer("multivariate_squared", strength=1e-6).fit(X, X @ W + 1.0)
    np.testing.assert_allclose(model.predict(X), X @ W + 1.0, atol=1e-4)
    assert model.certificate_.closed
    with pytest.raises(DataError, match="reads 2 targets per sample"):
        model.fit(X, X[:, 0])

"""The hard-margin machine: primal, Lagrangian, dual, support vectors, offset."""

import numpy as np
import pytest

from infimum.certificates import best_offsets, certify_support_vectors
from infimum.errors import DataError
from infimum.models.kernel import SVC
from infimum.objectives import SupportVectorDual
from infimum.study.convexity import Multipliers, kkt_report
from tests.models.kernel.support_vectors.svm_programs import (
    clouds,
    hard_primal,
    margin_dual,
    soft_primal,
    solved,
    weights_of,
)


@pytest.fixture
def apart(rng):
    return clouds(rng, 30, gap=3.0)


def hard(X, y):
    return SVC(kernel="linear", C=1e6, tol=1e-10).fit(X, y)


@pytest.mark.syllabus("S0B-155", "S2-044", "S3-044", "S4A-123")
def test_the_hard_margin_primal_is_the_machine_with_a_price_out_of_reach(apart):
    X, y = apart
    program = hard_primal(X, y)
    assert program.hessian.shape == (3, 3)  # d + 1 variables
    assert len(program.inequality_limit) == 30  # n constraints
    found, model = solved(program), hard(X, y)
    assert found.point[:2] == pytest.approx(model.coef_[0], rel=1e-6)
    assert found.point[2] == pytest.approx(model.intercept_[0], rel=1e-6)
    assert found.value == pytest.approx(model.certificate_.primal, rel=1e-6)
    functional = y * (X @ found.point[:2] + found.point[2])
    assert functional.min() == pytest.approx(1.0)  # canonical by itself


@pytest.mark.syllabus("S0B-155", "S4A-123")
def test_no_hard_margin_exists_where_the_classes_overlap(rng):
    X, y = clouds(rng, 30)
    with pytest.raises(DataError, match="no feasible point"):
        solved(hard_primal(X, y))
    # The soft machine has an answer, and slack shows that it had to give in.
    soft = solved(soft_primal(X, y, 1.0))
    assert soft.point[3:].max() > 1.0


@pytest.mark.syllabus("S2-053", "S4A-128")
def test_the_gradient_of_the_lagrangian_vanishes_at_the_machine(apart, rng):
    X, y = apart
    program, model = hard_primal(X, y).program, hard(X, y)
    mu = np.abs(weights_of(model, 30))
    point = np.append(model.coef_[0], model.intercept_)
    lagrangian = program.lagrangian(Multipliers(mu, np.empty(0)))
    w, b = rng.normal(size=2), 0.7
    by_hand = 0.5 * w @ w - mu @ (y * (X @ w + b) - 1)
    assert lagrangian.value(np.append(w, b)) == pytest.approx(by_hand)
    assert lagrangian.gradient(point) == pytest.approx(np.zeros(3), abs=1e-6)
    # Which says: w = Σ μ y x and Σ μ y = 0.
    assert model.coef_[0] == pytest.approx((mu * y) @ X)
    assert mu @ y == pytest.approx(0.0, abs=1e-9)
    report = kkt_report(program, point, Multipliers(mu, np.empty(0)))
    assert report.satisfied(1e-5)
    # A saddle: no other point has a lower, no other price a higher Lagrangian.
    for _ in range(20):
        other = point + rng.normal(size=3)
        assert lagrangian.value(other) >= report.value - 1e-6
        prices = Multipliers(mu + rng.exponential(size=30), np.empty(0))
        assert program.lagrangian(prices).value(point) <= report.value + 1e-4


@pytest.mark.syllabus("S2-054", "S4A-128")
def test_the_hard_margin_dual_has_the_value_of_the_primal(apart):
    X, y = apart
    primal, dual = solved(hard_primal(X, y)), solved(margin_dual(X @ X.T, y))
    assert -dual.value == pytest.approx(primal.value, rel=1e-7)
    assert (dual.point >= -1e-8).all()
    assert dual.point @ y == pytest.approx(0.0, abs=1e-8)
    model = hard(X, y)
    assert np.abs(weights_of(model, 30)) == pytest.approx(dual.point, abs=1e-6)
    # The prices of the primal's walls are the variables of the dual.
    assert primal.multipliers.inequality == pytest.approx(dual.point, abs=1e-6)


@pytest.mark.syllabus("S2-055")
def test_only_support_vectors_shape_the_machine_and_they_lie_on_the_margin(apart):
    X, y = apart
    model = hard(X, y)
    margins = y * model.decision_function(X)
    assert margins[model.support_] == pytest.approx(np.ones(len(model.support_)))
    assert 2 <= len(model.support_) < 6
    again = hard(X[model.support_], y[model.support_])
    assert again.coef_ == pytest.approx(model.coef_, rel=1e-6)
    assert again.intercept_ == pytest.approx(model.intercept_, rel=1e-6)
    without = np.delete(np.arange(30), model.support_[0])
    assert hard(X[without], y[without]).margins_ > model.margins_


@pytest.mark.syllabus("S2-056")
def test_the_offset_is_the_mean_over_the_support_vectors(apart):
    X, y = apart
    model = hard(X, y)
    some = model.support_
    mean = np.mean(y[some] - X[some] @ model.coef_[0])
    assert model.intercept_[0] == pytest.approx(mean, rel=1e-7)


@pytest.mark.syllabus("S4A-133")
def test_the_exercise_with_two_points_and_a_hard_margin():
    X, y = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
    primal, dual = solved(hard_primal(X, y)), solved(margin_dual(X @ X.T, y))
    model = hard(X, y)
    for w, b in (
        (primal.point[:2], primal.point[2]),
        (model.coef_[0], model.intercept_[0]),
        ((dual.point * y) @ X, np.mean(y - X @ ((dual.point * y) @ X))),
    ):
        assert [*w, b] == pytest.approx([1.0, 0.0, 0.0], abs=1e-7)
    assert dual.point == pytest.approx([0.5, 0.5])
    assert primal.value == pytest.approx(0.5)
    assert dual.value == pytest.approx(-0.5)
    assert model.margins_ == pytest.approx([1.0])
    assert sorted(model.support_) == [0, 1]


@pytest.mark.syllabus("S4A-133")
@pytest.mark.parametrize("C", [0.5, 0.9, 1.0, 3.0])
def test_the_exercise_with_two_points_and_a_soft_margin(C):
    X, y = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
    price, reached = C / 2, min(C, 1.0)
    primal = solved(soft_primal(X, y, price))
    dual = solved(margin_dual(X @ X.T, y, price))
    model = SVC(kernel="linear", C=price, tol=1e-10).fit(X, y)
    alpha = min(0.5, C / 2)
    assert dual.point == pytest.approx([alpha, alpha], abs=1e-4)
    assert np.abs(weights_of(model, 2)) == pytest.approx([alpha, alpha])
    assert primal.point[:2] == pytest.approx([reached, 0.0], abs=1e-4)
    assert model.coef_[0] == pytest.approx([reached, 0.0])
    best = C - C**2 / 2 if C < 1 else 0.5
    for value in (primal.value, -dual.value, model.certificate_.primal):
        assert value == pytest.approx(best, abs=1e-7)
    # At the bound no support vector is free, and a whole interval of offsets is best.
    reach = 1 - reached
    signs = SupportVectorDual.classification(y, np.full(2, price))
    scores = X[:, 0] * reached
    for b in (-reach, 0.0, reach):
        proof = certify_support_vectors(signs, alpha * y, scores, np.array([b, 0.0]))
        assert proof.gap == pytest.approx(0.0, abs=1e-12)
    beyond = np.array([reach + 0.1, 0.0])
    assert certify_support_vectors(signs, alpha * y, scores, beyond).gap > 0.01
    assert best_offsets(signs, scores)[0] == pytest.approx(0.0, abs=1e-12)

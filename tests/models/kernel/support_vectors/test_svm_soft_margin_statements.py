"""The soft-margin machine: slacks, prices, conditions of optimality, the offset."""

import numpy as np
import pytest
from sklearn import svm

from infimum.data.designs import as_design
from infimum.evaluation import margins
from infimum.losses import Hinge
from infimum.models.kernel import SVC
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge
from infimum.solvers import Bundle, DualCoordinateAscent, InteriorPoint, choose
from infimum.study.convexity import Multipliers, kkt_report
from tests.models.kernel.support_vectors.svm_programs import (
    clouds,
    hard_primal,
    margin_dual,
    soft_primal,
    solved,
    weights_of,
)

N, C = 40, 20.0  # the price of a violation in most texts is C/n


@pytest.fixture
def mixed(rng):
    return clouds(rng, N, gap=0.8)


def machine(X, y, price=C / N, **named):
    return SVC(kernel="linear", C=price, tol=1e-10, **named).fit(X, y)


@pytest.mark.syllabus("S0B-156", "S2-057", "S3-045", "S4A-124")
def test_the_soft_margin_primal_is_the_machine_with_that_price(mixed):
    X, y = mixed
    found, model = solved(soft_primal(X, y, C / N)), machine(X, y)
    assert found.point[:2] == pytest.approx(model.coef_[0], rel=1e-6)
    assert found.point[2] == pytest.approx(model.intercept_[0], abs=1e-6)
    assert found.value == pytest.approx(model.certificate_.primal, rel=1e-8)
    theirs = svm.SVC(kernel="linear", C=C / N, tol=1e-8).fit(X, y)
    assert theirs.coef_ == pytest.approx(model.coef_, rel=1e-5)


@pytest.mark.syllabus("S2-062", "S3-064", "S4A-124")
def test_the_best_slack_is_the_hinge_loss(mixed):
    X, y = mixed
    found, model = solved(soft_primal(X, y, C / N)), machine(X, y)
    scores = model.decision_function(X)
    assert found.point[3:] == pytest.approx(Hinge().value(y, scores), abs=1e-6)


@pytest.mark.syllabus("S2-058")
def test_an_error_needs_a_slack_above_one_so_slacks_bound_the_errors(rng):
    for _ in range(5):
        X, y = clouds(rng, 30, gap=rng.uniform(0.0, 1.0))
        model = machine(X, y, price=rng.exponential())
        slack = Hinge().value(y, model.decision_function(X))
        wrong = model.predict(X) != y
        assert wrong.any()
        assert (slack[wrong] >= 1.0).all()
        assert not wrong[slack < 1.0].any()
        assert slack.sum() >= wrong.sum()


@pytest.mark.syllabus("S3-046")
def test_slack_measures_distance_in_units_of_the_margin(mixed):
    X, y = mixed
    model = machine(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    found = margins(w, X, y, b)
    slack = Hinge().value(y, model.decision_function(X))
    bound = (1 - slack) * model.margins_[0]
    assert (found.geometric >= bound - 1e-9).all()
    assert found.geometric[slack > 0] == pytest.approx(bound[slack > 0])
    # A positive sample walks from its own margin line to the other one.
    lines = found.feet[0] + np.multiply.outer([1.0, 0.5, 0.0, -1.0], w / (w @ w))
    walked = model.decision_function(lines)
    assert Hinge().value(np.ones(4), walked) == pytest.approx([0.0, 0.5, 1.0, 2.0])
    # Slack alone is no mistake; slack beyond 1 is.
    inside = (slack > 0) & (slack < 1)
    assert inside.any()
    assert (model.predict(X)[inside] == y[inside]).all()
    assert (model.predict(X)[slack > 1] != y[slack > 1]).all()


@pytest.mark.syllabus("S3-047")
def test_a_larger_price_narrows_the_margin(rng):
    X, y = clouds(rng, 40, gap=0.5, d=3)
    widths = [machine(X, y, price).margins_[0] for price in (0.01, 0.1, 1.0, 10.0)]
    assert (np.diff(widths) < 0).all()
    slacks = [
        Hinge().value(y, machine(X, y, price).decision_function(X)).sum()
        for price in (0.01, 0.1, 1.0, 10.0)
    ]
    assert (np.diff(slacks) <= 1e-6).all()


@pytest.mark.syllabus("S2-060", "S3-059")
def test_the_conditions_of_optimality_with_prices_of_margins_and_slacks(mixed):
    X, y = mixed
    price, model = C / N, machine(X, y)
    scores = model.decision_function(X)
    alpha, xi = np.abs(weights_of(model, N)), Hinge().value(y, scores)
    nu = price - alpha
    assert min(alpha.min(), nu.min(), xi.min()) >= 0
    assert (y * scores - 1 + xi >= -1e-8).all()
    assert alpha * (y * scores - 1 + xi) == pytest.approx(np.zeros(N), abs=1e-6)
    assert nu * xi == pytest.approx(np.zeros(N), abs=1e-6)
    assert model.coef_[0] == pytest.approx((alpha * y) @ X)
    assert alpha @ y == pytest.approx(0.0, abs=1e-9)
    # The same, asked of a report that knows nothing of machines.
    point = np.concatenate([model.coef_[0], model.intercept_, xi])
    prices = Multipliers(np.concatenate([alpha, nu]), np.empty(0))
    program = soft_primal(X, y, price).program
    assert kkt_report(program, point, prices).satisfied(1e-6)
    worse = point + 0.1 * np.eye(len(point))[0]
    assert not kkt_report(program, worse, prices).satisfied(1e-3)


@pytest.mark.syllabus("S3-060")
def test_the_dual_box_ends_at_the_price_and_its_value_is_the_primals(mixed):
    X, y = mixed
    dual = solved(margin_dual(X @ X.T, y, C / N))
    primal, model = solved(soft_primal(X, y, C / N)), machine(X, y)
    assert -dual.value == pytest.approx(primal.value, rel=1e-8)
    assert model.certificate_.dual == pytest.approx(-dual.value, rel=1e-6)
    assert dual.point.max() <= C / N + 1e-8
    assert weights_of(model, N) == pytest.approx(y * dual.point, abs=1e-6)


@pytest.mark.syllabus("S3-064", "S3-065", "S4A-130")
def test_the_margin_tells_the_multiplier_and_the_multiplier_the_margin(mixed):
    X, y = mixed
    price, model = C / N, machine(X, y)
    alpha = np.abs(weights_of(model, N))
    margin = y * model.decision_function(X)
    near = 1e-6
    assert (alpha[margin > 1 + near] == 0).all()
    assert (alpha[margin < 1 - near] == price).all()
    assert (margin[alpha == 0] >= 1 - near).all()
    free = (alpha > 0) & (alpha < price)
    assert free.any()
    assert margin[free] == pytest.approx(np.ones(free.sum()), abs=near)
    assert (margin[alpha == price] <= 1 + near).all()
    assert sorted(model.support_) == list(np.flatnonzero(alpha > 0))
    assert (Hinge().value(y, margin * y)[alpha < price] <= near).all()


@pytest.mark.syllabus("S0B-160", "S2-056", "S3-066", "S4A-130")
def test_the_offset_comes_from_the_free_support_vectors(mixed):
    X, y = mixed
    price, model = C / N, machine(X, y)
    signed = weights_of(model, N)
    free = np.flatnonzero((np.abs(signed) > 0) & (np.abs(signed) < price))
    each = y[free] - X[free] @ (signed @ X)
    assert each == pytest.approx(np.full(len(free), model.intercept_[0]), abs=1e-7)
    assert np.mean(each) == pytest.approx(model.intercept_[0], abs=1e-8)
    theirs = svm.SVC(kernel="linear", C=price, tol=1e-8).fit(X, y)
    assert np.mean(each) == pytest.approx(theirs.intercept_[0], abs=1e-5)
    # All support vectors would be wrong: those at the bound are off the margin.
    everyone = np.mean(y[model.support_] - X[model.support_] @ (signed @ X))
    assert abs(everyone - model.intercept_[0]) > 1e-3
    by_hand = X @ (signed @ X) + np.mean(each)
    assert model.decision_function(X) == pytest.approx(by_hand)


@pytest.mark.syllabus("S0B-161", "S4A-125", "S4A-127")
def test_the_soft_margin_machine_is_regularised_risk_with_the_hinge(mixed):
    X, y = mixed
    program, model = solved(soft_primal(X, y, C / N)), machine(X, y)
    # ½‖w‖² + (C/n) Σ hinge is C times the mean loss under the strength 1/C.
    risk = LinearRisk(as_design(X), y, Hinge(), Ridge(1 / C))
    point = np.append(model.coef_[0], model.intercept_)
    assert C * risk.value(point) == pytest.approx(program.value, rel=1e-7)
    for solver in (Bundle, DualCoordinateAscent, InteriorPoint):
        found = solver(tolerance=1e-8, max_iterations=5_000).solve(risk)
        assert C * risk.value(found.point) == pytest.approx(program.value, rel=1e-6)
        assert found.point[:-1] == pytest.approx(model.coef_[0], abs=1e-3)


@pytest.mark.syllabus("S0B-161", "S4A-125")
def test_the_hinge_charges_the_margin_and_its_slope_is_a_label(rng):
    loss, y, f = Hinge(), np.ones(5), np.array([-2.0, 0.0, 0.5, 1.0, 3.0])
    assert loss.value(y, f) == pytest.approx([3.0, 1.0, 0.5, 0.0, 0.0])
    assert loss.derivative(y, f)[[0, 1, 2, 4]] == pytest.approx([-1, -1, -1, 0])
    assert loss.value(-y, -f) == pytest.approx(loss.value(y, f))
    scores, labels = rng.normal(size=50), np.sign(rng.normal(size=50))
    bound = loss.value(labels, scores) + loss.derivative(labels, scores) * 1.7
    assert (loss.value(labels, scores + 1.7) >= bound - 1e-12).all()


@pytest.mark.syllabus("S0B-161", "S4A-131")
def test_few_features_call_for_the_primal_and_many_for_the_dual(rng):
    for n, d in ((60, 2), (10, 80)):
        X, y = clouds(rng, n, gap=6.0, d=d)
        primal, dual = hard_primal(X, y), margin_dual(X @ X.T, y)
        assert (len(primal.slope), len(primal.inequality_limit)) == (d + 1, n)
        assert len(dual.slope) == n
        assert len(dual.inequality_limit) + len(dual.equality_target) == n + 1
        assert (len(primal.slope) < len(dual.slope)) == (d < n)
        assert solved(primal).value == pytest.approx(-solved(dual).value, rel=1e-6)
    # The library follows the advice.
    tall, wide = (
        LinearRisk(as_design(X), y, Hinge(), Ridge(1.0))
        for X, y in (clouds(rng, 60), clouds(rng, 50, d=2_100))
    )
    assert choose(tall) is InteriorPoint
    assert choose(wide) is DualCoordinateAscent

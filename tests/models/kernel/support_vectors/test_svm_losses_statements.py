"""Losses of the margin side by side, the given-up sample, and the recipe."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from infimum.kernels import Linear
from infimum.losses import (
    Exponential,
    Hinge,
    Logistic,
    Squared,
    SquaredHinge,
    compare,
)
from infimum.models.kernel import SVC
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.study.convexity import QuadraticProgram, numeric_gradient
from infimum.study.solvers import SequentialMinimalOptimization
from tests.models.kernel.support_vectors.svm_programs import clouds, soft_primal, solved


@pytest.mark.syllabus("S4A-126")
def test_the_losses_for_classes_against_the_margin():
    margin, y = np.array([-1.0, 0.0, 1.0, 2.0]), np.ones(4)
    table = {
        Squared(): (2.0, [4, 1, 0, 1]),  # ours is halved
        Hinge(): (1.0, [2, 1, 0, 0]),
        Logistic(): (1 / np.log(2), [1.895, 1, 0.452, 0.183]),
        SquaredHinge(): (1.0, [4, 1, 0, 0]),
        Exponential(): (1.0, np.exp(-margin)),
    }
    wrong = (margin <= 0).astype(float)
    for loss, (unit, values) in table.items():
        found = unit * loss.value(y, margin)
        assert found == pytest.approx(values, abs=1e-3)
        assert (found >= wrong).all()  # all lie above the 0-1 loss
    drawn = [Hinge(), Logistic(), SquaredHinge(), Exponential()]
    figure = compare(drawn, reach=2.0)
    curves = [trace for trace in figure.data if trace.xaxis == "x"]
    assert [trace.name for trace in curves] == [repr(loss) for loss in drawn]
    for trace, loss in zip(curves, drawn, strict=True):
        heights = np.interp(margin, trace.x, trace.y)
        assert heights == pytest.approx(loss.value(y, margin), abs=1e-2)


@pytest.mark.syllabus("S0B-172")
def test_the_zero_one_loss_lies_below_the_hinges_when_it_starts_at_zero(rng):
    f, y = 3 * rng.normal(size=400), rng.choice([-1.0, 1.0], size=400)
    wrong, timid = (y * f <= 0).astype(float), (y * f < 1).astype(float)
    for loss in (Hinge(), SquaredHinge()):
        assert (loss.value(y, f) >= wrong).all()
        assert (loss.value(y, f) < timid).any()  # a threshold of 1 would break it
    # Least hinge is not fewest errors: that is a search over all cuts.
    X, y = np.array([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [60.0]]), np.ones(6)
    y[[0, 1, 2, 5]] = -1.0
    cuts = [0.5 * (a + b) for a, b in zip(X[:-1, 0], X[1:, 0], strict=True)]
    fewest = min(
        np.mean(side * np.sign(X[:, 0] - cut) != y) for cut in cuts for side in (-1, 1)
    )
    model = SVC(kernel="linear", C=1.0).fit(X, y)
    errors = 1 - model.score(X, y)
    assert fewest < errors
    assert errors <= np.mean(Hinge().value(y, model.decision_function(X)))


@pytest.mark.syllabus("S0B-173")
def test_the_squared_hinge_is_smooth_at_its_corner(rng):
    loss, y = SquaredHinge(), np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    f = np.array([-1.0, 1.0, 2.0, -1.0, 0.5])  # two of them at the corner
    assert loss.value(y, f) == pytest.approx([4.0, 0.0, 0.0, 0.0, 2.25])
    slope = numeric_gradient(lambda scores: float(loss.value(y, scores).sum()), f)
    assert loss.derivative(y, f) == pytest.approx(slope, abs=1e-5)
    assert loss.derivative(y, f)[[1, 3]] == pytest.approx([0.0, 0.0])
    X, labels = clouds(rng, 20)
    w = rng.normal(size=2)

    def risk(w):
        return float(loss.value(labels, X @ w).sum())

    by_hand = -2 * (labels * np.maximum(0, 1 - labels * (X @ w))) @ X
    assert by_hand == pytest.approx(numeric_gradient(risk, w), abs=1e-4)
    assert loss.derivative(labels, X @ w) @ X == pytest.approx(by_hand)
    assert loss.smooth
    assert not Hinge().smooth


@pytest.mark.syllabus("S0B-178")
def test_a_sample_given_up_has_its_box_on_the_other_side_of_zero(rng):
    n, price = 30, 0.5
    X, y = clouds(rng, n, gap=0.8)
    given_up = np.zeros(n, dtype=bool)
    given_up[rng.choice(n, size=5, replace=False)] = True
    # ½‖w‖² + price·Σ hinge + price·Σ y·f over those given up, which is the tangent of
    # the second hinge of the ramp there; the intercept belongs to it.
    plain = soft_primal(X, y, price)
    pulls = price * (y * given_up) @ np.column_stack([X, np.ones(n)])
    program = QuadraticProgram(
        plain.hessian,
        plain.slope + np.concatenate([pulls, np.zeros(n)]),
        inequality_matrix=plain.inequality_matrix,
        inequality_limit=plain.inequality_limit,
    )
    primal = solved(program)
    # price·δ ≤ α ≤ price·(1 + δ) with δ = -1 for those given up; variables are yα.
    delta = -given_up.astype(float)
    ends = np.sort([y * price * delta, y * price * (1 + delta)], axis=0)
    zero, same = np.zeros(n), np.zeros(n, dtype=np.int64)
    dual = SupportVectorDual(ends[0], ends[1], -y, zero, np.arange(n), same, zero, n)
    solver = SequentialMinimalOptimization(tolerance=1e-10)
    found = solver.solve(dual, kernel_tiles(Linear(), X))
    value = dual.value(found.point, found.scores)
    assert -value - price * delta.sum() == pytest.approx(primal.value, rel=1e-6)
    assert found.point @ X == pytest.approx(primal.point[:2], abs=1e-5)
    assert found.offsets[0] == pytest.approx(primal.point[2], abs=1e-5)
    alpha = y * found.point
    assert (alpha[given_up] <= 0).all()
    assert (alpha[~given_up] >= 0).all()
    assert found.point.sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.syllabus("S4A-157")
def test_the_recipe_is_a_kernel_and_every_parameter_by_cross_validation(rng):
    def draw(n):
        X = rng.uniform(-2, 2, size=(n, 2))
        return X, np.sign(np.sin(2.5 * X[:, 0]) * np.sin(2.5 * X[:, 1]))

    (X, y), (fresh, truth) = draw(60), draw(400)
    prices, widths = np.logspace(-2, 2, 8), np.logspace(-2, 2, 6)
    grid = {"C": prices, "gamma": widths}
    search = GridSearchCV(SVC(), grid, cv=2).fit(X, y)
    assert len(search.cv_results_["params"]) == 48
    scores = search.cv_results_["mean_test_score"].reshape(8, 6)
    # Very sensitive to both: a row and a column of the table span most of its range.
    assert scores.max() - scores[scores.max(axis=1).argmax()].min() > 0.2
    assert np.ptp(scores[:, scores.max(axis=0).argmax()]) > 0.2
    assert search.score(fresh, truth) > SVC().fit(X, y).score(fresh, truth)

"""Line searches as named rules: each keeps the condition it is named for."""

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.study.convexity import (
    BFGS,
    ArmijoStep,
    DampedNewton,
    ExactStep,
    GradientDescent,
    NewtonMethod,
    NonlinearConjugateGradient,
    NonmonotoneStep,
    Oracle,
    Quadratic,
    Situation,
    Softplus,
    SquaredNorm,
    StrongWolfeStep,
    WolfeStep,
    enclose_minimum,
)

RULES = {
    "Armijo": ArmijoStep(),
    "Wolfe": WolfeStep(0.1, 0.6),
    "strong Wolfe": StrongWolfeStep(0.1, 0.3),
    "exact": ExactStep(),
    "non-monotone": NonmonotoneStep(),
}


@pytest.fixture
def situations(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    made = []
    for scale in (0.01, 1.0, 100.0):
        point = 2.0 * rng.normal(size=4)
        gradient = function.gradient(point)
        made.append(Situation(function, point, gradient, -scale * gradient, 1))
    return made


def conditions(at, step):
    """Return the share of decrease, and the slope ahead as a share of that here."""
    drop = at.function.value(at.point) - at.function.value(at.ahead(step))
    ahead = at.function.gradient(at.ahead(step)) @ at.direction
    return drop / (-step * at.slope), ahead / at.slope


def test_armijo_steps_decrease_enough_and_are_not_needlessly_short(situations):
    for at in situations:
        step = ArmijoStep(0.2)(at)
        assert conditions(at, step)[0] >= 0.2
        assert step == 1.0 or conditions(at, 2.0 * step)[0] < 0.2


@pytest.mark.parametrize("rule", [WolfeStep(0.1, 0.6), StrongWolfeStep(0.1, 0.2)])
def test_wolfe_steps_decrease_enough_and_flatten_the_slope(rule, situations):
    for at in situations:
        decrease, slope = conditions(at, rule(at))
        assert decrease >= rule.decrease
        assert slope <= rule.curvature
        if isinstance(rule, StrongWolfeStep):
            assert abs(slope) <= rule.curvature


def test_a_strong_wolfe_step_refuses_a_slope_that_has_turned():
    bowl, point = Quadratic(np.eye(1)), np.ones(1)
    overshooting = Situation(bowl, point, point, -1.8 * point, 1)
    assert conditions(overshooting, 1.0)[1] == pytest.approx(-0.8)
    assert WolfeStep(0.05, 0.1)(overshooting) == 1.0
    assert StrongWolfeStep(0.05, 0.1)(overshooting) < 0.7


def test_exact_steps_leave_no_slope(situations):
    for at in situations:
        assert abs(conditions(at, ExactStep()(at))[1]) < 1e-9


def test_the_non_monotone_rule_lets_values_rise_but_not_the_windows_largest(rng):
    bowl = Quadratic(np.diag([1.0, 30.0]))
    rule = NonmonotoneStep(first=0.12, window=5)
    trace = GradientDescent(rule, max_iterations=60).minimize(
        bowl, np.array([9.0, 3.0])
    )
    largest = [max(trace.values[max(0, t - 4) : t + 1]) for t in range(61)]
    assert np.any(np.diff(trace.values) > 0.0)
    assert np.all(np.diff(largest[5:]) <= 1e-12)
    assert trace.value < 1e-2 * trace.values[0]
    monotone = GradientDescent(NonmonotoneStep(first=0.12, window=1), max_iterations=60)
    values = monotone.minimize(bowl, np.array([9.0, 3.0])).values
    assert np.all(np.diff(values) <= 0.0)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("kind", [GradientDescent, BFGS, NonlinearConjugateGradient])
def test_every_rule_serves_every_method(name, kind, rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    trace = kind(step=RULES[name], tolerance=1e-6).minimize(function, np.ones(4))
    assert trace.reason == "gradient"
    assert trace.gap <= 1e-10


def test_damped_newton_steps_grow_to_full_ones():
    function = Softplus() + SquaredNorm()
    damped = DampedNewton().minimize(function, np.full(3, 9.0))
    full = NewtonMethod().minimize(function, np.full(3, 9.0))
    assert damped.point == pytest.approx(full.point, abs=1e-8)
    assert np.all(np.diff(damped.steps) > 0.0)
    assert damped.steps[0] < 0.1
    assert damped.steps[-1] > 0.99


def test_a_search_by_values_alone_proves_how_near_it_is(rng):
    functions = {
        "kink": (lambda t: abs(t - 0.7), 0.0),
        "bowl": (lambda t: (t - 0.7) ** 2, 0.0),
        "lopsided": (lambda t: max(-3.0 * t, np.exp(t) - 2.0), None),
        "end": (lambda t: t, -2.0),
    }
    for formula, least in functions.values():
        found = enclose_minimum(formula, -2.0, 3.0, tolerance=1e-7)
        grid = [formula(t) for t in np.linspace(-2.0, 3.0, 20_001)]
        best = min(grid) if least is None else least
        assert found.gap <= 1e-7
        assert found.value == formula(found.point)
        assert found.value - found.gap <= best + 1e-12
        assert found.value <= min(grid) + 1e-7
        assert found.low <= found.point <= found.high
        assert found.evaluations < 120


def test_the_proof_by_values_holds_at_every_stage():
    formula = Oracle(lambda w: float(np.cosh(w[0] - 0.3)), lambda w: np.sinh(w - 0.3))
    for tolerance in (1.0, 1e-2, 1e-4, 1e-8):
        found = enclose_minimum(
            lambda t: formula.value(np.array([t])), -4, 5, tolerance
        )
        assert 0.0 <= found.value - 1.0 <= found.gap <= tolerance
    with pytest.raises(DataError, match="low end"):
        enclose_minimum(abs, 1.0, 1.0)

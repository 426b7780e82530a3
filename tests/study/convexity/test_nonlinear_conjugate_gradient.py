"""Conjugate gradients beyond quadratics."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.errors import InvalidParameterError
from infimum.study.convexity import (
    HessianStep,
    NonlinearConjugateGradient,
    Softplus,
    SquaredNorm,
    StrongWolfeStep,
)

FORMULAS = {
    "fletcher_reeves": lambda g, new, _: (new @ new) / (g @ g),
    "polak_ribiere": lambda g, new, _: ((new - g) @ new) / (g @ g),
    "hestenes_stiefel": lambda g, new, p: ((new - g) @ new) / ((new - g) @ p),
}
EACH = [
    pytest.param("fletcher_reeves", marks=pytest.mark.syllabus("S0A-269")),
    pytest.param("polak_ribiere", marks=pytest.mark.syllabus("S0A-270")),
    pytest.param("hestenes_stiefel", marks=pytest.mark.syllabus("S0A-271")),
]


@pytest.mark.parametrize("formula", EACH)
def test_each_direction_bends_by_the_stated_beta(formula, rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    trace = NonlinearConjugateGradient(formula=formula, max_iterations=8).minimize(
        function, 2.0 * np.ones(4)
    )
    for t in range(trace.iterations - 1):
        gradient, after = trace.gradients[t : t + 2]
        beta = FORMULAS[formula](gradient, after, trace.directions[t])
        expected = -after + beta * trace.directions[t]
        assert trace.directions[t + 1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("formula", EACH)
def test_each_beta_is_its_own_when_steps_are_inexact(formula, rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    method = NonlinearConjugateGradient(
        StrongWolfeStep(), formula=formula, max_iterations=6
    )
    trace = method.minimize(function, 2.0 * np.ones(4))
    apart = []
    for t in range(trace.iterations - 1):
        gradient, after = trace.gradients[t : t + 2]
        p = trace.directions[t]
        assert abs(after @ p) > 1e-6 * np.linalg.norm(after) * np.linalg.norm(p)
        betas = {name: beta(gradient, after, p) for name, beta in FORMULAS.items()}
        expected = -after + betas[formula] * p
        if after @ expected < 0:  # otherwise it starts again, with the gradient
            assert trace.directions[t + 1] == pytest.approx(expected, rel=1e-9)
            apart.append(np.ptp(list(betas.values())))
    # Without a line search to the bottom the three formulas differ.
    assert max(apart) > 1e-3


@pytest.mark.parametrize("formula", EACH)
def test_each_formula_reaches_the_minimum_scipy_finds(
    formula, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    start = 3.0 * rng.normal(size=4)
    trace = NonlinearConjugateGradient(formula=formula).minimize(function, start)
    theirs = minimize(
        function.value,
        start,
        jac=function.gradient,
        method="CG",
        options={"gtol": 1e-9},
    )
    assert trace.reason == "gradient"
    assert trace.point == pytest.approx(theirs.x, abs=1e-6)
    assert np.all(np.diff(trace.values) <= 1e-15)


@pytest.mark.syllabus("S0A-268")
def test_the_hessian_formula_takes_newtons_step_along_a_bent_direction(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    method = NonlinearConjugateGradient(HessianStep(), formula="hessian")
    trace = method.minimize(function, 0.5 * np.ones(4))
    assert trace.reason == "gradient"
    for t in range(2):
        hessian, p = function.hessian(trace.points[t]), trace.directions[t]
        step = -(trace.gradients[t] @ p) / (p @ hessian @ p)
        assert trace.steps[t] == pytest.approx(step)
        beta = (trace.gradients[t + 1] @ hessian @ p) / (p @ hessian @ p)
        bent = -trace.gradients[t + 1] + beta * p
        assert trace.directions[t + 1] == pytest.approx(bent)
        # The plus sign of β makes neighbouring directions conjugate.
        product = trace.directions[t + 1] @ hessian @ p
        assert abs(product) <= 1e-12 * np.linalg.norm(hessian) * (p @ p)


@pytest.mark.syllabus("S0A-270")
def test_polak_ribiere_needs_fewer_steps_than_fletcher_reeves_in_all(rng):
    totals = dict.fromkeys(("fletcher_reeves", "polak_ribiere"), 0)
    for _ in range(2):
        signed = rng.normal(size=(30, 4)) * np.logspace(0.0, 1.0, 4)
        function = Softplus(1.0 / 30).after(-signed) + SquaredNorm(scale=0.01)
        for formula in totals:
            method = NonlinearConjugateGradient(formula=formula, tolerance=1e-3)
            totals[formula] += method.minimize(function, np.ones(4)).iterations
    assert totals["polak_ribiere"] < totals["fletcher_reeves"]


def test_an_unknown_formula_is_refused():
    with pytest.raises(InvalidParameterError, match="'polak_ribiere'"):
        NonlinearConjugateGradient(formula="dai_yuan")

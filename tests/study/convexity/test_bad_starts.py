"""Descents refuse starts that are no points, and end where no step leads on."""

import numpy as np
import pytest

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.study import convexity
from infimum.study.convexity import Oracle, Quadratic
from infimum.study.solvers import trace

METHODS = [
    convexity.BFGS(),
    convexity.DampedNewton(),
    convexity.GradientDescent(),
    convexity.LimitedMemoryBFGS(),
    convexity.NewtonMethod(),
    convexity.NonlinearConjugateGradient(),
    convexity.BarzilaiBorwein(),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_a_start_must_be_a_point_of_the_function(method):
    bowl = Quadratic(np.diag([1.0, 4.0]))
    assert method.minimize(bowl, np.array([1.0, 1.0])).best == pytest.approx(0.0)
    with pytest.raises(InvalidParameterError, match="a vector of finite numbers"):
        method.minimize(bowl, np.array([np.nan, 1.0]))
    with pytest.raises(InvalidParameterError, match="a vector of finite numbers"):
        method.minimize(bowl, np.eye(2))
    with pytest.raises(IncompatibleError, match="Quadratic cannot be evaluated at a"):
        method.minimize(bowl, np.ones(3))


def test_a_trace_needs_a_solver():
    with pytest.raises(IncompatibleError, match="trace needs a solver, such as Newton"):
        trace("newton", None)


@pytest.mark.parametrize(
    "method",
    [
        convexity.BFGS(),
        convexity.BarzilaiBorwein(),
        convexity.ProjectedGradient(convexity.Ball(2, 10.0)),
    ],
    ids=lambda m: type(m).__name__,
)
def test_a_search_for_a_step_ends_though_no_step_will_do(method):
    start = np.array([1.0, 1.0])

    def value(point):
        return 2.0 if np.array_equal(point, start) else np.nan

    lonely = Oracle(value, lambda _: start, lambda _: np.eye(2))
    trace = method.minimize(lonely, start)
    assert trace.best == 2.0

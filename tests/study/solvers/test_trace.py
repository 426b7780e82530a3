"""A trace keeps what a solver did: points, values, gaps and times; and draws it."""

import numpy as np
import pytest

from infimum.certificates import certify
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses import Hinge, Logistic, Softmax
from infimum.penalties import Lasso, Ridge
from infimum.solvers import LBFGS, DualCoordinateAscent, Newton, ProximalGradient
from infimum.study.convexity import Trace
from infimum.study.solvers import (
    Pegasos,
    SpectralGradient,
    SteepestDescent,
    plot_traces,
    trace,
)
from tests.laws.parts import EVERY_SOLVER
from tests.solvers.problems import problem

RISK = problem(Logistic(), Ridge(0.01), n=60, d=5)
KINKED = problem(Hinge(), Ridge(0.01), n=60, d=5)
CASES = [
    pytest.param(solver, risk, id=f"{solver.__name__}-{type(risk.loss).__name__}")
    for solver in EVERY_SOLVER
    for risk in (RISK, KINKED)
    if solver().objection(risk) is None
]


@pytest.mark.parametrize(("solver", "risk"), CASES)
def test_every_record_is_true(solver, risk):
    seen = trace(solver(max_iterations=20), risk)
    assert isinstance(seen, Trace)
    lengths = {len(getattr(seen, name)) for name in ("values", "gaps", "bounds")}
    assert lengths == {len(seen.points)}
    assert len(seen.points) >= 2
    for record in seen:
        assert risk.value(record.point) == pytest.approx(record.value, rel=1e-9)
    np.testing.assert_array_equal(seen.points[0], risk.null)
    assert np.all(np.diff(seen.numbers) > 0)
    assert seen.numbers[0] == 0
    assert seen.iterations == seen.numbers[-1] <= 20
    assert np.all(np.diff(seen.seconds) >= 0.0)
    assert np.all(np.diff(seen.gaps[np.isfinite(seen.gaps)]) <= 1e-15)
    best = Newton(1e-12).solve(risk) if risk is RISK else trace(solver(), risk)
    least = best.certificate.primal if risk is RISK else best.best
    assert np.all(np.minimum.accumulate(seen.values) - seen.gaps <= least + 1e-9)


def test_a_trace_ends_where_the_solver_does_and_says_why():
    solver = SpectralGradient(1e-8)
    seen, solution = trace(solver, RISK), solver.solve(RISK)
    assert seen.reason == "gap closed"
    assert seen.gap <= 1e-8 * RISK.scale
    assert seen.best == pytest.approx(solution.certificate.primal, rel=1e-8)
    proof = certify(RISK, seen.point)
    assert proof.gap == pytest.approx(seen.gap, abs=1e-12)


def test_a_trace_shows_every_iteration_of_a_solver_that_proves_now_and_then():
    seen = trace(ProximalGradient(max_iterations=25), RISK)
    np.testing.assert_array_equal(seen.numbers, np.arange(seen.iterations + 1))
    assert seen.name == "ProximalGradient"
    assert trace(LBFGS(memory=3), RISK).name == "LBFGS(memory=3)"


def test_points_of_a_vector_loss_are_rows():
    risk = problem(Softmax(3), Ridge(0.1))
    seen = trace(LBFGS(), risk)
    assert seen.points.shape == (len(seen.values), risk.null.size)
    assert risk.value(seen.point.reshape(risk.null.shape)) == pytest.approx(seen.value)


def test_a_callback_and_an_interruption_end_a_trace():
    stopped = trace(SteepestDescent(1e-12), RISK, callback=lambda _: True)
    assert stopped.reason == "stopped by the callback"

    def press_control_c(record):
        if record.iteration == 3:
            raise KeyboardInterrupt

    cut = trace(SteepestDescent(1e-12), RISK, callback=press_control_c)
    assert cut.reason == "interrupted"
    assert cut.iterations <= 3


def test_a_trace_of_a_pair_the_solver_refuses_is_refused_in_its_words():
    with pytest.raises(IncompatibleError, match="Pegasos cannot start: Logistic is"):
        trace(Pegasos(), RISK)
    with pytest.raises(IncompatibleError, match="LBFGS cannot start: Lasso is"):
        trace(LBFGS(), problem(Logistic(), Lasso(0.1)))


def test_several_traces_are_drawn_together_on_logarithmic_scales():
    traces = [trace(solver, RISK) for solver in (Newton(), SteepestDescent())]
    figure = plot_traces(traces)
    assert [line.name for line in figure.data if line.showlegend] == [
        "Newton",
        "SteepestDescent",
    ]
    assert len(figure.data) == 8  # two traces in two rows and two columns
    assert {figure.layout[name].type for name in ("yaxis", "yaxis2")} == {"log"}
    heights = np.array(figure.data[0].y)
    floor = max(one.bounds[-1] for one in traces)
    best = np.minimum.accumulate(traces[0].values)
    np.testing.assert_allclose(heights[:-1], (best - floor)[:-1])
    # The excess is never drawn below the truth.
    least = Newton(1e-14).solve(RISK).certificate.primal
    assert np.all(heights >= best - least - 1e-15)


def test_a_trace_draws_itself_against_iterations_or_seconds_alone():
    seen = trace(DualCoordinateAscent(), KINKED)
    for against in ("iteration", "seconds"):
        figure = seen.plot(against, "dual")
        assert len(figure.data) == 2
        assert figure.data[0].name == "dual"
        assert figure.layout.xaxis2.title.text == against
    with pytest.raises(InvalidParameterError, match=r"against must be one of"):
        seen.plot("money")
    with pytest.raises(IncompatibleError, match="at least one trace"):
        plot_traces([])

"""The trace every way down leaves, and its picture."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.study.convexity import (
    BFGS,
    BarzilaiBorwein,
    Box,
    CuttingPlane,
    ExponentiatedGradient,
    GradientDescent,
    LimitedMemoryBFGS,
    Norm,
    Quadratic,
    Trace,
    TraceRow,
    conjugate_gradient,
    plot,
)

BOX = Box(np.full(4, -5.0), np.full(4, 5.0))


@pytest.mark.parametrize(
    "method", [GradientDescent(), BFGS(), LimitedMemoryBFGS(), BarzilaiBorwein()]
)
def test_a_strongly_convex_descent_proves_its_gap_as_it_goes(
    method, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    trace = method.minimize(function, 2.0 * np.ones(4))
    best = BFGS(tolerance=1e-13).minimize(function, np.zeros(4)).value
    assert np.all(np.minimum.accumulate(trace.values) - best <= trace.gaps + 1e-15)
    assert np.all(np.diff(trace.gaps) <= 0.0)
    assert trace.gap < 1e-12


def test_without_strong_convexity_a_descent_claims_nothing():
    trace = ExponentiatedGradient(max_iterations=3).minimize(Norm(1.0), np.ones(2))
    assert np.all(np.isinf(trace.gaps))


def test_records_say_point_value_gap_and_time_of_every_iteration(rng, make_definite):
    bowl = Quadratic(make_definite(rng))
    for trace in (
        GradientDescent(max_iterations=5).minimize(bowl, np.ones(4)),
        CuttingPlane(max_iterations=6).minimize(bowl, np.ones(4), BOX),
        conjugate_gradient(lambda p: bowl.matrix @ p, np.ones(4)),
    ):
        records = list(trace)
        assert isinstance(trace, Trace)
        assert [r.iteration for r in records] == list(range(trace.iterations + 1))
        assert all(isinstance(record, TraceRow) for record in records)
        assert np.array_equal([r.point for r in records], trace.points)
        assert [r.value for r in records] == trace.values.tolist()
        assert [r.gap for r in records] == trace.gaps.tolist()
        assert np.all(trace.seconds_per_iteration > 0.0)
        assert records[-1].seconds == pytest.approx(
            records[0].seconds + np.sum(trace.seconds_per_iteration)
        )


def test_a_picture_shows_values_and_gaps_of_several_traces(rng, make_definite):
    bowl = Quadratic(make_definite(rng))
    traces = {
        "steepest": GradientDescent(max_iterations=9).minimize(bowl, np.ones(4)),
        "BFGS": BFGS().minimize(bowl, np.ones(4)),
    }
    figure = plot(traces, minimum=0.0)
    names = ["steepest", "steepest, gap", "BFGS", "BFGS, gap"]
    assert [line.name for line in figure.data] == names
    assert np.nanmax(figure.data[0].y) == traces["steepest"].values[0]
    assert figure.data[0].x.tolist() == list(range(10))
    assert figure.layout.yaxis2.type == "log"
    timed = traces["BFGS"].plot(against="seconds", name="BFGS")
    assert np.array_equal(timed.data[0].x, traces["BFGS"].seconds)
    assert timed.layout.xaxis2.title.text == "seconds"


def test_a_trace_without_proofs_has_one_panel():
    trace = Trace(np.zeros((3, 2)), np.array([3.0, 1.0, 2.0]))
    figure = trace.plot()
    assert len(figure.data) == 1
    assert figure.data[0].y.tolist() == [3.0, 1.0, 1.0], "the best so far"


def test_a_trace_refuses_lengths_that_differ_and_axes_it_does_not_know():
    with pytest.raises(DataError, match="one value, gap and time"):
        Trace(np.zeros((3, 2)), np.zeros(2))
    with pytest.raises(InvalidParameterError, match="one of 'iteration', 'seconds'"):
        Trace(np.zeros((1, 2)), np.zeros(1)).plot(against="hours")

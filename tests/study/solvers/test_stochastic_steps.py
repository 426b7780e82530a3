"""Minibatches of a regularised risk, steps that fade, and their delay."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses import Hinge, Logistic, Squared
from infimum.penalties import Lasso, NoPenalty, Ridge
from infimum.solvers import LBFGS, InteriorPoint, Newton
from infimum.study.solvers import (
    StochasticGradient,
    minibatch_gradient,
    minibatch_risk,
    tune_delay,
)
from tests.laws.parts import EVERY_LOSS, EVERY_PENALTY, EVERY_VECTOR_LOSS
from tests.solvers.problems import problem


@pytest.mark.syllabus("S0B-039")
@pytest.mark.parametrize("loss", EVERY_LOSS + EVERY_VECTOR_LOSS, ids=repr)
def test_the_regularised_risk_is_a_price_plus_a_mean_loss_for_any_parts(loss, rng):
    for penalty in EVERY_PENALTY:
        risk = problem(loss, penalty, d=6)
        point = 0.1 * np.abs(rng.normal(size=risk.origin().shape))
        point[-1] += 1.0  # inside the domain of losses that need positive scores
        X = risk.design.toarray()
        scores = X @ point[:-1] + point[-1]
        mean = np.mean(loss.value(risk.y, scores))
        expected = penalty.value(point[:-1]) + mean
        assert risk.value(point) == pytest.approx(expected, nan_ok=False)


@pytest.mark.syllabus("S0B-040")
@pytest.mark.parametrize(
    ("loss", "penalty"),
    list(product([Squared(), Logistic(), Hinge()], [Ridge(0.1), Lasso(0.1)])),
    ids=repr,
)
@pytest.mark.parametrize("k", [1, 6, 30])
def test_the_mean_of_the_risks_of_a_partition_is_the_whole_risk(loss, penalty, k, rng):
    risk = problem(loss, penalty)
    point = rng.normal(size=5)
    batches = rng.permutation(30).reshape(-1, k)
    values = [minibatch_risk(risk, rows).value(point) for rows in batches]
    assert np.mean(values) == pytest.approx(risk.value(point))
    one = minibatch_risk(risk, batches[0])
    assert one.penalty is penalty
    np.testing.assert_allclose(
        one.gradient(point), minibatch_gradient(risk, point, batches[0])
    )


def test_with_weights_the_risks_of_a_partition_count_by_their_weight(rng):
    weight, offset = rng.uniform(0.5, 2.0, size=30), rng.normal(size=30)
    risk = problem(Squared(), Ridge(0.1), sample_weight=weight, offset=offset)
    point, batches = rng.normal(size=5), np.arange(30).reshape(5, 6)
    values = [minibatch_risk(risk, rows).value(point) for rows in batches]
    shares = [weight[rows].sum() for rows in batches]
    assert np.average(values, weights=shares) == pytest.approx(risk.value(point))


@pytest.mark.syllabus("S0B-041", "S0B-042", "S0B-043")
@pytest.mark.parametrize(
    ("step", "power"),
    [("inverse_root", 0.5), ("inverse", 1.0)],
    ids=["root", "inverse"],
)
def test_steps_follow_the_gradient_of_the_batch_by_the_rule(step, power):
    risk, tau = problem(Hinge(), Ridge(0.3), intercept=False), 4.0
    solver = StochasticGradient(
        1e-12, 6, batch_size=30, step=step, rate=0.5, delay=tau, averaged=False
    )
    w, met = np.zeros(5), []
    for t in range(6):  # all samples at once leave nothing to chance
        gradient = minibatch_gradient(risk, w, np.arange(30))
        gradient[:-1] += 0.3 * w[:-1]
        w = w - 0.5 * (tau / (tau + t)) ** power * gradient
        met.append(risk.value(w))
    values = []
    best = solver.solve(risk, callback=lambda record: values.append(record.primal))
    np.testing.assert_allclose(values, np.minimum.accumulate(met))
    assert best.certificate.primal == pytest.approx(min(met))


@pytest.mark.syllabus("S0B-041")
@pytest.mark.parametrize("batch_size", [4, 16])
def test_stochastic_steps_come_within_a_hundredth_of_a_batch_method(batch_size):
    risk = problem(Logistic(), Ridge(0.05), n=200, d=5)
    exact = LBFGS(1e-10).solve(risk).certificate.primal
    solver = StochasticGradient(
        1e-6, 20, batch_size=batch_size, step="inverse_root", rate=1.0, delay=20.0
    )
    found = solver.solve(risk).certificate.primal
    assert exact <= found <= 1.01 * exact


@pytest.mark.syllabus("S0B-042")
def test_root_steps_have_the_printed_values():
    rule = StochasticGradient(step="inverse_root")
    np.testing.assert_allclose(rule.schedule(3), [1.0, 0.7071, 0.5774], atol=5e-5)
    t, tau = np.arange(50), 7.0
    later = replace(rule, delay=tau).schedule(50)
    np.testing.assert_allclose(later, np.sqrt(tau / (tau + t)))
    assert later[21] == pytest.approx(0.5)  # after three delays


@pytest.mark.syllabus("S0B-043")
def test_inverse_steps_have_the_printed_values():
    rule = StochasticGradient(step="inverse")
    np.testing.assert_allclose(rule.schedule(4), [1.0, 1 / 2, 1 / 3, 1 / 4])
    t, tau = np.arange(50), 7.0
    later = replace(rule, delay=tau).schedule(50)
    np.testing.assert_allclose(later, tau / (tau + t))
    assert later[7] == pytest.approx(0.5)  # after one delay
    np.testing.assert_array_equal(StochasticGradient(step="constant").schedule(3), 1.0)


@pytest.mark.syllabus("S0B-043")
def test_inverse_steps_divided_by_the_strong_convexity_win_where_there_is_some():
    strength = 0.1
    risk = problem(Hinge(), Ridge(strength), n=60, d=5, intercept=False)
    least = InteriorPoint(1e-10).solve(risk).certificate.primal

    def excess(step, rate, delay):
        errors = []
        for seed in range(3):
            solver = StochasticGradient(
                1e-9,
                10,
                batch_size=1,
                step=step,
                rate=rate,
                delay=delay,
                averaged=False,
                random_state=seed,
            )
            errors.append(solver.solve(risk).certificate.primal - least)
        return np.mean(errors)

    delays = (1.0, 30.0)
    divided = min(excess("inverse", 1.0 / strength, tau) for tau in delays)
    roots = min(excess("inverse_root", 1.0, tau) for tau in delays)
    assert divided < 0.5 * roots


@pytest.mark.syllabus("S0B-044")
@pytest.mark.parametrize("step", ["inverse", "inverse_root"])
def test_the_tuned_delay_is_the_one_that_lowers_the_risk_of_a_few_samples_most(step):
    risk = problem(Logistic(), Ridge(0.01), n=400, d=5)
    delays = (0.1, 1.0, 10.0, 100.0, 1e4)
    solver = StochasticGradient(1e-6, step=step, rate=1.0, batch_size=4, random_state=3)
    tuned = tune_delay(solver, risk, delays, samples=80, passes=3)
    assert len(np.unique(tuned.rows)) == 80
    small = minibatch_risk(risk, tuned.rows)
    again = [
        replace(solver, delay=tau, max_iterations=3).solve(small).certificate.primal
        for tau in delays
    ]
    np.testing.assert_array_equal(tuned.values, again)
    assert tuned.delay == delays[int(np.argmin(again))]
    assert tuned.solver == replace(solver, delay=tuned.delay)
    # What is best for a few samples serves all of them.
    worst = replace(solver, delay=delays[int(np.argmax(again))])
    least = Newton().solve(risk).certificate.primal
    good, bad = (
        replace(one, max_iterations=3).solve(risk).certificate.primal - least
        for one in (tuned.solver, worst)
    )
    assert good < bad


def test_a_delay_that_makes_no_sense_is_refused():
    risk = problem(Logistic(), NoPenalty())
    with pytest.raises(InvalidParameterError, match=r"StochasticGradient\.delay"):
        StochasticGradient(delay=0.0)
    with pytest.raises(IncompatibleError, match="steps that fade"):
        tune_delay(StochasticGradient(step="plateau"), risk)
    fading = StochasticGradient(step="inverse")
    with pytest.raises(InvalidParameterError, match="delays must be"):
        tune_delay(fading, risk, [-1.0])
    with pytest.raises(IncompatibleError, match="at least one delay"):
        tune_delay(fading, risk, [])

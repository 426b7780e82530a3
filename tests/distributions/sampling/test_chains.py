"""Chains: their draws against known laws, and how runs end."""

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_limits

from infimum.distributions.sampling import (
    Gibbs,
    Hamiltonian,
    Metropolis,
    diagnose,
)
from infimum.errors import DataError
from infimum.limits import time_limit

COVARIANCE = np.array([[1.0, 1.2], [1.2, 4.0]])
PRECISION = np.linalg.inv(COVARIANCE)


def logs(x):
    return -0.5 * np.einsum("ij,jk,ik->i", x, PRECISION, x)


def logs_and_slopes(x):
    return logs(x), -x @ PRECISION


def part(k):
    def drawn(x, rng):
        out, other = x.copy(), 1 - k
        gain = COVARIANCE[k, other] / COVARIANCE[other, other]
        left = COVARIANCE[k, k] - gain * COVARIANCE[other, k]
        out[:, k] = gain * x[:, other] + np.sqrt(left) * rng.standard_normal(len(x))
        return out

    return drawn


RUNS = [
    (Metropolis(draws=4000, warmup=1000), logs),
    (Hamiltonian(draws=1000, warmup=400), logs_and_slopes),
    (Gibbs(draws=2000, warmup=100), [part(0), part(1)]),
]
EACH = pytest.mark.parametrize(
    ("sampler", "target"), RUNS, ids=lambda s: type(s).__name__
)


@EACH
def test_the_draws_follow_the_law(sampler, target):
    found = sampler.sample(target, np.zeros((4, 2)), random_state=0)
    assert found.values.shape == (4, sampler.draws, 2)
    summary = found.summary()
    assert summary.rhat.max() < 1.02
    assert (np.abs(summary.mean) <= 4 * summary.mean_error).all()
    assert summary.deviation == pytest.approx([1.0, 2.0], rel=0.1)
    assert np.corrcoef(found.pooled.T)[0, 1] == pytest.approx(0.6, abs=0.08)
    assert found.problems() == []
    assert found.reason == "all draws made"
    again = sampler.sample(target, np.zeros((4, 2)), random_state=0)
    assert np.array_equal(found.values, again.values)


@pytest.mark.parametrize("kind", [Metropolis, Hamiltonian, Gibbs])
def test_ranks_of_the_truth_are_uniform(kind):
    # Many data sets at once, one for each chain: a normal mean under a normal prior.
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(300, 1))
    y = truth + rng.normal(size=(300, 4))

    def target(x):
        apart = y - x
        value = -0.5 * (apart**2).sum(axis=1) - 0.5 * x[:, 0] ** 2
        return value, apart.sum(axis=1, keepdims=True) - x

    def exact(x, rng):
        # The noise is drawn anew each time, so that there is another part to draw.
        out = x.copy()
        out[:, 1] = rng.normal(x[:, 0], 1.0)
        total = y.sum(axis=1) + out[:, 1]
        out[:, 0] = rng.normal(total / 6.0, np.sqrt(1.0 / 6.0))
        return out

    sampler = kind(draws=950, warmup=300)
    targets = {Metropolis: lambda x: target(x)[0], Hamiltonian: target, Gibbs: [exact]}
    start = np.zeros((300, 2 if kind is Gibbs else 1))
    found = sampler.sample(targets[kind], start, random_state=2)
    thinned = found.values[:, ::50, 0]
    ranks = (thinned < truth).sum(axis=1)
    counts = np.bincount(ranks, minlength=20)
    assert stats.chisquare(counts).pvalue > 1e-3


@EACH
def test_budget_callback_and_interruption_return_the_draws_so_far(sampler, target):
    start = np.zeros((3, 2))

    def interrupts(made, points):
        if made == 20:
            raise KeyboardInterrupt

    found = sampler.sample(target, start, callback=interrupts, random_state=0)
    assert found.reason == "interrupted"
    assert found.size == 20
    stopped = sampler.sample(
        target, start, callback=lambda made, _: made == 30, random_state=0
    )
    assert stopped.reason == "stopped by the callback"
    assert stopped.size == 30
    assert np.array_equal(stopped.values[:, :20], found.values)
    late = sampler.sample(target, start, max_seconds=1e-9, random_state=0)
    assert late.reason == "time limit"
    with time_limit(0.0):  # the limit of a block counts as well
        ended = sampler.sample(target, start, max_seconds=60.0, random_state=0)
    assert (ended.reason, ended.size) == ("time limit", late.size)


@EACH
def test_a_run_that_ends_in_the_warm_up_says_so(sampler, target):
    # The callback hears of the warm-up, too: it may show progress, or stop.
    heard = []

    def ends(made, points):
        heard.append(made)
        if len(heard) == 7:
            raise KeyboardInterrupt

    found = sampler.sample(target, np.zeros((3, 2)), callback=ends, random_state=0)
    assert heard == [0] * 7
    assert (found.reason, found.size) == ("interrupted", 0)
    told = "0 draws of each chain (interrupted) are too few: R̂ needs 4 or more."
    assert found.problems() == [told]
    with pytest.raises(DataError, match="4 draws or more"):
        found.summary()
    with pytest.raises(DataError, match=r"plot needs a draw, got none \(interrupted"):
        found.plot()


@EACH
def test_draws_are_the_same_for_any_number_of_threads(sampler, target):
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            run = sampler.sample(target, np.zeros((4, 2)), random_state=3)
            found.append((run.values, *diagnose(np.tile(run.values, 20))))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)

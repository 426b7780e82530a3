"""Chains: their draws against known laws, their diagnostics against arviz."""

import sys

import numpy as np
import pytest
from scipy import stats

from infimum.distributions.sampling import (
    Draws,
    Gibbs,
    Hamiltonian,
    Metropolis,
    bulk_ess,
    mean_error,
    mean_ess,
    rank_rhat,
    tail_ess,
)
from infimum.errors import DataError, InvalidParameterError

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


def example():
    rng = np.random.default_rng(7)
    noise = rng.normal(size=(4, 501, 3))
    x = noise.copy()
    for t in range(1, 501):
        x[:, t, 1] = 0.9 * x[:, t - 1, 1] + noise[:, t, 1]
    x[:, :, 2] = np.round(x[:, :, 2] + 0.1 * np.arange(4)[:, None])
    return x


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (rank_rhat, [1.002052693756932, 1.0248583630087411, 1.010708105729368]),
        (bulk_ess, [1955.9004013226445, 110.40131365243103, 1479.3426489058209]),
        (tail_ess, [1857.317654517223, 175.30571061446278, 1784.744953413398]),
        (mean_ess, [1964.9368218560628, 110.1517291605599, 1482.16318480558]),
        (mean_error, [0.02254874030605385, 0.2190964266707094, 0.02747226907288396]),
    ],
)
def test_diagnostics_are_those_of_arviz(ours, theirs):
    # What arviz 0.23.4 says of the same draws: independent, correlated, rounded ones.
    assert ours(example()) == pytest.approx(theirs, rel=1e-9)
    assert ours(example()[:, :, 0]) == pytest.approx(theirs[0], rel=1e-9)


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


@pytest.mark.parametrize("kind", [Metropolis, Hamiltonian])
def test_ranks_of_the_truth_are_uniform(kind):
    # Many data sets at once, one for each chain: a normal mean under a normal prior.
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(300, 1))
    y = truth + rng.normal(size=(300, 4))

    def target(x):
        apart = y - x
        value = -0.5 * (apart**2).sum(axis=1) - 0.5 * x[:, 0] ** 2
        return value, apart.sum(axis=1, keepdims=True) - x

    sampler = kind(draws=950, warmup=300)
    given = target if kind is Hamiltonian else (lambda x: target(x)[0])
    found = sampler.sample(given, np.zeros((300, 1)), random_state=2)
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


@pytest.mark.parametrize("kind", [Metropolis, Hamiltonian])
def test_bad_starts_and_bad_densities_are_told(kind):
    def cut(x):
        inside = x[:, 0] > 0
        value = np.where(inside, -x[:, 0], -np.inf)
        return (value, -np.ones_like(x)) if kind is Hamiltonian else value

    with pytest.raises(DataError, match=r"chain 1 starts at \[-1\.0\]"):
        kind().sample(cut, [[1.0], [-1.0]])

    def broken(x):
        value = np.full(len(x), np.nan)
        return (value, x) if kind is Hamiltonian else value

    with pytest.raises(DataError, match="log-density is NaN"):
        kind().sample(broken, [[1.0], [1.0]])
    with pytest.raises(DataError, match="a row of finite numbers"):
        kind().sample(cut, [1.0, 2.0])
    with pytest.raises(InvalidParameterError, match="draws must be"):
        kind(draws=1)


def test_a_stuck_or_divergent_chain_is_named():
    values = np.random.default_rng(0).normal(size=(3, 200, 1))
    values[1] = 0.5
    assert Draws(values).problems() == ["Chain 1 is stuck: it never moved."]
    moving = np.random.default_rng(0).normal(size=(3, 200, 1))
    told = Draws(moving, divergences=np.array([0, 0, 7])).problems()
    assert told == ["Chain 2 diverged 7 times: take smaller steps."]
    apart = Draws(moving + np.arange(3)[:, None, None], names=("mu",)).problems()
    assert "The chains disagree about mu" in apart[0]

    def funnel(x):
        scale = np.exp(np.clip(x[:, :1], -300, 300))
        value = (
            -(x[:, 0] ** 2) / 18 - (x[:, 1:] ** 2 / (2 * scale)).sum(1) - x[:, 0] * 4.5
        )
        first = -x[:, 0] / 9 + (x[:, 1:] ** 2 / (2 * scale)).sum(axis=1) - 4.5
        return value, np.column_stack([first, -x[:, 1:] / scale])

    found = Hamiltonian(draws=300, warmup=100).sample(
        funnel, np.random.default_rng(0).normal(size=(4, 10)), random_state=0
    )
    assert found.problems()


def test_draws_summarise_print_and_plot():
    draws = Draws(example(), names=("a", "b", "c"))
    text = str(draws.summary())
    assert text.splitlines()[1].startswith("a ")
    # The mean of a is known to two decimals only.
    assert text.splitlines()[1].split()[1].count(".") == 1
    assert len(text.splitlines()[1].split()[1].split(".")[1]) == 2
    figure = draws.plot(1)
    assert len(figure.data) == 12
    with pytest.raises(DataError, match="4 draws or"):
        Draws(np.zeros((4, 3, 1))).summary()
    with pytest.raises(DataError, match="3 names"):
        Draws(example(), names=("a",))


def test_arviz_is_asked_for_only_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(DataError, match="needs arviz"):
        Draws(example()).to_arviz()

"""What samplers cannot start from or go on with, each told in a sentence."""

import numpy as np
import pytest

from infimum.distributions.sampling import Gibbs, Hamiltonian, Metropolis
from infimum.errors import DataError, InvalidParameterError


def logs(x):
    return -0.5 * (x**2).sum(axis=1)


def same(x, _):
    return x


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


@pytest.mark.parametrize("start", [np.zeros((0, 1)), np.zeros((2, 0)), [["a"]]])
@pytest.mark.parametrize("kind", [Metropolis, Hamiltonian, Gibbs])
def test_what_is_no_start_is_told(kind, start):
    with pytest.raises(DataError, match=rf"{kind.__name__}\.start must have a row"):
        kind().sample([same] if kind is Gibbs else logs, start)
    with pytest.raises(DataError, match=r"got \[nan\] for chain 1"):
        kind().sample([same] if kind is Gibbs else logs, [[1.0], [np.nan]])
    with pytest.raises(DataError, match=rf"{kind.__name__}\.target must be"):
        kind().sample(3, [[1.0], [1.0]])
    with pytest.raises(InvalidParameterError, match=r"random_state must be .* got 'x'"):
        kind().sample(logs, [[1.0], [1.0]], random_state="x")


def far_nan(x):
    """Return a normal log-density that is NaN where |x| > 1/2, and its gradient."""
    value = -0.5 * (x**2).sum(axis=1)
    return np.where(np.abs(x[:, 0]) > 0.5, np.nan, value), -x


@pytest.mark.parametrize(
    ("sampler", "target", "message"),
    [
        (Metropolis(), lambda x: far_nan(x)[0], "Metropolis: the log-density is NaN"),
        (Hamiltonian(), far_nan, r"Hamiltonian: the log-density is NaN at \[-?[0-9]"),
        (
            Hamiltonian(),
            lambda x: (far_nan(0 * x)[0], np.where(np.abs(x) > 0.5, np.nan, -x)),
            r"Hamiltonian: the gradient is NaN at \[-?[0-9]",
        ),
        (Hamiltonian(), lambda x: (logs(x), x * np.nan), r"gradient is NaN at \[0\.0"),
        (
            Hamiltonian(),
            lambda x: (far_nan(x)[0], x[:, 0]),
            r"gradients of the shape \(2, 2\), got the shape \(2,\)",
        ),
        (Hamiltonian(), logs, r"and gradients of the shape \(2, 2\), got one result"),
        (Metropolis(), lambda x: np.full(len(x), np.inf), "density is infinite at"),
        (Gibbs(), [lambda x, _: x[:, 0]], r"part 0 must return .* got \(2,\)"),
        (Gibbs(), [same, lambda x, _: x * np.nan], "part 1 must .* got .*nan"),
        (Gibbs(), [], r"Gibbs\.target must be a list of functions"),
    ],
)
def test_targets_that_break_are_told_with_their_place(sampler, target, message):
    with pytest.raises(DataError, match=message):
        sampler.sample(target, np.zeros((2, 2)), random_state=0)


def test_a_density_of_zero_needs_no_gradient():
    def half(x):
        inside = x[:, 0] > 0
        value = np.where(inside, -x[:, 0], -np.inf)
        return value, np.where(inside[:, None], -1.0, np.nan)

    sampler = Hamiltonian(draws=2000, warmup=500)
    found = sampler.sample(half, np.ones((8, 1)), random_state=0)
    assert found.pooled.min() > 0
    summary = found.summary()
    assert abs(summary.mean[0] - 1.0) <= 4 * summary.mean_error[0] <= 0.5

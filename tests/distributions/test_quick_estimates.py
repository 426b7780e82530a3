"""Estimates by one reading of the values equal those with weights, and the peers'."""

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import Beta, Dirichlet, Gamma, MultivariateNormal
from infimum.errors import DataError

RNG = np.random.default_rng(0)
SAMPLES = {
    Gamma: RNG.gamma(2.5, 1.7, 200_003),
    Beta: RNG.beta(2.0, 5.0, 40_001),
    Dirichlet: RNG.dirichlet([0.5, 1.0, 4.0], 70_001),
}


def parameters(law):
    return np.hstack([np.ravel(value) for value in vars(law).values()])


@pytest.mark.parametrize("kind", SAMPLES)
def test_one_reading_finds_what_weights_find(kind):
    y = SAMPLES[kind]
    quick, slow = kind.fit(y), kind.fit(y, np.ones(len(y)))
    assert parameters(quick) == pytest.approx(parameters(slow), rel=1e-10)
    assert quick.moment_residual(y) < 1e-11


@pytest.mark.parametrize("unit", [1e-300, 1e-90, 1.0, 1e150])
def test_a_gamma_law_of_any_unit(unit):
    y = RNG.gamma(0.05 if unit < 1 else 3.0, 1.0, 50_000) * unit
    y = y[y >= np.finfo(float).tiny]
    shape, _, scale = stats.gamma.fit(y / unit, floc=0)
    found = Gamma.fit(y)
    assert found.shape == pytest.approx(shape, rel=1e-7)
    assert found.scale / unit == pytest.approx(scale, rel=1e-7)


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("bad", [0.0, -1.0, 2.0e308, np.nan])
def test_one_bad_value_among_many_is_refused(kind, bad):
    y = SAMPLES[kind][:30_000].copy()
    y.flat[2_000] = bad
    with pytest.raises(DataError):
        kind.fit(y)


@pytest.mark.parametrize("kind", [Gamma, Beta])
def test_equal_values_have_no_likeliest_law(kind):
    with pytest.raises(DataError, match="two different values"):
        kind.fit(np.full(50_000, 0.25))


@pytest.mark.parametrize(("n", "d"), [(1, 1), (65, 2), (5_000, 21), (300, 70)])
def test_normal_densities_are_those_of_scipy(n, d):
    A = RNG.standard_normal((d, d))
    law = MultivariateNormal(A[0], A @ A.T + np.eye(d))
    y = RNG.standard_normal((n, d))
    assert law.log_density(y) == pytest.approx(law.to_scipy().logpdf(y), rel=1e-10)
    assert law.log_density(np.asfortranarray(y)) == pytest.approx(law.log_density(y))


def test_a_normal_law_never_draws_what_is_not_finite():
    law = MultivariateNormal(np.zeros(3), np.eye(3))
    y = np.zeros((9_000, 3))
    y[5], y[6, 1], y[7, 2] = np.inf, np.nan, 1e200
    found = law.log_density(y)
    assert np.isneginf(found[[5, 6, 7]]).all()
    assert np.isfinite(np.delete(found, [5, 6, 7])).all()
    assert law.log_density(y[4]) == pytest.approx(found[4])

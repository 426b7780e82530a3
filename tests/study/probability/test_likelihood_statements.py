"""Likelihood and belief, in the words of the lecture."""

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import logsumexp

from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Gamma,
    Normal,
    Poisson,
)
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.study.probability import grid_posterior, posterior


@pytest.mark.syllabus("S3-097")
@pytest.mark.parametrize("law", [Normal(1.0, 2.0), Poisson(1.5)], ids=repr)
def test_the_likelihood_of_an_estimate_is_the_product_of_its_densities(law):
    sample = law.sample(12, random_state=0)
    product = np.prod(law.density(sample))
    assert np.exp(law.log_likelihood(sample)) == pytest.approx(product, rel=1e-12)


@pytest.mark.syllabus("S3-098")
def test_a_parametric_model_has_a_support_and_a_parameter_space():
    assert Poisson(0.5).support == "{0, 1, 2, …}"
    assert Poisson(0.5).density([-1.0, 0.5]).tolist() == [0.0, 0.0]
    assert Poisson(0.5).covers(np.array([0.0, 3.0, 0.5])).tolist() == [
        True,
        True,
        False,
    ]
    with pytest.raises(InvalidParameterError, match=r"Poisson\.rate"):
        Poisson(-0.1)
    # Different parameters are different members of the same family.
    assert Poisson(1.0).density([2])[0] != Poisson(2.0).density([2])[0]


@pytest.mark.syllabus("S3-099")
def test_poisson_probabilities():
    k, rate = np.arange(12), 3.3
    factorials = np.cumprod(np.maximum(k, 1.0))
    by_hand = rate**k * np.exp(-rate) / factorials
    assert Poisson(rate).density(k) == pytest.approx(by_hand)
    assert Poisson(rate).density(k) == pytest.approx(stats.poisson(rate).pmf(k))


@pytest.mark.syllabus("S3-100")
def test_beta_density_on_the_open_interval():
    y = np.linspace(0.001, 0.999, 4001)
    law = Beta(2.3, 1.6)
    assert law.density(y) == pytest.approx(stats.beta(2.3, 1.6).pdf(y))
    assert np.trapezoid(law.density(y), y) == pytest.approx(1, abs=1e-4)
    # The support is the interval between the two ends, not the two ends.
    assert law.density([0.0, 1.0]).tolist() == [0.0, 0.0]


@pytest.mark.syllabus("S3-101")
def test_gamma_density_with_shape_and_scale():
    y = np.linspace(0.01, 60, 6001)
    law = Gamma(shape=2.4, scale=3.0)
    assert law.density(y) == pytest.approx(stats.gamma(a=2.4, scale=3.0).pdf(y))
    assert np.trapezoid(law.density(y), y) == pytest.approx(1, abs=1e-3)


@pytest.mark.syllabus("S3-102")
def test_logarithms_do_not_underflow_where_products_do():
    law = Normal(0.0, 1.0)
    sample = law.sample(100_000, random_state=1)
    assert np.prod(law.density(sample)) == 0.0
    height = law.log_likelihood(sample)
    assert np.isfinite(height)
    assert height == pytest.approx(stats.norm.logpdf(sample).sum())


@pytest.mark.syllabus("S3-103")
def test_the_likeliest_parameters_in_closed_form_and_by_iteration():
    counts = Poisson(2.0).sample(300, random_state=2)
    assert Poisson.fit(counts).rate == pytest.approx(counts.mean())
    amounts = Gamma(1.8, 0.5).sample(300, random_state=3)
    shape, _, scale = stats.gamma.fit(amounts, floc=0)
    found = Gamma.fit(amounts)
    assert (found.shape, found.scale) == pytest.approx((shape, scale), rel=1e-4)
    shares = Beta(0.8, 2.0).sample(300, random_state=4)
    a, b, _, _ = stats.beta.fit(shares, floc=0, fscale=1)
    fitted = Beta.fit(shares)
    assert (fitted.a, fitted.b) == pytest.approx((a, b), rel=1e-4)
    # No other parameters do better, and the reference does not either.
    theirs = Gamma(shape, scale).log_likelihood(amounts)
    assert found.log_likelihood(amounts) >= theirs - 1e-9
    assert fitted.log_likelihood(shares) >= Beta(a, b).log_likelihood(shares) - 1e-9


@pytest.mark.syllabus("S1-170")
def test_mean_and_variance_are_those_of_the_sample_divided_by_n(rng):
    y = rng.normal(3.0, 2.0, size=40)
    law = Normal.fit(y)
    location, deviation = stats.norm.fit(y)
    assert law.location == pytest.approx(location)
    assert law.spread == pytest.approx(deviation**2)
    assert law.spread == pytest.approx(np.var(y, ddof=0))


@pytest.mark.syllabus("S3-115")
def test_the_joint_density_is_likelihood_times_prior():
    grid = np.linspace(0.005, 0.995, 199)
    prior, y = Beta(2.0, 3.0), [1, 0, 1]
    belief = grid_posterior(prior, Bernoulli, y, grid)
    joint = [prior.density([p])[0] * p * (1 - p) * p for p in grid]
    assert np.exp(belief.log_joint) == pytest.approx(np.array(joint))


@pytest.mark.syllabus("S3-116")
def test_the_posterior_is_the_joint_divided_by_the_evidence():
    grid = np.linspace(0.01, 15, 3000)
    belief = grid_posterior(Gamma(2.0, 1.5), Poisson, [3, 1, 4], grid)
    assert np.trapezoid(belief.density, grid) == pytest.approx(1, abs=1e-9)
    evidence = np.exp(belief.log_evidence)
    assert belief.density == pytest.approx(np.exp(belief.log_joint) / evidence)
    assert evidence == pytest.approx(np.trapezoid(np.exp(belief.log_joint), grid))


CONJUGATE = [
    (
        Beta(2.0, 1.5),
        Bernoulli,
        Bernoulli(),
        [1, 0, 1, 1],
        np.linspace(5e-4, 1 - 5e-4, 4000),
    ),
    (
        Beta(1.5, 2.5),
        lambda p: Binomial(p, 6),
        Binomial(0.5, 6),
        [2, 4, 3],
        np.linspace(5e-4, 1 - 5e-4, 4000),
    ),
    (Gamma(2.0, 0.8), Poisson, Poisson(), [2, 0, 5], np.linspace(0.001, 12, 6000)),
    (
        Normal(1.0, 3.0),
        lambda m: Normal(m, 2.0),
        Normal(0.0, 2.0),
        [2.2, 0.1, 1.7],
        np.linspace(-9, 11, 4000),
    ),
]


@pytest.mark.syllabus("S3-117")
@pytest.mark.parametrize(
    ("prior", "model", "known", "y", "grid"),
    CONJUGATE,
    ids=["bernoulli", "binomial", "poisson", "normal"],
)
def test_a_conjugate_posterior_stays_in_the_family_of_the_prior(
    prior, model, known, y, grid
):
    after = posterior(prior, known, y)
    assert type(after) is type(prior)
    belief = grid_posterior(prior, model, y, grid)
    assert after.density(grid) == pytest.approx(belief.density, rel=1e-4, abs=1e-6)
    assert after.mean == pytest.approx(belief.mean, rel=1e-4)
    # One value at a time or all at once.
    step = prior
    for value in y:
        step = posterior(step, known, [value])
    assert step.natural == pytest.approx(after.natural)
    assert posterior(prior, known, []) == prior


@pytest.mark.syllabus("S3-118")
def test_the_map_estimate_is_the_mode_of_the_posterior():
    after = posterior(Beta(3.0, 2.0), Bernoulli(), [1, 1, 0, 1, 0])
    assert after.mode == pytest.approx((3 + 3 - 1) / (3 + 2 + 5 - 2))
    found = optimize.minimize_scalar(
        lambda p: -after.log_density([p])[0], bounds=(1e-6, 1 - 1e-6), method="bounded"
    )
    assert found.x == pytest.approx(after.mode, abs=1e-5)
    rate = posterior(Gamma(2.0, 1.0), Poisson(), [4, 2])
    assert rate.mode == pytest.approx((2 + 6 - 1) / 3)
    with pytest.raises(DataError, match="no single peak"):
        _ = Beta(0.5, 0.5).mode


def test_a_pair_that_is_not_conjugate_is_refused_in_a_sentence():
    with pytest.raises(IncompatibleError, match="Beta is not conjugate to Poisson"):
        posterior(Beta(), Poisson(), [1])
    with pytest.raises(DataError, match="Bernoulli reads values in"):
        posterior(Beta(), Bernoulli(), [2])


@pytest.mark.syllabus("S3-113")
def test_the_negative_log_likelihood_loss_has_no_lower_bound_for_densities():
    sharp = [-Normal(1.0, 10.0**-k).log_density([1.0])[0] for k in range(0, 12, 2)]
    assert (np.diff(sharp) < 0).all()
    assert sharp[-1] < -10
    # For probabilities it is never negative, and 0 only for certainty.
    assert -Categorical((0.2, 0.8)).log_density([1.0])[0] == pytest.approx(-np.log(0.8))
    assert -Categorical((0.0, 1.0)).log_density([1.0])[0] == 0
    with pytest.warns(UserWarning, match="0.0 has probability 0, so that its log"):
        assert -Categorical((0.0, 1.0)).log_density([0.0])[0] == np.inf
    assert Categorical((0.0, 1.0)).density([0.0, 2.0]).tolist() == [0.0, 0.0]


@pytest.mark.syllabus("S3-111")
def test_softmax_turns_scores_into_probabilities():
    scores = np.array([1.0, -2.0, 0.5])
    law = Categorical((1.0,)).from_natural(scores)
    by_hand = np.exp(scores) / np.exp(scores).sum()
    assert law.probabilities == pytest.approx(by_hand)
    assert sum(law.probabilities) == pytest.approx(1)
    shifted = law.from_natural(scores + 700.0)
    assert shifted.probabilities == pytest.approx(law.probabilities)
    assert law.log_partition(scores) == pytest.approx(logsumexp(scores))

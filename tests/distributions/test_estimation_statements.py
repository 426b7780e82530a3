"""Estimates, how good they can be, and estimates under a prior."""

import numpy as np
import pytest
from scipy import optimize, stats

from infimum.distributions import (
    Bernoulli,
    Categorical,
    Gamma,
    Mixture,
    MultivariateNormal,
    Normal,
    PenalisedLikelihood,
    Poisson,
    Unigram,
    asymptotic_interval,
    efficiency,
    fit_mixture,
    map_estimate,
    study_estimator,
)
from infimum.errors import DataError, IncompatibleError, InvalidParameterError

WORDS = Categorical(tuple(np.full(6, 1 / 6)))


@pytest.mark.syllabus("S0A-155", "S0A-204")
def test_the_likeliest_variance_is_biased_by_one_share():
    y = np.array([1.0, 4.0, 2.5, -1.0])
    best = Normal.fit(y)
    assert (best.location, best.spread) == pytest.approx((y.mean(), np.var(y)))
    for m in (4, 16):
        found = study_estimator(
            Normal(1.0, 3.0), lambda y: Normal.fit(y).spread, 3.0, m, 20_000, 0
        )
        assert abs(found.bias[0] + 3.0 / m) <= 4 * found.bias_error[0]


@pytest.mark.syllabus("S0A-156")
def test_the_likeliest_natural_parameter_is_asymptotically_normal():
    law, m = Poisson(3.0), 400
    found = study_estimator(
        law, lambda y: Poisson.fit(y).natural, law.natural, m, 4000, 1
    )
    spread = m * found.covariance[0, 0]
    assert spread == pytest.approx(1 / 3.0, rel=0.1)
    standard = np.sqrt(m * 3.0) * (found.estimates[:, 0] - law.natural[0])
    assert stats.kstest(standard, "norm").statistic < 0.04
    hits = [
        low <= law.natural[0] <= high
        for theta in found.estimates[:2000, 0]
        for low, high in asymptotic_interval(Poisson(np.exp(theta)), m)
    ]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.02)


@pytest.mark.syllabus("S0A-157", "S3-120")
@pytest.mark.parametrize("law", [Poisson(2.0), Bernoulli(0.4)])
def test_no_estimate_beats_the_information(law):
    m = 300
    score = law.statistics(law.sample(50_000, random_state=0))
    score = score - law.mean_statistics(law.natural)
    assert np.abs(score.mean(axis=0)).max() < 0.05
    assert np.cov(score.T) == pytest.approx(
        np.squeeze(law.fisher_information()), rel=0.05
    )
    found = study_estimator(
        law, lambda y: type(law).fit(y).natural, law.natural, m, 2000, 2
    )
    bound = np.linalg.det(law.fisher_information(m) @ found.covariance)
    assert bound >= 0.9
    assert efficiency(law.fisher_information(m), found.covariance) == pytest.approx(
        1 / bound
    )
    assert bound == pytest.approx(1.0, abs=0.2)
    # Consistent: the error falls with the size of the sample.
    small = study_estimator(
        law, lambda y: type(law).fit(y).natural, law.natural, 75, 1000, 3
    )
    assert found.squared_error < 0.5 * small.squared_error


@pytest.mark.syllabus("S0A-158")
def test_the_mean_is_efficient_and_the_median_is_not():
    m, law = 101, Normal(0.0, 4.0)
    information = m / law.variance
    mean = study_estimator(law, np.mean, 0.0, m, 8000, 0)
    median = study_estimator(law, np.median, 0.0, m, 8000, 0)
    assert efficiency(information, mean.covariance) == pytest.approx(1.0, abs=0.06)
    assert efficiency(information, median.covariance) == pytest.approx(
        2 / np.pi, abs=0.05
    )


@pytest.mark.syllabus("S0A-159")
def test_a_flat_prior_gives_the_likeliest_law():
    y = Poisson(2.0).sample(60, random_state=0)
    flat = map_estimate(Poisson(1.0), y, strength=1e-9)
    assert flat.law.rate == pytest.approx(Poisson.fit(y).rate, rel=1e-7)
    firm = map_estimate(Poisson(1.0), y, strength=1e6)
    assert firm.law.rate == pytest.approx(1.0, abs=1e-3)


@pytest.mark.syllabus("S0A-161")
def test_priors_by_norms(rng):
    # Means of a normal vector: the ℓ1 prior gives exact zeros, the ℓ2 prior none.
    counts = np.array([0, 0, 0, 0, 1, 1, 2, 3, 4, 5], dtype=float)
    sparse = map_estimate(WORDS, counts, strength=1.5, p=1, d=1, max_iter=1500)
    assert (sparse.law.natural - sparse.law.natural.max()).min() < 0
    theta = np.log(np.array(sparse.law.probabilities))
    aim = PenalisedLikelihood(WORDS, WORDS.statistics(counts).mean(0), 10, 1.5, 0, 1, 1)
    for move in 0.01 * rng.normal(size=(200, 6)):
        assert sparse.value <= aim.value(sparse.law.natural + move) + 1e-9
    assert np.ptp(theta[1:3]) < 1e-6
    assert len(np.unique(theta.round(6))) < 6
    # Convex along every chord, for every p and d.
    for p, d in ((1, 1), (1, 2), (2, 1), (2, 2), (np.inf, 1), (3, 2)):
        g = PenalisedLikelihood(WORDS, aim.average, 10, 0.7, 0.1, p, d)
        a, b = rng.normal(size=(2, 6))
        assert g.value(0.5 * (a + b)) <= 0.5 * (g.value(a) + g.value(b)) + 1e-12
    # Only the ℓ2 norm is invariant under rotations.
    turn = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    a = rng.normal(size=6)

    def penalty(p, x):
        g = PenalisedLikelihood(WORDS, aim.average, 10, 0.7, 0.0, p, 1)
        return g.value(x) - g.fit_value(x)

    assert penalty(2, turn @ a) == pytest.approx(penalty(2, a))
    assert penalty(1, turn @ a) != pytest.approx(penalty(1, a), rel=1e-3)
    with pytest.raises(IncompatibleError, match="does not take p = 3"):
        map_estimate(WORDS, counts, 1.0, p=3)
    with pytest.raises(InvalidParameterError, match="strength"):
        map_estimate(WORDS, counts, 0.0)


@pytest.mark.syllabus("S0A-169", "S0A-170")
def test_newton_and_gradient_find_the_same_map_estimate(rng):
    counts = rng.integers(0, 5, size=80).astype(float)  # the sixth word never occurs
    sigma2 = 2.0
    settings = {"strength": 1 / (2 * sigma2), "tol": 1e-11}
    newton = map_estimate(WORDS, counts, method="newton", **settings)
    slow = map_estimate(WORDS, counts, method="gradient", **settings)
    assert newton.law.natural == pytest.approx(slow.law.natural, abs=1e-7)
    assert slow.iterations > 5 * newton.iterations
    assert newton.iterations < 12
    # Near the optimum the residual is squared by each step.
    residuals = np.array(newton.residuals)
    late = residuals[(residuals < 0.1) & (residuals > 1e-8)]
    assert (late[1:] <= 30 * late[:-1] ** 2 + 1e-13).all()
    aim = PenalisedLikelihood(
        WORDS, WORDS.statistics(counts).mean(0), 80, 1 / (2 * sigma2)
    )
    theta = rng.normal(size=6)
    slope = optimize.approx_fprime(theta, aim.value, 1e-7)
    assert aim.gradient(theta) == pytest.approx(slope, abs=1e-6)
    by_hand = WORDS.mean_statistics(theta) - aim.average + theta / (80 * sigma2)
    assert aim.gradient(theta) == pytest.approx(by_hand)
    reference = optimize.minimize(aim.value, np.zeros(6), jac=aim.gradient, tol=1e-12)
    assert newton.value <= reference.fun + 1e-10
    # The proved gap: mσ²‖∇‖²/2 bounds what is left.
    early = map_estimate(WORDS, counts, method="gradient", max_iter=3, **settings)
    left = early.value - newton.value
    assert 0 < left <= early.gap
    assert newton.gap < 1e-12


@pytest.mark.syllabus("S0A-167", "S0A-168")
def test_a_unigram_model_with_and_without_a_prior():
    documents = [["a", "rose", "is", "a", "rose"], ["is", "it"]]
    plain = Unigram.fit(documents, vocabulary=["daisy"])
    assert plain.probability("rose") == pytest.approx(2 / 7)
    told = 2 * np.log(2 / 7) + np.log(1 / 7)
    assert plain.log_probability(["rose", "a", "it"]) == pytest.approx(told)
    with pytest.warns(UserWarning, match="never seen"):
        assert plain.log_probability(["daisy"]) == -np.inf
    laplace = Unigram.fit(documents, strength=5, vocabulary=["daisy"])
    assert laplace.probability("daisy") == pytest.approx(1 / 12)
    assert laplace.probability("rose") == pytest.approx(3 / 12)
    assert sum(map(laplace.probability, laplace.counts)) == pytest.approx(1)
    own = Unigram.fit(documents, 2.0, means={"rose": 0.25, "daisy": 0.75})
    assert own.probability("daisy") == pytest.approx(1.5 / 9)
    with pytest.raises(DataError, match="needs words"):
        Unigram.fit([])


@pytest.mark.parametrize(
    "law",
    [
        Mixture((Poisson(1.0), Poisson(12.0)), (0.4, 0.6)),
        Mixture((Gamma(2.0, 0.5), Gamma(20.0, 0.5)), (0.5, 0.5)),
        Mixture(
            (
                MultivariateNormal([0.0, 0.0], np.eye(2)),
                MultivariateNormal([4.0, 1.0], [[1.0, 0.7], [0.7, 2.0]]),
            ),
            (0.25, 0.75),
        ),
    ],
    ids=lambda law: type(law.laws[0]).__name__,
)
def test_a_mixture_of_any_family_is_found_and_its_likelihood_never_falls(law):
    y = law.sample(600, random_state=0)
    kind = type(law.laws[0])
    found = fit_mixture(kind, 2, y, random_state=1)
    assert (np.diff(found.log_likelihoods) >= 0).all()
    assert found.law.log_likelihood(y) >= law.log_likelihood(y)
    assert len(found.starts) == 5
    copies = np.random.default_rng(0).integers(0, 3, size=len(y))
    weighted = fit_mixture(kind, 2, y, sample_weight=copies, random_state=1)
    repeated = np.repeat(y, copies, axis=0)
    again = fit_mixture(kind, 2, repeated, random_state=1)
    assert weighted.law.log_likelihood(repeated) == pytest.approx(
        again.law.log_likelihood(repeated), rel=1e-5
    )
    seen = []
    stopped = fit_mixture(
        kind, 2, y, random_state=1, callback=lambda i, _: seen.append(i) or i == 2
    )
    assert stopped.reason == "stopped by the callback"
    assert seen == [0, 1, 2]

    def interrupts(iteration, _):
        if iteration == 2:
            raise KeyboardInterrupt

    kept = fit_mixture(kind, 2, y, random_state=1, callback=interrupts)
    assert kept.reason == "interrupted"
    assert len(kept.log_likelihoods) >= 2
    with pytest.raises(DataError, match="different values"):
        fit_mixture(kind, 2, np.repeat(y[:1], 5, axis=0))

"""Likelihoods of hmmlearn after every step of Baum and Welch, to 1e-9."""

import numpy as np
import pytest

from infimum.models.sequence import (
    GMMHMM,
    CategoricalHMM,
    GaussianHMM,
    MultinomialHMM,
    PoissonHMM,
)

RNG = np.random.default_rng(5)
LENGTHS = np.array([40, 7, 1, 90, 22])
N = int(LENGTHS.sum())
HIDDEN = (np.arange(N) // 9) % 3
NUMBERS = 2.0 * HIDDEN[:, None] + RNG.standard_normal((N, 2))
SYMBOLS = (HIDDEN + (RNG.random(N) < 0.3) * RNG.integers(4, size=N))[:, None] % 5
COUNTS = RNG.poisson(1.0 + 3.0 * HIDDEN[:, None], size=(N, 2))
DRAWS = RNG.multinomial(6, [0.2, 0.3, 0.5], size=N)
START = {
    "startprob_": np.array([0.5, 0.3, 0.2]),
    "transmat_": np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]),
}
MEANS = np.array([[0.0, 0.3], [1.5, 2.0], [3.0, 4.5]])
CASES = {
    **{
        kind: (
            GaussianHMM,
            NUMBERS,
            {"covariance_type": kind},
            {"means_": MEANS, "covars_": table},
        )
        for kind, table in {
            "diag": np.full((3, 2), 1.5),
            "spherical": np.full(3, 1.5),
            "full": np.stack([1.5 * np.eye(2)] * 3),
            "tied": 1.5 * np.eye(2),
        }.items()
    },
    "categorical": (
        CategoricalHMM,
        SYMBOLS,
        {"n_features": 5},
        {"emissionprob_": RNG.dirichlet(np.ones(5), size=3)},
    ),
    "poisson": (PoissonHMM, COUNTS, {}, {"lambdas_": 1.0 + MEANS}),
    "multinomial": (
        MultinomialHMM,
        DRAWS,
        {"n_trials": 6},
        {"emissionprob_": RNG.dirichlet(np.ones(3), size=3)},
    ),
    "mixtures": (
        GMMHMM,
        NUMBERS,
        {"n_mix": 2, "covariance_type": "diag", "params": "stmw"},
        {
            "means_": np.stack([MEANS, MEANS + 1.0], axis=1),
            "covars_": np.full((3, 2, 2), 1.2),
            "weights_": np.full((3, 2), 0.5),
        },
    ),
}


def history(kind, settings, start, fit):
    model = kind(3, init_params="", tol=0.0, n_iter=12, **settings)
    if hasattr(model, "n_features") and kind.__module__.startswith("hmmlearn"):
        model.n_features = settings.get("n_features", 2)
    for name, value in {**START, **start}.items():
        setattr(model, name, np.array(value))
    fit(model)
    return np.array(model.monitor_.history)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("implementation", ["log", "scaling"])
@pytest.mark.parametrize("case", CASES)
def test_the_likelihood_of_every_step_is_that_of_hmmlearn(case, implementation):
    from hmmlearn import hmm as peers

    kind, X, settings, start = CASES[case]
    ours = history(kind, settings, start, lambda m: m.fit(X, lengths=LENGTHS))
    their = getattr(peers, kind.__name__)
    settings = {**settings, "implementation": implementation}
    theirs = history(their, settings, start, lambda m: m.fit(X, LENGTHS))
    assert len(theirs) > 3
    steps = min(len(ours), len(theirs))  # both may stop where nothing rises any more
    np.testing.assert_allclose(ours[:steps], theirs[:steps], rtol=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_spreads_of_mixtures_are_taken_around_new_means_and_prove_likelier():
    """There hmmlearn takes them around the means before the step."""
    from hmmlearn import hmm as peers

    kind, X, settings, start = CASES["mixtures"]
    settings = {**settings, "params": "stmcw"}
    ours = history(kind, settings, start, lambda m: m.fit(X, lengths=LENGTHS))
    theirs = history(peers.GMMHMM, settings, start, lambda m: m.fit(X, LENGTHS))
    assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
    assert ours[1] > theirs[1]

"""Draws from a logistic posterior, until they are worth 1,000 independent ones."""

from functools import cache

import numpy as np

from benchmarks.peers import quietly
from benchmarks.tasks._simple import SimpleTask

WORTH = 1000.0


def problem(quick):
    rng = np.random.default_rng(0)
    n, d = (500, 5) if quick else (10_000, 50)
    X = rng.standard_normal((n, d))
    w = rng.standard_normal(d) * 2.0 / np.sqrt(d)
    return X, (rng.random(n) < 1 / (1 + np.exp(-X @ w))).astype(int)


def ours(problem, draws):
    from infimum.models.probabilistic import BayesianLogisticRegression

    model = BayesianLogisticRegression(fit_intercept=False).fit(*problem)
    how = {"draws": draws, "warmup": 200, "random_state": 0}
    return model.sample_posterior(*problem, **how).values


@cache
def _numpyro(draws):
    import numpyro
    import numpyro.distributions as laws
    from numpyro.infer import MCMC, NUTS

    def model(X, y):
        prior = laws.Normal(0, 1).expand([X.shape[1]]).to_event(1)
        w = numpyro.sample("w", prior)
        numpyro.sample("y", laws.Bernoulli(logits=X @ w), obs=y)

    how = {"num_warmup": 200, "num_chains": 4, "chain_method": "vectorized"}
    return MCMC(NUTS(model), num_samples=draws, progress_bar=False, **how)


@quietly
def numpyros(problem, draws):
    """Run a sampler that is compiled at the first call, not timed, in float32."""
    import jax

    chains = _numpyro(draws)
    chains.run(jax.random.PRNGKey(0), *problem)
    return np.asarray(chains.get_samples(group_by_chain=True)["w"], np.float64)


@quietly
def emcees(problem, draws):
    import emcee

    X, y = problem
    signs, d = 2.0 * y - 1.0, X.shape[1]

    def logs(points):
        fits = np.logaddexp(0.0, -(points @ X.T) * signs).sum(axis=1)
        return -fits - 0.5 * (points**2).sum(axis=1)

    walkers = emcee.EnsembleSampler(2 * d + 4, d, logs, vectorize=True)
    walkers._random.seed(0)
    start = 0.1 * np.random.default_rng(0).standard_normal((2 * d + 4, d))
    walkers.run_mcmc(start, draws)
    return walkers.get_chain(discard=draws // 3).transpose(1, 0, 2)


def judge(problem, answer):
    """Return how much the least effective size lacks."""
    from infimum.distributions.sampling import diagnose

    return max(0.0, 1.0 - float(diagnose(answer).bulk_ess.min()) / WORTH)


TASK = SimpleTask(
    "Logistic posterior, 10,000 × 50, to 1,000 effective draws",
    0.0,
    problem,
    judge,
    {"infimum": ours, "numpyro NUTS": numpyros, "emcee": emcees},
    {
        "infimum": (400, 800, 1600),
        "numpyro NUTS": (250, 500, 1000),
        "emcee": (4000,),
    },
    {"numpyro NUTS": "numpyro", "emcee": "emcee"},
)

"""Small random problems of every kind, for solvers to agree on."""

import numpy as np
from scipy import sparse

from infimum.data.designs import as_design
from infimum.objectives import LinearRisk

KINDS = ("dense", "sparse", "badly scaled")


def labelled(loss, scores, rng):
    """Draw targets of the kind the loss reads, which depend on the scores."""
    n, outputs = len(scores), getattr(loss, "outputs", 2)
    noisy = scores + 0.5 * rng.normal(size=n)
    rates = np.exp(np.clip(0.5 * scores, -2.0, 2.0))

    def classes():
        spread = noisy + 2.0 * rng.normal(size=n)
        edges = np.quantile(spread, np.arange(1, outputs) / outputs)
        return np.searchsorted(edges, spread).astype(float)

    def labels():
        pulls = noisy[:, None] * np.linspace(-1, 1, outputs)
        return (pulls + rng.normal(size=pulls.shape) > 0).astype(float)

    kinds = {
        "real": lambda: noisy,
        # Far from separable, or the logistic loss would have no minimum.
        "sign": lambda: np.where(noisy + 1.5 * rng.normal(size=n) > 0, 1.0, -1.0),
        "count": lambda: rng.poisson(rates).astype(float),
        "positive": lambda: rng.gamma(2.0, rates),
        "fraction": lambda: rng.binomial(4, 1.0 / (1.0 + np.exp(-scores))) / 4.0,
        "vector": lambda: noisy[:, None] + rng.normal(size=(n, outputs)),
        "class": classes,
        "labels": labels,
    }
    return kinds[loss.target]()


def features(kind, rng, n, d):
    """Return X as a solver will see it, and the scores that made the targets."""
    X = rng.normal(size=(n, d))
    w = rng.normal(size=d)
    if kind == "sparse":
        X = X * (rng.uniform(size=(n, d)) < 0.6)
        return sparse.csr_array(X), X @ w
    if kind == "badly scaled":
        units = 10.0 ** rng.permutation(np.linspace(-2, 2, d))
        return X * units + 10.0 * units * (rng.uniform(size=d) < 0.3), X @ w
    return X, X @ w


def problem(loss, penalty, kind="dense", *, seed=0, n=30, d=4, **options):
    """Return a random risk with this loss and this penalty."""
    rng = np.random.default_rng(seed)
    X, scores = features(kind, rng, n, d)
    y = labelled(loss, scores, rng)
    return LinearRisk(as_design(X), y, loss, penalty, **options)

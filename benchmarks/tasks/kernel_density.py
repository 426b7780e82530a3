"""Gaussian kernel density in the plane, to three digits."""

import numpy as np

from benchmarks.task import Contender, present

WIDTH = 0.1


class KernelDensityTask:
    """Judged by the greatest relative error of a density, on some of the queries."""

    title = "Kernel density, 100,000 × 2, 10,000 queries"
    tolerance = 1e-3

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        n, queries = (10_000, 1_000) if quick else (100_000, 10_000)
        return draw.normal(size=(n, 2)), draw.normal(size=(queries, 2))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("sklearn"):
            yield Contender("scikit-learn", fit_scikit_learn)
        if present("scipy"):
            yield Contender("scipy", fit_scipy)
        if present("KDEpy"):
            yield Contender("KDEpy grid", fit_kdepy, (512, 1024, 2048))

    def excess(self, problem, densities):
        X, Q = problem
        worst = 0.0
        for i in range(0, len(Q), max(1, len(Q) // 200)):
            squares = np.sum((X - Q[i]) ** 2, axis=1) / WIDTH**2
            exact = np.exp(-0.5 * squares).sum() / (len(X) * 2.0 * np.pi * WIDTH**2)
            worst = max(worst, abs(densities[i] / exact - 1.0))
        return worst


def fit_ours(problem, _):
    from infimum.models.density import KernelDensity

    X, Q = problem
    model = KernelDensity(bandwidth=WIDTH, rtol=1e-3).fit(X)
    return np.exp(model.score_samples(Q))


def fit_scikit_learn(problem, _):
    from sklearn.neighbors import KernelDensity

    X, Q = problem
    model = KernelDensity(bandwidth=WIDTH, rtol=1e-3).fit(X)
    return np.exp(model.score_samples(Q))


def fit_scipy(problem, _):
    from scipy.stats import gaussian_kde

    class FixedWidth(gaussian_kde):
        """SciPy's estimate with our width instead of a multiple of the covariance."""

        def _compute_covariance(self):
            self.covariance, self.cho_cov = np.eye(2) * WIDTH**2, np.eye(2) * WIDTH
            self.log_det = 2.0 * np.log(2.0 * np.pi * WIDTH**2)

    X, Q = problem
    return FixedWidth(X.T).evaluate(Q.T)


def fit_kdepy(problem, size):
    from KDEpy import FFTKDE
    from scipy.interpolate import RegularGridInterpolator

    X, Q = problem
    grid, values = FFTKDE(bw=WIDTH, kernel="gaussian").fit(X).evaluate((size, size))
    sides = np.unique(grid[:, 0]), np.unique(grid[:, 1])
    read = RegularGridInterpolator(
        sides, values.reshape(size, size), bounds_error=False, fill_value=None
    )
    return read(Q)


TASK = KernelDensityTask()

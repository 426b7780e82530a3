"""Support vector machines, judged by the dual objective of their coefficients."""

from importlib import import_module

import numpy as np

from benchmarks.task import Contender, present

__all__ = ["SupportVectorTask", "blobs"]


def blobs(n, d, rng):
    """Return points of two classes of four clouds each, 5 % of them mislabelled."""
    centres = rng.standard_normal((8, d))
    which = rng.integers(8, size=n)
    X = 0.8 * centres[which] + rng.standard_normal((n, d))
    flipped = rng.random(n) < 0.05
    return (X - X.mean(0)) / X.std(0), np.where((which < 4) ^ flipped, 1, -1)


class SupportVectorTask:
    """A Gaussian machine; the optimum is bounded by a tightly fitted dual."""

    tolerance = 1e-4

    def __init__(self, title, machine, sizes, room="kernel", limit=None, **options):
        self.title = title
        self.limit = limit
        self.machine, self.sizes, self.room = machine, sizes, room
        self.options = options

    def problem(self, *, quick):
        rng = np.random.default_rng(5)
        n, d = (2_000, self.sizes[1]) if quick else self.sizes
        X, y = blobs(n, d, rng)
        if self.machine == "SVR":
            y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(n)
        gamma = 1.0 / d
        best = self._ours((X, y, gamma, None), 1e-4)
        return X, y, gamma, best.certificate_.primal

    def contenders(self):
        yield Contender("infimum", self._ours, (1e-3, 1e-4))
        for name, library in (("scikit-learn", "sklearn"), ("sklearnex", "sklearnex")):
            missing = library == "sklearnex" and self.machine == "OneClassSVM"
            if present(library) and not missing:
                fit = self._fitter(f"{library}.svm")
                yield Contender(name, fit, (1e-3, 1e-4), limit=self.limit)

    def excess(self, problem, answer):
        X, y, gamma, bound = problem
        coef, rows = np.ravel(answer.dual_coef_), X[answer.support_]
        value = linear_part(self.machine, coef, y[answer.support_])
        squares = np.einsum("ij,ij->i", rows, rows)
        for start in range(0, len(rows), 1_000):
            some = slice(start, start + 1_000)
            distances = squares[some, None] + squares - 2.0 * rows[some] @ rows.T
            value -= 0.5 * coef[some] @ (np.exp(-gamma * distances) @ coef)
        return (bound - value) / abs(bound)

    def _ours(self, problem, tol):
        return self._fitter(f"infimum.models.{self.room}")(problem, tol)

    def _fitter(self, module):
        def fit(problem, tol):
            X, y, gamma, _ = problem
            machine = getattr(import_module(module), self.machine)
            return machine(gamma=gamma, tol=tol, **self.options).fit(X, y)

        return fit


def linear_part(machine, coef, y):
    if machine == "SVC":
        return np.abs(coef).sum()
    return coef @ y - 0.1 * np.abs(coef).sum() if machine == "SVR" else 0.0

"""Base of support vector machines: from a dual problem to a certified sum."""

from __future__ import annotations

import math
import warnings
from abc import ABC
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from infimum.certificates import Certificate
from infimum.data.canonical import given_out
from infimum.data.doors import things
from infimum.errors import DataError
from infimum.kernels import Gaussian, Kernel, Linear, named_kernel
from infimum.models._advice import open_gap
from infimum.models._definiteness import INDEFINITE, is_definite
from infimum.models._interior_start import (
    Plain,
    few_features,
    from_the_inside,
    linear_features,
)
from infimum.models._interruption import was_interrupted
from infimum.models._kernel_door import is_precomputed, select
from infimum.models._matrix_function import MatrixFunction
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.parameters import Besides, Domains, besides, positive, whole
from infimum.solvers import DualSolution, Record, WorkingSetDescent
from infimum.typing import Indices, Matrix, Vector

__all__ = ["PRICES", "SupportVectorMachine", "price_of"]

#: Single precision serves a Gaussian kernel whose exponents stay below this.
STEEPEST = 64.0
#: Working sets at most, where the user sets no limit: far more than are ever needed
#: by features of one size.
SETS = 300
#: What a violation costs where no price is too high, C = inf.
HIGHEST = 1e10
#: The prices of a violation.
PRICES = besides(positive, math.inf)
#: Two sums that settle a width differ by less.
SAME = 1e-9


class SupportVectorMachine(BaseEstimator, ABC):  # type: ignore[misc]
    """A function x ↦ Σ cᵢ k(xᵢ, x) + b in which most coefficients are 0."""

    _domains: ClassVar[Domains] = {
        "tol": positive,
        "cache_size": positive,
        "max_iter": Besides(whole(-1), (), "-1 or a whole number in [0, inf)"),
        "gamma": Besides(positive, ("scale", "auto"), "'scale', 'auto' or in (0, inf)"),
    }

    kernel: Any
    gamma: Any
    degree: Any
    coef0: Any
    tol: Any
    cache_size: Any
    max_iter: Any
    support_: Indices
    support_vectors_: Any
    dual_coef_: Any
    intercept_: Any
    certificate_: Certificate
    history_: tuple[Record, ...]
    _begun: Any

    @property
    def kernel_(self) -> Kernel | None:
        """The kernel in use; None for "precomputed"."""
        if is_precomputed(self):
            return None
        if callable(self.kernel) and not isinstance(self.kernel, Kernel):
            return MatrixFunction(self.kernel)
        named = {"gamma": self._gamma, "coef0": self.coef0, "degree": self.degree}
        features = getattr(self, "n_features_in_", 1)
        return named_kernel(type(self).__name__, self.kernel, features, named)

    @property
    def coef_(self) -> Any:
        """Weights of the features, sparse as these are; for a linear kernel."""
        return self._feature_weights(self.dual_coef_)

    def _feature_weights(self, coefficients: Any) -> Any:
        if not isinstance(self.kernel_, Linear):
            raise AttributeError(  # noqa: TRY004
                "coef_ is only available when using a linear kernel"
            )
        if hasattr(self.support_vectors_, "toarray"):
            known = sparse.csr_array(self.support_vectors_)
            return given_out(sparse.csr_array(coefficients) @ known)
        found = np.asarray(coefficients @ self.support_vectors_)
        found.flags.writeable = False  # what is written here would change no prediction
        return found

    def _prepare(self, things: Any, weights: Vector | None) -> None:
        """Settle what the kernel is."""
        listed = not hasattr(things, "shape")
        self.shape_fit_ = (len(things),) if listed else tuple(things.shape)
        around = None if listed or is_precomputed(self) else Around.of(things, weights)
        self._gamma = self._settled_gamma(around)
        kernel = self.kernel_
        self._single = single_will_do(kernel, around)
        self._definite = is_definite(kernel, things)

    def _settled_gamma(self, around: Around | None) -> float:
        """Return gamma as a number; a weight of k counts as k copies."""
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        if around is None:
            return 1.0
        features = len(around.means)
        if self.gamma == "auto":
            return 1.0 / max(1, features)
        spread = around.variance()
        return float(1.0 / (features * spread)) if spread > 0 else 1.0

    def _check_width(self, things: Any, weights: Vector | None) -> None:
        """Refuse things under which the kernel would have another width."""
        table = hasattr(things, "shape") and not is_precomputed(self)
        settled = self._settled_gamma(Around.of(things, weights) if table else None)
        if not abs(settled - self._gamma) <= SAME * settled:
            raise DataError(
                f"{type(self).__name__} has a kernel with gamma={self._gamma:g}, but "
                f"these samples and weights give gamma={settled:g}: these are others."
            )

    def _solve(
        self,
        dual: SupportVectorDual,
        things: Any,
        start: Vector | None = None,
        plain: Plain | None = None,
    ) -> DualSolution:
        """Solve a dual problem on these things (a kernel matrix, if precomputed).

        Where the kernel has few features, and the problem is told as a `plain` risk, an
        interior point finds the start: at once under a linear kernel, else only when
        the working sets have run out.
        """
        inside = plain is not None and self._definite and self.max_iter == -1
        kernel, tol = self.kernel_, float(self.tol)
        if (
            plain is not None
            and inside
            and start is None
            and isinstance(kernel, Linear)
        ):
            features = linear_features(kernel, things)
            if features is not None:
                start = from_the_inside(plain, features, dual, tol)
        solution = self._descend(dual, kernel, things, start)
        done = solution.certificate.closed or was_interrupted(solution)
        if plain is not None and start is None and not done:
            features = few_features(kernel, things)
            if features is not None:
                start = from_the_inside(plain, features, dual, tol)
                again = self._descend(dual, kernel, things, start)
                solution = min(solution, again, key=lambda s: s.certificate.gap)
        return solution if self._definite else _without_bound(solution)

    def _descend(
        self,
        dual: SupportVectorDual,
        kernel: Kernel | None,
        things: Any,
        start: Vector | None,
    ) -> DualSolution:
        most = max(SETS, dual.n_samples // 10)
        solver = WorkingSetDescent(
            tolerance=max(float(self.tol), 1e-12),
            max_iterations=max(1, int(self.max_iter)) if self.max_iter > -1 else most,
            cache_size=float(self.cache_size),
        )
        return solver.solve(
            dual,
            lambda dtype: kernel_tiles(kernel, things, None, dtype),
            start,
            single=self._single,
        )

    def _some(self, things: Any, rows: Indices) -> Any:
        """Return some of the things, in order; of a kernel matrix, rows and columns."""
        if len(rows) == self.shape_fit_[0]:
            return things
        if is_precomputed(self):
            return things[np.ix_(rows, rows)]
        return select(things, rows)

    def _keep_support(self, things: Any, support: Indices, dual_coef: Matrix) -> None:
        """Keep the support vectors and their coefficients."""
        self.support_ = np.asarray(support, dtype=np.int32)
        self.dual_coef_ = dual_coef
        if is_precomputed(self):
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = given_out(select(things, support))
        if sparse.issparse(self.support_vectors_):
            self.dual_coef_ = given_out(sparse.csr_array(dual_coef))

    def _keep_solutions(self, solutions: list[DualSolution]) -> None:
        """Keep the proofs, that of the least certain part first."""
        worst = max(solutions, key=lambda s: s.certificate.relative_gap)
        self.certificate_, self.history_ = worst.certificate, worst.history
        self.certificates_ = [s.certificate for s in solutions]
        self.fit_status_ = int(not all(s.certificate.closed for s in solutions))
        proof = self.certificate_
        if not self._definite:
            warnings.warn(
                f"{type(self).__name__} cannot prove anything: {INDEFINITE}. Its model "
                "need not be the best one.",
                UncertifiedWarning,
                stacklevel=5,
            )
        elif self.fit_status_ and not was_interrupted(worst):
            warnings.warn(
                open_gap(self, proof, worst.iterations),
                UncertifiedWarning,
                stacklevel=5,
            )

    def _sums(self, X: Any) -> Matrix:
        """Return Σ cᵢ k(xᵢ, x) for new things, one column per row of `dual_coef_`."""
        return np.asarray(self._tiles(X).multiply(self._dense_coef().T))

    def _dense_coef(self) -> Matrix:
        coef: Any = self.dual_coef_
        return np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef)

    def _along(
        self, name: str, values: Any, start: Callable[[Self, Self], Any], *given: Any
    ) -> list[Self]:
        """Fit a clone for each value of a parameter, each started from the last.

        `start` returns where a machine may begin, given the last one and itself.
        """
        machines: list[Self] = []
        for value in np.atleast_1d(np.asarray(values)).tolist():
            machine = clone(self).set_params(**{name: value})
            if machines:
                machine._begun = start(machines[-1], machine)
            machines.append(machine.fit(*given))
            machine.__dict__.pop("_begun", None)
        return machines

    def _all_coef(self) -> Vector:
        """Return the coefficient of every sample in a machine that is one sum."""
        coef = np.zeros(self.shape_fit_[0])
        coef[self.support_] = self._dense_coef()[0]
        return coef

    def _tiles(self, X: Any) -> Any:
        """Return tiles of the kernel between new things and the support vectors."""
        X = things(self, X, reset=False).X
        kernel = self.kernel_
        if kernel is None:
            return kernel_tiles(None, X[:, self.support_])
        known = self.support_vectors_
        if hasattr(known, "shape") and (sparse.issparse(known) or sparse.issparse(X)):
            X, known = sparse.csr_array(X), sparse.csr_array(known)
        kinds = {getattr(part, "dtype", None) for part in (X, known)}
        dtype = np.float32 if kinds == {np.dtype(np.float32)} else np.float64
        return kernel_tiles(kernel, X, known, dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not is_precomputed(self)
        tags.input_tags.pairwise = is_precomputed(self)
        return tags


def price_of(machine: Any) -> float:
    """Return what a violation costs a sample of weight 1."""
    return min(float(machine.C), HIGHEST)


def _without_bound(solution: DualSolution) -> DualSolution:
    """Take back the lower bound: without convexity the dual proves nothing."""
    proof = replace(solution.certificate, dual=-np.inf, reason=INDEFINITE)
    return replace(solution, certificate=proof)


class Around(NamedTuple):
    """How far samples lie from their mean, or from 0 where they are sparse."""

    X: Any
    #: Weights of the samples; None: 1 each.
    weights: Vector | None
    means: Vector
    #: Squared distances.
    squares: Vector

    @classmethod
    def of(cls, X: Any, weights: Vector | None) -> Around:
        """Look at a table, each row counted as it weighs."""
        if hasattr(X, "toarray"):
            return cls(X, weights, np.zeros(X.shape[1]), _row_sums(X.power(2)))
        if weights is None:
            means = X.mean(axis=0, dtype=np.float64)
        else:
            means = np.asarray(weights @ X / weights.sum())
        centred = X - means
        return cls(X, weights, means, np.einsum("ij,ij->i", centred, centred))

    def variance(self) -> float:
        """Return the variance of all entries of the table."""
        n, d = (int(size) for size in self.X.shape)
        weights = np.ones(n) if self.weights is None else self.weights
        total = float(weights.sum())
        if not hasattr(self.X, "toarray"):
            apart = self.means - self.means.mean()
            return float(weights @ self.squares / total + apart @ apart) / d
        stored = sparse.csr_array(self.X).astype(np.float64)
        mean = float(weights @ _row_sums(stored)) / (total * d)
        zeros = d - np.diff(stored.indptr)
        stored.data = (stored.data - mean) ** 2
        return float(weights @ (_row_sums(stored) + zeros * mean**2)) / (total * d)


def single_will_do(kernel: Kernel | None, around: Around | None) -> bool:
    """Tell whether float32 kernel values are good enough on the way to a solution."""
    if not isinstance(kernel, Gaussian) or around is None:
        return False
    gamma = 0.5 / float(kernel.width) ** 2
    return bool(gamma * around.squares.max(initial=0.0) <= STEEPEST)


def _row_sums(X: Any) -> Vector:
    return np.asarray(X.sum(axis=1), dtype=np.float64).ravel()

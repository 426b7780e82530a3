"""The strength of a kernel ridge with the least error on samples left out."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from infimum.certificates import Certificate
from infimum.errors import InvalidParameterError
from infimum.models.kernel.kernel_ridges._ridge_fit import RidgeFit
from infimum.models.kernel.kernel_ridges._ridge_folds import Fold, FoldedPath
from infimum.models.kernel.kernel_ridges._ridge_system import RidgeAnswer
from infimum.models.kernel.kernel_ridges.kernel_ridge_path import KernelRidgePath
from infimum.parameters import check_domain, positive
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

__all__ = ["RidgeChoice"]


class RidgeChoice(NamedTuple):
    """The errors of all strengths, and the solution of the best."""

    alphas: Vector
    errors: Vector
    coefficients: Matrix
    intercepts: Vector
    certificate: Certificate
    history: tuple[Record, ...]
    steps: int

    @property
    def best(self) -> int:
        """The place of the strength of least error."""
        return int(np.argmin(self.errors))

    @property
    def alpha(self) -> float:
        """The strength of least error."""
        return float(self.alphas[self.best])

    @classmethod
    def of(
        cls,
        fit: RidgeFit,
        alphas: Vector,
        copies: Vector,
        splits: list[Any] | None,
        tolerance: float,
    ) -> RidgeChoice:
        """Leave out every sample in turn or, given splits, folds.

        `copies` says how many copies each sample that counts stands for: a judge of
        many copies has many votes, whatever its class weighs.
        """
        name = type(fit.machine).__name__
        if not len(alphas):
            raise InvalidParameterError(f"{name}.alphas must hold a strength, got 0.")
        for alpha in alphas:
            check_domain(f"{name}.alphas", float(alpha), positive)
        if splits is None:
            return cls._one_by_one(fit, alphas, copies, tolerance)
        return cls._by_folds(fit, alphas, copies, splits, tolerance)

    @classmethod
    def _one_by_one(
        cls, fit: RidgeFit, alphas: Vector, copies: Vector, tolerance: float
    ) -> RidgeChoice:
        path = KernelRidgePath.of(fit, alphas, fit.targets.ndim, tolerance, copies)
        best = int(np.argmin(path.mean_errors))
        return cls(
            alphas,
            path.mean_errors,
            path.dual_coefs[best],
            path.intercepts[best],
            path.certificates[best],
            path.history(best),
            1,
        )

    @classmethod
    def _by_folds(
        cls,
        fit: RidgeFit,
        alphas: Vector,
        copies: Vector,
        splits: list[Any],
        tolerance: float,
    ) -> RidgeChoice:
        began = time.perf_counter()
        folds = [
            Fold.of(fit.among_kept(learnt), fit.among_kept(held_out), fit.weights)
            for learnt, held_out in splits
        ]
        # Who weighs nothing is no judge: folds of such only are left out.
        folds = [fold for fold in folds if len(fold.held_out)]
        system = fit.system(fit.targets)
        path = FoldedPath.of(fit.gram, system, folds, alphas)
        pairs = zip(folds, path.predictions, strict=True)
        errors = np.mean([_mean_squares(fit, copies, *pair) for pair in pairs], axis=0)
        best = int(np.argmin(errors))
        found = None if path.solutions is None else path.solutions[best]
        answer = _solved(fit, found, path.steps, float(alphas[best]), tolerance)
        proof, seconds = answer.certificate, time.perf_counter() - began
        return cls(
            alphas,
            errors,
            fit.spread(answer.coefficients),
            answer.intercepts,
            proof,
            (Record(path.steps, seconds, proof.primal, proof.dual),),
            max(1, path.steps),
        )


def _solved(
    fit: RidgeFit, found: Matrix | None, steps: int, alpha: float, tolerance: float
) -> RidgeAnswer:
    """Return the solution of all samples: the one found, if it proves enough."""
    if found is not None:
        system = fit.system(fit.targets)
        coefficients, intercepts = system.unpack(found)
        proof = system.certify(coefficients, intercepts, alpha, tolerance)
        if proof.closed:
            return RidgeAnswer(coefficients, intercepts, proof, (), steps)
    return fit.solve_directly(alpha, fit.targets, tolerance)


def _mean_squares(
    fit: RidgeFit, copies: Vector, fold: Fold, predictions: Matrix
) -> Vector:
    """Return the mean squared error of the held-out of one fold, for each strength."""
    truth, votes = fit.targets[fold.held_out], copies[fold.held_out]
    squares = ((predictions - truth[:, None, :]) ** 2).mean(axis=2)
    return np.asarray((votes / votes.sum()) @ squares)

"""Kernel ridge regression without each of several folds, for many strengths at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from infimum.models.kernel.kernel_ridges._ridge_spectrum import (
    decompose,
    solve_decomposed,
)
from infimum.models.kernel.kernel_ridges._ridge_system import RidgeSystem
from infimum.models.kernel.kernel_ridges._shifted_lanczos import KrylovSpace
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Fold", "FoldedPath"]

#: The relative residual that every strength of every fold is solved to.
GOAL = 1e-10
#: Steps after which a decomposition takes less time: so many, or this share of all.
FEW_STEPS, SHARE = 50, 1 / 8
#: Spaces that grow together: with so many steps they are as large as the kernel matrix.
ABREAST = 8


class Fold(NamedTuple):
    """Whom to learn from, and whom to predict."""

    #: Square roots of the weights, 0 for samples that are not learnt from.
    roots: Vector
    held_out: Indices

    @classmethod
    def of(cls, learnt: Indices, held_out: Indices, weights: Vector) -> Fold:
        """Learn from some samples, as they weigh."""
        roots = np.zeros(len(weights))
        roots[learnt] = np.sqrt(weights[learnt])
        return cls(roots, held_out)


@dataclass(frozen=True, eq=False)
class FoldedPath:
    """Predictions for the held-out, and the solution from all, for every strength.

    Each training set and target has a Krylov space of its own (see `KrylovSpace`);
    several of them grow together, so that one reading of the kernel matrix is a step of
    several folds and targets, and of all strengths. Where the strengths are so small
    that the spaces would have to grow very large, each training set is decomposed
    instead. What is kept of a space is a solution for each strength or less.
    """

    #: Arrays of shape (n_held_out, n_alphas, n_targets), one a fold.
    predictions: list[Matrix]
    #: From all samples, (n_alphas, n, n_targets); None after a decomposition.
    solutions: Matrix | None
    steps: int

    @classmethod
    def of(
        cls, gram: Matrix, system: RidgeSystem, folds: list[Fold], alphas: Vector
    ) -> FoldedPath:
        """Solve for all folds, and for all samples with the weights of the system."""
        everything = Fold(system.roots, np.empty(0, dtype=np.intp))
        columns = [*system.targets.T]
        if system.intercept:
            columns.append(np.ones(len(gram)))
        pairs = [(fold, y) for fold in (*folds, everything) for y in columns]
        least, steps = float(alphas.min()), 0
        found: list[Any] = []
        for at in range(0, len(pairs), ABREAST):
            runs = [_Run(*pair, least) for pair in pairs[at : at + ABREAST]]
            taken = _grow(gram, runs)
            if taken is None:
                split = [_decomposed(gram, system, fold, alphas) for fold in folds]
                return cls(split, None, 1)
            steps = max(steps, taken)
            found += [
                run.space.solutions(alphas)
                if run.fold is everything
                else run.predict(alphas)
                for run in runs
            ]
        *parts, whole = [
            found[at : at + len(columns)] for at in range(0, len(found), len(columns))
        ]
        joined = [_joined(part, intercept=system.intercept) for part in parts]
        return cls(joined, np.stack(whole, axis=2), steps)


class _Seen(NamedTuple):
    """Scores of the held-out (rows) and sums of coefficients, for each strength."""

    scores: Matrix
    totals: Vector


class _Run:
    """The Krylov space of a training set and target, and what the held-out see."""

    def __init__(self, fold: Fold, target: Vector, least: float) -> None:
        self.fold = fold
        self.space = KrylovSpace(fold.roots * target, least)
        self.seen: list[Vector] = []

    @property
    def open(self) -> bool:
        return self.space.left > GOAL

    def extend(self, product: Vector) -> None:
        self.seen.append(product[self.fold.held_out])
        self.space.extend(self.fold.roots * product)

    def predict(self, alphas: Vector) -> _Seen:
        weights = self.space.weights(alphas)
        seen = np.reshape(self.seen, (len(weights), len(self.fold.held_out)))
        sums = self.space.vectors[: self.space.size] @ self.fold.roots
        return _Seen(np.asarray(seen.T @ weights), np.asarray(sums @ weights))


def _joined(parts: list[_Seen], *, intercept: bool) -> Matrix:
    """Return the predictions of all targets, with the intercepts that free them.

    The last part belongs to the target 1: an intercept b is what makes the
    coefficients of y - b sum to 0; where no sample is left, it is 0.
    """
    if not intercept:
        return np.stack([part.scores for part in parts], axis=2)
    *parts, ones = parts
    sums = np.where(ones.totals > 0.0, ones.totals, np.inf)
    return np.stack(
        [part.scores + part.totals / sums * (1.0 - ones.scores) for part in parts],
        axis=2,
    )


def _grow(gram: Matrix, runs: list[_Run]) -> int | None:
    """Extend the spaces until all systems are solved; None if that takes too long."""
    from infimum.compiled.products.narrow_products import dot_several
    from infimum.compiled.threads import in_parts, one_blas_thread

    most = max(FEW_STEPS, int(SHARE * len(gram)))
    steps = 0
    while active := [run for run in runs if run.open]:
        if steps == most or not all(run.space.definite for run in active):
            return None
        vectors = np.stack([run.fold.roots * run.space.newest for run in active])
        products = dot_several(gram, vectors)

        def extend(some: slice, moved: Any = (active, products)) -> None:
            for run, product in zip(moved[0][some], moved[1][some], strict=True):
                run.extend(product)

        with one_blas_thread():
            in_parts(len(active), extend, len(active))
        steps += 1
    return steps


def _decomposed(
    gram: Matrix, system: RidgeSystem, fold: Fold, alphas: Vector
) -> Matrix:
    """Return the predictions of one fold from an eigendecomposition of its own."""
    learnt = np.flatnonzero(fold.roots)
    inner = gram[np.ix_(learnt, learnt)]
    part = replace(
        system,
        product=lambda z: inner @ z,
        targets=system.targets[learnt],
        weights=fold.roots[learnt] ** 2,
    )
    values, vectors = decompose(inner, part.roots, float(alphas.min()))
    found = solve_decomposed(part, values, vectors, alphas)
    cross = gram[np.ix_(fold.held_out, learnt)]
    scores = []
    for solved in np.split(found, len(alphas), axis=1):
        coefficients, intercepts = part.unpack(solved)
        scores.append(cross @ coefficients + intercepts)
    return np.stack(scores, axis=1)

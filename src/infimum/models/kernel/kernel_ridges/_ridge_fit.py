"""From things and targets to the certified coefficients of kernel ridge regression."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf

from infimum.certificates import Certificate
from infimum.kernels import Kernel
from infimum.models._kernel_door import gram_of, kernel_of, select
from infimum.models.kernel.kernel_ridges._conjugate_gradients import (
    KernelTiles,
    NystroemInverse,
)
from infimum.models.kernel.kernel_ridges._ridge_rounding import (
    RidgeDoubt,
    added_in_blocks,
    roundings_in_blocks,
)
from infimum.models.kernel.kernel_ridges._ridge_system import (
    RidgeAnswer,
    RidgeSystem,
    cholesky_inverse,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import kernel_tiles
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SOLVERS", "RidgeFit", "warn_if_open"]

SOLVERS = Choice(("auto", "cholesky", "conjugate_gradient"))
#: A kernel matrix in double and its factor in single precision, bytes per entry.
BYTES_PER_PAIR = 12
MEGABYTE = 2**20
FEWEST_LANDMARKS, MOST_LANDMARKS = 100, 1_500


@dataclass(frozen=True, eq=False)
class RidgeFit:
    """One fit of kernel ridge regression: the samples that count, and how to solve.

    Samples of weight 0 take no part and get the coefficient 0.
    """

    machine: Any
    things: Any
    targets: Matrix
    weights: Vector
    kept: Indices
    count: int
    intercept: bool

    @classmethod
    def of(
        cls,
        machine: Any,
        things: Any,
        targets: Matrix,
        weights: Vector | None,
        *,
        intercept: bool = False,
    ) -> RidgeFit:
        """Leave out the samples without weight."""
        count = len(targets)
        given = np.ones(count) if weights is None else weights
        kept = np.flatnonzero(given)
        if len(kept) < count:
            things = select(things, kept)
            if kernel_of(machine) is None:
                things = things[:, kept]
        return cls(machine, things, targets[kept], given[kept], kept, count, intercept)

    @property
    def kernel(self) -> Kernel | None:
        """The kernel of the machine."""
        return kernel_of(self.machine)

    @cached_property
    def gram(self) -> Matrix:
        """The kernel values of the samples that count."""
        return gram_of(self.machine, self.things)

    @property
    def fits_in_memory(self) -> bool:
        """Whether the kernel matrix is within the bound that was set."""
        wanted = BYTES_PER_PAIR * len(self.targets) ** 2
        return bool(wanted <= self.machine.cache_size * MEGABYTE)

    @cached_property
    def definite(self) -> bool:
        """Whether the kernel matrix is known to be positive semi-definite."""
        if self.kernel is None:
            return is_definite(self.gram)
        return bool(self.kernel.definite)

    def system(self, targets: Matrix) -> RidgeSystem:
        """Return the equations, with the whole kernel matrix in memory."""
        return RidgeSystem(
            lambda z: added_in_blocks(self.gram, z),
            targets,
            self.weights,
            self.intercept,
            self.definite,
            self.doubt,
        )

    @cached_property
    def doubt(self) -> RidgeDoubt:
        """How wrong products of the kernel matrix may be."""
        count, kernel = len(self.targets), self.kernel
        many = roundings_in_blocks(count)
        if kernel is None:
            return RidgeDoubt(np.sqrt(np.abs(np.diag(self.gram))), 0.0, many)
        tiles = kernel_tiles(kernel, self.things)
        return RidgeDoubt(tiles.lengths(), tiles.blur(), many)

    def solve(self, alphas: Vector, tolerance: float) -> RidgeAnswer:
        """Return the answer for one strength per target."""
        wanted = self.machine.solver
        check_domain(f"{type(self.machine).__name__}.solver", wanted, SOLVERS)
        coefficients = np.zeros((self.count, len(alphas)))
        intercepts, answers = np.zeros(len(alphas)), []
        for alpha in np.unique(alphas):
            chosen = alphas == alpha
            found = self._solve(float(alpha), self.targets[:, chosen], tolerance)
            # Samples without weight keep the coefficient 0.
            coefficients[np.ix_(self.kept, chosen)] = found.coefficients
            intercepts[chosen] = found.intercepts
            answers.append(found)
        worst = max(answers, key=lambda found: found.certificate.relative_gap)
        return replace(worst, coefficients=coefficients, intercepts=intercepts)

    def _solve(self, alpha: float, targets: Matrix, tolerance: float) -> RidgeAnswer:
        wanted = self.machine.solver
        if wanted == "auto":
            direct = self.kernel is None or self.fits_in_memory or alpha == 0
            wanted = "cholesky" if direct else "conjugate_gradient"
        if wanted == "conjugate_gradient" and self.kernel is not None:
            return self._solve_in_tiles(alpha, targets, tolerance)
        return self.solve_directly(alpha, targets, tolerance)

    def solve_directly(
        self, alpha: float, targets: Matrix, tolerance: float
    ) -> RidgeAnswer:
        """Return the answer for one strength from a factor of the kernel matrix."""
        system = self.system(targets)
        inverse = cholesky_inverse(self.gram, system.roots, alpha) if alpha else None
        if inverse is None:
            return system.closed_form(alpha, self.gram, tolerance)
        return system.solve(alpha, inverse, tolerance)

    def _solve_in_tiles(
        self, alpha: float, targets: Matrix, tolerance: float
    ) -> RidgeAnswer:
        assert self.kernel is not None
        things, n = self.things, len(targets)
        if hasattr(things, "dtype"):
            things = things.astype(np.float64)
        capacity = int(self.machine.cache_size * MEGABYTE / 8)
        tiles = KernelTiles(self.kernel, things, capacity)
        doubt = self.doubt._replace(roundings=n)  # in any order
        system = RidgeSystem(
            tiles, targets, self.weights, self.intercept, self.kernel.definite, doubt
        )
        landmarks = int(np.clip(4 * np.sqrt(n), FEWEST_LANDMARKS, MOST_LANDMARKS))
        inverse = NystroemInverse.of(
            self.kernel, things, system.roots, alpha, landmarks
        )
        answer = system.solve(alpha, inverse, tolerance, start=0)
        if not answer.certificate.closed:
            return answer
        proof = replace(answer.certificate, reason="conjugate gradients")
        return replace(answer, certificate=proof)

    def among_kept(self, samples: Indices) -> Indices:
        """Return where some samples are among those that count."""
        places = np.full(self.count, -1)
        places[self.kept] = np.arange(len(self.kept))
        found = places[samples]
        return found[found >= 0]

    def spread(self, rows: Matrix, missing: float = 0.0) -> Matrix:
        """Return one row per sample of the fit; those left out get `missing`."""
        out = np.full((self.count, rows.shape[1]), missing)
        out[self.kept] = rows
        return out


def is_definite(gram: Matrix) -> bool:
    """Tell whether a symmetric matrix is positive semi-definite up to rounding."""
    shifted = np.array(gram, dtype=np.float64)
    if np.abs(shifted - shifted.T).max(initial=0.0) > 1e-10 * np.abs(shifted).max(
        initial=0.0
    ):
        return False
    n = len(shifted)
    shifted.flat[:: n + 1] += 1e-10 * max(float(np.trace(shifted)), 1e-300)
    return not dpotrf(shifted.T, lower=1, overwrite_a=1)[1]


def warn_if_open(machine: Any, proof: Certificate) -> None:
    """Say so when a gap did not close."""
    if not proof.closed:
        warnings.warn(
            f"{type(machine).__name__} stopped ({proof.reason}) with a relative "
            f"duality gap of {proof.relative_gap:.1e}, above the "
            f"{proof.tolerance:.1e} asked for.",
            UncertifiedWarning,
            stacklevel=3,
        )

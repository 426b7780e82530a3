"""One pass of expectation and maximisation over the rows, in blocks on all cores.

Where rounding allows, log densities and moments come from products of two columns,
which are the same for all components. Where components are so narrow that it would
show, differences from the means are taken instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from infimum.compiled.clusters.mixture_pass import mixture_pass
from infimum.models.clustering.centres._dense_assignment import on_cores
from infimum.models.clustering.mixtures._mixture_components import (
    Components,
    not_nothing,
)
from infimum.models.clustering.mixtures._mixture_shapes import whiten
from infimum.models.clustering.mixtures._mixture_triangles import ByTriangles
from infimum.typing import Matrix, Vector

__all__ = ["Pass", "expect", "log_joint", "pass_over"]

BLOCK = 256
#: Squared length of a row over the least variance: how many digits products may lose.
WORST = 1e8


@dataclass(frozen=True)
class Pass:
    """What a pass found: the log likelihood, and the components of most likelihood."""

    log_likelihood: float
    mass: Vector
    means: Matrix
    covariances: Matrix


def log_joint(rows: Matrix, components: Components) -> Matrix:
    """Return log wₖ N(x | k) of each component and row, by differences."""
    out = np.empty((len(components.means), len(rows)))
    constants = components.constants()
    for j, mean in enumerate(components.means):
        white = whiten(rows - mean, components.factors, components.kind, j)
        out[j] = constants[j] - 0.5 * np.einsum("ij,ij->i", white, white)
    return out


def expect(rows: Matrix, components: Components) -> tuple[Vector, Matrix]:
    """Return the log density of each row, and its log share in each component."""
    out = np.empty((len(components.means), len(rows)))

    def work(some: slice) -> None:
        out[:, some] = log_joint(rows[some], components)

    on_cores(len(rows), work, max(1, len(rows) // 4096))
    total = logsumexp(out, axis=0)
    out -= total
    return np.asarray(total), out.T


def pass_over(
    rows: Matrix,
    weights: Vector,
    longest: float,
    components: Components,
    shares: Matrix | None = None,
) -> Pass:
    """Return the moments by the components, or by given shares (components × rows)."""
    way: ByTriangles | _ByProducts | _ByDifferences = _ByDifferences(components)
    if components.kind != "tied" and longest <= WORST * _narrowest(components):
        full = components.kind == "full"
        way = ByTriangles(components) if full else _ByProducts(components)
    given = np.empty((0, 0)) if shares is None else shares

    def work(some: slice) -> tuple[float, list[Matrix]]:
        sums = way.blank()
        return way.gather(rows[some], weights[some], given[:, some], sums), sums

    told = on_cores(len(rows), work, max(1, min(16, len(rows) // (4 * BLOCK))))
    sums = [np.sum(parts, axis=0) for parts in zip(*(s for _, s in told), strict=True)]
    return Pass(sum(value for value, _ in told), *way.moments(sums))


class _ByProducts:
    """Moments about the origin: one product for all densities, one for all sums."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self.k, self.d = components.means.shape
        self.table = self._coefficients()

    def blank(self) -> list[Matrix]:
        return [np.zeros_like(self.table)]

    def gather(
        self, rows: Matrix, weights: Vector, shares: Matrix, sums: list[Matrix]
    ) -> float:
        """Add squares and rows to the sums; return the log likelihood."""
        given = np.ascontiguousarray(shares)
        return float(mixture_pass(rows, weights, given, self.table, sums[0]))

    def moments(self, sums: list[Matrix]) -> tuple[Vector, Matrix, Matrix]:
        """Return mass, means and covariances from the sums."""
        squares, firsts = np.split(sums[0][:, :-1], [-self.d], axis=1)
        mass = not_nothing(sums[0][:, -1])
        means = firsts / mass[:, None]
        variances = np.maximum(squares / mass[:, None] - means**2, 0.0)
        return mass, means, _as_kind(self.components.kind, variances)

    def _coefficients(self) -> Matrix:
        """Return log wₖ N(x | k) as coefficients of x², x and 1, a row each."""
        one, means = self.components, self.components.means
        precisions = one.factors.reshape(self.k, -1) ** 2 * np.ones((1, self.d))
        linear = precisions * means
        last = one.constants() - 0.5 * np.sum(linear * means, axis=1)
        return np.hstack([-0.5 * precisions, linear, last[:, None]])


class _ByDifferences:
    """Moments about the means so far: slower, and exact however narrow a component."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self.k, self.d = components.means.shape
        self.square = components.kind in {"full", "tied"}

    def blank(self) -> list[Matrix]:
        shape = (self.k, self.d, self.d) if self.square else (self.k, self.d)
        return [np.zeros((self.k, 1)), np.zeros((self.k, self.d)), np.zeros(shape)]

    def gather(
        self, rows: Matrix, weights: Vector, shares: Matrix, sums: list[Matrix]
    ) -> float:
        """Add the rows, as seen from each mean, to the sums; return the likelihood."""
        likelihood = 0.0
        for start in range(0, len(rows), BLOCK):
            some = slice(start, start + BLOCK)
            weight = weights[some] if weights.size else None
            if shares.size:
                scores = shares[:, some].copy()
            else:
                scores = log_joint(rows[some], self.components)
                likelihood += _normalise(scores, weight)
            if weight is not None:
                scores *= weight
            self.add(sums, rows[some], scores)
        return likelihood

    def add(self, sums: list[Matrix], features: Matrix, shares: Matrix) -> None:
        mass, firsts, seconds = sums
        mass += shares.sum(axis=1, keepdims=True)
        for j, mean in enumerate(self.components.means):
            apart = features - mean
            firsts[j] += shares[j] @ apart
            if self.square:
                seconds[j] += (apart * shares[j][:, None]).T @ apart
            else:
                seconds[j] += shares[j] @ (apart * apart)

    def moments(self, sums: list[Matrix]) -> tuple[Vector, Matrix, Matrix]:
        """Return mass, means and covariances; the means move by the first moments."""
        mass = not_nothing(sums[0][:, 0])
        moved = sums[1] / mass[:, None]
        means = self.components.means + moved
        seconds = sums[2] / mass.reshape(-1, *[1] * (sums[2].ndim - 1))
        if self.square:
            covariances = seconds - moved[:, :, None] * moved[:, None, :]
            if self.components.kind == "tied":
                covariances = np.einsum("k,kij->ij", mass / mass.sum(), covariances)
            return mass, means, covariances
        variances = np.maximum(seconds - moved**2, 0.0)
        return mass, means, _as_kind(self.components.kind, variances)


def _normalise(scores: Matrix, weight: Vector | None) -> float:
    """Turn log joint densities into shares, in place; return the log likelihood."""
    highest = scores.max(axis=0)
    scores -= highest
    np.exp(scores, out=scores)
    total = scores.sum(axis=0)
    scores /= total
    logs = np.log(total)
    logs += highest
    return float(logs.sum() if weight is None else logs @ weight)


def _as_kind(kind: str, variances: Matrix) -> Matrix:
    return variances if kind == "diag" else np.asarray(variances.mean(axis=1))


def _narrowest(components: Components) -> float:
    """Return the least variance of a component in any direction."""
    if components.kind == "full":
        widths = np.linalg.norm(components.factors, ord=2, axis=(1, 2))
        return float(1.0 / np.max(widths) ** 2)
    return float(np.min(components.covariances))

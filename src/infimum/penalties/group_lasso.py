"""Group lasso: whole groups of coefficients enter or stay out together."""

import math
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["GroupLasso"]


@dataclass(frozen=True)
class GroupLasso(Penalty):
    r"""Sum of the lengths of the groups, each weighted by the root of its size.

    .. math:: \Omega(w) = \text{strength} \sum_g \sqrt{|g|}\,\|w_g\|_2

    `groups` lists the positions of each group; they must not overlap. A coefficient in
    no group is free of charge only if `groups` is given: left empty, all coefficients
    form one group.

    Examples
    --------
    >>> import numpy as np
    >>> GroupLasso(1.0, groups=((0, 1), (2,))).prox(np.array([3.0, 4.0, 0.5]), 1.0)
    array([2.15147186, 2.86862915, 0.        ])
    """

    strength: float = field(default=1.0, metadata={"domain": positive})
    groups: tuple[tuple[int, ...], ...] = ()

    def value(self, w: Vector) -> float:
        norms = [np.sqrt(len(g)) * _norm(w[g]) for g in self._slices(w)]
        return float(self.strength * np.sum(norms))

    def conjugate(self, v: Vector) -> float:
        free = self._free(v)
        if free.size and np.any(v[free]):
            return np.inf
        return 0.0 if self._largest(v) <= self.strength * (1.0 + 1e-12) else np.inf

    def prox(self, w: Vector, step: float) -> Vector:
        out = np.array(w)
        for g in self._slices(w):
            norm = _norm(w[g])
            cut = step * self.strength * np.sqrt(len(g))
            out[g] = w[g] * max(0.0, 1.0 - cut / norm) if norm > 0 else 0.0
        return out

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        places = np.arange(w.size).reshape(w.shape)
        matrix = np.zeros((w.size, w.size))
        for g in self._slices(w):
            chosen, block = places[g].ravel(), w[g].ravel()
            norm, cut = _norm(block), float(step) * self.strength * math.sqrt(len(g))
            inner = np.eye(block.size)
            if norm > cut:
                inner = cut / norm * (inner - np.outer(block / norm, block / norm))
            matrix[np.ix_(chosen, chosen)] = inner
        return matrix / step

    def dual_scale(self, v: Vector) -> float:
        free = self._free(v)
        if free.size and np.any(v[free]):
            return 0.0
        largest = self._largest(v)
        return min(1.0, self.strength / largest) if largest > 0 else 1.0

    def admit(self, v: Vector) -> Vector:
        inside = np.array(v)
        inside[self._free(v)] = 0.0
        return self.dual_scale(inside) * inside

    def free_directions(self, features: int) -> Matrix:
        return np.eye(features)[:, self._free(np.zeros(features))]

    def _slices(self, w: Vector) -> list[np.ndarray[tuple[int], np.dtype[np.intp]]]:
        if not self.groups:
            return [np.arange(len(w))]
        return [np.asarray(g, dtype=np.intp) for g in self.groups]

    def _free(self, v: Vector) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        priced = np.concatenate(self._slices(v))
        return np.setdiff1d(np.arange(len(v)), priced)

    def _largest(self, v: Vector) -> float:
        return max(_norm(v[g]) / math.sqrt(len(g)) for g in self._slices(v))


def _norm(block: Vector) -> float:
    return float(np.sqrt((block * block).sum()))

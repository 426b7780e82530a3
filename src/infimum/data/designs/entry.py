"""Wrap an admitted X as a design, and centre it where an intercept is free."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.designs._design import Design
from infimum.data.designs.dense import DenseDesign
from infimum.data.designs.sparse import SparseDesign
from infimum.data.designs.standardized import StandardizedDesign
from infimum.typing import Vector

__all__ = ["as_design", "centred"]

#: Means this many deviations from 0 would cancel badly in single precision.
FAR_FROM_ZERO = 30.0
#: Means this many deviations from 0 would cancel badly in double precision.
VERY_FAR = 1e5
#: Columns that vary less than this share of their mean are constant.
CONSTANT = 1e-13
#: A tall array of so many entries is centred in a copy: its products are plain ones.
SMALL = 1 << 18
#: Rows that are looked at first.
FEW = 32


def as_design(X: Any) -> Design:
    """Return `X` (a design, a float array or a SciPy sparse matrix) as a design."""
    if isinstance(X, Design):
        return X
    return SparseDesign(X) if sparse.issparse(X) else DenseDesign(np.asarray(X))


def centred(design: Design, weights: Vector) -> tuple[Design, Vector]:
    """Return the design with weighted means removed, and those means.

    `weights` sum to 1. With a free intercept this changes no fitted function, and it
    takes the coupling between intercept and coefficients out of the problem.
    """
    means = np.asarray(design.pull_back(weights), dtype=np.float64)
    if isinstance(design, DenseDesign) and design.dtype == np.float32:
        means = weights @ design.X  # float64: single precision would lose the mean
        spread = np.sqrt(np.maximum(design.squared_norms(weights) - means**2, 0.0))
        if np.any(np.abs(means) > FAR_FROM_ZERO * spread):
            exact = StandardizedDesign(design, means, np.ones_like(means), weights)
            return DenseDesign((design.X - means).astype(np.float32), exact), means
    if not np.any(means):
        return design, means
    if isinstance(design, DenseDesign):
        n, d = design.shape
        small = d <= n <= SMALL / max(d, 1) and design.dtype == np.float64
        if small or _is_very_far(design, means, weights):
            exact = StandardizedDesign(design, means, np.ones_like(means), weights)
            return DenseDesign(design.X - means, exact), means
    return StandardizedDesign(design, means, np.ones_like(means), weights), means


def _is_very_far(design: DenseDesign, means: Vector, weights: Vector) -> bool:
    """Tell whether products would lose what columns far from 0 have to say.

    A few rows tell whether it is worth reading the others.
    """
    first = np.abs(design.X[:FEW] - means).max(axis=0, initial=0.0)
    doubtful = np.abs(means) > VERY_FAR * first
    if not doubtful.any():
        return False
    means = np.abs(means[doubtful])
    near = np.abs(design.X[:, doubtful]) - means
    spread = np.sqrt(np.einsum("ij,ij,i->j", near, near, weights))
    # Of a constant column there is only the rounding of its mean.
    return bool(np.any((spread > CONSTANT * means) & (means > VERY_FAR * spread)))

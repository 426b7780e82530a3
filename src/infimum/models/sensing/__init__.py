"""Sensing: signals from fewer measurements than numbers, where few numbers matter.

- `orthonormal_basis` (identity, DCT, Haar, real Fourier, or a matrix): bases as
  operators; `measurement_matrix` (Gaussian, signs, mirror masks, rows);
  `sparse_signal`.
- `BasisPursuit`: the least ℓ₁ norm with a dual proof, exact or with noise; whether the
  answer is the only one is told. `iterative_thresholding`, soft or hard;
  `split_pursuit` for large systems; `minimum_energy`. Orthogonal matching pursuit is
  in `models.linear`.
- `restricted_isometry`, exact or in a bracket; `mutual_coherence`.

Theorems on when it works, and demonstrations, are in `study.sensing`.
"""

from infimum.models.sensing.bases import OrthonormalBasis, orthonormal_basis
from infimum.models.sensing.basis_pursuit import BasisPursuit
from infimum.models.sensing.isometry import (
    RestrictedIsometry,
    mutual_coherence,
    restricted_isometry,
)
from infimum.models.sensing.measurements import measurement_matrix, sparse_signal
from infimum.models.sensing.splitting import split_pursuit
from infimum.models.sensing.thresholding import (
    SparseRecovery,
    iterative_thresholding,
    minimum_energy,
)

__all__ = [
    "BasisPursuit",
    "OrthonormalBasis",
    "RestrictedIsometry",
    "SparseRecovery",
    "iterative_thresholding",
    "measurement_matrix",
    "minimum_energy",
    "mutual_coherence",
    "orthonormal_basis",
    "restricted_isometry",
    "sparse_signal",
    "split_pursuit",
]

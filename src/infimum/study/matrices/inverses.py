"""Inverses: how far to trust one, and what to use when there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.matrices._arrays import (
    ROUNDING,
    accept_matrix,
    accept_square,
    accept_symmetric,
)
from infimum.study.matrices.spectral import spectral_decomposition
from infimum.typing import Matrix, Vector

__all__ = [
    "Inverse",
    "PseudoInverse",
    "inverse",
    "pseudo_inverse",
    "reconstruction_defect",
]


@dataclass(frozen=True, eq=False)
class Inverse:
    """An inverse with its quality.

    Attributes
    ----------
    matrix : ndarray
        The computed inverse B.
    condition : float
        ‖A‖·‖A⁻¹‖: relative errors in A are multiplied by this much.
    residual : float
        ‖AB - I‖ in the operator norm.
    error : float
        A bound on ‖B - A⁻¹‖/‖B‖: the residual r gives r/(1 - r); infinite from 1 on.
    """

    matrix: Matrix
    condition: float
    residual: float

    @property
    def error(self) -> float:
        """A bound on the relative error of the inverse, from its residual alone."""
        return self.residual / (1.0 - self.residual) if self.residual < 1.0 else np.inf


def inverse(A: Any) -> Inverse:
    """Invert a square matrix, or refuse with a vector that it sends to 0.

    Since A⁻¹ = B(AB)⁻¹ and (I + E)⁻¹ = I - E(I + E)⁻¹, a residual E = AB - I with
    r = ‖E‖ < 1 proves ‖B - A⁻¹‖ ≤ ‖B‖ r/(1 - r).

    Examples
    --------
    >>> import numpy as np
    >>> found = inverse(np.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> found.matrix.tolist(), found.condition, found.error
    ([[0.5, 0.0], [0.0, 0.25]], 2.0, 0.0)
    """
    matrix = accept_square(A, "inverse")
    values, Vt = np.linalg.svd(matrix)[1:]
    if values[-1] <= 1e-15 * len(matrix) * values[0]:
        raise IncompatibleError(
            "inverse needs full rank; this matrix sends the vector "
            f"{np.round(Vt[-1], 4).tolist()} to 0."
        )
    found = np.linalg.inv(matrix)
    residual = float(np.linalg.norm(matrix @ found - np.eye(len(matrix)), 2))
    return Inverse(found, float(values[0] / values[-1]), residual)


@dataclass(frozen=True, eq=False)
class PseudoInverse:
    """The Moore-Penrose inverse A⁺ with the defects of its four defining equations.

    Attributes
    ----------
    matrix : ndarray
        A⁺.
    rank : int
        How many eigenvalues or singular values were inverted.
    defects : tuple of float
        The relative sizes of AA⁺A - A, A⁺AA⁺ - A⁺, and of what keeps AA⁺ and A⁺A from
        being symmetric: only A⁺ makes all four vanish.
    """

    matrix: Matrix
    rank: int
    defects: tuple[float, float, float, float]


def pseudo_inverse(A: Any, *, tolerance: float = ROUNDING) -> PseudoInverse:
    r"""Return the Moore-Penrose inverse, from the spectrum.

    .. math:: A^+ = \sum_{\lambda_i \ne 0} \frac1{\lambda_i} v_i v_i^\top \quad
              (A = A^\top), \qquad A^+ = \sum_{\sigma_i \ne 0}
              \frac1{\sigma_i} v_i u_i^\top

    Examples
    --------
    >>> import numpy as np
    >>> pseudo_inverse(np.diag([2.0, 0.0])).matrix.tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    matrix = accept_matrix(A, "pseudo_inverse")
    if matrix.shape[0] == matrix.shape[1] and np.array_equal(matrix, matrix.T):
        spectrum = spectral_decomposition(accept_symmetric(matrix, "pseudo_inverse"))
        left = right = spectrum.vectors
        values = spectrum.values
    else:
        right, values, Vt = np.linalg.svd(matrix, full_matrices=False)
        left = Vt.T
    kept = np.abs(values) > tolerance * np.abs(values).max()
    found = (left[:, kept] / values[kept]) @ right[:, kept].T
    return PseudoInverse(found, int(kept.sum()), _penrose(matrix, found))


def _penrose(A: Matrix, B: Matrix) -> tuple[float, float, float, float]:
    there, back = A @ B, B @ A
    pairs = [(there @ A, A), (back @ B, B), (there, there.T), (back, back.T)]
    defects = [
        float(np.linalg.norm(one - other) / max(float(np.linalg.norm(other)), 1e-300))
        for one, other in pairs
    ]
    return defects[0], defects[1], defects[2], defects[3]


def reconstruction_defect(
    A: Any, reconstruct: Callable[[Vector], Vector], *, random_state: int = 0
) -> float:
    """Return the largest relative ‖A·reconstruct(A x) - A x‖ over random x.

    0 means that `reconstruct`, linear or not, finds for each y in the image of A some x
    with A x = y. The pseudo-inverse is one such operator, the one with shortest x.

    Examples
    --------
    >>> import numpy as np
    >>> first_two = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    >>> reconstruction_defect(first_two, lambda y: np.append(y, 17.0))
    0.0
    """
    matrix = accept_matrix(A, "reconstruction_defect")
    draw = np.random.default_rng(random_state)
    seen = matrix @ draw.normal(size=(matrix.shape[1], 20))
    again = np.column_stack([matrix @ reconstruct(y) for y in seen.T])
    sizes = np.maximum(np.linalg.norm(seen, axis=0), 1e-300)
    return float((np.linalg.norm(again - seen, axis=0) / sizes).max())

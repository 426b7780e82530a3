"""The secant equation, and the updates that satisfy it."""

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = [
    "bounded_spectral_ratio",
    "curvature_holds",
    "direct_update",
    "inverse_update",
    "spectral_ratio",
]


def curvature_holds(move: Vector, turn: Vector) -> bool:
    """Return whether ⟨move, turn⟩ > 0, beyond the rounding of the product.

    No positive definite matrix can send `move` to `turn` otherwise. Wolfe's second
    condition guarantees it.
    """
    size = float(np.linalg.norm(move) * np.linalg.norm(turn))
    return bool(move @ turn > np.finfo(float).eps * size)


def inverse_update(inverse: Matrix, move: Vector, turn: Vector) -> Matrix:
    r"""Return the BFGS update of an inverse Hessian B, so that B turn = move.

    .. math:: B_+ = (I - \rho s y^\top) B (I - \rho y s^\top) + \rho s s^\top,
              \quad \rho = 1/\langle y, s\rangle

    with s the `move` and y the `turn` of the gradient. Of all symmetric matrices that
    satisfy the equation it is nearest to B in a weighted Frobenius norm. Rank two,
    O(d²) work; positive definite if B is and the curvature condition holds.

    >>> import numpy as np
    >>> inverse_update(np.eye(1), np.array([1.0]), np.array([4.0])).tolist()
    [[0.25]]
    """
    rho = 1.0 / float(move @ turn)
    carried = inverse @ turn
    # Expanded, so that no d × d product is formed and symmetry is exact.
    grown = rho * (1.0 + rho * float(turn @ carried)) * np.outer(move, move)
    cross = rho * np.outer(move, carried)
    return np.asarray(inverse + grown - (cross + cross.T))


def direct_update(hessian: Matrix, move: Vector, turn: Vector) -> Matrix:
    r"""Return the BFGS update of a Hessian H, so that H move = turn.

    .. math:: H_+ = H - \frac{H s s^\top H}{s^\top H s} + \frac{y y^\top}{y^\top s}

    Its inverse is the `inverse_update` of the inverse.
    """
    carried = hessian @ move
    lost = np.outer(carried, carried) / float(move @ carried)
    return np.asarray(hessian - lost + np.outer(turn, turn) / float(turn @ move))


def spectral_ratio(move: Vector, turn: Vector) -> float:
    r"""Return α = ⟨s, y⟩/⟨s, s⟩, the number for which α s is nearest to y.

    It is a Rayleigh quotient of the mean Hessian along the move, hence between its
    extreme eigenvalues.
    """
    return float(move @ turn) / float(move @ move)


def bounded_spectral_ratio(
    move: Vector, turn: Vector, low: float, high: float
) -> float:
    """Return the spectral ratio, kept within [low, high]."""
    return min(high, max(low, spectral_ratio(move, turn)))

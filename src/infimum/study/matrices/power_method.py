"""The power method: multiply, normalise, repeat; with a bound on the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from infimum.errors import DataError, IncompatibleError
from infimum.parameters import check_domain, positive, whole
from infimum.study.matrices._arrays import accept_vector
from infimum.typing import Vector

__all__ = ["PowerMethod", "power_method"]


@dataclass(frozen=True, eq=False)
class PowerMethod:
    """An approximate eigenpair of a matrix, and how good it provably is.

    Attributes
    ----------
    value : float
        The Rayleigh quotient θ of the last vector.
    vector : ndarray
        That vector v, of length 1.
    residual : float
        ‖A v - θ v‖: a symmetric matrix has an eigenvalue within this distance of θ.
    iterations : int
        How many products with the matrix were made.
    quotients : ndarray
        The Rayleigh quotients on the way.
    closed : bool
        Whether the residual fell below the tolerance, relative to |θ|.
    """

    value: float
    vector: Vector
    residual: float
    iterations: int
    quotients: Vector
    closed: bool
    #: Whether the matrix is symmetric: only then do residuals bound errors.
    symmetric: bool = True

    def error(self, gap: float) -> float:
        """Bound |θ - λ| when all other eigenvalues are at least `gap` from θ.

        The residual enters squared (Kato and Temple): quotients are much better than
        vectors.
        """
        check_domain("PowerMethod.error gap", gap, positive)
        self._need_symmetry()
        return self.residual**2 / gap

    def angle(self, gap: float) -> float:
        """Bound the sine of the angle to the eigenvector, for the same gap."""
        check_domain("PowerMethod.angle gap", gap, positive)
        self._need_symmetry()
        return min(1.0, self.residual / gap)

    def _need_symmetry(self) -> None:
        if not self.symmetric:
            raise IncompatibleError(
                "PowerMethod bounds errors of a symmetric matrix only."
            )


def power_method(
    A: Any,
    *,
    start: Any = None,
    tolerance: float = 1e-8,
    max_iterations: int = 10_000,
    random_state: int = 0,
    symmetric: bool = True,
) -> PowerMethod:
    r"""Find the eigenvalue of largest size of a matrix.

    .. math:: v_{t+1} = \frac{A v_t}{\|A v_t\|}, \qquad
              \tan\angle(v_t, v^{(1)}) \le
              \Bigl|\frac{\lambda_2}{\lambda_1}\Bigr|^t \tan\angle(v_0, v^{(1)})

    Only products with A are needed: a dense or sparse matrix or a linear operator will
    do. Symmetry is taken on trust for operators.

    Parameters
    ----------
    A : array, sparse matrix or LinearOperator
        The matrix.
    start : array, optional
        The first vector; random by default.
    tolerance : float, default=1e-8
        Stop when the residual is below this share of |θ|.
    max_iterations : int, default=10000
        Stop after so many products.
    random_state : int, default=0
        Seed of the first vector.
    symmetric : bool, default=True
        Whether the matrix must be symmetric. Others, such as the steps of a random
        walk, are iterated too, where one eigenvalue is larger than all others; the
        residual then bounds no error.

    Examples
    --------
    >>> import numpy as np
    >>> found = power_method(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> round(found.value, 9), found.residual < 1e-7
    (3.0, True)
    """
    operator, size = _accept(A, symmetric=symmetric)
    check_domain("power_method.tolerance", tolerance, positive)
    check_domain("power_method.max_iterations", max_iterations, whole(1))
    if start is None:
        start = np.random.default_rng(random_state).normal(size=size)
    v = accept_vector(start, size, "power_method start")
    if not v.any():
        raise DataError("power_method needs a start other than 0.")
    v, quotients = v / np.linalg.norm(v), []
    for iteration in range(1, max_iterations + 1):
        image = operator.matvec(v)
        value = float(v @ image)
        quotients.append(value)
        residual = float(np.linalg.norm(image - value * v))
        length = float(np.linalg.norm(image))
        if length == 0.0 or residual <= tolerance * abs(value):
            break
        if iteration < max_iterations:
            v = image / length
    closed = residual <= tolerance * abs(value) or length == 0.0
    found = (value, v, residual, iteration, np.array(quotients), closed)
    return PowerMethod(*found, symmetric=symmetric)


def _accept(A: Any, *, symmetric: bool) -> tuple[LinearOperator, int]:
    operator = aslinearoperator(A)
    if operator.shape[0] != operator.shape[1]:
        raise DataError(
            f"power_method needs a square matrix, got shape {operator.shape}."
        )
    if symmetric and not isinstance(A, LinearOperator):
        off = abs(A - A.T).max()
        if off > 1e-10 * abs(A).max():
            raise IncompatibleError(
                f"power_method needs a symmetric matrix; entries differ by {off:.3g}: "
                "its bounds hold for no other."
            )
    return operator, int(operator.shape[0])

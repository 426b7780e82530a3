"""A convex function after an affine map."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from infimum.errors import IncompatibleError
from infimum.study.convexity.algebra.shifts import Tilted
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.norms import EUCLIDEAN, norm
from infimum.typing import Matrix, Vector

__all__ = ["AffineComposition"]


@dataclass(frozen=True, eq=False)
class AffineComposition(ConvexFunction):
    r"""x ↦ f(Ax + b), with subgradients :math:`A^\top \partial f(Ax + b)`.

    A matrix with one column restricts f to a line. When A is invertible the conjugate
    is :math:`f^*(A^{-\top} s) - \langle A^{-1} b, s\rangle`.

    >>> import numpy as np
    >>> from infimum.study.convexity import LogSumExp
    >>> line = AffineComposition(LogSumExp(), np.array([[1.0], [-1.0]]))
    >>> line.gradient(np.zeros(1)).tolist()
    [0.0]
    """

    function: ConvexFunction
    matrix: Matrix
    offset: Vector | None = None

    def value(self, x: Vector) -> float:
        return self.function.value(self._image(x))

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.matrix.T @ self.function.gradient(self._image(x)))

    def hessian(self, x: Vector) -> Matrix:
        inner = self.function.hessian(self._image(x))
        return np.asarray(self.matrix.T @ inner @ self.matrix)

    def conjugate(self) -> ConvexFunction:
        if not self._invertible:
            raise IncompatibleError(
                "AffineComposition has a closed-form conjugate only for an invertible "
                "matrix; NumericConjugate computes it for one variable."
            )
        inverse = scipy.linalg.inv(self.matrix)
        pulled = AffineComposition(self.function.conjugate(), inverse.T)
        if self.offset is None:
            return pulled
        return Tilted(pulled, -(inverse @ self.offset))

    @property
    def strong_convexity(self) -> float:
        # ‖A(y - x)‖ ≥ (least singular value) ‖y - x‖, when A has full column rank.
        return self.function.strong_convexity * self._stretch[0] ** 2

    @property
    def smoothness(self) -> float:
        if self.function.smoothness == np.inf:
            return np.inf
        return self.function.smoothness * self._stretch[1] ** 2

    @cached_property
    def _stretch(self) -> tuple[float, float]:
        """Bounds on ‖Av‖ / ‖v‖ from below and above, in the functions' norms."""
        rows, columns = self.matrix.shape
        if columns == 1:
            length = norm(self.matrix[:, 0], self.function.norm_order)
            return length, length
        # For p ≤ 2 the p-norm is above the Euclidean one, for p ≥ 2 below it.
        singular = np.linalg.svd(self.matrix, compute_uv=False)
        injective = rows >= columns and self.function.norm_order <= EUCLIDEAN
        bounded = self.function.norm_order >= EUCLIDEAN
        return (
            float(singular[-1]) if injective else 0.0,
            float(singular[0]) if bounded else np.inf,
        )

    @property
    def _invertible(self) -> bool:
        rows, columns = self.matrix.shape
        return bool(rows == columns == np.linalg.matrix_rank(self.matrix))

    def _image(self, x: Vector) -> Vector:
        image = self.matrix @ x
        return np.asarray(image if self.offset is None else image + self.offset)

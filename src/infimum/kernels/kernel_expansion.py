"""Functions made of kernels: the elements of the space that a kernel spans."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from infimum.errors import DataError, IncompatibleError
from infimum.kernels._kernel import Kernel, size_of
from infimum.typing import Vector

__all__ = ["KernelExpansion"]


@dataclass(frozen=True, eq=False)
class KernelExpansion:
    r"""A function of the reproducing kernel Hilbert space of a kernel.

    .. math:: f = \sum_i α_i\,k(x_i, ·), \qquad
              ⟨f, g⟩ = \sum_{i,j} α_i β_j\,k(x_i, z_j), \qquad
              f(x) = ⟨f, k(x, ·)⟩

    Such functions can be evaluated, added, scaled, and measured. The inner product
    depends on the functions alone, not on how they are written. The canonical feature
    map sends x to ``KernelExpansion.at(kernel, x)``, the function k(x, ·).

    Parameters
    ----------
    kernel : Kernel
    points : collection
        The xᵢ.
    coefficients : array of shape (n_points,)
        The αᵢ.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> f = KernelExpansion(Linear(), np.array([[1.0, 0.0], [1.0, 2.0]]), [2.0, 1.0])
    >>> f(np.array([[1.0, 1.0]])), round(f.norm, 4)
    (array([5.]), 3.6056)
    """

    kernel: Kernel
    points: Any
    coefficients: Any

    def __post_init__(self) -> None:
        coefficients = np.asarray(self.coefficients, dtype=np.float64)
        object.__setattr__(self, "coefficients", coefficients)
        if coefficients.shape != (size_of(self.points),):
            raise DataError(
                "KernelExpansion.coefficients must hold one number per point, got "
                f"shape {coefficients.shape} for {size_of(self.points)} points."
            )

    @classmethod
    def at(cls, kernel: Kernel, x: Any) -> Self:
        """Return the function k(x, ·): the image of x in feature space."""
        return cls(kernel, x if sparse.issparse(x) else [x], [1.0])

    def __call__(self, X: Any) -> Vector:
        """Return f(x) for each thing of a collection."""
        return np.asarray(self.kernel(X, self.points) @ self.coefficients)

    def inner(self, other: "KernelExpansion") -> float:
        """Return the inner product with another function of the same space."""
        self._check_space(other)
        return float(self.coefficients @ other(self.points))

    @property
    def norm(self) -> float:
        """The length √⟨f, f⟩: how rough the function is, as the kernel sees it."""
        return float(np.sqrt(max(0.0, self.inner(self))))

    def __add__(self, other: "KernelExpansion") -> "KernelExpansion":
        self._check_space(other)
        points = _join(self.points, other.points)
        coefficients = np.concatenate([self.coefficients, other.coefficients])
        return KernelExpansion(self.kernel, points, coefficients)

    def __mul__(self, factor: float) -> "KernelExpansion":
        return KernelExpansion(self.kernel, self.points, factor * self.coefficients)

    __rmul__ = __mul__

    def __neg__(self) -> "KernelExpansion":
        return -1.0 * self

    def __sub__(self, other: "KernelExpansion") -> "KernelExpansion":
        return self + -other

    def _check_space(self, other: "KernelExpansion") -> None:
        if self.kernel != other.kernel:
            raise IncompatibleError(
                "Two functions of different kernels live in different spaces: "
                f"{self.kernel!r} and {other.kernel!r}."
            )


def _join(first: Any, second: Any) -> Any:
    if sparse.issparse(first) or sparse.issparse(second):
        rows = [sparse.csr_array(part) for part in (first, second)]
        return sparse.vstack(rows, format="csr")
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.concatenate([np.asarray(first), np.asarray(second)])
    return [*first, *second]

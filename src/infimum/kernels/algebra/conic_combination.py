"""Conic combination: kernels weighed against each other."""

from dataclasses import dataclass
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["ConicCombination"]


@dataclass(frozen=True)
class ConicCombination(Kernel):
    r"""Weighted sum of kernels: :math:`k = \sum_p c_p k_p` with :math:`c_p ≥ 0`.

    The kernels form a cone: any such combination is a kernel again.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Constant, Linear
    >>> ConicCombination((Linear(), Constant()), (2.0, 0.5))(np.array([[1.0]]))
    array([[2.5]])
    """

    _hands_on = True

    parts: tuple[Kernel, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.parts or len(self.parts) != len(self.weights):
            raise InvalidParameterError(
                "ConicCombination.weights must hold one number per kernel, got "
                f"{len(self.weights)} for {len(self.parts)} kernels."
            )
        for weight in self.weights:
            check_domain("ConicCombination.weights", weight, nonnegative)

    @property
    def definite(self) -> bool:
        """Whether every part is positive semi-definite."""
        return all(part.definite for part in self.parts)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        pairs = zip(self.weights, self.parts, strict=True)
        total: Matrix = sum(float(c) * part(X, Z) for c, part in pairs)  # type: ignore[assignment]
        return total

    def diagonal(self, X: Any) -> Vector:
        pairs = zip(self.weights, self.parts, strict=True)
        total: Vector = sum(float(c) * part.diagonal(X) for c, part in pairs)  # type: ignore[assignment]
        return total

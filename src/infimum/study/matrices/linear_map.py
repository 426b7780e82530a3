"""Linear maps and matrices: two ways to write the same thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.matrices._arrays import ROUNDING, accept_matrix, accept_vector
from infimum.typing import Matrix, Vector

__all__ = ["LinearMap", "linearity_defect", "matrix_of"]

TRIALS = 20


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A linear map, known by its matrix: columns are the images of the basis vectors.

    ``S @ T`` is "first T, then S", whose matrix is the product; `transpose` is the map
    with ⟨T x, z⟩ = ⟨x, Tᵗ z⟩.

    Examples
    --------
    >>> import numpy as np
    >>> turn = LinearMap(np.array([[0.0, -1.0], [1.0, 0.0]]))
    >>> turn(np.array([1.0, 0.0])), (turn @ turn).matrix.tolist()
    (array([0., 1.]), [[-1.0, 0.0], [0.0, -1.0]])
    """

    matrix: Matrix

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", accept_matrix(self.matrix, "LinearMap"))

    def __call__(self, x: Any) -> Vector:
        """Return the image of x: the combination of columns with weights x."""
        return self.matrix @ accept_vector(x, self.matrix.shape[1], "LinearMap")

    def __matmul__(self, other: LinearMap) -> LinearMap:
        if self.matrix.shape[1] != other.matrix.shape[0]:
            raise IncompatibleError(
                f"LinearMap @ needs matching sizes, got {self.matrix.shape} after "
                f"{other.matrix.shape}."
            )
        return LinearMap(self.matrix @ other.matrix)

    @property
    def transpose(self) -> LinearMap:
        """The map in the other direction, with rows and columns exchanged."""
        return LinearMap(self.matrix.T)


def linearity_defect(
    function: Callable[[Vector], Vector], size: int, *, random_state: int = 0
) -> float:
    """Return the largest relative |T(av + bw) - aT(v) - bT(w)| over random trials.

    A large value refutes linearity; a small one supports it.

    Examples
    --------
    >>> linearity_defect(lambda x: x[:1] + 1.0, 2) > 0.1
    True
    """
    draw, worst = np.random.default_rng(random_state), 0.0
    for _ in range(TRIALS):
        v, w = draw.normal(size=(2, size))
        a, b = draw.normal(size=2)
        parts = [np.asarray(a * function(v)), np.asarray(b * function(w))]
        apart = np.abs(function(a * v + b * w) - parts[0] - parts[1]).max()
        size_of = max(1e-300, *(float(np.abs(part).max()) for part in parts))
        worst = max(worst, float(apart) / size_of)
    return worst


def matrix_of(
    function: Callable[[Vector], Vector], size: int, *, random_state: int = 0
) -> LinearMap:
    """Return the map with its matrix, column by column; refuse what is not linear.

    Examples
    --------
    >>> matrix_of(lambda x: x[::-1] + x, 2).matrix
    array([[1., 1.],
           [1., 1.]])
    """
    defect = linearity_defect(function, size, random_state=random_state)
    if not defect <= ROUNDING:
        raise IncompatibleError(
            "matrix_of needs a linear map; T(av + bw) misses aT(v) + bT(w) by "
            f"{defect:.2g} of their size."
        )
    return LinearMap(np.column_stack([function(basis) for basis in np.eye(size)]))

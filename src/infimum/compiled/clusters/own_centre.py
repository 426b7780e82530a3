"""The squared distance of each row to the centre of its label, by differences."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["measure_own"]


@loop(fastmath={"reassoc", "contract"})
def measure_own(
    X: Matrix, centres: Matrix, unit: float, labels: Indices, out: Vector
) -> None:
    """Write the squared distances, in units of `unit`, a power of two."""
    factor = 1.0 / unit
    for i in range(X.shape[0]):
        own, total = labels[i], 0.0
        for t in range(X.shape[1]):
            apart = (X[i, t] - centres[own, t]) * factor
            total += apart * apart
        out[i] = total

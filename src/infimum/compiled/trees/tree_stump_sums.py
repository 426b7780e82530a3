"""The sum of many stumps at many samples."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["sum_stumps"]


@loop()
def sum_stumps(
    X: Matrix,
    features: Indices,
    thresholds: Vector,
    missing_left: Mask,
    values: Matrix,
    out: Matrix,
) -> None:
    """Add ``values[t, 0]`` or, beyond the threshold, ``values[t, 1]`` for each stump.

    A feature of -1 stands for a stump that always goes left.
    """
    for i in range(X.shape[0]):
        for t in range(features.size):
            side = 0
            if features[t] >= 0:
                x = X[i, features[t]]
                if x != x:  # noqa: PLR0124
                    side = 0 if missing_left[t] else 1
                elif x > thresholds[t]:
                    side = 1
            for k in range(out.shape[1]):
                out[i, k] += values[t, side, k]

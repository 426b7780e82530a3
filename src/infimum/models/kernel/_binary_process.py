"""Gaussian processes behind two labels: one class against others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from infimum.models.kernel._laplace import LaplaceMode, averaged_sigmoid
from infimum.models.kernel._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["BinaryProcess", "binary"]

#: Entries of a block of kernel values between new and old samples.
BLOCK = 2**22
#: Scores whose sigmoids are averaged at a time.
STRIP = 2**13


def binary(codes: NDArray[np.intp], pair: tuple[int, int | None]) -> tuple[Any, Vector]:
    """Return the rows of a binary problem and their labels, +1 for the first class."""
    wanted, against = pair
    meant = (codes == wanted) | (codes == against)
    rows = np.arange(len(codes)) if against is None else np.flatnonzero(meant)
    return rows, np.where(codes[rows] == wanted, 1.0, -1.0)


@dataclass(frozen=True)
class BinaryProcess:
    """One class against others: kernel, samples, labels ±1, and the mode."""

    kernel: TunedKernel
    X: Matrix
    labels: Vector
    mode: LaplaceMode

    def shares(self, X: Matrix) -> Vector:
        """Return the probability of label 1 for each sample."""
        means, variances = self.latent(X)
        cuts = range(STRIP, len(means), STRIP)
        parts = zip(np.split(means, cuts), np.split(variances, cuts), strict=True)
        return np.concatenate([averaged_sigmoid(*part) for part in parts])

    def latent(self, X: Matrix) -> tuple[Vector, Vector]:
        """Return the mean and the variance of the score at each sample."""
        means, variances = [], []
        step = max(1, BLOCK // len(self.X))
        for start in range(0, len(X), step):
            block = X[start : start + step]
            cross = self.kernel.cross(block, self.X)
            explained = linalg.solve_triangular(
                self.mode.factor,
                self.mode.roots[:, None] * cross.T,
                lower=True,
                check_finite=False,
            )
            means.append(cross @ self.mode.slopes)
            spread = self.kernel.diagonal(block) - np.sum(explained**2, axis=0)
            variances.append(spread)
        return np.concatenate(means), np.concatenate(variances)

"""Gaussian processes behind two labels: one class against others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.kernel.processes._laplace import LaplaceMode, averaged_sigmoid
from infimum.models.kernel.processes._process_spread import spread_of
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.typing import Vector

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


@dataclass(frozen=True, eq=False)
class BinaryProcess:
    """One class against others: kernel, samples, and the mode of their scores.

    `capacity` is how many kernel values may be kept where there is no factor.
    """

    kernel: TunedKernel
    X: Any
    mode: LaplaceMode
    capacity: int

    def shares(self, X: Any) -> Vector:
        """Return the probability of label 1 for each sample."""
        means, variances = self.latent(X)
        cuts = range(STRIP, len(means), STRIP)
        parts = zip(np.split(means, cuts), np.split(variances, cuts), strict=True)
        return np.concatenate([averaged_sigmoid(*part) for part in parts])

    def means(self, X: Any) -> Vector:
        """Return the mean of the score at each sample."""
        blocks = self._blocks(X)
        return np.concatenate([self._cross(some) @ self.mode.slopes for some in blocks])

    def latent(self, X: Any) -> tuple[Vector, Vector]:
        """Return the mean and the variance of the score at each sample."""
        self.kernel.diagonal(X[:1])  # refuses where nothing is known of new samples
        mode, means, variances = self.mode, [], []
        spread = spread_of(mode.factor, self.kernel, self.X, mode.roots, self.capacity)
        for block in self._blocks(X):
            cross = self._cross(block)
            means.append(cross @ mode.slopes)
            variances.append(self.kernel.diagonal(block) - spread.each(cross))
        return np.concatenate(means), np.concatenate(variances)

    def _cross(self, X: Any) -> Any:
        return self.kernel.cross(X, self.X)

    def _blocks(self, X: Any) -> list[Any]:
        step = max(1, BLOCK // len(self.X))
        return [X[start : start + step] for start in range(0, len(X), step)]

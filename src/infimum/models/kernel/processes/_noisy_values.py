"""Noisy values of a function at some samples: what a Gaussian process learns from."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from infimum.models._kernel_door import select
from infimum.models.kernel.processes._tuned_kernel import TunedKernel, own_slopes
from infimum.typing import Indices, Matrix, Vector

__all__ = ["NoisyValues"]


@dataclass(frozen=True, eq=False)
class NoisyValues:
    r"""Samples, their values, the variance of the noise, and how often each counts.

    Of w copies with one value y and noise of variance ν,

    .. math:: \prod_1^w N(y; f, ν) = N(y; f, ν/w)\; (2πν)^{-(w-1)/2}\, w^{-1/2}

    so that a sample of weight w is one of variance ν/w, but for a factor in the
    evidence, which depends on the kernel if part of the noise is the kernel's own.
    """

    X: Any
    targets: Matrix
    alphas: Vector
    counts: Vector

    def some(self, rows: Indices) -> "NoisyValues":
        """Return a part of the samples."""
        return replace(
            self,
            X=select(self.X, rows),
            targets=self.targets[rows],
            alphas=self.alphas[rows],
            counts=self.counts[rows],
        )

    @property
    def weighted(self) -> bool:
        """Whether a sample counts more or less than once."""
        return bool((self.counts != 1.0).any())

    def noise(self, kernel: TunedKernel) -> Vector:
        """Return the variance of the noise of each sample, all its copies together."""
        return np.asarray((self.alphas + kernel.own(self.X)) / self.counts)

    def smooth_gram(self, kernel: TunedKernel) -> Matrix:
        """Return the kernel matrix without noise."""
        gram = kernel.gram(self.X)
        gram[np.diag_indices_from(gram)] -= kernel.own(self.X)
        return gram

    def copied(self, kernel: TunedKernel) -> float:
        """Return the logarithm of the factor of copies in the evidence."""
        if not self.weighted:
            return 0.0
        single = self.noise(kernel) * self.counts
        noisy = single > 0
        more = (self.counts[noisy] - 1.0) * np.log(2 * np.pi * single[noisy])
        return -0.5 * float(more.sum() + np.log(self.counts).sum())

    def correction(self, kernel: TunedKernel, pull: Vector) -> Vector:
        """Return what weights change of the slopes of the evidence of one target.

        `pull` is its derivative along the diagonal of the noisy kernel matrix, where
        the kernel's own noise stands undivided.
        """
        if not self.weighted:
            return np.zeros(len(kernel.theta))
        single = self.noise(kernel) * self.counts
        lost = -pull * (1.0 - 1.0 / self.counts)
        lost -= np.divide(
            0.5 * (self.counts - 1.0),
            single,
            out=np.zeros_like(single),
            where=single > 0,
        )
        return np.array([float(lost @ slope) for slope in own_slopes(kernel, self.X)])

"""The number of principal axes, by Bayesian evidence (Minka)."""

import numpy as np
from scipy.special import gammaln

from infimum.typing import Vector

__all__ = ["most_evident_dimension"]


def most_evident_dimension(variances: Vector, samples: int) -> int:
    """Return the number of axes with the largest evidence (Minka, 2000).

    Each candidate k explains the first k variances exactly and the rest by isotropic
    noise; Laplace's approximation of the evidence weighs the fit against the volume of
    the orthonormal frames that fit as well. Variances below what rounding leaves of
    nothing are nothing, whatever the route that found them: no axis is spent on them,
    and the noise is not less.
    """
    spectrum = np.asarray(variances, dtype=np.float64)
    nothing = len(spectrum) * np.finfo(np.float64).eps * spectrum.max(initial=0.0)
    axes = min(len(spectrum) - 1, int(np.count_nonzero(spectrum > nothing)))
    spectrum = np.maximum(spectrum, nothing)
    scores = [_log_evidence(spectrum, k, samples) for k in range(1, axes + 1)]
    return 1 + int(np.argmax(scores)) if scores else 1


def _log_evidence(spectrum: Vector, k: int, samples: int) -> float:
    d = len(spectrum)
    tiny = np.finfo(np.float64).tiny
    noise = max(float(spectrum[k:].mean()), tiny)
    axes = np.arange(1, k + 1)
    halves = (d - axes + 1) / 2.0
    frames = -k * np.log(2.0) + np.sum(gammaln(halves) - halves * np.log(np.pi))
    fit = -samples / 2.0 * np.sum(np.log(np.maximum(spectrum[:k], tiny)))
    fit -= samples * (d - k) / 2.0 * np.log(noise)
    free = d * k - k * (k + 1) / 2.0
    smoothed = np.concatenate((spectrum[:k], np.full(d - k, noise)))
    curvature = 0.0
    for i in range(k):
        apart = (spectrum[i] - spectrum[i + 1 :]) * (
            1.0 / np.maximum(smoothed[i + 1 :], tiny)
            - 1.0 / np.maximum(smoothed[i], tiny)
        )
        curvature += float(np.sum(np.log(np.maximum(apart, tiny)) + np.log(samples)))
    volume = (free + k) / 2.0 * np.log(2.0 * np.pi)
    return float(frames + fit + volume - curvature / 2.0 - k * np.log(samples) / 2.0)

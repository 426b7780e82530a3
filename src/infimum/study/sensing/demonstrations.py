"""A camera with one pixel, a series hardly sampled, an image of few numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors import array
from infimum.models.sensing import (
    BasisPursuit,
    measurement_matrix,
    minimum_energy,
    orthonormal_basis,
    split_pursuit,
)
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "CameraShot",
    "UndersampledSeries",
    "ball_image",
    "compress",
    "peak_signal_to_noise",
    "single_pixel_camera",
    "undersampled_series",
]


class CameraShot(NamedTuple):
    """An image from masks: by the least ℓ₁ norm, and by the least energy."""

    sparse: Matrix
    least_energy: Matrix
    sparse_quality: float
    energy_quality: float


class UndersampledSeries(NamedTuple):
    """A series with three frequencies, and what a few of its samples tell."""

    series: Vector
    #: Size of the spectrum of the samples, with 0 where there is none.
    equispaced: Vector
    random: Vector
    #: The least ℓ₁ norm over the real Fourier basis from the random samples.
    recovered: Vector
    places: Indices


def ball_image(side: int = 64) -> Matrix:
    """Return the picture of a shaded ball, with values from 0 to 1.

    Examples
    --------
    >>> ball_image(8).shape
    (8, 8)
    """
    check_domain("ball_image.side", side, whole(2))
    y, x = np.mgrid[0:side, 0:side] / (side - 1.0) * 2.0 - 1.0
    inside = x**2 + y**2 < 0.5
    shade = 0.6 + 0.4 * (-x - y) / 1.5
    return np.where(inside, shade, 0.05)


def peak_signal_to_noise(image: Any, truth: Any) -> float:
    """Return 10 log₁₀(peak²/mean squared error), in decibels.

    Examples
    --------
    >>> round(peak_signal_to_noise([[1.0, 0.0]], [[1.0, 0.1]]), 4)
    23.0103
    """
    image, truth = array(image), array(truth)
    peak = float(truth.max())
    off = float(np.mean((image - truth) ** 2))
    return float(10.0 * np.log10(peak**2 / off)) if off > 0 else float("inf")


def compress(image: Any, n_kept: int, basis: str = "haar") -> Matrix:
    """Return the image with all but its largest coefficients set to 0, clipped.

    Examples
    --------
    >>> compress([[4.0, 4.0], [4.0, 4.0]], 1).round(12).tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    image = array(image)
    check_domain("compress.n_kept", n_kept, whole(1, image.size))
    made = orthonormal_basis(basis, image.shape)
    found = made.analyze(image.ravel())
    found[np.argsort(-np.abs(found), kind="stable")[n_kept:]] = 0.0
    whole_image = made.synthesize(found).reshape(image.shape)
    return np.clip(whole_image, image.min(), image.max())


def single_pixel_camera(
    image: Any,
    n_masks: int,
    *,
    basis: str = "haar",
    tol: float = 5e-3,
    random_state: Any = 0,
) -> CameraShot:
    """Photograph an image with one photodiode behind mirrors that are on or off.

    Half of a random 0/1 mask is its mean, which says only how bright the whole image
    is: the mean measurement is subtracted from all, and so is ½ from the masks.
    """
    image = array(image)
    made = orthonormal_basis(basis, image.shape)
    rng = np.random.default_rng(random_state)
    masks = measurement_matrix("masks", n_masks, image.size, random_state=rng)
    light = masks @ image.ravel()
    total = float(image.sum())  # all mirrors on: one measurement more
    W = (masks - 0.5) * 2.0 / np.sqrt(n_masks)
    y = (light - 0.5 * total) * 2.0 / np.sqrt(n_masks)
    found = split_pursuit(W, y, basis=made, tol=tol)
    least = minimum_energy(W, y)
    shots = [found.signal.reshape(image.shape), least.signal.reshape(image.shape)]
    quality = [peak_signal_to_noise(shot, image) for shot in shots]
    return CameraShot(shots[0], shots[1], quality[0], quality[1])


def undersampled_series(
    size: int = 256,
    n_samples: int = 32,
    frequencies: Any = (20, 57, 101),
    amplitudes: Any = (1.0, 0.8, 0.5),
    *,
    random_state: Any = 0,
) -> UndersampledSeries:
    """Sample a sum of cosines at equal distances, and at random, and go back.

    Examples
    --------
    >>> found = undersampled_series()
    >>> bool(abs(found.recovered - found.series).max() < 1e-6)
    True
    """
    check_domain("undersampled_series.n_samples", n_samples, whole(1, size))
    t = np.arange(size)
    waves = np.cos(2.0 * np.pi * np.outer(t, frequencies) / size)
    series = waves @ np.asarray(amplitudes, dtype=float)
    rng = np.random.default_rng(random_state)
    places = np.sort(rng.choice(size, n_samples, replace=False))
    spectra = []
    for kept in (np.arange(0, size, size // n_samples), places):
        filled = np.zeros(size)
        filled[kept] = series[kept]
        spectra.append(np.abs(np.fft.rfft(filled)))
    W = measurement_matrix("rows", n_samples, size, rows=places)
    model = BasisPursuit(basis="fourier").fit(W, series[places])
    return UndersampledSeries(series, spectra[0], spectra[1], model.signal_, places)

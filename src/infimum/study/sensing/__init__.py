"""Compressed sensing to learn from: theorems, sampling, the single-pixel camera.

- `count_bounds`, `gaussian_size`, `recovery_by_isometry`: how many measurements.
- `recovery_rate`: how often the least ℓ₁ norm finds a sparse signal again.
- `shannon_reconstruct`, `alias`: sampling at equal distances.
- `undersampled_series`, `single_pixel_camera`, `compress`: demonstrations.
"""

from infimum.study.sensing.demonstrations import (
    CameraShot,
    UndersampledSeries,
    ball_image,
    compress,
    peak_signal_to_noise,
    single_pixel_camera,
    undersampled_series,
)
from infimum.study.sensing.shannon import alias, shannon_reconstruct
from infimum.study.sensing.theorems import (
    CountBounds,
    count_bounds,
    gaussian_size,
    recovery_by_isometry,
    recovery_rate,
)

__all__ = [
    "CameraShot",
    "CountBounds",
    "UndersampledSeries",
    "alias",
    "ball_image",
    "compress",
    "count_bounds",
    "gaussian_size",
    "peak_signal_to_noise",
    "recovery_by_isometry",
    "recovery_rate",
    "shannon_reconstruct",
    "single_pixel_camera",
    "undersampled_series",
]

"""Smoothing windows: bumps that spread the mass of one observation.

Import them from here, ``from infimum.kernels.windows import Epanechnikov``: some share
their names with kernels of the room outside.
"""

from infimum.kernels.windows._window import Window
from infimum.kernels.windows.box import Box, Uniform
from infimum.kernels.windows.cosine import Cosine
from infimum.kernels.windows.epanechnikov import Epanechnikov, Quartic, Triweight
from infimum.kernels.windows.tails import Exponential, Gaussian, Laplace
from infimum.kernels.windows.triangle import Triangle, TruncatedLinear
from infimum.kernels.windows.tricube import Tricube

__all__ = [
    "Box",
    "Cosine",
    "Epanechnikov",
    "Exponential",
    "Gaussian",
    "Laplace",
    "Quartic",
    "Triangle",
    "Tricube",
    "Triweight",
    "TruncatedLinear",
    "Uniform",
    "Window",
]

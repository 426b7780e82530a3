"""Kernels by scikit-learn's names and parameters."""

from collections.abc import Callable
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels import (
    AdditiveChiSquared,
    Cosine,
    ExponentialChiSquared,
    FromFunction,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Polynomial,
    Sigmoid,
)

__all__ = ["named_kernel"]


def named_kernel(
    owner: str,
    kernel: str | Kernel | Callable[..., float],
    n_features: int,
    parameters: dict[str, Any],
) -> Kernel:
    """Return the kernel of that name; parameters left None take their defaults."""
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return FromFunction(lambda x, z: kernel(x, z, **parameters))
    gamma = parameters.get("gamma")
    slope = 1.0 / max(1, n_features) if gamma is None else gamma
    offset = parameters.get("coef0")
    offset = 1.0 if offset is None else offset
    degree = parameters.get("degree")
    known: dict[str, Callable[[], Kernel]] = {
        "additive_chi2": AdditiveChiSquared,
        "chi2": lambda: ExponentialChiSquared(1.0 if gamma is None else gamma),
        "cosine": Cosine,
        "laplacian": lambda: Laplacian.from_gamma(slope),
        "linear": Linear,
        "poly": lambda: Polynomial(3 if degree is None else degree, offset, slope),
        "rbf": lambda: Gaussian.from_gamma(slope),
        "sigmoid": lambda: Sigmoid(slope, offset),
    }
    known["polynomial"] = known["poly"]
    if kernel not in known:
        raise InvalidParameterError(
            f"{owner}.kernel must be a Kernel, a function of two samples, or one of "
            f"{', '.join(sorted(known))}, got {kernel!r}."
        )
    return known[kernel]()

"""Kernels by scikit-learn's names and parameters."""

from collections.abc import Callable
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.kernels.from_function import FromFunction
from infimum.kernels.vectors import (
    AdditiveChiSquared,
    Cosine,
    ExponentialChiSquared,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    Sigmoid,
)
from infimum.parameters import check_domain, nonnegative, whole

__all__ = ["named_kernel"]


def named_kernel(
    owner: str,
    kernel: str | Kernel | Callable[..., float],
    n_features: int,
    parameters: dict[str, Any],
) -> Kernel:
    """Return the kernel of that name; parameters left None take their defaults.

    Parameters
    ----------
    owner : str
        Who asks, for the message when the name is unknown.
    kernel : str, Kernel or callable
        scikit-learn's name, a kernel, which is returned as it is, or a function of two
        samples, which gets the parameters as keywords.
    n_features : int
        What the default gamma, 1/n_features, is made of.
    parameters : dict
        "gamma", "coef0" and "degree", or the keywords of the function.

    Examples
    --------
    >>> named_kernel("Mine", "poly", 4, {"degree": 2, "gamma": 1.0})
    Polynomial(degree=2, offset=1.0, scale=1.0)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return FromFunction(lambda x, z: kernel(x, z, **parameters))
    if not isinstance(kernel, str):
        raise _unknown(owner, kernel)
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
    if kernel in ("poly", "polynomial"):
        check_domain(f"{owner}.degree", 3 if degree is None else degree, whole(1))
        check_domain(f"{owner}.coef0", offset, nonnegative)
    if kernel not in known:
        raise _unknown(owner, kernel)
    return known[kernel]()


def _unknown(owner: str, kernel: Any) -> InvalidParameterError:
    names = "additive_chi2, chi2, cosine, laplacian, linear, poly, polynomial, rbf"
    return InvalidParameterError(
        f"{owner}.kernel must be a Kernel, a function of two samples, or one of "
        f"{names}, sigmoid, got {kernel!r}."
    )

"""How far rounding can lead kernel values, and sums of them, astray, at most."""

from typing import Any

import numpy as np

from infimum.kernels import Polynomial
from infimum.typing import Vector

__all__ = ["dot_rounding", "gaussian_rounding"]

#: Roundings beside those of the inner product: of both factors, of the two squares, of
#: their difference; and of the exponential, whose last place is twice a rounding.
EXPONENT, POWER = 6, 5
#: Errors of second order that are not counted are a small share of this much more.
SECOND_ORDER = 1.01


def gaussian_rounding(dtype: Any, reach: Vector, terms: Any, summed: int) -> Vector:
    r"""Return the error of a sum of values, as a share of the absolute terms.

    An exponent -γ‖x - z‖² that comes from an inner product of some `terms` is wrong by
    at most so many roundings of :math:`γ(\|x\| + \|z\|)^2`, in whichever order they
    are added; and the exponential makes a share of that. As many roundings as numbers
    are `summed` come on top, and those of the factors.

    Parameters
    ----------
    dtype : NumPy float type
        What all of that is computed in.
    reach : array of shape (n,)
        :math:`\sqrt{γ}(\|x\| + \|z\|)` at most, for each x.
    terms : int or array of shape (n,)
        Products in an inner product, for each x.
    summed : int
        Values in a sum that is not kept in double precision.

    References
    ----------
    Higham (2002), Accuracy and Stability of Numerical Algorithms, chapter 3.
    """
    unit = 0.5 * float(np.finfo(dtype).eps)
    exponent = (np.asarray(terms) + EXPONENT) * unit * reach**2
    blur = (summed + 2) * unit
    with np.errstate(over="ignore"):
        error = np.expm1(exponent + POWER * unit) + blur
    # The sum of the absolute terms is itself known but to its own rounding.
    return np.asarray(SECOND_ORDER * error / (1.0 - 2.0 * blur))


def dot_rounding(kernel: Any, terms: Any) -> Any:
    """Return the error of a formula of the inner product, by √k(x, x) √k(z, z).

    An inner product of some `terms` is wrong by at most so many roundings of ‖x‖ ‖z‖;
    a power multiplies that by its degree, and adds roundings of its own.
    """
    unit = 0.5 * float(np.finfo(np.float64).eps)
    degree = int(kernel.degree) if isinstance(kernel, Polynomial) else 1
    return SECOND_ORDER * (degree * (np.asarray(terms) + 3) + POWER) * unit

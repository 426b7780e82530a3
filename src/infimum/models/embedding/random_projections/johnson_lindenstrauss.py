"""How many random directions keep all distances: the Johnson-Lindenstrauss lemma."""

from typing import Any

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domain, nonnegative, opened, positive, whole

__all__ = [
    "johnson_lindenstrauss_min_dim",
    "length_tail_bound",
    "projection_dimension",
    "subspace_tail_bound",
]


def johnson_lindenstrauss_min_dim(n_samples: Any, *, eps: Any = 0.1) -> Any:
    r"""Return :math:`\lfloor 4 \log n / (ε^2/2 - ε^3/3) \rfloor`, as scikit-learn does.

    Rounded down, which the lemma does not allow: `projection_dimension` rounds up.

    Parameters
    ----------
    n_samples : int or array-like of int
    eps : float or array-like of float in (0, 1)

    Returns
    -------
    int or ndarray of int

    Examples
    --------
    >>> johnson_lindenstrauss_min_dim(1000, eps=0.1)
    5920
    """
    eps, counts = np.asarray(eps, dtype=float), np.asarray(n_samples, dtype=float)
    if np.any(eps <= 0.0) or np.any(eps >= 1.0):
        raise InvalidParameterError(
            f"johnson_lindenstrauss_min_dim: eps must be in (0, 1), got {eps}."
        )
    if np.any(counts <= 0):
        raise InvalidParameterError(
            f"johnson_lindenstrauss_min_dim: n_samples must be positive, got {counts}."
        )
    least = (4.0 * np.log(counts) / (eps**2 / 2.0 - eps**3 / 3.0)).astype(np.int64)
    return least if least.ndim else int(least)


def projection_dimension(n_samples: int, eps: float, beta: float = 0.0) -> int:
    r"""Return the number of random directions that keeps the distances of n points.

    .. math:: k ≥ \frac{4 + 2β}{ε^2/2 - ε^3/3} \log n

    With so many, all squared distances are within a factor 1 ± ε of the true ones with
    probability at least :math:`1 - n^{-β}`. It depends on the number of points and not
    on the number of features. For β = 0 only a chance of 1/n is promised, enough for
    trying again (`find_projection`).

    Examples
    --------
    >>> projection_dimension(1000, 0.1), projection_dimension(1000, 0.1, beta=1)
    (5921, 8882)
    """
    check_domain("projection_dimension: n_samples", n_samples, whole(1))
    check_domain("projection_dimension: eps", eps, opened(0.0, 1.0))
    check_domain("projection_dimension: beta", beta, nonnegative)
    return int(np.ceil((4.0 + 2.0 * beta) * np.log(n_samples) / _exponent(eps)))


def length_tail_bound(n_components: int, eps: float, *, sharp: bool = False) -> float:
    r"""Return a bound on the chance that a projected unit vector is too long by ε.

    .. math:: P(\|f(x)\|^2 > 1 + ε) < \bigl((1 + ε) e^{-ε}\bigr)^{k/2}
              < \exp\bigl(-\tfrac k2 (ε^2/2 - ε^3/3)\bigr)

    for k Gaussian directions; the second bounds being too short as well. `sharp` gives
    the first.

    Examples
    --------
    >>> round(length_tail_bound(100, 0.5), 4)
    0.0155
    """
    check_domain("length_tail_bound: n_components", n_components, whole(1))
    check_domain("length_tail_bound: eps", eps, opened(0.0, 1.0))
    rate = eps - np.log1p(eps) if sharp else _exponent(eps)
    return float(np.exp(-0.5 * n_components * rate))


def subspace_tail_bound(n_components: int, factor: float) -> float:
    r"""Return a bound on the chance that a random subspace keeps an unlikely share.

    .. math:: P(\|π_S(x)\|^2 ≤ β k/d) ≤ \exp\bigl(\tfrac k2 (1 - β + \ln β)\bigr)

    for a unit vector, k of d dimensions and β < 1; for β > 1 the same bounds the chance
    of at least β k/d.

    Examples
    --------
    >>> round(subspace_tail_bound(10, 0.5), 4)
    0.3807
    """
    check_domain("subspace_tail_bound: n_components", n_components, whole(1))
    check_domain("subspace_tail_bound: factor", factor, positive)
    return float(np.exp(0.5 * n_components * (1.0 - factor + np.log(factor))))


def _exponent(eps: float) -> float:
    return eps**2 / 2.0 - eps**3 / 3.0

"""The lemma of Sauer and Shelah: from the VC dimension to a count of labellings."""

from math import comb, isinf, lgamma, log

import numpy as np
from scipy.special import gammaln, logsumexp

from infimum.parameters import check_domain, nonnegative, whole

__all__ = ["log_sauer_shelah", "sauer_shelah"]


def sauer_shelah(n: int, dimension: float) -> int:
    r"""Return the most labellings of n points by a class of this VC dimension.

    .. math:: N(F, n) \le \sum_{i=0}^{d} \binom{n}{i} \le \Bigl(\frac{en}{d}\Bigr)^d
        \quad (n \ge d)

    So the growth is :math:`2^n` forever or a polynomial from some n on. The number is
    exact, however long.

    Examples
    --------
    >>> from infimum.theory import sauer_shelah
    >>> sauer_shelah(2000, 3), sauer_shelah(5, float("inf"))
    (1333335001, 32)
    """
    _check(n, dimension)
    if dimension >= n:
        return int(2**n)
    return sum(comb(n, i) for i in range(int(dimension) + 1))


def log_sauer_shelah(n: int, dimension: float) -> float:
    """Return the logarithm of `sauer_shelah`, quickly also for large n.

    Examples
    --------
    >>> from infimum.theory import log_sauer_shelah
    >>> round(log_sauer_shelah(2000, 3), 4)
    21.0109
    """
    _check(n, dimension)
    if dimension >= n:
        return n * log(2.0)
    i = np.arange(int(dimension) + 1, dtype=float)
    return float(logsumexp(lgamma(n + 1) - gammaln(i + 1) - gammaln(n - i + 1)))


def _check(n: int, dimension: float) -> None:
    check_domain("sauer_shelah's n", n, whole(0))
    if not (isinf(dimension) and dimension > 0):
        check_domain("sauer_shelah's dimension", dimension, nonnegative)

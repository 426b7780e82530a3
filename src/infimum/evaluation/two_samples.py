"""Two-sample test: whether two samples can come from one law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.kernels import Gaussian, Kernel
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["TwoSampleTest", "maximum_mean_discrepancy", "two_sample_test"]

_METHODS = Choice(("quadratic", "linear"))
#: Samples from which the median distance is taken.
MEDIAN_OF = 1000
#: Pairs whose kernel values are computed at once.
BLOCK = 64


@dataclass(frozen=True)
class TwoSampleTest:
    """What a test for equal laws found.

    Attributes
    ----------
    statistic : float
        The estimate of the squared maximum mean discrepancy, unbiased.
    p_value : float
        How often relabelled samples differ as much: small values speak against one law.
    n_permutations : int
    """

    statistic: float
    p_value: float
    n_permutations: int


def maximum_mean_discrepancy(
    X: Any, Y: Any, kernel: Kernel | None = None, *, method: str = "quadratic"
) -> float:
    r"""Return an unbiased estimate of how far two laws are apart in feature space.

    .. math:: \text{MMD}^2 = \|E\,Φ(X) - E\,Φ(Y)\|^2
              = E\,k(X, X') - 2 E\,k(X, Y) + E\,k(Y, Y')

    'quadratic' averages over all pairs. 'linear' averages
    :math:`k(x, x') + k(y, y') - k(x, y') - k(x', y)` over disjoint pairs: it takes
    linear time and no memory, and varies more.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples, n_features)
    kernel : Kernel, optional
        Gaussian, as wide as the median distance, by default.
    method : {'quadratic', 'linear'}, default='quadratic'

    Examples
    --------
    >>> import numpy as np
    >>> draw = np.random.default_rng(0)
    >>> X, Y, Z = draw.normal([[[0.0]], [[0.0]], [[2.0]]], size=(3, 100, 1))
    >>> maximum_mean_discrepancy(X, Y) < 0.02 < maximum_mean_discrepancy(X, Z)
    True
    """
    check_domain("maximum_mean_discrepancy: method", method, _METHODS)
    X, Y = _admit(X, Y)
    kernel = _median_kernel(X, Y) if kernel is None else kernel
    if method == "linear":
        return float(_paired(X, Y, kernel).mean())
    return _discrepancy(kernel(np.vstack([X, Y])), np.arange(len(X) + len(Y)), len(X))


def two_sample_test(
    X: Any,
    Y: Any,
    kernel: Kernel | None = None,
    *,
    method: str = "quadratic",
    n_permutations: int = 500,
    random_state: Any = None,
) -> TwoSampleTest:
    """Test whether two samples come from one law, by the maximum mean discrepancy.

    If they do, any relabelling is as likely as the given one, so the share of those
    with a statistic as large is a p-value, whatever the law and the kernel.
    For the linear statistic signs of its independent terms are flipped instead, which
    exchanges the two samples of a pair.

    Parameters
    ----------
    X, Y : array-like of shape (n_samples, n_features)
    kernel, method
        As in `maximum_mean_discrepancy`.
    n_permutations : int, default=500
    random_state : int, RandomState or None, default=None

    Examples
    --------
    >>> import numpy as np
    >>> draw = np.random.default_rng(0)
    >>> X, Y = draw.normal(size=(40, 2)), draw.normal(1.0, size=(40, 2))
    >>> two_sample_test(X, Y, random_state=0).p_value < 0.01
    True
    """
    check_domain("two_sample_test: method", method, _METHODS)
    check_domain("two_sample_test: n_permutations", n_permutations, whole(1))
    X, Y = _admit(X, Y)
    kernel = _median_kernel(X, Y) if kernel is None else kernel
    draw = check_random_state(random_state)
    times = int(n_permutations)
    if method == "linear":
        terms = _paired(X, Y, kernel)
        found = float(terms.mean())
        signs = draw.choice([-1.0, 1.0], size=(times, len(terms)))
        others = signs @ terms / len(terms)
    else:
        gram = kernel(np.vstack([X, Y]))
        found = _discrepancy(gram, np.arange(len(gram)), len(X))
        others = np.array(
            [
                _discrepancy(gram, draw.permutation(len(gram)), len(X))
                for _ in range(times)
            ]
        )
    # The given labelling is one of the relabellings.
    as_large = int(np.sum(others >= found * (1.0 - 1e-12)))
    return TwoSampleTest(found, (1 + as_large) / (1 + times), times)


def _admit(X: Any, Y: Any) -> tuple[Matrix, Matrix]:
    left, right = (np.asarray(array(Z, ensure_min_samples=2)) for Z in (X, Y))
    if left.shape[1] != right.shape[1]:
        raise DataError(
            f"Two samples to be compared must have the same features, got "
            f"{left.shape[1]} and {right.shape[1]}."
        )
    return left, right


def _median_kernel(X: Matrix, Y: Matrix) -> Kernel:
    both = np.vstack([X, Y])
    some = both[:: max(1, len(both) // MEDIAN_OF)]
    squares = np.square(some[:, None, :] - some[None, :, :]).sum(axis=2)
    median = float(np.median(squares[np.triu_indices(len(some), 1)]))
    return Gaussian(width=float(np.sqrt(0.5 * median)) or 1.0)


def _discrepancy(gram: Matrix, order: Any, count: int) -> float:
    """Return the unbiased estimate when the first `count` of an order are sample X."""
    inside = np.zeros(len(gram))
    inside[order[:count]] = 1.0
    other, own = len(gram) - count, np.diag(gram)
    to_inside = gram @ inside
    within = inside @ to_inside - inside @ own
    across = (1.0 - inside) @ to_inside
    beyond = gram.sum() - inside @ to_inside - 2.0 * across - (1.0 - inside) @ own
    return float(
        within / (count * (count - 1))
        + beyond / (other * (other - 1))
        - 2.0 * across / (count * other)
    )


def _paired(X: Matrix, Y: Matrix, kernel: Kernel) -> Vector:
    """Return k(x, x') + k(y, y') - k(x, y') - k(x', y) of disjoint pairs."""
    half = min(len(X), len(Y)) // 2
    x, other_x = X[: 2 * half : 2], X[1 : 2 * half : 2]
    y, other_y = Y[: 2 * half : 2], Y[1 : 2 * half : 2]

    def each(first: Matrix, second: Matrix) -> Vector:
        parts = [slice(at, at + BLOCK) for at in range(0, half, BLOCK)]
        return np.concatenate([np.diag(kernel(first[p], second[p])) for p in parts])

    return each(x, other_x) + each(y, other_y) - each(x, other_y) - each(other_x, y)

"""Bootstrap: how an estimate would vary, from resamples of the only data there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from infimum.compiled.threads import in_parts
from infimum.errors import DataError
from infimum.parameters import check_domain, closed, nonnegative, opened, whole
from infimum.typing import Matrix, Vector

__all__ = ["BootstrapDistribution", "bootstrap_distribution", "variance_of_mean"]


@dataclass(frozen=True, eq=False)
class BootstrapDistribution:
    """Estimates from many resamples, and the one from all rows.

    The estimates share their rows, so that they are not independent: their spread says
    how an estimate varies, and averaging more of them does not add information.

    Attributes
    ----------
    estimate : ndarray
        The statistic of all rows.
    estimates : ndarray of shape (n_resamples, ...)
        The statistic of each resample.
    """

    estimate: Vector
    estimates: Matrix

    @property
    def mean(self) -> Vector:
        """The mean of the estimates, which is the bagged estimate."""
        return np.asarray(self.estimates.mean(axis=0))

    @property
    def standard_error(self) -> Vector:
        """The standard deviation of the estimates."""
        return np.asarray(self.estimates.std(axis=0, ddof=1))

    @property
    def bias(self) -> Vector:
        """How far the estimates lie from that of all rows, on average."""
        return np.asarray(self.mean - self.estimate)

    def interval(self, confidence: float = 0.95) -> tuple[Vector, Vector]:
        """Return the quantiles that leave out equal shares of the estimates."""
        check_domain("BootstrapDistribution.interval", confidence, opened(0, 1))
        tail = 0.5 * (1.0 - confidence)
        low, high = np.quantile(self.estimates, [tail, 1.0 - tail], axis=0)
        return np.asarray(low), np.asarray(high)


def bootstrap_distribution(
    statistic: Callable[..., Any],
    *data: Any,
    n_resamples: int = 1000,
    size: int | None = None,
    replace: bool = True,
    seed: int = 0,
    n_jobs: int | None = None,
) -> BootstrapDistribution:
    """Compute a statistic on many resamples of the rows.

    Parameters
    ----------
    statistic : callable
        From resampled data to a number or an array, such as the coefficients of a
        fitted model.
    *data : arrays or DataFrames
        All of the same length; their rows are drawn together.
    n_resamples : int, default=1000
    size : int, optional
        How many rows to draw; as many as there are unless given.
    replace : bool, default=True
        Whether a row can be drawn several times. Without, fewer rows than there are
        must be drawn for the estimates to differ.
    seed : int, default=0
    n_jobs : int or None, default=None
        None or 1 computes one after another, anything else on all cores; the result is
        the same.

    Examples
    --------
    >>> import numpy as np
    >>> heights = np.array([163.0, 175.0, 182.0, 168.0, 171.0, 179.0])
    >>> found = bootstrap_distribution(np.mean, heights)
    >>> classic = heights.std(ddof=0) / len(heights) ** 0.5
    >>> round(float(found.standard_error), 1), round(float(classic), 1)
    (2.7, 2.6)

    References
    ----------
    Efron (1979), The Annals of Statistics 7.
    """
    check_domain("bootstrap_distribution: n_resamples", n_resamples, whole(2))
    lengths = {_num_samples(array) for array in data}
    if len(lengths) != 1:
        raise DataError(
            "bootstrap_distribution needs data of one length, got "
            f"{sorted(lengths) or 'none'}."
        )
    n = lengths.pop()
    count = n if size is None else size
    most = whole(1) if replace else whole(1, n)
    check_domain("bootstrap_distribution: size", count, most)
    streams = np.random.SeedSequence(seed).spawn(n_resamples)

    def once(stream: np.random.SeedSequence) -> Any:
        rows = np.random.default_rng(stream).choice(n, count, replace=replace)
        return statistic(*(_safe_indexing(array, rows) for array in data))

    def some(part: slice) -> list[Any]:
        return [once(stream) for stream in streams[part]]

    whole_range = slice(0, n_resamples)
    serial = n_jobs in {None, 1}
    parts = [some(whole_range)] if serial else in_parts(n_resamples, some)
    estimates = [np.asarray(one, dtype=float) for part in parts for one in part]
    estimate = np.asarray(statistic(*data), dtype=float)
    return BootstrapDistribution(estimate, np.array(estimates))


def variance_of_mean(variance: float, correlation: float, count: int) -> float:
    r"""Return the variance of a mean of equally correlated numbers.

    .. math:: ρσ^2 + \frac{1 - ρ}{B} σ^2

    The first part stays however many are averaged, which is why the members of an
    ensemble should agree as little as possible.

    Examples
    --------
    >>> round(variance_of_mean(1.0, 0.1, 100), 6)
    0.109
    """
    check_domain("variance_of_mean: variance", variance, nonnegative)
    check_domain("variance_of_mean: count", count, whole(1))
    least = -1.0 / (count - 1) if count > 1 else -1.0
    check_domain("variance_of_mean: correlation", correlation, closed(least, 1))
    return correlation * variance + (1.0 - correlation) * variance / count

"""Comparing many learners over many data sets: ranks, and how far they must differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2, rankdata, studentized_range

from infimum.errors import DataError
from infimum.parameters import check_domain, opened
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Matrix, Vector

__all__ = ["ManyComparison", "compare_many"]

_FEWEST = 2


@dataclass(frozen=True)
class ManyComparison(PlainRecord, told=("sentence",)):
    """Several learners measured on the same data sets.

    Attributes
    ----------
    ranks : ndarray
        Average rank of each learner; 1 is the least error.
    statistic, p_value : float
        Friedman's, of the claim that all learners are equal.
    critical_difference : float
        How far two average ranks must be apart to differ beyond chance (Nemenyi); all
        pairs are compared together.
    """

    ranks: Vector
    statistic: float
    p_value: float
    critical_difference: float
    confidence: float

    def differ(self, first: int, second: int) -> bool:
        """Whether two learners differ beyond chance, as pairs of all are compared."""
        return bool(
            abs(self.ranks[first] - self.ranks[second]) > self.critical_difference
        )

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        sure = 1 - self.confidence
        equal = "are not all equal" if self.p_value < sure else "may all be equal"
        return (
            f"The {len(self.ranks)} learners {equal} (p = {self.p_value:.3g}); two of "
            f"them differ if their average ranks are more than "
            f"{self.critical_difference:.3g} apart."
        )


def compare_many(errors: ArrayLike, confidence: float = 0.95) -> ManyComparison:
    r"""Test whether several learners have the same error over data sets.

    Errors on different data sets are not of one size, so only their ranks are used.
    With k learners on N data sets and average ranks :math:`R_j`, Friedman's statistic

    .. math:: χ^2 = \frac{12N}{k(k+1)}\Bigl(\sum_j R_j^2 - \frac{k(k+1)^2}{4}\Bigr)

    (more if there are ties) has nearly the χ² law of k - 1 degrees if all are equal.
    Where they are not, two of them differ beyond chance if their ranks are
    :math:`q\sqrt{k(k+1)/6N}` apart, q being a quantile of the studentised range.

    Parameters
    ----------
    errors : array-like of shape (data sets, learners)
    confidence : float, default=0.95
        That no two equal learners are told apart.

    Examples
    --------
    >>> from infimum.evaluation import compare_many
    >>> found = compare_many([[1, 2, 3], [2, 3, 4], [1, 2, 9], [1, 2, 3], [3, 5, 6]])
    >>> found.ranks, round(found.p_value, 4), found.differ(0, 2), found.differ(0, 1)
    (array([1., 2., 3.]), 0.0067, True, False)

    References
    ----------
    J. Demšar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7.
    """
    check_domain("compare_many's confidence", confidence, opened(0, 1))
    table: Matrix = np.asarray(errors, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < _FEWEST or not np.isfinite(table).all():  # noqa: PLR2004
        raise DataError(
            "compare_many needs finite errors of at least 2 learners (columns) on at "
            f"least 2 data sets (rows), got shape {table.shape}."
        )
    n, k = table.shape
    places: Matrix = rankdata(table, axis=1)
    ranks = places.mean(axis=0)
    # Ties make ranks vary less than 1, ..., k do.
    between = n * float(np.square(ranks - (k + 1) / 2).sum())
    within = float(np.square(places - (k + 1) / 2).sum()) / (n * (k - 1))
    statistic = between / within if within > 0 else 0.0
    quantile = float(studentized_range.ppf(confidence, k, np.inf)) / 2**0.5
    return ManyComparison(
        ranks=ranks,
        statistic=statistic,
        p_value=float(chi2.sf(statistic, k - 1)),
        critical_difference=quantile * (k * (k + 1) / (6 * n)) ** 0.5,
        confidence=confidence,
    )

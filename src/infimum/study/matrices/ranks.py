"""Rank, by four definitions that must agree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import qr

from infimum.study.matrices._arrays import ROUNDING, accept_matrix
from infimum.typing import Matrix

__all__ = ["RankReport", "rank"]


class RankReport(NamedTuple):
    """The rank as columns, rows, image and eigenvalues count it.

    Attributes
    ----------
    columns, rows : int
        The largest number of independent columns, of independent rows.
    image : int
        The dimension of the image: how many of the images of random vectors are
        independent.
    eigenvalues : int
        The number of non-zero eigenvalues: of A when it is symmetric, else of AᵗA.
    margin : float
        The smallest singular value that counts over the largest that does not (infinity
        when none is dropped); near 1 the rank is a matter of taste.
    """

    columns: int
    rows: int
    image: int
    eigenvalues: int
    margin: float

    @property
    def agreed(self) -> bool:
        """Whether all four say the same, as in exact arithmetic they must."""
        return len({self.columns, self.rows, self.image, self.eigenvalues}) == 1

    def __int__(self) -> int:
        return self.columns


def rank(A: Any, *, tolerance: float = ROUNDING) -> RankReport:
    """Count the rank of a matrix in four ways.

    Examples
    --------
    >>> import numpy as np
    >>> report = rank(np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]]))
    >>> int(report), report.agreed
    (1, True)
    """
    matrix = accept_matrix(A, "rank")
    values = np.linalg.svd(matrix, compute_uv=False)
    floor = tolerance * values[0]
    kept, dropped = values[values > floor], values[values <= floor]
    clear = len(kept) and len(dropped) and dropped[0] > 0.0
    return RankReport(
        columns=_pivots(matrix, tolerance),
        rows=_pivots(matrix.T, tolerance),
        image=_image(matrix, tolerance),
        eigenvalues=_eigenvalues(matrix, tolerance),
        margin=float(kept[-1] / dropped[0]) if clear else np.inf,
    )


def _pivots(matrix: Matrix, tolerance: float) -> int:
    """Count independent columns: each pivot is the distance from those before it."""
    sizes = np.abs(np.diag(qr(matrix, mode="r", pivoting=True)[0]))
    return int(np.sum(sizes > tolerance * sizes[0]))


def _image(matrix: Matrix, tolerance: float) -> int:
    draw = np.random.default_rng(0)
    images = matrix @ draw.normal(size=(matrix.shape[1], max(matrix.shape)))
    return _pivots(images, tolerance)


def _eigenvalues(matrix: Matrix, tolerance: float) -> int:
    if np.array_equal(matrix, matrix.T):
        sizes, share = np.abs(np.linalg.eigvalsh(matrix)), tolerance
    else:  # squares of singular values; rounding hides those below 1e-16
        gram = matrix.T @ matrix
        sizes, share = np.linalg.eigvalsh(gram), max(tolerance**2, 1e-14)
    return int(np.sum(sizes > share * sizes.max()))

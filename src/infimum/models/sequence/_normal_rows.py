"""Normal laws with independent columns over many rows, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["column_sums", "complete", "fill_normal_logs", "normal_moments"]

#: Rows for which waking a thread is worth it, and parts that they are cut into.
WORTH_THREADS, PARTS = 4096, 4


def fill_normal_logs(X: Matrix, means: Matrix, variances: Matrix, out: Matrix) -> None:
    """Fill the logarithms of densities, a column for each law."""
    from infimum.compiled.chains.gaussian_logs import gaussian_logs

    middle, rates = (
        np.ascontiguousarray(means.T),
        np.ascontiguousarray(1.0 / variances.T),
    )
    sizes = np.log(2.0 * np.pi * variances).sum(axis=1)

    def work(part: slice) -> None:
        gaussian_logs(X[part], middle, rates, sizes, out[part])

    _in_parts(len(X), work)


def normal_moments(
    X: Matrix, means: Matrix, shares: Matrix, totals: Vector
) -> tuple[Matrix, Matrix, Matrix]:
    """Return sums of share, share·(x - mean), share·(x - mean)², a row for each law.

    What was not seen is left out, column by column. `totals` are the sums of shares.
    """
    from infimum.compiled.chains.gaussian_logs import gaussian_moments

    if not complete(X):
        seen = ~np.isnan(X)
        gaps = [np.where(seen, X - mean, 0.0) for mean in means]
        both = list(zip(shares.T, gaps, strict=True))
        first = np.stack([share @ gap for share, gap in both])
        second = np.stack([share @ gap**2 for share, gap in both])
        return np.asarray(shares.T @ seen.astype(np.float64)), first, second
    middle = np.ascontiguousarray(means.T)

    def work(part: slice) -> tuple[Matrix, Matrix]:
        found: tuple[Matrix, Matrix] = gaussian_moments(X[part], middle, shares[part])
        return found

    sums: Any = [sum(each) for each in zip(*_in_parts(len(X), work), strict=True)]
    return np.tile(totals[:, None], (1, X.shape[1])), sums[0].T, sums[1].T


def complete(X: Matrix) -> bool:
    """Return whether nothing is missing; a sum tells it without a table of truths."""
    with np.errstate(over="ignore", invalid="ignore"):
        return not np.isnan(X.sum()) or not np.isnan(X).any()


def column_sums(table: Matrix) -> Vector:
    """Return the sums of columns; BLAS would wake threads that loops then wait for."""
    from infimum.compiled.threads import one_blas_thread

    with one_blas_thread():
        return np.asarray(np.ones(len(table)) @ table)


def _in_parts(count: int, work: Any) -> list[Any]:
    from infimum.compiled.threads import in_parts

    if count < WORTH_THREADS:
        return [work(slice(0, count))]
    return in_parts(count, work, PARTS)

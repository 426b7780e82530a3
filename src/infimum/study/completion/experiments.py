"""Experiments: from how many entries soft-impute finds a matrix again."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.recommend import soft_impute_path
from infimum.parameters import check_domain, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = [
    "low_rank_matrix",
    "noisy_recovery_experiment",
    "recovery_experiment",
    "two_raters_error",
]

#: Strengths of the path of an experiment, as shares of the largest.
WEAKEST, STEPS = 1e-5, 6


def low_rank_matrix(
    rows: int, rank: int, columns: int | None = None, *, random_state: Any = None
) -> Matrix:
    """Return UVᵀ for U and V with standard normal entries: of rank r, surely.

    Examples
    --------
    >>> int(np.linalg.matrix_rank(low_rank_matrix(20, 3, random_state=0)))
    3
    """
    columns = rows if columns is None else columns
    check_domain("low_rank_matrix.rank", rank, whole(1, min(rows, columns)))
    rng = np.random.default_rng(random_state)
    U, V = rng.standard_normal((rows, rank)), rng.standard_normal((columns, rank))
    return np.asarray(U @ V.T)


def recovery_experiment(
    size: int, rank: int, missing: Any, *, repeats: int = 6, random_state: Any = 0
) -> Vector:
    """Return for each share of missing entries how often a matrix is found again.

    Found is a relative error below 1 % at the weakest strength of a path, which is so
    weak that the least trace norm with these entries is found.

    Examples
    --------
    >>> recovery_experiment(20, 1, [0.2, 0.95], repeats=2).tolist()
    [1.0, 0.0]
    """
    rng = np.random.default_rng(random_state)
    found = []
    for share in missing:
        good = 0
        for _ in range(repeats):
            Z = low_rank_matrix(size, rank, random_state=rng)
            error = _relative_error(Z, rng.random(Z.shape) >= share, Z)
            good += error < 1e-2
        found.append(good / repeats)
    return np.array(found)


def noisy_recovery_experiment(
    size: int,
    rank: int,
    missing: Any,
    *,
    noise: float = 0.5,
    repeats: int = 4,
    random_state: Any = 0,
) -> Vector:
    """Return for each share of missing entries the root mean squared error over σ.

    The strength is the best of a path: what could be reached.
    """
    check_domain("noisy_recovery_experiment.noise", noise, nonnegative)
    rng = np.random.default_rng(random_state)
    found = []
    for share in missing:
        errors = []
        for _ in range(repeats):
            Z = low_rank_matrix(size, rank, random_state=rng)
            seen = Z + noise * rng.standard_normal(Z.shape)
            mask = rng.random(Z.shape) >= share
            path = _path(seen, mask, weakest=0.02, tol=1e-3)
            errors.append(min(np.sqrt(np.mean((M - Z) ** 2)) for M in path) / noise)
        found.append(float(np.mean(errors)))
    return np.array(found)


def two_raters_error(levels: int = 5) -> float:
    """Return the root mean squared difference of two independent uniform ratings.

    Exactly √((L² - 1)/6), which is 2 for ratings from 1 to 5.

    Examples
    --------
    >>> two_raters_error(5)
    2.0
    """
    check_domain("two_raters_error.levels", levels, whole(1))
    return float(np.sqrt((levels**2 - 1) / 6))


def _path(Z: Matrix, mask: Any, weakest: float, tol: float) -> list[Matrix]:
    if not mask.any():
        return [np.zeros_like(Z)]
    path = soft_impute_path(
        np.where(mask, Z, np.nan),
        n_strengths=STEPS,
        ratio=weakest,
        tol=tol,
        max_iter=600,
    )
    return [each.factors.rows @ each.factors.columns.T for each in path.completions]


def _relative_error(Z: Matrix, mask: Any, truth: Matrix) -> float:
    last = _path(Z, mask, weakest=WEAKEST, tol=1e-5)[-1]
    return float(np.linalg.norm(last - truth) / np.linalg.norm(truth))

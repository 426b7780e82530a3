"""Codes of few atoms: each row as a sum of some rows of a dictionary."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.doors import array, refuse_huge
from infimum.errors import DataError, IncompatibleError
from infimum.models.linear.greedy.lars_path import lars_path_gram
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import (
    Choice,
    Domain,
    check_domain,
    flag,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["CODING", "Coding", "encode", "sparse_encode"]

ALGORITHMS = Choice(("lasso_lars", "lasso_cd", "lars", "omp", "threshold"))
#: Domains of what codes are made by; estimators have the same parameters.
CODING: dict[str, Domain] = {
    "algorithm": ALGORITHMS,
    "n_nonzero_coefs": or_none(whole(1)),
    "alpha": or_none(nonnegative),
    "max_iter": whole(0),
    "positive": flag,
}
#: A code is found when its gap is that share of half the square of its row.
AIM = 1e-10
#: Sweeps over the atoms after which a code that is still open follows its path.
PATIENCE = 200


@dataclass(frozen=True)
class Coding:
    """How codes are made: by whom, at what price or with how many atoms."""

    owner: str
    algorithm: str = "lasso_lars"
    n_nonzero_coefs: int | None = None
    alpha: float | None = None
    max_iter: int = 1000
    positive: bool = False

    def check(self) -> None:
        """Refuse values outside their domains, and what cannot be positive."""
        for name, domain in CODING.items():
            check_domain(f"{self.owner}.{name}", getattr(self, name), domain)
        if self.positive and self.algorithm in {"omp", "lars"}:
            raise IncompatibleError(
                f"{self.owner}: Positive constraint not supported for "
                f"{self.algorithm!r} coding method."
            )

    @property
    def price(self) -> float:
        """What a unit of a code costs."""
        return 1.0 if self.alpha is None else float(self.alpha)

    def steps(self, features: int, atoms: int) -> int:
        """Return how many atoms a code may have: a tenth of the features by default."""
        if self.n_nonzero_coefs is not None:
            return min(int(self.n_nonzero_coefs), atoms)
        return int(min(max(features / 10, 1), atoms))


def encode(
    X: Matrix,
    dictionary: Matrix,
    how: Coding,
    *,
    start: Matrix | None = None,
    gram: Matrix | None = None,
    cov: Matrix | None = None,
) -> tuple[Matrix, Vector | None]:
    """Return the codes of rows, and for lassos the gap of duality of each."""
    wide = np.asarray(dictionary, dtype=np.float64)
    pulls = X @ wide.T if cov is None else np.asarray(cov, dtype=np.float64).T
    pulls = np.ascontiguousarray(pulls, dtype=np.float64)
    gaps = None
    if how.algorithm == "threshold":
        codes = np.sign(pulls) * np.maximum(np.abs(pulls) - how.price, 0.0)
        codes = np.maximum(codes, 0.0) if how.positive else codes
    else:
        gram = wide @ wide.T if gram is None else np.asarray(gram, dtype=np.float64)
        gram = np.ascontiguousarray(gram)
        steps = how.steps(X.shape[1], len(wide))
        if how.algorithm == "omp":
            codes = _pursued(gram, pulls, steps)
        elif how.algorithm == "lars":
            codes = _angled(gram, pulls, steps)
        elif how.price == 0.0 and not how.positive:
            codes = np.linalg.lstsq(wide.T, X.T.astype(np.float64), rcond=None)[0].T
        else:
            codes, gaps = _priced(X, gram, pulls, how, start)
    return codes.astype(X.dtype, copy=False), gaps


def _priced(
    X: Matrix, gram: Matrix, pulls: Matrix, how: Coding, start: Matrix | None
) -> tuple[Matrix, Vector]:
    """Return the codes of least squares that pay for their length, and their gaps."""
    from infimum.compiled.descent.lasso_rows import solve_rows  # late: it loads numba

    codes = np.zeros_like(pulls)
    if start is not None:
        codes[:] = start
    if how.positive:
        np.maximum(codes, 0.0, out=codes)
    squares = np.einsum("ij,ij->i", X, X, dtype=np.float64)
    aims, gaps = AIM * 0.5 * squares, np.empty(len(X))
    price, positive = np.array([how.price, 0.0]), bool(how.positive)

    def sweep(some: Any, most: int) -> Any:
        """Improve some rows; return which of them stay open."""
        part, left = codes[some], np.empty(len(codes[some]))
        solve_rows(
            gram, pulls[some], squares[some], price, positive, aims[some], most, part,
            left,
        )  # fmt: skip
        codes[some], gaps[some] = part, left
        # Differences of sums as large as the squares are known to a few last places.
        return np.flatnonzero(gaps > aims + 1e-13 * squares)

    still = sweep(slice(None), min(int(how.max_iter), PATIENCE))
    if len(still) and how.max_iter > PATIENCE:
        for i in still:  # where atoms are much alike: corner by corner along the path
            codes[i] = lars_path_gram(
                pulls[i], gram, n_samples=1, alpha_min=how.price, method="lasso",
                positive=positive, max_iter=how.max_iter, return_path=False,
            )[2]  # fmt: skip
        still = sweep(still, int(how.max_iter) - PATIENCE)
    if len(still):
        warnings.warn(
            f"{how.owner}: {len(still)} of {len(X)} codes stay open, the worst by a "
            f"gap of {gaps.max():.2g}; raise max_iter.",
            UncertifiedWarning,
            stacklevel=4,
        )
    return codes, np.maximum(gaps, 0.0)


def _pursued(gram: Matrix, pulls: Matrix, steps: int) -> Matrix:
    from infimum.compiled.descent.pursuit_rows import (
        pursue_rows,  # late: it loads numba
    )

    codes = np.zeros_like(pulls)
    pursue_rows(gram, pulls, steps, codes)
    return codes


def _angled(gram: Matrix, pulls: Matrix, steps: int) -> Matrix:
    """Return the points of least angle paths that have `steps` atoms."""
    codes = np.zeros_like(pulls)
    for code, pull in zip(codes, pulls, strict=True):
        if pull.any():
            code[:] = lars_path_gram(
                pull, gram, n_samples=1, max_iter=steps, method="lar", return_path=False
            )[2]
    return codes


def sparse_encode(
    X: Any,
    dictionary: Any,
    *,
    gram: Any = None,
    cov: Any = None,
    algorithm: str = "lasso_lars",
    n_nonzero_coefs: int | None = None,
    alpha: float | None = None,
    copy_cov: bool = True,
    init: Any = None,
    max_iter: int = 1000,
    n_jobs: int | None = None,
    check_input: bool = True,
    verbose: int = 0,
    positive: bool = False,
) -> Matrix:
    r"""Return each row of X as a sum of few rows of a dictionary.

    Lassos minimise :math:`½‖x - cD‖² + α‖c‖_1` for every row, until its gap of duality
    is 1e-10 of :math:`½‖x‖²`; what stays open is told in a warning.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    dictionary : array-like of shape (n_components, n_features)
        Atoms; "omp", "lars" and "threshold" suppose that they are equally long.
    gram, cov : array-like, optional
        Products of the atoms with each other, and with the rows of X.
    algorithm : {'lasso_lars', 'lasso_cd', 'lars', 'omp', 'threshold'}
        The first two are the same minimum, by coordinates; then least angles,
        orthogonal matching pursuit, and products that are drawn in by `alpha`.
    n_nonzero_coefs : int or None, default=None
        Atoms of a code, for "lars" and "omp"; None for a tenth of the features.
    alpha : float or None, default=None
        What a unit of a code costs; None for 1.
    copy_cov, n_jobs, check_input, verbose
        Accepted for compatibility.
    init : array-like of shape (n_samples, n_components), optional
        Where lassos begin.
    max_iter : int, default=1000
        Sweeps over the atoms for each row.
    positive : bool, default=False
        Whether codes must not be negative.

    Returns
    -------
    codes : ndarray of shape (n_samples, n_components)

    Examples
    --------
    >>> import numpy as np
    >>> atoms = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    >>> sparse_encode([[3.0, 4.0]], atoms, alpha=0.5)
    array([[0. , 0. , 4.5]])
    """
    kinds = [np.float64, np.float32]
    table, atoms = array(X, dtype=kinds), array(dictionary, dtype=kinds)
    refuse_other_features("sparse_encode", atoms, table)
    refuse_huge(sparse_encode, table, atoms)
    how = Coding("sparse_encode", algorithm, n_nonzero_coefs, alpha, max_iter, positive)
    how.check()
    return encode(table, atoms, how, start=init, gram=gram, cov=cov)[0]


def refuse_other_features(owner: str, atoms: Matrix, X: Matrix) -> None:
    """Refuse rows of another length than the atoms'."""
    if atoms.shape[1] != X.shape[1]:
        raise DataError(
            f"{owner}: Dictionary and X have different numbers of features: "
            f"dictionary.shape: {atoms.shape} X.shape: {X.shape}"
        )

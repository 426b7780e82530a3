"""Sparse inverse covariances: the graphical lasso, with its duality gap."""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg

from infimum.certificates import Certificate, gamma
from infimum.certificates.rounding import UNIT
from infimum.compiled.descent.precision_columns import sweep_columns
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    Moments,
    as_covariance,
    moments,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Matrix

__all__ = ["GraphicalLasso", "SparsePrecision", "graphical_lasso", "solve_precision"]

#: Off the diagonal the start is drawn in by so much, which makes it definite.
DRAWN_IN = 0.95
MODES = Choice(("cd", "lars"))


@dataclass(frozen=True, eq=False)
class SparsePrecision:
    """A solution: covariance, sparse precision, values and gaps of all sweeps."""

    covariance: Matrix
    precision: Matrix
    costs: list[tuple[float, float]]
    certificate: Certificate


def solve_precision(
    sample: Matrix,
    alpha: float,
    *,
    tol: float,
    enet_tol: float,
    max_iter: int,
    start: Matrix | None = None,
) -> SparsePrecision:
    r"""Minimise ``-log det Θ + tr(SΘ) + α Σ_{i≠j} |Θ_ij|``, and prove it.

    Columns of the covariance are lassos of each variable on the others (Friedman,
    Hastie & Tibshirani 2008). A covariance W with the variances of S and no entry
    farther than α from it bounds the minimum from below by ``log det W + p``.
    """
    flat = np.flatnonzero(sample.diagonal() <= 0.0)
    if len(flat):
        raise DataError(
            f"A sparse precision needs features that vary; feature {flat[0]} does not."
        )
    if alpha == 0.0:
        return _without_penalty(sample, tol)
    covariance = np.array(sample if start is None else start, dtype=np.float64)
    off = ~np.eye(len(sample), dtype=bool)
    covariance[off] *= DRAWN_IN
    np.fill_diagonal(covariance, sample.diagonal())
    slopes = np.zeros_like(covariance)
    costs: list[tuple[float, float]] = []
    fine = min(enet_tol, tol) * float(sample.diagonal().min())
    for _ in range(max_iter):
        sweep_columns(sample, covariance, slopes, alpha, fine)
        precision = _precision(covariance, slopes)
        upper, lower = _bounds(sample, covariance, precision, alpha)
        costs.append((upper, upper - lower))
        if upper - lower <= tol:
            break
    reason = "gap closed" if upper - lower <= tol else "iteration limit"
    proof = Certificate(upper, lower, 1.0, tol, reason)
    return SparsePrecision(covariance, precision, costs, proof)


def _without_penalty(sample: Matrix, tol: float) -> SparsePrecision:
    scales = np.sqrt(sample.diagonal())
    precision = np.asarray(linalg.inv(sample / np.outer(scales, scales)))
    precision = 0.5 * (precision + precision.T) / np.outer(scales, scales)
    upper, lower = _bounds(sample, sample, precision, 0.0)
    proof = Certificate(upper, lower, 1.0, tol, "closed form")
    return SparsePrecision(sample.copy(), precision, [(upper, upper - lower)], proof)


def _precision(covariance: Matrix, slopes: Matrix) -> Matrix:
    """Return the precision that the coefficients of all columns imply, symmetric."""
    own = np.einsum("ij,ij->i", covariance, slopes)
    diagonal = 1.0 / (covariance.diagonal() - own)
    found = -slopes * diagonal[:, None]
    np.fill_diagonal(found, diagonal)
    # Where one of two columns says 0, the pair is not linked.
    linked = (found != 0.0) & (found.T != 0.0)
    return np.asarray(np.where(linked, 0.5 * (found + found.T), 0.0))


def _bounds(
    sample: Matrix, covariance: Matrix, precision: Matrix, alpha: float
) -> tuple[float, float]:
    """Return the objective at the precision, and a number that none goes below.

    Rounding is counted in both.
    """
    off = np.abs(precision)
    np.fill_diagonal(off, 0.0)
    terms = sample * precision
    logarithm, doubt = _log_determinant(precision)
    upper = -logarithm + float(terms.sum()) + alpha * float(off.sum())
    sizes = abs(logarithm) + float(np.abs(terms).sum()) + alpha * float(off.sum())
    upper += doubt + gamma(terms.size + 8.0) * sizes
    feasible = np.clip(covariance, sample - alpha, sample + alpha)
    np.fill_diagonal(feasible, sample.diagonal())
    logarithm, doubt = _log_determinant(feasible)
    lower = logarithm - doubt + len(sample)
    lower -= gamma(8.0) * (abs(logarithm) + len(sample))
    finite = math.isfinite(upper), math.isfinite(lower)
    return upper if finite[0] else math.inf, lower if finite[1] else -math.inf


def _log_determinant(matrix: Matrix) -> tuple[float, float]:
    """Return the logarithm of the determinant, and how wrong it can be.

    Cholesky's factor R is exact for M + E, |E| at most γ√(mᵢᵢmⱼⱼ), however badly the
    diagonal is scaled (Demmel 1989); the logarithm of each eigenvalue of the scaled
    matrix is moved by E by less than its share of the least one. A last place more pays
    for limits that were rounded. Without a proof that all are positive, it is infinite.
    """
    n, scales = len(matrix), np.sqrt(np.abs(matrix.diagonal()))
    try:
        root = linalg.cholesky(matrix, check_finite=False)
        inverse = linalg.solve_triangular(root / scales, np.eye(n))
    except (linalg.LinAlgError, ValueError):
        return -math.inf, math.inf
    # The inverse of a triangle is right to a few n·u of its own condition.
    share = 2.0 * n * (gamma(n + 1.0) + 4.0 * UNIT) * float(np.sum(inverse**2))
    logarithms = np.log(root.diagonal())
    if not share < 0.5:
        return -math.inf, math.inf
    summed = gamma(n + 8.0) * 2.0 * float(np.abs(logarithms).sum())
    return 2.0 * float(logarithms.sum()), 2.0 * n * share + summed + n * UNIT


def graphical_lasso(
    emp_cov: Any,
    alpha: float,
    *,
    mode: str = "cd",
    tol: float = 1e-4,
    enet_tol: float = 1e-4,
    max_iter: int = 100,
    verbose: bool = False,
    return_costs: bool = False,
    eps: float = float(np.finfo(np.float64).eps),
    return_n_iter: bool = False,
) -> Any:
    """Return the covariance and the sparse precision of the graphical lasso.

    Parameters
    ----------
    emp_cov : array-like of shape (n_features, n_features)
    alpha : float
        What an entry of the precision off the diagonal costs; 0 or more.
    mode : {'cd', 'lars'}, default='cd'
        Accepted for compatibility: the minimum is the same.
    tol : float, default=1e-4
        The duality gap to stop at.
    enet_tol : float, default=1e-4
        The precision of the lassos of single columns.
    max_iter : int, default=100
    verbose : bool, default=False
        Whether to print each sweep's objective and gap.
    return_costs, return_n_iter : bool, default=False
        Whether to return (objective, gap) of each sweep, and their number, too.
    eps : float
        Accepted for compatibility.

    Returns
    -------
    covariance, precision : ndarray of shape (n_features, n_features)
        And, if asked for, the list of costs and the number of sweeps.

    Examples
    --------
    >>> covariance, precision = graphical_lasso([[1.0, 0.3], [0.3, 1.0]], 0.5)
    >>> precision
    array([[1., 0.],
           [0., 1.]])
    """
    check_domain("graphical_lasso.alpha", alpha, nonnegative)
    check_domain("graphical_lasso.mode", mode, MODES)
    found = solve_precision(
        as_covariance(emp_cov), float(alpha), tol=tol, enet_tol=enet_tol,
        max_iter=max_iter,
    )  # fmt: skip
    _tell("graphical_lasso", found, verbose=verbose)
    told: tuple[Any, ...] = (found.covariance, found.precision)
    told += (found.costs,) if return_costs else ()
    return told + ((len(found.costs),) if return_n_iter else ())


def _tell(owner: str, found: SparsePrecision, *, verbose: Any) -> None:
    """Print the sweeps if asked; warn if the gap is open; refuse what is no model."""
    if verbose:
        for sweep, (value, gap) in enumerate(found.costs):
            told = f"[{owner}] sweep {sweep}: objective {value:.3e}, gap {gap:.3e}"
            sys.stdout.write(told + "\n")
    if not np.isfinite(found.costs[-1][0]):
        raise DataError(
            f"{owner}: the covariance is too ill-conditioned; use a larger alpha, or "
            "shrink the covariance first."
        )
    if not found.certificate.closed:
        warnings.warn(
            f"{owner} stopped after {len(found.costs)} sweeps: {found.certificate}; "
            "raise max_iter or alpha.",
            UncertifiedWarning,
            stacklevel=4,
        )


class GraphicalLasso(EmpiricalCovariance):
    r"""Normal law whose precision is sparse: who is linked with whom, given the rest.

    .. math:: \min_{Θ ≻ 0} \; -\log\det Θ + \mathrm{tr}(SΘ) + α \sum_{i ≠ j} |Θ_{ij}|

    Parameters
    ----------
    alpha : float, default=0.01
        What an entry of the precision off the diagonal costs.
    mode : {'cd', 'lars'}, default='cd'
        Accepted for compatibility: the minimum is the same.
    covariance : None or 'precomputed', default=None
        Whether X is a covariance itself.
    tol : float, default=1e-4
        The duality gap to stop at.
    enet_tol : float, default=1e-4
        The precision of the lassos of single columns.
    max_iter : int, default=100
    verbose : bool, default=False
    eps : float
        Accepted for compatibility.
    assume_centered : bool, default=False

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_, precision_ : ndarray of shape (n_features, n_features)
    n_iter_ : int
    costs_ : list of (float, float)
        Objective and duality gap after each sweep.
    certificate_ : Certificate

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(90, 3))
    >>> X[:, 1] += X[:, 0]
    >>> model = GraphicalLasso(alpha=0.3).fit(X)
    >>> (model.precision_ != 0).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])
    >>> model.certificate_.closed
    True
    """

    store_precision = True
    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "mode": MODES,
        "covariance": or_none(Choice(("precomputed",))),
        "tol": positive,
        "enet_tol": positive,
        "max_iter": whole(1),
    }

    def __init__(
        self,
        alpha: float = 0.01,
        *,
        mode: str = "cd",
        covariance: str | None = None,
        tol: float = 1e-4,
        enet_tol: float = 1e-4,
        max_iter: int = 100,
        verbose: bool = False,
        eps: float = float(np.finfo(np.float64).eps),
        assume_centered: bool = False,
    ) -> None:
        super().__init__(assume_centered=assume_centered)
        del self.store_precision  # no parameter here: it always is
        self.alpha = alpha
        self.mode = mode
        self.covariance = covariance
        self.tol = tol
        self.enet_tol = enet_tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Estimate the covariance and its sparse inverse; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or with ``covariance='precomputed'`` their covariance.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        found = moments(self, X, sample_weight, fewest=2)
        if self.covariance == "precomputed":
            found.covariance = np.asarray(as_covariance(found.rows + found.mean))
            found.mean = np.zeros(len(found.covariance), dtype=np.float64)
        self._solve(found, float(self.alpha))
        return self

    def _solve(self, found: Moments, alpha: float) -> None:
        solved = solve_precision(
            found.covariance, alpha, tol=self.tol, enet_tol=self.enet_tol,
            max_iter=int(self.max_iter),
        )  # fmt: skip
        _tell(type(self).__name__, solved, verbose=self.verbose)
        self._keep(found, solved.covariance, solved.precision)
        self.costs_, self.n_iter_ = solved.costs, len(solved.costs)
        self.certificate_ = solved.certificate

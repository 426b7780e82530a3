"""Sparse inverse covariances: the graphical lasso, with its duality gap."""

from __future__ import annotations

import sys
import warnings
from typing import Any, ClassVar, Self

import numpy as np

from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance._sparse_precision import (
    SparsePrecision,
    solve_precision,
    symmetric,
)
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

__all__ = ["GraphicalLasso", "graphical_lasso"]

MODES = Choice(("cd", "lars"))


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
        Accepted for compatibility: columns settle as `tol` asks.
    max_iter : int, default=100
        Sweeps over the columns, or Newton steps where there are many.
    verbose : bool, default=False
        Whether to print each step's objective and gap.
    return_costs, return_n_iter : bool, default=False
        Whether to return (objective, gap) of each step, and their number, too.
    eps : float
        Accepted for compatibility.

    Returns
    -------
    covariance, precision : ndarray of shape (n_features, n_features)
        And, if asked for, the list of costs and the number of steps.

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
        symmetric(as_covariance(emp_cov)), float(alpha), tol=tol, max_iter=max_iter
    )
    _tell("graphical_lasso", found, verbose=verbose)
    told: tuple[Any, ...] = (found.covariance, found.precision)
    told += (found.costs,) if return_costs else ()
    return told + ((len(found.costs),) if return_n_iter else ())


def _tell(owner: str, found: SparsePrecision, *, verbose: Any) -> None:
    """Print the steps if asked; warn if the gap is open; refuse what is no model."""
    if verbose:
        for step, (value, gap) in enumerate(found.costs):
            told = f"[{owner}] step {step}: objective {value:.3e}, gap {gap:.3e}"
            sys.stdout.write(told + "\n")
    if not np.isfinite(found.costs[-1][0]):
        raise DataError(
            f"{owner}: the covariance is too ill-conditioned; use a larger alpha, or "
            "shrink the covariance first."
        )
    if not found.certificate.closed:
        warnings.warn(
            f"{owner} stopped after {len(found.costs)} steps: {found.certificate}; "
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
        Accepted for compatibility: columns settle as `tol` asks.
    max_iter : int, default=100
        Sweeps over the columns, or Newton steps where there are many.
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
        Objective and duality gap after each step.
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
        "eps": nonnegative,
        "alpha": nonnegative,
        "mode": MODES,
        "covariance": or_none(Choice(("precomputed",))),
        "tol": positive,
        "enet_tol": positive,
        "max_iter": whole(0),
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
        given = self.covariance == "precomputed"
        found = moments(self, X, sample_weight, fewest=2, centred=given or None)
        if given:
            found.covariance = symmetric(as_covariance(found.rows))
        self._solve(found, float(self.alpha))
        return self

    def _solve(self, found: Moments, alpha: float) -> None:
        solved = solve_precision(
            found.covariance, alpha, tol=self.tol, max_iter=int(self.max_iter)
        )
        _tell(type(self).__name__, solved, verbose=self.verbose)
        self._keep(found, solved.covariance, solved.precision)
        self.costs_, self.n_iter_ = solved.costs, len(solved.costs)
        self.certificate_ = solved.certificate

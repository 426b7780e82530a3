"""Basis pursuit: the signal of least ℓ₁ norm that explains the measurements, proved."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from infimum.certificates import Certificate, gamma
from infimum.data.doors import array, check_fitted
from infimum.errors import DataError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.sensing._homotopy import Walked, walk
from infimum.models.sensing.bases import OrthonormalBasis, orthonormal_basis
from infimum.parameters import Domains, check_parameters, nonnegative, positive
from infimum.typing import Matrix, Vector

__all__ = ["BasisPursuit", "l1_certificate", "measured_system"]

#: Measurements may contradict each other by this share of their size.
CONSISTENT = 1e-9
#: How far columns are scaled by chance where the path meets a tie.
TIES = (0.0, 1e-9, 1e-7, 1e-6, 1e-5)
#: Pulls this close to 1 count as 1.
TOUCHING = 1e-7


class BasisPursuit(BaseEstimator):  # type: ignore[misc]
    r"""The least ℓ₁ norm among all signals with the given measurements.

    .. math:: \min_α \|α\|_1 \quad\text{subject to}\quad \|W U α - y\|_2 ≤ \text{noise}

    With `noise` 0 the measurements hold exactly. The lasso path is followed to its end.
    `multiplier_` is v with ‖UᵀWᵀv‖_∞ ≤ 1: every admitted α has a norm of at least
    yᵀv - noise·‖v‖, which is the norm of the answer. `unique_` tells whether it is
    proved to be the only one.

    Parameters
    ----------
    noise : float, default=0.0
    basis : OrthonormalBasis, name or matrix, optional
        U, in which the signal is sparse; the identity unless given.
    tol : float, default=1e-6
        Relative gap that the proof must reach.

    Attributes
    ----------
    coef_ : ndarray of shape (d,)
        α.
    signal_ : ndarray of shape (d,)
        Uα.
    support_ : ndarray
        Where α is not 0.
    multiplier_ : ndarray of shape (k,)
    unique_ : bool or None
        None if neither is proved.
    certificate_ : Certificate
    n_iter_ : int
        Steps of the path.

    Examples
    --------
    >>> model = BasisPursuit().fit([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [1.0, 1.0])
    >>> model.coef_.round(9).tolist(), model.unique_
    ([0.0, 0.0, 1.0], True)
    >>> round(model.certificate_.dual, 9)
    1.0
    """

    _domains: ClassVar[Domains] = {"noise": nonnegative, "tol": positive}

    def __init__(
        self, *, noise: float = 0.0, basis: Any = None, tol: float = 1e-6
    ) -> None:
        self.noise = noise
        self.basis = basis
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, W: Any, y: Any) -> Self:
        """Recover a signal from measurements y = Wx (+ noise); return self."""
        check_parameters(self)
        A, y, basis = measured_system("BasisPursuit", W, y, self.basis)
        noise = float(self.noise)
        kept, twins = _distinct(A)
        best: tuple[Walked, Certificate, float] | None = None
        for ties in TIES:
            found = _walked(A[:, kept], y, noise, ties)
            proof = l1_certificate(A, y, noise, _spread(found, kept, A), self.tol)
            if best is None or proof.relative_gap < best[1].relative_gap:
                best = found, proof, ties
            if proof.closed and found.arrived:
                break
        assert best is not None
        found, self.certificate_, ties = best
        self.coef_ = _spread(found, kept, A)[0]
        _refuse_contradiction(A, self.coef_, y, noise)
        self.multiplier_, self.n_iter_ = found.multiplier, found.steps
        self.support_ = np.flatnonzero(self.coef_)
        self.signal_ = self.coef_ if basis is None else basis.synthesize(self.coef_)
        self.unique_ = self._uniqueness(A, kept, twins, exact=ties == 0.0)
        return self

    def certify(self, W: Any, y: Any, *, rigorous: bool = False) -> Certificate:
        """Prove the answer again from the measurements.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        A, y, _ = measured_system("BasisPursuit", W, y, self.basis)
        if A.shape != (len(self.multiplier_), len(self.coef_)):
            raise DataError("BasisPursuit: these are measurements of another kind.")
        point = (self.coef_, self.multiplier_)
        proof = l1_certificate(A, y, float(self.noise), point, self.tol)
        return not_audited(self, proof) if rigorous else proof

    def _uniqueness(
        self, A: Matrix, kept: Any, twins: Any, *, exact: bool
    ) -> bool | None:
        """Tell whether the columns that can be used at all are independent."""
        if not self.certificate_.closed:
            return None
        if np.isin(kept[self.coef_[kept] != 0.0], twins).any():
            return False  # a twin could take over a part
        pulls = np.abs(A.T @ self.multiplier_)
        usable = np.flatnonzero(pulls >= (1.0 - TOUCHING) * max(pulls.max(), 1e-300))
        if not self.coef_.any():
            return True
        if len(usable) > len(A) or not exact:
            return None
        sizes = np.linalg.svd(A[:, usable], compute_uv=False)
        return True if sizes[-1] > 1e-9 * sizes[0] else None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # rows are measurements of one signal
        return tags


def measured_system(
    owner: str, W: Any, y: Any, basis: Any
) -> tuple[Matrix, Vector, OrthonormalBasis | None]:
    """Return WU, y and U, checked."""
    W = array(W, ensure_all_finite=False)
    y = array(y, ensure_2d=False, ensure_all_finite=False).ravel()
    for name, given in (("W", W), ("y", y)):
        if not np.isfinite(given).all():
            raise DataError(f"{owner}: {name} must have finite numbers only.")
    if len(W) != len(y):
        raise DataError(f"{owner}: {len(W)} rows of W and {len(y)} measurements.")
    if basis is None:
        return W, y, None
    if not isinstance(basis, OrthonormalBasis):
        basis = orthonormal_basis(basis, W.shape[1])
    if basis.size != W.shape[1]:
        raise DataError(
            f"{owner}: W measures {W.shape[1]} numbers, the basis has {basis.size}."
        )
    return np.ascontiguousarray(basis.analyze(W.T).T), y, basis


def l1_certificate(
    A: Matrix, y: Vector, noise: float, point: tuple[Vector, Vector], tol: float
) -> Certificate:
    """Return ‖α‖₁, and what no admitted α can go below: (yᵀv - noise‖v‖)/‖Aᵀv‖_∞."""
    coefficients, v = point
    size = float(np.abs(coefficients).sum())
    if not _met(A, coefficients, y, noise):  # not admitted: no upper bound at all
        return Certificate(np.inf, 0.0, 1.0, tol, "the measurements are not met")
    left = y - A @ coefficients
    far = float(np.linalg.norm(left))
    if far > noise:  # what it takes to meet them
        missing = np.linalg.lstsq(A, left * ((far - noise) / far))[0]
        size += float(np.abs(missing).sum())
    lost = gamma(len(v) + 4.0) * (np.abs(A).T @ np.abs(v))
    pulls = float(np.max(np.abs(A.T @ v) + lost, initial=0.0))
    value = float(y @ v) - noise * float(np.linalg.norm(v))
    slack = gamma(len(y) + 8.0) * float(np.abs(y) @ np.abs(v)) + gamma(len(v)) * noise
    slack = slack / pulls if pulls > 0 else 0.0
    dual = max(value / pulls - slack, 0.0) if pulls > 0 else 0.0
    slack += gamma(len(coefficients)) * size
    return Certificate(size, dual, max(size, 0.0), tol, "the path ended", slack)


def _walked(A: Matrix, y: Vector, noise: float, ties: float) -> Walked:
    """Follow the path; where ties stop it, with columns scaled a little by chance."""
    from infimum.compiled.threads import one_blas_thread  # late: it loads numba

    scales = 1.0 + ties * np.random.default_rng(0).random(A.shape[1])
    with one_blas_thread():  # products of each step are too small for two
        found = walk(A * scales if ties else A, y, noise, 20 * sum(A.shape))
    return found._replace(coefficients=found.coefficients * scales)


def _spread(found: Walked, kept: Any, A: Matrix) -> tuple[Vector, Vector]:
    whole = np.zeros(A.shape[1])
    whole[kept] = found.coefficients
    return whole, found.multiplier


def _distinct(A: Matrix) -> tuple[Any, Any]:
    """Return one column of each kind, none of zeros; and those that have twins."""
    signs = np.where(A[np.argmax(A != 0, axis=0), np.arange(A.shape[1])] < 0, -1.0, 1.0)
    _, first, where, counts = np.unique(
        A * signs, axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    first = first[np.argsort(first)]
    kept = first[np.any(A[:, first] != 0, axis=0)]
    return kept, kept[counts[where.ravel()[kept]] > 1]


def _met(A: Matrix, coefficients: Vector, y: Vector, noise: float) -> bool:
    left = float(np.linalg.norm(A @ coefficients - y))
    return left <= noise + CONSISTENT * float(np.linalg.norm(y))


def _refuse_contradiction(
    A: Matrix, coefficients: Vector, y: Vector, noise: float
) -> None:
    size = float(np.linalg.norm(y))
    if not _met(A, coefficients, y, noise):
        least = float(np.linalg.norm(A @ np.linalg.lstsq(A, y, rcond=None)[0] - y))
        if least > noise + CONSISTENT * size:
            raise DataError(
                f"BasisPursuit: no signal has these measurements within {noise:g}; "
                f"the nearest is off by {least:.3g}, so noise must be at least that."
            )

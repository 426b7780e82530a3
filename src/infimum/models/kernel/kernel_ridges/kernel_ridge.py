"""Kernel ridge regression: least squares in the space of a kernel."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from infimum.certificates import Certificate
from infimum.data.doors import check_fitted, measured, things
from infimum.errors import InvalidParameterError
from infimum.models._audited import audited_ridge
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import check_same
from infimum.models.kernel._machine import KernelMachine
from infimum.models.kernel.kernel_ridges._ridge_fit import RidgeFit, warn_if_open
from infimum.models.kernel.kernel_ridges.kernel_ridge_path import KernelRidgePath
from infimum.parameters import Domains, check_parameters, nonnegative, or_none, positive
from infimum.typing import Matrix, Vector

__all__ = ["KernelRidge"]


class KernelRidge(MultiOutputMixin, RegressorMixin, KernelMachine):  # type: ignore[misc]
    r"""Least squares with a penalty on the norm of the function, in closed form.

    .. math:: \min_f \sum_i w_i (y_i - f(x_i))^2 + α \|f\|^2, \qquad
              f = \sum_i c_i\,k(x_i, ·), \qquad (K + α W^{-1})\, c = y

    The kernel matrix is factorised in single precision and conjugate gradients restore
    all digits: half the time of a factorisation in double precision, and the same
    answer. With the solver "auto", a kernel matrix that does not fit in `cache_size` is
    not formed to fit a positive strength: rows are computed in tiles and conjugate
    gradients work with a Nyström preconditioner. A strength of 0, the solver
    "cholesky", `path` and `certify` hold the whole matrix. A strength of 0 gives the
    smoothest function through the data.

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1
        Weight of the penalty, one for all targets or one each.
    kernel : str, Kernel or callable, default="linear"
        scikit-learn's name of a kernel, a kernel of `infimum.kernels` (on things of
        any kind), a function of two samples, or "precomputed".
    gamma, degree, coef0 : float, default=None, 3, 1
        Parameters of a named kernel, as in scikit-learn.
    kernel_params : dict or None, default=None
        Further arguments of a kernel that is a function.
    solver : {"auto", "cholesky", "conjugate_gradient"}, default="auto"
        "auto" factorises what fits in `cache_size`.
    tol : float, default=1e-10
        Relative duality gap at which conjugate gradients stop. Where rounding cannot
        resolve it, `certificate_.tolerance` is what can be, up to 1e-7.
    cache_size : float, default=4000
        Megabytes of kernel values beyond which "auto" works in tiles.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        The coefficients c.
    X_fit_ : the samples; None for a precomputed kernel
    certificate_ : Certificate
        How far the least certain target's function can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 0.0])
    >>> model = KernelRidge(alpha=0.1, kernel="rbf").fit(X, y)
    >>> model.predict([[1.0], [1.5]]).round(3), model.certificate_.closed
    (array([0.883, 0.569]), True)
    """

    _domains: ClassVar[Domains] = {
        "tol": positive,
        "gamma": or_none(nonnegative),
        "cache_size": positive,
    }

    def __init__(
        self,
        alpha: Any = 1,
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        solver: str = "auto",
        tol: float = 1e-10,
        cache_size: float = 4000,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solve for the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        things, targets, weights = self._admit(X, y, sample_weight)
        columns = targets.reshape(len(targets), -1)
        fit = RidgeFit.of(self, things, columns, weights)
        answer = fit.solve(self._alphas(columns.shape[1]), self.tol)
        self._keep_samples(things)
        self.dual_coef_ = answer.coefficients.reshape(targets.shape)
        self.certificate_, self.history_ = answer.certificate, answer.history
        self.n_iter_ = answer.iterations
        warn_if_open(self, self.certificate_)
        return self

    def predict(self, X: Any) -> Vector:
        """Return the predicted target or targets of each sample."""
        check_fitted(self)
        return self._sum(X, self.dual_coef_)

    def path(
        self, X: Any, y: Any, alphas: Any, sample_weight: Any = None
    ) -> KernelRidgePath:
        """Return the solutions of many strengths, from one eigendecomposition.

        With each come its leave-one-out error and its degrees of freedom. `alpha` is
        not read.
        """
        things, targets, weights = self._admit(X, y, sample_weight)
        return self._path(things, targets, weights, self._several(alphas))

    def _path(
        self, things: Any, targets: Matrix, weights: Vector | None, alphas: Vector
    ) -> KernelRidgePath:
        columns = targets.reshape(len(targets), -1)
        fit = RidgeFit.of(self, things, columns, weights)
        return KernelRidgePath.of(fit, alphas, targets.ndim, self.tol)

    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        tolerance : float, optional
            The relative gap to be proved; None means the default of `tol`, whatever
            the model was fitted with.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted; see
            `infimum.certificates.auditor`.
        """
        check_same(self, X)
        things, targets, weights = self._admit(X, y, sample_weight)
        columns = targets.reshape(len(targets), -1)
        fit = RidgeFit.of(self, things, columns, weights)
        found = self.dual_coef_.reshape(columns.shape)[fit.kept]
        asked = auditors_tolerance(type(self), tolerance)
        if rigorous:
            alphas = self._alphas(columns.shape[1])
            return audited_ridge(fit, found, None, alphas, asked)
        strict = tolerance is not None
        proofs = [
            fit.system(fit.targets[:, [k]]).certify(
                found[:, [k]], np.zeros(1), float(alpha), asked, strict=strict
            )
            for k, alpha in enumerate(self._alphas(columns.shape[1]))
        ]
        return max(proofs, key=lambda proof: proof.relative_gap)

    def _admit(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, Matrix, Vector | None]:
        check_parameters(self)
        rows = things(self, X, y, sample_weight, door=measured, multi_output=True)
        return rows.X, rows.y, rows.weights

    def _alphas(self, targets: int) -> Vector:
        """Return one strength per target, checked."""
        chosen = vars(self).get("alpha_")  # by folds
        alphas = self._several(self.alpha if chosen is None else chosen)
        if len(alphas) not in {1, targets}:
            raise InvalidParameterError(
                f"{type(self).__name__}.alpha must be one number or one per target "
                f"({targets}), got {len(alphas)} of them."
            )
        return np.broadcast_to(alphas, (targets,)).copy()

    def _several(self, alphas: Any) -> Vector:
        found = np.asarray(alphas, dtype=np.float64).ravel()
        if not (len(found) and np.isfinite(found).all() and (found >= 0).all()):
            raise InvalidParameterError(
                f"{type(self).__name__}.alpha must be in [0, inf), got {alphas!r}."
            )
        return found

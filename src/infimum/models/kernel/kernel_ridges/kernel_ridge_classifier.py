"""Kernel ridge classification: least squares on ±1 labels in the space of a kernel."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar, Self

import numpy as np

from infimum.certificates import Certificate
from infimum.data.doors import class_weighted, labelled, things
from infimum.data.doors.labels import sign_rows
from infimum.errors import DataError, InvalidParameterError
from infimum.models._audited import audited_ridge
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import check_same
from infimum.models.kernel._machine import KernelClassifier
from infimum.models.kernel.kernel_ridges._ridge_fit import RidgeFit, warn_if_open
from infimum.models.kernel.kernel_ridges.kernel_ridge_path import KernelRidgePath
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Vector

__all__ = ["KernelRidgeClassifier"]


class KernelRidgeClassifier(KernelClassifier):
    r"""Regularised least squares on labels coded ±1; the largest score wins.

    .. math:: \min_{f, b} \sum_i w_i (y_i - f(x_i) - b)^2 + α \|f\|^2

    Also known as the least-squares support vector machine. All classes share one
    factorisation; the intercept is not penalised. `path` gives many strengths and their
    leave-one-out errors at once.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    kernel, gamma, degree, coef0, kernel_params, solver, tol, cache_size
        As in `KernelRidge`, with the Gaussian kernel as default.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
    intercept_ : ndarray of shape (n_classes or 1,)
    X_fit_, certificate_, history_, n_iter_
        As in `KernelRidge`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> model = KernelRidgeClassifier(0.1, gamma=1.0).fit(X, ["same"] * 2 + ["not"] * 2)
    >>> model.predict([[0.1, 0.0], [0.9, 0.1]]).tolist()
    ['same', 'not']
    """

    _domains: ClassVar[Domains] = {
        "alpha": positive,
        "tol": positive,
        "cache_size": positive,
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        class_weight: Any = None,
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
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solve for the coefficients of all classes, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        things, fit, _ = self._state(X, y, sample_weight)
        alphas = np.full(fit.targets.shape[1], float(self.alpha))
        answer = fit.solve(alphas, self.tol)
        self._keep_samples(things)
        self.dual_coef_, self.intercept_ = answer.coefficients.T, answer.intercepts
        self.certificate_, self.history_ = answer.certificate, answer.history
        self.n_iter_ = answer.iterations
        warn_if_open(self, self.certificate_)
        return self

    def path(
        self, X: Any, y: Any, alphas: Any, sample_weight: Any = None
    ) -> KernelRidgePath:
        """Return the solutions of many strengths, from one eigendecomposition.

        Targets are the classes coded ±1, one column each (of two classes, the second
        alone). The leave-one-out residual e of a sample of label y = ±1 belongs to the
        score y - e of the machine learnt without it, under the same class weights.
        `alpha` is not read.

        Examples
        --------
        >>> import numpy as np
        >>> X, y = np.array([[0.0], [1.0], [2.0], [6.0], [7.0]]), [0, 0, 0, 1, 1]
        >>> path = KernelRidgeClassifier(gamma=0.5).path(X, y, [0.1, 10.0])
        >>> labels = np.array([-1, -1, -1, 1, 1])
        >>> (labels - path.errors[0, :, 0] > 0).tolist()
        [False, False, False, True, True]
        """
        twin = copy(self)  # admission writes down classes
        _, fit, copies = twin._state(X, y, sample_weight)
        strengths = np.asarray(alphas, dtype=np.float64).ravel()
        if not len(strengths):
            raise InvalidParameterError(f"{type(self).__name__}.path needs a strength.")
        return KernelRidgePath.of(fit, strengths, 2, self.tol, copies)

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
        twin = copy(self)  # admission writes down classes
        _, fit, _ = twin._state(X, y, sample_weight)
        if not np.array_equal(self.classes_, twin.classes_):
            raise DataError(
                f"{type(self).__name__} was fitted on the classes "
                f"{self.classes_.tolist()}, got {twin.classes_.tolist()}."
            )
        coefficients = self.dual_coef_.T[fit.kept]
        asked = auditors_tolerance(type(self), tolerance)
        if rigorous:
            alphas = np.full(fit.targets.shape[1], self._strength)
            b = self.intercept_ if fit.intercept else None
            return audited_ridge(fit, coefficients, b, alphas, asked)
        return fit.system(fit.targets).certify(
            coefficients,
            self.intercept_,
            self._strength,
            asked,
            strict=tolerance is not None,
        )

    @property
    def _strength(self) -> float:
        chosen = vars(self).get("alpha_")  # by folds
        return float(self.alpha if chosen is None else chosen)

    def _state(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, RidgeFit, Vector]:
        """Return the things, the fit, and how many copies those that count are."""
        check_parameters(self)
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_ = known = rows.classes
        name, codes, given = type(self).__name__, rows.y, rows.weights
        weights = class_weighted(name, self.class_weight, known, codes, given)
        targets = np.ascontiguousarray(sign_rows(codes, len(known)).T)
        fit = RidgeFit.of(
            self, rows.X, targets, weights, intercept=bool(self.fit_intercept)
        )
        return rows.X, fit, rows.shares()[fit.kept]

"""Gaussian-process regression: every function at once, weighed by its plausibility."""

from typing import Any, Self

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state

from infimum.data.validation import accept_table
from infimum.errors import InvalidParameterError
from infimum.models._kernel_door import admit_measured, are_things
from infimum.models.kernel._evidence import (
    cholesky,
    gaussian_evidence,
    maximise,
    prove_mean,
)
from infimum.models.kernel._tuned_kernel import TunedKernel, tuned_kernel
from infimum.typing import Matrix, Vector

__all__ = ["GaussianProcessRegressor"]

#: Entries of a block of kernel values between new and old samples.
BLOCK = 2**22


class GaussianProcessRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Posterior of a Gaussian process given noisy values of it.

    .. math:: \bar f(x) = k(x, X)\,(K + αI)^{-1} y, \qquad
              \operatorname{var} f(x) = k(x, x) - k(x, X)(K + αI)^{-1} k(X, x)

    The mean is kernel ridge regression, which is convex and certified; the parameters
    of the kernel maximise the evidence :math:`p(y \mid X)`, which is not convex:
    restarts help, nothing proves. The kernel matrix is held and factorised; the mean
    alone, for more samples than that allows, is
    ``KernelRidge(solver="conjugate_gradient")``.

    Parameters
    ----------
    kernel : Kernel, kernel of scikit-learn or None, default=None
        A kernel of `infimum.kernels`, all of whose positive real parameters move, or
        one of `sklearn.gaussian_process.kernels`. None: Gaussian of width 1, fixed.
    alpha : float or ndarray of shape (n_samples,), default=1e-10
        Variance of the noise. A sample that counts w times has its variance over w.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        How the evidence is maximised; None keeps the kernel as it is.
    n_restarts_optimizer : int, default=0
    normalize_y : bool, default=False
        Centre and scale the targets first; predictions are scaled back.
    copy_X_train : bool, default=True
    n_targets : int or None, default=None
        Number of targets of draws from the prior.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    X_train_, y_train_ : ndarray
    kernel_ : the kernel with the parameters found
    L_ : ndarray of shape (n_samples, n_samples)
        Lower Cholesky factor of K + αI.
    alpha_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Weights of the mean.
    log_marginal_likelihood_value_ : float
    certificate_ : Certificate
        Proof that the mean minimises :math:`\frac12 \sum_i (y_i - f(x_i))^2/α_i +
        \frac12 \|f\|^2` for the kernel found.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Gaussian
    >>> X = np.linspace(0, 3, 7)[:, None]
    >>> model = GaussianProcessRegressor(Gaussian(1.0)).fit(X, np.sin(X[:, 0]))
    >>> mean, deviation = model.predict([[1.25]], return_std=True)
    >>> bool(abs(mean[0] - np.sin(1.25)) < 0.01)
    True
    """

    def __init__(
        self,
        kernel: Any = None,
        *,
        alpha: Any = 1e-10,
        optimizer: Any = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        normalize_y: bool = False,
        copy_X_train: bool = True,
        n_targets: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.n_targets = n_targets
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Maximise the evidence and solve for the mean; return self."""
        start = tuned_kernel("GaussianProcessRegressor", self.kernel)
        X, y = self._admit(X, y)
        noise = self._noise(len(y))
        centre, scale = _units(y) if self.normalize_y else (0.0, 1.0)
        targets = ((y - centre) / scale).reshape(len(y), -1)
        best = self._tune(start, X, targets, noise)
        weights = self._solve(best, X, targets, noise)
        self._train_mean, self._train_scale = centre, scale
        self.X_train_ = X.copy() if self.copy_X_train else X
        self.y_train_ = targets.reshape(y.shape)
        self.alpha_ = weights.reshape(y.shape)
        return self

    def predict(
        self,
        X: Any,
        return_std: bool = False,  # noqa: FBT001, FBT002
        return_cov: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the mean, and on request its deviation or covariance.

        Before `fit` they are those of the prior.
        """
        if return_std and return_cov:
            raise InvalidParameterError(
                "GaussianProcessRegressor.predict gives the deviation or the "
                "covariance, not both: set one of return_std and return_cov."
            )
        fitted = hasattr(self, "X_train_")
        if not are_things(self, X):
            X = accept_table(self, X, dtype=np.float64, reset=not fitted)
        if not fitted:
            return self._predict_prior(X, return_std=return_std, return_cov=return_cov)
        kernel = self._tuned()
        if return_cov:
            mean, explained = self._project(X, kernel)
            spread = kernel.gram(X) - explained.T @ explained
            return mean, self._scaled(spread)
        step = max(1, BLOCK // len(self.X_train_))
        means, variances = [], []
        for start in range(0, len(X), step):
            block = X[start : start + step]
            mean, explained = self._project(block, kernel, with_spread=return_std)
            means.append(mean)
            if return_std:
                left = kernel.diagonal(block) - np.sum(explained**2, axis=0)
                variances.append(np.maximum(left, 0.0))
        mean = np.concatenate(means)
        if not return_std:
            return mean
        return mean, np.sqrt(self._scaled(np.concatenate(variances)))

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Matrix:
        """Draw functions from the posterior (before `fit`, the prior), at X."""
        draw = check_random_state(random_state)
        mean, spread = self.predict(X, return_cov=True)
        if mean.ndim == 1:
            return np.asarray(draw.multivariate_normal(mean, spread, n_samples).T)
        drawn = [
            draw.multivariate_normal(mean[:, j], spread[..., j], n_samples).T[:, None]
            for j in range(mean.shape[1])
        ]
        return np.hstack(drawn)

    def log_marginal_likelihood(
        self,
        theta: Any = None,
        eval_gradient: bool = False,  # noqa: FBT001, FBT002
        clone_kernel: bool = True,  # noqa: FBT001, FBT002
    ) -> Any:
        """Return the evidence at log-parameters `theta`, with its slope on request."""
        if theta is None:
            if eval_gradient:
                raise InvalidParameterError(
                    "GaussianProcessRegressor: the gradient needs theta."
                )
            return self.log_marginal_likelihood_value_
        value, slope = self._evidence(
            self._tuned().at(np.asarray(theta, dtype=np.float64)),
            self.X_train_,
            self.y_train_.reshape(len(self.y_train_), -1),
            self._noise(len(self.y_train_)),
        )
        return (value, slope) if eval_gradient else value

    def _admit(self, X: Any, y: Any) -> tuple[Any, Vector]:
        if are_things(self, X):
            return admit_measured(self, X, y, multi_output=True)
        X, y = accept_table(
            self, X, y, multi_output=True, y_numeric=True, dtype=np.float64
        )
        return X, np.asarray(y, dtype=np.float64)

    def _tune(
        self, start: TunedKernel, X: Matrix, targets: Matrix, noise: Any
    ) -> TunedKernel:
        if self.optimizer is None or not len(start.theta):
            return start
        theta = maximise(
            "GaussianProcessRegressor",
            lambda theta: self._evidence(start.at(theta), X, targets, noise),
            start,
            self.optimizer,
            int(self.n_restarts_optimizer),
            check_random_state(self.random_state),
        )
        return start.at(theta)

    def _evidence(
        self, kernel: TunedKernel, X: Matrix, targets: Matrix, noise: Any
    ) -> tuple[float, Vector]:
        return gaussian_evidence("GaussianProcessRegressor", kernel, X, targets, noise)

    def _solve(
        self, kernel: TunedKernel, X: Matrix, targets: Matrix, noise: Any
    ) -> Matrix:
        gram = kernel.gram(X)
        noisy = gram.copy()
        noisy[np.diag_indices_from(noisy)] += noise
        factor = cholesky("GaussianProcessRegressor", noisy)
        weights = linalg.cho_solve((factor, True), targets, check_finite=False)
        n, outputs = targets.shape
        evidence = -0.5 * float(np.vdot(targets, weights)) - outputs * float(
            np.log(np.diag(factor)).sum() + n / 2 * np.log(2 * np.pi)
        )
        self.kernel_ = kernel.kernel
        self.L_ = factor
        self.log_marginal_likelihood_value_ = evidence
        self.certificate_ = prove_mean(gram, weights, targets, noise)
        return np.asarray(weights)

    def _project(
        self, X: Matrix, kernel: TunedKernel, *, with_spread: bool = True
    ) -> tuple[Vector, Matrix]:
        cross = kernel.cross(X, self.X_train_)
        mean = cross @ self.alpha_ * self._train_scale + self._train_mean
        if not with_spread:
            return mean, np.empty((0, 0))
        explained = linalg.solve_triangular(
            self.L_, cross.T, lower=True, check_finite=False
        )
        return mean, explained

    def _predict_prior(self, X: Matrix, *, return_std: bool, return_cov: bool) -> Any:
        kernel = tuned_kernel("GaussianProcessRegressor", self.kernel)
        outputs = 1 if self.n_targets is None else int(self.n_targets)
        shape = (len(X),) if outputs == 1 else (len(X), outputs)
        mean = np.zeros(shape)
        spread = kernel.gram(X) if return_cov else np.sqrt(kernel.diagonal(X))
        if not (return_std or return_cov):
            return mean
        return mean, spread if outputs == 1 else np.stack([spread] * outputs, axis=-1)

    def _scaled(self, spread: Matrix) -> Matrix:
        """Variances in the units of the targets, one layer a target if several."""
        if self.y_train_.ndim == 1:
            return np.asarray(spread * self._train_scale**2)
        scales = np.broadcast_to(self._train_scale, self.y_train_.shape[1:])
        return np.asarray(np.multiply.outer(spread, scales**2))

    def _tuned(self) -> TunedKernel:
        return tuned_kernel("GaussianProcessRegressor", self.kernel_)

    def _noise(self, n: int) -> Any:
        noise = np.asarray(self.alpha, dtype=np.float64)
        if noise.ndim and noise.shape != (n,):
            raise InvalidParameterError(
                "GaussianProcessRegressor.alpha must be a number or one per sample "
                f"({n}), got shape {noise.shape}."
            )
        if not np.all(noise >= 0):
            raise InvalidParameterError(
                "GaussianProcessRegressor.alpha must be in [0, inf), got "
                f"{float(noise.min())!r}."
            )
        return noise

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


def _units(y: Matrix) -> tuple[Any, Any]:
    scale = y.std(axis=0)
    return y.mean(axis=0), np.where(scale > 0, scale, 1.0)

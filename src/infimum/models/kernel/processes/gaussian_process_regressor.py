"""Gaussian-process regression: a posterior over functions, given noisy values."""

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state

from infimum.data.doors import measured, read, things
from infimum.errors import InvalidParameterError
from infimum.kernels import Gaussian
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import are_things, is_precomputed
from infimum.models.kernel.kernel_ridges._ridge_fit import warn_if_open
from infimum.models.kernel.processes._evidence import gaussian_evidence, maximise
from infimum.models.kernel.processes._noisy_values import NoisyValues
from infimum.models.kernel.processes._process_mean import (
    ProcessMean,
    solve_in_tiles,
    solve_whole,
)
from infimum.models.kernel.processes._process_memory import ProcessMemory
from infimum.models.kernel.processes._process_spread import Spread, spread_of
from infimum.models.kernel.processes._tuned_kernel import TunedKernel, tuned_kernel
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Matrix, Vector

__all__ = ["GaussianProcessRegressor"]

#: Entries of a block of kernel values between new and old samples.
BLOCK = 2**22
#: How its door reads tables.
_DENSE: dict[str, Any] = {"accept_sparse": False, "dtype": np.float64}


class _TwoAnswersError(InvalidParameterError, RuntimeError):
    """Two answers were asked for, of which one is given; scikit-learn's class, too."""


class GaussianProcessRegressor(MultiOutputMixin, RegressorMixin, ProcessMemory):  # type: ignore[misc]
    r"""Posterior of a Gaussian process given noisy values of it.

    .. math:: \bar f(x) = k(x, X)\,(K + αI)^{-1} y, \qquad
              \operatorname{var} f(x) = k(x, x) - k(x, X)(K + αI)^{-1} k(X, x)

    The mean is kernel ridge regression, which is convex and certified; the parameters
    of the kernel maximise the evidence :math:`p(y \mid X)`, which is not convex:
    restarts help, nothing proves.

    With the solver "auto", a kernel matrix that does not fit in `cache_size` is not
    formed: rows are computed in tiles and conjugate gradients work with a Nyström
    preconditioner. Then the parameters maximise the evidence of 2,000 samples drawn at
    random; the evidence of all is estimated from random vectors, with its error; and
    variances of new samples are upper bounds, whose error is the square of a relative
    residual of 1e-7.

    Parameters
    ----------
    kernel : Kernel, kernel of scikit-learn, callable, "precomputed" or None
        A kernel of `infimum.kernels`, all of whose positive real parameters move, one
        of `sklearn.gaussian_process.kernels`, or a function of two samples. Given
        "precomputed", X holds kernel values, which are enough for the mean; for
        variances take `infimum.kernels.Precomputed`. None: a Gaussian of width 1 times
        1, both of which move.
    alpha : float or ndarray of shape (n_samples,), default=1e-10
        Variance of the noise. Conjugate gradients need some noise, from `alpha` or
        from the kernel, and the more the quicker they are.
    optimizer : "fmin_l_bfgs_b", callable or None, default="fmin_l_bfgs_b"
        How the evidence is maximised; None keeps the kernel as it is.
    n_restarts_optimizer : int, default=0
    normalize_y : bool, default=False
        Centre and scale the targets first; predictions are scaled back.
    copy_X_train : bool, default=True
    n_targets : int or None, default=None
        Number of targets of draws from the prior.
    random_state : int, RandomState or None, default=None
    solver : {"auto", "cholesky", "conjugate_gradient"}, default="auto"
        "auto" factorises what fits in `cache_size`.
    tol : float, default=1e-6
        Relative duality gap at which conjugate gradients stop.
    cache_size : float, default=4000
        Megabytes of kernel values beyond which "auto" works in tiles.

    Attributes
    ----------
    X_train_, y_train_ : ndarray
        Samples of positive weight and their targets, in the units of the process.
    kernel_ : the kernel with the parameters found
    L_ : ndarray of shape (n_samples, n_samples) or None
        Lower Cholesky factor of K + αI; None after conjugate gradients.
    alpha_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Weights of the mean.
    log_marginal_likelihood_value_ : float
    log_marginal_likelihood_error_ : float
        Standard error of the former; 0 where it was computed, not estimated.
    certificate_ : Certificate
        Proof that the mean minimises :math:`\frac12 \sum_i (y_i - f(x_i))^2/α_i +
        \frac12 \|f\|^2` for the kernel found, whose own noise is part of α. It is of
        the kernel matrix as computed, and counts no rounding.
    history_ : tuple of Record
    n_iter_ : int

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

    _domains: ClassVar[Domains] = {
        "tol": positive,
    }

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
        solver: str = "auto",
        tol: float = 1e-6,
        cache_size: float = 4000,
    ) -> None:
        self.kernel = kernel
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.copy_X_train = copy_X_train
        self.n_targets = n_targets
        self.random_state = random_state
        self.solver = solver
        self.tol = tol
        self.cache_size = cache_size

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Maximise the evidence and solve for the mean; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a list of things
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample with its target.
        """
        check_parameters(self)
        start = self._prior()
        rule = {"multi_output": True, **_DENSE}
        rows = things(self, X, y, sample_weight, door=measured, **rule)
        X, y, counts = rows.X, rows.y, rows.shares()
        found = 1 if y.ndim == 1 else y.shape[1]
        if self.n_targets is not None and self.n_targets != found:
            raise InvalidParameterError(
                f"GaussianProcessRegressor.n_targets={self.n_targets} does not suit y, "
                f"which has {found} targets."
            )
        centre, scale = _units(y, counts) if self.normalize_y else (0.0, 1.0)
        targets = ((y - centre) / scale).reshape(len(y), -1)
        # Samples without weight say nothing, and their noise would be infinite.
        self._kept = np.flatnonzero(counts)
        data = NoisyValues(X, targets, self._noise(len(y)), counts)
        if not counts.all():
            data = data.some(self._kept)
        if is_precomputed(self):
            data = replace(data, X=data.X[:, self._kept])
        draw = check_random_state(self.random_state)
        best = self._tune(start, data, draw)
        self._keep(best, data, self._solve(best, data, draw), y.ndim)
        self._train_mean, self._train_scale = centre, scale
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
            raise _TwoAnswersError(
                "GaussianProcessRegressor.predict gives the deviation or the "
                "covariance, not both: set one of return_std and return_cov."
            )
        fitted = hasattr(self, "X_train_")
        if not are_things(self, X):
            X, _ = read(self, X, reset=not fitted, moderate=True, **_DENSE)
        if not fitted:
            return self._predict_prior(X, return_std=return_std, return_cov=return_cov)
        X = X[:, self._kept] if is_precomputed(self) else X
        kernel = self._tuned()
        if return_cov:
            spread, cross = self._spread(kernel), kernel.cross(X, self.X_train_)
            left = kernel.gram(X) - spread.together(cross)
            return self._mean(cross), self._scaled(left)
        return self._predict_blocks(X, kernel, return_std=return_std)

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
        """Return the evidence at log-parameters `theta`, with its slope on request.

        Without `clone_kernel` they become those of ``kernel_``. The kernel matrix is
        held and factorised, whatever the solver of the fit.
        """
        if theta is None:
            if eval_gradient:
                raise InvalidParameterError(
                    "GaussianProcessRegressor: the gradient needs theta."
                )
            return self.log_marginal_likelihood_value_
        targets = self.y_train_.reshape(len(self.y_train_), -1)
        moved = self._tuned().at(np.asarray(theta, dtype=np.float64))
        if not clone_kernel:
            self.kernel_ = moved.kernel
        value, slope = gaussian_evidence(
            "GaussianProcessRegressor",
            moved,
            NoisyValues(self.X_train_, targets, self._alphas, self._counts),
        )
        return (np.float64(value), slope) if eval_gradient else np.float64(value)

    def _tune(self, start: TunedKernel, data: NoisyValues, draw: Any) -> TunedKernel:
        if self.optimizer is None or not len(start.theta):
            return start
        rows = self._tuning_rows(len(data.targets), draw)
        data = data.some(rows) if len(rows) < len(data.targets) else data
        theta = maximise(
            "GaussianProcessRegressor",
            lambda theta: gaussian_evidence(
                "GaussianProcessRegressor", start.at(theta), data
            ),
            start,
            self.optimizer,
            int(self.n_restarts_optimizer),
            draw,
        )
        return start.at(theta)

    def _solve(self, kernel: TunedKernel, data: NoisyValues, draw: Any) -> ProcessMean:
        if self._fits(len(data.targets)):
            return solve_whole("GaussianProcessRegressor", kernel, data, self.tol)
        if not (data.noise(kernel) > 0).all():
            raise InvalidParameterError(
                "GaussianProcessRegressor.alpha must be in (0, inf) for conjugate "
                "gradients, got 0 and a kernel without noise of its own."
            )
        return solve_in_tiles(kernel, data, self._capacity, self.tol, draw)

    def _keep(
        self, kernel: TunedKernel, data: NoisyValues, found: ProcessMean, ndim: int
    ) -> None:
        shape = data.targets.shape[:ndim]
        copied = self.copy_X_train and hasattr(data.X, "copy")
        self.X_train_ = data.X.copy() if copied else data.X
        self.y_train_ = data.targets.reshape(shape)
        self._alphas, self._counts = data.alphas, data.counts
        self.kernel_ = kernel.kernel
        self.L_, self.alpha_ = found.factor, found.weights.reshape(shape)
        self.log_marginal_likelihood_value_: np.float64 = np.float64(found.evidence)
        self.log_marginal_likelihood_error_ = found.uncertainty
        self.certificate_, self.history_ = found.certificate, found.history
        self.n_iter_ = found.history[-1].iteration
        if self.L_ is None:
            warn_if_open(self, self.certificate_)

    def _spread(self, kernel: TunedKernel) -> Spread:
        if is_precomputed(self):
            kernel.diagonal(self.X_train_)  # refuses: nothing is known of new samples
        if self.L_ is not None:
            ones = np.ones(len(self.L_))
            return spread_of(self.L_, kernel, self.X_train_, ones, 0)
        data = NoisyValues(self.X_train_, self.y_train_, self._alphas, self._counts)
        roots = 1.0 / np.sqrt(data.noise(kernel))
        return spread_of(None, kernel, self.X_train_, roots, self._capacity)

    def _predict_blocks(self, X: Any, kernel: TunedKernel, *, return_std: bool) -> Any:
        spread = self._spread(kernel) if return_std else None
        step = max(1, BLOCK // len(self.X_train_))
        means, variances = [], []
        for start in range(0, len(X), step):
            block = X[start : start + step]
            cross = kernel.cross(block, self.X_train_)
            means.append(self._mean(cross))
            if spread is not None:
                left = kernel.diagonal(block) - spread.each(cross)
                variances.append(np.maximum(left, 0.0))
        mean = np.concatenate(means)
        if spread is None:
            return mean
        return mean, np.sqrt(self._scaled(np.concatenate(variances)))

    def _mean(self, cross: Matrix) -> Matrix:
        mean = cross @ self.alpha_ * self._train_scale + self._train_mean
        return np.asarray(mean[:, 0] if self._is_column() else mean)

    def _is_column(self) -> bool:
        return self.y_train_.ndim > 1 and self.y_train_.size == len(self.y_train_)

    def _predict_prior(self, X: Matrix, *, return_std: bool, return_cov: bool) -> Any:
        kernel = self._prior()
        outputs = 1 if self.n_targets is None else int(self.n_targets)
        shape = (len(X),) if outputs == 1 else (len(X), outputs)
        mean = np.zeros(shape)
        if not (return_std or return_cov):
            return mean
        spread = kernel.gram(X) if return_cov else np.sqrt(kernel.diagonal(X))
        return mean, spread if outputs == 1 else np.stack([spread] * outputs, axis=-1)

    def _scaled(self, spread: Matrix) -> Matrix:
        """Variances in the units of the targets, one layer a target if several."""
        if self.y_train_.ndim == 1:
            return np.asarray(spread * self._train_scale**2)
        scales = np.broadcast_to(self._train_scale, self.y_train_.shape[1:])
        scaled = np.multiply.outer(spread, scales**2)
        return np.asarray(scaled[..., 0] if self._is_column() else scaled)

    def _prior(self) -> TunedKernel:
        kernel = 1.0 * Gaussian(1.0) if self.kernel is None else self.kernel
        return tuned_kernel("GaussianProcessRegressor", kernel)

    def _tuned(self) -> TunedKernel:
        return tuned_kernel("GaussianProcessRegressor", self.kernel_)

    def _noise(self, n: int) -> Vector:
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
        return np.broadcast_to(noise, (n,)).copy()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.pairwise = is_precomputed(self)
        return tags


def _units(y: Matrix, counts: Vector) -> tuple[Any, Any]:
    mean = np.average(y, axis=0, weights=counts)
    scale = np.sqrt(np.average((y - mean) ** 2, axis=0, weights=counts))
    return mean, np.where(scale > 0, scale, 1.0)

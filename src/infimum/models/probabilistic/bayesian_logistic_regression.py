"""Bayesian logistic regression: a certified mode, Laplace's law and exact draws."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import Rows, check_fitted, labelled, samples, winners
from infimum.distributions._given import generator
from infimum.distributions.sampling import Draws, Gibbs, Hamiltonian
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear import LogisticRegression
from infimum.models.probabilistic._fixed_parts import in_fixed_parts
from infimum.models.probabilistic._polya_gamma import polya_gamma
from infimum.parameters import Choice, check_domain, opened, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["BayesianLogisticRegression"]

TWO = 2
#: Longest trajectory around a standard normal law: those of random length, a quarter
#: turn on average, end uncorrelated with their start.
QUARTER = 5.0 * np.pi / 6.0


class BayesianLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Logistic regression of two classes with a normal prior on its coefficients.

    .. math:: P(y = 1 \mid x) = \sigma(x^\top w + b), \qquad w \sim N(0, I/\lambda)

    The intercept has a flat prior. `fit` finds the mode of the posterior, with a proof,
    and the normal law around it (Laplace). `sample_posterior` draws from the posterior
    itself.

    Parameters
    ----------
    prior_precision : float, default=1.0
        λ; the mode is `LogisticRegression` with ``C=1/λ``.
    fit_intercept : bool, default=True
    tol : float, default=1e-8
        The relative gap of the mode.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coef_ : ndarray of shape (1, n_features)
        The mode.
    intercept_ : ndarray of shape (1,)
    covariance_ : ndarray of shape (d, d)
        Covariance of Laplace's law: of the coefficients, then of the intercept.
    log_evidence_ : float
        Laplace's approximation of log P(y). With an intercept its flat prior has
        density 1.
    log_evidence_bounds_ : tuple of float
        Numbers between which log P(y) provably lies; with an intercept the upper one
        is infinite.
    certificate_ : Certificate
        Proof of the mode.

    Examples
    --------
    >>> X = [[-2.0], [-1.0], [0.0], [1.0], [2.0], [3.0]]
    >>> model = BayesianLogisticRegression().fit(X, [0, 0, 1, 0, 1, 1])
    >>> model.predict_proba([[2.0]]).round(2), model.predict([[2.0]])
    (array([[0.29, 0.71]]), array([1]))
    """

    def __init__(
        self,
        *,
        prior_precision: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-8,
    ) -> None:
        self.prior_precision = prior_precision
        self.fit_intercept = fit_intercept
        self.tol = tol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the mode of the posterior and the normal law around it; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        with one_blas_thread():
            return self._learn(*self._admitted(X, y, sample_weight))

    def _learn(self, found: Rows, signs: Vector) -> Self:
        self.classes_, weights = found.classes, found.weights
        rows = np.asarray(found.X, dtype=np.float64)
        mode = LogisticRegression(
            C=1.0 / float(self.prior_precision),
            fit_intercept=bool(self.fit_intercept),
            tol=self.tol,
        ).fit(rows, signs, weights)
        self.coef_, self.intercept_ = mode.coef_, np.atleast_1d(mode.intercept_)
        self.certificate_, self.n_iter_ = mode.certificate_, mode.n_iter_
        posterior = self._posterior(rows, signs, weights)
        point = self._point()
        bend = posterior.curvature(point)
        lower = np.linalg.cholesky(bend)
        inverse = np.linalg.solve(lower, np.eye(len(point)))
        self.covariance_ = inverse.T @ inverse
        peak = float(posterior.logs(point[None])[0])
        self.log_evidence_ = _normal_integral(peak, lower)
        self.log_evidence_bounds_ = self._bounds(posterior, point, peak)
        return self

    def _bounds(
        self, posterior: _Posterior, point: Vector, peak: float
    ) -> tuple[float, float]:
        """Bracket the evidence: the log-posterior lies between two quadratics."""
        widest = posterior.curvature(point, most=True)
        low = _normal_integral(peak, np.linalg.cholesky(widest))
        if self.fit_intercept:
            return low, np.inf
        # A mode that is not exact leaves a slope, which the upper bound pays for.
        slope = posterior.logs_and_slopes(point[None])[1][0]
        d, precision = len(point), float(self.prior_precision)
        high = _normal_integral(peak, np.sqrt(precision) * np.eye(d))
        return low, high + 0.5 * float(slope @ slope) / precision

    def decision_function(self, X: Any) -> Vector:
        """Return the log-odds of the second class at the mode."""
        rows = self._rows(X)
        with one_blas_thread():
            return np.asarray(rows @ self.coef_[0] + self.intercept_[0])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class, averaged over Laplace's law.

        The average is that of MacKay: the log-odds are divided by √(1 + πv/8), v their
        variance.
        """
        scores, spread = self._scores(X)
        second = expit(scores / np.sqrt(1.0 + np.pi * spread / 8.0))
        return np.column_stack([1.0 - second, second])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likelier class."""
        ahead = winners(self.decision_function(X))
        return np.asarray(self.classes_[ahead])

    def predict_interval(self, X: Any, level: float = 0.95) -> Matrix:
        """Return intervals for the chance of the second class, by Laplace's law."""
        check_domain(f"{type(self).__name__}.level", level, opened(0, 1))
        scores, spread = self._scores(X)
        half = ndtri(0.5 + 0.5 * level) * np.sqrt(spread)
        return np.column_stack([expit(scores - half), expit(scores + half)])

    def sample_posterior(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        draws: int = 1000,
        warmup: int = 200,
        chains: int = 4,
        method: str = "hamiltonian",
        max_seconds: float | None = None,
        callback: Any = None,
        random_state: Any = None,
    ) -> Draws:
        """Draw coefficients and intercept from the posterior of the data fitted.

        Parameters
        ----------
        X, y, sample_weight
            The data, again: the model does not keep them.
        draws, warmup, chains : int
        method : {"hamiltonian", "polya_gamma"}
            Trajectories around the mode, or Gibbs draws with latent weights, which ask
            for samples of equal weight.
        max_seconds, callback, random_state
            As in the samplers of `infimum.distributions.sampling`.
        """
        check_fitted(self)
        check_domain(
            f"{type(self).__name__}.method",
            method,
            Choice(("hamiltonian", "polya_gamma")),
        )
        check_domain(f"{type(self).__name__}.chains", chains, whole(1))
        given, signs = self._admitted(X, y, sample_weight, reset=False)
        if not np.array_equal(given.classes, self.classes_):
            raise DataError(
                f"{type(self).__name__}: these labels are not those of fit."
            )
        rows, weights = np.asarray(given.X, dtype=np.float64), given.weights
        posterior = self._posterior(rows, signs, weights)
        rng = generator(type(self).__name__, random_state)
        run = {"max_seconds": max_seconds, "callback": callback, "random_state": rng}
        if method == "polya_gamma":
            self._refuse_unequal(weights)
        with one_blas_thread():
            root = np.linalg.cholesky(self.covariance_)
            start = rng.standard_normal((chains, len(root)))
            if method == "polya_gamma":
                there = self._point() + start @ root.T
                return Gibbs(draws, warmup).sample([posterior.gibbs_step], there, **run)
            sampler = Hamiltonian(draws, warmup, length=QUARTER, rotate=True)
            return self._trajectories(sampler, posterior, root, start, run)

    def _trajectories(
        self,
        sampler: Hamiltonian,
        posterior: _Posterior,
        root: Matrix,
        start: Any,
        run: Any,
    ) -> Draws:
        """Draw in the coordinates in which Laplace's law is the standard normal one."""
        point = self._point()

        def target(u: Matrix) -> tuple[Vector, Matrix]:
            logs, slopes = posterior.logs_and_slopes(point + u @ root.T)
            return logs, slopes @ root

        found = sampler.sample(target, start, **run)
        values = point + found.values @ root.T
        return Draws(values, (), found.acceptance, found.divergences, found.reason)

    def _admitted(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool = True
    ) -> tuple[Rows, Vector]:
        name = type(self).__name__
        check_domain(f"{name}.prior_precision", self.prior_precision, positive)
        check_domain(f"{name}.tol", self.tol, positive)
        how: dict[str, Any] = {"weightless": "forget", "moderate": True}
        how |= {"accept_sparse": False, "reset": reset}
        found = labelled(self, X, y, sample_weight, **how)
        if len(found.classes) != TWO:
            raise DataError(
                f"Only binary classification is supported by {name}: y has "
                f"{len(found.classes)} classes."
            )
        return found, 2.0 * found.y - 1.0

    def _refuse_unequal(self, weights: Any) -> None:
        if weights is not None and not (weights == 1.0).all():
            raise DataError(
                f"{type(self).__name__}: Pólya-Gamma draws need samples of equal "
                "weight 1; repeat them, or take method='hamiltonian'."
            )

    def _posterior(self, rows: Matrix, signs: Vector, weights: Any) -> _Posterior:
        whole_ = np.column_stack([rows, np.ones(len(rows))])
        table = whole_ if self.fit_intercept else rows
        return _Posterior(table, signs, weights, self._prior(rows.shape[1]))

    def _prior(self, features: int) -> Vector:
        prior = np.full(features, float(self.prior_precision))
        return np.append(prior, 0.0) if self.fit_intercept else prior

    def _point(self) -> Vector:
        whole_ = np.append(self.coef_[0], self.intercept_[0])
        return np.asarray(whole_ if self.fit_intercept else self.coef_[0], np.float64)

    def _rows(self, X: Any) -> Matrix:
        found = samples(self, X, accept_sparse=False)
        return np.asarray(found, dtype=np.float64)

    def _scores(self, X: Any) -> tuple[Vector, Vector]:
        rows = self._rows(X)
        table = np.column_stack([rows, np.ones(len(rows))])
        table = table if self.fit_intercept else rows
        with one_blas_thread():
            spread = np.einsum("ij,ij->i", table @ self.covariance_, table)
            return np.asarray(rows @ self.coef_[0] + self.intercept_[0]), spread

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class _Posterior:
    """The log-posterior of several points at once, up to no constant."""

    def __init__(
        self, table: Matrix, signs: Vector, weights: Any, prior: Vector
    ) -> None:
        self.table, self.signs, self.prior = table, signs, prior
        self.weights = np.ones(len(signs)) if weights is None else weights
        self.pull = self.weights * signs
        proper = prior[prior > 0]
        self.constant = 0.5 * float(np.log(proper / (2.0 * np.pi)).sum())

    def logs(self, points: Matrix) -> Vector:
        """Return the log-likelihood plus the log-prior of each row."""
        return self.logs_and_slopes(points)[0]

    def logs_and_slopes(self, points: Matrix) -> tuple[Vector, Matrix]:
        """Return log-posteriors and their gradients: two products of matrices."""
        prior = 0.5 * (points**2) @ self.prior
        found = in_fixed_parts(self.table, lambda rows: self._part(points, rows))
        fits = np.sum([fit for fit, _ in found], axis=0)
        slopes = np.sum([slope for _, slope in found], axis=0) - points * self.prior
        return np.asarray(self.constant + fits - prior), np.asarray(slopes)

    def _part(self, points: Matrix, rows: slice) -> tuple[Vector, Matrix]:
        """Return what some rows add to the log-likelihoods and their gradients."""
        table = self.table[rows]
        margins = (table @ points.T) * self.signs[rows, None]
        # Both come from e^-|m|: log(1 + e^-m), and 1/(1 + e^m), which pulls.
        small = np.exp(-np.abs(margins))
        missed = margins < 0
        losses = np.log1p(small) - np.where(missed, margins, 0.0)
        pulls = np.where(missed, 1.0, small) / (1.0 + small)
        pulls *= self.pull[rows, None]
        return -self.weights[rows] @ losses, pulls.T @ table

    def curvature(self, point: Vector, *, most: bool = False) -> Matrix:
        """Return minus the second derivatives at a point, or the most there can be."""
        chance = expit(self.table @ point)
        bend = np.full(len(chance), 0.25) if most else chance * (1.0 - chance)
        weighed = (self.weights * bend)[:, None] * self.table
        return np.asarray(self.table.T @ weighed + np.diag(self.prior))

    def gibbs_step(self, points: Matrix, rng: Any) -> Matrix:
        """Draw latent weights given the points, then points given the weights."""
        pull = self.table.T @ (0.5 * self.signs)
        out = np.empty_like(points)
        for k, point in enumerate(points):
            latent = polya_gamma(self.table @ point, rng)
            precision = self.table.T @ (latent[:, None] * self.table)
            lower = np.linalg.cholesky(precision + np.diag(self.prior))
            mean = np.linalg.solve(lower.T, np.linalg.solve(lower, pull))
            moved = np.linalg.solve(lower.T, rng.standard_normal(len(point)))
            out[k] = mean + moved
        return out


def _normal_integral(peak: float, lower: Matrix) -> float:
    """Return log ∫ exp(peak - |Lᵀu|²/2) du."""
    d = len(lower)
    return float(peak + 0.5 * d * np.log(2.0 * np.pi) - np.log(np.diag(lower)).sum())

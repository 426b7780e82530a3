"""Standard errors, tests and intervals of coefficients, from classical theory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, stats

from infimum.data.doors import check_fitted
from infimum.errors import DataError, IncompatibleError
from infimum.losses import Binomial, Gamma, Logistic, Poisson, Probit, Squared
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.estimator import LinearEstimator, stated
from infimum.models.linear.fit import Recipe
from infimum.models.linear.keep import stored_in
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, opened
from infimum.penalties import NoPenalty
from infimum.typing import Matrix, Vector

__all__ = ["CoefficientTable", "coefficient_table"]

#: Directions with less information than this, as a share of the most, count as none.
FLAT = 1e-13


@dataclass(frozen=True, eq=False)
class CoefficientTable:
    """What the data say about each coefficient, and how surely.

    Attributes
    ----------
    names : tuple of str
        The features, and "intercept" last if there is one.
    estimates, errors : ndarray
        Coefficients and their standard errors.
    statistics, p_values : ndarray
        Estimate over error, and the probability of one at least as large if the true
        coefficient were 0.
    low, high : ndarray
        The ends of the intervals.
    confidence : float
        How often such intervals hold the true coefficient.
    degrees : float
        Degrees of freedom of Student's t; infinity stands for the normal law.
    dispersion : float
        The estimated variance of the noise (1 where the model fixes it).
    covariance : ndarray
        The estimated covariance matrix of the estimates.
    """

    names: tuple[str, ...]
    estimates: Vector
    errors: Vector
    statistics: Vector
    p_values: Vector
    low: Vector
    high: Vector
    confidence: float
    degrees: float
    dispersion: float
    covariance: Matrix

    def __str__(self) -> str:
        """Return the table as text, one line for each coefficient."""
        letter = "z" if np.isinf(self.degrees) else "t"
        share = f"{100 * self.confidence:g} %"
        width = max(9, *map(len, self.names))
        head = f"{'':<{width}} {'estimate':>11} {'error':>11} {letter:>9} {'p':>9}"
        lines = [f"{head}   {share} interval"]
        rows = zip(
            self.names,
            self.estimates,
            self.errors,
            self.statistics,
            self.p_values,
            self.low,
            self.high,
            strict=True,
        )
        lines += [
            f"{name:<{width}} {value:>11.5g} {error:>11.5g} {ratio:>9.3f} {p:>9.3g}"
            f"   [{low:.5g}, {high:.5g}]"
            for name, value, error, ratio, p, low, high in rows
        ]
        return "\n".join(lines)


def coefficient_table(
    model: LinearEstimator,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    confidence: float = 0.95,
    offset: Any = None,
    exposure: Any = None,
) -> CoefficientTable:
    r"""Return standard errors, tests and intervals for a fitted linear model.

    For least squares they are exact under normal noise of constant variance,

    .. math:: \widehat{\mathrm{Cov}}(\hat w) = \hat\sigma^2 (X^\top X)^{-1}, \qquad
              \hat\sigma^2 = \frac{\|y - X\hat w\|^2}{n - d},

    with Student's t on n - d degrees of freedom. For logistic, probit, binomial and
    Poisson regression they come from the observed Fisher information, the second
    derivatives of the negative log-likelihood, and the normal law, which is right for
    many samples; for gamma regression the dispersion is estimated from Pearson's
    residuals, with Student's t. All of it is about models without a penalty: a
    penalised estimate is biased, and these intervals would miss by the bias.

    Parameters
    ----------
    model : fitted linear model
        Without a penalty: `LinearRegression`, `LogisticRegression` with ``C=inf``,
        `PoissonRegressor` with ``alpha=0`` and so on.
    X, y, sample_weight
        The data it was fitted on; weights are numbers of copies.
    confidence : float, default=0.95
        How often intervals shall hold the true coefficient.
    offset, exposure : array-like of shape (n_samples,), optional
        As given to ``fit``.

    Returns
    -------
    CoefficientTable

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.linear import LinearRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0.1, 0.9, 2.1, 2.9]
    >>> print(coefficient_table(LinearRegression().fit(X, y), X, y))
                 estimate       error         t         p   95 % interval
    x0               0.96    0.056569    16.971   0.00345   [0.71661, 1.2034]
    intercept        0.06     0.10583     0.567     0.628   [-0.39535, 0.51535]
    """
    check_domain("coefficient_table.confidence", confidence, opened(0, 1))
    check_fitted(model)
    known = {"offset": offset, "exposure": exposure}
    recipe, rows = stated(model, X, y, sample_weight, reset=False, **known)
    problem = recipe.problem(rows)
    risk = _unpenalized(type(model).__name__, recipe, problem)
    point = recipe.points(problem, stored_in(model))[0]
    scores = risk.scores(point)
    covariance = _inverse_information(problem, risk, scores)
    free = problem.total - len(covariance)
    dispersion, degrees = _dispersion(risk, scores, problem.total, free)
    covariance = dispersion * covariance
    coef, intercept = problem.unpack(point)
    estimates = np.append(coef, intercept) if problem.intercept else coef
    names = getattr(model, "feature_names_in_", None)
    names = [f"x{j}" for j in range(len(coef))] if names is None else names.tolist()
    names += ["intercept"] if problem.intercept else []
    return _table(tuple(names), estimates, covariance, confidence, degrees, dispersion)


def _unpenalized(name: str, recipe: Recipe, problem: LinearProblem) -> LinearRisk:
    """Return the risk of a model for which there is a theory."""
    loss, known = problem.loss, Squared | Logistic | Probit | Binomial | Poisson | Gamma
    if not isinstance(loss, known) or len(problem.targets) != 1:
        raise IncompatibleError(
            f"There are no classical standard errors for {name} here: one target or "
            "two classes, under the squared, logistic, probit, binomial, Poisson or "
            f"gamma loss, not {type(loss).__name__} on {len(problem.targets)}."
        )
    [risk] = recipe.risks(problem)
    if not isinstance(risk.penalty, NoPenalty):
        raise IncompatibleError(
            f"{name} was fitted with {type(risk.penalty).__name__}, which biases its "
            "coefficients: classical standard errors are for fits without a penalty."
        )
    return risk


def _inverse_information(
    problem: LinearProblem, risk: LinearRisk, scores: Vector
) -> Matrix:
    """Return the inverse of the observed information, in the user's coordinates."""
    bends = risk.loss.curve(risk.y, scores, np.ones_like(scores))
    hessian = problem.total * risk.hessian(bends)
    size = len(hessian) if problem.intercept else len(hessian) - 1
    hessian = hessian[:size, :size]
    # Units must not decide what counts as flat.
    units = np.sqrt(np.maximum(np.diag(hessian), 0.0))
    safe = np.where(units > 0, units, 1.0)
    values, vectors = linalg.eigh(hessian / np.outer(safe, safe))
    if not units.all() or values[0] <= FLAT * len(values) * values[-1]:
        raise DataError(
            "The data do not determine all coefficients (dependent columns, fewer "
            "samples than columns, or separable classes): there are no standard errors."
        )
    inverse = (vectors / values) @ vectors.T / np.outer(safe, safe)
    if not problem.intercept:
        return np.asarray(inverse)
    # The user's intercept is the centred one less ⟨means, w⟩.
    back = np.eye(size)
    back[-1, :-1] = -problem.means
    return np.asarray(back @ inverse @ back.T)


def _dispersion(
    risk: LinearRisk, scores: Vector, total: float, free: float
) -> tuple[float, float]:
    """Return the dispersion and the degrees of freedom it was estimated with."""
    if not isinstance(risk.loss, Squared | Gamma):
        return 1.0, np.inf
    if free <= 0:
        raise DataError(
            f"{total:g} samples for {total - free:g} coefficients leave nothing to "
            "estimate the noise from: there are no standard errors."
        )
    errors: Vector = risk.y - scores
    if isinstance(risk.loss, Gamma):
        errors = risk.y * np.exp(-scores) - 1.0
    return total * float(risk.weights @ errors**2) / free, free


def _table(
    names: tuple[str, ...],
    estimates: Vector,
    covariance: Matrix,
    confidence: float,
    degrees: float,
    dispersion: float,
) -> CoefficientTable:
    errors = np.sqrt(np.diag(covariance))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = estimates / errors
    law = stats.norm() if np.isinf(degrees) else stats.t(degrees)
    reach = float(law.ppf(0.5 + 0.5 * confidence)) * errors
    p_values = 2.0 * law.sf(np.abs(ratios))
    return CoefficientTable(
        names,
        np.asarray(estimates, dtype=np.float64),
        errors,
        ratios,
        np.asarray(p_values),
        estimates - reach,
        estimates + reach,
        confidence,
        degrees,
        dispersion,
        covariance,
    )

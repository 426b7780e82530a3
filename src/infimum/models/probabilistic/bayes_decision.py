"""Bayes decisions with learnt laws: a distribution per class, then a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import labelled, samples, winners
from infimum.distributions import (
    Bernoulli,
    Beta,
    Distribution,
    Gamma,
    Normal,
    Poisson,
    least_cost,
)
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.probabilistic._given_numbers import given_numbers
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["BayesDecisionClassifier"]

LAWS: dict[str, type[Distribution]] = {
    "bernoulli": Bernoulli,
    "beta": Beta,
    "gamma": Gamma,
    "normal": Normal,
    "poisson": Poisson,
}
#: The least variance of a normal law, relative to the size of the values.
LEAST_SPREAD = 1e-12
RULES = Choice(("prior", "likelihood", "posterior", "cost"))


class BayesDecisionClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier that learns the law of each class and then decides by a rule.

    Within a class the features are taken as independent, each with its likeliest law.

    ============  ==========================================================
    rule          decision
    ============  ==========================================================
    prior         the most frequent class, whatever x is
    likelihood    the class under which x is likeliest, however rare it is
    posterior     the most probable class given x (maximum a posteriori)
    cost          the class of least expected cost given x
    ============  ==========================================================

    Parameters
    ----------
    density : {'normal', 'poisson', 'gamma', 'beta', 'bernoulli'}, default='normal'
        The family of the laws.
    rule : {'prior', 'likelihood', 'posterior', 'cost'}, default='posterior'
        How to decide.
    priors : array-like of shape (n_classes,), optional
        How frequent the classes are where the model will be used; by default as
        frequent as in the data.
    costs : array-like of shape (n_classes, n_classes), optional
        ``costs[y][z]`` is the price of deciding z when the truth is y; by default 1
        for every error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    laws_ : list of lists of Distribution
        One law for each class and feature.

    Examples
    --------
    >>> heights = [[175.0], [182.0], [179.0], [163.0], [168.0], [170.0]]
    >>> model = BayesDecisionClassifier()
    >>> model.fit(heights, ["male"] * 3 + ["female"] * 3).predict([[160.0], [185.0]])
    array(['female', 'male'], dtype='<U6')
    """

    _domains: ClassVar[Domains] = {
        "density": Choice(tuple(LAWS)),
        "rule": RULES,
    }

    def __init__(
        self,
        density: str = "normal",
        *,
        rule: str = "posterior",
        priors: Any = None,
        costs: Any = None,
    ) -> None:
        self.density = density
        self.rule = rule
        self.priors = priors
        self.costs = costs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn a law for each class and feature; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        with unchanged_on_failure(self):
            return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        owner = type(self).__name__
        check_parameters(self)
        found = labelled(self, X, y, sample_weight, moderate=True)
        X, codes, weights = found.X, found.y, found.shares()
        self.classes_ = found.classes
        shares = np.bincount(codes, weights, minlength=len(self.classes_))
        if not shares.all():
            missing = self.classes_[int(np.argmin(shares))]
            raise InvalidParameterError(
                f"{owner}.fit: sample_weight leaves nothing of the class {missing!r}."
            )
        self.priors_ = self._accepted_priors(shares / shares.sum())
        self._accepted_costs()
        kind = LAWS[self.density]
        self.laws_: list[list[Distribution]] = [[] for _ in self.classes_]
        for column in _columns(X):
            for k, laws in enumerate(self.laws_):
                mine = codes == k
                laws.append(_likeliest(kind, column[mine], weights[mine]))
        return self

    def log_likelihoods(self, X: Any) -> Matrix:
        """Return log p(x | class), one column per class."""
        X = samples(self, X)
        total = np.zeros((X.shape[0], len(self.classes_)))
        for j, column in enumerate(_columns(X)):
            for k, laws in enumerate(self.laws_):
                total[:, k] += laws[j]._logs(column)
        return total

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class for each sample, by Bayes' rule.

        A sample that is impossible under every class gets the priors.
        """
        with np.errstate(divide="ignore"):
            joint = self.log_likelihoods(X) + np.log(self.priors_)
        joint[np.isneginf(joint).all(axis=1)] = np.log(np.maximum(self.priors_, 1e-300))
        return np.asarray(softmax(joint, axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class that the rule decides for; ties go to the first class."""
        if self.rule == "likelihood":
            codes = winners(self.log_likelihoods(X))
        elif self.rule == "prior":
            codes = np.full(samples(self, X).shape[0], self.priors_.argmax())
        elif self.rule == "posterior":
            codes = winners(self.predict_proba(X))
        else:
            codes = least_cost(self.predict_proba(X), self._accepted_costs())
        return np.asarray(self.classes_[codes])

    def _accepted_priors(self, found: Vector) -> Vector:
        if self.priors is None:
            return found
        priors = given_numbers(f"{type(self).__name__}.priors", self.priors)
        proper = priors.shape == found.shape and bool((priors >= 0).all())
        if not proper or abs(priors.sum() - 1.0) > 1e-9:
            raise InvalidParameterError(
                f"{type(self).__name__}.priors must be {len(found)} non-negative "
                f"numbers that sum to 1, got {self.priors!r}."
            )
        return priors

    def _accepted_costs(self) -> Matrix:
        count = len(self.classes_)
        if self.costs is None:
            return 1.0 - np.eye(count)
        costs = given_numbers(f"{type(self).__name__}.costs", self.costs)
        if costs.shape != (count, count) or not np.isfinite(costs).all():
            raise InvalidParameterError(
                f"{type(self).__name__}.costs must be a {count} × {count} table of "
                f"finite numbers, got {self.costs!r}."
            )
        return costs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _likeliest(kind: type[Distribution], y: Vector, weights: Vector) -> Distribution:
    """Return the likeliest law; equal values get a normal one that is very narrow."""
    if kind is not Normal:
        return kind.fit(y, weights)
    shares = weights / weights.sum()
    mean = float(shares @ y)
    least = LEAST_SPREAD * (1.0 + float(np.abs(y).max()) ** 2)
    return Normal(mean, max(float(shares @ (y - mean) ** 2), least))


def _columns(X: Any) -> Iterator[Vector]:
    """Yield the columns one by one, so that a sparse table is never filled."""
    by_column = X.tocsc() if hasattr(X, "tocsc") else X
    for j in range(X.shape[1]):
        column = by_column[:, [j]]
        dense = column.toarray() if hasattr(column, "toarray") else column
        yield np.ravel(dense).astype(np.float64)

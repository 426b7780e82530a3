"""Deciding between classes whose laws are known: four rules, from naive to optimal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from infimum.distributions._distribution import Distribution
from infimum.errors import DataError
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix, Vector

__all__ = ["RULES", "DecisionProblem", "least_cost"]

#: By the prior alone, by the likelihood alone, by both, and by the cost of errors.
RULES = ("prior", "likelihood", "posterior", "cost")


def least_cost(posteriors: ArrayLike, costs: ArrayLike) -> NDArray[np.intp]:
    r"""Return the decision of least conditional risk for each row of posteriors.

    .. math:: R(\hat y \mid x) = \sum_y \text{costs}[y, \hat y]\, P(Y = y \mid x)

    Row y of `costs` prices the decisions when the truth is y. Ties go to the first
    decision.

    Examples
    --------
    >>> least_cost([[0.7, 0.3]], [[0.0, 1.0], [5.0, 0.0]])
    array([1])
    """
    return np.asarray((np.asarray(posteriors) @ np.asarray(costs)).argmin(axis=1))


@dataclass(frozen=True, eq=False)
class DecisionProblem:
    """Classes with known laws, known frequencies and known costs of errors.

    Attributes
    ----------
    laws : tuple of Distribution
        The law of x in each class.
    priors : tuple of float
        How frequent the classes are; they sum to 1.
    costs : tuple of tuples of float, optional
        ``costs[y][z]`` is the price of deciding z when the truth is y; by default 1
        for every error.
    labels : tuple, optional
        What to call the classes; by default 0, 1, …

    Examples
    --------
    >>> from infimum.distributions import Normal
    >>> heights = DecisionProblem(
    ...     laws=(Normal(178.0, 49.0), Normal(165.0, 36.0)),
    ...     priors=(0.5, 0.5),
    ...     labels=("male", "female"),
    ... )
    >>> heights.decide([160.0, 185.0], rule="posterior").tolist()
    ['female', 'male']
    """

    laws: tuple[Distribution, ...]
    priors: tuple[float, ...]
    costs: tuple[tuple[float, ...], ...] = ()
    labels: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.laws)
        priors = np.array(self.priors, dtype=np.float64)
        proper = priors.shape == (count,) and bool((priors >= 0).all())
        if not proper or abs(priors.sum() - 1.0) > 1e-9:
            raise DataError(
                f"DecisionProblem.priors must be {count} non-negative numbers that "
                f"sum to 1, got {self.priors!r}."
            )
        if np.shape(self._prices) != (count, count):
            raise DataError(f"DecisionProblem.costs must be a {count} × {count} table.")

    def log_likelihoods(self, x: ArrayLike) -> Matrix:
        """Return log p(x | Y = y), one column per class."""
        return np.column_stack([law._logs(np.ravel(x)) for law in self.laws])

    def posteriors(self, x: ArrayLike) -> Matrix:
        """Return P(Y = y | X = x) by Bayes' rule, one column per class."""
        with np.errstate(divide="ignore"):
            joint = self.log_likelihoods(x) + np.log(np.array(self.priors))
        return np.asarray(np.exp(joint - logsumexp(joint, axis=1, keepdims=True)))

    def conditional_risks(self, x: ArrayLike) -> Matrix:
        """Return the expected cost of each decision given x."""
        return np.asarray(self.posteriors(x) @ self._prices)

    def decide(self, x: ArrayLike, rule: str = "cost") -> NDArray[Any]:
        """Return the label that a rule gives to each x; ties go to the first class."""
        names = np.asarray(self.labels or range(len(self.laws)))
        return names[self._codes(np.ravel(np.asarray(x, dtype=np.float64)), rule)]

    def thresholds(self, rule: str, low: float, high: float) -> Vector:
        """Return the points between `low` and `high` at which a rule changes its mind.

        They are bracketed on a grid of 10,001 points and then bisected.
        """
        grid = np.linspace(low, high, 10_001)
        codes = self._codes(grid, rule)
        places = np.flatnonzero(np.diff(codes))
        left, right = grid[places], grid[places + 1]
        for _ in range(60):
            middle = 0.5 * (left + right)
            same = self._codes(middle, rule) == codes[places]
            left, right = np.where(same, middle, left), np.where(same, right, middle)
        return np.asarray(0.5 * (left + right))

    def describe(self, x: float, low: float, high: float) -> str:
        """Return a short text: what each rule decides at x, and where it changes."""
        lines = []
        for rule in RULES:
            edges = ", ".join(f"{t:.2f}" for t in self.thresholds(rule, low, high))
            choice = self.decide([x], rule)[0]
            lines.append(f"{rule:<10} at {x:g}: {choice}; changes at: {edges or '-'}")
        return "\n".join(lines)

    @property
    def _prices(self) -> Matrix:
        if self.costs:
            return np.array(self.costs, dtype=np.float64)
        return 1.0 - np.eye(len(self.laws))

    def _codes(self, x: Vector, rule: str) -> NDArray[np.intp]:
        check_domain("DecisionProblem.decide.rule", rule, Choice(RULES))
        if rule == "prior":
            return np.full(len(x), int(np.argmax(self.priors)))
        if rule == "likelihood":
            return np.asarray(self.log_likelihoods(x).argmax(axis=1))
        if rule == "posterior":
            return np.asarray(self.posteriors(x).argmax(axis=1))
        return least_cost(self.posteriors(x), self._prices)

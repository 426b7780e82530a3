"""Conditional exponential families: p(y | x) from a joint map of inputs and labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, softmax

from infimum.errors import DataError
from infimum.study.convexity import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["ConditionalFamily", "MAPObjective", "signed_inputs", "stacked_inputs"]


@dataclass(frozen=True, eq=False)
class ConditionalFamily:
    r"""The law of a label given an input, log-linear in joint features.

    .. math:: p(y \mid x, \theta) = \exp\bigl(\langle \phi(x, y), \theta\rangle
              - g(\theta \mid x)\bigr), \qquad
              g(\theta \mid x) = \log \sum_y e^{\langle \phi(x, y), \theta\rangle}

    Attributes
    ----------
    feature_map : callable
        φ: from inputs (n, d) and one label to joint features (n, D).
    labels : sequence
        The finite set of labels.

    Examples
    --------
    >>> import numpy as np
    >>> coin = ConditionalFamily(signed_inputs, (-1, 1))
    >>> coin.probabilities(np.array([2.0]), [[0.0], [1.0]]).round(3)
    array([[0.5  , 0.5  ],
           [0.119, 0.881]])
    """

    feature_map: Callable[[Matrix, Any], Matrix]
    labels: Sequence[Any]

    def features(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return φ(x, y) for every input and label: shape (n, labels, D)."""
        inputs = np.asarray(X, dtype=np.float64)
        maps = [self.feature_map(inputs, label) for label in self.labels]
        return np.stack(maps, axis=1)

    def log_partition(self, theta: Vector, X: ArrayLike) -> Vector:
        """Return g(θ | x) of each input; no exponential can overflow."""
        return np.asarray(logsumexp(self.features(X) @ theta, axis=1))

    def log_probabilities(self, theta: Vector, X: ArrayLike) -> Matrix:
        """Return log p(y | x, θ), one row per input and one column per label."""
        scores = self.features(X) @ theta
        return np.asarray(scores - logsumexp(scores, axis=1, keepdims=True))

    def probabilities(self, theta: Vector, X: ArrayLike) -> Matrix:
        """Return p(y | x, θ), one row per input and one column per label."""
        return np.asarray(softmax(self.features(X) @ theta, axis=1))

    def expected_features(self, theta: Vector, X: ArrayLike) -> Matrix:
        """Return the mean of φ(x, y) over y for each input: the gradient of g."""
        shares = self.probabilities(theta, X)
        return np.asarray(np.einsum("nk,nkd->nd", shares, self.features(X)))

    def feature_covariance(self, theta: Vector, X: ArrayLike) -> NDArray[np.float64]:
        """Return the covariance of φ(x, y) over y: the second derivatives of g."""
        centred = self.features(X) - self.expected_features(theta, X)[:, None]
        shares = self.probabilities(theta, X)
        return np.asarray(np.einsum("nk,nkd,nke->nde", shares, centred, centred))

    def predict(self, theta: Vector, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable label; of equally probable ones the first."""
        winners = (self.features(X) @ theta).argmax(axis=1)
        return np.asarray(np.asarray(self.labels)[winners])


class MAPObjective(ConvexFunction):
    r"""The negative log-posterior of θ under a standard normal prior.

    .. math:: \tfrac12\|\theta\|^2 + \sum_i g(\theta \mid x_i)
              - \langle \phi(x_i, y_i), \theta\rangle

    Up to the constant (D/2)·log 2π it is -log p(θ) - Σ log p(yᵢ | xᵢ, θ): the prior is
    the squared norm with weight one half. Smooth and strongly convex, so that every
    method of `infimum.study.convexity` minimises it.

    Parameters
    ----------
    family : ConditionalFamily
        The model.
    X : array-like of shape (n, d)
        Inputs.
    y : sequence of length n
        Their labels, each one of ``family.labels``.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.study.convexity import NewtonMethod
    >>> X, y = np.array([[1.0], [2.0], [-1.0]]), [1, 1, -1]
    >>> aim = MAPObjective(ConditionalFamily(signed_inputs, (-1, 1)), X, y)
    >>> NewtonMethod().minimize(aim, np.zeros(1)).point.round(3)
    array([0.88])
    """

    def __init__(self, family: ConditionalFamily, X: ArrayLike, y: Any) -> None:
        self.family = family
        self.X = np.asarray(X, dtype=np.float64)
        places = {label: k for k, label in enumerate(family.labels)}
        unknown = [label for label in np.asarray(y).tolist() if label not in places]
        if unknown:
            raise DataError(
                f"MAPObjective.y holds {unknown[0]!r}, which is none of the labels "
                f"{list(family.labels)}."
            )
        codes = [places[label] for label in np.asarray(y).tolist()]
        self.observed = family.features(self.X)[np.arange(len(codes)), codes]

    def value(self, theta: Vector) -> float:
        """Return the negative log-posterior, without the prior's constant."""
        scores = self.observed @ theta
        surprise = self.family.log_partition(theta, self.X) - scores
        return 0.5 * float(theta @ theta) + float(surprise.sum())

    def gradient(self, theta: Vector) -> Vector:
        """Return θ + Σ E[φ(xᵢ, y)] - φ(xᵢ, yᵢ)."""
        expected = self.family.expected_features(theta, self.X)
        return np.asarray(theta + (expected - self.observed).sum(axis=0))

    def hessian(self, theta: Vector) -> Matrix:
        """Return the identity plus the covariances of the features."""
        covariances = self.family.feature_covariance(theta, self.X)
        return np.asarray(np.eye(len(theta)) + covariances.sum(axis=0))

    @property
    def strong_convexity(self) -> float:
        """The prior alone gives a curvature of 1 in every direction."""
        return 1.0


def signed_inputs(X: Matrix, label: Any) -> Matrix:
    """Return φ(x, y) = y·x/2, so that φ(x, +1) - φ(x, -1) = x: binary regression."""
    return np.asarray(0.5 * float(label) * X)


def stacked_inputs(X: Matrix, label: Any, classes: int = 3) -> Matrix:
    """Return x in the block that belongs to the label 0, …, classes - 1, 0 elsewhere.

    With it the family is multinomial logistic regression.
    """
    n, d = X.shape
    out = np.zeros((n, classes * d))
    out[:, int(label) * d : (int(label) + 1) * d] = X
    return out

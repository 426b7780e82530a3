"""Local surrogates: a simple model of a complicated one, near a single row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.models.linear import LinearRegression, Ridge
from infimum.parameters import check_domain, positive, whole
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["LocalSurrogate", "grid_segments", "local_surrogate", "segment_relevance"]


@dataclass(frozen=True)
class LocalSurrogate(PlainRecord):
    """A weighted linear fit to a function around a row.

    Attributes
    ----------
    weights : ndarray
        Slope of each coordinate: about the gradient where samples are near.
    intercept : float
    fidelity : float
        Weighted R² of the fit on its samples: how linear the function is here.
    """

    weights: Vector
    intercept: float
    fidelity: float

    def prominent(self, most: int = 5) -> Indices:
        """Return the coordinates with the largest weights, the largest first."""
        return np.argsort(-np.abs(self.weights), kind="stable")[:most]


def local_surrogate(
    function: Callable[[Matrix], Any],
    x: ArrayLike,
    *,
    width: float | ArrayLike = 0.1,
    samples: int = 1000,
    seed: int = 0,
) -> LocalSurrogate:
    """Explain a black box at x by a linear model of it nearby (LIME).

    The function is asked at points drawn around x, in pairs on opposite sides, and a
    linear model is fitted to its answers, near points counting more. Only answers are
    needed, no gradient; for narrow samples the weights are the gradient.

    Parameters
    ----------
    function : callable
        Takes an array of rows, returns a number for each.
    x : array-like of shape (d,)
    width : float or array-like of shape (d,), default=0.1
        Standard deviation of the points around x, in the unit of each coordinate.
    samples : int, default=1000
    seed : int, default=0

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import local_surrogate
    >>> bent = lambda X: X[:, 0] ** 2 + X[:, 1]
    >>> found = local_surrogate(bent, [3.0, 0.0], width=0.01)
    >>> found.weights.round(3), found.prominent(1)
    (array([6., 1.]), array([0]))

    References
    ----------
    M. Ribeiro, S. Singh and C. Guestrin (2016), "Why should I trust you?", KDD.
    D. Garreau and U. von Luxburg (2020), Explaining the explainer, AISTATS.
    """
    centre = np.asarray(x, dtype=np.float64)
    check_domain("local_surrogate's samples", samples, whole(2 * len(centre) + 2))
    scale = np.broadcast_to(np.asarray(width, dtype=np.float64), centre.shape)
    if not (scale > 0).all():
        raise DataError("local_surrogate's width must be positive.")
    draws = np.random.default_rng(seed).standard_normal((samples // 2, len(centre)))
    steps = np.concatenate([draws, -draws])
    answers = np.asarray(function(centre + scale * steps), dtype=np.float64)
    # Relative distances decide the weights, so that they do not vanish in many columns.
    squared = np.square(steps).sum(axis=1)
    closeness = np.exp(-0.5 * squared / max(1, len(centre)))
    fit = LinearRegression().fit(steps, answers, sample_weight=closeness)
    weights = np.asarray(fit.coef_) / scale
    fidelity = float(fit.score(steps, answers, sample_weight=closeness))
    shift = float(fit.intercept_) - float(weights @ centre)
    return LocalSurrogate(weights, shift, fidelity if np.ptp(answers) > 0 else 1.0)


def grid_segments(shape: tuple[int, int], size: int) -> Indices:
    """Return the segment of each pixel when an image is cut into squares.

    Examples
    --------
    >>> grid_segments((2, 4), 2)
    array([[0, 0, 1, 1],
           [0, 0, 1, 1]])
    """
    check_domain("grid_segments' size", size, whole(1))
    down, across = (np.arange(length) // size for length in shape)
    return np.asarray(down[:, None] * (across[-1] + 1) + across[None, :])


def segment_relevance(
    function: Callable[[Any], Any],
    image: ArrayLike,
    segments: ArrayLike,
    *,
    samples: int = 200,
    strength: float = 1.0,
    seed: int = 0,
) -> Vector:
    """Find the segments of an image (superpixels) on which an answer depends.

    Segments are switched off at random, which paints them in their own average, and a
    linear model tells from the answers what each one adds.

    Parameters
    ----------
    function : callable
        Takes an array of images, returns a number for each.
    image : array-like of shape (height, width) or (height, width, channels)
    segments : array-like of int of shape (height, width)
        The segment of each pixel, 0 to the number of segments - 1.
    samples : int, default=200
        Images to ask about; each comes with its opposite.
    strength : float, default=1.0
        How strongly the linear model is regularised.

    Returns
    -------
    ndarray
        What each segment adds to the answer.
    """
    check_domain("segment_relevance's samples", samples, whole(2))
    check_domain("segment_relevance's strength", strength, positive)
    picture, owner = np.asarray(image, dtype=np.float64), np.asarray(segments)
    if owner.shape != picture.shape[:2]:
        raise DataError(
            f"Segments of shape {owner.shape} do not cover an image of shape "
            f"{picture.shape}."
        )
    n_segments = int(owner.max()) + 1
    painted = picture.copy()
    for segment in range(n_segments):
        here = owner == segment
        painted[here] = picture[here].mean(axis=0)
    half = np.random.default_rng(seed).integers(0, 2, (samples // 2, n_segments)) == 1
    on = np.concatenate([half, ~half])
    shown = on[:, owner].reshape(len(on), *owner.shape, *([1] * (picture.ndim - 2)))
    answers = np.asarray(function(np.where(shown, picture, painted)), dtype=np.float64)
    fit = Ridge(alpha=strength).fit(on.astype(np.float64), answers)
    return np.asarray(fit.coef_)

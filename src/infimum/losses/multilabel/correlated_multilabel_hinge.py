"""Correlated multilabel hinge loss: the right set of labels must beat every other."""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from infimum.errors import InvalidParameterError
from infimum.losses.multiclass._constant_scores import distinct_rows, least_cost_scores
from infimum.losses.multilabel._label_sets import LabelSets
from infimum.typing import Mask, Matrix, Vector

__all__ = ["CorrelatedMultilabelHinge"]

#: All sets of labels are listed up to this many labels.
MOST_LISTED = 8


@dataclass(frozen=True)
class CorrelatedMultilabelHinge(LabelSets):
    r"""Hinge of the right set of labels against the best wrong set.

    .. math:: \ell(z, f) = \max\bigl(0,\; 1 - \min_{z' \ne z}
              \langle P f, z - z' \rangle\bigr), \qquad z, z' \in \{-1, 1\}^k

    `matrix` is P, symmetric and positive definite: labels that occur together lend each
    other their scores; left empty it is the identity. Targets are rows of zeros and
    ones. Of the 2^k sets only a few can win: with :math:`t = 2 z \circ P f` the minimum
    is the sum of the negative t, or the least t when none is negative.

    Examples
    --------
    >>> import numpy as np
    >>> y, f = np.array([[1, 0]]), np.array([[0.5, -2.0]])
    >>> CorrelatedMultilabelHinge(2).value(y, f).round(3)
    array([0.])
    """

    matrix: tuple[tuple[float, ...], ...] = ()

    shift_invariant: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        P = self._mixing
        shaped = P.shape == (self.labels, self.labels) and np.isfinite(P).all()
        if not shaped or not np.array_equal(P, P.T) or np.linalg.eigvalsh(P)[0] <= 0.0:
            raise InvalidParameterError(
                f"CorrelatedMultilabelHinge.matrix must be {self.labels} rows of "
                f"{self.labels} numbers, symmetric and positive definite, got "
                f"{self.matrix!r}."
            )

    def value(self, y: Matrix, f: Matrix) -> Vector:
        leads = self._leads(y, f)
        least = np.where(self._rivals(leads), leads, 0.0).sum(axis=1)
        return np.asarray(np.maximum(1.0 - least, 0.0))

    def derivative(self, y: Matrix, f: Matrix) -> Matrix:
        flipped = self._rivals(self._leads(y, f)) & (self.value(y, f) > 0.0)[:, None]
        return np.asarray(-2.0 * np.where(flipped, _signs(y), 0.0) @ self._mixing)

    def decide(self, f: Matrix) -> Matrix:
        """Return the sets of labels with the highest score, as zeros and ones."""
        return np.asarray((f @ self._mixing > 0.0).astype(np.float64))

    def conjugate(self, y: Matrix, s: Matrix) -> Vector:
        shares = self._shares(y, s)
        inside = (shares.min(axis=1) >= -self.wall) & (
            shares.max(axis=1) <= 1.0 + self.wall
        )
        value = -np.minimum(shares.sum(axis=1), 1.0)
        return np.asarray(np.where(inside, value, np.inf))

    def planes(self, y: Matrix) -> tuple[Matrix, Matrix] | None:
        if self.labels > MOST_LISTED:
            return None
        every = np.array(list(product((-1.0, 1.0), repeat=self.labels)))
        apart = _signs(y)[:, None, :] - every[None, :, :]
        heights = np.where(np.abs(apart).sum(axis=2) > 0.0, 1.0, 0.0)
        return -(apart @ self._mixing)[:, None], heights[:, None]

    def slack(self, y: Matrix, s: Matrix) -> Vector:
        shares = self._shares(y, s)
        reach = 0.5 * np.abs(np.linalg.inv(self._mixing)).sum(axis=1).max()
        return np.asarray(np.minimum(shares, 1.0 - shares).min(axis=1) / reach)

    def centre(self, y: Matrix, weights: Vector) -> Matrix:
        # Those with a label pull by the share of those without, and conversely.
        common = weights @ (y > 0) / weights.sum()
        shares = 0.5 * np.where(y > 0, 1.0 - common, common)
        return np.asarray(-2.0 * (_signs(y) * shares) @ self._mixing)

    def best_constant(self, y: Matrix, weights: Vector | None = None) -> Vector:
        # ξ >= 1 - tⱼ + Σ over i ≠ j of ηᵢ and ηᵢ >= -tᵢ, for each distinct set.
        sets, shares, _ = distinct_rows(y, weights)
        k, count = self.labels, len(sets)
        leads = 2.0 * _signs(sets)[:, :, None] * self._mixing[None, :, :]
        flat = leads.reshape(count * k, k)
        one_set = np.hstack([np.ones((k, 1)), np.eye(k) - 1.0])
        first = np.kron(np.eye(count), one_set)
        second = np.kron(np.eye(count), np.hstack([np.zeros((k, 1)), np.eye(k)]))
        margin = np.concatenate([np.ones(count * k), np.zeros(count * k)])
        costs = np.kron(shares, np.append(1.0, np.zeros(k)))
        scores = least_cost_scores(
            csr_array(np.vstack([flat, flat])),
            csr_array(np.vstack([first, second])),
            margin,
            costs,
            centred=False,
        )
        return np.asarray(scores)

    @property
    def _mixing(self) -> Matrix:
        if not self.matrix:
            return np.eye(self.labels)
        return np.array(self.matrix, dtype=np.float64)

    def _leads(self, y: Matrix, f: Matrix) -> Matrix:
        """Return what the right value of each label leads the wrong one by."""
        return np.asarray(2.0 * _signs(y) * (f @ self._mixing))

    @staticmethod
    def _rivals(leads: Matrix) -> Mask:
        """Return which labels the best wrong set has changed."""
        changed = leads < 0.0
        nobody = ~changed.any(axis=1)
        changed[nobody, leads[nobody].argmin(axis=1)] = True
        return np.asarray(changed)

    def _shares(self, y: Matrix, s: Matrix) -> Matrix:
        """Return how much of each label's change the slopes are made of."""
        return np.asarray(-0.5 * _signs(y) * np.linalg.solve(self._mixing, s.T).T)


def _signs(y: Matrix) -> Matrix:
    return np.where(y > 0, 1.0, -1.0)

"""Base of support vector regressors: fit, path, predictions and proof."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.certificates import Certificate
from infimum.data.doors import measured, things
from infimum.models._audited import audited_machine
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._interior_start import Plain
from infimum.models._interruption import raise_if_interrupted
from infimum.models._support_vector_machine import SupportVectorMachine
from infimum.models._support_vector_proof import Claim, check_support, prove
from infimum.objectives import SupportVectorDual
from infimum.parameters import check_domain, positive
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["SupportVectorRegressor"]


class SupportVectorRegressor(RegressorMixin, SupportVectorMachine, ABC):  # type: ignore[misc]
    """A regressor that does not pay for errors within a tube."""

    C: Any

    @abstractmethod
    def _dual(self, y: Vector, bounds: Vector) -> SupportVectorDual:
        """Return the dual problem of these targets."""

    def _plain(self, y: Vector, bounds: Vector) -> Plain | None:
        """Return what is minimised as a risk of plain scores, if it is one."""
        return None

    @abstractmethod
    def _read(self, found: DualSolution) -> float:
        """Return the offset, and keep what else the offsets of the groups tell."""

    def _shares(self, errors: Vector, bounds: Vector, found: DualSolution) -> None:
        """Keep what share of the samples errs, where ν says something about it.

        `errors` are the targets less the offset; f is not yet taken from them.
        """

    @abstractmethod
    def _offsets(self, origin: float) -> Vector:
        """Return the offset of each group, as the model has it, seen from an origin."""

    def _offset(self, origin: float) -> float:
        return float(self.intercept_[0] - origin)

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_domain(f"{type(self).__name__}.C", self.C, positive)
        admitted = things(self, X, y, sample_weight, door=measured)
        self._prepare(admitted.X, admitted.weights)
        y, weights = admitted.y, admitted.shares()
        rows = np.flatnonzero(weights > 0)
        bounds, origin = self.C * weights[rows], _origin(y[rows])
        targets = y[rows] - origin
        dual = self._dual(targets, bounds)
        plain = self._plain(targets, bounds)
        begun = self.__dict__.get("_begun")
        start = None if begun is None else _two_sided(dual, begun[rows])
        found = self._solve(dual, self._some(admitted.X, rows), start, plain)
        coefficients = dual.coefficients(found.point)
        support = np.flatnonzero(coefficients)
        self.intercept_ = np.array([self._read(found) + origin])
        found = found.at(dual, self._offsets(origin))
        self._shares(targets - self._offset(origin), bounds, found)
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self._keep_support(admitted.X, rows[support], coefficients[None, support])
        self._keep_solutions([found])
        self.n_iter_ = max(1, found.iterations)
        raise_if_interrupted(self)
        return self

    def path(
        self, X: Any, y: Any, values: Any, *, sample_weight: Any = None
    ) -> list[Self]:
        """Fit a clone for each price in `values`, every one started from the last.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        values : array-like of shape (n_values,)
            Prices C, in the order in which to try them; from low to high is fastest.

        Returns
        -------
        list of machines
            Certified each, as if fitted alone.

        Examples
        --------
        >>> from infimum.models.kernel import SVR
        >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0.0, 1.0, 4.0, 9.0]
        >>> machines = SVR().path(X, y, [0.1, 1.0, 10.0])
        >>> [machine.C for machine in machines if machine.certificate_.closed]
        [0.1, 1.0, 10.0]
        """
        return self._along("C", values, X, y, sample_weight)

    def _start_for(self, machine: Self) -> Vector:
        # Within a wider box the start stays; with a narrower one it shrinks.
        return np.asarray(min(1.0, machine.C / self.C) * self._all_coef())

    def predict(self, X: Any) -> Vector:
        """Return the predicted target of each sample."""
        return np.asarray(self._sums(X)[:, 0] + self.intercept_[0])

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
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            The samples the machine was fitted on.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        tolerance : float, optional
            The relative gap to be proved; None means the default of `tol`, whatever
            the model was fitted with.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted; see
            `infimum.certificates.auditor`.
        """
        check_support(self, X)
        admitted = things(copy(self), X, y, sample_weight, door=measured)
        self._check_width(admitted.X, admitted.weights)
        y, weights = admitted.y, admitted.shares()
        rows = np.flatnonzero(weights > 0)
        origin = _origin(y[rows])
        dual = self._dual(y[rows] - origin, self.C * weights[rows])
        point = _two_sided(dual, self._all_coef()[rows])
        claim = Claim(dual, point, self._offsets(origin))
        asked = auditors_tolerance(type(self), tolerance)
        some = self._some(admitted.X, rows)
        proof = prove(self, claim, some, asked)
        if not rigorous:
            return proof
        plain = self._plain(y[rows], self.C * weights[rows])
        coef, b = self._all_coef()[rows], float(self.intercept_[0])
        return audited_machine(self, some, plain, coef, b, proof)


def _origin(y: Vector) -> float:
    """Return a number from which targets are seen with the digits that tell them apart.

    It is 0 where that lies among them; else one of them, in the middle.
    """
    if y.min() <= 0.0 <= y.max():
        return 0.0
    return float(np.partition(y, len(y) // 2)[len(y) // 2])


def _two_sided(dual: SupportVectorDual, coefficients: Vector) -> Vector:
    """Return a point with these coefficients whose first group keeps its sum.

    Raising and lowering a sample at once changes neither the function nor the dual.
    """
    up, down = np.maximum(coefficients, 0.0), np.minimum(coefficients, 0.0)
    if dual.groups.any():
        room = dual.high[: len(up)] - np.abs(coefficients)
        missing = max(float(dual.start[dual.groups == 0].sum() - up.sum()), 0.0)
        both = np.clip(missing - (np.cumsum(room) - room), 0.0, np.maximum(room, 0.0))
        up, down = up + both, down - both
    return np.concatenate([up, down])

"""Base of support vector regressors: the recipe of a tube, its fit, its proof."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.certificates import Certificate
from infimum.data.doors import measured, things
from infimum.losses import Loss
from infimum.models._audited import audited_machine
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._interior_start import Plain
from infimum.models._interruption import raise_if_interrupted
from infimum.models._support_vector_machine import (
    PRICES,
    SupportVectorMachine,
    price_of,
)
from infimum.models._support_vector_proof import Claim, check_support, prove
from infimum.models.kernel.support_vectors.nu_property import NuProperty
from infimum.objectives import SupportVectorDual
from infimum.parameters import Domains, check_parameters
from infimum.typing import Vector

__all__ = ["SupportVectorRegressor", "Tube"]


class Tube(NamedTuple):
    """What a support vector regressor minimises.

    Targets and what a violation costs give the dual problem. A tube that finds its own
    width has a share ν of the samples that may leave it, and two groups of variables.
    """

    dual: Callable[[Vector, Vector], SupportVectorDual]
    #: The loss, where the problem is a risk of plain scores.
    loss: Loss | None = None
    nu: float | None = None

    def plain(self, y: Vector, bounds: Vector) -> Plain | None:
        """Return what is minimised as a risk of plain scores, if it is one."""
        return None if self.loss is None else Plain(self.loss, y, bounds)

    def offsets(self, middle: float, half: float) -> Vector:
        """Return the offset of each group, given the middle and half the width."""
        if self.nu is None:
            return np.array([middle, 0.0])
        return np.array([middle + half, middle - half])

    def read(self, offsets: Vector) -> tuple[float, float]:
        """Return the middle and half the width, where that was learnt."""
        above, below = (float(offset) for offset in offsets)
        if self.nu is None:
            return above, 0.0
        return 0.5 * (above + below), 0.5 * (above - below)


class SupportVectorRegressor(RegressorMixin, SupportVectorMachine, ABC):  # type: ignore[misc]
    """A regressor that does not pay for errors within a tube."""

    _domains: ClassVar[Domains] = {"C": PRICES}

    C: Any
    epsilon_: float

    @abstractmethod
    def _recipe(self) -> Tube:
        """Return what is minimised; the parameters are checked."""

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
        check_parameters(self)
        admitted = things(self, X, y, sample_weight, door=measured)
        self._prepare(admitted.X, admitted.weights)
        y, weights = admitted.y, admitted.shares()
        rows = np.flatnonzero(weights > 0)
        bounds, origin = price_of(self) * weights[rows], _origin(y[rows])
        targets, tube = y[rows] - origin, self._recipe()
        dual, plain = tube.dual(targets, bounds), tube.plain(targets, bounds)
        begun = self.__dict__.get("_begun")
        start = None if begun is None else _two_sided(dual, begun[rows])
        found = self._solve(dual, self._some(admitted.X, rows), start, plain)
        coefficients = dual.coefficients(found.point)
        support = np.flatnonzero(coefficients)
        middle, half = tube.read(found.offsets)
        self.intercept_ = np.array([middle + origin])
        middle = float(self.intercept_[0] - origin)
        found = found.at(dual, tube.offsets(middle, half))
        if tube.nu is not None:
            outside = np.abs(targets - middle - found.scores) > half
            shares = NuProperty.of(coefficients, bounds, outside, tube.nu)
            self.__dict__.update(epsilon_=half, nu_property_=shares)
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
        return self._along("C", values, _shrunk, X, y, sample_weight)

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
        tube = self._recipe()
        dual = tube.dual(y[rows] - origin, price_of(self) * weights[rows])
        point = _two_sided(dual, self._all_coef()[rows])
        middle, half = float(self.intercept_[0] - origin), 0.0
        if tube.nu is not None:
            half = self.epsilon_
        claim = Claim(dual, point, tube.offsets(middle, half))
        asked = auditors_tolerance(type(self), tolerance)
        some = self._some(admitted.X, rows)
        proof = prove(self, claim, some, asked)
        if not rigorous:
            return proof
        plain = tube.plain(y[rows], price_of(self) * weights[rows])
        coef, b = self._all_coef()[rows], float(self.intercept_[0])
        return audited_machine(self, some, plain, coef, b, proof)


def _shrunk(last: Any, machine: Any) -> Vector:
    """Return a start: within a wider box it stays, within a narrower one it shrinks."""
    return np.asarray(min(1.0, price_of(machine) / price_of(last)) * last._all_coef())


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

"""Base of support vector detectors: fit, scores and their proof."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from infimum.certificates import Certificate
from infimum.data.doors import things
from infimum.errors import DataError
from infimum.models._audited import not_audited
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._interruption import raise_if_interrupted
from infimum.models._support_vector_machine import SupportVectorMachine
from infimum.models._support_vector_proof import Claim, check_support, prove
from infimum.objectives import SupportVectorDual
from infimum.parameters import Domains, Interval, check_parameters
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["SupportVectorDetector"]

#: The border is drawn so little further out that the samples on it are inside.
BORDER = 1e-8
#: And by less than this share of a tolerance.
SHARE = 0.1


class SupportVectorDetector(OutlierMixin, SupportVectorMachine, ABC):  # type: ignore[misc]
    """A region around most of the samples; what lies outside is new."""

    _domains: ClassVar[Domains] = {"nu": Interval(0, 1, open_low=True)}

    nu: Any
    offset_: Any

    @abstractmethod
    def _dual(self, things: Any, weights: Vector) -> SupportVectorDual:
        """Return the dual problem of these things."""

    @abstractmethod
    def _read(self, dual: SupportVectorDual, found: DualSolution) -> float:
        """Return the level on the border; keep what else the solution tells."""

    @abstractmethod
    def _offset(self) -> float:
        """Return the offset of the problem, from the level that the model has kept."""

    @abstractmethod
    def score_samples(self, X: Any) -> Vector:
        """Return the score of each sample; the higher, the more familiar."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the region, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        admitted = things(self, X, sample_weight=sample_weight)
        self._prepare(admitted.X, admitted.weights)
        weights = admitted.shares()
        rows = np.flatnonzero(weights > 0)
        some = self._some(admitted.X, rows)
        dual = self._dual(some, weights[rows])
        begun = self.__dict__.get("_begun")
        start = None if begun is None else dual.feasible(begun[rows])
        found = self._solve(dual, some, start)
        offset = self._read(dual, found)
        # Whatever rounding says of those on the border.
        offset -= min(BORDER, SHARE * float(self.tol)) * abs(offset)
        self.intercept_, self.offset_ = np.array([-offset]), np.array([offset])
        found = found.at(dual, np.array([self._offset(), 0.0]))
        self._keep_solutions([found])
        self.n_iter_ = max(1, found.iterations)
        support = np.flatnonzero(found.point)
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self._keep_support(admitted.X, rows[support], found.point[None, support])
        raise_if_interrupted(self)
        return self

    def path(self, X: Any, values: Any, *, sample_weight: Any = None) -> list[Self]:
        """Fit a clone for each share ν in `values`, every one started from the last.

        Parameters
        ----------
        X, sample_weight
            As in `fit`.
        values : array-like of shape (n_values,)
            Shares, in the order in which to try them.

        Returns
        -------
        list of detectors
            Certified each, as if fitted alone.

        Examples
        --------
        >>> from infimum.models.novelty import OneClassSVM
        >>> X = np.array([[0.0], [0.1], [0.3], [1.0]])
        >>> regions = OneClassSVM(gamma=1.0).path(X, [0.3, 0.5, 0.8])
        >>> [int((region.predict(X) == 1).sum()) for region in regions]
        [4, 2, 1]
        """
        given = X, None, sample_weight
        return self._along("nu", values, lambda last, _: last._all_coef(), *given)

    def decision_function(self, X: Any) -> Vector:
        """Return the score above the border: positive inside, negative outside."""
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for the familiar and -1 for the new."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def certify(
        self,
        X: Any,
        y: Any = None,
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
        y : ignored
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
        admitted = things(copy(self), X, sample_weight=sample_weight)
        self._check_width(admitted.X, admitted.weights)
        weights = admitted.shares()
        rows = np.flatnonzero(weights > 0)
        some = self._some(admitted.X, rows)
        dual = self._dual(some, weights[rows])
        offsets = np.array([self._offset(), 0.0])
        claim = Claim(dual, self._all_coef()[rows], offsets)
        asked = auditors_tolerance(type(self), tolerance)
        proof = prove(self, claim, some, asked)
        if proof.closed:
            self._check_words(dual, claim.point, some)
        return not_audited(self, proof) if rigorous else proof

    def _check_words(self, dual: SupportVectorDual, point: Vector, some: Any) -> None:
        """Refuse a model that says one thing in two ways."""
        if not np.array_equal(self.intercept_, -np.asarray(self.offset_)):
            raise DataError(
                f"{type(self).__name__} has an intercept_ that is not -offset_: its "
                "file or its fields were changed."
            )

"""Support vector classifiers of convex problems: their proof can be recomputed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any

import numpy as np

from infimum.certificates import Certificate
from infimum.data.validation import accept_weights
from infimum.errors import DataError
from infimum.models._kernel_door import admit_labelled
from infimum.models._support_vector_proof import Claim, check_support, prove
from infimum.models.kernel._class_weights import class_weighted
from infimum.models.kernel._support_vector_classifier import (
    Half,
    SupportVectorClassifier,
)
from infimum.typing import Vector

__all__ = ["CertifiedClassifier"]


class CertifiedClassifier(SupportVectorClassifier, ABC):
    """A classifier whose every machine minimises something convex."""

    @abstractmethod
    def _claim(self, number: int, half: Half, coefficients: Vector) -> Claim:
        """Return the problem of a machine and the solution it claims."""

    def certify(self, X: Any, y: Any, sample_weight: Any = None) -> Certificate:
        """Recompute the proof from the coefficients and the data alone.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            The samples the machine was fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.

        Returns
        -------
        Certificate
            That of the least certain machine, when there are several.
        """
        check_support(self, X)
        twin = copy(self)  # admission writes down classes
        things, codes = admit_labelled(twin, X, y)
        if not np.array_equal(twin.classes_, self.classes_):
            raise DataError(
                f"{type(self).__name__} was fitted on the classes "
                f"{self.classes_.tolist()}, got {twin.classes_.tolist()}."
            )
        weights = class_weighted(twin, codes, accept_weights(sample_weight, things))
        weights = np.ones(len(codes)) if weights is None else weights
        rows = self._pair_coef()
        proofs = []
        for number, half in enumerate(twin._halves(codes, weights)):
            coef = np.zeros(len(codes))
            coef[self.support_] = rows[number]
            claim = self._claim(number, half, coef[half.rows])
            proofs.append(prove(self, claim, self._some(things, half.rows)))
        return max(proofs, key=lambda proof: proof.relative_gap)

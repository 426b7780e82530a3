"""Support vector classifiers of convex problems: their proof can be recomputed."""

from __future__ import annotations

from abc import ABC
from copy import copy
from typing import Any

import numpy as np

from infimum.certificates import Certificate
from infimum.data.doors import class_weighted, labelled, things
from infimum.models._audited import audited_machine
from infimum.models._auditors_tolerance import auditors_tolerance
from infimum.models._support_vector_proof import check_support, prove
from infimum.models.kernel.support_vectors._support_vector_classifier import (
    SupportVectorClassifier,
)
from infimum.models.linear._classifier import check_classes

__all__ = ["CertifiedClassifier"]


class CertifiedClassifier(SupportVectorClassifier, ABC):
    """A classifier whose every machine minimises something convex."""

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
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        tolerance : float, optional
            The relative gap to be proved; None means the default of `tol`, whatever
            the model was fitted with.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted; see
            `infimum.certificates.auditor`.

        Returns
        -------
        Certificate
            That of the least certain machine, when there are several.
        """
        check_support(self, X)
        twin = copy(self)  # admission writes down features
        rows = things(twin, X, y, sample_weight, door=labelled)
        check_classes(self, rows)
        codes, given = rows.y, rows.weights
        self._check_width(rows.X, given)
        name, known = type(self).__name__, rows.classes
        weights = class_weighted(name, self.class_weight, known, codes, given)
        weights = rows.shares() if weights is None else weights
        asked = auditors_tolerance(type(self), tolerance)
        pairs, recipe = self._pair_coef(), self._recipe()
        assert recipe.claim is not None
        proofs = []
        for number, binary in enumerate(twin._binary_problems(codes, weights)):
            coef = np.zeros(len(codes))
            coef[self.support_] = pairs[number]
            claim = recipe.claim(number, binary, coef[binary.rows])
            some = self._some(rows.X, binary.rows)
            proof = prove(self, claim, some, asked)
            if rigorous:
                b = float(claim.offsets[0])
                plain = None if recipe.plain is None else recipe.plain(binary)
                proof = audited_machine(self, some, plain, coef[binary.rows], b, proof)
            proofs.append(proof)
        return max(proofs, key=lambda proof: proof.relative_gap)

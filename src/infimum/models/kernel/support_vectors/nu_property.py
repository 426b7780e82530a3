"""The ν-property: what share of the samples errs, and what share supports."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.typing import Mask, Vector

__all__ = ["NuProperty"]


class NuProperty(NamedTuple):
    """Shares of the weight of all samples that ν lies between.

    ``margin_errors ≤ nu ≤ support_vectors``, up to rounding; of a regressor the second
    only if its tube has found a width above 0.

    Attributes
    ----------
    margin_errors : float or ndarray of shape (n_machines,)
        Share of the samples beyond the margin, the tube or the border. A sample beyond
        it has a coefficient at its bound; those without are on it, as far as the fit is
        exact.
    nu : float or ndarray of shape (n_machines,)
        The share that was asked for, as far as it can be had.
    support_vectors : float or ndarray of shape (n_machines,)
        Share of the support vectors.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.novelty import OneClassSVM
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0]])
    >>> found = OneClassSVM(gamma=1.0, nu=0.5, tol=1e-6).fit(X).nu_property_
    >>> found.margin_errors, found.nu, found.support_vectors
    (0.2, 0.5, 0.6)
    """

    margin_errors: float | Vector
    nu: float | Vector
    support_vectors: float | Vector

    @classmethod
    def of(
        cls, coefficients: Vector, bounds: Vector, beyond: Mask, nu: float
    ) -> NuProperty:
        """Weigh the samples of one machine by the bounds of their coefficients."""
        sizes, total = np.abs(coefficients), float(bounds.sum())
        errors, supports = beyond & (sizes >= bounds), sizes > 0
        return cls(
            float(bounds[errors].sum() / total),
            float(nu),
            float(bounds[supports].sum() / total),
        )

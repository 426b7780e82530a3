"""Weights most of which are 0, shown as a sparse matrix if so asked."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["SparseWeights", "products"]


class SparseWeights:
    """Scikit-learn's pair of methods; what a learner goes on from stays dense."""

    coef_: Any

    def sparsify(self) -> Self:
        """Show ``coef_`` as a sparse matrix, which predictions then read; return self.

        It pays where a lasso has made most of the weights 0.
        """
        check_fitted(self)
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Show ``coef_`` as an array again; return self."""
        check_fitted(self)
        if bool(sparse.issparse(self.coef_)):
            dense = self.coef_.toarray()
            single = not hasattr(self, "classes_")
            self.coef_ = dense.ravel() if single else dense
        return self


def products(owner: Any, X: Any, coef: Any) -> Matrix:
    """Return the product of each row with the weights, whichever of them is sparse."""
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is told below
        found: Any = X @ coef.T
        if bool(sparse.issparse(found)):
            found = found.toarray()
        if not np.isfinite(found).all():
            if X.dtype != np.float64:  # single precision may have been too narrow
                return products(owner, X.astype(np.float64), coef.astype(np.float64))
            raise DataError(
                f"{type(owner).__name__}: a score overflows; scale the features."
            )
    return np.asarray(found)

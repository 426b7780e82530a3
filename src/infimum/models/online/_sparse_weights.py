"""Weights most of which are 0, shown as a sparse matrix if so asked."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from infimum.typing import Matrix

__all__ = ["SparseWeights", "products"]


class SparseWeights:
    """Scikit-learn's pair of methods; what a learner goes on from stays dense."""

    coef_: Any

    def sparsify(self) -> Self:
        """Show ``coef_`` as a sparse matrix, which predictions then read; return self.

        It pays where a lasso has made most of the weights 0.
        """
        check_is_fitted(self)
        self.coef_ = sparse.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Show ``coef_`` as an array again; return self."""
        check_is_fitted(self)
        if bool(sparse.issparse(self.coef_)):
            dense = self.coef_.toarray()
            single = not hasattr(self, "classes_")
            self.coef_ = dense.ravel() if single else dense
        return self


def products(X: Any, coef: Any) -> Matrix:
    """Return the product of each row with the weights, whichever of them is sparse."""
    found: Any = X @ coef.T
    return np.asarray(found.toarray() if bool(sparse.issparse(found)) else found)

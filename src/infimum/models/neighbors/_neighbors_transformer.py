"""Base of transformers that turn samples into graphs of their neighbours."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._neighbors_model import NeighborsModel
from infimum.parameters import Choice, Domains, check_parameters

__all__ = ["NeighborsTransformer"]

_MODES = Choice(("connectivity", "distance"))


class NeighborsTransformer(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    NeighborsModel,
):
    """Samples that new ones are linked to."""

    _domains: ClassVar[Domains] = {
        "mode": _MODES,
    }

    mode: str

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the samples; return self.

        Parameters
        ----------
        X : array-like, sparse matrix or collection of n_samples
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        check_parameters(self)
        X, _ = admit_samples(self, X)
        self._keep_samples(X)
        self._n_features_out = self.n_samples_fit_
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return the graph of the samples themselves, each its own neighbour, too."""
        return self.fit(X).transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = [np.dtype(np.float64).name]
        return tags

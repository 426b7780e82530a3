"""k nearest neighbours vote on a class."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from infimum.data.doors import winners
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._k_neighbors_model import KNeighborsModel
from infimum.models.neighbors._targets import encode_labels
from infimum.models.neighbors._votes import class_votes, weigh
from infimum.models.neighbors.tie_warning import TieWarning

__all__ = ["KNeighborsClassifier"]


class KNeighborsClassifier(ClassifierMixin, KNeighborsModel):  # type: ignore[misc]
    """Classifier that lets the k nearest samples vote.

    One neighbour reproduces every label, noise included; all of them give the same
    answer everywhere. Between two classes an odd number cannot tie; an even one can,
    which `fit` says in a `TieWarning`, and a tie goes to the first class.
    `suggest_n_neighbors` knows a number to start from.

    Parameters
    ----------
    n_neighbors : int, default=5
    weights : {'uniform', 'distance'} or callable, default='uniform'
        Every vote counts 1, or 1/distance, or what a function makes of an array of
        distances.
    algorithm, leaf_size, p, metric, metric_params, n_jobs
        As in `NearestNeighbors`.

    Attributes
    ----------
    classes_ : ndarray, or a list of them for several outputs
    outputs_2d_ : bool
        Whether there are several outputs.
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> model = KNeighborsClassifier(3).fit([[0.0], [1.0], [2.0], [9.0]], list("aabb"))
    >>> model.predict([[0.5]])
    array(['a'], dtype='<U1')
    >>> model.predict_proba([[0.5]]).round(3)
    array([[0.667, 0.333]])
    """

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Keep the samples and their labels; return self.

        Parameters
        ----------
        X : array-like, sparse matrix or collection of n_samples
            Samples; their distances for ``metric='precomputed'``.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels, of any sortable kind.
        """
        self._check()
        X, y = admit_samples(self, X, y)
        self._y = encode_labels(self, y)
        even = self.n_neighbors % 2 == 0 and self.weights in ("uniform", None)
        if even and not self.outputs_2d_ and len(self.classes_) == 2:  # noqa: PLR2004
            warnings.warn(
                f"KNeighborsClassifier: {self.n_neighbors} neighbours can vote evenly "
                f"on two classes, and {self.classes_[0]!r} wins then; an odd "
                "n_neighbors cannot tie.",
                TieWarning,
                stacklevel=3,
            )
        self._keep_samples(X)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with most votes; the first of them in a tie.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, or None
            Queries; None asks for the samples, each without its own vote.
        """
        codes = [winners(votes) for votes in self._votes(X)]
        if not self.outputs_2d_:
            return np.asarray(self.classes_[codes[0]])
        pairs = zip(self.classes_, codes, strict=True)
        return np.column_stack([classes[won] for classes, won in pairs])

    def predict_proba(self, X: Any) -> Any:
        """Return the share of each class in the votes; a list for several outputs."""
        votes = self._votes(X)
        return votes if self.outputs_2d_ else votes[0]

    def _votes(self, X: Any) -> list[Any]:
        distances, names = self.kneighbors(X)
        weights = weigh(self.weights, distances)
        classes = self.classes_ if self.outputs_2d_ else [self.classes_]
        return [
            class_votes(type(self).__name__, self._y[names, j], weights, len(known))
            for j, known in enumerate(classes)
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

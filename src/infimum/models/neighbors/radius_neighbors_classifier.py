"""All neighbours within a radius vote on a class."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from infimum.data.doors import winners
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._neighbors_model import RADII, RadiusQueries
from infimum.models.neighbors._targets import encode_labels
from infimum.models.neighbors._votes import check_weights, weigh_all
from infimum.parameters import Domains, Kind, check_parameters
from infimum.typing import Indices, Matrix

__all__ = ["RadiusNeighborsClassifier"]


def _is_label(value: object) -> bool:
    number = isinstance(value, Integral) or hasattr(value, "__len__")
    return value is None or isinstance(value, str) or number


class RadiusNeighborsClassifier(ClassifierMixin, RadiusQueries):  # type: ignore[misc]
    """Classifier that lets all samples within a radius vote.

    Parameters
    ----------
    radius : float, default=1.0
    weights : {'uniform', 'distance'} or callable, default='uniform'
        Weights of the votes, as in `KNeighborsClassifier`.
    algorithm, leaf_size, p, metric, metric_params, n_jobs
        As in `NearestNeighbors`.
    outlier_label : label, list of labels, 'most_frequent' or None, default=None
        The answer where no sample is near; None raises a DataError there.

    Attributes
    ----------
    classes_ : ndarray, or a list of them for several outputs
    outlier_label_ : list with a label for each output, or None
    outputs_2d_ : bool
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> model = RadiusNeighborsClassifier(1.0, outlier_label="b")
    >>> model.fit([[0.0], [1.0], [9.0]], list("aab")).predict([[0.5], [5.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _domains: ClassVar[Domains] = {
        "outlier_label": Kind(_is_label, "a label, 'most_frequent' or None"),
        "radius": RADII,
    }

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        outlier_label: Any = None,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs

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
        check_parameters(self)
        check_weights("RadiusNeighborsClassifier", self.weights)
        X, y = admit_samples(self, X, y)
        self._y = encode_labels(self, y)
        self.outlier_label_ = self._outlier_labels()
        self._keep_samples(X)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with most votes; the first of them in a tie.

        Parameters
        ----------
        X : array-like, sparse matrix or collection, or None
            Queries; None asks for the samples, each without its own vote.
        """
        votes, alone = self._votes(X)
        columns = []
        for j, (known, shares) in enumerate(zip(self._known(), votes, strict=True)):
            answers = known[winners(shares)]
            if alone.any() and self.outlier_label_ is not None:
                label = np.asarray(self.outlier_label_[j])
                answers = answers.astype(np.result_type(answers, label))
                answers[alone] = label
            columns.append(answers)
        return np.column_stack(columns) if self.outputs_2d_ else np.asarray(columns[0])

    def predict_proba(self, X: Any) -> Any:
        """Return the share of each class in the votes; a list for several outputs.

        Where no sample is near, the outlier label has probability 1 if it is one of
        the classes; else all are 0.
        """
        votes, _ = self._votes(X)
        return votes if self.outputs_2d_ else votes[0]

    def _known(self) -> list[Any]:
        return self.classes_ if self.outputs_2d_ else [self.classes_]

    def _votes(self, X: Any) -> tuple[list[Matrix], NDArray[np.bool_]]:
        found = self._nearby(X)
        alone = found.counts == 0
        if alone.any() and self.outlier_label_ is None:
            raise DataError(
                f"RadiusNeighborsClassifier: no neighbours within {self.radius} of "
                f"{np.count_nonzero(alone)} queries, the first at position "
                f"{np.argmax(alone)}; a larger radius or an outlier_label is needed."
            )
        shares: list[Matrix] = []
        for j, known in enumerate(self._known()):
            votes = self._counted(found, self._y[:, j], len(known))
            if self.outlier_label_ is not None:
                label = self.outlier_label_[j]
                votes[alone] = known == label
                if alone.any() and label not in known:
                    warnings.warn(
                        f"Outlier label {label!r} is not in training classes: outliers "
                        "have probability 0 of each.",
                        UserWarning,
                        stacklevel=3,
                    )
            totals = votes.sum(axis=1, keepdims=True)
            shares.append(votes / np.where(totals > 0, totals, 1.0))
        return shares, alone

    def _counted(self, found: Nearby, codes: Indices, classes: int) -> Matrix:
        """Return the votes for each class, query by query."""
        votes = np.empty((len(found.counts), classes))
        for rows, part in found.blocks():
            weights, count = weigh_all(self.weights, part), len(part.counts)
            places = part.queries * classes + codes[part.names]
            few = np.bincount(places, weights, count * classes)
            votes[rows] = few.reshape(count, classes)
        return votes

    def _outlier_labels(self) -> list[Any] | None:
        given = self.outlier_label
        known = self._known()
        if given is None:
            return None
        if isinstance(given, str) and given == "most_frequent":
            counts = [np.bincount(codes).argmax() for codes in self._y.T]
            return [names[most] for names, most in zip(known, counts, strict=True)]
        labels = (
            list(given) if isinstance(given, list | tuple) else [given] * len(known)
        )
        if len(labels) != len(known) or any(np.ndim(label) for label in labels):
            raise IncompatibleError(
                "RadiusNeighborsClassifier.outlier_label must be one label for each "
                f"of {len(known)} outputs, got {given!r}."
            )
        for label, names in zip(labels, known, strict=True):
            if isinstance(label, str) != (names.dtype.kind in "UO"):
                raise IncompatibleError(
                    "RadiusNeighborsClassifier.outlier_label must be of the kind of "
                    f"the labels, such as {names[0]!r}, got {label!r}."
                )
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

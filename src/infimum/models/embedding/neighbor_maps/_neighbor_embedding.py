"""Base of t-SNE and SNE: affinities in, a map out, new points placed on it."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.neighbor_maps._affinities import (
    Affinities,
    conditional_affinities,
    joint_affinities,
)
from infimum.models.embedding.neighbor_maps._map_extension import place
from infimum.models.embedding.neighbor_maps._map_start import start_of
from infimum.models.embedding.neighbor_maps._momentum_descent import Descent, descend
from infimum.models.embedding.neighbor_maps._neighbor_map import NeighborMap
from infimum.models.neighbors import NearestNeighbors
from infimum.models.neighbors._door import stored_distances
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_domain,
    check_parameters,
    closed,
    nonnegative,
    positive,
    whole,
)
from infimum.typing import Matrix

__all__ = ["NeighborEmbedding"]

_STARTS = Choice(("pca", "random", "mds"))
#: Steps with exaggerated attraction.
EARLY = 250


class NeighborEmbedding(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
    ABC,
):
    """A map in which near means what it means in the data."""

    _domains: ClassVar[Domains] = {
        "n_components": whole(1),
        "perplexity": positive,
        "early_exaggeration": closed(1.0, np.inf),
        "max_iter": whole(1),
        "n_iter_without_progress": whole(-1),
        "min_grad_norm": nonnegative,
        "momentum": closed(0.0, 0.999),
        "learning_rate": besides(positive, "auto"),
    }

    n_components: int
    perplexity: float
    early_exaggeration: float
    learning_rate: float | str
    max_iter: int
    n_iter_without_progress: int
    min_grad_norm: float
    metric: Any
    metric_params: dict[str, Any] | None
    init: Any
    verbose: int
    random_state: Any
    #: How much of a step is taken again at the next.
    momentum: float = 0.8
    #: Whether the map's similarities have the heavy tail of the Cauchy density.
    _heavy: bool = True

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the map of the samples; return self."""
        self.fit_transform(X)
        return self

    @whole_or_not_at_all
    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Draw the map of the samples and return it."""
        self._check()
        X = self._admit(X, reset=True)
        n = X.shape[0]
        if self.perplexity >= n:
            raise InvalidParameterError(
                f"{type(self).__name__}.perplexity must be less than the number of "
                f"samples, got {self.perplexity} and n_samples={n}."
            )
        draw = check_random_state(self.random_state)
        search = NearestNeighbors(
            n_neighbors=self._count(n),
            metric=self.metric,
            metric_params=self.metric_params,
        ).fit(X)
        distances, names = search.kneighbors()
        if (distances < 0.0).any():
            raise DataError(f"{type(self).__name__}: a distance is negative.")
        chances, self.bandwidths_ = conditional_affinities(distances, self.perplexity)
        problem = self._problem(joint_affinities(chances, names, joint=self._joint()))
        rest = descend(problem, start_of(self, X, draw), self._descent(n))
        self.embedding_ = rest.Y.astype(X.dtype)
        self.kl_divergence_ = np.float64(self._scale(n) * problem.divergence(rest.Y))
        self.history_ = [(step, self._scale(n) * kl) for step, kl in rest.history]
        self.n_iter_ = rest.steps
        self.neighbors_ = search
        self._n_features_out = int(self.n_components)
        return self.embedding_

    def transform(self, X: Any) -> Matrix:
        """Return places for samples on the map, new ones included.

        Each is placed by itself, against the samples of the fit, which stay where they
        are; a sample equal to one of them is put on it.

        Parameters
        ----------
        X : array-like or sparse matrix of n_samples
            Samples; their distances to those of the fit for ``metric='precomputed'``.
        """
        check_fitted(self)
        X = self._admit(X, reset=False)
        distances, names = self.neighbors_.kneighbors(X)
        Y = self.embedding_.astype(np.float64)
        placed = place(Y, distances, names, self.perplexity, heavy=self._heavy)
        return placed.astype(self.embedding_.dtype)

    @abstractmethod
    def _problem(self, affinities: Affinities) -> NeighborMap:
        """Return what is to be minimised."""

    def _joint(self) -> bool:
        return False

    def _count(self, n: int) -> int:
        """Return how many neighbours a point may have: all, unless it is said."""
        return n - 1

    def _usual_rate(self, n: int) -> float:
        # A quarter of n over the exaggeration: the gradient's 4 is not left out.
        return max(n / self.early_exaggeration / 4.0, 50.0)

    def _scale(self, n: int) -> float:
        """Return what makes the mean of the rows the text's sum, and 1 for pairs."""
        return 1.0 if self._joint() else float(n)

    def _admit(self, X: Any, *, reset: bool) -> Any:
        given = self.metric == "precomputed"
        X = rows(
            self,
            X,
            moderate=True,
            reset=reset,
            accept_sparse=False if given and self._compares_all() else "csr",
            ensure_min_samples=2 if reset else 1,
        ).X
        if given and reset and X.shape[0] != X.shape[1]:
            raise DataError(
                f"{type(self).__name__}: precomputed distances must be square, got "
                f"{X.shape}."
            )
        if given and hasattr(X, "tocsr"):
            X = stored_distances(X, own=reset)
            known = int(np.isfinite(X).sum(axis=1).min())
            if known <= self._count(X.shape[1]):
                raise DataError(
                    f"{type(self).__name__}.perplexity={self.perplexity:g} asks for "
                    f"{self._count(X.shape[1])} neighbours of each sample, and some "
                    f"have distances to {known} samples only, themselves included."
                )
            X[~np.isfinite(X)] = 2.0 * X[np.isfinite(X)].max()  # as far as any
        if given and (X < 0).any():
            raise DataError(f"{type(self).__name__}: a given distance is negative.")
        return X

    def _compares_all(self) -> bool:
        return getattr(self, "method", None) == "exact"

    def _check(self) -> None:
        check_parameters(self)
        if isinstance(self.init, str):
            check_domain(f"{type(self).__name__}.init", self.init, _STARTS)

    def _descent(self, n: int) -> Descent:
        rate = self.learning_rate
        wanted = self._usual_rate(n) if rate == "auto" else rate
        self.learning_rate_ = np.float64(wanted)
        return Descent(
            self.learning_rate_,
            int(self.max_iter),
            EARLY,
            float(self.early_exaggeration),
            int(self.n_iter_without_progress),
            float(self.min_grad_norm),
            float(self.momentum),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.input_tags.sparse = not given
        tags.input_tags.pairwise = given
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

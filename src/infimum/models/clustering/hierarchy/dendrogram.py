"""Dendrogram: the tree of clusters, cut and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.cluster.hierarchy import cophenet
from scipy.spatial.distance import squareform

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Dendrogram"]


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A tree of clusters: different cuts give different clusterings.

    Parameters
    ----------
    tree : ndarray of shape (n_samples - 1, 4)
        What `linkage` returns.

    Examples
    --------
    >>> from infimum.models.clustering import linkage
    >>> tree = Dendrogram(linkage([[0.0], [1.0], [4.0], [4.5]], "single"))
    >>> tree.cut(n_clusters=2), tree.cut(height=0.7)
    (array([0, 0, 1, 1]), array([0, 1, 2, 2]))
    """

    tree: Matrix

    @property
    def n_leaves(self) -> int:
        """The number of samples."""
        return len(self.tree) + 1

    @property
    def heights(self) -> Vector:
        """The heights of the merges, in their order."""
        return np.asarray(self.tree[:, 2])

    @property
    def has_inversions(self) -> bool:
        """Whether some union stands lower than one of its parts."""
        return bool(np.any(np.diff(self.heights) < 0))

    def cut(
        self, n_clusters: int | None = None, height: float | None = None
    ) -> Indices:
        """Return the cluster of each sample, numbered in the order of the samples.

        Parameters
        ----------
        n_clusters : int, optional
            How many clusters to leave: the last merges are undone.
        height : float, optional
            Merges up to this height are kept, unless a part of them is higher.
        """
        if (n_clusters is None) == (height is None):
            raise InvalidParameterError(
                "Dendrogram.cut needs either n_clusters or height, got "
                f"n_clusters={n_clusters!r} and height={height!r}."
            )
        if n_clusters is not None:
            domain = whole(1, self.n_leaves)
            check_domain("Dendrogram.cut: n_clusters", n_clusters, domain)
            kept = np.arange(self.n_leaves - int(n_clusters))
        else:
            kept = np.flatnonzero(self._reached() <= float(height or 0.0))
        return self._parts(kept)

    def partitions(self) -> Iterator[Indices]:
        """Yield the clusterings into n, n - 1, …, 1 clusters: the merging, by foot."""
        for count in range(self.n_leaves, 0, -1):
            yield self.cut(n_clusters=count)

    def cophenetic(self) -> Matrix:
        """Return the height at which each two samples come together."""
        if not len(self.tree):
            return np.zeros((1, 1))
        return np.asarray(squareform(cophenet(self.tree)))

    def leaves(self) -> Indices:
        """Return the samples in an order in which no branches cross."""
        n, order, stack = self.n_leaves, [], [2 * self.n_leaves - 2]
        while stack:
            node = stack.pop()
            if node < n:
                order.append(node)
            else:
                left, right = self.tree[node - n, :2].astype(int)
                stack += [int(right), int(left)]
        return np.array(order, dtype=np.intp)

    def plot(
        self,
        n_clusters: int | None = None,
        height: float | None = None,
        *,
        labels: Sequence[str] | None = None,
    ) -> Figure:
        """Draw the tree, with the clusters of a cut in colours.

        Parameters
        ----------
        n_clusters, height
            A cut, as in `cut`; without one the tree is grey.
        labels : sequence of str, optional
            Names of the samples; their numbers by default.
        """
        from infimum.models.clustering.hierarchy._dendrogram_picture import draw

        given = n_clusters is not None or height is not None
        return draw(self, self.cut(n_clusters, height) if given else None, labels)

    def _reached(self) -> Vector:
        """Return the greatest height in the tree below each merge."""
        n, reached = self.n_leaves, self.heights.copy()
        if self.has_inversions:
            for merge, children in enumerate(self.tree[:, :2].astype(int)):
                for child in children[children >= n]:
                    reached[merge] = max(reached[merge], reached[child - n])
        return reached

    def _parts(self, kept: Indices) -> Indices:
        n = self.n_leaves
        above = np.arange(n + len(self.tree))
        above[self.tree[kept, :2].astype(np.intp)] = (n + kept)[:, None]
        while not np.array_equal(higher := above[above], above):
            above = higher  # twice as far up as before
        raw = above[:n]
        _, place, code = np.unique(raw, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(place))[code])

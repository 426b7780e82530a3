"""k-means on the sphere: clusters of directions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state

from infimum.data.doors import refuse_huge
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import CentreModel, admit_rows
from infimum.models.clustering.centres._dense_assignment import Assignment
from infimum.models.clustering.centres._lloyd import Rows, rows_of, weigh
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix

__all__ = ["SphericalKMeans"]


class SphericalKMeans(CentreModel):
    r"""k-means for directions: samples and centres have length 1.

    .. math:: \max_{\|m_j\| = 1} \sum_i w_i \max_j
              \Bigl\langle \frac{x_i}{\|x_i\|}, m_j \Bigr\rangle

    Only the direction of a sample matters, not its length, as for texts of different
    lengths; the centre of a cluster is the direction of the sum of its samples. Samples
    that are 0 have no direction and go anywhere.

    Parameters
    ----------
    n_clusters : int, default=8
    init, n_init, max_iter, random_state
        As in `KMeans`; starts are taken on the sphere.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Of length 1 each.
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
        Sum of 1 - cosine of the angle between sample and centre.
    history_ : list of float
        The same after each iteration; it never rises.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.1], [50.0, 0.0], [0.2, 3.0], [0.0, 0.1]])
    >>> labels = SphericalKMeans(2, random_state=0).fit_predict(X)
    >>> bool(labels[0] == labels[1] and labels[2] == labels[3] != labels[0])
    True
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": whole(1),
        "max_iter": whole(1),
    }

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres; return self."""
        check_parameters(self)
        X, weights = admit_rows(self, X, sample_weight)
        refuse_huge(self, X)
        rows = rows_of(normalize(X), weights)
        draw = check_random_state(self.random_state)
        count = n_starts("SphericalKMeans", self.init, self.n_init)
        runs = (self._run(rows, draw) for _ in range(count))
        labels, centres, history = min(runs, key=lambda run: run[2][-1])
        self.cluster_centers_ = centres.astype(X.dtype)
        self.labels_ = np.asarray(labels, dtype=np.int32)
        self.history_, self.inertia_ = history, history[-1]
        self.n_iter_ = len(history)
        return self

    def _run(
        self, rows: Rows, draw: RandomState
    ) -> tuple[Indices, Matrix, list[float]]:
        k = int(self.n_clusters)
        centres = start_centres("SphericalKMeans", self.init, k, rows, draw)
        centres = _on_sphere(centres, centres)
        found, history = Assignment.blank(rows.n), list[float]()
        for _ in in_time(range(int(self.max_iter))):
            before = found.labels.copy()
            rows.assign(found, rows.inward(centres))
            apart = rows.distances(found.labels, rows.inward(centres))
            # Between points of the sphere ‖x - m‖² = 2 - 2⟨x, m⟩.
            history.append(0.5 * weigh(rows, apart) * rows.unit**2)
            if len(history) > 1 and np.array_equal(before, found.labels):
                break
            sums, mass = rows.sums(found.labels, k)
            means = rows.outward(sums / np.maximum(mass, 1e-300)[:, None])
            centres = _on_sphere(means * (mass > 0.0)[:, None], centres)
        return found.labels, centres, history

    def _admit_again(self, X: Any) -> Any:
        return normalize(super()._admit_again(X))


def _on_sphere(points: Matrix, otherwise: Matrix) -> Matrix:
    """Return points at length 1; those at 0 have no direction and are replaced."""
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.where(lengths > 1e-12, points / np.maximum(lengths, 1e-300), otherwise)

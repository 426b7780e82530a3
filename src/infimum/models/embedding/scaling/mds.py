"""Multidimensional scaling: points whose distances come near to those wanted."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.scaling._distances import (
    admit_distances,
    distances_to,
    nearest_known,
)
from infimum.models.embedding.scaling._majorization import (
    Disparities,
    Scaled,
    majorize,
    majorize_each,
)
from infimum.models.embedding.scaling._placing import centre, principal_points
from infimum.models.embedding.scaling.stress import descend_stress, stress
from infimum.parameters import Choice, Domains, check_parameters, nonnegative, whole
from infimum.typing import Matrix

__all__ = ["MDS"]

_STARTS = Choice(("random", "classical_mds"))
_SOLVERS = Choice(("smacof", "gradient"))


class MDS(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Points in few dimensions with about the distances of the samples.

    .. math:: \min_X \sum_{i<j} (\|x_i - x_j\| - d_{ij})^2

    by majorisation (SMACOF): stress never rises. The non-metric form asks only that
    distances are in the order of the dissimilarities: they may be replaced by any
    others in that order. Neither problem is convex; the start decides which minimum is
    found.

    Parameters
    ----------
    n_components : int, default=2
    metric_mds : bool, default=True
        Whether the sizes of distances count, or their order only.
    n_init : int, default=1
        Starts; the one with the least stress is kept. Further starts are random.
    init : {"classical_mds", "random"}, default="classical_mds"
        The first start; eigenvectors are rarely far from a good minimum.
    max_iter : int, default=300
    verbose : int, default=0
        Accepted for compatibility; nothing is printed.
    eps : float, default=1e-6
        Stop when a step gains less than this share of the squared distances.
    n_jobs : int, optional
        Accepted for compatibility; all cores are used, the answer is the same.
    random_state : int, RandomState or None, default=None
    dissimilarity : str, default="deprecated"
        Older name of `metric`.
    metric : str, Kernel or callable, default="euclidean"
        A distance as in `infimum.models.neighbors`, or "precomputed".
    metric_params : dict, optional
    normalized_stress : bool or "auto", default="auto"
        Whether `stress_` is Kruskal's stress-1; "auto" for the non-metric form only.
    solver : {"smacof", "gradient"}, default="smacof"
        "gradient" descends on the stress relative to the sum of distances instead.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    stress_ : float
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)
    n_iter_ : int
    history_ : list of float
        Stress after each step of the start that was kept.

    Examples
    --------
    >>> model = MDS(1, metric="precomputed")
    >>> bool(model.fit([[0, 3, 4], [3, 0, 1], [4, 1, 0]]).stress_ < 1e-12)
    True
    """

    _domains: ClassVar[Domains] = {
        "n_components": whole(1),
        "n_init": whole(1),
        "init": _STARTS,
        "max_iter": whole(1),
        "eps": nonnegative,
        "solver": _SOLVERS,
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric_mds: bool = True,
        n_init: int = 1,
        init: str = "classical_mds",
        max_iter: int = 300,
        verbose: int = 0,
        eps: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = None,
        dissimilarity: str = "deprecated",
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        normalized_stress: Any = "auto",
        solver: str = "smacof",
    ) -> None:
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress
        self.solver = solver

    def fit(self, X: Any, y: Any = None, init: Any = None) -> Self:
        """Find the points; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        init : array-like of shape (n_samples, n_components), optional
            Points to start from, the only start then.
        """
        self.fit_transform(X, init=init)
        return self

    @whole_or_not_at_all
    def fit_transform(self, X: Any, y: Any = None, init: Any = None) -> Matrix:
        """Fit and return the points of the same samples; see `fit`."""
        self._check()
        self._known, far = admit_distances(self, X, self._distance())
        draw = check_random_state(self.random_state)
        starts = self._starts(far, init, draw)
        runs = [self._run(far, start) for start in starts]
        best = min(runs, key=lambda run: run.history[-1])
        self.embedding_, self.history_ = best.points, best.history
        self.dissimilarity_matrix_, self.n_iter_ = far, len(best.history)
        auto = self.normalized_stress == "auto"
        short = not self.metric_mds if auto else bool(self.normalized_stress)
        self.stress_ = np.float64(best.normalized if short else best.stress)
        self._n_features_out = self.embedding_.shape[1]
        return np.asarray(self.embedding_)

    def transform(self, X: Any) -> Matrix:
        """Place new samples among the points of the fit, which stay where they are.

        Each minimises its own stress, from the point of the nearest sample; one that
        coincides with a sample of the fit gets its point. In the non-metric form
        distances are scaled to the size of the points first.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples; their distances to those of the fit for ``metric='precomputed'``.
        """
        check_fitted(self)
        far = distances_to(self, X, self._known, self._distance())
        nearest, same = nearest_known(far)
        scaled = far * self._scale() if not self.metric_mds else far
        placed = majorize_each(
            scaled, self.embedding_, nearest, max_iter=int(self.max_iter)
        )
        placed[same] = self.embedding_[nearest[same]]
        return placed

    def _distance(self) -> Any:
        old = self.dissimilarity
        return self.metric if old == "deprecated" else old

    def _scale(self) -> float:
        """How long the points' distances are for those of the samples."""
        wanted = self.dissimilarity_matrix_
        raw = stress(np.zeros_like(wanted), self.embedding_, "raw")
        below = float(np.sum(wanted**2)) / 2.0
        return float(np.sqrt(raw / below)) if below > 0 else 1.0

    def _check(self) -> None:
        check_parameters(self)
        if self.solver == "gradient" and not self.metric_mds:
            raise IncompatibleError(
                "MDS: the order of distances has no gradient; use solver='smacof'."
            )

    def _starts(self, far: Matrix, init: Any, draw: RandomState) -> list[Matrix]:
        n, count = len(far), int(self.n_components)
        if init is not None:
            given = np.asarray(init, dtype=np.float64)
            if given.shape != (n, count):
                raise DataError(
                    f"MDS: init must have shape {(n, count)}, got {given.shape}."
                )
            return [given]
        starts = []
        if self.init == "classical_mds":
            points = principal_points(centre(far), n, min(n, count))[1]
            starts.append(np.pad(points, ((0, 0), (0, count - points.shape[1]))))
        more = int(self.n_init) - len(starts)
        starts += [draw.uniform(size=(n, count)) for _ in range(more)]
        return starts

    def _run(self, far: Matrix, start: Matrix) -> Scaled:
        if self.solver == "gradient":
            points, history = descend_stress(
                far, start, max_iter=int(self.max_iter), tol=float(self.eps)
            )
            raw = stress(far, points, "raw")
            squares = stress(np.zeros_like(far), points, "raw")
            return Scaled(points, raw, squares, history)
        ordinal = None if self.metric_mds else Disparities(far)
        return majorize(
            far,
            start,
            max_iter=int(self.max_iter),
            eps=float(self.eps),
            disparities=ordinal,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self._distance(), str) and self._distance() == "precomputed"
        tags.input_tags.pairwise = given
        tags.input_tags.sparse = not given
        return tags

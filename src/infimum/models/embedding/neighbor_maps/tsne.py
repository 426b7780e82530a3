"""t-SNE: a map of the samples that keeps neighbours."""

from typing import Any, ClassVar

from infimum.errors import InvalidParameterError
from infimum.models.embedding.neighbor_maps._affinities import Affinities
from infimum.models.embedding.neighbor_maps._charges import (
    Charges,
    FullCharges,
    GridCharges,
    TreeCharges,
)
from infimum.models.embedding.neighbor_maps._neighbor_embedding import NeighborEmbedding
from infimum.models.embedding.neighbor_maps._neighbor_map import NeighborMap
from infimum.parameters import Choice, Domains, closed

__all__ = ["TSNE"]

_METHODS = Choice(("auto", "fft", "barnes_hut", "exact"))
_VARIANTS = Choice(("joint", "rowwise"))
#: Up to so many points all pairs are quicker than a grid.
FEW = 500
PLANE, SPACE = 2, 3


class TSNE(NeighborEmbedding):
    r"""A map of points in which close neighbours stay close neighbours.

    .. math:: \min_Y\ \sum_{ij} p_{ij} \log\frac{p_{ij}}{q_{ij}}, \qquad
              p_{ij} = \frac{p_{j|i} + p_{i|j}}{2n}, \quad
              q_{ij} = \frac{(1 + \|y_i - y_j\|^2)^{-1}}
                            {\sum_{k ≠ l} (1 + \|y_k - y_l\|^2)^{-1}}

    with Gaussian :math:`p_{j|i}` whose bandwidths give every point the same
    perplexity, that is about the same number of neighbours. The divergence is not
    convex: the map depends on the start, and what it shows is for exploring only. Sizes
    of clusters and distances between them mean little, small perplexities show clumps
    in noise, and whatever is seen has to be checked by other means.

    Repulsion, the sum over all pairs, comes from a grid and the fast Fourier
    transform, from a tree, or from all pairs; the first two are off by about
    a per cent, less than the steps are.

    Parameters
    ----------
    n_components : int, default=2
    perplexity : float, default=30.0
        Effective number of neighbours; less than the number of samples.
    early_exaggeration : float, default=12.0
        How many times stronger points attract each other in the first 250 steps.
    learning_rate : float or 'auto', default='auto'
        'auto' stands for ``max(n_samples / early_exaggeration / 4, 50)``.
    max_iter : int, default=1000
    n_iter_without_progress : int, default=300
    min_grad_norm : float, default=1e-7
    metric : str or callable, default='euclidean'
        Any distance of `infimum.models.neighbors.NearestNeighbors`.
    metric_params : dict or None, default=None
    init : {'pca', 'random', 'mds'} or array, default='pca'
        The first map; 'mds' is classical scaling of the metric's distances.
    verbose : int, default=0
        Accepted for compatibility: `history_` tells how the divergence fell.
    random_state : int, RandomState or None, default=None
    method : {'auto', 'fft', 'barnes_hut', 'exact'}, default='auto'
        Where repulsion comes from. 'auto' takes the grid in the plane, trees in one
        or three dimensions, and all pairs otherwise and for up to 500 samples. For
        'exact' all samples are neighbours, else the 3 · perplexity nearest.
    angle : float, default=0.5
        For 'barnes_hut': cells smaller than this, seen from a point, act as one.
    n_jobs : int or None, default=None
        Accepted for compatibility: all cores are used, the map is the same.
    momentum : float, default=0.8
        How much of a step is taken again at the next, after exaggeration.
    variant : {'joint', 'rowwise'}, default='joint'
        'rowwise' compares each :math:`p_{·|i}` with :math:`q_{·|i}`, normalised over
        its own row, and minimises the sum of these divergences.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    kl_divergence_ : float
        The divergence reached; for rows the sum of theirs.
    bandwidths_ : ndarray of shape (n_samples,)
        The σ of each point.
    learning_rate_ : float
    n_iter_ : int
    history_ : list of (step, divergence)
    neighbors_ : NearestNeighbors
        The search among the samples.

    Examples
    --------
    >>> import numpy as np
    >>> draw = np.random.default_rng(0)
    >>> X = draw.standard_normal((60, 5)) + 20 * np.repeat([[0], [1]], 30, axis=0)
    >>> tsne = TSNE(perplexity=10, random_state=0).fit(X)
    >>> sides = tsne.embedding_[:, 0] > tsne.embedding_[:, 0].mean()
    >>> bool(np.all(sides[:30] == sides[0]) and np.all(sides[30:] != sides[0]))
    True
    >>> bool(np.all((tsne.transform(X[:5] + 0.01)[:, 0] > 0) == (sides[0])))
    True
    """

    _domains: ClassVar[Domains] = {
        "method": _METHODS,
        "variant": _VARIANTS,
        "angle": closed(0.0, 1.0),
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float = 30.0,
        early_exaggeration: float = 12.0,
        learning_rate: float | str = "auto",
        max_iter: int = 1000,
        n_iter_without_progress: int = 300,
        min_grad_norm: float = 1e-7,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        init: Any = "pca",
        verbose: int = 0,
        random_state: Any = None,
        method: str = "auto",
        angle: float = 0.5,
        n_jobs: int | None = None,
        momentum: float = 0.8,
        variant: str = "joint",
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs
        self.momentum = momentum
        self.variant = variant

    def _problem(self, affinities: Affinities) -> NeighborMap:
        charges = self._charges(len(affinities.starts) - 1)
        return NeighborMap(affinities, charges, joint=self._joint())

    def _charges(self, n: int) -> Charges:
        method, sides = self.method, int(self.n_components)
        if method == "auto":
            few = n <= FEW or sides > SPACE
            method = "exact" if few else "fft" if sides == PLANE else "barnes_hut"
        if method == "fft":
            return GridCharges()
        return TreeCharges(self.angle) if method == "barnes_hut" else FullCharges()

    def _joint(self) -> bool:
        return self.variant == "joint"

    def _count(self, n: int) -> int:
        if self.method == "exact":
            return n - 1
        return min(n - 1, int(3.0 * self.perplexity) + 1)

    def _check(self) -> None:
        super()._check()
        sides = int(self.n_components)
        if self.method == "fft" and sides != PLANE:
            raise InvalidParameterError(
                f"TSNE.method='fft' draws maps in the plane, got n_components={sides}; "
                "use 'barnes_hut' (up to 3) or 'exact'."
            )
        if self.method == "barnes_hut" and sides > SPACE:
            raise InvalidParameterError(
                "TSNE.method='barnes_hut' has cells in up to 3 dimensions, got "
                f"n_components={sides}; use 'exact'."
            )

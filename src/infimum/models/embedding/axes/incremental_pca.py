"""Principal component analysis of data that come in batches."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import gen_batches

from infimum.data.doors import refuse_tiny, rows
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.axes._axes_update import Seen, update
from infimum.models.embedding.axes.pca import PCA, TINY
from infimum.parameters import (
    Domains,
    check_domain,
    check_parameters,
    flag,
    or_none,
    whole,
)

__all__ = ["IncrementalPCA"]


class IncrementalPCA(PCA):
    """Principal axes kept up to date batch by batch, in memory for one batch.

    With all components the result is that of `PCA`; with fewer, what a batch leaves
    out is forgotten. Sparse batches stay sparse where few components are kept, and may
    come to `partial_fit` too.

    Parameters
    ----------
    n_components : int or None, default=None
        How many axes; None for as many as the first batch has samples or features.
    whiten : bool, default=False
        Scale the scores to unit variance.
    copy : bool, default=True
        Accepted for compatibility: the data are never overwritten.
    batch_size : int or None, default=None
        Rows that `fit` reads at a time; None stands for five times the features.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray
    mean_, var_ : ndarray of shape (n_features,)
    noise_variance_ : float
    n_components_, n_samples_seen_, batch_size_, n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((100, 4)) * [4, 3, 2, 1]
    >>> model = IncrementalPCA(2, batch_size=20).fit(X)
    >>> model.n_samples_seen_, model.components_.shape
    (100, (2, 4))
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(1)),
        "whiten": flag,
        "batch_size": or_none(whole(1)),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the axes of all samples, read in batches; return self."""
        X = self._admit(X, reset=True)
        n, d = X.shape
        check_parameters(self)
        self.batch_size_ = 5 * d if self.batch_size is None else int(self.batch_size)
        least = 0 if self.n_components is None else int(self.n_components)
        seen = None
        for batch in gen_batches(n, self.batch_size_, min_batch_size=least):
            seen = self._advance(seen, X[batch])
        if n * float(self.var_.sum()) < TINY:
            refuse_tiny(self, X)
        return self

    @whole_or_not_at_all
    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        check_input: bool = True,  # noqa: FBT001, FBT002
    ) -> Self:
        """Bring the axes up to date with one more batch; return self.

        Input is always checked; `check_input` is accepted for compatibility.
        """
        seen = self._seen()
        X = self._admit(X, reset=seen is None)
        self._advance(seen, X)
        return self

    def _admit(self, X: Any, *, reset: bool) -> Any:
        return rows(self, X, moderate=True, reset=reset).X

    def _advance(self, seen: Seen | None, X: Any) -> Seen:
        seen = update(seen, X, self._keep_count(seen, X.shape))
        kind, scale = X.dtype, max(seen.count - 1, 1)
        total = float(seen.count * seen.variances.sum())
        squares = seen.singular**2
        self.components_ = np.ascontiguousarray(seen.axes, dtype=kind)
        self.singular_values_ = seen.singular.astype(kind)
        self.explained_variance_ = (squares / scale).astype(kind)
        share = squares / total if total > 0 else np.zeros_like(squares)
        self.explained_variance_ratio_ = share.astype(kind)
        self.mean_ = seen.mean.astype(kind)
        self.var_ = seen.variances
        self.noise_variance_ = seen.rest / scale
        self.n_components_ = len(squares)
        self.n_samples_seen_ = self.n_samples_ = seen.count
        self._n_features_out = self.n_components_
        return seen

    def _seen(self) -> Seen | None:
        if not hasattr(self, "components_"):
            return None
        return Seen(
            self.n_samples_seen_,
            self.mean_.astype(np.float64),
            self.var_,
            self.components_.astype(np.float64),
            self.singular_values_.astype(np.float64),
            self.noise_variance_ * max(self.n_samples_seen_ - 1, 1),
        )

    def _keep_count(self, seen: Seen | None, shape: tuple[int, int]) -> int:
        n, d = shape
        if self.n_components is None:
            return min(n, d) if seen is None else len(seen.singular)
        check_domain("IncrementalPCA.n_components", self.n_components, whole(1, d))
        keep = int(self.n_components)
        if seen is None and keep > n:
            raise InvalidParameterError(
                f"IncrementalPCA.n_components={keep} needs a first batch of at least "
                f"as many samples, got n_samples={n}."
            )
        if seen is not None and keep != len(seen.singular):
            raise InvalidParameterError(
                f"IncrementalPCA.n_components changed from {len(seen.singular)} to "
                f"{keep} between batches; fit again."
            )
        return keep

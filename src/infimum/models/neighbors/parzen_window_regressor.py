"""Parzen-window regression: a mean in which near samples count more."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from infimum.data.doors import measured
from infimum.data.doors.tables import moderate_targets
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._window_model import WindowModel
from infimum.typing import Matrix

__all__ = ["ParzenWindowRegressor"]


class ParzenWindowRegressor(RegressorMixin, WindowModel):  # type: ignore[misc]
    r"""Regression by a mean of the targets in which near samples count more.

    .. math:: f(x) = \frac{\sum_i y_i\, r_i^{-d}\, h(\|x - x_i\|/r_i)}
                          {\sum_i r_i^{-d}\, h(\|x - x_i\|/r_i)}

    Also called the Nadaraya–Watson estimate. Where no window reaches, the nearest
    sample answers, so that 0/0 never happens.

    Parameters
    ----------
    window : str or Window, default='gaussian'
        The bump h of `infimum.kernels.windows`, or its name in lower case.
    width : float or 'local', default=1.0
        Width r of all windows; 'local' gives each sample half the mean distance to
        its nearest others, so that windows are narrow where samples are dense.
    n_neighbors : int, default=9
        How many others, for ``width='local'``.

    Attributes
    ----------
    X_fit_ : ndarray of shape (n_samples, n_features)
    widths_ : ndarray of shape (n_samples,)
    n_features_in_ : int

    Examples
    --------
    >>> model = ParzenWindowRegressor("uniform", width=0.5)
    >>> model.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0]).predict([[0.5], [9.0]])
    array([0.5, 5. ])
    """

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Keep the samples and their targets; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        """
        found = measured(self, X, y, multi_output=True)
        X, self._y = found.X, moderate_targets(self, found.y)
        if hasattr(X, "toarray"):
            raise DataError(
                "ParzenWindowRegressor needs dense samples, got sparse ones: pass "
                "X.toarray()."
            )
        self._keep_samples(X)
        return self

    def predict(self, X: Any) -> Matrix:
        """Return the windowed mean of the targets at each query."""
        means = self._means(X)
        return means if self._y.ndim > 1 else np.asarray(means[:, 0])

    def _columns(self) -> Matrix:
        return self._y.reshape(len(self._y), -1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

"""Ridge regression that chooses its strength by leaving samples out."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import Rows
from infimum.features.columns import is_sparse
from infimum.models.linear._given import GivenValues
from infimum.models.linear._regressor import MultiTargetRegressor
from infimum.models.linear.closed_form._ridge_cv import (
    GAP,
    PROBLEMS,
    ChosenRidge,
    Trial,
    single_or_all,
)
from infimum.models.linear.closed_form._ridge_recipe import ridge_recipe
from infimum.models.linear.coding import measured_coding
from infimum.models.linear.fit import Recipe
from infimum.parameters import Choice, Domains

__all__ = ["RidgeCV"]

_MODES = Choice((None, "auto", "eigen", "svd"))


class RidgeCV(ChosenRidge, MultiTargetRegressor):
    r"""Ridge regression under the best of several strengths.

    .. math:: y_i - f_{-i}(x_i) = \frac{y_i - f(x_i)}{1 - h_i}

    Without `cv` every sample is predicted by the model that has not seen it. The
    formula gives all of these predictions from the model fitted on everything: after
    one decomposition each strength costs two products.

    A weight of k means k copies. They are left out together, since a copy left behind
    would give the answer away, and their error counts k times.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        Strengths to try, as in `Ridge`.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    scoring : str, callable or None, default=None
        How to judge predictions. None means the squared error when samples are left
        out one by one, and R² under `cv`.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None leaves out one sample at a time, in closed form.
    gcv_mode : {'auto', 'eigen', 'svd'} or None, default=None
        'svd' decomposes X itself (dense data only), which does not square its
        condition; the others decompose the smaller of XᵀX and XXᵀ.
    store_cv_results : bool, default=False
        Whether to keep `cv_results_`; only with ``cv=None``.
    alpha_per_target : bool, default=False
        Whether each target chooses its own strength; only with ``cv=None``.

    Attributes
    ----------
    alpha_ : float or ndarray of shape (n_targets,)
        The strength chosen.
    best_score_ : float or ndarray of shape (n_targets,)
        Its score.
    cv_results_ : ndarray of shape (n_samples, n_alphas) or \
(n_samples, n_targets, n_alphas)
        Weighted squared errors of the samples left out, or their predictions when
        `scoring` is given; only with ``store_cv_results=True``.
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    certificate_ : Certificate
        The proof of the final fit.
    path_gap_ : float
        The largest relative gap of all the models that were compared.
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 5))
    >>> y = X[:, 0] + 0.5 * rng.standard_normal(50)
    >>> model = RidgeCV(alphas=np.geomspace(0.01, 100, 9)).fit(X, y)
    >>> float(model.alpha_), model.path_gap_ < 1e-12
    (1.0, True)

    References
    ----------
    Allen (1974), Technometrics 16(1), for the formula.
    """

    alpha_: Any

    _domains: ClassVar[Domains] = {
        "gcv_mode": _MODES,
    }

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Any = None,
        cv: Any = None,
        gcv_mode: str | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target

    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        several = rows.y.ndim > 1
        by_svd = self.gcv_mode == "svd"
        if by_svd and is_sparse(rows.X):
            warnings.warn(
                "RidgeCV.gcv_mode='svd' needs dense samples; sparse ones are treated "
                "as by 'eigen'.",
                FutureWarning,
                stacklevel=4,
            )
        trial = Trial(
            self,
            rows,
            rows.y if several else rows.y[:, None],
            GivenValues(),
            single_or_all,
            per_target=bool(self.alpha_per_target) and several,
            by_svd=by_svd,
            split=split,
        )
        found = trial.chosen()
        if "cv_results_" in found and not several:
            found["cv_results_"] = np.asarray(found["cv_results_"][:, 0, :])
        self.__dict__.update(found)

    def _recipe(self, rows: Rows) -> Recipe:
        coding = measured_coding(rows.y)
        alphas = np.broadcast_to(self.alpha_, (len(coding.targets(rows.y[:1])),))
        stated = PROBLEMS.pop(rows, None)
        how = {"intercept": bool(self.fit_intercept), "double": True}
        return ridge_recipe(alphas, coding, GAP, stated=stated, **how)

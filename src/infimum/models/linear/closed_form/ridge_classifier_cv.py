"""Ridge classification that chooses its strength by leaving samples out."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import Rows
from infimum.models.linear._given import GivenScores
from infimum.models.linear.closed_form._ridge_cv import (
    GAP,
    ChosenRidge,
    Trial,
    single_or_all,
)
from infimum.models.linear.closed_form._ridge_label_sets import RidgeLabels, coding_of
from infimum.models.linear.closed_form._ridge_recipe import ridge_recipe
from infimum.models.linear.fit import Recipe

__all__ = ["RidgeClassifierCV"]


class RidgeClassifierCV(ChosenRidge, RidgeLabels):
    """Least squares on ±1 labels under the best of several strengths.

    Without `cv` every sample is scored by the model that has not seen it, in closed
    form; see `RidgeCV`, also for what weights mean. All classes share one
    decomposition and one strength. Targets may be sets of labels, as in
    `RidgeClassifier`.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        Strengths to try, as in `RidgeClassifier`.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    scoring : str, callable or None, default=None
        How to judge scores. None means the squared distance to the ±1 labels when
        samples are left out one by one, and accuracy under `cv`.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None leaves out one sample at a time, in closed form.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    store_cv_results : bool, default=False
        Whether to keep `cv_results_`; only with ``cv=None``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    multilabel_, sparse_output_ : bool
        Whether the targets were sets of labels, and sparse.
    alpha_ : float
        The strength chosen.
    best_score_ : float
        Its score.
    cv_results_ : ndarray of shape (n_samples, n_classes or 1, n_alphas)
        Weighted squared errors of the samples left out, or their scores when `scoring`
        is given; only with ``store_cv_results=True``.
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    certificate_ : Certificate
        The proof of the least certain row of the final fit.
    path_gap_ : float
        The largest relative gap of all the models that were compared.
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [7.0]])
    >>> model = RidgeClassifierCV().fit(X, ["low"] * 3 + ["high"] * 3)
    >>> float(model.alpha_), model.predict([[1.5], [5.5]]).tolist()
    (1.0, ['low', 'high'])
    """

    alpha_: Any

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Any = None,
        cv: Any = None,
        class_weight: Any = None,
        store_cv_results: bool = False,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.class_weight = class_weight
        self.store_cv_results = store_cv_results

    def _choose(self, rows: Rows, split: dict[str, Any]) -> None:
        judge = GivenScores(rows.classes, self.multilabel_)
        self.__dict__.update(
            Trial(
                self,
                rows,
                np.column_stack(coding_of(rows).targets(rows.y)),
                judge,
                lambda targets: judge.predict(single_or_all(targets)),
                split=split,
            ).chosen()
        )

    def _recipe(self, rows: Rows) -> Recipe:
        coding = coding_of(rows)
        alphas = np.broadcast_to(self.alpha_, (len(coding.targets(rows.y[:1])),))
        intercept = bool(self.fit_intercept)
        return ridge_recipe(alphas, coding, GAP, intercept=intercept, double=True)

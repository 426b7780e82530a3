"""Base of forest classifiers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from infimum.models.ensembles.forests._forest import Forest
from infimum.models.ensembles.forests._forest_questions import ForestQuestions
from infimum.models.trees._answers import ClassAnswers
from infimum.models.trees._tree_door import Admitted, admit_classes
from infimum.typing import Matrix, Vector

__all__ = ["ForestClassifier"]


class ForestClassifier(ClassAnswers, ForestQuestions, Forest):
    """Many trees and the mean of their shares of classes."""

    _unlike = "classes_", "n_classes_"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        interaction_cst: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.interaction_cst = interaction_cst

    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        return admit_classes(self, X, y, sample_weight)

    def _judge(self, rows: Admitted, sums: Matrix, votes: Vector) -> None:
        warn_of_rows_without_votes(type(self).__name__, votes)
        shares = sums / np.maximum(votes, 1.0)[:, None]
        codes, heard = rows.aim.target.codes, votes > 0
        each = shares.reshape(len(shares), self.n_outputs_, -1)
        told = each.argmax(axis=2)
        if callable(self.oob_score):
            names = [self.classes_] if self.n_outputs_ == 1 else self.classes_
            true = np.column_stack([n[codes[:, o]] for o, n in enumerate(names)])
            ours = np.column_stack([n[told[:, o]] for o, n in enumerate(names)])
            if self.n_outputs_ == 1:
                true, ours = true[:, 0], ours[:, 0]
            self.oob_score_ = float(self.oob_score(true[heard], ours[heard]))
        else:
            # Of several labels all must be told, as scikit-learn's accuracy asks.
            right = (codes[heard] == told[heard]).all(axis=1)
            self.oob_score_ = float(right.mean())
        alone = self.n_outputs_ == 1
        table = shares if alone else np.moveaxis(each, 1, 2)
        self.oob_decision_function_ = np.where(
            heard.reshape(-1, *[1] * (table.ndim - 1)), table, np.nan
        )


def warn_of_rows_without_votes(owner: str, votes: Vector) -> None:
    """Say so when every tree has seen some row."""
    silent = int(np.count_nonzero(votes == 0))
    if silent:
        warnings.warn(
            f"{owner}: every tree has seen {silent} of {len(votes)} rows, which have "
            "no out-of-bag answer; more trees leave fewer of them.",
            UserWarning,
            stacklevel=5,
        )

"""Base of forest regressors."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from infimum.models.ensembles.forests._forest import Forest
from infimum.models.ensembles.forests._forest_classifier import (
    warn_of_rows_without_votes,
)
from infimum.models.ensembles.forests._forest_questions import ForestQuestions
from infimum.models.trees._answers import NumberAnswers
from infimum.models.trees._tree_door import Admitted, admit_numbers
from infimum.typing import Matrix, Vector

__all__ = ["ForestRegressor"]


class ForestRegressor(NumberAnswers, ForestQuestions, Forest):
    """Many trees and the mean of their answers."""

    _unlike = ()

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        interaction_cst: Any = None,
        quantile: float = 0.5,
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
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.interaction_cst = interaction_cst
        self.quantile = quantile

    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        return admit_numbers(self, X, y, sample_weight)

    def _judge(self, rows: Admitted, sums: Matrix, votes: Vector) -> None:
        warn_of_rows_without_votes(type(self).__name__, votes)
        heard = votes > 0
        told = sums / np.maximum(votes, 1.0)[:, None]
        true = rows.aim.target.numbers + rows.aim.shift
        score = self.oob_score if callable(self.oob_score) else r2_score
        alone = self.n_outputs_ == 1
        true, told = (true[:, 0], told[:, 0]) if alone else (true, told)
        self.oob_score_ = float(score(true[heard], told[heard]))
        missing = heard if alone else heard[:, None]
        self.oob_prediction_ = np.where(missing, told, np.nan)

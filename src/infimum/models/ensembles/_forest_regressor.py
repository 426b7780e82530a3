"""Forests that tell numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from infimum.models.ensembles._forest import Forest
from infimum.models.ensembles._forest_classifier import warn_of_rows_without_votes
from infimum.models.ensembles._forest_questions import ForestQuestions
from infimum.models.trees._answers import NumberAnswers
from infimum.models.trees._tree_door import Admitted, admit_numbers
from infimum.typing import Matrix, Vector

__all__ = ["ForestRegressor"]


class ForestRegressor(NumberAnswers, ForestQuestions, Forest):
    """Many trees and the mean of their answers."""

    quantile: float
    _unlike = ()

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

"""Forests that tell classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score

from infimum.models.ensembles._forest import Forest
from infimum.models.ensembles._forest_questions import ForestQuestions
from infimum.models.trees._answers import ClassAnswers
from infimum.models.trees._tree_door import Admitted, admit_classes
from infimum.typing import Matrix, Vector

__all__ = ["ForestClassifier"]


class ForestClassifier(ClassAnswers, ForestQuestions, Forest):
    """Many trees and the mean of their shares of classes."""

    class_weight: Any
    _unlike = "classes_", "n_classes_"

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
            each_score = [
                accuracy_score(codes[heard, o], told[heard, o])
                for o in range(self.n_outputs_)
            ]
            self.oob_score_ = float(np.mean(each_score))
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

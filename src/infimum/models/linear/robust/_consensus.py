"""The search for the largest set of samples that one model predicts well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.random import sample_without_replacement

from infimum.typing import Mask, Vector

__all__ = ["Consensus", "Search", "draws_needed"]


class Consensus(NamedTuple):
    """The samples that agree with a model, how many, and how well."""

    mask: Mask
    size: int
    score: float


class Search:
    """Draws of samples, the models fitted to them, and the best consensus so far."""

    def __init__(
        self,
        estimator: Any,
        data: tuple[Any, Any, Vector | None],
        *,
        size: int,
        threshold: float,
        losses: Callable[[Any, Any], Vector],
        rules: Any,
        random: Any,
    ) -> None:
        self.estimator, self.data = estimator, data
        self.size, self.threshold, self.losses = size, threshold, losses
        self.rules, self.random = rules, random
        self.trials = self.few = self.bad_data = self.bad_models = 0
        self.best: Consensus | None = None

    @property
    def skips(self) -> int:
        """How many draws were skipped."""
        return self.few + self.bad_data + self.bad_models

    def run(self, most: float) -> Consensus | None:
        """Try draws until enough have been tried; return the best consensus."""
        rules = self.rules
        while self.trials < most:
            self.trials += 1
            if self.skips > rules.max_skips:
                break
            found = self._draw()
            if found is None:
                continue
            self.best = found
            n, chance = len(found.mask), rules.stop_probability
            most = min(most, draws_needed(found.size / n, self.size, chance))
            if found.size >= rules.stop_n_inliers or found.score >= rules.stop_score:
                break
        return self.best

    def fit(self, rows: Any) -> None:
        """Fit the estimator to some of the samples."""
        X, y, weights = self.data
        given = {} if weights is None else {"sample_weight": weights[rows]}
        self.estimator.fit(X[rows], y[rows], **given)

    def _draw(self) -> Consensus | None:
        """Return the consensus of one draw if it is better than the best so far."""
        X, y, _ = self.data
        rows = sample_without_replacement(
            X.shape[0], self.size, random_state=self.random
        )
        valid_data, valid_model = self.rules.is_data_valid, self.rules.is_model_valid
        if valid_data is not None and not valid_data(X[rows], y[rows]):
            self.bad_data += 1
            return None
        self.fit(rows)
        if valid_model is not None and not valid_model(
            self.estimator, X[rows], y[rows]
        ):
            self.bad_models += 1
            return None
        return self._judged()

    def _judged(self) -> Consensus | None:
        X, y, _ = self.data
        mask = np.asarray(self.losses(y, self.estimator.predict(X)) <= self.threshold)
        count, most = int(mask.sum()), 1 if self.best is None else self.best.size
        if count < most:
            self.few += 1
            return None
        score = float(self.estimator.score(X[mask], y[mask]))
        tied = self.best is not None and count == self.best.size
        if tied and self.best is not None and score < self.best.score:
            return None
        return Consensus(mask, count, score)


def draws_needed(share: float, size: int, chance: float) -> float:
    """Return how many draws have one of inliers only among them, with that chance."""
    eps = float(np.spacing(1))
    missed, spoilt = max(eps, 1.0 - chance), max(eps, 1.0 - share**size)
    if missed == 1.0:
        return 0.0
    if spoilt == 1.0:
        return np.inf
    return float(abs(np.ceil(np.log(missed) / np.log(spoilt))))

"""Bagging: the same estimator on many resamples of the rows, and their mean."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils._tags import get_tags
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from infimum.data.doors import check_fitted, read, samples, weighed
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.boosting._weak_learners import seeded
from infimum.models.ensembles.committees._members import for_each
from infimum.models.ensembles.committees._resamples import Resampler
from infimum.parameters import (
    Domains,
    check_parameters,
    flag,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Bagging"]

MOST = np.iinfo(np.int32).max
#: Draws of a member that may lack all classes but one.
PATIENCE = 100


class Bagging(MemberSequence, BaseEstimator):  # type: ignore[misc]
    """Members fitted to resamples; subclasses say how they answer together."""

    _domains: ClassVar[Domains] = {
        "oob_score": flag,
        "n_estimators": whole(1),
    }

    estimators_: list[Any]

    #: What the door is told: what the members take, they check.
    _admitted: ClassVar[dict[str, Any]] = {"dtype": None, "missing": "unchecked"}

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: Any = None,
        max_features: Any = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @abstractmethod
    def _default(self) -> Any:
        """Return the estimator to use where none was given."""

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Admit targets; return them as the members will see them."""

    @abstractmethod
    def _answers(self, member: Any, X: Any) -> Matrix:
        """Return the numbers that one member contributes to the mean."""

    @abstractmethod
    def _judge_left_out(self, y: Any, mean: Matrix, weights: Vector) -> None:
        """Keep the means over members that had not seen a row, and their score."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit every member to its own resample; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, as the estimator takes them.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Rows are drawn in proportion. With ``max_samples=1.0`` a weight of k means
            the same as k copies: the draws are the same numbers on the line of weights.
        **fit_params
            What the fit of each member is to know; of what has an entry for each row,
            a member is given those of its rows.
        """
        self._check()
        for name in ("oob_score_", "oob_prediction_", "oob_decision_function_"):
            self.__dict__.pop(name, None)
        X, y = read(self, X, y, several=True, **self._admitted)
        targets = self._targets(y)
        weights = weighed(sample_weight, X)
        resampler = Resampler.of(self, X.shape, weights)
        seeds = check_random_state(self.random_state).randint(
            MOST, size=int(self.n_estimators)
        )
        kept = self._kept(seeds)
        base = self._default() if self.estimator is None else self.estimator
        self._draw_classes(resampler, seeds, len(kept), targets)
        counted = has_fit_parameter(base, "sample_weight")

        def fit_one(t: int) -> Any:
            seed = seeds[len(kept) + t]
            rows, columns = resampler.draw(seed)
            model = seeded(base, np.random.RandomState(seed))
            if counted:  # every row, as often as it was drawn
                counts = np.bincount(rows, minlength=X.shape[0])
                table = X if columns is None else X[:, columns]
                more = _check_method_params(X, fit_params)
                model.fit(table, targets, sample_weight=counts.astype(float), **more)
            else:
                table = X[rows] if columns is None else X[rows][:, columns]
                more = _check_method_params(X, fit_params, indices=rows)
                model.fit(table, targets[rows], **more)
            return model

        fresh = for_each(len(seeds) - len(kept), fit_one, self.n_jobs)
        self.estimator_, self.estimators_ = base, [*kept, *fresh]
        self._seeds = seeds
        self._drawing = tuple(getattr(resampler, f.name) for f in fields(resampler))
        if self.oob_score:
            self._leave_out(X, targets, weights)
        return self

    def _draw_classes(
        self, resampler: Resampler, seeds: Any, kept: int, targets: Any
    ) -> None:
        """Draw again where only one class was drawn, from which nothing is learnt."""
        if np.ndim(targets) > 1 or len(getattr(self, "classes_", ())) <= 1:
            return
        for t in range(kept, len(seeds)):
            for _ in range(PATIENCE):
                mine = targets[resampler.draw(seeds[t])[0]]
                if (mine != mine[0]).any():
                    break
                seeds[t] = np.random.RandomState(seeds[t]).randint(MOST)

    def _check(self) -> None:
        owner = type(self).__name__
        check_parameters(self)
        if self.oob_score and not self.bootstrap:
            raise InvalidParameterError(
                f"{owner}.oob_score: out of bag estimation only available if "
                "bootstrap=True."
            )
        if self.oob_score and self.warm_start:
            raise InvalidParameterError(
                f"{owner}.oob_score: out of bag estimate only available if "
                "warm_start=False."
            )

    def _kept(self, seeds: Any) -> list[Any]:
        """Return the members of an earlier fit that a warm start goes on from."""
        if not self.warm_start or not hasattr(self, "estimators_"):
            return []
        known = list(self.estimators_)
        if len(known) > len(seeds):
            raise InvalidParameterError(
                f"{type(self).__name__}.n_estimators={len(seeds)} must be larger or "
                f"equal to len(estimators_)={len(known)} when warm_start==True."
            )
        if len(known) == len(seeds):
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new "
                "trees.",
                stacklevel=4,
            )
        seeds[: len(known)] = self._seeds[: len(known)]
        return known

    @property
    def _resampler(self) -> Resampler:
        return Resampler(*self._drawing)

    @property
    def estimators_samples_(self) -> list[Indices]:
        """The rows that each member saw."""
        check_fitted(self)
        return [self._resampler.draw(seed)[0] for seed in self._seeds]

    @property
    def estimators_features_(self) -> list[Indices]:
        """The features that each member saw."""
        check_fitted(self)
        everything = np.arange(self.n_features_in_)
        drawn = [self._resampler.draw(seed)[1] for seed in self._seeds]
        return [everything if columns is None else columns for columns in drawn]

    def _mean(self, X: Any) -> Matrix:
        X = samples(self, X, **self._admitted)
        answers = for_each(
            len(self.estimators_), lambda t: self._answer(t, X), self.n_jobs
        )
        return np.asarray(sum(answers) / len(answers))

    def _answer(self, t: int, X: Any) -> Matrix:
        columns = self._resampler.draw(self._seeds[t])[1]
        return self._answers(
            self.estimators_[t], X if columns is None else X[:, columns]
        )

    def _leave_out(self, X: Any, y: Any, weights: Vector | None) -> None:
        n = X.shape[0]
        total: Any = 0.0
        counts = np.zeros(n)
        for t, rows in enumerate(self.estimators_samples_):
            left_out = np.setdiff1d(np.arange(n), rows)
            if len(left_out):
                answers = self._answer(t, X[left_out])
                spread = np.zeros((n, *answers.shape[1:]))
                spread[left_out] = answers
                total = total + spread
                counts[left_out] += 1
        if not counts.any():
            raise DataError(
                f"{type(self).__name__}: no row was left out of any resample; add "
                "rows or members, or draw fewer with max_samples."
            )
        if not counts.all():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few "
                "estimators were used to compute any reliable oob estimates.",
                stacklevel=4,
            )
        counts[counts == 0] = np.nan
        mean = total / counts.reshape(-1, *[1] * (np.ndim(total) - 1))
        self._judge_left_out(y, mean, np.ones(n) if weights is None else weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = self._default() if self.estimator is None else self.estimator
        members = get_tags(base).input_tags
        tags.input_tags.sparse = members.sparse
        tags.input_tags.allow_nan = members.allow_nan
        return tags

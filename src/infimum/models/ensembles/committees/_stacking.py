"""Stacking: a model learns how to combine the predictions of others."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin, clone
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._tags import get_tags
from sklearn.utils.validation import _check_feature_names_in, _num_samples

from infimum.data.doors import check_fitted
from infimum.data.doors.reading import describe
from infimum.errors import DataError, InvalidParameterError
from infimum.models._folds import folds_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.committees._members import Committee, for_each
from infimum.models.ensembles.committees._voting import fit_member
from infimum.parameters import USUAL, Domains, besides, check_parameters
from infimum.typing import Matrix

__all__ = ["Stacking"]


class Stacking(TransformerMixin, Committee):  # type: ignore[misc]
    """Members, and a final model fitted to their predictions of held-back rows."""

    _domains: ClassVar[Domains] = {"cv": besides(USUAL["cv"], "prefit")}

    estimators: Any
    final_estimator: Any
    cv: Any
    n_jobs: int | None
    passthrough: bool

    @abstractmethod
    def _default(self) -> Any:
        """Return the final model to use where none was given."""

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Admit targets; return them as the members will see them."""

    @abstractmethod
    def _method(self, member: Any) -> str:
        """Return the method by which a member speaks."""

    @abstractmethod
    def _columns(self, member: Any, answers: Any) -> Matrix:
        """Return a member's answers as columns."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the members to all rows and the final model to held-back predictions.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Samples, as the members take them.
        y : array-like of shape (n_samples,)
            Targets.
        **fit_params : dict
            Only ``sample_weight``: passed on to all, members and final model.
        """
        check_parameters(self)
        weights = fit_params.pop("sample_weight", None)
        if fit_params:
            raise InvalidParameterError(
                f"{type(self).__name__}.fit takes sample_weight, got "
                f"{sorted(fit_params)}."
            )
        seated = self._seated()
        describe(self, X)
        X = indexable(X)[0]
        targets = self._targets(y)
        self._fit_members(seated, X, targets, weights)
        self.stack_method_ = [self._method(member) for member in self.estimators_]
        parts = self._held_back(seated, X, targets, weights)
        final = (
            self._default() if self.final_estimator is None else self.final_estimator
        )
        self.final_estimator_ = fit_member(
            clone(final), self._joined(X, parts), targets, weights
        )
        return self

    def _fit_members(self, seated: Any, X: Any, y: Any, weights: Any) -> None:
        if self._prefit:
            for _, member in seated:
                check_fitted(member)
            self.estimators_ = [member for _, member in seated]
        else:
            self.estimators_ = for_each(
                len(seated),
                lambda t: fit_member(clone(seated[t][1]), X, y, weights),
                self.n_jobs,
            )

    @property
    def _prefit(self) -> bool:
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _held_back(self, seated: Any, X: Any, y: Any, weights: Any) -> list[Matrix]:
        """Return the columns of each member for rows it did not learn from."""
        if self._prefit:
            return self._spoken(X)
        kind = getattr(self, "_estimator_type", None) or get_tags(self).estimator_type
        splits = folds_of(self, X, y, classifier=kind == "classifier")
        seen = np.bincount(
            np.concatenate([test for _, test in splits]), minlength=_num_samples(X)
        )
        if not (seen == 1).all():
            raise DataError(
                f"{type(self).__name__}.cv must hold every row back exactly once."
            )

        def speak(task: int) -> Matrix:
            t, (train, test) = task % len(seated), splits[task // len(seated)]
            given = None if weights is None else _safe_indexing(weights, train)
            member = clone(seated[t][1])
            fit_member(member, _safe_indexing(X, train), y[train], given)
            answers = getattr(member, self.stack_method_[t])(_safe_indexing(X, test))
            return self._columns(member, answers)

        blocks = for_each(len(splits) * len(seated), speak, self.n_jobs)
        order = np.argsort(np.concatenate([test for _, test in splits]), kind="stable")
        return [
            np.concatenate(blocks[t :: len(seated)])[order] for t in range(len(seated))
        ]

    def _spoken(self, X: Any) -> list[Matrix]:
        def speak(t: int) -> Matrix:
            member = self.estimators_[t]
            return self._columns(member, getattr(member, self.stack_method_[t])(X))

        return for_each(len(self.estimators_), speak, self.n_jobs)

    def _joined(self, X: Any, parts: list[Matrix]) -> Any:
        self._widths = [part.shape[1] for part in parts]
        if not self.passthrough:
            return np.hstack(parts)
        if hasattr(X, "tocsr"):
            return sparse.hstack([sparse.csr_array(np.hstack(parts)), X.tocsr()])
        return np.hstack([*parts, np.asarray(X)])

    def transform(self, X: Any) -> Any:
        """Return what the final model sees: the members' predictions side by side."""
        check_fitted(self)
        return self._joined(X, self._spoken(X))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of what `transform` gives."""
        check_fitted(self)
        owner = type(self).__name__.lower()
        seated = [name for name, member in self.estimators if member != "drop"]
        names = [
            f"{owner}_{name}{k if width > 1 else ''}"
            for name, width in zip(seated, self._widths, strict=True)
            for k in range(width)
        ]
        if self.passthrough:
            names += list(_check_feature_names_in(self, input_features))
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = [
            get_tags(member).input_tags
            for _, member in self.estimators or []
            if not isinstance(member, str)
        ]
        tags.input_tags.sparse = all(member.sparse for member in members)
        tags.input_tags.allow_nan = all(member.allow_nan for member in members)
        tags.transformer_tags.preserves_dtype = []
        return tags

"""Base of voting committees: every member is fitted to the same rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn import get_config
from sklearn.base import TransformerMixin, clone
from sklearn.utils._tags import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import has_fit_parameter

from infimum.data.doors import check_fitted
from infimum.data.doors.reading import describe
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.committees._members import Committee, for_each
from infimum.parameters import Domains, check_parameters, numbers, or_none
from infimum.typing import Vector

__all__ = ["Voting", "fit_member"]


class Voting(TransformerMixin, Committee):  # type: ignore[misc]
    """Members fitted to the same rows; subclasses say how they answer together."""

    _domains: ClassVar[Domains] = {"weights": or_none(numbers)}
    estimators: Any
    weights: Any
    n_jobs: int | None

    @abstractmethod
    def _targets(self, y: Any) -> Any:
        """Admit targets; return them as the members will see them."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit every member; return self.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            Samples, as the members take them.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Passed on to the members, all of which must take it.
        **fit_params
            Further arguments for members, to be routed by what each has requested;
            only where metadata routing is enabled in scikit-learn.
        """
        check_parameters(self)
        routed = self._routed(sample_weight, fit_params)
        seated = self._seated()
        self._same_kind(seated)
        self._ballots(len(self.estimators))
        describe(self, X)
        targets = self._targets(y)

        def fit(t: int) -> Any:
            name, member = seated[t]
            if routed is None:
                return fit_member(clone(member), X, targets, sample_weight)
            own = clone(member)
            own.fit(X, targets, **routed[name]["fit"])
            return own

        self.estimators_ = for_each(len(seated), fit, self.n_jobs)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn that arguments of `fit` go to the fits of the members."""
        router = MetadataRouter(owner=self)
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for name, member in self.estimators:
            if not isinstance(member, str):
                router.add(**{name: member}, method_mapping=mapping)
        return router

    def _routed(self, sample_weight: Any, given: dict[str, Any]) -> Any:
        """Return what the methods of each member have asked for; None if unasked."""
        if get_config()["enable_metadata_routing"]:
            own = {} if sample_weight is None else {"sample_weight": sample_weight}
            return process_routing(self, "fit", **own, **given)
        if given:
            raise InvalidParameterError(
                f"{type(self).__name__}.fit takes no argument {next(iter(given))!r} "
                "unless metadata routing is enabled in scikit-learn."
            )
        return None

    def _same_kind(self, seated: list[tuple[str, Any]]) -> None:
        """Refuse regressors among classifiers, and the other way round."""
        wanted = get_tags(self).estimator_type
        for name, member in seated:
            if get_tags(member).estimator_type not in (wanted, None):
                raise InvalidParameterError(
                    f"{type(self).__name__}.estimators: {name!r} should be a {wanted}."
                )

    def _ballots(self, count: int) -> None:
        if self.weights is not None and len(self.weights) != count:
            raise InvalidParameterError(
                f"{type(self).__name__}.weights: number of `estimators` and weights "
                f"must be equal: got {len(self.weights)} weights, {count} estimators."
            )

    @property
    def _shares(self) -> Vector | None:
        """The weights of the members that were not dropped."""
        if self.weights is None:
            return None
        kept = [
            weight
            for (_, member), weight in zip(self.estimators, self.weights, strict=True)
            if not isinstance(member, str)
        ]
        return np.asarray(kept, dtype=np.float64)

    def _opinions(self, X: Any, method: str = "predict") -> list[Any]:
        check_fitted(self)
        return for_each(
            len(self.estimators_),
            lambda t: np.asarray(getattr(self.estimators_[t], method)(X)),
            self.n_jobs,
        )

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


def fit_member(member: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Fit a member, with weights if there are any."""
    if sample_weight is None:
        member.fit(X, y)
        return member
    if not has_fit_parameter(member, "sample_weight"):
        raise IncompatibleError(
            f"Underlying estimator {type(member).__name__} does not support sample "
            "weights."
        )
    member.fit(X, y, sample_weight=sample_weight)
    return member

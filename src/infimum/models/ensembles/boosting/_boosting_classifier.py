"""Base of boosted classifiers: labels in, probabilities and labels out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if

from infimum.data.doors.labels import (
    check_labels,
    class_weighted,
    coded,
    refuse_few,
    winners,
)
from infimum.errors import DataError, IncompatibleError
from infimum.losses import Exponential, Logistic, Loss, Softmax, VectorLoss
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._gradient_boosting import GradientBoostingModel
from infimum.parameters import Choice, check_domain
from infimum.typing import Matrix, Vector

__all__ = ["BoostingClassifier"]


def _has_probabilities(model: Any) -> bool:
    loss = model.loss
    known = isinstance(loss, str | Logistic | Exponential | Softmax)
    if not known:
        raise AttributeError(
            f"{type(model).__name__} has no probabilities for {type(loss).__name__}."
        )
    return True


class BoostingClassifier(ClassifierMixin, GradientBoostingModel):  # type: ignore[misc]
    """A boosted model whose scores decide between classes."""

    loss: Any
    classes_: NDArray[Any]

    def _loss(self, y: Vector) -> BoostingLoss:
        owner, loss, many = type(self).__name__, self.loss, len(self.classes_) > 2  # noqa: PLR2004
        if not isinstance(loss, Loss | VectorLoss):
            check_domain(f"{owner}.loss", loss, Choice(("log_loss", "exponential")))
            if loss == "exponential":
                loss = Exponential()
            else:
                loss = Softmax(len(self.classes_)) if many else Logistic()
        suits = isinstance(loss, VectorLoss) and loss.target == "class"
        suits = suits and loss.outputs == len(self.classes_)
        if not suits and (many or loss.target != "sign"):
            raise IncompatibleError(
                f"{owner}.loss must be one of labels, with a score for each of the "
                f"{len(self.classes_)} classes if there are more than 2, got "
                f"{type(loss).__name__}."
            )
        return BoostingLoss(owner, loss)

    def _admit_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        check_labels(y)
        classes, codes = coded(np.asarray(y))
        continued = self.warm_start and hasattr(self, "trees_")
        if continued and not np.array_equal(classes, self.classes_):
            raise DataError(
                f"{type(self).__name__}: a warm start needs the classes of the first "
                f"fit, got {classes.tolist()[:5]}."
            )
        if len(classes) < 2:  # noqa: PLR2004
            refuse_few(type(self).__name__, classes, 2)
        self.classes_, self._codes = classes, codes
        return self._as_targets(codes), self._class_weighted(codes, weights)

    def _admit_more_targets(self, y: Any, weights: Any) -> tuple[Vector, Vector | None]:
        labels = np.asarray(y)
        codes = np.searchsorted(self.classes_, labels)
        codes = np.minimum(codes, len(self.classes_) - 1)
        strange = self.classes_[codes] != labels
        if strange.any():
            raise DataError(
                f"{type(self).__name__}: there is no class "
                f"{labels[strange].tolist()[0]!r} in y."
            )
        self._codes = np.concatenate([self._codes, codes])
        return self._as_targets(codes), self._class_weighted(codes, weights)

    def _class_weighted(self, codes: Any, weights: Any) -> Vector | None:
        wanted = getattr(self, "class_weight", None)
        if wanted is None:
            return weights  # type: ignore[no-any-return]
        owner = type(self).__name__
        return class_weighted(owner, wanted, self.classes_, codes, weights)

    def _as_targets(self, codes: Any) -> Vector:
        vector = isinstance(self.loss, VectorLoss) or len(self.classes_) > 2  # noqa: PLR2004
        signs: Vector = codes.astype(np.float64)
        return signs if vector else 2.0 * signs - 1.0

    def decision_function(self, X: Any) -> Vector:
        """Return the scores: one a row for two classes, one a class otherwise."""
        return _shaped(self._raw(X))

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Return the scores after each round."""
        yield from map(_shaped, self._staged_raw(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        return self._named(self._raw(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Return the predictions after each round."""
        yield from map(self._named, self._staged_raw(X))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probabilities of the classes."""
        return self._shares(self._raw(X))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def staged_predict_proba(self, X: Any) -> Iterator[Matrix]:
        """Return the probabilities after each round."""
        yield from map(self._shares, self._staged_raw(X))

    def _named(self, raw: Matrix) -> NDArray[Any]:
        return np.asarray(self.classes_[winners(_shaped(raw))])

    def _shares(self, raw: Matrix) -> Matrix:
        if raw.shape[1] > 1:
            return np.asarray(softmax(raw, axis=1))
        steep = isinstance(self.loss, Exponential) or self.loss == "exponential"
        out = np.empty((len(raw), 2))
        out[:, 1] = expit(2.0 * raw[:, 0] if steep else raw[:, 0])
        out[:, 0] = 1.0 - out[:, 1]
        return out


def _shaped(raw: Matrix) -> Vector:
    return np.asarray(raw[:, 0] if raw.shape[1] == 1 else raw)

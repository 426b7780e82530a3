"""The response of a model: one number for each row, from classes or scores."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError, IncompatibleError
from infimum.explanation._mosaic import Mosaic
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Vector

__all__ = ["Response", "answers", "respond_to"]

RESPONSES = Choice(("auto", "probability", "score", "prediction"))
_MOST_ROWS = 20_000


class Response:
    """A function from tables to one number a row, made of a model's method.

    "auto" is the probability of `target` for classifiers that state one, their score
    else, and the prediction of everything that is no classifier.
    """

    def __init__(self, model: Any, response: str = "auto", target: Any = None) -> None:
        check_domain("The response to explain", response, RESPONSES)
        self.classes: NDArray[Any] | None = None
        if callable(model) and not hasattr(model, "predict"):
            self.name, self._ask = "value", model
            return
        kind = _kind(model, response)
        self.name = kind
        if kind == "prediction":
            self._ask = model.predict
            return
        self.classes = np.asarray(model.classes_)
        self.target = self.classes[-1] if target is None else target
        places = np.flatnonzero(self.classes == self.target)
        if len(places) != 1:
            known = ", ".join(repr(label) for label in self.classes.tolist())
            raise DataError(f"The model's classes are {known}, not {target!r}.")
        self._ask = _column_of(model, kind, int(places[0]))

    def __call__(self, X: Any) -> Vector:
        """Return one number a row."""
        return np.asarray(self._ask(X), dtype=np.float64)


def respond_to(
    response: Callable[[Any], Vector], table: Mosaic, sources: Indices
) -> Vector:
    """Return the response to pieced rows, in blocks so that memory stays bounded."""
    if len(sources) == 0:
        return np.empty(0)
    blocks = range(0, len(sources), _MOST_ROWS)
    return np.concatenate(
        [response(table.pieced(sources[i : i + _MOST_ROWS])) for i in blocks]
    )


def answers(model: Any, X: Any) -> tuple[NDArray[Any], Vector]:
    """Return the decisions about rows and how far each is from another decision.

    The distance is that of two probabilities or of two scores: between the best class
    and the next one, or between a score and its threshold 0.
    """
    if not hasattr(model, "classes_"):
        raise IncompatibleError(
            f"{type(model).__name__} decides nothing: a decision needs a classifier."
        )
    decided = np.asarray(model.predict(X))
    if hasattr(model, "predict_proba"):
        table = np.asarray(model.predict_proba(X), dtype=np.float64)
    else:
        table = np.asarray(model.decision_function(X), dtype=np.float64)
    if table.ndim == 1:
        return decided, np.abs(table)
    best = np.sort(table, axis=1)
    return decided, best[:, -1] - best[:, -2]


def _kind(model: Any, response: str) -> str:
    classifier = hasattr(model, "classes_")
    if response == "auto":
        if not classifier:
            return "prediction"
        return "probability" if hasattr(model, "predict_proba") else "score"
    if response == "score" and not classifier:
        return "prediction"
    wanted = {"probability": "predict_proba", "score": "decision_function"}
    needed = wanted.get(response, "predict")
    if not hasattr(model, needed):
        raise IncompatibleError(
            f"{type(model).__name__} has no {needed}, which {response!r} needs."
        )
    return response


def _column_of(model: Any, kind: str, place: int) -> Callable[[Any], Vector]:
    def ask(X: Any) -> Vector:
        if kind == "probability":
            return np.asarray(np.asarray(model.predict_proba(X))[:, place])
        scores = np.asarray(model.decision_function(X), dtype=np.float64)
        if scores.ndim == 1:
            return scores if place == 1 else -scores
        return np.asarray(scores[:, place])

    return ask

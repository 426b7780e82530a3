"""Scores of recorded predictions, on all rows and without blocks of rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from infimum.evaluation import area_under_roc
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Judge"]

_BLOCKS, _TWO = 10, 2


class Judge:
    """The scorers of a model; each is asked about a table that was predicted once."""

    def __init__(self, model: Any, y: Any, scoring: Any, seed: int) -> None:
        self.model, self.y = model, y
        single = scoring is None or isinstance(scoring, str) or callable(scoring)
        wanted = [scoring] if single else list(scoring)
        self.names = tuple(n if isinstance(n, str) else "score" for n in wanted)
        self.scorers = [n if callable(n) else _scorer(model, n) for n in wanted]
        n_blocks = min(_BLOCKS, len(y))
        order = np.random.default_rng([seed, 1]).permutation(len(y))
        blocks = np.array_split(order, n_blocks) if n_blocks > 1 else []
        self.everything = np.arange(len(y))
        self.parts = [np.setdiff1d(order, block) for block in blocks]

    def judge(self, X: Any, *, parts: bool) -> Matrix:
        """Return the scores (columns) on all rows and, if wanted, on each part."""
        said = _Recorded(self.model, X)
        asked = [self.everything, *(self.parts if parts else [])]
        return np.array(
            [
                [float(s(said, rows, self.y[rows])) for s in self.scorers]
                for rows in asked
            ]
        )


class _Recorded:
    """A model that has already answered: it is asked by the positions of rows."""

    def __init__(self, model: Any, X: Any) -> None:
        self._model, self._X = model, X
        self._said: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._model, name)  # AttributeError where the model has none
        if name not in ("predict", "predict_proba", "decision_function"):
            return value
        if name not in self._said:
            self._said[name] = np.asarray(value(self._X))
        recorded = self._said[name]

        def tell(rows: Indices) -> Any:
            return recorded[rows]

        tell.__name__ = name  # scikit-learn's scorers go by it
        return tell

    def __sklearn_tags__(self) -> Any:
        return self._model.__sklearn_tags__()


def _scorer(model: Any, name: str | None) -> Callable[[Any, Indices, Any], float]:
    """Return a scorer by name: ours, which check nothing again, or scikit-learn's."""
    classifier = hasattr(model, "classes_")
    if name is None:
        return _accuracy if classifier else _explained
    if name in _BY_ROW and (name != "neg_log_loss" or hasattr(model, "predict_proba")):
        by_row = _BY_ROW[name]
        return lambda said, rows, y: float(by_row(said, rows, y).mean())
    if name == "r2":
        return _explained
    if name == "roc_auc" and classifier and len(model.classes_) == _TWO:
        return _area
    found: Callable[[Any, Indices, Any], float] = check_scoring(model, scoring=name)
    return found


def _accuracy(said: Any, rows: Indices, y: Any) -> float:
    return float(np.mean(said.predict(rows) == y))


def _explained(said: Any, rows: Indices, y: Any) -> float:
    total = float(np.square(y - y.mean()).sum())
    rest = float(np.square(y - said.predict(rows)).sum())
    return 1 - rest / total if total > 0 else float(rest == 0)


def _area(said: Any, rows: Indices, y: Any) -> float:
    if hasattr(said, "decision_function"):
        scores = said.decision_function(rows)
    else:
        scores = said.predict_proba(rows)[:, 1]
    return area_under_roc(y, scores, said.classes_)


def _log_likelihood(said: Any, rows: Indices, y: Any) -> Vector:
    chances = said.predict_proba(rows)
    tiny = np.finfo(chances.dtype).eps
    if y.ndim == _TWO:  # several labels, yes or no each
        own = np.where(y == 1, chances, 1 - chances)
        return np.asarray(np.log(np.clip(own, tiny, 1 - tiny)).mean(axis=1))
    places = np.searchsorted(said.classes_, y)
    own = chances[np.arange(len(y)), places]
    return np.asarray(np.log(np.clip(own, tiny, 1 - tiny)))


_BY_ROW: dict[str, Callable[[Any, Indices, Any], Vector]] = {
    "accuracy": lambda said, rows, y: said.predict(rows) == y,
    "neg_log_loss": _log_likelihood,
    "neg_mean_squared_error": lambda said, rows, y: -np.square(y - said.predict(rows)),
    "neg_mean_absolute_error": lambda said, rows, y: -np.abs(y - said.predict(rows)),
}

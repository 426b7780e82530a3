"""One fold, encoded by what its training rows teach, and fits on it."""

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from infimum.evaluation import Split
from infimum.evaluation.uncertainty.steadiness import linear_scores, parts_of
from infimum.learn.clock import TimeUpError
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import GRID, setting_of
from infimum.learn.problem import Problem
from infimum.limits import time_is_up, time_limit
from infimum.models.linear import regularization_path
from infimum.models.neighbors import TieWarning
from infimum.models.warnings import UncertifiedWarning
from infimum.solvers.progress import LATE

__all__ = [
    "EncodedFold",
    "collecting",
    "features_in_use",
    "fit_one",
    "made",
]

#: Strengths of a path in the first sweep.
COARSE = 5
#: Seconds that a fit may take even if the time is up.
_LEAST = 0.5
#: Entries of a matrix from which on a fit is not a matter of milliseconds.
_LARGE = 1_000_000
#: The same for entries times classes.
_MANY_SCORES = 8_000_000


class EncodedFold:
    """The rows of one fold, read only in the views that somebody asks for."""

    def __init__(self, problem: Problem, split: Split) -> None:
        self.problem, self.split = problem, split

    @property
    def y(self) -> Any:
        """Targets to learn from."""
        return self.problem.y[self.split.train]

    @property
    def held_targets(self) -> Any:
        """Targets to be judged by."""
        return self.problem.y[self.split.held_back]

    @property
    def weights(self) -> Any:
        """What the rows to learn from count, None if all count the same."""
        return _part(self.problem.weights, self.split.train)

    @property
    def held_weights(self) -> Any:
        """What the rows to be judged by count."""
        return _part(self.problem.weights, self.split.held_back)

    def view(self, name: str) -> tuple[Any, Any, Any]:
        """Return encoder and matrices to learn from and to be judged by."""
        return self._trees if name == "trees" else self._linear

    @property
    def size(self) -> float:
        """The bytes of the views that have been asked for."""
        names = ("_linear", "_trees")
        made = [self.__dict__[name][1:] for name in names if name in self.__dict__]
        return sum(_bytes(matrix) for pair in made for matrix in pair)

    @cached_property
    def _linear(self) -> tuple[Any, Any, Any]:
        return self._encoded("linear")

    @cached_property
    def _trees(self) -> tuple[Any, Any, Any]:
        return self._encoded("trees")

    def _encoded(self, view: str) -> tuple[Any, Any, Any]:
        encoder, X = self.problem.encoded(view, self.split.train)
        return encoder, X, encoder.transform(self.problem.rows[self.split.held_back])


def models_at(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    deadline: float,
    *,
    first: bool = True,
) -> tuple[str, tuple[float, ...], list[Any]]:
    """Fit a contender at all `values`; find them if it is on its first sweep.

    On the `first` fold of a sweep, whoever runs out of time ends where it is; on the
    others all settings must be tried to be compared.
    """
    encoder, X, _ = encoded.view(contender.view)
    with time_limit(max(deadline - time.perf_counter(), _LEAST)):
        return _models_at(contender, values, encoded, encoder, X, deadline, first=first)


def _models_at(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    encoder: Any,
    X: Any,
    deadline: float,
    *,
    first: bool,
) -> tuple[str, tuple[float, ...], list[Any]]:
    if contender.grid:
        places = values or ()
        models = _on_grid(contender, places, encoder, encoded, deadline)
        if len(models) < len(places) and not (first and models):
            raise TimeUpError
        return GRID, places[: len(models)], models
    estimator = contender.make()
    parameter = "C" if "C" in estimator.get_params() else "alpha"
    if contender.fixed:
        fit_one(estimator, X, encoded.y, encoded.weights)
        return parameter, (float(estimator.get_params()[parameter]),), [estimator]
    found = values or _first_strengths(contender, parameter, X, encoded)
    # As a path runs, or the models would be taken for those of other strengths.
    found = tuple(sorted(found, reverse=parameter != "C"))
    fitted = _along_path(contender, found, X, encoded)
    if len(fitted) < len(found) and not (first and fitted):
        raise TimeUpError
    kept = tuple(value for value in found if value in fitted)
    return parameter, kept, [fitted[value] for value in kept]


def made(contender: Contender, parameter: str, value: float, encoder: Any) -> Any:
    """Return an estimator at a setting, told which columns hold codes of levels."""
    model = contender.make().set_params(**setting_of(contender, parameter, value))
    levels = getattr(encoder, "categorical_features_", None)
    if contender.view == "trees" and levels is not None and len(levels):
        told = "categorical_features"
        told = told if told in model.get_params() else f"estimator__{told}"
        model.set_params(**{told: list(levels)})
    return model


def fit_one(model: Any, X: Any, y: Any, weights: Any) -> Any:
    """Fit a model, with weights if rows have any."""
    if weights is None:
        return model.fit(X, y)
    return model.fit(X, y, sample_weight=weights)


def features_in_use(model: Any) -> int:
    """Count the features that can change what a model says.

    Weights that are not zero in some score, columns a tree asks about; all columns of a
    model that does not tell.
    """
    # A number stands for a label that is always the same: it asks about nothing.
    parts = [each for each in parts_of(model) if not isinstance(each, float)]
    if all(hasattr(each, "coef_") for each in parts):
        weights, _ = linear_scores(model)
        return int(np.count_nonzero(np.any(weights != 0, axis=0)))
    if all(hasattr(each, "tree_") for each in parts):
        asked = np.concatenate([each.tree_.feature for each in parts])
        return len(np.unique(asked[asked >= 0]))
    return int(model.n_features_in_)


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collect the messages of fits that end without proof; pass other warnings on.

    Ties between neighbours are nobody's fault and are passed over.
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    for each in caught:
        if issubclass(each.category, UncertifiedWarning):
            messages.append(str(each.message))
        elif not issubclass(each.category, TieWarning):
            warnings.warn_explicit(
                each.message, each.category, each.filename, each.lineno
            )


def _bytes(matrix: Any) -> float:
    # A number and an index an entry.
    entries = getattr(matrix, "nnz", None)
    return float(matrix.nbytes) if entries is None else 12.0 * entries


def _part(values: Any, positions: Any) -> Any:
    return None if values is None else values[positions]


def _on_grid(
    contender: Contender,
    places: Sequence[float],
    encoder: Any,
    encoded: EncodedFold,
    deadline: float,
) -> list[Any]:
    X = encoded.view(contender.view)[1]
    models: list[Any] = []
    began, last = time.perf_counter(), 0.0
    for same in _by_shape(contender, places):
        # Settings become slower as they become more complex.
        if models and began + last > deadline:
            break
        model = made(contender, GRID, same[-1], encoder)
        fit_one(model, X, encoded.y, encoded.weights)
        stages = _stages_of(contender, model, same)
        if models and (time_is_up() and contender.stages == 1):
            break  # it was cut short: what it would have become is not known
        models += stages
        if len(stages) < len(same):
            break
        began, last = time.perf_counter(), time.perf_counter() - began
    return models


def _by_shape(contender: Contender, places: Sequence[float]) -> list[list[float]]:
    """Return places in groups that one fit shows, with ever more rounds."""
    groups: dict[int, list[float]] = {}
    for place in places:
        groups.setdefault(round(place) // contender.stages, []).append(place)
    return list(groups.values())


def _stages_of(contender: Contender, model: Any, places: list[float]) -> list[Any]:
    """Return the models at the rounds of each place that were made, one at least."""
    if contender.stages == 1:
        return [model]
    found: list[Any] = []
    for place in places:
        rounds = contender.grid[round(place)]["max_iter"]
        if rounds <= model.n_iter_ or not found:
            stage = model._after(rounds)
            found.append(stage.set_params(max_iter=rounds))
    return found


def _along_path(
    contender: Contender, values: Sequence[float], X: Any, encoded: EncodedFold
) -> dict[float, Any]:
    """Return the models of all strengths, or of those that there was time for."""
    # One path warm-starts from strength to strength; where a single fit can take
    # seconds, beginning in the middle and looking at the clock is worth more.
    entries = getattr(X, "nnz", None) or np.prod(X.shape)
    slow = entries > _LARGE or entries * len(encoded.problem.classes) > _MANY_SCORES
    pieces = _from_the_middle(values) if slow else [list(values)]
    found: dict[float, Any] = {}
    for piece in pieces:
        if found and time_is_up():
            break
        path = regularization_path(
            contender.make(), X, encoded.y, values=piece, sample_weight=encoded.weights
        )
        for value, model in zip(piece, path.models, strict=True):
            # What was stopped on the way is no model of its strength; one is owed.
            if found and _cut_short(model):
                break
            found[value] = model
    return found


def _from_the_middle(values: Sequence[float]) -> list[list[float]]:
    """Return strengths one by one, those in the middle of the path first."""
    middle = len(values) // 2
    order = sorted(range(len(values)), key=lambda at: (abs(at - middle), -at))
    return [[values[at]] for at in order]


def _cut_short(model: Any) -> bool:
    proof = getattr(model, "certificate_", None)
    return proof is not None and proof.reason == LATE and not proof.closed


def _first_strengths(
    contender: Contender, parameter: str, X: Any, encoded: EncodedFold
) -> tuple[float, ...]:
    """Return the strengths of the first sweep, down from where all weights vanish."""
    top = regularization_path(
        contender.make(),
        X,
        encoded.y,
        n_values=1,
        eps=contender.depth,
        sample_weight=encoded.weights,
    ).values[0]
    shares = np.geomspace(1.0, contender.depth, COARSE)
    return tuple((top / shares if parameter == "C" else top * shares).tolist())

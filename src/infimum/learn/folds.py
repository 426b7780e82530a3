"""Folds: how rows are split, encoded once, and read from the disk by all.

Whoever needs a view of a fold first writes its matrices to a folder; the others map
them into their memory, where the system keeps them once.
"""

import os
import pickle
import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from infimum.data import Task
from infimum.errors import DataError
from infimum.evaluation import (
    Split,
    folds,
    forward_folds,
    forward_hold_out,
    grouped_folds,
    grouped_hold_out,
    hold_out,
)
from infimum.evaluation.uncertainty.steadiness import linear_scores, parts_of
from infimum.evaluation.whole_groups import group_codes
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import setting_of
from infimum.learn.problem import TEST_FRACTION, Problem
from infimum.models.neighbors import TieWarning
from infimum.models.warnings import UncertifiedWarning

__all__ = [
    "EncodedFold",
    "SharedFold",
    "collecting",
    "features_in_use",
    "fit_one",
    "is_shared",
    "made",
    "shared_fold",
    "some_rows",
    "split_off_test",
    "splits_of",
    "write_problem",
]


N_FOLDS = 5


def split_off_test(problem: Problem, seed: int) -> Split:
    """Return the rows to learn from and the rows to test on, the same for a seed.

    The test is the latest rows if there are moments, whole groups if there are groups.
    """
    classify = problem.task == Task.CLASSIFICATION
    if problem.moments is not None:
        split = forward_hold_out(problem.moments, TEST_FRACTION)
    elif problem.groups is not None:
        split = grouped_hold_out(
            problem.y, problem.groups, TEST_FRACTION, seed, classes=classify
        )
    else:
        return hold_out(problem.y, TEST_FRACTION, seed, classes=classify)
    if not _can_learn(problem, split):
        raise DataError(
            "The rows left to learn from have one class only; split them another way."
        )
    return split


def splits_of(training: Problem, seed: int) -> list[Split]:
    """Return the folds: five, or fewer if the second largest class has fewer rows.

    Folds keep groups whole and run forward in time, like the test; those that would
    learn from one class only, or have one of two to be judged by, are left out.
    """
    count = min(N_FOLDS, len(training.y))
    if len(training.classes):
        sizes = sorted((training.y == label).sum() for label in training.classes)
        count = int(max(2, min(N_FOLDS, sizes[-2])))
    if training.moments is not None:
        most = len(np.unique(training.moments)) - 1
        found = forward_folds(training.moments, max(1, min(count, most)))
    elif training.groups is not None:
        groups = group_codes(training.groups)
        count = min(count, int(groups.max()) + 1)
        found = grouped_folds(
            training.y, groups, count, seed, classes=bool(len(training.classes))
        )
    else:
        return list(folds(training.y, count, seed))
    able = [split for split in found if _can_learn(training, split)]
    if not able:
        raise DataError("Every fold would learn from one class; split another way.")
    kept = [split for split in able if _can_judge(training, split)]
    if not kept:
        raise DataError(
            "Every fold would be judged by rows of one class; split another way."
        )
    return kept


#: Of a class so many rows are drawn at least, if it has them.
_OF_CLASS = 50


def some_rows(training: Problem, count: int, seed: int) -> Problem:
    """Return so many rows drawn at random, and of every class a few at least."""
    order = np.random.default_rng([seed, 1]).permutation(len(training.y))
    y = training.y[order]
    few = [order[y == label][:_OF_CLASS] for label in training.classes]
    rows = np.unique(np.concatenate([order[:count], *few]))
    return replace(training.only(rows), drawn=count)


def _can_learn(problem: Problem, split: Split) -> bool:
    classes = len(problem.classes)
    return not classes or len(np.unique(problem.y[split.train])) > 1


def _can_judge(problem: Problem, split: Split) -> bool:
    # Two classes are told apart by pairs with a row of each.
    two = len(problem.classes) == 2  # noqa: PLR2004
    return not two or len(np.unique(problem.y[split.held_back])) > 1


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


def made(contender: Contender, parameter: str, value: float, encoder: Any) -> Any:
    """Return an estimator at a setting, told which columns hold codes of levels."""
    model = contender.make().set_params(**setting_of(contender, parameter, value))
    levels = getattr(encoder, "categorical_features_", None)
    if contender.view == "trees" and levels is not None and len(levels):
        name = "categorical_features"
        name = name if name in model.get_params() else f"estimator__{name}"
        model.set_params(**{name: list(levels)})
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


_PROBLEM, _FRAME, _MATRIX = "problem.pickle", "rows.arrow", "rows"
_ENCODER = "encoder.pickle"


def write_problem(problem: Problem, splits: Sequence[Split], folder: Path) -> None:
    """Write a problem and its folds where others read them."""
    if isinstance(problem.rows, pl.DataFrame):
        problem.rows.write_ipc(folder / _FRAME, compression="uncompressed")
    else:
        _write(folder / _MATRIX, problem.rows)
    plain = replace(problem, rows=None), list(splits)
    (folder / _PROBLEM).write_bytes(pickle.dumps(plain))


@lru_cache(maxsize=16)
def shared_fold(folder: Path, place: int) -> "SharedFold":
    """Return one of the folds of a folder."""
    problem, splits = _problem(folder)
    return SharedFold(problem, splits[place], folder, place)


@lru_cache(maxsize=1)
def _problem(folder: Path) -> tuple[Problem, list[Split]]:
    problem, splits = pickle.loads((folder / _PROBLEM).read_bytes())
    return problem, splits


@lru_cache(maxsize=1)
def _rows(folder: Path) -> Any:
    if (folder / _FRAME).exists():
        return pl.read_ipc(folder / _FRAME)
    return _read(folder / _MATRIX)


class SharedFold(EncodedFold):
    """A fold whose views are read from the disk, once somebody has encoded them."""

    def __init__(
        self, problem: Problem, split: Split, folder: Path, place: int
    ) -> None:
        super().__init__(problem, split)
        self.folder, self.place = folder, place

    def _encoded(self, view: str) -> tuple[Any, Any, Any]:
        place = _place(self.folder, self.place, view)
        if not place.exists():
            whole = replace(self.problem, rows=_rows(self.folder))
            made = EncodedFold(whole, self.split)._encoded(view)
            try:
                _keep(made, place)
            except OSError:  # such as a full disk: then each encodes for itself
                return made
        encoder = pickle.loads((place / _ENCODER).read_bytes())
        return encoder, _read(place / "learn"), _read(place / "judge")


def is_shared(folder: Path, place: int, view: str) -> bool:
    """Whether a view of a fold was encoded and written."""
    return _place(folder, place, view).exists()


def _place(folder: Path, place: int, view: str) -> Path:
    return folder / f"{view}-{place}"


def _keep(made: tuple[Any, Any, Any], place: Path) -> None:
    """Write a view whole or not at all."""
    encoder, learn, judge = made
    draft = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        draft.mkdir()
        (draft / _ENCODER).write_bytes(pickle.dumps(encoder))
        _write(draft / "learn", learn)
        _write(draft / "judge", judge)
        draft.rename(place)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not place.exists():
            raise


def _write(place: Path, matrix: Any) -> None:
    if not hasattr(matrix, "tocsr"):
        np.save(place.with_suffix(".npy"), np.asarray(matrix), allow_pickle=False)
        return
    rows = matrix.tocsr()
    for part in ("data", "indices", "indptr"):
        array = getattr(rows, part)
        np.save(f"{place}-{part}.npy", array, allow_pickle=False)
    np.save(f"{place}-shape.npy", np.array(rows.shape), allow_pickle=False)


def _read(place: Path) -> Any:
    if place.with_suffix(".npy").exists():
        return _mapped(place.with_suffix(".npy"))
    parts = ("data", "indices", "indptr")
    data, indices, indptr = (_mapped(Path(f"{place}-{part}.npy")) for part in parts)
    shape = tuple(np.load(f"{place}-shape.npy").tolist())
    return sparse.csr_matrix((data, indices, indptr), shape=shape, copy=False)


def _mapped(path: Path) -> Any:
    try:
        # Who writes to it gets a page of their own: loops need no other signature.
        return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))
    except ValueError:  # what is empty cannot be mapped
        return np.load(path, allow_pickle=False)

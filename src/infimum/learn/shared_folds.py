"""Folds that several processes learn from: encoded once, read from the disk by all.

Whoever needs a view of a fold first writes its matrices to a folder; the others map
them into their memory, where the system keeps them once.
"""

import os
import pickle
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from infimum.evaluation import Split
from infimum.learn.encoded_fold import EncodedFold
from infimum.learn.problem import Problem

__all__ = ["SharedFold", "is_shared", "shared_fold", "write_problem"]

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

"""k-means of streamed rows: a start drawn in a few passes, Lloyd's steps as sums."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors.streamed_rows import admit_streamed
from infimum.data.streams import added, chances
from infimum.data.streams.spool import own_buffer
from infimum.errors import DataError, IncompatibleError, Interrupted, StreamError
from infimum.limits import time_is_up
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.parameters import check_parameters
from infimum.typing import Indices, Matrix, Vector

__all__ = ["fit_k_means"]

#: Passes that draw candidates, and how many each draws for a centre.
ROUNDS, EACH = 4, 2


def nearest(X: Matrix, centres: Matrix) -> tuple[Indices, Vector]:
    """Return the nearest centre of each row, and the squared distance to it."""
    size = len(X), len(centres)
    far = own_buffer("far", size[0] * size[1], np.dtype("f8")).reshape(size)
    np.matmul(X, -2.0 * centres.T, out=far)
    far += np.einsum("ij,ij->i", centres, centres)
    labels = far.argmin(axis=1)
    least = far[np.arange(len(X)), labels] + np.einsum("ij,ij->i", X, X)
    return labels, np.maximum(least, 0.0)


@dataclass(frozen=True, eq=False)
class DrawPass:
    """Some rows, drawn without replacement, likelier the farther from all centres.

    Each row has a key, -log(chance) / (weight · squared distance); the least keys win,
    so that any merging of parts draws the same rows.
    """

    centres: Matrix | None
    count: int
    seed: int

    def __call__(self, leaf: Any) -> tuple[Vector, Matrix]:
        heavy = leaf.w
        if self.centres is not None:
            heavy = heavy * nearest(leaf.X, self.centres)[1]
        with np.errstate(divide="ignore"):
            places = np.arange(leaf.start, leaf.start + len(heavy))
            keys = -np.log(chances(self.seed, places)) / heavy
        best = np.argsort(keys, kind="stable")[: self.count]
        best = best[np.isfinite(keys[best])]
        return keys[best], leaf.X[best].copy()

    def merge(self, a: Any, b: Any) -> tuple[Vector, Matrix]:
        """Return the least keys of both."""
        keys, rows = np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])
        best = np.argsort(keys, kind="stable")[: self.count]
        return keys[best], rows[best]


@dataclass(frozen=True, eq=False)
class LloydPass:
    """The weight and the sum of the rows of each centre, and their squared distances.

    With them comes the row that is farthest from its centre.
    """

    centres: Matrix

    def __call__(self, leaf: Any) -> tuple[Any, ...]:
        from infimum.compiled.clusters.centre_sums import sum_by_label  # numba

        labels, far = nearest(leaf.X, self.centres)
        k, d = self.centres.shape
        sums, heavy = np.zeros((k, d)), np.zeros(k)
        X, named = np.ascontiguousarray(leaf.X), labels.astype(np.int32)
        sum_by_label(X, np.zeros(d), 1.0, leaf.w, named, sums, heavy)
        last = int(far.argmax())
        return heavy, sums, float(leaf.w @ far), (float(far[last]), leaf.X[last].copy())

    @staticmethod
    def merge(a: Any, b: Any) -> tuple[Any, ...]:
        """Return the sums of both, and the farther of the two rows."""
        return *added(a[:3], b[:3]), a[3] if a[3][0] >= b[3][0] else b[3]


def fit_k_means(model: Any, rows: Any, y: Any = None, weights: Any = None) -> Any:
    """Find the centres of streamed rows; return the model, which keeps no labels."""
    with unchanged_on_failure(model):
        check_parameters(model)
        admit_streamed(model, rows, (y, weights), target=False)
        _refuse(model, rows)
        means, spreads = rows.statistics.moments()
        moved = rows.shifted(means)
        centres = _start(model, moved, means)
        run = _lloyd(model, moved, centres, float(model.tol) * float(spreads.mean()))
        centres, inertia, history, interrupted = run
        model.cluster_centers_ = centres + means
        model.inertia_, model.n_iter_ = inertia, len(history)
        model.history_ = history
        model.lower_bound_ = 0.0
        model.__dict__.pop("labels_", None)
        if interrupted:
            raise Interrupted(model)
    return model


def _refuse(model: Any, rows: Any) -> None:
    if rows.sparse:
        raise IncompatibleError("KMeans streams dense rows, got svmlight files.")
    if rows.n_rows < model.n_clusters:
        raise DataError(
            f"KMeans needs as many samples as clusters, got n_samples={rows.n_rows} "
            f"for n_clusters={model.n_clusters}."
        )


def _start(model: Any, rows: Any, means: Vector) -> Matrix:
    """Return the centres that were given, or the best of candidates of a few passes."""
    from infimum.models.clustering import KMeans

    k = int(model.n_clusters)
    if not isinstance(model.init, str):
        given = np.asarray(model.init, dtype=np.float64)
        if given.shape != (k, rows.n_features):
            raise DataError(
                f"KMeans.init must be {k} centres of {rows.n_features} features, got "
                f"shape {given.shape}."
            )
        return given - means
    seed = int(check_random_state(model.random_state).randint(2**31 - 1))
    if model.init == "random":
        found: Matrix = rows.run(DrawPass(None, k, seed))[1]
        return found
    candidates: Matrix = rows.run(DrawPass(None, 1, seed))[1]
    for turn in range(1, ROUNDS + 1):
        drawn = rows.run(DrawPass(candidates, EACH * k, seed + turn))[1]
        candidates = np.concatenate([candidates, drawn])
    heavy = rows.run(LloydPass(candidates))[0]
    if len(candidates) <= k:
        return candidates
    kept = heavy > 0.0
    inner = KMeans(k, random_state=seed, n_init=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        inner.fit(candidates[kept], sample_weight=heavy[kept])
    return np.asarray(inner.cluster_centers_)


def _lloyd(
    model: Any, rows: Any, centres: Matrix, tolerance: float
) -> tuple[Matrix, float, list[float], bool]:
    """Step until centres stand still, or until somebody interrupts.

    Returns centres, their inertia, its history, and whether this was cut short.
    """
    history: list[float] = []
    known = centres
    try:
        for _ in range(int(model.max_iter)):
            heavy, sums, inertia, (_, farthest) = rows.run(LloydPass(centres))
            known = centres
            history.append(inertia)
            safe = np.where(heavy > 0.0, heavy, 1.0)[:, None]
            moved = np.where(heavy[:, None] > 0.0, sums / safe, centres)
            empty = np.flatnonzero(heavy == 0.0)
            if len(empty):  # one a pass: the next pass tells who is farthest then
                moved[empty[0]] = farthest
            shift = float(((moved - centres) ** 2).sum())
            centres = moved
            if (shift <= tolerance and not len(empty)) or time_is_up():
                break
        return centres, float(rows.run(LloydPass(centres))[2]), history, False
    except StreamError as error:
        raise _told(error, known, history) from error
    except KeyboardInterrupt:
        if not history:
            raise
        return known, history[-1], history, True


def _told(error: StreamError, centres: Matrix, history: list[float]) -> StreamError:
    """Return the error with the best centres so far; no inertia is below 0."""
    if not history:
        return error
    found = StreamError(
        f"{error} The best centres so far have the inertia {history[-1]:.6g}, at most "
        "that much above the least."
    )
    found.point, found.gap = centres, history[-1]
    return found

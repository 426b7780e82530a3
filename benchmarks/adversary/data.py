"""Tables made to break proofs: shifts, scales, collinearity, weights, odd types."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

__all__ = ["Data", "draw_data"]

ROWS = (1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 120, 200, 300)
WEIGHTS = {"some": "weights", "wide": "weights of ratio 1e10", "zeros": "weights of 0",
           "copies": "copies"}  # fmt: skip


class Data(NamedTuple):
    """What a model is fitted to, and what the judge is told that it was."""

    X: Any
    y: Any
    weights: Any
    notes: tuple[str, ...]
    #: Numbers of copies of each row that are handed to `fit` in place of weights.
    copies: Any = None

    def spelled_out(self):
        """Return the table with its copies written out, as the models saw it."""
        if self.copies is None:
            return self
        X, y, _ = self.given()
        return self._replace(X=X, y=y, weights=None, copies=None)

    def given(self):
        """Return X, y and the keywords that `fit` receives."""
        if self.copies is not None:
            rows = np.repeat(np.arange(len(self.y)), self.copies)
            return self.X[rows], self.y[rows], {}
        named = {} if self.weights is None else {"sample_weight": self.weights}
        return self.X, self.y, named


class _Draft:
    """A table on its way: changed by one hostile act after the other."""

    def __init__(self, rng, kind, largest):
        self.rng, self.kind, self.notes = rng, kind, []
        rows = [n for n in ROWS if n <= largest[0]]
        self.n = int(rng.choice(rows))
        if rng.random() < 0.6:
            self.n = int(rng.choice([n for n in rows if n >= min(20, rows[-1])]))
        self.d = int(np.clip(np.exp(rng.uniform(0, np.log(largest[1] + 0.99))), 1, 40))
        self.X = rng.standard_normal((self.n, self.d))
        self.weights = self.copies = None

    def signal(self):
        """Return a linear function of the first columns, plus noise."""
        w = self.rng.standard_normal(self.d) * (self.rng.random(self.d) < 0.5)
        noise = self.rng.choice([0.0, 1e-6, 0.3, 1.0, 3.0])
        return self.X @ w + noise * self.rng.standard_normal(self.n)

    def targets(self, classes):
        f = self.signal()
        if self.kind == "real":
            far = self.rng.random() < 0.2
            return f + self.rng.standard_t(1, self.n) if far else f
        if self.kind in {"tasks", "labels"}:
            columns = [self.signal() for _ in range(2 if self.kind == "tasks" else 3)]
            table = np.column_stack(columns)
            return table if self.kind == "tasks" else (table > 0) * 1.0
        if self.kind in {"sign", "class"}:
            return self._classes(f, 2 if self.kind == "sign" else classes)
        f = np.clip(f, -4, 4)
        if self.kind == "count":
            return self.rng.poisson(np.exp(f)).astype(float)
        return np.exp(f) if self.kind == "positive" else 1 / (1 + np.exp(-f))

    def _classes(self, f, count):
        """Return labels that all occur, where there are rows enough."""
        cuts = np.quantile(f, np.linspace(0, 1, count + 1)[1:-1])
        y = np.searchsorted(cuts, f, side="right")
        flips = self.rng.random(self.n) < self.rng.choice([0.0, 0.0, 0.1, 0.3])
        y = np.where(flips, self.rng.integers(0, count, self.n), y)
        y[: min(count, self.n)] = np.arange(count)[: self.n]
        return y


def draw_data(rng, kind, *, largest=(300, 40), classes=3):
    """Return a hostile table for targets of a kind."""
    draft = _Draft(rng, kind, largest)
    if rng.random() < 0.15:
        draft.X *= rng.random(draft.X.shape) < 0.3
    draft.y = draft.targets(classes)
    acts = list(_acts(kind))
    for act in rng.permutation(len(acts))[: int(rng.choice([0, 1, 1, 2, 3]))]:
        acts[act](draft)
    _weigh(draft)
    _change_type(draft)
    notes = (f"n={draft.n}", f"d={draft.X.shape[1]}", *draft.notes)
    return Data(draft.X, draft.y, draft.weights, notes, draft.copies)


def _acts(kind):
    yield from (_scale_columns, _move_columns, _mix_columns, _repeat_columns)
    yield from (_nearly_repeat, _add_constant, _add_a_multiple, _hide_a_difference)
    if kind in {"real", "tasks"}:
        yield from (_shift_targets, _shift_targets, _scale_targets, _hold_targets)
    if kind in {"positive"}:
        yield from (_scale_targets, _hold_targets)


def _scale_columns(draft):
    powers = draft.rng.uniform(-8, 8, draft.X.shape[1])
    powers *= draft.rng.choice([0.2, 1.0])
    draft.X = draft.X * 10.0**powers
    draft.notes.append(f"columns of size 1e{powers.min():.0f} to 1e{powers.max():.0f}")


def _move_columns(draft):
    power = draft.rng.uniform(0, 8)
    draft.X = draft.X + 10.0**power * draft.rng.standard_normal(draft.X.shape[1])
    draft.notes.append(f"columns moved by 1e{power:.1f}")


def _mix_columns(draft):
    power, d = draft.rng.uniform(0, 12), draft.X.shape[1]
    left, _ = np.linalg.qr(draft.rng.standard_normal((d, d)))
    right, _ = np.linalg.qr(draft.rng.standard_normal((d, d)))
    draft.X = draft.X @ (left * 10.0 ** np.linspace(0, -power, d)) @ right
    draft.notes.append(f"mixed with condition 1e{power:.1f}")


def _repeat_columns(draft):
    draft.X = np.hstack([draft.X, draft.X[:, :1]])
    draft.notes.append("a column twice")


def _nearly_repeat(draft):
    size = 10.0 ** draft.rng.choice([-10.0, -10.0, -6.0, -13.0])
    noise = size * draft.rng.standard_normal((draft.n, 1))
    draft.X = np.hstack([draft.X, draft.X[:, :1] + noise])
    if draft.kind == "real" and draft.rng.random() < 0.5:
        draft.y = draft.y + (draft.X[:, -1] - draft.X[:, 0]) / size
    draft.notes.append(f"a column twice but for {size:.0e}")


def _add_a_multiple(draft):
    """Add a multiple of one column or a sum of two: all but what rounding takes."""
    factor = draft.rng.choice([3.0, 7.0, 2.5, 1.0 / 3.0, 0.1, -6.0])
    other = draft.X[:, -1:] if draft.rng.random() < 0.5 else 0.0
    draft.X = np.hstack([draft.X, factor * draft.X[:, :1] + other])
    if draft.kind == "real" and draft.n > 3:
        draft.y[: draft.n // 3] += draft.rng.standard_normal(draft.n // 3)
    draft.notes.append(f"a column {factor:.2g} times, rounded")


def _hide_a_difference(draft):
    """Add a coarse column twice, but for one entry that is tiny instead of 0."""
    column = np.round(draft.X[:, :1] / max(np.abs(draft.X[:, 0]).max(), 1e-300))
    zeros, tiny = np.flatnonzero(column == 0.0), 10.0 ** -draft.rng.uniform(16, 60)
    other = column.copy()
    other[zeros[:1]] = tiny
    draft.X = np.hstack([column, other])
    draft.notes.append(f"two columns that differ by {tiny:.0e} in one entry")


def _add_constant(draft):
    value = draft.rng.choice([0.0, 1.0, 1e6])
    draft.X = np.hstack([draft.X, np.full((draft.n, 1), value)])
    draft.notes.append(f"a constant column {value:g}")


def _shift_targets(draft):
    power = draft.rng.uniform(0, 10)
    draft.y = draft.y + draft.rng.choice([-1, 1]) * 10.0**power
    draft.notes.append(f"targets moved by 1e{power:.1f}")


def _scale_targets(draft):
    power = draft.rng.uniform(-12, 12) * (1.0 if draft.kind == "real" else 0.5)
    draft.y = draft.y * 10.0**power
    draft.notes.append(f"targets times 1e{power:.1f}")


def _hold_targets(draft):
    draft.y = np.full_like(draft.y, draft.y.flat[0])
    draft.notes.append("constant targets")


def _weigh(draft):
    rng, n = draft.rng, draft.n
    way = str(rng.choice(["none"] * 5 + ["some", "wide", "zeros", "copies"]))
    if way == "some":
        draft.weights = rng.uniform(0.1, 3, n)
    if way == "wide":
        draft.weights = 10.0 ** rng.uniform(-5, 5, n)
    if way == "zeros":
        draft.weights = rng.uniform(0.1, 3, n) * (rng.random(n) < 0.7)
        draft.weights[: min(n, 4)] = 1.0
    if way == "copies":
        draft.copies = rng.integers(0, 4, n)
        draft.copies[: min(n, 4)] = 1
        draft.weights = draft.copies.astype(float)
    if way != "none":
        draft.notes.append(WEIGHTS[way])


def _change_type(draft):
    way = str(draft.rng.choice(["plain"] * 5 + ["fortran", "float32", "sparse"]))
    if way == "fortran":
        draft.X = np.asfortranarray(draft.X)
    if way == "float32":
        with np.errstate(all="ignore"):
            draft.X = draft.X.astype(np.float32)
    if way == "sparse":
        draft.X = sparse.csr_array(draft.X)
    if way != "plain":
        draft.notes.append(way)

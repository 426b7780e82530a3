"""Dual steps over chains: shares of labellings in tables, moved by a compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.objectives import DualSteps, Labellings
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ChainSteps"]

#: Columns for labellings at first, and how many are added when they are full.
COLUMNS = 8
#: Products of one call of the loop: between calls Ctrl-C is heard.
LONG = 1 << 28


class ChainSteps(DualSteps):
    """Shares of the labellings of chains that `problem` holds, and their weights.

    A row of `labels` has the labels that the labellings of its chain say there, the
    right one in the first column.
    """

    def __init__(self, problem: Any, shares: Vector, strength: float) -> None:
        self.X = np.ascontiguousarray(problem.X, dtype=np.float64)
        self.bounds = np.asarray(problem.bounds, dtype=np.int64)
        self.right = np.concatenate(problem.right).astype(np.int64)
        self.n_labels, self.weights = len(problem.classes), shares
        self.strength, self.pulls = strength, shares / strength
        self.labels: Indices = np.zeros((len(self.X), COLUMNS), dtype=np.int32)
        self.labels[:, 0] = self.right
        self.shares: Matrix = np.zeros((problem.count, COLUMNS))
        self.shares[:, 0] = 1.0
        self.W: Matrix = np.zeros((self.X.shape[1], self.n_labels))
        self.across: Matrix = np.zeros((self.n_labels, self.n_labels))

    def round(self, order: Indices) -> float:
        from infimum.compiled.chains.chain_blocks import chain_blocks

        if (self.shares[:, 1:] > 0.0).all(axis=1).any():
            wider = ((0, 0), (0, self.shares.shape[1]))
            self.labels = np.pad(self.labels, wider)
            self.shares = np.pad(self.shares, wider)
        pieces = 1 + self.X.size * self.n_labels // LONG
        total = 0.0
        for part in np.array_split(order, pieces):
            total += chain_blocks(
                self.X, self.bounds, part, self.right, self.pulls, self.W, self.across,
                self.labels, self.shares,
            )  # fmt: skip
        return self.strength * total

    def settle(self) -> tuple[Vector, float]:
        chains = np.repeat(np.arange(len(self.shares)), np.diff(self.bounds))
        parts = (self.shares * self.pulls[:, None])[chains]
        k, used = self.n_labels, parts > 0.0
        used[:, 0] = False
        rows, columns = np.nonzero(used)
        said, each = self.labels[rows, columns], parts[rows, columns]
        wrong = said != self.right[rows]
        sizes = (len(self.X), k)
        marks = _sums(rows * k + said, each, sizes)
        marks -= _sums(rows * k + self.right[rows], each, sizes)
        inner = ~np.isin(rows, self.bounds)
        rows, columns = rows[inner], columns[inner]
        each, said = each[inner], said[inner]
        pairs = _sums(self.labels[rows - 1, columns] * k + said, each, (k, k))
        codes = self.right[rows - 1] * k + self.right[rows]
        self.W = -self.X.T @ marks
        self.across = _sums(codes, each, (k, k)) - pairs
        w = np.concatenate([self.W.T.ravel(), self.across.ravel()])
        cost = parts[used] @ wrong if len(wrong) else 0.0
        return w, self.strength * float(cost)

    def witness(self) -> Labellings:
        places, columns = np.nonzero(self.shares[:, 1:])
        said = [
            self.labels[self.bounds[i] : self.bounds[i + 1], p + 1].astype(np.intp)
            for i, p in zip(places, columns, strict=True)
        ]
        return Labellings(places, self.shares[places, columns + 1], said)


def _sums(codes: Indices, parts: Vector, shape: tuple[int, int]) -> Matrix:
    found = np.bincount(codes, parts, minlength=shape[0] * shape[1])
    return np.asarray(found, dtype=np.float64).reshape(shape)

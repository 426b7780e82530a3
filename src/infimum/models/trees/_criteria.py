"""Impurities of trees by their names: what a split makes small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from infimum.compiled.trees.tree_parts import Target
from infimum.compiled.trees.tree_values import quantile_nodes, sum_nodes
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "CLASS_CRITERIA",
    "NUMBER_CRITERIA",
    "Aim",
    "aim_at_classes",
    "aim_at_numbers",
    "describe",
]

SQUARES, ENTROPY, MISTAKES, POISSON = range(4)
NUMBER, CLASSES, NUMBERS, QUANTILES = range(4)
CLASS_CRITERIA = {
    "gini": SQUARES,
    "entropy": ENTROPY,
    "log_loss": ENTROPY,
    "misclassification": MISTAKES,
}
NUMBER_CRITERIA = {
    "squared_error": SQUARES,
    # Its score is that of the squared error, times the weight of the node.
    "friedman_mse": SQUARES,
    "poisson": POISSON,
    "absolute_error": -1,
    "quantile": -1,
}
TWO = 2


@dataclass(frozen=True)
class Aim:
    """A target as the loops see it, and how their scores become impurities.

    Parameters
    ----------
    target : Target
    sizes : tuple of int
        Classes of each output; empty for numbers.
    shift : float64, one an output
        Subtracted from the numbers, so that squares lose no digits.
    scale : float
        Impurities are scores times this.
    """

    target: Target
    sizes: tuple[int, ...]
    shift: Vector
    scale: float

    @property
    def columns(self) -> int:
        """How many sums a node keeps."""
        outputs = self.target.codes.shape[1]
        if self.target.family in (NUMBER, QUANTILES):
            return 1
        return self.target.width * outputs if self.sizes else len(self.shift)


def aim_at_classes(codes: Indices, sizes: tuple[int, ...], criterion: str) -> Aim:
    """Return the aim of telling classes, codes from 0 on, one column an output."""
    formula = CLASS_CRITERIA[criterion]
    two = sizes == (TWO,)
    target = Target(
        family=NUMBER if two else CLASSES,
        formula=formula,
        codes=np.ascontiguousarray(codes, dtype=np.int32),
        numbers=codes.astype(np.float64) if two else np.zeros((0, 0)),
        order=np.zeros(0, dtype=np.int32),
        width=max(sizes),
        level=None,
    )
    scale = 1.0 / len(sizes)
    if formula == ENTROPY:
        scale /= np.log(2.0)
    elif formula == SQUARES and two:
        scale = 2.0  # p² + (1 - p)² grows twice as fast as p²
    return Aim(target, sizes, np.zeros(len(sizes)), scale)


def aim_at_numbers(y: Matrix, criterion: str, level: float) -> Aim:
    """Return the aim of telling numbers, one column an output."""
    formula = NUMBER_CRITERIA[criterion]
    shift = np.zeros(y.shape[1])
    if formula == SQUARES:
        # Half-way between the extremes: the same for weights and repeated rows.
        shift = y.min(axis=0) / 2.0 + y.max(axis=0) / 2.0
    by_quantile = formula < 0
    quantile = level if criterion == "quantile" else 0.5
    alone = y.shape[1] == 1
    order = np.zeros(0, dtype=np.int32)
    if by_quantile:
        order = np.unique(y[:, 0], return_inverse=True)[1].astype(np.int32)
    target = Target(
        family=QUANTILES if by_quantile else NUMBER if alone else NUMBERS,
        formula=formula,
        codes=np.zeros((0, 1), dtype=np.int32),
        numbers=np.ascontiguousarray(y - shift),
        order=order,
        width=0,
        level=quantile if by_quantile else None,
    )
    scale = 2.0 if criterion == "absolute_error" else 1.0 / y.shape[1]
    return Aim(target, (), shift, scale)


def describe(
    aim: Aim, nodes: Indices, bounds: Matrix, rows: Indices, weight: Vector
) -> tuple[Matrix, Vector, Vector]:
    """Return values, weights and impurities of nodes.

    Parameters
    ----------
    aim : Aim
    nodes : int64, n_nodes × 4
        Left and right child, first row and the one after the last.
    bounds : float64, n_nodes × 2
        What monotone answers must lie between.
    rows : int32
        Rows in the order of the leaves.
    weight : float64
    """
    target = aim.target
    width = aim.columns if not aim.sizes else target.width * len(aim.sizes)
    weights, sums = np.zeros(len(nodes)), np.zeros((len(nodes), width))
    squares = np.zeros((len(nodes), 1 if aim.sizes else width))
    lines = np.ascontiguousarray(nodes.T)
    sum_nodes(
        lines, rows, weight, target.numbers, target.codes, target.width, weights, sums,
        squares,
    )  # fmt: skip
    means = sums / weights[:, None]
    if aim.sizes:
        impurity = _impurity_of_classes(aim, means)
        if target.family == NUMBER:
            means[:, 1] = np.clip(means[:, 1], *bounds.T)
            means[:, 0] = 1.0 - means[:, 1]
        return means, weights, impurity
    if target.level is not None:
        values, losses = np.empty(len(nodes)), np.empty(len(nodes))
        quantile_nodes(
            lines[2], lines[3], rows, weight, target.numbers[:, 0], target.order,
            target.level, values, losses,
        )  # fmt: skip
        return np.clip(values, *bounds.T)[:, None], weights, aim.scale * losses
    if target.formula == POISSON:
        return means, weights, _impurity_of_counts(aim, nodes, rows, weight, means)
    impurity = np.maximum(squares / weights[:, None] - means**2, 0.0).mean(axis=1)
    if target.family == NUMBER:
        means = np.clip(means, bounds[:, :1], bounds[:, 1:])
    return means + aim.shift, weights, impurity


def _impurity_of_classes(aim: Aim, shares: Matrix) -> Vector:
    outputs = shares.reshape(len(shares), len(aim.sizes), -1)
    if aim.target.formula == ENTROPY:
        each = -xlogy(outputs, outputs).sum(axis=2) / np.log(2.0)
    elif aim.target.formula == MISTAKES:
        each = 1.0 - outputs.max(axis=2)
    else:
        each = 1.0 - (outputs**2).sum(axis=2)
    return np.asarray(np.maximum(each.mean(axis=1), 0.0))


def _impurity_of_counts(
    aim: Aim, nodes: Indices, rows: Indices, weight: Vector, means: Matrix
) -> Vector:
    """Return half the mean deviance of Poisson counts from the node's mean."""
    y = aim.target.numbers
    weights, sums = np.zeros(len(nodes)), np.zeros(means.shape)
    sum_nodes(
        np.ascontiguousarray(nodes.T), rows, weight, xlogy(y, y), aim.target.codes, 0,
        weights, sums, np.zeros_like(sums),
    )  # fmt: skip
    each = sums / weights[:, None] - xlogy(means, means)
    return np.asarray(np.maximum(each.mean(axis=1), 0.0))

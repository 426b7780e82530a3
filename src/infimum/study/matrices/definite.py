"""Positive definiteness, by eigenvalues, by the quadratic form and by a root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.study.matrices._arrays import ROUNDING, accept_symmetric
from infimum.typing import Matrix, Vector

__all__ = ["DefinitenessReport", "definiteness"]

TRIALS = 200


@dataclass(frozen=True, eq=False)
class DefinitenessReport:
    """Three answers to one question, each with its evidence.

    Attributes
    ----------
    smallest : float
        The smallest eigenvalue.
    direction : ndarray
        Its unit eigenvector v, for which vᵗAv is that number: a refutation when < 0.
    lowest : float
        The smallest vᵗAv/‖v‖² over that direction and many random ones.
    root : ndarray or None
        X with A = X Xᵗ, if there is one.
    defect : float
        The relative size of X Xᵗ - A.
    strictly : bool
        Whether moreover no eigenvalue is 0.
    """

    smallest: float
    direction: Vector
    lowest: float
    root: Matrix | None
    defect: float
    strictly: bool
    by_eigenvalues: bool
    by_form: bool

    @property
    def by_root(self) -> bool:
        """Whether the matrix is some X Xᵗ."""
        return self.root is not None

    @property
    def agreed(self) -> bool:
        """Whether all three say the same, as in exact arithmetic they must."""
        return self.by_eigenvalues == self.by_form == self.by_root

    def __bool__(self) -> bool:
        return self.by_eigenvalues


def definiteness(A: Any) -> DefinitenessReport:
    r"""Decide whether a symmetric matrix is positive semi-definite, in three ways.

    .. math:: \lambda_i \ge 0 \text{ for all } i \iff v^\top A v \ge 0 \text{ for all }
              v \iff A = X X^\top \text{ for some } X

    The root is found by elimination with the largest pivot first, not from eigenvalues.

    Examples
    --------
    >>> import numpy as np
    >>> report = definiteness(np.array([[1.0, 2.0], [2.0, 4.0]]))
    >>> bool(report), report.strictly, report.root.round(6).tolist()
    (True, False, [[1.0], [2.0]])
    """
    matrix = accept_symmetric(A, "definiteness")
    values, vectors = np.linalg.eigh(matrix)
    smallest, slack = float(values[0]), ROUNDING * float(np.abs(values).max())
    draw = np.random.default_rng(0).normal(size=(TRIALS, len(matrix)))
    tried = np.vstack([draw, vectors[:, 0]])
    forms = np.einsum("ij,jk,ik->i", tried, matrix, tried)
    lowest = float((forms / (tried**2).sum(axis=1)).min())
    root, defect = _root(matrix)
    return DefinitenessReport(
        smallest=smallest,
        direction=vectors[:, 0],
        lowest=lowest,
        root=root,
        defect=defect,
        strictly=smallest > slack,
        by_eigenvalues=smallest >= -slack,
        by_form=lowest >= -slack,
    )


def _root(matrix: Matrix) -> tuple[Matrix | None, float]:
    """Take out the largest pivot as a column again and again, until nothing is left."""
    rest, columns = matrix.copy(), []
    size = max(float(np.abs(matrix).max()), 1e-300)
    for _ in range(len(matrix)):
        pivot = int(np.argmax(np.diag(rest)))
        if rest[pivot, pivot] <= ROUNDING * size:
            break
        column = rest[:, pivot] / np.sqrt(rest[pivot, pivot])
        rest = rest - np.outer(column, column)
        columns.append(column)
    defect = float(np.abs(rest).max()) / size
    X = np.array(columns).T if columns else np.zeros((len(matrix), 1))
    return (X if defect <= ROUNDING * len(matrix) else None), defect

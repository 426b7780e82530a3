"""Lassos of many targets on the same columns: rows solved side by side."""

import numpy as np
from numba import prange

from infimum.compiled.descent.gram_path import Quadratic, gram_gap, minimise_at
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["solve_rows"]


@loop(parallel=True)
def solve_rows(
    gram: Matrix,
    pulls: Matrix,
    squares: Vector,
    price: Vector,
    positive: bool,  # noqa: FBT001
    aims: Vector,
    max_sweeps: int,
    codes: Matrix,
    gaps: Vector,
) -> None:
    """Minimise ½ cᵀ G c - bᵀc + price[0] ‖c‖₁ for every row c of `codes`, in place.

    Row i has its own b, row i of `pulls`, the squared length ``squares[i]`` of its
    target and the gap to reach, ``aims[i]``; what it reached goes to ``gaps[i]``.
    """
    for i in prange(codes.shape[0]):
        point, cross = codes[i].reshape(-1, 1), pulls[i].reshape(-1, 1)
        gradient, step = -cross, np.empty(1)
        for j in range(len(point)):
            if point[j, 0] != 0.0:
                for m in range(len(point)):
                    gradient[m, 0] += gram[j, m] * point[j, 0]
        quadratic = Quadratic(gram, cross, squares[i])
        top = np.abs(cross).max()
        minimise_at(
            quadratic, price, positive, aims[i], max_sweeps, top, point, gradient, step
        )  # fmt: skip
        gaps[i] = gram_gap(quadratic, gradient, point, price[0], price[1], positive)

"""A table with given products: whoever reads samples can be given their Gram matrix."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["factor_of"]

#: Directions shorter than this, relative to the longest, are rounding.
ROUNDING = 1e-14


def factor_of(gram: Matrix, products: Vector) -> tuple[Matrix, Vector]:
    """Return A and t with AᵀA = gram and Aᵀt = products, for positive gram.

    Several columns of products give as many columns of t. Directions in which the
    Gram matrix is 0 can have no products, and get none.
    """
    if gram.shape[0] != gram.shape[1] or len(products) != len(gram):
        raise DataError(
            "A Gram matrix is square with one product for each of its columns, got "
            f"shapes {gram.shape} and {products.shape}."
        )
    squares, axes = linalg.eigh(gram)
    kept = squares > ROUNDING * max(float(squares[-1]), 0.0)
    lengths, axes = np.sqrt(squares[kept]), axes[:, kept]
    target = ((axes.T @ products).T / lengths).T
    return (axes * lengths).T, target

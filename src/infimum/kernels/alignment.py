"""Kernel alignment: how well a Gram matrix fits another, or the labels."""

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels.algebra.centering import center_gram
from infimum.typing import Matrix

__all__ = ["kernel_alignment", "target_alignment"]


def kernel_alignment(first: Matrix, second: Matrix, *, centered: bool = False) -> float:
    r"""Return the cosine of the angle between two Gram matrices.

    .. math:: A(K, L) = \frac{⟨K, L⟩_F}{\|K\|_F \|L\|_F}

    Between 0 and 1 for positive semi-definite matrices. With ``centered=True`` both
    are centred first, so that a constant has no part in it.

    Examples
    --------
    >>> import numpy as np
    >>> round(kernel_alignment(np.eye(2), np.ones((2, 2))), 4)
    0.7071
    """
    K: Matrix = np.asarray(first, np.float64)
    L: Matrix = np.asarray(second, np.float64)
    if K.shape != L.shape or K.ndim != 2 or K.shape[0] != K.shape[1]:  # noqa: PLR2004
        raise DataError(
            "kernel_alignment compares two square matrices of one size, got shapes "
            f"{K.shape} and {L.shape}."
        )
    if centered:
        K, L = center_gram(K), center_gram(L)
    lengths = float(np.linalg.norm(K) * np.linalg.norm(L))
    return float(np.vdot(K, L)) / lengths if lengths > 0 else 0.0


def target_alignment(gram: Matrix, y: Any, *, centered: bool = True) -> float:
    r"""Return the alignment of a Gram matrix with its targets.

    The ideal kernel is :math:`y y^\top` for numbers (±1 for two classes) and 1 within,
    0 between the classes for labels that are not numbers.

    Examples
    --------
    >>> import numpy as np
    >>> round(target_alignment(np.eye(2), [1.0, -1.0], centered=False), 4)
    0.7071
    """
    targets = np.asarray(y)
    if targets.dtype.kind in "fiub":
        ideal = np.multiply.outer(*2 * (targets.astype(np.float64),))
    else:
        ideal = np.equal.outer(targets, targets).astype(np.float64)
    return kernel_alignment(gram, ideal, centered=centered)

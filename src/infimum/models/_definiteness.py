"""Whether a kernel makes the problem of a machine convex."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.kernels import Kernel
from infimum.models._kernel_door import select
from infimum.models._matrix_function import MatrixFunction
from infimum.models.leading_eigenpairs import leading_eigenpairs

__all__ = ["INDEFINITE", "is_definite"]

#: Things on which a kernel that is a function is examined.
SOME = 500
#: Eigenvalues within this share of the largest possible one are rounding.
ROUNDING = 1e-12
INDEFINITE = "the kernel is indefinite, which leaves no lower bound"


def is_definite(kernel: Kernel | None, things: Any) -> bool:
    """Tell whether a kernel makes the problem convex.

    A kernel knows; of a matrix the least eigenvalue is looked for, of a function on
    the first 500 of the things: what it does on others is not known.
    """
    if kernel is not None and not isinstance(kernel, MatrixFunction):
        return kernel.definite
    if kernel is None:
        gram = np.asarray(things, dtype=np.float64)
    else:
        count = int(things.shape[0]) if hasattr(things, "shape") else len(things)
        gram = np.asarray(kernel(select(things, np.arange(min(count, SOME)))))
    gram = (gram + gram.T) / 2
    least = -leading_eigenpairs(lambda V: -(gram @ V), len(gram), 1, tol=1e-6).values[0]
    size = float(np.abs(gram).max(initial=0.0)) * len(gram)
    return bool(least >= -ROUNDING * size)

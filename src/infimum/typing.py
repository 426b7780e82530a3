"""Type aliases of arrays for the whole library."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: One number per sample or per feature; float64 or float32.
Vector: TypeAlias = NDArray[np.floating[Any]]
#: Samples × features, samples × scores, or features × scores.
Matrix: TypeAlias = NDArray[np.floating[Any]]
#: A yes or no per sample or per feature.
Mask: TypeAlias = NDArray[np.bool_]
#: Positions of samples or features.
Indices: TypeAlias = NDArray[np.integer[Any]]

#: A scalar formula written with NumPy ufuncs, so that NumPy can run it on arrays
#: and ``infimum.compiled`` can compile it for single numbers. The last argument is
#: always the owner's ``parameters``.
Formula: TypeAlias = Callable[..., Any]

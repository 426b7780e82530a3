"""Products of a large matrix with a few vectors, which read it once.

BLAS repacks the matrix for the product with a narrow one, which takes several times as
long as the arithmetic.
"""

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Matrix

__all__ = ["dot_several"]

#: Entries of a row at a time: few enough to stay in the nearest cache for all vectors;
#: and vectors at a time, whose sums stay in registers.
RUN, ABREAST = 512, 3


def dot_several(X: Matrix, vectors: Matrix) -> Matrix:
    """Return the product of each vector (row) with each row of X, (vectors, rows)."""
    count = len(vectors)
    padded = np.zeros((-(-count // ABREAST) * ABREAST, X.shape[1]))
    padded[:count] = vectors
    out = np.zeros((len(padded), len(X)))
    in_parts(len(X), lambda rows: _dot_several(X[rows], padded, out[:, rows]))
    return out[:count]


@loop(fastmath={"reassoc", "contract"})
def _dot_several(X: Matrix, vectors: Matrix, out: Matrix) -> None:
    n, d = X.shape
    for i in range(n):
        for start in range(0, d, RUN):
            stop = min(d, start + RUN)
            row = X[i, start:stop]
            for k in range(0, vectors.shape[0], ABREAST):
                u, v = vectors[k, start:stop], vectors[k + 1, start:stop]
                w = vectors[k + 2, start:stop]
                a = b = c = 0.0
                for j in range(row.size):
                    a += row[j] * u[j]
                    b += row[j] * v[j]
                    c += row[j] * w[j]
                out[k, i] += a
                out[k + 1, i] += b
                out[k + 2, i] += c

"""Linear algebra in long doubles: exact scores, triangles, least squares.

NumPy's long double has 64 bits of mantissa here. Scores are sums of products kept as
two such numbers, so that they are right to some 35 digits.
"""

import numpy as np

__all__ = [
    "EPS", "LD", "Triangle", "as_ld", "scores_of", "triangle_of", "two_product",
    "two_sum",
]  # fmt: skip

LD = np.longdouble
EPS = float(np.finfo(LD).eps)
SPLITTER = LD(2) ** 32 + 1


def as_ld(array):
    """Return a dense array of long doubles."""
    dense = array.toarray() if hasattr(array, "toarray") else np.asarray(array)
    return np.ascontiguousarray(dense).astype(LD)


def two_sum(a, b):
    """Return the sum of two numbers and what rounding took from it."""
    total = a + b
    rest = total - a
    return total, (a - (total - rest)) + (b - rest)


def two_product(a, b):
    """Return the product of two numbers and what rounding took from it."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + (
        a_low * b_low
    )
    return product, lost


def scores_of(X, W, b):
    """Return X W + b as two arrays whose sum it is; X (n, d), W (d, k), b (k,)."""
    high = np.zeros((len(X), W.shape[1]), LD) + b
    low = np.zeros_like(high)
    for column, row in zip(X.T, W, strict=True):
        if row.any():
            product, lost = two_product(column[:, None], row[None, :])
            high, error = two_sum(high, product)
            low += error + lost
    return high, low


def _halves(a):
    big = SPLITTER * a
    high = big - (big - a)
    return high, a - high


class Triangle:
    """A P = Q R by Householder reflections with pivots, as far as the rank goes."""

    def __init__(self, A, cut=1e-17):
        A = np.array(A, LD)
        n, d = A.shape
        self.scale = np.sqrt((A * A).sum(axis=0))
        self.scale[self.scale == 0] = 1
        A /= self.scale
        self.order, self.mirrors = np.arange(d), []
        rank, first = 0, None
        for k in range(min(n, d)):
            lengths = (A[k:, k:] ** 2).sum(axis=0)
            best = k + int(np.argmax(lengths))
            size = np.sqrt(lengths[best - k])
            first = size if first is None else first
            if not size > cut * first:
                break
            A[:, [k, best]] = A[:, [best, k]]
            self.order[[k, best]] = self.order[[best, k]]
            mirror = A[k:, k].copy()
            mirror[0] += size if mirror[0] >= 0 else -size
            mirror /= np.sqrt(mirror @ mirror)
            A[k:, k:] -= 2 * np.outer(mirror, mirror @ A[k:, k:])
            self.mirrors.append(mirror)
            rank += 1
        self.rank, self.shape = rank, (n, d)
        self.R = np.triu(A[:rank, :rank])

    def basis(self):
        """Return Q: orthonormal columns that span those of A."""
        n = self.shape[0]
        Q = np.zeros((n, self.rank), LD)
        Q[np.arange(self.rank), np.arange(self.rank)] = 1
        for k in reversed(range(self.rank)):
            mirror = self.mirrors[k]
            Q[k:] -= 2 * np.outer(mirror, mirror @ Q[k:])
        return Q

    def solve(self, u):
        """Return x with A x = Q u, entries beyond the rank 0; u (rank, k)."""
        x = np.zeros((self.shape[1], u.shape[1]), LD)
        x[self.order[: self.rank]] = _back(self.R, u)
        return x / self.scale[:, None]

    def solve_squares(self, g):
        """Return x with AᵀA x = g, entries beyond the rank 0."""
        g = (g / self.scale)[self.order[: self.rank]]
        return self.solve(_forward(self.R.T, g)[:, None])[:, 0]


def triangle_of(A, cut=1e-17):
    """Return the triangle of a matrix."""
    return Triangle(A, cut)


def _back(R, u):
    x = np.array(u, LD)
    for k in reversed(range(len(R))):
        x[k] = (x[k] - R[k, k + 1 :] @ x[k + 1 :]) / R[k, k]
    return x


def _forward(L, g):
    x = np.array(g, LD)
    for k in range(len(L)):
        x[k] = (x[k] - L[k, :k] @ x[:k]) / L[k, k]
    return x

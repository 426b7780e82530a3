"""The largest eigenvalues of a symmetric operator, each with a bound on its error."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from infimum.errors import InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = ["Eigenpairs", "leading_eigenpairs"]

#: Vectors multiplied at a time: one read of the operator serves them all. At least two
#: more than are wanted, so that equal eigenvalues all show, up to the larger number.
NARROW, WIDE = 8, 32
#: Blocks kept before the basis is cut back to its best part.
BLOCKS = 6
#: Directions longer than this, relative to the operator, keep their right angles.
SHORT = 1e-3
#: Residuals from this on are rough: what keeps this much of its length at a projection
#: need not be projected again for them.
ROUGH, LONG = 1e-6, 1e-2


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenvalues, largest first, with unit eigenvectors and their residuals.

    Within `residuals[j]` = ‖Av - θv‖ of `values[j]` there is an eigenvalue of A,
    whoever computed it.
    """

    values: Vector
    vectors: Matrix
    residuals: Vector
    products: int


def leading_eigenpairs(
    multiply: Callable[[Matrix], Matrix],
    size: int,
    count: int,
    *,
    tol: float = 1e-10,
    max_products: int = 200,
    random_state: int = 0,
    width: int | None = None,
) -> Eigenpairs:
    """Return the `count` largest eigenvalues of a symmetric operator.

    Block Lanczos with restarts: the operator is applied to a block of vectors at a
    time, one read of it for all; the answer is the best one (Rayleigh–Ritz) in the
    space spanned so far. An eigenvalue that occurs more than 32 times may be reported
    fewer times than it occurs.

    Parameters
    ----------
    multiply : callable
        Blocks of vectors, `size` × b, to the operator applied to each.
    size, count : int
        How many rows the operator has, how many eigenpairs are wanted.
    tol : float, default=1e-10
        Stop when every residual is below `tol` times the largest eigenvalue.
    max_products : int, default=200
        Give up after so many blocks; the residuals tell how far it got.
    random_state : int, default=0
        Seed of the first block.
    width : int, optional
        Vectors of a block; two more than are wanted unless given, but from 8 to 32.
        Fewer are quicker where no eigenvalue occurs more often than that.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.diag([5.0, 3.0, 1.0, 0.5])
    >>> leading_eigenpairs(lambda V: A @ V, 4, 2).values.round(6)
    array([5., 3.])
    """
    if not 1 <= count <= size:
        raise InvalidParameterError(
            f"leading_eigenpairs: count must be between 1 and {size}, got {count}."
        )
    broad = width or max(NARROW, min(count + 2, WIDE))
    draw = np.random.default_rng(random_state)
    space = _KrylovSpace(multiply, size, count, min(size, broad), draw)
    space.rough = tol >= ROUGH
    products = 0
    while products < max_products:
        products += 1
        space.grow()
        if space.residuals.max() <= tol * space.scale or space.whole:
            break
        space.make_room()
    vectors = space.vectors()
    apart = multiply(vectors) - vectors * space.values
    residuals = np.linalg.norm(apart, axis=0)
    return Eigenpairs(space.values, vectors, residuals, products)


class _KrylovSpace:
    """An orthonormal basis Q with AQ = QT + (next block)(coupling)."""

    def __init__(
        self,
        multiply: Callable[[Matrix], Matrix],
        size: int,
        count: int,
        width: int,
        draw: np.random.Generator,
    ) -> None:
        self._multiply = multiply
        self._draw = draw
        self._count = count
        self._width = width
        self.rough = False
        most = min(size, count + BLOCKS * self._width)
        self._basis = np.empty((size, most + self._width), order="F")
        self._projected = np.zeros((most + self._width,) * 2)
        self._most = most
        self._used = 0
        self._next = self._fresh(self._width, np.empty((size, 0)))
        self.values: Vector = np.empty(0)
        self.residuals: Vector = np.full(count, np.inf)
        self._spectrum: Vector = np.empty(0)
        self._ritz: Matrix = np.empty((0, 0))

    @property
    def scale(self) -> float:
        """Largest eigenvalue seen, in absolute value."""
        return float(np.abs(self._spectrum[[0, -1]]).max())

    @property
    def whole(self) -> bool:
        """Whether the basis spans everything, so that nothing is left to find."""
        return bool(self._next.shape[1] == 0)

    def grow(self) -> None:
        """Apply the operator to the next block and take it into the basis."""
        old, new = self._used, self._used + self._next.shape[1]
        self._basis[:, old:new] = self._next
        image = np.array(self._multiply(self._next), dtype=np.float64)
        known = self._basis[:, :new]
        longest = np.linalg.norm(image, axis=0).max()
        along = known.T @ image
        image -= known @ along
        left = np.linalg.norm(image, axis=0).min()
        if not self.rough or left < LONG * longest:
            again = known.T @ image  # twice is enough: rounding left this of the first
            image -= known @ again
            along += again
        self._projected[:new, old:new] = along
        self._projected[old:new, :new] = along.T
        self._used = new
        coupling = self._continue(image)
        square = self._projected[:new, :new]
        spectrum, ritz = linalg.eigh((square + square.T) / 2)
        self._spectrum, self._ritz = spectrum[::-1], ritz[:, ::-1]
        if new >= self._count:
            self.values = self._spectrum[: self._count]
            tail = self._ritz[old:new, : self._count]
            self.residuals = np.linalg.norm(coupling @ tail, axis=0)

    def make_room(self) -> None:
        """Cut a full basis back to the best vectors in it."""
        if self._used + self._next.shape[1] <= self._most:
            return
        kept = min(self._count + self._width, self._used - 1)
        self._basis[:, :kept] = self._basis[:, : self._used] @ self._ritz[:, :kept]
        self._projected[:kept, :kept] = np.diag(self._spectrum[:kept])
        self._used = kept

    def vectors(self) -> Matrix:
        """Return the eigenvectors wanted, as far as they are known."""
        return np.asarray(self._basis[:, : self._used] @ self._ritz[:, : self._count])

    def _continue(self, image: Matrix) -> Matrix:
        """Choose the next block, and return how the operator leads into it."""
        directions, triangle, order = linalg.qr(image, mode="economic", pivoting=True)
        size = float(np.abs(self._projected[: self._used]).max(initial=0.0))
        fresh = int(np.count_nonzero(np.abs(np.diag(triangle)) > 1e-14 * size))
        coupling = np.empty_like(triangle)
        coupling[:, order] = triangle
        room = self._basis.shape[0] - self._used
        led = directions[:, : min(fresh, room)]
        if led.shape[1] and np.abs(triangle[fresh - 1, fresh - 1]) < SHORT * size:
            # What is short has lost its right angle to the basis when it is made long.
            led = self._outside(led, np.empty((len(image), 0)))
        missing = min(self._width, room) - led.shape[1]
        if missing:
            led = np.hstack((led, self._fresh(missing, led)))
        self._next = led
        return np.asarray(coupling[: min(fresh, room)])

    def _fresh(self, count: int, led: Matrix) -> Matrix:
        """Draw directions no product has led to: equal eigenvalues may hide there."""
        return self._outside(self._draw.standard_normal((len(self._basis), count)), led)

    def _outside(self, block: Matrix, led: Matrix) -> Matrix:
        """Return orthonormal directions at right angles to all that is known."""
        known = self._basis[:, : self._used]
        for _ in range(2):
            block = block - known @ (known.T @ block) - led @ (led.T @ block)
            block = linalg.qr(block, mode="economic")[0]
        return np.asarray(block)

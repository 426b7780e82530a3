"""The samples that a kernel perceptron with a budget keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Matrix, Vector

__all__ = ["Remembered"]

#: Share of the mistakes that forgetting may cost (Dekel et al. 2008).
ALLOWED = 15.0 / 32.0


@dataclass(frozen=True)
class Remembered:
    """The rows of the last mistakes with their coefficients, the oldest first."""

    rows: Any
    coefficients: Vector
    mistakes: int = 0
    harm: float = 0.0

    @classmethod
    def nothing(cls, X: Any) -> Remembered:
        """Return an empty memory for rows like these."""
        return cls(X[:0], np.zeros(0))

    def after(self, X: Any, signs: Vector, kernel: Any, budget: int) -> Remembered:
        """Return what is remembered when these rows have been met in turn."""
        everything = _joined(self.rows, X)
        gram = np.asarray(kernel(everything), dtype=np.float64)
        size = len(self.coefficients)
        c = np.zeros(size + len(signs))
        c[:size] = self.coefficients
        queue, mistakes, harm = list(range(size)), self.mistakes, self.harm
        for i, sign in enumerate(signs, start=size):
            if sign * float(gram[i] @ c) > 0.0:
                continue
            mistakes += 1
            c[i] = sign
            queue.append(i)
            # A budget made smaller since the last batch may ask for several.
            while len(queue) > budget:
                harm += _forget(gram, c, queue.pop(0), ALLOWED * mistakes - harm)
        return Remembered(everything[queue], c[queue], mistakes, harm)


def _forget(gram: Matrix, c: Vector, oldest: int, left: float) -> float:
    """Shrink all coefficients and drop the oldest; return the harm that does.

    With σ = |c| of the oldest, μ its margin and φ the shrinking, the harm is
    (σ² - 2σμ)φ² + 2σφ; φ in (0, 1] is the largest with harm at most `left`.
    """
    sigma = abs(float(c[oldest]))
    margin = float(np.sign(c[oldest]) * (gram[oldest] @ c))
    square, line = sigma**2 - 2.0 * sigma * margin, 2.0 * sigma
    phi = 1.0
    if square + line > left:
        # The root in a form that does not cancel; harm grows up to it from φ = 0.
        phi = 2.0 * left / (line + np.sqrt(max(line**2 + 4.0 * square * left, 0.0)))
    phi = min(max(phi, 0.0), 1.0)
    c *= phi
    c[oldest] = 0.0
    return float(square * phi**2 + line * phi)


def _joined(rows: Any, X: Any) -> Any:
    if not sparse.issparse(rows) and not sparse.issparse(X):
        return np.vstack([rows, X])
    return sparse.csr_array(
        sparse.vstack([sparse.csr_array(rows), sparse.csr_array(X)])
    )

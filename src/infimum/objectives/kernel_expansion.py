"""The representer theorem: solutions are combinations of the samples."""

import numpy as np

from infimum.errors import DataError, IncompatibleError
from infimum.objectives.linear_risk import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["expansion", "gram_root"]

#: Negative eigenvalues up to this share of the largest are rounding.
ROUNDING = 1e-10


def expansion(risk: LinearRisk, slopes: Vector) -> Vector:
    r"""Return the coefficients c of a minimiser :math:`w = X^\top c`.

    .. math:: c_i = -\frac{q_i s_i}{λ}

    where s are the slopes of the loss at the minimiser (``Solution.slopes``), q the
    shares of the samples and :math:`\tfrac λ2\|w\|^2` the penalty. A component of w
    orthogonal to all samples would change no score and lengthen w, so there is none:
    the learnt function is :math:`f(x) = \sum_i c_i ⟨x_i, x⟩`, whatever the loss.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Squared
    >>> from infimum.penalties import Ridge
    >>> from infimum.solvers import Newton
    >>> X, y = np.array([[1.0, 2.0, 2.0]]), np.array([3.0])
    >>> risk = LinearRisk(as_design(X), y, Squared(), Ridge(1.0), intercept=False)
    >>> solution = Newton().solve(risk)
    >>> expansion(risk, solution.slopes).round(6), solution.point[:-1].round(6)
    (array([0.3]), array([0.3, 0.6, 0.6]))
    """
    strength = risk.penalty.quadratic
    if strength is None:
        raise IncompatibleError(
            f"expansion needs a ridge penalty, got {type(risk.penalty).__name__}: only "
            "a penalty on the length of w puts w among the samples."
        )
    return -(slopes.T * risk.weights).T / strength


def gram_root(gram: Matrix) -> Matrix:
    """Return X with X Xᵀ = gram, so that linear models learn from a kernel matrix.

    A matrix of kernel values is the inner products of some vectors exactly when it is
    symmetric and positive semi-definite; anything else is refused. Rows of X are the
    samples in coordinates of their own; `expansion` brings predictions back to kernel
    values.

    Examples
    --------
    >>> import numpy as np
    >>> X = gram_root(np.array([[4.0, 2.0], [2.0, 1.0]]))
    >>> X.shape, (X @ X.T).round(6).tolist()
    ((2, 1), [[4.0, 2.0], [2.0, 1.0]])
    """
    gram = np.asarray(gram, dtype=np.float64)
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1]:  # noqa: PLR2004
        raise DataError(f"A kernel matrix must be square, got shape {gram.shape}.")
    scale = float(np.abs(gram).max(initial=0.0))
    if np.abs(gram - gram.T).max(initial=0.0) > ROUNDING * scale:
        raise DataError("A kernel matrix must be symmetric: k(x, z) = k(z, x).")
    values, vectors = np.linalg.eigh(gram)
    if values.min(initial=0.0) < -ROUNDING * scale * len(gram):
        raise DataError(
            "A kernel matrix must be positive semi-definite, its smallest eigenvalue "
            f"is {values[0]:.3g}: no vectors have these inner products."
        )
    kept = values > np.finfo(np.float64).eps * len(gram) * values.max(initial=0.0)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))

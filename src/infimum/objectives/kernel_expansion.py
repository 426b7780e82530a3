"""The representer theorem: solutions are combinations of the samples."""

from infimum.errors import IncompatibleError
from infimum.objectives.kernel_coordinates import KernelCoordinates
from infimum.objectives.linear_risk import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["expansion", "gram_root"]


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
    samples in coordinates of their own (`KernelCoordinates` has the way back);
    `expansion` brings predictions back to kernel values.

    Examples
    --------
    >>> import numpy as np
    >>> X = gram_root(np.array([[4.0, 2.0], [2.0, 1.0]]))
    >>> X.shape, (X @ X.T).round(6).tolist()
    ((2, 1), [[4.0, 2.0], [2.0, 1.0]])
    """
    return KernelCoordinates.of(gram).root

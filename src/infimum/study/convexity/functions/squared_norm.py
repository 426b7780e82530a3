"""Half of a squared p-norm, the distance generator of p-norm algorithms."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import IncompatibleError
from infimum.parameters import Interval, check_domains, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.norms import EUCLIDEAN, dual_order, dual_vector, norm
from infimum.typing import Matrix, Vector

__all__ = ["SquaredNorm"]


@dataclass(frozen=True, eq=False)
class SquaredNorm(ConvexFunction):
    r"""Half a squared norm: :math:`f(x) = \tfrac\lambda2 \|x\|_p^2`, 1 < p < ∞.

    Its conjugate is :math:`\tfrac1{2\lambda}\|\cdot\|_q^2` with 1/p + 1/q = 1, and the
    two gradient maps are inverse to each other. In the p-norm the modulus of strong
    convexity is λ(p - 1) for p ≤ 2, that of smoothness λ(p - 1) for p ≥ 2.

    >>> import numpy as np
    >>> ball = SquaredNorm(1.5)
    >>> x = np.array([3.0, -4.0])
    >>> np.allclose(ball.conjugate().gradient(ball.gradient(x)), x)
    True
    """

    order: float = field(
        default=2.0, metadata={"domain": Interval(1, np.inf, True, True)}
    )
    scale: float = field(default=1.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def value(self, x: Vector) -> float:
        return 0.5 * self.scale * norm(x, self.order) ** 2

    def gradient(self, x: Vector) -> Vector:
        # ∇ ½‖x‖² = ‖x‖ ∇‖x‖; the powers are taken of entries below one.
        return self.scale * norm(x, self.order) * dual_vector(x, self.order)

    def hessian(self, x: Vector) -> Matrix:
        if self.order == EUCLIDEAN:
            return self.scale * np.eye(x.size)
        if self.order < EUCLIDEAN and not np.all(x):
            raise IncompatibleError(
                f"SquaredNorm of order {self.order:g} has no second derivative where "
                "an entry is zero; move the point off the axes."
            )
        # With u = x/‖x‖ and g = sign(u)|u|^(p-1):  (p-1) diag|u|^(p-2) + (2-p) g gᵀ.
        unit = np.abs(x) / norm(x, self.order)
        gradient = dual_vector(x, self.order)
        curved = (self.order - 1.0) * np.diag(unit ** (self.order - 2.0))
        return np.asarray(
            self.scale * (curved + (2.0 - self.order) * np.outer(gradient, gradient))
        )

    def conjugate(self) -> ConvexFunction:
        return SquaredNorm(dual_order(self.order), 1.0 / self.scale)

    @property
    def strong_convexity(self) -> float:
        return self.scale * (self.order - 1.0) if self.order <= EUCLIDEAN else 0.0

    @property
    def smoothness(self) -> float:
        return self.scale * (self.order - 1.0) if self.order >= EUCLIDEAN else np.inf

    @property
    def norm_order(self) -> float:
        return self.order

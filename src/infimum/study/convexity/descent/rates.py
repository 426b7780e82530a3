"""Theoretical rates of descent, as numbers to compare with a trace."""

import numpy as np

from infimum.parameters import check_domain, positive
from infimum.typing import Vector

__all__ = [
    "conjugate_gradient_bound",
    "convergence_order",
    "damped_newton_bound",
    "gap_bound",
    "gradient_norm_bound",
    "iterations_to_gap",
    "linear_rate_bound",
    "mirror_bound",
    "mirror_constant_bound",
    "mirror_constant_step",
    "mirror_decaying_bound",
    "newton_constant",
    "subgradient_bound",
    "wolfe_iterations",
]


def gradient_norm_bound(smoothness: float, gap: float, iterations: int) -> float:
    r"""Return :math:`\sqrt{2L(f(w_0)-f^*)/(T+1)}`, for steps 1/L on an L-smooth f.

    The shortest of the gradients at w₀ … w_T is at most this long, convex or not.
    """
    return float(np.sqrt(2.0 * smoothness * gap / (iterations + 1)))


def wolfe_iterations(
    smoothness: float, gap: float, target: float, constants: tuple[float, float]
) -> int:
    r"""Return how many gradient steps by Wolfe's rule surely meet a short gradient.

    With constants (c₁, c₂) the curvature condition makes a step at least
    :math:`(1-c_2)/L` long and the other one makes it pay
    :math:`c_1(1-c_2)\|\nabla f\|^2/L`; so while all gradients exceed `target` there are
    fewer than :math:`L\,\mathrm{gap}/(c_1(1-c_2)\,\mathrm{target}^2)` of them.
    """
    paid = constants[0] * (1.0 - constants[1]) * target**2 / smoothness
    return int(np.ceil(gap / paid))


def gap_bound(gradient_norm: float, strong_convexity: float) -> float:
    r"""Return :math:`\|\nabla f(w)\|^2 / 2\sigma`, which f(w) - f* cannot exceed.

    >>> gap_bound(0.1, 0.5)
    0.010000000000000002
    """
    check_domain("gap_bound strong_convexity", strong_convexity, positive)
    return gradient_norm**2 / (2.0 * strong_convexity)


def linear_rate_bound(
    smoothness: float, strong_convexity: float, gap: float, iterations: int
) -> float:
    r"""Return :math:`(1-\sigma/L)^T (f(w_0)-f^*)`, for steps 1/L or exact steps."""
    return float((1.0 - strong_convexity / smoothness) ** iterations) * gap


def iterations_to_gap(
    smoothness: float, strong_convexity: float, gap: float, target: float
) -> int:
    r"""Return how many steps 1/L surely bring the gap down to `target`.

    It is :math:`\log(\mathrm{gap}/\mathrm{target}) / \log(1/c)` with
    :math:`c = 1 - \sigma/L`, rounded up.

    >>> iterations_to_gap(2.0, 1.0, 1.0, 0.25)
    2
    """
    factor = 1.0 - strong_convexity / smoothness
    if target >= gap:
        return 0
    if factor <= 0.0:
        return 1
    return int(np.ceil(np.log(gap / target) / -np.log(factor)))


def mirror_bound(
    distance: float, strong_convexity: float, steps: Vector, gradient_norms: Vector
) -> float:
    r"""Return the promise of mirror descent for the best of w₁ … w_T.

    .. math:: \min_t J(w_t) - J(w^*) \le \frac{D_f(w^*, w_1)
              + \frac1{2\sigma}\sum_t \eta_t^2 \|\nabla J(w_t)\|_*^2}{\sum_t \eta_t}

    The gradients are measured in the dual of the norm in which f has modulus σ.
    """
    noise = np.sum(steps**2 * gradient_norms**2) / (2.0 * strong_convexity)
    return float((distance + noise) / np.sum(steps))


def mirror_constant_step(
    distance: float, strong_convexity: float, lipschitz: float, iterations: int
) -> float:
    r"""Return :math:`\sqrt{2\sigma D}/(L\sqrt T)`, the step that minimises the bound.

    `lipschitz` bounds the gradients themselves, in the dual norm.
    """
    return float(np.sqrt(2.0 * strong_convexity * distance / iterations)) / lipschitz


def mirror_constant_bound(
    distance: float, strong_convexity: float, lipschitz: float, iterations: int
) -> float:
    r"""Return :math:`L\sqrt{2D/(\sigma T)}`, reached by `mirror_constant_step`."""
    ratio = 2.0 * distance / (strong_convexity * iterations)
    return lipschitz * float(np.sqrt(ratio))


def mirror_decaying_bound(
    distance: float, strong_convexity: float, lipschitz: float, iterations: int
) -> float:
    r"""Return the promise for steps :math:`\sqrt{2\sigma D}/(L\sqrt t)`.

    .. math:: L\sqrt{\frac D{2\sigma}}\;
              \frac{1+\sum_{t\le T} 1/t}{\sum_{t\le T} 1/\sqrt t}
              = O(\log T/\sqrt T)

    The logarithm is the price of not knowing T in advance.
    """
    times = np.arange(1, iterations + 1)
    ratio = (1.0 + np.sum(1.0 / times)) / np.sum(1.0 / np.sqrt(times))
    return float(lipschitz * np.sqrt(distance / (2.0 * strong_convexity)) * ratio)


def conjugate_gradient_bound(condition: float, gap: float, iterations: int) -> float:
    r"""Return :math:`4\bigl(\frac{\sqrt κ-1}{\sqrt κ+1}\bigr)^{2T}` of the gap.

    So much of it can conjugate gradients leave on a quadratic with the condition number
    κ; after as many steps as variables, but for rounding, nothing.
    """
    if not np.isfinite(condition):
        return gap
    root = float(np.sqrt(condition))
    return gap * min(1.0, 4.0 * ((root - 1.0) / (root + 1.0)) ** (2 * iterations))


def subgradient_bound(distance: float, lipschitz: float, steps: Vector) -> float:
    r"""Return :math:`(R^2 + G^2\sum γ_t^2)/(2\sum γ_t)` for w₊ = w - γ g.

    So far above the minimum is the best of the points the steps were taken from, with R
    the distance of the first from a minimiser and G the longest subgradient. For terms
    taken one at a time G is the sum of the terms' and γ the step of a pass.
    """
    noise = lipschitz**2 * float(np.sum(steps**2))
    return (distance**2 + noise) / (2.0 * float(np.sum(steps)))


def damped_newton_bound(gap: float, iterations: int) -> float:
    r"""Return what damped Newton leaves of a gap on any self-concordant function.

    While the decrement λ is at least 1/4 a step pays :math:`\frac14-\log\frac54`; from
    then on :math:`\lambda_+ \le 2\lambda^2`, and the gap is at most
    :math:`-\lambda-\log(1-\lambda)`. No modulus enters.

    >>> damped_newton_bound(0.02, 5) < 1e-9
    True
    """
    pay = 0.25 - np.log(1.25)
    slow = int(np.ceil(gap / pay))
    last = -0.25 - np.log(0.75)
    if iterations < slow:
        return float(min(gap, max(gap - iterations * pay, last)))
    decrement = 0.5 * 0.5 ** (2.0 ** min(iterations - slow, 8))
    return float(min(gap, -decrement - np.log1p(-decrement)))


def newton_constant(hessian_lipschitz: float, inverse_bound: float) -> float:
    r"""Return NM/2: Newton's :math:`\|w_{t+1}-w^*\| \le \frac{NM}2\|w_t-w^*\|^2`.

    M is a Lipschitz constant of the Hessian, N bounds the norm of its inverse.
    """
    return 0.5 * hessian_lipschitz * inverse_bound


def convergence_order(errors: Vector) -> float:
    """Return the exponent r in e₊ ≈ C eʳ, fitted to the errors still above rounding.

    >>> import numpy as np
    >>> convergence_order(np.array([1e-1, 1e-2, 1e-4, 1e-8]))
    2.0
    """
    usable = errors[errors > 1e3 * np.finfo(float).eps]
    drops = np.log(usable[1:] / usable[:-1])
    return float(np.round(np.median(drops[1:] / drops[:-1]), 12))

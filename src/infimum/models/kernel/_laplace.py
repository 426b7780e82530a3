"""Laplace's approximation of a Gaussian process seen through labels."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from scipy.special import entr, expit, ndtr

from infimum.certificates import Certificate
from infimum.errors import DataError
from infimum.models.kernel._tuned_kernel import TunedKernel
from infimum.typing import Matrix, Vector

__all__ = ["LaplaceMode", "averaged_sigmoid", "find_mode", "laplace_evidence"]

TOLERANCE = 1e-10
#: Above this deviation of the score, the sigmoid looks like a step and a normal
#: distribution of the same variance replaces it to five digits.
WIDE = 12.0
NODES = 401


@dataclass(frozen=True)
class LaplaceMode:
    r"""The most plausible scores f = Ka, and the curvature there.

    `slopes` is :math:`∇\log p(y \mid f)`, which equals a at the mode; `roots` is
    :math:`W^{1/2}` and `factor` the Cholesky factor of
    :math:`B = I + W^{1/2} K W^{1/2}`.
    """

    scores: Vector
    weights: Vector
    slopes: Vector
    roots: Vector
    factor: Matrix
    evidence: float
    certificate: Certificate


def find_mode(gram: Matrix, labels: Vector, steps: int) -> LaplaceMode:
    r"""Minimise :math:`\sum \log(1 + e^{-y_i f_i}) + \frac12 a^\top K a` by Newton.

    `labels` are ±1. The problem is convex; the step is halved until it descends, and
    the gap to the dual value decides when to stop.
    """
    n = len(labels)
    weights: Vector = np.zeros(n)
    scores: Vector = np.zeros(n)
    scale = n * np.log(2.0)
    value = scale
    for _ in range(max(1, steps)):
        slopes, curvature = _derivatives(labels, scores)
        proof = _proof(gram, labels, weights, scores, slopes, scale)
        if proof.closed:
            break
        roots = np.sqrt(curvature)
        factor = _factor(gram, roots)
        right = curvature * scores + slopes
        inner = linalg.cho_solve((factor, True), roots * (gram @ right))
        direction = right - roots * inner - weights
        weights, value = _step(gram, labels, weights, direction, value)
        scores = gram @ weights
    slopes, curvature = _derivatives(labels, scores)
    proof = _proof(gram, labels, weights, scores, slopes, scale)
    roots = np.sqrt(curvature)
    factor = _factor(gram, roots)
    evidence = -proof.primal - float(np.log(np.diag(factor)).sum())
    return LaplaceMode(scores, weights, slopes, roots, factor, evidence, proof)


def laplace_evidence(
    kernel: TunedKernel, X: Any, labels: Vector, steps: int
) -> tuple[float, Vector]:
    """Return the approximate log-evidence, and its slope in log-parameters.

    The mode moves with the kernel, and the curvature with the mode: hence the second,
    implicit part of the slope.
    """
    gram = kernel.gram(X)
    mode = find_mode(gram, labels, steps)
    if not len(kernel.theta):
        return mode.evidence, np.empty(0)
    outer = mode.roots[:, None] * linalg.cho_solve(
        (mode.factor, True), np.diag(mode.roots)
    )
    explained = linalg.solve_triangular(
        mode.factor, mode.roots[:, None] * gram, lower=True
    )
    spread = np.diag(gram) - np.sum(explained**2, axis=0)
    share = expit(mode.scores)
    bends = mode.roots**2 * (1.0 - 2.0 * share)  # of W, along the scores
    implicit = -0.5 * spread * bends
    found = []
    for slope in kernel.slopes(X):
        direct = 0.5 * mode.weights @ slope @ mode.weights - 0.5 * np.vdot(outer, slope)
        pushed = slope @ mode.slopes
        moved = pushed - gram @ (outer @ pushed)
        found.append(float(direct + implicit @ moved))
    return mode.evidence, np.array(found)


def averaged_sigmoid(mean: Vector, variance: Vector) -> Vector:
    r"""Return :math:`E\,σ(f)` for normal f: the probability a label is 1.

    By the trapezoidal rule, which converges faster than any power here; very uncertain
    scores see the sigmoid as the distribution function of a normal of variance π²/3.
    """
    deviation = np.sqrt(np.maximum(variance, 0.0))
    nodes = np.linspace(-8.5, 8.5, NODES)
    density = np.exp(-0.5 * nodes**2)
    density /= density.sum()
    narrow = expit(mean[:, None] + np.minimum(deviation, WIDE)[:, None] * nodes)
    wide = ndtr(mean / np.sqrt(deviation**2 + np.pi**2 / 3))
    return np.where(deviation <= WIDE, narrow @ density, wide)


def _derivatives(labels: Vector, scores: Vector) -> tuple[Vector, Vector]:
    share = expit(scores)
    return np.where(labels > 0, 1.0 - share, -share), share * (1.0 - share)


def _factor(gram: Matrix, roots: Vector) -> Matrix:
    inner = roots[:, None] * gram * roots
    inner[np.diag_indices_from(inner)] += 1.0
    try:
        return np.asarray(linalg.cholesky(inner, lower=True, check_finite=False))
    except linalg.LinAlgError:
        raise DataError(
            "GaussianProcessClassifier: the kernel matrix has a negative eigenvalue; "
            "check the kernel with infimum.kernels.check_definite."
        ) from None


def _value(labels: Vector, weights: Vector, scores: Vector) -> float:
    loss = float(np.logaddexp(0.0, -labels * scores).sum())
    return loss + 0.5 * float(weights @ scores)


def _step(
    gram: Matrix, labels: Vector, weights: Vector, direction: Vector, value: float
) -> tuple[Vector, float]:
    size = 1.0
    for _ in range(30):
        moved = weights + size * direction
        reached = _value(labels, moved, gram @ moved)
        if reached <= value:
            return moved, reached
        size /= 2.0
    return weights, value


def _proof(
    gram: Matrix,
    labels: Vector,
    weights: Vector,
    scores: Vector,
    slopes: Vector,
    scale: float,
) -> Certificate:
    """Weigh the scores against the dual value of their own slopes."""
    shares = labels * slopes
    entropy = float((entr(shares) + entr(1.0 - shares)).sum())
    return Certificate(
        primal=_value(labels, weights, scores),
        dual=entropy - 0.5 * float(slopes @ (gram @ slopes)),
        scale=scale,
        tolerance=TOLERANCE,
        reason="gap closed",
    )

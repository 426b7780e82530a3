"""Laplace's approximation of a Gaussian process seen through labels."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg
from scipy.special import entr, expit, ndtr

from infimum.certificates import Certificate
from infimum.models.kernel.processes._latent_field import LatentField, WholeField
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.solvers.progress import CLOSED, STUCK
from infimum.typing import Matrix, Vector

__all__ = [
    "LaplaceMode",
    "Votes",
    "averaged_sigmoid",
    "find_mode",
    "laplace_evidence",
]

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
    :math:`B = I + W^{1/2} K W^{1/2}`, None where conjugate gradients took its place.
    `uncertainty` is the error of the evidence, 0 where it was computed.
    """

    scores: Vector
    weights: Vector
    slopes: Vector
    roots: Vector
    factor: Matrix | None
    evidence: float
    certificate: Certificate
    uncertainty: float = 0.0


@dataclass(frozen=True, eq=False)
class Votes:
    """Labels ±1 that count several times: what they cost, and how that bends."""

    labels: Vector
    counts: Vector

    @property
    def null(self) -> float:
        """What scores of 0 cost."""
        return float(self.counts.sum()) * float(np.log(2.0))

    def cost(self, scores: Vector) -> float:
        """Return the negative log-likelihood of the labels."""
        losses = np.logaddexp(0.0, -self.labels * scores)
        return float(self.counts @ losses)

    def slopes(self, scores: Vector) -> Vector:
        """Return the derivative of the log-likelihood."""
        share = expit(scores)
        return self.counts * np.where(self.labels > 0, 1.0 - share, -share)

    def bends(self, scores: Vector) -> Vector:
        """Return the second derivative of the cost."""
        share = expit(scores)
        return self.counts * share * (1.0 - share)

    def certify(
        self, weights: Vector, scores: Vector, slopes: Vector, pulled: Vector
    ) -> Certificate:
        """Weigh the scores against the dual value of their own slopes.

        `pulled` is K times the slopes.
        """
        share = expit(self.labels * scores)
        entropy = float(self.counts @ (entr(share) + entr(1.0 - share)))
        return Certificate(
            primal=self.cost(scores) + 0.5 * float(weights @ scores),
            dual=entropy - 0.5 * float(slopes @ pulled),
            scale=self.null,
            tolerance=TOLERANCE,
        )


def find_mode(field: LatentField, votes: Votes, steps: int, draw: Any) -> LaplaceMode:
    r"""Minimise :math:`\sum w_i \log(1 + e^{-y_i f_i}) + \frac12 a^\top K a` by Newton.

    The problem is convex; the step is halved until it descends, and the gap to the
    dual value decides when to stop.
    """
    weights: Vector = np.zeros(len(votes.labels))
    scores, reason = weights.copy(), "iteration limit"
    for left in range(max(1, steps), -1, -1):
        slopes, curvature = votes.slopes(scores), votes.bends(scores)
        proof = votes.certify(weights, scores, slopes, field.scores(slopes))
        curved = field.curved(np.sqrt(curvature))
        if proof.closed or not left:
            break
        roots = np.sqrt(curvature)
        right = curvature * scores + slopes
        inner = curved.solve(roots * field.scores(right))
        direction = right - roots * inner - weights
        moved = _step(votes, weights, scores, direction, field.scores(direction))
        if moved is None:  # rounding is all that is left
            reason = STUCK
            break
        weights, scores = moved
    volume = curved.log_determinant(draw)
    return LaplaceMode(
        scores,
        weights,
        slopes,
        curved.roots,
        curved.factor,
        -proof.primal - 0.5 * volume.value,
        replace(proof, reason=CLOSED if proof.closed else reason),
        0.5 * volume.error,
    )


def laplace_evidence(
    kernel: TunedKernel, X: Any, votes: Votes, steps: int
) -> tuple[float, Vector]:
    """Return the approximate log-evidence, and its slope in log-parameters.

    The mode moves with the kernel, and the curvature with the mode: hence the second,
    implicit part of the slope.
    """
    gram = kernel.gram(X)
    mode = find_mode(WholeField(gram), votes, steps, None)
    assert mode.factor is not None
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


def _step(
    votes: Votes, weights: Vector, scores: Vector, direction: Vector, pushed: Vector
) -> tuple[Vector, Vector] | None:
    """Return weights and scores after a step that descends; `pushed` is K direction."""
    value = votes.cost(scores) + 0.5 * float(weights @ scores)
    size = 1.0
    for _ in range(30):
        moved, reached = weights + size * direction, scores + size * pushed
        if votes.cost(reached) + 0.5 * float(moved @ reached) <= value:
            return moved, reached
        size /= 2.0
    return None

"""The mean of a Gaussian process given noisy values: solved, and proved."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from infimum.certificates import Certificate
from infimum.limits import in_time
from infimum.models.kernel.kernel_ridges._conjugate_gradients import KernelTiles
from infimum.models.kernel.processes._evidence import cholesky, evidence_of
from infimum.models.kernel.processes._noisy_values import NoisyValues
from infimum.models.kernel.processes._tiled_system import TiledSystem
from infimum.models.kernel.processes._tuned_kernel import TunedKernel
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

__all__ = ["ProcessMean", "solve_in_tiles", "solve_whole"]

#: What conjugate gradients divide the residual by, and how often they are asked to.
GOAL, MOST_LAPS = 1e-6, 4


@dataclass(frozen=True, eq=False)
class ProcessMean:
    """Weights of the samples in the mean, the evidence, and how good they are.

    `factor` is the Cholesky factor of the noisy kernel matrix, None where there was
    none; `uncertainty` the error of the evidence, 0 where it is exact.
    """

    weights: Matrix
    factor: Matrix | None
    evidence: float
    uncertainty: float
    certificate: Certificate
    history: tuple[Record, ...]


def solve_whole(
    owner: str, kernel: TunedKernel, data: NoisyValues, tolerance: float
) -> ProcessMean:
    """Return the mean from a factor of the kernel matrix."""
    began = time.perf_counter()
    targets, gram = data.targets, data.smooth_gram(kernel)
    noisy, noise = gram.copy(), data.noise(kernel)
    noisy[np.diag_indices_from(noisy)] += noise
    factor = cholesky(owner, noisy)
    weights = linalg.cho_solve((factor, True), targets, check_finite=False)
    value = evidence_of(
        float(np.vdot(targets, weights)),
        2.0 * float(np.log(np.diag(factor)).sum()),
        targets.shape,
    )
    value += targets.shape[1] * data.copied(kernel)
    proof = _prove(gram @ weights, weights, data, noise, tolerance, "solved directly")
    record = Record(1, time.perf_counter() - began, proof.primal, proof.dual)
    return ProcessMean(weights, factor, value, 0.0, proof, (record,))


def solve_in_tiles(
    kernel: TunedKernel,
    data: NoisyValues,
    capacity: int,
    tolerance: float,
    draw: Any,
) -> ProcessMean:
    """Return the mean by conjugate gradients; the kernel matrix is never whole.

    The determinant in the evidence is estimated from random vectors.
    """
    began = time.perf_counter()
    targets, noise = data.targets, data.noise(kernel)
    roots = 1.0 / np.sqrt(noise)[:, None]
    tiles = KernelTiles(kernel.cross, data.X, capacity)
    system = TiledSystem.of(kernel, data.X, roots[:, 0], tiles)
    right = residual = roots * targets
    found, used, history = np.zeros_like(right), 0, []
    for _ in in_time(range(MOST_LAPS)):
        step, count = system.solve(residual, GOAL)
        found, used = found + step, used + count
        weights = roots * found
        fitted = tiles(weights)
        proof = _prove(fitted, weights, data, noise, tolerance, "conjugate gradients")
        seconds = time.perf_counter() - began
        history.append(Record(used, seconds, proof.primal, proof.dual))
        if proof.closed:
            break
        residual = right - roots * fitted - found
    outputs = targets.shape[1]
    volume = system.log_determinant(draw)
    # The least risk is half of yᵀA⁻¹y, and the proof has it between two numbers.
    value = evidence_of(
        2.0 * proof.dual, volume.value + float(np.log(noise).sum()), targets.shape
    )
    value += outputs * data.copied(kernel)
    uncertainty = 0.5 * outputs * volume.error + proof.gap
    return ProcessMean(weights, None, value, uncertainty, proof, tuple(history))


def _prove(
    fitted: Matrix,
    weights: Matrix,
    data: NoisyValues,
    noise: Vector,
    tolerance: float,
    reason: str,
) -> Certificate:
    """Return primal and dual value at the weights; they differ by the residual."""
    targets, spread = data.targets, noise[:, None]
    size = float(np.vdot(weights, fitted))
    apart = targets - fitted
    # Noiseless samples are constraints: whatever is left of them is rounding.
    loss = np.divide(apart**2, spread, out=np.zeros_like(apart), where=spread > 0)
    null = np.divide(targets**2, spread, out=np.zeros_like(apart), where=spread > 0)
    dual = float(np.vdot(targets, weights)) - 0.5 * (
        size + float(np.vdot(weights * spread, weights))
    )
    return Certificate(
        primal=0.5 * (float(loss.sum()) + size),
        dual=dual,
        scale=max(0.5 * float(null.sum()) - dual, np.finfo(float).tiny),
        tolerance=tolerance,
        reason=reason,
    )

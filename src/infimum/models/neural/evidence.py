"""Certificates of networks: stationarity, and the duality gap of the last layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infimum.certificates import Certificate, certify
from infimum.data.designs import as_design
from infimum.errors import IncompatibleError
from infimum.losses import Logistic, Loss, Poisson, Softmax, Squared, VectorLoss
from infimum.models.neural.heads import Classes, Counts, Head, Labels, LossHead, Squares
from infimum.models.neural.network import Network
from infimum.models.neural.training import TrainingRows, objective
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import choose, relay
from infimum.typing import Matrix, Vector

__all__ = ["Evidence", "evidence_of", "polished"]


@dataclass(frozen=True)
class Evidence:
    """What is known of a fitted network, on given samples.

    Parameters
    ----------
    objective : float
        Mean loss plus penalty.
    gradient_norm : float
        Length of its gradient: 0 at a stationary point.
    output_layers : tuple of Certificate
        For each output, or all together: how much better another output layer could
        be on the same hidden features, at most.
    """

    objective: float
    gradient_norm: float
    output_layers: tuple[Certificate, ...]

    @property
    def closed(self) -> bool:
        """Whether no other output layer is better by more than the tolerance."""
        return all(proof.closed for proof in self.output_layers)


def evidence_of(
    network: Network, head: Head, table: TrainingRows, alpha: float
) -> Evidence:
    """Recompute the evidence from parameters and data alone."""
    hidden = np.empty((len(table), network.shapes[-2][0]))
    value, gradient = objective(network, head, table, alpha, hidden)
    risks = _risks(hidden, head, table, alpha)
    points = _points(network, len(risks))
    proofs = tuple(certify(*pair) for pair in zip(risks, points, strict=True))
    return Evidence(value, float(np.linalg.norm(gradient)), proofs)


def polished(network: Network, head: Head, table: TrainingRows, alpha: float) -> None:
    """Minimise over the output layer in place; keep the old one where it is as good."""
    hidden = np.empty((len(table), network.shapes[-2][0]))
    objective(network, head, table, alpha, hidden)
    risks = _risks(hidden, head, table, alpha)
    found = []
    for risk, start in zip(risks, _points(network, len(risks)), strict=True):
        better = relay(choose(risk)(), risk, start).point
        gain = certify(risk, start).primal - certify(risk, better).primal
        found.append(better if gain > 0 else start)
    joint = found[0] if found[0].ndim > 1 else np.column_stack(found)
    network.parameters[-1][0][...] = joint[:-1]
    network.parameters[-1][1][...] = joint[-1]


def _risks(
    hidden: Matrix, head: Head, table: TrainingRows, alpha: float
) -> list[LinearRisk]:
    """Return the risk of the output layer, one for each output that stands alone."""
    design = as_design(np.ascontiguousarray(hidden))
    strength = alpha / table.total
    loss: Loss | VectorLoss
    targets: list[Vector]
    if isinstance(head, Classes):
        loss, targets = (
            Softmax(table.Y.shape[1]),
            [table.Y.argmax(axis=1).astype(float)],
        )
    else:
        loss, scale, shift = _of_one_score(head)
        targets = [shift + scale * column for column in table.Y.T.astype(np.float64)]
    penalty = Ridge(strength) if strength > 0 else NoPenalty()
    return [
        LinearRisk(design, target, loss, penalty, table.weights) for target in targets
    ]


def _of_one_score(head: Head) -> tuple[Loss, float, float]:
    """Return the loss of a score, and how targets become those that it knows."""
    if isinstance(head, Labels):
        return Logistic(), 2.0, -1.0
    if isinstance(head, Squares):
        return Squared(), 1.0, 0.0
    if isinstance(head, Counts):
        return Poisson(), 1.0, 0.0
    if isinstance(head, LossHead):
        return head.loss, 1.0, 0.0
    raise IncompatibleError(f"No loss is known for the head {head}.")


def _points(network: Network, count: int) -> list[Vector]:
    """Return the output layer as points of the risks."""
    W, b = network.parameters[-1]
    joint = np.vstack([W, b]).astype(np.float64)
    if count == 1 and joint.shape[1] > 1:
        return [joint]
    return [np.ascontiguousarray(joint[:, k]) for k in range(joint.shape[1])]

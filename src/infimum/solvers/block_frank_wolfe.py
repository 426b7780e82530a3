"""Block-coordinate Frank–Wolfe: dual steps on one structure at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.objectives import (
    DualSteps,
    Evaluation,
    Labellings,
    LinearRisk,
    Mix,
    Plane,
    StructuredRisk,
)
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Indices, Vector

__all__ = ["BlockFrankWolfe"]

#: Shares below this are given up to the right labelling.
NOTHING = 1e-12
#: The risk is looked at again when passes have grown by one in so many.
PATIENCE = 4


@dataclass(frozen=True)
class BlockFrankWolfe(Solver):
    """Move the dual variables of one sample towards its worst labelling.

    For structured hinge losses under a ridge penalty: a step asks for one decoding, and
    its length is exact. The labellings met so far, with their shares, are the proof.
    An iteration is a pass over all samples, in an order drawn anew. Where the risk has
    dual steps of its own (chains), a visit moves shares between pairs of labellings
    that the sample has met. The risk is looked at when passes have grown by a quarter,
    or when what samples could gain is below the tolerance.

    References
    ----------
    Lacoste-Julien, Jaggi, Schmidt & Pletscher (2013), ICML. Osokin, Alayrac,
    Lukasewitz, Dokania & Lacoste-Julien (2016), ICML (pairs of labellings).
    """

    max_iterations: int = field(default=1_000, metadata={"domain": whole(1)})
    seed: int = field(default=0, metadata={"domain": whole(0)})

    def _objection(self, risk: LinearRisk) -> str | None:
        return f"{type(risk.loss).__name__} is no loss of structures"

    def _objection_to_planes(self, risk: Any) -> str | None:
        if not isinstance(risk, StructuredRisk):
            return f"{type(risk).__name__} is no risk of structures"
        if not risk.penalty.quadratic:
            return f"{type(risk.penalty).__name__} is not a ridge penalty"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk: Any = here.risk
        strength = float(risk.penalty.quadratic)
        state, rng = risk.dual_steps(), np.random.default_rng(self.seed)
        state = state or _Shares(risk)
        used, look = np.flatnonzero(risk.shares > 0.0), 1
        enough = self.tolerance * risk.unit
        yield Iterate(here, 0)
        for iteration in range(1, self.max_iterations + 1):
            left = state.round(rng.permutation(used))
            if iteration < min(look, self.max_iterations) and left > enough:
                continue
            look = iteration + 1 + iteration // PATIENCE
            w, cost = state.settle()
            said = state.witness()
            plane = Plane(np.append(-strength * w, 0.0), cost, said)
            proof: Any = Mix(np.ones(1), (said,), (plane,))
            yield Iterate(risk.evaluate(np.append(w, 0.0)), iteration, proof)


class _Shares(DualSteps):
    """Shares of labellings of any structure, and the weights that they make."""

    def __init__(self, risk: StructuredRisk) -> None:
        self.risk, self.strength = risk, float(risk.penalty.quadratic or 1.0)
        self.said: list[list[Any]] = [[] for _ in range(risk.problem.count)]
        self.parts: list[list[float]] = [[] for _ in range(risk.problem.count)]
        self.w: Vector = np.zeros(risk.size)

    def round(self, order: Indices) -> float:
        return sum(self._step(int(place)) for place in order)

    def _step(self, place: int) -> float:
        """Move one sample's shares towards its worst labelling, as far as it pays.

        Returns how much the objective would gain if it went on like that.
        """
        worst = self.risk.worst(self.w, np.array([place]))[0]
        fresh, gain = self._plane(place, [worst], [1.0])
        slope, height = self._plane(place, self.said[place], self.parts[place])
        move, rise = fresh - slope, gain - height
        size = float(move @ move)
        if size == 0.0:
            return 0.0
        pull = rise + float(move @ self.w)
        share = min(max(self.strength * pull / size, 0.0), 1.0)
        if share == 0.0:
            return 0.0
        self.w -= share / self.strength * move
        kept = [part * (1.0 - share) for part in self.parts[place]]
        keys = [_key(said) for said in self.said[place]]
        if (key := _key(worst)) in keys:
            kept[keys.index(key)] += share
        else:
            self.said[place].append(worst)
            kept.append(share)
        alive = [k for k, part in enumerate(kept) if part > NOTHING]
        self.said[place] = [self.said[place][k] for k in alive]
        self.parts[place] = [kept[k] for k in alive]
        return pull

    def _plane(self, place: int, said: list[Any], parts: Any) -> tuple[Vector, float]:
        if not said:
            return np.zeros(self.risk.size), 0.0
        witness = Labellings(np.full(len(said), place), np.array(parts), said)
        plane = self.risk.rebuild(witness)
        return plane.slope[:-1], plane.height

    def witness(self) -> Labellings:
        sizes = [len(parts) for parts in self.parts]
        return Labellings(
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([part for parts in self.parts for part in parts]),
            [said for each in self.said for said in each],
        )

    def settle(self) -> tuple[Vector, float]:
        held = self.risk.rebuild(self.witness())
        self.w = -held.slope[:-1] / self.strength
        return self.w, held.height


def _key(said: Any) -> bytes:
    parts = said if isinstance(said, tuple) else (said,)
    return b"".join(np.asarray(part).tobytes() for part in parts)

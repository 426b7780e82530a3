"""Block-coordinate Frank–Wolfe: dual steps on one structure at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.objectives import (
    Evaluation,
    Labellings,
    LinearRisk,
    Mix,
    StructuredRisk,
)
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.typing import Vector

__all__ = ["BlockFrankWolfe"]

#: Shares below this are given up to the right labelling.
NOTHING = 1e-12


@dataclass(frozen=True)
class BlockFrankWolfe(Solver):
    """Move the dual variables of one sample towards its worst labelling.

    For structured hinge losses under a ridge penalty: a step asks for one decoding, and
    its length is exact. The labellings met so far, with their shares, are the proof.
    An iteration is a pass over all samples, in an order drawn anew.

    References
    ----------
    Lacoste-Julien, Jaggi, Schmidt & Pletscher (2013), ICML.
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
        state, rng = _Dual(risk), np.random.default_rng(self.seed)
        yield Iterate(here, 0)
        for iteration in range(1, self.max_iterations + 1):
            for place in rng.permutation(np.flatnonzero(risk.shares > 0.0)):
                state.step(int(place))
            state.refresh()
            point: Any = risk.evaluate(np.append(state.w, 0.0))
            proof: Any = state.mix()
            yield Iterate(point, iteration, proof)


class _Dual:
    """Shares of labellings, sample by sample, and the weights that they make."""

    def __init__(self, risk: StructuredRisk) -> None:
        self.risk, self.strength = risk, float(risk.penalty.quadratic or 1.0)
        self.said: list[list[Any]] = [[] for _ in range(risk.problem.count)]
        self.parts: list[list[float]] = [[] for _ in range(risk.problem.count)]
        self.w: Vector = np.zeros(risk.size)

    def step(self, place: int) -> None:
        """Move one sample's shares towards its worst labelling, as far as it pays."""
        worst = self.risk.worst(self.w, np.array([place]))[0]
        fresh, gain = self._plane(place, [worst], [1.0])
        slope, height = self._plane(place, self.said[place], self.parts[place])
        move, rise = fresh - slope, gain - height
        size = float(move @ move)
        if size == 0.0:
            return
        pull = rise + float(move @ self.w)
        share = min(max(self.strength * pull / size, 0.0), 1.0)
        if share == 0.0:
            return
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

    def _plane(self, place: int, said: list[Any], parts: Any) -> tuple[Vector, float]:
        if not said:
            return np.zeros(self.risk.size), 0.0
        witness = Labellings(np.full(len(said), place), np.array(parts), said)
        plane = self.risk.rebuild(witness)
        return plane.slope[:-1], plane.height

    def witness(self) -> Labellings:
        """Return all labellings with their shares."""
        sizes = [len(parts) for parts in self.parts]
        return Labellings(
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([part for parts in self.parts for part in parts]),
            [said for each in self.said for said in each],
        )

    def refresh(self) -> None:
        """Compute the weights again from the shares: rounding does not add up."""
        self.held = self.risk.rebuild(self.witness())
        self.w = -self.held.slope[:-1] / self.strength

    def mix(self) -> Mix:
        """Return the proof: one plane, made of all shares."""
        return Mix(np.ones(1), (self.held.witness,), (self.held,))


def _key(said: Any) -> bytes:
    parts = said if isinstance(said, tuple) else (said,)
    return b"".join(np.asarray(part).tobytes() for part in parts)

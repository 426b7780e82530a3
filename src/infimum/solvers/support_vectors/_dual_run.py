"""Runs of support vector solvers: the dual point, its proof, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from infimum.certificates import (
    Certificate,
    best_offsets,
    cancellation,
    certify_support_vectors,
    gain_of,
    judged_by,
    null_risk,
)
from infimum.certificates.support_vector_rounding import (
    Doubt,
    counted,
    with_rounding,
)
from infimum.objectives import KernelTiles, SupportVectorDual
from infimum.solvers._certain_scores import Sketch, certain_scores
from infimum.solvers.progress import CLOSED, STUCK, Callback, Record, Run
from infimum.typing import Indices, Vector

__all__ = ["DualRun", "DualSolution", "Extremes"]

#: A gap this much tighter than the tolerance, as a share of the objective itself,
#: proves enough without a look at the KKT conditions.
TIGHT = 0.1
#: What a run knows of the point that it has proved last.
PROVED = ("point", "scores", "offsets", "proof", "sketched", "doubt")


@dataclass(frozen=True, eq=False)
class DualSolution:
    """Where a solver of a support vector machine stopped, and how good that is."""

    point: Vector
    #: f at the samples, without offset; rougher at the `sketched` ones.
    scores: Vector
    #: The best offset of each group.
    offsets: Vector
    certificate: Certificate
    history: tuple[Record, ...]
    iterations: int
    #: Samples whose f is certain only to lie where no variable of theirs leaves 0.
    sketched: Indices
    #: By how much f may be wrong.
    doubt: Doubt

    def at(self, dual: SupportVectorDual, offsets: Vector) -> DualSolution:
        """Return the solution with other offsets, and their proof.

        A model that keeps its offsets in other words has those that these words mean.
        """
        old = self.certificate
        proof = certify_support_vectors(
            dual, self.point, self.scores, offsets, old.tolerance, old.scale
        )
        given = dual, self.point, self.scores, offsets, self.doubt
        proof = replace(counted(proof, *given), reason=old.reason)
        if not np.isfinite(old.dual):
            proof = replace(proof, dual=old.dual)
        elif old.closed and not proof.closed:
            proof = replace(proof, reason=STUCK)
        return replace(self, offsets=offsets, certificate=proof)


@dataclass(frozen=True)
class Extremes:
    """The extreme gradients of each group, which tell how far KKT is violated.

    At the optimum no variable that may rise has a lower gradient than one that may
    fall.
    """

    least: Vector
    most: Vector

    @classmethod
    def of(cls, dual: SupportVectorDual, point: Vector, gradient: Vector) -> Extremes:
        """Look at every variable that may move."""
        least, most = np.full(2, np.inf), np.full(2, -np.inf)
        for group in range(2):
            mine = dual.groups == group
            rising, falling = mine & (point < dual.high), mine & (point > dual.low)
            least[group] = gradient[rising].min(initial=np.inf)
            most[group] = gradient[falling].max(initial=-np.inf)
        return cls(least, most)

    @property
    def gap(self) -> float:
        """The largest violation of the KKT conditions by a pair."""
        return float((self.most - self.least).max())

    @property
    def offsets(self) -> Vector:
        """Offsets between the extremes; right when the gap is closed."""
        least = np.where(np.isfinite(self.least), self.least, self.most)
        most = np.where(np.isfinite(self.most), self.most, self.least)
        known = np.isfinite(least) & np.isfinite(most)
        return -0.5 * (np.where(known, least, 0.0) + np.where(known, most, 0.0))


class DualRun(Run):
    """The state of one run: the point, f at the samples, the proof."""

    def __init__(
        self,
        dual: SupportVectorDual,
        limits: tuple[float, int, float | None],
        callback: Callback | None,
    ) -> None:
        super().__init__(limits, callback)
        self.dual = dual
        self.iterations = 0
        self.point: Vector = dual.start.copy()
        self.scores: Vector = np.zeros(dual.n_samples)
        self.null, self.first_value, self.share = null_risk(dual), 0.0, 0.0
        self.best, self.narrowest, self.first = self.point, np.inf, np.inf
        #: The samples at which f is rougher than the rest, and certain not to matter.
        self.sketched: Indices = np.empty(0, dtype=np.int64)

    def begin(self, tiles: KernelTiles, start: Vector | None) -> None:
        """Adopt a start (the problem's own when None) and compute f there."""
        self.scores = self.dual.scores(tiles, self.point)
        self.share = cancellation(self.dual, tiles, self.tolerance)
        self.first_value = self.dual.value(self.point, self.scores)
        self._note(self._certified(best_offsets(self.dual, self.scores)))
        self.first = self.narrowest
        if start is not None:
            self.point = np.clip(start, self.dual.low, self.dual.high)
            self.scores = self.dual.scores(tiles, self.point)

    def look(self, extremes: Extremes) -> str | None:
        """Note where the run stands; return a reason to stop, if there is one."""
        proof = self._certified(extremes.offsets)
        record = self.record(self.iterations, proof.primal, proof.dual)
        self._note(proof)
        if self._enough(proof, extremes.gap):
            return CLOSED
        if extremes.gap <= 0:
            return STUCK
        return self.reason_to_stop(record)

    def prove(self, tiles: KernelTiles, sketch: Sketch | None = None) -> bool:
        """Compute f and the proof again, in double precision; tell if it will do.

        Where a `sketch` of f leaves no doubt that a sample loses nothing, f stays that.
        """
        if sketch is None:
            self.scores = self.dual.scores(tiles, self.point)
            rough: Vector = np.zeros(self.dual.n_samples)
        else:
            self.scores, rough = certain_scores(self.dual, self.point, tiles, sketch)
        self.sketched = np.flatnonzero(rough)
        self.offsets = best_offsets(self.dual, self.scores)
        proof = self._certified(self.offsets)
        proof, self.scores, self.doubt = with_rounding(
            proof, self.dual, self.point, self.scores, tiles, self.offsets, rough
        )
        gradient = self.dual.gradient(self.point, self.scores)
        gap = Extremes.of(self.dual, self.point, gradient).gap
        if proof.closed:
            reason = CLOSED
        else:  # what seemed closed may not be in double precision
            reason = STUCK if self.reason == CLOSED else self.reason
        self.proof = replace(proof, reason=reason)
        return self._enough(proof, 0.5 * gap)

    def complete(self, tiles: KernelTiles) -> None:
        """Compute f where it is but a sketch, in order to go on."""
        if len(self.sketched):
            coefficients = self.dual.coefficients(self.point)
            members, rows = np.flatnonzero(coefficients), self.sketched
            self.scores[rows] = tiles.multiply(coefficients[members], members, rows)
            self.sketched = rows[:0]

    def recall(self, tiles: KernelTiles) -> None:
        """Return to the point with the narrowest gap, if the last one has a wider.

        The dual never rises, but where rounding is large the primal may; and then the
        narrowest gap of the run may be rounding itself, but not that of the start.
        """
        for point, gap in ((self.best, self.narrowest), (self.dual.start, self.first)):
            if self.proof.closed or gap >= self.proof.gap:
                continue
            last = {name: getattr(self, name) for name in PROVED}
            self.point = point.copy()
            self.prove(tiles)
            if self.proof.gap >= last["proof"].gap:
                self.__dict__.update(last)

    def _note(self, proof: Certificate) -> None:
        if proof.gap < self.narrowest:
            self.best, self.narrowest = self.point.copy(), proof.gap

    def _certified(self, offsets: Vector) -> Certificate:
        """Measure the gap by what there is to gain."""
        value = self.dual.value(self.point, self.scores)
        gain = gain_of(self.dual, self.null, value, self.first_value)
        size = float(np.abs(self.dual.coefficients(self.point)).sum())
        scale = judged_by(gain, self.share * size * size, self.tolerance)
        return certify_support_vectors(
            self.dual, self.point, self.scores, offsets, self.tolerance, scale
        )

    def _enough(self, proof: Certificate, kkt_gap: float) -> bool:
        """Tell whether KKT conditions and gap hold to tolerance, or the gap far better.

        The first is what scikit-learn's `tol` asks for, the second what a proof is for.
        """
        tight = TIGHT * self.tolerance * max(abs(proof.dual), abs(proof.primal))
        return proof.closed and (proof.gap <= tight or kkt_gap <= self.tolerance)

    def solution(self) -> DualSolution:
        """Return the point with its proof."""
        proof = self.proof
        self.record(self.iterations, proof.primal, proof.dual)
        return DualSolution(
            self.point,
            self.scores,
            self.offsets,
            proof,
            tuple(self.history),
            self.iterations,
            self.sketched,
            self.doubt,
        )

"""A learning problem in the space of a kernel, in coordinates of the samples' own."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np

from infimum.certificates import Certificate
from infimum.certificates.kernel_factor import KernelValues, proved_in_space
from infimum.data.designs import DenseDesign
from infimum.losses import Loss, VectorLoss
from infimum.models.linear._problem import LinearProblem
from infimum.objectives import KernelCoordinates, KernelTiles, LinearRisk
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KernelProblem"]


@dataclass(frozen=True, eq=False)
class KernelProblem(LinearProblem):
    """A linear problem whose features are the samples' coordinates in feature space.

    The representer theorem at work: under a penalty on the norm of f the minimiser is
    f = Σ cᵢ k(xᵢ, ·) + b, so n coordinates are enough, whatever the loss. `unpack` and
    `pack` translate between points and the coefficients c, one per sample; samples of
    weight 0 keep the coefficient 0.
    """

    stored_as: ClassVar[str] = "dual_coef_"

    coordinates: KernelCoordinates | None = None
    values: KernelValues | None = None
    kept: Indices | None = None
    count: int = 0

    @classmethod
    def in_space(
        cls,
        gram: Matrix,
        targets: tuple[Vector, ...],
        loss: Loss | VectorLoss,
        sample_weight: Vector | None,
        *,
        intercept: bool,
        tiles: KernelTiles,
    ) -> Self:
        """State the problem of samples whose kernel values are `gram`.

        Tiles of the same kernel tell how far these can be from the exact ones.
        """
        count, kept = len(gram), np.arange(len(gram))
        lengths, blur = tiles.lengths(), np.broadcast_to(tiles.blur(), (count,))
        if sample_weight is not None and not sample_weight.all():
            kept = np.flatnonzero(sample_weight)  # a weight of 0 is no copy at all
            gram, sample_weight = gram[np.ix_(kept, kept)], sample_weight[kept]
            targets = tuple(target[kept] for target in targets)
            lengths, blur = lengths[kept], blur[kept]
        coordinates = KernelCoordinates.of(gram)
        plain = LinearProblem.of(
            coordinates.root, targets, loss, sample_weight, intercept=intercept
        )
        parts = {field.name: getattr(plain, field.name) for field in fields(plain)}
        # Centring may be done on the fly elsewhere; here it is worth its memory.
        parts["design"] = DenseDesign(plain.design.toarray())
        parts["values"] = KernelValues(gram, lengths, blur)
        return cls(**parts, coordinates=coordinates, kept=kept, count=count)

    @property
    def width(self) -> int:
        """How many coefficients a target has: one for each sample."""
        return self.count

    def held(
        self,
        proof: Certificate,
        risk: LinearRisk,
        stored: tuple[Vector, Any],
        slopes: list[Vector],
        target: int = 0,
    ) -> Certificate:
        """Return a proof about the kernel and the coefficients that are stored."""
        assert self.values is not None
        coef = np.asarray(stored[0], dtype=np.float64).T[self.kept]
        intercepts = np.atleast_1d(np.asarray(stored[1], float) - self.origins[target])
        columns = coef.reshape(len(risk.y), -1), intercepts
        found = proved_in_space(proof, risk, self.values, columns, slopes)
        return found.as_fine_as_rounding_allows()

    def unpack(self, point: Vector, target: int = 0) -> tuple[Vector, Vector]:
        """Return coefficients (samples last) and intercepts of a point."""
        assert self.coordinates is not None
        w, b = super().unpack(point, target)
        coefficients = np.zeros((*w.shape[:-1], self.count))
        coefficients[..., self.kept] = (self.coordinates.back @ w.T).T
        return coefficients, b

    def pack(self, coef: Vector, intercept: Any, target: int = 0) -> Vector:
        """Return the point with these coefficients (samples last) and intercepts."""
        assert self.coordinates is not None
        c = np.asarray(coef, dtype=np.float64)[..., self.kept]
        return super().pack((self.coordinates.root.T @ c.T).T, intercept, target)

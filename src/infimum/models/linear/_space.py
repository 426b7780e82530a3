"""Where a risk is minimised: over weights of features, or in the space of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infimum.data.doors import Rows, samples, things
from infimum.models._kernel_door import (
    check_same,
    expand,
    gram_of,
    is_precomputed,
    kernel_of,
)
from infimum.models.linear._overflow import affine
from infimum.objectives import KernelTiles, kernel_tiles
from infimum.typing import Matrix, Vector

__all__ = ["FeatureSpace", "KernelSpace", "kernel_space_of", "space_of"]


class FeatureSpace:
    """Functions ⟨w, x⟩ of the features."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def rows(
        self, door: Callable[..., Rows], *data: Any, reset: bool, **how: Any
    ) -> Rows:
        """Let data in by a door."""
        return door(self.model, *data, reset=reset, **how)

    def scores(self, X: Any) -> Vector:
        """Return the function at new samples, without the intercept."""
        return affine(self.model, samples(self.model, X), self.model.coef_, 0.0)

    def remember(self, rows: Rows) -> None:
        """Keep nothing of the samples, nor coefficients of an earlier fit."""
        self.model.__dict__.pop("dual_coef_", None)


class KernelSpace:
    """Functions Σ cᵢ k(xᵢ, ·) of anything that a kernel compares."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def gram(self, things: Any) -> Matrix:
        """Return the kernel values of admitted things among themselves."""
        return gram_of(self.model, things)

    def tiles(self, things: Any) -> KernelTiles:
        """Return the kernel's tiles: they tell how far its values can be wrong."""
        return kernel_tiles(kernel_of(self.model), things)

    def rows(
        self, door: Callable[..., Rows], *data: Any, reset: bool, **how: Any
    ) -> Rows:
        """Let data in by a door: rows, things or kernel values."""
        if not reset:
            check_same(self.model, data[0])
        return things(self.model, *data, door=door, **how)

    def scores(self, X: Any) -> Vector:
        """Return the function at new things, block by block."""
        model = self.model
        found = things(model, X, reset=False).X
        return expand(model, found, model.X_fit_, model.dual_coef_.T)

    def remember(self, rows: Rows) -> None:
        """Keep the samples that the coefficients belong to."""
        self.model.__dict__.pop("coef_", None)
        self.model.X_fit_ = None if is_precomputed(self.model) else rows.X


def space_of(model: Any) -> FeatureSpace | KernelSpace:
    """Return the space that a model's kernel asks for."""
    return kernel_space_of(model) or FeatureSpace(model)


def kernel_space_of(model: Any) -> KernelSpace | None:
    """Return the space of a model's kernel, None if it has none."""
    return None if model.kernel is None else KernelSpace(model)

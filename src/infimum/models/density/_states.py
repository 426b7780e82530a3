"""Declared states of fitted densities: samples with weights and widths, or boxes."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_boxes(model: Any) -> None:
    if model.n_bins_.min() < 1 or not (model.sides_ > 0).all():
        raise DataError("HistogramDensity needs bins of some length.")
    if abs(model.masses_.sum() - 1.0) > 1e-6:
        raise DataError("HistogramDensity.masses_ must sum to 1.")


def _check_inner(model: Any) -> None:
    if getattr(model.density_, "n_features_in_", None) != model.n_features_in_:
        raise DataError(f"{type(model).__name__}.density_ has other features.")


def _check_bandwidths(model: Any) -> None:
    """Raise DataError for a bandwidth whose power is no number."""
    for name in ("bandwidth", "target_bandwidth"):
        width = getattr(model, name, None)
        if isinstance(width, float | int) and not 1e-99 < width < 1e99:
            raise DataError(f"ConditionalDensity.{name} must be positive, got {width}.")


def _check_metric(model: Any) -> None:
    if isinstance(model.metric, str) and model.metric == "precomputed":
        raise DataError("KernelDensity needs samples, no distances.")
    model._metric()
    if not model._weights.sum() > 0.0 or not (model.widths_ > 0.0).all():
        raise DataError("KernelDensity needs samples with weight and width.")


_FEATURES = {"n_features_in_": "size features"}

STATES = {
    "ConditionalDensity": State(
        {
            **_FEATURES,
            "X_fit_": "finite[samples, features]",
            "y_fit_": "finite[samples]",
            "_weights": "nonnegative[samples]",
        },
        also=_check_bandwidths,
    ),
    "DensityDetector": State(
        {
            **_FEATURES,
            "density_": "KernelDensity",
            "kernel": "text | Window",
            "offset_": "number",
            "level_": "number",
        },
        also=_check_inner,
    ),
    "HistogramDensity": State(
        {
            **_FEATURES,
            "n_bins_": "int[features]",
            "sides_": "finite[features]",
            "low_": "finite[features]",
            "boxes_": "int[boxes, features]",
            "masses_": "nonnegative[boxes]",
        },
        also=_check_boxes,
    ),
    "KernelDensity": State(
        {
            **_FEATURES,
            "X_fit_": "finite[samples, features]",
            "_weights": "nonnegative[samples]",
            "window_": "Window",
            "kernel": "text | Window",
            "widths_": "nonnegative[samples]",
            "bandwidth_": "number",
        },
        also=_check_metric,
    ),
}

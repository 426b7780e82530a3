"""The contenders for tables without a target, and for several labels at once."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from infimum.learn.compare.contenders import Contender
from infimum.models.density import DensityDetector
from infimum.models.multiclass import OneVsRestClassifier
from infimum.models.novelty import (
    GaussianDetector,
    IsolationForest,
    NeighborDistanceDetector,
    OneClassSVM,
)

__all__ = ["detectors", "label_models"]

_FEW_THOUSAND, _MANY = 8_000, 30_000

_detector = partial(
    Contender, sparse=False, weighable=False, convex=False, readable=False
)


def detectors() -> tuple[Contender, ...]:
    """Return the contenders for novelty; the one that looks at columns alone first."""
    return (
        _detector(
            "baseline",
            "Each column by itself",
            GaussianDetector,
            grid=({"shrinkage": 1.0},),
            rank=0,
        ),
        _detector(
            "gaussian",
            "Gaussian",
            GaussianDetector,
            grid=tuple({"shrinkage": share} for share in (0.5, 0.2, 0.05, 0.0)),
        ),
        _detector(
            "neighbours",
            "Distance of neighbours",
            NeighborDistanceDetector,
            grid=tuple({"n_neighbors": k} for k in (40, 20, 10, 5, 2)),
            rank=3,
            most=_MANY,
        ),
        *_by_kernels(),
        _detector(
            "isolation",
            "Isolation forest",
            partial(IsolationForest, random_state=0),
            grid=({"max_samples": 64}, {"max_samples": 256}),
            rank=5,
        ),
    )


def _by_kernels() -> tuple[Contender, ...]:
    return (
        _detector(
            "density",
            "Kernel density",
            partial(DensityDetector, rtol=1e-2),
            grid=tuple({"bandwidth": width} for width in (1.0, 0.6, 0.4, 0.25, 0.15)),
            rank=3,
            most=_FEW_THOUSAND,
        ),
        _detector(
            "one-class-svm",
            "One-class SVM",
            partial(OneClassSVM, nu=0.05),
            grid=tuple({"gamma": width} for width in (0.01, 0.03, 0.1, 0.3, 1.0)),
            rank=4,
            convex=True,
            most=_FEW_THOUSAND,
        ),
    )


_STRENGTHS = (0.003, 0.03, 0.3, 3.0, 30.0)


def label_models(single: Sequence[Contender]) -> tuple[Contender, ...]:
    """Return the contenders for one label, made to learn a model for each label."""
    able = [each for each in single if hasattr(each.make(), "predict_proba")]
    return tuple(_for_each_label(each) for each in able)


def _for_each_label(contender: Contender) -> Contender:
    # Of settings that differ by their rounds alone, one each.
    grid: Any = contender.grid[contender.stages // 2 :: contender.stages]
    if contender.fixed:
        grid = ({},)
    elif not grid:
        grid = tuple({"C": strength} for strength in _STRENGTHS)
    named = tuple({f"estimator__{k}": v for k, v in each.items()} for each in grid)
    return replace(
        contender,
        make=partial(_one_for_each, contender),
        grid=named,
        stages=1,
        fixed=False,
        convex=False,
    )


def _one_for_each(contender: Contender) -> OneVsRestClassifier:
    return OneVsRestClassifier(contender.make())

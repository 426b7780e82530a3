"""The detectors that race where there is no target."""

from functools import partial

from infimum.learn.contenders import Contender
from infimum.models.density import DensityDetector
from infimum.models.novelty import (
    GaussianDetector,
    IsolationForest,
    NeighborDistanceDetector,
    OneClassSVM,
)

__all__ = ["detectors"]

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

"""Every exported part, found by import, with several settings of its parameters."""

import inspect

import numpy as np

from infimum import losses, penalties, solvers
from infimum.losses import (
    AdditiveMulticlassHinge,
    AdditiveMultilabelHinge,
    CorrelatedMultilabelHinge,
    EpsilonInsensitive,
    Huber,
    MulticlassHinge,
    MultilabelHinge,
    MultivariateSquared,
    Novelty,
    Quantile,
    Ramp,
    Softmax,
    SquaredEpsilonInsensitive,
    Tweedie,
)
from infimum.penalties import (
    MCP,
    SCAD,
    Ball,
    Box,
    ElasticNet,
    Entropy,
    FusedLasso,
    GraphLaplacian,
    GroupLasso,
    Lasso,
    LinearEqualities,
    PNorm,
    Ridge,
    Simplex,
    SortedL1,
    SparseGroupLasso,
    TotalVariation,
    WeightedElasticNet,
    WeightedLasso,
    WeightedRidge,
)
from infimum.study import solvers as study_solvers

#: Settings beyond the defaults; a class that is missing here still goes in by default.
VARIANTS = [
    EpsilonInsensitive(0.0),
    EpsilonInsensitive(1.5),
    Huber(0.3),
    Huber(4.0),
    MulticlassHinge(2),
    MulticlassHinge(3, ((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (0.5, 3.0, 0.0))),
    MultilabelHinge(5),
    MultivariateSquared(((2.0, -1.0), (-1.0, 3.0))),
    AdditiveMulticlassHinge(2),
    AdditiveMulticlassHinge(5),
    AdditiveMultilabelHinge(5),
    CorrelatedMultilabelHinge(2, ((2.0, 1.0), (1.0, 3.0))),
    Ramp(0.0),
    Ramp(-2.0),
    Novelty(-0.5),
    Quantile(0.1),
    Quantile(0.9),
    Softmax(2),
    Softmax(5),
    SquaredEpsilonInsensitive(0.0),
    SquaredEpsilonInsensitive(1.5),
    Tweedie(1.05),
    Tweedie(1.9),
    Ball(0.5),
    Ball(0.7, order=1),
    Ball(0.8),
    Ball(0.8, order=1),
    Ball(0.8, order=np.inf),
    Box(-0.3, 2.0),
    Box(0.0, np.inf),
    Box(-np.inf, 0.0),
    Box(-np.inf, 0.5),
    ElasticNet(0.7, 0.0),
    ElasticNet(0.7, 1.0),
    ElasticNet(0.3, 0.2, positive=True),
    ElasticNet(0.3, 1.0, positive=True),
    GroupLasso(0.4, groups=((0, 1), (2, 3, 4), (5,))),
    GroupLasso(0.4, groups=((0, 3), (2,))),
    Lasso(0.3),
    Lasso(0.6, positive=True),
    Ridge(0.2),
    Entropy(0.1),
    FusedLasso(0.4, l1_ratio=0.2),
    GraphLaplacian(0.5, edges=((0, 1, 2.0), (1, 2, 0.5), (4, 5, 1.0))),
    LinearEqualities(
        ((1.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 2.0, 0, 0)), (1, 0)
    ),
    MCP(0.5, concavity=1.2),
    PNorm(0.4, order=1.1),
    PNorm(0.4, order=2.0),
    PNorm(0.4, order=4.0),
    SCAD(0.3, concavity=2.1),
    Simplex(2.5),
    SortedL1(0.3),
    SparseGroupLasso(0.4, groups=((0, 1), (2, 3, 4), (5,)), l1_ratio=0.3),
    SparseGroupLasso(0.4, groups=((0, 3), (2,)), l1_ratio=0.9),
    TotalVariation(0.2),
    WeightedElasticNet(0.5, (1.0, 2.0, 0.0, 0.5, 1.0, 3.0), l1_ratio=0.4),
    WeightedElasticNet(0.5, (1.0, 2.0, 0.0, 0.5, 1.0, 3.0), l1_ratio=0.0),
    WeightedLasso(0.5, (1.0, 2.0, 0.0, 0.5, 1.0, 3.0)),
    WeightedRidge(0.5, (1.0, 2.0, 0.0, 0.5, 1.0, 3.0)),
]


def exported(room, kind):
    """Return the concrete classes of a room that are of a kind."""
    classes = (getattr(room, name) for name in room.__all__)
    return [
        cls
        for cls in classes
        if inspect.isclass(cls)
        and issubclass(cls, kind)
        and not inspect.isabstract(cls)
    ]


def instances(room, kind):
    """Return one default instance per class, and the variants of that kind."""
    return [cls() for cls in exported(room, kind)] + [
        part for part in VARIANTS if isinstance(part, kind)
    ]


#: Losses of one score, losses of a vector of scores, penalties, and solver classes.
EVERY_LOSS = instances(losses, losses.Loss)
EVERY_VECTOR_LOSS = instances(losses, losses.VectorLoss)
EVERY_PENALTY = instances(penalties, penalties.Penalty)
EVERY_SOLVER = [
    *exported(solvers, solvers.Solver),
    *exported(study_solvers, solvers.Solver),
]


def targets(loss, size, rng):
    """Draw targets of the kind that a loss reads."""
    kinds = {
        "real": lambda: rng.normal(size=size),
        "sign": lambda: rng.choice([-1.0, 1.0], size=size),
        "count": lambda: rng.poisson(1.5, size=size).astype(float),
        "positive": lambda: rng.gamma(2.0, size=size),
        "fraction": lambda: rng.integers(0, 5, size=size) / 4.0,
        "labels": lambda: rng.integers(0, 2, (size, loss.outputs)).astype(float),
        "class": lambda: rng.integers(0, loss.outputs, size).astype(float),
        "vector": lambda: rng.normal(size=(size, loss.outputs)),
    }
    return kinds[loss.target]()

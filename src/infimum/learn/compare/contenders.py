"""The models that race against each other, and the one that knows nothing.

A family joins the race by adding a `Contender` to a list below.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.ensembles import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    QuantileForestRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from infimum.models.kernel import SVC, SVR
from infimum.models.linear import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    OrdinalLogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
)
from infimum.models.neighbors import KNeighborsClassifier, KNeighborsRegressor
from infimum.models.probabilistic import GaussianNB
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "Contender",
    "Setting",
    "classifiers",
    "count_models",
    "ordered_classifiers",
    "quantile_models",
    "regressors",
]

#: Parameters of an estimator, by name.
Setting = Mapping[str, Any]

#: A lasso path begins where the first weight appears. A ridge path has no such place:
#: it begins where all weights are negligible, and has further to go.
_RIDGE = 1e-6
#: A tolerance on gradients that leaves a relative gap of a millionth, its square.
_MILLIONTH = 1e-3
#: Fits of a kernel machine grow with the square of the rows or faster.
_FEW_THOUSAND = 4_000
#: All distances between so many rows are still a matter of seconds.
_MANY = 30_000
#: Fewer rows than this have no use for their fifty neighbours.
_ENOUGH = 100


@dataclass(frozen=True)
class Contender:
    """A model family in the race; `make` returns a fresh estimator of it.

    A `fixed` contender has one setting; one with a `grid` tries settings of it, which
    are ordered from simple to complex; the others run along their regularisation path,
    which ends at the share `depth` of its greatest strength. In a grid with `stages`,
    so many settings in a row differ by their rounds alone, which one fit shows.

    Attributes
    ----------
    rank : int
        How hard the family is to read, from 0 (a constant) over 1 (weights) and 2 (a
        few questions) to 5 (hundreds of trees). Within the noise the lower one wins.
    view : {"linear", "trees"}
        Which reading of the table it takes: all numbers standardised and levels spread
        over columns, or as they are.
    sparse, weighable : bool
        Whether it takes sparse matrices, and weights of rows.
    convex, readable : bool
        Whether its fit can be proved optimal, and whether a person can apply it.
    fewest, most : float
        How few and how many rows it is made for.
    """

    name: str
    label: str
    make: Callable[[], Any]
    depth: float = 1e-3
    fixed: bool = False
    grid: tuple[Setting, ...] = ()
    stages: int = 1
    rank: int = 1
    view: str = "linear"
    sparse: bool = True
    weighable: bool = True
    convex: bool = True
    readable: bool = True
    fewest: float = 0
    most: float = math.inf


#: Deeper trees can still be drawn, but not remembered.
_SMALL_TREES = tuple(
    {"max_leaf_nodes": leaves, "min_samples_leaf": 5} for leaves in (2, 4, 6, 8, 12)
)
_FORESTS: tuple[Setting, ...] = (
    {"min_samples_leaf": 20},
    {"min_samples_leaf": 5},
    {"min_samples_leaf": 1},
    {"min_samples_leaf": 1, "max_features": 0.6},
)
#: Slow learning among some of the columns at a time errs less on almost every table.
_SHAPES: tuple[Setting, ...] = (
    {"max_leaf_nodes": 3, "learning_rate": 0.1},
    {"max_leaf_nodes": 8, "learning_rate": 0.05, "max_features": 0.5},
    {
        "max_leaf_nodes": 16,
        "learning_rate": 0.05,
        "max_features": 0.5,
        "min_samples_leaf": 10,
    },
    {"max_leaf_nodes": 31, "learning_rate": 0.05, "max_features": 0.5},
    {
        "max_leaf_nodes": 31,
        "learning_rate": 0.03,
        "max_features": 0.3,
        "min_samples_leaf": 8,
    },
    {"max_leaf_nodes": 127, "learning_rate": 0.03, "max_features": 0.3},
)
#: The folds tell after how many rounds to stop: one fit shows all that are fewer.
_ROUNDS = (25, 50, 100, 200, 400, 800, 1600)
_BOOSTINGS: tuple[Setting, ...] = tuple(
    {**shape, "early_stopping": False, "max_iter": rounds}
    for shape in _SHAPES
    for rounds in _ROUNDS
)
_NEIGHBOURS: tuple[Setting, ...] = tuple(
    {"n_neighbors": k, "weights": "distance"} for k in (50, 25, 12, 6)
)


def _trees(
    tree: Any, forest: Any, extra: Any, boosting: Any, *, poisson: bool = False
) -> tuple[Contender, ...]:
    """Return the contenders made of trees; those that can split by Poisson deviance."""
    loss = {"loss": "poisson"} if poisson else {}
    criterion = {"criterion": "poisson"} if poisson else {}
    grown = partial(Contender, view="trees", sparse=False, convex=False)
    many = partial(grown, rank=5, readable=False)
    return (
        many(
            "boosting",
            "Gradient boosting",
            partial(boosting, random_state=0, **loss),
            grid=_BOOSTINGS,
            stages=len(_ROUNDS),
        ),
        grown(
            "tree",
            "Small decision tree",
            partial(tree, random_state=0, **criterion),
            grid=_SMALL_TREES,
            rank=2,
        ),
        many(
            "forest",
            "Random forest",
            partial(forest, random_state=0),
            grid=_FORESTS,
        ),
        many(
            "extra-trees",
            "Extra trees",
            partial(extra, random_state=0),
            grid=_FORESTS,
        ),
    )


def classifiers() -> tuple[Contender, ...]:
    """Return the contenders for classification, the baseline first."""
    return (
        # So strong a lasso leaves the intercept alone: the class frequencies.
        Contender(
            "baseline",
            "Majority class",
            partial(LogisticRegression, l1_ratio=1.0, C=1e-9),
            fixed=True,
            rank=0,
        ),
        Contender("logistic-l2", "Logistic ridge", LogisticRegression, _RIDGE),
        Contender(
            "logistic-l1", "Logistic lasso", partial(LogisticRegression, l1_ratio=1.0)
        ),
        *_trees(
            DecisionTreeClassifier,
            RandomForestClassifier,
            ExtraTreesClassifier,
            HistGradientBoostingClassifier,
        ),
        Contender(
            "logistic-elastic-net",
            "Logistic elastic net",
            partial(LogisticRegression, l1_ratio=0.5),
        ),
        Contender("ridge-classifier", "Ridge classifier", RidgeClassifier, _RIDGE),
        Contender("svm-squared-hinge", "SVM, squared hinge", LinearSVC, _RIDGE),
        Contender("svm-hinge", "SVM, hinge", partial(LinearSVC, loss="hinge"), _RIDGE),
        *_other_classifiers(),
    )


def ordered_classifiers() -> tuple[Contender, ...]:
    """Return the contenders for ordered classes: one more, which knows the order."""
    first, *others = classifiers()
    order = Contender(
        "ordinal",
        "Proportional odds",
        partial(OrdinalLogisticRegression, answer="median"),
        grid=tuple({"C": c} for c in (0.001, 0.01, 0.1, 1.0, 10.0)),
    )
    return (first, order, *others)


def _other_classifiers() -> tuple[Contender, ...]:
    return (
        Contender(
            "naive-bayes",
            "Naive Bayes",
            GaussianNB,
            grid=tuple({"var_smoothing": share} for share in (1.0, 1e-1, 1e-2, 1e-9)),
            rank=2,
            sparse=False,
            convex=False,
            readable=False,
        ),
        Contender(
            "neighbours",
            "Nearest neighbours",
            KNeighborsClassifier,
            grid=_NEIGHBOURS,
            rank=3,
            weighable=False,
            convex=False,
            readable=False,
            fewest=_ENOUGH,
            most=_MANY,
        ),
        Contender(
            "svm-gaussian",
            "SVM, Gaussian kernel",
            SVC,
            grid=tuple({"C": c} for c in (0.1, 0.5, 2.0, 10.0, 50.0)),
            rank=4,
            readable=False,
            most=_FEW_THOUSAND,
        ),
    )


def regressors(y: NDArray[Any]) -> tuple[Contender, ...]:
    """Return the contenders for regression, the baseline first.

    Counts (whole numbers from 0 up) also get a Poisson model.
    """
    unit = float(np.std(y)) or 1.0
    counts = bool(np.all(y >= 0) and np.all(y == np.floor(y)) and np.any(y > 0))
    poisson = (
        (Contender("poisson", "Poisson", PoissonRegressor, _RIDGE),) if counts else ()
    )
    return (
        _mean(unit),
        Contender("ridge", "Ridge", Ridge, _RIDGE),
        Contender("lasso", "Lasso", Lasso),
        *_trees(
            DecisionTreeRegressor,
            RandomForestRegressor,
            ExtraTreesRegressor,
            HistGradientBoostingRegressor,
        ),
        Contender("elastic-net", "Elastic net", ElasticNet),
        Contender("huber", "Huber", partial(HuberRegressor, tol=_MILLIONTH), _RIDGE),
        *poisson,
        Contender("svr", "Linear SVR", LinearSVR, _RIDGE),
        Contender("median", "Median", partial(QuantileRegressor, quantile=0.5)),
        _neighbours(),
        # In units of the target: its tube and its box would mean nothing otherwise.
        Contender(
            "svr-gaussian",
            "SVR, Gaussian kernel",
            partial(SVR, epsilon=0.1 * unit),
            grid=tuple({"C": c * unit} for c in (0.1, 0.5, 2.0, 10.0, 50.0)),
            rank=4,
            readable=False,
            most=_FEW_THOUSAND,
        ),
    )


def count_models(y: NDArray[Any]) -> tuple[Contender, ...]:
    """Return the contenders for counts: models of their mean, never below 0."""
    return (
        Contender(
            "baseline",
            "Mean",
            partial(PoissonRegressor, alpha=1e6 * (1 + float(np.max(y)))),
            fixed=True,
            rank=0,
        ),
        Contender("poisson", "Poisson", PoissonRegressor, _RIDGE),
        *_trees(
            DecisionTreeRegressor,
            RandomForestRegressor,
            ExtraTreesRegressor,
            HistGradientBoostingRegressor,
            poisson=True,
        ),
        _neighbours(),
    )


def quantile_models(y: NDArray[Any], quantile: float) -> tuple[Contender, ...]:
    """Return the contenders for a quantile of the target, given what is known."""
    everything = 1e6 * (float(np.std(y)) or 1.0)
    linear = partial(QuantileRegressor, quantile=quantile)
    grown = partial(
        Contender, view="trees", sparse=False, rank=5, convex=False, readable=False
    )
    return (
        Contender(
            "baseline",
            "Quantile of all rows",
            partial(linear, alpha=everything),
            fixed=True,
            rank=0,
        ),
        Contender("quantile", "Linear quantile", linear),
        grown(
            "boosting",
            "Gradient boosting",
            partial(
                HistGradientBoostingRegressor,
                loss="quantile",
                quantile=quantile,
                random_state=0,
            ),
            grid=_BOOSTINGS,
            stages=len(_ROUNDS),
        ),
        grown(
            "quantile-forest",
            "Quantile forest",
            partial(QuantileForestRegressor, quantile=quantile, random_state=0),
            grid=_FORESTS,
        ),
    )


def _mean(unit: float) -> Contender:
    return Contender(
        "baseline", "Mean", partial(Lasso, alpha=1e6 * unit), fixed=True, rank=0
    )


def _neighbours() -> Contender:
    return Contender(
        "neighbours",
        "Nearest neighbours",
        KNeighborsRegressor,
        grid=_NEIGHBOURS,
        rank=3,
        weighable=False,
        convex=False,
        readable=False,
        fewest=_ENOUGH,
        most=_MANY,
    )

"""Declared states of fitted ensembles: members that fit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State
from infimum.models.ensembles.committees._resamples import Resampler
from infimum.models.trees._states import COMPARISONS, LABELS, check_trees, check_widths

__all__ = ["STATES"]


def _check_forest(model: Any) -> None:
    check_widths(model, model.trees_)
    streamed = not len(model._chances)
    if not (streamed or 0 < model._chances.sum() < np.inf) or model._draws < 1:
        raise DataError(f"{type(model).__name__}: there must be rows to draw.")


def _check_leaves(model: Any) -> None:
    """Raise DataError unless the rows that leaves are asked about are there."""
    check_trees("QuantileForestRegressor", model.trees_, model.n_features_in_, 1)


def _check_boosting(model: Any) -> None:
    owner, trees = type(model).__name__, model.trees_
    width = len(trees.start)
    classes = getattr(model, "classes_", None)
    if classes is not None and len(classes) < 2:  # noqa: PLR2004
        raise DataError(f"{owner} must have 2 classes or more.")
    two = classes is not None and len(classes) == 2  # noqa: PLR2004
    if classes is not None and width != len(classes) and not (two and width == 1):
        raise DataError(f"{owner}: there must be a score for each class.")
    if classes is None and width != 1:
        raise DataError(f"{owner} must have one score.")
    if (
        len(trees.sizes) != width * model.n_iter_
        or model.n_trees_per_iteration_ != width
    ):
        raise DataError(f"{owner}: every round must have a tree for each score.")
    if trees.trees:
        check_trees(owner, trees.trees, model.n_features_in_, 1)
    _check_levels(model)


def _check_levels(model: Any) -> None:
    features = model.n_features_in_
    for column in model._levels:
        if type(column) is not int or not 0 <= column < features:
            raise DataError(f"{type(model).__name__}: {column!r:.40} is no column.")


def _check_first(model: Any) -> None:
    if model._first is not None and not hasattr(model, "_first_loss"):
        raise DataError(f"{type(model).__name__} lacks its _first_loss.")
    _check_members(model, [] if model._first is None else [model._first])


def _check_members(model: Any, members: list[Any], columns: int | None = None) -> None:
    """Raise DataError unless members answer, and take the columns of the model."""
    owner = type(model).__name__
    columns = getattr(model, "n_features_in_", None) if columns is None else columns
    for member in members:
        if not hasattr(type(member), "predict"):
            raise DataError(f"{owner}: a {type(member).__name__} does not predict.")
        own = type(member).__name__ == "Pipeline"  # which makes its own columns
        if not own and getattr(member, "n_features_in_", columns) != columns:
            raise DataError(f"{owner}: its members take different columns.")


def _check_boosted(model: Any) -> None:
    _check_members(model, model.estimators_)
    for member in model.estimators_ if hasattr(model, "classes_") else ():
        if not np.isin(getattr(member, "classes_", [None]), model.classes_).all():
            raise DataError(f"{type(model).__name__}: a member has other classes.")
    if not model.estimators_:
        raise DataError(f"{type(model).__name__} must have a member.")


def _check_same_classes(model: Any) -> None:
    for member in model.estimators_:
        known = getattr(member, "classes_", None)
        if known is None or len(known) > len(model.classes_):
            raise DataError(f"{type(model).__name__}: a member has other classes.")


def _check_bag(model: Any) -> None:
    owner = type(model).__name__
    try:
        drawn = Resampler(*model._drawing)
        fits = _draws_well(drawn, model.n_features_in_)
    except TypeError:
        fits = False
    if not fits:
        raise DataError(f"{owner}._drawing does not say how rows were drawn.")
    _check_members(model, model.estimators_, drawn.n_features_drawn)
    if not model.estimators_:
        raise DataError(f"{owner} must have a member.")


def _draws_well(drawn: Resampler, features: int) -> bool:
    line = drawn.bounds
    numbers = (drawn.n_drawn, drawn.n_features, drawn.n_features_drawn)
    flags = (drawn.replace, drawn.replace_features)
    if not all(type(n) is int for n in numbers) or not all(
        type(f) is bool for f in flags
    ):
        return False
    if type(line) is not np.ndarray or line.dtype != np.float64 or line.ndim != 1:
        return False
    growing = len(line) > 0 and bool((np.diff(line, prepend=0.0) >= 0).all())
    if not growing or not 0 < line[-1] < np.inf:
        return False
    most = max(len(line), int(line[-1]) + 1 if line[-1] < 2**31 else len(line))
    rows = np.count_nonzero(np.diff(line, prepend=0.0))
    return bool(
        1 <= drawn.n_drawn <= (most if drawn.replace else rows)
        and drawn.n_features == features
        and 1 <= drawn.n_features_drawn <= features
    )


def _check_stack(model: Any) -> None:
    owner = type(model).__name__
    _check_seats(model)
    _check_members(model, model.estimators_)
    for member, method in zip(model.estimators_, model.stack_method_, strict=True):
        if not hasattr(member, method):
            raise DataError(f"{owner}: a member has no {method}.")
    final = model.final_estimator_
    if not hasattr(type(final), "predict"):
        raise DataError(f"{owner}.final_estimator_ does not predict.")
    if hasattr(model, "classes_"):
        _check_codes(model, getattr(final, "classes_", None))


def _check_codes(model: Any, codes: Any) -> None:
    """Raise DataError unless a member tells places of the model's classes."""
    names = model.classes_
    right = isinstance(codes, np.ndarray) and codes.dtype.kind == "i" and codes.size > 0
    if not right or codes.min() < 0 or codes.max() >= len(names):
        raise DataError(f"{type(model).__name__}: a member has other classes.")


def _check_seats(model: Any) -> None:
    """Raise DataError unless the members were given as pairs of name and model."""
    pairs = isinstance(model.estimators, list | tuple) and all(
        isinstance(seat, list | tuple)
        and len(seat) == 2  # noqa: PLR2004
        and isinstance(seat[0], str)
        and (isinstance(seat[1], str) or hasattr(seat[1], "get_params"))
        for seat in model.estimators
    )
    seated = (
        [seat for seat in model.estimators if not isinstance(seat[1], str)]
        if (pairs)
        else []
    )
    if len(seated) != len(model.estimators_):
        raise DataError(f"{type(model).__name__}.estimators must be named models.")


def _check_vote(model: Any) -> None:
    _check_seats(model)
    _check_members(model, model.estimators_)
    weights, owner = getattr(model, "weights", None), type(model).__name__
    if weights is not None and len(weights) != len(model.estimators):
        raise DataError(f"{owner} needs a weight for each member.")
    if not model.estimators_:
        raise DataError(f"{owner} must have a member.")
    for member in [] if getattr(model, "multilabel_", True) else model.estimators_:
        told: Any = getattr(member, "classes_", None)
        # The members of a blend tell names, and only their shares are read.
        if model.voting != "soft" or not np.array_equal(told, model.classes_):
            _check_codes(model, told)


_FOREST = State(
    {
        "n_features_in_": "size features",
        "n_outputs_": "size outputs",
        "_draws": "count",
        "_chances": "nonnegative[rows]",
        "trees_": "list[trees] of Tree",
        "_seeds": "index[trees] of 2147483648",
        "oob_score_?": "number",
        "oob_prediction_?": "float[rows] | float[rows, outputs]",
        "oob_decision_function_?": "float[rows, *] | float[rows, *, *]",
    },
    also=_check_forest,
)
_CLASS_FOREST = State(LABELS, base=_FOREST)
_BOOSTING = State(
    {
        "n_features_in_": "size features",
        "_levels": "dict of label[*]",
        "_codes": "none",
        "_seed": "count",
        "trees_": "BoostedTrees",
        "n_trees_per_iteration_": "count",
        "n_iter_": "count",
        "train_score_": "float[*]",
        "validation_score_": "float[*]",
        "do_early_stopping_": "flag",
        "is_categorical_": "none | bool[features]",
    },
    also=_check_boosting,
)
_FRIEDMAN = State(
    {
        "max_features_": "count",
        "init_": "none | estimator",
        "n_estimators_": "count",
        "oob_improvement_?": "float[*]",
        "oob_scores_?": "float[*]",
        "oob_score_?": "number",
        "_first_loss?": "Loss | VectorLoss",
    },
    base=_BOOSTING,
    also=_check_first,
)
_BAG = State(
    {
        "n_features_in_": "size features",
        "estimator_": "estimator",
        "estimators_": "list[members] of estimator",
        "_seeds": "index[members] of 2147483648",
        "_drawing": "tuple[6] of any",
        "oob_score_?": "number",
    },
    also=_check_bag,
)
_STACK = State(
    {
        "estimators_": "list[members] of estimator",
        "stack_method_": "list[members] of 'predict' / 'predict_proba' / "
        "'decision_function'",
        "_widths": "list[members] of count",
        "final_estimator_": "estimator",
    },
    also=_check_stack,
)
_CLASSES = {"classes_": "label[classes]"}

STATES = {
    "BoostedTrees": State(
        {
            "start": "float[outputs]",
            "sizes": "int[trees]",
            "word_sizes": "int[trees]",
            "outputs": "index[trees] of outputs",
            "feature": "int[nodes] | float[0]",
            "threshold": "float[nodes]",
            "left": "int[nodes] | float[0]",
            "right": "int[nodes] | float[0]",
            "missing_left": "bool[nodes] | float[0]",
            "category_start": "int[nodes] | float[0]",
            "category_words": "int[*] | float[0]",
            "value": "float[nodes, 1]",
            "weight": "float[nodes]",
            "rows": "int[nodes] | float[0]",
            "impurity": "float[nodes]",
            "gain": "float[nodes]",
        }
    ),
    "AdaBoostClassifier": State(
        {
            "n_features_in_": "size features",
            **_CLASSES,
            "n_classes_": "size classes",
            "estimators_": "list[members] of estimator",
            "steps_": "float[members]",
            "estimator_weights_": "float[members]",
            "weighted_errors_": "float[members]",
            "estimator_errors_": "float[members]",
            "edges_": "float[members]",
            "normalizers_": "float[members]",
            "training_error_bound_": "float[members]",
            "row_weights_": "float[*]",
        },
        also=_check_boosted,
    ),
    "AdaBoostRegressor": State(
        {
            "n_features_in_": "size features",
            "estimators_": "list[members] of estimator",
            "estimator_weights_": "float[members]",
            "estimator_errors_": "float[members]",
        },
        also=_check_boosted,
    ),
    "BaggingClassifier": State(
        {
            **_CLASSES,
            "n_classes_": "size classes",
            "oob_decision_function_?": "float[*, classes]",
        },
        base=_BAG,
        also=_check_same_classes,
    ),
    "BaggingRegressor": State(
        {"oob_prediction_?": "float[*] | float[*, *]"}, base=_BAG
    ),
    "ComparisonForestClassifier": COMPARISONS["Classifier"],
    "ComparisonForestRegressor": COMPARISONS["Regressor"],
    "ExtraTreesClassifier": _CLASS_FOREST,
    "ExtraTreesRegressor": _FOREST,
    "RandomForestClassifier": _CLASS_FOREST,
    "RandomForestRegressor": _FOREST,
    "QuantileForestRegressor": State(
        {
            "targets_": "float[rows]",
            "_rows": "number[rows, features] | sparse[rows, features]",
            "_weight": "nonnegative[rows]",
        },
        base=_FOREST,
        also=_check_leaves,
    ),
    "RandomTreesEmbedding": State(
        {"n_features_in_": "size features", "forest_": "ExtraTreesRegressor"},
        also=lambda model: _check_members(model, [model.forest_]),
    ),
    "GradientBoostingClassifier": State(_CLASSES, base=_FRIEDMAN),
    "GradientBoostingRegressor": _FRIEDMAN,
    "HistGradientBoostingClassifier": State(_CLASSES, base=_BOOSTING),
    "HistGradientBoostingRegressor": _BOOSTING,
    "StackingClassifier": State({"_encoder": "LabelEncoder", **_CLASSES}, base=_STACK),
    "StackingRegressor": _STACK,
    "VotingClassifier": State(
        {
            "multilabel_": "flag",
            "le_?": "LabelEncoder | list of LabelEncoder",
            "classes_": "label[classes] | list of label[*]",
            "estimators_": "list of estimator",
        },
        also=_check_vote,
    ),
    "VotingRegressor": State({"estimators_": "list of estimator"}, also=_check_vote),
}

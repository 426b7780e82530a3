"""Declared states of fitted networks: layers that fit each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]

#: What is told of the passes over the rows: all of it, or nothing.
_TOLD = (
    *("loss_curve_", "best_loss_", "validation_scores_", "best_validation_score_"),
    *("_no_improvement_count", "_best_theta"),
)


def _check_layers(model: Any) -> None:
    owner = type(model).__name__
    sizes = [model.n_features_in_, *(len(b) for b in model.intercepts_)]
    wanted = list(pairwise(sizes))
    if [W.shape for W in model.coefs_] != wanted or sizes[-1] != model.n_outputs_:
        raise DataError(f"{owner}.coefs_ do not fit each other.")
    if model._sizes() != sizes[1:-1]:
        raise DataError(f"{owner}.hidden_layer_sizes do not fit coefs_.")
    model._hidden_activations(len(wanted) - 1)


def _check_built(model: Any) -> None:
    shape: tuple[int, ...] = (model.n_features_in_,)
    wanted = []
    for layer in model._layers(model.n_features_in_, model.n_outputs_):
        wanted.append(tuple(layer.parameters(shape)))
        shape = layer.output(shape)
    given = zip(model.coefs_, model.intercepts_, strict=True)
    if [(W.shape, b.shape) for W, b in given] != [own for own in wanted if own]:
        raise DataError(f"{type(model).__name__}.coefs_ do not fit its layers.")


def _check_told(model: Any) -> None:
    """Refuse records of passes of which a part is missing."""
    owner, known = type(model).__name__, vars(model)
    # The last two may be left from a fit before one by L-BFGS.
    if any(name in known for name in _TOLD[:4]):
        for name in _TOLD:
            if name not in known:
                raise DataError(f"{owner} lacks its {name}.")
        scored = known["best_validation_score_"] is not None
        if (known["validation_scores_"] is not None) != scored:
            raise DataError(f"{owner}.validation_scores_ must have a best one.")


def _check_memory(model: Any) -> None:
    """Refuse a memory of steps that are not steps of these parameters."""
    owner, known = type(model).__name__, vars(model)
    size = sum(part.size for part in (*model.coefs_, *model.intercepts_))
    best = known.get("_best_theta")
    if best is not None and len(best) != size:
        raise DataError(f"{owner}._best_theta must have {size} parameters.")
    if "_memory" not in known:
        return
    if "_taken" not in known or "_rate" not in known:
        raise DataError(f"{owner} with a _memory needs _taken and _rate.")
    if [len(kept) for kept in model._memory] not in ([size], [size, size]):
        raise DataError(f"{owner}._memory must be one or two of {size} parameters.")


def _check_classes(model: Any) -> None:
    owner, count = type(model).__name__, len(model.classes_)
    if count < 2:  # noqa: PLR2004
        raise DataError(f"{owner} needs two classes or more.")
    columns = 1 if count == 2 and model.n_outputs_ == 1 else count  # noqa: PLR2004
    if model.n_outputs_ != columns or model.out_activation_ not in (
        "softmax",
        "logistic",
    ):
        raise DataError(f"{owner} needs an output for each class.")


_TRAINED = State(
    {
        "n_features_in_": "size features",
        "coefs_": "list[layers] of finite[*, *]",
        "intercepts_": "list[layers] of finite[*]",
        "n_outputs_": "count",
        "n_layers_": "count",
        "n_iter_": "count",
        "t_": "count",
        "out_activation_": "text",
        "loss_": "number",
        "start_losses_": "float[*]",
        "certificate_": "none",
        "evidence_?": "Evidence | none",
        "loss_curve_?": "list of number",
        "best_loss_?": "number | none",
        "validation_scores_?": "list of number | none",
        "best_validation_score_?": "number | none",
        "_no_improvement_count?": "count",
        "_best_theta?": "float[*] | none",
        "_memory?": "list of float[*]",
        "_taken?": "count",
        "_rate?": "number",
    },
    also=(_check_told, _check_memory),
)
_SHAPED = {
    "layers": "list of Layer | tuple of Layer",
    "input_shape": "none | tuple of count | list of count | int[*]",
    "coefs_": "list[layers] of finite[*, *] / finite[*, *, *] / finite[*, *, *, *]",
}
_LOSS = {"loss": "text | Loss"}

STATES = {
    "BernoulliRBM": State(
        {
            "n_features_in_": "size features",
            "components_": "finite[units, features]",
            "intercept_hidden_": "finite[units]",
            "intercept_visible_": "finite[features]",
            "h_samples_": "finite[*, units]",
            "random_state_?": "any",
        }
    ),
    "MLPClassifier": State(
        {"classes_": "label[classes]"},
        base=_TRAINED,
        also=(_check_layers, _check_classes),
    ),
    "MLPRegressor": State(_LOSS, base=_TRAINED, also=_check_layers),
    "NetworkClassifier": State(
        {"classes_": "label[classes]", **_SHAPED},
        base=_TRAINED,
        also=(_check_built, _check_classes),
    ),
    "NetworkRegressor": State({**_SHAPED, **_LOSS}, base=_TRAINED, also=_check_built),
}

"""Declared states of fitted networks: layers that fit each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_layers(model: Any) -> None:
    owner = type(model).__name__
    sizes = [model.n_features_in_, *(len(b) for b in model.intercepts_)]
    wanted = list(pairwise(sizes))
    if [W.shape for W in model.coefs_] != wanted or sizes[-1] != model.n_outputs_:
        raise DataError(f"{owner}.coefs_ do not fit each other.")
    if len(model._sizes()) != len(wanted) - 1:
        raise DataError(f"{owner}.hidden_layer_sizes do not fit coefs_.")
    model._hidden_activations(len(wanted) - 1)


def _check_built(model: Any) -> None:
    network = model._built(model.n_features_in_, model.n_outputs_, np.float64)
    wanted = [tuple(part.shape for part in own) for own in network.parameters if own]
    given = zip(model.coefs_, model.intercepts_, strict=True)
    if [(W.shape, b.shape) for W, b in given] != wanted:
        raise DataError(f"{type(model).__name__}.coefs_ do not fit its layers.")


def _check_classes(model: Any) -> None:
    owner, count = type(model).__name__, len(model.classes_)
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
        "loss_curve_?": "list of number",
        "best_loss_?": "number | none",
        "validation_scores_?": "list of number | none",
        "best_validation_score_?": "number | none",
        "_no_improvement_count?": "count",
        "_best_theta?": "float[*] | none",
        "_memory?": "list of float[*]",
        "_taken?": "count",
        "_rate?": "number",
    }
)
_SHAPED = {
    "coefs_": "list[layers] of number[*, *] / number[*, *, *] / number[*, *, *, *]"
}

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
    "MLPRegressor": State({}, base=_TRAINED, also=_check_layers),
    "NetworkClassifier": State(
        {"classes_": "label[classes]", **_SHAPED},
        base=_TRAINED,
        also=(_check_built, _check_classes),
    ),
    "NetworkRegressor": State(_SHAPED, base=_TRAINED, also=_check_built),
}

"""Declared states of sequence models: a chain of states, and its emissions."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]

#: A larger rate has counts beyond the whole numbers of 64 bits.
LARGEST_RATE = 1e18


def _check_chain(model: Any) -> None:
    if not isinstance(model.n_components, Integral):
        raise DataError(f"{type(model).__name__}.n_components must be a whole number.")
    if hasattr(model, "startprob_") and model.n_components != len(model.startprob_):
        raise DataError(f"{type(model).__name__} needs a chance for each state.")
    model.check()


def _check_rates(model: Any) -> None:
    if not np.max(model.lambdas_, initial=0.0) < LARGEST_RATE:
        raise DataError(f"PoissonHMM.lambdas_ must be below {LARGEST_RATE:.0e}.")


def _check_covariances(model: Any) -> None:
    try:
        np.linalg.cholesky(model.covars_)
    except np.linalg.LinAlgError:
        raise DataError("GaussianHMM.covars_ must be positive definite.") from None


def _check_field(model: Any) -> None:
    if len(model.coef_) != int(model._states.sum()) + int(model._moves.sum()):
        raise DataError("CRF needs a weight for each of its features.")
    if len(set(model.attributes_)) < len(model.attributes_):
        raise DataError("CRF needs different attributes.")
    if hasattr(model, "_proof_shares") != hasattr(model, "_proof_points"):
        raise DataError("CRF needs the points of its proof and their shares.")


_CHAIN = State(
    {
        "startprob_": "nonnegative[states]",
        "transmat_": "nonnegative[states, states]",
        "monitor_": "ConvergenceMonitor",
    },
    also=_check_chain,
)

STATES = {
    "CRF": State(
        {
            "attributes_": "list[attributes] of text",
            "classes_": "list[classes] of text / number",
            "_states": "bool[attributes, classes]",
            "_moves": "bool[classes, classes]",
            "coef_": "finite[weights]",
            "certificate_?": "Certificate",
            "history_?": "tuple of Record",
            "_proof_shares?": "nonnegative[planes]",
            "_proof_points?": "finite[planes, weights]",
            "n_iter_": "count",
            "n_seen_?": "number",
        },
        also=_check_field,
    ),
    "ConvergenceMonitor": State(
        {
            "tol": "small",
            "n_iter": "count",
            "verbose": "flag",
            "history": "list of number",
        }
    ),
    "GaussianHMM": State(
        {
            "n_features": "size features",
            "covariance_type": "text",
            "means_": "finite[states, features]",
            "_covars_": "finite[states] | finite[states, features] | "
            "finite[features, features] | finite[states, features, features]",
        },
        base=_CHAIN,
        also=_check_covariances,
    ),
    "PoissonHMM": State(
        {"n_features": "size features", "lambdas_": "nonnegative[states, features]"},
        base=_CHAIN,
        also=_check_rates,
    ),
    "MultinomialHMM": State(
        {
            "n_features": "size symbols",
            "n_trials": "none | count | list of count | tuple of count | int[*]",
            "emissionprob_": "nonnegative[states, symbols]",
        },
        base=_CHAIN,
    ),
    "GMMHMM": State(
        {
            "n_features": "size features",
            "covariance_type": "text",
            "weights_": "nonnegative[states, laws]",
            "means_": "finite[states, laws, features]",
            "covars_": "finite[states, laws] | finite[states, laws, features] | "
            "finite[states, features, features] | "
            "finite[states, laws, features, features]",
        },
        base=_CHAIN,
    ),
    "CategoricalHMM": State(
        {"emissionprob_": "nonnegative[states, symbols]"}, base=_CHAIN
    ),
    "HiddenMarkovModel": State(
        {
            "n_features": "size features",
            "emission": "none | Distribution",
            "emissions_": "list[states] of Distribution",
            "max_duration?": "none | count",
            "durations_?": "nonnegative[states, steps]",
        },
        base=_CHAIN,
    ),
}

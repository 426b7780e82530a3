"""Declared states of sequence models: a chain of states, and its emissions."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_chain(model: Any) -> None:
    if hasattr(model, "startprob_") and model.n_components != len(model.startprob_):
        raise DataError(f"{type(model).__name__} needs a chance for each state.")
    model.check()


_CHAIN = State(
    {
        "startprob_": "nonnegative[states]",
        "transmat_": "nonnegative[states, states]",
        "monitor_": "ConvergenceMonitor",
    },
    also=_check_chain,
)

STATES = {
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
    ),
    "PoissonHMM": State(
        {"n_features": "size features", "lambdas_": "nonnegative[states, features]"},
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
        },
        base=_CHAIN,
    ),
}

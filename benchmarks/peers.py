"""Peers that need more than one line to be called, and how to keep them quiet."""

import warnings
from functools import wraps

import numpy as np

__all__ = ["liblinear_weights", "quietly"]


def quietly(fit):
    """Silence a peer's warnings: whether it converged is for the judge to say."""

    @wraps(fit)
    def silent(problem, setting):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fit(problem, setting)

    return silent


def liblinear_weights(X, y, options):
    """Train official LIBLINEAR on labels ±1; return the weights of the score of +1."""
    from liblinear.liblinearutil import parameter, problem, train

    model = train(problem(y.astype(float), X), parameter(options))
    weights = np.ctypeslib.as_array(model.w, shape=(model.nr_feature,)).copy()
    return weights if model.label[0] == 1 else -weights

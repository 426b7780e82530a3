"""From a fitted linear model to the statements it makes: risks and points.

A reader gets a model and a table and returns one risk and one point for each proof that
the model carries.
"""

import numpy as np

from benchmarks.adversary.losses import scalar_loss
from benchmarks.adversary.penalties import make_penalty
from benchmarks.adversary.precision import LD
from benchmarks.adversary.risk import Point, Risk
from benchmarks.adversary.vector_losses import vector_loss

__all__ = [
    "TWO_CLASSES",
    "point_of",
    "read_classes",
    "read_jointly",
    "read_real",
    "total_of",
]

#: What a loss of several classes is for two.
TWO_CLASSES = {"softmax": "logistic", "multiclass_hinge": "hinge",
               "additive_multiclass_hinge": "hinge"}  # fmt: skip


def total_of(table):
    """Return the total weight of a table's rows."""
    return float(len(table.y) if table.weights is None else np.sum(table.weights))


def point_of(coef, intercept):
    """Return a point of coefficients (scores, features) and intercepts."""
    W = np.atleast_2d(np.asarray(coef)).astype(LD).T
    b = np.atleast_1d(np.asarray(intercept)).astype(LD)
    return Point(W, np.broadcast_to(b, (W.shape[1],)).copy())


def read_real(loss, penalty, **parameters):
    """Return a reader of models of real targets; several targets are several proofs."""

    def read(model, table):
        priced = penalty(model, total_of(table))
        formula = scalar_loss(loss, **parameters)
        rows, offsets = np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)
        columns = np.asarray(table.y).reshape(len(table.y), -1).T
        return [
            (_risk(table, y, formula, priced, model), point_of(w, b))
            for y, w, b in zip(
                columns, rows, np.resize(offsets, len(rows)), strict=True
            )
        ]

    return read


def read_classes(loss, penalty):
    """Return a reader of classifiers that learn a class against the rest."""

    def read(model, table):
        priced = penalty(model, total_of(table))
        names = list(model.classes_)
        chosen = names if len(names) > 2 else names[1:]
        pairs = zip(chosen, model.coef_, np.atleast_1d(model.intercept_), strict=True)
        return [
            (
                _risk(table, np.where(table.y == name, 1.0, -1.0), scalar_loss(loss),
                      priced, model),
                point_of(w, b),
            )
            for name, w, b in pairs
        ]  # fmt: skip

    return read


def read_jointly(loss, penalty):
    """Return a reader of models under a loss of several scores."""

    def read(model, table):
        priced = penalty(model, total_of(table))
        y, outputs = np.asarray(table.y), len(np.atleast_2d(model.coef_))
        if hasattr(model, "classes_"):
            y = np.searchsorted(model.classes_, y)
        if outputs == 1:  # two classes were left, which one score tells apart
            return read_classes(TWO_CLASSES[loss], penalty)(model, table)
        formula = vector_loss(loss, outputs)
        risk = _risk(table, y, formula, priced, model)
        return [(risk, point_of(model.coef_, model.intercept_))]

    return read


def _risk(table, y, loss, penalty, model):
    intercept = bool(getattr(model, "fit_intercept", True))
    return Risk(table.X, y, table.weights, loss, penalty, intercept=intercept)


def no_penalty(_model, _total):
    """Return no penalty, whatever the model."""
    return make_penalty("no_penalty")

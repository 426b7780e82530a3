"""The chosen model once more, on all training rows, with its proof and its path."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, LabelEncoder

from infimum.certificates import Certificate
from infimum.learn.alarm import TimeUpError
from infimum.learn.blending import Blend
from infimum.learn.choosing import Standing
from infimum.learn.decisions import Decisions
from infimum.learn.ground import collecting, fit_one, made
from infimum.learn.problem import Problem
from infimum.learn.result import Choice, Coefficient, Proof
from infimum.models.ensembles import VotingClassifier, VotingRegressor
from infimum.models.linear import regularization_path

__all__ = [
    "Refit",
    "feature_names",
    "fitted",
    "plain_proof",
    "proof_of",
    "refit",
    "refit_blend",
]

_MOST_FEATURES = 60


class Refit(NamedTuple):
    """The final pipeline, its weights along the path and warnings on the way."""

    pipeline: Pipeline
    coefficients: tuple[Coefficient, ...]
    warnings: tuple[str, ...]


def fitted(problem: Problem, standing: Standing, value: float) -> Pipeline:
    """Fit encoder and model at a setting on all rows, from a cold start."""
    heat = standing.heat
    encoder, X = problem.encoded(heat.contender.view)
    model = made(heat.contender, heat.parameter, value, encoder)
    fit_one(model, X, problem.y, problem.weights)
    return Pipeline([("encoder", encoder), ("model", model)])


def refit(
    problem: Problem,
    standing: Standing,
    choice: Choice,
    *,
    decisions: Decisions | None = None,
    latest: float = math.inf,
) -> Refit:
    """Fit encoder and chosen model on all training rows, from a cold start.

    The weights along the path are for the report; without time they are left out. A
    fit that is not done at the `latest` moment is stopped with TimeUpError.
    """
    asked, name = decisions or Decisions(), standing.heat.contender.name
    with collecting() as open_gaps:
        pipeline = asked.in_time(
            f"fit-{name}", lambda: fitted(problem, standing, choice.value), latest
        )
        if pipeline is None:
            raise TimeUpError
        path = asked.in_time(
            f"path-{name}",
            lambda: _path(pipeline, problem, standing),
            asked.deadline,
            expected=standing.heat.seconds / max(standing.folds, 1),
        )
    # A constant asks about no column, whatever tiny weights its fit has left.
    constant = standing.heat.contender.fixed
    coefficients = () if constant else _coefficients(pipeline, path)
    return Refit(pipeline, coefficients, tuple(dict.fromkeys(open_gaps)))


def refit_blend(problem: Problem, standing: Sequence[Standing], blend: Blend) -> Refit:
    """Fit every member of a blend on all training rows; they answer together."""
    with collecting() as open_gaps:
        members = [
            (standing[i].heat.contender.name, fitted(problem, standing[i], value))
            for i, value in ((i, standing[i].values[j]) for i, j in blend.members)
        ]
    shares = list(blend.shares)
    voters: Any
    if len(problem.classes):
        voters = VotingClassifier(members, voting="soft", weights=shares)
        voters.multilabel_ = problem.y.ndim > 1
        if voters.multilabel_:
            voters.classes_ = np.arange(problem.y.shape[1])
        else:
            voters.le_ = LabelEncoder().fit(problem.y)
            voters.classes_ = voters.le_.classes_
    else:
        voters = VotingRegressor(members, weights=shares)
    # Every member has its own encoder, so the rows come as they are.
    voters.estimators_ = [member for _, member in members]
    voters.n_features_in_ = max(member[-1].n_features_in_ for _, member in members)
    steps = [("encoder", FunctionTransformer().fit(problem.rows)), ("model", voters)]
    return Refit(Pipeline(steps), (), tuple(dict.fromkeys(open_gaps)))


def plain_proof(model: Any) -> Proof | None:
    """Return the certificate of a model as plain numbers, None if it has none."""
    return proof_of(getattr(model, "certificate_", None))


def proof_of(certificate: Certificate | None) -> Proof | None:
    """Return a certificate as plain numbers."""
    if certificate is None:
        return None
    return Proof(
        primal=float(certificate.primal),
        dual=float(certificate.dual),
        gap=float(certificate.gap),
        relative_gap=float(certificate.relative_gap),
        tolerance=float(certificate.tolerance),
        closed=bool(certificate.closed),
        reason=str(certificate.reason),
    )


def _path(pipeline: Pipeline, problem: Problem, standing: Standing) -> Any:
    """Return the weights of the path's models on all training rows, one row each."""
    if standing.heat.contender.fixed or standing.heat.contender.grid:
        return None
    path = regularization_path(
        standing.heat.contender.make(),
        pipeline[:-1].transform(problem.rows),
        problem.y,
        values=standing.values,
        sample_weight=problem.weights,
    )
    return np.array([_weights(model) for model in path.models])


def _weights(model: Any) -> Any:
    return np.atleast_2d(np.asarray(model.coef_, dtype=float))


def _coefficients(pipeline: Pipeline, path: Any) -> tuple[Coefficient, ...]:
    if not hasattr(pipeline[-1], "coef_"):
        return ()
    names = feature_names(pipeline)
    weights = _weights(pipeline[-1])
    size = np.abs(weights).max(axis=0)
    largest = [i for i in np.argsort(-size, kind="stable") if size[i] > 0]
    # Of several scores a feature has, the path shows the one it matters to most.
    leading = np.abs(weights).argmax(axis=0)
    return tuple(
        Coefficient(
            feature=str(names[place]),
            values=tuple(weights[:, place].tolist()),
            path=() if path is None else tuple(path[:, leading[place], place].tolist()),
        )
        for place in largest[:_MOST_FEATURES]
    )


def feature_names(pipeline: Pipeline) -> list[str]:
    """Return the names of the columns that the model of a pipeline sees."""
    encoder = pipeline[0]
    if hasattr(encoder, "columns_"):
        return [str(name) for name in encoder.get_feature_names_out()]
    return [f"feature {place}" for place in range(encoder.n_features_in_)]

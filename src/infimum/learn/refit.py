"""The chosen model once more, on all training rows, with its proof and its path."""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from infimum.errors import InfimumError
from infimum.learn.choosing import Standing
from infimum.learn.problem import Problem
from infimum.learn.race import Progress, Step, collecting
from infimum.learn.result import Choice, Coefficient, Lane, Proof, TracePoint
from infimum.learn.scoring import Criterion
from infimum.models.linear import regularization_path

__all__ = ["Refit", "plain_proof", "refit", "run_lanes"]

_MOST_POINTS, _MOST_FEATURES = 200, 60


class Refit(NamedTuple):
    """The final pipeline, its weights along the path and warnings on the way."""

    pipeline: Pipeline
    coefficients: tuple[Coefficient, ...]
    warnings: tuple[str, ...]


def refit(
    problem: Problem, standing: Standing, choice: Choice, *, deadline: float
) -> Refit:
    """Fit encoder and chosen model on all training rows, from a cold start.

    The weights along the path are for the report; without time they are left out.
    """
    model = standing.heat.contender.make().set_params(
        **{choice.parameter: choice.value}
    )
    pipeline = Pipeline([("encoder", clone(problem.encoder)), ("model", model)])
    with collecting() as open_gaps:
        pipeline.fit(problem.rows, problem.y)
        expected = standing.heat.seconds / max(standing.folds, 1)
        in_time = time.perf_counter() + expected < deadline
        path = _path(pipeline, problem, standing) if in_time else None
    return Refit(
        pipeline, _coefficients(pipeline, path), tuple(dict.fromkeys(open_gaps))
    )


def run_lanes(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    deadline: float,
    progress: Progress,
) -> tuple[Lane, ...]:
    """Describe every contender; if time is left, solve it on all training rows."""
    X = clone(problem.encoder).fit_transform(problem.rows)
    lanes = []
    for done, each in enumerate(standing):
        progress(Step("prove", each.heat.contender.label, done, len(standing)))
        model = None
        if time.perf_counter() < deadline:
            value = {each.heat.parameter: each.values[each.pick]}
            model = _fitted(each.heat.contender.make().set_params(**value), X, problem)
        lanes.append(_lane(each, criterion, model))
    return tuple(lanes)


def plain_proof(certificate: Any) -> Proof:
    """Return a certificate as plain numbers."""
    return Proof(
        primal=float(certificate.primal),
        dual=float(certificate.dual),
        gap=float(certificate.gap),
        relative_gap=float(certificate.relative_gap),
        tolerance=float(certificate.tolerance),
        closed=bool(certificate.closed),
        reason=str(certificate.reason),
    )


def _fitted(model: Any, X: Any, problem: Problem) -> Any:
    try:
        with collecting():
            return model.fit(X, problem.y)
    except (ArithmeticError, ValueError, InfimumError):
        return None


def _lane(standing: Standing, criterion: Criterion, model: Any) -> Lane:
    heat = standing.heat
    return Lane(
        name=heat.contender.name,
        label=heat.contender.label,
        parameter=heat.parameter,
        values=standing.values,
        scores=tuple(criterion.error(mean) for mean in standing.means.tolist()),
        spreads=tuple(standing.spreads.tolist()),
        weights=tuple(standing.weights.tolist()),
        best=standing.best,
        pick=standing.pick,
        folds=standing.folds,
        seconds=heat.seconds,
        metrics={
            name: standing.average(name, standing.best)
            for name in standing.metrics[0][0]
        },
        proof=None if model is None else plain_proof(model.certificate_),
        trace=() if model is None else _trace(model),
    )


def _trace(model: Any) -> tuple[TracePoint, ...]:
    """Return the relative gap against time; a logarithmic axis has no place for 0."""
    scale = float(model.certificate_.scale)
    records = [r for r in model.history_ if math.isfinite(r.primal - r.dual)]
    kept = np.linspace(0, len(records) - 1, min(len(records), _MOST_POINTS))
    return tuple(
        TracePoint(
            float(records[place].seconds),
            max(float(records[place].primal - records[place].dual) / scale, 1e-16),
        )
        for place in np.unique(kept.round().astype(int))
    )


def _path(pipeline: Pipeline, problem: Problem, standing: Standing) -> Any:
    """Return the weights of the path's models on all training rows, one row each."""
    if standing.heat.contender.fixed:
        return None
    path = regularization_path(
        standing.heat.contender.make(),
        pipeline[:-1].transform(problem.rows),
        problem.y,
        values=standing.values,
    )
    return np.array([_weights(model) for model in path.models])


def _weights(model: Any) -> Any:
    return np.atleast_2d(np.asarray(model.coef_, dtype=float))


def _coefficients(pipeline: Pipeline, path: Any) -> tuple[Coefficient, ...]:
    names = _feature_names(pipeline)
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


def _feature_names(pipeline: Pipeline) -> Any:
    encoder = pipeline[0]
    if hasattr(encoder, "columns_"):
        return encoder.get_feature_names_out()
    return [f"feature {place}" for place in range(encoder.n_features_in_)]

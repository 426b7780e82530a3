"""The chosen model on all training rows, and every contender with its proof."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, LabelEncoder

from infimum.certificates import Certificate
from infimum.errors import InfimumError
from infimum.evaluation.scoring import Criterion
from infimum.learn.choose.blending import Blend
from infimum.learn.choose.decisions import Decisions
from infimum.learn.choose.rule import Standing, standard_error, words
from infimum.learn.clock import TimeUpError
from infimum.learn.encoded_fold import collecting, fit_one, made
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.result import Choice, Coefficient, ContenderResult, Proof, TracePoint
from infimum.models.ensembles import VotingClassifier, VotingRegressor
from infimum.models.linear import regularization_path

__all__ = [
    "Refit",
    "blend_label",
    "blend_result",
    "contender_results",
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
    tally = standing.tally
    encoder, X = problem.encoded(tally.contender.view)
    model = made(tally.contender, tally.parameter, value, encoder)
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
    asked, name = decisions or Decisions(), standing.tally.contender.name
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
            expected=standing.tally.seconds / max(standing.folds, 1),
        )
    # A constant asks about no column, whatever tiny weights its fit has left.
    constant = standing.tally.contender.fixed
    coefficients = () if constant else _coefficients(pipeline, path)
    return Refit(pipeline, coefficients, tuple(dict.fromkeys(open_gaps)))


def refit_blend(problem: Problem, standing: Sequence[Standing], blend: Blend) -> Refit:
    """Fit every member of a blend on all training rows; they answer together."""
    with collecting() as open_gaps:
        members = [
            (standing[i].tally.contender.name, fitted(problem, standing[i], value))
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
    if standing.tally.contender.fixed or standing.tally.contender.grid:
        return None
    path = regularization_path(
        standing.tally.contender.make(),
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


_MOST_POINTS = 200


def contender_results(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    decisions: Decisions,
    progress: Progress,
) -> tuple[ContenderResult, ...]:
    """Describe every contender; if time is left, solve the convex on all rows."""
    encoder, X = problem.encoded("linear")
    contenders = []
    for done, each in enumerate(standing):
        progress(Step("prove", each.tally.contender.label, done, len(standing)))
        model = None
        if each.tally.contender.convex:
            model = decisions.in_time(
                f"proof-{each.tally.contender.name}",
                partial(_solved, each, encoder, X, problem),
                decisions.deadline,
                expected=each.pace,
            )
        contenders.append(_contender_result(each, criterion, model))
    return tuple(contenders)


def blend_label(blend: Blend, standing: Sequence[Standing]) -> str:
    """Name the members of a blend with their shares."""
    parts = [
        f"{share:.0%} {standing[i].tally.contender.label}"
        for share, (i, _) in zip(blend.shares, blend.members, strict=True)
    ]
    return "Blend of " + ", ".join(parts[:-1]) + " and " + parts[-1]


def blend_result(
    blend: Blend, standing: Sequence[Standing], criterion: Criterion
) -> ContenderResult:
    """Describe a blend as a contender with one setting."""
    used = max(standing[i].weights[j] for i, j in blend.members)
    names = blend.metrics[0]
    return ContenderResult(
        name="blend",
        label=blend_label(blend, standing),
        parameter="setting",
        values=(0.0,),
        scores=(criterion.error(float(blend.errors.mean())),),
        spreads=(standard_error(blend.errors),),
        weights=(float(used),),
        best=0,
        pick=0,
        folds=len(blend.errors),
        seconds=sum(standing[i].tally.seconds for i, _ in blend.members),
        metrics={name: _mean([fold[name] for fold in blend.metrics]) for name in names},
        proof=None,
        trace=(),
        words=("shares by rows held back",),
    )


def _solved(standing: Standing, encoder: Any, X: Any, problem: Problem) -> Any:
    tally = standing.tally
    value = standing.values[standing.pick]
    try:
        with collecting():
            model = made(tally.contender, tally.parameter, value, encoder)
            return fit_one(model, X, problem.y, problem.weights)
    except (ArithmeticError, ValueError, InfimumError):
        return None


def _contender_result(
    standing: Standing, criterion: Criterion, model: Any
) -> ContenderResult:
    tally = standing.tally
    return ContenderResult(
        name=tally.contender.name,
        label=tally.contender.label,
        parameter=tally.parameter,
        values=standing.values,
        scores=tuple(criterion.error(mean) for mean in standing.means.tolist()),
        spreads=tuple(standing.spreads.tolist()),
        weights=tuple(standing.weights.tolist()),
        best=standing.best,
        pick=standing.pick,
        folds=standing.folds,
        seconds=tally.seconds,
        metrics={
            name: standing.average(name, standing.best)
            for name in standing.metrics[0][0]
        },
        proof=plain_proof(model),
        trace=() if model is None else _trace(model),
        words=tuple(words(tally, value) for value in standing.values),
        state=tally.retired,
    )


def _trace(model: Any) -> tuple[TracePoint, ...]:
    """Return the relative gap against time; a logarithmic axis has no place for 0."""
    # Targets so small that their squares vanish leave a scale of 0, and no gap.
    scale = float(model.certificate_.scale) or 1.0
    history = getattr(model, "history_", [])
    records = [r for r in history if math.isfinite(r.primal - r.dual)]
    kept = np.linspace(0, len(records) - 1, min(len(records), _MOST_POINTS))
    return tuple(
        TracePoint(
            float(records[place].seconds),
            max(float(records[place].primal - records[place].dual) / scale, 1e-16),
        )
        for place in np.unique(kept.round().astype(int))
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None

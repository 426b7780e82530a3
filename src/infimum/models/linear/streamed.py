"""Linear fits on streamed rows: the recipe of a class, its risks as sums of passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.callback import with_callbacks

from infimum.certificates import Certificate, certify, least_certain
from infimum.data.doors import Rows, check_fitted
from infimum.data.doors.labels import class_factors
from infimum.data.doors.streamed_rows import TargetRange, admit_streamed, known_classes
from infimum.errors import DataError, IncompatibleError, StreamError
from infimum.losses import Loss, VectorLoss
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.linear.coding import Joint, Pair, Signs
from infimum.models.linear.estimator import concluded, report_to
from infimum.models.linear.fit import Recipe
from infimum.models.linear.keep import stored_in
from infimum.models.linear.lassos._multi_task import MultiTaskRegressor
from infimum.objectives.plane_risk import Mix
from infimum.objectives.streamed_passes import Reading
from infimum.objectives.streamed_risk import StreamedRisk, Touch
from infimum.parameters import check_parameters
from infimum.penalties import Penalty
from infimum.solvers import Bundle, Solution, Solver
from infimum.solvers.progress import INTERRUPTED, Callback, Record, interrupt
from infimum.solvers.second_order._gram_newton import GramNewton, rehearsed
from infimum.solvers.second_order.lbfgs import LBFGS
from infimum.typing import Vector

__all__ = ["certify_streamed", "fit_streamed", "fit_streamed_rows"]

#: Columns this many deviations from the origin are moved there.
FAR = 3.0
#: A stored point may differ by this share of what there is to gain.
STORED = 1e-12


@dataclass(frozen=True, eq=False)
class StreamedProblem:
    """Rows, a recipe, and one reading of the target for each risk."""

    rows: Any
    recipe: Recipe
    readings: list[Reading]
    nulls: list[Vector]
    means: Vector
    lengths: Vector

    def risks(self) -> list[StreamedRisk]:
        """Return what is minimised, one risk per target."""
        given = self.recipe.penalty
        total = self.readings[0].total
        penalty = given if isinstance(given, Penalty) else given(total)
        count = len(self.readings)
        each = [penalty] * count if isinstance(penalty, Penalty) else list(penalty)
        return [
            StreamedRisk(
                self.rows,
                reading,
                self.recipe.loss,
                own,
                null=null,
                lengths=self.lengths,
                intercept=bool(self.recipe.intercept),
                tolerance=max(self.recipe.tolerance, 1e-14),
            )
            for reading, null, own in zip(self.readings, self.nulls, each, strict=True)
        ]

    def unpack(self, point: Vector, k: int) -> Pair:
        """Return coefficients (features last) and intercepts."""
        last = point[-1]
        if self.recipe.intercept:
            last = last - self.means @ point[:-1] + self.readings[k].origin
        return point[:-1].T, np.array(last)

    def pack(self, coef: Vector, intercept: Any, k: int) -> Vector:
        """Return the point with these coefficients and intercepts."""
        w, last = np.asarray(coef, dtype=np.float64).T, np.asarray(intercept)
        if self.recipe.intercept:
            last = last + self.means @ w - self.readings[k].origin
        return np.concatenate([w, last[None, ...]])

    def points(self, stored: Pair) -> list[Vector]:
        """Return stored coefficients as points, one per target."""
        pairs = enumerate(self.recipe.coding.pairs(*stored))
        return [self.pack(coef, b, k) for k, (coef, b) in pairs]


def fit_streamed(
    model: Any, rows: Any, y: Any = None, sample_weight: Any = None, **known: Any
) -> Any:
    """Fit a linear model to streamed rows; return it."""
    fit_streamed_rows(model, rows, y, sample_weight, *known.values())
    return concluded(model)


@with_callbacks  # type: ignore[untyped-decorator]
def fit_streamed_rows(model: Any, rows: Any, *others: Any) -> None:
    """Fit, and keep what was found; a failure changes nothing."""
    with unchanged_on_failure(model):
        check_parameters(model)
        problem = _stated(model, rows, others)
        before = rows.passes
        context = model._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=model, X=rows, y=None)
        _keep(model, problem, _solved_all(model, problem, context))
        model.n_passes_ = rows.passes - before
    context.call_on_fit_task_end(
        estimator=model, X=rows, y=None, reconstruction_attributes={}
    )


def certify_streamed(
    model: Any, rows: Any, y: Any = None, sample_weight: Any = None, **how: Any
) -> Certificate:
    """Prove the stored coefficients on streamed rows; the worst over the targets."""
    check_fitted(model)
    problem = _stated(model, rows, (y, sample_weight))
    risks, points = problem.risks(), problem.points(stored_in(model))
    mixes = _mixes(model.dual_slopes_, risks)
    proofs = [
        _shifted(risk, certify(risk, point, mix))  # type: ignore[arg-type]
        for risk, point, mix in zip(risks, points, mixes, strict=True)
    ]
    asked = how.get("tolerance") or max(problem.recipe.tolerance, 1e-9)
    proofs = [replace(proof, tolerance=asked) for proof in proofs]
    proofs = [proof.as_fine_as_rounding_allows() for proof in proofs]
    return proofs[least_certain(proofs)]


def _stated(model: Any, rows: Any, others: tuple[Any, ...]) -> StreamedProblem:
    """Return the problem that the class of a model states on these rows."""
    admit_streamed(model, rows, others)
    statistics, owner = rows.statistics, type(model).__name__
    classes, numbers, weights = None, None, None
    if _classifies(model):
        classes, numbers, weights = known_classes(owner, rows)
        model.classes_ = classes
    elif rows.spooled.words is not None:
        raise DataError(f"{owner} needs numbers as targets, got words.")
    if isinstance(model, MultiTaskRegressor):
        raise IncompatibleError(
            f"{owner} learns several targets at once, and streamed rows have one: "
            "ElasticNet streams."
        )
    seen: Any = TargetRange(*statistics.y_range)
    recipe = model._recipe(Rows(rows, seen, classes=classes))
    _refuse_special(owner, recipe)
    means, spreads = statistics.moments()
    far = np.any(np.abs(means) > FAR * np.sqrt(spreads))
    shifted = bool(recipe.intercept and far and not rows.sparse)
    shift = means if shifted else np.zeros(len(means))
    lengths = np.sqrt(spreads + (means - shift) ** 2)
    moved = rows.shifted(shift) if shifted else rows
    if classes is None:
        readings, nulls = _measured(recipe, rows)
    else:
        given = getattr(model, "class_weight", None)
        assert weights is not None
        factors = None
        if given is not None:
            codes = np.arange(len(classes))
            factors = class_factors(owner, given, classes, codes, weights)
            weights = weights * factors
        readings, nulls = _labelled(recipe, numbers, weights, factors)
    return StreamedProblem(moved, recipe, readings, nulls, shift, lengths)


def _classifies(model: Any) -> bool:
    asked = getattr(model, "_classifies", None)
    return bool(asked()) if asked is not None else bool(is_classifier(model))


def _refuse_special(owner: str, recipe: Recipe) -> None:
    """Refuse recipes whose method or proof needs all rows at once."""
    why = None
    if recipe.prove is not None or recipe.space is not None:
        why = "its method needs all rows in memory"
    elif not recipe.loss.convex:
        why = "its loss is not convex"
    elif recipe.loss.target in {"labels", "vector"}:
        why = "a row has several targets"
    if why is not None:
        raise IncompatibleError(
            f"{owner} does not take streamed rows: {why}; RiskMinimizer(loss, penalty) "
            "streams, with Huber(), Quantile() or any other convex loss."
        )


def _measured(recipe: Recipe, rows: Any) -> tuple[list[Reading], list[Vector]]:
    statistics, loss = rows.statistics, recipe.loss
    origin = 0.0
    if recipe.intercept and loss.distance_based:
        origin = statistics.y_mean
    reading = Reading(statistics.total, origin=origin)
    known = statistics.labels
    if isinstance(loss, Loss) and loss.constant_curvature and loss.distance_based:
        return [reading], [np.array(statistics.y_mean - origin)]
    if known is not None:
        values = np.array(sorted(known))
        weights = np.array([known[value] for value in values.tolist()])
    else:  # a sample tells nearly the best constant
        leaves = list(rows.leaves([0, rows.spool.leaves // 2]))
        values = np.concatenate([leaf.y.copy() for leaf in leaves])
        weights = np.ones(len(values))
    best = loss.best_constant(values - origin, weights / weights.sum())
    return [reading], [np.asarray(best, dtype=np.float64)]


def _labelled(
    recipe: Recipe, numbers: Any, weights: Vector, factors: Vector | None
) -> tuple[list[Reading], list[Vector]]:
    total, coding = float(weights.sum()), recipe.coding
    shares = weights / total
    plain = Reading(total, numbers, None, factors, 0.0, shares)
    if isinstance(coding, Signs):
        signs = coding.targets(np.arange(len(numbers)))
        chosen = range(len(numbers)) if len(signs) > 1 else (1,)
        readings = [replace(plain, positive=k) for k in chosen]
        nulls = [np.array(recipe.loss.best_constant(y, shares)) for y in signs]
        return readings, nulls
    if not isinstance(coding, Joint):
        raise IncompatibleError(
            f"{type(coding).__name__} targets are not read from streamed rows: take "
            "LogisticRegression."
        )
    codes = np.arange(len(numbers), dtype=np.float64)
    return [plain], [np.asarray(recipe.loss.best_constant(codes, shares))]


def _solver(model: Any, risk: StreamedRisk, recipe: Recipe) -> Solver:
    """Return the first method without an objection, as precise as the recipe asks."""
    if recipe.solver is not None:
        return recipe.solver
    why = []
    for kind in (GramNewton, LBFGS, Bundle):
        objection = kind().objection(risk)  # type: ignore[arg-type]
        if objection is None:
            options: dict[str, Any] = {"tolerance": max(recipe.tolerance, 1e-14)}
            limit = recipe.max_iterations
            if limit is not None:
                options["max_iterations"] = limit
            return kind(**options)
        why.append(f"{kind.__name__}: {objection}")
    raise IncompatibleError(
        f"{type(model).__name__} finds no method for streamed rows with "
        f"{type(risk.loss).__name__} and {type(risk.penalty).__name__} "
        f"({'; '.join(why)}): take a ridge penalty."
    )


def _solved_all(model: Any, problem: StreamedProblem, context: Any) -> list[Solution]:
    """Minimise the risk of each target; one Ctrl-C ends the runs of all."""
    watched = hasattr(model, "_skl_callbacks")
    report = report_to(model, context) if watched else None
    found: list[Solution] = []
    for risk in problem.risks():
        found.append(_solved(model, risk, problem.recipe, report))
        if found[-1].reason == INTERRUPTED:
            report = interrupt
    return found


def _solved(
    model: Any, risk: StreamedRisk, recipe: Recipe, report: Callback | None
) -> Solution:
    solver = _solver(model, risk, recipe)
    bounds: list[Record] = []

    def note(record: Record) -> bool | None:
        bounds.append(record)
        return report is not None and report(record)

    try:
        ended = report is interrupt or not risk.smooth
        start: Any = None if ended else rehearsed(risk)
        return solver.solve(risk, start, note)  # type: ignore[arg-type]
    except StreamError as error:
        raise _told(error, risk, bounds) from error


def _told(error: StreamError, risk: StreamedRisk, bounds: list[Record]) -> StreamError:
    """Return the error with the best point so far, and how good it is."""
    if risk.lowest is None:
        return error
    value = risk.lowest.value + risk.least
    gap = risk.lowest.value - max((b.dual for b in bounds), default=0.0)
    found = StreamError(
        f"{error} The best point so far has the risk {value:.6g}, at most {gap:.3g} "
        "above the least."
    )
    found.point, found.gap = risk.lowest.point, gap
    return found


def _shifted(risk: StreamedRisk, proof: Certificate) -> Certificate:
    """Return a proof in the units of the loss: with the least loss given back."""
    return replace(
        proof, primal=proof.primal + risk.least, dual=proof.dual + risk.least
    )


def _witnesses(solutions: list[Solution]) -> Any:
    """Return the points whose planes prove a kinked loss, each behind its share."""
    if solutions[0].here.risk.smooth:
        return None
    tables = []
    for solution in solutions:
        mix: Any = solution.slopes
        points = [touch.point for touch in mix.witnesses]
        tables.append(np.column_stack([mix.shares, points]))
    most = max(map(len, tables))
    return np.array([np.pad(t, ((0, most - len(t)), (0, 0))) for t in tables])


def _mixes(kept: Any, risks: list[StreamedRisk]) -> list[Mix | None]:
    """Return the mixes that a fit has kept, if they are of such risks."""
    size = risks[0].size + 2
    if kept is None or np.shape(kept)[::2] != (len(risks), size):
        return [None] * len(risks)
    return [
        Mix(table[:, 0], tuple(Touch(point) for point in table[:, 1:]))
        for table in (np.asarray(each)[np.asarray(each)[:, 0] > 0.0] for each in kept)
    ]


def _keep(model: Any, problem: StreamedProblem, solutions: list[Solution]) -> None:
    """Keep coefficients with the proof of what is stored."""
    pairs = [problem.unpack(s.point, k) for k, s in enumerate(solutions)]
    stored = problem.recipe.coding.stored(pairs)
    proofs = []
    again = problem.points(stored)
    for solution, point in zip(solutions, again, strict=True):
        risk: Any = solution.here.risk
        proof = solution.certificate
        if np.abs(point - solution.point).max() > STORED * risk.scale and (
            not isinstance(risk.loss, VectorLoss)
        ):
            new = certify(risk, point, solution.slopes)
            proof = replace(new, tolerance=proof.tolerance, reason=proof.reason)
        proofs.append(_shifted(risk, proof))
    worst = least_certain(proofs)
    least = solutions[worst].here.risk.least
    history = tuple(
        each._replace(primal=each.primal + least, dual=each.dual + least)
        for each in solutions[worst].history
    )
    model.__dict__.update(
        coef_=stored[0],
        intercept_=stored[1],
        dual_slopes_=_witnesses(solutions),
        certificate_=proofs[worst],
        certificates_=proofs,
        history_=history,
        n_iter_=max(1, *(s.iterations for s in solutions)),
    )

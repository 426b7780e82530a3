"""Training: how a network comes from its first parameters to its last.

The objective is scikit-learn's: the mean loss of the samples plus α/2 times the squared
weights, divided by the weight of the batch. Same first parameters, same batches, same
steps, so that the parameters agree with scikit-learn's to rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import gen_batches, shuffle

from infimum.compiled.threads import PARTS, in_parts, one_blas_thread
from infimum.data.short_products import products_of
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models.neural.heads import Head
from infimum.models.neural.network import Network
from infimum.models.neural.steps import steps_of
from infimum.models.neural.two_cores import OneByOne, TwoCores, way_of
from infimum.typing import Indices, Matrix, Vector

__all__ = ["TrainingRows", "objective", "train"]

#: Told after each pass or iteration; returning True ends the training.
Report: TypeAlias = Callable[[], bool]
#: SciPy's status of a search that its callback has ended.
_STOPPED = 99
#: Rows that a core looks at together in `objective`.
BLOCK = 2048


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Samples, targets as columns, and weights."""

    X: Any
    Y: Matrix
    weights: Vector | None

    def __len__(self) -> int:
        return len(self.Y)

    def at(self, places: Any) -> TrainingRows:
        """Return some of the rows, by a slice or by their numbers."""
        weights = None if self.weights is None else self.weights[places]
        if isinstance(places, slice) or not isinstance(self.X, np.ndarray):
            return TrainingRows(self.X[places], self.Y[places], weights)
        X = self.X.take(places, axis=0, mode="clip")  # half the time of brackets
        return TrainingRows(X, self.Y.take(places, axis=0, mode="clip"), weights)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self) if self.weights is None else self.weights.sum())


def objective(
    network: Network,
    head: Head,
    table: TrainingRows,
    alpha: float,
    hidden: Matrix | None = None,
) -> tuple[float, Vector]:
    """Return value and gradient over all rows, in blocks that are added up in double.

    Blocks are shared among the cores; the sums do not depend on how many there are.

    What the last layer reads is written into `hidden`, where that is given.
    """
    total, blocks = table.total, list(gen_batches(len(table), BLOCK))

    def work(some: slice) -> tuple[float, Vector]:
        own, value = network.twin() if len(blocks) > 1 else network, 0.0
        gradient = np.zeros(len(network.theta))
        for block in blocks[some]:
            part = table.at(block)
            share = part.total / total
            if share == 0.0:
                if hidden is not None:
                    hidden[block] = 0.0
                continue
            with np.errstate(over="ignore", invalid="ignore"):  # threads have their own
                X = part.X.astype(network.theta.dtype, copy=False)
                scores, tape = own.forward(X)
                cost, delta = head.value_and_delta(part.Y, scores, part.weights)
                gradient += own.backward(_weighed(delta, part.weights, total), tape)
            if hidden is not None:
                hidden[block] = tape[-1][0][0]
            value += share * cost
        return value, gradient

    short = products_of(len(table) * network.multiplications)
    with short if len(blocks) == 1 else one_blas_thread():
        found = in_parts(len(blocks), work, min(PARTS, len(blocks)))
    value = sum(each for each, _ in found)
    gradient: Vector = np.sum([each for _, each in found], axis=0)
    weights = network.theta[: network.n_weights].astype(np.float64, copy=False)
    value += 0.5 * alpha * float(weights @ weights) / total
    gradient[: network.n_weights] += weights * (alpha / total)
    return value, gradient


def train(
    model: Any,
    network: Network,
    head: Head,
    table: TrainingRows,
    *,
    once: bool,
    rng: Any,
    report: Report,
) -> bool:
    """Train the network as the parameters of the model say; keep what is told of it.

    `once` means a single pass, as part of a longer training. Returns whether Ctrl-C
    has ended it.
    """
    if model.solver == "lbfgs":
        return _descend(model, network, head, table, report)
    return _pass_by_pass(model, network, head, table, once=once, rng=rng, report=report)


@dataclass
class Best:
    """The parameters after the pass of the least loss, unless an older model stays."""

    wanted: bool
    theta: Vector | None = None
    loss: float = inf
    passes: int = 0

    def meet(self, model: Any, network: Network) -> None:
        """Keep the parameters if they are the best so far."""
        if self.wanted and model.loss_ < self.loss and network.finite:
            self.theta, self.loss = network.theta.copy(), model.loss_
            self.passes = model.n_iter_


def _refuse_divergence(model: Any, network: Network, place: str, best: Best) -> None:
    """Raise DataError if weights are not finite; name the pass that made them so.

    The model keeps the best ones before, if there are any.
    """
    if network.finite:
        return
    told = (
        f"{type(model).__name__}: Solver produced non-finite parameter weights in "
        f"pass {place}. The input data may contain large values and need to be "
        "preprocessed: scale the columns, or take a smaller learning_rate_init."
    )
    if best.theta is None:
        raise DataError(told)
    network.theta[...] = best.theta
    model._keep(network)
    failure = DataError(f"{told} The weights after pass {best.passes} are kept.")
    failure.estimator = model
    raise failure


def _descend(
    model: Any, network: Network, head: Head, table: TrainingRows, report: Report
) -> bool:
    """Minimise over all rows at once by L-BFGS; return whether Ctrl-C has ended it."""
    model.n_iter_ = 0
    last = network.theta.astype(np.float64)

    def told(intermediate_result: Any) -> None:
        last[...] = network.theta[...] = intermediate_result.x
        model.n_iter_ += 1
        model.loss_ = float(intermediate_result.fun)
        if report():
            raise StopIteration

    def at(theta: Vector) -> tuple[float, Vector]:
        network.theta[...] = theta
        return objective(network, head, table, model.alpha)

    options: Any = {
        "maxfun": model.max_fun,
        "maxiter": model.max_iter,
        "gtol": model.tol,
    }
    search: Any = minimize  # whose stubs know no such callback
    try:
        found = search(
            at, last.copy(), method="L-BFGS-B", jac=True, callback=told, options=options
        )
    except KeyboardInterrupt:
        if model.n_iter_ == 0:
            raise  # nothing was learnt: the old model stays
        network.theta[...] = last
        return True
    _keep_found(model, network, found)
    _refuse_divergence(model, network, str(model.n_iter_), Best(wanted=False))
    return False


def _keep_found(model: Any, network: Network, found: Any) -> None:
    """Keep the point that L-BFGS has found; warn if it has not converged."""
    network.theta[...] = found.x
    model.n_iter_ = min(int(found.nit), model.max_iter)
    model.loss_ = float(found.fun)
    if found.status not in (0, _STOPPED):
        warnings.warn(
            f"lbfgs failed to converge after {found.nit} iteration(s): {found.message} "
            "You might also want to scale the data or increase max_iter.",
            ConvergenceWarning,
            stacklevel=7,
        )


def _pass_by_pass(
    model: Any,
    network: Network,
    head: Head,
    table: TrainingRows,
    *,
    once: bool,
    rng: Any,
    report: Report,
) -> bool:
    """Go over the rows in batches until nothing is gained any more."""
    steps = steps_of(model, network.theta, fresh=not once)
    learned, judged = _split(model, table, rng)
    order = np.arange(len(learned))
    _tell_of_batches(model, len(learned))
    model.n_iter_, interrupted = 0, False
    way = way_of(network, steps, learned, _batch_size(model, len(learned)))
    best = Best(wanted=once or model.warm_start or not hasattr(model, "coefs_"))
    try:
        for _ in in_time(range(model.max_iter)):
            place = _pass(model, way, head, (judged, order), rng)
            if place:
                _refuse_divergence(model, network, place, best)
            best.meet(model, network)
            if report() or _is_over(model, steps, once=once):
                break
    except KeyboardInterrupt:
        if model.n_iter_ == 0:
            raise  # nothing was learnt: the old model stays
        interrupted = True
    model._memory, model._taken, model._rate = steps.memory, steps.taken, steps.rate
    if judged is not None and model._best_theta is not None:
        network.theta[...] = model._best_theta
    _refuse_divergence(model, network, str(model.n_iter_), best)
    return interrupted


def _pass(
    model: Any,
    way: OneByOne | TwoCores,
    head: Head,
    rows: tuple[TrainingRows | None, Indices],
    rng: Any,
) -> str:
    """Go over all rows once, in batches; return where the loss is no number."""
    judged, order = rows
    n, network, cost, place = len(order), way.network, 0.0, ""
    if model.shuffle:
        order[:] = shuffle(order, random_state=rng)

    def work() -> None:
        nonlocal cost, place
        for step, batch in enumerate(gen_batches(n, _batch_size(model, n))):
            part = way.part(batch)
            cost += len(part) * _step(model, way, head, part, rng)
            if not isfinite(cost) and judged is None:
                way.settle()
                if not network.finite:
                    place = f"{model.n_iter_ + 1}, step {step + 1}"
                    return

    way.run(order, work)
    if place:
        return place
    _end_pass(model, network, cost / n, judged, head)
    model.t_ += n
    way.steps.end_pass(model.t_)
    return ""


def _is_over(model: Any, steps: Any, *, once: bool) -> bool:
    """Tell whether training ends here; warn if only because passes have run out."""
    if model._no_improvement_count > model.n_iter_no_change:
        if not steps.goes_on():
            return True
        model._no_improvement_count = 0
    if not once and model.n_iter_ == model.max_iter:
        warnings.warn(
            f"Stochastic Optimizer: Maximum iterations ({model.max_iter}) reached and "
            "the optimization hasn't converged yet.",
            ConvergenceWarning,
            stacklevel=7,
        )
    return once


def _step(
    model: Any, way: OneByOne | TwoCores, head: Head, part: TrainingRows, rng: Any
) -> float:
    """Take one step on a batch; return the objective of the batch before it."""
    total = part.total
    if total == 0.0:
        return 0.0
    scores, tape = way.network.forward(part.X, model.dropout, rng)
    value, delta = head.value_and_delta(part.Y, scores, part.weights)
    value += 0.5 * model.alpha * way.squares() / total
    way.network.backward(_weighed(delta, part.weights, total), tape)
    way.move(model.alpha / total)
    return float(value)


def _weighed(delta: Matrix, weights: Vector | None, total: float) -> Matrix:
    """Turn the derivative of each sample's loss into that of the mean, in place."""
    if weights is None:
        delta *= delta.dtype.type(1.0 / total)
    else:
        delta *= (weights / total).astype(delta.dtype)[:, None]
    return delta


def _split(
    model: Any, table: TrainingRows, rng: Any
) -> tuple[TrainingRows, TrainingRows | None]:
    """Put rows aside to judge by, if training is to stop early."""
    if not model.early_stopping:
        return table, None
    labels = table.Y if table.Y.shape[1] == 1 and hasattr(model, "classes_") else None
    try:
        learned, judged = train_test_split(
            np.arange(len(table)),
            random_state=rng,
            test_size=model.validation_fraction,
            stratify=labels,
        )
    except ValueError as error:
        owner = type(model).__name__
        raise DataError(f"{owner} with early_stopping: {error}") from None
    if len(judged) < 2:  # noqa: PLR2004
        raise DataError(
            f"{type(model).__name__}: The validation set is too small. Increase "
            "'validation_fraction' or the size of your dataset."
        )
    return table.at(learned), table.at(judged)


def _batch_size(model: Any, n: int) -> int:
    return min(200 if isinstance(model.batch_size, str) else int(model.batch_size), n)


def _tell_of_batches(model: Any, n: int) -> None:
    """Warn of batches that are larger than all rows."""
    if not isinstance(model.batch_size, str) and model.batch_size > n:
        warnings.warn(
            "Got `batch_size` less than 1 or larger than sample size. It is going to "
            "be clipped",
            UserWarning,
            stacklevel=7,
        )


def _end_pass(
    model: Any, network: Network, loss: float, judged: TrainingRows | None, head: Head
) -> None:
    """Note the loss, or the score on rows put aside, and whether it became better."""
    model.n_iter_ += 1
    loss = np.float64(loss)
    model.loss_ = loss
    model.loss_curve_.append(loss)
    if judged is None:
        worse = loss > model.best_loss_ - model.tol
        model.best_loss_ = min(model.best_loss_, loss)
    else:
        score = model._judge(head.answers(network.scores(judged.X)), judged)
        model.validation_scores_.append(score)
        worse = score < model.best_validation_score_ + model.tol
        if score > model.best_validation_score_:
            model.best_validation_score_ = score
            model._best_theta = network.theta.copy()
    model._no_improvement_count = model._no_improvement_count + 1 if worse else 0

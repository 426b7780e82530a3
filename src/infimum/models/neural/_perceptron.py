"""How classifiers and regressors by networks are fitted, resumed and proved."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, samples
from infimum.errors import DataError, Interrupted, InvalidParameterError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import forget, unchanged_on_failure
from infimum.models._row_parts import in_row_parts
from infimum.models.neural.activations import (
    ACTIVATIONS,
    Activation,
    Sigmoid,
    activation_of,
)
from infimum.models.neural.evidence import Evidence, evidence_of, polished
from infimum.models.neural.heads import Head
from infimum.models.neural.layers import Dense, spectral_bound
from infimum.models.neural.network import Network
from infimum.models.neural.training import TrainingRows, objective, train
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    besides,
    check_parameters,
    closed,
    nonnegative,
    positive,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["Perceptron"]


#: From 0 to less than 1.
_SHARE = Interval(0, 1, open_high=True)


def _quiet() -> Any:
    """Silence NumPy about numbers that become too large: a fit says it in words."""
    return np.errstate(over="ignore", invalid="ignore")


class Perceptron(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """A network of dense layers, its parameters as scikit-learn names them."""

    _domains: ClassVar[Domains] = {
        "solver": Choice(("lbfgs", "sgd", "adam")),
        "learning_rate": Choice(("constant", "invscaling", "adaptive")),
        "max_iter": whole(1),
        "max_fun": whole(1),
        "n_init": whole(1),
        "momentum": closed(0, 1),
        "validation_fraction": _SHARE,
        "beta_1": _SHARE,
        "beta_2": _SHARE,
        "dropout": _SHARE,
        "alpha": nonnegative,
        "power_t": nonnegative,
        "tol": nonnegative,
        "learning_rate_init": positive,
        "epsilon": positive,
        "batch_size": besides(whole(1), "auto"),
        "n_iter_no_change": besides(whole(1), np.inf),
    }

    coefs_: list[Matrix]
    evidence_: Evidence | None
    intercepts_: list[Vector]
    hidden_layer_sizes: Any
    activation: Any
    solver: str
    alpha: float
    random_state: Any
    warm_start: bool
    early_stopping: bool
    n_init: int

    def _watched(
        self, table: TrainingRows, head: Head, X: Any, y: Any, *, goes_on: bool
    ) -> Self:
        """Train, and report to scikit-learn's callbacks."""
        check_parameters(self)
        starts = 1 if goes_on else self.n_init
        context = self._init_callback_context(max_subtasks=starts * self.max_iter)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        self._learn(table, head, once=False, goes_on=goes_on, context=context)
        try:
            self.evidence_ = self._proved(table, head)
        except KeyboardInterrupt:  # what was learnt stays
            raise Interrupted(self) from None
        if not isfinite(self.evidence_.gradient_norm + self.evidence_.objective):
            raise DataError(
                f"{type(self).__name__}: the loss or its gradient is no finite number. "
                "The input data contain large values: scale columns and targets."
            )
        context.call_on_fit_task_end(
            estimator=self, X=X, y=y, reconstruction_attributes={}
        )
        return self

    def _learn(
        self,
        table: TrainingRows,
        head: Head,
        *,
        once: bool,
        goes_on: bool,
        context: Any = None,
    ) -> Self:
        """Train, several times from other starts if asked; keep the best."""
        check_parameters(self)
        rng = check_random_state(self.random_state)
        self.certificate_ = self.evidence_ = None
        self.start_losses_ = np.array([])
        starts = 1 if goes_on or once else self.n_init
        losses, best, kept = [], np.inf, None
        for _ in range(starts):
            network = self._network(table)
            if goes_on:
                self._load(network)
                self._resume()
            else:
                self._begin(network, head, rng)
            report = partial(self._report, context, network)
            with _quiet():
                interrupted = train(
                    self, network, head, table, once=once, rng=rng, report=report
                )
                if starts > 1:
                    losses.append(objective(network, head, table, self.alpha)[0])
            if losses and losses[-1] < best:
                best, kept = losses[-1], (network, dict(vars(self)))
            if interrupted:
                break
        if kept is not None:
            network, known = kept
            self.__dict__.update(known)
        self.start_losses_ = np.array(losses)
        self._keep(network)
        if interrupted:
            raise Interrupted(self)
        return self

    def _report(self, context: Any, network: Network) -> bool:
        """Tell callbacks of a pass, the model as it is then; return whether to end."""
        if context is None or not hasattr(self, "_skl_callbacks"):
            return False
        self._keep(network)
        task = context.subcontext(task_name="iteration")
        known = {"iteration": self.n_iter_, "loss": self.loss_}
        task.call_on_fit_task_begin(estimator=self, metadata=known)
        return bool(task.call_on_fit_task_end(estimator=self))

    def certify(
        self, X: Any, y: Any, sample_weight: Any = None, *, rigorous: bool = False
    ) -> Evidence:
        """Recompute `evidence_` from the weights and the samples of the fit.

        A network is not convex: nothing bounds what another one could reach. Given its
        hidden features the output layer is, and has a proof. With `rigorous` that proof
        stays open: the auditor does not know the risks of networks.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        """
        found = self._proved(*self._known(X, y, sample_weight))
        if not rigorous:
            return found
        layers = tuple(not_audited(self, proof) for proof in found.output_layers)
        return replace(found, output_layers=layers)

    evidence = certify  # its name in version 0.1

    def _proved(self, table: TrainingRows, head: Head) -> Evidence:
        """Return the evidence; only features are in the precision of the model."""
        network = self._again(table, self.coefs_[0].dtype)
        with _quiet():
            return evidence_of(network, head, table, float(self.alpha))

    def polish(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Minimise over the output layer, with a proof; return self.

        The objective never rises: a layer that is no better is not taken.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        """
        table, head = self._known(X, y, sample_weight)
        network = self._again(table, np.float64)
        polished(network, head, table, float(self.alpha))
        self._keep(network)
        self.evidence_ = evidence_of(network, head, table, float(self.alpha))
        return self

    def _known(self, X: Any, y: Any, sample_weight: Any) -> tuple[TrainingRows, Head]:
        """Return samples as `fit` reads them; other classes are refused."""
        check_fitted(self)
        classes: Any = getattr(self, "classes_", None)
        with unchanged_on_failure(self):
            table, head = self._read(X, y, sample_weight, reset=False)
            read: Any = getattr(self, "classes_", None)
            if not np.array_equal(classes, read):
                raise DataError(
                    f"{type(self).__name__}: these labels are not those of fit."
                )
        return table, head

    def _again(self, table: TrainingRows, dtype: Any) -> Network:
        """Return the fitted network in a precision."""
        empty = TrainingRows(table.X[:0].astype(dtype), table.Y[:0], None)
        network = self._network(empty)
        self._load(network)
        return network

    def _read(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[TrainingRows, Head]:
        raise NotImplementedError

    def _hidden_reach(self) -> float:
        """Return how far the hidden layers can stretch a difference, at most."""
        reach = 1.0
        hidden = self._hidden_activations(len(self.coefs_) - 1)
        for W, function in zip(self.coefs_, hidden, strict=False):
            reach *= function.lipschitz * spectral_bound(W)
        return reach

    def _scores(self, X: Any) -> NDArray[Any]:
        """Return the scores of new samples."""
        X, coefs = samples(self, X), self.coefs_
        hidden = self._hidden_activations(len(coefs) - 1)
        # For a single row `dot` costs half of what `@` does, and vectors less still.
        if type(X) is np.ndarray and len(X) == 1:
            return self._through(X[0], hidden)[None]
        width, columns = max(W.shape[1] for W in coefs), coefs[-1].shape[1]
        kind = np.result_type(X.dtype, coefs[-1].dtype)
        through = partial(self._through, hidden=hidden)
        return in_row_parts(X, width, columns, through, kind)

    def _through(self, out: Any, hidden: list[Activation]) -> NDArray[Any]:
        """Take samples through the layers."""
        for W, b, function in zip(self.coefs_, self.intercepts_, hidden, strict=False):
            out = out.dot(W)
            many = out.ndim > 1
            out = function.forward(out, b) if many else function.apply(out + b)
        out = out.dot(self.coefs_[-1])
        out += self.intercepts_[-1]
        return np.asarray(out)

    def _sizes(self) -> list[int]:
        given = self.hidden_layer_sizes
        sizes = list(given) if np.iterable(given) else [given]
        if any(not isinstance(size, Integral) or size <= 0 for size in sizes):
            raise InvalidParameterError(
                f"{type(self).__name__}: hidden_layer_sizes must be > 0, got {sizes}."
            )
        return [int(size) for size in sizes]

    def _hidden_activations(self, count: int) -> list[Activation]:
        given = self.activation
        if isinstance(given, str) and given in ACTIVATIONS:
            return [ACTIVATIONS[given]] * count
        owner = type(self).__name__
        many = list(given) if isinstance(given, tuple | list) else [given] * count
        if len(many) != count:
            raise InvalidParameterError(
                f"{owner}.activation must be one, or one for each of {count} hidden "
                f"layers, got {len(many)}."
            )
        return [activation_of(owner, one) for one in many]

    def _network(self, table: TrainingRows) -> Network:
        sizes = self._sizes()
        hidden = self._hidden_activations(len(sizes))
        layers = [Dense(n, f) for n, f in zip(sizes, hidden, strict=True)]
        layers.append(Dense(table.Y.shape[1]))
        return Network(layers, (table.X.shape[1],), table.X.dtype)

    def _begin(self, network: Network, head: Head, rng: Any) -> None:
        """Draw first parameters and forget what was told of earlier ones."""
        hidden = [getattr(layer, "function", None) for layer in network.layers[:-1]]
        steep = bool(hidden) and all(isinstance(one, Sigmoid) for one in hidden)
        network.start(rng, 2.0 if steep else 6.0)
        self.n_iter_, self.t_ = 0, 0
        self.n_layers_ = len(network.layers) + 1
        self.n_outputs_ = network.shapes[-1][0]
        self.out_activation_ = head.activation
        forget(self, "loss_curve_", "best_loss_", "validation_scores_")
        forget(self, "best_validation_score_", "_memory", "_taken", "_rate")
        forget(self, "_no_improvement_count", "_best_theta")
        if self.solver != "lbfgs":
            self._begin_records()

    def _resume(self) -> None:
        """Go on with the records of earlier passes, or begin those that are needed."""
        best = "best_validation_score_" if self.early_stopping else "best_loss_"
        if self.solver != "lbfgs" and getattr(self, best, None) is None:
            self._begin_records()

    def _begin_records(self) -> None:
        """Begin to tell of passes over the rows."""
        self.loss_curve_: list[float] = []
        self._no_improvement_count = 0
        self._best_theta = None
        self.best_loss_ = None if self.early_stopping else np.inf
        self.validation_scores_: list[float] | None = (
            [] if self.early_stopping else None
        )
        self.best_validation_score_ = -np.inf if self.early_stopping else None

    def _load(self, network: Network) -> None:
        """Put the fitted parameters into a network."""
        for own, W, b in zip(
            filter(None, network.parameters), self.coefs_, self.intercepts_, strict=True
        ):
            if own[0].shape != W.shape:
                raise DataError(
                    f"{type(self).__name__} was fitted with layers of other sizes: a "
                    f"layer has shape {W.shape}, {own[0].shape} is needed now."
                )
            own[0][...], own[1][...] = W, b

    def _keep(self, network: Network) -> None:
        self.coefs_ = [own[0] for own in network.parameters if own]
        self.intercepts_ = [own[1] for own in network.parameters if own]

    def _refuse_other_solvers(self) -> None:
        """Refuse batches for a method that needs all rows."""
        if self.solver not in ("sgd", "adam"):
            raise AttributeError(
                "partial_fit is only available for stochastic optimizers. "
                f"{self.solver} is not stochastic."
            )
        if self.early_stopping:
            raise InvalidParameterError(
                f"{type(self).__name__}: partial_fit does not support "
                "early_stopping=True"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

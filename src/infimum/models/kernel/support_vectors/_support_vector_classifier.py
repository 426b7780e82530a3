"""Base of support vector classifiers: the recipe of margins, pairs, votes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import _ovr_decision_function

from infimum.data.doors import (
    check_fitted,
    class_weighted,
    labelled,
    things,
    winners,
)
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._interior_start import Plain
from infimum.models._interruption import raise_if_interrupted, was_interrupted
from infimum.models._support_vector_machine import SupportVectorMachine
from infimum.models._support_vector_proof import Claim
from infimum.models.kernel.support_vectors._score_calibration import (
    ScoreCalibration,
    coupled,
)
from infimum.parameters import Choice, Domains, check_parameters
from infimum.solvers import DualSolution
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Answer", "BinaryProblem", "Margin", "SupportVectorClassifier"]

_PROBABILITIES = Choice(("deprecated", False, True, "sigmoid", "isotonic"))
TWO = 2


class BinaryProblem(NamedTuple):
    """One machine that tells one set of classes (+1) from another (-1)."""

    rows: Indices
    signs: Vector
    bounds: Vector


class Answer(NamedTuple):
    """What a machine learnt: coefficients of its rows, offset, margin, and proof."""

    coefficients: Vector
    offset: float
    margin: float
    solution: DualSolution
    #: What else it has found out, by the name of the attribute that lists it.
    told: Mapping[str, Any] = MappingProxyType({})


class Margin(NamedTuple):
    """What a support vector classifier minimises for each of its machines."""

    #: What a margin violation costs a sample of weight 1.
    price: float
    #: From a machine, all things and a start, if there is one, to what it learns.
    answer: Callable[[BinaryProblem, Any, Vector | None], Answer]
    #: From the number of a machine, itself and its coefficients to what it claims.
    claim: Callable[[int, BinaryProblem, Vector], Claim] | None = None
    #: What a machine minimises as a risk of plain scores, if it is one.
    plain: Callable[[BinaryProblem], Plain] | None = None
    #: Who keeps the proofs, where they do not prove an optimum.
    keep: Callable[[list[DualSolution]], None] | None = None
    #: Whether the share of support vectors bounds the leave-one-out error.
    leaves_one_out: bool = False


def _gives_probabilities(machine: Any) -> bool:
    if machine.probability in ("deprecated", False):
        raise AttributeError(
            "predict_proba is not available when probability=False; set it to True, "
            "'sigmoid' or 'isotonic'."
        )
    return True


class SupportVectorClassifier(ClassifierMixin, SupportVectorMachine, ABC):  # type: ignore[misc]
    """A classifier with a wide margin; many classes two at a time, or one by one."""

    class_weight: Any
    probability: Any
    decision_function_shape: Any
    break_ties: Any
    multi_class: Any
    random_state: Any
    classes_: NDArray[Any]

    _domains: ClassVar[Domains] = {
        "probability": _PROBABILITIES,
        "decision_function_shape": Choice(("ovr", "ovo")),
        "multi_class": Choice(("ovo", "ovr")),
    }

    @abstractmethod
    def _recipe(self) -> Margin:
        """Return what is minimised; the parameters are checked."""

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_ = rows.classes
        self._prepare(rows.X, rows.weights)
        weights = given = rows.shares()
        if self.class_weight is not None:
            told = type(self).__name__, self.class_weight, rows.classes, rows.y
            weights = np.asarray(class_weighted(*told, given))
        self.class_weight_ = self._factors(rows.y, given, weights)
        self._learn(rows.X, rows.y, weights)
        raise_if_interrupted(self)
        return self

    def _factors(
        self, codes: NDArray[np.intp], given: Vector, weights: Vector
    ) -> Vector:
        factors = np.ones(len(self.classes_))
        heavy = given > 0
        factors[codes[heavy]] = weights[heavy] / given[heavy]
        return factors

    def _learn(self, things: Any, codes: NDArray[np.intp], weights: Vector) -> None:
        recipe, problems = self._recipe(), self._binary_problems(codes, weights)
        answers: list[Answer] = []
        begun = self.__dict__.get("_begun", iter(()))
        for binary in problems:
            if answers and was_interrupted(answers[-1].solution):
                raise KeyboardInterrupt  # a part of the machines is no model
            start = next(begun, None)
            start = None if start is None else start[binary.rows]
            answers.append(recipe.answer(binary, things, start))
        (recipe.keep or self._keep_solutions)([answer.solution for answer in answers])
        for name in answers[0].told:
            setattr(self, name, _listed([answer.told[name] for answer in answers]))
        self.n_iter_ = np.array(
            [max(1, a.solution.iterations) for a in answers], dtype=np.int32
        )
        self.margins_ = np.array([answer.margin for answer in answers])
        coef = np.zeros((len(answers), len(codes)))
        for row, binary, answer in zip(coef, problems, answers, strict=True):
            row[binary.rows] = answer.coefficients
        offsets = np.array([answer.offset for answer in answers])
        self._keep_machines(things, codes, coef, offsets)
        if recipe.leaves_one_out:
            copies = weights / self.class_weight_[codes]  # class weights are no copies
            bound = float(copies[self.support_].sum() / copies.sum())
            self.__dict__.update(leave_one_out_bound_=bound)
        if not was_interrupted(answers[-1].solution):
            self.__dict__.pop("calibration_", None)
            if self.probability not in ("deprecated", False):
                self._calibrate(things, codes, weights)

    def _binary_problems(
        self, codes: NDArray[np.intp], weights: Vector
    ) -> list[BinaryProblem]:
        """Return the machines to learn; the first of two classes is the negative."""
        bounds = self._recipe().price * weights
        count = len(self.classes_)
        kept = np.flatnonzero(weights > 0)
        missing = set(range(count)) - set(codes[kept])
        if missing:
            raise InvalidParameterError(
                f"{type(self).__name__} cannot learn the class "
                f"{self.classes_[min(missing)]!r}: all its samples weigh 0."
            )
        if count == TWO or self.multi_class == "ovr":
            ones = [1] if count == TWO else range(count)
            return [
                BinaryProblem(kept, np.where(codes[kept] == k, 1.0, -1.0), bounds[kept])
                for k in ones
            ]
        problems = []
        for i, j in combinations(range(count), 2):
            rows = kept[(codes[kept] == i) | (codes[kept] == j)]
            # Positive for the first class of a pair, as in LIBSVM.
            signs = np.where(codes[rows] == i, 1.0, -1.0)
            problems.append(BinaryProblem(rows, signs, bounds[rows]))
        return problems

    def _keep_machines(
        self, things: Any, codes: NDArray[np.intp], coef: Matrix, offsets: Vector
    ) -> None:
        """Keep support vectors by class, coefficients in LIBSVM's layout."""
        support = np.flatnonzero(coef.any(axis=0))
        support = support[np.argsort(codes[support], kind="stable")]
        classes = len(self.classes_)
        self.n_support_ = np.bincount(codes[support], minlength=classes).astype(
            np.int32
        )
        self.intercept_ = offsets
        coef = coef[:, support]
        if classes > TWO and self.multi_class == "ovo":
            coef = _compact(coef, codes[support], classes)
        self._keep_support(things, support, coef)

    def _pair_coef(self) -> Matrix:
        """Return one row of coefficients per machine."""
        coef, classes = self._dense_coef(), len(self.classes_)
        if classes == TWO or self.multi_class == "ovr":
            return coef
        own = np.repeat(np.arange(classes), self.n_support_)
        rows = []
        for i, j in combinations(range(classes), 2):
            row = np.where(own == i, coef[j - 1], 0.0)
            rows.append(np.where(own == j, coef[i], row))
        return np.array(rows)

    @property
    def coef_(self) -> Any:
        """Weights of the features in each machine; only a linear kernel has them."""
        return self._feature_weights(self._pair_coef())

    def _scores(self, X: Any) -> Matrix:
        """Return the score of every machine for every sample."""
        sums = self._tiles(X).multiply(self._pair_coef().T)
        return np.asarray(sums + self.intercept_)

    def decision_function(self, X: Any) -> Matrix:
        """Return one score per sample (two classes), per class, or per pair."""
        scores = self._scores(X)
        if len(self.classes_) == TWO:
            return scores.ravel()
        if self.multi_class == "ovr" or self.decision_function_shape == "ovo":
            return scores
        return np.asarray(
            _ovr_decision_function(scores < 0, -scores, len(self.classes_))
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each sample: by sign, by votes, or by the top score."""
        if self.break_ties and self.decision_function_shape == "ovo":
            raise InvalidParameterError(
                f"{type(self).__name__}.break_ties must be False when "
                "decision_function_shape is 'ovo'."
            )
        check_fitted(self)
        classes = len(self.classes_)
        if classes == TWO or self.multi_class == "ovr" or self.break_ties:
            scores = self.decision_function(X)
        else:
            scores = _votes(self._scores(X), classes)
        return np.asarray(self.classes_[winners(scores, at_zero=1)])

    def _calibrate(self, things: Any, codes: NDArray[np.intp], weights: Vector) -> None:
        """Learn probabilities from scores of held-out folds."""
        kind = "isotonic" if self.probability == "isotonic" else "sigmoid"
        learnt = ScoreCalibration.learn(self, things, codes, weights, kind)
        self.calibration_: dict[str, Any] = {"kind": kind, "maps": learnt.maps}

    @property
    def probA_(self) -> Vector:  # noqa: N802
        """Platt's slopes in LIBSVM's signs, one a machine; empty without a sigmoid."""
        return -self._sigmoids()[:, 0]

    @property
    def probB_(self) -> Vector:  # noqa: N802
        """Platt's offsets in LIBSVM's signs, one a machine; empty without a sigmoid."""
        # Of two classes the first is LIBSVM's positive one, the second is ours.
        sign = 1.0 if len(self.classes_) == TWO else -1.0
        return sign * self._sigmoids()[:, 1]

    def _sigmoids(self) -> Matrix:
        check_fitted(self)
        found = self.__dict__.get("calibration_", {"kind": "", "maps": []})
        maps = found["maps"] if found["kind"] == "sigmoid" else []
        return np.array(maps, dtype=np.float64).reshape(-1, TWO)

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class, from scores of held-out folds."""
        check_fitted(self, "calibration_")
        scores = self._scores(X)
        chances = ScoreCalibration(**self.calibration_).chances(scores)
        if len(self.classes_) == TWO:
            return np.column_stack([1.0 - chances[:, 0], chances[:, 0]])
        if self.multi_class == "ovr":
            # All steps can be 0: then every class is as likely.
            nobodys = ~chances.any(axis=1, keepdims=True)
            shares = np.where(nobodys, 1.0, chances)
            return np.asarray(shares / shares.sum(axis=1, keepdims=True))
        return coupled(chances, len(self.classes_))

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


def _listed(values: list[Any]) -> Any:
    """Return what all machines have told, as arrays; a record becomes one of arrays."""
    if isinstance(values[0], tuple):
        return type(values[0])(*map(np.array, zip(*values, strict=True)))
    return np.array(values)


def _compact(coef: Matrix, own: NDArray[np.intp], classes: int) -> Matrix:
    """Turn one row per pair into LIBSVM's layout: one per opponent of a sample."""
    out = np.zeros((classes - 1, coef.shape[1]))
    for row, (i, j) in zip(coef, combinations(range(classes), 2), strict=True):
        out[j - 1, own == i] = row[own == i]
        out[i, own == j] = row[own == j]
    return out


def _votes(scores: Matrix, classes: int) -> Matrix:
    votes = np.zeros((len(scores), classes))
    for column, (i, j) in zip(scores.T, combinations(range(classes), 2), strict=True):
        votes[:, i] += column > 0
        votes[:, j] += column <= 0
    return votes

"""Conditional random fields: labels of tokens, fitted with a proof."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from infimum.certificates import Certificate, certify_by_planes
from infimum.data.doors import (
    TokenAttributes,
    Vocabulary,
    chain_labels_of,
    check_fitted,
)
from infimum.decoders import Chain
from infimum.errors import DataError
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.sequence._field_fit import (
    HeldBack,
    carried_over,
    code_labels,
    field_features,
    field_penalty,
    minimize_field,
    of_weight,
    sequence_weights,
)
from infimum.models.sequence._field_online import online_field
from infimum.models.sequence._tagging import FieldReader
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import FieldFeatures, FieldRisk, Mix
from infimum.parameters import (
    Choice,
    Domain,
    check_parameters,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.penalties import NoPenalty, Ridge
from infimum.typing import Indices, Matrix, Vector

__all__ = ["CRF"]

ALGORITHMS = ("lbfgs", "l2sgd", "ap", "pa", "arow")
#: What a fit without a proof does not leave.
PROOF = ("certificate_", "history_", "_proof_shares", "_proof_points")
#: Passes over the data of the algorithms that prove nothing.
PASSES = 100
#: Models and what reads their attributes: most pairs are looked up once.
_READERS: Any = WeakKeyDictionary()
#: Steps that quasi-Newton methods remember.
MEMORIES = 20


class CRF(BaseEstimator):  # type: ignore[misc]
    r"""A chain of labels whose pairs, and whose attributes, have weights.

    .. math:: \min_w \sum_i \Bigl(\log \sum_{y'} e^{s_w(x_i, y')} - s_w(x_i, y_i)\Bigr)
              + c_1 \|w\|_1 + c_2 \|w\|^2

    Parameters, scaling and attributes are those of sklearn-crfsuite. Beyond it: the
    fit is certified, sequences have weights, labels may be any words or numbers, both
    cores work, and `partial_fit` goes on with new sequences.

    Parameters
    ----------
    algorithm : {"lbfgs", "l2sgd", "ap", "pa", "arow"}, default="lbfgs"
        The first two minimise (the second without c1); averaged perceptron,
        passive-aggressive steps and AROW prove nothing.
    min_freq : float, default=0
        Features met less often have no weight.
    all_possible_states, all_possible_transitions : bool, default=False
        Weights also for pairs that never occur together.
    c1, c2 : float, default=0 and 1
    max_iterations : int, optional
    num_memories : int, optional
        Steps that the fit remembers; 20 by default, and 6 in CRFsuite.
    epsilon, period, delta, linesearch, max_linesearch, calibration_eta, \
calibration_rate, calibration_samples, calibration_candidates, calibration_max_trials
        Of CRFsuite's solvers; accepted, and without effect.
    pa_type, c, error_sensitive, averaging
        Of "pa", as in CRFsuite.
    variance, gamma
        Of "arow".
    verbose, model_filename, keep_tempfiles, trainer_cls
        Accepted, and without effect: a model is kept by `infimum.save`.
    tol : float, default=1e-4
        The proved gap, as a share of the loss without weights.

    Attributes
    ----------
    classes_ : list
        Labels, in the order of their first appearance.
    attributes_ : list of str
    coef_ : ndarray
        All weights: of attributes with labels, then of pairs of labels.
    state_features_, transition_features_ : dict
        (attribute, label) -> weight, (label, label) -> weight; weights of 0 left out.
    certificate_ : Certificate
        Of the mean over sequences; absent after "ap", "pa" and "arow".
    history_ : tuple of Record
    n_iter_ : int

    Examples
    --------
    >>> X = [[{"word": w} for w in text.split()] for text in ("a dog barks", "a cat")]
    >>> model = CRF(c2=0.1).fit(X, [["DET", "NOUN", "VERB"], ["DET", "NOUN"]])
    >>> model.predict([[{"word": "a"}, {"word": "dog"}]])
    [['DET', 'NOUN']]
    >>> model.certificate_.closed
    True
    """

    _domains: ClassVar[dict[str, Domain]] = {
        "algorithm": or_none(Choice(ALGORITHMS)),
        "min_freq": or_none(nonnegative),
        "c1": or_none(nonnegative),
        "c2": or_none(nonnegative),
        "max_iterations": or_none(whole(1)),
        "num_memories": or_none(whole(1)),
        "tol": positive,
    }

    def __init__(
        self,
        algorithm: str | None = None,
        min_freq: float | None = None,
        all_possible_states: bool | None = None,  # noqa: FBT001
        all_possible_transitions: bool | None = None,  # noqa: FBT001
        c1: float | None = None,
        c2: float | None = None,
        max_iterations: int | None = None,
        num_memories: int | None = None,
        epsilon: float | None = None,
        period: int | None = None,
        delta: float | None = None,
        linesearch: str | None = None,
        max_linesearch: int | None = None,
        calibration_eta: float | None = None,
        calibration_rate: float | None = None,
        calibration_samples: int | None = None,
        calibration_candidates: int | None = None,
        calibration_max_trials: int | None = None,
        pa_type: int | None = None,
        c: float | None = None,
        error_sensitive: bool | None = None,  # noqa: FBT001
        averaging: bool | None = None,  # noqa: FBT001
        variance: float | None = None,
        gamma: float | None = None,
        verbose: bool = False,  # noqa: FBT001, FBT002
        model_filename: str | None = None,
        keep_tempfiles: bool = False,  # noqa: FBT001, FBT002
        trainer_cls: Any = None,
        *,
        tol: float = 1e-4,
    ) -> None:
        given = dict(locals())
        for name in self._get_param_names():
            setattr(self, name, given[name])

    @whole_or_not_at_all
    def fit(
        self, X: Any, y: Any, X_dev: Any = None, y_dev: Any = None,
        sample_weight: Any = None,
    ) -> Self:  # fmt: skip
        """Find the weights.

        Parameters
        ----------
        X : list of lists of dicts
            A dict of attributes for each token, a list of names, or a table of numbers
            for each sequence.
        y : list of lists of labels
        X_dev, y_dev : lists, optional
            Checked, and otherwise not used.
        sample_weight : array-like of shape (n_sequences,), optional
            A weight of k means the same as k copies of the sequence.
        """
        check_parameters(self)
        if (X_dev is None) != (y_dev is None):
            raise DataError("CRF: pass both X_dev and y_dev, or neither.")
        vocabulary, classes = Vocabulary(), []  # type: ignore[var-annotated]
        rows, codes, weights = self._read(X, y, sample_weight, vocabulary, classes)
        shape = len(vocabulary.names), len(classes)
        features = self._features(rows, codes, shape, weights)
        algorithm = self.algorithm or "lbfgs"
        self.attributes_, self.classes_ = vocabulary.names, classes
        self._states, self._moves = features.states, features.moves
        forget(self, "n_seen_", *PROOF)
        risk = self._risk(rows, codes, features, weights)
        if algorithm in ("lbfgs", "l2sgd"):
            self._minimize(risk)
        else:
            passes = self.max_iterations or PASSES
            self.coef_ = online_field(risk, algorithm, passes, self.get_params())
            self.n_iter_ = passes
        return self

    @whole_or_not_at_all
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Go on with more sequences; new attributes and labels get weights.

        The weights move to the minimum of the new mean loss plus a square that holds
        them back, the more the more sequences were seen before. The first call is
        `fit`.
        """
        if not hasattr(self, "coef_"):
            X = list(X)
            self.fit(X, y, sample_weight=sample_weight)
            self.n_seen_ = float(sequence_weights(sample_weight, len(X)).sum())
            return self
        check_parameters(self)
        vocabulary, classes = Vocabulary(self.attributes_), list(self.classes_)
        rows, codes, weights = self._read(X, y, sample_weight, vocabulary, classes)
        shape = len(vocabulary.names), len(classes)
        fresh = self._features(rows, codes, shape, weights)
        before = self._kept
        a, k = before.states.shape
        fresh.states[:a, :k] |= before.states
        fresh.moves[:k, :k] |= before.moves
        start = carried_over(before, self.coef_, fresh)
        seen, total = getattr(self, "n_seen_", 1.0), float(weights.sum())
        hold = Ridge((2.0 * self._c2 + seen) / total)
        risk = HeldBack(rows, codes, fresh, hold, weights, start)
        moved = minimize_field(risk, None, self._limits)
        self.attributes_, self.classes_ = vocabulary.names, classes
        self._states, self._moves = fresh.states, fresh.moves
        self.coef_, self.n_seen_ = start + moved.point[:-1], seen + total
        self.n_iter_ = moved.iterations
        forget(self, *PROOF)
        return self

    def certify(
        self, X: Any, y: Any, sample_weight: Any = None, *, rigorous: bool = False
    ) -> Certificate:
        """Compute the proof of this model again, from the sequences that it is of.

        With `rigorous` the proof stays open: the auditor does not know these risks.
        """
        check_fitted(self, "coef_")
        vocabulary, classes = Vocabulary(self.attributes_), list(self.classes_)
        rows, codes, weights = self._read(X, y, sample_weight, vocabulary, classes)
        if len(classes) > len(self.classes_) or len(vocabulary.names) > len(
            self.attributes_
        ):
            raise DataError("CRF: these are not the sequences of the fit.")
        features = self._features(rows, codes, self._states.shape, weights)
        same = np.array_equal(features.states, self._states)
        if not same or not np.array_equal(features.moves, self._moves):
            raise DataError("CRF: these are not the sequences of the fit.")
        risk = self._risk(rows, codes, features, weights)
        point, mix = np.append(self.coef_, 0.0), None
        if hasattr(self, "_proof_shares"):
            held = np.pad(self._proof_points, ((0, 0), (0, 1)))
            mix = Mix(self._proof_shares, tuple(held))
        proof = certify_by_planes(risk, point, mix, self.tol)
        return not_audited(self, proof) if rigorous else proof

    def predict(self, X: Any) -> list[list[Any]]:
        """Return the best labelling of each sequence."""
        quick = self._reader().tags(X, self.coef_, self.classes_)
        if quick is not None:
            return quick
        rows, scores, chain = self._scores(X)
        labels = chain.decode(scores, rows.lengths)[0]
        told = np.empty(len(self.classes_), dtype=object)
        told[:] = self.classes_
        flat = told[labels].tolist()
        return [flat[a:b] for a, b in zip(rows.bounds, rows.bounds[1:], strict=False)]

    def predict_single(self, xseq: Any) -> list[Any]:
        """Return the best labelling of one sequence."""
        return self.predict([xseq])[0]

    def predict_marginals(self, X: Any) -> list[list[dict[Any, float]]]:
        """Return the probability of each label of each token."""
        rows, scores, chain = self._scores(X)
        found = chain.marginals(scores, rows.lengths).labels.tolist()
        named = [dict(zip(self.classes_, row, strict=True)) for row in found]
        return [named[a:b] for a, b in zip(rows.bounds, rows.bounds[1:], strict=False)]

    def predict_marginals_single(self, xseq: Any) -> list[dict[Any, float]]:
        """Return the probability of each label of each token of one sequence."""
        return self.predict_marginals([xseq])[0]

    def score(self, X: Any, y: Any) -> float:
        """Return the share of tokens with the right label."""
        said = self.predict(X)
        told = chain_labels_of("CRF", y, np.array([len(each) for each in said]))
        flat = [label for each in said for label in each]
        return float(np.mean([a == b for a, b in zip(flat, told, strict=True)]))

    @property
    def state_features_(self) -> dict[tuple[str, Any], float]:
        """(attribute, label) -> weight."""
        check_fitted(self, "coef_")
        rows, labels = np.nonzero(self._states)
        values = self.coef_[: len(rows)]
        return {
            (self.attributes_[a], self.classes_[k]): float(w)
            for a, k, w in zip(rows, labels, values, strict=True)
            if w != 0.0
        }

    @property
    def transition_features_(self) -> dict[tuple[Any, Any], float]:
        """(label, next label) -> weight."""
        check_fitted(self, "coef_")
        rows, columns = np.nonzero(self._moves)
        values = self.coef_[len(self.coef_) - len(rows) :]
        return {
            (self.classes_[a], self.classes_[b]): float(w)
            for a, b, w in zip(rows, columns, values, strict=True)
            if w != 0.0
        }

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a sample is a whole sequence
        tags.input_tags.dict = tags.input_tags.string = True
        tags.target_tags.required = True
        return tags

    @property
    def _kept(self) -> FieldFeatures:
        return FieldFeatures(self._states, self._moves)

    @property
    def _c2(self) -> float:
        return 1.0 if self.c2 is None else float(self.c2)

    @property
    def _limits(self) -> tuple[float, int, int]:
        return self.tol, self.max_iterations or 5_000, self.num_memories or MEMORIES

    def _read(
        self, X: Any, y: Any, sample_weight: Any, vocabulary: Vocabulary,
        classes: list[Any],
    ) -> tuple[TokenAttributes, Indices, Vector]:  # fmt: skip
        X, y, weights = of_weight(X, y, sample_weight)
        rows = vocabulary.read("CRF", X, grow=True)
        labels = chain_labels_of("CRF", y, rows.lengths)
        if weights is None:
            weights = np.ones(len(rows.lengths))
        return rows, code_labels("CRF", labels, classes), weights

    def _features(
        self, rows: TokenAttributes, codes: Indices, shape: tuple[int, int],
        weights: Vector,
    ) -> FieldFeatures:  # fmt: skip
        every = bool(self.all_possible_states), bool(self.all_possible_transitions)
        least = float(self.min_freq or 0)
        return field_features(rows, codes, shape, least, every, weights)

    def _risk(
        self, rows: Any, codes: Indices, features: FieldFeatures, weights: Vector
    ) -> FieldRisk:
        c1 = 0.0 if self.algorithm == "l2sgd" else float(self.c1 or 0.0)
        penalty = field_penalty(c1, self._c2, float(weights.sum()))
        return FieldRisk(rows, codes, features, penalty, weights)

    def _minimize(self, risk: FieldRisk) -> None:
        found = minimize_field(risk, None, self._limits)
        self.coef_, self.certificate_ = found.point[:-1], found.certificate
        self.history_, self.n_iter_ = found.history, found.iterations
        mix: Any = found.slopes
        if mix.witnesses[-1] is not found.point or len(mix.witnesses) > 1:
            self._proof_shares = np.array(mix.shares)
            self._proof_points = np.stack([each[:-1] for each in mix.witnesses])
        if not found.certified:
            advice = "raise c2" if isinstance(risk.penalty, NoPenalty) else "raise tol"
            warnings.warn(
                f"CRF: {found.certificate}; {advice} or max_iterations.",
                UncertifiedWarning,
                stacklevel=4,
            )

    def _reader(self) -> FieldReader:
        check_fitted(self, "coef_")
        held: FieldReader | None = _READERS.get(self)
        if held is None or not held.serves(self.attributes_, self._states, self._moves):
            held = _READERS[self] = FieldReader(self.attributes_, self._kept)
        return held

    def _scores(self, X: Any) -> tuple[TokenAttributes, Matrix, Chain]:
        held = self._reader()
        rows = held.vocabulary.read("CRF", X, grow=False)
        labels = np.zeros(len(rows.tokens) - 1, dtype=np.intp)
        risk = FieldRisk(rows, labels, held.features, NoPenalty(), np.ones(1))
        return rows, *risk.scores(self.coef_)
